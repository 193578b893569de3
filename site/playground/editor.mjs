// @ts-check
/** A text field for YAML: a plain one that every screen reader knows, with colours, marks and completions around it. */

import { makeElement } from "../runtime/words/view.mjs";
import { areLinesInsideProse, colourPieces } from "./highlight.mjs";
import { countCommonEndLines } from "./lines.mjs";

/** @typedef {{line: number, column: number, severity: string, message: string}} Problem */
/** @typedef {{label: string, about: string, text: string, from: number}} Offer `text` goes in from a column on */

const STEP = "  ";
const MAX_OFFERS = 8; // offers at a time

/** The editor. */
export class Editor {
  /** @param {() => void} onChange @param {(line: number, column: number) => void} askForCompletions offers at a
   * place */
  constructor(onChange, askForCompletions) {
    this.changed = onChange;
    this.wanted = askForCompletions;
    /** @type {string[]} */
    this.lines = [];
    /** @type {boolean[]} which of them only go on with words for people */
    this.prose = [];
    /** @type {Offer[]} */
    this.offers = [];
    this.chosen = 0;
    this.shown = makeElement("pre", { class: "od-shown", "aria-hidden": "true" });
    this.marks = makeElement("div", { class: "od-marks", "aria-hidden": "true" });
    this.list = makeElement("ul", {
      class: "od-offers",
      id: "od-offers",
      role: "listbox",
      "aria-label": "What can stand here",
    });
    this.list.hidden = true;
    this.field = makeElement("textarea", {
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
      onblur: () => this.closeCompletions(),
      onclick: () => this.closeCompletions(),
    });
    const paper = makeElement("div", { class: "od-paper" }, this.shown, this.marks, this.field, this.list);
    this.element = makeElement("div", { class: "od-editor" }, paper);
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
      const mark = makeElement("span", {
        class: severity === "error" ? "od-mark" : `od-mark od-${severity}`,
        title: message,
      });
      this.#placeElement(mark, line, column, long);
      return mark;
    });
    this.marks.replaceChildren(...marks);
  }

  /** Place an element over some letters of a line, whatever font the device uses.
   * @param {HTMLElement} element @param {number} line @param {number} column @param {number} length */
  #placeElement(element, line, column, length) {
    const row = this.shown.children[Math.min(line, this.lines.length) - 1];
    const around = this.shown.getBoundingClientRect();
    const range = document.createRange();
    const [start, end] = [column - 1, column - 1 + length].map((at) => textNodeAndOffset(row, at));
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
    if (!event.isComposing && (/^[\w]$/.test(typed) || (typed === " " && !this.list.hidden))) this.#askForCompletions();
    else this.closeCompletions();
  }

  /** Colour the lines that have changed. */
  #recolour() {
    const lines = this.text.split("\n");
    const prose = areLinesInsideProse(lines);
    const { lines: old, shown } = this;
    const mark = (/** @type {string} */ line, /** @type {boolean} */ on) => (on ? `\n${line}` : line);
    const [start, end] = countCommonEndLines(
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
      return this.#askForCompletions();
    }
    if (!this.list.hidden) return this.#handleCompletionKey(event);
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
  #askForCompletions() {
    const { line, column } = this.cursor;
    this.wanted(line, column);
  }

  /** Show completions at a place, if the cursor is still there. @param {number} line @param {number} column
   * @param {Offer[]} completions */
  showCompletions(line, column, completions) {
    const { cursor: place } = this;
    if (place.line !== line || place.column !== column || document.activeElement !== this.field) return;
    this.offers = completions.slice(0, MAX_OFFERS);
    this.chosen = 0;
    this.list.hidden = !completions.length;
    this.#placeElement(this.list, line, completions[0]?.from ?? column, 0);
    this.#drawCompletions();
  }

  /** Draw the list of completions. */
  #drawCompletions() {
    const rows = this.offers.map(({ label, about }, at) =>
      makeElement(
        "li",
        {
          role: "option",
          id: `od-offer-${at}`,
          "aria-selected": String(at === this.chosen),
          onpointerdown: (/** @type {Event} */ event) => {
            event.preventDefault(); // the field keeps the focus
            this.#acceptCompletion(at);
          },
        },
        makeElement("code", {}, label),
        about && makeElement("small", {}, about),
      ),
    );
    this.list.replaceChildren(...rows);
    if (this.list.hidden) this.field.removeAttribute("aria-activedescendant");
    else this.field.setAttribute("aria-activedescendant", `od-offer-${this.chosen}`);
    this.list.children[this.chosen]?.scrollIntoView({ block: "nearest" });
  }

  /** Handle a key while the list of completions is open. @param {KeyboardEvent} event */
  #handleCompletionKey(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const many = this.offers.length;
    if (step) this.chosen = (this.chosen + step + many) % many;
    else if (event.key === "Enter" || event.key === "Tab") this.#acceptCompletion(this.chosen);
    else if (event.key === "Escape") this.closeCompletions();
    else return;
    event.preventDefault();
    this.#drawCompletions();
  }

  /** Insert a completion. @param {number} index */
  #acceptCompletion(index) {
    const { column } = this.cursor;
    const end = this.field.selectionStart;
    const { text, from } = this.offers[index];
    this.closeCompletions();
    this.field.setSelectionRange(end - (column - from), end);
    this.insert(text);
  }

  /** Close the list of completions. */
  closeCompletions() {
    this.list.hidden = true;
    this.field.removeAttribute("aria-activedescendant");
  }
}

/** The text node and offset of a letter in a drawn line. @param {Element} lineElement @param {number} column
 * @returns {[Node, number]} */
function textNodeAndOffset(lineElement, column) {
  const texts = document.createTreeWalker(lineElement, NodeFilter.SHOW_TEXT);
  let left = column;
  let last = texts.nextNode();
  for (let text = last; text; text = texts.nextNode()) {
    const long = text.textContent?.length ?? 0;
    if (left < long) return [text, left];
    left -= long;
    last = text;
  }
  return last ? [last, (last.textContent ?? "").length] : [lineElement, 0];
}

/** Draw a line with its colours. @param {string} line @param {boolean} isProse */
function drawLine(line, isProse) {
  const parts = colourPieces(line, isProse).map(([kind, text]) =>
    kind ? makeElement("span", { class: `od-${kind}` }, text) : text,
  );
  return makeElement("span", { class: "od-line" }, ...parts, "\n");
}
