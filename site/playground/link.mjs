// @ts-check
/** A changed game as an address: behind the sign # stands the ruleset, or how it differs from one of the site. */

import { fromUrlSafe, hex, pack, toUrlSafe, unpack } from "../runtime/table/packed.mjs";
import { applyEdits, edits } from "./lines.mjs";

/** @typedef {{game?: string, text: string}} Linked `game`: the ruleset of the site that it changes */

export const LINK = "#ruleset=";
const LONGEST = 32_000; // characters of an address that are still read; most programs pass on as many
const LARGEST = 200_000; // characters of a ruleset; what somebody else packed is not trusted to be small
const FORMAT = 1;

/** An error of a link that its reader can be told. */
export class LinkError extends Error {}

/** The part of an address that holds a game. Throws LinkError where it is too large. @param {string} text
 * @param {string} [game] the ruleset that it changes @param {string} [original] the text of that */
export async function linkOf(text, game, original) {
  const plain = { format: FORMAT, text };
  const changes =
    game && original !== undefined
      ? { format: FORMAT, game, of: await hash(original), edits: edits(original, text) }
      : plain;
  const [short] = [await encodeForAddress(plain), await encodeForAddress(changes)].sort((a, b) => a.length - b.length);
  if (short.length > LONGEST || text.length > LARGEST)
    throw new LinkError("This game is too large for a link. Download its file and pass that on.");
  return LINK + short;
}

/** The game that an address holds. Throws LinkError. @param {string} address
 * @param {(game: string) => Promise<string>} load gives the text of a ruleset of the site @returns {Promise<Linked>} */
export async function linkedGame(address, load) {
  if (address.length > LONGEST + LINK.length) throw new LinkError("This link is too long, so it was not read.");
  const held = await read(address.slice(LINK.length));
  if (held?.format !== FORMAT) throw new LinkError("This link was made by another version of this page.");
  const game = typeof held.game === "string" && /^[a-z0-9-]{1,100}$/.test(held.game) ? held.game : undefined;
  if (typeof held.text === "string") return { text: checkSize(held.text) };
  if (!game || !Array.isArray(held.edits)) throw brokenLinkError();
  const original = await load(game).catch(() => {
    throw new LinkError(`This link changes the game “${game}”, which this site does not have.`);
  });
  if ((await hash(original)) !== held.of)
    throw new LinkError(`This link changes another version of “${game}” than the one on this site.`);
  try {
    return { game, text: checkSize(applyEdits(original, held.edits)) };
  } catch (error) {
    throw error instanceof LinkError ? error : brokenLinkError();
  }
}

/** @param {string} text */
function checkSize(text) {
  if (text.length > LARGEST) throw new LinkError("The game in this link is too large, so it was not opened.");
  return text;
}

const brokenLinkError = () => new LinkError("This link is broken: perhaps a part of it was cut off.");

/** @param {string} text */
async function hash(text) {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)), 0, 6));
}

/** @param {any} data */
const encodeForAddress = async (data) => toUrlSafe(await pack(data));

/** The inverse; no more of it is unpacked than can be right. @param {string} text @returns {Promise<any>} */
async function read(text) {
  try {
    return await unpack(fromUrlSafe(text), 2 * LARGEST);
  } catch (error) {
    const large = error instanceof RangeError;
    throw large ? new LinkError("The game in this link is too large, so it was not opened.") : brokenLinkError();
  }
}
