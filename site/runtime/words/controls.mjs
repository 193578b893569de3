// @ts-check
/** The controls of pages and windows. The attribute data-od names a control, so that focus can return to it after a
 * redraw. */

import { makeElement } from "./view.mjs";
import { sentenceText } from "./words.mjs";

const TOLD = 2000; // milliseconds for which a button says what it has done

/** A button. @param {string} text @param {() => void} onClick @param {Record<string, any>} [attributes]
 * @returns {HTMLButtonElement} */
export function button(text, onClick, attributes = {}) {
  return makeElement("button", { type: "button", "data-od": text, onclick: onClick, ...attributes }, text);
}

/** A button that copies a text and says so. If the browser refuses, a field with the text selected takes its place, to
 * be copied by hand. @param {string} buttonText of the button @param {() => string | Promise<string>} getCopiedText
 * @param {Record<string, any>} [attributes] */
export function copyButton(buttonText, getCopiedText, attributes = {}) {
  const copy = async () => {
    const value = await getCopiedText();
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      const field = makeElement("input", { readOnly: true, value, "aria-label": sentenceText("copyByHand") });
      place.replaceWith(field);
      field.focus();
      return field.select();
    }
    place.textContent = sentenceText("copied");
    setTimeout(() => (place.textContent = buttonText), TOLD);
  };
  const place = button(buttonText, copy, { "aria-live": "polite", ...attributes });
  return place;
}

/** A control with a label before it. @param {string} labelText @param {HTMLElement} control
 * @param {string} [description] what it is for
 * @returns {HTMLElement} */
export function labelledControl(labelText, control, description = "") {
  const note = description ? makeElement("small", { class: "od-note" }, description) : null;
  return makeElement("label", { class: "od-field" }, makeElement("span", {}, labelText), control, note);
}

/** A drop-down list. @param {readonly (readonly [value: string, text: string])[]} options @param {string} value
 * @param {(value: string) => void} [onChange] @param {Record<string, any>} [attributes] @returns {HTMLSelectElement} */
export function selectControl(options, value, onChange = () => {}, attributes = {}) {
  const select = makeElement("select", { onchange: () => onChange(select.value), ...attributes });
  select.append(
    ...options.map(([code, text]) => makeElement("option", { value: code, selected: code === value }, text)),
  );
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
