// @ts-check
/** Tables of games with secrets. All clients can read what a world keeps, so hidden rolls and choices lie there
 * encrypted (sealed), and the keys stay with the clients of those who may look. Each client adds by itself the entries
 * that the protocol asks of its seats. A game master, the keeper of the table, does so for non-players and has their
 * choices made. */

import { SystemRandom } from "../../runtime/rules/random.mjs";
import { SealedGames } from "../../runtime/sealed/sealed.mjs";
import { opponentsOf, pickAction } from "../../runtime/table/opponents.mjs";
import { RecordError } from "../../runtime/table/record.mjs";
import { seatsOfPerson } from "../../runtime/table/round.mjs";
import { refuseUnless, RefusedRequest } from "../world/shapes.mjs";

/** @typedef {import("../world/shapes.mjs").Host} Host */
/** @typedef {import("../world/shapes.mjs").TableRecord} TableRecord */
/** @typedef {import("../../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {import("../../runtime/sealed/sealed.mjs").Sealing} Entry */
/** @typedef {import("../../runtime/sealed/sealed.mjs").SealedPosition} SealedPosition */

const ROOM = 1600; // characters of the entries in one message
const AGAIN = 3000; // milliseconds after which a request without an answer is repeated

/** Whether a table plays a game with secrets. @param {TableRecord} record */
export const isSealed = ({ keeper }) => keeper !== null;

/** Whether a game was played to its end and nothing remains to be opened.
 * @param {{state: {phase: string}, busy?: boolean}} position */
export const isOver = ({ state, busy }) => !state.phase && !busy;

/** The seats whose secrets a user's client has. @param {TableRecord} record @param {string} user */
export function seatsWithSecrets({ seats, keeper }, user) {
  const kept = keeper === user ? seats.flatMap(({ kind }, place) => (kind === "npc" ? [place] : [])) : [];
  return [...seatsOfPerson(seats, user), ...kept];
}

export class SecretTables {
  /** @param {Host} host @param {import("../world/games.mjs").Games} library
   * @param {(record: TableRecord, entries: Entry[]) => Promise<void>} sendEntries asks the authority to add entries */
  constructor(host, library, sendEntries) {
    this.host = host;
    this.library = library;
    this.send = sendEntries;
    this.dice = new SystemRandom();
    this.sealed = new SealedGames(host.storage, host.shelf("sealed"));
    /** @type {Set<string>} moves of non-players that are being made, by table and revision */
    this.pending = new Set();
    this.queue = Promise.resolve();
  }

  /** The position of a table as the user of this client sees it. @param {Ready} loadedGame @param {TableRecord} record
   * @returns {Promise<SealedPosition & {changed: boolean}>} `changed`: the table lost something that was there */
  async position(loadedGame, record) {
    const { sealed } = this;
    const changed = !sealed.extendsLastSeen(record, record.log);
    const seats = seatsOfPerson(record.seats, this.host.me());
    return { ...(await sealed.position(loadedGame, record, record.log, seats)), changed };
  }

  /** The position of a table as everybody knows it. @param {Ready} loadedGame @param {TableRecord} record */
  async publicPosition(loadedGame, record) {
    return this.sealed.position(loadedGame, record, record.log, []);
  }

  /** The position that everybody knows after a longer log; null if the rules do not go on from there. Throws
   * RefusedRequest if the log has an impossible entry. @param {Ready} loadedGame @param {TableRecord} record
   * @param {readonly Entry[]} log */
  async positionAfter(loadedGame, record, log) {
    return this.sealed.position(loadedGame, record, log, []).catch((error) => {
      if (!(error instanceof RecordError)) throw error;
      refuseUnless(error.broken, "action");
      return null;
    });
  }

  /** Roll or choose for the seat of this user. @param {Ready} loadedGame @param {TableRecord} record
   * @param {number | null} actionIndex the index of the choice, null for a roll */
  async move(loadedGame, record, actionIndex) {
    const { sealed } = this;
    const seen = await sealed.position(loadedGame, record, record.log, seatsOfPerson(record.seats, this.host.me()));
    const entry = await sealed.entryForAct(loadedGame, record, record.log, seen, actionIndex);
    refuseUnless(entry, "action");
    await this.send(record, [entry]);
  }

  /** Add the entries that the protocol asks of this client's seats, and let its non-players move. It waits for earlier
   * calls.
   * @param {() => TableRecord[]} currentTables all of them, as they then are */
  addOwedEntries(currentTables) {
    const ask = async () => {
      for (const record of currentTables().filter((one) => isSealed(one) && one.phase === "play"))
        // A failure at one table must not keep the others from going on.
        await this.#addOwedEntriesAt(record, currentTables).catch((error) => this.#handleFailure(error, currentTables));
    };
    return (this.queue = this.queue.then(ask));
  }

  /** Handle an error of a table: repeat a request that was not answered, ignore one that was refused, and report
   * anything else. @param {unknown} error
   * @param {() => TableRecord[]} currentTables */
  #handleFailure(error, currentTables) {
    if (!(error instanceof RefusedRequest)) this.host.report(error);
    else if (error.why === "slow") this.host.later(AGAIN, () => void this.addOwedEntries(currentTables));
  }

  /** Add the entries that the protocol asks of this client's seats at one table, and let its non-players move. @param
   * {TableRecord} record @param {() => TableRecord[]} currentTables */
  async #addOwedEntriesAt(record, currentTables) {
    const { id, rev, log, mover, seats } = record;
    const own = seatsWithSecrets(record, this.host.me());
    const { sealed } = this;
    if (!own.length || this.host.authority() === null || !sealed.extendsLastSeen(record, log)) return;
    const loadedGame = await this.library.openGameOf(record);
    const owed = await sealed.dueEntries(loadedGame, record, log, own);
    if (owed.length) return this.send(record, entriesThatFitMessage(owed));
    const key = `${id} ${rev}`;
    if (mover === null || seats[mover].kind !== "npc" || !own.includes(mover) || this.pending.has(key)) return;
    this.pending.add(key);
    this.host.later(this.host.get("pause"), () => {
      this.pending.delete(key);
      const now = currentTables().find((one) => one.id === id && one.rev === rev);
      if (now)
        void this.#moveNonPlayer(loadedGame, now, mover).catch((error) => this.#handleFailure(error, currentTables));
    });
  }

  /** Make one move of a non-player, from what its seat has seen. @param {Ready} loadedGame @param {TableRecord} record
   * @param {number} seat */
  async #moveNonPlayer(loadedGame, record, seat) {
    const { sealed } = this;
    const { log, seats } = record;
    const seen = await sealed.position(loadedGame, record, log, [seat]);
    const how = opponentsOf(loadedGame.setting)[seats[seat].skill];
    const below = async (/** @type {number} */ bound) => this.dice.below(bound);
    const place = seen.actions && (await pickAction(loadedGame, how, seen.state, seen.actions, seen.moves, below));
    const entry = await sealed.entryForAct(loadedGame, record, log, seen, place);
    if (entry) await this.send(record, [entry]);
  }

  /** Forget the secrets of tables that are gone. @param {readonly TableRecord[]} tables */
  forgetGoneTables(tables) {
    const here = new Set(tables.map(({ id }) => id));
    this.sealed.forgetOtherTables((kept) => kept.filter((id) => here.has(id)));
  }
}

/** The first entries that fit in one message; at least one. @param {readonly Entry[]} entries */
function entriesThatFitMessage(entries) {
  let room = ROOM;
  const end = entries.findIndex((entry, place) => (room -= JSON.stringify(entry).length) < 0 && place > 0);
  return end < 0 ? [...entries] : entries.slice(0, end);
}
