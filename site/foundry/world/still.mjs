// @ts-check
/** Dice on this screen that still roll. */

import { within } from "./net.mjs";

const LONGEST_THROW = 8000; // milliseconds after which dice on the screen are not waited for any more

/** Wait until the dice of some messages lie still: no text tells before what they will show, and nobody moves before.
 * @param {import("./shapes.mjs").Host} host @param {string[]} messages */
export async function still(host, messages) {
  const rolling = [...new Set(messages)].flatMap((message) => host.rolling(message) ?? []);
  if (rolling.length) await within(host, LONGEST_THROW, Promise.allSettled(rolling), []);
}
