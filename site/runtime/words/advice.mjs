// @ts-check
/** Best play in a position: its actions, the value of each, and how these are shown. Ties are shown as ties. */

import { actionName } from "./sentences.mjs";
import { make, rankingTable, roundedAmountText } from "./view.mjs";
import { tell } from "./words.mjs";

/** @typedef {import("../rules/rules.mjs").State} State */
/** @typedef {import("../table/settings.mjs").Ready} Ready */
/** @typedef {import("./sentences.mjs").Names} Names */
/** @typedef {{equal: string[], table: HTMLElement | null}} Advice `equal` names the best actions (several are a tie);
 * `table` says what each action is worth, and is null if the game is too large for that */

/** Best play in a position; null if best play never reaches it. @param {Ready} loadedGame @param {State} state
 * @param {Names} [seats] what the seats are called @returns {Advice | null} */
export function adviceAt({ game, rules, policy, values, setting }, state, seats) {
  const best = policy?.best(state) ?? null;
  if (best === null) return null;
  const names = rules.actions(state).map((action) => actionName(game, state, action, seats));
  const worth = values?.actionValues(state);
  if (!worth || !values) return { equal: [names[best]], table: null };
  const tied = worth.filter(({ loss }) => loss === 0).map(({ action }) => names[action]);
  const { places } = values;
  const few = shownPlaces(worth, places, setting);
  const table = rankingTable(
    names,
    worth,
    (units) => roundedAmountText(units, places, few, setting),
    // What is under the last place that is known is told in that place.
    (units) => roundedAmountText(units, places, units === 1 ? places : few, setting, "points"),
  );
  return { equal: tied.length > 1 ? tied : [names[best]], table };
}

/** Best play of a game with secrets for the seat that is to choose, as elements. There are none if no table has it.
 * @param {Ready} loadedGame
 * @param {import("../table/round.mjs").Position} position @returns {HTMLElement[]} none where no table says */
export function mixedAdvice(loadedGame, { state, moves, actions }) {
  const { game, rules, plan, setting } = loadedGame;
  const planned = actions && plan?.decisionAt(rules, moves, state);
  if (!planned || !plan) return [];
  const { chances, worth } = planned;
  const names = actions.map((action) => actionName(game, state, action));
  const table = mixedTable(names, chances, worth, plan, setting);
  if (!chances && !worth) return [make("p", {}, tell("planNowhere"))];
  const missing = chances && worth ? null : tell(chances ? "planMet" : "planLeft");
  return [...(missing ? [make("p", {}, missing)] : []), table];
}

/** A table with a row for each action: the probability with which best play takes it, and its value. The most probable
 * action is first.
 * @param {readonly string[]} names @param {readonly (bigint | number)[] | null} chances
 * @param {readonly number[] | null} worth in units @param {import("../table/plan.mjs").Plan} plan
 * @param {import("../table/settings.mjs").Setting} setting */
export function mixedTable(names, chances, worth, plan, setting) {
  const weights = chances?.map(BigInt);
  const total = (weights ?? []).reduce((sum, one) => sum + one, 0n);
  const few = setting.share || setting.chance ? 3 : 2;
  const rows = names.map((name, place) => {
    const often = weights ? chanceText(weights[place], total) : "–";
    const brings = worth ? roundedAmountText(worth[place], plan.places, few, setting) : "–";
    const cells = [often, brings].map((text) => make("td", {}, text));
    const ranks = [Number(weights?.[place] ?? 0n), plan.sign * (worth?.[place] ?? 0)];
    return { ranks, row: make("tr", {}, make("th", { scope: "row" }, name), ...cells) };
  });
  rows.sort(({ ranks: [often, brings] }, { ranks: [oftener, more] }) => oftener - often || more - brings);
  const heads = /** @type {const} */ (["action", "howOften", "brings"]);
  const head = make("tr", {}, ...heads.map((key) => make("th", { scope: "col" }, tell(key))));
  const body = make("tbody", {}, ...rows.map(({ row }) => row));
  const drawn = make("table", { class: "od-table" }, make("thead", {}, head), body);
  const about = { class: "od-scroll", tabIndex: 0, role: "region", "aria-label": tell("ranking") };
  return make("div", about, drawn);
}

/** The probability `part` / `total` as text, in percent with one decimal. A small one is written as under 0.1, not as
 * 0.
 * @param {bigint} part @param {bigint} total */
export function chanceText(part, total) {
  if (!part) return tell("never");
  const tenths = Number((part * 2000n + total) / (2n * total));
  if (tenths === 0) return tell("under", { amount: tell("percent", { number: `0${tell("point")}1` }) });
  const number = tenths % 10 ? `${Math.floor(tenths / 10)}${tell("point")}${tenths % 10}` : String(tenths / 10);
  return tell("percent", { number });
}

/** The number of decimal places to show: two, or more if a loss would otherwise look like none.
 * @param {import("../table/policy.mjs").Worth[]} worth @param {number} places that are known
 * @param {{share: boolean, chance?: boolean}} setting */
function shownPlaces(worth, places, setting) {
  const least = Math.min(...worth.map(({ loss }) => (loss > 1 ? loss - 1 : Infinity)));
  let few = Math.min(places, setting.share || setting.chance ? 4 : 2);
  while (few < places && least < 10 ** (places - few) / 2) few++;
  return few;
}

/** Advice as elements. @param {Advice | null} advice of `adviceAt` @returns {HTMLElement[]} */
export function adviceElements(advice) {
  if (!advice) return [make("p", {}, tell("adviceUnknown"))];
  const { equal, table } = advice;
  const heading = tell(equal.length > 1 ? "adviceTie" : "adviceBest");
  const sentence = make("p", { class: "od-say" }, `${heading} `, make("strong", {}, equal.join(", ")));
  if (!table) return [sentence, make("p", {}, tell("adviceTooLarge"))];
  return [sentence, table, make("p", { class: "od-note" }, tell("adviceProven"))];
}
