// @ts-check
/** Cards that two browsers shuffle, so that neither knows their order (mental poker, after Shamir, Rivest and Adleman,
 * 1979). Every card is a point of Curve25519, given by its first coordinate. A browser masks points with a secret key:
 * it multiplies them by a number. Masks of several browsers come off in any order. Masked points tell nothing of the
 * cards, so they are shuffled by sorting them. Once the key is told, everybody can check what was masked with it. */

import { hash } from "./numbers.mjs";

const PRIME = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n; // of the points that are cards
const CURVE = 486662n; // y² = x³ + CURVE x² + x
const COFACTOR = 8n;
const STEP = (CURVE - 2n) / 4n;
const DIGITS = 64; // hexadecimal digits of a point
const MAX_CACHED_PRODUCTS = 5000; // products that are remembered, because a log is read again and again

/** @param {bigint} number */
const modulo = (number) => ((number % PRIME) + PRIME) % PRIME;

/** A power modulo a prime. @param {bigint} base @param {bigint} exponent @param {bigint} prime */
function power(base, exponent, prime) {
  let [result, square] = [1n, base % prime];
  for (let left = exponent; left; left >>= 1n) {
    if (left & 1n) result = (result * square) % prime;
    square = (square * square) % prime;
  }
  return result;
}

/** The first coordinate of a multiple of a point; 0 for the point at infinity (RFC 7748, Montgomery's ladder).
 * @param {bigint} x @param {bigint} times */
export function multiple(x, times) {
  let [x2, z2, x3, z3] = [1n, 0n, x, 1n];
  for (let at = BigInt(times.toString(2).length) - 1n; at >= 0n; at--) {
    const odd = (times >> at) & 1n;
    if (odd) [x2, z2, x3, z3] = [x3, z3, x2, z2];
    const [a, b, c, d] = [x2 + z2, x2 - z2, x3 + z3, x3 - z3];
    const [aa, bb, da, cb] = [(a * a) % PRIME, (b * b) % PRIME, (d * a) % PRIME, (c * b) % PRIME];
    const e = aa - bb;
    x3 = (da + cb) ** 2n % PRIME;
    z3 = (x * ((da - cb) ** 2n % PRIME)) % PRIME;
    x2 = (aa * bb) % PRIME;
    z2 = (e * (aa + STEP * e)) % PRIME;
    if (odd) [x2, z2, x3, z3] = [x3, z3, x2, z2];
  }
  return modulo(x2 * power(modulo(z2), PRIME - 2n, PRIME));
}

/** @param {bigint} x */
const textOfPoint = (x) => x.toString(16).padStart(DIGITS, "0");

/** @type {Map<string, string>} */
const products = new Map();

/** Multiples of points that are given as texts. @param {readonly string[]} points @param {bigint} times */
function multiples(points, times) {
  return points.map((point) => {
    const key = `${times} ${point}`;
    const found = products.get(key) ?? textOfPoint(multiple(BigInt(`0x${point}`), times));
    if (products.size >= MAX_CACHED_PRODUCTS) products.clear();
    products.set(key, found);
    return found;
  });
}

/** A number that differs from another by a multiple of the order, and is a multiple of the cofactor. So a point that is
 * no card tells nothing of the key. @param {bigint} number */
function cleared(number) {
  let found = number;
  while (found % COFACTOR) found += ORDER;
  return found;
}

/** Masks points and takes the mask off again. */
export class Mask {
  /** @param {bigint} key from 1 to below the order */
  constructor(key) {
    this.on = cleared(key);
    this.off = cleared(power(key, ORDER - 2n, ORDER));
  }

  /** The mask of a secret number. @param {string} number */
  static async of(number) {
    const wide = (await hash("mask", number, 0)) + (await hash("mask", number, 1));
    return new Mask(1n + (BigInt(`0x${wide}`) % (ORDER - 1n)));
  }

  /** Mask points and shuffle them. @param {readonly string[]} points */
  shuffle(points) {
    return multiples(points, this.on).sort();
  }

  /** Take the mask off some points. @param {readonly string[]} points */
  remove(points) {
    return multiples(points, this.off);
  }
}

/** The point of a card. Nobody knows how the points of two cards belong together, because they come of hashes.
 * @param {string} round the id of the deck @param {string} item @param {number} copy of several that are alike */
export async function cardPoint(round, item, copy) {
  for (let again = 0; ; again++) {
    const x = BigInt(`0x${await hash("card", round, item, copy, again)}`) % PRIME;
    const right = (x * x * x + CURVE * x * x + x) % PRIME;
    const onCurve = power(right, (PRIME - 1n) / 2n, PRIME) === 1n;
    const point = onCurve ? multiple(x, COFACTOR) : 0n;
    if (point) return textOfPoint(point);
  }
}

/** Whether a list can be of masked cards: texts of points. @param {any} points */
export const arePoints = (points) =>
  Array.isArray(points) &&
  points.every((point) => typeof point === "string" && /^[0-9a-f]{64}$/.test(point) && isCoordinate(point));

/** @param {string} text */
function isCoordinate(text) {
  const x = BigInt(`0x${text}`);
  return x > 0n && x < PRIME;
}
