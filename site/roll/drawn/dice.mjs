// @ts-check
/** The dice of a roll, as a small picture beside its words. */

import { makeElement, makeSvgElement } from "./elements.mjs";

const MAX_DICE = 8; // dice that are drawn
const DICE = /(?<![\w.])(\d*)d(4|6|8|10|12|20|100|%)(?!\d)/g;
const ROLLED_ONCE = / with ([^()]*?) rolled once/g;
/** @type {Record<string, [string, string, number]>} the outline, the edges, and where the number stands */
const SHAPES = {
  4: ["M17 3L31 28H3z", "", 24],
  6: ["M7 4H27a3 3 0 0 1 3 3V27a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3V7a3 3 0 0 1 3-3z", "", 22],
  8: ["M17 2L31 17 17 32 3 17z", "M3 17H31", 15],
  10: ["M17 2L31 14V20L17 32 3 20V14z", "M17 2L9 18l8 5 8-5zM3 20l6-2M31 20l-6-2M17 23v9", 17],
  12: ["M17 2L30 11 26 29H8L4 11z", "M17 9l8 6-3 9H12L9 15zM17 2v7M30 11l-5 4M26 29l-4-5M8 29l4-5M4 11l5 4", 21],
  20: [
    "M17 2L30 9.500V24.500L17 32 4 24.500V9.500z",
    "M17 8L25 22H9zM17 2v6M4 9.500L17 8l13 1.500M4 24.500L9 22l8 10 8-10 5 2.500M4 9.500L9 22M30 9.500L25 22",
    20,
  ],
};

/** Draw the dice that the words of a question name; a sign stands for those that are too many.
 * @param {string} readAsText how a question was read */
export function drawNamedDice(readAsText) {
  const found = dicePickedUp(readAsText).flatMap(([, many, sides]) =>
    Array.from({ length: Math.min(Number(many || 1), MAX_DICE + 1) }, () => (sides === "%" ? "100" : sides)),
  );
  const drawn = found.slice(0, found.length > MAX_DICE ? MAX_DICE - 1 : MAX_DICE).map(drawDie);
  return makeElement(
    "span",
    { className: "od-dice-row", "aria-hidden": "true" },
    ...drawn,
    found.length > drawn.length ? "…" : "",
  );
}

/** The dice that somebody picks up, each once: what is rolled once may be named often, and one of several branches
 * counts. @param {string} readAsText how a question was read */
function dicePickedUp(readAsText) {
  const once = new Set([...readAsText.matchAll(ROLLED_ONCE)].flatMap(([, named]) => named.match(DICE) ?? []));
  const hasBranches = readAsText.includes(" else ");
  /** @type {Map<string, RegExpMatchArray>} */
  const found = new Map();
  for (const [place, die] of [...readAsText.matchAll(DICE)].entries()) {
    const [name, many, sides] = die;
    const key = once.has(name) ? name : hasBranches ? `d${sides} of a branch` : String(place);
    const before = found.get(key);
    if (!before || Number(many || 1) < Number(before[1] || 1)) found.set(key, die);
  }
  return [...found.values()];
}

/** Draw a die. @param {string} sides */
function drawDie(sides) {
  const [outline, edges, low] = SHAPES[sides === "100" ? "10" : sides];
  return makeSvgElement(
    "svg",
    { viewBox: "0 0 34 34", class: "od-die-small" },
    makeSvgElement("path", { d: outline }),
    makeSvgElement("path", { d: edges, class: "od-edge" }),
    makeSvgElement("text", { x: 17, y: low }, sides),
  );
}
