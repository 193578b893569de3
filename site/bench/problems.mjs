// @ts-check
/** The problems of a file, and its changes, as elements. */

import { makeElement } from "../runtime/words/view.mjs";

/** @typedef {{code: string, severity: string, line: number, column: number, message: string, hint: string,
 *   excerpt: string}} Problem */
/** @typedef {import("../answer/elements.mjs").Answer} Answer */
/** @typedef {{failed?: string, lines: string[], rules: string[], values: [string | null, string | null][],
 *   before: Answer}} Difference */

/** Problems of a file, as elements: each with its line, its excerpt and its hint. @param {Problem[]} problems */
export const problemElements = (problems) =>
  problems.flatMap((each) => [
    makeElement("p", { class: "od-error" }, `Line ${each.line}: ${each.message}`),
    makeElement("pre", { tabIndex: 0 }, each.excerpt),
    ...(each.hint ? [makeElement("p", { class: "od-note" }, `${each.code}. ${each.hint}`)] : []),
  ]);

/** What changed between two versions of a game, as elements with a heading. @param {Difference} difference */
export function differenceElements(difference) {
  if (difference.failed) return [makeElement("h2", {}, "What changed"), makeElement("p", {}, difference.failed)];
  return [
    makeElement("h2", {}, "What changed"),
    makeElement("ul", {}, ...difference.lines.map((line) => makeElement("li", {}, line))),
  ];
}
