// @ts-check
/**
 * What the windows and cards use: the tables of this world, whose turn it is, what somebody may do, and how to ask for
 * it.
 *
 * Every client makes one: `const tables = new Tables(host, library); tables.begin();` (in the hook "ready"). The one
 * game master whom the host names as the authority also answers and writes; nobody else ever does.
 */

import { actionsAt, entriesOf, replayLog, makeRollEntry, makeTranscript } from "../../runtime/table/record.mjs";
import { uniqueSeatNames } from "../../runtime/words/sentences.mjs";
import { chipsOf } from "../money/purses.mjs";
import { loadWorldRecord, allTableRecords } from "../world/worldrecord.mjs";
import { ClientNetwork, PATIENCE, withTimeout } from "../world/net.mjs";
import { refuseUnless, LONGEST_LOG, RefusedRequest } from "../world/shapes.mjs";
import { Authority } from "./authority.mjs";
import { rightsOfUser } from "./rights.mjs";
import { isSealed, SecretTables } from "./sealing.mjs";
import { turnCardLines } from "./posts.mjs";
import { isDiceLook, moveFromEntry, rollAllRequests } from "./throws.mjs";

/** @typedef {import("../world/shapes.mjs").TableRecord} TableRecord */
/** @typedef {import("../world/shapes.mjs").Seat} Seat */
/** @typedef {import("../world/shapes.mjs").Host} Host */
/** @typedef {import("../../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {import("../../runtime/rules/rules.mjs").State} State */
/** @typedef {import("../../runtime/rules/rules.mjs").Action} Action */
/** @typedef {import("../../runtime/table/record.mjs").Told} Told a move with `before`, the state it was made in */
/** @typedef {{loadedGame: Ready, state: State, moves: Told[], names: string[], actions: Action[] | null, busy?:
 * boolean, waits?: number[], lost?: boolean, changed?: boolean}} Position `names` by seat; `actions` what the mover may
 * choose from, null where dice are due or the game is over (then state.phase is ""). In a game with secrets it is what
 * the user of this client sees: `waits` for the clients of these seats while `busy`; `lost` if another client has what
 * this one would need, and `changed` if entries were not only added */
/** @typedef {{act: boolean, manage: boolean, direct: boolean, close: boolean, join: number[], leave: number[], yield:
 * number[], start: boolean, rematch: boolean}} Rights `act` for the seat to move; `direct`: undo, hand over and let a
 * non-player stand in; `manage`: what a game master may do besides; `join`, `leave` and `yield` list places of seats.
 * Whoever sits at a table joins no second seat of it that is free for all */
/** What `send` takes, by type. `rev` is put in by `send` where it is left out.
 * @typedef {{
 *   create: {game: string, setting: string, stake: number, advice: "gm" | "owner" | "everyone" | "nobody",
 *     seats: {kind: "user" | "npc", user: string | null, actor: string | null, name: string, skill: number}[],
 *     money?: import("../money/coins.mjs").Currency | null, house?: string},
 *   join: {table: string, seat: number}, leave: {table: string, seat: number}, start: {table: string, rev?: number},
 *   act: {table: string, rev?: number, action: number | null}, undo: {table: string, rev?: number},
 *   enter: {table: string, rev?: number, entries: import("../../runtime/sealed/sealed.mjs").Sealing[]},
 *   rematch: {table: string, rev?: number}, close: {table: string, rev?: number},
 *   hand: {table: string, rev?: number, seat: number, skill: number},
 *   yield: {table: string, rev?: number, seat: number}, stand: {table: string, rev?: number},
 *   purse: {user: string, was: number, amount: number}}} Messages
 *
 * create: a seat for a user is kept for him (`held`) until he joins, one with user null is free for all; whoever
 * creates sits down at once where a seat names him, and a table with nobody to wait for starts at once. `name` counts
 * for non-players only (others get the name of actor or user), and only where a game master asks. `setting` is the slug
 * of any size that the rules allow (slugOf in runtime/table/settings.mjs), and there are as many seats as it has. A
 * player has to take a seat, and cannot stake against non-players or the house. A game master chooses the currency
 * (`money`, null: as the settings say) and who pays for non-players and the house (`house` of a table's record). act:
 * `action` is the index among `position.actions`, null for a roll. close: a table that is not over is broken off and
 * stakes go back; one that is over is deleted.
 * purse: a game master sets somebody's chips, which were `was` when he looked. hand: a game master gives a seat to a
 * non-player, and whoever staked there still plays for money. yield: a player gives his own seat up; what he staked
 * stays on the table, and what the seat then wins is the house's. stand: a non-player moves once for the person to
 * move.
 *
 * Rejections are RefusedRequest: `error.message` is a key of the language files (REFUSALS in shapes.mjs lists them).
 *
 * Chat cards that the authority posts have flags of this module: {card: "invitation" | "turn" | "end", table}; the end
 * card also {transcript, account} or, where a game was broken off, {game, stuck, account}, which outlive the
 * table; an end that was taken back is `undone`.
 */

export class Tables {
  /** @param {Host} host @param {import("../world/games.mjs").Games} library */
  constructor(host, library) {
    this.host = host;
    this.library = library;
    /** @type {Set<() => void>} */
    this.hearers = new Set();
    /** @type {Map<string, Promise<Position>>} positions by table and revision */
    this.positions = new Map();
    this.net = new ClientNetwork(
      host,
      (type, body, user) => this.authority.handleRequest(type, body, user),
      () => this.resumePending(),
    );
    this.sealing = new SecretTables(host, library, ({ id: table, rev }, entries) =>
      this.send("enter", { table, rev, entries }),
    );
    this.authority = new Authority(host, library, this.net, this.sealing);
  }

  /** Listen to the others, and go on with what waits for a non-player. */
  startListening() {
    this.net.startListening();
    // A die that the tabletop cannot draw would show a number where the game has an item of a bag: cards draw it.
    this.host.dressDice(({ drawn, looks }) => (drawn === false ? null : [looks ?? []].flat().filter(isDiceLook)));
    const failed = (/** @type {unknown} */ error) => error instanceof RefusedRequest || this.host.report(error);
    this.host.onMessage(
      (message, creator) =>
        void this.net.runInTurn(() => this.authority.acceptPlayerRoll(message, creator)).catch(failed),
    );
    this.resumePending();
    this.sealing.forgetGoneTables(this.all());
  }

  /** Let the authority go on with what waits, give up requests that nobody will answer, and call all listeners. To be
   * called when users come or go, because another one may have become the authority. */
  resumePending() {
    this.net.dropLost();
    void this.net.runInTurn(() => this.authority.resumePending()).catch(this.host.report);
    this.#notify();
  }

  /** Notify listeners. To be called when any setting of the module changed, such as the tables. */
  onSettingsChanged() {
    this.#notify();
  }

  /** Add the entries that this client owes to games with secrets, and call all listeners. */
  #notify() {
    void this.sealing.addOwedEntries(() => this.all());
    for (const hearer of this.hearers) hearer();
  }

  /** Every table, the newest last. @returns {TableRecord[]} */
  all() {
    return Object.values(allTableRecords(this.host));
  }

  /** The record of a table; null if there is none. @param {string} id @returns {TableRecord | null} */
  get(id) {
    const tables = allTableRecords(this.host);
    return Object.hasOwn(tables, id) ? tables[id] : null;
  }

  /** Call a function on every change, also when users come or go. @param {() => void} listener
   * @returns {() => void} stops it */
  onChange(listener) {
    this.hearers.add(listener);
    return () => this.hearers.delete(listener);
  }

  /** The position of a table. Throws RefusedRequest if this module no longer has its rules. @param {TableRecord} record
   * @returns {Promise<Position>} */
  position(record) {
    // While stakes are paid, the log has its last entry before the revision changes.
    const key = `${record.id} ${record.rev} ${record.log.length}`;
    let position = this.positions.get(key);
    if (!position) {
      if (this.positions.size > 50) this.positions.clear();
      this.positions.set(key, (position = this.#computePosition(record)));
      position.catch(() => this.positions.delete(key)); // what failed may work later
    }
    return position;
  }

  /** Compute the position of a table. @param {TableRecord} record @returns {Promise<Position>} */
  async #computePosition(record) {
    const loadedGame = await this.library.openGameOf(record);
    const names = uniqueSeatNames(record.seats, loadedGame.game.sides);
    if (isSealed(record)) return { loadedGame, names, ...(await this.sealing.position(loadedGame, record)) };
    const { state, moves } = replayLog(loadedGame, record.log);
    return { loadedGame, state, moves, names, actions: actionsAt(loadedGame, state) };
  }

  /** What somebody may do at a table. @param {TableRecord} record @param {string} user id @returns {Rights} */
  rightsOf(record, user) {
    return rightsOfUser(this.host, record, user);
  }

  /** Whether no game master is connected who could answer. */
  get isWaitingForGameMaster() {
    return this.host.authority() === null;
  }

  /** Whether a newer window of this user decides instead of this one. */
  get isDecidedElsewhere() {
    return this.net.quiet && this.host.authority() === this.host.me();
  }

  /** Decide in this window, if it is one of the authority's. */
  decideHere() {
    this.net.decideHere();
    this.resumePending();
  }

  /** Ask the authority for something. Rejects with RefusedRequest. @template {keyof Messages} T @param {T} type
   * @param {Messages[T]} payload @returns {Promise<void>} */
  async send(type, payload) {
    const body = type === "create" ? { money: null, house: "", ...payload } : { ...payload };
    if ("table" in body && type !== "join" && type !== "leave") {
      const record = this.get(body.table);
      if (!record) throw new RefusedRequest("stale");
      Object.assign(body, { rev: "rev" in body ? body.rev : record.rev });
    }
    return this.net.send(type, body);
  }

  /** Move for the seat whose turn it is. A player rolls at his own screen if the setting trusts players, for example
   * with physical dice; otherwise the authority rolls. @param {TableRecord} record
   * @param {number | null} actionIndex as of the message "act" */
  async move(record, actionIndex) {
    if (isSealed(record)) return this.sealing.move((await this.position(record)).loadedGame, record, actionIndex);
    const own = record.mover !== null && record.seats[record.mover].user === this.host.me();
    if (actionIndex === null && own && this.host.get("trusting") === true) return this.#rollHere(record);
    return this.send("act", { table: record.id, rev: record.rev, action: actionIndex });
  }

  /** Roll at this screen and post the dice; the authority reads that message. @param {TableRecord} record */
  async #rollHere(record) {
    refuseUnless(record.log.length < LONGEST_LOG, "long");
    refuseUnless(this.host.authority() !== null, "nobody");
    const { loadedGame, state, moves } = await this.position(record);
    const { casts, values, drawn, looks } = await rollAllRequests(loadedGame.rules, state, (formula, seen) =>
      this.host.roll(formula, false, seen),
    );
    const made = values && moveFromEntry(loadedGame, state, makeRollEntry(loadedGame.game, state.mover, values));
    const flags = { card: "turn", table: record.id, rev: record.rev, thrown: true, drawn, looks };
    const counted = this.#untilChanged(record);
    await this.host.post({
      author: this.host.me(),
      alias: record.seats[state.mover].name,
      rolls: casts.map(({ roll }) => roll),
      lines: made ? turnCardLines(loadedGame, [...moves, made.move], record.seats) : [],
      flags,
    });
    await counted; // a second roll would not count
  }

  /** Wait until a table has another revision, or for too long. @param {TableRecord} record */
  async #untilChanged({ id, rev }) {
    /** @type {() => void} */
    let stop = () => {};
    const changed = new Promise((done) => (stop = this.onChange(() => this.get(id)?.rev !== rev && done(undefined))));
    await withTimeout(this.host, PATIENCE, changed, undefined);
    stop();
  }

  /** The number of somebody's chips. @param {string} user id */
  chipsOf(user) {
    return chipsOf({ host: this.host, world: loadWorldRecord(this.host) }, user);
  }

  /** Ask the screens of some users to open a table. They do so only where a game master asks.
   * @param {string} tableId @param {string[]} userIds */
  showTo(tableId, userIds) {
    for (const user of userIds) this.host.emit({ v: 1, t: "show", table: tableId }, user);
  }

  /** Call a function for each table that a game master shows to this user. @param {(table: string) => void}
   * openTable */
  onShow(openTable) {
    this.net.shown = (table) => this.get(table) && openTable(table);
  }

  /** The transcript of a table, as `oddsmith play --verify` reads it. @param {TableRecord} record */
  async transcript(record) {
    const { loadedGame, moves } = await this.position(record);
    return makeTranscript(loadedGame, isSealed(record) ? { ...record, log: entriesOf(loadedGame, moves) } : record);
  }
}
