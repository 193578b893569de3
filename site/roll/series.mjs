// @ts-check
/** The distributions to draw, each with its letter and its name. */

/** @typedef {import("./drawn/chart.mjs").Series} Series */

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const MAX_NAME_LENGTH = 70; // signs of a question that is a name as it stands

/** The distributions of all answers. @param {string[]} questions
 * @param {(import("./asking.mjs").Reply | undefined)[]} replies @param {number[]} chosenMeanings
 * @returns {Series[]} */
export function seriesOfAnswers(questions, replies, chosenMeanings) {
  const found = replies.flatMap((reply, place) => {
    const all = reply?.found?.ways;
    if (!all) return [];
    const parts = all[chosenMeanings[place] ?? 0] ?? all[0];
    const question = questions[place];
    const short = question.length > MAX_NAME_LENGTH || question.includes("\n") ? "this program" : question;
    return parts.map((told) => ({ told, label: parts.length > 1 ? told.name : told.name || short }));
  });
  return found.slice(0, LETTERS.length).map((each, place) => ({ ...each, place, letter: LETTERS[place] }));
}

/** The main number of an answer. @param {import("./display.mjs").ShownDistribution} told */
export function briefAnswerText({ chance, mean }) {
  return chance ? chance.text : mean ? `mean ${mean.text}` : "";
}
