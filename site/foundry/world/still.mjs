// @ts-check
/** Waiting for dice that still roll on this screen. */

import { withTimeout } from "./net.mjs";

const LONGEST_THROW = 8000; // milliseconds after which dice on the screen are not waited for any more

/** Wait until the dice of some messages lie still. Until then no text reveals what they will show, and nobody moves.
 * @param {import("./shapes.mjs").Host} host @param {string[]} messageIds */
export async function waitForDice(host, messageIds) {
  const rolling = [...new Set(messageIds)].flatMap((message) => host.rolling(message) ?? []);
  if (rolling.length) await withTimeout(host, LONGEST_THROW, Promise.allSettled(rolling), []);
}
