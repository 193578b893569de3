// @ts-check
/** Answers questions beside the page, so that nobody waits while typing. */

import { answer, learn, mayBeProgram } from "../rolls/answer.mjs";
import { found } from "./told.mjs";

/** @typedef {(program: string) => [string, import("../rolls/pmf.mjs").Pmf][]} Run */

const ready = read("rolls.peg").then(learn);
/** @type {Promise<Run> | undefined} */
let running;

/** What runs programs for AnyDice, loaded with the first of them. */
const programs = () =>
  (running ??= Promise.all([import("../rolls/anydice.mjs"), read("anydice.peg")]).then(
    ([{ learn: grammarOf, run }, text]) => {
      const grammar = grammarOf(text);
      return (program) => run(program, grammar);
    },
  ));

/** A grammar, which Python reads as well. @param {string} name */
async function read(name) {
  const file = await fetch(new URL(`../rolls/${name}`, import.meta.url));
  if (!file.ok) throw new Error("The calculator could not be loaded. Load this page again.");
  return file.text();
}

addEventListener("message", ({ data: { key, question, dialect } }) => void tell(key, question, dialect));

/** @param {string} key @param {string} question @param {string} dialect */
async function tell(key, question, dialect) {
  const begun = performance.now();
  try {
    await ready;
    const run = mayBeProgram(question, dialect) ? await programs() : undefined;
    const data = answer(question, { dialect: dialect || null, run });
    postMessage({ key, found: found(data), took: performance.now() - begun });
  } catch (error) {
    const { message, hint = "", at } = /** @type {any} */ (error);
    // What is no refusal is a fault of ours, and the page says so.
    const wrong = typeof at === "number" ? { message, hint, at } : { message: "", hint: String(message), at: 0 };
    postMessage({ key, wrong, took: performance.now() - begun });
  }
}
