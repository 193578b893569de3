// @ts-check
/** Drawings of dice: with pips if the die has them, else with the name of its face. They look the same in every
 * theme. */

import { makeFigure, styledElement, makeSvgElement } from "./elements.mjs";

const NEAR = 6.5; // from the edge of a die of 24 to the middle of a pip
const FAR = 24 - NEAR;
const FACE = "#f7efdc";
const SIDE = "#b8a372";
const EDGE = "#6d5a33";
const INK = "#2a1a10";
const LETTER = "#7f1f13"; // on the face of a die, 8.8:1
/** @type {Record<string, [number, number][]>} where the pips of a face are */
const PIPS = {
  0: [],
  1: [[12, 12]],
  2: [
    [NEAR, FAR],
    [FAR, NEAR],
  ],
  3: [
    [NEAR, FAR],
    [12, 12],
    [FAR, NEAR],
  ],
};
PIPS[4] = [...PIPS[2], [NEAR, NEAR], [FAR, FAR]];
PIPS[5] = [...PIPS[4], [12, 12]];
PIPS[6] = [...PIPS[4], [NEAR, 12], [FAR, 12]];
const LONG = {
  background: FACE,
  borderColor: EDGE,
  borderRadius: ".4em",
  borderStyle: "solid",
  borderWidth: "1.5px 1.5px 3px",
  color: INK,
  paddingInline: ".35em",
};

/** Draw a die that shows a face. @param {string} faceName of the face @param {boolean} asPips whether it shows that as
 * pips */
export function drawDieFace(faceName, asPips) {
  if (faceName.length > 2) return styledElement("span", { class: "od-die" }, LONG, faceName);
  const pips = asPips ? PIPS[faceName] : null;
  const text = { x: 12, y: 17, "text-anchor": "middle", "font-size": 14, "font-weight": 700 };
  const letter = /\d/.test(faceName) ? INK : LETTER;
  const marks = pips
    ? pips.map(([cx, cy]) => makeSvgElement("circle", { cx, cy, r: 2.3, fill: INK }))
    : [makeSvgElement("text", { ...text, fill: letter }, faceName)];
  const cube = { x: 1, width: 22, rx: 5 };
  const die = makeSvgElement(
    "svg",
    { viewBox: "0 0 24 26", width: "1.6em", height: "1.73em", class: "od-die" },
    makeSvgElement("rect", { ...cube, y: 3.5, height: 22, fill: SIDE, stroke: EDGE }),
    makeSvgElement("rect", { ...cube, y: 1, height: 21.5, fill: FACE, stroke: EDGE, "stroke-width": 0.8 }),
    makeSvgElement("path", {
      d: "M5 3h14",
      stroke: "#fff",
      "stroke-width": 1.2,
      "stroke-linecap": "round",
      opacity: 0.9,
    }),
    ...marks,
  );
  die.style.verticalAlign = "middle"; // not as an attribute, which the rules of some pages for safety forbid
  return die;
}

/** Draw the place where a die will lie. */
export function drawEmptyDiePlace() {
  const box = { x: 1.5, y: 2, width: 21, height: 21, rx: 5, fill: "none", stroke: "currentcolor" };
  const place = makeSvgElement(
    "svg",
    { viewBox: "0 0 24 26", width: "1.6em", height: "1.73em", class: "od-die-place", opacity: 0.55 },
    makeSvgElement("rect", { ...box, "stroke-width": 1.2, "stroke-dasharray": "3.5 2.8" }),
  );
  place.style.verticalAlign = "middle";
  return place;
}

/** Draw an upturned leather cup, which stands for covered dice. */
export function drawDiceCup() {
  const leather = { fill: "#7a4a24", stroke: "#2f1b0b", "stroke-width": 1.2, "stroke-linejoin": "round" };
  const seam = { fill: "none", stroke: "#e2b65d", "stroke-width": 1.2 };
  const drawn = makeFigure(
    [0, 0, 32, 34],
    2.1,
    makeSvgElement("ellipse", { cx: 16, cy: 31, rx: 15, ry: 3, fill: "#000", opacity: 0.3 }),
    makeSvgElement("path", { d: "M8 3h16l5 27a13 3 0 0 1-26 0z", ...leather }),
    makeSvgElement("ellipse", { cx: 16, cy: 3.5, rx: 8, ry: 2, ...leather, fill: "#9b6434" }),
    makeSvgElement("path", { d: "M6.500 12a10 2.400 0 0 0 19 0M4.500 24a12 2.800 0 0 0 23 0", ...seam }),
    makeSvgElement("path", {
      d: "M12 7l-2.500 19",
      fill: "none",
      stroke: "#c98a50",
      "stroke-width": 1.4,
      opacity: 0.7,
    }),
  );
  drawn.setAttribute("class", "od-cup");
  return drawn;
}
