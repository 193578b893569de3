// @ts-check
/** Answers questions in a thread of its own, so that typing never waits. */

import { answerQuestion } from "../rolls/answer.mjs";
import { distributionsByMeaning } from "./display.mjs";

addEventListener("message", ({ data: { key, question, dialect } }) => void replyToQuestion(key, question, dialect));

/** Answer a question. @param {string} questionKey @param {string} question @param {string} dialect */
async function replyToQuestion(questionKey, question, dialect) {
  const begun = performance.now();
  try {
    const data = await answerQuestion(question, { dialect: dialect || null });
    postMessage({ key: questionKey, found: distributionsByMeaning(data), took: performance.now() - begun });
  } catch (error) {
    const { message, hint = "", at } = /** @type {any} */ (error);
    // What is no refusal is a fault of ours, and the page says so.
    const wrong = typeof at === "number" ? { message, hint, at } : { message: "", hint: String(message), at: 0 };
    postMessage({ key: questionKey, wrong, took: performance.now() - begun });
  }
}
