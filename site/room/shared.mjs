// @ts-check
/** The table of a room. Each client adds its moves to the log that the room keeps, with dice of its own machine. Every
 * client replays the log from the start, and says so if an entry is not possible. Rights are checked here, because a
 * room may let everybody write. */

import { SystemRandom } from "../runtime/rules/random.mjs";
import { opponentsOf } from "../runtime/table/opponents.mjs";
import { packLog } from "../runtime/table/packed.mjs";
import { entriesOf, RecordError, makeTranscript } from "../runtime/table/record.mjs";
import { Refused } from "../runtime/table/refused.mjs";
import {
  extendLog,
  makeFreeSeats,
  giveToNonPlayer,
  logBeforeLastAct,
  seatToMove,
  positionAfterLog,
  seatsOfPerson,
} from "../runtime/table/round.mjs";
import { uniqueSeatNames, opponentName } from "../runtime/words/sentences.mjs";
import { sentenceText } from "../runtime/words/words.mjs";
import { unpackRecordedLog, MAX_LOG_BYTES, recordByteSize, isTableRecord } from "./log.mjs";
import { RIGHTS } from "./rights.mjs";
import { localizedText } from "./words.mjs";

/** @typedef {import("./log.mjs").Kept} Kept */
/** @typedef {import("./rights.mjs").Act} Act */
/** @typedef {{large: number, read: () => Promise<any>, write: (kept: Kept | null) => Promise<void>, roll?: Roll,
 * sealed?: Sealed, owner?: string}} Room where a table is kept; `large`: bytes beyond which it is large there; `roll`:
 * how dice come about, if not from the machine of whoever acts; `sealed`: how games with secrets are played, if they
 * can be; `owner`: whose secrets this browser has */
/** @typedef {import("../runtime/sealed/sealed.mjs").SealedGames} Sealed */
/** @typedef {Awaited<ReturnType<typeof extendLog>>} Grown */
/** @typedef {import("../runtime/table/round.mjs").Dice} Dice */
/** @typedef {(dice: Dice, seats?: Kept["seats"], place?: number | null) => Promise<Grown>} Played `seats` and `place`:
 * of another choice than the one that was just made, if that was begun before */
/** @typedef {(kept: Kept, log: Entry[], place: number | null, play: Played, add: (longer: Grown) => Promise<void>) =>
 * Promise<void>} Roll `place` of the action that is chosen, null for none; `play` may be called again with other dice;
 * `add` keeps what came of it, at once or in a later turn */
/** @typedef {import("../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {import("../runtime/table/record.mjs").Entry} Entry */
/** @typedef {import("../runtime/table/round.mjs").Position & {loadedGame: Ready, names: string[], busy?: boolean,
 * waits?: number[], duty?: any, lost?: boolean}} Position the last four of a game with secrets, as `Sealed` has them */

/** The table of a room, for one person. */
export class SharedTable {
  /** @param {Room} room @param {import("../runtime/table/library.mjs").GameLibrary} library
   * @param {import("./rights.mjs").Person} person */
  constructor(room, library, person) {
    this.room = room;
    this.library = library;
    this.me = person;
    this.dice = new SystemRandom();
    /** @type {Kept | null} */
    this.kept = null;
    /** @type {Entry[]} */
    this.log = [];
    /** @type {Position | null} up to the first entry that cannot be */
    this.position = null;
    /** What is wrong with what the room keeps. */
    this.fault = "";
    /** What changed in a way that moves do not. */
    this.notice = "";
  }

  /** Take in the record that the room keeps: replay its log, or note what is wrong with it. @param {any} record */
  async receiveRecord(record) {
    const before = this.kept;
    const known = this.log;
    this.fault = "";
    if (!isTableRecord(record)) {
      [this.kept, this.log, this.position] = [null, [], null];
      if (record !== null && record !== undefined) this.fault = localizedText("unreadable");
      return;
    }
    if (before?.id !== record.id) this.notice = "";
    this.kept = record;
    try {
      const loadedGame = await this.library.openGameOf(record);
      this.log = await unpackRecordedLog(record.log);
      await this.#showPosition(loadedGame, record, this.log);
    } catch (error) {
      [this.log, this.position] = [[], null];
      this.fault = localizedText("cannotOpen", { why: /** @type {Error} */ (error).message });
      return;
    }
    // Where nobody decides alone, two may add to a game with secrets at once, and the last entry is then another.
    const stays = this.hasSecrets ? known.slice(0, -1) : known;
    const same =
      before?.id === record.id &&
      stays.every((entry, place) => JSON.stringify(entry) === JSON.stringify(this.log[place]));
    // In a game with secrets the notice stays: what was made anew may be a roll that somebody chose.
    if (before?.id === record.id && !same) this.notice = localizedText("takenBack");
    else if (this.log.length > known.length && !this.hasSecrets) this.notice = "";
  }

  /** Set the position after a log, with the names of the seats. @param {Ready} loadedGame @param {Kept} tableRecord
   * @param {readonly Entry[]} log */
  async #showPosition(loadedGame, tableRecord, log) {
    if (
      tableRecord.seats.length !== loadedGame.game.seats ||
      tableRecord.seats.some(({ skill }) => skill >= opponentsOf(loadedGame.setting).length)
    )
      throw new Refused(localizedText("wrongSeats"));
    const names = uniqueSeatNames(tableRecord.seats, loadedGame.game.sides);
    const at = (/** @type {readonly Entry[]} */ some) => this.#positionAt(loadedGame, tableRecord, some);
    try {
      this.position = { loadedGame: loadedGame, names, ...(await at(log)) };
    } catch (error) {
      if (!(error instanceof RecordError) || error.at < 1) throw error;
      this.position = { loadedGame: loadedGame, names, ...(await at(log.slice(0, error.at - 1))) };
      this.log = log.slice(0, error.at - 1);
      this.fault = localizedText("wrongMove", { entry: error.at, why: error.message });
    }
  }

  /** The position after a log, as far as the person here may see it. @param {Ready} loadedGame @param {Kept}
   * tableRecord
   * @param {readonly Entry[]} log */
  async #positionAt(loadedGame, tableRecord, log) {
    if (!loadedGame.rules.hasSecrets) return positionAfterLog(loadedGame, log);
    if (!this.room.sealed) throw new Refused(localizedText("noSecrets"));
    return this.room.sealed.position(
      loadedGame,
      tableRecord,
      log,
      this.#ownsSecrets ? seatsOfPerson(tableRecord.seats, this.me.id) : [],
    );
  }

  /** Whether the secrets of the person here are in this browser. */
  get #ownsSecrets() {
    return this.room.owner === this.me.id;
  }

  /** Whether the game has secrets. */
  get hasSecrets() {
    return this.position?.loadedGame.rules.hasSecrets ?? false;
  }

  /** A warning that the record of the table takes many bytes of the room; empty if it does not. */
  get sizeWarning() {
    const bytes = this.kept ? recordByteSize(this.kept) : 0;
    if (bytes <= this.room.large) return "";
    return localizedText("heavy", { size: (bytes / 1000).toFixed(1) });
  }

  // --- who may do what, as far as this client is concerned

  /** The seat to move; null unless the game is in play. */
  get #mover() {
    return this.kept?.started && !this.kept.broken && this.position && !this.fault
      ? seatToMove(this.kept.seats, this.position.state)
      : null;
  }

  /** Whether the person here may move now, for himself or, as game master, for somebody else. */
  get canMove() {
    const mover = this.#mover;
    if (this.hasSecrets && (this.position?.busy || mover?.user !== this.me.id)) return false;
    return mover?.kind === "user" && (mover.user === this.me.id || this.me.gm);
  }

  /** Whether the person here has a seat. */
  get hasSeat() {
    return this.kept?.seats.some(({ user }) => user === this.me.id) ?? false;
  }

  /** Whether the game is over. */
  get isOver() {
    const { position } = this;
    return position !== null && !this.fault && (this.kept?.broken || (!position.state.phase && !position.busy));
  }

  /** Whether it is the turn of a non-player whose move nobody has started: many were made at once, or a client left. */
  get isNonPlayerWaiting() {
    return this.#mover?.kind === "npc";
  }

  /** Whether the person here sees advice. */
  get isAdviceVisible() {
    return this.kept?.advice === "everyone" || (this.kept?.advice === "gm" && this.me.gm);
  }

  /** Whether the person here may do something. @param {string} act
   * @param {any} [seat] of a seat, where one is meant */
  mayDo(act, seat) {
    return Object.hasOwn(RIGHTS, act) && RIGHTS[/** @type {Act} */ (act)](this, seat);
  }

  // --- what is done

  /** Do one of the acts below, after checking the right to it. @param {Act} act @param {any[]} actArguments */
  async doAct(act, ...actArguments) {
    if (!this.mayDo(act, actArguments[0])) throw new Refused(localizedText("notNow"));
    await /** @type {any} */ (this)[act](...actArguments);
  }

  /** Open a table. @param {string} game @param {string} setting @param {import("./log.mjs").Advice} advice */
  async open(game, setting, advice) {
    const { rules } = await this.library.game(game);
    const loadedGame = await this.library.openSetting(game, setting);
    const seats = makeFreeSeats(loadedGame.game.seats);
    Object.assign(seats[0], { user: this.me.id, name: this.me.name });
    await this.#writeRecord({
      v: 1,
      id: crypto.randomUUID(),
      rev: 0,
      game,
      rules,
      setting,
      seats,
      started: false,
      advice,
      log: await packLog([]),
    });
  }

  /** Take a seat. @param {number} place */
  async join(place) {
    await this.#changeSeat(place, { kind: "user", user: this.me.id, name: this.me.name });
  }

  /** Free a seat. @param {number} place */
  async leave(place) {
    await this.#changeSeat(place, { kind: "user", user: null, name: "" });
  }

  /** Give a seat to a non-player. @param {number} place @param {number} skill */
  async hand(place, skill) {
    const how = opponentsOf(this.#requireGame().setting)[skill];
    await this.#changeSeat(
      place,
      giveToNonPlayer(
        this.#requireTable().seats[place],
        skill,
        sentenceText("guest", { number: place + 1, play: opponentName(how) }),
      ),
    );
    if (this.isNonPlayerWaiting) await this.goOn();
  }

  /** Start the game. */
  async start() {
    await this.#beginGame({ ...this.#requireTable(), started: true });
  }

  /** Roll, or choose. @param {number | null} place among the legal actions */
  async act(place) {
    if (!this.hasSecrets) return this.#extendLog(place);
    const entry = await this.entryForAct(place);
    await this.enter(entry);
  }

  /** The entry with which the person here rolls or chooses in a game with secrets. Throws Refused if that is not
   * possible now. @param {number | null} actionIndex as `act` has it */
  async entryForAct(actionIndex) {
    const { position, room } = this;
    const known = this.#ownsSecrets ? position : null;
    const entry =
      known && (await room.sealed?.entryForAct(known.loadedGame, this.#requireTable(), this.log, known, actionIndex));
    if (!entry) throw new Refused(localizedText("notNow"));
    return entry;
  }

  /** Add an entry to a game with secrets, if it is possible. If the rules break after it, it is left out and the game
   * ends. @param {any} entry */
  async enter(entry) {
    const kept = { ...this.#requireTable(), rev: this.#requireTable().rev + 1 };
    const log = [...this.log, entry];
    try {
      await this.room.sealed?.position(this.#requireGame(), kept, log, []);
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      if (!error.broken) throw new Refused(localizedText("notNow"));
      return this.#writeRecord({ ...kept, broken: true });
    }
    await this.#writeRecord({ ...kept, log: await packLog(log) });
  }

  /** Add the entries that a game with secrets waits for from this browser. Does nothing more once another client has
   * written first, because its record arrives soon. */
  async addOwedEntries() {
    try {
      for (let rev = -1; this.position?.duty && this.kept?.rev !== rev;) {
        rev = this.kept?.rev ?? -1;
        await this.doAct("enter", this.position.duty);
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }

  /** Let the non-players move whose turn it is. */
  async goOn() {
    await this.#extendLog();
  }

  /** Go back to before the last act of a person; if an entry of the log is not possible, to before that entry. */
  async undo() {
    const kept = this.#requireTable();
    const broken = kept.broken ? this.position : null;
    const log = this.fault ? this.log : logBeforeLastAct(this.#requireGame(), kept.seats, this.log, broken);
    if (!log) throw new Refused(localizedText("nothingToUndo"));
    await this.#writeRecord({ ...kept, rev: kept.rev + 1, log: await packLog(log), broken: false });
  }

  /** Start another game with the same seats. */
  async rematch() {
    await this.#beginGame({ ...this.#requireTable(), id: crypto.randomUUID(), log: await packLog([]), broken: false });
  }

  /** Close the table. */
  async close() {
    await this.room.write(null);
    await this.receiveRecord(null);
  }

  /** The transcript of the game so far. */
  transcript() {
    const kept = this.#requireTable();
    return makeTranscript(this.#requireGame(), {
      rules: kept.rules,
      log: this.hasSecrets ? entriesOf(this.#requireGame(), this.position?.moves ?? []) : this.log,
      seats: uniqueSeatNames(kept.seats).map((name) => ({ name })),
    });
  }

  // --- writing

  /** The record of the table; throws Refused if there is none. */
  #requireTable() {
    if (!this.kept) throw new Refused(localizedText("noTableHere"));
    return this.kept;
  }

  /** The game of the table; throws Refused if it is not loaded. */
  #requireGame() {
    if (!this.position) throw new Refused(localizedText("noGame"));
    return this.position.loadedGame;
  }

  /** Change a seat. @param {number} place @param {Partial<import("../runtime/table/round.mjs").Seat>} changes */
  async #changeSeat(place, changes) {
    const kept = this.#requireTable();
    const seats = kept.seats.map((seat, at) => (at === place ? { ...seat, ...changes } : seat));
    await this.#writeRecord({ ...kept, rev: kept.rev + 1, seats });
  }

  /** Begin a game, whose first moves may be those of non-players. @param {Kept} tableRecord */
  async #beginGame(tableRecord) {
    await this.#writeRecord({ ...tableRecord, rev: tableRecord.rev + 1 });
    if (this.isNonPlayerWaiting) await this.goOn();
  }

  /** Extend the log by a person's move, and by the moves of non-players that follow. @param {number | null}
   * [personMove] the move, as `extendLog` has it */
  async #extendLog(personMove) {
    const kept = this.#requireTable();
    if (!this.position) throw new Refused(localizedText("noGame"));
    const { log } = this;
    const { loadedGame, state } = this.position;
    /** @type {Played} */
    const play = (dice, seats = kept.seats, place = personMove ?? null) => {
      const chosen = seatToMove(seats, state)?.kind === "npc" ? undefined : place;
      return extendLog(loadedGame, seats, opponentsOf(loadedGame.setting), log, dice, chosen);
    };
    const add = (/** @type {Grown} */ longer) => this.#writeLog(kept, longer);
    await (this.room.roll ? this.room.roll(kept, log, personMove ?? null, play, add) : add(await play(this.dice)));
  }

  /** Write a longer log to the record. Seats and names may have changed since `before`, and are kept; other moves must
   * not have been added. Throws Refused if the log is too long.
   * @param {Kept} earlierRecord
   * @param {Grown} longerLog */
  async #writeLog(earlierRecord, longerLog) {
    if (!longerLog) throw new Refused(localizedText("notNow"));
    const there = await this.room.read();
    const same = isTableRecord(there) && there.id === earlierRecord.id && there.log === earlierRecord.log;
    const kept = same ? there : earlierRecord; // another table refuses what is written on this one
    const next = { ...kept, ...longerLog, rev: kept.rev + 1, log: await packLog(longerLog.log) };
    if (recordByteSize(next) > MAX_LOG_BYTES) throw new Refused(localizedText("tooLarge"));
    await this.#writeRecord(next);
  }

  /** Write the record, unless somebody else has written since. If two write at the same moment, the later one stays.
   * @param {Kept} tableRecord */
  async #writeRecord(tableRecord) {
    const there = await this.room.read();
    const before = isTableRecord(there) ? there.rev : -1;
    if (before !== tableRecord.rev - 1) {
      await this.receiveRecord(there);
      throw new Refused(localizedText("tooLate"));
    }
    await this.room.write(tableRecord);
    await this.receiveRecord(tableRecord);
  }
}
