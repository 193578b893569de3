// @ts-check
/** Who may do what at a table. The windows ask to show buttons; the authority asks again, and its answer counts. */

import { isGM } from "../world/shapes.mjs";
import { isSealed } from "./sealing.mjs";

/** @typedef {import("../world/shapes.mjs").TableRecord} TableRecord */
/** @typedef {import("../world/shapes.mjs").Host} Host */
/** @typedef {import("../world/shapes.mjs").Seat} Seat */

/** Whether a user plays a seat: it is his, or he owns its actor and the setting allows that.
 * @param {Host} host @param {Seat} seat @param {string} user */
export function isPlayedBy(host, seat, user) {
  if (seat.kind !== "user" || seat.user === null) return false;
  return seat.user === user || (host.get("owners") === true && seat.actor !== null && host.owns(user, seat.actor));
}

/** Whether only a game master may open a table: money is staked, and either a non-player or the house is in the game,
 * or players see advice.
 * @param {Pick<TableRecord, "stake" | "seats" | "advice">} table */
export function needsGameMaster({ stake, seats, advice }) {
  const among = seats.length > 1 && seats.every(({ kind }) => kind === "user");
  return stake > 0 && !(among && (advice === "gm" || advice === "nobody"));
}

/** What a user may do at a table now: a flag for each act, and lists of seats.
 * @param {Host} host @param {TableRecord} record @param {string} user
 * @returns {import("./tables.mjs").Rights} */
export function rightsOfUser(host, record, user) {
  const known = host.users().some(({ id }) => id === user);
  const gm = isGM(host, user);
  const { phase, seats, mover } = record;
  const seatsWhere = (/** @type {(seat: Seat) => boolean} */ fits) =>
    known && phase === "lobby" ? [...seats.keys()].filter((place) => fits(seats[place])) : [];
  const acting = mover === null ? null : seats[mover];
  // Nobody else has the secrets of a seat, so nobody plays for it.
  const sealed = isSealed(record) && phase !== "lobby";
  const sits = seats.some((seat) => seat.user === user);
  return {
    act:
      known &&
      phase === "play" &&
      acting !== null &&
      acting.kind === "user" &&
      (sealed ? acting.user === user : gm || isPlayedBy(host, acting, user)),
    manage: gm,
    direct: gm && !sealed,
    close: gm || (phase === "lobby" && record.dealer === user),
    join: seatsWhere(
      (seat) =>
        seat.kind === "user" && seat.user === null && (gm || seat.held === user || (seat.held === null && !sits)),
    ),
    leave: seatsWhere((seat) => seat.kind === "user" && seat.user !== null && (gm || seat.user === user)),
    yield: phase === "play" && !sealed ? [...seats.keys()].filter((place) => known && seats[place].user === user) : [],
    start:
      phase === "lobby" &&
      (gm || record.dealer === user) &&
      seats.every((seat) => seat.kind === "npc" || seat.user !== null),
    rematch:
      known &&
      phase === "over" &&
      record.next === null &&
      (gm ||
        (host.get("open") === "everyone" &&
          !needsGameMaster(record) &&
          seats.some((seat) => isPlayedBy(host, seat, user)))),
  };
}
