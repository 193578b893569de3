// @ts-check
/** What a player's browser does for the dice, and how it watches them. It gives its number only for a list of hashes
 * that will not change, works out by itself what has to fall, and compares that with what the table then says. */

import { unpacked } from "../../room/log.mjs";
import { opponentsOf } from "../../runtime/table/opponents.mjs";
import { chooseEntry } from "../../runtime/table/record.mjs";
import { grown, positionOf } from "../../runtime/table/round.mjs";
import { say } from "../words.mjs";
import { hashOf, listOf, MASTER, numberOf, rolled, roundOf, secret, seedOf, Stream, unlessSpent } from "./numbers.mjs";

/** @typedef {import("./numbers.mjs").OfSeat} OfSeat */
/** @typedef {import("../../room/log.mjs").Kept} Kept */
/** @typedef {import("../../runtime/table/record.mjs").Entry} Entry */
/** @typedef {{t: "roll", place: number | null, again: number}} Asked */
/** @typedef {{t: "list", place: number | null, again: number, hashes: OfSeat[]}} Listed */
/** @typedef {{t: "numbers", place: number | null, again: number, numbers: OfSeat[]}} Shown */
/** @typedef {{again: number, seats: number[], list: string, done: boolean}} Seen `list` as `listOf` has it */
/** @typedef {{table: string, secret: string, rounds: Record<string, Seen>, open: string}} Book `open`: the roll whose
 * list was seen, and of which the table did not say yet what came of it */
/** @typedef {{list: Listed, round: string}} Promised */

const BOOK = "oddsmith/link/witness";

export class Witness {
  /** @param {import("../../runtime/table/library.mjs").Library} library @param {Storage} storage
   * @param {() => string} me how the table calls whoever is here */
  constructor(library, storage, me) {
    this.library = library;
    this.storage = storage;
    this.me = me;
    /** @type {Kept | null} */
    this.kept = null;
    /** @type {Entry[]} */
    this.log = [];
    this.heardAny = false;
    /** @type {Promised | null} the last list */
    this.promised = null;
    /** @type {string} what has to come next of the list whose numbers are here, empty before that */
    this.expected = "";
    /** Rolls that were right, and those of them that a number from here is part of. */
    this.checked = 0;
    this.shared = 0;
    /** What was wrong first; empty as long as nothing was. */
    this.fault = "";
  }

  /** @param {string} why */
  #wrong(why) {
    this.fault ||= why;
    return null;
  }

  /** What the game master's browser says of a roll. @param {Asked | Listed | Shown} message
   * @returns {Promise<import("./rounds.mjs").Answer | null>} what to answer, if anything */
  async told(message) {
    if (message.t === "roll") return this.#asked(message);
    if (message.t === "list") return this.#listed(message);
    await this.#shown(message);
    return null;
  }

  /** The hash of the number from here; null where nobody sits here. @param {Asked} asked
   * @returns {Promise<import("./rounds.mjs").Answer | null>} */
  async #asked({ place, again }) {
    const { kept, seat } = this;
    if (!kept || seat < 0) return null;
    const round = await roundOf(kept.id, this.log, place);
    const book = this.#book(kept.id);
    this.#keep(book); // with the secret: a number must be the same after the page was loaded anew
    const number = await numberOf(book.secret, round, again, seat);
    return { t: "hash", round, again, text: await hashOf(round, again, seat, number) };
  }

  /** The number from here, once it is clear what all others promised; null where none is to be shown.
   * @param {Listed} list @returns {Promise<import("./rounds.mjs").Answer | null>} */
  async #listed(list) {
    const { kept, seat } = this;
    if (!kept) return null;
    const { place, again, hashes } = list;
    const round = await roundOf(kept.id, this.log, place);
    const book = this.#book(kept.id);
    const seats = hashes.map(([one]) => one);
    const digest = await listOf(hashes);
    this.promised = null;
    if (!proper(seats, kept)) return this.#wrong(say("listStrange"));
    const own = await numberOf(book.secret, round, again, seat);
    const mine = hashes.find(([one]) => one === seat);
    if (mine && mine[1] !== (await hashOf(round, again, seat, own))) return this.#wrong(say("listOther"));
    const seen = book.rounds[round];
    if (!continues(seen, again, seats, digest) || !mayFollow(book, round, seats)) return this.#wrong(say("begunAnew"));
    book.rounds[round] = { again, seats, list: digest, done: seen?.done ?? false };
    book.open = round;
    this.#keep(book);
    this.promised = { list, round };
    return mine ? { t: "number", round, again, text: own } : null;
  }

  /** Work out what has to fall. @param {Shown} shown */
  async #shown({ place, again, numbers }) {
    const { kept, promised } = this;
    if (!kept || !promised || promised.list.place !== place || promised.list.again !== again) return;
    const { round, list } = promised;
    const found = await Promise.all(
      numbers.map(async ([seat, text]) => [seat, await hashOf(round, again, seat, text)]),
    );
    if (JSON.stringify(found) !== JSON.stringify(list.hashes)) return void this.#wrong(say("numberOther"));
    const book = this.#book(kept.id);
    if (book.rounds[round]) book.rounds[round].done = true;
    this.#keep(book);
    const ready = await this.library.of(kept);
    const mover = kept.seats[positionOf(ready, this.log).state.mover];
    const own = mover?.kind === "npc" ? undefined : place;
    const seed = await seedOf(round, again, numbers);
    const next = await rolled(seed, (dice) =>
      grown(ready, kept.seats, opponentsOf(ready.setting), this.log, dice, own),
    );
    this.expected = JSON.stringify(next?.log);
  }

  // --- what the table says

  /** Compare what the table says now with what has to be. @param {any} value well-formed, or null */
  async heard(value) {
    const first = !this.heardAny;
    const { kept: before, log: known } = this;
    this.heardAny = true;
    this.kept = value;
    this.log = value ? await unpacked(value.log) : [];
    if (!value || first) return;
    const texts = this.log.map((entry) => JSON.stringify(entry));
    const old = before?.id === value.id ? known.map((entry) => JSON.stringify(entry)) : [];
    if (texts.length === old.length && texts.every((one, at) => one === old[at])) return;
    const { expected } = this;
    this.expected = "";
    const book = this.#book(value.id);
    const { open } = book;
    book.open = "";
    this.#keep(book);
    if (texts.length < old.length && texts.every((one, at) => one === old[at])) return; // taken back
    if (expected && JSON.stringify(this.log) === expected) {
      this.checked += 1;
      if (book.rounds[open]?.seats.includes(this.seat)) this.shared += 1;
    } else if (!(await this.#withoutDice(value, texts, old))) this.#wrong(say("otherDice"));
  }

  /** Whether this is what comes of a choice after which nothing is rolled. @param {Kept} kept
   * @param {readonly string[]} texts @param {readonly string[]} old */
  async #withoutDice(kept, texts, old) {
    if (old.some((one, at) => one !== texts[at])) return false;
    const ready = await this.library.of(kept);
    const before = this.log.slice(0, old.length);
    const { state, actions } = positionOf(ready, before);
    const chosen = (actions ?? []).findIndex(
      (action) => JSON.stringify(chooseEntry(ready.game, state.mover, action)) === texts[old.length],
    );
    const own = kept.seats[state.mover]?.kind === "npc" || chosen < 0 ? undefined : chosen;
    const play = (/** @type {Stream} */ dice) =>
      grown(ready, kept.seats, opponentsOf(ready.setting), before, dice, own);
    const next = await unlessSpent(play, new Stream());
    return JSON.stringify(next?.result?.log) === JSON.stringify(this.log);
  }

  /** The seat of whoever is here; below MASTER where there is none. */
  get seat() {
    const me = this.me();
    const seat = this.kept?.seats.findIndex(({ user }) => user === me) ?? -1;
    return seat < 0 ? MASTER - 1 : seat;
  }

  // --- what is kept, so that nothing can be begun anew behind the back of a page that was loaded anew

  /** @param {string} table @returns {Book} */
  #book(table) {
    const before = JSON.parse(this.storage.getItem(BOOK) ?? "null");
    return before?.table === table ? before : { table, secret: secret(), rounds: {}, open: "" };
  }

  /** @param {Book} book */
  #keep(book) {
    this.storage.setItem(BOOK, JSON.stringify(book));
  }
}

/** Whether the seats of a list are in order, that of the game master's browser and those of people.
 * @param {readonly number[]} seats @param {Kept} kept */
const proper = (seats, { seats: all }) =>
  seats[0] === MASTER &&
  seats.every(
    (seat, at) => at === 0 || (seat > seats[at - 1] && all[seat]?.kind === "user" && all[seat].user !== null),
  );

/** Whether a list is the one that was seen before, or may come after it: nothing is begun anew but by fewer, and only
 * if it was not finished. @param {Seen | undefined} seen @param {number} again
 * @param {readonly number[]} seats @param {string} digest */
function continues(seen, again, seats, digest) {
  if (!seen) return true;
  if (seen.again === again) return seen.list === digest;
  return again > seen.again && !seen.done && fewer(seats, seen.seats);
}

/** Whether a roll may begin while another waits: only where somebody of that one is gone. @param {Book} book
 * @param {string} round @param {readonly number[]} seats */
function mayFollow({ rounds, open }, round, seats) {
  return !open || open === round || fewer(seats, rounds[open].seats);
}

/** @param {readonly number[]} some @param {readonly number[]} all */
const fewer = (some, all) => some.length < all.length && some.every((seat) => all.includes(seat));
