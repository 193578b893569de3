// @ts-check
/** A whole position as people see it on a table. Texts are only ever set as text. */

import { drawnThrow, line } from "./drawn.mjs";
import { drawnLine, drawnSeat } from "./pieces.mjs";
import { lines, moveParts } from "./sentences.mjs";
import { make } from "./view.mjs";
import { tell } from "./words.mjs";

/** @typedef {import("../rules/game.mjs").Game} Game */
/** @typedef {import("../rules/rules.mjs").State} State */
/** @typedef {import("../table/record.mjs").Told} Told */
/** @typedef {import("../table/settings.mjs").Words} Words */
/** @typedef {import("./sentences.mjs").Line} Line */

/** What fell last, and the position. @param {{game: Game, words: Words}} ready @param {State} state
 * @param {readonly {thrown: [string, any][] | null}[]} moves so far @param {readonly string[]} names
 * @returns {HTMLElement[]} */
export function staged({ game, words }, state, moves, names) {
  const last = moves.findLast(({ thrown }) => thrown)?.thrown;
  return [...(last ? [drawnThrow(game, last, false)] : []), board(game, words, state, names)];
}

/** What happened so far, a line for each move. @param {Game} game @param {readonly Told[]} moves
 * @param {readonly string[]} names @returns {import("./drawn.mjs").Line[]} */
export function story(game, moves, names) {
  return moves.map((move) => line(game, moveParts(game, move.before, move, names[move.seat], names)));
}

/** A whole position. @param {Game} game @param {Words} words @param {State} state @param {readonly string[]} names */
export function board(game, words, state, names) {
  const { middle, seats } = lines(game, words, state, names);
  const list = (/** @type {Line[]} */ all, properties = {}) =>
    make(
      "dl",
      properties,
      ...all.flatMap((line) => [make("dt", {}, line.label), make("dd", {}, drawnLine(game, line))]),
    );
  const items = seats.map(({ name, moves, own }, seat) =>
    make(
      "li",
      { class: moves ? "od-board-mover" : "" },
      drawnSeat(seat, moves),
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
  const explainable = Object.values(words.variables).filter(({ about, show }) => about && show !== "hidden");
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
