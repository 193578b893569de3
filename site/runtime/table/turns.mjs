// @ts-check
/** Best play in a game whose turns all have the same graph and differ only in the variables that a turn leaves fixed
 * (its sheet). The table has the value of each sheet. A turn is solved when somebody asks. Reads the tables that
 * oddsmith/report/policy/turn_table.py writes. */

import { requestDistribution, Rules } from "../rules/rules.mjs";
import {
  CellDigits,
  tableHeader,
  completePosition,
  indexOfRank,
  PolicyTable,
  rankAt,
  TableReader,
  stateSeenFromMover,
} from "./policy.mjs";

/** @typedef {import("../rules/game.mjs").Game} Game */
/** @typedef {import("../rules/rules.mjs").State} State */
/** @typedef {import("../rules/rules.mjs").Step} Step */
/** @typedef {import("./policy.mjs").Range} Range */
/** @typedef {import("./policy.mjs").Runs} Runs */
/** @typedef {import("./policy.mjs").Worth} Worth */
/** @typedef {{name: string, cells: Range[], runs: Runs, places: number[]}} Inner the positions of a phase, and of each
 * the number of those that are worth the same */
/** @typedef {{states: number[], slots: number[][], first: Uint32Array, denominator: number[], paid: number[], target:
 * Uint32Array, weight: Float64Array}} Layer positions that lead to earlier layers only; `slots`: their first, second, …
 * actions, for as many positions as have that many; `first`: where the edges of an action's distribution begin */

export const PLACES = 5; // decimal, of what is shown
const MAX_CACHED_TURNS = 8; // the most solved turns that are kept

/** Best play and the values of actions, computed from the values of sheets. */
export class TurnTable {
  /** @param {Uint8Array} bytes unpacked @param {Game} game */
  constructor(bytes, game) {
    const reader = new TableReader(bytes, "turns").requireGame(game);
    this.head = reader.head;
    this.game = game;
    this.places = PLACES;
    this.rules = new Rules(game);
    this.digits = new CellDigits(game);
    /** @type {Map<string, {head: any}>} the choices of a turn */
    this.blocks = new Map(this.head.phases.map((/** @type {any} */ head) => [head.name, { head }]));
    /** @type {number} values that differ by no more count as ties */
    this.near = 2 / 10 ** this.head.unit;
    this.sheets = reader.rankRuns();
    this.units = reader.deltas(this.sheets.count);
    /** @type {Map<string, Inner>} */
    this.inner = new Map();
    for (const { name, cells } of this.head.turn) {
      const runs = reader.rankRuns();
      this.inner.set(name, { name, cells, runs, places: reader.deltas(runs.count) });
    }
    /** @type {Layer[]} */
    this.layers = [];
    for (let left = this.head.inner; left > 0; left -= this.layers[this.layers.length - 1].states.length)
      this.layers.push(this.#readLayer(reader));
    /** @type {Map<number, Float64Array>} */
    this.kept = new Map();
  }

  /** Read one layer of the graph of a turn. @param {TableReader} reader @returns {Layer} */
  #readLayer(reader) {
    const [states, count] = reader.varints(2);
    const lengths = reader.varints(count);
    const laws = reader.varint();
    const numbers = reader.deltas(states);
    const all = reader.deltas(lengths.reduce((sum, length) => sum + length, 0));
    let at = 0;
    const slots = lengths.map((length) => all.slice(at, (at += length)));
    const denominator = reader.varints(laws);
    const first = new Uint32Array(laws + 1);
    reader.varints(laws).forEach((length, law) => (first[law + 1] = first[law] + length));
    const edges = first[laws];
    const target = Uint32Array.from(reader.deltas(edges));
    const weight = Float64Array.from(reader.varints(edges));
    const paid = Array(laws).fill(0);
    if (this.head.paid.length > 1) {
      const pays = this.head.paid.map((/** @type {[number, number]} */ [top, bottom]) => top / bottom);
      const kinds = reader.varints(edges);
      for (let law = 0; law < laws; law++)
        for (let edge = first[law]; edge < first[law + 1]; edge++) paid[law] += weight[edge] * pays[kinds[edge]];
    }
    return { states: numbers, slots, first, denominator, paid, target, weight };
  }

  // --- what a turn is worth

  /** The value of a position for its mover, without payoffs that are certain already; null if the table does not have
   * it.
   * @param {State} state */
  #value(state) {
    const { cells, out } = stateSeenFromMover(this.game, state);
    const inner = this.inner.get(state.phase);
    const rank = inner && !out ? this.digits.rank(inner.cells, cells) : -1;
    const place = inner && rank >= 0 ? indexOfRank(inner.runs, rank) : -1;
    const values = inner && place >= 0 ? this.#turnValues(state, cells) : null;
    return inner && values && values[inner.places[place]];
  }

  /** The values of all positions of a turn with the sheet of a state, for the mover; null if the table does not have
   * the sheet. @param {State} state @param {any[]} cells as its mover sees them */
  #turnValues(state, cells) {
    const sheet = this.#sheetNumber(cells);
    if (sheet < 0) return null;
    let values = this.kept.get(sheet);
    if (!values) {
      values = this.#solveTurn(state, cells);
      if (this.kept.size >= MAX_CACHED_TURNS) this.kept.delete([...this.kept.keys()][0]);
      this.kept.set(sheet, values);
    }
    return values;
  }

  /** The number of the sheet of a position; -1 if the table does not have it. @param {any[]} cells as the mover sees
   * them */
  #sheetNumber(cells) {
    const rank = this.digits.rank(this.head.sheet, cells);
    return rank < 0 ? -1 : indexOfRank(this.sheets, rank);
  }

  /** Solve a turn backward: first the positions that end it, then each layer. @param {State} state @param {any[]} cells
   * as its mover sees them */
  #solveTurn(state, cells) {
    const values = new Float64Array(this.head.places);
    const sign = this.#sign;
    const sure = this.#certainPayoff(state);
    for (const { name, cells: own, runs, places } of this.inner.values())
      for (const [at, place] of places.entries()) {
        if (place < this.head.inner) continue;
        const here = [...cells];
        this.digits.fillCells(own, rankAt(runs, at), here);
        const end = completePosition(this.game, this, { phase: name, mover: state.mover, out: 0, cells: here });
        const worth = this.rules
          .actions(end)
          .map((action) => this.#valueAfter(end, this.rules.choose(end, action)) ?? NaN);
        values[place] = sign * Math.max(...worth.map((one) => sign * one)) - sure;
      }
    for (const layer of this.layers) this.#evaluateLayer(layer, values, sign);
    return values;
  }

  /** Set the values of the positions of a layer, from those of earlier layers. @param {Layer} layer
   * @param {Float64Array} values @param {number} sign */
  #evaluateLayer({ states, slots, first, denominator, paid, target, weight }, values, sign) {
    const worth = denominator.map((bottom, law) => {
      let sum = paid[law];
      for (let edge = first[law]; edge < first[law + 1]; edge++) sum += weight[edge] * values[target[edge]];
      return sum / bottom;
    });
    states.forEach((state, number) => {
      let best = worth[slots[0][number]];
      for (let slot = 1; slot < slots.length && number < slots[slot].length; slot++)
        if (sign * worth[slots[slot][number]] > sign * best) best = worth[slots[slot][number]];
      values[state] = best;
    });
  }

  /** The expected payoff of the mover over the whole game after one of its actions; null if it is not known.
   * @param {State} state @param {Step} step */
  #valueAfter({ mover }, { state, turnOver }) {
    if (!state.phase) {
      const { top, bottom } = this.rules.payoffs(state, this.head.objective)[mover];
      return Number(top) / Number(bottom);
    }
    const value = turnOver ? this.#startValue(state) : (this.#value(state) ?? this.#rollValue(state));
    if (value === null) return null;
    const whole = value + this.#certainPayoff(state);
    return state.mover === mover ? whole : this.#total - whole;
  }

  /** The expected value for the mover of a position in which chance acts, without payoffs that are certain already. The
   * graph of a turn has no such positions. Null if it is not a roll, or a value is not known. @param {State} state
   * @returns {number | null} */
  #rollValue(state) {
    if (this.rules.actorKind(state) !== "roll") return null;
    let [sum, all] = [0, 0];
    for (const [step, weight] of this.#rollOutcomes(state, [], 1)) {
      const value = this.#valueAfter(state, step);
      if (value === null) return null;
      sum += weight * value;
      all += weight;
    }
    return sum / all - this.#certainPayoff(state);
  }

  /** Every outcome of the rolls and draws of a position, given the results of the first ones. Each has its probability
   * multiplied by `probability`. @param {State} state @param {any[]} givenResults the results that are given
   * @param {number} probability @returns {Generator<[Step, number]>} */
  *#rollOutcomes(state, givenResults, probability) {
    const asked = this.rules.requests(state);
    let step = asked.next();
    for (const value of givenResults) step = asked.next(value);
    if (step.done) yield [this.rules.resolve(state, step.value), probability];
    else {
      const all = requestDistribution(step.value);
      const whole = all.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [value, weight] of all)
        yield* this.#rollOutcomes(state, [...givenResults, value], (probability * weight) / whole);
    }
  }

  /** The value of a position that begins a turn for its mover, without payoffs that are certain already; null if the
   * table does not have it. @param {State} state */
  #startValue(state) {
    const sheet = this.#sheetNumber(stateSeenFromMover(this.game, state).cells);
    return sheet < 0 ? null : this.units[sheet] / 10 ** this.head.unit;
  }

  /** The payoffs of a position that are certain already, which the values leave out. @param {State} state */
  #certainPayoff(state) {
    const { cells } = stateSeenFromMover(this.game, state);
    const { cells: start } = stateSeenFromMover(this.game, { ...state, cells: this.game.start });
    return this.head.has.reduce(
      (/** @type {number} */ sum, /** @type {[number, number, number]} */ [where, top, bottom]) =>
        sum + ((cells[where] - start[where]) * top) / bottom,
      0,
    );
  }

  /** 1 if the mover wants more, -1 if the mover wants less. */
  get #sign() {
    return this.head.goal === "min" ? -1 : 1;
  }

  /** The sum of the payoffs of both seats. */
  get #total() {
    const [top, bottom] = this.head.total;
    return top / bottom;
  }

  // --- what is asked

  /** The state itself if it is a choice that the table knows; else null. @param {State} state */
  entryAt(state) {
    return this.blocks.has(state.phase) && this.#value(state) !== null ? state : null;
  }

  /** The index of the first of the best actions among the legal ones; null if the table does not say.
   * @param {State} state */
  best(state) {
    return this.actionValues(state)?.find(({ loss }) => loss === 0)?.action ?? null;
  }

  /** The expected payoff of the mover over the whole game under best play; null if it is not known.
   * @param {State} state */
  expectedPayoff(state) {
    const value = this.#value(state);
    return value === null ? null : this.#toUnits(value + this.#certainPayoff(state));
  }

  /** The values of the actions of a position, in the order of the legal actions, without payoffs that are certain
   * already.
   * @param {State} state @returns {Worth[] | null} */
  actionValues(state) {
    if (!this.entryAt(state)) return null;
    const worth = this.rules.actions(state).map((action) => this.#valueAfter(state, this.rules.choose(state, action)));
    if (worth.some((one) => one === null)) return null;
    const known = /** @type {number[]} */ (worth);
    const [sign, sure] = [this.#sign, this.#certainPayoff(state)];
    const best = sign * Math.max(...known.map((one) => sign * one));
    return known.map((one, action) => {
      const lack = sign * (best - one);
      const loss = lack <= this.near ? 0 : 1 + this.#toUnits(lack);
      return { action, value: this.#toUnits(one - sure), loss };
    });
  }

  /** A value as a whole number of the smallest unit that is shown. @param {number} value in units that are shown */
  #toUnits(value) {
    return Math.round(value * 10 ** this.places);
  }
}

/** Read best play from a table of either kind. @param {Uint8Array} bytes unpacked @param {Game} game */
export function readBestPlay(bytes, game) {
  return tableHeader(bytes).kind === "turns" ? new TurnTable(bytes, game) : new PolicyTable(bytes, game);
}
