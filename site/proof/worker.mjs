// @ts-check
/** Runs the checker in a thread of its own, so the page stays responsive and can stop it at any time. */

import { check, CertificateError } from "./check.mjs";

/** @typedef {import("./check.mjs").Proof} Proof */
/** @typedef {{ of: number, done: number } | { proof: Proof } | { refused: string } | { failed: string }} Said */

const say = (/** @type {Said} */ said) => postMessage(said);

addEventListener("message", async ({ data }) => {
  try {
    say({ proof: await check(new Uint8Array(data), (done, of) => say({ done, of })) });
  } catch (error) {
    const why = /** @type {Error} */ (error).message;
    say(error instanceof CertificateError ? { refused: why } : { failed: why });
  }
});
