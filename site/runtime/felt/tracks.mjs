// @ts-check
/** Drawings of brass tracks. */

import { makeFigure, makeSvgElement } from "./elements.mjs";

const STUDS = 10; // the most steps that are drawn as studs
const GROOVE_LENGTH = 120; // the length of a groove in its own units
const MAX_MARKED_STEPS = 24; // steps that are marked on a groove
// Colours of the ground on which a track lies; the second ones for a page without the sheet of styles.
const FULL = "var(--od-full, #e2b65d)";
const DARK = "var(--od-groove, #0d1f18)";
const LINE = "var(--od-groove-line, #cdb88a)";

/** Draw a track from the least to the greatest value of a number, filled up to its value.
 * @param {{value: number, least: number, most: number}} member */
export function drawBrassTrack({ value, least, most }) {
  const steps = Math.max(1, most - least);
  if (steps <= STUDS) {
    const studs = Array.from({ length: steps }, (_, at) => drawTrackStep(8 + 15 * at, at < value - least));
    return makeFigure([0, 0, 15 * steps + 1, 16], 1.1, ...studs);
  }
  const reached = (GROOVE_LENGTH * (value - least)) / steps;
  const marks =
    steps > MAX_MARKED_STEPS
      ? []
      : Array.from({ length: steps - 1 }, (_, at) => drawTrackStepMark((GROOVE_LENGTH * (at + 1)) / steps));
  const groove = { y: 3, height: 8, rx: 4 };
  return makeFigure(
    [-4, -1, GROOVE_LENGTH + 8, 16],
    1.1,
    makeSvgElement("rect", { ...groove, x: 0, width: GROOVE_LENGTH, fill: DARK, stroke: LINE }),
    makeSvgElement("rect", { ...groove, x: 0, width: reached, fill: FULL }),
    ...marks,
    makeSvgElement("circle", { cx: reached, cy: 7, r: 5.5, fill: FULL, stroke: DARK, "stroke-width": 1.5 }),
  );
}

/** Draw one step of a short track. @param {number} cx @param {boolean} isFilled */
function drawTrackStep(cx, isFilled) {
  const ring = { cx, cy: 8, r: 6, stroke: LINE, "stroke-width": 1.4 };
  return makeSvgElement(
    "circle",
    isFilled ? { ...ring, fill: FULL } : { ...ring, fill: DARK, "stroke-dasharray": "3 2" },
  );
}

/** Draw the mark of a step. @param {number} x */
const drawTrackStepMark = (x) => makeSvgElement("path", { d: `M${x} 4v6`, stroke: LINE, "stroke-opacity": 0.6 });
