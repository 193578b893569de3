// @ts-check
/** The part of a player's browser in the dice, and its checks. It gives its number only for a list of hashes that
 * cannot change any more, works out the roll by itself, and compares that with what the table then says. */

import { unpackRecordedLog } from "../../room/log.mjs";
import { opponentsOf } from "../../runtime/table/opponents.mjs";
import { makeChoiceEntry } from "../../runtime/table/record.mjs";
import { extendLog, positionAfterLog } from "../../runtime/table/round.mjs";
import { localizedText } from "../words.mjs";
import { RollBookStorage } from "../../runtime/sealed/book.mjs";
import {
  numberCommitment,
  hashOfSeatList,
  MASTER,
  secretNumber,
  personsOfSeats,
  playWithSeed,
  rollId,
  seedOfRoll,
  WordStream,
  nullIfWordsExhausted,
  lostSeats,
} from "../../runtime/sealed/numbers.mjs";

/** @typedef {import("../../runtime/sealed/numbers.mjs").OfSeat} OfSeat */
/** @typedef {import("../../room/log.mjs").Kept} Kept */
/** @typedef {import("../../runtime/table/record.mjs").Entry} Entry */
/** @typedef {{t: "roll", place: number | null, again: number}} Asked */
/** @typedef {{t: "list", place: number | null, again: number, hashes: OfSeat[]}} Listed */
/** @typedef {{t: "numbers", place: number | null, again: number, numbers: OfSeat[]}} Shown */
/** @typedef {{t: "waits", seats: number[]}} Waits a roll waits for the numbers of these seats */
/** @typedef {{again: number, people: OfSeat[], list: string, done: boolean}} Seen `people`: who promised, as
 * `personsOfSeats` has it; `list` as `hashOfSeatList` has it; `done`: their numbers were seen too */
/** @typedef {{here: string, round: string, seats: Kept["seats"]}} Open `here`: the moves before it; `seats`: as they
 * stood when it began, because they say what non-players do in it */
/** @typedef {{list: Listed, round: string}} Promised */

export class DiceWitness {
  /** @param {import("../../runtime/table/library.mjs").GameLibrary} library @param {Storage} storage
   * @param {() => string} getPersonId how the table calls whoever is here */
  constructor(library, storage, getPersonId) {
    this.library = library;
    /** @type {RollBookStorage<Seen, Open>} */
    this.books = new RollBookStorage(storage, "oddsmith/link/witness");
    this.me = getPersonId;
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
    /** @type {number[]} the seats whose numbers a roll waits for */
    this.missing = [];
    /** What was wrong first; empty as long as nothing was. */
    this.fault = "";
  }

  /** Note a fault, unless there was one before. Returns null. @param {string} reason */
  #setFault(reason) {
    this.fault ||= reason;
    return null;
  }

  /** Handle a message about a roll, and return the answer to it; null if it needs none.
   * @param {Asked | Listed | Shown | Waits} message
   * @returns {Promise<import("./rounds.mjs").Answer | null>} what to answer, if anything */
  async answerMessage(message) {
    if (message.t === "roll") return this.#hashAnswer(message);
    if (message.t === "list") return this.#numberAnswer(message);
    if (message.t === "waits") this.missing = message.seats;
    else await this.#computeRoll(message);
    return null;
  }

  /** The hash of this browser's number; null if nobody sits here. @param {Asked} asked
   * @returns {Promise<import("./rounds.mjs").Answer | null>} */
  async #hashAnswer({ place, again }) {
    const { kept, seat } = this;
    if (!kept || seat < 0) return null;
    const round = await rollId(kept.id, this.log, place);
    const book = this.books.load(kept.id);
    this.books.save(book); // with the secret: a number must be the same after the page was loaded anew
    const number = await secretNumber(book.secret, round, again, seat);
    return { t: "hash", round, again, text: await numberCommitment(round, again, seat, number) };
  }

  /** This browser's number, once the commitments of all others are known; null if none is to be shown.
   * @param {Listed} hashList @returns {Promise<import("./rounds.mjs").Answer | null>} */
  async #numberAnswer(hashList) {
    const { kept, seat } = this;
    if (!kept) return null;
    const { place, again, hashes } = hashList;
    const round = await rollId(kept.id, this.log, place);
    const book = this.books.load(kept.id);
    const seats = hashes.map(([one]) => one);
    const digest = await hashOfSeatList(hashes);
    this.promised = null;
    if (!areSeatsInListOrder(seats, kept)) return this.#setFault(localizedText("listStrange"));
    const own = await secretNumber(book.secret, round, again, seat);
    const mine = hashes.find(([one]) => one === seat);
    if (mine && mine[1] !== (await numberCommitment(round, again, seat, own)))
      return this.#setFault(localizedText("listOther"));
    const [seen, { open }] = [book.rounds[round], book];
    const people = personsOfSeats(hashes, kept);
    const other = open && open.round !== round;
    if (other || !mayFollowHashList(seen, again, people, digest, kept))
      return this.#setFault(localizedText("begunAnew"));
    book.rounds[round] = { again, people, list: digest, done: seen?.done ?? false };
    if (!open || seen?.again !== again)
      book.open = { here: await rollId(kept.id, this.log, null), round, seats: kept.seats };
    this.books.save(book);
    this.promised = { list: hashList, round };
    return mine ? { t: "number", round, again, text: own } : null;
  }

  /** Compute the roll that the numbers of all browsers give, and note what the table has to say next. @param
   * {Shown} shown */
  async #computeRoll({ place, again, numbers }) {
    const { kept, promised } = this;
    if (!kept || !promised || promised.list.place !== place || promised.list.again !== again) return;
    const { round, list } = promised;
    const found = await Promise.all(
      numbers.map(async ([seat, text]) => [seat, await numberCommitment(round, again, seat, text)]),
    );
    if (JSON.stringify(found) !== JSON.stringify(list.hashes)) return void this.#setFault(localizedText("numberOther"));
    const book = this.books.load(kept.id);
    if (book.rounds[round]) book.rounds[round].done = true;
    this.books.save(book);
    const loadedGame = await this.library.openGameOf(kept);
    const { seats } = book.open ?? kept;
    const mover = seats[positionAfterLog(loadedGame, this.log).state.mover];
    const own = mover?.kind === "npc" ? undefined : place;
    const seed = await seedOfRoll(round, again, numbers);
    const next = await playWithSeed(seed, (dice) =>
      extendLog(loadedGame, seats, opponentsOf(loadedGame.setting), this.log, dice, own),
    );
    this.expected = JSON.stringify(next?.log);
  }

  // --- what the table says

  /** Take in a new record of the table, and compare its moves with the rolls that were computed here. Notes a fault if
   * they differ. @param {any} newRecord well-formed, or null */
  async checkRecord(newRecord) {
    const first = !this.heardAny;
    const { kept: before, log: known } = this;
    this.heardAny = true;
    this.kept = newRecord;
    this.log = newRecord ? await unpackRecordedLog(newRecord.log) : [];
    if (!newRecord) return;
    const stood = await this.#unfinishedRoll(newRecord);
    if (first) return;
    const texts = this.log.map((entry) => JSON.stringify(entry));
    const old = before?.id === newRecord.id ? known.map((entry) => JSON.stringify(entry)) : [];
    if (texts.length === old.length && texts.every((one, at) => one === old[at])) return;
    const { expected } = this;
    this.expected = "";
    if (texts.length < old.length && texts.every((one, at) => one === old[at])) return; // taken back
    if (expected && JSON.stringify(this.log) === expected) {
      this.checked += 1;
      if (stood?.people.some(([, user]) => user === this.me())) this.shared += 1;
    } else if (stood || !(await this.#isChoiceWithoutDice(newRecord, texts, old)))
      this.#setFault(localizedText("otherDice"));
  }

  /** The roll that has begun and not ended yet; null if there is none. It has ended if there are other moves, or if it
   * waits for somebody who has lost the seat. @param {Kept} tableRecord as the table is now */
  async #unfinishedRoll(tableRecord) {
    const book = this.books.load(tableRecord.id);
    const { open } = book;
    const seen = open && book.rounds[open.round];
    if (!seen) return null;
    const waits =
      open.here === (await rollId(tableRecord.id, this.log, null)) &&
      (seen.done || !lostSeats(seen.people, tableRecord).length);
    if (!waits) this.books.save({ ...book, open: null });
    return seen;
  }

  /** Whether a log is the old one with a choice after which nothing is rolled. @param {Kept} tableRecord
   * @param {readonly string[]} entryTexts @param {readonly string[]} oldEntryTexts */
  async #isChoiceWithoutDice(tableRecord, entryTexts, oldEntryTexts) {
    if (oldEntryTexts.some((one, at) => one !== entryTexts[at])) return false;
    const loadedGame = await this.library.openGameOf(tableRecord);
    const before = this.log.slice(0, oldEntryTexts.length);
    const { state, actions } = positionAfterLog(loadedGame, before);
    const chosen = (actions ?? []).findIndex(
      (action) =>
        JSON.stringify(makeChoiceEntry(loadedGame.game, state.mover, action)) === entryTexts[oldEntryTexts.length],
    );
    const own = tableRecord.seats[state.mover]?.kind === "npc" || chosen < 0 ? undefined : chosen;
    const play = (/** @type {WordStream} */ dice) =>
      extendLog(loadedGame, tableRecord.seats, opponentsOf(loadedGame.setting), before, dice, own);
    const next = await nullIfWordsExhausted(play, new WordStream());
    return JSON.stringify(next?.result?.log) === JSON.stringify(this.log);
  }

  /** The seat of whoever is here; below MASTER where there is none. */
  get seat() {
    const me = this.me();
    const seat = this.kept?.seats.findIndex(({ user }) => user === me) ?? -1;
    return seat < 0 ? MASTER - 1 : seat;
  }
}

/** Whether a list begins with the game master's browser, and then has seats of people in ascending order.
 * @param {readonly number[]} seats @param {Kept} kept */
const areSeatsInListOrder = (seats, { seats: all }) =>
  seats[0] === MASTER &&
  seats.every(
    (seat, at) => at === 0 || (seat > seats[at - 1] && all[seat]?.kind === "user" && all[seat].user !== null),
  );

/** Whether a list of hashes may come after the one that was seen before. The same list may come again. A roll that was
 * not finished may be begun anew, without exactly the people who have lost their seats. @param {Seen | undefined}
 * seenList
 * @param {number} attempt
 * @param {readonly OfSeat[]} people @param {string} listDigest @param {Kept} tableRecord */
function mayFollowHashList(seenList, attempt, people, listDigest, tableRecord) {
  if (!seenList) return true;
  if (seenList.again === attempt) return seenList.list === listDigest;
  const lost = lostSeats(seenList.people, tableRecord);
  const rest = seenList.people.filter((one) => !lost.includes(one));
  return (
    attempt > seenList.again && !seenList.done && lost.length > 0 && JSON.stringify(people) === JSON.stringify(rest)
  );
}
