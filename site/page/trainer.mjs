// @ts-check
/** A trainer: decisions of a game in which people go wrong most, a few at a time. They were chosen when the page was
 * made, with the value of every action. */

import { actionName } from "../runtime/words/sentences.mjs";
import { adviceElements, adviceAt, probabilityText, mixedPolicyTable } from "../runtime/words/advice.mjs";
import { drawBoard } from "../runtime/words/board.mjs";
import { actionControls } from "../runtime/words/drawn.mjs";
import { makeElement, roundedAmountText } from "../runtime/words/view.mjs";
import { capitalized, withoutDoubleStops, readableName, sentenceText } from "../runtime/words/words.mjs";
import { button } from "./buttons.mjs";

/** @typedef {import("../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {import("../runtime/rules/rules.mjs").State} State */
/** @typedef {import("../runtime/table/policy.mjs").ActionValueTable} Values */
/** @typedef {{asks: string, shown: () => Node[], options: (take: (place: number) => void) => Node[], cost: (place:
 * number) => number, told: (place: number, cost: string) => Node[]}} Question `cost` of what somebody took, in units of
 * the values, 0 where it was right; `told`: what is said of it, with that cost as text, empty where it was right */
/** @typedef {{questions: Question[], places: number}} Questions `places`: decimals of the units */

const DECISIONS_PER_TRAINING = 10; // in one training

/** The section of the trainer; null if nobody can go wrong. @param {Ready} loadedGame @returns {HTMLElement | null}
 * null where nobody can go wrong */
export function trainingSection(loadedGame) {
  const { plan, training } = loadedGame;
  if (plan?.asked.length) {
    const { places } = plan;
    const questions = plan.asked.map((asked) => secretQuestion(loadedGame, plan, asked));
    return new TrainingSession(loadedGame, async () => ({ questions, places })).element;
  }
  return training
    ? new TrainingSession(loadedGame, async () => positionQuestions(loadedGame, await training())).element
    : null;
}

/** Questions about positions that everybody sees. @param {Ready} loadedGame @param {Values} actionValues @returns
 * {Questions} */
function positionQuestions(loadedGame, actionValues) {
  const { game, rules, words } = loadedGame;
  const valued = { ...loadedGame, values: actionValues };
  const questions = actionValues.decisions.map((number) => {
    const state = actionValues.policy.positionAt(number);
    const names = Array.from({ length: game.seats }, (_, seat) =>
      game.seats === 1 || seat === state.mover
        ? sentenceText("you")
        : capitalized(readableName(game.sides[seat] ?? `player ${seat + 1}`)),
    );
    const worth = actionValues.actionValues(state);
    const loss = (/** @type {number} */ place) => worth?.find(({ action }) => action === place)?.loss ?? 0;
    const said = (/** @type {number} */ place, /** @type {string} */ cost) => {
      const name = actionName(game, state, rules.actions(state)[place]);
      return loss(place) ? `“${name}” costs ${cost}.` : `“${name}” is right.`;
    };
    return /** @type {Question} */ ({
      asks: words.phases[state.phase] ?? state.phase,
      shown: () => [drawBoard(game, words, state, names)],
      options: (take) =>
        actionControls(loadedGame, state, rules.actions(state), undefined, (text, place) =>
          button(text, () => take(place ?? 0)),
        ),
      cost: loss,
      told: (place, cost) => [verdictElement(said(place, cost)), ...adviceElements(adviceAt(valued, state))],
    });
  });
  return { questions, places: actionValues.places };
}

/** A question about a decision, with what its seat has seen. @param {Ready} loadedGame
 * @param {import("../runtime/table/plan.mjs").PlanTable} planTable
 * @param {import("../runtime/table/plan.mjs").Asked} asked @returns {Question} */
function secretQuestion({ setting }, planTable, { seat, label, known, options, chances, worth }) {
  const lost = planTable.lossesOfActions(worth);
  const total = chances.reduce((sum, one) => sum + one, 0n);
  const loss = (/** @type {number} */ place) => (lost[place] ? lost[place] + 1 : 0);
  const table = mixedPolicyTable(options, chances, worth, planTable, setting);
  const said = (/** @type {number} */ place, /** @type {string} */ cost) => {
    if (loss(place)) return `“${options[place]}” costs ${cost} against best play.`;
    const never = `“${options[place]}” costs nothing here and counts as right, but best play never takes it.`;
    const often = probabilityText(chances[place], total);
    return chances[place] ? `“${options[place]}” is right: best play takes it ${often} of the time.` : never;
  };
  return {
    asks: label,
    shown: () => [
      makeElement("p", {}, `You are ${seat}. What you know:`),
      makeElement("ul", {}, ...known.map((each) => makeElement("li", {}, each))),
      makeElement("p", { class: "od-note" }, "Anything that is not named is as it was at the start."),
    ],
    options: (take) => options.map((text, place) => button(text, () => take(place))),
    cost: loss,
    told: (place, cost) => [verdictElement(said(place, cost)), table],
  };
}

/** A paragraph with the verdict on an answer. @param {string} text */
const verdictElement = (text) => makeElement("p", { class: "od-cost", role: "status" }, text);

/** One training. */
class TrainingSession {
  /** @param {Ready} loadedGame @param {() => Promise<Questions>} loadQuestions */
  constructor(loadedGame, loadQuestions) {
    const about = loadedGame.plan ? "what to choose when not all is seen" : "decisions in which people go wrong most";
    this.setting = loadedGame.setting;
    this.load = loadQuestions;
    this.body = makeElement("div", {});
    /** @type {Question[]} */
    this.all = [];
    this.places = 0;
    /** @type {Question[]} */
    this.asked = [];
    this.next = 0; // among all
    this.at = 0; // among those asked
    this.right = 0;
    this.lost = 0;
    this.element = makeElement(
      "details",
      { class: "od-more od-training", ontoggle: () => this.all.length || void this.#loadQuestions() },
      makeElement("summary", {}, `Train: ${about}`),
      this.body,
    );
  }

  /** Load the questions and begin. */
  async #loadQuestions() {
    try {
      const { questions, places } = await this.load();
      [this.all, this.places] = [questions, places];
      this.#startRound();
    } catch (error) {
      const why = /** @type {Error} */ (error).message;
      this.body.replaceChildren(
        makeElement("p", { role: "alert" }, withoutDoubleStops(`The decisions could not be loaded: ${why}.`)),
      );
    }
  }

  /** Start the next questions. */
  #startRound() {
    if (this.next >= this.all.length) this.next = 0;
    this.asked = this.all.slice(this.next, (this.next += DECISIONS_PER_TRAINING));
    [this.at, this.right, this.lost] = [0, 0, 0];
    this.#askNext();
  }

  /** Ask the next question. */
  #askNext() {
    const { asked, at } = this;
    if (at >= asked.length) return this.#showResult();
    const { asks, shown, options } = asked[at];
    const question = makeElement(
      "p",
      { tabIndex: -1 },
      makeElement("strong", {}, `${at + 1} of ${asked.length}: ${asks}`),
    );
    const choices = options((place) => this.#checkAnswer(place));
    const group = makeElement("div", { class: "od-choices", role: "group", "aria-label": "Your options" }, ...choices);
    this.body.replaceChildren(question, ...shown(), group);
    question.focus({ preventScroll: true });
  }

  /** Count an answer, and show its verdict. @param {number} actionIndex */
  #checkAnswer(actionIndex) {
    const { cost, told } = this.asked[this.at];
    const loss = cost(actionIndex);
    const lost = Math.max(0, loss - 1);
    this.at++;
    this.lost += lost;
    if (!loss) this.right++;
    const next = button("Next", () => this.#askNext());
    this.body.append(...told(actionIndex, this.#amountText(lost)), makeElement("p", {}, next));
    this.body.querySelector(".od-choices")?.remove();
    next.focus({ preventScroll: true });
  }

  /** Show the result. */
  #showResult() {
    const { asked, right, lost } = this;
    const again = button("Train again", () => this.#startRound());
    const told = `${right} of ${asked.length} right. You gave away ${this.#amountText(lost)} in all.`;
    this.body.replaceChildren(makeElement("p", { role: "status" }, told), makeElement("p", {}, again));
  }

  /** An amount of the setting's unit. @param {number} units */
  #amountText(units) {
    return roundedAmountText(
      units,
      this.places,
      this.setting.share || this.setting.chance ? 4 : 2,
      this.setting,
      "points",
    );
  }
}
