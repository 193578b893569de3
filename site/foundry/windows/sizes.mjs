// @ts-check
/** Controls for any setting of a game: the number of players, a variant, and every parameter. */

import { parameterValues } from "../../runtime/rules/game.mjs";
import { requirementTexts } from "../../runtime/table/settings.mjs";
import { selectControl, labelledControl } from "../../runtime/words/controls.mjs";
import { rangeText, valueText } from "../../runtime/words/sentences.mjs";
import { makeElement } from "../../runtime/words/view.mjs";
import { capitalized, readableName } from "../../runtime/words/words.mjs";
import { localizedText } from "../world/words.mjs";

/** @typedef {import("../../runtime/table/settings.mjs").PlayFile} PlayFile */
/** @typedef {import("../../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {{seats: number, values: Record<string, any>}} Size the values of all parameters */

/** Parse a whole number; beyond a bound, it becomes the bound. @param {string} text
 * @param {number} factor how often people count it @param {number | null} min @param {number | null} max */
function parseClampedNumber(text, factor, min, max) {
  const typed = Math.trunc(Number(text) / factor) || 0;
  return Math.max(min ?? -Infinity, Math.min(max ?? Infinity, typed));
}

/** An input for a whole number. @param {string} name for focus @param {number} value @param {number | null} min
 * @param {number | null} max
 * @param {(value: number) => void} onChange @param {number} [factor] how often people count it
 * @returns {HTMLInputElement} */
function numberInput(name, value, min, max, onChange, factor = 1) {
  const typed = () => onChange(parseClampedNumber(input.value, factor, min, max));
  const input = makeElement("input", {
    type: "number",
    step: factor,
    value: String(value * factor),
    required: true,
    "data-od": name,
    onchange: typed,
  });
  if (min !== null) input.min = String(min * factor);
  if (max !== null) input.max = String(max * factor);
  return input;
}

/** A control for the value of one parameter. @param {string} name
 * @param {{default: any, min: number | null, max: number | null, one_of: any[]}} parameter
 * @param {any} value
 * @param {(value: any) => void} onChange @param {number} [factor] */
function parameterControl(name, { default: usual, min, max, one_of: listed }, value, onChange, factor) {
  const od = `value ${name}`;
  if (listed.length) {
    const texts = listed.map((one, i) => /** @type {const} */ ([String(i), valueText(one)]));
    return selectControl(texts, String(listed.indexOf(value)), (i) => onChange(listed[Number(i)]), { "data-od": od });
  }
  if (typeof usual !== "boolean") return numberInput(od, value, min, max, onChange, factor);
  const box = makeElement("input", {
    type: "checkbox",
    checked: value,
    "data-od": od,
    onchange: () => onChange(box.checked),
  });
  return box;
}

/** A drop-down list of variants, each of which sets all values; null if the rules have no variants. @param {PlayFile}
 * file @param {Size} size
 * @param {(size: Size) => void} onChange */
function variantControl({ bundle }, { seats, values }, onChange) {
  const names = Object.keys(bundle.variants);
  if (!names.length) return null;
  const filled = (/** @type {string} */ name) => {
    // A variant may set the number of players.
    const { seats: wanted = seats, ...rest } = parameterValues(bundle, {}, name || undefined);
    return { seats: wanted, values: rest };
  };
  const is = (/** @type {string} */ name) => {
    const wanted = filled(name);
    return wanted.seats === seats && Object.entries(wanted.values).every(([key, value]) => values[key] === value);
  };
  const own = "\n"; // no variant has this name
  const current = ["", ...names].find(is) ?? own;
  const texts = [
    ["", localizedText("ODDSMITH.New.AsWritten")],
    ...names.map((name) => [name, capitalized(readableName(name))]),
  ];
  if (current === own) texts.unshift([own, localizedText("ODDSMITH.New.OwnValues")]);
  const list = selectControl(
    /** @type {[string, string][]} */ (texts),
    current,
    (name) => name !== own && onChange(filled(name)),
    { "data-od": "variant" },
  );
  return labelledControl(localizedText("ODDSMITH.New.Variant"), list);
}

/** Controls for the players, the variant and all parameters, with the conditions that the rules set on them. @param
 * {PlayFile} playFile @param {Size} size
 * @param {(size: Size) => void} onChange @returns {HTMLElement[]} */
export function sizeControls(playFile, size, onChange) {
  const { seats, parameters } = playFile.bundle;
  const { values } = size;
  const title = rangeText(localizedText("ODDSMITH.New.Players"), { min: seats[0], max: seats[1] });
  const players = numberInput("seats", size.seats, seats[0], seats[1], (count) => onChange({ ...size, seats: count }));
  const rows = Object.entries(parameters).map(([name, parameter]) => {
    const words = playFile.words.parameters?.[name];
    const set = (/** @type {any} */ value) => onChange({ ...size, values: { ...values, [name]: value } });
    return labelledControl(
      rangeText(capitalized(readableName(name)), parameter, words),
      parameterControl(name, parameter, values[name], set, words?.times),
      words?.about,
    );
  });
  const limits = requirementTexts(playFile).map((text) => makeElement("p", { class: "od-note" }, text));
  const all = [
    seats[0] < seats[1] ? labelledControl(title, players) : null,
    variantControl(playFile, size, onChange),
    ...rows,
    ...limits,
  ];
  return all.filter((one) => one !== null);
}
