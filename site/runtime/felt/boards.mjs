// @ts-check
/** Boards of several tracks on which seats have their pieces. */

import { figure, svg } from "./elements.mjs";
import { enamel } from "./seats.mjs";

const BRASS = "#e2b65d";
const DARK = "#0d1f18";
const LINE = "#cdb88a";
const PALE = "#f6f0dc";
const COLUMN = 28; // from one column of a board to the next
const STEP = 11; // from one step of a column to the next
const LANE = 24; // a square of a lane
const ROW = 14; // squares in a row; longer lanes go on below

/** A piece of a seat. @param {number} x @param {number} y @param {number} r @param {number} seat
 * @param {string} letter */
function piece(x, y, r, seat, letter) {
  const text = { x, y: y + 0.37 * r * 1.9, "text-anchor": "middle", "font-size": r * 1.5, "font-weight": 700 };
  return svg(
    "g",
    { class: "od-piece" },
    svg("circle", { cx: x, cy: y, r, fill: enamel(seat), stroke: PALE, "stroke-width": 1.4 }),
    svg("text", { ...text, fill: "#fff" }, letter),
  );
}

/** @param {number} x @param {number} y @param {number} size @param {string} word */
function text(x, y, size, word) {
  return svg("text", { x, y, "text-anchor": "middle", "font-size": size, "font-weight": 600, fill: PALE }, word);
}

/** Columns that seats climb, with what somebody has climbed this turn below them.
 * @param {readonly string[]} names of the columns @param {number} most steps of a column
 * @param {readonly (readonly number[])[]} places of each seat in each column
 * @param {readonly number[]} gains of this turn, by column; empty if there are none @param {readonly string[]} marks
 * of the seats */
export function columns(names, most, places, gains, marks) {
  const foot = STEP * most + 12;
  const drawn = names.map((name, at) => {
    const x = COLUMN * (at + 0.5);
    const groove = { x: x - 5, y: 4, width: 10, height: foot - 2, rx: 5, fill: DARK, stroke: LINE, opacity: 0.85 };
    const holes = Array.from({ length: most }, (_, step) =>
      svg("circle", { cx: x, cy: foot - STEP * (step + 1), r: 1.6, fill: LINE, opacity: 0.7 }),
    );
    const here = places.map((of) => of[at]);
    const pieces = here.flatMap((step, seat) => {
      if (!step) return [];
      const same = here.flatMap((other, place) => (other === step ? [place] : []));
      const aside = (same.indexOf(seat) - (same.length - 1) / 2) * Math.min(11, 18 / same.length);
      return [piece(x + aside, foot - STEP * step, 8, seat, marks[seat])];
    });
    const gain = gains[at]
      ? [
          svg("rect", { x: x - 11, y: foot + 21, width: 22, height: 16, rx: 8, fill: BRASS }),
          svg(
            "text",
            { x, y: foot + 33, "text-anchor": "middle", "font-size": 12, "font-weight": 700, fill: "#22150a" },
            `+${gains[at]}`,
          ),
        ]
      : [];
    return [svg("rect", groove), ...holes, ...pieces, text(x, foot + 16, 14, name), ...gain];
  });
  const height = foot + (gains.length ? 40 : 20);
  return figure([0, -6, COLUMN * names.length, height + 6], (height + 6) / 17, ...drawn.flat());
}

/** A lane of squares for each seat, with its pieces. @param {readonly string[]} names of the squares
 * @param {readonly (readonly number[])[]} pieces of each seat on each square @param {readonly string[]} marks */
export function lanes(names, pieces, marks) {
  const wide = Math.min(ROW, names.length);
  const deep = Math.ceil(names.length / wide);
  const drawn = pieces.flatMap((of, seat) =>
    names.flatMap((name, at) => {
      const [x, y] = [LANE * (at % wide), (LANE + 1) * (seat * deep + Math.floor(at / wide)) + 5 * seat];
      const square = { x: x + 1, y: y + 1, width: LANE - 2, height: LANE - 2, rx: 4, fill: DARK, stroke: LINE };
      const middle = [x + LANE / 2, y + LANE / 2];
      return [
        svg("rect", { ...square, opacity: 0.85 }),
        of[at] ? piece(middle[0], middle[1], 9, seat, marks[seat]) : text(middle[0], middle[1] + 3.5, 10, name),
      ];
    }),
  );
  const height = (LANE + 1) * deep * pieces.length + 5 * (pieces.length - 1);
  return figure([0, 0, LANE * wide, height], height / 15, ...drawn);
}
