// @ts-check
/** The card of one question: how it was read, its numbers, a chart, and where a roll lies. */

import { barChart, outcomeText } from "./bars.mjs";
import { make } from "./elements.mjs";
import { decimalText, luckOf, chanceText } from "./figures.mjs";
import { say } from "./words.mjs";

/** @typedef {import("./reply.mjs").Figure} Figure */
/** @typedef {import("./reply.mjs").Found} Found */
/** @typedef {import("./reply.mjs").Reply} Reply */
/** @typedef {import("./reply.mjs").Wrong} Wrong */

const MAX_ROWS = 200; // rows of a table
const MAX_FRACTION_LENGTH = 60; // characters of a fraction that is shown

/** The content of a card. @param {string} question @param {Reply} reply
 * @param {number | null} total what was rolled, where it is about a roll */
export function cardContent(question, reply, total) {
  if ("wrong" in reply) return wrongContent(question, reply.wrong);
  const { found } = reply;
  const parts = Object.entries(found.parts ?? {});
  return [
    make("p", { class: "od-question" }, make("code", {}, question)),
    make("p", { class: "od-read" }, say("ODDSMITH.Odds.Read", { words: withoutFirstName(found, parts) })),
    ...[...(found.note ? [found.note] : []), ...found.notes].map((text) => make("p", { class: "od-note" }, text)),
    ...(parts.length
      ? [make("ul", { class: "od-parts" }, ...parts.map(([name, part]) => partLine(name, part)))]
      : distributionParts(found, total)),
    ...otherWays(found, total),
  ];
}

/** How a question was read, in words, without the name of its first part at the end. @param {Found} found
 * @param {[string, Found][]} parts */
const withoutFirstName = ({ read_as: words }, [first]) =>
  first && words.endsWith(`: ${first[0]}`) ? words.slice(0, -first[0].length - 2) : words;

/** The content of a card as plain text, for people without the module.
 * @param {string} question @param {Reply} reply
 * @param {number | null} total */
export function plainLines(question, reply, total) {
  if ("wrong" in reply) return [question, reply.wrong.message];
  const { found } = reply;
  const lines = [question, figuresText(found)];
  const luck = total === null ? null : luckOf(found, total);
  return luck ? [...lines, luckText(luck)] : lines;
}

/** The parts of a card about one distribution. @param {Found} found @param {number | null} total */
function distributionParts(found, total) {
  const luck = total === null ? null : luckOf(found, total);
  const shown = found.kind === "chance" ? [chanceParagraph(found)] : [measureList(found)];
  const here = luck && luck.outcome;
  return [
    ...shown,
    ...(total === null ? [] : [luckParagraph(luck, total)]),
    barChart(found, here),
    ...(found.kind === "chance" ? [] : [valuesTable(found, here)]),
  ];
}

/** A button with a number, whose fraction appears when somebody points at it or presses it.
 * @param {Figure} figure @param {(figure: Figure) => string} written @param {string} [mark] */
function figureButton(figure, written, mark = "od-figure") {
  const text = written(figure);
  const exact = figure.exact && figure.exact.length <= MAX_FRACTION_LENGTH ? figure.exact : null;
  const told = exact ?? say(figure.exact ? "ODDSMITH.Odds.LongFraction" : "ODDSMITH.Odds.Proven");
  const made = make("button", { type: "button", class: mark, title: told, "aria-label": `${text}, ${told}` }, text);
  made.addEventListener("click", () => (made.textContent = made.textContent === text ? told : text));
  return made;
}

/** A paragraph with a probability. @param {Found} found */
const chanceParagraph = (found) =>
  make("p", {}, figureButton(/** @type {Figure} */ (found.chance), chanceText, "od-figure od-large"));

/** A list with mean and standard deviation. @param {Found} found */
function measureList({ mean, standard_deviation: deviation }) {
  const pairs = /** @type {[string, Figure | null][]} */ ([
    [say("ODDSMITH.Odds.Mean"), mean],
    [say("ODDSMITH.Odds.Deviation"), deviation],
  ]);
  return make(
    "dl",
    {},
    ...pairs.flatMap(([name, each]) => [
      make("dt", {}, name),
      make("dd", {}, each ? figureButton(each, decimalText) : say("ODDSMITH.Odds.None")),
    ]),
  );
}

/** A paragraph that says where a roll lies in its distribution. @param {import("./figures.mjs").Luck | null} luck
 * @param {number} total */
function luckParagraph(luck, total) {
  if (!luck) return make("p", { class: "od-luck" }, say("ODDSMITH.Odds.Impossible", { total: String(total) }));
  const fractions = [luck.below, luck.equal, luck.above].map(({ exact }) => exact ?? "");
  const title = fractions.every((text) => text && text.length <= MAX_FRACTION_LENGTH) ? fractions.join(", ") : "";
  const rolled = make("strong", {}, say("ODDSMITH.Odds.Rolled", { total: String(total).replace("-", "−") }));
  return make("p", { class: "od-luck", title }, rolled, ` ${luckText(luck)}`);
}

/** A sentence with the chances of less, the same and more. @param {import("./figures.mjs").Luck} luck */
const luckText = ({ below, equal, above }) =>
  say("ODDSMITH.Odds.Luck", { below: chanceText(below), equal: chanceText(equal), above: chanceText(above) });

/** A table of every value with its chances. @param {Found} found @param {string | null} here */
function valuesTable({ outcomes }, here) {
  const heads = ["ODDSMITH.Odds.Value", "ODDSMITH.Odds.Exactly", "ODDSMITH.Odds.AtMost"].map((key) =>
    make("th", { scope: "col" }, say(key)),
  );
  const rows = outcomes.slice(0, MAX_ROWS).map((each) => {
    const row = make(
      "tr",
      {},
      make("th", { scope: "row" }, outcomeText(each.outcome)),
      ...[each, each.at_most].map((cell) => make("td", { title: cell.exact ?? "" }, chanceText(cell))),
    );
    if (each.outcome === here) row.classList.add("od-here");
    return row;
  });
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows));
  return make("details", {}, make("summary", {}, say("ODDSMITH.Odds.All")), table);
}

/** A line for one of several distributions. @param {string} name @param {Found} found */
const partLine = (name, found) => make("li", {}, make("span", {}, name), make("span", {}, figuresText(found)));

/** The main numbers of a distribution in one line of text: a chance, or mean and standard deviation. @param {Found}
 * found */
function figuresText({ kind, chance, mean, standard_deviation: deviation }) {
  if (kind === "chance" && chance)
    return chance.exact ? `${chanceText(chance)} (${shortFraction(chance.exact)})` : chanceText(chance);
  const none = say("ODDSMITH.Odds.None");
  return say("ODDSMITH.Odds.Measures", {
    mean: mean ? decimalText(mean) : none,
    deviation: deviation ? decimalText(deviation) : none,
  });
}

/** A fraction, or a text instead if it is too long. @param {string} fraction */
const shortFraction = (fraction) =>
  fraction.length <= MAX_FRACTION_LENGTH ? fraction : say("ODDSMITH.Odds.LongFraction");

/** The other ways in which a question can be meant; none for a roll, which is read as Foundry rolls it.
 * @param {Found} found
 * @param {number | null} total */
function otherWays({ others = [] }, total) {
  if (!others.length || total !== null) return [];
  const list = others.map((each) =>
    make("li", {}, make("span", {}, each.read_as), make("span", {}, figuresText(each))),
  );
  return [make("p", { class: "od-note" }, say("ODDSMITH.Odds.Others")), make("ul", { class: "od-parts" }, ...list)];
}

/** The content of a card for a question that cannot be answered. @param {string} question @param {Wrong} wrong */
function wrongContent(question, { message, hint, at }) {
  const letters = [...question];
  const rest = letters.slice(Math.max(at, 0)).join("");
  const marked = at < 0 ? [question] : [letters.slice(0, at).join(""), make("mark", {}, rest || "…")];
  return [
    make("p", { class: "od-question" }, make("code", {}, ...marked)),
    make("p", {}, message),
    ...(hint ? [make("p", { class: "od-note" }, hint)] : []),
  ];
}
