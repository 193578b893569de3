// @ts-check
/** Paying from a purse of several kinds of coins, with change, in whole coins. */

const MOST_PARTS = 1000; // of the smallest coin, for a unit that measures all coins
const CLOSE = 1e-6; // two numbers of coins that differ by less are the same

/** Amounts by coin. @typedef {Record<string, number>} Coins */

/** The worth of each coin as a whole number of a common unit; null if no small enough unit exists.
 * @param {Coins} conversionRates how many of each coin are worth the same @returns {Coins | null} */
export function coinValuesInCommonUnit(conversionRates) {
  const most = Math.max(...Object.values(conversionRates));
  for (let parts = 1; parts <= MOST_PARTS; parts++) {
    const found = Object.entries(conversionRates).map(
      ([coin, rate]) => /** @type {const} */ ([coin, (most * parts) / rate]),
    );
    if (found.every(([, worth]) => worth >= 1 && Math.abs(worth - Math.round(worth)) < CLOSE))
      return Object.fromEntries(found.map(([coin, worth]) => [coin, Math.round(worth)]));
  }
  return null;
}

/** The coins in a purse after a payment; null if it cannot be paid. It pays with the given coin first, then with
 * cheaper coins, then with dearer ones. If less remains to be paid than any coin left is worth, it breaks the cheapest
 * of them. Change is given in the given coin and cheaper ones.
 * @param {Coins} purse @param {Coins} coinValues of each coin @param {string} coin @param {number} amount in that coin
 * @returns {Coins | null} */
export function purseAfterPaying(purse, coinValues, coin, amount) {
  const left = { ...purse };
  let due = amount * coinValues[coin];
  if (!Number.isSafeInteger(due)) return null;
  const cheapest = Object.keys(coinValues).sort((a, b) => coinValues[a] - coinValues[b]);
  const dearer = cheapest.filter((one) => coinValues[one] > coinValues[coin]);
  const cheaper = cheapest.filter((one) => one !== coin && coinValues[one] <= coinValues[coin]).reverse();
  for (const one of [coin, ...cheaper, ...dearer]) {
    const used = Math.min(left[one], Math.floor(due / coinValues[one]));
    left[one] -= used;
    due -= used * coinValues[one];
  }
  if (!due) return left;
  const broken = cheapest.find((one) => left[one] > 0);
  if (broken === undefined) return null;
  left[broken] -= 1;
  let change = coinValues[broken] - due;
  for (const one of [coin, ...cheaper]) {
    left[one] += Math.floor(change / coinValues[one]);
    change %= coinValues[one];
  }
  return change ? null : left;
}
