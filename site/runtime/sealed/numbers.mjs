// @ts-check
/** Dice that nobody can choose (commit and reveal). Each browser has a secret number for a roll. It first shows the
 * SHA-256 hash of that number, and the number itself only when it knows everybody's hash. All numbers together make the
 * seed of the dice. So a single number that nobody else could know makes the roll unpredictable for all. */

import { Random } from "../rules/random.mjs";
import { hexText } from "../table/packed.mjs";

/** @typedef {readonly [seat: number, text: string]} OfSeat a hash or a number, in hexadecimal digits */
/** @typedef {{seats: readonly {user: string | null}[]}} Seated a table with its people */

export const MASTER = -1; // in place of a seat: the game master's browser, which takes part in every roll
const RULE = "oddsmith dice 1"; // so that no hash made for something else means anything here
const FIRST = 1024; // 32-bit words that are made at first

/** Thrown if a stream of random words has run out. */
export class WordsExhausted extends Error {}

/** 256 random bits, as hexadecimal digits. */
export const newSecret = () => hexText(crypto.getRandomValues(new Uint8Array(32)));

/** The SHA-256 hash of some data in hexadecimal digits. Hashes for different purposes never agree.
 * @param {string} purpose names the purpose @param {any[]} parts plain data */
export async function purposeHash(purpose, ...parts) {
  const text = JSON.stringify([RULE, purpose, ...parts]);
  return hexText(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

/** The id of a roll: a hash of its table, the moves before it and the choice that leads to it. If moves are taken back
 * and repeated, the id is the same.
 * @param {string} tableId its id @param {readonly any[]} log
 * @param {number | null} actionIndex of the action that is chosen; null where dice are to be rolled at once */
export const rollId = (tableId, log, actionIndex) => purposeHash("roll", tableId, log, actionIndex);

/** The secret number of a seat for a roll. It is always the same for the same roll. @param {string} browserSecret the
 * secret of this browser
 * @param {string} roll @param {number} attempt how often the roll was begun anew @param {number} seat */
export const secretNumber = (browserSecret, roll, attempt, seat) =>
  purposeHash("number", browserSecret, roll, attempt, seat);

/** The commitment to a number, which is shown before the number.
 * @param {string} roll @param {number} attempt @param {number} seat
 * @param {string} number */
export const numberCommitment = (roll, attempt, seat, number) => purposeHash("hash", roll, attempt, seat, number);

/** The commitment to a choice, which is shown before the choice is opened.
 * @param {string} roll @param {number} seat @param {string} salt
 * @param {any} choice */
export const choiceCommitment = (roll, seat, salt, choice) => purposeHash("choice", roll, seat, salt, choice);

/** The seed of a roll, made of all numbers. @param {string} roll @param {number} attempt
 * @param {readonly OfSeat[]} numbers by seat */
export const seedOfRoll = (roll, attempt, numbers) => purposeHash("seed", roll, attempt, numbers);

/** The pairs of a list whose person no longer has the seat; all pairs if the table is gone.
 * @param {readonly OfSeat[]} seatsWithPersons each seat with the id of its person
 * @param {Seated | null} tableRecord null: there is no table any more */
export const lostSeats = (seatsWithPersons, tableRecord) =>
  seatsWithPersons.filter(([seat, user]) => tableRecord?.seats[seat].user !== user);

/** For each seat on a list, the pair of the seat and its person; empty text for a seat without a person. The game
 * master's browser, which has no seat, is left out.
 * @param {readonly OfSeat[]} list
 * @param {Seated} kept @returns {OfSeat[]} */
export const personsOfSeats = (list, { seats }) =>
  list.flatMap(([seat]) => (seat === MASTER ? [] : [[seat, seats[seat].user ?? ""]]));

/** A hash that identifies a list. @param {readonly OfSeat[]} list */
export const hashOfSeatList = (list) => purposeHash("list", list);

/** Random numbers from a given list of words. Bounds are met by rejection, so every face has its exact probability. */
export class WordStream extends Random {
  /** @param {DataView} [words] none if left out */
  constructor(words = new DataView(new ArrayBuffer(0))) {
    super(0);
    this.words = words;
  }
  randomBits() {
    if (this.state >= this.words.byteLength) throw new WordsExhausted();
    this.state += 4;
    return this.words.getUint32(this.state - 4);
  }
}

/** Return the result of `playWithDice` with random numbers that follow from a seed. AES in counter mode gives as many
 * as are needed. @template T
 * @param {string} seed @param {(dice: WordStream) => Promise<T>} playWithDice may be called more than once */
export async function playWithSeed(seed, playWithDice) {
  const bytes = Uint8Array.from(seed.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const key = await crypto.subtle.importKey("raw", bytes, "AES-CTR", false, ["encrypt"]);
  const how = { name: "AES-CTR", counter: new Uint8Array(16), length: 64 };
  for (let words = FIRST; ; words *= 8) {
    const stream = await crypto.subtle.encrypt(how, key, new Uint8Array(4 * words));
    const done = await nullIfWordsExhausted(playWithDice, new WordStream(new DataView(stream)));
    if (done) return done.result;
  }
}

/** The result of play with some dice; null if the words ran out. @template T @param {(dice: WordStream) => Promise<T>}
 * playWithDice
 * @param {WordStream} dice @returns {Promise<{result: T} | null>} */
export async function nullIfWordsExhausted(playWithDice, dice) {
  try {
    return { result: await playWithDice(dice) };
  } catch (error) {
    if (error instanceof WordsExhausted) return null;
    throw error;
  }
}
