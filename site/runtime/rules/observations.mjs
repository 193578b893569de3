// @ts-check
/** Play as each seat sees it: what can happen in a position, and what every seat learns by it. Everybody sees which
 * phase is on, who is to move and who is out; what is thrown or chosen is seen by the seats of `seen_by`. What was seen
 * is a text, the same here and in `report/policy/plan_table.py`. */

import { requestDistribution } from "./rules.mjs";
import { COVERED, keyOf } from "./values.mjs";

/** @typedef {import("./rules.mjs").Rules} Rules */
/** @typedef {import("./rules.mjs").State} State */
/** @typedef {import("./rules.mjs").Action} Action */
/** @typedef {import("./rules.mjs").Step} Step */
/** @typedef {import("./rules.mjs").Thrown} Thrown */
/** @typedef {[who: readonly number[] | null, what: string]} Learned something that is learned, and the seats that learn
 * it; null for all of them */
/** @typedef {{after: State, learned: Learned[]}} Occurrence one thing that can happen next */

/** A text that is the same for the same position only. @param {State} state */
export function positionKey({ phase, mover, out, cells, together }) {
  const turn = together ? together.turn : mover;
  const chosen = (together?.chosen ?? []).map(([seat, item]) => `${seat}=${keyOf(item)}`);
  return [phase, turn, out, cells.map(keyOf).join(" "), chosen.join(" ")].join("|");
}

/** The observations of a seat, step by step; `seat` below 0: those that all make.
 * @param {readonly Learned[]} learned
 * @param {number} seat */
export function observationsOf(learned, seat) {
  return learned
    .filter(([who]) => !who || who.includes(seat))
    .map(([, what]) => what)
    .join("; ");
}

/** The observations that a choice gives.
 * @param {Rules} rules @param {State} state @param {Action} action
 * @param {Step} step @returns {Learned[]} */
export function learnedByChoice(rules, state, action, step) {
  const { phase, mover, together } = state;
  if (!together) {
    const what = `chose ${mover} ${phase} ${action.entry}${bindingText(action)}`;
    return [[nullIfAll(rules, [...rules.seenBy(state), mover]), what], ...learnedOnArrival(rules, step)];
  }
  const said = (/** @type {number} */ seat, /** @type {any} */ item) => `chose ${seat} ${phase} ${keyOf(item)}`;
  const [item] = Object.values(action.binding);
  if (step.state.together && step.state.together.chosen.length > together.chosen.length)
    return [[nullIfAll(rules, [mover]), said(mover, item)]];
  const shown = [...together.chosen, /** @type {const} */ ([mover, item])];
  return [
    ...shown.map(([seat, one]) => /** @type {Learned} */ ([null, said(seat, one)])),
    ...learnedOnArrival(rules, step),
  ];
}

/** What is learned when something was thrown. Results that come to the same are one: whoever saw which could do nothing
 * with it. @param {Rules} rules @param {State} state @param {Thrown} thrown @returns {Learned[]} */
function learnedByThrow(rules, state, thrown) {
  const key = stepKey(rules.resolve(state, thrown));
  const found = rollOutcomes(rules, state).find((one) => stepKey(one.step) === key);
  if (!found) throw new Error("this cannot be thrown here");
  return found.learned;
}

/** @type {WeakMap<object, Learned[]>} what was learned by a move, once it was asked */
const learnedCache = new WeakMap();

/** The observations that a move gave. A covered move carries those that all others made.
 * @param {Rules} rules
 * @param {Pick<import("../table/record.mjs").Told, "before" | "action" | "thrown"> & {learned?: Learned[]}} move
 * @returns {Learned[]} */
export function learnedByMove(rules, move) {
  const found = move.learned ?? learnedCache.get(move) ?? computeLearned(rules, move);
  learnedCache.set(move, found);
  return found;
}

/** @param {Rules} rules @param {Parameters<typeof learnedByMove>[1]} move */
function computeLearned(rules, { before, action, thrown }) {
  if (action) return learnedByChoice(rules, before, action, rules.choose(before, action));
  const left = [...(thrown ?? [])];
  return learnedByThrow(
    rules,
    before,
    rules.rollWith(before, () => left.shift()?.[1]),
  );
}

/** All that can happen in a position. @param {Rules} rules @param {State} state @returns {Occurrence[]} */
export function occurrences(rules, state) {
  if (!state.phase) return [];
  if (rules.kind(state) === "roll")
    return rollOutcomes(rules, state).map(({ step, learned }) => ({ after: step.state, learned }));
  return rules.actions(state).map((action) => {
    const step = rules.choose(state, action);
    return { after: step.state, learned: learnedByChoice(rules, state, action, step) };
  });
}

/** The results of a throw, those that come to the same together. @param {Rules} rules @param {State} state
 * @returns {{step: Step, learned: Learned[]}[]} */
function rollOutcomes(rules, state) {
  /** @type {Map<string, {step: Step, results: string[]}>} */
  const alike = new Map();
  for (const thrown of chanceResults(rules, state)) {
    const step = rules.resolve(state, thrown);
    const key = stepKey(step);
    const found = alike.get(key) ?? { step, results: [] };
    found.results.push(thrown.values.map(([name, value]) => `${name}=${keyOf(value)}`).join(" "));
    alike.set(key, found);
  }
  const sees = nullIfAll(rules, rules.seenBy(state));
  return [...alike.values()].map(({ step, results: all }) => ({
    step,
    learned: [[sees, `thrown ${all.sort().join(" or ")}`], ...learnedOnArrival(rules, step)],
  }));
}

/** Everything that chance can give, each once. @param {Rules} rules @param {State} state @returns {Thrown[]} */
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

/** @param {Step} step */
const stepKey = ({ state, shown }) => `${positionKey(state)}#${shown.map(shownText).join("; ")}`;

/** @param {Step["shown"][number]} shown */
const shownText = ([who, value]) => `${who ? [...who].sort().join(",") : "all"} ${keyOf(value)}`;

/** Some seats; null where they are all. @param {Rules} rules @param {readonly number[]} seats */
const nullIfAll = ({ game }, seats) => (new Set(seats).size < game.seats ? seats : null);

/** What is learned when a step is done: what effects revealed, and where play goes on. @param {Rules} rules
 * @param {Step} step @returns {Learned[]} */
function learnedOnArrival(rules, { state, shown }) {
  const { phase, mover, out, together } = state;
  /** @type {Learned[]} */
  const told = shown.map(([who, value]) => [who && nullIfAll(rules, who), `revealed ${keyOf(value)}`]);
  return [...told, [null, `play ${phase}|${together ? together.turn : mover}|${out}`]];
}

/** The observations that all make when a step is done, beside the throw or the choice.
 * @param {Rules} rules @param {Step} step */
export const publicObservations = (rules, step) => observationsOf(learnedOnArrival(rules, step), -1);

/** The values of an action's loop names. @param {Action} action */
const bindingText = ({ binding }) =>
  Object.entries(binding)
    .map(([name, value]) => ` ${name}=${keyOf(value)}`)
    .join("");

/** The cells of positions that cannot be told apart, covered where they differ. @param {readonly State[]} positions */
export function commonCells([first, ...others]) {
  const same = (/** @type {any} */ value, /** @type {number} */ where) =>
    others.every(({ cells }) => keyOf(cells[where]) === keyOf(value));
  return first.cells.map((value, where) => (same(value, where) ? value : COVERED));
}

/** The positions in which a seat may be, by what it has seen. */
export class Belief {
  /** @param {Rules} rules @param {number} seat below 0 for somebody who sees what all see
   * @param {State[]} positions that cannot be told apart */
  constructor(rules, seat, positions) {
    this.rules = rules;
    this.seat = seat;
    this.positions = positions;
  }

  /** @param {Rules} rules @param {number} seat */
  static start(rules, seat) {
    return new Belief(rules, seat, [rules.start()]);
  }

  /** After something was seen. @param {string} seen */
  update(seen) {
    /** @type {Map<string, State>} */
    const found = new Map();
    for (const position of this.positions)
      for (const { after, learned } of occurrences(this.rules, position))
        if (observationsOf(learned, this.seat) === seen) found.set(positionKey(after), after);
    return new Belief(this.rules, this.seat, [...found.values()]);
  }
}
