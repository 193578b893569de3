// @ts-check
/** Elements of pages about a game. Texts are only ever set as text, so a ruleset cannot bring in markup. */

import { make } from "../felt/elements.mjs";
import { measuredText, tell } from "./words.mjs";

export { make };

/** A whole number of units of 10^-places, as a decimal number with its unit.
 * @param {number} units @param {number} places @param {{share: boolean, chance?: boolean, unit: string}} setting
 * @param {"percent" | "points"} [percent] how percentages are written: as `measuredText` has it */
export function amountText(units, places, setting, percent) {
  const digits = setting.share || setting.chance ? places - 2 : places;
  const size = String(Math.abs(units)).padStart(digits + 1, "0");
  return measuredText(`${units < 0 ? "-" : ""}${size.slice(0, -digits)}.${size.slice(-digits)}`, setting, percent);
}

/** A whole number of units of 10^-places as text, as `amountText` writes it, rounded to `few` places.
 * @param {number} units @param {number} places @param {number} few
 * @param {{share: boolean, chance?: boolean, unit: string}} setting @param {"percent" | "points"} [percent] */
export function roundedAmountText(units, places, few, setting, percent) {
  return amountText(Math.round(units / 10 ** (places - few)), few, setting, percent);
}

/** A table of the actions of a position, with the value and the loss of each.
 * @param {string[]} names @param {import("../table/policy.mjs").Worth[]} worth
 * @param {(units: number) => string} say @param {(units: number) => string} cost */
export function rankingTable(names, worth, say, cost) {
  const rows = [...worth]
    .sort((a, b) => a.loss - b.loss || a.action - b.action)
    .map((one) => {
      const loss =
        one.loss === 0 ? tell("best") : one.loss === 1 ? tell("least", { amount: cost(1) }) : cost(one.loss - 1);
      return make(
        "tr",
        {},
        make("th", { scope: "row" }, names[one.action]),
        make("td", {}, say(one.value)),
        make("td", {}, loss),
      );
    });
  const heads = /** @type {const} */ (["action", "worth", "costs"]).map((key) =>
    make("th", { scope: "col" }, tell(key)),
  );
  const table = make(
    "table",
    { class: "od-table" },
    make("thead", {}, make("tr", {}, ...heads)),
    make("tbody", {}, ...rows),
  );
  return make("div", { class: "od-scroll", tabIndex: 0, role: "region", "aria-label": tell("ranking") }, table);
}

/** Put elements into a place, in order. Elements that are there already stay and keep the focus.
 * @param {HTMLElement} place @param {readonly Node[]} parts */
export function replaceChildrenInPlace(place, parts) {
  for (const old of [...place.childNodes]) if (!parts.includes(old)) old.remove();
  let next = place.firstChild;
  for (const part of parts)
    if (part === next) next = next.nextSibling;
    else place.insertBefore(part, next);
}

/** A fact as a name over its value, such as "Pot" over "10 gp"; a fact without a name is a value alone. The sentence
 * stays whole for whoever hears or copies it. @param {string} text @returns {Node[]} */
export function factParts(text) {
  const [, name, value] = /^([^:]{1,30}:) (.+)$/s.exec(text) ?? [];
  if (!value) return [make("b", {}, text)];
  return [make("span", { class: "od-fact-name" }, name), make("span", {}, " "), make("b", {}, value)];
}

/** Update a story without touching the lines that stay the same. @param {HTMLElement} place
 * @param {import("./drawn.mjs").Line[]} story */
export function updateStory(place, story) {
  const list = /** @type {HTMLElement} */ (place.firstElementChild);
  let same = 0;
  const told = (/** @type {number} */ line) => /** @type {HTMLElement} */ (list.children[line])?.dataset.text;
  while (same < story.length && told(same) === story[same].text) same++;
  while (list.children.length > same) list.lastElementChild?.remove();
  list.append(...story.slice(same).map(({ text, draw }) => make("li", { "data-text": text }, ...draw())));
  place.hidden = !story.length;
  place.scrollTop = place.scrollHeight;
}
