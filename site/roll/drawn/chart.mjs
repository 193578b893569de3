// @ts-check
/** Distributions as one picture. Each has a letter, a pattern or a dash and a shape, so that none is told by colour. */

import { makeSvgElement } from "./elements.mjs";
import { makeScale, tickValues } from "./scale.mjs";

/** @typedef {import("../display.mjs").ShownDistribution} Told */
/** @typedef {import("../display.mjs").Row} Row */
/** @typedef {import("../link.mjs").ProbabilityKind} Is */
/** @typedef {{letter: string, place: number, label: string, told: Told}} Series */
/** @typedef {{width: number, high: number, is: Is, at: number, curves: boolean}} Look */
/** @typedef {{picture: SVGElement, value: ((x: number) => number) | null, cut: boolean}} Chart
 *   `value`: the one at a place of the picture, where there are several */

const COLOURS = 6;
const AXIS = 30; // pixels below the bars
const HEAD = 30; // above the bars of one among several
const WIDE_LAYOUT_FROM = 720; // from here on, names stand beside their bars
const [NAMES, NUMBERS] = [210, 104]; // pixels for them there
const PATTERNS = ["", "M0 8L8 0", "M4 2v.01M0 6v.01M8 6v.01", "M0 0L8 8M0 8L8 0", "M0 4H8", "M4 0V8"];
const DASHES = ["", "9 5", "2 5", "14 4 3 4", "5 3", "12 4 2 4 2 4"];
/** @type {((r: number) => string)[]} */
const SHAPES = [
  (r) => `m${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
  (r) => `m${-r} ${-r}h${2 * r}v${2 * r}h${-2 * r}z`,
  (r) => `m0 ${-r * 1.2}l${r * 1.2} ${2 * r}h${-2.4 * r}z`,
  (r) => `m0 ${-r * 1.3}l${r * 1.3} ${r * 1.3}l${-r * 1.3} ${r * 1.3}l${-r * 1.3} ${-r * 1.3}z`,
  (r) => `m${-r} ${-r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`,
  (r) => `m0 ${-r}v${2 * r}m${-r} ${-r}h${2 * r}`,
];

/** The cell of a row for exactly, at least or at most its value. @param {Row} row @param {Is} comparison */
export const probabilityCellOfRow = (row, comparison) =>
  row.cells[comparison === "exactly" ? 0 : comparison === "least" ? 1 : 2];

/** The chance of exactly, at least or at most a value, which need not be among the rows.
 * @param {Told} distribution @param {Is} comparison @param {number} at */
export function probabilityAt(distribution, comparison, at) {
  const none = { share: 0, text: "0 %", exact: "0" };
  const sure = { share: 1, text: "100 %", exact: "1" };
  const { rows } = distribution;
  const [first, last] = [rows[0], rows[rows.length - 1]];
  if (comparison === "exactly") return rows.find(({ value }) => value === at)?.cells[0] ?? none;
  const row =
    comparison === "least" ? rows.find(({ value }) => value >= at) : rows.findLast(({ value }) => value <= at);
  if (row) return probabilityCellOfRow(row, comparison);
  return comparison === "least"
    ? at > last.value
      ? (distribution.beyond ?? none)
      : sure
    : at < first.value
      ? none
      : sure;
}

/** Whether a value counts as exactly, at least or at most the chosen one. @param {number} value @param {Is} comparison
 * @param {number} chosenValue the chosen value */
const isCounted = (value, comparison, chosenValue) =>
  comparison === "exactly"
    ? value === chosenValue
    : comparison === "least"
      ? value >= chosenValue
      : value <= chosenValue;

/** Draw distributions as curves, bars or rows, whichever fits. @param {Series[]} series @param {Look} look
 * @returns {Chart} */
export function drawChart(series, look) {
  const numbers = series.filter(({ told }) => !told.chance);
  if (look.curves && numbers.length) return drawCurveChart(numbers, look);
  return numbers.length && series.length === 1
    ? drawBarChart(series[0], look)
    : drawDistributionRows(series, numbers, look);
}

/** Make the picture of a chart, with the patterns that its bars use. @param {number} width @param {number} height
 * @param {string} description for screen readers @param {...(Node | string)} children */
function makeChartSvg(width, height, description, ...children) {
  const marks = PATTERNS.map((path, place) =>
    makeSvgElement(
      "pattern",
      { id: `od-p${place}`, width: 8, height: 8, patternUnits: "userSpaceOnUse", class: `od-s${place}` },
      makeSvgElement("rect", { width: 8, height: 8, class: "od-fill" }),
      makeSvgElement("path", { d: path, class: "od-mark" }),
    ),
  );
  const look = {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "img",
    "aria-label": description,
    class: "od-odds",
  };
  return makeSvgElement("svg", look, makeSvgElement("defs", {}, ...marks), ...children);
}

/** Draw one distribution as bars. @param {Series} one @param {Look} look @returns {Chart} */
function drawBarChart({ told, label }, { width, high, is, at }) {
  const scale = makeScale([told], 0, width);
  const top = highestProbability([told], scale);
  const room = scale.slot >= 33 ? 20 : 4;
  const parts = barElements(told, scale, { is, at, base: high, tall: high - room, top, pattern: 0 });
  const named = told.rows.filter(({ value }) => scale.slot >= 33 && scale.shown(value));
  const tops = named.map(({ value, cells: [{ share }] }) =>
    drawText(
      percentNumberText(share),
      slotMiddleX(scale, value),
      high - (high - room) * (share / top) - 6,
      value === at ? "od-now" : "",
    ),
  );
  const line = chosenValueLine(scale, is, at, 0, high);
  const words = `Chances of each value of ${label}. The table has them all.`;
  const axis = axisElements([told], scale, at, high);
  return {
    picture: makeChartSvg(width, high + AXIS, words, ...parts, ...tops, ...line, ...axis),
    value: scale.near,
    cut: scale.cut,
  };
}

/** Draw several distributions, one below the other over one scale. @param {Series[]} series @param {Series[]}
 * numberSeries
 * @param {Look} look
 * @returns {Chart} */
function drawDistributionRows(series, numberSeries, { width, is, at }) {
  const wide = width >= WIDE_LAYOUT_FROM;
  const [start, end] = wide ? [NAMES, width - NUMBERS] : [0, width];
  const tolds = numberSeries.map(({ told }) => told);
  const scale = numberSeries.length ? makeScale(tolds, start, end - start) : null;
  const top = scale ? highestProbability(tolds, scale) : 1;
  const tall = wide ? 66 : 46;
  const step = tall + (wide ? 8 : HEAD + 8);
  const parts = series.flatMap(({ letter, place, label, told }, row) => {
    const base = (row + 1) * step - 1;
    const head = wide ? base - tall / 2 - 12 : row * step + 8;
    const cell = told.chance ?? probabilityAt(told, is, at);
    const colour = place % COLOURS;
    const mean = told.chance ? "chance" : told.mean && `mean ${told.mean.text}`;
    const room = wide ? (NAMES - 46) / 8.2 : (width - 128) / 8.2;
    const heading = [
      makeSvgElement("rect", { x: 0, y: head, width: 26, height: 26, rx: 7, class: `od-s${colour} od-fill` }),
      drawText(letter, 13, head + 18, "od-letter"),
      drawText(shortenLabel(label, room), 36, head + (wide ? 11 : 18), "od-label"),
      ...(wide ? [drawText(mean || "", 36, head + 28, "od-start")] : []),
      drawText(cell.text, width, head + 18, "od-share"),
    ];
    const drawn = told.chance
      ? drawProbabilityBar(start, base - tall / 2 - 8, end - start, cell.share, colour)
      : scale
        ? barElements(told, scale, { is, at, base, tall: tall - 4, top, pattern: colour })
        : [];
    return [...heading, ...drawn, makeSvgElement("path", { d: `M0 ${base}H${width}`, class: "od-rule-line" })];
  });
  const low = series.length * step - 1;
  const line = scale ? [...chosenValueLine(scale, is, at, 0, low), ...axisElements(tolds, scale, at, low)] : [];
  const words = `${series.length} rolls, one below the other. The table has all numbers.`;
  const whole = makeChartSvg(width, low + (scale ? AXIS : 2), words, ...parts, ...line);
  return { picture: whole, value: scale && scale.near, cut: !!scale?.cut };
}

/** Draw a chance as the filled part of a beam. @param {number} x @param {number} y @param {number} width @param
 * {number} probability
 * @param {number} colour */
const drawProbabilityBar = (x, y, width, probability, colour) => [
  makeSvgElement("rect", { x: x + 0.5, y, width: width - 1, height: 18, rx: 4, class: "od-off" }),
  makeSvgElement("rect", {
    x: x + 0.5,
    y,
    width: Math.max(0, (width - 1) * probability),
    height: 18,
    rx: 4,
    class: `od-s${colour} od-on`,
    fill: `url(#od-p${colour})`,
  }),
];

/** Draw several distributions as lines over the values. @param {Series[]} series @param {Look} look @returns {Chart} */
function drawCurveChart(series, { width, high, is, at }) {
  const tolds = series.map(({ told }) => told);
  const scale = makeScale(tolds, 42, width - 50);
  const [base, room] = [high, 12];
  const top = is === "exactly" ? highestProbability(tolds, scale) : 1;
  const steps = [0.25, 0.5, 0.75, 1].map((part) => part * (is === "exactly" ? roundUpProbability(top) : 1));
  const y = (/** @type {number} */ share) => base - (base - room) * (share / steps[3]);
  const grid = steps.flatMap((share) => [
    makeSvgElement("path", { d: `M42 ${y(share)}H${width}`, class: "od-grid" }),
    drawText(percentNumberText(share, share * 100 < 10), 36, y(share) + 4, "od-end"),
  ]);
  const lines = series.flatMap(({ told, letter, place }, order) => {
    const points = scale.values.map((value) => ({
      x: slotMiddleX(scale, value),
      share: probabilityAt(told, is, value).share,
    }));
    const path = `M${points.map(({ x, share }) => `${roundToHundredths(x)} ${roundToHundredths(y(share))}`).join("L")}`;
    const shape = SHAPES[place % COLOURS];
    const dots =
      scale.slot < 13
        ? ""
        : points.map(({ x, share }) => `M${roundToHundredths(x)} ${roundToHundredths(y(share))}${shape(3.2)}`).join("");
    const aim = series.length === 1 ? 0.5 : 0.82 - (0.64 * order) / (series.length - 1);
    const best = points.reduce((one, two) =>
      is === "exactly"
        ? two.share > one.share
          ? two
          : one
        : Math.abs(two.share - aim) < Math.abs(one.share - aim)
          ? two
          : one,
    );
    const name =
      series.length > 1
        ? [
            makeSvgElement("circle", { cx: best.x, cy: y(best.share), r: 11, class: "od-fill" }),
            drawText(letter, best.x, y(best.share) + 5, "od-letter"),
          ]
        : [];
    return [
      makeSvgElement(
        "g",
        { class: `od-s${place % COLOURS}` },
        makeSvgElement("path", { d: path, class: "od-line-path", "stroke-dasharray": DASHES[place % COLOURS] }),
        makeSvgElement("path", { d: dots, class: "od-dots" }),
        ...name,
      ),
    ];
  });
  const line = scale.shown(at)
    ? [makeSvgElement("path", { d: `M${slotMiddleX(scale, at)} ${room}V${base}`, class: "od-cut" })]
    : [];
  const words = `${series.map(({ letter, label }) => `${letter}: ${label}`).join("; ")}. The table has all numbers.`;
  const whole = makeChartSvg(
    width,
    base + AXIS,
    words,
    ...grid,
    ...line,
    ...lines,
    ...axisElements(tolds, scale, at, base, 42),
  );
  return { picture: whole, value: scale.near, cut: scale.cut };
}

/** The bars of a distribution, as elements. @param {Told} distribution @param {import("./scale.mjs").Scale} scale
 * @param {{is: Is, at: number, base: number, tall: number, top: number, pattern: number}} look */
function barElements(distribution, scale, { is, at, base, tall, top, pattern }) {
  const gap = scale.slot >= 5 ? Math.min(5, scale.slot * 0.14) : 0;
  const paths = { on: "", off: "" };
  for (const { value, cells } of distribution.rows) {
    if (!scale.shown(value) || !cells[0].share) continue;
    const wide = scale.slot - gap;
    const high = Math.max(1, tall * (cells[0].share / top));
    const r = Math.min(4, wide / 3, high / 2);
    const bend = gap
      ? `q0 ${-r} ${r} ${-r}h${roundToHundredths(wide - 2 * r)}q${r} 0 ${r} ${r}`
      : `v${-r}h${roundToHundredths(wide)}v${r}`;
    const path = `M${roundToHundredths(scale.left(value) + gap / 2)} ${base}v${roundToHundredths(r - high)}${bend}V${base}z`;
    paths[isCounted(value, is, at) ? "on" : "off"] += path;
  }
  return [
    makeSvgElement("path", { d: paths.off, class: `od-off${gap ? "" : " od-plain"}` }),
    makeSvgElement("path", { d: paths.on, class: `od-s${pattern} od-on`, fill: `url(#od-p${pattern})` }),
  ];
}

/** The line between the values that count and the others, in a list; empty if there is none. @param
 * {import("./scale.mjs").Scale} scale @param {Is} comparison
 * @param {number} chosenValue @param {number} top @param {number} bottom */
function chosenValueLine(scale, comparison, chosenValue, top, bottom) {
  if (comparison === "exactly" || !scale.shown(chosenValue)) return [];
  const x = scale.left(chosenValue) + (comparison === "least" ? 0 : scale.slot);
  return [makeSvgElement("path", { d: `M${roundToHundredths(x)} ${top}V${bottom}`, class: "od-cut" })];
}

/** The axis below a picture with the names of some values, as elements. @param {Told[]} distributions
 * @param {import("./scale.mjs").Scale} scale @param {number} chosenValue the chosen value @param {number} baselineY
 * @param {number} [startX] */
function axisElements(distributions, scale, chosenValue, baselineY, startX) {
  const names = new Map(distributions.flatMap(({ rows }) => rows.map(({ value, name }) => [value, name])));
  const name = (/** @type {number} */ value) => names.get(value) ?? String(value).replace("-", "−");
  const from = startX ?? scale.left(scale.values[0]);
  return [
    makeSvgElement("path", { d: `M${from} ${baselineY + 0.5}h${scale.slot * scale.values.length}`, class: "od-axis" }),
    ...tickValues(scale, name, chosenValue).map((value) =>
      drawText(name(value), slotMiddleX(scale, value), baselineY + 20, value === chosenValue ? "od-now" : ""),
    ),
  ];
}

/** The highest chance of a value that the scale shows. @param {Told[]} distributions
 * @param {import("./scale.mjs").Scale} scale */
const highestProbability = (distributions, scale) =>
  Math.max(
    ...distributions.flatMap(({ rows }) =>
      rows.filter(({ value }) => scale.shown(value)).map(({ cells }) => cells[0].share),
    ),
  );

/** The middle of the place of a value, in pixels. @param {import("./scale.mjs").Scale} scale @param {number} value */
const slotMiddleX = (scale, value) => scale.left(value) + scale.slot / 2;

/** Round a chance up to a number with one digit, for the top of an axis. @param {number} probability */
function roundUpProbability(probability) {
  const unit = 10 ** Math.floor(Math.log10(probability));
  return unit * ([1, 2, 4, 6, 8, 10].find((each) => each * unit >= probability) ?? 10);
}

/** A chance in percent as a number without a sign. @param {number} probability @param {boolean} [withDecimal] with one
 * decimal */
const percentNumberText = (probability, withDecimal = true) =>
  (probability * 100).toFixed(withDecimal && probability < 0.995 ? 1 : 0);

/** Round a number of pixels. @param {number} number */
const roundToHundredths = (number) => Math.round(number * 100) / 100;

/** Cut a label that is too long. @param {string} label @param {number} maxCharacters characters */
const shortenLabel = (label, maxCharacters) =>
  label.length > maxCharacters ? `${label.slice(0, Math.floor(maxCharacters) - 1)}…` : label;

/** Draw a text. @param {string} text @param {number} x @param {number} y @param {string} className its class */
const drawText = (text, x, y, className) =>
  makeSvgElement("text", { x: roundToHundredths(x), y: roundToHundredths(y), class: className }, text);
