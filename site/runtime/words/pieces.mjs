// @ts-check
/** What lies on a table beside dice: piles, tracks, tiles, bags and seats. Everything has the colour of the text, and
 * is read aloud as text. */

import { drawnHand, made, ROW, svg } from "./drawn.mjs";
import { make } from "./view.mjs";

/** @typedef {import("../rules/game.mjs").Game} Game */
/** @typedef {import("./sentences.mjs").Line} Line */
/** @typedef {import("./sentences.mjs").Member} Member */

const COLUMN = 5; // coins on top of each other
const MOST = 20; // coins that are drawn; the number beside them is always right
const COIN = { rx: 5, ry: 2, stroke: "currentColor", "fill-opacity": 0.15, fill: "currentColor" };
const TRACK = 72; // the length of a track in its own units
const STEPS = 24; // steps that are marked on it
const COLUMNED = { display: "inline-flex", flexDirection: "column" };
const CHIP = {
  borderStyle: "solid",
  borderWidth: "1px",
  borderRadius: ".35em",
  minWidth: "1.6em",
  paddingInline: ".3em",
  textAlign: "center",
};
const DOWN = { borderStyle: "dashed", opacity: ".55", textDecoration: "line-through" };
const SEAT = {
  ...CHIP,
  borderRadius: "50%",
  display: "inline-block",
  fontSize: ".8em",
  marginRight: ".5em",
  padding: "0",
};
const MOVES = { outlineStyle: "solid", outlineWidth: "2px", outlineOffset: "1px" };

/** What a variable holds, drawn where it can be. @param {Game} game @param {Line} line @returns {Node | string} */
export function drawnLine(game, { kind, show, members, values }) {
  const [first, ...more] = members;
  if (!more.length && kind === "hand") return drawnHand(game, first.value);
  if (show) {
    const draw = show === "pile" ? pile : track;
    const parts = members.map((member) => made("span", {}, ROW, member.of, draw(member), member.text));
    return made("span", { role: "img", "aria-label": values }, more.length ? COLUMNED : ROW, ...parts);
  }
  if (!members.every(({ of }) => of) || kind === "hand") return values;
  if (kind === "flag")
    return picture(
      values,
      members.map(({ of, value }) => made("span", {}, value ? CHIP : { ...CHIP, ...DOWN }, of)),
    );
  const some = members.filter(({ value }) => value !== 0);
  if (kind !== "number" || !some.length) return values;
  return picture(
    values,
    some.map(({ of, text }) => made("span", {}, CHIP, make("strong", {}, text), ` ${of}`)),
  );
}

/** The mark of a seat. @param {number} seat from 0 @param {boolean} moves */
export function drawnSeat(seat, moves) {
  return made(
    "span",
    { class: "od-seat", "aria-hidden": "true" },
    moves ? { ...SEAT, ...MOVES } : SEAT,
    String(seat + 1),
  );
}

/** @param {string} text what a reader of the screen hears @param {Node[]} parts */
function picture(text, parts) {
  return made("span", { role: "img", "aria-label": text }, ROW, ...parts);
}

/** A pile of coins. @param {Member} member */
function pile({ value }) {
  const coins = Array.from({ length: Math.max(0, Math.min(MOST, Number(value))) }, (_, at) => {
    const [column, height] = [Math.floor(at / COLUMN), at % COLUMN];
    return svg("ellipse", { ...COIN, cx: 6.5 + 12 * column, cy: 20 - 3.6 * height });
  });
  const width = 13 + 12 * Math.max(0, Math.ceil(coins.length / COLUMN) - 1);
  return svg(
    "svg",
    { viewBox: `0 0 ${width} 24`, width: `${width / 15}em`, height: "1.6em", "stroke-width": 1 },
    ...coins,
  );
}

/** A track from the least to the most that a number can be, filled as far as it is. @param {Member} member */
function track({ value, least, most }) {
  const steps = Math.max(1, most - least);
  const size = { y: 1, height: 8, rx: 2 };
  const edge = svg("rect", { ...size, x: 1, width: TRACK, fill: "none", stroke: "currentColor" });
  const reached = svg("rect", {
    ...size,
    x: 1,
    width: (TRACK * (value - least)) / steps,
    fill: "currentColor",
    "fill-opacity": 0.6,
  });
  const marks = steps > STEPS ? [] : Array.from({ length: steps - 1 }, (_, at) => mark(1 + (TRACK * (at + 1)) / steps));
  const all = { viewBox: `0 0 ${TRACK + 2} 10`, width: "5em", height: ".7em" };
  return svg("svg", all, reached, edge, ...marks);
}

/** @param {number} x */
const mark = (x) => svg("path", { d: `M${x} 2v6`, stroke: "currentColor", "stroke-opacity": 0.5 });
