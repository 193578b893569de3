// A small picture of a part of a page.

import { statSync } from "node:fs";

const QUALITIES = [90, 80, 70, 60]; // of the form WebP, until the picture is small
const MOST = 60_000; // bytes

/** Pixels of a picture for each of the page. */
export const SHARP = 2;

/** Runs in the page: the box around two elements and all between. */
function around(from, to) {
  const boxes = [from, to].map((selector) =>
    [...document.querySelectorAll(selector)].find((each) => each.checkVisibility()).getBoundingClientRect(),
  );
  const least = (side) => Math.min(...boxes.map((box) => box[side]));
  const most = (side) => Math.max(...boxes.map((box) => box[side]));
  return {
    x: least("left") + scrollX,
    y: least("top") + scrollY,
    right: most("right"),
    bottom: most("bottom") + scrollY,
  };
}

/** Leave a picture that reaches from one element to another, `pad` pixels beyond both, at `path`; say how large it is.
 * @param {any} tab @param {{ path: string, from?: string, to?: string, pad?: number }} wanted */
export async function part(tab, { path, from = "body", to = from, pad = 0 }) {
  const box = await tab.evaluate(around, from, to);
  const x = Math.max(0, box.x - pad);
  const y = Math.max(0, box.y - pad);
  const right = Math.min(tab.viewport().width, box.right + pad);
  const clip = { x, y, width: right - x, height: box.bottom + pad - y };
  for (const quality of QUALITIES) {
    await tab.screenshot({ path, type: "webp", quality, clip, captureBeyondViewport: true });
    if (statSync(path).size < MOST) break;
  }
  return { path, bytes: statSync(path).size };
}
