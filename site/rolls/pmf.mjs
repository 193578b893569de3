// @ts-check
/** Random variables as probability mass functions: values with whole weights over a total. `oddsmith/rolls/pmf.py`,
 * which this follows, says why the results are exact. */

import {
  absoluteValue,
  bitLength,
  RuleFailure,
  compareValues,
  differenceOfValues,
  Enclosure,
  Fraction,
  greatestCommonDivisor,
  largestValue,
  leastCommonMultiple,
  leastValue,
  canonicalValue,
  productOfValues,
  squareRootEnclosure,
  sumOfValues,
  sumOfIntegers,
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
export function refuseDice(message, hint = "") {
  throw new RuleFailure("OD417", message, hint);
}

/** Add a weight to that of a value.
 * @template K @param {Map<K, bigint>} weights @param {K} value @param {bigint} weight */
export function addWeight(weights, value, weight) {
  weights.set(value, (weights.get(value) ?? 0n) + weight);
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
      kept.set(canonicalValue(value), weight);
      if (shared !== 1n) shared = greatestCommonDivisor(weight, shared);
    }
    if (shared > 1n) for (const [value, weight] of kept) kept.set(value, weight / shared);
    return new Pmf(kept, sumOfIntegers(kept.values()), null, flag);
  }
  /** A constant. @param {Value} value */
  static constant(value) {
    return new Pmf(new Map([[canonicalValue(value), 1n]]), 1n);
  }
  /** The listed values, ascending. */
  get values() {
    return (this.sorted ??= [...this.weights.keys()].sort(compareValues));
  }
  /** The value of a constant; null for any other variable. @returns {Value | null} */
  get constant() {
    return this.weights.size === 1 && !this.tail ? this.values[0] : null;
  }
  /** The mean of the first or second power (raw moment); null if it is not known. @param {number} exponent */
  moment(exponent) {
    if (this.tail) return (exponent === 1 ? this.tail.first : this.tail.second) ?? null;
    if (!this.total) return null;
    return Enclosure.of(rawMoment(this.weights, exponent, this.total));
  }
  get mean() {
    return this.moment(1);
  }
  /** The probability of less than a value. @param {Value} value */
  below(value) {
    let listed = 0n;
    for (const [each, weight] of this.weights) if (compareValues(each, value) < 0) listed += weight;
    const { tail, total } = this;
    const extra = tail && (tail.least === null || compareValues(value, tail.least) > 0) ? tail.weight : 0n;
    return new Enclosure(new Fraction(listed, total), new Fraction(listed + extra, total));
  }
  /** `scale` times the variable plus `more`. @param {Value} scale @param {Value} more */
  affine(scale, more) {
    if (scale === 0) return Pmf.constant(more);
    const moved = (/** @type {Value} */ value) => sumOfValues(productOfValues(value, scale), more);
    const weights = new Map([...this.weights].map(([value, weight]) => [moved(value), weight]));
    if (!this.tail) return new Pmf(weights, this.total);
    const { weight, least, first, second } = this.tail;
    return new Pmf(weights, this.total, {
      weight,
      least: least !== null && compareValues(scale, 0) > 0 ? moved(least) : null,
      first: first?.times(scale).plus(more),
      second:
        first &&
        second
          ?.times(productOfValues(scale, scale))
          .plus(first.times(productOfValues(productOfValues(2, scale), more)))
          .plus(productOfValues(more, more)),
    });
  }
  /** The distribution of a function of the variable. Of a tail, only the weight stays known.
   * @param {(value: Value) => Value} change @param {boolean} [flag] */
  mapped(change, flag = false) {
    /** @type {Weights} */
    const found = new Map();
    for (const [value, weight] of this.weights) addWeight(found, canonicalValue(change(value)), weight);
    return new Pmf(found, this.total, openTail(this.tail?.weight), flag);
  }
}

/** The variable as a number, or as the answer to a question (1 for yes). @param {Pmf} each @param {boolean} [flag] */
export const withAnswerFlag = ({ weights, total, tail }, flag = true) => new Pmf(weights, total, tail, flag);

/** A tail whose values may be anywhere; null without weight. @param {bigint} [weight] @returns {Tail | null} */
export const openTail = (weight) => (weight ? { weight, least: null } : null);

/** The weighted sum of powers of values, over a total.
 * @param {Weights} weights @param {number} exponent @param {bigint} denominator */
function rawMoment(weights, exponent, denominator) {
  const power = BigInt(exponent);
  let [whole, rest] = [0n, new Fraction(0n)];
  for (const [value, weight] of weights)
    if (typeof value === "number") whole += BigInt(value) ** power * weight;
    else rest = rest.plus(value.power(exponent).times(weight));
  return rest.plus(whole).over(denominator);
}

/** A die whose faces are equally likely; a face may stand several times. @param {Iterable<Value>} values */
export function uniformDie(values) {
  /** @type {Weights} */
  const weights = new Map();
  for (const value of values) addWeight(weights, canonicalValue(value), 1n);
  return Pmf.of(weights);
}

/** The answer to a question: 1 with some weight, else 0; some weight may be left open.
 * @param {bigint} yesWeight @param {bigint} total @param {bigint} [openWeight] */
export function yesOrNoVariable(yesWeight, total, openWeight = 0n) {
  /** @type {[Value, bigint][]} */
  const cases = [
    [0, total - yesWeight - openWeight],
    [1, yesWeight],
  ];
  return new Pmf(new Map(cases.filter((each) => each[1])), total, openTail(openWeight), true);
}

// --- sums

/** The sum of two independent variables. @param {Pmf} left @param {Pmf} right @returns {Pmf} */
export function sumOfVariables(left, right) {
  if (right.constant !== null) return left.affine(1, right.constant);
  if (left.constant !== null) return right.affine(1, left.constant);
  const total = left.total * right.total;
  let weights = convolveWeights(left.weights, right.weights);
  if (!left.tail && !right.tail) return new Pmf(weights, total);
  /** @type {Value | null} */
  let end = null;
  let sure = true;
  for (const [{ tail }, other] of pairsInBothOrders(left, right)) {
    if (!tail) continue;
    if (tail.least === null || !other.values.length) {
      sure = false;
    } else {
      const here = sumOfValues(tail.least, other.values[0]);
      if (end === null || compareValues(here, end) < 0) end = here;
    }
  }
  const limit = sure ? end : null;
  if (limit !== null) weights = filterWeights(weights, (value) => compareValues(value, limit) < 0);
  const [one, two, oneSquare, twoSquare] = [left.mean, right.mean, left.moment(2), right.moment(2)];
  return new Pmf(weights, total, {
    weight: total - sumOfIntegers(weights.values()),
    least: limit,
    first: one && two && one.plus(two),
    second: one && two && oneSquare && twoSquare && oneSquare.plus(twoSquare).plus(one.times(two).times(2)),
  });
}

/** Two variables as a pair, and as a pair in the other order. @param {Pmf} left @param {Pmf} right @returns {[Pmf,
 * Pmf][]} */
const pairsInBothOrders = (left, right) => [
  [left, right],
  [right, left],
];

/** The number of bits of one packed weight, in whole bytes, if all weights sum to a total. @param {bigint} total */
export const bitsPerWeight = (total) => Math.ceil((bitLength(total) + 1) / 8) * 8;

/** Convolve two weightings: the weight of each sum. @param {Weights} left @param {Weights} right @returns {Weights} */
export function convolveWeights(left, right) {
  if (left.size * right.size > 400 && areWeightsDense(left) && areWeightsDense(right)) {
    const bits = bitsPerWeight(sumOfIntegers(left.values()) * sumOfIntegers(right.values()));
    refuseTooManyBits(bits * (valueSpan(left) + valueSpan(right)));
    const [one, two] = [leastValue(left.keys()), leastValue(right.keys())];
    return unpackWeights(packWeights(left, one, bits) * packWeights(right, two, bits), sumOfValues(one, two), bits);
  }
  refuseTooManyPairs(left.size * right.size);
  /** @type {Weights} */
  const found = new Map();
  for (const [x, v] of left) for (const [y, w] of right) addWeight(found, sumOfValues(x, y), v * w);
  return found;
}

/** Throw RuleFailure if too many pairs of values would be combined one by one. @param {number} count */
export function refuseTooManyPairs(count) {
  if (count > MOST_PAIRS)
    refuseDice(
      `${countText(count)} pairs of values would be compared, over ${countText(MOST_PAIRS)}`,
      "roll fewer dice",
    );
}

/** Whether the values are whole and close enough together to be packed. @param {Weights} weights */
function areWeightsDense(weights) {
  const values = [...weights.keys()];
  if (!values.every((value) => typeof value === "number")) return false;
  return valueSpan(weights) <= DENSE * values.length + 64;
}

/** The distance from the least to the largest value. @param {Weights} weights */
const valueSpan = (weights) => Number(largestValue(weights.keys())) - Number(leastValue(weights.keys()));

/** Throw RuleFailure if packed weights would be too long. @param {number} bitCount */
function refuseTooManyBits(bitCount) {
  if (bitCount > MOST_BITS) refuseDice("the exact chances of so many dice are too long", "roll fewer dice");
}

/** Pack weights into one whole number, with some bits for each value from the least on (Kronecker's substitution).
 * @param {Weights} weights @param {Value} leastValue @param {number} bitsPerValue */
export function packWeights(weights, leastValue, bitsPerValue) {
  const size = bitsPerValue / 4;
  const places = Array(Number(largestValue(weights.keys())) - Number(leastValue) + 1).fill("0".repeat(size));
  for (const [value, weight] of weights)
    places[places.length - 1 - (Number(value) - Number(leastValue))] = weight.toString(16).padStart(size, "0");
  return BigInt(`0x${places.join("")}`);
}

/** Unpack weights that were packed with the same `least` and `bits`.
 * @param {bigint} packed @param {Value} leastValue @param {number} bitsPerValue @returns {Weights} */
export function unpackWeights(packed, leastValue, bitsPerValue) {
  const [text, size] = [packed.toString(16), bitsPerValue / 4];
  /** @type {Weights} */
  const found = new Map();
  for (let end = text.length, value = Number(leastValue); end > 0; end -= size, value++) {
    const weight = BigInt(`0x${text.slice(Math.max(end - size, 0), end)}`);
    if (weight) found.set(value, weight);
  }
  return found;
}

/** The number of ways in which dice with faces from 0 to `sides` - 1 give each total.
 * @param {number} count @param {number} sides */
function waysToSumUniform(count, sides) {
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

/** The sum of independent variables with the same distribution. @param {number} count @param {Pmf} variable */
export function iidSum(count, variable) {
  if (!count) return Pmf.constant(0);
  if (!variable.tail) {
    const { values, weights } = variable;
    if ((values.length - 1) * count > MOST_VALUES)
      refuseDice(`the total of ${count} such dice has over ${countText(MOST_VALUES)} values`, "roll fewer dice");
    const total = variable.total ** BigInt(count);
    const [low, next] = values;
    const step = next === undefined ? 1 : differenceOfValues(next, low);
    const start = productOfValues(low, count);
    const one = weights.get(low);
    if (
      one &&
      values.every((value, i) => weights.get(value) === one && value === sumOfValues(low, productOfValues(i, step)))
    ) {
      const weight = one ** BigInt(count);
      const ways = waysToSumUniform(count, values.length);
      return new Pmf(
        new Map(ways.map((way, i) => [sumOfValues(start, productOfValues(step, i)), way * weight])),
        total,
      );
    }
    if (areWeightsDense(weights)) {
      const bits = bitsPerWeight(total);
      refuseTooManyBits(bits * valueSpan(weights) * count);
      return new Pmf(unpackWeights(packWeights(weights, low, bits) ** BigInt(count), start, bits), total);
    }
  }
  if (variable.tail?.longer && variable.mean && count > 1) {
    const apart = variable.mean.upper.minus(variable.values[0]);
    const spread = apart.top < 0n ? apart.times(-1) : apart;
    const reach = Number(spread.times(3 * count).floor());
    if (bitLength(variable.total) * reach * reach * count > MOST_BITS * variable.weights.size)
      refuseDice(`the exact chances of ${count} such dice are too long`, "roll fewer dice");
    variable = variable.tail.longer(variable.weights.size + reach, MAX_TAIL_DIVISOR);
  }
  /** @type {Pmf | null} */
  let result = null;
  for (; count; count = Math.floor(count / 2)) {
    if (count % 2) result = result ? sumOfVariables(result, variable) : variable;
    if (count > 1) variable = sumOfVariables(variable, variable);
  }
  return /** @type {Pmf} */ (result);
}

// --- other functions of two variables

/** A function of two independent variables, pair by pair.
 * @param {(x: Value, y: Value) => Value} compute @param {Pmf} left @param {Pmf} right @param {boolean} [flag] */
export function combineVariables(compute, left, right, flag = false) {
  refuseTooManyPairs(left.weights.size * right.weights.size);
  /** @type {Weights} */
  const found = new Map();
  for (const [x, v] of left.weights)
    for (const [y, w] of right.weights) addWeight(found, canonicalValue(compute(x, y)), v * w);
  const total = left.total * right.total;
  return new Pmf(found, total, openTail(total - sumOfIntegers(found.values())), flag);
}

/** Whether a comparison of two independent variables holds: 1 for yes.
 * @param {string} sign @param {Pmf} left @param {Pmf} right @returns {Pmf} */
export function comparisonHolds(sign, left, right) {
  if (sign === ">") return comparisonHolds("<", right, left);
  if (sign === "<=") return negatedAnswer(comparisonHolds("<", right, left));
  if (sign === ">=") return negatedAnswer(comparisonHolds("<", left, right));
  if (sign === "!=") return negatedAnswer(comparisonHolds("==", left, right));
  const total = left.total * right.total;
  const both = (left.tail?.weight ?? 0n) * (right.tail?.weight ?? 0n);
  if (sign === "==") {
    let [equal, unknown] = [0n, both];
    for (const [value, weight] of left.weights) equal += weight * (right.weights.get(value) ?? 0n);
    for (const [{ tail }, other] of pairsInBothOrders(left, right))
      for (const [value, weight] of tail ? other.weights : [])
        if (tail && (tail.least === null || compareValues(value, tail.least) >= 0)) unknown += tail.weight * weight;
    return yesOrNoVariable(equal, total, unknown);
  }
  let [less, held, place, unknown] = [0n, 0n, 0, both]; // held: the weight of the left values below the right one
  for (const value of right.values) {
    for (; place < left.values.length && compareValues(left.values[place], value) < 0; place++)
      held += left.weights.get(left.values[place]) ?? 0n;
    less += held * (right.weights.get(value) ?? 0n);
  }
  for (const [{ tail }, other] of pairsInBothOrders(left, right))
    for (const [value, weight] of tail ? other.weights : []) {
      if (!tail) continue;
      const below = other === left;
      const apart = tail.least === null ? 1 : compareValues(value, tail.least);
      if (apart > 0 || (below && apart === 0)) unknown += tail.weight * weight;
      else if (below) less += tail.weight * weight; // all of the tail lies above the value
    }
  return yesOrNoVariable(less, total, unknown);
}

/** The answer to a question with yes and no exchanged. @param {Pmf} question */
export function negatedAnswer({ weights, total, tail }) {
  return new Pmf(
    new Map([...weights].map(([value, weight]) => [differenceOfValues(1, value), weight])),
    total,
    tail,
    true,
  );
}

/** The mixture of some variables with whole weights. @param {Iterable<[bigint, Pmf]>} cases @param {boolean} [flag] */
export function mixtureOfVariables(cases, flag = false) {
  const kept = [...cases].filter(([weight]) => weight);
  if (kept.length === 1) {
    const each = kept[0][1];
    return new Pmf(each.weights, each.total, each.tail, flag || each.flag);
  }
  const whole = sumOfIntegers(kept.map(([weight]) => weight));
  const shared = kept.reduce((all, [, each]) => leastCommonMultiple(all, each.total), 1n);
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
      else if (end === null || compareValues(each.tail.least, end) < 0) end = each.tail.least;
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
    for (const [value, weight] of found) if (compareValues(value, limit) >= 0) weightBeyond += weight;
    found = filterWeights(found, (value) => compareValues(value, limit) < 0);
  }
  const [first, second] = moments;
  return new Pmf(found, whole * shared, { weight: weightBeyond, least: limit, first, second }, flag);
}

// --- dice that roll again

/**
 * The total gain of a die that is rolled again while `again` says so of its face, without end. Throws RuleFailure where
 * it would never end.
 * @param {Pmf} die
 * @param {(face: Value) => boolean} isRolledAgain
 * @param {(face: Value) => Value} gainOfFace
 * @param {Pmf | null} [gainOfLaterDice] what all dice after the first gain together, if they gain otherwise
 * (penetrating dice)
 * @param {number} [minimumReach] how far from the least value the list must go at least
 * @param {bigint} [maxTailDivisor] it goes on until less than one part of this is left
 * @returns {Pmf}
 */
export function totalOfEndlessDie(
  die,
  isRolledAgain,
  gainOfFace,
  gainOfLaterDice = null,
  minimumReach = 0,
  maxTailDivisor = MAX_TAIL_DIVISOR,
) {
  if (die.tail) refuseDice("dice that explode cannot explode again", "write one of them");
  /** @type {Weights} */
  const ends = new Map();
  /** @type {Weights} */
  const goes = new Map();
  for (const [face, weight] of die.weights)
    addWeight(isRolledAgain(face) ? goes : ends, canonicalValue(gainOfFace(face)), weight);
  if (!goes.size) return die.mapped(gainOfFace);
  if (!ends.size) refuseDice(ENDLESS, "leave out a face");
  if (gainOfLaterDice)
    return mixtureOfVariables([
      [sumOfIntegers(ends.values()), Pmf.of(ends)],
      [sumOfIntegers(goes.values()), sumOfVariables(Pmf.of(goes), gainOfLaterDice)],
    ]);
  if ([...goes.keys()].some((value) => compareValues(value, 0) < 0) || !isIntegral(ends) || !isIntegral(goes))
    refuseDice("only dice that explode on faces of 0 and more, in whole numbers, are read");
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
  const low = Number(leastValue([0, ...ends.keys()]));
  const longest = Math.min(MOST_LISTED, Math.floor(MOST_TERMS / goes.size));
  let [value, left, highest] = [low, 1n, 0];
  for (; value - low <= minimumReach || (left * maxTailDivisor > raised(highest) && value - low < longest); value++) {
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
  const ending = new Fraction(scale - sumOfIntegers(goes.values()), scale);
  const more = rawMoment(goes, 1, scale);
  const one = rawMoment(ends, 1, scale).plus(more).over(ending);
  const squares = rawMoment(ends, 2, scale).plus(rawMoment(goes, 2, scale));
  const two = squares.plus(one.times(more).times(2)).over(ending);
  const shared = [...listed.values()].reduce(
    (all, { weight, power }) => (all === 1n ? all : greatestCommonDivisor(weight * raised(highest - power), all)),
    greatestCommonDivisor(left, raised(highest)),
  );
  const weights = [...listed].map(
    ([v, { weight, power }]) => /** @type {[Value, bigint]} */ ([v, (weight * raised(highest - power)) / shared]),
  );
  return new Pmf(new Map(weights), raised(highest) / shared, {
    weight: left / shared,
    least: value,
    first: Enclosure.of(one),
    second: Enclosure.of(two),
    longer: (distance, part) =>
      totalOfEndlessDie(die, isRolledAgain, gainOfFace, null, Math.min(distance, MOST_VALUES), part),
  });
}

export const ENDLESS = "these dice are rolled again after every face, so they never end";

/** Whether all values are whole. @param {Weights} weights */
const isIntegral = (weights) => [...weights.keys()].every((value) => typeof value === "number");

/** The standard deviation, enclosed; null where it is not known. @param {Pmf} variable */
export function standardDeviation(variable) {
  const [one, two] = [variable.moment(1), variable.moment(2)];
  if (!one || !two) return null;
  const { lower, upper } = two.minus(one.times(one));
  const [low, high] = [lower, upper].map((end) => squareRootEnclosure(end.top < 0n ? new Fraction(0n) : end));
  return new Enclosure(low.lower, high.upper);
}

/** The absolute value. @param {Value} value @returns {Value} */
export const absoluteOfValue = (value) =>
  typeof value === "number" ? Math.abs(value) : canonicalValue(new Fraction(absoluteValue(value.top), value.bottom));
