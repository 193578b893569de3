// @ts-check
/** Solving on the reader's device: settings, consent to what it loads, progress, and stopping. */

import { settingControls } from "../../answer/choosing.mjs";
import { countText } from "../../proof/words.mjs";
import { makeElement } from "../../runtime/words/view.mjs";
import { withoutDoubleStops } from "../../runtime/words/words.mjs";
import { saveText, savedText } from "../storage.mjs";
import { CertificateChecker } from "./proving.mjs";
import { PythonWorker } from "../python.mjs";
import { solvedGameElements } from "./solved.mjs";
import { isError, splitAtCode } from "../findings.mjs";

/** @typedef {import("../../answer/choosing.mjs").Game} Game */
/** @typedef {import("../../answer/choosing.mjs").Settings} Settings */
/** @typedef {import("./proving.mjs").Passed} Passed */
/** @typedef {{problems?: import("../findings.mjs").Problem[], design?: import("../findings.mjs").Problem[], unasked?:
 * string[], looked?: number, whole?: boolean, seats?: string}} Linted */
/** @typedef {{packages: string[], network: Record<string, string>}} Needed `network`: hashes by address */

const NEEDED = new URL("../../../playground/python/solving.json", import.meta.url);
const MEGABYTES = 25; // that NumPy and SciPy take on the way, about
const LATER = 4000; // milliseconds after which a thread that solves gets a spare one: what is short needs none
const AGREED = "solving";
const ELSEWHERE = "In a terminal, `oddsmith solve` does the same.";
const LINTED = "In a terminal, `oddsmith lint` asks it";

export class SolvingPanel {
  /** @type {Needed | null} */
  #needed = null;
  /** @type {Game | null} */
  #game = null;
  /** @type {Settings | null} what the reader chose */
  #chosen = null;
  /** @type {PythonWorker | null} the thread that is asked, and one that stands ready in case it is stopped */
  #python = null;
  /** @type {PythonWorker | null} */
  #spare = null;
  #checker = new CertificateChecker();
  /** What was asked last, its number, and which thread was asked.
   * @type {{number: number, text: string, settings: string, python: PythonWorker | null}} */
  #asked = { number: 0, text: "", settings: "", python: null };
  /** @type {Record<string, any>} the parts of the answer that are known */
  #found = {};
  /** @type {Passed | null} */
  #passed = null;
  /** @type {Promise<void>} kept once it is known what solving takes */
  #loaded;
  /** Why a thread was lost last. */
  #broken = "";
  /** The last text that is to be linted, and what ends when the one before it is. */
  #linting = { number: 0, before: Promise.resolve() };

  /** @param {HTMLElement} panelElement @param {() => string} getRulesetText of the ruleset
   * @param {(line: number, column: number) => void} goToPlace to a place in it @param {() => void} onRedraw
   * hears that it may be solved, or not be so any more */
  constructor(panelElement, getRulesetText, goToPlace, onRedraw) {
    this.root = panelElement;
    this.text = getRulesetText;
    this.go = goToPlace;
    this.drawn = onRedraw;
    this.settings = makeElement("div", { class: "od-choices" });
    this.begin = makeElement(
      "button",
      { type: "button", disabled: true, onclick: () => void this.#startSolving() },
      "Solve",
    );
    this.end = makeElement("button", { type: "button", hidden: true, onclick: () => this.#stop() }, "Stop");
    this.consent = makeElement("div", { class: "od-consent" });
    this.said = makeElement("p", { role: "status" });
    this.bar = makeElement("progress", { "aria-label": "Done so far", hidden: true });
    this.answer = makeElement("div", { class: "od-answer" });
    panelElement.append(
      this.settings,
      makeElement("p", {}, this.begin, " ", this.end),
      this.consent,
      this.said,
      this.bar,
      this.answer,
    );
    panelElement.dataset.odSolving = "false";
    this.#loaded = this.#loadPackageList();
  }

  async #loadPackageList() {
    try {
      const answer = await fetch(NEEDED);
      this.#needed = await answer.json();
    } catch {
      // as on a site that has none
    }
    if (!this.#needed?.packages.length) this.#showMessage(`This site does not solve games. ${ELSEWHERE}`);
    this.#drawPanel();
  }

  /** Set the game that the text describes now, and draw its settings. @param {Game | null} game null if the text has
   * errors */
  setGame(game) {
    if (game && this.#chosen) game.settings = clampSettings(game, this.#chosen);
    this.#game = game;
    if (game) this.settings.replaceChildren(...settingControls(game, (settings) => this.#onSettingsChange(settings)));
    this.#drawPanel();
  }

  /** Draw anew, because the text has changed. */
  onTextChange() {
    this.#drawPanel();
  }

  /** Note the settings that the reader has chosen. @param {Settings} settings */
  #onSettingsChange(settings) {
    this.#chosen = settings;
    if (this.#game) this.#game.settings = settings;
    this.#drawPanel();
  }

  // --- what is loaded

  /** The addresses of another host from which something would be loaded. */
  get #foreignAddresses() {
    return Object.keys(this.#needed?.network ?? {});
  }

  /** Whether the reader has agreed to all that would be loaded from another host. */
  get #hasConsent() {
    return !this.#foreignAddresses.length || savedText(AGREED) === this.#foreignAddresses.join(" ");
  }

  async #startSolving() {
    const needed = this.#needed;
    if (!needed || !this.#game) return;
    if (!this.#hasConsent) return this.#askConsent(this.#foreignAddresses);
    this.consent.replaceChildren();
    await this.#solve();
  }

  /** Say what solving would load from elsewhere, and load it only if the reader agrees. @param {string[]} addresses */
  #askConsent(addresses) {
    const host = new URL(addresses[0]).host;
    const agree = () => {
      saveText(AGREED, addresses.join(" "));
      this.consent.replaceChildren();
      void this.#solve();
    };
    const refuse = () => {
      this.consent.replaceChildren();
      this.#showMessage(`Nothing was loaded. ${ELSEWHERE}`);
    };
    this.#showMessage("");
    this.consent.replaceChildren(
      makeElement(
        "p",
        {},
        `Solving takes NumPy and SciPy, which this site does not have. Your browser would load ${addresses.length} files, ` +
          `about ${MEGABYTES} MB, from ${host}, the network that delivers Pyodide, and keep them. A file with another hash ` +
          "than the one that this site names is refused.",
      ),
      makeElement(
        "p",
        {},
        "Your rules stay on this device. That network learns your address, as every host does that you visit.",
      ),
      makeElement("button", { type: "button", onclick: agree }, "Load them and solve"),
      " ",
      makeElement("button", { type: "button", onclick: refuse }, "Load nothing"),
    );
    this.consent.querySelector("button")?.focus();
  }

  /** Start a thread that can solve. @returns {PythonWorker} */
  #startWorker() {
    const python = new PythonWorker((what, why) => {
      if (what === "ready" && python === this.#python) this.#startSpareWorkerLater();
      if (what === "broken" && python === this.#spare) this.#spare = null;
      if (python !== this.#python) return;
      if (what === "broken") [this.#python, this.#broken] = [null, `: ${why}`];
      if (!this.#isSolving) return;
      if (what === "starting") this.#showMessage("Python is starting.");
      if (what === "loading") this.#showMessage(withoutDoubleStops(`${why}.`));
      if (what === "ready") this.#showMessage("Solving.");
      if (what === "broken")
        this.#showFailure(withoutDoubleStops(`Solving broke off: ${why}. Your text is kept. ${ELSEWHERE}`));
    }, this.#needed?.packages);
    setTimeout(() => python.start()); // once it is known whose it is
    return python;
  }

  /** After a while, start a spare thread if solving still goes on. */
  #startSpareWorkerLater() {
    setTimeout(() => {
      if (this.#isSolving) this.#spare ??= this.#startWorker();
    }, LATER);
  }

  // --- what is odd

  /** What `check` and `lint` find in a text. If it cannot be asked, the result only says why. Null if another text is
   * to be asked about meanwhile. @param {string} text @returns {Promise<Linted | null>} */
  async lint(text) {
    await this.#loaded;
    if (!this.#needed?.packages.length) return { unasked: [`this site does not solve games. ${LINTED}`] };
    if (!this.#hasConsent) return { unasked: ["it takes what only solving loads. Solve asks it too"] };
    const number = ++this.#linting.number;
    const before = this.#linting.before;
    let over = () => {};
    this.#linting.before = new Promise((done) => (over = done));
    await before;
    /** @type {Linted | null} */
    let found = null;
    if (number === this.#linting.number) {
      this.#python ??= this.#startWorker();
      const python = this.#python;
      await new Promise((later) => setTimeout(later)); // so that a new thread has begun
      this.#broken = "";
      await python.ask({ lint: text }, (part) => (found = part));
      found ??= { unasked: [`it was broken off${this.#broken}. ${LINTED}`] };
    }
    over();
    return found;
  }

  // --- solving

  async #solve() {
    if (!this.#game) return;
    const { settings } = this.#game;
    const text = this.text();
    const number = this.#asked.number + 1;
    this.#found = {};
    this.#passed = null;
    this.#python ??= this.#startWorker();
    const python = this.#python;
    this.#asked = { number, text, settings: JSON.stringify(settings), python };
    this.#setBusy(true);
    if (python.ready) this.#startSpareWorkerLater();
    const begun = performance.now();
    this.#showMessage("Solving.");
    await new Promise((later) => setTimeout(later)); // so that a new thread has begun
    await python.ask({ solve: [text, settings] }, (part) => {
      if (number === this.#asked.number) this.#receiveAnswerPart(part, number, begun);
    });
    if (number !== this.#asked.number || this.#found.failed || this.#found.over) return;
    this.#found.over = true;
    this.#drawPanel();
    if (this.#found.problems?.some(isError))
      return this.#showFailure("There are problems, at the lines below the text.");
    if (this.#passed) this.#showDone();
  }

  /** Handle a part of the answer. @param {Record<string, any>} part @param {number} questionNumber of the question
   * @param {number} startTime when solving began */
  #receiveAnswerPart(part, questionNumber, startTime) {
    if (part.progress) return this.#showProgress(part.progress);
    Object.assign(this.#found, part);
    if (part.failed) return this.#showFailure(part.failed);
    if (part.proof) void this.#checkProof(questionNumber, startTime);
    this.#drawPanel();
  }

  /** Let the second checker check the certificate, and show the answer only if it passes. @param {number}
   * questionNumber @param {number} startTime */
  async #checkProof(questionNumber, startTime) {
    const { proof, of, answer } = this.#found;
    this.#showMessage("Solved. The second checker checks the certificate.");
    try {
      const passed = await this.#checker.check(proof, of, answer);
      if (questionNumber !== this.#asked.number) return;
      this.#passed = passed;
      this.root.dataset.odProven = String(Math.round(performance.now() - startTime));
      this.#showMessage("Proven. What to remember and what is odd about the game are on their way.");
      this.#drawPanel();
      if (this.#found.over) this.#showDone();
    } catch (error) {
      if (questionNumber !== this.#asked.number) return;
      this.#asked.number++; // the rest of the answer is not heard
      this.#showFailure(
        `The second checker refuses the certificate, so no number is shown. The reason: ${/** @type {Error} */ (error).message}`,
      );
    }
  }

  /** Show the progress. @param {[what: string, done: number, of: number]} progress */
  #showProgress([what, done, of]) {
    this.bar.hidden = false;
    [this.bar.max, this.bar.value] = [of || 1, done];
    if (!this.#passed)
      this.#showMessage(of > 1 ? `${what}: ${done.toLocaleString("en")} of ${of.toLocaleString("en")}` : what);
  }

  #stop() {
    this.#cancel();
    this.#showMessage("Stopped.");
    this.#setBusy(false);
  }

  /** Break off what is under way; the thread that stands ready takes its place. */
  #cancel() {
    this.#asked.number++;
    this.#checker.stop();
    const { packages } = this.#needed ?? {};
    this.#python?.stop();
    this.#python = this.#spare;
    this.#spare = this.#python?.ready && packages ? this.#startWorker() : null;
  }

  #showDone() {
    this.#showMessage("Solved, and proven.");
    this.#setBusy(false);
  }

  // --- what is made of it

  /** Words for the odds that a module would have; empty unless the game as it stands is solved here and proven. */
  get provenOddsText() {
    const { answer, over } = this.#found;
    const known = this.#passed && over && this.#asked.python === this.#python && !this.#isOutdated;
    return known ? `with odds for ${countText(answer.seats, "seat")}` : "";
  }

  /** Let the thread that solved the game make a module of it. If that is stopped, `onAnswerPart` is not called.
   * @param {(part: Record<string, any>) => void} onAnswerPart */
  async makeModule(onAnswerPart) {
    const { number, text, settings, python } = this.#asked;
    this.#setBusy(true);
    this.#showMessage("The module is being made.");
    await python?.ask({ module: [text, JSON.parse(settings)] }, (part) => {
      if (part.progress) this.#showProgress(part.progress);
      else onAnswerPart(part);
    });
    if (number === this.#asked.number && this.#passed) this.#showDone();
  }

  /** Show why solving failed. @param {string} reason */
  #showFailure(reason) {
    this.#passed = null;
    this.#found = { failed: reason };
    this.#showMessage(reason, "alert");
    this.#setBusy(false);
  }

  // --- what is seen

  get #isSolving() {
    return this.root.dataset.odSolving === "true";
  }

  /** @param {string} text @param {string} [role] */
  #showMessage(text, role = "status") {
    this.said.setAttribute("role", role);
    this.said.replaceChildren(...splitAtCode(text));
  }

  /** Note whether something goes on, and draw anew. @param {boolean} busy */
  #setBusy(busy) {
    this.root.dataset.odSolving = String(busy);
    this.end.hidden = !busy;
    this.bar.hidden = true;
    this.#drawPanel();
  }

  /** Whether the game has changed since it was solved. */
  get #isOutdated() {
    const { text, settings } = this.#asked;
    return text !== this.text() || Boolean(this.#game && settings !== JSON.stringify(this.#game.settings));
  }

  #drawPanel() {
    this.begin.disabled = this.#isSolving || !this.#game || !this.#needed?.packages.length;
    const old = this.#isOutdated;
    this.answer.classList.toggle("od-old", old);
    if (this.#passed) this.answer.replaceChildren(...solvedGameElements(this.#found, this.#passed, old, this.go));
    else this.answer.replaceChildren();
    this.drawn();
  }
}

/** Chosen settings with what a game does not have replaced: seats within its range, its own objective, no variant, and
 * only its parameters. @param {Game} game @param {Settings} chosen @returns {Settings} */
function clampSettings({ seats: [least, most], objectives, variants, parameters, settings }, chosen) {
  const known = new Set(parameters.map(({ name }) => name));
  return {
    seats: Math.min(Math.max(chosen.seats, least), most),
    objective: objectives.includes(chosen.objective) ? chosen.objective : settings.objective,
    variant: Object.hasOwn(variants, chosen.variant) ? chosen.variant : "",
    values: Object.fromEntries(Object.entries(chosen.values).filter(([name]) => known.has(name))),
  };
}
