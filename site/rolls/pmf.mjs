// @ts-check
/** Random variables as probability mass functions: values with whole weights over a total. `oddsmith/rolls/pmf.py`,
 * which this follows function for function, says why the results are exact. */

import {
  absolute,
  bitLength,
  RuleFailure,
  compare,
  difference,
  Enclosure,
  Fraction,
  gcd,
  largest,
  lcm,
  least,
  plain,
  product,
  squareRoot,
  sum,
  sumOf,
} from "./numbers.mjs";

/** @typedef {import("./numbers.mjs").Value} Value */
/** @typedef {Map<Value, bigint>} Weights */
/**
 * @typedef {object} Tail what is not listed
 * @property {bigint} weight
 * @property {Value | null} least below which everything is listed, or null where it may be anywhere
 * @property {Enclosure | null} [first] the mean of the whole variable, where it is known
 * @property {Enclosure | null} [second] the mean square of the whole variable
 * @property {(distance: number, rare: bigint) => Pmf} [longer] the variable listed up to a distance from its least
 *   value, and until less than one part of a number is left
 */

const MOST_PAIRS = 4_000_000; // of values that are met one by one
const MOST_VALUES = 60_000;
const MOST_BITS = 1 << 26; // of weights that are multiplied at once
const DENSE = 8; // times more places than values, and a list with gaps is not worth packing
const MOST_LISTED = 4000;
const MOST_TERMS = 15_000; // of the sums that give the listed chances
const MAX_TAIL_DIVISOR = 1n << 70n; // a tail of less than one part of this many is not listed
export const RARE = 1n << 44n; // and of many dice of which some are kept, where every value more takes long

/** A whole number with commas. @param {number | bigint} count */
export const countText = (count) => count.toLocaleString("en-US");

/** Throw RuleFailure for dice that are not read or take too long. @param {string} message @param {string} [hint]
 * @returns {never} */
export function refuse(message, hint = "") {
  throw new RuleFailure("OD417", message, hint);
}

/** Add a weight to that of a value.
 * @template K @param {Map<K, bigint>} found @param {K} value @param {bigint} weight */
export function addWeight(found, value, weight) {
  found.set(value, (found.get(value) ?? 0n) + weight);
}

/** The weights of the values that pass a test.
 * @param {Weights} weights @param {(value: Value) => boolean} test @returns {Weights} */
export const filterWeights = (weights, test) => new Map([...weights].filter(([value]) => test(value)));

/** A random variable: the positive weights of the listed values and the weight of the tail, which sum to the total. */
export class Pmf {
  /** @param {Weights} weights @param {bigint} total @param {Tail | null} [tail] @param {boolean} [flag] */
  constructor(weights, total, tail = null, flag = false) {
    this.weights = weights;
    this.total = total;
    this.tail = tail;
    this.flag = flag;
    /** @type {Value[] | null} */
    this.sorted = null;
  }
  /**
   * A variable with finitely many values; common factors are cancelled.
   * @param {Weights} weights @param {boolean} [flag]
   */
  static of(weights, flag = false) {
    /** @type {Weights} */
    const kept = new Map();
    let shared = 0n;
    for (const [value, weight] of weights) {
      if (!weight) continue;
      kept.set(plain(value), weight);
      if (shared !== 1n) shared = gcd(weight, shared);
    }
    if (shared > 1n) for (const [value, weight] of kept) kept.set(value, weight / shared);
    return new Pmf(kept, sumOf(kept.values()), null, flag);
  }
  /** A constant. @param {Value} value */
  static constant(value) {
    return new Pmf(new Map([[plain(value), 1n]]), 1n);
  }
  /** The listed values, ascending. */
  get values() {
    return (this.sorted ??= [...this.weights.keys()].sort(compare));
  }
  /** The value of a constant; null for any other variable. @returns {Value | null} */
  get constant() {
    return this.weights.size === 1 && !this.tail ? this.values[0] : null;
  }
  /** The mean of the first or second power (raw moment); null if it is not known. @param {number} exponent */
  moment(exponent) {
    if (this.tail) return (exponent === 1 ? this.tail.first : this.tail.second) ?? null;
    if (!this.total) return null;
    return Enclosure.of(moment(this.weights, exponent, this.total));
  }
  get mean() {
    return this.moment(1);
  }
  /** The probability of less than a value. @param {Value} value */
  below(value) {
    let listed = 0n;
    for (const [each, weight] of this.weights) if (compare(each, value) < 0) listed += weight;
    const { tail, total } = this;
    const extra = tail && (tail.least === null || compare(value, tail.least) > 0) ? tail.weight : 0n;
    return new Enclosure(new Fraction(listed, total), new Fraction(listed + extra, total));
  }
  /** `scale` times the variable plus `more`. @param {Value} scale @param {Value} more */
  affine(scale, more) {
    if (scale === 0) return Pmf.constant(more);
    const moved = (/** @type {Value} */ value) => sum(product(value, scale), more);
    const weights = new Map([...this.weights].map(([value, weight]) => [moved(value), weight]));
    if (!this.tail) return new Pmf(weights, this.total);
    const { weight, least, first, second } = this.tail;
    return new Pmf(weights, this.total, {
      weight,
      least: least !== null && compare(scale, 0) > 0 ? moved(least) : null,
      first: first?.times(scale).plus(more),
      second:
        first &&
        second
          ?.times(product(scale, scale))
          .plus(first.times(product(product(2, scale), more)))
          .plus(product(more, more)),
    });
  }
  /** The distribution of a function of the variable. Of a tail, only the weight stays known.
   * @param {(value: Value) => Value} change @param {boolean} [flag] */
  mapped(change, flag = false) {
    /** @type {Weights} */
    const found = new Map();
    for (const [value, weight] of this.weights) addWeight(found, plain(change(value)), weight);
    return new Pmf(found, this.total, openTail(this.tail?.weight), flag);
  }
}

/** The variable as a number, or as the answer to a question (1 for yes). @param {Pmf} each @param {boolean} [flag] */
export const withFlag = ({ weights, total, tail }, flag = true) => new Pmf(weights, total, tail, flag);

/** A tail whose values may be anywhere; null without weight. @param {bigint} [weight] @returns {Tail | null} */
export const openTail = (weight) => (weight ? { weight, least: null } : null);

/** The weighted sum of powers of values, over a total.
 * @param {Weights} weights @param {number} exponent @param {bigint} total */
function moment(weights, exponent, total) {
  const power = BigInt(exponent);
  let [whole, rest] = [0n, new Fraction(0n)];
  for (const [value, weight] of weights)
    if (typeof value === "number") whole += BigInt(value) ** power * weight;
    else rest = rest.plus(value.power(exponent).times(weight));
  return rest.plus(whole).over(total);
}

/** A die whose faces are equally likely; a face may stand several times. @param {Iterable<Value>} values */
export function uniform(values) {
  /** @type {Weights} */
  const weights = new Map();
  for (const value of values) addWeight(weights, plain(value), 1n);
  return Pmf.of(weights);
}

/** The answer to a question: 1 with some weight, else 0; some weight may be left open.
 * @param {bigint} weight @param {bigint} total @param {bigint} [left] */
export function bernoulli(weight, total, left = 0n) {
  /** @type {[Value, bigint][]} */
  const cases = [
    [0, total - weight - left],
    [1, weight],
  ];
  return new Pmf(new Map(cases.filter((each) => each[1])), total, openTail(left), true);
}

// --- sums

/** The sum of two independent variables. @param {Pmf} left @param {Pmf} right @returns {Pmf} */
export function add(left, right) {
  if (right.constant !== null) return left.affine(1, right.constant);
  if (left.constant !== null) return right.affine(1, left.constant);
  const total = left.total * right.total;
  let weights = convolve(left.weights, right.weights);
  if (!left.tail && !right.tail) return new Pmf(weights, total);
  /** @type {Value | null} */
  let end = null;
  let sure = true;
  for (const [{ tail }, other] of bothWays(left, right)) {
    if (!tail) continue;
    if (tail.least === null || !other.values.length) {
      sure = false;
    } else {
      const here = sum(tail.least, other.values[0]);
      if (end === null || compare(here, end) < 0) end = here;
    }
  }
  const limit = sure ? end : null;
  if (limit !== null) weights = filterWeights(weights, (value) => compare(value, limit) < 0);
  const [one, two, oneSquare, twoSquare] = [left.mean, right.mean, left.moment(2), right.moment(2)];
  return new Pmf(weights, total, {
    weight: total - sumOf(weights.values()),
    least: limit,
    first: one && two && one.plus(two),
    second: one && two && oneSquare && twoSquare && oneSquare.plus(twoSquare).plus(one.times(two).times(2)),
  });
}

/** Two variables as a pair, and as a pair in the other order. @param {Pmf} left @param {Pmf} right @returns {[Pmf,
 * Pmf][]} */
const bothWays = (left, right) => [
  [left, right],
  [right, left],
];

/** The number of bits of one packed weight, in whole bytes, if all weights sum to a total. @param {bigint} total */
export const bitsFor = (total) => Math.ceil((bitLength(total) + 1) / 8) * 8;

/** Convolve two weightings: the weight of each sum. @param {Weights} left @param {Weights} right @returns {Weights} */
export function convolve(left, right) {
  if (left.size * right.size > 400 && isDense(left) && isDense(right)) {
    const bits = bitsFor(sumOf(left.values()) * sumOf(right.values()));
    refuseBits(bits * (span(left) + span(right)));
    const [one, two] = [least(left.keys()), least(right.keys())];
    return unpackWeights(packWeights(left, one, bits) * packWeights(right, two, bits), sum(one, two), bits);
  }
  refusePairs(left.size * right.size);
  /** @type {Weights} */
  const found = new Map();
  for (const [x, v] of left) for (const [y, w] of right) addWeight(found, sum(x, y), v * w);
  return found;
}

/** Throw RuleFailure if too many pairs of values would be combined one by one. @param {number} count */
export function refusePairs(count) {
  if (count > MOST_PAIRS)
    refuse(`${countText(count)} pairs of values would be compared, over ${countText(MOST_PAIRS)}`, "roll fewer dice");
}

/** Whether the values are whole and close enough together to be packed. @param {Weights} weights */
function isDense(weights) {
  const values = [...weights.keys()];
  if (!values.every((value) => typeof value === "number")) return false;
  return span(weights) <= DENSE * values.length + 64;
}

/** The distance from the least to the largest value. @param {Weights} weights */
const span = (weights) => Number(largest(weights.keys())) - Number(least(weights.keys()));

/** Throw RuleFailure if packed weights would be too long. @param {number} bits */
function refuseBits(bits) {
  if (bits > MOST_BITS) refuse("the exact chances of so many dice are too long", "roll fewer dice");
}

/** Pack weights into one whole number, with some bits for each value from the least on (Kronecker's substitution).
 * @param {Weights} weights @param {Value} least @param {number} bits */
export function packWeights(weights, least, bits) {
  const size = bits / 4;
  const places = Array(Number(largest(weights.keys())) - Number(least) + 1).fill("0".repeat(size));
  for (const [value, weight] of weights)
    places[places.length - 1 - (Number(value) - Number(least))] = weight.toString(16).padStart(size, "0");
  return BigInt(`0x${places.join("")}`);
}

/** Unpack weights that were packed with the same `least` and `bits`.
 * @param {bigint} number @param {Value} least @param {number} bits @returns {Weights} */
export function unpackWeights(number, least, bits) {
  const [text, size] = [number.toString(16), bits / 4];
  /** @type {Weights} */
  const found = new Map();
  for (let end = text.length, value = Number(least); end > 0; end -= size, value++) {
    const weight = BigInt(`0x${text.slice(Math.max(end - size, 0), end)}`);
    if (weight) found.set(value, weight);
  }
  return found;
}

/** The number of ways in which dice with faces from 0 to `sides` - 1 give each total.
 * @param {number} count @param {number} sides */
function uniformSum(count, sides) {
  const most = count * (sides - 1);
  const ways = [1n];
  const [n, s] = [BigInt(count), BigInt(sides)];
  for (let k = 0; k < most >> 1; k++) {
    const [here, back, more] = [ways[k], ways[k - sides + 1] ?? 0n, ways[k - sides] ?? 0n];
    const place = BigInt(k);
    const number =
      place * here + (place - s + 1n) * back - (place - s) * more + n * (here - more - s * back + s * more);
    ways.push(number / (place + 1n));
  }
  return [...ways, ...ways.slice(0, (most + 1) >> 1).reverse()];
}

/** The sum of independent variables with the same distribution. @param {number} count @param {Pmf} each */
export function iidSum(count, each) {
  if (!count) return Pmf.constant(0);
  if (!each.tail) {
    const { values, weights } = each;
    if ((values.length - 1) * count > MOST_VALUES)
      refuse(`the total of ${count} such dice has over ${countText(MOST_VALUES)} values`, "roll fewer dice");
    const total = each.total ** BigInt(count);
    const [low, next] = values;
    const step = next === undefined ? 1 : difference(next, low);
    const start = product(low, count);
    const one = weights.get(low);
    if (one && values.every((value, i) => weights.get(value) === one && value === sum(low, product(i, step)))) {
      const weight = one ** BigInt(count);
      const ways = uniformSum(count, values.length);
      return new Pmf(new Map(ways.map((way, i) => [sum(start, product(step, i)), way * weight])), total);
    }
    if (isDense(weights)) {
      const bits = bitsFor(total);
      refuseBits(bits * span(weights) * count);
      return new Pmf(unpackWeights(packWeights(weights, low, bits) ** BigInt(count), start, bits), total);
    }
  }
  if (each.tail?.longer && each.mean && count > 1) {
    const apart = each.mean.upper.minus(each.values[0]);
    const spread = apart.top < 0n ? apart.times(-1) : apart;
    const reach = Number(spread.times(3 * count).floor());
    if (bitLength(each.total) * reach * reach * count > MOST_BITS * each.weights.size)
      refuse(`the exact chances of ${count} such dice are too long`, "roll fewer dice");
    each = each.tail.longer(each.weights.size + reach, MAX_TAIL_DIVISOR);
  }
  /** @type {Pmf | null} */
  let result = null;
  for (; count; count = Math.floor(count / 2)) {
    if (count % 2) result = result ? add(result, each) : each;
    if (count > 1) each = add(each, each);
  }
  return /** @type {Pmf} */ (result);
}

// --- other functions of two variables

/** A function of two independent variables, pair by pair.
 * @param {(x: Value, y: Value) => Value} make @param {Pmf} left @param {Pmf} right @param {boolean} [flag] */
export function combine(make, left, right, flag = false) {
  refusePairs(left.weights.size * right.weights.size);
  /** @type {Weights} */
  const found = new Map();
  for (const [x, v] of left.weights) for (const [y, w] of right.weights) addWeight(found, plain(make(x, y)), v * w);
  const total = left.total * right.total;
  return new Pmf(found, total, openTail(total - sumOf(found.values())), flag);
}

/** Whether a comparison of two independent variables holds: 1 for yes.
 * @param {string} sign @param {Pmf} left @param {Pmf} right @returns {Pmf} */
export function comparison(sign, left, right) {
  if (sign === ">") return comparison("<", right, left);
  if (sign === "<=") return negated(comparison("<", right, left));
  if (sign === ">=") return negated(comparison("<", left, right));
  if (sign === "!=") return negated(comparison("==", left, right));
  const total = left.total * right.total;
  const both = (left.tail?.weight ?? 0n) * (right.tail?.weight ?? 0n);
  if (sign === "==") {
    let [equal, unknown] = [0n, both];
    for (const [value, weight] of left.weights) equal += weight * (right.weights.get(value) ?? 0n);
    for (const [{ tail }, other] of bothWays(left, right))
      for (const [value, weight] of tail ? other.weights : [])
        if (tail && (tail.least === null || compare(value, tail.least) >= 0)) unknown += tail.weight * weight;
    return bernoulli(equal, total, unknown);
  }
  let [less, held, place, unknown] = [0n, 0n, 0, both]; // held: the weight of the left values below the right one
  for (const value of right.values) {
    for (; place < left.values.length && compare(left.values[place], value) < 0; place++)
      held += left.weights.get(left.values[place]) ?? 0n;
    less += held * (right.weights.get(value) ?? 0n);
  }
  for (const [{ tail }, other] of bothWays(left, right))
    for (const [value, weight] of tail ? other.weights : []) {
      if (!tail) continue;
      const below = other === left;
      const apart = tail.least === null ? 1 : compare(value, tail.least);
      if (apart > 0 || (below && apart === 0)) unknown += tail.weight * weight;
      else if (below) less += tail.weight * weight; // all of the tail lies above the value
    }
  return bernoulli(less, total, unknown);
}

/** The answer to a question with yes and no exchanged. @param {Pmf} question */
export function negated({ weights, total, tail }) {
  return new Pmf(new Map([...weights].map(([value, weight]) => [difference(1, value), weight])), total, tail, true);
}

/** The mixture of some variables with whole weights. @param {Iterable<[bigint, Pmf]>} cases @param {boolean} [flag] */
export function mixture(cases, flag = false) {
  const kept = [...cases].filter(([weight]) => weight);
  if (kept.length === 1) {
    const each = kept[0][1];
    return new Pmf(each.weights, each.total, each.tail, flag || each.flag);
  }
  const whole = sumOf(kept.map(([weight]) => weight));
  const shared = kept.reduce((all, [, each]) => lcm(all, each.total), 1n);
  /** @type {Weights} */
  let found = new Map();
  let [weightBeyond, sure] = [0n, true];
  /** @type {Value | null} */
  let end = null;
  /** @type {(Enclosure | null)[]} */
  const moments = [Enclosure.of(0), Enclosure.of(0)];
  const tails = kept.some(([, each]) => each.tail);
  for (const [weight, each] of kept) {
    const factor = weight * (shared / each.total);
    for (const [value, times] of each.weights) addWeight(found, value, times * factor);
    if (each.tail) {
      weightBeyond += each.tail.weight * factor;
      if (each.tail.least === null) sure = false;
      else if (end === null || compare(each.tail.least, end) < 0) end = each.tail.least;
    }
    if (tails)
      for (const place of [0, 1]) {
        const [held, more] = [moments[place], each.moment(place + 1)];
        moments[place] = held && more && held.plus(more.times(new Fraction(weight, whole)));
      }
  }
  if (!weightBeyond) return Pmf.of(found, flag);
  const limit = sure ? end : null;
  if (limit !== null) {
    for (const [value, weight] of found) if (compare(value, limit) >= 0) weightBeyond += weight;
    found = filterWeights(found, (value) => compare(value, limit) < 0);
  }
  const [first, second] = moments;
  return new Pmf(found, whole * shared, { weight: weightBeyond, least: limit, first, second }, flag);
}

// --- dice that roll again

/**
 * The total gain of a die that is rolled again while `again` says so of its face, without end. Throws RuleFailure where
 * it would never end.
 * @param {Pmf} die
 * @param {(face: Value) => boolean} again
 * @param {(face: Value) => Value} gain
 * @param {Pmf | null} [later] what all dice after the first gain together, if they gain otherwise (penetrating dice)
 * @param {number} [reach] how far from the least value the list must go at least
 * @param {bigint} [rare] it goes on until less than one part of this is left
 * @returns {Pmf}
 */
export function endlessTotal(die, again, gain, later = null, reach = 0, rare = MAX_TAIL_DIVISOR) {
  if (die.tail) refuse("dice that explode cannot explode again", "write one of them");
  /** @type {Weights} */
  const ends = new Map();
  /** @type {Weights} */
  const goes = new Map();
  for (const [face, weight] of die.weights) addWeight(again(face) ? goes : ends, plain(gain(face)), weight);
  if (!goes.size) return die.mapped(gain);
  if (!ends.size) refuse(ENDLESS, "leave out a face");
  if (later)
    return mixture([
      [sumOf(ends.values()), Pmf.of(ends)],
      [sumOf(goes.values()), add(Pmf.of(goes), later)],
    ]);
  if ([...goes.keys()].some((value) => compare(value, 0) < 0) || !isIntegral(ends) || !isIntegral(goes))
    refuse("only dice that explode on faces of 0 and more, in whole numbers, are read");
  const stay = goes.get(0) ?? 0n;
  goes.delete(0);
  const scale = die.total - stay; // (T - stay) w(v) = a(v) + sum of b(e) w(v - e)
  if (!goes.size) return Pmf.of(ends);
  // Chances are whole numbers over powers of the scale: the power of each, and the weight left to what is not listed.
  /** @type {Map<number, {weight: bigint, power: number}>} */
  const listed = new Map();
  const powers = [1n];
  const raised = (/** @type {number} */ exponent) => {
    while (powers.length <= exponent) powers.push(/** @type {bigint} */ (powers.at(-1)) * scale);
    return powers[exponent];
  };
  const low = Number(least([0, ...ends.keys()]));
  const longest = Math.min(MOST_LISTED, Math.floor(MOST_TERMS / goes.size));
  let [value, left, highest] = [low, 1n, 0];
  for (; value - low <= reach || (left * rare > raised(highest) && value - low < longest); value++) {
    const before = [...goes].flatMap(([face, ways]) => {
      const known = listed.get(value - Number(face));
      return known ? [{ ...known, ways }] : [];
    });
    const power = Math.max(0, ...before.map((each) => each.power)) + 1;
    let weight = (ends.get(value) ?? 0n) * raised(power - 1);
    for (const each of before) weight += each.weight * each.ways * raised(power - 1 - each.power);
    if (!weight) continue;
    listed.set(value, { weight, power });
    if (power > highest) [left, highest] = [left * raised(power - highest), power];
    left -= weight * raised(highest - power);
  }
  const ending = new Fraction(scale - sumOf(goes.values()), scale);
  const more = moment(goes, 1, scale);
  const one = moment(ends, 1, scale).plus(more).over(ending);
  const squares = moment(ends, 2, scale).plus(moment(goes, 2, scale));
  const two = squares.plus(one.times(more).times(2)).over(ending);
  const shared = [...listed.values()].reduce(
    (all, { weight, power }) => (all === 1n ? all : gcd(weight * raised(highest - power), all)),
    gcd(left, raised(highest)),
  );
  const weights = [...listed].map(
    ([v, { weight, power }]) => /** @type {[Value, bigint]} */ ([v, (weight * raised(highest - power)) / shared]),
  );
  return new Pmf(new Map(weights), raised(highest) / shared, {
    weight: left / shared,
    least: value,
    first: Enclosure.of(one),
    second: Enclosure.of(two),
    longer: (distance, part) => endlessTotal(die, again, gain, null, Math.min(distance, MOST_VALUES), part),
  });
}

export const ENDLESS = "these dice are rolled again after every face, so they never end";

/** Whether all values are whole. @param {Weights} weights */
const isIntegral = (weights) => [...weights.keys()].every((value) => typeof value === "number");

/** The standard deviation, enclosed; null where it is not known. @param {Pmf} each */
export function standardDeviation(each) {
  const [one, two] = [each.moment(1), each.moment(2)];
  if (!one || !two) return null;
  const { lower, upper } = two.minus(one.times(one));
  const [low, high] = [lower, upper].map((end) => squareRoot(end.top < 0n ? new Fraction(0n) : end));
  return new Enclosure(low.lower, high.upper);
}

/** The absolute value. @param {Value} value @returns {Value} */
export const magnitude = (value) =>
  typeof value === "number" ? Math.abs(value) : plain(new Fraction(absolute(value.top), value.bottom));
