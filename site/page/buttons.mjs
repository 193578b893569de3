// @ts-check
/** The two kinds of buttons on a game's page. */

import { make } from "../runtime/words/view.mjs";

/** A button. @param {string} text @param {() => void} onclick @returns {HTMLElement} */
export const button = (text, onclick) => make("button", { type: "button", class: "md-button", onclick }, text);

/** A small button. @param {string} text @param {() => void} onclick @returns {HTMLElement} */
export const smallButton = (text, onclick) => make("button", { type: "button", class: "od-small", onclick }, text);
