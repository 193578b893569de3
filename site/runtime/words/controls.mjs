// @ts-check
/** The controls of pages and windows. The attribute data-od names a control, so that focus can return to it after a
 * redraw. */

import { make } from "./view.mjs";
import { tell } from "./words.mjs";

const TOLD = 2000; // milliseconds for which a button says what it has done

/** A button. @param {string} text @param {() => void} onclick @param {Record<string, any>} [more]
 * @returns {HTMLButtonElement} */
export function button(text, onclick, more = {}) {
  return make("button", { type: "button", "data-od": text, onclick, ...more }, text);
}

/** A button that copies a text and says so. If the browser refuses, a field with the text selected takes its place, to
 * be copied by hand. @param {string} text of the button @param {() => string | Promise<string>} copied
 * @param {Record<string, any>} [more] */
export function copyButton(text, copied, more = {}) {
  const copy = async () => {
    const value = await copied();
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      const field = make("input", { readOnly: true, value, "aria-label": tell("copyByHand") });
      place.replaceWith(field);
      field.focus();
      return field.select();
    }
    place.textContent = tell("copied");
    setTimeout(() => (place.textContent = text), TOLD);
  };
  const place = button(text, copy, { "aria-live": "polite", ...more });
  return place;
}

/** A control with a label before it. @param {string} text @param {HTMLElement} control
 * @param {string} [about] what it is for
 * @returns {HTMLElement} */
export function labelledControl(text, control, about = "") {
  const note = about ? make("small", { class: "od-note" }, about) : null;
  return make("label", { class: "od-field" }, make("span", {}, text), control, note);
}

/** A drop-down list. @param {readonly (readonly [value: string, text: string])[]} options @param {string} value
 * @param {(value: string) => void} [changed] @param {Record<string, any>} [more] @returns {HTMLSelectElement} */
export function selectControl(options, value, changed = () => {}, more = {}) {
  const select = make("select", { onchange: () => changed(select.value), ...more });
  select.append(...options.map(([code, text]) => make("option", { value: code, selected: code === value }, text)));
  return select;
}

/** The name of the control that has focus in a page or window; undefined if none has.
 * @param {HTMLElement} content
 * @returns {string | undefined} */
export function focusedName(content) {
  const focus = content.ownerDocument.activeElement;
  return focus && content.contains(focus) ? /** @type {HTMLElement} */ (focus).dataset.od : undefined;
}

/** The control with a name; undefined if there is none. @param {HTMLElement} content @param {string | undefined} name
 * @returns {HTMLElement | undefined} */
export function controlNamed(content, name) {
  const all = /** @type {HTMLElement[]} */ ([...content.querySelectorAll("[data-od]")]);
  return all.find((one) => name !== undefined && one.dataset.od === name);
}
