// @ts-check
/** The rolls that all browsers make together, as the game master's browser directs them. It asks everybody with a seat
 * for a hash, sends everybody the list of hashes, then asks for the numbers. The table goes on meanwhile: a roll
 * belongs only to the moves before it and to those who committed to it. A roll that was begun is stored, even if the
 * page is reloaded. It can only be finished, or begun again by fewer people. */

import { RollBookStorage } from "../../runtime/sealed/book.mjs";
import {
  numberCommitment,
  MASTER,
  secretNumber,
  personsOfSeats,
  rollId,
  seedOfRoll,
  lostSeats,
} from "../../runtime/sealed/numbers.mjs";

/** @typedef {import("../../runtime/sealed/numbers.mjs").OfSeat} OfSeat */
/** @typedef {import("../../room/log.mjs").Kept} Kept */
/** @typedef {import("../host.mjs").Link} Link */
/** @typedef {{again: number, people: OfSeat[], hashes: OfSeat[], numbers: OfSeat[] | null}} Begun `people`:
 * who promised, as `personsOfSeats` has it; `numbers` once all are here */
/** @typedef {{log: string, round: string, place: number | null, seats: Kept["seats"]}} Open a roll after this log, as
 * the table keeps it; `place`: as `rollId` has it; `seats`: as they stood when it began, because they say what
 * non-players do in it */
/** @typedef {{kept: Kept, only: readonly OfSeat[] | undefined, begun: Begun | null, over: boolean, told: object[]}}
 * Rolling the roll that goes on: the table as it found it; who may take part, if not everybody with a seat; what is
 * promised, null before that; `told`: what was said of it */
/** @typedef {{seed: string, seats: Kept["seats"]}} Made `seats` as `Open` has them */
/** @typedef {{t: "hash" | "number", round: string, again: number, text: string}} Answer */
/** @typedef {{t: Answer["t"], round: string, again: number, from: Map<Link, number>, all?: readonly OfSeat[],
 * fits: (seat: number, text: string) => Promise<boolean>}} Question `from`: who is asked; `all`: who has to answer */
/** @typedef {Question & {got: Map<number, string>, needs: () => number[], end: (whole: boolean) => void}} Waiting
 * `needs`: the seats that it waits for */

/** Milliseconds: for hashes, whoever is late is left out of this roll; for what was promised, the roll goes on to wait,
 * and says for whom. */
export const PATIENCE = { hash: 4000, number: 2000 };

export class JointRolls {
  /** @param {Storage} storage @param {() => readonly Link[]} getLinks to whoever is connected
   * @param {() => void} onWaitChange whom a roll waits for */
  constructor(storage, getLinks, onWaitChange) {
    /** @type {RollBookStorage<Begun, Open>} */
    this.books = new RollBookStorage(storage, "oddsmith/link/rounds");
    this.links = getLinks;
    this.changed = onWaitChange;
    /** @type {Rolling | null} */
    this.rolling = null;
    /** @type {Waiting | null} */
    this.waiting = null;
    /** How many browsers made the last roll; 0 before there was one. */
    this.makers = 0;
    /** @type {number[]} the seats whose numbers the roll waits for, once that takes long */
    this.missing = [];
  }

  /** Make one roll with all browsers; the table goes on meanwhile. @param {Kept} tableRecord @param {readonly any[]}
   * log its moves
   * @param {number | null} actionIndex as `rollId` has it
   * @param {(roll: Made) => Promise<void>} onResult called with the roll, unless the table changes before all numbers
   * are here */
  async makeRoll(tableRecord, log, actionIndex, onResult) {
    /** @type {Rolling} */
    const rolling = { kept: tableRecord, only: undefined, begun: null, over: false, told: [] };
    this.rolling = rolling;
    try {
      const made = await this.#agreeOnSeed(rolling, log, actionIndex);
      if (made) await onResult(made);
    } finally {
      if (this.rolling === rolling) this.rolling = null;
    }
  }

  /** Collect hashes and numbers, and return the seed that they give; null if the roll has ended before. @param
   * {Rolling} rolling @param {readonly any[]} log
   * @param {number | null} actionIndex
   * @returns {Promise<Made | null>} */
  async #agreeOnSeed(rolling, log, actionIndex) {
    const { kept } = rolling;
    const round = await rollId(kept.id, log, actionIndex);
    const book = this.books.load(kept.id);
    const before = book.rounds[round];
    const stands = before && stillHaveSeats(before, kept);
    const begun = stands ? before : await this.#collectHashes(rolling, book.secret, round, actionIndex, before);
    if (!begun || rolling.over) return null;
    rolling.begun = book.rounds[round] = begun;
    rolling.only = begun.people;
    const open =
      stands && book.open?.round === round
        ? book.open
        : { log: kept.log, round, place: actionIndex, seats: kept.seats };
    book.open = open;
    this.books.save(book); // before anybody shows a number, so that this browser cannot forget what it promised
    const { again, hashes } = begun;
    this.#broadcast(rolling, { t: "list", place: actionIndex, again, hashes });
    begun.numbers ??= await this.#collectNumbers(rolling, book.secret, round, begun);
    if (!begun.numbers || rolling.over) return null;
    this.books.save(book);
    this.#broadcast(rolling, { t: "numbers", place: actionIndex, again, numbers: begun.numbers });
    this.makers = hashes.length;
    return { seed: await seedOfRoll(round, again, begun.numbers), seats: open.seats };
  }

  /** The unfinished roll after these moves, because of which nothing else can be chosen; null if there is none.
   * @param {Kept} tableRecord @returns {Open | null} */
  unfinishedRoll(tableRecord) {
    const { open } = this.books.load(tableRecord.id);
    return open?.log === tableRecord.log ? open : null;
  }

  /** End the roll that goes on if a change of the table makes it invalid. That is so if the moves before it have
   * changed, if somebody who committed to it has lost the seat, or if seats have changed before anybody committed.
   * @param {Kept | null} newRecord */
  onTableChanged(newRecord) {
    if (newRecord) {
      const book = this.books.load(newRecord.id);
      const { open } = book;
      if (open && (open.log !== newRecord.log || !stillHaveSeats(book.rounds[open.round], newRecord)))
        this.books.save({ ...book, open: null });
    }
    const { rolling } = this;
    if (!rolling) return;
    const { kept, begun } = rolling;
    const same = newRecord?.id === kept.id && newRecord.log === kept.log;
    if (same && (begun ? stillHaveSeats(begun, newRecord) : haveSameSeats(kept, newRecord))) return;
    rolling.over = true;
    this.rolling = null;
    this.waiting?.end(false);
  }

  /** Collect the hashes; null if the roll has ended. A roll that is begun again is made by those who took part before
   * and still have their seats.
   * @param {Rolling} rolling @param {string} secret @param {string} rollId @param {number | null} actionIndex
   * @param {Begun | undefined} earlierAttempt @returns {Promise<Begun | null>} */
  async #collectHashes(rolling, secret, rollId, actionIndex, earlierAttempt) {
    const { kept } = rolling;
    const again = earlierAttempt ? earlierAttempt.again + 1 : 0;
    const only = (rolling.only = earlierAttempt?.people.filter((one) => !lostSeats([one], kept).length));
    const asked = this.#linksWithSeats(kept, only);
    const told = { t: "roll", place: actionIndex, again };
    rolling.told.push(told);
    for (const link of asked.keys()) link.wire.sendMessage(told);
    const awake = new Map([...asked].filter(([link]) => only || !link.sleeps));
    const fits = async () => true;
    const got = await this.#waitForAnswers(rolling, {
      t: "hash",
      round: rollId,
      again,
      from: new Map(awake),
      all: only,
      fits,
    });
    if (!got) return null;
    for (const [link, seat] of awake) link.sleeps = !got.has(seat);
    const own = await secretNumber(secret, rollId, again, MASTER);
    got.set(MASTER, await numberCommitment(rollId, again, MASTER, own));
    const hashes = sortAnswersBySeat(got);
    return { again, people: personsOfSeats(hashes, kept), hashes, numbers: null };
  }

  /** Collect the numbers and add one's own. @param {Rolling} rolling @param {string} secret @param {string} round
   * @param {Begun} begun
   * @returns {Promise<OfSeat[] | null>} null if the roll has ended */
  async #collectNumbers(rolling, secret, round, { again, people, hashes }) {
    const promised = new Map(hashes);
    const fits = async (/** @type {number} */ seat, /** @type {string} */ number) =>
      (await numberCommitment(round, again, seat, number)) === promised.get(seat);
    const from = this.#linksWithSeats(rolling.kept, people);
    const got = await this.#waitForAnswers(rolling, { t: "number", round, again, from, all: people, fits });
    return got && sortAnswersBySeat(got.set(MASTER, await secretNumber(secret, round, again, MASTER)));
  }

  /** The connections of people with a seat, each with that seat. @param {Kept} kept @param {readonly OfSeat[]}
   * [onlySeats] these */
  #linksWithSeats({ seats }, onlySeats) {
    const place = (/** @type {Link} */ { person }) =>
      seats.findIndex(({ user }) => user !== null && user === person?.id);
    const found = this.links().map((link) => /** @type {const} */ ([link, place(link)]));
    return new Map(found.filter(([, at]) => at >= 0 && (!onlySeats || onlySeats.some(([seat]) => seat === at))));
  }

  /** Send a message about a roll to everybody, and remember it for those who come later. @param {Rolling} rolling
   * @param {object} message */
  #broadcast(rolling, message) {
    rolling.told.push(message);
    this.#sendToAll(message);
  }

  /** Send a message to everybody. @param {object} message */
  #sendToAll(message) {
    for (const { person, wire } of this.links()) if (person) wire.sendMessage(message);
  }

  // --- answers

  /** Wait for valid answers. If `all` is given, it waits for all of these as long as the roll lasts, else for a while.
   * @param {Rolling} rolling
   * @param {Question} question @returns {Promise<Map<number, string> | null>} by seat; null if the roll has ended */
  async #waitForAnswers(rolling, question) {
    if (rolling.over) return null;
    const { from, all } = question;
    /** @type {Map<number, string>} */
    const got = new Map();
    const needs = () => (all?.map(([seat]) => seat) ?? [...from.values()]).filter((seat) => !got.has(seat));
    return new Promise((resolve) => {
      const late = setTimeout(
        () => (all ? this.#announceMissingSeats(needs()) : end(true)),
        PATIENCE[all ? "number" : "hash"],
      );
      const end = (/** @type {boolean} */ whole) => {
        clearTimeout(late);
        this.waiting = null;
        this.#announceMissingSeats([]);
        resolve(whole ? got : null);
      };
      this.waiting = { ...question, got, needs, end };
      this.#finishIfAllAnswered();
    });
  }

  /** Stop waiting if all answers are here. */
  #finishIfAllAnswered() {
    const needs = this.waiting?.needs();
    if (needs?.length === 0) this.waiting?.end(true);
    else if (needs && this.missing.length) this.#announceMissingSeats(needs);
  }

  /** Tell everybody whom the roll waits for. @param {number[]} seats */
  #announceMissingSeats(seats) {
    if (`${seats}` === `${this.missing}`) return;
    this.missing = seats;
    this.#sendToAll({ t: "waits", seats });
    this.changed();
  }

  /** Accept an answer if it is one that is waited for. @param {Link} link @param {Answer} answer
   * @returns {boolean} whether it was asked for */
  acceptAnswer(link, { t, round, again, text }) {
    const { waiting } = this;
    const seat = waiting?.from.get(link);
    link.sleeps = false;
    if (!waiting || seat === undefined || waiting.got.has(seat)) return false;
    if (t !== waiting.t || round !== waiting.round || again !== waiting.again) return false;
    void waiting.fits(seat, text).then((fits) => {
      if (fits) waiting.got.set(seat, text);
      else waiting.from.delete(link); // a number that does not fit its hash is none
      if (this.waiting === waiting) this.#finishIfAllAnswered();
    });
    return true;
  }

  /** Note that somebody is no longer connected. @param {Link} link */
  onLinkLost(link) {
    this.waiting?.from.delete(link);
    this.#finishIfAllAnswered();
  }

  /** Send somebody who has come or returned what was said of the current roll. @param {Link} link */
  onLinkOpened(link) {
    const { rolling, waiting } = this;
    if (!rolling?.told.length) return;
    const seat = this.#linksWithSeats(rolling.kept, rolling.only).get(link);
    if (seat !== undefined) waiting?.from.set(link, seat);
    // The table as the roll found it, then what was said of it; how the table is now comes after that.
    for (const message of [{ t: "room", kept: rolling.kept }, ...rolling.told]) link.wire.sendMessage(message);
    if (this.missing.length) link.wire.sendMessage({ t: "waits", seats: this.missing });
  }
}

/** Whether all seats are the same, except for names and for people who sat down. @param {Kept} tableRecord
 * @param {Kept} newRecord */
const haveSameSeats = (tableRecord, newRecord) =>
  tableRecord.seats.every(({ kind, user, skill }, at) => {
    const seat = newRecord.seats[at];
    return seat.kind === kind && seat.skill === skill && (user === null || seat.user === user);
  });

/** Whether all people who committed to a number still have their seats; true as well once all numbers are here. @param
 * {Begun} begun
 * @param {Kept | null} tableRecord */
const stillHaveSeats = ({ people, numbers }, tableRecord) => numbers !== null || !lostSeats(people, tableRecord).length;

/** Answers sorted by seat. @param {Map<number, string>} answersBySeat @returns {OfSeat[]} */
const sortAnswersBySeat = (answersBySeat) => [...answersBySeat].sort(([a], [b]) => a - b);
