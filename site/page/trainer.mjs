// @ts-check
/** Decisions of a game in which people go wrong most, a few at a time: those that were chosen when the page was made,
 * with what every action is worth. */

import { actionName } from "../runtime/words/sentences.mjs";
import { adviceParts, advised } from "../runtime/words/advice.mjs";
import { board } from "../runtime/words/board.mjs";
import { controls } from "../runtime/words/drawn.mjs";
import { amount, make } from "../runtime/words/view.mjs";
import { capital, ended, plain, tell } from "../runtime/words/words.mjs";
import { button } from "./buttons.mjs";

/** @typedef {import("../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {import("../runtime/rules/rules.mjs").State} State */
/** @typedef {import("../runtime/table/policy.mjs").Values} Values */

const ASKED = 10; // in one training

/** @param {Ready} ready @returns {HTMLElement | null} null where nobody can go wrong */
export function trainingSection(ready) {
  return ready.training ? new Training(ready, ready.training).element : null;
}

class Training {
  /** @param {Ready} ready @param {() => Promise<Values>} load */
  constructor(ready, load) {
    this.ready = ready;
    this.load = load;
    this.body = make("div", {});
    /** @type {State[]} */
    this.all = [];
    /** @type {State[]} */
    this.asked = [];
    this.next = 0; // among all
    this.at = 0; // among those asked
    this.right = 0;
    this.lost = 0;
    this.element = make(
      "details",
      { class: "od-more od-training", ontoggle: () => this.all.length || void this.#open() },
      make("summary", {}, "Train: decisions in which people go wrong most"),
      this.body,
    );
  }

  async #open() {
    try {
      const values = await this.load();
      this.ready = { ...this.ready, values };
      this.all = values.decisions.map((number) => values.policy.state(number));
      this.#start();
    } catch (error) {
      const why = /** @type {Error} */ (error).message;
      this.body.replaceChildren(make("p", { role: "alert" }, ended(`The decisions could not be loaded: ${why}.`)));
    }
  }

  #start() {
    if (this.next >= this.all.length) this.next = 0;
    this.asked = this.all.slice(this.next, (this.next += ASKED));
    [this.at, this.right, this.lost] = [0, 0, 0];
    this.#ask();
  }

  #ask() {
    const { ready, asked, at } = this;
    if (at >= asked.length) return this.#end();
    const state = asked[at];
    const actions = ready.rules.actions(state);
    const names = Array.from({ length: ready.game.seats }, (_, seat) =>
      ready.game.seats === 1 || seat === state.mover
        ? tell("you")
        : capital(plain(ready.game.sides[seat] ?? `player ${seat + 1}`)),
    );
    const buttons = controls(ready, state, actions, undefined, (text, place) =>
      button(text, () => this.#answer(place ?? 0)),
    );
    const asks = `${at + 1} of ${asked.length}: ${ready.words.phases[state.phase] ?? state.phase}`;
    const question = make("p", { tabIndex: -1 }, make("strong", {}, asks));
    this.body.replaceChildren(
      question,
      board(ready.game, ready.words, state, names),
      make("div", { class: "od-choices", role: "group", "aria-label": "Your options" }, ...buttons),
    );
    question.focus({ preventScroll: true });
  }

  /** @param {number} place */
  #answer(place) {
    const { ready } = this;
    const state = this.asked[this.at];
    const own = ready.values?.advise(state)?.find(({ action }) => action === place);
    const cost = Math.max(0, (own?.loss ?? 0) - 1);
    const name = actionName(ready.game, state, ready.rules.actions(state)[place]);
    this.at++;
    this.lost += cost;
    if (!own?.loss) this.right++;
    const word = own?.loss ? `“${name}” costs ${this.#amount(cost)}.` : `“${name}” is right.`;
    const next = button("Next", () => this.#ask());
    const answer = make("p", { class: "od-cost", role: "status" }, word);
    this.body.append(answer, ...adviceParts(advised(ready, state)), make("p", {}, next));
    this.body.querySelector(".od-choices")?.remove();
    next.focus({ preventScroll: true });
  }

  #end() {
    const { asked, right, lost } = this;
    const again = button("Train again", () => this.#start());
    const told = `${right} of ${asked.length} right. You gave away ${this.#amount(lost)} in all.`;
    this.body.replaceChildren(make("p", { role: "status" }, told), make("p", {}, again));
  }

  /** @param {number} units */
  #amount(units) {
    const { values, setting } = this.ready;
    return values ? amount(units, values.places, setting, "points") : "";
  }
}
