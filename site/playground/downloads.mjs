// @ts-check
/** What a reader takes away: a project for a repository, or a module for Foundry. Python makes both on this device. */

import { make } from "../runtime/words/view.mjs";

/** @typedef {"foundry" | "project"} Kind */
/** @typedef {import("./python.mjs").Part} Part */
/** @typedef {{odds: string, module: (heard: (part: Part) => void) => Promise<void>}} Solved
 *   `odds`: which a module would have now, in words; empty where the game as it stands is not solved and proven here */

const FOUNDRY = "Open in Foundry";
const WITHOUT = "rules alone";
/** A sentence about a saved module. @param {string} name @param {string} odds */
const moduleText = (name, odds) =>
  `${name} is a module for Foundry 13 or later: unpack it in Data/modules/${name.replace(/\.zip$/, "")}, and enable it in a ` +
  `world. It has the rules and a table, ` +
  (odds
    ? `${odds}, as they were solved here: the checker has passed their values, and the other numbers are the solver’s own. ` +
      "Formulas for one more roll are left out."
    : "but no odds: this module is made from the rules alone. For one with odds, solve the game first.");
/** A sentence about a saved project. @param {string} name */
const projectText = (name) =>
  `${name} has the ruleset, its rules in words, and what builds a site of it. Its README says how.`;
const SILENT =
  "Python does not run here, and makes this file. Download the ruleset: oddsmith in a terminal makes the same of it.";
const STOPPED = "Nothing was made.";

/** The buttons with which a reader downloads a project or a module. */
export class DownloadButtons {
  /** @param {() => string} text the ruleset as it is @param {import("./python.mjs").Python} python
   * @param {Solved} solved @param {(words: string) => void} tell */
  constructor(text, python, solved, tell) {
    this.text = text;
    this.python = python;
    this.solved = solved;
    this.tell = tell;
    this.foundry = make("button", { type: "button", onclick: () => void this.#saveFile("foundry") });
    const project = make(
      "button",
      { type: "button", onclick: () => void this.#saveFile("project") },
      "Open as a project",
    );
    this.buttons = [this.foundry, project];
    this.draw();
  }

  /** Say on the button whether the module would have odds now. */
  draw() {
    this.foundry.textContent = `${FOUNDRY}, ${this.solved.odds || WITHOUT}`;
  }

  /** Make and save a file. @param {Kind} kind */
  async #saveFile(kind) {
    this.tell("The file is being made.");
    this.#setWaiting(true);
    const odds = kind === "foundry" ? this.solved.odds : "";
    let words = odds ? STOPPED : SILENT;
    const heard = (/** @type {Part} */ { failed, name, data }) => {
      words = failed ?? (kind === "foundry" ? moduleText(name, odds) : projectText(name));
      if (!failed) save(name, data, "application/zip");
    };
    if (odds) await this.solved.module(heard);
    else await this.python.ask({ pack: [kind, this.text()] }, heard);
    this.#setWaiting(false);
    this.tell(words);
  }

  /** Disable the buttons while a file is made. @param {boolean} wait */
  #setWaiting(wait) {
    for (const button of this.buttons) button.disabled = wait;
  }
}

/** Let the browser save a file. @param {string} name @param {BlobPart} data @param {string} type */
export function save(name, data, type) {
  const address = URL.createObjectURL(new Blob([data], { type }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
