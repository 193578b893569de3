// @ts-check
/** The house rules of a game's page: the parameters in which its solved settings differ, one by one. */

import { requirementTexts, settingOfSlug, slugOfSetting } from "../runtime/table/settings.mjs";
import { unsolvedText, oddsText, opponentText, valueText } from "../runtime/words/sentences.mjs";
import { makeElement } from "../runtime/words/view.mjs";
import { capitalized, readableName } from "../runtime/words/words.mjs";

/** @typedef {import("../runtime/table/settings.mjs").PlayFile} PlayFile */
/** @typedef {import("../runtime/table/settings.mjs").Setting} Setting */

/** Controls for the parameters in which the solved settings differ, with the result of best play. There are none if the
 * settings do not differ.
 * @param {PlayFile} playFile @param {Setting} setting whose they are now
 * @param {(setting: Setting) => void} onChoice @returns {HTMLElement[]} */
export function houseRuleControls(playFile, setting, onChoice) {
  const { bundle, settings, words } = playFile;
  const told = makeElement("p", { role: "status" }, bestPlayText(bundle, setting));
  const change = (/** @type {string} */ name, /** @type {any} */ value) => {
    const found = settingWith(playFile, setting, name, value);
    if (found) onChoice(found);
    else told.replaceChildren(requirementTexts(playFile).join(" "));
  };
  const fields = Object.entries(bundle.parameters)
    .filter(([name, { default: usual, one_of }]) => {
      const differs = settings.some(({ parameters }) => parameters[name] !== usual);
      return differs && (typeof usual === "boolean" || one_of.length > 0);
    })
    .map(([name, { one_of }]) => {
      const value = setting.parameters[name];
      const about = words.parameters?.[name]?.about;
      const control = one_of.length
        ? makeElement(
            "select",
            { onchange: (/** @type {any} */ { target }) => change(name, one_of[target.selectedIndex]) },
            ...one_of.map((/** @type {any} */ one) =>
              makeElement("option", { selected: one === value }, valueText(one)),
            ),
          )
        : makeElement("input", {
            type: "checkbox",
            checked: value,
            onchange: (/** @type {any} */ { target }) => change(name, target.checked),
          });
      return makeElement(
        "label",
        {},
        makeElement("span", {}, capitalized(readableName(name))),
        control,
        about ? makeElement("small", {}, about) : "",
      );
    });
  return fields.length
    ? [
        makeElement("fieldset", { class: "od-fields od-house" }, makeElement("legend", {}, "House rules"), ...fields),
        told,
      ]
    : [];
}

/** The setting with one parameter changed, a solved one if there is one; null if the rules have no such setting.
 * @param {PlayFile} playFile @param {Setting} setting @param {string} name @param {any} value */
function settingWith(playFile, { seats, parameters, objective }, name, value) {
  const wanted = { ...parameters, [name]: value };
  const fits = (/** @type {Setting} */ one) =>
    one.seats === seats &&
    one.objective === objective &&
    Object.entries(wanted).every(([key, each]) => one.parameters[key] === each);
  return playFile.settings.find(fits) ?? settingOfSlug(playFile, slugOfSetting(playFile, seats, wanted));
}

/** A text with the result of best play, or of chance if nobody has a choice. If the setting was not solved, it says so.
 * @param {any} bundle @param {Setting} setting */
function bestPlayText(bundle, { opponents, ...setting }) {
  const best = opponents?.find(({ kind }) => kind === "best" || kind === "along");
  if (!best) return unsolvedText(bundle);
  return best.kind === "along" ? capitalized(oddsText(setting, best, 0)) : opponentText(setting, best, 0);
}
