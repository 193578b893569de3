// @ts-check
/** Drawings of seats: a medal with a picture or a letter for each seat, a candle, a crown and a lamp. */

import { makeFigure, styledElement, makeElement, makeSvgElement } from "./elements.mjs";

/** The colours of the seats in turn; white text on each is at least 4.5:1. */
export const SEAT_COLOURS = ["#a23c29", "#2f6b8f", "#6c4a8e", "#37703d", "#8f5d0c", "#4d5560"];

/** The colour of a seat. @param {number} seat */
export const seatColour = (seat) => SEAT_COLOURS[seat % SEAT_COLOURS.length];

/** The letters on the medals: the first letter of each name, or the seats' numbers if two names begin alike.
 * @param {readonly string[]} names @returns {string[]} */
export function seatMarks(names) {
  const letters = names.map((name) => [...name.trim()][0]?.toUpperCase() ?? "");
  const apart = new Set(letters).size === letters.length && letters.every((letter) => /\p{L}/u.test(letter));
  return apart ? letters : names.map((_, seat) => String(seat + 1));
}

/** Draw the medal of a seat. @param {number} seat from 0 @param {string} mark
 * @param {string} [image] address of a picture */
export function drawSeatMedal(seat, mark, image = "") {
  const inside = image
    ? makeElement("img", { class: "od-portrait", src: image, alt: "", width: 32, height: 32, loading: "lazy" })
    : mark;
  return styledElement("span", { class: "od-seat", "aria-hidden": "true" }, { background: seatColour(seat) }, inside);
}

/** Draw a burning candle. */
export function drawTurnCandle() {
  const wax = { fill: "#f6ead0", stroke: "#8b774d", "stroke-width": 0.8 };
  const brass = { fill: "#dcae55", stroke: "#5c3c10" };
  const lit = makeFigure(
    [0, 0, 26, 52],
    3,
    makeSvgElement("path", { d: "M3 46a10 4 0 0 0 20 0v-3H3z", ...brass }),
    makeSvgElement("path", { d: "M7 22h12v22H7z", ...wax }),
    makeSvgElement("path", { d: "M7 22c0-2 12-2 12 0 0 4-2 3-2 8s-3 3-3-1-2-4-3-3-4 1-4-4z", fill: "#fff8e6" }),
    makeSvgElement("path", { d: "M13 21v-4", stroke: "#4a3318", "stroke-width": 1.6 }),
    makeSvgElement(
      "g",
      { class: "od-flame" },
      makeSvgElement("path", { d: "M13 1c4 6 6 9 6 12a6 6 0 0 1-12 0c0-3 2-6 6-12z", fill: "#f39a2e" }),
      makeSvgElement("path", { d: "M13 6c2.500 4 4 6 4 8a4 4 0 0 1-8 0c0-2 1.500-4 4-8z", fill: "#ffdf85" }),
      makeSvgElement("path", { d: "M13 11c1.500 2 2 3 2 4a2 2 0 0 1-4 0c0-1 .5-2 2-4z", fill: "#fffbe6" }),
    ),
  );
  lit.setAttribute("class", "od-candle");
  return lit;
}

/** Draw a crown for the medal of a winner. */
export function drawCrown() {
  const gold = { fill: "#f5d994", stroke: "#5c3c10", "stroke-width": 1.2, "stroke-linejoin": "round" };
  const drawn = makeFigure(
    [0, 0, 24, 18],
    1.1,
    makeSvgElement("path", { d: "M3 16V5l5 5 4-8 4 8 5-5v11z", ...gold }),
    makeSvgElement("path", { d: "M3 13h18", fill: "none", stroke: "#5c3c10" }),
  );
  drawn.setAttribute("class", "od-crown");
  return drawn;
}

/** Draw a lamp for yes or no: a filled ring with a tick, or an empty ring. @param {boolean} isOn */
export function drawYesNoLamp(isOn) {
  const ring = makeSvgElement("circle", {
    cx: 8,
    cy: 8,
    r: 6,
    fill: isOn ? "currentColor" : "none",
    stroke: "currentColor",
    "stroke-width": 1.5,
  });
  const tick = {
    d: "M5 8l2.200 2.500L11 5.500",
    fill: "none",
    stroke: "var(--od-tick, #fff)",
    "stroke-width": 1.8,
    "stroke-linecap": "round",
  };
  return makeFigure([0, 0, 16, 16], 1, ring, ...(isOn ? [makeSvgElement("path", tick)] : []));
}
