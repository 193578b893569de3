// @ts-check
/** The record of a table in a room: its shape, and its packed log, because a room may not keep much. */

import { unpackLog } from "../runtime/table/packed.mjs";
import { localizedText } from "./words.mjs";

/** @typedef {import("../runtime/table/round.mjs").Seat} Seat */
/** @typedef {import("../runtime/table/record.mjs").Entry} Entry */
/** @typedef {"everyone" | "gm" | "nobody"} Advice who sees what actions are worth */
/** @typedef {{v: 1, id: string, rev: number, game: string, rules: string, setting: string, seats: Seat[], started:
 * boolean, advice: Advice, log: string, broken?: boolean}} Kept `log` is that of a transcript, packed; `rules` the
 * hash of the rules; `broken`: they do not go on from where the log leads */

/** Bytes that a table may take: all extensions of a room in Owlbear share 16 kB. */
export const MAX_LOG_BYTES = 12_000;

/** Unpack a log. Throws if it is no log, or too long. @param {string} packedLog
 * @returns {Promise<Entry[]>} */
export async function unpackRecordedLog(packedLog) {
  return unpackLog(packedLog).catch(() => {
    throw new Error(localizedText("badLog"));
  });
}

/** The number of bytes of a table's record. @param {Kept} tableRecord */
export function recordByteSize(tableRecord) {
  return new TextEncoder().encode(JSON.stringify(tableRecord)).length;
}

/** Whether something in the room has the shape of a table's record. Anybody in the room may have written it.
 * @param {any} value
 * @returns {value is Kept} */
export function isTableRecord(value) {
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

/** Whether a value has the shape of a seat. @param {any} value */
function isSeat(value) {
  return (
    ["user", "npc"].includes(value?.kind) &&
    (value.user === null || typeof value.user === "string") &&
    typeof value.name === "string" &&
    Number.isSafeInteger(value.skill) &&
    value.skill >= 0
  );
}
