// @ts-check
/** What people see of a game, as elements of a page. Texts are only ever set as text: a ruleset cannot smuggle in
 * markup. */

import { lines } from "./sentences.mjs";
import { measured, tell } from "./words.mjs";

/** @typedef {import("../rules/game.mjs").Game} Game */
/** @typedef {import("../rules/rules.mjs").State} State */
/** @typedef {import("../table/settings.mjs").Words} Words */
/** @typedef {import("./sentences.mjs").Line} Line */

/** An element with properties and children. @param {string} name @param {Record<string, any>} properties
 * @param {...(Node | string | null)} children @returns {any} */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "class") element.className = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element) /** @type {any} */ (element)[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** A whole position. @param {Game} game @param {Words} words @param {State} state @param {readonly string[]} names */
export function board(game, words, state, names) {
  const { middle, seats } = lines(game, words, state, names);
  const list = (/** @type {Line[]} */ all, properties = {}) =>
    make("dl", properties, ...all.flatMap(({ label, values }) => [make("dt", {}, label), make("dd", {}, values)]));
  const items = seats.map(({ name, moves, own }) =>
    make(
      "li",
      { class: moves ? "od-board-mover" : "" },
      make("strong", {}, moves ? tell("toMove", { name }) : name),
      list(own),
    ),
  );
  return make(
    "div",
    { class: "od-board" },
    list(middle, { class: "od-board-common" }),
    make("ul", { class: "od-board-seats" }, ...items),
    terms(words),
  );
}

/** @type {WeakSet<Words>} words whose explanations somebody has opened: they stay so when the board is drawn again */
const explained = new WeakSet();

/** What the words of a board mean, for the keyboard and for readers of the screen too. @param {Words} words */
function terms(words) {
  const explainable = Object.values(words.variables).filter(({ about }) => about);
  if (!explainable.length) return null;
  const keep = () => void (details.open ? explained.add(words) : explained.delete(words));
  const list = explainable.map(({ label, about }) => make("p", {}, make("strong", {}, label), `: ${about}`));
  const details = make(
    "details",
    { class: "od-terms", open: explained.has(words), ontoggle: keep },
    make("summary", { "data-od": "terms" }, tell("terms")),
    ...list,
  );
  return details;
}

/** A whole number of units of 10^-places as a decimal number with what it counts.
 * @param {number} units @param {number} places @param {{share: boolean, chance?: boolean, unit: string}} setting
 * @param {"percent" | "points"} [percent] */
export function amount(units, places, setting, percent) {
  const digits = setting.share || setting.chance ? places - 2 : places;
  const size = String(Math.abs(units)).padStart(digits + 1, "0");
  return measured(`${units < 0 ? "-" : ""}${size.slice(0, -digits)}.${size.slice(-digits)}`, setting, percent);
}

/** A table of the actions of a position with what each is worth and loses.
 * @param {string[]} names @param {import("../table/policy.mjs").Worth[]} worth
 * @param {(units: number) => string} say @param {(units: number) => string} cost */
export function ranking(names, worth, say, cost) {
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

/** Bring a story up to date without touching the lines that are there already. @param {HTMLElement} place
 * @param {string[]} story */
export function follow(place, story) {
  const list = /** @type {HTMLElement} */ (place.firstElementChild);
  let same = 0;
  while (same < story.length && list.children[same]?.textContent === story[same]) same++;
  while (list.children.length > same) list.lastElementChild?.remove();
  list.append(...story.slice(same).map((text) => make("li", {}, text)));
  place.hidden = !story.length;
  place.scrollTop = place.scrollHeight;
}
