// @ts-check
/** A whole position drawn as a table: felt in a wooden rim, the seats around it, and what lies on it. Texts are only
 * ever set as text. */

import { makeElement } from "../felt/elements.mjs";
import { addStyles } from "../felt/look.mjs";
import { animateCoinChanges, tumbleDice } from "../felt/motion.mjs";
import { drawTurnCandle, drawCrown, seatMarks, drawSeatMedal } from "../felt/seats.mjs";
import { switchSounds, areSoundsOn } from "../felt/sounds.mjs";
import { COVERED, Hand } from "../rules/values.mjs";
import { drawRoll, storyLineWithDrawing } from "./drawn.mjs";
import { drawBoards } from "./boardlayout.mjs";
import { drawVariable, pileName } from "./pieces.mjs";
import { endText, positionVariableLines, moveParts, winners } from "./sentences.mjs";
import { groupDigits, sentenceText } from "./words.mjs";

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
 * @param {readonly string[]} seatNames
 * @param {Shown} [drawOptions] @returns {HTMLElement[]} */
export function drawPosition(loadedGame, state, moves, seatNames, drawOptions = {}) {
  const thrown = moves.findLast((move) => move.thrown || move.covered === "throw")?.thrown;
  const open = !state.cells.includes(COVERED); // else it is not over before everything is opened
  const over = !state.phase && open;
  const best = over ? winners(loadedGame, state) : [];
  const result = over ? endText(loadedGame, state, seatNames) : "";
  const fresh = Boolean(drawOptions.fresh && moves.at(-1)?.thrown);
  const past = moves.flatMap(({ before }) => before ?? []);
  const all = { thrown, best, result, past, ...drawOptions, fresh };
  return [drawBoard(loadedGame.game, loadedGame.words, state, seatNames, all), boardNotes(loadedGame.words)];
}

/** The moves so far, a line for each.
 * @param {Game} game @param {readonly Told[]} moves
 * @param {readonly string[]} seatNames @returns {import("./drawn.mjs").Line[]} */
export function moveLines(game, moves, seatNames) {
  return moves.map((move) =>
    storyLineWithDrawing(game, moveParts(game, move.before, move, seatNames[move.seat], seatNames)),
  );
}

/** Draw a whole position. @param {Game} game @param {Words} words @param {State} state @param {readonly string[]}
 * seatNames
 * @param {Shown} [drawOptions] @returns {HTMLElement} */
export function drawBoard(game, words, state, seatNames, drawOptions = {}) {
  const { middle, seats } = positionVariableLines(game, words, state, seatNames);
  const marks = seatMarks(seatNames);
  /** @type {Map<string, Pile>} */
  const piles = new Map();
  const laid = drawBoards(game, words, { middle, seats }, seatNames, marks, [...(drawOptions.past ?? []), state]);
  const { mine = [], best = [], pictures = [] } = drawOptions;
  const near = mine[0] ?? 0;
  const places = seats.map((seat, place) => {
    const own = seat.own.filter((each) => !laid.has(each));
    const things = own.map((each) => drawVariable(game, each, piles, String(place)));
    const face = drawSeatMedal(place, marks[place], pictures[place]);
    const head = makeElement("span", { class: "od-head" }, face, best.includes(place) ? drawCrown() : null);
    return drawSeat(seat, head, things, place === near);
  });
  const hands = middle.filter(({ kind, members }) => kind === "hand" && members.every(isUncovered));
  const thrown =
    drawOptions.thrown && !areAllOnTable(drawOptions.thrown, hands) ? drawRoll(game, drawOptions.thrown) : null;
  const common = middle.filter((each) => !laid.has(each) && !(thrown && hasOnlyEmptyHands(each)));
  const things = common.map((each) => drawVariable(game, each, piles, ""));
  const centre = makeElement(
    "div",
    { class: "od-middle" },
    ...laid.values(),
    things.length ? makeElement("dl", { class: "od-board-common" }, ...things) : null,
    thrown,
  );
  const around = seats.map((_, place) => places[(near + 1 + place) % seats.length]); // clockwise from the near side
  const others = Math.min(Math.max(1, seats.length - 1), 3);
  const round = areSeatsAroundTable(seats, laid) ? ["od-round", `od-round-${seats.length}`] : [];
  const felt = makeElement(
    "div",
    { class: ["od-felt", `od-far-${others}`, ...round].join(" ") },
    makeElement("ul", { class: "od-board-seats", role: "list" }, ...around),
    drawOptions.result ? drawResult(drawOptions.result, best, marks, pictures) : null,
    centre,
    drawOptions.latest && !drawOptions.result ? drawLatestMove(drawOptions.latest) : null,
  );
  const before = drawOptions.past?.at(-1);
  if (before) markPileChanges(game, words, before, seatNames, piles);
  const table = makeElement("div", { class: "od-board" }, felt);
  if (drawOptions.fresh) tumbleDice([...centre.querySelectorAll(".od-die")]);
  const won = best.length && mine.length ? mine.some((seat) => best.includes(seat)) : null;
  animateCoinChanges(table, game, piles, { over: !state.phase, won });
  return table;
}

/** Whether the seats sit all around the table where it is wide enough: there are enough of them, and none has much
 * before it. @param {Seat[]} seats @param {Map<Line, HTMLElement | null>} boardDrawings what is drawn as a board */
function areSeatsAroundTable(seats, boardDrawings) {
  const few = seats.every(({ own }) => {
    const things = own.filter((each) => !boardDrawings.has(each));
    return things.length <= MAX_SIDE_THINGS && things.every(({ members }) => members.length === 1);
  });
  return few && seats.length >= MIN_ROUND_SEATS;
}

/** Draw what happened last. A screen reader hears it from the story. @param {import("./drawn.mjs").Line} line */
function drawLatestMove({ draw }) {
  return makeElement("p", { class: "od-latest", "aria-hidden": "true" }, ...draw());
}

/** Draw how the game ended, with the winners large. A screen reader hears it from the sentence of the turn.
 * @param {string} resultText @param {readonly number[]} winnerSeats the seats that have won @param {readonly string[]}
 * marks
 * @param {readonly string[]} pictures */
function drawResult(resultText, winnerSeats, marks, pictures) {
  const medals = winnerSeats.map((seat) =>
    makeElement("span", { class: "od-head" }, drawSeatMedal(seat, marks[seat], pictures[seat]), drawCrown()),
  );
  const winning = medals.length ? makeElement("div", { class: "od-winners" }, ...medals) : null;
  return makeElement("div", { class: "od-result", "aria-hidden": "true" }, winning, makeElement("p", {}, resultText));
}

/** Write beside each pile what it gained or lost by the last move. @param {Game} game @param {Words} words
 * @param {State} stateBefore @param {readonly string[]} names @param {Map<string, Pile>} piles that are drawn */
function markPileChanges(game, words, stateBefore, names, piles) {
  const { middle, seats } = positionVariableLines(game, words, stateBefore, names);
  const owned = [{ own: middle, owner: "" }, ...seats.map(({ own }, seat) => ({ own, owner: String(seat) }))];
  for (const { own, owner } of owned)
    for (const { name, members } of own)
      for (const { of, value } of members) {
        const pile = piles.get(pileName(name, owner, of));
        const change = (words.variables[name]?.times ?? 1) * ((pile?.value ?? NaN) - Number(value));
        if (!pile || !change) continue;
        const text = `${change > 0 ? "+" : "\u2212"}${groupDigits(Math.abs(change))}`;
        const mark = makeElement(
          "span",
          { class: change > 0 ? "od-gain" : "od-gain od-loss", "aria-hidden": "true" },
          text,
        );
        pile.place.parentElement?.append(mark);
      }
}

/** Whether a member is not covered. @param {import("./sentences.mjs").Member} member */
const isUncovered = ({ value }) => value !== COVERED;

/** Whether a line has only hands without dice. @param {Line} line */
const hasOnlyEmptyHands = ({ kind, members }) =>
  kind === "hand" && members.every(({ value }) => value !== COVERED && !value.size);

/** Whether all dice of a roll lie on the table, so that they need not be drawn twice.
 * @param {[string, any][]} rolledDice @param {Line[]} hands */
function areAllOnTable(rolledDice, hands) {
  const there = hands.flatMap(({ members }) => members.flatMap(({ value }) => value.dice));
  return rolledDice.every(([, value]) => {
    if (!(value instanceof Hand)) return false;
    return value.dice.every(([face, kind]) => {
      const at = there.findIndex((die) => die[0] === face && die[1] === kind);
      if (at >= 0) there.splice(at, 1);
      return at >= 0;
    });
  });
}

/** Draw a seat. A candle marks the seat to move. @param {Seat} seat @param {HTMLElement} medal
 * @param {HTMLElement[]} variableDrawings @param {boolean} isNear */
function drawSeat({ name, moves }, medal, variableDrawings, isNear) {
  const text = moves ? sentenceText("toMove", { name }) : name;
  const [, start, aside, end] = /^(.*?)( \([^()]*\))(.*)$/s.exec(text) ?? ["", text, "", ""];
  const head = makeElement("strong", {}, start, aside ? makeElement("small", {}, aside) : null, end || null);
  return makeElement(
    "li",
    { class: ["od-place-at", moves ? "od-board-mover" : "", isNear ? "od-near" : ""].filter(Boolean).join(" ") },
    medal,
    makeElement(
      "div",
      { class: "od-plate" },
      head,
      variableDrawings.length ? makeElement("dl", {}, ...variableDrawings) : null,
    ),
    moves ? drawTurnCandle() : null,
  );
}

/** @type {WeakSet<Words>} words whose explanations somebody has opened: they stay so when the board is drawn again */
const explained = new WeakSet();

/** The notes below a table: the meaning of its words, also for keyboards and screen readers, and the switch for sounds.
 * @param {Words} words */
export function boardNotes(words) {
  const explainable = Object.values(words.variables).filter(({ about, show }) => about && show !== "hidden");
  const keep = () => void (details.open ? explained.add(words) : explained.delete(words));
  const list = explainable.map(({ label, about }) =>
    makeElement("p", {}, makeElement("strong", {}, label), `: ${about}`),
  );
  const details = makeElement(
    "details",
    { class: "od-terms", open: explained.has(words), ontoggle: keep },
    makeElement("summary", { "data-od": "terms" }, sentenceText("terms")),
    ...list,
  );
  const change = () => switchSounds(switching.checked);
  const switching = makeElement("input", {
    type: "checkbox",
    checked: areSoundsOn(),
    onchange: change,
    "data-od": "sounds",
  });
  const sounds = makeElement(
    "label",
    { class: "od-sounds" },
    switching,
    makeElement("span", {}, sentenceText("sounds")),
  );
  return makeElement("div", { class: "od-foot" }, explainable.length ? details : null, sounds);
}
