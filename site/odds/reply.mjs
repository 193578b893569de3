// @ts-check
/** The engine's answer to a question in Foundry's notation, or what is wrong with the question. */

import { answerQuestion } from "../rolls/answer.mjs";

/** @typedef {{exact: string | null, lower: string, upper: string, decimal: string}} Figure a number of an answer */
/** @typedef {Figure & {outcome: string, at_most: Figure}} Outcome */
/** @typedef {object} Found one distribution, or several under `parts`
 * @property {"chance" | "number"} kind
 * @property {string} read_as @property {string} note @property {string[]} notes
 * @property {Figure | null} chance @property {Figure | null} mean @property {Figure | null} standard_deviation
 * @property {Figure} beyond @property {Outcome[]} outcomes
 * @property {NamedFound[]} [parts] @property {Found[]} [others] */
/** @typedef {Found & {name: string}} NamedFound one of several parts */
/** @typedef {{message: string, hint: string, at: number}} Wrong `at`: the place in the question */
/** @typedef {{found: Found} | {wrong: Wrong}} Reply */

/** Answer a question. @param {string} question @returns {Promise<Reply>} */
export async function replyTo(question) {
  try {
    return { found: await answerQuestion(question, { dialect: "foundry" }) };
  } catch (error) {
    const { message, hint, at } = /** @type {any} */ (error);
    if (typeof at !== "number") throw error;
    return { wrong: { message, hint, at } };
  }
}
