// @ts-check
/** The shapes of what the world keeps and what clients send, and checks of what they send. */

import { Refused } from "../../runtime/table/refused.mjs";

/** @typedef {import("../../runtime/table/record.mjs").Entry} Entry */
/** @typedef {{id: string, kind: "user" | "npc", user: string | null, held: string | null, actor: string | null,
 *   name: string, img: string, skill: number, yielded?: {user: string, name: string}}} Seat `user` is who sits there
 * (null: free), `held` for whom a free seat is kept (null: for anybody), `skill` the place of a non-player's play in
 * opponentsOf(setting), `yielded` who gave the seat up to a non-player */
/** @typedef {{key: string, seat: number, user: string | null, actor: string | null, amount: number,
 *   state: "due" | "done" | "refused" | "unsure"}} Payment `seat` is a place of the table, or the number of its seats
 * for the house; `amount` goes to the purse (below 0: comes from it), in whole chips; "unsure" was begun by a game
 * master who left before it was done: a person must look */
/** @typedef {{currency: string, coin: string, path: string, round: number, payments: Payment[]}} Ledger `currency`,
 * `coin` and `path` are what the table was opened for, `round` counts settlements that were undone */
/** @typedef {{entry: number, formula: string, total: number}} Draw a non-player's hidden roll for entry number `entry`
 * of the log (from 0) */
/** @typedef {{v: number, id: string, game: string, rules: string, setting: string, rev: number,
 *   phase: "lobby" | "play" | "over", seats: Seat[], stake: number, log: Entry[], mover: number | null, draws: Draw[],
 *   chips: Ledger, house: string, dealer: string, advice: "gm" | "owner" | "everyone" | "nobody", ended: number,
 *   next: string | null, keeper: string | null, stuck?: true}} TableRecord `mover` is the place of the seat to act, a
 * cache of the replay (null: none); `house` is who pays for non-players and the house, where coins are those of
 * actors: "" nobody, "own" each from his own purse, else an actor's uuid; `ended` numbers finished tables (0: not
 * finished), `next` the rematch;
 * `keeper` is the game master whose client has the secrets of non-players, null in a game without secrets, and the log
 * of one with secrets has entries as runtime/sealed has them; `stuck` was broken off because the rules did not go on */
/** @typedef {{v: number, tables: Record<string, TableRecord>, purses: Record<string, number>, purseChanges: number,
 *   ended: number}} World `purses` holds the chips of everybody who has played for chips, by user id, and
 * `purseChanges` counts their changes in all our modules (worldrecord.mjs) */
/** @typedef {{host: Host, world: World, save: () => Promise<void>}} Draft the world's record while the authority
 * changes it */
/** @typedef {{id: string, name: string, isGM: boolean, active: boolean, character: string | null}} Person */
/** @typedef {{faces: number, results: number[]}} Term dice of one kind as they fell */
/** @typedef {{system: string, sides: number, labels: string[]}} Look dice with texts of their own on their sides;
 * `system` is the name by which Dice So Nice knows them */
/** @typedef {{roll: any, formula: string, total: number, dice: Term[]}} Cast `roll` is the host's own object */
/** @typedef {(string | string[])[]} Line texts, and the faces of dice between them */
/** @typedef {{author: string, alias: string, rolls: any[], flags: Record<string, any>, lines: Line[]}} Card a chat
 * message to be; `lines` are what there is to read without this module. To amend one adds rolls, sets flags and puts
 * other lines in place of these */
/** @typedef {{id: string, flags: Record<string, any>, casts: Cast[]}} Heard a chat message that somebody created */
/** What the virtual tabletop does for us; host.mjs is the real one.
 * `purses` lists the copies of everybody's chips: first the shared one, which `setPurses` writes, then those in the
 * records of modules. `line` ends with the last job of any module at this screen that changes what the world keeps.
 * @typedef {{
 *   me: () => string, users: () => Person[], authority: () => string | null,
 *   get: (key: string) => any, set: (key: string, value: any) => Promise<void>,
 *   purses: () => {purses: Record<string, number>, purseChanges: number}[],
 *   setPurses: (value: {purses: Record<string, number>, purseChanges: number}) => Promise<void>,
 *   line: {last: Promise<unknown>},
 *   storage: Storage, shelf: (name: string) => string,
 *   emit: (message: any, to: string) => void, listen: (heard: (message: any, sender: string) => void) => void,
 *   roll: (formula: string, byItself?: boolean, looks?: (Look | null)[]) => Promise<Cast>,
 *   post: (card: Card) => Promise<string>,
 *   amend: (message: string, rolls: any[], flags: Record<string, any>, lines: Line[]) => Promise<boolean>,
 *   dressDice: (looks: (flags: any) => Look[] | null) => void, rolling: (message: string) => Promise<unknown> | null,
 *   cards: (fits: (flags: any) => boolean) => string[], remove: (message: string) => Promise<void>,
 *   author: (message: string) => string, casts: (message: string) => Cast[],
 *   onMessage: (heard: (message: Heard, creator: string) => void) => void,
 *   owns: (user: string, actor: string) => boolean, actor: (uuid: string) => any, currencies: () => any,
 *   id: () => string, now: () => number, later: (milliseconds: number, act: () => void) => void,
 *   onLeave: (act: () => void) => void, address: (path: string) => string,
 *   load: (path: string) => Promise<ArrayBuffer>, report: (error: unknown) => void}} Host
 */

/** The reasons why a request is refused: keys of the language files. */
export const REFUSALS = {
  nobody: "ODDSMITH.refused.nobody",
  slow: "ODDSMITH.refused.slow",
  elsewhere: "ODDSMITH.refused.elsewhere",
  fault: "ODDSMITH.refused.fault",
  rights: "ODDSMITH.refused.rights",
  turn: "ODDSMITH.refused.turn",
  stale: "ODDSMITH.refused.stale",
  action: "ODDSMITH.refused.action",
  dice: "ODDSMITH.refused.dice",
  phase: "ODDSMITH.refused.phase",
  full: "ODDSMITH.refused.full",
  seats: "ODDSMITH.refused.seats",
  game: "ODDSMITH.refused.game",
  rules: "ODDSMITH.refused.rules",
  own: "ODDSMITH.refused.own",
  stake: "ODDSMITH.refused.stake",
  house: "ODDSMITH.refused.house",
  funds: "ODDSMITH.refused.funds",
  undo: "ODDSMITH.refused.undo",
  many: "ODDSMITH.refused.many",
  long: "ODDSMITH.refused.long",
  newer: "ODDSMITH.refused.newer",
};

/** @typedef {keyof typeof REFUSALS} Refusal */

/** @typedef {{name: string, reason: string}} Lack whose purse refused a payment, and why (a key of LACKS in words.mjs)
 * */

/** A request that is refused. `message` is a key of the language files. */
export class RefusedRequest extends Refused {
  /** @param {Refusal} refusalKey @param {Lack | null} [failedPayment] where it is about a payment, as far as it is
   * known */
  constructor(refusalKey, failedPayment = null) {
    super(REFUSALS[refusalKey]);
    this.why = refusalKey;
    this.lack = failedPayment;
  }
}

/** Throw RefusedRequest unless a condition holds.
 * @param {unknown} condition @param {Refusal} [refusalKey] @returns {asserts condition} */
export function refuseUnless(condition, refusalKey = "rights") {
  if (!condition) throw new RefusedRequest(refusalKey);
}

/** @typedef {(value: any) => boolean} Check */

/** A check for a whole number in a range. @type {(least: number, most: number) => Check} */
const integerBetween = (least, most) => (value) => Number.isSafeInteger(value) && value >= least && value <= most;
/** A check for a text of limited length. @type {(most: number) => Check} */
const textOfLengthUpTo = (maxLength) => (value) => typeof value === "string" && value.length <= maxLength;
/** A check that also allows null. @type {(check: Check) => Check} */
const nullOr = (check) => (value) => value === null || check(value);
/** @type {(...words: string[]) => Check} */
const oneOf =
  (...words) =>
  (value) =>
    words.includes(value);

/** A check for an object with exactly these fields. @type {(fields: Record<string, Check>) => Check} */
const objectWith = (fields) => (value) =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length === Object.keys(fields).length &&
  Object.entries(fields).every(([name, check]) => Object.hasOwn(value, name) && check(value[name]));

/** A longer name is cut, and a longer address of a picture is dropped: every client gets all of them with every move at
 * any table. */
const LONGEST_NAME = 80;
const PICTURE = /^(https?:|(?![a-z][a-z0-9+.-]*:)).{1,300}$/i;

const table = textOfLengthUpTo(16);
const rev = integerBetween(0, 2 ** 31);
const seat = integerBetween(0, 63);
/** @type {Check} the rules check what it means */
const isEntry = (value) => typeof value === "object" && value !== null && integerBetween(1, 64)(value.seat);
/** @type {Check} */
const isEntryList = (value) => Array.isArray(value) && value.length >= 1 && value.every(isEntry);
const place = objectWith({
  kind: oneOf("user", "npc"),
  user: nullOr(textOfLengthUpTo(32)),
  actor: nullOr(textOfLengthUpTo(200)),
  name: textOfLengthUpTo(LONGEST_NAME),
  skill: integerBetween(0, 99),
});
/** @type {Check} */
const isSeatList = (value) => Array.isArray(value) && value.length >= 1 && value.length <= 64 && value.every(place);

/** The exact fields of each type of message.
 * @type {Record<string, Check>} */
const MESSAGES = {
  create: objectWith({
    game: textOfLengthUpTo(80),
    setting: textOfLengthUpTo(500),
    seats: isSeatList,
    stake: integerBetween(0, 1e9),
    money: nullOr(
      objectWith({ currency: textOfLengthUpTo(20), coin: textOfLengthUpTo(20), path: textOfLengthUpTo(200) }),
    ),
    house: textOfLengthUpTo(200),
    advice: oneOf("gm", "owner", "everyone", "nobody"),
  }),
  join: objectWith({ table, seat }),
  leave: objectWith({ table, seat }),
  start: objectWith({ table, rev }),
  act: objectWith({ table, rev, action: nullOr(integerBetween(0, 1e6)) }),
  enter: objectWith({ table, rev, entries: isEntryList }),
  undo: objectWith({ table, rev }),
  rematch: objectWith({ table, rev }),
  close: objectWith({ table, rev }),
  hand: objectWith({ table, rev, seat, skill: integerBetween(0, 99) }),
  yield: objectWith({ table, rev, seat }),
  stand: objectWith({ table, rev }),
  purse: objectWith({
    user: textOfLengthUpTo(32),
    was: integerBetween(0, Number.MAX_SAFE_INTEGER),
    amount: integerBetween(0, 1e9),
  }),
};

/** @type {Check} */
const isNonce = (value) => typeof value === "string" && /^[A-Za-z0-9]{16}$/.test(value);
const ENVELOPE = objectWith({ v: (value) => value === 1, t: textOfLengthUpTo(10), nonce: isNonce, body: () => true });

/** The most characters of a message as JSON; longer ones are ignored. */
const LONGEST = 2048;

/** The most entries of a log. Longer games do not go on, because every move replays the log and every client gets all
 * of it. */
export const LONGEST_LOG = 1500;

/** Cut a name to the length that tables keep. @param {string} name */
export function shortenName(name) {
  return [...name.slice(0, 2 * LONGEST_NAME)].slice(0, LONGEST_NAME).join("");
}

/** The address of a picture as tables keep it; empty if it is too long, or contains the picture itself.
 * @param {unknown} imageUrl */
export function pictureAddress(imageUrl) {
  return typeof imageUrl === "string" && PICTURE.test(imageUrl) ? imageUrl : "";
}

/** Whether something that came over the wire has the shape of a message. @param {any} value */
export function isMessage(value) {
  return (
    ENVELOPE(value) &&
    Object.hasOwn(MESSAGES, value.t) &&
    MESSAGES[value.t](value.body) &&
    JSON.stringify(value).length <= LONGEST
  );
}

/** Whether a user is a game master. @param {Host} host @param {string} user */
export function isGM(host, user) {
  return host.users().some((one) => one.id === user && one.isGM);
}

/** The version of the world's record. worldrecord.mjs says how each differs from the one before. */
export const VERSION = 3;

/** The record of a world in which nothing was played. @returns {World} */
export function emptyWorldRecord() {
  return { v: VERSION, tables: {}, purses: {}, purseChanges: 0, ended: 0 };
}
