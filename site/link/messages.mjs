// @ts-check
/** The messages between browsers. They come from others, so a message that does not have exactly the shape given here
 * is ignored. */

import { hexText } from "../runtime/table/packed.mjs";

/** @typedef {{t: "hello", key: string, name: string}} Hello `key`: a secret by which the same browser is known again */
/** @typedef {{t: "act", act: string, place: any, rev: number}} Wish `place`: of a seat
 * or an action, or an entry of a game with secrets */
/** @typedef {{t: "welcome", id: string, name: string, host: string}} Welcome how the table calls the guest and its game
 * master */
/** @typedef {{t: "room", kept: any}} News what the table keeps */
/** @typedef {{t: "done", why: string}} Done the wish was heard; `why` it was not done, else empty */
/** @typedef {import("./dice/witness.mjs").Asked | import("./dice/witness.mjs").Listed |
 * import("./dice/witness.mjs").Shown | import("./dice/witness.mjs").Waits} Rolling what a host says of a roll that is
 * made together */

const isInteger = (/** @type {any} */ value) => Number.isSafeInteger(value) && value >= -1;
const textOfLengthUpTo = (/** @type {number} */ maxLength) => (/** @type {any} */ value) =>
  typeof value === "string" && value.length <= maxLength;
const isPlace = (/** @type {any} */ value) => value === null || (isInteger(value) && value >= 0);
const isEntry = (/** @type {any} */ value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) && JSON.stringify(value).length < 600;
const isDigest = (/** @type {any} */ value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const isSeatList = (/** @type {any} */ value) =>
  Array.isArray(value) &&
  value.length <= 17 &&
  value.every((one) => Array.isArray(one) && one.length === 2 && isInteger(one[0]) && isDigest(one[1]));
const answer = { round: isDigest, again: isInteger, text: isDigest };

/** @type {Record<string, Record<string, (value: any) => boolean>>} */
const GUEST = {
  hello: { key: (value) => typeof value === "string" && /^[0-9a-f-]{36}$/.test(value), name: textOfLengthUpTo(200) },
  act: {
    act: textOfLengthUpTo(20),
    place: (value) => isPlace(value) || isEntry(value),
    rev: isInteger,
  },
  hash: answer,
  number: answer,
};
/** @type {typeof GUEST} */
const HOST = {
  welcome: { id: textOfLengthUpTo(100), name: textOfLengthUpTo(100), host: textOfLengthUpTo(100) },
  room: { kept: (value) => value === null || typeof value === "object" },
  done: { why: textOfLengthUpTo(1000) },
  roll: { place: isPlace, again: isInteger },
  list: { place: isPlace, again: isInteger, hashes: isSeatList },
  numbers: { place: isPlace, again: isInteger, numbers: isSeatList },
  waits: { seats: (value) => Array.isArray(value) && value.length <= 16 && value.every(isInteger) },
};

/** Parse a message of a guest; null if it has no valid shape.
 * @param {unknown} data
 * @returns {Hello | Wish | import("./dice/rounds.mjs").Answer | null} */
export const readGuestMessage = (data) => /** @type {any} */ (readMessage(data, 1000, GUEST));

/** Parse a message of the game master's browser; null if it has no valid shape.
 * @param {unknown} data
 * @returns {Welcome | News | Done | Rolling | null} */
export const readHostMessage = (data) => /** @type {any} */ (readMessage(data, 100_000, HOST));

/** Parse a message; null if it is too long or has none of the shapes. @param {unknown} data
 * @param {number} maxCharacters characters @param {typeof GUEST} shapes */
function readMessage(data, maxCharacters, shapes) {
  if (typeof data !== "string" || data.length > maxCharacters) return null;
  try {
    const { t, ...rest } = JSON.parse(data);
    if (typeof t !== "string" || !Object.hasOwn(shapes, t)) return null;
    const shape = shapes[t];
    const same = Object.keys(rest).length === Object.keys(shape).length;
    return same && Object.keys(shape).every((key) => Object.hasOwn(rest, key) && shape[key](rest[key]))
      ? { t, ...rest }
      : null;
  } catch {
    return null;
  }
}

/** Limits the messages of a guest: some at once, and after that some each second. */
export class RateLimit {
  /** @param {number} burst @param {number} perSecond @param {() => number} [now] milliseconds */
  constructor(burst, perSecond, now = () => performance.now()) {
    this.most = burst;
    this.perSecond = perSecond;
    this.now = now;
    this.left = burst;
    this.at = now();
  }

  /** Count a message; return whether it is within the limit. */
  countAndAllow() {
    const now = this.now();
    this.left = Math.min(this.most, this.left + ((now - this.at) / 1000) * this.perSecond);
    this.at = now;
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }
}

/** A name as it may stand at a table: short, on one line, and different from all others there.
 * @param {string} name @param {readonly string[]} otherNames */
export function cleanName(name, otherNames) {
  const short = Array.from(
    name
      .normalize("NFKC")
      .replace(/[\p{C}\p{Z}\s]+/gu, " ")
      .trim(),
  )
    .slice(0, 30)
    .join("");
  const base = short || "?";
  const taken = new Set(otherNames.map((one) => one.toLowerCase()));
  let free = base;
  for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${base} (${number})`;
  return free;
}

/** The id of the person with a key: a hash. Everybody may know it, because the key cannot be found from it.
 * @param {string} personKey */
export async function personId(personKey) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(personKey));
  return hexText(new Uint8Array(hash, 0, 12));
}
