// @ts-check
/**
 * Exact numbers, as the Python package has them. A value of a die is a Number where it is whole and below 2^53, and
 * else a Fraction, of which there is one object for each value: so `===` and maps tell values apart.
 */

/** @typedef {number | Fraction} Value */

/** Thrown for a calculation that cannot be carried out: a code, a sentence, and how to ask instead. */
export class RuleFailure extends Error {
  /** @param {string} code @param {string} message @param {string} [hint] */
  constructor(code, message, hint = "") {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** A question about a roll that cannot be read or answered, with the place in it. */
export class QuestionError extends Error {
  /** @param {string} question @param {number} offset @param {string} message @param {string} [hint] */
  constructor(question, offset, message, hint = "") {
    super(message);
    Object.assign(this, { question, at: offset, hint });
  }
  /** The sentence, the question with the place marked, and the hint, as a terminal shows them. */
  get text() {
    const { question, at, hint } = /** @type {any} */ (this);
    return `${this.message}\n  ${question}\n  ${" ".repeat(at)}^${hint && `\n  hint: ${hint}`}`;
  }
}

/** The absolute value. @param {bigint} number */
export const absoluteValue = (number) => (number < 0n ? -number : number);

/**
 * The greatest common divisor. Several steps of Euclid's algorithm are done with the first 50 bits, as long as they are
 * sure, and then carried over to the whole numbers at once (Lehmer; Knuth, volume 2, 4.5.2 L).
 * @param {bigint} a
 * @param {bigint} b
 */
export function greatestCommonDivisor(a, b) {
  [a, b] = [absoluteValue(a), absoluteValue(b)];
  if (a < b) [a, b] = [b, a];
  for (let bits = 0; b > 0xffff_ffff_ffff_ffffn;) {
    if (!bits) bits = bitLength(a);
    const shift = BigInt(bits - 50);
    let [x, y] = [Number(a >> shift), Number(b >> shift)];
    let [p, q, r, s] = [1, 0, 0, 1]; // a becomes p a + q b, and b becomes r a + s b
    while (y + r && y + s) {
      const times = Math.floor((x + p) / (y + r));
      if (times !== Math.floor((x + q) / (y + s))) break;
      [p, q, r, s] = [r, s, p - times * r, q - times * s];
      [x, y] = [y, x - times * y];
    }
    if (!q) {
      [a, b, bits] = [b, a % b, 0];
    } else {
      [a, b] = [BigInt(p) * a + BigInt(q) * b, BigInt(r) * a + BigInt(s) * b];
      bits += Math.floor(Math.log2(x)) - 48; // or one less
    }
  }
  while (b) [a, b] = [b, a % b];
  return a;
}

/** The least common multiple. @param {bigint} a @param {bigint} b */
export const leastCommonMultiple = (a, b) => (a / (greatestCommonDivisor(a, b) || 1n)) * b;

/** The sum of whole numbers. @param {Iterable<bigint>} numbers */
export function sumOfIntegers(numbers) {
  let total = 0n;
  for (const each of numbers) total += each;
  return total;
}

/** The number of bits of a whole number that is not negative. @param {bigint} number */
export function bitLength(number) {
  const text = number.toString(16);
  return text.length * 4 - Math.clz32(parseInt(text[0], 16)) + 28;
}

/** The square root of a whole number, rounded down. @param {bigint} number */
export function floorSquareRoot(number) {
  if (number < 2n) return number;
  let root = 1n << BigInt((bitLength(number) + 1) >> 1);
  for (;;) {
    const next = (root + number / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** Divide and round down. @param {bigint} numerator @param {bigint} denominator above 0 */
const floorDiv = (numerator, denominator) => numerator / denominator - (numerator % denominator < 0n ? 1n : 0n);

/** Round to the nearest whole number, half to even. @param {bigint} numerator @param {bigint} denominator above 0 */
function roundHalfEven(numerator, denominator) {
  const twice = 2n * numerator + denominator;
  const found = floorDiv(twice, 2n * denominator);
  return twice === found * 2n * denominator && found & 1n ? found - 1n : found;
}

/** A quotient as a float, for charts and to tell answers apart. @param {bigint} numerator @param {bigint} denominator
 * above 0 */
export function toFloat(numerator, denominator) {
  const shift = BigInt(Math.max(bitLength(denominator) - bitLength(absoluteValue(numerator)) + 64, 0));
  return Number((numerator << shift) / denominator) / 2 ** Number(shift);
}

/** A fraction in lowest terms. */
export class Fraction {
  /** @param {bigint} top @param {bigint} [bottom] */
  constructor(top, bottom = 1n) {
    if (!bottom) throw new RuleFailure("OD411", "a division by 0");
    let shared = bottom === 1n ? 1n : greatestCommonDivisor(top, bottom);
    if (bottom < 0n) shared = -shared;
    this.top = top / shared;
    this.bottom = bottom / shared;
  }
  /** A number as people write it: 3, -2, 1.5. @param {string} text */
  static parse(text) {
    const [whole, part = ""] = text.split(".");
    return new Fraction(BigInt(whole + part), 10n ** BigInt(part.length));
  }
  /** @param {Value | bigint} value */
  static of(value) {
    return value instanceof Fraction ? value : new Fraction(BigInt(value));
  }
  /** @param {Value | bigint} other */
  plus(other) {
    const { top, bottom } = Fraction.of(other);
    return new Fraction(this.top * bottom + top * this.bottom, this.bottom * bottom);
  }
  /** @param {Value | bigint} other */
  minus(other) {
    const { top, bottom } = Fraction.of(other);
    return new Fraction(this.top * bottom - top * this.bottom, this.bottom * bottom);
  }
  /** @param {Value | bigint} other */
  times(other) {
    const { top, bottom } = Fraction.of(other);
    return new Fraction(this.top * top, this.bottom * bottom);
  }
  /** @param {Value | bigint} other */
  over(other) {
    const { top, bottom } = Fraction.of(other);
    return new Fraction(this.top * bottom, this.bottom * top);
  }
  /** @param {number} exponent of 0 and more */
  power(exponent) {
    return new Fraction(this.top ** BigInt(exponent), this.bottom ** BigInt(exponent));
  }
  /** The largest whole number that is not above it. */
  floor() {
    return floorDiv(this.top, this.bottom);
  }
  toString() {
    return this.bottom === 1n ? String(this.top) : `${this.top}/${this.bottom}`;
  }
  valueOf() {
    return toFloat(this.top, this.bottom);
  }
}

// --- values

/** @type {Map<string, Fraction>} */
const kept = new Map();

/** The canonical form of a value: a whole number as a Number, and equal fractions as the same object.
 * @param {Value} value @returns {Value} */
export function canonicalValue(value) {
  if (typeof value === "number") return value;
  if (value.bottom === 1n && absoluteValue(value.top) <= Number.MAX_SAFE_INTEGER) return Number(value.top);
  const key = String(value);
  const known = kept.get(key);
  if (!known) kept.set(key, value);
  return known ?? value;
}

/** The sum of two values. @param {Value} a @param {Value} b @returns {Value} */
export function sumOfValues(a, b) {
  const found = typeof a === "number" && typeof b === "number" ? a + b : NaN;
  return Number.isSafeInteger(found) ? found : canonicalValue(Fraction.of(a).plus(b));
}

/** The difference of two values. @param {Value} a @param {Value} b @returns {Value} */
export function differenceOfValues(a, b) {
  const found = typeof a === "number" && typeof b === "number" ? a - b : NaN;
  return Number.isSafeInteger(found) ? found : canonicalValue(Fraction.of(a).minus(b));
}

/** The product of two values. @param {Value} a @param {Value} b @returns {Value} */
export function productOfValues(a, b) {
  const found = typeof a === "number" && typeof b === "number" ? a * b + 0 : NaN; // -0 becomes 0
  return Number.isSafeInteger(found) ? found : canonicalValue(Fraction.of(a).times(b));
}

/** The quotient of two values. @param {Value} a @param {Value} b @returns {Value} */
export const quotientOfValues = (a, b) => canonicalValue(Fraction.of(a).over(b));

/** A value rounded down. @param {Value} value */
export const floorOfValue = (value) => canonicalValue(new Fraction(Fraction.of(value).floor()));

/** The remainder with the sign of the divisor. @param {Value} a @param {Value} b */
export const moduloOfValues = (a, b) => differenceOfValues(a, productOfValues(b, floorOfValue(quotientOfValues(a, b))));

/** Below 0, 0 or above 0, as one is less than, equal to or more than the other. @param {Value} a @param {Value} b */
export function compareValues(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [x, y] = [Fraction.of(a), Fraction.of(b)];
  const [left, right] = [x.top * y.bottom, y.top * x.bottom];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The least of some values. @template {Value} V @param {Iterable<V>} values @returns {V} */
export const leastValue = (values) => [...values].reduce((a, b) => (compareValues(b, a) < 0 ? b : a));

/** The largest of some values. @template {Value} V @param {Iterable<V>} values @returns {V} */
export const largestValue = (values) => [...values].reduce((a, b) => (compareValues(b, a) > 0 ? b : a));

// --- enclosures

/** Decimal text with a fixed number of places, half rounded to even. @param {Fraction} value @param {number} places */
export function decimalText(value, places = 12) {
  const scaled = roundHalfEven(value.top * 10n ** BigInt(places), value.bottom);
  const digits = String(absoluteValue(scaled)).padStart(places + 1, "0");
  const cut = digits.length - places;
  return (scaled < 0n ? "-" : "") + digits.slice(0, cut) + (places ? `.${digits.slice(cut)}` : "");
}

/** A number that is exact, or proven to lie between two fractions. */
export class Enclosure {
  /** @param {Fraction} lower @param {Fraction} upper */
  constructor(lower, upper) {
    this.lower = lower;
    this.upper = upper;
  }
  /** @param {Value | bigint} value */
  static of(value) {
    const exact = Fraction.of(value);
    return new Enclosure(exact, exact);
  }
  /** The fraction, where it is known. */
  get exact() {
    return this.lower === this.upper || !compareValues(this.lower, this.upper) ? this.lower : null;
  }
  /** @param {Enclosure | Value | bigint} other */
  plus(other) {
    const { lower, upper } = toEnclosure(other);
    return new Enclosure(this.lower.plus(lower), this.upper.plus(upper));
  }
  /** @param {Enclosure | Value | bigint} other */
  minus(other) {
    const { lower, upper } = toEnclosure(other);
    return new Enclosure(this.lower.minus(upper), this.upper.minus(lower));
  }
  /** @param {Enclosure | Value | bigint} other */
  times(other) {
    const { lower, upper } = toEnclosure(other);
    const ends = [this.lower, this.upper].flatMap((end) => [end.times(lower), end.times(upper)]);
    return new Enclosure(leastValue(ends), largestValue(ends));
  }
  /** As many of the wanted places as both bounds agree on after rounding. @param {number} [places] */
  decimal(places = 12) {
    if (this.lower === this.upper) return decimalText(this.lower, places);
    for (let wanted = places; wanted >= 0; wanted--) {
      const text = decimalText(this.lower, wanted);
      if (text === decimalText(this.upper, wanted)) return text;
    }
    return `${decimalText(this.lower, 3)}..${decimalText(this.upper, 3)}`;
  }
  /** The four fields of a published number. @param {number} [places] */
  fields(places = 12) {
    const lower = String(this.lower);
    const exact = this.exact && lower;
    return { exact, lower, upper: exact ?? String(this.upper), decimal: this.decimal(places) };
  }
  toJSON() {
    return this.fields();
  }
}

/** A number as an enclosure. @param {Enclosure | Value | bigint} value */
const toEnclosure = (value) => (value instanceof Enclosure ? value : Enclosure.of(value));

const ROOT_ONE = 1n << 220n;

/** The square root of a fraction that is not negative, enclosed. @param {Fraction} fraction */
export function squareRootEnclosure(fraction) {
  const found = floorSquareRoot((fraction.top * ROOT_ONE * ROOT_ONE) / fraction.bottom);
  const low = new Fraction(found, ROOT_ONE);
  return compareValues(low.times(low), fraction)
    ? new Enclosure(low, new Fraction(found + 1n, ROOT_ONE))
    : new Enclosure(low, low);
}
