// @ts-check
/**
 * What AnyDice's operations and built-in functions make of numbers, sequences and collections of dice, as
 * `oddsmith/rolls/anydice_values.py` has it.
 */

import {
  absoluteValue,
  bitLength,
  compareValues,
  differenceOfValues,
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
  combineVariables,
  comparisonHolds,
  countText,
  addWeight,
  Pmf,
  refuseDice,
  iidSum,
  uniformDie,
  yesOrNoVariable,
} from "./pmf.mjs";
import { Pool, totalOfLimitedRerolls } from "./pools.mjs";

/** @typedef {import("./numbers.mjs").Value} Number_ a whole number */
/** @typedef {Number_ | Number_[] | Dice} Value a number, a sequence or dice */
/** @typedef {[Value, bigint][]} Cases */

const MOST_FACES = 200_000;
const MOST_BITS = 20_000; // of one number
const MOST_PRECISE = 100_000; // bits of the weight of all cases together
const MOST_MEMORY = 50_000_000; // bits of all weights of one result
const MOST_CASES = 300_000; // in which a function is called
const MOST_VALUES = 60_000;
const MOST_REMEMBERED = 4096;

/** A collection of identical dice. `count`: the number of dice; `die`: the distribution of one die. */
export class Dice {
  static made = 0;
  /** @param {Number_} count @param {Pmf} die */
  constructor(count, die) {
    this.count = count;
    this.die = die;
    this.number = Dice.made++;
    /** @type {Pmf | undefined} */
    this.summed = undefined;
    /** @type {string | undefined} */
    this.name = undefined;
  }
  /** Whether they have no face. */
  get empty() {
    return !this.die.weights.size;
  }
  /** Their sum. */
  get sum() {
    return (this.summed ??= this.total());
  }
  total() {
    if (this.count === 1 || this.empty) return this.die;
    const many = Number(this.count);
    refuseTooManyDigits(many < MOST_PRECISE ? bitLength(this.die.total ** BigInt(many)) : MOST_PRECISE + 1, many);
    return iidSum(many, this.die);
  }
  /** A text that is the same for equal dice only. */
  get key() {
    const { die } = this;
    return (this.name ??= `${this.count}d${die.values.map((value) => `${value}:${die.weights.get(value)}`).join()}`);
  }
}

const NOTHING = new Pmf(new Map(), 0n);
export const EMPTY = new Dice(0, NOTHING);
const EMPTY_ROLL = new Dice(1, NOTHING); // a rolled number of empty dice is one die
const ZERO = Pmf.constant(0);

/** @param {Value} value @returns {value is Number_} */
export const isNumber = (value) => !Array.isArray(value) && !(value instanceof Dice);

/** A text that is the same for equal values only. @param {Value} value */
export const keyOfValue = (value) =>
  value instanceof Dice ? value.key : Array.isArray(value) ? `{${value.join()}}` : String(value);

/** A whole number. @param {bigint} value */
export const wholeNumber = (value) => canonicalValue(new Fraction(value));

/** @param {Number_} value */
export const toBigInt = (value) => (typeof value === "number" ? BigInt(value) : value.top);

/** @param {Number_[]} values */
const sumOfNumbers = (values) => values.reduce((all, value) => sumOfValues(all, value), 0);

/** @param {boolean} answer */
const booleanAsNumber = (answer) => (answer ? 1 : 0);

/** The weight of a value. @param {Pmf} die @param {Number_} value */
const weightOf = (die, value) => die.weights.get(value) ?? 0n;

/** One die with given weights; the empty die if there are no faces. @param {Pmf} weights */
export function dieOfWeights(weights) {
  if (!weights.weights.size) return EMPTY;
  const bits = bitLength(weights.total);
  refuseTooManyDigits(bits, weights.weights.size);
  return new Dice(1, bits > 64 ? Pmf.of(weights.weights, weights.flag) : weights);
}

/** @param {number} bitCount @param {number} count */
function refuseTooManyDigits(bitCount, count) {
  if (bitCount > MOST_PRECISE || bitCount * count > MOST_MEMORY)
    refuseDice("the exact chances in this step have too many digits", "take fewer dice or fewer rounds");
}

/** The distribution that `output` shows for a value: the sum of dice, or a die with the numbers of a sequence.
 * @param {Value} value */
export function outputDistribution(value) {
  if (value instanceof Dice) return value.sum;
  if (!Array.isArray(value)) return Pmf.constant(value);
  return value.length ? uniformDie(value) : NOTHING;
}

/**
 * A value as one number or one die: the sum of a sequence, or the sum of dice.
 * @param {Value} value @returns {Number_ | Dice}
 */
export function asNumberOrDie(value) {
  if (value instanceof Dice) return value.count === 1 ? value : dieOfWeights(value.sum);
  return Array.isArray(value) ? sumOfNumbers(value) : value;
}

/**
 * The numbers of a sequence, or the different ones that dice can sum to.
 * @param {Value} value @returns {Number_[]}
 */
export function numbersOf(value) {
  if (value instanceof Dice) return value.sum.values;
  return Array.isArray(value) ? value : [value];
}

/**
 * The die that shows one of several values with a probability proportional to its weight. The empty die is left out.
 * @param {Iterable<[Value, bigint]>} cases
 */
export function mixtureDie(cases) {
  /** @type {Map<Number_, bigint>} */
  const numbers = new Map();
  /** @type {Map<Dice, bigint>} */
  const others = new Map();
  for (const [value, weight] of cases) {
    const number = Array.isArray(value) ? sumOfNumbers(value) : value;
    if (!(number instanceof Dice)) addWeight(numbers, number, weight);
    else if (!number.empty) addWeight(others, number, weight);
  }
  let [many, shared] = [0, 1n];
  for (const each of others.keys()) many += each.sum.weights.size;
  if (many > 100 * MOST_VALUES) refuseDice("too many different results are put together here", "take fewer dice");
  for (const total of new Set([...others.keys()].map((each) => each.sum.total)))
    shared = leastCommonMultiple(shared, total);
  refuseTooManyDigits(bitLength(shared), 1);
  /** @type {Map<Number_, bigint>} */
  const found = new Map();
  for (const [value, weight] of numbers) found.set(value, weight * shared);
  for (const [each, weight] of others) {
    const factor = weight * (shared / each.sum.total);
    for (const [face, chance] of each.sum.weights) addWeight(found, face, chance * factor);
  }
  return dieOfWeights(new Pmf(found, sumOfIntegers(found.values())));
}

/** A value as it stands in the name of an output: numbers as they are, dice as people mostly write them. @param {Value}
 * value */
export function valueNameText(value) {
  if (isNumber(value)) return String(value);
  if (!(value instanceof Dice)) return value.length ? "{?}" : "{}";
  if (value.empty) return "d{}";
  const { values, weights } = value.die;
  const one = weights.get(values[0]);
  const usual = values.every((face, place) => face === place + 1 && weights.get(face) === one);
  return `${compareValues(value.count, 1) > 0 ? value.count : ""}d${usual ? values.length : "{?}"}`;
}

// --- operations

/** @param {Number_} left @param {Number_} right */
const divideNumbers = (left, right) => (right === 0 ? 0 : wholeNumber(toBigInt(left) / toBigInt(right)));

/** @param {Number_} base @param {Number_} exponent @returns {Number_} */
function powerOfNumbers(base, exponent) {
  if (compareValues(exponent, 0) < 0) {
    if (base === 0) refuseDice("0 has no negative power");
    if (base === 1 || base === -1) return toBigInt(exponent) % 2n ? base : 1;
    return 0;
  }
  if (BigInt(bitLength(absoluteValue(toBigInt(base)))) * toBigInt(exponent) > MOST_BITS)
    refuseDice(`this power has over ${countText(MOST_BITS)} binary digits`, "take a smaller exponent");
  return wholeNumber(toBigInt(base) ** toBigInt(exponent));
}

/** @param {Number_} left @param {Number_} right */
function multiplyNumbers(left, right) {
  if (typeof left !== "number" || typeof right !== "number")
    if (bitLength(absoluteValue(toBigInt(left))) + bitLength(absoluteValue(toBigInt(right))) > MOST_BITS)
      refuseDice(`this product has over ${countText(MOST_BITS)} binary digits`, "take smaller numbers");
  return productOfValues(left, right);
}

/** @type {Record<string, (a: Number_, b: Number_) => Number_>} */
export const NUMBERS = {
  "+": sumOfValues,
  "-": differenceOfValues,
  "*": multiplyNumbers,
  "/": divideNumbers,
  "^": powerOfNumbers,
  "=": (a, b) => booleanAsNumber(a === b),
  "!=": (a, b) => booleanAsNumber(a !== b),
  "<": (a, b) => booleanAsNumber(compareValues(a, b) < 0),
  ">": (a, b) => booleanAsNumber(compareValues(a, b) > 0),
  "<=": (a, b) => booleanAsNumber(compareValues(a, b) <= 0),
  ">=": (a, b) => booleanAsNumber(compareValues(a, b) >= 0),
  "&": (a, b) => booleanAsNumber(a !== 0 && b !== 0),
  "|": (a, b) => booleanAsNumber(a !== 0 || b !== 0),
};
const COMPARISONS = new Set(["=", "!=", "<", ">", "<=", ">="]);

/** @type {Map<string, Value>} */
const remembered = new Map();

/**
 * The result of `compute`; if it was made before with equal dice, the same result.
 * @param {string} name @param {Value[]} operands @param {() => Value} compute
 */
function memoized(name, operands, compute) {
  if (!operands.some((each) => each instanceof Dice)) return compute();
  const place = [name, ...operands.map((each) => (each instanceof Dice ? `#${each.number}` : keyOfValue(each)))].join(
    " ",
  );
  let found = remembered.get(place);
  if (found === undefined) {
    found = compute();
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(place, found);
  }
  return found;
}

/**
 * A binary operation, other than positions and dice.
 * @param {string} sign @param {Value} left @param {Value} right @returns {Value}
 */
export function applyBinaryOperation(sign, left, right) {
  if (isNumber(left) && isNumber(right)) return NUMBERS[sign](left, right);
  if (COMPARISONS.has(sign) && !(left instanceof Dice) && !(right instanceof Dice))
    return compareSequences(NUMBERS[sign], left, right);
  return memoized(sign, [left, right], () => applyOperatorToNumbers(sign, asNumberOrDie(left), asNumberOrDie(right)));
}

/** @param {string} sign @param {Number_ | Dice} left @param {Number_ | Dice} right @returns {Value} */
function applyOperatorToNumbers(sign, left, right) {
  const gone = [left, right].map((each) => each instanceof Dice && each.empty);
  if (gone[0] || gone[1]) {
    if ((gone[0] && gone[1]) || !["+", "-", "|"].includes(sign)) return EMPTY;
    [left, right] = [gone[0] ? 0 : left, gone[1] ? 0 : right];
  }
  if (!(left instanceof Dice) && !(right instanceof Dice)) return NUMBERS[sign](left, right);
  return dieOfWeights(combineDice(sign, outputDistribution(left), outputDistribution(right)));
}

/**
 * Compare two sequences number by number from the left. A number is compared with each number of a sequence, and the
 * result is how often the test holds.
 * @param {(a: Number_, b: Number_) => Number_} test
 * @param {Number_ | Number_[]} left
 * @param {Number_ | Number_[]} right
 */
function compareSequences(test, left, right) {
  if (!Array.isArray(left)) return sumOfNumbers(numbersOf(right).map((each) => test(left, each)));
  if (!Array.isArray(right)) return sumOfNumbers(left.map((each) => test(each, right)));
  for (let place = 0; place < left.length && place < right.length; place++) {
    const apart = compareValues(left[place], right[place]);
    if (apart) return test(apart, 0);
  }
  return test(left.length - right.length, 0);
}

/** The distance from the least to the largest value. @param {Pmf} die */
const valueSpread = ({ values }) => toBigInt(values[values.length - 1]) - toBigInt(values[0]);

/** @param {string} sign @param {Pmf} left @param {Pmf} right */
function combineDice(sign, left, right) {
  if (sign === "+" || sign === "-") {
    if (
      Math.min(Number(valueSpread(left) + valueSpread(right)), left.weights.size * right.weights.size) >
      4 * MOST_VALUES
    )
      refuseDice("this sum has too many values", "take fewer dice");
    return sumOfVariables(left, sign === "+" ? right : right.affine(-1, 0));
  }
  if (COMPARISONS.has(sign)) return comparisonHolds(sign === "=" ? "==" : sign, left, right);
  const boolean = sign === "&" || sign === "|";
  if (boolean) [left, right] = [left, right].map((each) => each.mapped((value) => booleanAsNumber(value !== 0)));
  const { constant: only } = right;
  if (only === null) return combineVariables(NUMBERS[sign], left, right, boolean);
  return sign === "*" ? left.affine(only, 0) : left.mapped((value) => NUMBERS[sign](value, only));
}

/** Apply a sign that stands before a value. @param {string} sign @param {Value} value @returns {Value} */
export function applyUnaryOperation(sign, value) {
  if (sign === "+") return value;
  if (sign === "#") return countDigits(value);
  return memoized(`unary ${sign}`, [value], () => computeUnaryOperation(sign, value));
}

/** @param {string} sign @param {Value} value @returns {Value} */
function computeUnaryOperation(sign, value) {
  if (sign === "d") {
    if (value instanceof Dice) return value;
    return Array.isArray(value) && !value.length ? EMPTY : new Dice(1, dieWithFaces(value));
  }
  if (sign === "-") {
    if (value instanceof Dice) return value.empty ? value : new Dice(value.count, value.die.affine(-1, 0));
    return differenceOfValues(0, Array.isArray(value) ? sumOfNumbers(value) : value);
  }
  const number = asNumberOrDie(value);
  if (!(number instanceof Dice)) return booleanAsNumber(number === 0);
  return number.empty ? number : dieOfWeights(number.die.mapped((face) => booleanAsNumber(face === 0), true));
}

/** @param {Value} value */
function countDigits(value) {
  if (isNumber(value)) return String(absoluteValue(toBigInt(value))).length;
  return value instanceof Dice ? value.count : value.length;
}

/**
 * A die with the faces from 1 to a number, with those of a sequence, or with the sums of dice.
 * @param {Value} faces
 */
export function dieWithFaces(faces) {
  if (!isNumber(faces)) return outputDistribution(faces);
  if (faces === 0) return ZERO;
  if (absoluteValue(toBigInt(faces)) > MOST_FACES)
    refuseDice(`this die has over ${countText(MOST_FACES)} faces`, "take fewer faces");
  const size = Math.abs(Number(faces));
  const first = compareValues(faces, 0) > 0 ? 1 : -size;
  return uniformDie(Array.from({ length: size }, (_, place) => first + place));
}

/**
 * Dice with these faces. If the number of dice is itself rolled, the result is one die that shows the sum.
 * @param {Value} count @param {Value} faces
 */
export const rollDice = (count, faces) =>
  memoized("d", [count, faces], () => diceWithFixedNumber(asNumberOrDie(count), faces));

/** @param {Number_ | Dice} count @param {Value} faces @returns {Value} */
function diceWithFixedNumber(count, faces) {
  if (!(count instanceof Dice))
    return count === 1 && faces instanceof Dice ? faces : equalDice(count, dieWithFaces(faces));
  const die = dieWithFaces(faces);
  if (count.empty || !die.weights.size) return EMPTY_ROLL;
  const counts = count.die.values;
  let many = 0n;
  for (const each of counts) many += absoluteValue(toBigInt(each));
  if ((valueSpread(die) + 1n) * many > 100 * MOST_VALUES)
    refuseDice("so many dice, whose number is rolled, take too long", "roll fewer dice");
  return mixtureDie(counts.map((each) => [equalDice(each, die), weightOf(count.die, each)]));
}

/** A number of equal dice. A number below 0 gives dice whose faces are subtracted. @param {Number_} count @param {Pmf}
 * die */
function equalDice(count, die) {
  if (!die.weights.size) return EMPTY;
  if (count === 0) return new Dice(1, ZERO);
  return compareValues(count, 0) > 0 ? new Dice(count, die) : new Dice(differenceOfValues(0, count), die.affine(-1, 0));
}

/** Dice as a pool, whose faces can be folded. @param {Dice} dice */
const poolOf = (dice) => new Pool([[Number(dice.count), dice.die]]);

// --- positions

/** The number at a place, or the sum of those at several; 0 beyond the ends.
 * @param {Value} positions @param {Value} value @param {boolean} highestFirst @returns {Value} */
export function numberAtPositions(positions, value, highestFirst) {
  if (positions instanceof Dice)
    refuseDice("a position is a number or a sequence, not dice", "let a function take it as X:n");
  const wanted = numbersOf(positions);
  if (value instanceof Dice) return value.empty ? value : sumAtPositions(wanted, value, highestFirst);
  let [row, sign] = [/** @type {Number_[]} */ (value), 1];
  if (isNumber(value)) {
    if (compareValues(value, 0) < 0) sign = -1;
    row = [...String(absoluteValue(toBigInt(value)))].map(Number);
    if (!highestFirst) row.reverse();
  }
  return productOfValues(sign, sumOfNumbers(wanted.map((place) => row[Number(place) - 1] ?? 0)));
}

/**
 * The sum of the dice at some places in order.
 * @param {Number_[]} positions @param {Dice} dice @param {boolean} [highestFirst]
 */
function sumAtPositions(positions, dice, highestFirst = true) {
  /** @type {Map<Number_, number>} */
  const wanted = new Map();
  for (const place of positions) {
    if (compareValues(place, 0) <= 0 || compareValues(place, dice.count) > 0) continue;
    const rank = highestFirst ? differenceOfValues(place, 1) : differenceOfValues(dice.count, place);
    wanted.set(rank, (wanted.get(rank) ?? 0) + 1);
  }
  if (!wanted.size) return new Dice(1, ZERO);
  const [first, last] = [Number(leastValue(wanted.keys())), Number(largestValue(wanted.keys())) + 1];
  const pool = poolOf(dice);
  if (new Set(wanted.values()).size === 1 && wanted.size === last - first)
    return dieOfWeights(
      pool
        .keep(first, last)
        .total()
        .affine(/** @type {number} */ (wanted.get(first)), 0),
    );
  const before = [0];
  for (let rank = 0; rank < pool.size; rank++) before.push(before[rank] + (wanted.get(rank) ?? 0));
  return dieOfWeights(
    pool.fold(
      [0, 0],
      ([seen, total], face, shown) => [
        seen + shown,
        sumOfValues(total, productOfValues(face, before[seen + shown] - before[seen])),
      ],
      (state) => state[1],
    ),
  );
}

/**
 * The sum of the highest or lowest dice of several collections that lie together.
 * @param {Number_} count @param {boolean} lowest @param {Value[]} collections
 */
function sumOfHighestOrLowest(count, lowest, collections) {
  const groups = collections.flatMap((part) => {
    if (!(part instanceof Dice)) return numbersOf(part).map((each) => /** @type {const} */ ([1, Pmf.constant(each)]));
    return part.empty ? [] : [/** @type {const} */ ([Number(part.count), part.die])];
  });
  const pool = new Pool(groups);
  const many = Math.min(Number(count), pool.size);
  const first = lowest ? pool.size - many : 0;
  return many > 0 ? dieOfWeights(pool.keep(first, first + many).total()) : new Dice(1, ZERO);
}

// --- functions

/** How many different hands dice can show. @param {number} count @param {number} faceCount */
function countHands(count, faceCount) {
  let many = 1n;
  const [size, chosen] = [BigInt(count + faceCount - 1), Math.min(count, faceCount - 1)];
  for (let k = 0n; k < chosen; k++) many = (many * (size - k)) / (k + 1n);
  return many;
}

/**
 * Every sequence that dice can show, in AnyDice's order, with its weight.
 * @param {Dice} dice @param {boolean} highestFirst @returns {Cases}
 */
function weightedHands(dice, highestFirst) {
  if (dice.count === 1) return dice.die.values.map((value) => [[value], weightOf(dice.die, value)]);
  const many = countHands(Number(dice.count), dice.die.weights.size);
  if (many > MOST_CASES)
    refuseDice(`these dice can show ${countText(many)} hands, over ${countText(MOST_CASES)}`, "roll fewer dice");
  const found = poolOf(dice).hands();
  if (!highestFirst) for (const [hand] of found) hand.reverse();
  const way = highestFirst ? -1 : 1;
  return found.sort(([a], [b]) => way * Number(compareSequences((apart) => apart, a, b)));
}

/** The values of a parameter: one value, or the cases in which the function is called, one after the other.
 * @param {string} parameterKind @param {Value} value @param {boolean} highestFirst @returns {{cases: Cases} | Value} */
export function argumentCases(parameterKind, value, highestFirst) {
  if (parameterKind === "n") {
    const number = asNumberOrDie(value);
    if (number instanceof Dice) return { cases: number.die.values.map((each) => [each, weightOf(number.die, each)]) };
    return Array.isArray(value) ? { cases: [[number, 1n]] } : number;
  }
  if (parameterKind === "d")
    return value instanceof Dice ? value : new Dice(1, outputDistribution(asNumberOrDie(value)));
  if (parameterKind !== "s") return value;
  if (value instanceof Dice) return { cases: value.empty ? [] : weightedHands(value, highestFirst) };
  return numbersOf(value);
}

/** @param {{cases: Cases} | Value} argument @returns {argument is {cases: Cases}} */
export const isCases = (argument) => typeof argument === "object" && "cases" in argument;

/**
 * What a function gives in every case, with the weight of the case; the first argument changes fastest.
 * @param {({cases: Cases} | Value)[]} functionArguments
 * @param {(values: Value[]) => Value} callFunction
 * @returns {Generator<[Value, bigint]>}
 */
export function* resultsByCase(functionArguments, callFunction) {
  const lists = functionArguments.map((each) => (isCases(each) ? each.cases : /** @type {Cases} */ ([[each, 1n]])));
  const count = lists.reduce((all, each) => all * each.length, 1);
  if (count > MOST_CASES)
    refuseDice(
      `a function would be called in ${countText(count)} cases, over ${countText(MOST_CASES)}`,
      "roll fewer dice",
    );
  for (let number = 0; number < count; number++) {
    let [rest, weight] = [number, 1n];
    const values = lists.map((each) => {
      const [value, ways] = each[rest % each.length];
      rest = Math.floor(rest / each.length);
      weight *= ways;
      return value;
    });
    yield [callFunction(values), weight];
  }
}

/**
 * A function that AnyDice brings: the kinds of its parameters, what it does, what of dice as they lie, if that helps.
 * @typedef {[kinds: string, run: (...given: any[]) => Value, pooled?: (...given: any[]) => Value | null]} Builtin
 */

/** How often a number stands in a sequence. @param {Number_[]} values @param {Number_} number */
const countOccurrences = (values, number) => values.filter((one) => one === number).length;

/** @param {Value} values @param {Value} sequence */
function countAllOccurrences(values, sequence) {
  if (values instanceof Dice || !(sequence instanceof Dice)) return null;
  const wanted = numbersOf(values);
  const each = sequence.die.mapped((face) => countOccurrences(wanted, face));
  return new Dice(1, new Dice(sequence.count, each).sum);
}

/** @param {Value} sequence @param {Value} number */
function sequenceContains(sequence, number) {
  if (!(sequence instanceof Dice) || sequence.empty) return null;
  const each = asNumberOrDie(number);
  if (!(each instanceof Dice)) return someDieShows(sequence, each);
  return mixtureDie(each.die.values.map((value) => [someDieShows(sequence, value), weightOf(each.die, value)]));
}

/** @param {Dice} dice @param {Number_} number */
function someDieShows({ count, die }, number) {
  const all = die.total ** BigInt(Number(count));
  return dieOfWeights(yesOrNoVariable(all - (die.total - weightOf(die, number)) ** BigInt(Number(count)), all));
}

/**
 * The higher (1) or lower (-1) of two numbers, from the chances of at most each value.
 * @param {number} sign
 */
const makeHigherOrLower = (sign) => (/** @type {Value} */ left, /** @type {Value} */ right) => {
  const [one, two] = [asNumberOrDie(left), asNumberOrDie(right)];
  if (!(one instanceof Dice) || !(two instanceof Dice) || one.empty || two.empty) return null;
  /** @type {Map<Number_, bigint>} */
  const weights = new Map();
  let [mine, theirs, before] = [0n, 0n, 0n];
  const values = [...new Set([...one.die.values, ...two.die.values])].sort((a, b) => sign * compareValues(a, b));
  for (const value of values) {
    mine += weightOf(one.die, value);
    theirs += weightOf(two.die, value);
    weights.set(value, mine * theirs - before);
    before = mine * theirs;
  }
  return dieOfWeights(Pmf.of(weights));
};

/** @param {Dice} dice @param {number} maxDepth */
function explodeDice(dice, maxDepth) {
  if (dice.empty) return EMPTY;
  const most = dice.sum.values.at(-1);
  return dieOfWeights(
    totalOfLimitedRerolls(
      dice.sum,
      (value) => value === most,
      maxDepth,
      (value) => value,
    ),
  );
}

/** @param {Number_} wantedCount @param {Dice} dice */
function middleDice(wantedCount, dice) {
  if (dice.empty) return dice;
  const number = Number(leastValue([wantedCount, dice.count]));
  const first = Math.floor((Number(dice.count) - number) / 2);
  return sumAtPositions(
    Array.from({ length: Math.max(number, 0) }, (_, place) => first + 1 + place),
    dice,
  );
}

/**
 * AnyDice's functions by their words, an underscore for each parameter.
 * @param {boolean} highestFirst @param {number} explosionDepth @returns {Record<string, Builtin>}
 */
export function builtinFunctions(highestFirst, explosionDepth) {
  const top = (/** @type {Number_} */ number, /** @type {Value[]} */ ...parts) =>
    sumOfHighestOrLowest(number, false, parts);
  const bottom = (/** @type {Number_} */ number, /** @type {Value[]} */ ...parts) =>
    sumOfHighestOrLowest(number, true, parts);
  const total = (/** @type {Value} */ value) => (value instanceof Dice ? asNumberOrDie(value) : null);
  const way = highestFirst ? -1 : 1;
  const sorting = (/** @type {Number_[]} */ sequence) => sequence.toSorted((a, b) => way * compareValues(a, b));
  return {
    "absolute _": ["n", (number) => (compareValues(number, 0) < 0 ? differenceOfValues(0, number) : number)],
    "_ contains _": ["sn", (sequence, number) => booleanAsNumber(sequence.includes(number)), sequenceContains],
    "count _ in _": [
      "ss",
      (values, sequence) => sumOfNumbers(sequence.map((/** @type {Number_} */ each) => countOccurrences(values, each))),
      countAllOccurrences,
    ],
    "explode _": ["d", (dice) => explodeDice(dice, explosionDepth)],
    "maximum of _": ["d", (dice) => dice.sum.values.at(-1) ?? 0],
    "highest of _ and _": ["nn", (a, b) => largestValue([a, b]), makeHigherOrLower(1)],
    "lowest of _ and _": ["nn", (a, b) => leastValue([a, b]), makeHigherOrLower(-1)],
    "highest _ of _": ["nd", (number, dice) => (dice.empty ? dice : top(number, dice))],
    "lowest _ of _": ["nd", (number, dice) => (dice.empty ? dice : bottom(number, dice))],
    "middle _ of _": ["nd", middleDice],
    "reverse _": ["s", (sequence) => sequence.toReversed(), total],
    "sort _": ["s", sorting, total],
    "highest _ of _ and _": ["n??", top],
    "lowest _ of _ and _": ["n??", bottom],
    "highest _ of _ and _ and _": ["n???", top],
    "lowest _ of _ and _ and _": ["n???", bottom],
  };
}
