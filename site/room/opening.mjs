// @ts-check
/** The form of a new table: a game, a setting (solved or not), and who sees advice. */

import { playableSetting } from "../runtime/table/library.mjs";
import { requirementTexts, slugOfSetting } from "../runtime/table/settings.mjs";
import { button, selectControl, labelledControl } from "../runtime/words/controls.mjs";
import { unsolvedText, rangeText, settingVariantText, settingText, valueText } from "../runtime/words/sentences.mjs";
import { makeElement } from "../runtime/words/view.mjs";
import { capitalized, readableName } from "../runtime/words/words.mjs";
import { setTextOrHide } from "./parts.mjs";
import { localizedText } from "./words.mjs";

/** @typedef {import("../runtime/table/settings.mjs").PlayFile} PlayFile */
/** @typedef {import("../runtime/table/library.mjs").GameLibrary} Library */
/** @typedef {import("../runtime/table/library.mjs").Listed} Listed */
/** @typedef {import("./log.mjs").Advice} Advice */
/** @typedef {{name: string, element: HTMLElement, value: () => any, valid: () => boolean}} Control of a parameter;
 * `valid` tells the reader what is wrong */

const OTHER = "="; // instead of a slug: a size that the form describes

/** The form of a new table. */
export class NewTableForm {
  /** @param {Library} library @param {readonly Listed[]} games @param {string} firstGameId the game to begin with
   * @param {(game: string, slug: string, advice: Advice) => void} openTable
   * @param {(why: string) => void} showComplaint */
  constructor(library, games, firstGameId, openTable, showComplaint) {
    this.library = library;
    this.games = games;
    this.complain = showComplaint;
    /** @type {PlayFile | null} the file of the game that is chosen, once it is here */
    this.file = null;
    /** @type {Control[]} */
    this.controls = [];
    /** @type {HTMLElement[]} what every size must meet */
    this.limits = [];
    const change = () => this.#showDependentParts();
    this.game = selectControl(
      games.map(({ id, title }) => /** @type {const} */ ([id, title])),
      firstGameId,
      () => this.#loadChosenGame(),
    );
    this.setting = selectControl([], "", change);
    this.seen = selectControl(
      [
        ["nobody", localizedText("seesNobody")],
        ["gm", localizedText("seesGM")],
        ["everyone", localizedText("seesEverybody")],
      ],
      "nobody",
    );
    this.advice = labelledControl(localizedText("seesAdvice"), this.seen);
    this.sizes = makeElement("div", { class: "od-fields", onchange: change });
    this.about = makeElement("p", { class: "od-note" });
    this.note = makeElement("p", { class: "od-note", role: "status" });
    const begin = button(
      localizedText("open"),
      () => {
        const slug = this.#isValid() ? this.#chosenSlug() : "";
        if (slug) openTable(this.game.value, slug, /** @type {Advice} */ (this.seen.value));
      },
      { "data-od": "choice" },
    );
    const fields = makeElement(
      "div",
      { class: "od-fields" },
      labelledControl(localizedText("game"), this.game),
      this.about,
      labelledControl(localizedText("size"), this.setting),
      this.sizes,
      this.note,
      this.advice,
    );
    /** @type {import("./parts.mjs").Parts} */
    this.parts = { turn: localizedText("noTable"), stage: [fields], choices: [begin] };
    this.#loadChosenGame();
  }

  /** Load the chosen game. The previous one is removed at once, so that nobody opens one game with the setting of
   * another. */
  #loadChosenGame() {
    const asked = this.game.value;
    this.file = null;
    this.controls = [];
    this.setting.replaceChildren();
    this.#showDependentParts();
    this.library.playFile(asked).then(
      (file) => {
        if (this.game.value === asked) this.#fillForm(file);
      },
      (error) => this.complain(localizedText("notLoaded", { why: error.message })),
    );
  }

  /** Fill the form with the settings of a game. @param {PlayFile} playFile */
  #fillForm(playFile) {
    const { bundle } = playFile;
    const [min, max, usual] = bundle.seats;
    const parameters = Object.entries(bundle.parameters).map(([name, parameter]) =>
      parameterControl(name, capitalized(readableName(name)), parameter, playFile.words.parameters?.[name]),
    );
    this.file = playFile;
    this.limits = requirementTexts(playFile).map((text) => makeElement("p", { class: "od-note" }, text));
    this.controls = [
      parameterControl("seats", localizedText("players"), { one_of: [], min, max, default: usual }),
      ...parameters,
    ];
    this.setting.replaceChildren(
      ...playFile.settings.map((one) => makeElement("option", { value: one.slug }, settingText(playFile, one))),
    );
    if (min < max || parameters.length)
      this.setting.append(makeElement("option", { value: OTHER }, localizedText("otherSize")));
    this.#showDependentParts();
  }

  /** Whether the form is filled in. */
  #isValid() {
    return this.file !== null && (this.setting.value !== OTHER || this.controls.every(({ valid }) => valid()));
  }

  /** The slug of the setting that the form describes; empty if the rules have no such setting. */
  #chosenSlug() {
    if (!this.file || this.setting.value !== OTHER) return this.setting.value;
    const [seats, ...parameters] = this.controls.map(({ name, value }) => /** @type {const} */ ([name, value()]));
    try {
      return slugOfSetting(this.file, seats[1], Object.fromEntries(parameters));
    } catch {
      return "";
    }
  }

  /** Show the parts that depend on the choices. */
  #showDependentParts() {
    const setting = this.file && playableSetting(this.file, this.#chosenSlug());
    const parts = this.setting.value === OTHER ? [...this.controls.map(({ element }) => element), ...this.limits] : [];
    if (this.sizes.firstChild !== (parts[0] ?? null)) this.sizes.replaceChildren(...parts);
    this.sizes.hidden = !parts.length;
    setTextOrHide(this.about, this.games.find(({ id }) => id === this.game.value)?.about ?? "");
    setTextOrHide(
      this.note,
      !this.file || !setting
        ? ""
        : setting.policy === null
          ? unsolvedText(this.file.bundle, setting)
          : settingVariantText(this.file, setting),
    );
    this.advice.hidden = setting?.policy === null;
  }
}

/** The control of a parameter. @param {string} name @param {string} title @param {any} parameter as the play file has
 * it
 * @param {{about?: string} & import("../runtime/table/settings.mjs").Counts} [words] @returns {Control} */
function parameterControl(
  name,
  title,
  { one_of: several, min, max, default: usual },
  { about: description, ...unitAndFactor } = {},
) {
  const all = typeof usual === "boolean" ? [true, false] : several;
  if (!all.length) {
    const { times = 1 } = unitAndFactor;
    const limits = { ...(min === null ? {} : { min: min * times }), ...(max === null ? {} : { max: max * times }) };
    const input = makeElement("input", {
      type: "number",
      step: String(times),
      required: true,
      value: String(usual * times),
      ...limits,
    });
    return {
      name,
      element: labelledControl(rangeText(title, { min, max }, unitAndFactor), input, description),
      value: () => input.valueAsNumber / times,
      valid: () => input.reportValidity(),
    };
  }
  const texts = all.map((/** @type {any} */ value, /** @type {number} */ place) => [String(place), valueText(value)]);
  const select = selectControl(texts, String(all.indexOf(usual)));
  return {
    name,
    element: labelledControl(title, select, description),
    value: () => all[Number(select.value)],
    valid: () => true,
  };
}
