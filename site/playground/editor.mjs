// @ts-check
/** A text field for YAML: a plain one that every screen reader knows, with colours, marks and completions around it. */

import { make } from "../runtime/words/view.mjs";
import { continuedLines, colourPieces } from "./highlight.mjs";
import { commonEnds } from "./lines.mjs";

/** @typedef {{line: number, column: number, severity: string, message: string}} Problem */
/** @typedef {{label: string, about: string, text: string, from: number}} Offer `text` goes in from a column on */

const STEP = "  ";
const MAX_OFFERS = 8; // offers at a time

/** The editor. */
export class Editor {
  /** @param {() => void} changed @param {(line: number, column: number) => void} wanted offers at a place */
  constructor(changed, wanted) {
    this.changed = changed;
    this.wanted = wanted;
    /** @type {string[]} */
    this.lines = [];
    /** @type {boolean[]} which of them only go on with words for people */
    this.prose = [];
    /** @type {Offer[]} */
    this.offers = [];
    this.chosen = 0;
    this.shown = make("pre", { class: "od-shown", "aria-hidden": "true" });
    this.marks = make("div", { class: "od-marks", "aria-hidden": "true" });
    this.list = make("ul", {
      class: "od-offers",
      id: "od-offers",
      role: "listbox",
      "aria-label": "What can stand here",
    });
    this.list.hidden = true;
    this.field = make("textarea", {
      spellcheck: false,
      wrap: "off",
      autocapitalize: "off",
      autocomplete: "off",
      "aria-label": "The ruleset, as YAML",
      "aria-describedby": "od-keys",
      "aria-autocomplete": "list",
      "aria-controls": "od-offers",
      oninput: (/** @type {InputEvent} */ event) => this.#handleInput(event),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#handleKey(event),
      onblur: () => this.closeOffers(),
      onclick: () => this.closeOffers(),
    });
    const paper = make("div", { class: "od-paper" }, this.shown, this.marks, this.field, this.list);
    this.element = make("div", { class: "od-editor" }, paper);
  }

  /** The text in the editor. */
  get text() {
    return this.field.value;
  }

  /** Replace the whole text. Listeners are not told, because nobody typed it. @param {string} text */
  set text(text) {
    this.field.value = text;
    this.field.setSelectionRange(0, 0);
    this.element.scrollTo(0, 0);
    this.markProblems([]);
    this.#recolour();
  }

  /** The place of the cursor, counted from 1. */
  get cursor() {
    const before = this.text.slice(0, this.field.selectionStart);
    const start = before.lastIndexOf("\n") + 1;
    return { line: before.split("\n").length, column: before.length - start + 1 };
  }

  /** Move the cursor to a place. @param {number} line @param {number} column */
  goTo(line, column) {
    const start = this.lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    this.field.focus();
    this.field.setSelectionRange(start + column - 1, start + column - 1);
    const high = this.field.offsetHeight / Math.max(1, this.lines.length);
    this.element.scrollTo({ top: Math.max(0, (line - 4) * high), left: 0 });
  }

  /** Underline problems. @param {Problem[]} problems */
  markProblems(problems) {
    const marks = problems.map(({ line, column, severity, message }) => {
      const long = /^[\w-]+|^\S/.exec((this.lines[line - 1] ?? "").slice(column - 1))?.[0].length ?? 1;
      const mark = make("span", { class: severity === "error" ? "od-mark" : `od-mark od-${severity}`, title: message });
      this.#placeElement(mark, line, column, long);
      return mark;
    });
    this.marks.replaceChildren(...marks);
  }

  /** Place an element over some letters of a line, whatever font the device uses.
   * @param {HTMLElement} element @param {number} line @param {number} column @param {number} long */
  #placeElement(element, line, column, long) {
    const row = this.shown.children[Math.min(line, this.lines.length) - 1];
    const around = this.shown.getBoundingClientRect();
    const range = document.createRange();
    const [start, end] = [column - 1, column - 1 + long].map((at) => textPosition(row, at));
    range.setStart(...start);
    range.setEnd(...end);
    const { left, right, bottom } = range.getBoundingClientRect();
    element.style.left = `${left - around.left}px`;
    element.style.top = `${bottom - around.top}px`;
    element.style.minWidth = `${right - left}px`;
  }

  // --- typing

  /** Handle an input: colour the text, report the change, and ask for completions or close them. @param {InputEvent}
   * event */
  #handleInput(event) {
    this.#recolour();
    this.changed();
    const typed = event.data ?? "";
    if (!event.isComposing && (/^[\w]$/.test(typed) || (typed === " " && !this.list.hidden))) this.#askForOffers();
    else this.closeOffers();
  }

  /** Colour the lines that have changed. */
  #recolour() {
    const lines = this.text.split("\n");
    const prose = continuedLines(lines);
    const { lines: old, shown } = this;
    const mark = (/** @type {string} */ line, /** @type {boolean} */ on) => (on ? `\n${line}` : line);
    const [start, end] = commonEnds(
      old.map((line, at) => mark(line, this.prose[at])),
      lines.map((line, at) => mark(line, prose[at])),
    );
    const gone = [...shown.children].slice(start, old.length - end);
    const next = shown.children[old.length - end] ?? null;
    for (const each of gone) each.remove();
    for (let at = start; at < lines.length - end; at++) shown.insertBefore(drawLine(lines[at], prose[at]), next);
    [this.lines, this.prose] = [lines, prose];
  }

  /** Replace the selection with a text, so that the browser can undo it. @param {string} text */
  insert(text) {
    this.field.focus();
    // The one way into a browser's own history of a field; where it is gone, the text goes in without one.
    if (document.execCommand?.("insertText", false, text)) return;
    this.field.setRangeText(text, this.field.selectionStart, this.field.selectionEnd, "end");
    this.#recolour();
    this.changed();
  }

  /** Handle a key. @param {KeyboardEvent} event */
  #handleKey(event) {
    if (event.isComposing) return;
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      return this.#askForOffers();
    }
    if (!this.list.hidden) return this.#handleOfferKey(event);
    if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.insert(`\n${this.#nextIndent()}`);
    }
  }

  /** The white space with which a line after the cursor begins. */
  #nextIndent() {
    const { line, column } = this.cursor;
    const before = (this.lines[line - 1] ?? "").slice(0, column - 1);
    const [own] = /^\s*(?:- +)?/.exec(before) ?? [""];
    return own.replace("-", " ") + (/:\s*$/.test(before) ? STEP : "");
  }

  // --- offers

  /** Ask for completions at the cursor. */
  #askForOffers() {
    const { line, column } = this.cursor;
    this.wanted(line, column);
  }

  /** Show completions at a place, if the cursor is still there. @param {number} line @param {number} column
   * @param {Offer[]} offers */
  showOffers(line, column, offers) {
    const { cursor: place } = this;
    if (place.line !== line || place.column !== column || document.activeElement !== this.field) return;
    this.offers = offers.slice(0, MAX_OFFERS);
    this.chosen = 0;
    this.list.hidden = !offers.length;
    this.#placeElement(this.list, line, offers[0]?.from ?? column, 0);
    this.#drawOffers();
  }

  /** Draw the list of completions. */
  #drawOffers() {
    const rows = this.offers.map(({ label, about }, at) =>
      make(
        "li",
        {
          role: "option",
          id: `od-offer-${at}`,
          "aria-selected": String(at === this.chosen),
          onpointerdown: (/** @type {Event} */ event) => {
            event.preventDefault(); // the field keeps the focus
            this.#acceptOffer(at);
          },
        },
        make("code", {}, label),
        about && make("small", {}, about),
      ),
    );
    this.list.replaceChildren(...rows);
    if (this.list.hidden) this.field.removeAttribute("aria-activedescendant");
    else this.field.setAttribute("aria-activedescendant", `od-offer-${this.chosen}`);
    this.list.children[this.chosen]?.scrollIntoView({ block: "nearest" });
  }

  /** Handle a key while the list of completions is open. @param {KeyboardEvent} event */
  #handleOfferKey(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const many = this.offers.length;
    if (step) this.chosen = (this.chosen + step + many) % many;
    else if (event.key === "Enter" || event.key === "Tab") this.#acceptOffer(this.chosen);
    else if (event.key === "Escape") this.closeOffers();
    else return;
    event.preventDefault();
    this.#drawOffers();
  }

  /** Insert a completion. @param {number} at */
  #acceptOffer(at) {
    const { column } = this.cursor;
    const end = this.field.selectionStart;
    const { text, from } = this.offers[at];
    this.closeOffers();
    this.field.setSelectionRange(end - (column - from), end);
    this.insert(text);
  }

  /** Close the list of completions. */
  closeOffers() {
    this.list.hidden = true;
    this.field.removeAttribute("aria-activedescendant");
  }
}

/** The text node and offset of a letter in a drawn line. @param {Element} row @param {number} at
 * @returns {[Node, number]} */
function textPosition(row, at) {
  const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  let left = at;
  let last = texts.nextNode();
  for (let text = last; text; text = texts.nextNode()) {
    const long = text.textContent?.length ?? 0;
    if (left < long) return [text, left];
    left -= long;
    last = text;
  }
  return last ? [last, (last.textContent ?? "").length] : [row, 0];
}

/** Draw a line with its colours. @param {string} line @param {boolean} prose */
function drawLine(line, prose) {
  const parts = colourPieces(line, prose).map(([kind, text]) =>
    kind ? make("span", { class: `od-${kind}` }, text) : text,
  );
  return make("span", { class: "od-line" }, ...parts, "\n");
}
