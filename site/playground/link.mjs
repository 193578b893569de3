// @ts-check
/** A changed game as an address: the part after # holds the ruleset, or its difference from one of the site. */

import { base64FromUrlSafe, hexText, packJson, base64ToUrlSafe, unpackJson } from "../runtime/table/packed.mjs";
import { textAfterEdits, diffLines } from "./lines.mjs";

/** @typedef {{game?: string, text: string}} Linked `game`: the ruleset of the site that it changes */

export const LINK = "#ruleset=";
const LONGEST = 32_000; // characters of an address that are still read; most programs pass on as many
const LARGEST = 200_000; // characters of a ruleset; what somebody else packed is not trusted to be small
const FORMAT = 1;

/** An error of a link, with a message for its reader. */
export class LinkError extends Error {}

/** The part of an address after which a game can be read again: the whole text, or only what it changes if that is
 * shorter. Throws LinkError if it is too large. @param {string} text
 * @param {string} [rulesetId] the ruleset that it changes @param {string} [rulesetText] the text of that */
export async function encodeGameInAddress(text, rulesetId, rulesetText) {
  const plain = { format: FORMAT, text };
  const changes =
    rulesetId && rulesetText !== undefined
      ? { format: FORMAT, game: rulesetId, of: await shortHash(rulesetText), edits: diffLines(rulesetText, text) }
      : plain;
  const [short] = [await encodeForAddress(plain), await encodeForAddress(changes)].sort((a, b) => a.length - b.length);
  if (short.length > LONGEST || text.length > LARGEST)
    throw new LinkError("This game is too large for a link. Download its file and pass that on.");
  return LINK + short;
}

/** Decode the game of an address. Throws LinkError if it is broken, too large, or changes another version of its
 * ruleset.
 * @param {string} address
 * @param {(game: string) => Promise<string>} loadRulesetText gives the text of a ruleset of the site @returns
 * {Promise<Linked>} */
export async function decodeGameInAddress(address, loadRulesetText) {
  if (address.length > LONGEST + LINK.length) throw new LinkError("This link is too long, so it was not read.");
  const held = await decodeFromAddress(address.slice(LINK.length));
  if (held?.format !== FORMAT) throw new LinkError("This link was made by another version of this page.");
  const game = typeof held.game === "string" && /^[a-z0-9-]{1,100}$/.test(held.game) ? held.game : undefined;
  if (typeof held.text === "string") return { text: requireSmallText(held.text) };
  if (!game || !Array.isArray(held.edits)) throw brokenLinkError();
  const original = await loadRulesetText(game).catch(() => {
    throw new LinkError(`This link changes the game “${game}”, which this site does not have.`);
  });
  if ((await shortHash(original)) !== held.of)
    throw new LinkError(`This link changes another version of “${game}” than the one on this site.`);
  try {
    return { game, text: requireSmallText(textAfterEdits(original, held.edits)) };
  } catch (error) {
    throw error instanceof LinkError ? error : brokenLinkError();
  }
}

/** Return a text; throw LinkError if it is too large. @param {string} text */
function requireSmallText(text) {
  if (text.length > LARGEST) throw new LinkError("The game in this link is too large, so it was not opened.");
  return text;
}

/** The error for a link that cannot be decoded. */
const brokenLinkError = () => new LinkError("This link is broken: perhaps a part of it was cut off.");

/** The first 48 bits of the SHA-256 hash of a text, in hexadecimal digits. @param {string} text */
async function shortHash(text) {
  return hexText(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)), 0, 6));
}

/** Encode data for an address. @param {any} data */
const encodeForAddress = async (data) => base64ToUrlSafe(await packJson(data));

/** Decode data from an address. It unpacks no more than a game can have. @param {string} text
 * @returns {Promise<any>} */
async function decodeFromAddress(text) {
  try {
    return await unpackJson(base64FromUrlSafe(text), 2 * LARGEST);
  } catch (error) {
    const large = error instanceof RangeError;
    throw large ? new LinkError("The game in this link is too large, so it was not opened.") : brokenLinkError();
  }
}
