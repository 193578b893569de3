// @ts-check
/**
 * The table of a room. Whoever moves writes the log of the room longer, with dice of the own machine; every client plays the log
 * from the start and says so where an entry cannot be. Who may do what is asked here only: the room itself lets everybody write.
 */

import { opponentsOf } from "../runtime/opponents.mjs";
import { OwnDice } from "../runtime/random.mjs";
import { RecordError, transcript } from "../runtime/record.mjs";
import { namesOf } from "../runtime/view.mjs";
import { freeSeats, full, grown, handed, isFree, moverOf, positionOf, undone } from "../tabletops/round.mjs";
import { KEY, LARGE, packed, ROOM, size, unpacked, wellFormed } from "./log.mjs";

/** @typedef {import("./log.mjs").Kept} Kept */
/** @typedef {import("../runtime/book.mjs").Ready} Ready */
/** @typedef {import("../runtime/record.mjs").Entry} Entry */
/** @typedef {import("../tabletops/round.mjs").Position & {ready: Ready, names: string[]}} Position */

const NOT_NOW = "This is not to be done now.";

/** Something that cannot be done, in words for the person at this screen. */
export class Refused extends Error {}

export class Shared {
  /** @param {import("./obr.mjs").Owlbear} room @param {import("../runtime/library.mjs").Library} library @param {import("./obr.mjs").Person} me */
  constructor(room, library, me) {
    this.room = room;
    this.library = library;
    this.me = me;
    this.dice = new OwnDice();
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

  /** Take in what the room keeps. @param {any} value */
  async hear(value) {
    const before = this.kept;
    const known = this.log;
    this.fault = "";
    if (!wellFormed(value)) {
      [this.kept, this.log, this.position] = [null, [], null];
      if (value !== null && value !== undefined) this.fault = "What this room keeps is no table that can be read.";
      return;
    }
    if (before?.id !== value.id) this.notice = "";
    this.kept = value;
    try {
      const ready = await this.library.of(value);
      this.log = await unpacked(value.log);
      this.#play(ready, value, this.log);
    } catch (error) {
      [this.log, this.position] = [[], null];
      this.fault = `The table cannot be opened: ${/** @type {Error} */ (error).message}.`;
      return;
    }
    const same = before?.id === value.id && known.every((entry, place) => JSON.stringify(entry) === JSON.stringify(this.log[place]));
    if (before?.id === value.id && !same) this.notice = "Moves were taken back.";
    else if (this.log.length > known.length) this.notice = "";
  }

  /** @param {Ready} ready @param {Kept} kept @param {readonly Entry[]} log */
  #play(ready, kept, log) {
    if (kept.seats.length !== ready.game.seats || kept.seats.some(({ skill }) => skill >= opponentsOf(ready.setting).length))
      throw new Refused("its seats are not those of the game");
    const names = namesOf(kept.seats);
    try {
      this.position = { ready, names, ...positionOf(ready, log) };
    } catch (error) {
      if (!(error instanceof RecordError) || error.at < 1) throw error;
      this.position = { ready, names, ...positionOf(ready, log.slice(0, error.at - 1)) };
      this.log = log.slice(0, error.at - 1);
      this.fault = `Entry ${error.at}: this move is not possible; the log was changed by hand (${error.message}).`;
    }
  }

  /** What whoever keeps the room should know of the table's size; empty while it is small. */
  get weight() {
    const bytes = this.kept ? size(this.kept) : 0;
    if (bytes <= LARGE) return "";
    return `This table takes ${(bytes / 1000).toFixed(1)} kB of the 16 kB that all extensions of a room share.`;
  }

  // --- who may do what, as far as this client is concerned

  /** The seat that is to move, where the game goes on. */
  get #mover() {
    return this.kept?.started && !this.kept.broken && this.position && !this.fault ? moverOf(this.kept.seats, this.position.state) : null;
  }

  /** Whether the person here moves now, for himself or, as game master, for somebody else. */
  get acts() {
    const mover = this.#mover;
    return mover?.kind === "user" && (mover.user === this.me.id || this.me.gm);
  }

  get sits() {
    return this.kept?.seats.some(({ user }) => user === this.me.id) ?? false;
  }

  get over() {
    return this.position !== null && !this.fault && (this.kept?.broken || !this.position.state.phase);
  }

  /** Whether non-players are to move with nobody to start them: after a long stretch, or when a client left in between. */
  get stands() {
    return this.#mover?.kind === "npc";
  }

  get closable() {
    return this.me.gm || this.over || (this.kept !== null && !this.kept.started && this.sits);
  }

  get advised() {
    return this.kept?.advice === "everyone" || (this.kept?.advice === "gm" && this.me.gm);
  }

  // --- what is done

  /** @param {string} game @param {string} setting @param {import("./log.mjs").Advice} advice */
  async open(game, setting, advice) {
    if (this.kept) throw new Refused("There is a table in this room already.");
    const { rules } = await this.library.game(game);
    const ready = await this.library.ready(game, setting);
    const seats = freeSeats(ready.game.seats);
    Object.assign(seats[0], { user: this.me.id, name: this.me.name });
    await this.#write({ v: 1, id: crypto.randomUUID(), rev: 0, game, rules, setting, seats, started: false, advice, log: await packed([]) });
  }

  /** @param {number} place */
  async join(place) {
    const seat = this.kept?.seats[place];
    if (!seat || !isFree(seat)) throw new Refused("This seat is taken.");
    await this.#seat(place, { kind: "user", user: this.me.id, name: this.me.name });
  }

  /** @param {number} place */
  async leave(place) {
    const { seats, started } = this.#kept();
    if (started && seats[place]?.kind !== "npc") throw new Refused("The game has begun: give the seat to a non-player.");
    await this.#seat(place, { kind: "user", user: null, name: "" });
  }

  /** Give a seat to a non-player. @param {number} place @param {number} skill */
  async hand(place, skill) {
    const how = opponentsOf(this.#ready().setting)[skill];
    await this.#seat(place, handed(this.#kept().seats[place], place, skill, how));
    if (this.stands) await this.goOn();
  }

  async start() {
    const kept = this.#kept();
    if (!full(kept.seats)) throw new Refused("A seat is free.");
    await this.#grow({ ...kept, started: true }, this.log);
  }

  /** Throw what is due, or choose. @param {number | null} place among the legal actions */
  async act(place) {
    if (!this.acts) throw new Refused(NOT_NOW);
    await this.#grow(this.#kept(), this.log, place);
  }

  /** Let non-players go on. */
  async goOn() {
    if (!this.stands) throw new Refused(NOT_NOW);
    await this.#grow(this.#kept(), this.log);
  }

  /** Back to before the last thing that a person did; where the log is wrong, to before that. */
  async undo() {
    const kept = this.#kept();
    const log = this.fault ? this.log : undone(kept.seats, this.log, kept.broken && this.position ? this.position.state : null);
    if (!log) throw new Refused("There is nothing to take back.");
    await this.#write({ ...kept, rev: kept.rev + 1, log: await packed(log), broken: false });
  }

  /** The same people, once more. */
  async rematch() {
    await this.#grow({ ...this.#kept(), id: crypto.randomUUID() }, []);
  }

  async close() {
    await this.room.write(KEY, null);
    await this.hear(null);
  }

  /** The game so far, for others to check. */
  transcript() {
    const kept = this.#kept();
    return transcript(this.#ready(), { rules: kept.rules, log: this.log, seats: namesOf(kept.seats).map((name) => ({ name })) });
  }

  // --- writing

  #kept() {
    if (!this.kept) throw new Refused("There is no table in this room.");
    return this.kept;
  }

  #ready() {
    if (!this.position) throw new Refused("The game of this table is not here.");
    return this.position.ready;
  }

  /** @param {number} place @param {Partial<import("../tabletops/round.mjs").Seat>} change */
  async #seat(place, change) {
    const kept = this.#kept();
    const seats = kept.seats.map((seat, at) => (at === place ? { ...seat, ...change } : seat));
    await this.#write({ ...kept, rev: kept.rev + 1, seats });
  }

  /** Keep a log, longer by a person's move and those of the non-players after it. @param {Kept} kept @param {Entry[]} log
   * @param {number | null} [own] the move, as `grown` has it */
  async #grow(kept, log, own) {
    const ready = this.#ready();
    const found = await grown(ready, kept.seats, opponentsOf(ready.setting), log, this.dice, own);
    if (!found) throw new Refused(NOT_NOW);
    const next = { ...kept, ...found, rev: kept.rev + 1, log: await packed(found.log) };
    if (size(next) > ROOM)
      throw new Refused("This game has outgrown what a room can keep. Save the transcript, then close the table.");
    await this.#write(next);
  }

  /** Write, unless somebody else wrote since. Two who write in the same moment: the later one stays. @param {Kept} kept */
  async #write(kept) {
    const there = await this.room.read(KEY);
    const before = wellFormed(there) ? there.rev : -1;
    if (before !== kept.rev - 1) {
      await this.hear(there);
      throw new Refused("Somebody else was faster. Look again.");
    }
    await this.room.write(KEY, kept);
    await this.hear(kept);
  }
}
