// @ts-check
/** The answer to a roll: a sentence, the chart, the numbers, and the table of all values. */

import { chanceAt, drawChart } from "./drawn/chart.mjs";
import { make } from "./drawn/elements.mjs";
import { PROBABILITY_KINDS } from "./link.mjs";
import { factElements, comparisonTable, valuesTable } from "./numbers.mjs";
import { TakeawayControls } from "./takeaway.mjs";

/** @typedef {import("./link.mjs").Asked} Asked */
/** @typedef {import("./link.mjs").ProbabilityKind} Is */
/** @typedef {import("./drawn/chart.mjs").Series} Series */

const WORDS = { exactly: "exactly", least: "at least", most: "at most" };
const SHORT = 15; // signs of a fraction that is told beside its decimal
const NARROW = 560; // pixels

/** Shows the answers to all questions. */
export class Answer {
  /** @type {Series[]} */ #series = [];
  /** @type {Asked | null} */ #asked = null;
  /** @type {import("./drawn/chart.mjs").Chart | null} */ #chart = null;
  #at = 0;
  #width = 0;
  #waits = false;
  #fractions = false;

  /** @param {(part: Partial<Asked>) => void} change @param {() => void} compare
   * @param {number} [most] the greatest height of the chart, in pixels */
  constructor(change, compare, most = Infinity) {
    this.most = most;
    this.change = change;
    this.isButtons = PROBABILITY_KINDS.map((is) =>
      make("button", { type: "button", onclick: () => change({ is, at: this.#at }) }, WORDS[is]),
    );
    this.kinds = [false, true].map((curves) =>
      make("button", { type: "button", onclick: () => change({ curves }) }, curves ? "Curves" : "Bars"),
    );
    const step = (/** @type {number} */ by, /** @type {string} */ label, /** @type {string} */ sign) =>
      make("button", { type: "button", "aria-label": label, onclick: () => this.#moveValue(by) }, sign);
    this.number = make("output", {});
    this.is = make("div", { className: "od-seg", role: "group", "aria-label": "What is counted" }, ...this.isButtons);
    this.stepper = make(
      "div",
      { className: "od-step" },
      step(-1, "One less", "−"),
      this.number,
      step(1, "One more", "+"),
    );
    this.view = make("div", { className: "od-seg", role: "group", "aria-label": "How it is drawn" }, ...this.kinds);
    this.controls = make("div", { className: "od-controls" }, this.is, this.stepper, this.view);
    this.say = make("p", { className: "od-say" });
    this.plot = make("div", { className: "od-plot" });
    this.hint = make("p", { className: "od-aside" });
    this.side = make("div", { className: "od-side" });
    this.exact = make(
      "button",
      { type: "button", className: "od-button", onclick: () => this.#toggleFractions() },
      "Show fractions",
    );
    this.rows = make("div", { className: "od-values" });
    this.table = make(
      "details",
      { className: "od-more-numbers", open: false, ontoggle: () => this.#drawTable() },
      make("summary", {}, "All numbers, as a table"),
      this.exact,
      this.rows,
    );
    this.takings = new TakeawayControls(
      () => this.#asked,
      () => this.#series,
      compare,
    );
    const main = make("div", { className: "od-main" }, this.controls, this.say, this.plot, this.hint);
    this.element = make(
      "section",
      { className: "od-sheet", "aria-label": "The answer" },
      main,
      this.side,
      this.takings.element,
      this.table,
    );
    this.#listenToPointer();
  }

  /** Show the answers. @param {Series[]} series @param {Asked} asked @param {boolean} waits @returns {string} the
   * answer in words */
  show(series, asked, waits) {
    this.element.classList.toggle("od-waits", waits);
    if (waits && !series.length) return "";
    if (!waits || series.length >= this.#series.length) this.#series = series;
    this.#asked = asked;
    this.#waits = waits;
    this.element.hidden = !this.#series.length;
    if (this.element.hidden) return "";
    // What is shown decides how much room there is.
    const numbers = this.#series.some(({ told }) => !told.chance);
    this.element.classList.toggle("od-several", this.#series.length > 1);
    this.element.classList.toggle("od-chance", this.#series.length === 1 && !numbers);
    this.#width = -1;
    this.resize();
    return this.say.textContent || this.side.textContent || "";
  }

  /** Draw again if the width has changed. */
  resize() {
    const width = Math.floor(this.plot.clientWidth);
    if (!this.#asked || !this.#series.length || width === this.#width) return;
    this.#width = width;
    this.#draw(this.#asked);
  }

  /** Draw the answers. @param {Asked} asked */
  #draw(asked) {
    const numbers = this.#series.filter(({ told }) => !told.chance);
    const one = this.#series.length === 1;
    this.#at = asked.at ?? medianValue(numbers[0] ?? this.#series[0]);
    for (const [place, is] of PROBABILITY_KINDS.entries())
      this.isButtons[place].setAttribute("aria-pressed", String(is === asked.is));
    for (const [place, button] of this.kinds.entries())
      button.setAttribute("aria-pressed", String(asked.curves === Boolean(place)));
    this.number.textContent = valueName(numbers, this.#at);
    this.controls.hidden = !numbers.length;
    this.say.replaceChildren(...this.#chanceSentence(numbers, asked.is));
    this.say.hidden = !numbers.length;
    const width = Math.max(240, this.#width);
    const tall = asked.curves ? (width < NARROW ? 260 : 380) : width < NARROW ? 230 : 350;
    const high = Math.min(tall, this.most);
    this.#chart =
      one && !numbers.length
        ? null
        : drawChart(this.#series, { width, high, is: asked.is, at: this.#at, curves: asked.curves });
    this.plot.replaceChildren(...(this.#chart ? [this.#chart.picture] : []));
    this.plot.hidden = !this.#chart;
    this.#updateSlider(numbers, asked.is);
    const rare = this.#chart?.cut ? " The rarest values are only in the table." : "";
    this.hint.textContent = this.#chart?.value
      ? `Tap the picture, or use the arrow keys, to count from another value.${rare}`
      : "";
    this.side.replaceChildren(
      ...(one
        ? factElements(this.#series[0])
        : [comparisonTable(this.#series, asked.is, this.#at, valueName(numbers, this.#at))]),
    );
    this.takings.show();
    this.#drawTable();
  }

  /** The sentence about the chosen value. @param {Series[]} numbers @param {Is} is */
  #chanceSentence(numbers, is) {
    if (!numbers.length) return [];
    const value = valueName(numbers, this.#at);
    const head = `${is === "exactly" ? `exactly ${value}` : is === "least" ? `${value} or more` : `${value} or less`}: `;
    const cells = numbers.map(({ told }) => chanceAt(told, is, this.#at));
    if (numbers.length === 1) {
      const short = cells[0].exact.length <= SHORT && cells[0].exact.includes("/") ? ` = ${cells[0].exact}` : "";
      return [head, make("b", {}, cells[0].text), make("span", {}, short)];
    }
    const best = cells.reduce((one, two, place) => (two.share > cells[one].share ? place : one), 0);
    const equal = cells.every(({ share }) => share === cells[0].share);
    if (equal) return [head, make("b", {}, cells[0].text), make("span", {}, " for all of them")];
    return [head, make("span", {}, "most likely with "), make("b", {}, `${numbers[best].letter}, ${cells[best].text}`)];
  }

  /** Update the chart as a slider of values for screen readers. @param {Series[]} numbers @param {Is} is */
  #updateSlider(numbers, is) {
    const values = numbers.flatMap(({ told }) => told.rows.map(({ value }) => value));
    const words = numbers.map(
      ({ told, letter }) => `${numbers.length > 1 ? `${letter} ` : ""}${chanceAt(told, is, this.#at).text}`,
    );
    const look = {
      role: "slider",
      tabindex: "0",
      "aria-label": `Value: ${WORDS[is]}`,
      "aria-valuemin": values.reduce((a, b) => Math.min(a, b), Infinity),
      "aria-valuemax": values.reduce((a, b) => Math.max(a, b), -Infinity),
      "aria-valuenow": this.#at,
      "aria-valuetext": `${WORDS[is]} ${valueName(numbers, this.#at)}: ${words.join(", ")}`,
    };
    for (const [key, value] of Object.entries(look))
      if (numbers.length) this.plot.setAttribute(key, String(value));
      else this.plot.removeAttribute(key);
  }

  #listenToPointer() {
    const move = (/** @type {PointerEvent} */ { clientX }) => {
      const box = this.plot.getBoundingClientRect();
      const at = this.#chart?.value?.(((clientX - box.left) / box.width) * this.#width);
      if (at !== undefined && at !== this.#asked?.at) this.change({ at });
    };
    this.plot.addEventListener("click", (event) => move(/** @type {PointerEvent} */ (event)));
    this.plot.addEventListener("pointermove", (event) => event.buttons && move(event));
    this.plot.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -Infinity, End: Infinity }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      this.#moveValue(by);
    });
  }

  /** Choose a value some places away. @param {number} by places among the values */
  #moveValue(by) {
    const all = this.#series.flatMap(({ told }) => (told.chance ? [] : told.rows.map(({ value }) => value)));
    const values = [...new Set(all)].sort((a, b) => a - b);
    const near = values.findIndex((value) => value >= this.#at);
    const from = near < 0 ? values.length : near;
    const to = by < 0 || values[from] === this.#at ? from + by : from;
    this.change({ at: values[Math.max(0, Math.min(values.length - 1, to))] });
  }

  /** Switch between fractions and decimals in the table. */
  #toggleFractions() {
    this.#fractions = !this.#fractions;
    this.exact.setAttribute("aria-pressed", String(this.#fractions));
    this.#drawTable();
  }

  /** Draw the table of all values, if it is open. */
  #drawTable() {
    if (!this.table.open || !this.#asked || this.#waits) return;
    this.rows.replaceChildren(valuesTable(this.#series, this.#asked.is, this.#at, this.#fractions));
  }
}

/** The median: the least value that the roll reaches or stays below with a chance of at least one half. @param {Series}
 * series */
function medianValue({ told: { rows } }) {
  return (rows.find(({ cells: [, , most] }) => most.share >= 0.5) ?? rows[0]).value;
}

/** The name of a value. @param {Series[]} series @param {number} at */
function valueName(series, at) {
  const rows = series.flatMap(({ told }) => told.rows);
  return rows.find(({ value }) => value === at)?.name ?? String(at).replace("-", "−");
}
