// @ts-check
/** Who may do what at a table. A page shows controls by these rights, and whoever decides for others checks them too.
 * What is not listed is forbidden to all. */

import { areSeatsFull, isSeatFree } from "../runtime/table/round.mjs";

/** @typedef {import("./shared.mjs").SharedTable} SharedTable */
/** @typedef {{id: string, name: string, gm: boolean, guest?: boolean}} Person `guest`: somebody else's browser decides
 * what he may do */
/** @typedef {keyof typeof RIGHTS} Act */

/** The rights by act, which is also the name of the method of SharedTable. A place is that of a seat, if one is meant.
 * @satisfies {Record<string, (table: SharedTable, place?: any) => boolean>} */
export const RIGHTS = {
  open: ({ kept, me }) => !kept && !me.guest,
  join: ({ kept, hasSeat }, place) => kept?.seats[place] !== undefined && isSeatFree(kept.seats[place]) && !hasSeat,
  leave: ({ kept, me }, place) => {
    const seat = kept?.seats[place];
    if (!kept || !seat || isSeatFree(seat)) return false;
    const npc = seat.kind === "npc";
    if (kept.started) return me.gm && npc;
    return me.gm || seat.user === me.id || (npc && !me.guest);
  },
  hand: ({ kept, me, isOver: over, hasSecrets }, place) => {
    const seat = kept?.seats[place];
    if (!kept || !seat || seat.kind === "npc" || over || hasSecrets) return false;
    return me.gm || (!me.guest && !kept.started && isSeatFree(seat));
  },
  start: ({ kept, me, hasSeat }) => kept !== null && !kept.started && areSeatsFull(kept.seats) && (hasSeat || me.gm),
  act: ({ canMove: mayMove }) => mayMove,
  goOn: ({ isNonPlayerWaiting: nonPlayersWait }) => nonPlayersWait,
  enter: ({ kept, me, hasSecrets, fault }, entry) =>
    hasSecrets && !fault && kept?.started === true && !kept.broken && kept.seats[entry?.seat - 1]?.user === me.id,
  undo: ({ kept, me, hasSecrets }) => kept !== null && kept.started && me.gm && !hasSecrets,
  rematch: ({ me, isOver: over, hasSeat }) => over && (hasSeat || me.gm),
  close: ({ kept, me, isOver: over, hasSeat }) =>
    kept !== null && (me.gm || (!me.guest && (over || (!kept.started && hasSeat)))),
};
