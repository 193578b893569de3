// @ts-check
/** Decisions of a game in which people go wrong most, one after another.
 *
 * A person is taken to choose worse actions the less often the more they cost (quantal response: McKelvey and Palfrey,
 * Games and Economic Behavior 10, 1995). The decisions are those in which this loses most. Where all is clear or all is
 * alike, it loses little. */

import { OwnDice } from "../runtime/rules/random.mjs";
import { keyOf } from "../runtime/rules/values.mjs";
import { Table } from "../runtime/table/table.mjs";
import { actionName } from "../runtime/words/sentences.mjs";
import { adviceParts, advised } from "../runtime/words/advice.mjs";
import { board } from "../runtime/words/board.mjs";
import { controls } from "../runtime/words/drawn.mjs";
import { amount, make } from "../runtime/words/view.mjs";
import { capital, plain, tell } from "../runtime/words/words.mjs";

/** @typedef {import("../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {import("../runtime/rules/rules.mjs").State} State */
/** @typedef {import("../runtime/table/policy.mjs").Worth} Worth */
/** @typedef {{state: State, worth: Worth[]}} Decision */

const PLAYS = 40; // at random, in which the decisions are found
const LENGTH = 300; // moves of a play
/** Who plays them: one choice in four is any legal action, so that play comes to where it should not.
 * @type {import("../runtime/table/settings.mjs").Opponent} */
const STRAYING = { kind: "mixture", policy: null, best: [3, 4], odds: [] };
const ASKED = 10;

/** Decisions that play comes to and in which something can be lost. @param {Ready} ready @param {OwnDice} dice */
function found(ready, dice) {
  /** @type {Map<string, Decision>} */
  const all = new Map();
  for (let play = 0; play < PLAYS; play++) {
    const table = new Table(ready, Array(ready.game.seats).fill(STRAYING), dice);
    for (let move = 0; !table.over && move < LENGTH; move++) {
      const { state } = table;
      const worth = ready.values?.advise(state);
      if (worth?.some(({ loss }) => loss > 1))
        all.set([state.phase, state.mover, ...state.cells.map(keyOf)].join(), { state, worth });
      table.step();
    }
  }
  return [...all.values()];
}

/** The decisions in which most is lost, the worst first. @param {Decision[]} decisions */
function hardest(decisions) {
  const losses = decisions.flatMap(({ worth }) => worth.map(({ loss }) => loss).filter((loss) => loss > 1));
  const usual = losses.sort((a, b) => a - b)[Math.floor(losses.length / 2)];
  const lost = (/** @type {Decision} */ { worth }) => {
    const odds = worth.map(({ loss }) => Math.exp(-loss / usual));
    return worth.reduce((sum, { loss }, at) => sum + loss * odds[at], 0) / odds.reduce((sum, one) => sum + one, 0);
  };
  const ranked = decisions.map((one) => /** @type {const} */ ([lost(one), one]));
  return ranked
    .sort(([a], [b]) => b - a)
    .slice(0, ASKED)
    .map(([, one]) => one);
}

/** @param {Ready} ready @returns {HTMLElement | null} null where nobody knows what actions are worth */
export function trainingSection(ready) {
  return ready.values ? new Training(ready).element : null;
}

class Training {
  /** @param {Ready} ready */
  constructor(ready) {
    this.ready = ready;
    this.body = make("div", {});
    /** @type {Decision[]} */
    this.asked = [];
    this.at = 0;
    this.right = 0;
    this.lost = 0;
    this.element = make(
      "details",
      { class: "od-more od-training", ontoggle: () => this.asked.length || this.#start() },
      make("summary", {}, "Train: decisions in which people go wrong most"),
      this.body,
    );
  }

  #start() {
    this.asked = hardest(found(this.ready, new OwnDice()));
    [this.at, this.right, this.lost] = [0, 0, 0];
    this.#ask();
  }

  #ask() {
    const { ready, asked, at } = this;
    if (at >= asked.length) return this.#end();
    const { state } = asked[at];
    const actions = ready.rules.actions(state);
    const names = Array.from({ length: ready.game.seats }, (_, seat) =>
      ready.game.seats === 1 || seat === state.mover
        ? tell("you")
        : capital(plain(ready.game.sides[seat] ?? `player ${seat + 1}`)),
    );
    const buttons = controls(ready, state, actions, undefined, (text, place) =>
      make("button", { type: "button", class: "md-button", onclick: () => this.#answer(place ?? 0) }, text),
    );
    this.body.replaceChildren(
      make(
        "p",
        {},
        make("strong", {}, `${at + 1} of ${asked.length}: ${ready.words.phases[state.phase] ?? state.phase}`),
      ),
      board(ready.game, ready.words, state, names),
      make("div", { class: "od-choices", role: "group", "aria-label": "Your options" }, ...buttons),
    );
    this.body.querySelector("button")?.focus({ preventScroll: true });
  }

  /** @param {number} place */
  #answer(place) {
    const { ready } = this;
    const { state, worth } = this.asked[this.at];
    const own = worth.find(({ action }) => action === place);
    const cost = Math.max(0, (own?.loss ?? 0) - 1);
    const name = actionName(ready.game, state, ready.rules.actions(state)[place]);
    this.at++;
    this.lost += cost;
    if (!own?.loss) this.right++;
    const word = own?.loss ? `“${name}” costs ${this.#amount(cost)}.` : `“${name}” is right.`;
    const next = make("button", { type: "button", class: "md-button", onclick: () => this.#ask() }, "Next");
    const answer = make("p", { class: "od-cost", role: "status" }, word);
    this.body.append(answer, ...adviceParts(advised(ready, state)), make("p", {}, next));
    this.body.querySelector(".od-choices")?.remove();
    next.focus({ preventScroll: true });
  }

  #end() {
    const { asked, right, lost } = this;
    const again = make("button", { type: "button", class: "md-button", onclick: () => this.#start() }, "Train again");
    const told = asked.length
      ? `${right} of ${asked.length} right. You gave away ${this.#amount(lost)} in all.`
      : "Nothing can be lost in this game.";
    this.body.replaceChildren(make("p", { role: "status" }, told), make("p", {}, again));
  }

  /** @param {number} units */
  #amount(units) {
    const { values, setting } = this.ready;
    return values ? amount(units, values.places, setting, "points") : "";
  }
}
