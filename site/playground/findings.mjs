// @ts-check
/** What is known of a text, as elements: problems, the rules in words, and the changes. */

import { countText } from "../proof/words.mjs";
import { makeElement } from "../runtime/words/view.mjs";
import { withoutDoubleStops } from "../runtime/words/words.mjs";

/** @typedef {{code: string, severity: string, line: number, column: number, message: string, hint: string,
 *   play?: string[]}} Problem */
/** @typedef {{looked: number, whole: boolean, seats: string}} Looked how far a look at the first positions is */
/** @typedef {{problems?: Problem[], looked?: number, whole?: boolean, design?: Problem[], unasked?: string[]}} Known
 *   `design` and `unasked`: what a lint finds, and why not everything was asked, once that is over */
/** @typedef {{name: string, when: string, what: string}} Item */
/** @typedef {{title: string, text: string, items: Item[], numbered: boolean}} Section */
/** @typedef {import("./lines.mjs").Edit} Edit */

const AROUND = 2; // lines that stay the same, shown before and behind a change

/** Whether a problem is an error, which stops everything. @param {{severity: string}} problem */
export const isError = ({ severity }) => severity === "error";

/** A phrase with the number of positions. @param {number} checkedCount how many were checked */
const firstPositionsText = (checkedCount) => `the first ${countText(checkedCount, "position")}`;

/** A sentence that says how many positions were checked and found sound. @param {Looked} looked */
export const positionsCheckedText = ({ looked, whole, seats }) =>
  whole
    ? `Checked: every position at ${seats} is sound.`
    : `Checked: ${firstPositionsText(looked)} at ${seats} are sound. There are more; solving looks at all of them.`;

/** The problems and, apart from them, what is odd, as elements. It says that there are none only once everything was
 * checked that `oddsmith check` and `lint` check.
 * @param {Known} known @param {(line: number, column: number) => void} goToPlace @returns {Node[]} */
export function problemElements({ problems = [], looked, whole, design, unasked = [] }, goToPlace) {
  const errors = problems.filter(isError).length;
  const warnings = problems.length - errors;
  const found = [
    errors && countText(errors, "error"),
    warnings && countText(warnings, "warning"),
    design?.length && countText(design.length, "odd thing"),
  ].filter(Boolean);
  const none = design
    ? `No problems${unasked.length ? " in what was asked" : ""}`
    : `No errors${whole ? "" : looked ? ` in ${firstPositionsText(looked)}` : " so far"}`;
  const odd = design?.length
    ? [makeElement("h3", {}, "Odd, though nothing is wrong"), problemList(design, goToPlace, "Odd: ")]
    : [];
  return [
    makeElement("h2", { id: "od-problems-head" }, found.join(", ") || none),
    problemList(problems, goToPlace),
    ...odd,
    ...unasked.map((why) =>
      makeElement("p", { class: "od-note" }, ...splitAtCode(withoutDoubleStops(`Not asked: ${why}.`))),
    ),
  ];
}

/** A list of problems, each with a button that leads to its place. @param {Problem[]} problems
 * @param {(line: number, column: number) => void} goToPlace @param {string} [otherKindLabel] what those are called that
 * are no errors
 * @returns {HTMLElement} */
export function problemList(problems, goToPlace, otherKindLabel = "Warning: ") {
  const rows = problems.map(({ line, column, message, hint, code, severity, play = [] }) => {
    const place = makeElement(
      "button",
      { type: "button", onclick: () => goToPlace(line, column) },
      `${line}:${column}`,
    );
    const shown = play.length ? `A play that shows it: ${play.join("; ")}` : "";
    place.setAttribute("aria-label", `${line}:${column}, go there`);
    const word = isError({ severity }) ? "" : otherKindLabel;
    return makeElement(
      "li",
      {},
      place,
      makeElement(
        "div",
        {},
        word,
        ...splitAtCode(message),
        makeElement("p", { class: "od-note" }, ...splitAtCode([code, hint, shown].filter(Boolean).join(". "))),
      ),
    );
  });
  return makeElement("ul", { class: "od-problems" }, ...rows);
}

/** The rules in words. @param {Section[]} sections @returns {Node[]} */
export const rulesElements = (sections) =>
  sections.flatMap(({ title, text, items, numbered }) => [
    makeElement("h3", {}, title),
    ...(text ? [makeElement("p", {}, ...splitAtCode(text))] : []),
    ...(items.length ? [makeElement(numbered ? "ol" : "ul", {}, ...items.map(ruleItemElement))] : []),
  ]);

/** An item of the rules. @param {Item} item */
function ruleItemElement({ name, when, what }) {
  const parts = name ? [makeElement("strong", {}, ...splitAtCode(name))] : [];
  if (when) parts.push(name ? (when.startsWith("with ") ? ", " : ", if ") : "If ", ...splitAtCode(when));
  if (parts.length) return makeElement("li", {}, ...parts, ": ", ...splitAtCode(what));
  return makeElement("li", {}, ...splitAtCode(what.slice(0, 1).toUpperCase() + what.slice(1)));
}

/** Split a text at its backquotes; the stretches between them become code elements. @param {string} text @returns
 * {(Node | string)[]} */
export const splitAtCode = (text) => text.split("`").map((part, at) => (at % 2 ? makeElement("code", {}, part) : part));

/** The changes of a text, with the lines around them. @param {string} before @param {Edit[]} edits @returns {Node[]} */
export function changeElements(before, edits) {
  if (!edits.length) return [makeElement("p", {}, "Nothing is changed.")];
  const old = before.split("\n");
  const rows = makeElement("tbody", {});
  let shown = 0;
  for (const [at, count, lines] of edits) {
    const start = Math.max(shown, at - AROUND);
    if (start > shown || (shown === 0 && start > 0)) rows.append(changeRow("", "…", "od-gap"));
    for (let line = start; line < at; line++) rows.append(changeRow("", old[line], "od-same"));
    for (let line = at; line < at + count; line++) rows.append(changeRow("was", old[line], "od-was"));
    for (const line of lines) rows.append(changeRow("now", line, "od-now"));
    shown = at + count;
    const next = edits.find(([other]) => other >= shown && other !== at)?.[0] ?? old.length;
    const end = Math.min(old.length, shown + AROUND, next);
    for (; shown < end; shown++) rows.append(changeRow("", old[shown], "od-same"));
  }
  const table = makeElement("table", { class: "od-lines" }, makeElement("caption", {}, "Lines of the ruleset"), rows);
  return [
    makeElement("div", { class: "od-scroll", tabIndex: 0, role: "region", "aria-label": "What was changed" }, table),
  ];
}

/** A row of the table of changes. @param {string} headText at its head @param {string} line @param {string} className
 * its class */
const changeRow = (headText, line, className) =>
  makeElement("tr", { class: className }, makeElement("th", { scope: "row" }, headText), makeElement("td", {}, line));
