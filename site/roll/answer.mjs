// @ts-check
/** The answer to a roll: a sentence, the chart, the numbers, and the table of all values. */

import { probabilityAt, drawChart } from "./drawn/chart.mjs";
import { makeElement } from "./drawn/elements.mjs";
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
export class AnswerView {
  /** @type {Series[]} */ #series = [];
  /** @type {Asked | null} */ #asked = null;
  /** @type {import("./drawn/chart.mjs").Chart | null} */ #chart = null;
  #at = 0;
  #width = 0;
  #waits = false;
  #fractions = false;

  /** @param {(part: Partial<Asked>) => void} changeQuestion @param {() => void} onCompare
   * @param {number} [maxChartHeight] the greatest height of the chart, in pixels */
  constructor(changeQuestion, onCompare, maxChartHeight = Infinity) {
    this.most = maxChartHeight;
    this.change = changeQuestion;
    this.isButtons = PROBABILITY_KINDS.map((is) =>
      makeElement("button", { type: "button", onclick: () => changeQuestion({ is, at: this.#at }) }, WORDS[is]),
    );
    this.kinds = [false, true].map((curves) =>
      makeElement("button", { type: "button", onclick: () => changeQuestion({ curves }) }, curves ? "Curves" : "Bars"),
    );
    const step = (/** @type {number} */ by, /** @type {string} */ label, /** @type {string} */ sign) =>
      makeElement("button", { type: "button", "aria-label": label, onclick: () => this.#moveChosenValue(by) }, sign);
    this.number = makeElement("output", {});
    this.is = makeElement(
      "div",
      { className: "od-seg", role: "group", "aria-label": "What is counted" },
      ...this.isButtons,
    );
    this.stepper = makeElement(
      "div",
      { className: "od-step" },
      step(-1, "One less", "−"),
      this.number,
      step(1, "One more", "+"),
    );
    this.view = makeElement(
      "div",
      { className: "od-seg", role: "group", "aria-label": "How it is drawn" },
      ...this.kinds,
    );
    this.controls = makeElement("div", { className: "od-controls" }, this.is, this.stepper, this.view);
    this.say = makeElement("p", { className: "od-say" });
    this.plot = makeElement("div", { className: "od-plot" });
    this.hint = makeElement("p", { className: "od-aside" });
    this.side = makeElement("div", { className: "od-side" });
    this.exact = makeElement(
      "button",
      { type: "button", className: "od-button", onclick: () => this.#toggleFractions() },
      "Show fractions",
    );
    this.rows = makeElement("div", { className: "od-values" });
    this.table = makeElement(
      "details",
      { className: "od-more-numbers", open: false, ontoggle: () => this.#drawTable() },
      makeElement("summary", {}, "All numbers, as a table"),
      this.exact,
      this.rows,
    );
    this.takings = new TakeawayControls(
      () => this.#asked,
      () => this.#series,
      onCompare,
    );
    const main = makeElement("div", { className: "od-main" }, this.controls, this.say, this.plot, this.hint);
    this.element = makeElement(
      "section",
      { className: "od-sheet", "aria-label": "The answer" },
      main,
      this.side,
      this.takings.element,
      this.table,
    );
    this.#listenToPointer();
  }

  /** Show the answers. @param {Series[]} series @param {Asked} askedQuestion @param {boolean} isWaiting @returns
   * {string} the answer in words */
  showAnswers(series, askedQuestion, isWaiting) {
    this.element.classList.toggle("od-waits", isWaiting);
    if (isWaiting && !series.length) return "";
    if (!isWaiting || series.length >= this.#series.length) this.#series = series;
    this.#asked = askedQuestion;
    this.#waits = isWaiting;
    this.element.hidden = !this.#series.length;
    if (this.element.hidden) return "";
    // What is shown decides how much room there is.
    const numbers = this.#series.some(({ told }) => !told.chance);
    this.element.classList.toggle("od-several", this.#series.length > 1);
    this.element.classList.toggle("od-chance", this.#series.length === 1 && !numbers);
    this.#width = -1;
    this.redrawIfResized();
    return this.say.textContent || this.side.textContent || "";
  }

  /** Draw again if the width has changed. */
  redrawIfResized() {
    const width = Math.floor(this.plot.clientWidth);
    if (!this.#asked || !this.#series.length || width === this.#width) return;
    this.#width = width;
    this.#drawAnswers(this.#asked);
  }

  /** Draw the answers. @param {Asked} askedQuestion */
  #drawAnswers(askedQuestion) {
    const numbers = this.#series.filter(({ told }) => !told.chance);
    const one = this.#series.length === 1;
    this.#at = askedQuestion.at ?? startingValue(numbers[0] ?? this.#series[0]);
    for (const [place, is] of PROBABILITY_KINDS.entries())
      this.isButtons[place].setAttribute("aria-pressed", String(is === askedQuestion.is));
    for (const [place, button] of this.kinds.entries())
      button.setAttribute("aria-pressed", String(askedQuestion.curves === Boolean(place)));
    this.number.textContent = valueName(numbers, this.#at);
    this.controls.hidden = !numbers.length;
    this.say.replaceChildren(...this.#probabilitySentence(numbers, askedQuestion.is));
    this.say.hidden = !numbers.length;
    const width = Math.max(240, this.#width);
    const tall = askedQuestion.curves ? (width < NARROW ? 260 : 380) : width < NARROW ? 230 : 350;
    const high = Math.min(tall, this.most);
    this.#chart =
      one && !numbers.length
        ? null
        : drawChart(this.#series, { width, high, is: askedQuestion.is, at: this.#at, curves: askedQuestion.curves });
    this.plot.replaceChildren(...(this.#chart ? [this.#chart.picture] : []));
    this.plot.hidden = !this.#chart;
    this.#updateSlider(numbers, askedQuestion.is);
    const rare = this.#chart?.cut ? " The rarest values are only in the table." : "";
    this.hint.textContent = this.#chart?.value
      ? `Tap the picture, or use the arrow keys, to count from another value.${rare}`
      : "";
    this.side.replaceChildren(
      ...(one
        ? factElements(this.#series[0])
        : [comparisonTable(this.#series, askedQuestion.is, this.#at, valueName(numbers, this.#at))]),
    );
    this.takings.show();
    this.#drawTable();
  }

  /** The sentence about the chosen value. @param {Series[]} numberSeries @param {Is} comparison */
  #probabilitySentence(numberSeries, comparison) {
    if (!numberSeries.length) return [];
    const value = valueName(numberSeries, this.#at);
    const head = `${comparison === "exactly" ? `exactly ${value}` : comparison === "least" ? `${value} or more` : `${value} or less`}: `;
    const cells = numberSeries.map(({ told }) => probabilityAt(told, comparison, this.#at));
    if (numberSeries.length === 1) {
      const short = cells[0].exact.length <= SHORT && cells[0].exact.includes("/") ? ` = ${cells[0].exact}` : "";
      const { mean } = numberSeries[0].told;
      const average = mean ? ` · average ${mean.text}` : "";
      return [head, makeElement("b", {}, cells[0].text), makeElement("span", {}, short + average)];
    }
    const best = cells.reduce((one, two, place) => (two.share > cells[one].share ? place : one), 0);
    const equal = cells.every(({ share }) => share === cells[0].share);
    if (equal) return [head, makeElement("b", {}, cells[0].text), makeElement("span", {}, " for all of them")];
    return [
      head,
      makeElement("span", {}, "most likely with "),
      makeElement("b", {}, `${numberSeries[best].letter}, ${cells[best].text}`),
    ];
  }

  /** Update the chart as a slider of values for screen readers. @param {Series[]} numberSeries @param {Is}
   * comparison */
  #updateSlider(numberSeries, comparison) {
    const values = numberSeries.flatMap(({ told }) => told.rows.map(({ value }) => value));
    const words = numberSeries.map(
      ({ told, letter }) =>
        `${numberSeries.length > 1 ? `${letter} ` : ""}${probabilityAt(told, comparison, this.#at).text}`,
    );
    const look = {
      role: "slider",
      tabindex: "0",
      "aria-label": `Value: ${WORDS[comparison]}`,
      "aria-valuemin": values.reduce((a, b) => Math.min(a, b), Infinity),
      "aria-valuemax": values.reduce((a, b) => Math.max(a, b), -Infinity),
      "aria-valuenow": this.#at,
      "aria-valuetext": `${WORDS[comparison]} ${valueName(numberSeries, this.#at)}: ${words.join(", ")}`,
    };
    for (const [key, value] of Object.entries(look))
      if (numberSeries.length) this.plot.setAttribute(key, String(value));
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
      this.#moveChosenValue(by);
    });
  }

  /** Choose a value some places away. @param {number} places places among the values */
  #moveChosenValue(places) {
    const all = this.#series.flatMap(({ told }) => (told.chance ? [] : told.rows.map(({ value }) => value)));
    const values = [...new Set(all)].sort((a, b) => a - b);
    const near = values.findIndex((value) => value >= this.#at);
    const from = near < 0 ? values.length : near;
    const to = places < 0 || values[from] === this.#at ? from + places : from;
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

/** The median, the least value that the roll reaches or stays below with a chance of at least one half; or the value
 * after the lowest one, because every roll reaches that. @param {Series} series */
function startingValue({ told: { rows } }) {
  const median = rows.findIndex(({ cells: [, , most] }) => most.share >= 0.5);
  return rows[Math.min(Math.max(median, 1), rows.length - 1)].value;
}

/** The name of a value. @param {Series[]} series @param {number} at */
function valueName(series, at) {
  const rows = series.flatMap(({ told }) => told.rows);
  return rows.find(({ value }) => value === at)?.name ?? String(at).replace("-", "−");
}
