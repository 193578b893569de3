// @ts-check
/** The two kinds of buttons on a game's page. */

import { makeElement } from "../runtime/words/view.mjs";

/** A button. @param {string} text @param {() => void} onClick @returns {HTMLElement} */
export const button = (text, onClick) =>
  makeElement("button", { type: "button", class: "md-button", onclick: onClick }, text);

/** A small button. @param {string} text @param {() => void} onClick @returns {HTMLElement} */
export const smallButton = (text, onClick) =>
  makeElement("button", { type: "button", class: "od-small", onclick: onClick }, text);
