// @ts-check
/** Controls for a size of a game that nobody needs to have solved (how many players, a variant, every value of the rules), and what
 * is said of a size. */

import { required } from "../runtime/book.mjs";
import { settings } from "../runtime/game.mjs";
import { make } from "../runtime/view.mjs";
import { capital, plain } from "../runtime/words.mjs";
import { stakes } from "./currency.mjs";
import { choice, labelled, say } from "./words.mjs";

/** @typedef {import("../runtime/book.mjs").Book} Book */
/** @typedef {import("../runtime/book.mjs").Ready} Ready */
/** @typedef {{seats: number, values: Record<string, any>}} Size the values of all parameters */

/** A whole number within bounds, of which either may be missing. @param {string} text @param {number | null} min
 * @param {number | null} max */
function whole(text, min, max) {
  const typed = Math.trunc(Number(text)) || 0;
  return Math.max(min ?? -Infinity, Math.min(max ?? Infinity, typed));
}

/** @param {string} name for focus @param {number} value @param {number | null} min @param {number | null} max
 * @param {(value: number) => void} changed @returns {HTMLInputElement} */
function number(name, value, min, max, changed) {
  const typed = () => changed(whole(input.value, min, max));
  const input = make("input", { type: "number", step: 1, value: String(value), required: true, "data-od": name, onchange: typed });
  if (min !== null) input.min = String(min);
  if (max !== null) input.max = String(max);
  return input;
}

/** @param {string} name @param {{min: number | null, max: number | null}} bounds */
function bounded(name, { min, max }) {
  return min === null || max === null ? name : say("ODDSMITH.New.Bounds", { name, min, max });
}

/** @param {string} name @param {{default: any, min: number | null, max: number | null, one_of: any[]}} parameter @param {any} value
 * @param {(value: any) => void} changed */
function control(name, { default: usual, min, max, one_of: listed }, value, changed) {
  const od = `value ${name}`;
  if (listed.length) {
    const texts = listed.map((one, i) => /** @type {const} */ ([String(i), plain(String(one))]));
    return choice(texts, String(listed.indexOf(value)), (i) => changed(listed[Number(i)]), { "data-od": od });
  }
  if (typeof usual !== "boolean") return number(od, value, min, max, changed);
  const box = make("input", { type: "checkbox", checked: value, "data-od": od, onchange: () => changed(box.checked) });
  return box;
}

/** A variant fills in its values. @param {Book} book @param {Size} size @param {(size: Size) => void} changed */
function variants({ bundle }, { seats, values }, changed) {
  const names = Object.keys(bundle.variants);
  if (!names.length) return null;
  const filled = (/** @type {string} */ name) => {
    const { seats: wanted = seats, ...rest } = settings(bundle, {}, name || undefined); // a variant may set the number of players
    return { seats: wanted, values: rest };
  };
  const is = (/** @type {string} */ name) => {
    const wanted = filled(name);
    return wanted.seats === seats && Object.entries(wanted.values).every(([key, value]) => values[key] === value);
  };
  const own = "\n"; // no variant has this name
  const found = ["", ...names].find(is) ?? own;
  const texts = [["", say("ODDSMITH.New.AsWritten")], ...names.map((name) => [name, capital(plain(name))])];
  if (found === own) texts.unshift([own, say("ODDSMITH.New.OwnValues")]);
  const list = choice(/** @type {[string, string][]} */ (texts), found, (name) => name !== own && changed(filled(name)), { "data-od": "variant" });
  return labelled(say("ODDSMITH.New.Variant"), list);
}

/** One control for whatever the rules leave open. @param {Book} book @param {Size} size @param {(size: Size) => void} changed
 * @returns {HTMLElement[]} */
export function sizeControls(book, size, changed) {
  const { seats, parameters } = book.bundle;
  const { values } = size;
  const title = bounded(say("ODDSMITH.New.Players"), { min: seats[0], max: seats[1] });
  const players = number("seats", size.seats, seats[0], seats[1], (count) => changed({ ...size, seats: count }));
  const rows = Object.entries(parameters).map(([name, parameter]) => labelled(bounded(capital(plain(name)), parameter),
    control(name, parameter, values[name], (value) => changed({ ...size, values: { ...values, [name]: value } })),
    book.words.parameters?.[name]));
  const limits = required(book).map((text) => make("p", { class: "od-note" }, text));
  const all = [seats[0] < seats[1] ? labelled(title, players) : null, variants(book, size, changed), ...rows, ...limits];
  return all.filter((one) => one !== null);
}

/** What the pot goes by, where advice and odds are for something else; empty where they agree. @param {Ready} ready */
export function otherGoal(ready) {
  const { objective, policy } = ready.setting;
  const payoff = stakes(ready)?.payoff ?? objective;
  if (payoff === objective) return "";
  const named = { pot: plain(payoff), goal: plain(objective) };
  return policy === null ? say("ODDSMITH.Table.PotBy", named) : say("ODDSMITH.Table.OtherGoal", named);
}
