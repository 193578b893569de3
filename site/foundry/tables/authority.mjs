// @ts-check
/**
 * The one client that decides: it holds every request against the rules and the rights of who asked, rolls the dice,
 * writes the world's record and posts the cards. The position of a table is always the replay of its log.
 */

import { opponentsOf, pickAction, usualOpponentIndex } from "../../runtime/table/opponents.mjs";
import {
  actionsAt,
  makeChoiceEntry,
  entriesOf,
  replayLog,
  makeRollEntry,
  makeTranscript,
} from "../../runtime/table/record.mjs";
import { indexOfLastAct } from "../../runtime/table/round.mjs";
import { endText, uniqueSeatNames, opponentName } from "../../runtime/words/sentences.mjs";
import { hasUncertainPayouts, payoutPayments, reversalPayments, unsettledPayments } from "../money/ledger.mjs";
import { makePayments, settleUnfinishedPayments } from "../money/payments.mjs";
import { setChips } from "../money/purses.mjs";
import { brokenOffText, refundSettlement, finalSettlement } from "../money/settlement.mjs";
import { chipsWonBySeat } from "../money/stakes.mjs";
import { hasUnsharedPurses, saveWorldRecord, loadWorldRecord } from "../world/worldrecord.mjs";
import { RateLimiter, withTimeout } from "../world/net.mjs";
import { refuseUnless, isGM, LONGEST_LOG, RefusedRequest, VERSION } from "../world/shapes.mjs";
import { waitForDice } from "../world/still.mjs";
import {
  breakOff,
  createTable,
  finishTable,
  vacateSeat,
  giveUpSeat,
  addTable,
  takeSeat,
  stakeForOthers,
  rematchTable,
} from "./opening.mjs";
import { ChatCardPoster } from "./posts.mjs";
import { rightsOfUser } from "./rights.mjs";
import { isOver, isSealed, seatsWithSecrets } from "./sealing.mjs";
import { rollAllRequests, moveFromEntry } from "./throws.mjs";

/** @typedef {import("../world/shapes.mjs").Host} Host */
/** @typedef {import("../world/shapes.mjs").TableRecord} TableRecord */
/** @typedef {import("../world/shapes.mjs").Cast} Cast */
/** @typedef {import("../world/shapes.mjs").Seat} Seat */
/** @typedef {import("../../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {import("../../runtime/table/record.mjs").Entry} Entry */
/** @typedef {import("./opening.mjs").At} At */
/** @typedef {import("./throws.mjs").Thrown} Thrown */
/** @typedef {import("../../runtime/sealed/sealed.mjs").Sealing} Sealing */
/** @typedef {import("../world/net.mjs").Rest} Rest */

const MAX_FINISHED_TABLES = 10; // finished tables
const PATIENCE = 120_000; // milliseconds after which dice that somebody is to throw by hand are not waited for any more
const AGAIN = 10_000; // milliseconds after which a non-player tries again
const TRIES = 3; // of a non-player to move
const OPENED = 6; // tables that a player opens
const SPAN = 600_000; // in so many milliseconds: each is a card that a game master posts

/** A text that identifies a roll: its table and the revision of that. @param {TableRecord} record */
const rollKey = ({ id, rev }) => `${id} ${rev}`;

export class Authority {
  /** @param {Host} host @param {import("../world/games.mjs").Games} library
   * @param {import("../world/net.mjs").ClientNetwork} net whose queue is the only one, and who knows which window
   * decides
   * @param {import("./sealing.mjs").SecretTables} sealing */
  constructor(host, library, net, sealing) {
    this.host = host;
    this.library = library;
    this.net = net;
    this.sealing = sealing;
    this.posts = new ChatCardPoster(host, library);
    this.opened = new RateLimiter(host, OPENED, SPAN);
    this.longest = LONGEST_LOG;
    /** @type {Set<string>} dice on their way, by table and revision */
    this.rolling = new Set();
  }

  /** Do what somebody asks for, after its shape was checked. Returns what remains to be done later. Throws
   * RefusedRequest if it is not granted.
   * @param {string} type @param {any} body @param {string} user as the server says @returns {Promise<Rest>} */
  async handleRequest(type, body, user) {
    if (type === "create") {
      const asking = { ...this.#worldDraft(), user };
      const record = await createTable(asking, this.library, body);
      refuseUnless(isGM(this.host, user) || !this.opened.isTooOften(user), "many");
      return this.#openTable({ ...asking, record });
    }
    if (type === "purse") return setChips({ ...this.#worldDraft(), user }, body);
    const at = await this.#tableDraft(body.table, user);
    refuseUnless(!("rev" in body) || body.rev === at.record.rev, "stale");
    refuseUnless(Object.hasOwn(this.#handlers, type));
    return this.#handlers[type](at, body);
  }

  /** @type {Record<string, (at: At, body: any) => Promise<Rest>>} */
  #handlers = {
    join: async (at, { seat }) => {
      refuseUnless(at.record.phase === "lobby", "phase");
      refuseUnless(seat < at.record.seats.length, "seats");
      refuseUnless(at.record.seats[seat].user === null, "full");
      refuseUnless(rightsOfUser(this.host, at.record, at.user).join.includes(seat));
      await takeSeat(at, seat, at.record.seats[seat].held ?? at.user);
      await this.#saveRevision(at);
    },
    leave: async (at, { seat }) => {
      refuseUnless(rightsOfUser(this.host, at.record, at.user).leave.includes(seat));
      await vacateSeat(at, seat);
      await this.#saveRevision(at);
    },
    start: async (at) => {
      refuseUnless(rightsOfUser(this.host, at.record, at.user).start);
      await stakeForOthers(at, await this.library.openGameOf(at.record)); // for seats that were handed over
      at.record.phase = "play";
      await this.#saveRevision(at);
    },
    act: async (at, { action }) => {
      const { record, user } = at;
      refuseUnless(record.phase === "play" && !isSealed(record), "phase");
      refuseUnless(rightsOfUser(this.host, record, user).act, "turn");
      const loadedGame = await this.library.openGameOf(record);
      const { state } = replayLog(loadedGame, record.log);
      const actions = actionsAt(loadedGame, state);
      const seat = record.seats[state.mover];
      if (!actions) {
        refuseUnless(action === null, "action");
        return this.#startRoll(record, loadedGame, seat.user ?? user);
      }
      refuseUnless(action !== null && action < actions.length, "action");
      return this.#appendEntry(at, loadedGame, makeChoiceEntry(loadedGame.game, state.mover, actions[action]));
    },
    enter: async (at, { entries }) => {
      const { record, user } = at;
      refuseUnless(record.phase === "play" && isSealed(record), "phase");
      const own = seatsWithSecrets(record, user);
      refuseUnless(
        entries.every((/** @type {Sealing} */ { seat }) => own.includes(seat - 1)),
        "turn",
      );
      await this.#appendSealedEntries(at, entries);
    },
    undo: (at) => this.#undo(at),
    rematch: (at) => this.#rematch(at),
    close: async (at) => {
      const { record, world } = at;
      refuseUnless(rightsOfUser(this.host, record, at.user).close);
      if (record.phase !== "over") return this.#breakOff(at);
      delete world.tables[record.id];
      await this.#saveRevision(at);
      await this.posts.removeInvitations(at);
    },
    hand: async (at, { seat, skill }) => {
      const { record } = at;
      refuseUnless(rightsOfUser(this.host, record, at.user).direct);
      refuseUnless(record.phase !== "over", "phase");
      const loadedGame = await this.library.openGameOf(record);
      const how = opponentsOf(loadedGame.setting)[skill];
      refuseUnless(seat < record.seats.length && how, "seats");
      const { name } = record.seats[seat];
      /** @type {Partial<import("../world/shapes.mjs").Seat>} */
      const other = { kind: "npc", user: null, held: null, skill, name: name || opponentName(how) };
      if (record.phase === "lobby")
        await vacateSeat(at, seat, { ...other, actor: null }); // a player's purse is not theirs
      else Object.assign(record.seats[seat], other); // what was staked stays
      await this.#saveRevision(at);
    },
    yield: async (at, { seat }) => {
      const { record, user } = at;
      refuseUnless(record.phase === "play", "phase");
      refuseUnless(rightsOfUser(this.host, record, user).yield.includes(seat));
      giveUpSeat(record.seats[seat], (await this.library.openGameOf(record)).setting);
      await this.#saveRevision(at);
    },
    stand: async (at) => {
      refuseUnless(rightsOfUser(this.host, at.record, at.user).direct);
      refuseUnless(at.record.phase === "play", "phase");
      return this.#moveAutomatically(at);
    },
  };

  // --- opening a table

  /** Add a new table to the world. If all its seats are taken, the game starts. @param {At} tableDraft
   * @param {TableRecord} [previousTable] whose rematch it is */
  async #openTable(tableDraft, previousTable) {
    const { record } = tableDraft;
    await addTable(tableDraft, await this.library.openGameOf(record));
    if (previousTable) [previousTable.next, previousTable.rev] = [record.id, previousTable.rev + 1];
    if (record.seats.every(({ kind, user }) => kind === "npc" || user !== null)) record.phase = "play";
    await this.#saveRevision(tableDraft);
    await this.posts.postInvitation(record);
  }

  /** Open a table for the next game of the same players. @param {At} tableDraft the table that is over */
  async #rematch(tableDraft) {
    const { record: old, user } = tableDraft;
    refuseUnless(rightsOfUser(this.host, old, user).rematch);
    const loadedGame = await this.library.openGameOf(old);
    // What was broken off is for a game master to repeat.
    refuseUnless(isGM(this.host, user) || isOver(await this.#publicPosition(loadedGame, old)));
    await this.#openTable({ ...tableDraft, record: rematchTable(tableDraft) }, old);
  }

  // --- playing

  /** Start the roll of the seat to move. It returns before dice have fallen, because somebody may roll them by hand,
   * and other tables must not wait for that. @param {TableRecord} record @param {Ready} loadedGame @param {string}
   * author whose roll it is
   * @param {boolean} [isAutomatic] nobody is asked to throw real dice @returns {Rest} */
  #startRoll(record, loadedGame, author, isAutomatic = false) {
    const { host, rolling } = this;
    const { id, rev, log } = record;
    const key = rollKey(record);
    refuseUnless(log.length < this.longest, "long");
    refuseUnless(this.net.handlesRequests, "nobody"); // dice that everybody saw must count
    refuseUnless(!rolling.has(key), "dice");
    rolling.add(key);
    return async () => {
      try {
        const thrown = await rollAllRequests(
          loadedGame.rules,
          replayLog(loadedGame, log).state,
          async (formula, looks) => {
            /** @type {Promise<Cast | null>} */
            const fallen = host.roll(formula, isAutomatic, looks);
            const roll = await withTimeout(host, PATIENCE, fallen, null);
            refuseUnless(roll, "slow");
            return roll;
          },
        );
        await this.net.runInTurn(() => this.#recordRoll(id, rev, thrown, author));
      } finally {
        rolling.delete(key);
      }
    };
  }

  /** Show and record what fell, unless something else has happened since. @param {string} tableId @param {number}
   * revision
   * @param {Thrown} rolledDice @param {string} author */
  async #recordRoll(tableId, revision, rolledDice, author) {
    const at = await this.#tableDraft(tableId, author);
    const { record } = at;
    refuseUnless(record.rev === revision, "stale");
    refuseUnless(this.net.handlesRequests, "nobody");
    const loadedGame = await this.library.openGameOf(record);
    const { values } = rolledDice;
    const entry = values && makeRollEntry(loadedGame.game, replayLog(loadedGame, record.log).state.mover, values);
    await this.#appendEntry(at, loadedGame, entry, rolledDice);
  }

  /** Record a move, and settle if it ends the game. Dice are shown once it is known that they count.
   * @param {At} tableDraft @param {Ready} loadedGame @param {Entry | null} entry null where the rules broke before
   * there was one
   * @param {Thrown | null} [unseenDice] dice of it that nobody has seen yet */
  async #appendEntry(tableDraft, loadedGame, entry, unseenDice = null) {
    const { record } = tableDraft;
    refuseUnless(record.log.length < this.longest, "long");
    const { state, moves } = replayLog(loadedGame, record.log);
    const made = entry && moveFromEntry(loadedGame, state, entry);
    if (!made) return this.#breakOff(tableDraft, true);
    const { step, move } = made;
    if (unseenDice?.casts.length)
      entry.message = await this.posts.postTurn(record, loadedGame, [...moves, move], unseenDice, tableDraft.user);
    record.log.push(entry);
    const after = this.#appendForcedActions(record, loadedGame, state.mover, step.state);
    if (after.phase) return this.#saveRevision(tableDraft);
    await this.#endGame(tableDraft, loadedGame, after, record.log);
  }

  /** Record each action that is the only one left to the same person after an act, and return the state after them.
   * @param {TableRecord} record @param {Ready} loadedGame @param {number} mover
   * @param {import("../../runtime/rules/rules.mjs").State} state after that act */
  #appendForcedActions(record, loadedGame, mover, state) {
    while (record.seats[mover].kind === "user" && state.phase && state.mover === mover) {
      const actions = actionsAt(loadedGame, state);
      if (actions?.length !== 1 || record.log.length >= this.longest) break;
      const entry = makeChoiceEntry(loadedGame.game, mover, actions[0]);
      const made = moveFromEntry(loadedGame, state, entry);
      if (!made) break; // whoever takes it learns that the rules break
      record.log.push(entry);
      state = made.step.state;
    }
    return state;
  }

  /** Add entries to a game with secrets. It ends once everything is opened. @param {At} tableDraft
   * @param {readonly Sealing[]} entries */
  async #appendSealedEntries(tableDraft, entries) {
    const { record } = tableDraft;
    const loadedGame = await this.library.openGameOf(record);
    // What was begun is brought to its end, however long the log is.
    if (record.log.length >= this.longest)
      refuseUnless((await this.sealing.publicPosition(loadedGame, record)).busy, "long");
    const log = [...record.log, ...entries];
    const found = await this.sealing.positionAfter(loadedGame, record, log);
    if (!found) return this.#breakOff(tableDraft, true);
    record.log = log;
    if (!isOver(found)) return this.#saveRevision(tableDraft);
    await this.#endGame(tableDraft, loadedGame, found.state, entriesOf(loadedGame, found.moves));
  }

  /** End a game: mark the table, pay out, and post the card of the end. @param {At} tableDraft @param {Ready}
   * loadedGame
   * @param {import("../../runtime/rules/rules.mjs").State} state @param {readonly Entry[]} log of the transcript */
  async #endGame(tableDraft, loadedGame, state, log) {
    const { record } = tableDraft;
    finishTable(tableDraft);
    if (record.stake)
      await makePayments(
        tableDraft,
        record,
        payoutPayments(record, chipsWonBySeat(loadedGame, state, record.stake)),
        false,
      );
    await this.#saveRevision(tableDraft);
    const end = endText(loadedGame, state, uniqueSeatNames(record.seats, loadedGame.game.sides));
    const got = finalSettlement(this.host, record, loadedGame, state);
    await this.posts.postEnd(record, end, got, { transcript: makeTranscript(loadedGame, { ...record, log }) });
  }

  /** The position of a table as far as everybody knows it. @param {Ready} loadedGame @param {TableRecord} record
   * @returns {Promise<{state: import("../../runtime/rules/rules.mjs").State, busy?: boolean}>} */
  async #publicPosition(loadedGame, record) {
    return isSealed(record) ? this.sealing.publicPosition(loadedGame, record) : replayLog(loadedGame, record.log);
  }

  /** Break a table off. A card in the chat says so if money moved, or if the rules do not go on. @param {At} tableDraft
   * @param {boolean} [rulesFailed] because the rules do not go on */
  async #breakOff(tableDraft, rulesFailed = false) {
    const { record } = tableDraft;
    const { length } = record.chips.payments;
    if (rulesFailed) record.stuck = true;
    await breakOff(tableDraft);
    await this.#saveRevision(tableDraft);
    await this.posts.removeInvitations(tableDraft);
    if (!rulesFailed && record.chips.payments.length === length) return;
    const got = refundSettlement(this.host, record, length);
    await this.posts.postEnd(record, brokenOffText(rulesFailed, got), got, { game: record.game, stuck: rulesFailed });
  }

  /** Take back the last act of a person and what followed it. Throws RefusedRequest if a rematch is already played.
   * @param {At} tableDraft */
  async #undo(tableDraft) {
    const { record, world } = tableDraft;
    refuseUnless(rightsOfUser(this.host, record, tableDraft.user).direct);
    const next = record.next === null ? null : world.tables[record.next];
    // A rematch that nobody plays yet is one no more.
    refuseUnless(record.phase !== "lobby" && (next?.phase ?? "lobby") === "lobby", "undo");
    const loadedGame = await this.library.openGameOf(record);
    refuseUnless(record.phase === "play" || !replayLog(loadedGame, record.log).state.phase, "undo"); // not where it was broken off
    const last = indexOfLastAct(loadedGame, record.seats, record.log);
    refuseUnless(last >= 0, "undo");
    const over = record.phase === "over";
    if (over) {
      refuseUnless(!hasUncertainPayouts(record), "undo");
      await makePayments(tableDraft, record, reversalPayments(record), true);
      record.chips.round += 1;
    }
    const draws = record.draws.filter(({ entry }) => entry < last);
    const gone = record.log.slice(last);
    Object.assign(record, { phase: "play", ended: 0, next: null, log: record.log.slice(0, last), draws });
    await this.#saveRevision(tableDraft);
    await this.posts.retractPlayerRolls(record, gone);
    if (over) await this.posts.retractEnd(record);
  }

  /** Record a roll that a player made at his own screen, if the settings trust players. It must have the right dice,
   * and it must be the player's turn. Anything else is ignored.
   * @param {import("../world/shapes.mjs").Heard} message @param {string} creatorId as the server says */
  async acceptPlayerRoll({ id, flags, casts }, creatorId) {
    const { host } = this;
    if (!this.net.handlesRequests || flags.thrown !== true || host.get("trusting") !== true) return;
    const at = await this.#tableDraft(flags.table, creatorId);
    const { record } = at;
    const seat = record.mover === null ? null : record.seats[record.mover];
    refuseUnless(record.phase === "play" && seat?.user === creatorId && flags.rev === record.rev, "turn");
    refuseUnless(!isSealed(record), "action");
    refuseUnless(!record.log.some(({ message }) => message === id), "stale");
    const loadedGame = await this.library.openGameOf(record);
    const { state } = replayLog(loadedGame, record.log);
    refuseUnless(!actionsAt(loadedGame, state), "action");
    const left = [...casts];
    const { values } = await rollAllRequests(loadedGame.rules, state, async () => {
      const next = left.shift();
      refuseUnless(next, "action");
      return next;
    });
    refuseUnless(!left.length, "action");
    await this.#appendEntry(
      at,
      loadedGame,
      values && { ...makeRollEntry(loadedGame.game, state.mover, values), message: id },
    );
  }

  /** Record the rolls that players made at their own screens while no game master was there. */
  async #acceptWaitingRolls() {
    const { host } = this;
    if (host.get("trusting") !== true) return;
    for (const { id, rev, phase } of Object.values(this.#worldDraft().world.tables))
      for (const roll of phase === "play" ? host.cards((one) => one.thrown && one.table === id && one.rev === rev) : [])
        await this.acceptPlayerRoll(
          { id: roll, flags: { thrown: true, table: id, rev }, casts: host.casts(roll) },
          host.author(roll),
        ).catch((error) => error instanceof RefusedRequest || host.report(error));
  }

  // --- non-players, and those who stand in for people

  /** Go on with what waits for the authority: payments that another one left unfinished, and moves of non-players. */
  async resumePending() {
    if (!this.net.handlesRequests) return;
    await this.#acceptWaitingRolls();
    const draft = this.#worldDraft();
    let changed = hasUnsharedPurses(this.host);
    for (const record of Object.values(draft.world.tables))
      changed = (await settleUnfinishedPayments(draft, record)) || changed;
    if (changed) await draft.save();
    for (const record of Object.values(draft.world.tables)) this.#scheduleMove(record);
  }

  /** The milliseconds before a seat is moved automatically: the pause of a non-player, or the timer of a person.
   * Infinity without a timer.
   * @param {Seat} seat */
  #pauseMilliseconds({ kind }) {
    return kind === "npc" ? this.host.get("pause") : 1000 * this.host.get("timer") || Infinity;
  }

  /** Move for the seat to move, once dice lie still and a pause is over. It does nothing if nobody is to move.
   * @param {TableRecord} record @param {number} [milliseconds] milliseconds
   * @param {number} [triesLeft] how often, where it fails */
  #scheduleMove(record, milliseconds, triesLeft = TRIES) {
    const { id, rev, phase, mover, seats, log } = record;
    if (phase !== "play" || mover === null || isSealed(record)) return;
    const wait = milliseconds ?? this.#pauseMilliseconds(seats[mover]);
    if (wait === Infinity) return;
    const failed = (/** @type {unknown} */ error) => {
      // A person was quicker, or the module no longer has the rules of the table.
      if (error instanceof RefusedRequest && ["stale", "rules", "game"].includes(error.why)) return;
      this.host.report(error);
      if (triesLeft > 1) this.#scheduleMove(record, AGAIN, triesLeft - 1);
    };
    const play = () => void this.net.runThenFinish(() => this.#moveIfCurrent(id, rev)).catch(failed);
    void waitForDice(this.host, [log.at(-1)?.message ?? ""]).then(() => this.host.later(wait, play));
  }

  /** Move for the seat to move, unless something else has happened since the given revision. @param {string} tableId
   * @param
   * {number} revision
   * @returns {Promise<Rest>} */
  async #moveIfCurrent(tableId, revision) {
    const now = this.#worldDraft().world.tables[tableId];
    if (!this.net.handlesRequests || now?.rev !== revision || now.phase !== "play" || this.rolling.has(rollKey(now)))
      return;
    if (now.mover === null || this.#pauseMilliseconds(now.seats[now.mover]) === Infinity) return; // no timer any more
    return this.#moveAutomatically(await this.#tableDraft(tableId, this.host.me()));
  }

  /** The move of a non-player; for a person, as one of the usual kind makes it. @param {At} tableDraft
   * @returns {Promise<Rest>} */
  async #moveAutomatically(tableDraft) {
    const { record } = tableDraft;
    const loadedGame = await this.library.openGameOf(record);
    const { state, moves } = replayLog(loadedGame, record.log);
    const actions = actionsAt(loadedGame, state);
    if (!actions) return this.#startRoll(record, loadedGame, this.host.me(), true);
    const { kind, skill } = record.seats[state.mover];
    const how = opponentsOf(loadedGame.setting)[kind === "npc" ? skill : usualOpponentIndex(loadedGame.setting)];
    const place = await pickAction(loadedGame, how, state, actions, moves, (bound) =>
      this.#hiddenNumberBelow(record, bound),
    );
    return this.#appendEntry(tableDraft, loadedGame, makeChoiceEntry(loadedGame.game, state.mover, actions[place]));
  }

  /** A random whole number from 0 to below a bound, for a non-player. It comes of a hidden roll, which is recorded.
   * @param {TableRecord} record @param {number} bound */
  async #hiddenNumberBelow(record, bound) {
    const [count, sides] = bound === 2 ** 32 ? [2, 2 ** 16] : [1, bound]; // the tabletop's dice are no larger than that
    const { dice, total, formula } = await this.host.roll(`${count}d${sides}`, true);
    record.draws.push({ entry: record.log.length, formula, total });
    return dice[0].results.reduce((number, one) => number * sides + one - 1, 0);
  }

  // --- the world's record

  /** A copy of the world's record, to be changed and saved. Throws RefusedRequest if a newer version wrote it. @returns
   * {import("../world/shapes.mjs").Draft} */
  #worldDraft() {
    const { host } = this;
    const world = structuredClone(loadWorldRecord(host));
    refuseUnless(world.v === VERSION, "newer");
    const save = async () => {
      refuseUnless(this.net.handlesRequests, "nobody");
      const over = Object.values(world.tables).filter((one) => one.phase === "over" && !unsettledPayments(one).length);
      for (const { id } of over.sort((a, b) => a.ended - b.ended).slice(0, -MAX_FINISHED_TABLES))
        delete world.tables[id];
      for (const one of Object.values(world.tables))
        if (one.next !== null && !Object.hasOwn(world.tables, one.next)) one.next = null;
      await saveWorldRecord(host, world);
    };
    return { host, world, save };
  }

  /** A copy of the world's record with one of its tables. Payments that were left unfinished there are settled first.
   * Throws RefusedRequest if there is no such table. @param {unknown} tableId @param {string} user @returns
   * {Promise<At>} */
  async #tableDraft(tableId, user) {
    const draft = this.#worldDraft();
    const { tables } = draft.world;
    refuseUnless(typeof tableId === "string" && Object.hasOwn(tables, tableId), "stale");
    const record = tables[tableId];
    await settleUnfinishedPayments(draft, record);
    return { ...draft, user, record };
  }

  /** Save a changed table as its next revision. @param {At} tableDraft */
  async #saveRevision(tableDraft) {
    const { record } = tableDraft;
    record.rev += 1;
    record.mover = null;
    if (record.phase === "play") {
      const loadedGame = await this.library.openGameOf(record);
      const { state, busy } = await this.#publicPosition(loadedGame, record);
      record.mover = busy ? null : state.mover;
    }
    await tableDraft.save();
    this.#scheduleMove(record);
  }
}
