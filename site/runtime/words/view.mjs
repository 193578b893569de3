// @ts-check
/** Elements of pages about a game. Texts are only ever set as text, so a ruleset cannot bring in markup. */

import { makeElement } from "../felt/elements.mjs";
import { measuredText, sentenceText } from "./words.mjs";

export { makeElement };

/** A whole number of units of 10^-places, as a decimal number with its unit.
 * @param {number} units @param {number} places @param {{share: boolean, chance?: boolean, unit: string}} setting
 * @param {"percent" | "points"} [percentStyle] how percentages are written: as `measuredText` has it */
export function amountText(units, places, setting, percentStyle) {
  const digits = setting.share || setting.chance ? places - 2 : places;
  const size = String(Math.abs(units)).padStart(digits + 1, "0");
  return measuredText(`${units < 0 ? "-" : ""}${size.slice(0, -digits)}.${size.slice(-digits)}`, setting, percentStyle);
}

/** A whole number of units of 10^-places as text, as `amountText` writes it, rounded to `shownPlaces` places.
 * @param {number} units @param {number} places @param {number} shownPlaces
 * @param {{share: boolean, chance?: boolean, unit: string}} setting @param {"percent" | "points"} [percentStyle] */
export function roundedAmountText(units, places, shownPlaces, setting, percentStyle) {
  return amountText(Math.round(units / 10 ** (places - shownPlaces)), shownPlaces, setting, percentStyle);
}

/** A table of the actions of a position, with the value and the loss of each.
 * @param {string[]} names @param {import("../table/policy.mjs").Worth[]} actionValues
 * @param {(units: number) => string} valueText @param {(units: number) => string} lossText */
export function rankingTable(names, actionValues, valueText, lossText) {
  const rows = [...actionValues]
    .sort((a, b) => a.loss - b.loss || a.action - b.action)
    .map((one) => {
      const loss =
        one.loss === 0
          ? sentenceText("best")
          : one.loss === 1
            ? sentenceText("least", { amount: lossText(1) })
            : lossText(one.loss - 1);
      return makeElement(
        "tr",
        {},
        makeElement("th", { scope: "row" }, names[one.action]),
        makeElement("td", {}, valueText(one.value)),
        makeElement("td", {}, loss),
      );
    });
  const heads = /** @type {const} */ (["action", "worth", "costs"]).map((key) =>
    makeElement("th", { scope: "col" }, sentenceText(key)),
  );
  const table = makeElement(
    "table",
    { class: "od-table" },
    makeElement("thead", {}, makeElement("tr", {}, ...heads)),
    makeElement("tbody", {}, ...rows),
  );
  return makeElement(
    "div",
    { class: "od-scroll", tabIndex: 0, role: "region", "aria-label": sentenceText("ranking") },
    table,
  );
}

/** Put elements into a place, in order. Elements that are there already stay and keep the focus.
 * @param {HTMLElement} container @param {readonly Node[]} elements */
export function replaceChildrenInPlace(container, elements) {
  for (const old of [...container.childNodes]) if (!elements.includes(old)) old.remove();
  let next = container.firstChild;
  for (const part of elements)
    if (part === next) next = next.nextSibling;
    else container.insertBefore(part, next);
}

/** A fact as a name over its value, such as "Pot" over "10 gp"; a fact without a name is a value alone. The sentence
 * stays whole for whoever hears or copies it. @param {string} text @returns {Node[]} */
export function factParts(text) {
  const [, name, value] = /^([^:]{1,30}:) (.+)$/s.exec(text) ?? [];
  if (!value) return [makeElement("b", {}, text)];
  return [
    makeElement("span", { class: "od-fact-name" }, name),
    makeElement("span", {}, " "),
    makeElement("b", {}, value),
  ];
}

/** Update a story without touching the lines that stay the same. @param {HTMLElement} container
 * @param {import("./drawn.mjs").Line[]} lines */
export function updateMoveLines(container, lines) {
  const list = /** @type {HTMLElement} */ (container.firstElementChild);
  let same = 0;
  const told = (/** @type {number} */ line) => /** @type {HTMLElement} */ (list.children[line])?.dataset.text;
  while (same < lines.length && told(same) === lines[same].text) same++;
  while (list.children.length > same) list.lastElementChild?.remove();
  list.append(...lines.slice(same).map(({ text, draw }) => makeElement("li", { "data-text": text }, ...draw())));
  container.hidden = !lines.length;
  container.scrollTop = container.scrollHeight;
}
