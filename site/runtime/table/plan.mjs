// @ts-check
/** Best play of a game with secrets: the probability of each action, by what a seat has seen.
 * `report/policy/plan_table.py` writes the table. Its keys are hashes of what was seen. */

import { observationsOfMove, positionKey, observationTextOf } from "../rules/observations.mjs";

/** @typedef {import("../rules/rules.mjs").Rules} Rules */
/** @typedef {import("../rules/rules.mjs").State} State */
/** @typedef {import("./record.mjs").Told} Told */
/** @typedef {{chances: bigint[] | null, worth: number[] | null}} Planned of the actions of a decision, in their order:
 * the weight with which best play takes each, null if best play of this seat never leads there; and the value of each
 * against the best play of the others, in units of the table, null if their best play never leads there */

/** @typedef {{seat: string, label: string, known: string[], options: string[], chances: bigint[], worth: number[]}}
 * Asked a decision in words */

const DIGIT = 2n ** 30n; // of a number that is drawn

export class PlanTable {
  /** @param {any} data as it is written */
  constructor(data) {
    if (data.plan !== 1) throw new Error("the table of best play is of another version");
    /** @type {string} */
    this.bundle = data.bundle;
    /** @type {number} */
    this.places = data.places;
    this.sign = data.goal === "min" ? -1 : 1;
    /** @type {Record<string, [chances: any, worth: number[] | null]>} */
    this.decisions = data.decisions;
    /** @type {Asked[]} decisions for a trainer */
    this.asked = data.asked.map((/** @type {any} */ one) => {
      return { ...one, chances: actionWeights(one.chances, one.options.length) };
    });
  }

  /** Read the table from its bytes. @param {Uint8Array} bytes unpacked */
  static read(bytes) {
    return new PlanTable(JSON.parse(new TextDecoder().decode(bytes)));
  }

  /** How much worse each action of a decision is than the best, in units. @param {readonly number[]} actionValues of
   * all */
  lossesOfActions(actionValues) {
    const most = Math.max(...actionValues.map((each) => this.sign * each));
    return actionValues.map((each) => most - this.sign * each);
  }

  /** The weights and values of the actions of the seat that is to choose, given what it has seen; null if the table
   * does not have this decision. @param {Rules} rules
   * @param {readonly Told[]} moves so far @param {State} state after them
   * @returns {Planned | null} */
  decisionAt(rules, moves, state) {
    const seat = state.mover;
    const seen = moves.map((move) => observationTextOf(observationsOfMove(rules, move), seat));
    const roots = [...moves.map(({ before }) => before), state];
    for (const [at, root] of roots.entries()) {
      const found = this.decisions[textHash([positionKey(root), String(seat), ...seen.slice(at)].join("\n"))];
      if (found) return { chances: actionWeights(found[0], rules.actions(state).length), worth: found[1] };
    }
    return null;
  }
}

/** The weights of the actions as whole numbers; null if the table has none. @param {any} tableWeights as the table has
 * them
 * @param {number} actionCount @returns {bigint[] | null} */
function actionWeights(tableWeights, actionCount) {
  if (tableWeights === null) return null;
  return Array.isArray(tableWeights)
    ? tableWeights.map(BigInt)
    : Array.from({ length: actionCount }, (_, place) => (place === tableWeights ? 1n : 0n));
}

/** Draw an index with probability proportional to its weight, exactly. It asks for random numbers as `chooseAction`
 * does.
 * @param {readonly bigint[]} weights @returns {Generator<number, number, number>} */
export function* drawIndexByWeight(weights) {
  if (weights.filter(Boolean).length === 1) return weights.findIndex(Boolean);
  const total = weights.reduce((sum, one) => sum + one, 0n);
  for (;;) {
    let [number, bound] = [0n, 1n];
    while (bound < total) {
      const digit = total < DIGIT ? total : DIGIT;
      number = number * digit + BigInt(yield Number(digit));
      bound *= digit;
    }
    const even = bound - (bound % total);
    if (number >= even) continue; // so that all are as likely
    let left = number % total;
    const place = weights.findIndex((weight) => (left < weight ? true : ((left -= weight), false)));
    return place;
  }
}

/** FNV-1a of 64 bits, in hexadecimal digits. @param {string} text */
function textHash(text) {
  let [high, low] = [0xcbf29ce4, 0x84222325];
  for (const unit of new TextEncoder().encode(text)) {
    low = (low ^ unit) >>> 0;
    // Times 2^40 + 0x1b3, in halves.
    const product = low * 0x1b3;
    const carried = Math.floor(product / 2 ** 32);
    high = (Math.imul(high, 0x1b3) + carried + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return [high, low].map((half) => half.toString(16).padStart(8, "0")).join("");
}
