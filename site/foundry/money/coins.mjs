// @ts-check
/** The currencies of stakes, and amounts of money in words. */

import { localizedText } from "../world/words.mjs";

/** @typedef {import("../world/shapes.mjs").Ledger} Ledger */
/** @typedef {import("../world/shapes.mjs").Host} Host */
/** @typedef {Pick<Ledger, "currency" | "coin" | "path">} Currency as the settings name it */

/** An amount of money in words: "5 chips", "5 gp". For every text that names a stake, a pot or a purse:
 * `moneyText(record.chips, record.stake)`. @param {Currency} currency a table's ledger, or what `usualCurrency` gives
 * @param {number} amount */
export function moneyText(currency, amount) {
  return amount === 1 && currency.currency === "chips"
    ? localizedText("ODDSMITH.Money.Chip")
    : localizedText("ODDSMITH.Money.Coins", { amount, coin: coinName(currency) });
}

/** The name of the coin of a currency: "chips", "gp"; for one at a path, the path's last part.
 * @param {Currency} chips */
export function coinName({ currency, coin, path }) {
  if (currency === "chips") return localizedText("ODDSMITH.Money.Unit");
  return currency === "path" ? path.slice(path.lastIndexOf(".") + 1) : coin;
}

/** The currency that the settings name; of several paths, the first. @param {Host} host @returns {Currency} */
export function usualCurrency(host) {
  return { currency: host.get("currency"), coin: host.get("coin"), path: currencyPaths(host)[0] };
}

/** The currency that is the module's own. */
export const CHIPS = { currency: "chips", coin: "", path: "" };

/** The currencies in which a table can be played: the usual one first, then chips, then each coin that actors of this
 * world can hold.
 * @param {Host} host @returns {Currency[]} */
export function currencyChoices(host) {
  const usual = usualCurrency(host);
  /** @type {Record<string, string[]>} */
  const coins = host.currencies().coins;
  const keeper = usual.currency === "chips" ? Object.keys(coins)[0] : usual.currency;
  const others =
    keeper === "path"
      ? currencyPaths(host).map((path) => ({ ...usual, path }))
      : (Object.hasOwn(coins, keeper) ? coins[keeper] : []).map((coin) => ({ ...usual, currency: keeper, coin }));
  return [...new Map([usual, CHIPS, ...others].map((one) => [currencyKey(one), one])).values()];
}

/** An identifier of a currency, which no other currency has. @param {Currency} chips */
export function currencyKey({ currency, coin, path }) {
  if (currency === "chips") return currency;
  return `${currency} ${currency === "path" ? path : coin}`;
}

/** The paths of the setting, where actors keep coins. @param {Host} host @returns {string[]} */
const currencyPaths = (host) =>
  host
    .get("path")
    .split(",")
    .map((/** @type {string} */ path) => path.trim());
