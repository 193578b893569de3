// @ts-check
/** The values of a solved game and its best play, as elements. */

import { make } from "../runtime/words/view.mjs";

/** @typedef {{option: string, elsewhere: boolean, words: string}} Unused */
/** @typedef {{phase: string, decisions: number, played: number, lines: string[], unused: Unused[]}} Choice */
/** @typedef {{seats: number, objective: string, grade: string, favoured: string, kind: string, positions: number,
 *   notes: string[], values: {decimal: string, exact: string}[], choices: Choice[], seconds?: number}} Answer */

/** @typedef {{seats: number, objective: string, values: string[], games: number, notes: string[]}} Estimate */

/** The estimated values of a simulated game, as elements with a heading.
 * @param {string} heading @param {Estimate} estimate */
export function estimateElements(heading, { objective, values, notes }) {
  const rows = values.map((value, seat) =>
    make("tr", {}, make("th", { scope: "row" }, `seat ${seat + 1}`), make("td", {}, value)),
  );
  return [
    make("h2", {}, heading),
    make("table", {}, make("caption", {}, `${objective}, estimated`), make("tbody", {}, ...rows)),
    ...notes.map((note) => make("p", { class: "od-note" }, note)),
  ];
}

/** The values of a game and best play in each phase, as elements with a heading.
 * @param {string} heading @param {Answer} answer
 * @param {{rules?: {words: string, costs: string}[] | null, measures?: Record<string, string>}} rulesAndMeasures */
export function answerElements(heading, answer, rulesAndMeasures) {
  const rows = answer.values.map(({ decimal, exact }, seat) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, `seat ${seat + 1}`),
      make("td", {}, decimal),
      make("td", {}, exact && `= ${exact}`),
    ),
  );
  const measures = Object.entries(rulesAndMeasures.measures ?? {}).map(([name, number]) =>
    make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, number), make("td", {})),
  );
  return [
    make("h2", {}, heading),
    make("table", {}, make("caption", {}, `${answer.objective}, ${answer.grade}`), make("tbody", {}, ...rows)),
    ...(answer.favoured ? [make("p", {}, answer.favoured)] : []),
    ...answer.choices.flatMap(phaseElements),
    ...(rulesAndMeasures.rules ?? []).map(({ words, costs }) =>
      make("p", {}, make("strong", {}, "To remember: "), `${words}; ${costs}.`),
    ),
    ...(measures.length ? [make("table", {}, make("tbody", {}, ...measures))] : []),
    ...answer.notes.map((note) => make("p", { class: "od-note" }, note)),
    make("p", { class: "od-note" }, `${answer.positions.toLocaleString("en")} positions; ${answer.kind}.`),
  ];
}

/** Best play in one phase, as elements: the rules of play, then the options that it never takes. @param {Choice}
 * choice */
function phaseElements({ phase, lines, unused }) {
  const never = unused.map(({ words }) => make("li", { class: "od-unused" }, words));
  return [
    make("h3", {}, phase.replaceAll("_", " ")),
    make("ul", {}, ...lines.map((line) => make("li", {}, line)), ...never),
  ];
}
