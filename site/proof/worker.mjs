// @ts-check
/** Runs the checker in a thread of its own, so the page stays responsive and can stop it at any time. */

import { checkCertificate, CertificateError } from "./check.mjs";

/** @typedef {import("./check.mjs").Proof} Proof */
/** @typedef {{ of: number, done: number } | { proof: Proof } | { refused: string } | { failed: string }} Said */

const postMessageToPage = (/** @type {Said} */ message) => postMessage(message);

addEventListener("message", async ({ data }) => {
  try {
    postMessageToPage({
      proof: await checkCertificate(new Uint8Array(data), (done, of) => postMessageToPage({ done, of })),
    });
  } catch (error) {
    const why = /** @type {Error} */ (error).message;
    postMessageToPage(error instanceof CertificateError ? { refused: why } : { failed: why });
  }
});
