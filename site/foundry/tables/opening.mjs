// @ts-check
/** Tables come and go: who may open one, its record, who sits down, and how one is broken off. */

import { opponentsOf, usualOpponentIndex } from "../../runtime/table/opponents.mjs";
import { opponentName } from "../../runtime/words/sentences.mjs";
import { currencyChoices, usualCurrency, currencyKey } from "../money/coins.mjs";
import {
  houseLedgerIndex,
  stakePaymentsWithKeys,
  OWN,
  refundPayments,
  removeVoidStakes,
  stakePaymentsOfOthers,
  unsettledPayments,
} from "../money/ledger.mjs";
import { makePayments } from "../money/payments.mjs";
import { houseReserve, stakingTermsOf } from "../money/stakes.mjs";
import { shortenName, refuseUnless, isGM, pictureAddress, VERSION } from "../world/shapes.mjs";
import { localizedText } from "../world/words.mjs";
import { needsGameMaster } from "./rights.mjs";
import { isSealed } from "./sealing.mjs";

/** @typedef {import("../world/shapes.mjs").Host} Host */
/** @typedef {import("../world/shapes.mjs").Seat} Seat */
/** @typedef {import("../world/shapes.mjs").TableRecord} TableRecord */
/** @typedef {import("../world/games.mjs").Games} Games */
/** @typedef {import("../../runtime/table/settings.mjs").Opponent} Opponent */
/** @typedef {import("../../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {import("../money/coins.mjs").Currency} Currency */
/** @typedef {import("../world/shapes.mjs").Draft & {user: string}} Asking at a request of a user */
/** @typedef {Asking & {record: TableRecord}} At at a request that is about a table */

const MAX_OPEN_TABLES = 20; // tables that are not over, or have a payment to look after
const EACH = 3; // of them opened by one player
const PAYMENTS = 200; // of one table, after which nobody else stakes

/** Make a new table from a request. Throws RefusedRequest if the request is not allowed.
 * @param {Asking} userDraft @param {Games} library
 * @param {any} body of a message "create" @returns {Promise<TableRecord>} */
export async function createTable(userDraft, library, body) {
  const { host, user } = userDraft;
  const gm = isGM(host, user);
  refuseUnless(gm || host.get("open") === "everyone");
  const { rules } = await library.game(body.game);
  const loadedGame = await library.openSetting(body.game, body.setting);
  refuseUnless(body.seats.length === loadedGame.game.seats, "seats");
  refuseUnless(body.stake === 0 || body.stake % (stakingTermsOf(loadedGame)?.each ?? Infinity) === 0, "stake");
  const skills = opponentsOf(loadedGame.setting);
  /** @type {Seat[]} */
  const seats = body.seats.map((/** @type {any} */ asked) => makeSeat(userDraft, asked, skills));
  refuseUnless(gm || seats.some(({ held }) => held === user), "own");
  const kept = seats.flatMap(({ held }) => held ?? []);
  refuseUnless(gm || new Set(kept).size === kept.length, "seats");
  const { game, stake, advice } = body;
  const money = chooseCurrency(userDraft, body.money);
  const house = money.currency === "chips" ? "" : body.house; // chips are people's alone
  refuseUnless(house === "" || (gm && (house === OWN || host.actor(house))));
  const keeper = loadedGame.rules.hasSecrets ? host.me() : null;
  return newRecord(
    userDraft,
    { game, rules, setting: loadedGame.setting.slug, seats, stake, advice, house, keeper },
    money,
  );
}

/** The currency of a new table. A game master chooses among all; others have the usual one. @param {Asking} asking
 * @param {Currency | null} requestedCurrency @returns {Currency} */
function chooseCurrency({ host, user }, requestedCurrency) {
  const usual = usualCurrency(host);
  const found = currencyChoices(host).find((one) => currencyKey(one) === currencyKey(requestedCurrency ?? usual));
  refuseUnless(found && (isGM(host, user) || found === usual || currencyKey(found) === currencyKey(usual)), "stake");
  return found;
}

/** Make the record of a rematch: the same game, stake and seats as a table that is over. Seats are kept for those who
 * had them at first.
 * @param {At} tableDraft
 * @returns {TableRecord} */
export function rematchTable(tableDraft) {
  const { game, rules, setting, stake, advice, house, chips } = tableDraft.record;
  const seats = tableDraft.record.seats.map(({ yielded, ...seat }) => ({
    ...seat,
    id: tableDraft.host.id(),
    user: null,
    held: seat.user,
    ...(yielded && { kind: /** @type {const} */ ("user"), held: yielded.user, name: yielded.name }),
  }));
  const keeper = isSealed(tableDraft.record) ? tableDraft.host.me() : null;
  return newRecord(tableDraft, { game, rules, setting, seats, stake, advice, house, keeper }, chips);
}

/** Make the record of a new table. Throws RefusedRequest if the user may not open one. @param {Asking} asking
 * @param {Pick<TableRecord, "game" | "rules" | "setting" | "seats" | "stake" | "advice" | "house" | "keeper">}
 * tableFields
 * @param {Currency} money @returns {TableRecord} */
function newRecord({ host, world, user }, tableFields, { currency, coin, path }) {
  const gm = isGM(host, user);
  const open = Object.values(world.tables).filter((one) => one.phase !== "over" || unsettledPayments(one).length);
  refuseUnless(gm || !needsGameMaster(tableFields), "house");
  refuseUnless(
    open.length < MAX_OPEN_TABLES && (gm || open.filter(({ dealer }) => dealer === user).length < EACH),
    "many",
  );
  return {
    v: VERSION,
    id: host.id(),
    rev: 0,
    phase: "lobby",
    log: [],
    mover: null,
    draws: [],
    ended: 0,
    next: null,
    dealer: user,
    ...tableFields,
    chips: { currency, coin, path, round: 0, payments: [] },
  };
}

/** Make a seat from a request. @param {Asking} asking @param {any} asked @param {Opponent[]} opponents @returns
 * {Seat} */
function makeSeat({ host, user }, { kind, user: held, actor: uuid, name, skill }, opponents) {
  const gm = isGM(host, user);
  const actor = uuid === null ? null : host.actor(uuid);
  const person = host.users().find(({ id }) => id === held);
  refuseUnless(uuid === null || (actor && (gm || host.owns(user, uuid))));
  refuseUnless(
    (held === null || (kind === "user" && person)) && (kind === "user" || skill < opponents.length),
    "seats",
  );
  // Cards of the game master show this name, so nobody else may choose one.
  const given = kind === "npc" ? (gm && name.trim()) || opponentName(opponents[skill]) : "";
  const face = { name: shortenName(actor?.name ?? person?.name ?? given), img: pictureAddress(actor?.img) };
  return { id: host.id(), kind, user: null, held, actor: uuid, ...face, skill };
}

/** Add a new table to the world. The user sits down in the seats that are kept for him, and non-players and the house
 * stake. If any of it fails, nothing is added. @param {At} tableDraft @param {Ready} loadedGame */
export async function addTable(tableDraft, loadedGame) {
  const { record, world, user } = tableDraft;
  world.tables[record.id] = record;
  try {
    for (const [seat, { held }] of record.seats.entries()) if (held === user) await takeSeat(tableDraft, seat, user);
    await stakeForOthers(tableDraft, loadedGame);
  } catch (error) {
    await breakOff(tableDraft);
    await tableDraft.save();
    throw error;
  }
}

/** Let a user take a seat and stake. The stake comes from an actor that he owns, if there is one.
 * @param {At} tableDraft @param {number} seat
 * @param {string} user */
export async function takeSeat(tableDraft, seat, user) {
  const { host, record } = tableDraft;
  const place = record.seats[seat];
  const person = host.users().find(({ id }) => id === user);
  refuseUnless(person, "seats");
  const actor = [place.actor, person.character].find((uuid) => uuid !== null && host.owns(user, uuid)) ?? null;
  if (record.stake) {
    refuseUnless(record.chips.payments.length < PAYMENTS, "many");
    await makePayments(
      tableDraft,
      record,
      stakePaymentsWithKeys(record, [{ seat, user, actor, amount: -record.stake }]),
      true,
    );
  }
  const known = actor === null ? null : host.actor(actor);
  Object.assign(place, { user, actor, name: shortenName(known?.name ?? person.name), img: pictureAddress(known?.img) });
}

/** Make the stakes of non-players and the house that are not yet paid: all of them or none.
 * @param {At} tableDraft
 * @param {Ready} loadedGame */
export async function stakeForOthers(tableDraft, loadedGame) {
  const { record } = tableDraft;
  await makePayments(tableDraft, record, stakePaymentsOfOthers(record, houseReserve(loadedGame, record.stake)), true);
}

/** Free a seat, and then give its stake back.
 * @param {At} tableDraft @param {number} seat @param {Partial<Seat>} [otherChanges] other changes of the seat */
export async function vacateSeat(tableDraft, seat, otherChanges = {}) {
  const { record } = tableDraft;
  const place = record.seats[seat];
  const nobody = place.held === null ? { actor: null, name: "", img: "" } : {};
  Object.assign(place, { user: null, ...nobody, ...otherChanges });
  await makePayments(tableDraft, record, refundPayments(record, [seat]), false);
  removeVoidStakes(record);
}

/** Give a player's seat to a non-player with the usual way of playing. The player's stake stays on the table.
 * @param {Seat} seat @param {import("../../runtime/table/settings.mjs").Setting} setting */
export function giveUpSeat(seat, setting) {
  const { user, name } = seat;
  refuseUnless(user !== null, "seats");
  const known = shortenName(localizedText("ODDSMITH.Lobby.GaveUp", { name }));
  Object.assign(seat, { kind: "npc", user: null, held: null, name: known, yielded: { user, name } });
  seat.skill = usualOpponentIndex(setting);
}

/** Mark a table as over. @param {At} at */
export function finishTable({ record, world }) {
  world.ended += 1;
  Object.assign(record, { phase: "over", ended: world.ended, mover: null });
}

/** Break a table off: it is over, and stakes go back. It is deleted if nobody played yet, unless a person must look
 * after a payment.
 * @param {At} tableDraft */
export async function breakOff(tableDraft) {
  const { record, world } = tableDraft;
  const unplayed = record.phase === "lobby";
  finishTable(tableDraft);
  await makePayments(
    tableDraft,
    record,
    refundPayments(record, [...record.seats.keys(), houseLedgerIndex(record)]),
    false,
  );
  if (unplayed && !unsettledPayments(record).length) delete world.tables[record.id];
}
