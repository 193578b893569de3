// @ts-check
/** What a reader takes away: a project for a repository, or a module for Foundry. Python makes both on this device. */

import { makeElement } from "../runtime/words/view.mjs";

/** @typedef {"foundry" | "project"} Kind */
/** @typedef {import("./python.mjs").Part} Part */
/** @typedef {{provenOddsText: string, makeModule: (heard: (part: Part) => void) => Promise<void>}} Solved
 *   `odds`: which a module would have now, in words; empty where the game as it stands is not solved and proven here */

const FOUNDRY = "Open in Foundry";
const WITHOUT = "rules alone";
/** A sentence about a saved module. @param {string} name @param {string} oddsText */
const savedModuleText = (name, oddsText) =>
  `${name} is a module for Foundry 13 or later: unpack it in Data/modules/${name.replace(/\.zip$/, "")}, and enable it in a ` +
  `world. It has the rules and a table, ` +
  (oddsText
    ? `${oddsText}, as they were solved here: the checker has passed their values, and the other numbers are the solver’s own. ` +
      "Formulas for one more roll are left out."
    : "but no odds: this module is made from the rules alone. For one with odds, solve the game first.");
/** A sentence about a saved project. @param {string} name */
const savedProjectText = (name) =>
  `${name} has the ruleset, its rules in words, and what builds a site of it. Its README says how.`;
const SILENT =
  "Python does not run here, and makes this file. Download the ruleset: oddsmith in a terminal makes the same of it.";
const STOPPED = "Nothing was made.";

/** The buttons with which a reader downloads a project or a module. */
export class DownloadButtons {
  /** @param {() => string} getRulesetText the ruleset as it is @param {import("./python.mjs").PythonWorker}
   * pythonWorker
   * @param {Solved} solvedGame @param {(words: string) => void} showMessage */
  constructor(getRulesetText, pythonWorker, solvedGame, showMessage) {
    this.text = getRulesetText;
    this.python = pythonWorker;
    this.solved = solvedGame;
    this.tell = showMessage;
    this.foundry = makeElement("button", { type: "button", onclick: () => void this.#saveFile("foundry") });
    const project = makeElement(
      "button",
      { type: "button", onclick: () => void this.#saveFile("project") },
      "Open as a project",
    );
    this.buttons = [this.foundry, project];
    this.draw();
  }

  /** Say on the button whether the module would have odds now. */
  draw() {
    this.foundry.textContent = `${FOUNDRY}, ${this.solved.provenOddsText || WITHOUT}`;
  }

  /** Make and save a file. @param {Kind} kind */
  async #saveFile(kind) {
    this.tell("The file is being made.");
    this.#setBusy(true);
    const odds = kind === "foundry" ? this.solved.provenOddsText : "";
    let words = odds ? STOPPED : SILENT;
    const heard = (/** @type {Part} */ { failed, name, data }) => {
      words = failed ?? (kind === "foundry" ? savedModuleText(name, odds) : savedProjectText(name));
      if (!failed) saveFileInBrowser(name, data, "application/zip");
    };
    if (odds) await this.solved.makeModule(heard);
    else await this.python.ask({ pack: [kind, this.text()] }, heard);
    this.#setBusy(false);
    this.tell(words);
  }

  /** Disable the buttons while a file is made. @param {boolean} isBusy */
  #setBusy(isBusy) {
    for (const button of this.buttons) button.disabled = isBusy;
  }
}

/** Let the browser save a file. @param {string} fileName @param {BlobPart} data @param {string} mediaType */
export function saveFileInBrowser(fileName, data, mediaType) {
  const address = URL.createObjectURL(new Blob([data], { type: mediaType }));
  makeElement("a", { href: address, download: fileName }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
