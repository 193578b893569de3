// @ts-check
/** Motion on a table: dice that tumble, and coins that go from one pile to another. There is none for people who prefer
 * less motion. */

import { drawCoin } from "./coins.mjs";
import { makeFigure } from "./elements.mjs";
import { playSound } from "./sounds.mjs";

/** @typedef {{value: number, place: Element}} Pile how many coins lie where */

const TUMBLE = 450; // milliseconds
const TURN = 200; // degrees
const FLIGHT = 380; // milliseconds; all coins have arrived before the next move of somebody else is shown
const COIN_INTERVAL = 35; // milliseconds from one coin to the next
const MAX_COINS = 6; // the most coins that fly
const ARC = 34; // pixels above the straight way

/** @type {WeakMap<Element, {of: unknown, over: boolean, values: Map<string, number>}>} what lay on a table before, by
 * the place in which it is drawn */
const before = new WeakMap();

/** Whether the reader prefers less motion. */
const prefersLessMotion = () => matchMedia("(prefers-reduced-motion:reduce)").matches;

/** Animate dice that are rolled. @param {Element[]} dice */
export function tumbleDice(dice) {
  if (prefersLessMotion()) return;
  for (const [at, die] of dice.entries())
    die.animate([{ rotate: `${at % 2 ? -TURN : TURN}deg`, scale: ".6" }, {}], { duration: TUMBLE, easing: "ease-out" });
}

/** Animate the coins that moved since the last drawing in the same place, and play the sounds of coins and of the end.
 * It begins once the table is visible. It does nothing at the first drawing of a game.
 * @param {Element} board @param {unknown} gameIdentity which game it is @param {Map<string, Pile>} piles by name
 * @param {{over: boolean, won: boolean | null}} end whether the game is over, and whether somebody here has won it */
export function animateCoinChanges(board, gameIdentity, piles, { over, won }) {
  requestAnimationFrame(() => {
    const place = board.parentElement;
    if (!place || !board.isConnected) return;
    const last = before.get(place);
    const values = new Map([...piles].map(([name, { value }]) => [name, value]));
    before.set(place, { of: gameIdentity, over, values });
    if (!last || last.of !== gameIdentity) return;
    const flows = coinTransfers(last.values, values);
    if (flows.length) playSound("coins");
    if (over && !last.over && won !== null) playSound(won ? "win" : "loss");
    if (prefersLessMotion()) return;
    for (const { from, to, coins } of flows) {
      const ends = [from, to].map((name) => piles.get(name)?.place);
      if (ends[0] && ends[1]) animateFlyingCoins(board, ends[0], ends[1], Math.min(coins, MAX_COINS));
    }
  });
}

/** Which pile gave how many coins to which, so that what piles lost and got is explained. Coins of piles that are not
 * in both maps are left out.
 * @param {Map<string, number>} oldPiles @param {Map<string, number>} newPiles */
export function coinTransfers(oldPiles, newPiles) {
  const change = (/** @type {string} */ name) => (newPiles.get(name) ?? 0) - (oldPiles.get(name) ?? 0);
  const names = [...newPiles.keys()].filter((name) => oldPiles.has(name));
  const lost = names.filter((name) => change(name) < 0).map((name) => ({ name, coins: -change(name) }));
  const got = names.filter((name) => change(name) > 0).map((name) => ({ name, coins: change(name) }));
  const flows = [];
  for (const from of lost)
    for (const to of got) {
      const coins = Math.min(from.coins, to.coins);
      if (!coins) continue;
      from.coins -= coins;
      to.coins -= coins;
      flows.push({ from: from.name, to: to.name, coins });
    }
  return flows;
}

/** Animate coins that fly from one place to another. @param {Element} board @param {Element} source @param {Element}
 * target
 * @param {number} coinCount */
function animateFlyingCoins(board, source, target, coinCount) {
  const origin = board.getBoundingClientRect();
  const [start, end] = [source, target].map((place) => {
    const box = place.getBoundingClientRect();
    return [box.left + box.width / 2 - origin.left, box.top + box.height / 2 - origin.top];
  });
  const middle = [(start[0] + end[0]) / 2, Math.min(start[1], end[1]) - ARC];
  for (let each = 0; each < coinCount; each++) {
    const flying = makeFigure([-12, -7, 24, 16], 1, drawCoin(0, 0));
    flying.setAttribute("class", "od-flying");
    board.append(flying);
    const frames = [start, middle, end].map((point) => ({ translate: point.map((one) => `${one}px`).join(" ") }));
    const moved = flying.animate(frames, {
      duration: FLIGHT,
      delay: COIN_INTERVAL * each,
      easing: "ease-in-out",
      fill: "both",
    });
    moved.onfinish = () => flying.remove();
  }
}
