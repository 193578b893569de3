// @ts-check
/** Texts in the places of the page. */

/** @typedef {{facts?: (string | Node)[], stage?: Node[], turn?: string, notice?: string, choices?: Node[], advice?:
 * Node[], story?: import("../runtime/words/drawn.mjs").Line[], tools?: Node[]}} Parts what each place of the page
 * shows; a place that is not named is empty */

/** Set the text of a place, and hide it if the text is empty. @param {HTMLElement} element @param {string} text */
export function setTextOrHide(element, text) {
  if (element.textContent !== text) element.textContent = text;
  element.hidden = !text;
}
