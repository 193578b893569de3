// @ts-check
/** Boards of several tracks on which seats have their pieces. */

import { figure, svg } from "./elements.mjs";
import { seatColour } from "./seats.mjs";

const BRASS = "#e2b65d";
const DARK = "#0d1f18";
const LINE = "#cdb88a";
const PALE = "#f6f0dc";
const INK = "#22150a";
const FLOOR = "#d9c69a";
const COLUMN = 28; // from one column of a board to the next
const STEP = 11; // from one step of a column to the next
const [STAR, UP, DOWN] = ["*", "^", "v"]; // the marks that are drawn
const SCALE = 15; // units for the size of the text
const LARGER = 11; // the same on a board with few columns
const MIN_COLUMNS_OF_WIDE_BOARD = 6; // fewer have larger text
const WIDTH = 270; // of a board of squares
const MIN_SQUARE = 19; // a square
const MAX_SQUARE = 36;
const NUMBERED = 28; // a square with room for its name beside a piece

/** @typedef {{row: number, column: number, name: string, mark: string, laid: string, pieces: readonly number[]}} Square
 * of a board: its place, what it is called, what stands on it for good, what lies on it, and the seats with a piece on
 * it */

/** Draw a piece of a seat. @param {number} x @param {number} y @param {number} r @param {number} seat
 * @param {string} letter */
function drawPiece(x, y, r, seat, letter) {
  const text = { x, y: y + 0.37 * r * 1.9, "text-anchor": "middle", "font-size": r * 1.5, "font-weight": 700 };
  return svg(
    "g",
    { class: "od-piece" },
    svg("circle", { cx: x, cy: y, r, fill: seatColour(seat), stroke: PALE, "stroke-width": 1.4 }),
    svg("text", { ...text, fill: "#fff" }, letter),
  );
}

/** Draw a word, centred. @param {number} x @param {number} y @param {number} size @param {string} word @param {string}
 * [fill] */
function drawText(x, y, size, word, fill = PALE) {
  return svg("text", { x, y, "text-anchor": "middle", "font-size": size, "font-weight": 600, fill }, word);
}

/** Draw columns that seats climb. Below each stands how far somebody climbed it this turn.
 * @param {readonly {name: string, steps: number, gain: number, here: readonly number[]}[]} all the columns; `here`: the
 * step of each seat @param {readonly string[]} marks of the seats @param {boolean} gains whether there are any */
export function drawColumns(all, marks, gains) {
  const foot = STEP * Math.max(...all.map(({ steps }) => steps)) + 12;
  const drawn = all.flatMap(({ name, steps, gain, here }, at) => {
    const x = COLUMN * (at + 0.5);
    const top = foot - STEP * steps - 8;
    const groove = { x: x - 6, y: top, width: 12, height: foot - top + 2, rx: 6, fill: DARK, stroke: LINE };
    const holes = Array.from({ length: steps }, (_, step) =>
      svg("circle", { cx: x, cy: foot - STEP * (step + 1), r: 1.7, fill: LINE, opacity: 0.75 }),
    );
    const pieces = here.flatMap((step, seat) => {
      if (!step) return [];
      const same = here.flatMap((other, place) => (other === step ? [place] : []));
      const aside = (same.indexOf(seat) - (same.length - 1) / 2) * Math.min(11, 18 / same.length);
      return [drawPiece(x + aside, foot - STEP * step, 8, seat, marks[seat])];
    });
    const plate = { x: x - 11, y: foot + 21, width: 22, height: 16, rx: 8, fill: BRASS };
    const won = gain ? [svg("rect", plate), drawText(x, foot + 33, 12, `+${gain}`, INK)] : [];
    return [svg("rect", groove), ...holes, ...pieces, drawText(x, foot + 16, 14, name), ...won];
  });
  const height = foot + (gains ? 40 : 20);
  const scale = all.length < MIN_COLUMNS_OF_WIDE_BOARD ? LARGER : SCALE;
  return figure([0, -6, COLUMN * all.length, height + 6], (height + 6) / scale, ...drawn);
}

/** Draw squares with the pieces on them, as large as the narrowest table allows. @param {readonly Square[]} all
 * @param {readonly string[]} marks of the seats */
export function drawSquares(all, marks) {
  const [wide, high] = [1 + Math.max(...all.map(({ column }) => column)), 1 + Math.max(...all.map(({ row }) => row))];
  const size = Math.max(MIN_SQUARE, Math.min(MAX_SQUARE, WIDTH / wide));
  const drawn = all.flatMap(({ row, column, name, mark, laid, pieces }) => {
    const [left, top] = [size * column, size * row];
    const [x, y] = [left + size / 2, top + size / 2];
    const box = { x: left + 1, y: top + 1, width: size - 2, height: size - 2, rx: 4 };
    const ground = { fill: laid ? FLOOR : DARK, stroke: mark ? BRASS : LINE, "stroke-width": mark ? 2 : 1 };
    const parts = [svg("rect", { ...box, ...ground })];
    if (mark === STAR) parts.push(drawStar(x, y, size * 0.36));
    else if (mark === UP || mark === DOWN) parts.push(drawArrow(x, y, size * 0.3, mark === UP));
    else if (mark && !laid) parts.push(drawText(x, y + 4, Math.min(12, (1.6 * size) / mark.length), mark, BRASS));
    const free = !pieces.length && mark !== STAR;
    if (name && free && !mark) parts.push(drawText(x, y + 4, 11, name));
    else if (name && size >= NUMBERED) parts.push(drawText(left + 8, top + 11, 10, name));
    if (laid) parts.push(drawText(x, top + size - 5, Math.min(11, (1.6 * size) / laid.length), laid, INK));
    const shift = laid ? -size / 7 : name && size >= NUMBERED ? 2.5 : 0;
    for (const [at, seat] of pieces.entries()) {
      const aside = (at - (pieces.length - 1) / 2) * Math.min(12, (size - 12) / pieces.length);
      parts.push(drawPiece(x + aside + Math.max(0, shift), y + shift, Math.min(10, size * 0.4), seat, marks[seat]));
    }
    return parts;
  });
  return figure([0, 0, size * wide, size * high], (size * high) / SCALE, ...drawn);
}

/** Draw an arrow up or down. @param {number} x @param {number} y @param {number} r @param {boolean} up */
function drawArrow(x, y, r, up) {
  const shape = { class: "od-arrow", d: "M0 -1L.8 -.1H.3V1H-.3V-.1H-.8Z", fill: BRASS };
  return svg("path", { ...shape, transform: `translate(${x} ${y}) scale(${r} ${up ? r : -r})` });
}

/** Draw a star of eight petals. @param {number} x @param {number} y @param {number} r */
function drawStar(x, y, r) {
  const petals = Array.from({ length: 8 }, (_, at) =>
    svg("ellipse", { cy: -r * 0.55, rx: r * 0.24, ry: r * 0.45, fill: BRASS, transform: `rotate(${45 * at})` }),
  );
  return svg("g", { transform: `translate(${x} ${y})`, opacity: 0.85 }, ...petals);
}
