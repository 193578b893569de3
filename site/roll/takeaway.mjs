// @ts-check
/** What a reader takes away: the link, the line of HTML for another page, and the picture. */

import { drawChart } from "./drawn/chart.mjs";
import { makeElement } from "./drawn/elements.mjs";
import { addressOfQuestion } from "./link.mjs";
import { svgFileText, renderAsPng } from "./drawn/picture.mjs";

/** @typedef {import("./link.mjs").Asked} Asked */
/** @typedef {import("./drawn/chart.mjs").Series} Series */

const TOLD = 1600; // milliseconds for which a button says what it did
const [WIDE, HIGH] = [960, 420]; // of a picture to keep
// Pixels of a frame on another page: for one chart, around rows, and of a row.
const [FRAME, ROWS, ROW] = [460, 250, 90];

/** The controls with which a reader takes the link, the line of HTML or the picture. */
export class TakeawayControls {
  /** @param {() => Asked | null} getQuestion @param {() => Series[]} getSeries @param {() => void} onCompare */
  constructor(getQuestion, getSeries, onCompare) {
    this.asked = getQuestion;
    this.series = getSeries;
    this.line = makeElement("textarea", {
      readOnly: true,
      rows: 3,
      spellcheck: false,
      "aria-label": "The line of HTML",
      onfocus: () => this.line.select(),
    });
    const button = (/** @type {string} */ words, /** @type {(button: HTMLButtonElement) => void} */ act, kind = "") => {
      const made = makeElement(
        "button",
        { type: "button", className: `od-button ${kind}`, onclick: () => act(made) },
        words,
      );
      return made;
    };
    const link = button("Copy link", (made) =>
      this.#copyText(made, location.href.replace(/#.*|$/, `#${this.#questionAddress()}`)),
    );
    const line = button("Copy this line", (made) => this.#copyText(made, this.line.value));
    const svg = button("Picture (SVG)", () => void this.#savePicture("svg"));
    const png = button("Picture (PNG)", () => void this.#savePicture("png"));
    const embed = makeElement(
      "details",
      { className: "od-embed" },
      makeElement("summary", {}, "Put this into your page"),
      makeElement(
        "p",
        {},
        "This line shows the chart in any blog or wiki that takes HTML. It works there as it does here.",
      ),
      this.line,
      line,
    );
    const tools = makeElement(
      "div",
      { className: "od-tools-row" },
      button("+ Compare", onCompare, "od-first"),
      link,
      svg,
      png,
    );
    this.element = makeElement("div", { className: "od-takings" }, tools, embed);
  }

  show() {
    const address = new URL(`embed/?${this.#questionAddress()}`, location.href.replace(/[?#].*/, "")).href;
    const title = `Odds of ${this.#chartTitle()}`;
    const several = this.series().length > 1 && !this.asked()?.curves;
    const high = several ? ROWS + ROW * this.series().length : FRAME;
    this.line.value = `<iframe src="${escapeHtmlAttribute(address)}" title="${escapeHtmlAttribute(title)}" width="100%" height="${high}" style="border:0" loading="lazy"></iframe>`;
  }

  #questionAddress() {
    const asked = this.asked();
    return asked ? addressOfQuestion(asked) : "";
  }

  #chartTitle() {
    const series = this.series();
    return series.map(({ letter, label }) => (series.length > 1 ? `${letter}: ${label}` : label)).join("; ");
  }

  /** Copy a text, and say on the button whether that worked. @param {HTMLButtonElement} button @param {string} text */
  async #copyText(button, text) {
    const words = button.textContent;
    const done = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    if (!done) this.line.closest("details")?.setAttribute("open", "");
    button.textContent = done ? "Copied" : "Copy it by hand";
    setTimeout(() => (button.textContent = words), TOLD);
  }

  /** Let the browser save the chart as a file. @param {"svg" | "png"} kind */
  async #savePicture(kind) {
    const asked = this.asked();
    if (!asked) return;
    const plot = /** @type {HTMLElement} */ (document.querySelector(".od-plot"));
    const now = Number(plot.getAttribute("aria-valuenow") ?? asked.at);
    const { picture } = drawChart(this.series(), {
      width: WIDE,
      high: HIGH,
      is: asked.is,
      at: now,
      curves: asked.curves,
    });
    const words =
      document.querySelector(".od-say")?.textContent ||
      this.series()
        .map(({ told }) => told.chance?.text)
        .join("; ");
    const text = svgFileText(plot, picture, this.#chartTitle(), words);
    const file = kind === "svg" ? new Blob([text], { type: "image/svg+xml" }) : await renderAsPng(text);
    const name =
      this.#chartTitle()
        .replace(/[^\w]+/g, "-")
        .slice(0, 60)
        .replace(/^-|-$/g, "") || "odds";
    const address = URL.createObjectURL(file);
    makeElement("a", { href: address, download: `${name}.${kind}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }
}

/** Escape a text for an attribute of HTML. @param {string} text */
const escapeHtmlAttribute = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
