// @ts-check
/** Packing of data, such as the log of a table, into a short text: for addresses and for rooms that hold little. */

/** @typedef {import("./record.mjs").Entry} Entry */

const UNPACKED = 2_000_000; // the most characters of a log, because somebody else may have packed it

/** Bytes in hexadecimal digits. @param {ArrayBuffer | Uint8Array} bytes */
export const hexText = (bytes) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Rewrite base64 in characters that an address allows, without padding. @param {string} base64 */
export const base64ToUrlSafe = (base64) => base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** Rewrite what `base64ToUrlSafe` wrote as standard base64, without padding. @param {string} text */
export const base64FromUrlSafe = (text) => text.replaceAll("-", "+").replaceAll("_", "/");

/** Return data as compressed JSON in base64. @param {any} data @returns {Promise<string>} */
export async function packJson(data) {
  const stream = new Blob([JSON.stringify(data)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** Return the data that `packJson` wrote. It throws a RangeError as soon as there are more than `maxCharacters`
 * characters.
 * @param {string} text @param {number} maxCharacters characters @returns {Promise<any>} */
export async function unpackJson(text, maxCharacters) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream("deflate-raw"))
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let json = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    json += part.value;
    if (json.length > maxCharacters) throw new RangeError("there is more than can be right");
  }
  return JSON.parse(json);
}

/** Pack a log. @param {readonly Entry[]} log @returns {Promise<string>} */
export const packLog = (log) => packJson(log);

/** Unpack a log that `packLog` wrote. Throws if it is no log, or too long.
 * @param {string} text @returns {Promise<Entry[]>} */
export async function unpackLog(text) {
  const log = await unpackJson(text, UNPACKED);
  if (!Array.isArray(log)) throw new Error("this is no log");
  return log;
}
