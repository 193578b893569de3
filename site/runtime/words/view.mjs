// @ts-check
/** What people see of a game, as elements. Texts are only ever set as text: a ruleset cannot smuggle in markup. */

import { Hand } from "./values.mjs";
import { capital, measured, plain, tell } from "./words.mjs";

/** @typedef {import("./game.mjs").Game} Game */
/** @typedef {import("./rules.mjs").State} State */
/** @typedef {import("./table.mjs").Move} Move */
/** @typedef {{phases: Record<string, string>, variables: Record<string, {label: string, about: string}>,
 *   variants?: Record<string, string>, parameters?: Record<string, string>}} Words how phases and variables are called; what variants
 *   change and parameters mean */
/** @typedef {readonly string[]} Names what the seats are called; without them seats go by their numbers */

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

/** A player as the one to move calls him. @param {number} by places after the mover @param {number} seats */
export function seatName(by, seats) {
  if (by === 0) return tell("you");
  if (seats === 2) return tell("other");
  if (by === 1) return tell("next");
  return by === seats - 1 ? tell("previous") : tell("later", { number: by });
}

/** What a seat is called. @param {number} seat from 0 @param {Names} [names] */
const called = (seat, names) => names?.[seat] || tell("player", { number: seat + 1 });

/** What the seats are called, each in its own way. @param {readonly {name: string}[]} seats @returns {string[]} */
export function namesOf(seats) {
  const names = seats.map(({ name }, place) => name || capital(tell("player", { number: place + 1 })));
  const alone = (/** @type {string} */ name) => names.indexOf(name) === names.lastIndexOf(name);
  return names.map((name, place) => (alone(name) ? name : tell("namesake", { name, number: place + 1 })));
}

/** A value in words. @param {Game} game @param {any} value @param {string} [kind] @param {Names} [names] @returns {string} */
export function shown(game, value, kind = "", names) {
  if (value instanceof Hand)
    return value.dice.map(([face, die]) => game.face(die, face)).join(" ") || tell("noDice");
  if (Array.isArray(value)) return `[${value.map((item) => shown(game, item)).join(", ")}]`;
  if (typeof value === "boolean") return tell(value ? "yes" : "no");
  return kind === "seat" ? called(value, names) : String(value);
}

/** What an action is called. @param {Game} game @param {State} state @param {import("./rules.mjs").Action} action
 * @param {Names} [names] */
export function actionName(game, state, action, names) {
  const loops = game.bundle.phases[state.phase].entries[action.entry].for;
  const values = Object.entries(action.binding).map(([name, value]) => {
    const [, items] = loops.find((/** @type {[string, any]} */ pair) => pair[0] === name);
    const seats = ["others", "everyone", "table"].includes(items[0]);
    return seats ? called(value, names) : `${plain(name)} ${shown(game, value)}`;
  });
  return values.length ? `${action.name} (${values.join(", ")})` : action.name;
}

/** A move as a sentence. @param {Game} game @param {State} before @param {Move} move
 * @param {string | null} name of who moves; null for the reader @param {Names} [names] of the seats */
export function moveText(game, before, move, name, names) {
  const data = { name: name ?? "" };
  const said = move.events.map(([, entry]) => entry);
  if (move.action) {
    const what = [actionName(game, before, move.action, names), ...said.slice(1).filter(Boolean)].join(", ");
    return tell(name === null ? "youChose" : "chose", { ...data, what });
  }
  const fell = (move.thrown ?? []).map(([, value]) => shown(game, value)).join("; ");
  const story = said.filter(Boolean).join(", ");
  const drawn = move.thrown?.some(([, value]) => !(value instanceof Hand));
  const mine = drawn ? /** @type {const} */ (["youDrew", "youDrewThen"]) : /** @type {const} */ (["youRolled", "youRolledThen"]);
  const theirs = drawn ? /** @type {const} */ (["drew", "drewThen"]) : /** @type {const} */ (["rolled", "rolledThen"]);
  return tell((name === null ? mine : theirs)[story ? 1 : 0], { ...data, fell, story });
}

/** @typedef {{label: string, values: string}} Line a variable and what it holds */

/** The whole position as text: what lies in the middle, and what is every seat's own.
 * @param {Game} game @param {Words} words @param {State} state @param {readonly string[]} names of the seats
 * @returns {{middle: Line[], seats: {name: string, moves: boolean, own: Line[]}[]}} */
export function lines(game, words, state, names) {
  /** @param {import("./game.mjs").Variable} variable @param {number} [seat] whose cells; of all where it is not said */
  const line = ({ name, kind }, seat) => {
    const mine = game.cellsOf(name).filter((where) => seat === undefined || game.cells[where].index[0] === seat);
    const values = mine.map((where) => {
      const index = game.cells[where].index.slice(seat === undefined ? 0 : 1);
      const text = shown(game, state.cells[where], kind, names);
      return index.length ? `${index.map((item) => shown(game, item)).join(" ")}: ${text}` : text;
    });
    return { label: words.variables[name]?.label ?? name, values: values.join(", ") };
  };
  const each = game.variables.filter(({ dims }) => dims[0] === "seat");
  const common = game.variables.filter(({ dims }) => dims[0] !== "seat");
  const seats = names.map((name, seat) => ({
    name: (state.out >> seat) & 1 ? tell("out", { name }) : name,
    moves: state.phase !== "" && state.mover === seat,
    own: each.map((one) => line(one, seat)),
  }));
  return { middle: common.map((one) => line(one)), seats };
}

/** The same as elements. @param {Game} game @param {Words} words @param {State} state @param {readonly string[]} names */
export function board(game, words, state, names) {
  const { middle, seats } = lines(game, words, state, names);
  const list = (/** @type {Line[]} */ all, properties = {}) =>
    make("dl", properties, ...all.flatMap(({ label, values }) => [make("dt", {}, label), make("dd", {}, values)]));
  const items = seats.map(({ name, moves, own }) =>
    make("li", { class: moves ? "od-board-mover" : "" }, make("strong", {}, moves ? tell("toMove", { name }) : name), list(own)));
  return make("div", { class: "od-board" }, list(middle, { class: "od-board-common" }), make("ul", { class: "od-board-seats" }, ...items),
    terms(words));
}

/** @type {WeakSet<Words>} words whose explanations somebody has opened: they stay so when the board is drawn again */
const explained = new WeakSet();

/** What the words of a board mean, for the keyboard and for readers of the screen too. @param {Words} words */
function terms(words) {
  const told = Object.values(words.variables).filter(({ about }) => about);
  if (!told.length) return null;
  const keep = () => void (details.open ? explained.add(words) : explained.delete(words));
  const list = told.map(({ label, about }) => make("p", {}, make("strong", {}, label), `: ${about}`));
  const details = make("details", { class: "od-terms", open: explained.has(words), ontoggle: keep },
    make("summary", { "data-od": "terms" }, tell("terms")), ...list);
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
 * @param {string[]} names @param {import("./policy.mjs").Worth[]} worth
 * @param {(units: number) => string} say @param {(units: number) => string} cost */
export function ranking(names, worth, say, cost) {
  const rows = [...worth]
    .sort((a, b) => a.loss - b.loss || a.action - b.action)
    .map((one) => {
      const loss = one.loss === 0 ? tell("best") : one.loss === 1 ? tell("least", { amount: cost(1) }) : cost(one.loss - 1);
      return make("tr", {}, make("th", { scope: "row" }, names[one.action]), make("td", {}, say(one.value)), make("td", {}, loss));
    });
  const heads = /** @type {const} */ (["action", "worth", "costs"]).map((key) => make("th", { scope: "col" }, tell(key)));
  const table = make("table", { class: "od-table" }, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows));
  return make("div", { class: "od-scroll", tabIndex: 0, role: "region", "aria-label": tell("ranking") }, table);
}

/** Bring a story up to date without touching what is told already. @param {HTMLElement} place @param {string[]} story */
export function follow(place, story) {
  const list = /** @type {HTMLElement} */ (place.firstElementChild);
  let same = 0;
  while (same < story.length && list.children[same]?.textContent === story[same]) same++;
  while (list.children.length > same) list.lastElementChild?.remove();
  list.append(...story.slice(same).map((text) => make("li", {}, text)));
  place.hidden = !story.length;
  place.scrollTop = place.scrollHeight;
}
