// @ts-check
/** What the room keeps of a table: its shape, and its log packed small, for all extensions of a room share 16 kB. */

import { say } from "./words.mjs";

/** @typedef {import("../runtime/table/round.mjs").Seat} Seat */
/** @typedef {import("../runtime/table/record.mjs").Entry} Entry */
/** @typedef {"everyone" | "gm" | "nobody"} Advice who sees what actions are worth */
/** @typedef {{v: 1, id: string, rev: number, game: string, rules: string, setting: string, seats: Seat[], started:
 * boolean, advice: Advice, log: string, broken?: boolean}} Kept `log` is that of a transcript, packed; `rules` the
 * hash of the rules; `broken`: they do not go on from where the log leads */

/** The one key of the room's metadata. */
export const KEY = "oddsmith/table";

/** Bytes that a table may take; the rest of the 16 kB is left to other extensions. */
export const ROOM = 12_000;

/** Bytes beyond which a table is large for a room that others share. */
export const LARGE = 4000;

const UNPACKED = 2_000_000; // characters of a log; what somebody else packed is not trusted to be small

/** @param {readonly Entry[]} log @returns {Promise<string>} */
export async function packed(log) {
  const stream = new Blob([JSON.stringify(log)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** The inverse of packed. Throws if it is something else, or too long. @param {string} text
 * @returns {Promise<Entry[]>} */
export async function unpacked(text) {
  const log = await inflated(text).catch(() => null);
  if (!Array.isArray(log)) throw new Error(say("badLog"));
  return log;
}

/** @param {string} packedText @returns {Promise<unknown>} */
async function inflated(packedText) {
  const bytes = Uint8Array.from(atob(packedText), (character) => character.charCodeAt(0));
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream("deflate-raw"))
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    if (text.length > UNPACKED) throw new Error("the log is too long");
  }
  return JSON.parse(text);
}

/** How many bytes a table takes in the room. @param {Kept} kept */
export function size(kept) {
  return new TextEncoder().encode(JSON.stringify({ [KEY]: kept })).length;
}

/** Whether something in the room is a table. Whoever is in the room may have written it. @param {any} value
 * @returns {value is Kept} */
export function wellFormed(value) {
  const texts = [value?.id, value?.game, value?.rules, value?.setting, value?.log];
  return (
    value?.v === 1 &&
    Number.isSafeInteger(value.rev) &&
    typeof value.started === "boolean" &&
    ["boolean", "undefined"].includes(typeof value.broken) &&
    ["everyone", "gm", "nobody"].includes(value.advice) &&
    texts.every((text) => typeof text === "string" && text.length < 16_384) &&
    Array.isArray(value.seats) &&
    value.seats.length >= 1 &&
    value.seats.length <= 16 &&
    value.seats.every(isSeat)
  );
}

/** @param {any} seat */
function isSeat(seat) {
  return (
    ["user", "npc"].includes(seat?.kind) &&
    (seat.user === null || typeof seat.user === "string") &&
    typeof seat.name === "string" &&
    Number.isSafeInteger(seat.skill) &&
    seat.skill >= 0
  );
}
