// @ts-check
/** What the choices of people at this screen cost them, told after each and summed up at the end. */

import { actionName } from "../runtime/words/sentences.mjs";
import { amount } from "../runtime/words/view.mjs";

/** @typedef {import("../runtime/rules/rules.mjs").State} State */
/** @typedef {import("../runtime/table/settings.mjs").Ready} Ready */

export class Score {
  /** @param {Ready} ready with values; without them nothing is told */
  constructor(ready) {
    this.ready = ready;
    this.decisions = 0;
    this.lost = 0; // in units of the values, the last digit of each rounded down
    /** @type {{text: string, units: number}[]} */
    this.slips = [];
  }

  /** Note a choice, and say what it cost; empty where nothing was lost, or nobody knows. @param {State} state before it
   * @param {import("../runtime/rules/rules.mjs").Action[]} actions @param {number} chosen @returns {string} */
  note(state, actions, chosen) {
    const worth = actions.length > 1 ? this.ready.values?.advise(state) : null;
    const own = worth?.find(({ action }) => action === chosen);
    if (!worth || !own) return "";
    this.decisions++;
    const units = own.loss - 1; // a loss of 1 is less than a unit
    if (units < 1) return "";
    const best = worth.filter(({ loss }) => loss === 0).map(({ action }) => this.#name(state, actions[action]));
    this.lost += units;
    this.slips.push({ text: this.#name(state, actions[chosen]), units });
    return `That cost ${this.#amount(units)}. Best was ${best.join(" or ")}.`;
  }

  /** How well people played; empty where they had nothing to decide. */
  summary() {
    if (!this.decisions) return "";
    const many = this.decisions === 1 ? "one decision" : `${this.decisions} decisions`;
    if (!this.slips.length) return `You gave nothing away in ${many}.`;
    const worst = this.slips.reduce((most, slip) => (slip.units > most.units ? slip : most));
    const given = `You gave away ${this.#amount(this.lost)} in ${this.slips.length === this.decisions ? many : `${this.slips.length} of ${many}`}.`;
    return `${given} Most with “${worst.text}”: ${this.#amount(worst.units)}.`;
  }

  /** @param {State} state @param {import("../runtime/rules/rules.mjs").Action} action */
  #name(state, action) {
    return actionName(this.ready.game, state, action);
  }

  /** @param {number} units */
  #amount(units) {
    const { values, setting } = this.ready;
    return values ? amount(units, values.places, setting, "points") : "";
  }
}
