// @ts-check
/** Boards of several tracks on which seats have their pieces. */

import { figure, svg } from "./elements.mjs";
import { seatColour } from "./seats.mjs";

const BRASS = "#e2b65d";
const DARK = "#0d1f18";
const LINE = "#cdb88a";
const PALE = "#f6f0dc";
const INK = "#22150a";
const FLOOR = "#e6d5aa";
const PASSED = "#a8946a"; // a floor where no piece stands any more
const COLUMN = 28; // from one column of a board to the next
const STEP = 11; // from one step of a column to the next
const [STAR, UP, DOWN] = ["*", "^", "v"]; // the marks that are drawn
const SCALE = 15; // units for the size of the text
const LARGER = 11; // the same on a board with few columns
const MIN_COLUMNS_OF_WIDE_BOARD = 6; // fewer have larger text
const WIDTH = 290; // of a board of squares
const MIN_SQUARE = 20; // a square
const MAX_SQUARE = 36;
const MAX_ROOM = 58; // a square of a grid on which words lie
const LETTER = 12; // the smallest letters, which are 11 pixels high where the text of a table has 14
const LETTER_WIDTH = 0.6; // of the height
const NUMBERED = 28; // a square with room for its name beside a piece

/** @typedef {{row: number, column: number, name: string, mark: string, laid: string, pieces: readonly number[]}} Square
 * of a board: its place, what it is called, what stands on it for good, what lies on it, and the seats with a piece on
 * it */

/** @typedef {{steps: readonly [readonly [number, number], readonly [number, number]][],
 * looks: readonly (readonly [number, number] | null)[]}} Trail the ways of pieces from square to square, each by row
 * and column, and where the piece of each seat looks */

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

/** Draw a word, closer set if it would be wider than its place. @param {number} x @param {number} y
 * @param {number} size @param {string} word @param {string} [fill] @param {number} [place] how wide its place is */
function drawText(x, y, size, word, fill = PALE, place = Infinity) {
  const wide = LETTER_WIDTH * size * word.length > place;
  const about = { x, y, "text-anchor": "middle", "font-size": size, "font-weight": 600, fill };
  return svg("text", wide ? { ...about, textLength: place, lengthAdjust: "spacingAndGlyphs" } : about, word);
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
 * @param {readonly string[]} marks of the seats @param {Trail} [trail] of a grid on which words lie */
export function drawSquares(all, marks, trail) {
  const [wide, high] = [1 + Math.max(...all.map(({ column }) => column)), 1 + Math.max(...all.map(({ row }) => row))];
  const size = Math.max(MIN_SQUARE, Math.min(trail ? MAX_ROOM : MAX_SQUARE, WIDTH / wide));
  const grounds = all.map(({ row, column, mark, laid, pieces }) => {
    const box = { x: size * column + 1, y: size * row + 1, width: size - 2, height: size - 2, rx: 4 };
    const fill = !laid ? DARK : pieces.length ? FLOOR : PASSED;
    return svg("rect", { ...box, fill, stroke: mark ? BRASS : LINE, "stroke-width": mark ? 2 : 1 });
  });
  const ways = (trail?.steps ?? []).map((step) => {
    const [from, to] = step.map(([row, column]) => [size * (column + 0.5), size * (row + 0.5)]);
    const [x, y] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    const [half, deep] = from[0] === to[0] ? [size / 7, 4] : [4, size / 7];
    return svg("rect", { x: x - half, y: y - deep, width: 2 * half, height: 2 * deep, fill: PASSED });
  });
  const drawn = all.flatMap((square) => drawOnSquare(square, size, marks, trail));
  return figure([0, 0, size * wide, size * high], (size * high) / SCALE, ...grounds, ...ways, ...drawn);
}

/** Draw what is on a square. @param {Square} square @param {number} size @param {readonly string[]} marks
 * @param {Trail} [trail] */
function drawOnSquare({ row, column, name, mark, laid, pieces }, size, marks, trail) {
  const [left, top] = [size * column, size * row];
  const [x, y] = [left + size / 2, top + size / 2];
  const corner = Boolean(name) && size >= NUMBERED;
  const parts = [];
  if (mark === STAR) parts.push(drawStar(x, y, size * 0.36));
  else if (mark === UP || mark === DOWN) parts.push(drawArrow(x + 4, y + 4, size * 0.28, mark === UP));
  else if (mark && !laid) parts.push(drawText(x, y + 4, trail ? LETTER + 1 : LETTER, mark, BRASS, size - 4));
  const free = !pieces.length && mark !== STAR;
  if (name && free && !mark) parts.push(drawText(x, y + 4, LETTER, name, PALE, size - 3));
  else if (corner) parts.push(drawText(left + 3 + (LETTER_WIDTH / 2) * LETTER * name.length, top + 12, LETTER, name));
  const low = pieces.length ? top + size - 6 : y + 4;
  if (laid) parts.push(drawText(x, low, LETTER, laid, INK, size - 5));
  const shift = laid ? -size / 7 : corner ? 2.5 : 0;
  const r = Math.max(8, Math.min(trail ? 14 : 10, size * 0.28));
  for (const [at, seat] of pieces.entries()) {
    const aside = (at - (pieces.length - 1) / 2) * Math.min(1.2 * r, (size - 12) / pieces.length);
    const [cx, cy] = [x + aside + Math.max(0, shift), y + shift];
    const looks = trail?.looks[seat];
    if (looks) parts.push(drawNose(cx, cy, r, looks));
    parts.push(drawPiece(cx, cy, r, seat, marks[seat]));
  }
  return parts;
}

/** Draw where a piece looks. @param {number} x @param {number} y @param {number} r of the piece
 * @param {readonly [number, number]} looks */
function drawNose(x, y, r, [down, aside]) {
  const [tip, foot] = [r + 7, r * 0.75];
  const ends = [
    [x + aside * tip, y + down * tip],
    [x + down * foot + aside * foot, y + aside * foot + down * foot],
    [x - down * foot + aside * foot, y - aside * foot + down * foot],
  ];
  return svg("path", { class: "od-nose", d: `M${ends.map((end) => end.join(" ")).join("L")}Z`, fill: INK });
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
