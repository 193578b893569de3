// @ts-check
/** The words of a ruleset about its entries, with the values of a context filled in. How values are shown is not
 * decided here. */

import { compileExpression } from "./expression.mjs";
import { RuleFailure } from "./values.mjs";

/** @typedef {import("./expression.mjs").EvaluationContext} EvaluationContext */
/** @typedef {string | {kind: string, value: any, forms: string[]}} Part text, or a value with its type and with what it
 * counts: for one, and for any other number */
/** @typedef {(m: EvaluationContext) => Part[] | null} Says null if there are no words, or a value in them
 * cannot be computed */
/** @typedef {(string | [kind: string, tree: any, ...forms: string[]])[]} Words as a play file has them */

/** Compile words to a function that fills in their values. @param {Words | undefined} words @returns {Says} */
function compileSaying(words) {
  if (!words) return () => null;
  const parts = words.map((part) => {
    if (typeof part === "string") return () => part;
    const [kind, tree, ...forms] = part;
    const value = compileExpression(tree);
    return (/** @type {EvaluationContext} */ m) => ({ kind, value: value(m), forms });
  });
  return (m) => {
    try {
      return parts.map((part) => part(m));
    } catch (error) {
      if (error instanceof RuleFailure) return null;
      throw error;
    }
  };
}

/** @typedef {{entries?: Record<string, {say?: Words, does?: Words}[]>, out?: Words, end?: Words}} Said as a play file
 * has it: `out` of every seat that goes out, `end` of the end of the game */

/** The words of a game's entries, by phase and place, and those for a seat that goes out and for the end. */
export class EntrySayings {
  /** @param {Said} said */
  constructor({ entries = {}, out, end } = {}) {
    this.out = compileSaying(out);
    this.end = compileSaying(end);
    this.entries = new Map(
      Object.entries(entries).map(([phase, each]) => [
        phase,
        each.map(({ say, does }) => ({ say: compileSaying(say), does: compileSaying(does) })),
      ]),
    );
  }

  /** The words of an entry in a context; null if there are none. @param {string} phase @param {number} entryIndex
   * @param {"say" | "does"} wordsKind @param {EvaluationContext} context before the effects */
  wordsOf(phase, entryIndex, wordsKind, context) {
    return this.entries.get(phase)?.[entryIndex]?.[wordsKind](context) ?? null;
  }
}
