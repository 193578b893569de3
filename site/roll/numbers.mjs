// @ts-check
/** The numbers of answers as tables and lists. */

import { probabilityAt } from "./drawn/chart.mjs";
import { makeElement } from "./drawn/elements.mjs";

/** @typedef {import("./drawn/chart.mjs").Series} Series */
/** @typedef {import("./link.mjs").ProbabilityKind} Is */
/** @typedef {import("./display.mjs").Cell} Cell */

const GRADES = new URL("../../grades/", import.meta.url).href;
const MAX_ROWS = 300; // rows of a table that are there at once
const MAX_FRACTION_LENGTH = 40; // signs of a fraction that stands on a card
const HEADS = { exactly: "Exactly", least: "At least", most: "At most" };

/** The facts about one answer. @param {Series} series @returns {HTMLElement[]} */
export function factElements({ told, place }) {
  const { chance, mean, rows } = told;
  const grade = makeElement(
    "p",
    { className: "od-sure" },
    makeElement(
      "a",
      { className: `od-grade od-grade--${told.proven ? "exact" : "proven"}`, href: GRADES },
      told.proven ? "exact" : "proven to these digits",
    ),
    told.proven ? " Every case is counted. Nothing is simulated." : " What is left out is bounded by proof.",
  );
  if (chance) return [largeProbabilityElement(chance, place), grade];
  const likely = rows.reduce((one, two) => (two.cells[0].share > one.cells[0].share ? two : one));
  const [first, last] = [rows[0], rows[rows.length - 1]];
  const list = [
    ["Mean", mean ? mean.text : "none", mean && fractionText(mean)],
    ["Standard deviation", told.deviation || "none", ""],
    ["Median", told.median, "half are at most this"],
    ["Most likely", likely.name, likely.cells[0].text],
    ["Lowest", first.name, first.cells[0].text],
    told.beyond ? ["Highest", "none", "it goes on for ever"] : ["Highest", last.name, last.cells[0].text],
  ];
  const boxes = list.map(([head, number, more]) =>
    makeElement(
      "div",
      {},
      makeElement("dt", {}, head ?? ""),
      makeElement("dd", {}, number ?? "", makeElement("small", {}, more ?? "")),
    ),
  );
  return [makeElement("dl", { className: "od-known" }, ...boxes), grade];
}

/** A chance in large type, with a picture of that share of a hundred squares. @param {Cell} probability
 * @param {number} seriesIndex */
function largeProbabilityElement(probability, seriesIndex) {
  const squares = Array.from({ length: 100 }, (_, square) => {
    const part = Math.max(0, Math.min(1, probability.share * 100 - square));
    const mark = makeElement("i", { className: part ? "od-some" : "" });
    mark.style.setProperty("--part", `${(part * 100).toFixed(0)}%`);
    return mark;
  });
  const { share } = probability;
  const often = share > 0 && share <= 0.5 ? `1 in ${roundNumberText(1 / share)}` : "";
  const odds = share >= 0.9 && share < 1 ? `fails 1 time in ${roundNumberText(1 / (1 - share))}` : often;
  const more = [odds, fractionText(probability)].filter(Boolean).join(" · ");
  const [number] = probability.text.split("\u00a0").join(" ").split(" %");
  return makeElement(
    "div",
    { className: `od-big od-s${seriesIndex % 6}` },
    makeElement("p", { className: "od-huge" }, number, makeElement("small", {}, " %")),
    makeElement("p", { className: "od-odds-of" }, more),
    makeElement(
      "div",
      {
        className: "od-hundred",
        role: "img",
        "aria-label": `About ${Math.round(probability.share * 100)} of a hundred`,
      },
      ...squares,
    ),
  );
}

/** The fraction of a cell; empty if it is whole or too long. @param {Cell} cell */
const fractionText = ({ exact }) => (exact.includes("/") && exact.length <= MAX_FRACTION_LENGTH ? exact : "");

/** A number rounded to one decimal below 20, else to a whole number, as text. @param {number} number */
const roundNumberText = (number) => number.toLocaleString("en", { maximumFractionDigits: number < 20 ? 1 : 0 });

/** A table that compares several answers, a line for each.
 * @param {Series[]} series @param {Is} comparison @param {number} chosenValue @param {string} valueName */
export function comparisonTable(series, comparison, chosenValue, valueName) {
  const numbers = series.some(({ told }) => !told.chance);
  const heads = [
    "Roll",
    numbers ? `${HEADS[comparison]} ${valueName}` : "Chance",
    ...(numbers ? ["Mean", "Deviation", "Median"] : []),
  ];
  const lines = series.map(({ letter, place, label, told }) => {
    const badge = makeElement("span", { className: `od-badge od-s${place % 6}` }, letter);
    const cells = [
      (told.chance ?? probabilityAt(told, comparison, chosenValue)).text,
      ...(numbers ? (told.chance ? ["", "", ""] : [told.mean?.text ?? "", told.deviation, told.median]) : []),
    ];
    const words = told.readAs === label || told.name ? "" : told.readAs.replace(/\s+/g, " ");
    const names = makeElement("span", {}, label, makeElement("small", {}, words.length > 90 ? "" : words));
    return makeElement(
      "tr",
      {},
      makeElement("th", { scope: "row" }, makeElement("span", { className: "od-named" }, badge, names)),
      ...cells.map((text) => makeElement("td", {}, text)),
    );
  });
  const table = gridTable("Side by side", heads, lines);
  return table;
}

/** A table of every value with its chances.
 * @param {Series[]} series @param {Is} comparison @param {number} chosenValue @param {boolean} asFractions
 * @param {boolean} [showAllRows] */
export function valuesTable(series, comparison, chosenValue, asFractions, showAllRows) {
  const numbers = series.some(({ told }) => !told.chance) ? series.filter(({ told }) => !told.chance) : series;
  const one = numbers.length === 1;
  const names = new Map(numbers.flatMap(({ told }) => told.rows.map((row) => [row.value, row.name])));
  const order = [...names.keys()].sort((a, b) => a - b);
  const kept = showAllRows ? order : order.slice(0, MAX_ROWS);
  const show = (/** @type {Cell} */ cell) => (asFractions && cell.exact ? cell.exact : cell.text);
  const rows = one ? new Map(numbers[0].told.rows.map((row) => [row.value, row])) : null;
  const plain = one && numbers[0].told.chance;
  const lines = kept.map((value) => {
    const cells = rows
      ? (rows
          .get(value)
          ?.cells.slice(0, plain ? 1 : 3)
          .map(show) ?? [])
      : numbers.map(({ told }) => show(probabilityAt(told, comparison, value)));
    const marked = value === chosenValue && !plain ? "od-here" : "";
    return makeElement(
      "tr",
      { className: marked },
      makeElement("th", { scope: "row" }, names.get(value) ?? ""),
      ...cells.map((text) => makeElement("td", {}, text)),
    );
  });
  const heads = plain
    ? ["Answer", "Chance"]
    : one
      ? ["Value", ...Object.values(HEADS)]
      : ["Value", ...numbers.map(({ letter, label }) => `${letter}: ${label}`)];
  const beyond = numbers.filter(({ told }) => told.beyond);
  const rest = beyond.map(({ told, letter }) =>
    makeElement(
      "p",
      { className: "od-aside" },
      `${one ? "" : `${letter}: `}All further values together: ${told.beyond?.text}.`,
    ),
  );
  const caption = one ? "The chance of each value" : `The chance of ${HEADS[comparison].toLowerCase()} each value`;
  const box = makeElement("div", {}, gridTable(caption, heads, lines), ...rest);
  if (kept.length < order.length) {
    const more = () => box.replaceWith(valuesTable(series, comparison, chosenValue, asFractions, true));
    box.append(
      makeElement(
        "button",
        { type: "button", className: "od-button", onclick: more },
        `Show all ${order.length.toLocaleString("en")} values`,
      ),
    );
  }
  return box;
}

/** A table with a caption. @param {string} caption @param {string[]} columnHeads @param {HTMLElement[]} rows */
function gridTable(caption, columnHeads, rows) {
  const head = makeElement("tr", {}, ...columnHeads.map((text) => makeElement("th", { scope: "col" }, text)));
  const table = makeElement(
    "table",
    { className: "od-grid-table" },
    makeElement("caption", {}, caption),
    makeElement("thead", {}, head),
    makeElement("tbody", {}, ...rows),
  );
  return makeElement("div", { className: "od-scroll-box", tabIndex: 0, role: "region", "aria-label": caption }, table);
}
