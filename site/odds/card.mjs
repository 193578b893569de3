// @ts-check
/** The card of one question: how it was read, its numbers, a chart, and where a roll lies. */

import { barChart, outcomeText } from "./bars.mjs";
import { makeElement } from "./elements.mjs";
import { decimalText, luckOfTotal, probabilityText } from "./figures.mjs";
import { localizedText } from "./words.mjs";

/** @typedef {import("./reply.mjs").Figure} Figure */
/** @typedef {import("./reply.mjs").Found} Found */
/** @typedef {import("./reply.mjs").NamedFound} NamedFound */
/** @typedef {import("./reply.mjs").Reply} Reply */
/** @typedef {import("./reply.mjs").Wrong} Wrong */

const MAX_ROWS = 200; // rows of a table
const MAX_FRACTION_LENGTH = 60; // characters of a fraction that is shown

/** The content of a card. @param {string} question @param {Reply} reply
 * @param {number | null} rolledTotal what was rolled, where it is about a roll */
export function cardContent(question, reply, rolledTotal) {
  if ("wrong" in reply) return questionErrorContent(question, reply.wrong);
  const { found } = reply;
  const parts = found.parts ?? [];
  return [
    makeElement("p", { class: "od-question" }, makeElement("code", {}, question)),
    makeElement(
      "p",
      { class: "od-read" },
      localizedText("ODDSMITH.Odds.Read", { words: readingWithoutFirstName(found, parts) }),
    ),
    ...[...(found.note ? [found.note] : []), ...found.notes].map((text) =>
      makeElement("p", { class: "od-note" }, text),
    ),
    ...(parts.length
      ? [makeElement("ul", { class: "od-parts" }, ...parts.map(distributionLine))]
      : distributionParts(found, rolledTotal)),
    ...otherReadingParts(found, rolledTotal),
  ];
}

/** How a question was read, in words, without the name of its first part at the end. @param {Found} found
 * @param {NamedFound[]} parts */
const readingWithoutFirstName = ({ read_as: words }, [first]) =>
  first && words.endsWith(`: ${first.name}`) ? words.slice(0, -first.name.length - 2) : words;

/** The content of a card as plain text, for people without the module.
 * @param {string} question @param {Reply} reply
 * @param {number | null} rolledTotal */
export function plainCardLines(question, reply, rolledTotal) {
  if ("wrong" in reply) return [question, reply.wrong.message];
  const { found } = reply;
  const lines = [question, figuresText(found)];
  const luck = rolledTotal === null ? null : luckOfTotal(found, rolledTotal);
  return luck ? [...lines, luckText(luck)] : lines;
}

/** The parts of a card about one distribution. @param {Found} distribution @param {number | null} rolledTotal */
function distributionParts(distribution, rolledTotal) {
  const luck = rolledTotal === null ? null : luckOfTotal(distribution, rolledTotal);
  const shown = distribution.kind === "chance" ? [probabilityParagraph(distribution)] : [measureList(distribution)];
  const here = luck && luck.outcome;
  return [
    ...shown,
    ...(rolledTotal === null ? [] : [luckParagraph(luck, rolledTotal)]),
    barChart(distribution, here),
    ...(distribution.kind === "chance" ? [] : [valuesTable(distribution, here)]),
  ];
}

/** A button with a number, whose fraction appears when somebody points at it or presses it.
 * @param {Figure} figure @param {(figure: Figure) => string} formatFigure @param {string} [className] */
function figureButton(figure, formatFigure, className = "od-figure") {
  const text = formatFigure(figure);
  const exact = figure.exact && figure.exact.length <= MAX_FRACTION_LENGTH ? figure.exact : null;
  const told = exact ?? localizedText(figure.exact ? "ODDSMITH.Odds.LongFraction" : "ODDSMITH.Odds.Proven");
  const made = makeElement(
    "button",
    { type: "button", class: className, title: told, "aria-label": `${text}, ${told}` },
    text,
  );
  made.addEventListener("click", () => (made.textContent = made.textContent === text ? told : text));
  return made;
}

/** A paragraph with a probability. @param {Found} distribution */
const probabilityParagraph = (distribution) =>
  makeElement(
    "p",
    {},
    figureButton(/** @type {Figure} */ (distribution.chance), probabilityText, "od-figure od-large"),
  );

/** A list with mean and standard deviation. @param {Found} found */
function measureList({ mean, standard_deviation: deviation }) {
  const pairs = /** @type {[string, Figure | null][]} */ ([
    [localizedText("ODDSMITH.Odds.Mean"), mean],
    [localizedText("ODDSMITH.Odds.Deviation"), deviation],
  ]);
  return makeElement(
    "dl",
    {},
    ...pairs.flatMap(([name, each]) => [
      makeElement("dt", {}, name),
      makeElement("dd", {}, each ? figureButton(each, decimalText) : localizedText("ODDSMITH.Odds.None")),
    ]),
  );
}

/** A paragraph that says where a roll lies in its distribution. @param {import("./figures.mjs").Luck | null} luck
 * @param {number} rolledTotal */
function luckParagraph(luck, rolledTotal) {
  if (!luck)
    return makeElement(
      "p",
      { class: "od-luck" },
      localizedText("ODDSMITH.Odds.Impossible", { total: String(rolledTotal) }),
    );
  const fractions = [luck.below, luck.equal, luck.above].map(({ exact }) => exact ?? "");
  const title = fractions.every((text) => text && text.length <= MAX_FRACTION_LENGTH) ? fractions.join(", ") : "";
  const rolled = makeElement(
    "strong",
    {},
    localizedText("ODDSMITH.Odds.Rolled", { total: String(rolledTotal).replace("-", "−") }),
  );
  return makeElement("p", { class: "od-luck", title }, rolled, ` ${luckText(luck)}`);
}

/** A sentence with the chances of less, the same and more. @param {import("./figures.mjs").Luck} luck */
const luckText = ({ below, equal, above }) =>
  localizedText("ODDSMITH.Odds.Luck", {
    below: probabilityText(below),
    equal: probabilityText(equal),
    above: probabilityText(above),
  });

/** A table of every value with its chances. @param {Found} found @param {string | null} rolledValue */
function valuesTable({ outcomes }, rolledValue) {
  const heads = ["ODDSMITH.Odds.Value", "ODDSMITH.Odds.Exactly", "ODDSMITH.Odds.AtMost"].map((key) =>
    makeElement("th", { scope: "col" }, localizedText(key)),
  );
  const rows = outcomes.slice(0, MAX_ROWS).map((each) => {
    const row = makeElement(
      "tr",
      {},
      makeElement("th", { scope: "row" }, outcomeText(each.outcome)),
      ...[each, each.at_most].map((cell) => makeElement("td", { title: cell.exact ?? "" }, probabilityText(cell))),
    );
    if (each.outcome === rolledValue) row.classList.add("od-here");
    return row;
  });
  const table = makeElement(
    "table",
    {},
    makeElement("thead", {}, makeElement("tr", {}, ...heads)),
    makeElement("tbody", {}, ...rows),
  );
  return makeElement("details", {}, makeElement("summary", {}, localizedText("ODDSMITH.Odds.All")), table);
}

/** A line for one of several distributions. @param {NamedFound} part */
const distributionLine = (part) =>
  makeElement("li", {}, makeElement("span", {}, part.name), makeElement("span", {}, figuresText(part)));

/** The main numbers of a distribution in one line of text: a chance, or mean and standard deviation. @param {Found}
 * found */
function figuresText({ kind, chance, mean, standard_deviation: deviation }) {
  if (kind === "chance" && chance)
    return chance.exact ? `${probabilityText(chance)} (${shortFraction(chance.exact)})` : probabilityText(chance);
  const none = localizedText("ODDSMITH.Odds.None");
  return localizedText("ODDSMITH.Odds.Measures", {
    mean: mean ? decimalText(mean) : none,
    deviation: deviation ? decimalText(deviation) : none,
  });
}

/** A fraction, or a text instead if it is too long. @param {string} fraction */
const shortFraction = (fraction) =>
  fraction.length <= MAX_FRACTION_LENGTH ? fraction : localizedText("ODDSMITH.Odds.LongFraction");

/** The other ways in which a question can be meant; none for a roll, which is read as Foundry rolls it.
 * @param {Found} found
 * @param {number | null} rolledTotal */
function otherReadingParts({ others = [] }, rolledTotal) {
  if (!others.length || rolledTotal !== null) return [];
  const list = others.map((each) =>
    makeElement("li", {}, makeElement("span", {}, each.read_as), makeElement("span", {}, figuresText(each))),
  );
  return [
    makeElement("p", { class: "od-note" }, localizedText("ODDSMITH.Odds.Others")),
    makeElement("ul", { class: "od-parts" }, ...list),
  ];
}

/** The content of a card for a question that cannot be answered. @param {string} question @param {Wrong} wrong */
function questionErrorContent(question, { message, hint, at }) {
  const letters = [...question];
  const rest = letters.slice(Math.max(at, 0)).join("");
  const marked = at < 0 ? [question] : [letters.slice(0, at).join(""), makeElement("mark", {}, rest || "…")];
  return [
    makeElement("p", { class: "od-question" }, makeElement("code", {}, ...marked)),
    makeElement("p", {}, message),
    ...(hint ? [makeElement("p", { class: "od-note" }, hint)] : []),
  ];
}
