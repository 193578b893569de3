// @ts-check
/** Drawings of coins. Up to a limit, a pile shows as many coins as there are; a number always stands beside it. */

import { makeFigure, makeSvgElement } from "./elements.mjs";

const GOLD = "#e9bf63";
const LIGHT = "#ffe6a6";
const DARK = "#b08233";
const EDGE = "#5c3c10";
const RISE = 3.5; // from one coin to the next above it
const COLUMN_STEP = 21; // from one column to the next
const MAX_STACK_COINS = 25; // coins of a stack; more of them lie in a heap
const MAX_HEAP_COINS = 90;
const HIGH = 5; // coins of a column
const ROWS = [5, 6, 7, 6]; // columns of a heap, from the back

/** A number from -0.5 to 0.5 that looks random, by which a coin is shifted. It is always the same for a seed.
 * @param {number} seed */
function pseudoRandomShift(seed) {
  const sine = Math.sin(seed * 12.9898) * 43758.5453;
  return sine - Math.floor(sine) - 0.5;
}

/** Draw one coin that lies flat. @param {number} x @param {number} y @param {boolean} [isUncovered] whether nothing
 * lies on it */
export function drawCoin(x, y, isUncovered = true) {
  const body = { d: "M-10 0v3.3a10 4.4 0 0 0 20 0V0a10 4.4 0 0 0-20 0z", stroke: EDGE, "stroke-width": 0.9 };
  const shine = [
    makeSvgElement("ellipse", { rx: 9.3, ry: 3.8, fill: LIGHT }),
    makeSvgElement("ellipse", { rx: 6.4, ry: 2.5, fill: GOLD, stroke: DARK, "stroke-width": 0.8 }),
  ];
  const rim = makeSvgElement("path", {
    d: "M-9.5 1.2a10 4.4 0 0 0 19 0",
    fill: "none",
    stroke: DARK,
    "stroke-width": 1,
  });
  const place = { transform: `translate(${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10})` };
  return makeSvgElement("g", place, makeSvgElement("path", { ...body, fill: GOLD }), ...(isUncovered ? shine : [rim]));
}

/** Draw a column of coins. @param {number} x @param {number} y of the lowest coin @param {number} coinCount */
function drawCoinColumn(x, y, coinCount) {
  return Array.from({ length: coinCount }, (_, at) =>
    drawCoin(x + 1.4 * pseudoRandomShift(7 * x + 3 * at + y), y - RISE * at, at === coinCount - 1),
  );
}

/** Draw a pile of coins. @param {number} coinCount how many there are @param {boolean} isLarge whether it may fill a
 * table
 * @returns {Node} */
export function drawCoins(coinCount, isLarge) {
  const coins = Math.max(0, Math.floor(coinCount));
  if (!coins) return drawNoCoins(isLarge);
  return isLarge && coins > MAX_STACK_COINS
    ? drawCoinHeap(Math.min(coins, MAX_HEAP_COINS))
    : drawCoinStacks(Math.min(coins, MAX_STACK_COINS), isLarge);
}

/** Draw the outline of a missing pile. @param {boolean} isLarge */
function drawNoCoins(isLarge) {
  const line = { fill: "none", stroke: "currentColor", "stroke-dasharray": "3 2.6", opacity: 0.75 };
  const place = makeSvgElement("ellipse", { cy: 0, rx: 11, ry: 4.6, "stroke-width": 1.2, ...line });
  return makeFigure([-14, -8, 28, 16], isLarge ? 2 : 1.2, place);
}

/** Draw a few columns of coins, in two rows if there are many. @param {number} coins @param {boolean} large */
function drawCoinStacks(coins, large) {
  const columns = Math.ceil(coins / HIGH);
  const low = Math.floor(coins / columns);
  const more = coins % columns;
  const back = columns > 2 ? Math.ceil(columns / 2) : 0;
  const front = columns - back;
  const drawn = Array.from({ length: columns }, (_, at) => {
    const [place, row, y] = at < back ? [at, back, -5] : [at - back, front, back ? 4 : 0];
    return drawCoinColumn((place - (row - 1) / 2) * COLUMN_STEP, y, low + (at < more ? 1 : 0));
  });
  const width = COLUMN_STEP * Math.max(back, front) + 2;
  const height = RISE * (low + (more ? 1 : 0)) + (back ? 19 : 8);
  const box = [-width / 2, (back ? 12.5 : 8.5) - height, width, height];
  return makeFigure(box, (large ? 1 : 0.55) * (height / 15), ...drawn.flat());
}

/** Draw a heap of coins, higher in its middle. @param {number} coins */
function drawCoinHeap(coins) {
  const places = ROWS.flatMap((length, row) =>
    Array.from({ length }, (_, at) => {
      const x = (at - (length - 1) / 2) * 20.5 + 5 * pseudoRandomShift(9 * row + at);
      const y = (row - 1.4) * 9 + 3 * pseudoRandomShift(5 * at + row);
      return { x, y, share: Math.max(0.06, 1 - (x / 78) ** 2 - ((row - 1.3) / 3) ** 2) ** 1.5, coins: 0, rest: 0 };
    }),
  );
  const all = places.reduce((sum, { share }) => sum + share, 0);
  for (const place of places) {
    const exact = (coins * place.share) / all;
    place.coins = Math.floor(exact);
    place.rest = exact - place.coins;
  }
  const left = coins - places.reduce((sum, place) => sum + place.coins, 0);
  for (const place of [...places].sort((a, b) => b.rest - a.rest).slice(0, left)) place.coins++;
  const drawn = places.sort((a, b) => a.y - b.y).flatMap(({ x, y, coins: high }) => drawCoinColumn(x, y, high));
  const shadow = makeSvgElement("ellipse", { cy: 10, rx: 80, ry: 24, fill: "#000", opacity: 0.25 });
  return makeFigure([-84, -36, 168, 72], 2.6 + coins / 50, shadow, ...drawn);
}
