// @ts-check
/** A game as one of its seats sees it, with covered values and covered moves. */

import { Belief, commonCells, observationsOfMove, observationTextOf } from "../rules/observations.mjs";

/** @typedef {import("./settings.mjs").Ready} Ready */
/** @typedef {import("./record.mjs").Told} Told */
/** @typedef {import("../rules/rules.mjs").State} State */
/** @typedef {import("./round.mjs").Position} Position */
/** @typedef {Told & {covered?: "throw" | "choice", learned?: import("../rules/observations.mjs").Learned[]}} Seen a
 * move; `covered`: that there was one is all that is known, and `learned` what whoever does not see it learns by it */

/** The position as a seat sees it: cells that it cannot know are COVERED, and moves that it did not see are covered.
 * Once the game is over, everything is open.
 * @template {Pick<Position, "state" | "moves">} P
 * @param {Ready} loadedGame @param {P} position @param {number | null} seat below 0: of what all see; null: everything
 * @returns {P} */
export function positionSeenBySeat({ rules }, position, seat) {
  const { state, moves } = position;
  if (seat === null || !state.phase || !rules.hasSecrets) return position;
  let belief = Belief.start(rules, seat);
  for (const move of moves) belief = belief.update(observationTextOf(observationsOfMove(rules, move), seat));
  const cells = commonCells(belief.positions);
  const open = moves.length - (state.together?.chosen.length ?? 0); // choices at once are shown when all are made
  const seen = moves.map((move, place) =>
    place < open ? coverMove(rules, move, seat) : coverPendingChoice(move, seat),
  );
  return { ...position, state: { ...state, cells }, moves: seen };
}

/** A move as a seat sees it: covered if the seat does not see it. @param {import("../rules/rules.mjs").Rules} rules
 * @param {Told} move @param {number} seat @returns {Seen} */
function coverMove(rules, move, seat) {
  const { before, action } = move;
  const own = action !== null && move.seat === seat;
  if (own || before.together || rules.seenBy(before).includes(seat) || !rules.seeing[before.phase]) return move;
  return { ...move, thrown: null, action: null, events: [], covered: action ? "choice" : "throw" };
}

/** A choice that several seats make at once, covered for all other seats until all have chosen. @param {Told} move
 * @param {number} seat @returns {Seen} */
const coverPendingChoice = (move, seat) =>
  move.seat === seat ? move : { ...move, thrown: null, action: null, events: [], covered: "choice" };

/** The seat whose view a screen shows: that of the only person there, or of the person to act. -1 for what all see,
 * null for everything.
 * @param {readonly number[]} personSeats seats at the screen @param {State} state */
export function viewpointSeat(personSeats, state) {
  if (personSeats.length <= 1) return personSeats[0] ?? null;
  return personSeats.includes(state.mover) ? state.mover : -1;
}
