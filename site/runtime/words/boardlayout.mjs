// @ts-check
/** Which variables are drawn as a board, and its layout: as the ruleset says, else columns or lanes. */

import { drawColumns, drawSquares } from "../felt/boards.mjs";
import { makeElement } from "../felt/elements.mjs";
import { compileExpression } from "../rules/expression.mjs";
import { COVERED } from "../rules/values.mjs";
import { squareName, trailOfPiece } from "./trails.mjs";
import { readableName } from "./words.mjs";

/** @typedef {import("../rules/game.mjs").Game} Game */
/** @typedef {import("../table/settings.mjs").Words} Words */
/** @typedef {import("../felt/boards.mjs").Square} Square */
/** @typedef {import("./sentences.mjs").Line} Line */
/** @typedef {import("./board.mjs").Seat} Seat */
/** @typedef {import("../table/settings.mjs").Layout} Layout */
/** @typedef {import("../rules/rules.mjs").State} State */
/** @typedef {{game: Game, own: Line[], beside: (name: string) => Line[], marks: readonly string[], plan: Layout,
 * states: readonly State[]}} Laying `own`: the lines of the seats; `beside`: those of another variable; `marks`: of the
 * seats; `states`: those of the play so far, the last of which is drawn */

const MAX_ROW_SQUARES = 14; // the most squares in a row of a lane

/** Draw the boards, by the line of each variable. A board that shows several lines is drawn at the first of them; the
 * others have null. @param {Game} game @param {Words} words
 * @param {{middle: Line[], seats: Seat[]}} all @param {readonly string[]} names @param {readonly string[]} marks
 * @param {readonly State[]} states those of the play so far, the last of which is drawn
 * @returns {Map<Line, HTMLElement | null>} */
export function drawBoards(game, words, { middle, seats }, names, marks, states) {
  /** @type {Map<Line, HTMLElement | null>} */
  const found = new Map();
  const beside = (/** @type {string} */ name) => seats.flatMap((seat) => seat.own.filter((each) => each.name === name));
  for (const { name, label } of seats[0]?.own ?? []) {
    const plan = words.boards?.[name];
    const own = beside(name);
    if ((!plan && !hasSeveralTracks(own[0])) || own.some(isCovered)) continue;
    const gain = middle.find((each) => hasSeveralTracks(each) && each.over === own[0].over && each.resets);
    const laying = { game, own, beside, marks, plan: plan ?? {}, states };
    const drawn = plan?.across ? drawGrid(laying) : plan?.rows ? drawSquareRows(laying) : drawTracks(laying, gain);
    const shown = [
      ...own,
      ...(gain ? [gain] : []),
      ...[plan?.across, plan?.laid].flatMap((one) => (one ? beside(one) : [])),
    ];
    const told = own.map((each, seat) => `${names[seat]}: ${boardText(each, seat, laying)}`);
    if (gain) told.push(`${gain.label}: ${gain.values}`);
    const text = { role: "img", "aria-label": `${label}: ${told.join("; ")}` };
    for (const each of shown) found.set(each, null);
    found.set(own[0], makeElement("div", { class: "od-track-board", ...text }, drawn));
  }
  return found;
}

/** Whether a line has several tracks. @param {Line} line */
const hasSeveralTracks = ({ show, members, kind }) => show === "track" && members.length > 1 && kind === "number";

/** Whether part of a line is covered. @param {Line} line */
const isCovered = ({ members }) => members.some(({ value }) => value === COVERED);

/** What a seat has on a board, as text. @param {Line} line @param {number} seat @param {Laying} laying */
function boardText({ values }, seat, { beside, plan }) {
  const more = [plan.across, plan.laid].flatMap((name) => (name ? [beside(name)[seat]] : []));
  return [values, ...more.map((each) => `${each.label} ${each.values}`)].join(", ");
}

/** The values of the members of a line. @param {Line} line */
const memberValues = ({ members }) => members.map(({ value }) => Number(value));

/** The value of an expression of the layout at a square. @param {Game} game @param {any} tree of the expression
 * @param {Record<string, any>} squareNames the names that stand for the square */
function valueAtSquare(game, tree, squareNames) {
  const context = game.context(game.start);
  Object.assign(context.local, squareNames);
  return compileExpression(tree)(context);
}

/** The first mark of the layout whose test a square passes; empty if there is none. @param {Laying} laying
 * @param {Record<string, any>} squareNames the names that stand for the square */
function markAtSquare({ game, plan }, squareNames) {
  return (plan.marks ?? []).find(([, test]) => valueAtSquare(game, test, squareNames))?.[0] ?? "";
}

/** Draw a board without a layout: columns, or lanes if there can be no more than one piece on each square.
 * @param {Laying} laying
 * @param {Line | undefined} gain of this turn */
function drawTracks(laying, gain) {
  const { game, own, marks, plan } = laying;
  const [{ members, name }] = own;
  const items = itemsWithCellPerSeat(game, name);
  const held = own.map(memberValues);
  if (members[0].least === 0 && members[0].most === 1 && !plan.length) {
    const deep = Math.ceil(items.length / MAX_ROW_SQUARES);
    const lane = (/** @type {number} */ seat) =>
      items.map((square, at) => ({
        row: seat * deep + Math.floor(at / MAX_ROW_SQUARES),
        column: at % MAX_ROW_SQUARES,
        name: members[at].of,
        mark: markAtSquare(laying, { square }),
        laid: "",
        pieces: held[seat][at] ? [seat] : [],
      }));
    return drawSquares(
      own.flatMap((_, seat) => lane(seat)),
      marks,
    );
  }
  const all = items.map((square, at) => ({
    name: members[at].of,
    steps: plan.length ? Number(valueAtSquare(game, plan.length, { square })) : members[at].most,
    gain: gain ? memberValues(gain)[at] : 0,
    here: held.map((of) => of[at]),
  }));
  return drawColumns(all, marks, Boolean(gain));
}

/** The items over which a variable has a cell for each seat, such as the squares of a board. @param {Game} game
 * @param {string} name of the variable */
function itemsWithCellPerSeat(game, name) {
  const own = game.cellNumbers(name).map((where) => game.cells[where].index);
  return own.filter(([seat]) => seat === 0).map((index) => index[1]);
}

/** Draw squares where the layout puts them. @param {Laying} laying */
function drawSquareRows(laying) {
  const { game, own, marks, plan } = laying;
  const items = itemsWithCellPerSeat(game, own[0].name);
  const held = own.map(memberValues);
  const stands = (/** @type {number} */ seat, /** @type {any} */ square) =>
    own[0].over ? held[seat][items.indexOf(square)] : held[seat][0] === square;
  const all = (plan.rows ?? []).flatMap((each, row) =>
    each.squares.flatMap((square, column) => {
      if (square === null) return [];
      const seats = own.flatMap((_, seat) => (each.seat === null || each.seat === seat ? [seat] : []));
      const pieces = seats.filter((seat) => stands(seat, square));
      return [{ row, column, name: String(square), mark: markAtSquare(laying, { square }), laid: "", pieces }];
    }),
  );
  return drawSquares(all, marks);
}

/** Draw a grid with a piece for each seat, and all that was laid where it went. @param {Laying} laying */
function drawGrid(laying) {
  const { game, own, beside, marks, plan, states } = laying;
  const [down, aside] = [own[0], beside(plan.across ?? "")[0]].map(({ members: [one] }) => one);
  const wide = plan.columns ?? aside.most - aside.least + 1;
  const ways = own.map(({ name }, seat) => trailOfPiece(game, name, plan, seat, states, wide));
  const all = Array.from({ length: down.most - down.least + 1 }, (_, row) =>
    Array.from({ length: wide }, (_, column) => {
      const here = squareName([row, column]);
      const pieces = ways.flatMap((way, seat) => (way && squareName(way.place) === here ? [seat] : []));
      const laid = ways.map((way) => way?.words.get(here) ?? "").findLast(Boolean) ?? "";
      const mark = markAtSquare(laying, { row: row + down.least, column: column + aside.least });
      return { row, column, name: "", mark, laid: readableName(laid), pieces };
    }),
  );
  const trail = {
    steps: ways.flatMap((way) => way?.steps ?? []),
    looks: ways.map((way) => (plan.facing && way ? way.looks : null)),
  };
  return drawSquares(all.flat(), marks, trail);
}
