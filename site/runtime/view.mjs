// @ts-check
/** What people see of a game, as elements. Texts are only ever set as text: a ruleset cannot smuggle in markup. */

import { Hand } from "./values.mjs";

/** @typedef {import("./game.mjs").Game} Game */
/** @typedef {import("./rules.mjs").State} State */
/** @typedef {import("./table.mjs").Move} Move */
/** @typedef {{phases: Record<string, string>, variables: Record<string, {label: string, about: string}>}} Words */

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
  if (by === 0) return "you";
  if (seats === 2) return "the other player";
  if (by === 1) return "the next player";
  return by === seats - 1 ? "the previous player" : `the player ${by} seats on`;
}

/** A value in words. @param {Game} game @param {any} value @param {string} kind @returns {string} */
export function shown(game, value, kind = "") {
  if (value instanceof Hand)
    return value.dice.map(([face, die]) => game.face(die, face)).join(" ") || "no dice";
  if (Array.isArray(value)) return `[${value.map((item) => shown(game, item)).join(", ")}]`;
  if (typeof value === "boolean") return value ? "yes" : "no";
  return kind === "seat" ? `player ${value + 1}` : String(value);
}

/** What an action is called. @param {Game} game @param {State} state @param {import("./rules.mjs").Action} action */
export function actionName(game, state, action) {
  const loops = game.bundle.phases[state.phase].entries[action.entry].for;
  const values = Object.entries(action.binding).map(([name, value]) => {
    const [, items] = loops.find((/** @type {[string, any]} */ pair) => pair[0] === name);
    const seats = ["others", "everyone", "table"].includes(items[0]);
    return seats ? `player ${value + 1}` : `${name.replaceAll("_", " ")} ${shown(game, value)}`;
  });
  return values.length ? `${action.name} (${values.join(", ")})` : action.name;
}

/** A move as a sentence. @param {Game} game @param {State} before @param {Move} move @param {string} who */
export function moveText(game, before, move, who) {
  const named = move.events.map(([, entry]) => entry);
  const story = named.filter(Boolean).join(", ");
  if (move.action) {
    const more = named.slice(1).filter(Boolean);
    return `${who}: ${[actionName(game, before, move.action), ...more].join(", ")}.`;
  }
  const fell = (move.thrown ?? []).map(([, value]) => shown(game, value)).join("; ");
  const verb = move.thrown?.some(([, value]) => !(value instanceof Hand)) ? "draw" : "roll";
  return `${who} ${verb}${who === "You" ? "" : "s"} ${fell}${story && `: ${story}`}.`;
}

/** The whole position: what lies in the middle, then every player with what is theirs.
 * @param {Game} game @param {Words} words @param {State} state @param {string[]} names of the seats */
export function board(game, words, state, names) {
  /** @param {import("./game.mjs").Variable} variable @param {number[]} cells */
  const line = (variable, cells) => {
    const values = cells.map((where) => {
      const { index } = game.cells[where];
      const own = variable.dims[0] === "seat" ? index.slice(1) : index;
      const text = shown(game, state.cells[where], variable.kind);
      return own.length ? `${own.map((item) => shown(game, item)).join(" ")}: ${text}` : text;
    });
    return [make("dt", { title: words.variables[variable.name]?.about ?? "" }, words.variables[variable.name]?.label ?? variable.name),
      make("dd", {}, values.join(", "))];
  };
  const perSeat = game.variables.filter(({ dims }) => dims[0] === "seat");
  const common = game.variables.filter(({ dims }) => dims[0] !== "seat");
  const middle = make("dl", { class: "od-board-common" }, ...common.flatMap((one) => line(one, game.cellsOf(one.name))));
  const seats = names.map((name, seat) => {
    const moves = state.phase !== "" && state.mover === seat;
    const gone = (state.out >> seat) & 1 ? " (out)" : "";
    const lines = perSeat.flatMap((one) => {
      const cells = game.cellsOf(one.name);
      const each = cells.length / game.seats;
      return line(one, cells.slice(seat * each, (seat + 1) * each));
    });
    const head = make("strong", {}, `${name}${gone}${moves ? " – to move" : ""}`);
    return make("li", { class: moves ? "od-board-mover" : "" }, head, make("dl", {}, ...lines));
  });
  return make("div", { class: "od-board" }, middle, make("ul", { class: "od-board-seats" }, ...seats));
}

/** A whole number of units of 10^-places as a decimal number, in percent where it is a share of a win.
 * @param {number} units @param {number} places @param {boolean} share @param {string} unit */
export function amount(units, places, share, unit) {
  const digits = share ? places - 2 : places;
  const size = String(Math.abs(units)).padStart(digits + 1, "0");
  const text = `${units < 0 ? "−" : ""}${size.slice(0, -digits)}.${size.slice(-digits)}`;
  return share ? `${text} %` : `${text} ${unit}`.trim();
}

/** A table of the actions of a position with what each is worth and loses.
 * @param {string[]} names @param {import("./policy.mjs").Worth[]} worth
 * @param {(units: number) => string} say @param {(units: number) => string} cost */
export function ranking(names, worth, say, cost) {
  const rows = [...worth]
    .sort((a, b) => a.loss - b.loss || a.action - b.action)
    .map((one) => {
      const loss = one.loss === 0 ? "best" : one.loss === 1 ? `under ${cost(1)}` : cost(one.loss - 1);
      return make("tr", {}, make("th", { scope: "row" }, names[one.action]), make("td", {}, say(one.value)), make("td", {}, loss));
    });
  const heads = ["Action", "Worth from here", "Costs"].map((text) => make("th", { scope: "col" }, text));
  const table = make("table", { class: "od-table" }, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows));
  return make("div", { class: "od-scroll", tabIndex: 0, role: "region", "aria-label": "What the actions are worth" }, table);
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
