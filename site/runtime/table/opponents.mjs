// @ts-check
/** How non-players choose: best play, at random, a policy of the ruleset, or a mixture of the first two. */

import { compileExpression } from "../rules/expression.mjs";
import { compare } from "../rules/values.mjs";
import { drawIndexByWeight } from "./plan.mjs";

/** @typedef {import("./settings.mjs").Ready} Ready */
/** @typedef {import("./settings.mjs").Opponent} Opponent */
/** @typedef {import("../rules/rules.mjs").State} State */
/** @typedef {import("../rules/rules.mjs").Action} Action */
/** @typedef {import("./record.mjs").Told} Told */
/** @typedef {Pick<Ready, "game" | "rules" | "policy" | "plan">} Playable */
/** @typedef {(bound: number) => Promise<number>} Below a whole number from 0 to below a bound, each as likely */

/** @type {Opponent[]} */
const PLAIN = [
  { kind: "best", policy: null, best: null, odds: [] },
  { kind: "random", policy: null, best: null, odds: [] },
];

/** The opponents that a setting offers for non-players; best play and random play if it lists none.
 * @param {import("./settings.mjs").Setting} setting @returns {Opponent[]} */
export function opponentsOf(setting) {
  return setting.opponents?.length ? setting.opponents : PLAIN;
}

/** The index, among `opponentsOf`, of the opponent that a host offers first: best play, else the first of all.
 * @param {import("./settings.mjs").Setting} setting */
export function usualOpponentIndex(setting) {
  return Math.max(
    0,
    opponentsOf(setting).findIndex(({ kind }) => kind === "best"),
  );
}

/** A named policy of the rules: the first line that fits a legal action, else the first action. */
export class NamedPolicy {
  /** @param {import("../rules/game.mjs").Game} game @param {string} name */
  constructor(game, name) {
    this.game = game;
    /** @type {Map<string, {option: string, when: import("../rules/expression.mjs").Compiled,
     *   prefer: import("../rules/expression.mjs").Compiled | null}[]>} */
    this.lines = new Map();
    for (const [phase, lines] of Object.entries(game.bundle.policies[name]))
      this.lines.set(
        phase,
        lines.map((/** @type {any} */ { option, when, prefer }) => ({
          option,
          when: compileExpression(when),
          prefer: prefer === null ? null : compileExpression(prefer),
        })),
      );
  }

  /** The index of the prescribed action. @param {State} state @param {Action[]} actions */
  pick(state, actions) {
    const m = this.game.context(state.cells, state.mover, state.out);
    /** @param {import("../rules/expression.mjs").Compiled} tree @param {number} place */
    const at = (tree, place) => {
      m.local = Object.assign(Object.create(null), actions[place].binding);
      return tree(m);
    };
    for (const { option, when, prefer } of this.lines.get(state.phase) ?? []) {
      const fitting = [...actions.keys()].filter((place) => actions[place].name === option && at(when, place));
      if (!fitting.length) continue;
      if (!prefer) return fitting[0];
      const worth = new Map(fitting.map((place) => [place, at(prefer, place)]));
      return fitting.reduce((best, place) => (compare(worth.get(place), worth.get(best)) > 0 ? place : best));
    }
    return 0;
  }
}

/** The index of the action that an opponent chooses. When it needs chance, it yields a bound and is given a random
 * whole number from 0 to below it. Without a table of best play, or in a position that the table does not have, it
 * plays at random.
 * @param {Playable} loadedGame @param {Opponent} opponent @param {State} state @param {Action[]} actions
 * @param {readonly Told[]} moves so far, of which an opponent uses what its seat has seen
 * @returns {Generator<number, number, number>} */
export function* chooseAction(loadedGame, opponent, state, actions, moves) {
  if (actions.length === 1) return 0;
  if (opponent.kind === "named" && opponent.policy !== null)
    return new NamedPolicy(loadedGame.game, opponent.policy).pick(state, actions);
  const [top, bottom] = opponent.best ?? [1, 1];
  const well = opponent.kind === "best" || (opponent.kind === "mixture" && (yield bottom) < top);
  const best = well ? yield* bestAction(loadedGame, state, moves) : null;
  return best ?? (yield actions.length);
}

/** The index of the action of best play; null if no table says. @param {Playable} loadedGame @param {State} state
 * @param {readonly Told[]} moves @returns {Generator<number, number | null, number>} */
function* bestAction({ rules, policy, plan }, state, moves) {
  const chances = plan?.decisionAt(rules, moves, state)?.chances;
  if (chances) return yield* drawIndexByWeight(chances);
  return policy ? yield* bestActionInTable(policy, state) : null;
}

/** The index of the best action in the table; null if the table does not have the position. If best play mixes there,
 * it yields a bound and is given a random number, as in `chooseAction`. The table takes its random number at once, so
 * a first call only finds out whether it needs one. @param {import("./settings.mjs").BestPlay} policyTable
 * @param {State} state
 * @returns {Generator<number, number | null, number>} */
function* bestActionInTable(policyTable, state) {
  let bound = 0;
  const sure = policyTable.best(state, (/** @type {number} */ asked) => {
    bound = asked;
    return 0;
  });
  if (!bound) return sure;
  const drawn = yield bound;
  return policyTable.best(state, () => drawn);
}

/** The index of the action that an opponent chooses, for a host whose random numbers come asynchronously.
 * @param {Playable} loadedGame @param {Opponent} opponent
 * @param {State} state @param {Action[]} actions @param {readonly Told[]} moves @param {Below} randomBelow
 * @returns {Promise<number>} */
export async function pickAction(loadedGame, opponent, state, actions, moves, randomBelow) {
  const choice = chooseAction(loadedGame, opponent, state, actions, moves);
  let step = choice.next();
  while (!step.done) step = choice.next(await randomBelow(step.value));
  return step.value;
}
