// @ts-check
/** Paying from a purse of several kinds of coins, with change, in whole coins. */

const MOST_PARTS = 1000; // of the smallest coin, for a unit that measures all coins
const CLOSE = 1e-6; // two numbers of coins that differ by less are the same

/** Amounts by coin. @typedef {Record<string, number>} Coins */

/** The worth of each coin as a whole number of a common unit; null if no small enough unit exists.
 * @param {Coins} rates how many of each coin are worth the same @returns {Coins | null} */
export function coinWorths(rates) {
  const most = Math.max(...Object.values(rates));
  for (let parts = 1; parts <= MOST_PARTS; parts++) {
    const found = Object.entries(rates).map(([coin, rate]) => /** @type {const} */ ([coin, (most * parts) / rate]));
    if (found.every(([, worth]) => worth >= 1 && Math.abs(worth - Math.round(worth)) < CLOSE))
      return Object.fromEntries(found.map(([coin, worth]) => [coin, Math.round(worth)]));
  }
  return null;
}

/** The coins in a purse after a payment; null if it cannot be paid. It pays with the given coin first, then with
 * cheaper coins, then with dearer ones. If less remains to be paid than any coin left is worth, it breaks the cheapest
 * of them. Change is given in the given coin and cheaper ones.
 * @param {Coins} purse @param {Coins} worth of each coin @param {string} coin @param {number} amount in that coin
 * @returns {Coins | null} */
export function purseAfterPaying(purse, worth, coin, amount) {
  const left = { ...purse };
  let due = amount * worth[coin];
  if (!Number.isSafeInteger(due)) return null;
  const cheapest = Object.keys(worth).sort((a, b) => worth[a] - worth[b]);
  const dearer = cheapest.filter((one) => worth[one] > worth[coin]);
  const cheaper = cheapest.filter((one) => one !== coin && worth[one] <= worth[coin]).reverse();
  for (const one of [coin, ...cheaper, ...dearer]) {
    const used = Math.min(left[one], Math.floor(due / worth[one]));
    left[one] -= used;
    due -= used * worth[one];
  }
  if (!due) return left;
  const broken = cheapest.find((one) => left[one] > 0);
  if (broken === undefined) return null;
  left[broken] -= 1;
  let change = worth[broken] - due;
  for (const one of [coin, ...cheaper]) {
    left[one] += Math.floor(change / worth[one]);
    change %= worth[one];
  }
  return change ? null : left;
}
