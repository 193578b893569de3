// @ts-check
/** The settings of a game as sliders and choices. */

import { valueText } from "../runtime/words/sentences.mjs";
import { makeElement } from "../runtime/words/view.mjs";
import { readableName } from "../runtime/words/words.mjs";

/** @typedef {{seats: number, objective: string, variant: string, values: Record<string, any>}} Settings */
/** @typedef {{name: string, about: string, default: any, least: number | null, most: number | null, one_of: any[]} &
 *   import("../runtime/table/settings.mjs").Counts} Parameter */
/** @typedef {{title: string, summary: string, seats: [number, number, number], objectives: string[],
 *   variants: Record<string, string>, parameters: Parameter[], settings: Settings, values: Record<string, any>}} Game
 * ``values``: of all parameters, where a variant may have set some */

/** Controls for all settings of a game. @param {Game} game @param {(settings: Settings) => void} onChange is called
 * with the changed settings */
export function settingControls(game, onChange) {
  const now = game.settings;
  const change = (/** @type {Partial<Settings>} */ part) => onChange({ ...game.settings, ...part }); // as they are then
  const [least, most] = game.seats;
  const found = [];
  if (least < most)
    found.push(sliderControl("players", now.seats, least, most, (seats) => change({ seats }), "How many play."));
  if (game.objectives.length > 1)
    found.push(
      choiceControl(
        "played for",
        now.objective,
        game.objectives,
        (objective) => change({ objective }),
        "What everybody is after.",
      ),
    );
  const variants = Object.keys(game.variants);
  if (variants.length)
    found.push(
      choiceControl(
        "variant",
        now.variant,
        ["", ...variants],
        (variant) => change({ variant }),
        game.variants[now.variant] ?? "",
      ),
    );
  for (const each of game.parameters) {
    const value = now.values[each.name] ?? game.values[each.name];
    const set = (/** @type {any} */ chosen) => change({ values: { ...game.settings.values, [each.name]: chosen } });
    found.push(parameterControl(each, value, set));
  }
  return found;
}

/** The control of a parameter. @param {Parameter} parameter @param {any} value @param {(value: any) => void}
 * onChange */
function parameterControl(parameter, value, onChange) {
  const { name, about, default: usual, least, most } = parameter;
  const listed = typeof usual === "boolean" ? [true, false] : parameter.one_of;
  const chosen = (/** @type {string} */ one) => onChange(listed.find((item) => String(item) === one));
  if (listed.length) return choiceControl(readableName(name), String(value), listed, chosen, about);
  return sliderControl(readableName(name), value, least ?? 0, most ?? 100, onChange, about, parameter);
}

/** A slider for a number, with a label and the value. @param {string} label the label @param {number} value @param
 * {number} least @param {number} most
 * @param {(value: number) => void} onChange @param {string} description
 * @param {import("../runtime/table/settings.mjs").Counts} [unitAndFactor] */
function sliderControl(label, value, least, most, onChange, description, unitAndFactor) {
  const shown = makeElement("output", {}, valueText(value, unitAndFactor));
  const range = makeElement("input", {
    type: "range",
    min: String(least),
    max: String(most),
    value: String(value),
    title: description,
    oninput: () => {
      shown.textContent = valueText(Number(range.value), unitAndFactor);
      onChange(Number(range.value));
    },
  });
  return makeElement("label", { "data-od-name": label }, label, makeElement("span", { class: "od-row" }, range, shown));
}

/** A drop-down list with a label. @param {string} label the label @param {string} value @param {any[]} options
 * @param {(value: string) => void} onChange
 * @param {string} description */
function choiceControl(label, value, options, onChange, description) {
  const select = makeElement("select", { title: description, onchange: () => onChange(select.value) });
  for (const each of options) {
    const [code, text] = [String(each), each === "" ? "as written" : valueText(each)];
    select.append(makeElement("option", { value: code, selected: code === value }, text));
  }
  return makeElement("label", { "data-od-name": label }, label, select);
}
