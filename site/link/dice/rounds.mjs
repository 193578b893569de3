// @ts-check
/** The rolls that the game master's browser has everybody make together. It asks whoever has a seat for a hash, gives
 * everybody the list of hashes, then asks for the numbers. What was begun is kept, also when the page is loaded anew:
 * a roll that was begun can only be finished, or begun anew by fewer. */

import { Refused } from "../../runtime/table/refused.mjs";
import { say } from "../words.mjs";
import { hashOf, MASTER, numberOf, roundOf, secret, seedOf } from "./numbers.mjs";

/** @typedef {import("./numbers.mjs").OfSeat} OfSeat */
/** @typedef {import("../../room/log.mjs").Kept} Kept */
/** @typedef {import("../host.mjs").Link} Link */
/** @typedef {{again: number, users: string[], hashes: OfSeat[], numbers: OfSeat[] | null}} Begun `users`: who has the
 * seats of `hashes`, that of the game master apart; `numbers` once all are here */
/** @typedef {{table: string, secret: string, rounds: Record<string, Begun>, open: {log: string, round: string} | null}}
 * Book `open`: what was begun and is not finished */
/** @typedef {{t: "hash" | "number", round: string, again: number, text: string}} Answer */
/** @typedef {{t: Answer["t"], round: string, again: number, from: Map<Link, number>, got: Map<number, string>,
 * fits: (seat: number, text: string) => Promise<boolean>, end: () => void}} Waiting */

const BOOK = "oddsmith/link/rounds";
/** Milliseconds: for hashes, whoever is late is left out of this roll; for numbers, the roll then waits. */
export const PATIENCE = { hash: 4000, number: 8000 };

export class Rounds {
  /** @param {Storage} storage @param {() => readonly Link[]} links to whoever is connected */
  constructor(storage, links) {
    this.storage = storage;
    this.links = links;
    /** @type {Waiting | null} */
    this.waiting = null;
    /** How many browsers made the last roll; 0 before there was one. */
    this.makers = 0;
    /** Whose number the roll waits for; empty if it waits for nobody. */
    this.missing = "";
  }

  /** The seed of what is to be rolled. Refused if a number is missing that was promised. @param {Kept} kept
   * @param {readonly any[]} log @param {number | null} place as `roundOf` has it */
  async seed(kept, log, place) {
    const book = this.#book(kept.id);
    const [round, here] = await Promise.all([roundOf(kept.id, log, place), roundOf(kept.id, log, null)]);
    this.#settle(book, kept, here, round);
    const before = book.rounds[round];
    const begun = before && !gone(before, kept).length ? before : await this.#begin(book, kept, round, place, before);
    book.open = { log: here, round };
    this.#keep(book); // before anybody shows a number, so that this browser cannot forget what it promised
    this.#tell({ t: "list", place, again: begun.again, hashes: begun.hashes });
    begun.numbers ??= await this.#numbers(book, kept, round, begun);
    this.missing = "";
    book.open = null;
    this.#keep(book);
    this.#tell({ t: "numbers", place, again: begun.again, numbers: begun.numbers });
    this.makers = begun.hashes.length;
    return seedOf(round, begun.again, begun.numbers);
  }

  /** What was begun here with another choice stands, unless somebody of it has lost the seat. @param {Book} book
   * @param {Kept} kept @param {string} here @param {string} round */
  #settle(book, kept, here, round) {
    const { open } = book;
    if (!open || open.log !== here || open.round === round) return;
    if (!gone(book.rounds[open.round], kept).length) throw new Refused(say("begunOtherwise"));
  }

  /** Ask for hashes. A roll that is begun anew is made by those of before who still have their seats.
   * @param {Book} book @param {Kept} kept @param {string} round @param {number | null} place
   * @param {Begun | undefined} before @returns {Promise<Begun>} */
  async #begin(book, kept, round, place, before) {
    const again = before ? before.again + 1 : 0;
    const asked = this.#seated(kept, before?.users);
    const told = { t: "roll", place, again };
    for (const link of asked.keys()) link.wire.say(told);
    const awake = new Map([...asked].filter(([link]) => !link.sleeps));
    const got = await this.#wait("hash", round, again, awake, async () => true);
    for (const [link, seat] of awake) link.sleeps = !got.has(seat);
    const own = await numberOf(book.secret, round, again, MASTER);
    got.set(MASTER, await hashOf(round, again, MASTER, own));
    const hashes = bySeat(got);
    const users = hashes.flatMap(([seat]) => (seat === MASTER ? [] : [kept.seats[seat].user ?? ""]));
    return (book.rounds[round] = { again, users, hashes, numbers: null });
  }

  /** @param {Book} book @param {Kept} kept @param {string} round @param {Begun} begun @returns {Promise<OfSeat[]>} */
  async #numbers({ secret: own }, kept, round, { again, users, hashes }) {
    const promised = new Map(hashes);
    const fits = async (/** @type {number} */ seat, /** @type {string} */ number) =>
      (await hashOf(round, again, seat, number)) === promised.get(seat);
    const got = await this.#wait("number", round, again, this.#seated(kept, users), fits);
    got.set(MASTER, await numberOf(own, round, again, MASTER));
    const missing = hashes.filter(([seat]) => !got.has(seat)).map(([seat]) => kept.seats[seat].name);
    this.missing = missing.join(", ");
    if (this.missing) throw new Refused(say("numberMissing", { names: this.missing }));
    return bySeat(got);
  }

  /** Who has a seat and is connected, with that seat. @param {Kept} kept @param {readonly string[]} [only] these */
  #seated({ seats }, only) {
    const place = (/** @type {Link} */ { person }) =>
      seats.findIndex(({ user }) => user !== null && user === person?.id);
    const found = this.links().map((link) => /** @type {const} */ ([link, place(link)]));
    return new Map(found.filter(([{ person }, seat]) => seat >= 0 && (!only || only.includes(person?.id ?? ""))));
  }

  /** @param {object} message */
  #tell(message) {
    for (const { person, wire } of this.links()) if (person) wire.say(message);
  }

  // --- answers

  /** Wait for answers that fit, for a while. @param {Answer["t"]} t @param {string} round @param {number} again
   * @param {Map<Link, number>} from @param {Waiting["fits"]} fits @returns {Promise<Map<number, string>>} */
  #wait(t, round, again, from, fits) {
    /** @type {Map<number, string>} */
    const got = new Map();
    return new Promise((resolve) => {
      const late = setTimeout(() => end(), PATIENCE[t]);
      const end = () => {
        clearTimeout(late);
        this.waiting = null;
        resolve(got);
      };
      this.waiting = { t, round, again, from: new Map(from), got, fits, end };
      this.#look();
    });
  }

  #look() {
    const { waiting } = this;
    if (waiting && [...waiting.from.values()].every((seat) => waiting.got.has(seat))) waiting.end();
  }

  /** An answer that may be one of those waited for. @param {Link} link @param {Answer} answer
   * @returns {boolean} whether it was asked for */
  heard(link, { t, round, again, text }) {
    const { waiting } = this;
    const seat = waiting?.from.get(link);
    link.sleeps = false;
    if (!waiting || seat === undefined || waiting.got.has(seat)) return false;
    if (t !== waiting.t || round !== waiting.round || again !== waiting.again) return false;
    void waiting.fits(seat, text).then((fits) => {
      if (fits) waiting.got.set(seat, text);
      else waiting.from.delete(link); // a number that does not fit its hash is none
      if (this.waiting === waiting) this.#look();
    });
    return true;
  }

  /** Somebody is not connected any more. @param {Link} link */
  left(link) {
    this.waiting?.from.delete(link);
    this.#look();
  }

  // --- what is kept

  /** @param {string} table @returns {Book} */
  #book(table) {
    const before = JSON.parse(this.storage.getItem(BOOK) ?? "null");
    return before?.table === table ? before : { table, secret: secret(), rounds: {}, open: null };
  }

  /** @param {Book} book */
  #keep(book) {
    this.storage.setItem(BOOK, JSON.stringify(book));
  }
}

/** Who promised a number and has lost the seat since. @param {Begun} begun @param {Kept} kept */
function gone({ users, numbers }, { seats }) {
  return numbers ? [] : users.filter((user) => !seats.some((seat) => seat.user === user));
}

/** @param {Map<number, string>} got @returns {OfSeat[]} */
const bySeat = (got) => [...got].sort(([a], [b]) => a - b);
