// @ts-check
/** The best option over one number or two, as a picture with its legend. */

import { makeSvgElement } from "../runtime/felt/elements.mjs";
import { makeElement } from "../runtime/words/view.mjs";

/** @typedef {[first: number, last: number, option: number, played: boolean]} Run */
/** @typedef {{phase: string, where: string, down: string, across: string, options: string[], least: number,
 *   below: number, columns: {at: number | null, runs: Run[]}[]}} Chart */
/** @typedef {{name: string, first: number, last: number, long: number}} Axis `long`: of one unit, in the picture */

const [WIDE, HIGH, STRIP, EDGE] = [560, 300, 40, 44]; // of the picture, of a strip, and of the room for numbers
const NUMBERS = 8; // beside an axis, at the most
const COLOURS = 4;

/** Draw a chart with its axes and its legend. @param {Chart} chart @returns {HTMLElement} */
export function chartFigure(chart) {
  const { phase, where, down, across, options, columns, least, below } = chart;
  const last = columns[columns.length - 1];
  const up = makeAxis(down, least, below - 1, across ? HIGH : WIDE);
  const along = across ? makeAxis(across, columns[0].at ?? 0, last.at ?? 0, WIDE) : up;
  const high = across ? HIGH : STRIP;
  const rows = columns.flatMap(({ at, runs }) =>
    runs
      .map((run) => /** @type {Run} */ ([Math.max(run[0], least), Math.min(run[1], below - 1), run[2], run[3]]))
      .filter(([first, end]) => first <= end)
      .map(([first, end, option, played]) => {
        const size = (end - first + 1) * up.long;
        const place = across
          ? { x: EDGE + ((at ?? 0) - along.first) * along.long, y: HIGH - (first - least) * up.long - size }
          : { x: EDGE + (first - least) * up.long, y: 0 };
        const shape = across ? { width: along.long, height: size } : { width: size, height: STRIP };
        return makeSvgElement("rect", {
          ...place,
          ...shape,
          class: `od-f${option % COLOURS}${played ? "" : " od-unmet"}`,
        });
      }),
  );
  const marks = [
    ...axisTickValues(along).map((each) =>
      drawLabel(String(each), EDGE + (each - along.first + 0.5) * along.long, high + 18),
    ),
    drawLabel(along.name, EDGE + WIDE / 2, high + 36),
    ...(across
      ? axisTickValues(up).map((each) => drawLabel(String(each), EDGE / 2, HIGH - (each - least + 0.2) * up.long))
      : []),
    ...(across ? [drawLabel(down, EDGE + 4, -8, "start")] : []),
  ];
  const words = across ? `${across} across and ${down} up` : down;
  const box = `0 ${across ? -24 : 0} ${EDGE + WIDE + 12} ${high + (across ? 68 : 44)}`;
  const title = [phase.replaceAll("_", " "), where].filter(Boolean).join(", ");
  const picture = makeSvgElement("svg", {
    viewBox: box,
    role: "img",
    "aria-label": `What is best in ${title}, by ${words}`,
  });
  picture.append(...rows, ...marks);
  return makeElement(
    "figure",
    { class: "od-best" },
    makeElement("figcaption", {}, title),
    picture,
    drawLegend(options, columns),
  );
}

/** Make an axis. @param {string} name @param {number} first @param {number} last @param {number} pixels
 * @returns {Axis} */
const makeAxis = (name, first, last, pixels) => ({ name, first, last, long: pixels / (last - first + 1) });

/** Round numbers beside an axis. @param {Axis} axis */
function axisTickValues({ first, last }) {
  const step =
    [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((each) => (last - first) / each < NUMBERS) ?? last - first;
  const start = Math.ceil(first / step) * step;
  return Array.from({ length: Math.floor((last - start) / step) + 1 }, (_, place) => start + place * step);
}

/** Draw a text in the picture. @param {string} text @param {number} x @param {number} y @param {string} [anchor] */
const drawLabel = (text, x, y, anchor = "middle") => makeSvgElement("text", { x, y, "text-anchor": anchor }, text);

/** Draw the legend: each option with its colour. @param {string[]} options @param {Chart["columns"]} columns */
function drawLegend(options, columns) {
  const runs = columns.flatMap((column) => column.runs);
  const swatch = (/** @type {string} */ kind) =>
    makeSvgElement(
      "svg",
      { viewBox: "0 0 16 16", "aria-hidden": "true" },
      makeSvgElement("rect", { width: 16, height: 16, class: kind }),
    );
  const used = [...new Set(runs.map(([, , option]) => option))].sort((a, b) => a - b);
  const items = used.map((option) => makeElement("li", {}, swatch(`od-f${option % COLOURS}`), options[option]));
  if (runs.some(([, , , played]) => !played)) items.push(makeElement("li", {}, "Paler: best play never gets there."));
  return makeElement("ul", { class: "od-legend" }, ...items);
}
