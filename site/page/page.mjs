// @ts-check
/** The play section of a game's page: advice for any position, or a game at this screen. It works offline. */

import { loadGame } from "../runtime/table/settings.mjs";
import { settingText } from "../runtime/words/sentences.mjs";
import { makeElement } from "../runtime/words/view.mjs";
import { withoutDoubleStops } from "../runtime/words/words.mjs";
import { PLAY, readAddress } from "./address.mjs";
import { positionFormSection } from "./asking.mjs";
import { houseRuleControls } from "./house.mjs";
import { playSection } from "./playing.mjs";
import { savedGameInAddress } from "./saved.mjs";
import { trainingSection } from "./trainer.mjs";

/** @typedef {import("../runtime/table/settings.mjs").PlayFile} PlayFile */
/** @typedef {import("../runtime/table/settings.mjs").Setting} Setting */
/** @typedef {import("../runtime/table/settings.mjs").Ready} Ready */

/** One play section. */
class PlaySection {
  /** @param {HTMLElement} sectionElement @param {PlayFile} playFile @param {URL} baseUrl */
  constructor(sectionElement, playFile, baseUrl) {
    this.root = sectionElement;
    this.file = playFile;
    this.base = baseUrl;
    /** @type {Map<Setting, Promise<Ready>>} */
    this.opened = new Map();
    this.pick = makeElement("select", {
      "aria-label": "Game",
      onchange: () => this.#chooseSetting(playFile.settings[this.pick.value]),
    });
    this.house = makeElement("div", {});
    this.body = makeElement("div", {});
  }

  /** Load a setting, or return what was loaded before. @param {Setting} setting */
  loadSetting(setting) {
    const load = async (/** @type {string} */ name) => {
      const answer = await fetch(new URL(name, this.base));
      if (!answer.ok) throw new Error(`${name} could not be loaded`);
      return answer.arrayBuffer();
    };
    let loadedGame = this.opened.get(setting);
    if (!loadedGame) this.opened.set(setting, (loadedGame = loadGame(this.file, setting, load)));
    return loadedGame;
  }

  /** Show what the address asks for, and scroll to it. */
  async showAddressedPart() {
    await this.#chooseFromAddress();
    if (!readAddress()) return;
    const wanted = location.hash.startsWith(PLAY) ? [".od-playing"] : [".od-answer + p", "[role=alert], .od-answer"];
    for (const part of wanted) this.root.querySelector(part)?.scrollIntoView({ block: "nearest" });
  }

  /** Choose the setting that the address names. */
  #chooseFromAddress() {
    const given = Object.fromEntries(readAddress() ?? []);
    const { settings } = this.file;
    const wanted = given.game;
    const chosen = wanted === undefined ? settings[0] : settings.find(({ slug }) => slug === wanted);
    this.pick.replaceChildren(
      ...settings.map((setting, place) =>
        makeElement("option", { value: String(place) }, settingText(this.file, setting)),
      ),
    );
    const pick = makeElement("label", { class: "od-pick" }, makeElement("span", {}, "Game"), this.pick);
    this.root.replaceChildren(pick, this.house, this.body);
    if (chosen) return this.#chooseSetting(chosen, given);
    this.pick.prepend(makeElement("option", { value: "", selected: true, disabled: true }, "Choose a game"));
    const why = `The address asks for the game “${wanted}”, which is not on this page. Choose one above.`;
    this.body.append(makeElement("p", { role: "alert" }, why));
  }

  /** Choose a setting, and show its house rules. @param {Setting} setting @param {Record<string, string>}
   * [addressParameters] what the address asks for */
  #chooseSetting(setting, addressParameters = {}) {
    const place = this.file.settings.indexOf(setting);
    this.pick.querySelector("option:not([value])")?.remove();
    if (place < 0) this.pick.append(makeElement("option", { selected: true }, settingText(this.file, setting)));
    else this.pick.value = String(place);
    this.house.replaceChildren(...houseRuleControls(this.file, setting, (other) => void this.#chooseSetting(other)));
    return this.#fillSection(setting, addressParameters);
  }

  /** Fill the section with the parts of a setting. @param {Setting} setting @param {Record<string, string>}
   * addressParameters what the address asks for */
  async #fillSection(setting, addressParameters) {
    try {
      const loadedGame = await this.loadSetting(setting);
      const saved = await savedGameInAddress(addressParameters);
      const [play, train] = [playSection(loadedGame, saved), trainingSection(loadedGame)];
      // What best play does with secrets follows from what was seen, not from a position that somebody fills in.
      const asks = loadedGame.plan ? [] : [positionFormSection(loadedGame, saved ? {} : addressParameters)];
      // What the address asks for comes first, so that whoever follows a link sees the answer.
      const parts = addressParameters.phase && !saved ? [...asks, play] : [play, ...asks];
      this.body.replaceChildren(...parts, ...(train ? [train] : []));
    } catch (error) {
      const why = /** @type {Error} */ (error).message;
      this.body.replaceChildren(
        makeElement("p", { role: "alert" }, withoutDoubleStops(`This could not be opened: ${why}.`)),
      );
    }
  }
}

/** Open a play section. @param {HTMLElement} root */
export async function openSection(root) {
  const base = new URL(root.dataset.odPlay ?? "", location.href);
  try {
    const answer = await fetch(base);
    if (!answer.ok) throw new Error(`${answer.status}`);
    const page = new PlaySection(root, await answer.json(), base);
    await page.showAddressedPart();
    addEventListener("hashchange", () => readAddress() && void page.showAddressedPart());
    root.dataset.odReady = "open";
  } catch {
    const why =
      "The rules could not be loaded. A page that was opened as a file cannot load them: serve its folder instead.";
    root.replaceChildren(makeElement("p", { role: "alert" }, why));
  }
}
