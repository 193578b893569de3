// @ts-check
/** Brings the play section of a game's page to life: ask for any position, or play at this screen. Works offline. */

import { opened } from "../runtime/table/settings.mjs";
import { settingText } from "../runtime/words/sentences.mjs";
import { make } from "../runtime/words/view.mjs";
import { askSection, HASH } from "./asking.mjs";
import { playSection } from "./playing.mjs";

/** @typedef {import("../runtime/table/settings.mjs").PlayFile} PlayFile */
/** @typedef {import("../runtime/table/settings.mjs").Setting} Setting */
/** @typedef {import("../runtime/table/settings.mjs").Ready} Ready */

class Page {
  /** @param {HTMLElement} root @param {PlayFile} file @param {URL} base */
  constructor(root, file, base) {
    this.root = root;
    this.file = file;
    this.base = base;
    /** @type {Map<Setting, Promise<Ready>>} */
    this.opened = new Map();
    this.body = make("div", {});
  }

  /** @param {Setting} setting */
  ready(setting) {
    const load = async (/** @type {string} */ name) => {
      const answer = await fetch(new URL(name, this.base));
      if (!answer.ok) throw new Error(`${name} could not be loaded`);
      return answer.arrayBuffer();
    };
    let ready = this.opened.get(setting);
    if (!ready) this.opened.set(setting, (ready = opened(this.file, setting, load)));
    return ready;
  }

  show() {
    const asked = new URLSearchParams(location.hash.startsWith(HASH) ? location.hash.slice(HASH.length) : "");
    const { settings } = this.file;
    const wanted = asked.get("game");
    const chosen = wanted === null ? settings[0] : settings.find(({ slug }) => slug === wanted);
    const pick = make("select", { "aria-label": "Game", onchange: () => this.#fill(settings[Number(pick.value)], {}) });
    if (!chosen) pick.append(make("option", { value: "", selected: true, disabled: true }, "Choose a game"));
    for (const [place, setting] of settings.entries())
      pick.append(
        make("option", { value: String(place), selected: setting === chosen }, settingText(this.file, setting)),
      );
    this.root.replaceChildren(make("label", { class: "od-pick" }, make("span", {}, "Game"), pick), this.body);
    if (chosen) return this.#fill(chosen, Object.fromEntries(asked));
    const why = `The address asks for the game “${wanted}”, which is not on this page. Choose one above.`;
    this.body.append(make("p", { role: "alert" }, why));
  }

  /** @param {Setting} setting @param {Record<string, string>} asked what the address asks for */
  async #fill(setting, asked) {
    try {
      const ready = await this.ready(setting);
      this.body.replaceChildren(askSection(ready, asked), playSection(ready));
    } catch (error) {
      const why = /** @type {Error} */ (error).message;
      this.body.replaceChildren(make("p", { role: "alert" }, `This could not be opened: ${why}.`));
    }
  }
}

/** Open a play section. @param {HTMLElement} root */
async function open(root) {
  const base = new URL(root.dataset.odPlay ?? "", location.href);
  try {
    const answer = await fetch(base);
    if (!answer.ok) throw new Error(`${answer.status}`);
    await new Page(root, await answer.json(), base).show();
    root.dataset.odReady = "open";
  } catch {
    const why =
      "The rules could not be loaded. A page that was opened as a file cannot load them: serve its folder instead.";
    root.replaceChildren(make("p", { role: "alert" }, why));
  }
}

/** Make every play section of the document ready to be opened. */
function begin() {
  for (const details of document.querySelectorAll("details.od-play")) {
    const root = /** @type {HTMLElement | null} */ (details.querySelector("[data-od-play]"));
    if (!root || root.dataset.odReady) continue;
    root.dataset.odReady = "yes";
    details.addEventListener("toggle", () => void open(root), { once: true });
    if (location.hash.startsWith(HASH)) details.setAttribute("open", "");
  }
}

begin();
