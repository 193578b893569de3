// @ts-check
/** Answers questions in a thread of its own, so that typing never waits. */

import { answer } from "../rolls/answer.mjs";
import { distributionsByMeaning } from "./display.mjs";

addEventListener("message", ({ data: { key, question, dialect } }) => void reply(key, question, dialect));

/** Answer a question. @param {string} key @param {string} question @param {string} dialect */
async function reply(key, question, dialect) {
  const begun = performance.now();
  try {
    const data = await answer(question, { dialect: dialect || null });
    postMessage({ key, found: distributionsByMeaning(data), took: performance.now() - begun });
  } catch (error) {
    const { message, hint = "", at } = /** @type {any} */ (error);
    // What is no refusal is a fault of ours, and the page says so.
    const wrong = typeof at === "number" ? { message, hint, at } : { message: "", hint: String(message), at: 0 };
    postMessage({ key, wrong, took: performance.now() - begun });
  }
}
