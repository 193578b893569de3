// @ts-check
/** A whole position drawn as a table: felt in a wooden rim, the seats around it, and what lies on it. Texts are only
 * ever set as text. */

import { make } from "../felt/elements.mjs";
import { addStyles } from "../felt/look.mjs";
import { animateChanges, tumbleDice } from "../felt/motion.mjs";
import { drawCandle, drawCrown, initials, drawMedal } from "../felt/seats.mjs";
import { switchSounds, soundsOn } from "../felt/sounds.mjs";
import { COVERED, Hand } from "../rules/values.mjs";
import { drawRoll, storyLine } from "./drawn.mjs";
import { drawBoards } from "./boardlayout.mjs";
import { drawVariable, pileName } from "./pieces.mjs";
import { endText, positionLines, moveParts, winners } from "./sentences.mjs";
import { groupDigits, tell } from "./words.mjs";

/** @typedef {import("../rules/game.mjs").Game} Game */
/** @typedef {import("../rules/rules.mjs").State} State */
/** @typedef {import("../table/record.mjs").Told} Told */
/** @typedef {import("../table/settings.mjs").Ready} Ready */
/** @typedef {import("../table/settings.mjs").Words} Words */
/** @typedef {import("../felt/motion.mjs").Pile} Pile */
/** @typedef {import("./sentences.mjs").Line} Line */
/** @typedef {{name: string, moves: boolean, own: Line[]}} Seat
 * @typedef {{thrown?: [string, any][] | null, fresh?: boolean, mine?: readonly number[], pictures?: readonly string[],
 * best?: readonly number[], result?: string, latest?: import("./drawn.mjs").Line, past?: State[]}} Shown besides the
 * position: what fell last; whether the last move has only just been made; the seats of whoever looks, who sits at the
 * near side; a picture for each seat; the seats that have won and how it ended, if the game is over; the story of the
 * last move, and the states before all moves */

const MIN_ROUND_SEATS = 4; // the fewest seats of which some sit at the sides
const MAX_SIDE_THINGS = 2; // the most things that a seat at a side has before it

addStyles(); // also for seats that are being taken before there is a board

/** Draw the position with the last roll, and the notes below it.
 * @param {Ready} loadedGame @param {State} state
 * @param {readonly {thrown: [string, any][] | null, covered?: string, before?: State}[]} moves so far
 * @param {readonly string[]} names
 * @param {Shown} [shown] @returns {HTMLElement[]} */
export function drawPosition(loadedGame, state, moves, names, shown = {}) {
  const thrown = moves.findLast((move) => move.thrown || move.covered === "throw")?.thrown;
  const open = !state.cells.includes(COVERED); // else it is not over before everything is opened
  const over = !state.phase && open;
  const best = over ? winners(loadedGame, state) : [];
  const result = over ? endText(loadedGame, state, names) : "";
  const fresh = Boolean(shown.fresh && moves.at(-1)?.thrown);
  const past = moves.flatMap(({ before }) => before ?? []);
  const all = { thrown, best, result, past, ...shown, fresh };
  return [drawBoard(loadedGame.game, loadedGame.words, state, names, all), boardNotes(loadedGame.words)];
}

/** The moves so far, a line for each.
 * @param {Game} game @param {readonly Told[]} moves
 * @param {readonly string[]} names @returns {import("./drawn.mjs").Line[]} */
export function storyLines(game, moves, names) {
  return moves.map((move) => storyLine(game, moveParts(game, move.before, move, names[move.seat], names)));
}

/** Draw a whole position. @param {Game} game @param {Words} words @param {State} state @param {readonly string[]} names
 * @param {Shown} [shown] @returns {HTMLElement} */
export function drawBoard(game, words, state, names, shown = {}) {
  const { middle, seats } = positionLines(game, words, state, names);
  const marks = initials(names);
  /** @type {Map<string, Pile>} */
  const piles = new Map();
  const laid = drawBoards(game, words, { middle, seats }, names, marks, [...(shown.past ?? []), state]);
  const { mine = [], best = [], pictures = [] } = shown;
  const near = mine[0] ?? 0;
  const places = seats.map((seat, place) => {
    const own = seat.own.filter((each) => !laid.has(each));
    const things = own.map((each) => drawVariable(game, each, piles, String(place)));
    const face = drawMedal(place, marks[place], pictures[place]);
    const head = make("span", { class: "od-head" }, face, best.includes(place) ? drawCrown() : null);
    return drawSeat(seat, head, things, place === near);
  });
  const hands = middle.filter(({ kind, members }) => kind === "hand" && members.every(isOpen));
  const thrown = shown.thrown && !allLieOnTable(shown.thrown, hands) ? drawRoll(game, shown.thrown) : null;
  const common = middle.filter((each) => !laid.has(each) && !(thrown && hasOnlyEmptyHands(each)));
  const things = common.map((each) => drawVariable(game, each, piles, ""));
  const centre = make(
    "div",
    { class: "od-middle" },
    ...laid.values(),
    things.length ? make("dl", { class: "od-board-common" }, ...things) : null,
    thrown,
  );
  const around = seats.map((_, place) => places[(near + 1 + place) % seats.length]); // clockwise from the near side
  const others = Math.min(Math.max(1, seats.length - 1), 3);
  const round = isRound(seats, laid) ? ["od-round", `od-round-${seats.length}`] : [];
  const felt = make(
    "div",
    { class: ["od-felt", `od-far-${others}`, ...round].join(" ") },
    make("ul", { class: "od-board-seats", role: "list" }, ...around),
    shown.result ? drawResult(shown.result, best, marks, pictures) : null,
    centre,
    shown.latest && !shown.result ? drawLatest(shown.latest) : null,
  );
  const before = shown.past?.at(-1);
  if (before) markChanges(game, words, before, names, piles);
  const table = make("div", { class: "od-board" }, felt);
  if (shown.fresh) tumbleDice([...centre.querySelectorAll(".od-die")]);
  const won = best.length && mine.length ? mine.some((seat) => best.includes(seat)) : null;
  animateChanges(table, game, piles, { over: !state.phase, won });
  return table;
}

/** Whether the seats sit all around the table where it is wide enough: there are enough of them, and none has much
 * before it. @param {Seat[]} seats @param {Map<Line, HTMLElement | null>} laid what is drawn as a board */
function isRound(seats, laid) {
  const few = seats.every(({ own }) => {
    const things = own.filter((each) => !laid.has(each));
    return things.length <= MAX_SIDE_THINGS && things.every(({ members }) => members.length === 1);
  });
  return few && seats.length >= MIN_ROUND_SEATS;
}

/** Draw what happened last. A screen reader hears it from the story. @param {import("./drawn.mjs").Line} line */
function drawLatest({ draw }) {
  return make("p", { class: "od-latest", "aria-hidden": "true" }, ...draw());
}

/** Draw how the game ended, with the winners large. A screen reader hears it from the sentence of the turn.
 * @param {string} result @param {readonly number[]} best the seats that have won @param {readonly string[]} marks
 * @param {readonly string[]} pictures */
function drawResult(result, best, marks, pictures) {
  const medals = best.map((seat) =>
    make("span", { class: "od-head" }, drawMedal(seat, marks[seat], pictures[seat]), drawCrown()),
  );
  const winning = medals.length ? make("div", { class: "od-winners" }, ...medals) : null;
  return make("div", { class: "od-result", "aria-hidden": "true" }, winning, make("p", {}, result));
}

/** Write beside each pile what it gained or lost by the last move. @param {Game} game @param {Words} words
 * @param {State} before @param {readonly string[]} names @param {Map<string, Pile>} piles that are drawn */
function markChanges(game, words, before, names, piles) {
  const { middle, seats } = positionLines(game, words, before, names);
  const owned = [{ own: middle, owner: "" }, ...seats.map(({ own }, seat) => ({ own, owner: String(seat) }))];
  for (const { own, owner } of owned)
    for (const { name, members } of own)
      for (const { of, value } of members) {
        const pile = piles.get(pileName(name, owner, of));
        const change = (words.variables[name]?.times ?? 1) * ((pile?.value ?? NaN) - Number(value));
        if (!pile || !change) continue;
        const text = `${change > 0 ? "+" : "\u2212"}${groupDigits(Math.abs(change))}`;
        const mark = make("span", { class: change > 0 ? "od-gain" : "od-gain od-loss", "aria-hidden": "true" }, text);
        pile.place.parentElement?.append(mark);
      }
}

/** Whether a member is not covered. @param {import("./sentences.mjs").Member} member */
const isOpen = ({ value }) => value !== COVERED;

/** Whether a line has only hands without dice. @param {Line} line */
const hasOnlyEmptyHands = ({ kind, members }) =>
  kind === "hand" && members.every(({ value }) => value !== COVERED && !value.size);

/** Whether all dice of a roll lie on the table, so that they need not be drawn twice.
 * @param {[string, any][]} thrown @param {Line[]} hands */
function allLieOnTable(thrown, hands) {
  const there = hands.flatMap(({ members }) => members.flatMap(({ value }) => value.dice));
  return thrown.every(([, value]) => {
    if (!(value instanceof Hand)) return false;
    return value.dice.every(([face, kind]) => {
      const at = there.findIndex((die) => die[0] === face && die[1] === kind);
      if (at >= 0) there.splice(at, 1);
      return at >= 0;
    });
  });
}

/** Draw a seat. A candle marks the seat to move. @param {Seat} seat @param {HTMLElement} face
 * @param {HTMLElement[]} things @param {boolean} near */
function drawSeat({ name, moves }, face, things, near) {
  const text = moves ? tell("toMove", { name }) : name;
  const [, start, aside, end] = /^(.*?)( \([^()]*\))(.*)$/s.exec(text) ?? ["", text, "", ""];
  const head = make("strong", {}, start, aside ? make("small", {}, aside) : null, end || null);
  return make(
    "li",
    { class: ["od-place-at", moves ? "od-board-mover" : "", near ? "od-near" : ""].filter(Boolean).join(" ") },
    face,
    make("div", { class: "od-plate" }, head, things.length ? make("dl", {}, ...things) : null),
    moves ? drawCandle() : null,
  );
}

/** @type {WeakSet<Words>} words whose explanations somebody has opened: they stay so when the board is drawn again */
const explained = new WeakSet();

/** The notes below a table: the meaning of its words, also for keyboards and screen readers, and the switch for sounds.
 * @param {Words} words */
export function boardNotes(words) {
  const explainable = Object.values(words.variables).filter(({ about, show }) => about && show !== "hidden");
  const keep = () => void (details.open ? explained.add(words) : explained.delete(words));
  const list = explainable.map(({ label, about }) => make("p", {}, make("strong", {}, label), `: ${about}`));
  const details = make(
    "details",
    { class: "od-terms", open: explained.has(words), ontoggle: keep },
    make("summary", { "data-od": "terms" }, tell("terms")),
    ...list,
  );
  const change = () => switchSounds(switching.checked);
  const switching = make("input", { type: "checkbox", checked: soundsOn(), onchange: change, "data-od": "sounds" });
  const sounds = make("label", { class: "od-sounds" }, switching, make("span", {}, tell("sounds")));
  return make("div", { class: "od-foot" }, explainable.length ? details : null, sounds);
}
