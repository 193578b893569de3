// @ts-check
/** Seats and moves of one table without a server. A log grows by one person's move and by the moves of non-players that
 * follow. Dice, names and where the log is kept are the host's business. */

import { RuleFailure } from "../rules/values.mjs";
import { pickAction } from "./opponents.mjs";
import { actionsAt, makeChoiceEntry, checkedActionsAt, replayLog, applyEntry, makeRollEntry } from "./record.mjs";

/** @typedef {import("./settings.mjs").Ready} Ready */
/** @typedef {import("./settings.mjs").Opponent} Opponent */
/** @typedef {import("./record.mjs").Entry} Entry */
/** @typedef {import("./record.mjs").Told} Told */
/** @typedef {import("../rules/rules.mjs").State} State */
/** @typedef {import("../rules/rules.mjs").Action} Action */
/** @typedef {{kind: "user" | "npc", user: string | null, name: string, skill: number}} Seat `user` is the host's id of
 * who sits there (null: free), `skill` the place of a non-player's play among the opponents that the host offers */
/** @typedef {{rollOrDraw: (request: import("../rules/rules.mjs").Request) => any, below: (bound: number) => number}}
 * Dice */
/** @typedef {{state: State, moves: Told[], actions: Action[] | null}} Position */

const AT_ONCE = 300; // moves of non-players in one go, so that a table of them alone does not run away

/** Seats that nobody has taken. @param {number} count @returns {Seat[]} */
export function makeFreeSeats(count) {
  return Array.from({ length: count }, () => ({ kind: /** @type {const} */ ("user"), user: null, name: "", skill: 0 }));
}

/** Whether nobody has a seat. @param {Seat} seat */
export function isSeatFree({ kind, user }) {
  return kind === "user" && user === null;
}

/** Whether every seat is taken. @param {readonly Seat[]} seats */
export function areSeatsFull(seats) {
  return !seats.some(isSeatFree);
}

/** The indices of the seats of a person. @param {readonly {user: string | null}[]} seats @param {string} person */
export function seatsOfPerson(seats, person) {
  return seats.flatMap(({ user }, place) => (user === person ? [place] : []));
}

/** The position after a log. Throws RecordError if an entry is not possible, RuleFailure if the rules do not go on from
 * there.
 * @param {Ready} loadedGame @param {readonly Entry[]} log @returns {Position} */
export function positionAfterLog(loadedGame, log) {
  const { state, moves } = replayLog(loadedGame, log);
  return { state, moves, actions: checkedActionsAt(loadedGame, state) };
}

/** The seat that is to move; null when the game is over. @param {readonly Seat[]} seats @param {State} state */
export function seatToMove(seats, state) {
  return state.phase ? seats[state.mover] : null;
}

/** Make the entry of a move: a roll, or the action with an index. @param {Ready} loadedGame
 * @param {Pick<Position, "state" | "actions">} position @param {number | null} actionIndex @param {Dice} dice
 * @returns {Entry | null} null if there is no such action */
function makeEntry({ game, rules }, { state, actions }, actionIndex, dice) {
  if (!state.phase) return null;
  if (!actions)
    return actionIndex === null
      ? makeRollEntry(game, state.mover, rules.rollWith(state, (request) => dice.rollOrDraw(request)).values)
      : null;
  return actionIndex !== null && actions[actionIndex] ? makeChoiceEntry(game, state.mover, actions[actionIndex]) : null;
}

/** Extend a log by the move of a person and the moves of non-players that follow. It stops when a person is to move,
 * the game is over, the rules break, or many moves were made. Two things are done at once, without asking the person:
 * a roll of the same seat to which the action leads, and the only action that is left to the same seat. A move that
 * breaks the rules is not in the log; then `broken` is true.
 * @param {Ready} loadedGame @param {readonly Seat[]} seats @param {readonly Opponent[]} opponents
 * @param {readonly Entry[]} log @param {Dice} dice @param {number | null} [personAction] the place of a person's
 * action, null for a roll; leave it out if no person acts @returns {Promise<{log: Entry[], broken: boolean} | null>}
 * null where the person cannot do that */
export async function extendLog(loadedGame, seats, opponents, log, dice, personAction) {
  const entries = [...log];
  try {
    let { state, actions, moves } = positionAfterLog(loadedGame, log);
    const act = (/** @type {number | null} */ place) => {
      const entry = makeEntry(loadedGame, { state, actions }, place, dice);
      if (!entry) return false;
      const { step, move } = applyEntry(loadedGame, state, entry);
      [state, moves] = [step.state, [...moves, move]];
      actions = checkedActionsAt(loadedGame, state);
      entries.push(entry);
      return true;
    };
    const { mover } = state;
    if (personAction !== undefined && !act(personAction)) return null;
    const most = log.length + AT_ONCE;
    if (personAction !== undefined) {
      const goesOn = () => state.phase && state.mover === mover;
      if (personAction !== null && goesOn() && !actions) act(null);
      while (goesOn() && actions?.length === 1 && entries.length < most) act(0);
    }
    while (entries.length < most) {
      const seat = seatToMove(seats, state);
      if (seat?.kind !== "npc") break;
      const below = async (/** @type {number} */ bound) => dice.below(bound);
      act(actions && (await pickAction(loadedGame, opponents[seat.skill], state, actions, moves, below)));
    }
    return { log: entries, broken: false };
  } catch (error) {
    if (error instanceof RuleFailure) return { log: entries, broken: true };
    throw error;
  }
}

/** The place in a log of the last entry that a person decided; -1 if there is none. Entries of the same seat that had
 * only one action belong to the entry that led there. @param {Ready} loadedGame
 * @param {readonly {kind: string}[]} seats @param {readonly Entry[]} log
 * @param {Pick<Position, "state" | "actions"> | null} [brokenPosition] the position in which the rules broke, because
 * the last move is then not in the log */
export function indexOfLastAct(loadedGame, seats, log, brokenPosition = null) {
  const { moves } = replayLog(loadedGame, log);
  const movers = log.map(({ seat }) => seat);
  if (brokenPosition) movers.push(brokenPosition.state.mover + 1);
  const options = (/** @type {number} */ place) =>
    place < moves.length ? actionsAt(loadedGame, moves[place].before) : (brokenPosition?.actions ?? null);
  let last = movers.findLastIndex((seat) => seats[seat - 1]?.kind === "user");
  while (last > 0 && movers[last - 1] === movers[last] && options(last)?.length === 1) last -= 1;
  return last;
}

/** The log without the last act of a person and all that followed it; null if no person has acted. A roll is removed
 * together with the action that led to it. An only action is removed together with what led there.
 * @param {Ready} loadedGame @param {readonly Seat[]} seats @param {readonly Entry[]} log
 * @param {Pick<Position, "state" | "actions"> | null} brokenPosition as for `indexOfLastAct` */
export function logBeforeLastAct(loadedGame, seats, log, brokenPosition) {
  const last = indexOfLastAct(loadedGame, seats, log, brokenPosition);
  if (last < 0) return null;
  const [before, own] = [log[last - 1], log[last]];
  const rolls = own ? "throw" in own : !brokenPosition?.actions;
  const led =
    rolls && before && !("throw" in before) && before.seat === (own?.seat ?? (brokenPosition?.state.mover ?? 0) + 1);
  return log.slice(0, led ? last - 1 : last);
}

/** Return a seat as it is once a non-player has it. It keeps its name.
 * @param {Seat} seat @param {number} skill
 * @param {string} name if the seat has none @returns {Seat} */
export function giveToNonPlayer(seat, skill, name) {
  return { kind: "npc", user: null, name: seat.name || name, skill };
}
