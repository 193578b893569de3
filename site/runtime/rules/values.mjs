// @ts-check
/** Plain values of the rules, as the Python engine has them: numbers, flags, words (strings), seats (from 0), hands,
 * lists (arrays), and in payoffs fractions. Whole numbers stay within 2^53, and floats decide nothing. */

/** Thrown for a rule that cannot be carried out in a position: a code of the documentation and a sentence. */
export class RuleFailure extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** @typedef {readonly [face: number, kind: number]} Lying a die that lies on the table */

/** Dice on the table, ascending by face, then kind. */
export class Hand {
  /** @param {Iterable<Lying>} dice */
  constructor(dice) {
    this.dice = [...dice].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  }
  get faces() {
    return this.dice.map(([face]) => face);
  }
  get size() {
    return this.dice.length;
  }
  /** A text that identifies a hand. */
  get key() {
    return this.dice.map((die) => die.join("/")).join(" ");
  }
  /** The hand with the dice of another. @param {Hand} other */
  plus(other) {
    return new Hand([...this.dice, ...other.dice]);
  }
  /** The hand without the dice of another. Throws RuleFailure if one of them is missing. @param {Hand} other */
  minus(other) {
    const left = [...this.dice];
    for (const [face, kind] of other.dice) {
      const at = left.findIndex((die) => die[0] === face && die[1] === kind);
      if (at < 0) throw new RuleFailure("OD503", `a hand without a ${face} cannot give one away`);
      left.splice(at, 1);
    }
    return new Hand(left);
  }
}

export const NO_DICE = new Hand([]);

/** + */
export const COVERED = Symbol("covered");

/** A fraction in lowest terms; it exists in payoffs only. */
export class Fraction {
  /** @param {bigint} top @param {bigint} bottom */
  constructor(top, bottom) {
    let [a, b] = [top < 0n ? -top : top, bottom < 0n ? -bottom : bottom];
    while (b) [a, b] = [b, a % b];
    const sign = bottom < 0n ? -1n : 1n;
    this.top = (sign * top) / (a || 1n);
    this.bottom = (sign * bottom) / (a || 1n);
  }
  /** A whole number as a fraction; a fraction unchanged. @param {number | Fraction} value */
  static of(value) {
    return value instanceof Fraction ? value : new Fraction(BigInt(value), 1n);
  }
  toString() {
    return this.bottom === 1n ? String(this.top) : `${this.top}/${this.bottom}`;
  }
  valueOf() {
    return Number(this.top) / Number(this.bottom);
  }
}

/** @typedef {number | boolean | string | Hand | Fraction | readonly any[] | Map<any, any>} Value */

/** Return a number unchanged, with -0 as 0; throw RuleFailure if it is beyond 2^53. @param {number} value */
function requireSafeInteger(value) {
  if (!Number.isSafeInteger(value)) throw new RuleFailure("OD522", "a number goes beyond 2^53");
  return value + 0; // -0 becomes 0
}

/** Apply an operation to two numbers, or to fractions if one of them is one. @param {any} a @param {any} b
 * @param {(a: number, b: number) => number} computeNumbers
 * @param {(a: Fraction, b: Fraction) => Fraction} computeFractions */
function applyArithmetic(a, b, computeNumbers, computeFractions) {
  if (typeof a === "number" && typeof b === "number") return requireSafeInteger(computeNumbers(a, b));
  return computeFractions(Fraction.of(a), Fraction.of(b));
}

/** The sum of two numbers, or a hand with the dice of two hands. @param {any} a @param {any} b @returns {any} */
export function add(a, b) {
  if (a instanceof Hand) return a.plus(b);
  return applyArithmetic(
    a,
    b,
    (x, y) => x + y,
    (x, y) => new Fraction(x.top * y.bottom + y.top * x.bottom, x.bottom * y.bottom),
  );
}

/** The difference of two numbers, or a hand without the dice of another hand. @param {any} a @param {any} b
 * @returns {any} */
export function subtract(a, b) {
  if (a instanceof Hand) return a.minus(b);
  return applyArithmetic(
    a,
    b,
    (x, y) => x - y,
    (x, y) => new Fraction(x.top * y.bottom - y.top * x.bottom, x.bottom * y.bottom),
  );
}

/** The product of two numbers. @param {any} a @param {any} b @returns {any} */
export function multiply(a, b) {
  return applyArithmetic(
    a,
    b,
    (x, y) => x * y,
    (x, y) => new Fraction(x.top * y.top, x.bottom * y.bottom),
  );
}

/** The remainder with the sign of the divisor, as in Python. @param {number} a @param {number} b */
export function modulo(a, b) {
  if (b === 0) throw new RuleFailure("OD411", "a division by 0");
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest + 0;
}

/** Division rounded down. @param {number} a @param {number} b */
export function quotient(a, b) {
  return requireSafeInteger((a - modulo(a, b)) / b);
}

/** Division as a fraction. @param {any} a @param {any} b */
export function divide(a, b) {
  const [over, under] = [Fraction.of(a), Fraction.of(b)];
  if (under.top === 0n) throw new RuleFailure("OD411", "a division by 0");
  return new Fraction(over.top * under.bottom, over.bottom * under.top);
}

/** Compare two numbers: below 0, 0 or above 0, as a is less than, equal to or greater than b. @param {any} a
 * @param {any} b */
export function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [x, y] = [Fraction.of(a), Fraction.of(b)];
  const difference = x.top * y.bottom - y.top * x.bottom;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The items of a list, or the faces of a hand. @param {any} value @returns {readonly any[]} */
export function itemsOfValue(value) {
  return value instanceof Hand ? value.faces : value;
}

/** A text that identifies a value among those of its type. @param {any} value @returns {string} */
export function keyOfValue(value) {
  if (value instanceof Hand) return `[${value.key}]`;
  return Array.isArray(value) ? `(${value.map(keyOfValue).join(",")})` : String(value);
}

/** Whether two values are equal by the rules: a hand equals a list of its faces in any order. @param {any} a
 * @param {any} b */
export function areEqual(a, b) {
  if (a instanceof Hand || b instanceof Hand) {
    const [x, y] = [a, b].map((value) => [...itemsOfValue(value)].sort((one, other) => one - other));
    return keyOfValue(x) === keyOfValue(y);
  }
  if (Array.isArray(a) || Array.isArray(b)) return keyOfValue(a) === keyOfValue(b);
  return a === b || (a instanceof Fraction || b instanceof Fraction ? compare(a, b) === 0 : false);
}

/** The distinct items, in the order of their first occurrence. @template T @param {readonly T[]} items
 * @returns {T[]} */
export function distinctItems(items) {
  /** @type {Map<string, T>} */
  const byKey = new Map();
  for (const item of items) if (!byKey.has(keyOfValue(item))) byKey.set(keyOfValue(item), item);
  return [...byKey.values()];
}
