// @ts-check
/** The numbers of an answer as people read them, and where a roll lies in its distribution. */

/** @typedef {import("./reply.mjs").Figure} Figure */
/** @typedef {import("./reply.mjs").Found} Found */
/** @typedef {[top: bigint, bottom: bigint]} Ratio */
/** @typedef {{outcome: string, below: Figure, equal: Figure, above: Figure}} Luck `outcome`: what came up */

const TEN = 10n;
const CLOSE = 1e-9; // between a total, which the tabletop has as a float, and a value

/** Parse a fraction. @param {string} text @returns {Ratio} */
function parseRatio(text) {
  const [top, bottom = "1"] = text.split("/");
  return [BigInt(top), BigInt(bottom)];
}

/** The nearest decimal with a number of places. @param {Ratio} ratio @param {number} decimals */
function decimalTextOfRatio([top, bottom], decimals) {
  const size = top < 0n ? -top : top;
  const digits = ((2n * size * TEN ** BigInt(decimals) + bottom) / (2n * bottom))
    .toString()
    .padStart(decimals + 1, "0");
  const [whole, part] = [digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals)];
  return `${top < 0n && /[1-9]/.test(digits) ? "−" : ""}${whole}${part && `.${part}`}`;
}

/** A probability in percent, with two digits, or more if these would be 0. @param {Ratio} chance */
function percentText([top, bottom]) {
  const rest = top * 2n > bottom ? bottom - top : top;
  if (rest === 0n) return top ? "100 %" : "0 %";
  let places = 2;
  while (places < 12 && rest * TEN ** BigInt(places + 2) < bottom) places++;
  return `${decimalTextOfRatio([top * 100n, bottom], places)} %`;
}

/** A number as text. If its bounds read differently, the text has both. @param {Figure} figure
 * @param {(ratio: Ratio) => string} formatRatio */
function figureText({ exact, lower, upper }, formatRatio) {
  const [low, high] = [formatRatio(parseRatio(exact ?? lower)), formatRatio(parseRatio(exact ?? upper))];
  return low === high ? low : `${low} – ${high}`;
}

/** A probability in percent. @param {Figure} probability */
export const probabilityText = (probability) => figureText(probability, percentText);

/** A number as a decimal. @param {Figure} figure */
export const decimalText = (figure) =>
  figureText(figure, (each) =>
    each[1] === 1n && figure.exact ? decimalTextOfRatio(each, 0) : decimalTextOfRatio(each, 2),
  );

/** The nearest float, for pictures only. @param {string} fractionText */
export function toFloat(fractionText) {
  const [top, bottom] = parseRatio(fractionText);
  const scale = 10n ** 18n;
  return Number((top * scale) / bottom) / Number(scale);
}

/** 1 minus a probability. @param {Figure} chance @returns {Figure} */
function complement({ exact, lower, upper }) {
  const left = (/** @type {string} */ text) => {
    const [top, bottom] = parseRatio(text);
    return bottom === 1n ? String(bottom - top) : `${bottom - top}/${bottom}`;
  };
  return { exact: exact && left(exact), lower: left(upper), upper: left(lower), decimal: "" };
}

/** The chances of less, the same and more than a total; null if the distribution does not have it. @param {Found} found
 * @param {number} total
 * @returns {Luck | null} */
export function luckOfTotal({ outcomes }, total) {
  const place = outcomes.findIndex(
    ({ outcome }) => Math.abs(toFloat(outcome) - total) < CLOSE * Math.max(1, Math.abs(total)),
  );
  if (place < 0) return null;
  const zero = { exact: "0", lower: "0", upper: "0", decimal: "0" };
  const { outcome, at_most: most } = outcomes[place];
  return {
    outcome,
    below: place ? outcomes[place - 1].at_most : zero,
    equal: outcomes[place],
    above: complement(most),
  };
}

/** Whether two distributions are the same. @param {Found} one @param {Found} other */
export const areSameDistribution = (one, other) =>
  one.kind === other.kind &&
  one.outcomes.length === other.outcomes.length &&
  one.outcomes.every(
    ({ outcome, lower, upper }, place) =>
      outcome === other.outcomes[place].outcome &&
      lower === other.outcomes[place].lower &&
      upper === other.outcomes[place].upper,
  );
