// @ts-check
/** Settlements: who got what at the end of a game, or got back when it was broken off. */

import { uniqueSeatNames } from "../../runtime/words/sentences.mjs";
import { shortenName } from "../world/shapes.mjs";
import { openPaymentText, localizedText } from "../world/words.mjs";
import { moneyText } from "./coins.mjs";
import { houseLedgerIndex, OWN, unsettledPayments } from "./ledger.mjs";
import { payerName } from "./payments.mjs";
import { stakingTermsOf, chipsWonBySeat } from "./stakes.mjs";

/** @typedef {import("../../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {import("../../runtime/rules/rules.mjs").State} State */
/** @typedef {import("../world/shapes.mjs").TableRecord} TableRecord */
/** @typedef {import("../world/shapes.mjs").Payment} Payment */
/** @typedef {import("../world/shapes.mjs").Host} Host */
/** @typedef {import("./coins.mjs").Currency} Currency */
/** @typedef {{chips: Currency, kind: "pot" | "house" | "coins" | "back", lines: {name: string, took: number,
 * amount: number | "open" | null}[], open?: {state: string, name: string, amount: number}[]}} Settlement
 * who got what. `took` is what came from the pot, from the house, as coins of the game, or back if the game was broken
 * off. `amount` is the sum of all payments of the
 * seat: "open" if one of them is not settled, null if the seat is the house's, which has no purse. `open` lists the
 * payments that a person must look after */

/** Make a settlement, with the payments that a person must look after. @param {Host} host @param {TableRecord} record
 * @param {Settlement["kind"]} kind @param {Settlement["lines"]} lines @returns {Settlement} */
export function makeSettlement(host, record, kind, lines) {
  const { currency, coin, path } = record.chips;
  const open = unsettledPayments(record).map((one) => ({
    state: one.state,
    name: payerName(host, one) || payeeName(host, record, one.seat),
    amount: Math.abs(one.amount),
  }));
  return { chips: { currency, coin, path }, kind, lines, open };
}

/** The settlement of a game that is over: what everybody got; null if nothing was staked.
 * @param {Host} host @param {TableRecord} record
 * @param {Ready} loadedGame @param {State} state @returns {Settlement | null} */
export function finalSettlement(host, record, loadedGame, state) {
  const staking = record.stake ? stakingTermsOf(loadedGame) : null;
  if (!staking) return null;
  const names = uniqueSeatNames(record.seats, loadedGame.game.sides);
  const open = unsettledPayments(record);
  const sumOf = (/** @type {Payment[]} */ payments) =>
    payments.some((one) => open.includes(one))
      ? "open"
      : payments.reduce((total, one) => total + (one.state === "done" ? one.amount : 0), 0);
  const lines = chipsWonBySeat(loadedGame, state, record.stake).flatMap((took, seat) => {
    const own = record.chips.payments.filter((one) => one.seat === seat);
    const stake = own.findLastIndex(({ key, state }) => key.startsWith("stake ") && state === "done");
    const since = own.slice(Math.max(stake, 0)); // what came before it was another's, and went back
    /** @type {Settlement["lines"][0]} */
    const line = { name: names[seat], took, amount: stake < 0 ? null : sumOf(since) };
    const { yielded } = record.seats[seat];
    return yielded
      ? [
          { ...line, amount: null },
          { ...line, name: yielded.name, took: 0 },
        ]
      : [line];
  });
  const banked = record.chips.payments.filter(({ seat }) => seat === houseLedgerIndex(record));
  if (banked.length) lines.push({ name: houseName(host, record), took: 0, amount: sumOf(banked) });
  return makeSettlement(host, record, staking.kind, lines);
}

/** The name of the house, with that of its actor if there is one. @param {Host} host @param {TableRecord} record */
function houseName(host, { house }) {
  const name = host.actor(house)?.name;
  return name
    ? localizedText("ODDSMITH.Money.House", { name: shortenName(name) })
    : localizedText("ODDSMITH.Money.TheHouse");
}

/** A sentence that names who pays the stakes of non-players and the house; empty if nobody does.
 * @param {Host} host @param {TableRecord} record */
export function housePayerText(host, record) {
  if (record.house === OWN)
    return record.seats.some(({ kind }) => kind === "npc") ? localizedText("ODDSMITH.Table.Own") : "";
  return (
    record.house && localizedText("ODDSMITH.Table.House", { name: shortenName(host.actor(record.house)?.name ?? "") })
  );
}

/** The name of a seat, or of the house. @param {Host} host @param {TableRecord} record @param {number} seat */
const payeeName = (host, record, seat) => uniqueSeatNames(record.seats)[seat] ?? houseName(host, record);

/** The settlement of stakes that went back; null if none did and no payment is open.
 * @param {Host} host @param {TableRecord} record
 * @param {number} firstPaymentIndex the index of the first payment of the ledger to look at @returns {Settlement |
 * null} */
export function refundSettlement(host, record, firstPaymentIndex) {
  const back = record.chips.payments
    .slice(firstPaymentIndex)
    .filter(({ key, state }) => key.startsWith("back ") && state === "done");
  const settled = makeSettlement(
    host,
    record,
    "back",
    back.map(({ seat, amount }) => ({
      name: payeeName(host, record, seat),
      took: amount,
      amount: 0,
    })),
  );
  return settled.lines.length || settled.open?.length ? settled : null;
}

/** A settlement in sentences: who took the pot, if there was one; a line for each seat whose gain is known; and the
 * payments that a person must look after.
 * @param {Settlement | null | undefined} settlement */
export function settlementTexts(settlement) {
  if (!settlement) return { head: "", lines: [], open: [] };
  const { chips, kind, lines, open = [] } = settlement;
  const lineOf = (/** @type {Settlement["lines"][0]} */ { name, took, amount }) => {
    if (kind === "back") return localizedText("ODDSMITH.Money.Back", { name, amount: moneyText(chips, took) });
    if (amount === "open") return [];
    if (amount === null) return localizedText("ODDSMITH.Money.ForHouse", { name });
    if (amount === 0) return localizedText("ODDSMITH.Money.Even", { name });
    const size = moneyText(chips, Math.abs(amount));
    return amount > 0
      ? localizedText("ODDSMITH.Money.Won", { name, amount: size })
      : localizedText("ODDSMITH.Money.Lost", { name, amount: size });
  };
  const texts = open.map(({ state, name, amount }) => openPaymentText(state, name, moneyText(chips, amount)));
  return {
    head: kind === "back" || kind === "coins" ? "" : winnersText(settlement),
    lines: lines.flatMap(lineOf),
    open: texts,
  };
}

/** A sentence that a game was broken off, and why.
 * @param {boolean} rulesFailed because the rules did not go on
 * @param {Settlement | null | undefined} settlement what went back */
export function brokenOffText(rulesFailed, settlement) {
  const back = settlement?.lines.length && !settlement.open?.length;
  return [
    rulesFailed ? localizedText("ODDSMITH.End.Stuck") : "",
    back ? localizedText("ODDSMITH.End.Broken") : localizedText("ODDSMITH.End.BrokenOff"),
  ]
    .filter(Boolean)
    .join(" ");
}

/** A sentence that says who took the pot, or what the house pays. @param {Settlement} settled */
function winnersText({ chips, kind, lines }) {
  const winners = lines.filter(({ took }) => took > 0);
  const amount = moneyText(
    chips,
    winners.reduce((sum, { took }) => sum + took, 0),
  );
  const names = winners.map(({ name }) => name).join(", ");
  if (kind === "house")
    return winners.length
      ? localizedText("ODDSMITH.Money.HousePays", { name: names, amount })
      : localizedText("ODDSMITH.Money.HouseKeeps");
  return winners.length > 1
    ? localizedText("ODDSMITH.Money.PotShared", { names, amount })
    : localizedText("ODDSMITH.Money.PotTo", { name: names, amount });
}
