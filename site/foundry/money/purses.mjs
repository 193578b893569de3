// @ts-check
/** The purses that payments come from and go to. No purse goes below zero. Chips are kept in the world's own record;
 * the game master's client asks for other currencies. A non-player's stake is the house's, and comes from no purse. */

import { refuseUnless, isGM, RefusedRequest } from "../world/shapes.mjs";
import { localizedText } from "../world/words.mjs";
import { purseAfterPaying, coinValuesInCommonUnit } from "./change.mjs";
import { CHIPS, moneyText } from "./coins.mjs";

/** @typedef {import("../world/shapes.mjs").Payment} Payment */
/** @typedef {import("../world/shapes.mjs").Ledger} Ledger */
/** @typedef {import("../world/shapes.mjs").Host} Host */
/** @typedef {import("../world/shapes.mjs").World} World */
/** @typedef {import("../world/shapes.mjs").Draft} Draft */
/** @typedef {(payment: Payment) => Promise<void>} Purse takes (amount below 0) or gives; RefusedRequest if it cannot */

/** Return the function that makes payments in the currency of a ledger. @param {Draft} draft @param {Ledger} ledger
 * @returns {Purse} */
export function paymentFunction(draft, ledger) {
  const make = Object.hasOwn(PURSES, ledger.currency) && PURSES[ledger.currency];
  return make ? make(draft, ledger) : async () => refusePayment("absent");
}

/** The currencies that can be chosen. @type {Record<string, (draft: Draft, chips: Ledger) => Purse>} */
const PURSES = {
  chips:
    (draft) =>
    async ({ user, amount }) => {
      if (user === null) return refusePayment("refused");
      draft.world.purses[user] = balanceAfterPayment(chipsOf(draft, user), amount);
    },
  itempiles: ({ host }, { coin }) => {
    const { itempiles } = host.currencies();
    return async ({ actor, amount }) => {
      const who = requireActor(host, actor);
      if (!itempiles) refusePayment("absent");
      if (amount < 0)
        await itempiles.removeCurrencies(who, `${-amount}${coin}`); // makes change; throws where there is not enough
      else await itempiles.addCurrencies(who, `${amount}${coin}`);
    };
  },
  // The system's own deduction gives no change: a platinum piece could not pay for a gold piece.
  dnd5e: ({ host }, { coin }) => {
    const { dnd5e, read } = host.currencies();
    const worth = dnd5e && coinValuesInCommonUnit(dnd5e);
    return async ({ actor, amount }) => {
      const who = requireActor(host, actor);
      if (!worth || !Object.hasOwn(worth, coin)) refusePayment("absent");
      const pathOf = (/** @type {string} */ one) => `system.currency.${one}`;
      const held = Object.keys(worth).map((one) => /** @type {const} */ ([one, Number(read(who, pathOf(one))) || 0]));
      const whole = Object.fromEntries(held.map(([one, number]) => [one, Math.max(0, Math.floor(number))]));
      const next =
        amount < 0 ? purseAfterPaying(whole, worth, coin, -amount) : { ...whole, [coin]: whole[coin] + amount };
      if (!next) refusePayment("poor");
      const moved = held.filter(([one]) => next[one] !== whole[one]);
      await who.update(Object.fromEntries(moved.map(([one, had]) => [pathOf(one), had + next[one] - whole[one]])));
    };
  },
  // makes change
  pf2e:
    ({ host }, { coin }) =>
    async ({ actor, amount }) => {
      const { inventory } = requireActor(host, actor);
      if (!inventory) refusePayment("absent");
      const [take, give] = inventory.removeCurrency ? ["removeCurrency", "addCurrency"] : ["removeCoins", "addCoins"];
      const done = await inventory[amount < 0 ? take : give]({ [coin]: Math.abs(amount) });
      if (amount < 0 && !done) refusePayment("poor");
    },
  path: ({ host }, { path }) => {
    const { read } = host.currencies();
    return async ({ actor, amount }) => {
      const who = requireActor(host, actor);
      await who.update({ [path]: balanceAfterPayment(read(who, path), amount) });
    };
  },
};

/** Somebody's chips. @param {{host: Host, world: World}} draft @param {string} user id @returns {number} */
export function chipsOf({ host, world: { purses } }, user) {
  return Object.hasOwn(purses, user) ? purses[user] : host.get("opening");
}

/** Set somebody's chips for a game master, and say so in the chat. Throws RefusedRequest for other users, and if the
 * chips have changed since he saw them.
 * @param {Draft & {user: string}} asking @param {{user: string, was: number, amount: number}} body of a message
 * "purse" */
export async function setChips({ host, world, save, user: keeper }, { user, was, amount }) {
  refuseUnless(isGM(host, keeper));
  const whose = host.users().find(({ id }) => id === user);
  refuseUnless(whose, "seats");
  refuseUnless(chipsOf({ host, world }, user) === was, "stale");
  world.purses[user] = amount;
  await save();
  const by = host.users().find(({ id }) => id === keeper)?.name ?? "";
  const text = localizedText("ODDSMITH.Purses.Told", {
    by,
    name: whose.name,
    was: moneyText(CHIPS, was),
    amount: moneyText(CHIPS, amount),
  });
  await host.post({ author: keeper, alias: "", rolls: [], lines: [[text]], flags: {} });
}

/** The content of a purse after a payment. Throws RefusedRequest if the purse holds no whole number, or too little.
 * @param {any} balance what the purse holds @param {number} amount of the payment; below 0, it comes from the purse */
function balanceAfterPayment(balance, amount) {
  if (!Number.isSafeInteger(balance)) refusePayment("path");
  if (balance + amount < 0) refusePayment("poor");
  return Number.isSafeInteger(balance + amount) ? balance + amount : refusePayment("refused");
}

/** The actor with a uuid; throws RefusedRequest if there is none. @param {Host} host @param {string | null} uuid */
function requireActor(host, uuid) {
  return (uuid === null ? null : host.actor(uuid)) ?? refusePayment("actor");
}

/** Throw RefusedRequest for a payment. @param {string} reason a key of LACKS @returns {never} */
function refusePayment(reason) {
  throw new RefusedRequest("funds", { name: "", reason });
}
