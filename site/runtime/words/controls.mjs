// @ts-check
/** The controls that pages and windows are made of. The attribute data-od names a control, so that focus finds it again
 * after a new drawing. */

import { make } from "./view.mjs";

/** @param {string} text @param {() => void} onclick @param {Record<string, any>} [more] @returns {HTMLButtonElement} */
export function button(text, onclick, more = {}) {
  return make("button", { type: "button", "data-od": text, onclick, ...more }, text);
}

/** A control with its label before it. @param {string} text @param {HTMLElement} control
 * @param {string} [about] what it is for
 * @returns {HTMLElement} */
export function labelled(text, control, about = "") {
  const note = about ? make("small", { class: "od-note" }, about) : null;
  return make("label", { class: "od-field" }, make("span", {}, text), control, note);
}

/** A choice from a list. @param {readonly (readonly [value: string, text: string])[]} options @param {string} value
 * @param {(value: string) => void} [changed] @param {Record<string, any>} [more] @returns {HTMLSelectElement} */
export function choice(options, value, changed = () => {}, more = {}) {
  const select = make("select", { onchange: () => changed(select.value), ...more });
  select.append(...options.map(([code, text]) => make("option", { value: code, selected: code === value }, text)));
  return select;
}
