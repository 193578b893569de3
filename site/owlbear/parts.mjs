// @ts-check
/** The controls of the page. Texts are only ever set as text. */

import { make } from "../runtime/view.mjs";

/** @typedef {{facts?: string[], stage?: Node[], turn?: string, choices?: Node[], advice?: Node[], story?: string[],
 *   tools?: Node[]}} Parts what each place of the page shows; a place that is not named is empty */

/** A button with a name by which focus finds it again after a new drawing. @param {string} text @param {() => void} onclick
 * @param {string} [name] @returns {HTMLButtonElement} */
export function button(text, onclick, name = text) {
  return make("button", { type: "button", "data-od": name, onclick }, text);
}

/** @param {string} text @param {HTMLElement} control @param {string} [about] what it is about @returns {HTMLElement} */
export function labelled(text, control, about = "") {
  return make("label", {}, make("span", {}, text), control, about ? make("small", { class: "od-note" }, about) : null);
}

/** @param {readonly (readonly [value: string, text: string])[]} options @param {() => void} [onchange]
 * @param {Record<string, any>} [more] @returns {HTMLSelectElement} */
export function choice(options, onchange = () => {}, more = {}) {
  return make("select", { onchange, ...more }, ...options.map(([value, text]) => make("option", { value }, text)));
}

/** @param {HTMLElement} place @param {string} text */
export function put(place, text) {
  if (place.textContent !== text) place.textContent = text;
  place.hidden = !text;
}
