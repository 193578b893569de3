// @ts-check
/** Who may ask for what. Odds of a roll reveal its dice and its result. So players learn them only if their own screen
 * shows the content of the message, the total, and the formula. */

import { areSameDistribution } from "./figures.mjs";
import { ID, moduleTextKey, foundryGame } from "./words.mjs";

/** @typedef {import("./answers.mjs").OddsAnswers} Answers */

const NUMBER = /(?<![\w.,/])[-−–]?\d+(?:\.\d+)?(?![\w,/]|\.\d)/g;
/** Numbers that stand there are no totals. */
const NO_TOTAL = ".dice-tooltip, .dice-formula, .oddsmith-card";
const NEAR = 0.0051; // totals are shown with two decimals

/** @type {Record<string, {start: string, choices: Record<string, string>, texts: [name: string, hint: string]}>} */
const SETTINGS = {
  ask: {
    start: "everyone",
    texts: ["ODDSMITH.settings.ask.name", "ODDSMITH.settings.ask.hint"],
    choices: { everyone: "ODDSMITH.settings.ask.everyone", gm: "ODDSMITH.settings.ask.gm" },
  },
  share: {
    start: "gm",
    texts: ["ODDSMITH.settings.share.name", "ODDSMITH.settings.share.hint"],
    choices: {
      nobody: "ODDSMITH.settings.share.nobody",
      gm: "ODDSMITH.settings.share.gm",
      everyone: "ODDSMITH.settings.share.everyone",
    },
  },
};

/** Register the settings of the module. */
export function registerOddsSettings() {
  for (const [key, { start, choices, texts }] of Object.entries(SETTINGS)) {
    const [name, hint] = texts.map(moduleTextKey);
    const words = Object.fromEntries(Object.entries(choices).map(([value, text]) => [value, moduleTextKey(text)]));
    const onChange = () => {};
    foundryGame().settings.register(ID, key, {
      scope: "world",
      config: true,
      type: String,
      default: start,
      choices: words,
      name,
      hint,
      onChange,
    });
  }
}

/** Whether the person at this screen may ask at all. */
export const mayUserAsk = () => foundryGame().user.isGM || foundryGame().settings.get(ID, "ask") === "everyone";

/** Whether the person at this screen may show an answer to everybody. */
export const mayUserShowToAll = () => mayShowToAll(foundryGame().user);

/** Whether a user may post an answer that everybody sees.
 * @param {FoundryUser | null} author */
export const mayShowToAll = (author) => {
  const share = foundryGame().settings.get(ID, "share");
  return share === "everyone" || (share === "gm" && Boolean(author?.isGM));
};

/** Whether this screen shows the total of a roll. @param {any} message @param {HTMLElement} messageElement
 * @param {number} total */
export function isTotalVisible(message, messageElement, total) {
  if (!message.isContentVisible) return false;
  if (foundryGame().user.isGM) return true;
  return [...messageElement.querySelectorAll(".message-content")].some((content) =>
    visibleNumbers(content).some((each) => Math.abs(each - total) < NEAR),
  );
}

/** The visible numbers in an element. @param {Node} node @returns {number[]} */
function visibleNumbers(node) {
  if (node.nodeType === Node.TEXT_NODE)
    return [...(node.textContent ?? "").matchAll(NUMBER)].map(([text]) => Number(text.replace(/[−–]/, "-")));
  if (!(node instanceof Element) || node.matches(NO_TOTAL)) return [];
  if (!node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return [];
  return [...node.childNodes].flatMap(visibleNumbers);
}

/** Whether this screen shows the formula of a roll. That is so if a formula in the message has the same distribution.
 * @param {HTMLElement} messageElement @param {string} question @param {Answers} answers */
export async function isFormulaVisible(messageElement, question, answers) {
  if (foundryGame().user.isGM) return true;
  const asked = await answers.answerTo(question);
  if (!("found" in asked)) return true; // nothing is told of it
  for (const text of formulasInMessage(messageElement)) {
    const shown = await answers.answerTo(text);
    if ("found" in shown && areSameDistribution(shown.found, asked.found)) return true;
  }
  return false;
}

/** The formulas that a message names, without flavours. @param {HTMLElement} messageElement */
function formulasInMessage(messageElement) {
  const inline = [.../** @type {NodeListOf<HTMLElement>} */ (messageElement.querySelectorAll(".inline-roll"))];
  const texts = [
    ...[...messageElement.querySelectorAll(".dice-formula")].map(({ textContent }) => textContent),
    ...inline.flatMap(({ dataset, title }) => [dataset.tooltipText, dataset.tooltip, title]),
  ];
  const plain = texts.map((text) => (text ?? "").replace(/\[[^\]]*\]/g, "").trim());
  return [...new Set(plain.filter(Boolean))];
}
