// @ts-check
/** An answer that the second checker passed, as elements, with what the check proves and the certificate to keep. */

import { chartFigure } from "../../answer/chart.mjs";
import { answerElements } from "../../answer/elements.mjs";
import { unprovenAssumptionsText, checkedText, countText, provenTexts, sizeText } from "../../proof/words.mjs";
import { makeElement } from "../../runtime/words/view.mjs";
import { withoutDoubleStops } from "../../runtime/words/words.mjs";
import { problemList } from "../findings.mjs";

/** @typedef {import("./proving.mjs").Passed} Passed */

let address = "";

/** A solved game as elements: the answer, problems of design, and the proof. @param {Record<string, any>} solvedAnswer
 * @param
 * {Passed} proofCheck
 * @param {boolean} isOutdated whether the text has changed since
 * @param {(line: number, column: number) => void} goToPlace @returns {Node[]} */
export function solvedGameElements(solvedAnswer, proofCheck, isOutdated, goToPlace) {
  const { answer, rules, measures, charts = [], design, unasked } = solvedAnswer;
  const note = isOutdated
    ? [makeElement("p", { class: "od-note" }, "The game has changed since. These are the odds of before.")]
    : [];
  return [
    ...note,
    ...answerElements(countText(answer.seats, "player"), answer, { rules, measures }),
    ...charts.map(chartFigure),
    ...(design ? designElements(design, unasked, goToPlace) : []),
    ...proofElements(solvedAnswer, proofCheck),
  ];
}

/** Problems of design, and what was not asked, as elements. @param {any[]} designProblems @param {string[]}
 * unaskedQuestions
 * @param {(line: number, column: number) => void} goToPlace */
function designElements(designProblems, unaskedQuestions, goToPlace) {
  const nothing = makeElement(
    "p",
    {},
    unaskedQuestions.length ? "Nothing is odd of what was asked." : "Nothing is odd.",
  );
  return [
    makeElement("h3", {}, "Problems of design"),
    designProblems.length ? problemList(designProblems, goToPlace, "Odd: ") : nothing,
    ...unaskedQuestions.map((why) =>
      makeElement("p", { class: "od-note" }, withoutDoubleStops(`Not everything was asked: ${why}.`)),
    ),
  ];
}

/** What the check proves, and a link to the certificate, as elements. @param {Record<string, any>} found @param
 * {Passed} passed */
function proofElements({ proof: bytes, of }, { proof, seconds }) {
  const { ruleset, objective } = proof.header;
  const name = `${ruleset.id}-${ruleset.seats}-seats-${objective}.jsonl.gz`;
  URL.revokeObjectURL(address);
  address = URL.createObjectURL(new Blob([bytes], { type: "application/gzip" }));
  return [
    makeElement("h3", {}, "The proof"),
    makeElement(
      "p",
      {},
      "The solver wrote a certificate, and a second checker, which shares nothing with it, has passed it: the values above " +
        "are those that it proves. The other sentences are the solver’s own, about the same play.",
    ),
    makeElement("p", {}, checkedText(proof, seconds)),
    makeElement("p", {}, provenTexts(proof).join(" ")),
    makeElement("p", {}, unprovenAssumptionsText(proof, of)),
    makeElement("p", {}, makeElement("code", {}, `oddsmith certify ${name} ${ruleset.id}.yaml`)),
    makeElement(
      "p",
      {},
      makeElement("a", { href: address, download: name }, `Keep the certificate (${sizeText(bytes.length)})`),
    ),
  ];
}
