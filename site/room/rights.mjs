// @ts-check
/** Who may do what at a table. A page shows controls by these rights, and whoever decides for others asks them too.
 * What is not listed, nobody may do. */

import { isFull, isFree } from "../runtime/table/round.mjs";

/** @typedef {import("./shared.mjs").Shared} Shared */
/** @typedef {{id: string, name: string, gm: boolean, guest?: boolean}} Person `guest`: somebody else's browser decides
 * what he may do */
/** @typedef {keyof typeof RIGHTS} Act */

/** The rights by act, which is also the name of the method of Shared. A place is that of a seat, if one is meant.
 * @satisfies {Record<string, (table: Shared, place?: any) => boolean>} */
export const RIGHTS = {
  open: ({ kept, me }) => !kept && !me.guest,
  join: ({ kept, sits }, place) => kept?.seats[place] !== undefined && isFree(kept.seats[place]) && !sits,
  leave: ({ kept, me }, place) => {
    const seat = kept?.seats[place];
    if (!kept || !seat || isFree(seat)) return false;
    const npc = seat.kind === "npc";
    if (kept.started) return me.gm && npc;
    return me.gm || seat.user === me.id || (npc && !me.guest);
  },
  hand: ({ kept, me, over, secret }, place) => {
    const seat = kept?.seats[place];
    if (!kept || !seat || seat.kind === "npc" || over || secret) return false;
    return me.gm || (!me.guest && !kept.started && isFree(seat));
  },
  start: ({ kept, me, sits }) => kept !== null && !kept.started && isFull(kept.seats) && (sits || me.gm),
  act: ({ acts }) => acts,
  goOn: ({ stands }) => stands,
  enter: ({ kept, me, secret, fault }, entry) =>
    secret && !fault && kept?.started === true && !kept.broken && kept.seats[entry?.seat - 1]?.user === me.id,
  undo: ({ kept, me, secret }) => kept !== null && kept.started && me.gm && !secret,
  rematch: ({ me, over, sits }) => over && (sits || me.gm),
  close: ({ kept, me, over, sits }) => kept !== null && (me.gm || (!me.guest && (over || (!kept.started && sits)))),
};
