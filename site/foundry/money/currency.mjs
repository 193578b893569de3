// @ts-check
/**
 * Stakes: what is played for, who gets what at the end, and the purses it comes from. Only whole chips move, each payment is
 * written down before it is made and is made once, and no purse goes below zero. Chips are kept in the world's own record;
 * other currencies are asked for by the game master. A non-player's stake is the house's: it comes from no purse.
 */

import { Fraction } from "../runtime/values.mjs";
import { namesOf } from "../runtime/view.mjs";
import { within } from "./net.mjs";
import { isGM } from "./rights.mjs";
import { called, grant, Refused } from "./shapes.mjs";
import { paymentText, say } from "./words.mjs";

/** @typedef {import("../runtime/book.mjs").Ready} Ready */
/** @typedef {import("../runtime/rules.mjs").State} State */
/** @typedef {import("./shapes.mjs").TableRecord} TableRecord */
/** @typedef {import("./shapes.mjs").Payment} Payment */
/** @typedef {import("./shapes.mjs").Ledger} Ledger */
/** @typedef {import("./shapes.mjs").Host} Host */
/** @typedef {import("./shapes.mjs").World} World */
/** @typedef {{host: Host, world: World, save: () => Promise<void>}} Desk */
/** @typedef {(payment: Payment) => Promise<void>} Purse takes (amount below 0) or gives; Refused where it cannot */
/** @typedef {Pick<Ledger, "currency" | "coin" | "path">} Currency as the settings name it */
/** @typedef {{chips: Currency, kind: "pot" | "house" | "back", lines: {name: string, took: number, amount: number | "open" | null}[],
 *   open?: {state: string, name: string, amount: number}[]}} Account who got what: `took` of the pot, from the house, or back where
 *   the game was broken off; `amount` in all, of the ledger ("open": a payment of the seat is not settled; null: the seat is the
 *   house's, and no purse stands behind it); `open` the payments that a person must look after */

const PATIENCE = 20_000; // milliseconds after which a purse is not waited for any more

// --- who gets what

/** What stakes are for: the pot of all seats, shared as one win is, or a bet against the house. null: nothing can be staked.
 * @param {Ready} ready @returns {{kind: "pot" | "house", payoff: string} | null} */
export function stakes({ game, setting }) {
  const own = setting.objective;
  if (game.seats === 1) return setting.wager ? { kind: "house", payoff: own } : null;
  const shares = game.bundle.payoffs
    .filter((/** @type {[string, any]} */ [, { value }]) => value[0] === "call" && value[1] === "share")
    .map((/** @type {[string, any]} */ [name]) => name);
  return shares.length ? { kind: "pot", payoff: shares.includes(own) ? own : shares[0] } : null;
}

/** What each seat is paid in a final position, in whole chips. A chip that cannot be shared goes to the seat with the greatest
 * rest, of equals the first. @param {Ready} ready @param {State} state @param {number} stake of each seat @returns {number[]} */
export function winnings(ready, state, stake) {
  const found = stakes(ready);
  if (!found) return Array(ready.game.seats).fill(0);
  const got = ready.rules.payoffs(state, found.payoff);
  if (found.kind === "house") {
    const [top, bottom] = (ready.setting.wager ?? "1").split("/");
    const most = new Fraction(BigInt(top), BigInt(bottom ?? "1"));
    const over = BigInt(stake) * got[0].top * most.bottom;
    const paid = BigInt(stake) + floor(over, got[0].bottom * most.top);
    return [paid > 0n ? Number(paid) : 0];
  }
  const pot = BigInt(stake) * BigInt(got.length);
  const paid = got.map(({ top, bottom }) => floor(pot * top, bottom));
  const rests = got.map(({ top, bottom }, seat) => new Fraction(pot * top - paid[seat] * bottom, bottom));
  const order = [...got.keys()].sort((a, b) => {
    const [one, other] = [rests[a].top * rests[b].bottom, rests[b].top * rests[a].bottom];
    return one === other ? a - b : one > other ? -1 : 1;
  });
  let left = pot - paid.reduce((sum, one) => sum + one, 0n);
  for (const seat of order) if (left > 0n) [paid[seat], left] = [paid[seat] + 1n, left - 1n];
  return paid.map(Number);
}

/** @param {bigint} top @param {bigint} bottom above 0 */
const floor = (top, bottom) => (top - (((top % bottom) + bottom) % bottom)) / bottom;

// --- in words

/** An amount of money in words: "5 chips", "5 gp". For every text that names a stake, a pot or a purse:
 * `money(record.chips, record.stake)`. @param {Currency} chips a table's ledger, or what `currencyOf` gives @param {number} amount */
export function money(chips, amount) {
  return amount === 1 && chips.currency === "chips" ? say("ODDSMITH.Money.Chip") : say("ODDSMITH.Money.Coins", { amount, coin: coinOf(chips) });
}

/** What the coin of a currency is called: "chips", "gp"; one at a path by the path's last part. @param {Currency} chips */
export function coinOf({ currency, coin, path }) {
  if (currency === "chips") return say("ODDSMITH.Money.Unit");
  return currency === "path" ? path.slice(path.lastIndexOf(".") + 1) : coin;
}

/** What stakes are paid in at tables that are opened now. @param {Host} host @returns {Currency} */
export function currencyOf(host) {
  return { currency: host.get("currency"), coin: host.get("coin"), path: host.get("path") };
}

/** What a ledger tells, with the payments that a person must look after. @param {Host} host @param {TableRecord} record
 * @param {Account["kind"]} kind @param {Account["lines"]} lines @returns {Account} */
export function accountOf(host, record, kind, lines) {
  const { currency, coin, path } = record.chips;
  const open = unsettled(record).map((one) =>
    ({ state: one.state, name: payer(host, one) || namesOf(record.seats)[one.seat], amount: Math.abs(one.amount) }));
  return { chips: { currency, coin, path }, kind, lines, open };
}

/** Who got what at the end of a game; null where nothing was staked. @param {Host} host @param {TableRecord} record
 * @param {Ready} ready @param {State} state @returns {Account | null} */
export function account(host, record, ready, state) {
  const found = record.stake ? stakes(ready) : null;
  if (!found) return null;
  const names = namesOf(record.seats);
  const open = unsettled(record);
  const lines = winnings(ready, state, record.stake).map((took, seat) => {
    const own = record.chips.payments.filter((one) => one.seat === seat);
    const stake = own.findLastIndex(({ key, state }) => key.startsWith("stake ") && state === "done");
    const since = own.slice(Math.max(stake, 0)); // what came before it was another's, and went back
    const sum = since.reduce((total, one) => total + (one.state === "done" ? one.amount : 0), 0);
    const amount = stake < 0 ? null : since.some((one) => open.includes(one)) ? "open" : sum;
    return { name: names[seat], took, amount: /** @type {Account["lines"][0]["amount"]} */ (amount) };
  });
  return accountOf(host, record, found.kind, lines);
}

/** Who got a stake back; null where none was to go back. @param {Host} host @param {TableRecord} record @param {number} first place
 * of the ledger's first payment that is meant @returns {Account | null} */
export function accountOfRefunds(host, record, first) {
  const names = namesOf(record.seats);
  const back = record.chips.payments.slice(first).filter(({ key, state }) => key.startsWith("back ") && state === "done");
  const told = accountOf(host, record, "back", back.map(({ seat, amount }) => ({ name: names[seat], took: amount, amount: 0 })));
  return told.lines.length || told.open?.length ? told : null;
}

/** The same in sentences: who took the pot, if there was one, a line for each seat of which it is known what it got, and what a
 * person must look after. @param {Account | null | undefined} account */
export function accountTexts(account) {
  if (!account) return { head: "", lines: [], open: [] };
  const { chips, kind, lines, open = [] } = account;
  const lineOf = (/** @type {Account["lines"][0]} */ { name, took, amount }) => {
    if (kind === "back") return say("ODDSMITH.Money.Back", { name, amount: money(chips, took) });
    if (amount === "open") return [];
    if (amount === null) return say("ODDSMITH.Money.ForHouse", { name });
    if (amount === 0) return say("ODDSMITH.Money.Even", { name });
    const size = money(chips, Math.abs(amount));
    return amount > 0 ? say("ODDSMITH.Money.Won", { name, amount: size }) : say("ODDSMITH.Money.Lost", { name, amount: size });
  };
  const texts = open.map(({ state, name, amount }) => paymentText(state, name, money(chips, amount)));
  return { head: kind === "back" ? "" : tookText(account), lines: lines.flatMap(lineOf), open: texts };
}

/** That a game was broken off, and why. @param {boolean} stuck because the rules did not go on @param {Account | null | undefined}
 * account of what went back */
export function brokenText(stuck, account) {
  const back = account?.lines.length && !account.open?.length;
  return [stuck ? say("ODDSMITH.End.Stuck") : "", back ? say("ODDSMITH.End.Broken") : say("ODDSMITH.End.BrokenOff")].filter(Boolean).join(" ");
}

/** @param {Account} account */
function tookText({ chips, kind, lines }) {
  const winners = lines.filter(({ took }) => took > 0);
  const amount = money(chips, winners.reduce((sum, { took }) => sum + took, 0));
  const names = winners.map(({ name }) => name).join(", ");
  if (kind === "house") return winners.length ? say("ODDSMITH.Money.HousePays", { name: names, amount }) : say("ODDSMITH.Money.HouseKeeps");
  return winners.length > 1 ? say("ODDSMITH.Money.PotShared", { names, amount }) : say("ODDSMITH.Money.PotTo", { name: names, amount });
}

// --- the ledger of a table

/** The stake that lies on the table for a seat. @param {TableRecord} record @param {number} seat */
export function staked({ chips: { payments } }, seat) {
  return payments.findLast((one) => one.seat === seat && one.key.startsWith("stake ") && one.state === "done" &&
    !payments.some(({ key, state }) => key === `back ${one.key}` && state !== "refused"));
}

/** @param {TableRecord} record @param {number} seat @param {string} user @param {string | null} actor @returns {Payment} */
export function stakeOf(record, seat, user, actor) {
  const numbers = record.chips.payments.map(({ key }) => Number(/^stake (\d+)$/.exec(key)?.[1] ?? -1));
  return { key: `stake ${Math.max(-1, ...numbers) + 1}`, seat, user, actor, amount: -record.stake, state: "due" };
}

/** Stakes that go back. @param {TableRecord} record @param {number[]} seats @returns {Payment[]} */
export function refunds(record, seats) {
  const lying = seats.flatMap((seat) => staked(record, seat) ?? []);
  return lying.map((one) => ({ ...one, key: `back ${one.key}`, amount: -one.amount, state: "due" }));
}

/** Take out of a ledger what came to nothing: stakes that went back, and those that nobody could pay. Whoever sits down and leaves
 * again and again would fill it. @param {TableRecord} record */
export function tidy({ chips }) {
  const back = chips.payments.flatMap(({ key, state }) => (key.startsWith("back ") && state === "done" ? [key, key.slice("back ".length)] : []));
  const refused = (/** @type {Payment} */ { key, state }) => key.startsWith("stake ") && state === "refused";
  chips.payments = chips.payments.filter((one) => !back.includes(one.key) && !refused(one));
}

/** What the end brings, to whoever staked. @param {TableRecord} record @param {number[]} paid by seat @returns {Payment[]} */
export function payouts(record, paid) {
  return paid.flatMap((amount, seat) => {
    const stake = staked(record, seat);
    return stake ? [{ ...stake, key: `pay ${record.chips.round} ${seat}`, amount, state: /** @type {const} */ ("due") }] : [];
  });
}

/** The same taken back. @param {TableRecord} record @returns {Payment[]} */
export function reversals({ chips: { payments, round } }) {
  const made = payments.filter(({ key, state }) => key.startsWith(`pay ${round} `) && state === "done");
  return made.map((one) => ({ ...one, key: one.key.replace("pay", "undo"), amount: -one.amount, state: "due" }));
}

/** Payments that a person must look after: it is not known whether they were made, or somebody was to get them and did not.
 * @param {TableRecord} record */
export function unsettled({ chips: { payments } }) {
  const made = (/** @type {string} */ wanted) => payments.some(({ key, state }) => key === wanted && state === "done");
  return payments.filter(({ key, amount, state }) => state === "unsure" || (state === "refused" && amount > 0 && !made(key)));
}

/** Whether what the end brought cannot be taken back, because nobody knows whether it was paid. @param {TableRecord} record */
export function doubtful({ chips: { payments, round } }) {
  return payments.some(({ key, state }) => state === "unsure" && (key.startsWith(`pay ${round} `) || key.startsWith(`undo ${round} `)));
}

/** Make payments that were not made before, each written down first. With `all`, all or none: Refused where one fails.
 * The caller saves what became of them. @param {Desk} desk @param {TableRecord} record @param {Payment[]} wanted
 * @param {boolean} all */
export async function pay(desk, record, wanted, all) {
  const { payments } = record.chips;
  const due = wanted.filter(({ key, amount }) => amount !== 0 && !payments.some((one) => one.key === key && one.state !== "refused"));
  if (!due.length) return;
  payments.push(...due);
  await desk.save();
  const purse = purseOf(desk, record.chips);
  /** @type {import("./shapes.mjs").Lack | null} */
  let lack = null;
  for (const one of due) one.state = await made(desk, purse, one, (reason) => (lack ??= { name: payer(desk.host, one), reason }));
  if (!all || due.every(({ state }) => state === "done")) return;
  for (const one of due.filter(({ state }) => state === "done"))
    one.state = (await made(desk, purse, { ...one, amount: -one.amount })) === "done" ? "refused" : "unsure";
  tidy(record);
  await desk.save();
  throw new Refused("funds", lack);
}

/** @param {Desk} desk @param {Purse} purse @param {Payment} payment @param {(reason: string) => void} [refused] hears why
 * @returns {Promise<"done" | "refused" | "unsure">} */
async function made({ host }, purse, payment, refused = () => {}) {
  try {
    return await within(host, PATIENCE, purse(payment).then(() => "done"), "unsure");
  } catch (error) {
    if (payment.amount > 0) host.report(error); // that there is not enough to take is nothing to report
    refused((error instanceof Refused && error.lack?.reason) || "refused"); // others throw what they like
    return "refused";
  }
}

/** Whose purse a payment is about. @param {Host} host @param {Payment} payment */
export function payer(host, { user, actor }) {
  return called((actor !== null && host.actor(actor)?.name) || host.users().find(({ id }) => id === user)?.name || "");
}

/** Payments that somebody left unfinished. Chips are saved together with their payments, so what is due was not made; of
 * another currency nobody knows. @param {Desk} desk @param {TableRecord} record @returns {Promise<boolean>} whether there were any */
export async function recover(desk, { chips }) {
  const due = chips.payments.filter(({ state }) => state === "due");
  for (const one of due) {
    if (chips.currency !== "chips") one.state = "unsure";
    else one.state = one.amount > 0 ? await made(desk, purseOf(desk, chips), one) : "refused";
  }
  return due.length > 0;
}

// --- purses

/** @param {Desk} desk @param {Ledger} chips @returns {Purse} */
function purseOf(desk, chips) {
  const make = Object.hasOwn(PURSES, chips.currency) && PURSES[chips.currency];
  return make ? make(desk, chips) : async () => lacking("absent");
}

/** The currencies that can be chosen. @type {Record<string, (desk: Desk, chips: Ledger) => Purse>} */
export const PURSES = {
  chips: (desk) => async ({ user, amount }) => {
    if (user === null) return lacking("refused");
    desk.world.purses[user] = sum(chipsOf(desk, user), amount);
  },
  itempiles: ({ host }, { coin }) => {
    const { itempiles } = host.currencies();
    return async ({ actor, amount }) => {
      const who = actorOf(host, actor);
      if (!itempiles) lacking("absent");
      if (amount < 0) await itempiles.removeCurrencies(who, `${-amount}${coin}`); // throws where there is not enough
      else await itempiles.addCurrencies(who, `${amount}${coin}`);
    };
  },
  dnd5e: ({ host }, { coin }) => {
    const { dnd5e } = host.currencies();
    return async ({ actor, amount }) => {
      const who = actorOf(host, actor);
      if (!dnd5e) lacking("absent");
      if (amount < 0) await dnd5e.CurrencyManager.deductActorCurrency(who, -amount, coin); // makes change, or throws
      else await dnd5e.Award.awardCurrency({ [coin]: amount }, [who]);
    };
  },
  pf2e: ({ host }, { coin }) => async ({ actor, amount }) => {
    const { inventory } = actorOf(host, actor);
    if (!inventory) lacking("absent");
    const [take, give] = inventory.removeCurrency ? ["removeCurrency", "addCurrency"] : ["removeCoins", "addCoins"];
    const done = await inventory[amount < 0 ? take : give]({ [coin]: Math.abs(amount) });
    if (amount < 0 && !done) lacking("poor");
  },
  path: ({ host }, { path }) => {
    const { read } = host.currencies();
    return async ({ actor, amount }) => {
      const who = actorOf(host, actor);
      await who.update({ [path]: sum(read(who, path), amount) });
    };
  },
};

/** Somebody's chips. @param {{host: Host, world: World}} desk @param {string} user id @returns {number} */
export function chipsOf({ host, world: { purses } }, user) {
  return Object.hasOwn(purses, user) ? purses[user] : host.get("opening");
}

/** A game master sets somebody's chips, and the chat says so. Refused for others, and where they are not what he saw.
 * @param {Desk & {user: string}} asking @param {{user: string, was: number, amount: number}} body of a message "purse" */
export async function setChips({ host, world, save, user: keeper }, { user, was, amount }) {
  grant(isGM(host, keeper));
  const whose = host.users().find(({ id }) => id === user);
  grant(whose, "seats");
  grant(chipsOf({ host, world }, user) === was, "stale");
  world.purses[user] = amount;
  await save();
  const by = host.users().find(({ id }) => id === keeper)?.name ?? "";
  const text = say("ODDSMITH.Purses.Told", { by, name: whose.name, was: money(CHIPS, was), amount: money(CHIPS, amount) });
  await host.post({ author: keeper, alias: "", rolls: [], text, flags: {} });
}

/** The currency that is the module's own. */
export const CHIPS = { currency: "chips", coin: "", path: "" };

/** What a purse holds after a payment; Refused where it would be none. @param {any} held @param {number} amount */
function sum(held, amount) {
  if (!Number.isSafeInteger(held)) lacking("path");
  if (held + amount < 0) lacking("poor");
  return Number.isSafeInteger(held + amount) ? held + amount : lacking("refused");
}

/** @param {Host} host @param {string | null} uuid */
function actorOf(host, uuid) {
  return (uuid === null ? null : host.actor(uuid)) ?? lacking("actor");
}

/** @param {string} reason a key of LACKS @returns {never} */
function lacking(reason) {
  throw new Refused("funds", { name: "", reason });
}
