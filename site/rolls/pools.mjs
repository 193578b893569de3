// @ts-check
/** Pools of dice, and functions of them that do not depend on the order of the dice. They are computed face by face, as
 * explained in `oddsmith/rolls/pools.py`, which this follows. */

import {
  compareValues,
  differenceOfValues,
  Enclosure,
  Fraction,
  largestValue,
  leastCommonMultiple,
  leastValue,
  canonicalValue,
  productOfValues,
  sumOfValues,
  sumOfIntegers,
} from "./numbers.mjs";
import {
  sumOfVariables,
  bitsPerWeight,
  totalOfEndlessDie,
  filterWeights,
  countText,
  ENDLESS,
  addWeight,
  mixtureOfVariables,
  openTail,
  Pmf,
  refuseDice,
  iidSum,
  unpackWeights,
  RARE,
} from "./pmf.mjs";

/** @typedef {import("./numbers.mjs").Value} Value */
/** @typedef {import("./pmf.mjs").Weights} Weights */
/** @typedef {readonly [count: number, die: Pmf]} Group like dice */
/**
 * @typedef {((face: Value) => Value) & {beyond?: (least: Value) => Value | null}} Gain what a face gains; and, where it
 * is told, what every face from a value on gains, or null where they differ
 */
/** @typedef {(face: Value) => boolean} Test */
/** @typedef {[Fraction, Group[]]} Case the chance of some dice */

const MOST_HANDS = 300_000;
const MAX_DICE_LISTED_WHOLE = 2; // dice of which all that is rare is listed
const MOST_STEPS = 1_000_000;
const EXPLOSIONS = 1n << 60n; // a pool with so rare a number of further dice is left to the tail
const EXPLODING = "dice that explode without end show too many different hands";

/** @type {Map<number, bigint[]>} */
const binomials = new Map();

/** A row of Pascal's triangle: the numbers of ways to choose 0, 1, 2... of some things. @param {number} count */
function binomialRow(count) {
  let row = binomials.get(count);
  if (!row) {
    row = [1n];
    for (let k = 0; k < count; k++) row.push((row[k] * BigInt(count - k)) / BigInt(k + 1));
    binomials.set(count, row);
  }
  return row;
}

/** The product of whole numbers. @param {Iterable<bigint>} numbers */
function productOf(numbers) {
  let all = 1n;
  for (const each of numbers) all *= each;
  return all;
}

/** A text that identifies a state. @param {any} state @returns {string} */
const keyOfState = (state) => (Array.isArray(state) ? `(${state.map(keyOfState).join()})` : String(state));

/** Dice of which each brings a further die when it shows a face of `again`: at most `times`, or without end. */
export class ExplodingDice {
  /** @param {Test} isExploding @param {number | null} [maxTimes] */
  constructor(isExploding, maxTimes = null) {
    this.again = isExploding;
    this.times = maxTimes;
  }
  /**
   * The dice that lie there in the end, by how many further ones came. What is left out is very rare.
   * @param {number} count
   * @param {Pmf} die
   * @returns {Case[]}
   */
  cases(count, die) {
    const [ends, goes, chance] = splitDie(die, this.again);
    if (!goes.weights.size) return [[new Fraction(1n), [[count, die]]]];
    if (!ends.weights.size && this.times === null) refuseDice(ENDLESS, "leave out a face");
    if (this.times === 1)
      return casesByCount(count, chance, (first) => [
        [count - first, ends],
        [first, goes],
        [first, die],
      ]);
    if (this.times !== null)
      refuseDice("dice that explode a limited number of times cannot be kept apart", "let them explode once");
    let [left, weight] = [new Fraction(1n), new Fraction(1n).minus(chance).power(count)];
    /** @type {Case[]} */
    const found = [];
    while (left.top * EXPLOSIONS > left.bottom) {
      const more = found.length;
      found.push([
        weight,
        [
          [count, ends],
          [more, goes],
        ],
      ]);
      left = left.minus(weight);
      weight = weight.times(chance).times(new Fraction(BigInt(count + more), BigInt(more + 1)));
    }
    return found;
  }
}

/** Dice that bring a further die for each face of `again`, at most `most` for all of them together. */
export class ExplodingWithSharedLimit {
  /** @param {Test} isExploding @param {number} maxTotal */
  constructor(isExploding, maxTotal) {
    this.again = isExploding;
    this.most = maxTotal;
  }
  /**
   * The dice that lie there in the end, by how many of them show such a face. With up to `most` of them play ends at
   * the `count`-th other face, so the last die shows that. With more of them, all dice are rolled, in any order.
   * @param {number} count
   * @param {Pmf} die
   * @returns {Case[]}
   */
  cases(count, die) {
    const [ends, goes, chance] = splitDie(die, this.again);
    const rest = new Fraction(1n).minus(chance);
    /** @type {Case[]} */
    const found = [];
    for (let shown = 0; shown <= this.most + count; shown++) {
      const size = count + Math.min(shown, this.most);
      const orders = binomialRow(shown <= this.most ? size - 1 : size)[shown] ?? 0n;
      const weight = chance
        .power(shown)
        .times(rest.power(size - shown))
        .times(new Fraction(orders));
      /** @type {Group[]} */
      const dice = [
        [size - shown, ends],
        [shown, goes],
      ];
      if (weight.top) found.push([weight, dice]);
    }
    return found;
  }
}

/** Dice of which at most `times` are rolled again, those that show a face of `again`. */
export class RerolledDice {
  /** @param {Test} isRerolled @param {number} maxTimes */
  constructor(isRerolled, maxTimes) {
    this.again = isRerolled;
    this.times = maxTimes;
  }
  /**
   * The dice that lie there in the end, by how many showed such a face.
   * @param {number} count
   * @param {Pmf} die
   * @returns {Case[]}
   */
  cases(count, die) {
    const [ends, goes, chance] = splitDie(die, this.again);
    return casesByCount(count, chance, (shown) => [
      [count - shown, ends],
      [Math.min(shown, this.times), die],
      [Math.max(shown - this.times, 0), goes],
    ]);
  }
}

/** The dice for each number of times that something with a probability happens, with the probability of that number.
 * @param {number} count
 * @param {Fraction} probability
 * @param {(happens: number) => Group[]} diceForCount
 * @returns {Case[]} */
function casesByCount(count, probability, diceForCount) {
  const { top, bottom } = probability;
  const all = binomialRow(count).map((ways, happens) => {
    const weight = ways * top ** BigInt(happens) * (bottom - top) ** BigInt(count - happens);
    return /** @type {Case} */ ([new Fraction(weight, bottom ** BigInt(count)), diceForCount(happens)]);
  });
  return all.filter(([weight]) => weight.top);
}

/** The die given that a test fails, the die given that it holds, and the probability that it holds.
 * @param {Pmf} die
 * @param {Test} test
 * @returns {[Pmf, Pmf, Fraction]} */
function splitDie(die, test) {
  if (die.tail) refuseDice("dice that explode cannot be rolled again", "write one of the two");
  const holds = filterWeights(die.weights, test);
  const rest = filterWeights(die.weights, (value) => !holds.has(value));
  return [Pmf.of(rest), Pmf.of(holds), new Fraction(sumOfIntegers(holds.values()), die.total)];
}

/**
 * Dice that lie together: groups of like dice, of which those in a window of ranks count. Ranks begin with 0 at the
 * highest die; those below 0, and the end 0, are counted from the lowest. The dice of the first group may vary.
 */
export class Pool {
  /**
   * @param {readonly Group[]} groups @param {readonly [number, number] | null} [countedRanks]
   * @param {ExplodingDice | ExplodingWithSharedLimit | RerolledDice | null} [varies]
   */
  constructor(groups, countedRanks = null, varies = null) {
    this.groups = groups;
    this.window = countedRanks;
    this.varies = varies;
  }
  /** How many dice are rolled at first. */
  get size() {
    return this.groups.reduce((all, [count]) => all + count, 0);
  }
  /** The ranks that count, from the first to before the last. @returns {[first: number, last: number]} */
  get ranks() {
    const { size, window } = this;
    if (!window) return [0, size];
    const first = window[0] < 0 ? Math.max(window[0] + size, 0) : Math.min(window[0], size);
    return [first, Math.max(window[1] <= 0 ? window[1] + size : Math.min(window[1], size), first)];
  }
  /** The number of dice that count; the least number if it grows. */
  get counted() {
    return this.ranks[1] - this.ranks[0];
  }
  /** Whether the number of dice that count depends on how many further dice the roll brings. */
  get grows() {
    const { varies, window } = this;
    return varies && !(varies instanceof RerolledDice) && (!window || window[0] >= 0 === window[1] <= 0);
  }
  /** Whether all dice count. */
  get whole() {
    return !this.window || (this.window[0] === 0 && this.window[1] === this.size && !this.varies);
  }
  /** Keep the dice from one rank to before another, of those that count. @param {number} first @param {number} last */
  keep(first, last) {
    const { groups, varies, window } = this;
    let [from, to] = [first, last];
    if (window) {
      const [start, end] = varies ? window : this.ranks;
      if (this.grows) [from, to] = [first + (first < 0 ? end : start), last + (last > 0 ? start : end)];
      else {
        [from, to] = new Pool([[this.counted, Pmf.constant(0)]], [first, last]).ranks;
        [from, to] = [start + from, start + to];
      }
    }
    return new Pool(groups, [from, to], varies);
  }
  /** The pool with a function applied to each die. @param {(die: Pmf) => Pmf} change */
  map(change) {
    return new Pool(
      this.groups.map(([count, die]) => [count, change(die)]),
      this.window,
      this.varies,
    );
  }
  /** The sum of the gains of all dice that count. @param {Gain} [gain] @returns {Pmf} */
  total(gain = canonicalValue) {
    if (this.varies) return this.varied(this.varies, gain);
    if (!this.whole) return totalOfRanks(this, gain);
    let all = Pmf.constant(0);
    for (const [count, die] of this.groups) all = sumOfVariables(all, iidSum(count, gainOfDie(die, gain)));
    return all;
  }
  /** The sum of the gains of all dice that count, for dice whose number varies.
   * @param {ExplodingDice | ExplodingWithSharedLimit | RerolledDice} varies @param {Gain} gain */
  varied(varies, gain) {
    if (!this.window && varies instanceof ExplodingDice) {
      const [[count, die], ...others] = this.groups;
      return sumOfVariables(iidSum(count, sumOfExplodingDie(varies, die, gain)), new Pool(others).total(gain));
    }
    const found = this.groups.flatMap(([, each]) => [...each.weights.keys()].map(gain));
    const number = this.counted;
    return mixtureOfCases(
      this.cases().map(([weight, pool]) => [weight, pool.total(gain)]),
      this.grows ? null : [productOfValues(number, leastValue(found)), productOfValues(number, largestValue(found))],
    );
  }
  /** The pool with the dice that lie there in the end, with the chance of each case. @returns {[Fraction, Pool][]} */
  cases() {
    const [[count, die], ...others] = this.groups;
    const cases = this.varies?.cases(count, die) ?? [];
    return cases.map(([weight, groups]) => {
      const kept = [...groups, ...others].filter(([number]) => number);
      return [weight, new Pool(kept, this.window)];
    });
  }
  /** Fold the dice that count, face by face from the highest. A state is a list, a text or a number.
   * @param {any} start @param {(state: any, face: Value, count: number) => any} step @param {(state: any) => Value} end
   * @returns {Pmf} */
  fold(start, step, end) {
    if (!this.varies) return foldFixedPool(this, start, step, end);
    return mixtureOfCases(this.cases().map(([weight, pool]) => [weight, pool.fold(start, step, end)]));
  }
  /** Every hand that the dice can show, highest face first, with its weight. Throws RuleFailure if there are too many.
   * @returns {[Value[], bigint][]} */
  hands() {
    if (this.varies) refuseDice(EXPLODING, "ask for their total");
    const many = productOf(
      this.groups.map(([count, { weights }]) => binomialRow(count + weights.size - 1)[count] ?? 0n),
    );
    if (many > MOST_HANDS)
      refuseDice(
        `these dice can show ${countText(many)} different hands, over ${countText(MOST_HANDS)}`,
        "roll fewer dice",
      );
    if (this.groups.some(([, die]) => die.tail)) refuseDice(EXPLODING, "ask for their total");
    /** @type {[Value[], bigint][]} */
    let parts = [[[], 1n]];
    for (const [count, die] of this.groups) {
      const more = weightedHandsOfDice(count, die);
      parts = parts.flatMap(([faces, weight]) =>
        more.map(([also, ways]) => /** @type {[Value[], bigint]} */ ([[...faces, ...also], weight * ways])),
      );
    }
    /** @type {Map<string, [Value[], bigint]>} */
    const found = new Map();
    for (const [faces, weight] of parts) {
      const hand = faces.sort((a, b) => compareValues(b, a)).slice(...this.ranks);
      const known = found.get(keyOfState(hand));
      if (known) known[1] += weight;
      else found.set(keyOfState(hand), [hand, weight]);
    }
    return [...found.values()];
  }
}

/** The distribution of the gain of one die. @param {Pmf} die @param {Gain} gain */
function gainOfDie(die, gain) {
  if (gain === canonicalValue) return die;
  const found = die.mapped(gain);
  const { tail } = die;
  const same = tail && tail.least !== null ? gain.beyond?.(tail.least) : null;
  if (!tail || (same ?? null) === null) return found;
  const weights = new Map(found.weights);
  addWeight(weights, /** @type {Value} */ (same), tail.weight);
  return Pmf.of(weights);
}

/** The hands of like dice, with their weights. @param {number} count @param {Pmf} die @returns {[Value[], bigint][]} */
function weightedHandsOfDice(count, die) {
  /** @type {[Value[], bigint][]} */
  const found = [];
  const lay = (
    /** @type {number} */ from,
    /** @type {number} */ left,
    /** @type {Value[]} */ faces,
    /** @type {bigint} */ ways,
  ) => {
    if (!left) found.push([faces, ways]);
    else if (from < die.values.length)
      for (let shown = left; shown >= 0; shown--) {
        const face = die.values[from];
        const weight = binomialRow(left)[shown] * /** @type {bigint} */ (die.weights.get(face)) ** BigInt(shown);
        lay(from + 1, left - shown, [...faces, ...Array(shown).fill(face)], ways * weight);
      }
  };
  lay(0, count, [], 1n);
  return found;
}

/** Mix variables by their probabilities. What is missing to 1 is a tail, somewhere between the bounds.
 * @param {[Fraction, Pmf][]} cases @param {[Value, Value] | null} [bounds] */
export function mixtureOfCases(cases, bounds = null) {
  const shared = cases.reduce((all, [{ bottom }]) => leastCommonMultiple(all, bottom), 1n);
  /** @type {[bigint, Pmf][]} */
  const whole = cases.map(([{ top, bottom }, each]) => [top * (shared / bottom), each]);
  const left = shared - sumOfIntegers(whole.map(([weight]) => weight));
  if (left) {
    const tail = { weight: 1n, least: null };
    const [low, high] = (bounds ?? []).map(Fraction.of);
    const most = bounds && largestValue([low.times(low), high.times(high)]);
    const moments = most && { first: new Enclosure(low, high), second: new Enclosure(new Fraction(0n), most) };
    whole.push([left, new Pmf(new Map(), 1n, { ...tail, ...moments })]);
  }
  return mixtureOfVariables(whole);
}

/** The total gain of a die that is rolled again while `again` says so, at most `most` times.
 * @param {Pmf} die @param {(face: Value) => boolean} isRolledAgain @param {number} maxTimes @param {Gain} gain */
export function totalOfLimitedRerolls(die, isRolledAgain, maxTimes, gain) {
  const goes = filterWeights(die.weights, isRolledAgain);
  const ends = filterWeights(die.weights, (value) => !isRolledAgain(value));
  const last = Pmf.of(ends).mapped(gain);
  let result = die.mapped(gain);
  for (let round = goes.size ? maxTimes : 0; round > 0; round--) {
    const [before, stop] = [result, sumOfIntegers(ends.values())];
    result = mixtureOfVariables([
      [stop, last],
      ...mapWeights(goes, ([face, weight]) => [weight, before.affine(1, gain(face))]),
    ]);
  }
  return result;
}

/** For each value of some weights, a variable with its weight. @param {Weights} weights
 * @param {(entry: [Value, bigint]) => [bigint, Pmf]} makeVariable */
const mapWeights = (weights, makeVariable) => [...weights].map(makeVariable);

/** The sum of a die and all dice that its explosions bring.
 * @param {ExplodingDice} varies
 * @param {Pmf} die
 * @param {Gain} [gain] */
export const sumOfExplodingDie = ({ again, times }, die, gain = canonicalValue) =>
  times === null ? totalOfEndlessDie(die, again, gain) : totalOfLimitedRerolls(die, again, times, gain);

// --- walks over the faces

/**
 * @typedef {{shown: number, after: number[], ways: bigint}} Step dice that show a face, those left of each group, and
 * the ways
 */

/** A walk through the faces of a pool from one end to the other. For each group it has the weight of each face and of
 * all later faces. */
class FaceTraversal {
  /** @param {Pool} pool @param {boolean} [upward] */
  constructor(pool, upward = false) {
    const dice = pool.groups.map(([, die]) => die);
    const way = upward ? 1 : -1;
    this.faces = [...new Set(dice.flatMap((die) => [...die.weights.keys()]))].sort((a, b) => way * compareValues(a, b));
    this.weights = dice.map((die) => this.faces.map((face) => die.weights.get(face) ?? 0n));
    this.rest = this.weights.map((weights) => {
      let left = sumOfIntegers(weights);
      return weights.map((weight) => (left -= weight));
    });
    this.start = pool.groups.map(([count]) => count);
  }
  /** The numbers of dice that may show a face, each with the dice left in each group and the number of ways.
   * @param {number} faceIndex @param {readonly number[]} diceLeft @returns {Step[]} */
  possibleSteps(faceIndex, diceLeft) {
    /** @type {Step[]} */
    let steps = [{ shown: 0, after: [], ways: 1n }];
    for (const [group, dice] of diceLeft.entries()) {
      const [weight, rest] = [this.weights[group][faceIndex], this.rest[group][faceIndex]];
      /** @type {[number, bigint][]} */
      let options = [[0, 1n]];
      if (!rest) options = [[dice, weight ** BigInt(dice)]];
      else if (weight) options = binomialRow(dice).map((ways, shown) => [shown, ways * weight ** BigInt(shown)]);
      steps = steps.flatMap(({ shown, after, ways }) =>
        options.map(([more, also]) => ({ shown: shown + more, after: [...after, dice - more], ways: ways * also })),
      );
    }
    return steps.filter(({ ways }) => ways);
  }
  /** The number of ways in which all dice that are left show later faces.
   * @param {number} faceIndex @param {readonly number[]} diceLeft */
  countLaterWays(faceIndex, diceLeft) {
    return productOf(diceLeft.map((dice, group) => this.rest[group][faceIndex] ** BigInt(dice)));
  }
}

/** Cap endless dice at the least value of their tails; also return that value, null if no die is endless.
 * @param {Pool} pool @returns {[Pool, Value | null]} */
function capEndlessDice(pool) {
  const ends = pool.groups.flatMap(([, { tail }]) => (tail ? [tail.least] : []));
  if (!ends.length) return [pool, null];
  const known = ends.map((end) => end ?? refuseDice("dice of which only a part is listed cannot lie in a pool"));
  const end = leastValue(known);
  const cut = (/** @type {Pmf} */ each) => {
    const weights = filterWeights(each.weights, (value) => compareValues(value, end) < 0);
    const beyond = each.total - sumOfIntegers(weights.values());
    if (beyond) weights.set(end, beyond);
    return new Pmf(weights, each.total);
  };
  return [pool.map(cut), end];
}

/** The sum over the ranks that count, by polynomials packed into whole numbers.
 * @param {Pool} pool @param {Gain} gain @returns {Pmf} */
function totalOfRanks(pool, gain) {
  if (pool.groups.some(([, die]) => die.tail)) return totalOfRanksOfEndlessDice(pool, gain);
  let [first, last] = pool.ranks;
  const { size, groups } = pool;
  const number = last - first;
  if (number <= 0) return Pmf.constant(0);
  const upward = size - last < first; // from the end from which fewer dice are passed by
  if (upward) [first, last] = [size - last, size - first];
  const walk = new FaceTraversal(pool, upward);
  const gains = walk.faces.map(gain);
  const scale = gains.reduce((all, each) => leastCommonMultiple(all, Fraction.of(each).bottom), 1n);
  const low = leastValue(gains);
  const steps = gains.map((each) =>
    Number(productOfValues(differenceOfValues(each, low), canonicalValue(new Fraction(scale)))),
  );
  const bits = bitsPerWeight(productOf(groups.map(([count, { total }]) => total ** BigInt(count))));
  const work = groups.reduce((all, [count]) => all * (count + 1), walk.faces.length) * size;
  if (Math.max(...steps) * number > 200_000 || work > MOST_STEPS)
    refuseDice("the ranks of so many dice take too long", "roll fewer dice");
  /** @type {Map<string, {left: number[], seen: number, weights: bigint}>} */
  let states = new Map([["", { left: walk.start, seen: 0, weights: 1n }]]);
  let done = 0n;
  for (const [place, step] of steps.entries()) {
    /** @type {typeof states} */
    const following = new Map();
    const moved = (/** @type {bigint} */ weights, /** @type {number} */ among) =>
      weights << BigInt(bits * step * Math.max(among, 0));
    for (const { left, seen, weights } of states.values()) {
      let closing = 0n; // the ways in which the last of the dice that count are among those that show this face
      for (const { shown, after, ways } of walk.possibleSteps(place, left)) {
        if (seen + shown >= last) {
          closing += ways * walk.countLaterWays(place, after);
          continue;
        }
        const grown = moved(weights * ways, seen + shown - Math.max(seen, first));
        const known = following.get(after.join());
        if (known) known.weights += grown;
        else following.set(after.join(), { left: after, seen: seen + shown, weights: grown });
      }
      if (closing) done += moved(weights * closing, last - Math.max(seen, first));
    }
    states = following;
  }
  /** @type {Weights} */
  const found = new Map();
  const start = productOfValues(low, number);
  for (const [value, weight] of unpackWeights(done, 0, bits))
    found.set(
      sumOfValues(scale === 1n ? value : canonicalValue(new Fraction(BigInt(Number(value)), scale)), start),
      weight,
    );
  return Pmf.of(found);
}

/** The sum over the ranks that count, of dice that explode without end; pools.py explains how it is enclosed.
 * @param {Pool} pool @param {Gain} gain */
function totalOfRanksOfEndlessDice(pool, gain) {
  if (pool.size > MAX_DICE_LISTED_WHOLE) pool = pool.map((die) => die.tail?.longer?.(0, RARE) ?? die);
  const [cut, end] = capEndlessDice(pool);
  if (end === null) return totalOfRanks(cut, gain);
  if (gain !== canonicalValue) {
    const same = gain.beyond?.(end) ?? null;
    if (same !== null) return totalOfRanks(cut, (face) => (compareValues(face, end) >= 0 ? same : gain(face)));
    const rest = cut.map(
      (die) =>
        new Pmf(
          filterWeights(die.weights, (face) => compareValues(face, end) < 0),
          die.total,
        ),
    );
    const found = totalOfRanks(new Pool(rest.groups, pool.window), gain);
    const total = productOf(pool.groups.map(([count, die]) => die.total ** BigInt(count)));
    const scale = productOf(
      rest.groups.map(([count, { weights }]) => sumOfIntegers(weights.values()) ** BigInt(count)),
    );
    const listed = new Map([...found.weights].map(([value, weight]) => [value, (weight * scale) / found.total]));
    return new Pmf(listed, total, { weight: total - sumOfIntegers(listed.values()), least: null });
  }
  const result = totalOfRanks(cut, gain);
  const number = pool.counted;
  const lowest = leastValue(cut.groups.flatMap(([, { weights }]) => [...weights.keys()]));
  const limit = sumOfValues(end, productOfValues(number - 1, lowest));
  const weights = filterWeights(result.weights, (value) => compareValues(value, limit) < 0);
  if (weights.size === result.weights.size) return result; // no die that counts can be one that is not listed
  const weight = result.total - sumOfIntegers(weights.values());
  const beyond = [1, 2].map((exponent) => {
    let all = Enclosure.of(0);
    for (const [place, [count, die]] of pool.groups.entries()) {
      const [whole, listed] = [die.moment(exponent), cut.groups[place][1].moment(exponent)];
      if (!whole || !listed) return null;
      all = all.plus(whole.minus(listed).times(count));
    }
    return all;
  });
  const [more, squares] = beyond;
  const [one, two] = [result.moment(1), result.moment(2)];
  if (!more || !squares || !one || !two) return new Pmf(weights, result.total, { weight, least: limit });
  const most = productOfValues(number, largestValue([end, productOfValues(-1, lowest)]));
  const spread = more.upper.times(2).times(most).plus(squares.upper.times(pool.size));
  return new Pmf(weights, result.total, {
    weight,
    least: limit,
    first: new Enclosure(one.lower, one.upper.plus(more.upper)),
    second: new Enclosure(two.lower, two.upper.plus(spread)),
  });
}

/** Fold a pool whose number of dice is fixed. @param {Pool} all @param {any} start
 * @param {(state: any, face: Value, count: number) => any} step
 * @param {(state: any) => Value} end */
function foldFixedPool(all, start, step, end) {
  const [pool, limit] = capEndlessDice(all);
  const walk = new FaceTraversal(pool);
  const [first, last] = pool.ranks;
  /** @type {Map<string, {left: number[], seen: number, state: any, weight: bigint}>} */
  let states = new Map([["", { left: walk.start, seen: 0, state: start, weight: 1n }]]);
  let [steps, beyond] = [0, 0n];
  for (const [place, face] of walk.faces.entries()) {
    /** @type {typeof states} */
    const following = new Map();
    for (const { left, seen, state, weight } of states.values())
      for (const { shown, after, ways } of walk.possibleSteps(place, left)) {
        steps++;
        if (limit !== null && shown && compareValues(face, limit) >= 0) {
          beyond += weight * ways * walk.countLaterWays(place, after);
          continue;
        }
        const among = Math.max(0, Math.min(seen + shown, last) - Math.max(seen, first));
        const next = step(state, face, among);
        const key = `${after} ${keyOfState(next)}`;
        const known = following.get(key);
        if (known) known.weight += weight * ways;
        else following.set(key, { left: after, seen: seen + shown, state: next, weight: weight * ways });
      }
    if (steps > MOST_STEPS) refuseDice("so many dice take too long to ask this of", "roll fewer dice");
    states = following;
  }
  /** @type {Weights} */
  const found = new Map();
  for (const { state, weight } of states.values()) addWeight(found, canonicalValue(end(state)), weight);
  return beyond ? new Pmf(found, sumOfIntegers(found.values()) + beyond, openTail(beyond)) : Pmf.of(found);
}

/** The number of dice of the first pool that beat those of the second, the highest against the highest and so on, as in
 * Risk.
 * @param {Pool} left @param {Pool} right @param {boolean} tiesCountForFirst whether equal dice count for the first */
export function countOpposedWins(left, right, tiesCountForFirst) {
  const number = Math.min(left.size, right.size);
  const groups = [...left.groups, ...right.groups];
  if (groups.some(([, die]) => die.tail)) refuseDice("dice that explode without end are not compared pair by pair");
  const walk = new FaceTraversal(new Pool(groups));
  const split = left.groups.length;
  const shown = (
    /** @type {number[]} */ dice,
    /** @type {number[]} */ after,
    /** @type {number} */ from,
    /** @type {number} */ to,
  ) => dice.slice(from, to).reduce((all, count, group) => all + count - after[from + group], 0);
  /** @type {Map<string, {dice: number[], mine: number, theirs: number, wins: number, weight: bigint}>} */
  let states = new Map([["", { dice: walk.start, mine: 0, theirs: 0, wins: 0, weight: 1n }]]);
  for (const place of walk.faces.keys()) {
    /** @type {typeof states} */
    const following = new Map();
    for (const { dice, mine, theirs, wins, weight } of states.values())
      for (const { after, ways } of walk.possibleSteps(place, dice)) {
        const my = mine + shown(dice, after, 0, split);
        const their = theirs + shown(dice, after, split, dice.length);
        const behind = tiesCountForFirst ? theirs : their; // pairs decided by the other before this face, or with it
        const more = wins + Math.max(0, Math.min(my, number) - Math.max(mine, behind));
        const state = { dice: after, mine: Math.min(my, number), theirs: Math.min(their, number), wins: more };
        const key = `${after} ${state.mine} ${state.theirs} ${more}`;
        const known = following.get(key);
        if (known) known.weight += weight * ways;
        else following.set(key, { ...state, weight: weight * ways });
      }
    states = following;
  }
  /** @type {Weights} */
  const found = new Map();
  for (const { wins, weight } of states.values()) addWeight(found, wins, weight);
  return Pmf.of(found);
}
