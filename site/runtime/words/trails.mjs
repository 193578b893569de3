// @ts-check
/** The way of a seat's piece over a grid, followed through the positions of a play. */

import { COVERED } from "../rules/values.mjs";

/** @typedef {import("../rules/game.mjs").Game} Game */
/** @typedef {import("../rules/rules.mjs").State} State */
/** @typedef {import("../table/settings.mjs").Layout} Layout */
/** @typedef {[number, number]} Pair a row and a column, or a step in both */
/** @typedef {{at: Pair, place: Pair, looks: Pair, near: Pair, words: Map<string, string>, steps: [Pair, Pair][]}} Trail
 * `at`: what the variables say; `place`: the square on the grid as seen at the start; `looks`: where the piece looks,
 * `near`: where its nearer side is; `words`: what lay on each square where the piece stood; `steps`: from square to
 * square */

/** The name of a square. @param {Pair} pair */
export const squareName = ([row, column]) => `${row} ${column}`;

/** @param {Pair} one @param {Pair} other */
const areSamePair = (one, other) => one[0] === other[0] && one[1] === other[1];

/** @param {Pair} pair @param {Pair} step @returns {Pair} */
const squareAfterStep = ([row, column], [down, aside]) => [row + down, column + aside];

/** @param {Pair} step @returns {Pair} */
const reversedStep = ([down, aside]) => [-down, -aside];

/** The way of a seat's piece; null while part of it is covered. On a grid that turns with the piece, a new way begins
 * where nothing lies under it. @param {Game} game @param {string} name of the board
 * @param {Layout} layout @param {number} seat @param {readonly State[]} states so far @param {number} columnCount how
 * many columns the grid has
 * @returns {Trail | null} */
export function trailOfPiece(game, name, layout, seat, states, columnCount) {
  const value = (/** @type {string} */ of, /** @type {State} */ { cells }) => {
    const all = game.cellNumbers(of);
    return cells[all.find((where) => game.cells[where].index[0] === seat) ?? all[0]];
  };
  const least = (/** @type {string} */ of) => game.cells[game.cellNumbers(of)[0]].least;
  const wordsOf = (/** @type {string} */ of) => game.variables.find((each) => each.name === of)?.words ?? [];
  const { across = "", laid, facing } = layout;
  /** @type {Trail[]} */
  const found = [];
  for (const state of states) {
    const at = [name, across].map((of) => value(of, state));
    if (at.includes(COVERED)) return null;
    const now = /** @type {Pair} */ ([at[0] - least(name), at[1] - least(across)]);
    const [last = newTrail(now)] = found;
    const way = facing ? wordsOf(facing).indexOf(value(facing, state)) : -1;
    const trail = areSamePair(last.at, now)
      ? last
      : facing
        ? trailAfterStepFromPieceView(last, now, way, columnCount - 1)
        : { ...last, at: now, place: now, steps: trailStepsTo(last, now) };
    found[0] = trail;
    const word = laid ? value(laid, state) : COVERED;
    if (word === COVERED) continue;
    if (word !== wordsOf(laid ?? "")[0]) trail.words.set(squareName(trail.place), String(word));
    else if (facing) found[0] = newTrail(now);
  }
  return found[0] ?? null;
}

/** A trail that begins. @param {Pair} square @returns {Trail} */
function newTrail(square) {
  return { at: square, place: square, looks: [-1, 0], near: [0, -1], words: new Map(), steps: [] };
}

/** The steps of a trail that goes on. @param {Trail} trail @param {Pair} square */
function trailStepsTo({ place, steps }, square) {
  const touches = Math.abs(place[0] - square[0]) + Math.abs(place[1] - square[1]) === 1;
  return touches ? [...steps, /** @type {[Pair, Pair]} */ ([place, square])] : steps;
}

/** The trail after a step, where squares are counted from the piece. A step straight back may leave it looking as
 * before. After any other change that `direction` does not explain, a new trail begins.
 * @param {Trail} trail
 * @param {Pair} square the squares ahead of the piece, and those to its nearer side
 * @param {number} direction 0: straight on, 1: to the nearer side, 2: to the farther side, 3: back
 * @param {number} farthestColumn from one side of the grid to the other */
function trailAfterStepFromPieceView(trail, square, direction, farthestColumn) {
  const { at, looks, near } = trail;
  const [ahead, beside] = at;
  const aside = Math.min(ahead, farthestColumn - ahead);
  /** @type {[Pair, Pair][]} */
  const all = [
    [looks, [ahead - 1, beside]],
    [near, [beside - 1, aside]],
    [reversedStep(near), [farthestColumn - 1 - beside, aside]],
    [reversedStep(looks), [farthestColumn - 1 - ahead, beside]],
  ];
  const [step, reached] = all[direction] ?? all[0];
  const behind = areSamePair(square, [ahead + 1, beside]);
  if (!areSamePair(square, reached) && !behind) return newTrail(square);
  const turns = areSamePair(square, reached);
  const place = squareAfterStep(trail.place, turns ? step : reversedStep(looks));
  const onward = { ...trail, at: square, place, steps: trailStepsTo(trail, place) };
  if (!turns) return onward;
  const side =
    direction === 0 || direction === 3 ? near : ahead <= farthestColumn - ahead ? looks : reversedStep(looks);
  return { ...onward, looks: step, near: side };
}
