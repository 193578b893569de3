// @ts-check
/** The functions of the rules language on plain values. */

import { subsets } from "./dice.mjs";
import { add, RuleFailure, compare, Fraction, Hand, keyOfValue, distinctItems, itemsOfValue } from "./values.mjs";

/** The most items of a list. */
export const MAX_ITEMS = 10_000;

/** Return the function `min` or `max`. @param {number} sign 1 for the greatest, -1 for the least
 * @param {string} name */
function makeMinOrMax(sign, name) {
  /** @param {any[]} values */
  return (...values) => {
    const listed = Array.isArray(values[0]) || values[0] instanceof Hand;
    const items = listed ? itemsOfValue(values[0]) : values;
    if (items.length) return items.reduce((best, item) => (sign * compare(item, best) > 0 ? item : best));
    if (values.length > 1) return values[1]; // default=
    throw new RuleFailure("OD501", `${name} of nothing`);
  };
}

/** Sorted from the least to the greatest. @param {readonly any[]} items */
const ascending = (items) => [...items].sort((a, b) => a - b);

/** @type {Record<string, (...values: any[]) => any>} */
export const FUNCTIONS = {
  sum: (values) => itemsOfValue(values).reduce(add, 0),
  min: makeMinOrMax(-1, "min"),
  max: makeMinOrMax(1, "max"),
  abs: (value) =>
    value instanceof Fraction ? new Fraction(value.top < 0n ? -value.top : value.top, value.bottom) : Math.abs(value),
  size: (values) => itemsOfValue(values).length,
  sorted: (values) => ascending(itemsOfValue(values)),
  distinct: (values) => ascending(distinctItems(itemsOfValue(values))),
  all_equal: (values) => new Set(itemsOfValue(values).map(keyOfValue)).size <= 1,
  any: (flags) => flags.some(Boolean),
  all: (flags) => flags.every(Boolean),
  count: (values, ...item) =>
    item.length
      ? itemsOfValue(values).filter((one) => keyOfValue(one) === keyOfValue(item[0])).length
      : values.filter(Boolean).length,
  span: (first, last) => {
    if (last - first >= MAX_ITEMS) throw new RuleFailure("OD421", `the list from ${first} to ${last} is too long`);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
  },
  rank: (values, i) => {
    const faces = ascending(itemsOfValue(values));
    if (i < 1 || i > faces.length)
      throw new RuleFailure("OD502", `rank ${i} of a ${values instanceof Hand ? "hand" : "list"} of ${faces.length}`);
    return faces[faces.length - i];
  },
  subsets,
  has_run: (values, k) => {
    const faces = new Set(itemsOfValue(values));
    return (
      k <= 0 || [...faces].some((start) => Array.from({ length: k }, (_, i) => start + i).every((f) => faces.has(f)))
    );
  },
};
