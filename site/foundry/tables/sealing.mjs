// @ts-check
/** Tables with secrets. What a world keeps, all its clients can read, so hidden rolls and choices lie there sealed, and
 * what opens them stays with the clients of those who may look. Each client adds by itself what its seats owe. The
 * keeper of a table, a game master, does so for its non-players, and has their choices made. */

import { OwnDice } from "../../runtime/rules/random.mjs";
import { Sealed } from "../../runtime/sealed/sealed.mjs";
import { opponentsOf, pick } from "../../runtime/table/opponents.mjs";
import { RecordError } from "../../runtime/table/record.mjs";
import { seatsOf } from "../../runtime/table/round.mjs";
import { refuseUnless, RefusedRequest } from "../world/shapes.mjs";

/** @typedef {import("../world/shapes.mjs").Host} Host */
/** @typedef {import("../world/shapes.mjs").TableRecord} TableRecord */
/** @typedef {import("../../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {import("../../runtime/sealed/sealed.mjs").Sealing} Entry */
/** @typedef {import("../../runtime/sealed/sealed.mjs").SealedPosition} SealedPosition */

const ROOM = 1600; // letters of entries that go in one message
const AGAIN = 3000; // milliseconds after which something is asked for again that was not answered

/** Whether a table is one of a game with secrets. @param {TableRecord} record */
export const isSealed = ({ keeper }) => keeper !== null;

/** Whether a game was played to its end, and nothing is left to be opened.
 * @param {{state: {phase: string}, busy?: boolean}} position */
export const isOver = ({ state, busy }) => !state.phase && !busy;

/** The places of the seats whose secrets somebody's client has. @param {TableRecord} record @param {string} user */
export function ownedBy({ seats, keeper }, user) {
  const kept = keeper === user ? seats.flatMap(({ kind }, place) => (kind === "npc" ? [place] : [])) : [];
  return [...seatsOf(seats, user), ...kept];
}

export class Sealing {
  /** @param {Host} host @param {import("../world/games.mjs").Games} library
   * @param {(record: TableRecord, entries: Entry[]) => Promise<void>} send asks the authority to add entries */
  constructor(host, library, send) {
    this.host = host;
    this.library = library;
    this.send = send;
    this.dice = new OwnDice();
    this.sealed = new Sealed(host.storage, host.shelf("sealed"));
    /** @type {Set<string>} moves of non-players that are on their way, by table and revision */
    this.pending = new Set();
    this.queue = Promise.resolve();
  }

  /** Where a table stands as the user of this client sees it. @param {Ready} ready @param {TableRecord} record
   * @returns {Promise<SealedPosition & {changed: boolean}>} `changed`: the table lost something that was there */
  async position(ready, record) {
    const { sealed } = this;
    const changed = !sealed.grows(record, record.log);
    const seats = seatsOf(record.seats, this.host.me());
    return { ...(await sealed.position(ready, record, record.log, seats)), changed };
  }

  /** What everybody knows of a table. @param {Ready} ready @param {TableRecord} record */
  async publicPosition(ready, record) {
    return this.sealed.position(ready, record, record.log, []);
  }

  /** The same with a longer log; null where the rules do not go on from there. RefusedRequest if it has an entry that
   * cannot be. @param {Ready} ready @param {TableRecord} record @param {readonly Entry[]} log */
  async positionAfter(ready, record, log) {
    return this.sealed.position(ready, record, log, []).catch((error) => {
      if (!(error instanceof RecordError)) throw error;
      refuseUnless(error.broken, "action");
      return null;
    });
  }

  /** Roll or choose for the seat of this user. @param {Ready} ready @param {TableRecord} record
   * @param {number | null} action the place of it, null for a roll */
  async move(ready, record, action) {
    const { sealed } = this;
    const seen = await sealed.position(ready, record, record.log, seatsOf(record.seats, this.host.me()));
    const entry = await sealed.entry(ready, record, record.log, seen, action);
    refuseUnless(entry, "action");
    await this.send(record, [entry]);
  }

  /** Add what the seats of this client owe, and have its non-players move, after everything that was looked at before.
   * @param {() => TableRecord[]} tables all of them, as they then are */
  addOwedEntries(tables) {
    const ask = async () => {
      for (const record of tables().filter((one) => isSealed(one) && one.phase === "play"))
        await this.#addOwedAt(record, tables).catch((error) => this.#handleFailure(error, tables)); // the others go on
    };
    return (this.queue = this.queue.then(ask));
  }

  /** What was refused is of no use any more; what was not answered is asked for again. @param {unknown} error
   * @param {() => TableRecord[]} tables */
  #handleFailure(error, tables) {
    if (!(error instanceof RefusedRequest)) this.host.report(error);
    else if (error.why === "slow") this.host.later(AGAIN, () => void this.addOwedEntries(tables));
  }

  /** @param {TableRecord} record @param {() => TableRecord[]} tables */
  async #addOwedAt(record, tables) {
    const { id, rev, log, mover, seats } = record;
    const own = ownedBy(record, this.host.me());
    const { sealed } = this;
    if (!own.length || this.host.authority() === null || !sealed.grows(record, log)) return;
    const ready = await this.library.of(record);
    const owed = await sealed.duties(ready, record, log, own);
    if (owed.length) return this.send(record, fitInMessage(owed));
    const key = `${id} ${rev}`;
    if (mover === null || seats[mover].kind !== "npc" || !own.includes(mover) || this.pending.has(key)) return;
    this.pending.add(key);
    this.host.later(this.host.get("pause"), () => {
      this.pending.delete(key);
      const now = tables().find((one) => one.id === id && one.rev === rev);
      if (now) void this.#play(ready, now, mover).catch((error) => this.#handleFailure(error, tables));
    });
  }

  /** One move of a non-player, which knows what its seat has seen. @param {Ready} ready @param {TableRecord} record
   * @param {number} seat */
  async #play(ready, record, seat) {
    const { sealed } = this;
    const { log, seats } = record;
    const seen = await sealed.position(ready, record, log, [seat]);
    const how = opponentsOf(ready.setting)[seats[seat].skill];
    const below = async (/** @type {number} */ bound) => this.dice.below(bound);
    const place = seen.actions && (await pick(ready, how, seen.state, seen.actions, seen.moves, below));
    const entry = await sealed.entry(ready, record, log, seen, place);
    if (entry) await this.send(record, [entry]);
  }

  /** Forget the secrets of tables that are gone. @param {readonly TableRecord[]} tables */
  forget(tables) {
    const here = new Set(tables.map(({ id }) => id));
    this.sealed.forget((kept) => kept.filter((id) => here.has(id)));
  }
}

/** As many entries as a message takes, at least one. @param {readonly Entry[]} entries */
function fitInMessage(entries) {
  let room = ROOM;
  const end = entries.findIndex((entry, place) => (room -= JSON.stringify(entry).length) < 0 && place > 0);
  return end < 0 ? [...entries] : entries.slice(0, end);
}
