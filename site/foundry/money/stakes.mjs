// @ts-check
/** What is staked in a game, and who gets what at the end. Only whole chips move. */

import { Fraction } from "../../runtime/rules/values.mjs";
import { sharePayoffNames, winPayoffName } from "../../runtime/words/sentences.mjs";
import { readableName } from "../../runtime/words/words.mjs";
import { localizedText } from "../world/words.mjs";

/** @typedef {import("../../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {import("../../runtime/rules/rules.mjs").State} State */

/** @typedef {{kind: "pot" | "house" | "coins", payoff: string, each: number}} Staking `each` is the number of the
 * game's own coins that a seat pays in, so stakes are multiples of it. It is 1 in games without such coins */

/** What is staked in a game: its own coins, if people play for these; a pot of all seats, shared in the way a win is;
 * or a bet against the house. null if nothing can be staked.
 * @param {Ready} loadedGame @returns {Staking | null} */
export function stakingTermsOf(loadedGame) {
  const { game, setting } = loadedGame;
  const own = setting.objective;
  const each = buyInPerSeat(loadedGame);
  if (game.seats === 1) return setting.wager ? { kind: "house", payoff: own, each: 1 } : null;
  if (each) return { kind: "coins", payoff: own, each };
  return sharePayoffNames(game).length ? { kind: "pot", payoff: winPayoffName(loadedGame), each: 1 } : null;
}

/** The number of coins that each seat pays in, if people play for coins: all coins at the start, divided by the seats.
 * It is 0 if they do not, if the division leaves a rest, or if the seats begin with unequal purses. @param {Ready}
 * ready
 * @returns {number} */
function buyInPerSeat({ game, rules, setting, coins }) {
  const held = coins?.[setting.objective];
  if (!held) return 0;
  const { cells } = rules.start();
  const [purses, ...rest] = held.map((name) => game.cellNumbers(name).map((place) => cells[place]));
  const each = [...purses, ...rest.flat()].reduce((sum, one) => sum + one, 0) / game.seats;
  return Number.isInteger(each) && purses.every((one) => one === purses[0]) ? each : 0;
}

/** How many chips each seat gets in a final position, by seat. Shares are rounded down. The chips that are left go to
 * the seats with the largest fractions, and among equals to the first.
 * @param {Ready} loadedGame @param {State} state
 * @param {number} stake of each seat @returns {number[]} */
export function chipsWonBySeat(loadedGame, state, stake) {
  const staking = stakingTermsOf(loadedGame);
  if (!staking) return Array(loadedGame.game.seats).fill(0);
  const got = loadedGame.rules.payoffs(state, staking.payoff);
  if (staking.kind === "house") {
    const most = largestLoss(loadedGame);
    const over = BigInt(stake) * got[0].top * most.bottom;
    const paid = BigInt(stake) + floorQuotient(over, got[0].bottom * most.top);
    return [paid > 0n ? Number(paid) : 0];
  }
  // The stakes behind coins that nobody has at the end are lost.
  if (staking.kind === "coins")
    return got.map(({ top, bottom }) => Number(floorQuotient(BigInt(stake) * top, BigInt(staking.each) * bottom)));
  const pot = BigInt(stake) * BigInt(got.length);
  const paid = got.map(({ top, bottom }) => floorQuotient(pot * top, bottom));
  const rests = got.map(({ top, bottom }, seat) => new Fraction(pot * top - paid[seat] * bottom, bottom));
  const order = [...got.keys()].sort((a, b) => {
    const [one, other] = [rests[a].top * rests[b].bottom, rests[b].top * rests[a].bottom];
    return one === other ? a - b : one > other ? -1 : 1;
  });
  let left = pot - paid.reduce((sum, one) => sum + one, 0n);
  for (const seat of order) if (left > 0n) [paid[seat], left] = [paid[seat] + 1n, left - 1n];
  return paid.map(Number);
}

/** The money beyond the stake that the house needs to pay the largest prize of a bet.
 * @param {Ready} loadedGame
 * @param {number} stake */
export function houseReserve(loadedGame, stake) {
  if (stakingTermsOf(loadedGame)?.kind !== "house") return 0;
  const [wager, prize] = [largestLoss(loadedGame), parseFraction(loadedGame.setting.prize ?? "1")];
  return -Number(floorQuotient(-BigInt(stake) * prize.top * wager.bottom, prize.bottom * wager.top));
}

/** The most that a bet can lose, in units of the payoff. @param {Ready} loadedGame */
const largestLoss = ({ setting }) => parseFraction(setting.wager ?? "1");

/** Read a fraction. @param {string} text such as 3/2 */
function parseFraction(text) {
  const [top, bottom = "1"] = text.split("/");
  return new Fraction(BigInt(top), BigInt(bottom));
}

/** The quotient of two whole numbers, rounded down. @param {bigint} top @param {bigint} bottom above 0 */
const floorQuotient = (top, bottom) => (top - (((top % bottom) + bottom) % bottom)) / bottom;

/** A sentence that names the payoff that decides the pot, if advice and odds follow another one; else empty.
 * @param {Ready} loadedGame */
export function potPayoffText(loadedGame) {
  const { objective, policy } = loadedGame.setting;
  const payoff = stakingTermsOf(loadedGame)?.payoff ?? objective;
  if (payoff === objective) return "";
  const names = { pot: readableName(payoff), goal: readableName(objective) };
  return policy === null
    ? localizedText("ODDSMITH.Table.PotBy", names)
    : localizedText("ODDSMITH.Table.OtherGoal", names);
}
