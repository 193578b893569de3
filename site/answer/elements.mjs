// @ts-check
/** The values of a solved game and its best play, as elements. */

import { makeElement } from "../runtime/words/view.mjs";

/** @typedef {{option: string, elsewhere: boolean, words: string}} Unused */
/** @typedef {{phase: string, decisions: number, played: number, lines: string[], unused: Unused[]}} Choice */
/** @typedef {{seats: number, objective: string, grade: string, favoured: string, kind: string, positions: number,
 *   notes: string[], values: {seat: string, decimal: string, exact: string}[], choices: Choice[],
 *   seconds?: number}} Answer */

/** @typedef {{seats: number, objective: string, values: string[], games: number, notes: string[]}} Estimate */

/** The estimated values of a simulated game, as elements with a heading.
 * @param {string} heading @param {Estimate} estimate */
export function estimateElements(heading, { objective, values, notes }) {
  const rows = values.map((value, seat) =>
    makeElement("tr", {}, makeElement("th", { scope: "row" }, `seat ${seat + 1}`), makeElement("td", {}, value)),
  );
  return [
    makeElement("h2", {}, heading),
    makeElement("table", {}, makeElement("caption", {}, `${objective}, estimated`), makeElement("tbody", {}, ...rows)),
    ...notes.map((note) => makeElement("p", { class: "od-note" }, note)),
  ];
}

/** The values of a game and best play in each phase, as elements with a heading.
 * @param {string} heading @param {Answer} answer
 * @param {{rules?: {words: string, costs: string}[] | null, measures?: Record<string, string>}} rulesAndMeasures */
export function answerElements(heading, answer, rulesAndMeasures) {
  const rows = answer.values.map(({ seat, decimal, exact }) =>
    makeElement(
      "tr",
      {},
      makeElement("th", { scope: "row" }, seat),
      makeElement("td", {}, decimal),
      makeElement("td", {}, exact && `= ${exact}`),
    ),
  );
  const measures = Object.entries(rulesAndMeasures.measures ?? {}).map(([name, number]) =>
    makeElement(
      "tr",
      {},
      makeElement("th", { scope: "row" }, name),
      makeElement("td", {}, number),
      makeElement("td", {}),
    ),
  );
  return [
    makeElement("h2", {}, heading),
    makeElement(
      "table",
      {},
      makeElement("caption", {}, `${answer.objective}, ${answer.grade}`),
      makeElement("tbody", {}, ...rows),
    ),
    ...(answer.favoured ? [makeElement("p", {}, answer.favoured)] : []),
    ...answer.choices.flatMap(phaseElements),
    ...(rulesAndMeasures.rules ?? []).map(({ words, costs }) =>
      makeElement("p", {}, makeElement("strong", {}, "To remember: "), `${words}; ${costs}.`),
    ),
    ...(measures.length ? [makeElement("table", {}, makeElement("tbody", {}, ...measures))] : []),
    ...answer.notes.map((note) => makeElement("p", { class: "od-note" }, note)),
    makeElement("p", { class: "od-note" }, `${answer.positions.toLocaleString("en")} positions; ${answer.kind}.`),
  ];
}

/** Best play in one phase, as elements: the rules of play, then the options that it never takes. @param {Choice}
 * choice */
function phaseElements({ phase, lines, unused }) {
  const never = unused.map(({ words }) => makeElement("li", { class: "od-unused" }, words));
  return [
    makeElement("h3", {}, phase.replaceAll("_", " ")),
    makeElement("ul", {}, ...lines.map((line) => makeElement("li", {}, line)), ...never),
  ];
}
