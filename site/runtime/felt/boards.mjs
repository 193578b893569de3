// @ts-check
/** Boards of several tracks on which seats have their pieces. */

import { makeFigure, makeSvgElement } from "./elements.mjs";
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

/** Draw a piece of a seat. @param {number} x @param {number} y @param {number} radius @param {number} seat
 * @param {string} letter */
function drawPiece(x, y, radius, seat, letter) {
  const text = {
    x,
    y: y + 0.37 * radius * 1.9,
    "text-anchor": "middle",
    "font-size": radius * 1.5,
    "font-weight": 700,
  };
  return makeSvgElement(
    "g",
    { class: "od-piece" },
    makeSvgElement("circle", { cx: x, cy: y, r: radius, fill: seatColour(seat), stroke: PALE, "stroke-width": 1.4 }),
    makeSvgElement("text", { ...text, fill: "#fff" }, letter),
  );
}

/** Draw a word, closer set if it would be wider than its place. @param {number} x @param {number} y
 * @param {number} size @param {string} text @param {string} [fill] @param {number} [maxWidth] how wide its place is */
function drawText(x, y, size, text, fill = PALE, maxWidth = Infinity) {
  const wide = LETTER_WIDTH * size * text.length > maxWidth;
  const about = { x, y, "text-anchor": "middle", "font-size": size, "font-weight": 600, fill };
  return makeSvgElement(
    "text",
    wide ? { ...about, textLength: maxWidth, lengthAdjust: "spacingAndGlyphs" } : about,
    text,
  );
}

/** Draw columns that seats climb. Below each stands how far somebody climbed it this turn.
 * @param {readonly {name: string, steps: number, gain: number, here: readonly number[]}[]} columns the columns; `here`:
 * the step of each seat @param {readonly string[]} seatMarks of the seats @param {boolean} hasGains whether there are
 * any */
export function drawColumns(columns, seatMarks, hasGains) {
  const foot = STEP * Math.max(...columns.map(({ steps }) => steps)) + 12;
  const drawn = columns.flatMap(({ name, steps, gain, here }, at) => {
    const x = COLUMN * (at + 0.5);
    const top = foot - STEP * steps - 8;
    const groove = { x: x - 6, y: top, width: 12, height: foot - top + 2, rx: 6, fill: DARK, stroke: LINE };
    const holes = Array.from({ length: steps }, (_, step) =>
      makeSvgElement("circle", { cx: x, cy: foot - STEP * (step + 1), r: 1.7, fill: LINE, opacity: 0.75 }),
    );
    const pieces = here.flatMap((step, seat) => {
      if (!step) return [];
      const same = here.flatMap((other, place) => (other === step ? [place] : []));
      const aside = (same.indexOf(seat) - (same.length - 1) / 2) * Math.min(11, 18 / same.length);
      return [drawPiece(x + aside, foot - STEP * step, 8, seat, seatMarks[seat])];
    });
    const plate = { x: x - 11, y: foot + 21, width: 22, height: 16, rx: 8, fill: BRASS };
    const won = gain ? [makeSvgElement("rect", plate), drawText(x, foot + 33, 12, `+${gain}`, INK)] : [];
    return [makeSvgElement("rect", groove), ...holes, ...pieces, drawText(x, foot + 16, 14, name), ...won];
  });
  const height = foot + (hasGains ? 40 : 20);
  const scale = columns.length < MIN_COLUMNS_OF_WIDE_BOARD ? LARGER : SCALE;
  return makeFigure([0, -6, COLUMN * columns.length, height + 6], (height + 6) / scale, ...drawn);
}

/** Draw squares with the pieces on them, as large as the narrowest table allows. @param {readonly Square[]} squares
 * @param {readonly string[]} seatMarks of the seats @param {Trail} [trail] of a grid on which words lie */
export function drawSquares(squares, seatMarks, trail) {
  const [wide, high] = [
    1 + Math.max(...squares.map(({ column }) => column)),
    1 + Math.max(...squares.map(({ row }) => row)),
  ];
  const size = Math.max(MIN_SQUARE, Math.min(trail ? MAX_ROOM : MAX_SQUARE, WIDTH / wide));
  const grounds = squares.map(({ row, column, mark, laid, pieces }) => {
    const box = { x: size * column + 1, y: size * row + 1, width: size - 2, height: size - 2, rx: 4 };
    const fill = !laid ? DARK : pieces.length ? FLOOR : PASSED;
    return makeSvgElement("rect", { ...box, fill, stroke: mark ? BRASS : LINE, "stroke-width": mark ? 2 : 1 });
  });
  const ways = (trail?.steps ?? []).map((step) => {
    const [from, to] = step.map(([row, column]) => [size * (column + 0.5), size * (row + 0.5)]);
    const [x, y] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    const [half, deep] = from[0] === to[0] ? [size / 7, 4] : [4, size / 7];
    return makeSvgElement("rect", { x: x - half, y: y - deep, width: 2 * half, height: 2 * deep, fill: PASSED });
  });
  const drawn = squares.flatMap((square) => drawOnSquare(square, size, seatMarks, trail));
  return makeFigure([0, 0, size * wide, size * high], (size * high) / SCALE, ...grounds, ...ways, ...drawn);
}

/** Draw what is on a square. @param {Square} square @param {number} size @param {readonly string[]} seatMarks
 * @param {Trail} [trail] */
function drawOnSquare({ row, column, name, mark, laid, pieces }, size, seatMarks, trail) {
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
    if (looks) parts.push(drawPieceDirection(cx, cy, r, looks));
    parts.push(drawPiece(cx, cy, r, seat, seatMarks[seat]));
  }
  return parts;
}

/** Draw where a piece looks. @param {number} x @param {number} y @param {number} radius of the piece
 * @param {readonly [number, number]} looks */
function drawPieceDirection(x, y, radius, [down, aside]) {
  const [tip, foot] = [radius + 7, radius * 0.75];
  const ends = [
    [x + aside * tip, y + down * tip],
    [x + down * foot + aside * foot, y + aside * foot + down * foot],
    [x - down * foot + aside * foot, y - aside * foot + down * foot],
  ];
  return makeSvgElement("path", { class: "od-nose", d: `M${ends.map((end) => end.join(" ")).join("L")}Z`, fill: INK });
}

/** Draw an arrow up or down. @param {number} x @param {number} y @param {number} radius @param {boolean} pointsUp */
function drawArrow(x, y, radius, pointsUp) {
  const shape = { class: "od-arrow", d: "M0 -1L.8 -.1H.3V1H-.3V-.1H-.8Z", fill: BRASS };
  return makeSvgElement("path", {
    ...shape,
    transform: `translate(${x} ${y}) scale(${radius} ${pointsUp ? radius : -radius})`,
  });
}

/** Draw a star of eight petals. @param {number} x @param {number} y @param {number} radius */
function drawStar(x, y, radius) {
  const petals = Array.from({ length: 8 }, (_, at) =>
    makeSvgElement("ellipse", {
      cy: -radius * 0.55,
      rx: radius * 0.24,
      ry: radius * 0.45,
      fill: BRASS,
      transform: `rotate(${45 * at})`,
    }),
  );
  return makeSvgElement("g", { transform: `translate(${x} ${y})`, opacity: 0.85 }, ...petals);
}
