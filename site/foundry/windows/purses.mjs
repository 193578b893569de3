// @ts-check
/** Everybody's chips, which a game master can see and set. The authority writes the change and posts it in the chat. */

import { labelledControl } from "../../runtime/words/controls.mjs";
import { makeElement } from "../../runtime/words/view.mjs";
import { usualCurrency } from "../money/coins.mjs";
import { chipsOf } from "../money/purses.mjs";
import { loadWorldRecord } from "../world/worldrecord.mjs";
import { showError, localizedText } from "../world/words.mjs";
import { PlainWindow } from "./plainwindow.mjs";

/** @typedef {{id: string, name: string, held: number}} Purse of a user */

export class PursesWindow extends PlainWindow {
  /** @param {import("./desk.mjs").WindowManager} windowManager */
  constructor(windowManager) {
    super(windowManager, "purses", "ODDSMITH.Purses.Title", true);
    /** @type {Map<string, {text: string, held: number}>} what was typed and not yet set, by user, and the chips that it
     * was typed for */
    this.typed = new Map();
    /** @type {Set<string>} users whose chips are being set */
    this.busy = new Set();
    this.shown = "";
    this.forget = windowManager.tables.onChange(
      () => void this.#renderIfChanged().catch(windowManager.tables.host.report),
    );
  }

  /** @param {any} options */
  _onClose(options) {
    super._onClose(options);
    this.forget();
  }

  /** Draw again only if a purse has changed, because somebody may be typing. */
  async #renderIfChanged() {
    if (this.rendered && JSON.stringify(this.#pursesNow()) !== this.shown) await this.render();
  }

  /** The chips of all users now. @returns {Purse[]} */
  #pursesNow() {
    const { host } = this.desk.tables;
    const world = loadWorldRecord(host);
    return host.users().map(({ id, name }) => ({ id, name, held: chipsOf({ host, world }, id) }));
  }

  async content() {
    const purses = this.#pursesNow();
    this.shown = JSON.stringify(purses);
    const others = usualCurrency(this.desk.tables.host).currency !== "chips";
    const note = others ? [makeElement("p", { class: "od-note" }, localizedText("ODDSMITH.Purses.Others"))] : [];
    return [...note, ...purses.map((one) => this.#purseForm(one))];
  }

  /** A form that sets the chips of one user. @param {Purse} purse */
  #purseForm({ id, name, held }) {
    if (this.typed.get(id)?.held !== held) this.typed.delete(id); // it was typed for another amount
    const value = this.typed.get(id)?.text ?? String(held);
    const input = makeElement("input", {
      type: "number",
      min: 0,
      max: 1e9,
      step: 1,
      required: true,
      value,
      "data-od": `purse ${id}`,
      oninput: () => this.typed.set(id, { text: input.value, held }),
    });
    const set = makeElement(
      "button",
      { type: "submit", "data-od": `set ${id}`, "aria-label": localizedText("ODDSMITH.Purses.SetFor", { name }) },
      localizedText("ODDSMITH.Purses.Set"),
    );
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      void this.#requestChips(id, held, Number(input.value));
    };
    return makeElement(
      "form",
      { class: "od-purse", onsubmit: submit },
      labelledControl(localizedText("ODDSMITH.Purses.Chips", { name }), input),
      set,
    );
  }

  /** Ask the authority to set the chips of a user. @param {string} user @param {number} oldAmount the chips before
   * @param {number} newAmount the chips after */
  async #requestChips(user, oldAmount, newAmount) {
    if (newAmount === oldAmount || this.busy.has(user)) return; // a double click sets them once
    this.busy.add(user);
    try {
      await this.desk.tables.send("purse", { user, was: oldAmount, amount: newAmount });
      this.typed.delete(user);
    } catch (error) {
      showError(error);
    }
    try {
      if (this.rendered) await this.render();
    } finally {
      this.busy.delete(user);
    }
  }
}
