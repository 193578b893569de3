// @ts-check
/** Play as each seat sees it: what can happen in a position, and what every seat learns from it. Everybody sees the
 * phase, who is to move and who is out. The seats of `seen_by` see what is rolled or chosen. Observations are texts,
 * the same here and in `report/policy/plan_table.py`. */

import { requestDistribution } from "./rules.mjs";
import { COVERED, keyOfValue } from "./values.mjs";

/** @typedef {import("./rules.mjs").Rules} Rules */
/** @typedef {import("./rules.mjs").State} State */
/** @typedef {import("./rules.mjs").Action} Action */
/** @typedef {import("./rules.mjs").Step} Step */
/** @typedef {import("./rules.mjs").Thrown} Thrown */
/** @typedef {[who: readonly number[] | null, what: string]} Learned something that is learned, and the seats that learn
 * it; null for all of them */
/** @typedef {{after: State, learned: Learned[]}} Occurrence one thing that can happen next */

/** A text that identifies a position. @param {State} state */
export function positionKey({ phase, mover, out, cells, together }) {
  const turn = together ? together.turn : mover;
  const chosen = (together?.chosen ?? []).map(([seat, item]) => `${seat}=${keyOfValue(item)}`);
  return [phase, turn, out, cells.map(keyOfValue).join(" "), chosen.join(" ")].join("|");
}

/** The observations of a seat as one text; for a `seat` below 0, those that all seats make. The text names the seats
 * that make an observation, unless all do.
 * @param {readonly Learned[]} observations
 * @param {number} seat */
export function observationTextOf(observations, seat) {
  return observations
    .filter(([who]) => !who || who.includes(seat))
    .map(([who, what]) => (who ? `${what} to ${[...new Set(who)].sort()}` : what))
    .join("; ");
}

/** The observations that a choice gives.
 * @param {Rules} rules @param {State} state @param {Action} action
 * @param {Step} step @returns {Learned[]} */
export function observationsOfChoice(rules, state, action, step) {
  const { phase, mover, together } = state;
  if (!together) {
    const what = `chose ${mover} ${phase} ${action.entry}${bindingText(action)}`;
    return [[nullIfAllSeats(rules, [...rules.seenBy(state), mover]), what], ...observationsAfterStep(rules, step)];
  }
  const said = (/** @type {number} */ seat, /** @type {any} */ item) => `chose ${seat} ${phase} ${keyOfValue(item)}`;
  const [item] = Object.values(action.binding);
  if (step.state.together && step.state.together.chosen.length > together.chosen.length)
    return [[nullIfAllSeats(rules, [mover]), said(mover, item)]];
  const shown = [...together.chosen, /** @type {const} */ ([mover, item])];
  return [
    ...shown.map(([seat, one]) => /** @type {Learned} */ ([null, said(seat, one)])),
    ...observationsAfterStep(rules, step),
  ];
}

/** The observations that a roll gives. Results that lead to the same position are one observation, because nobody could
 * use the difference. @param {Rules} rules @param {State} state @param {Thrown} rollResult @returns {Learned[]} */
function observationsOfRoll(rules, state, rollResult) {
  const key = stepKey(rules.resolve(state, rollResult));
  const found = rollOutcomes(rules, state).find((one) => stepKey(one.step) === key);
  if (!found) throw new Error("this cannot be thrown here");
  return found.learned;
}

/** @type {WeakMap<object, Learned[]>} the observations of moves that were already computed */
const learnedCache = new WeakMap();

/** The observations that a move gave. They are computed from the rules, unless the move carries them, as a covered move
 * does.
 * @param {Rules} rules
 * @param {Pick<import("../table/record.mjs").Told, "before" | "action" | "thrown"> & {learned?: Learned[]}} move
 * @returns {Learned[]} */
export function observationsOfMove(rules, move) {
  const found = move.learned ?? learnedCache.get(move) ?? computeMoveObservations(rules, move);
  learnedCache.set(move, found);
  return found;
}

/** Work out the observations that a move gave. @param {Rules} rules
 * @param {Parameters<typeof observationsOfMove>[1]} move */
function computeMoveObservations(rules, { before, action, thrown }) {
  if (action) return observationsOfChoice(rules, before, action, rules.choose(before, action));
  const left = [...(thrown ?? [])];
  return observationsOfRoll(
    rules,
    before,
    rules.rollWith(before, () => left.shift()?.[1]),
  );
}

/** All that can happen in a position. @param {Rules} rules @param {State} state @returns {Occurrence[]} */
export function possibleOccurrences(rules, state) {
  if (!state.phase) return [];
  if (rules.actorKind(state) === "roll")
    return rollOutcomes(rules, state).map(({ step, learned }) => ({ after: step.state, learned }));
  return rules.actions(state).map((action) => {
    const step = rules.choose(state, action);
    return { after: step.state, learned: observationsOfChoice(rules, state, action, step) };
  });
}

/** The outcomes of a roll. Results that lead to the same position are one outcome. @param {Rules} rules
 * @param {State} state
 * @returns {{step: Step, learned: Learned[]}[]} */
function rollOutcomes(rules, state) {
  /** @type {Map<string, {step: Step, results: string[]}>} */
  const alike = new Map();
  for (const thrown of chanceResults(rules, state)) {
    const step = rules.resolve(state, thrown);
    const key = stepKey(step);
    const found = alike.get(key) ?? { step, results: [] };
    found.results.push(thrown.values.map(([name, value]) => `${name}=${keyOfValue(value)}`).join(" "));
    alike.set(key, found);
  }
  const sees = nullIfAllSeats(rules, rules.seenBy(state));
  return [...alike.values()].map(({ step, results: all }) => ({
    step,
    learned: [[sees, `thrown ${all.sort().join(" or ")}`], ...observationsAfterStep(rules, step)],
  }));
}

/** Every result that chance can give here, each once. @param {Rules} rules @param {State} state @returns {Thrown[]} */
function chanceResults(rules, state) {
  /** @type {Thrown[]} */
  const found = [];
  const follow = (/** @type {any[]} */ given) => {
    const asked = rules.requests(state);
    let step = asked.next();
    for (const value of given) step = asked.next(value);
    if (step.done) found.push(step.value);
    else for (const [value, weight] of requestDistribution(step.value)) if (weight) follow([...given, value]);
  };
  follow([]);
  return found;
}

/** A text that identifies the position after a step and what was revealed. @param {Step} step */
const stepKey = ({ state, shown }) => `${positionKey(state)}#${shown.map(revealedText).join("; ")}`;

/** @param {Step["shown"][number]} shown */
const revealedText = ([who, value]) => `${who ? [...who].sort().join(",") : "all"} ${keyOfValue(value)}`;

/** Some seats; null if they are all seats. @param {Rules} rules @param {readonly number[]} seats */
const nullIfAllSeats = ({ game }, seats) => (new Set(seats).size < game.seats ? seats : null);

/** The observations after a step, apart from the roll or the choice: what effects revealed, then the phase in which
 * play goes on. @param {Rules} rules
 * @param {Step} step @returns {Learned[]} */
function observationsAfterStep(rules, { state, shown }) {
  const { phase, mover, out, together } = state;
  /** @type {Learned[]} */
  const told = shown.map(([who, value]) => [who && nullIfAllSeats(rules, who), `revealed ${keyOfValue(value)}`]);
  return [...told, [null, `play ${phase}|${together ? together.turn : mover}|${out}`]];
}

/** The observations that all seats make after a step, as one text, apart from the roll or the choice itself.
 * @param {Rules} rules @param {Step} step */
export const publicObservationText = (rules, step) => observationTextOf(observationsAfterStep(rules, step), -1);

/** The values of an action's loop names, as text. @param {Action} action */
const bindingText = ({ binding }) =>
  Object.entries(binding)
    .map(([name, value]) => ` ${name}=${keyOfValue(value)}`)
    .join("");

/** The values of all cells that some positions have in common. A cell that differs between them is COVERED.
 * @param {readonly State[]} positions at least one */
export function commonCells([first, ...others]) {
  const same = (/** @type {any} */ value, /** @type {number} */ where) =>
    others.every(({ cells }) => keyOfValue(cells[where]) === keyOfValue(value));
  return first.cells.map((value, where) => (same(value, where) ? value : COVERED));
}

/** The positions that are possible for a seat, given what it has seen. */
export class Belief {
  /** @param {Rules} rules @param {number} seat below 0 for somebody who sees what all see
   * @param {State[]} possiblePositions that cannot be told apart */
  constructor(rules, seat, possiblePositions) {
    this.rules = rules;
    this.seat = seat;
    this.positions = possiblePositions;
  }

  /** The belief before the first move. @param {Rules} rules @param {number} seat */
  static start(rules, seat) {
    return new Belief(rules, seat, [rules.start()]);
  }

  /** The belief after one more move. It keeps the positions that the move can lead to if the seat sees this.
   * @param {string} observationText the observations of the seat, as `observationTextOf` writes them */
  update(observationText) {
    /** @type {Map<string, State>} */
    const found = new Map();
    for (const position of this.positions)
      for (const { after, learned } of possibleOccurrences(this.rules, position))
        if (observationTextOf(learned, this.seat) === observationText) found.set(positionKey(after), after);
    return new Belief(this.rules, this.seat, [...found.values()]);
  }
}
