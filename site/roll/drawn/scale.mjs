// @ts-check
/** Where values stand in a picture: each whole number has its place, or, where they lie far apart, each value. */

/** @typedef {import("../display.mjs").ShownDistribution} Told */
/** @typedef {object} Scale
 * @property {number} slot pixels of a value
 * @property {(value: number) => number} left of a value's place, in pixels
 * @property {(x: number) => number} near the value at a place
 * @property {(value: number) => boolean} shown whether a value has a place
 * @property {number[]} values those that have one
 * @property {boolean} cut whether rare values are left out */

const RARE = 0.0005; // what is left out at either end of a long picture has together this chance at most
const MAX_VALUES = 40; // values, of which none are left out
const WIDEST = 3000; // whole numbers side by side

/** Make the scale on which all values of some distributions stand. @param {Told[]} distributions
 * @param {number} startX its left end, in pixels @param {number} width in pixels @returns {Scale} */
export function makeScale(distributions, startX, width) {
  const all = distributions.flatMap(({ rows }) => rows);
  let values = [...new Set(all.map(({ value }) => value))].sort((a, b) => a - b);
  let cut = distributions.some(({ beyond }) => beyond);
  if (values.length > MAX_VALUES) {
    const common = all.filter(({ cells: [, least, most] }) => least.share > RARE && most.share > RARE);
    const places = common.map(({ value }) => value);
    const [low, high] = [places.reduce((a, b) => Math.min(a, b)), places.reduce((a, b) => Math.max(a, b))];
    const kept = values.filter((value) => value >= low && value <= high);
    cut ||= kept.length < values.length;
    values = kept;
  }
  const [low, high] = [values[0], values[values.length - 1]];
  const whole = values.every(Number.isInteger) && high - low < WIDEST;
  if (whole) values = Array.from({ length: high - low + 1 }, (_, place) => low + place);
  const slot = width / values.length;
  const places = new Map(values.map((value, place) => [value, place]));
  return {
    ...{ slot, values, cut },
    left: (value) => startX + slot * (places.get(value) ?? insertionIndex(values, value)),
    near: (x) => values[Math.max(0, Math.min(values.length - 1, Math.floor((x - startX) / slot)))],
    shown: (value) => places.has(value),
  };
}

/** The index at which a value would be inserted into ascending values. @param {number[]} values @param {number}
 * value */
function insertionIndex(values, value) {
  const place = values.findIndex((each) => each >= value);
  return place < 0 ? values.length : place;
}

/** The values to be named below a picture, so that their names do not overlap.
 * @param {Scale} scale @param {(value: number) => string} nameOfValue @param {number} chosenValue */
export function tickValues({ slot, values }, nameOfValue, chosenValue) {
  const longest = Math.max(...values.map((value) => nameOfValue(value).length));
  const apart = Math.ceil((longest * 7.5 + 10) / slot);
  const even = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000].find((step) => step >= apart) ?? apart;
  const step = values[values.length - 1] - values[0] === values.length - 1 ? even : apart;
  const whole = step === even;
  const named = values.filter((value, place) => (whole && step > 1 ? value % step === 0 : place % step === 0));
  const free = named.filter(
    (value) => value === chosenValue || Math.abs(values.indexOf(value) - values.indexOf(chosenValue)) >= apart,
  );
  return values.includes(chosenValue) && !free.includes(chosenValue) ? [...free, chosenValue] : free;
}
