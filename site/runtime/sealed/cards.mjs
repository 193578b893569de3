// @ts-check
/** Cards that two browsers shuffle, so that neither knows their order (mental poker, after Shamir, Rivest and Adleman,
 * 1979). Every card is a point of Curve25519, given by its first coordinate. A browser masks points with a secret key:
 * it multiplies them by a number. Masks of several browsers come off in any order. Masked points tell nothing of the
 * cards, so they are shuffled by sorting them. Once the key is told, everybody can check what was masked with it. */

import { purposeHash } from "./numbers.mjs";

const PRIME = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n; // of the points that are cards
const CURVE = 486662n; // y² = x³ + CURVE x² + x
const COFACTOR = 8n;
const STEP = (CURVE - 2n) / 4n;
const DIGITS = 64; // hexadecimal digits of a point
const MAX_CACHED_PRODUCTS = 5000; // products that are remembered, because a log is read again and again

/** A number modulo PRIME, from 0 on. @param {bigint} number */
const moduloPrime = (number) => ((number % PRIME) + PRIME) % PRIME;

/** A power modulo a prime. @param {bigint} base @param {bigint} exponent @param {bigint} prime */
function powerModulo(base, exponent, prime) {
  let [result, square] = [1n, base % prime];
  for (let left = exponent; left; left >>= 1n) {
    if (left & 1n) result = (result * square) % prime;
    square = (square * square) % prime;
  }
  return result;
}

/** The first coordinate of a multiple of a point; 0 for the point at infinity (RFC 7748, Montgomery's ladder).
 * @param {bigint} x @param {bigint} factor */
export function multiplyPoint(x, factor) {
  let [x2, z2, x3, z3] = [1n, 0n, x, 1n];
  for (let at = BigInt(factor.toString(2).length) - 1n; at >= 0n; at--) {
    const odd = (factor >> at) & 1n;
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
  return moduloPrime(x2 * powerModulo(moduloPrime(z2), PRIME - 2n, PRIME));
}

/** The first coordinate of a point as hexadecimal digits, always equally many. @param {bigint} x */
const pointAsHexText = (x) => x.toString(16).padStart(DIGITS, "0");

/** @type {Map<string, string>} */
const products = new Map();

/** Multiply points by a number. Points and products are texts of hexadecimal digits, in the same order.
 * @param {readonly string[]} points @param {bigint} factor */
function multiplyPoints(points, factor) {
  return points.map((point) => {
    const key = `${factor} ${point}`;
    const found = products.get(key) ?? pointAsHexText(multiplyPoint(BigInt(`0x${point}`), factor));
    if (products.size >= MAX_CACHED_PRODUCTS) products.clear();
    products.set(key, found);
    return found;
  });
}

/** Add the order to a number until it is a multiple of the cofactor. Such a key gives nothing away when somebody has it
 * multiply a point that is no card. @param {bigint} number */
function addOrderUntilMultipleOfCofactor(number) {
  let found = number;
  while (found % COFACTOR) found += ORDER;
  return found;
}

/** Masks points and takes the mask off again. */
export class CardMask {
  /** @param {bigint} key from 1 to below the order */
  constructor(key) {
    this.on = addOrderUntilMultipleOfCofactor(key);
    this.off = addOrderUntilMultipleOfCofactor(powerModulo(key, ORDER - 2n, ORDER));
  }

  /** The mask with a key that is derived from a secret number. @param {string} number in hexadecimal digits */
  static async fromSecretNumber(number) {
    const wide = (await purposeHash("mask", number, 0)) + (await purposeHash("mask", number, 1));
    return new CardMask(1n + (BigInt(`0x${wide}`) % (ORDER - 1n)));
  }

  /** The masked points, sorted as texts, so that their old order is lost. @param {readonly string[]} points */
  maskAndShuffle(points) {
    return multiplyPoints(points, this.on).sort();
  }

  /** The points without this mask, in the same order. @param {readonly string[]} points masked ones */
  unmask(points) {
    return multiplyPoints(points, this.off);
  }
}

/** The point of a card, as a text. It comes of a hash, so nobody knows a number that turns one card into another.
 * @param {string} deckId the id of the deck @param {string} item @param {number} copyIndex of several that are alike */
export async function cardPoint(deckId, item, copyIndex) {
  for (let again = 0; ; again++) {
    const x = BigInt(`0x${await purposeHash("card", deckId, item, copyIndex, again)}`) % PRIME;
    const right = (x * x * x + CURVE * x * x + x) % PRIME;
    const onCurve = powerModulo(right, (PRIME - 1n) / 2n, PRIME) === 1n;
    const point = onCurve ? multiplyPoint(x, COFACTOR) : 0n;
    if (point) return pointAsHexText(point);
  }
}

/** Whether a list can be of masked cards: texts of points. @param {any} value */
export const arePoints = (value) =>
  Array.isArray(value) &&
  value.every((point) => typeof point === "string" && /^[0-9a-f]{64}$/.test(point) && isCoordinate(point));

/** Whether hexadecimal digits are a first coordinate: more than 0 and less than PRIME. @param {string} hexText */
function isCoordinate(hexText) {
  const x = BigInt(`0x${hexText}`);
  return x > 0n && x < PRIME;
}
