// @ts-check
/** The numbers of answers as tables and lists. */

import { chanceAt } from "./drawn/chart.mjs";
import { make } from "./drawn/elements.mjs";

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
  const grade = make(
    "p",
    { className: "od-sure" },
    make(
      "a",
      { className: `od-grade od-grade--${told.proven ? "exact" : "proven"}`, href: GRADES },
      told.proven ? "exact" : "proven to these digits",
    ),
    told.proven ? " Every case is counted. Nothing is simulated." : " What is left out is bounded by proof.",
  );
  if (chance) return [largeChance(chance, place), grade];
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
    make("div", {}, make("dt", {}, head ?? ""), make("dd", {}, number ?? "", make("small", {}, more ?? ""))),
  );
  return [make("dl", { className: "od-known" }, ...boxes), grade];
}

/** A chance in large type, with a picture of that share of a hundred squares. @param {Cell} chance
 * @param {number} place */
function largeChance(chance, place) {
  const squares = Array.from({ length: 100 }, (_, square) => {
    const part = Math.max(0, Math.min(1, chance.share * 100 - square));
    const mark = make("i", { className: part ? "od-some" : "" });
    mark.style.setProperty("--part", `${(part * 100).toFixed(0)}%`);
    return mark;
  });
  const { share } = chance;
  const often = share > 0 && share <= 0.5 ? `1 in ${roundNumberText(1 / share)}` : "";
  const odds = share >= 0.9 && share < 1 ? `fails 1 time in ${roundNumberText(1 / (1 - share))}` : often;
  const more = [odds, fractionText(chance)].filter(Boolean).join(" · ");
  const [number] = chance.text.split("\u00a0").join(" ").split(" %");
  return make(
    "div",
    { className: `od-big od-s${place % 6}` },
    make("p", { className: "od-huge" }, number, make("small", {}, " %")),
    make("p", { className: "od-odds-of" }, more),
    make(
      "div",
      { className: "od-hundred", role: "img", "aria-label": `About ${Math.round(chance.share * 100)} of a hundred` },
      ...squares,
    ),
  );
}

/** The fraction of a cell; empty if it is whole or too long. @param {Cell} cell */
const fractionText = ({ exact }) => (exact.includes("/") && exact.length <= MAX_FRACTION_LENGTH ? exact : "");

/** A number rounded to one decimal below 20, else to a whole number, as text. @param {number} number */
const roundNumberText = (number) => number.toLocaleString("en", { maximumFractionDigits: number < 20 ? 1 : 0 });

/** A table that compares several answers, a line for each.
 * @param {Series[]} series @param {Is} is @param {number} at @param {string} name */
export function comparisonTable(series, is, at, name) {
  const numbers = series.some(({ told }) => !told.chance);
  const heads = [
    "Roll",
    numbers ? `${HEADS[is]} ${name}` : "Chance",
    ...(numbers ? ["Mean", "Deviation", "Median"] : []),
  ];
  const lines = series.map(({ letter, place, label, told }) => {
    const badge = make("span", { className: `od-badge od-s${place % 6}` }, letter);
    const cells = [
      (told.chance ?? chanceAt(told, is, at)).text,
      ...(numbers ? (told.chance ? ["", "", ""] : [told.mean?.text ?? "", told.deviation, told.median]) : []),
    ];
    const words = told.readAs === label || told.name ? "" : told.readAs.replace(/\s+/g, " ");
    const names = make("span", {}, label, make("small", {}, words.length > 90 ? "" : words));
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, make("span", { className: "od-named" }, badge, names)),
      ...cells.map((text) => make("td", {}, text)),
    );
  });
  const table = gridTable("Side by side", heads, lines);
  return table;
}

/** A table of every value with its chances.
 * @param {Series[]} series @param {Is} is @param {number} at @param {boolean} exact
 * @param {boolean} [all] */
export function valuesTable(series, is, at, exact, all) {
  const numbers = series.some(({ told }) => !told.chance) ? series.filter(({ told }) => !told.chance) : series;
  const one = numbers.length === 1;
  const names = new Map(numbers.flatMap(({ told }) => told.rows.map((row) => [row.value, row.name])));
  const order = [...names.keys()].sort((a, b) => a - b);
  const kept = all ? order : order.slice(0, MAX_ROWS);
  const show = (/** @type {Cell} */ cell) => (exact && cell.exact ? cell.exact : cell.text);
  const rows = one ? new Map(numbers[0].told.rows.map((row) => [row.value, row])) : null;
  const plain = one && numbers[0].told.chance;
  const lines = kept.map((value) => {
    const cells = rows
      ? (rows
          .get(value)
          ?.cells.slice(0, plain ? 1 : 3)
          .map(show) ?? [])
      : numbers.map(({ told }) => show(chanceAt(told, is, value)));
    const marked = value === at && !plain ? "od-here" : "";
    return make(
      "tr",
      { className: marked },
      make("th", { scope: "row" }, names.get(value) ?? ""),
      ...cells.map((text) => make("td", {}, text)),
    );
  });
  const heads = plain
    ? ["Answer", "Chance"]
    : one
      ? ["Value", ...Object.values(HEADS)]
      : ["Value", ...numbers.map(({ letter, label }) => `${letter}: ${label}`)];
  const beyond = numbers.filter(({ told }) => told.beyond);
  const rest = beyond.map(({ told, letter }) =>
    make(
      "p",
      { className: "od-aside" },
      `${one ? "" : `${letter}: `}All further values together: ${told.beyond?.text}.`,
    ),
  );
  const caption = one ? "The chance of each value" : `The chance of ${HEADS[is].toLowerCase()} each value`;
  const box = make("div", {}, gridTable(caption, heads, lines), ...rest);
  if (kept.length < order.length) {
    const more = () => box.replaceWith(valuesTable(series, is, at, exact, true));
    box.append(
      make(
        "button",
        { type: "button", className: "od-button", onclick: more },
        `Show all ${order.length.toLocaleString("en")} values`,
      ),
    );
  }
  return box;
}

/** A table with a caption. @param {string} caption @param {string[]} heads @param {HTMLElement[]} lines */
function gridTable(caption, heads, lines) {
  const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)));
  const table = make(
    "table",
    { className: "od-grid-table" },
    make("caption", {}, caption),
    make("thead", {}, head),
    make("tbody", {}, ...lines),
  );
  return make("div", { className: "od-scroll-box", tabIndex: 0, role: "region", "aria-label": caption }, table);
}
