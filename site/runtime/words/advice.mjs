// @ts-check
/** Best play in a position: its actions, the value of each, and how these are shown. Ties are shown as ties. */

import { RuleFailure } from "../rules/values.mjs";
import { actionName } from "./sentences.mjs";
import { makeElement, rankingTable, roundedAmountText } from "./view.mjs";
import { sentenceText } from "./words.mjs";

/** @typedef {import("../rules/rules.mjs").State} State */
/** @typedef {import("../table/settings.mjs").Ready} Ready */
/** @typedef {import("./sentences.mjs").Names} Names */
/** @typedef {{equal: string[], table: HTMLElement | null, only?: boolean}} Advice `equal` names the best actions
 * (several are a tie); `table` says what each action is worth, and is null if the game is too large for that; `only` if
 * no other action is possible */

/** The legal actions of a position that somebody may have made up; none where the rules break.
 * @param {import("../rules/rules.mjs").Rules} rules @param {State} state */
function actionsIfLegal(rules, state) {
  try {
    return rules.actions(state);
  } catch (error) {
    if (error instanceof RuleFailure) return [];
    throw error;
  }
}

/** Best play in a position; null if it has several actions and best play never reaches it.
 * @param {Ready} loadedGame @param {State} state @param {Names} [seatNames] what the seats are called
 * @returns {Advice | null} */
export function adviceAt({ game, rules, policy, values, setting }, state, seatNames) {
  if (!policy) return null;
  const names = actionsIfLegal(rules, state).map((action) => actionName(game, state, action, seatNames));
  if (names.length === 1) return { equal: names, table: null, only: true }; // tables of best play leave these out
  const best = policy.best(state);
  if (best === null) return null;
  const worth = values?.actionValues(state);
  if (!worth || !values) return { equal: [names[best]], table: null };
  const tied = worth.filter(({ loss }) => loss === 0).map(({ action }) => names[action]);
  const { places } = values;
  const few = shownDecimalPlaces(worth, places, setting);
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
export function mixedAdviceElements(loadedGame, { state, moves, actions }) {
  const { game, rules, plan, setting } = loadedGame;
  const planned = actions && plan?.decisionAt(rules, moves, state);
  if (!planned || !plan) return [];
  const { chances, worth } = planned;
  const names = actions.map((action) => actionName(game, state, action));
  const table = mixedPolicyTable(names, chances, worth, plan, setting);
  if (!chances && !worth) return [makeElement("p", {}, sentenceText("planNowhere"))];
  const missing = chances && worth ? null : sentenceText(chances ? "planMet" : "planLeft");
  return [...(missing ? [makeElement("p", {}, missing)] : []), table];
}

/** A table with a row for each action: the probability with which best play takes it, and its value. The most probable
 * action is first.
 * @param {readonly string[]} actionNames @param {readonly (bigint | number)[] | null} chances
 * @param {readonly number[] | null} actionValues in units @param {import("../table/plan.mjs").PlanTable} planTable
 * @param {import("../table/settings.mjs").Setting} setting */
export function mixedPolicyTable(actionNames, chances, actionValues, planTable, setting) {
  const weights = chances?.map(BigInt);
  const total = (weights ?? []).reduce((sum, one) => sum + one, 0n);
  const few = setting.share || setting.chance ? 3 : 2;
  const rows = actionNames.map((name, place) => {
    const often = weights ? probabilityText(weights[place], total) : "–";
    const brings = actionValues ? roundedAmountText(actionValues[place], planTable.places, few, setting) : "–";
    const cells = [often, brings].map((text) => makeElement("td", {}, text));
    const ranks = [Number(weights?.[place] ?? 0n), planTable.sign * (actionValues?.[place] ?? 0)];
    return { ranks, row: makeElement("tr", {}, makeElement("th", { scope: "row" }, name), ...cells) };
  });
  rows.sort(({ ranks: [often, brings] }, { ranks: [oftener, more] }) => oftener - often || more - brings);
  const heads = /** @type {const} */ (["action", "howOften", "brings"]);
  const head = makeElement("tr", {}, ...heads.map((key) => makeElement("th", { scope: "col" }, sentenceText(key))));
  const body = makeElement("tbody", {}, ...rows.map(({ row }) => row));
  const drawn = makeElement("table", { class: "od-table" }, makeElement("thead", {}, head), body);
  const about = { class: "od-scroll", tabIndex: 0, role: "region", "aria-label": sentenceText("ranking") };
  return makeElement("div", about, drawn);
}

/** The probability `weight` / `total` as text, in percent with one decimal. A small one is written as under 0.1, not as
 * 0.
 * @param {bigint} weight @param {bigint} total */
export function probabilityText(weight, total) {
  if (!weight) return sentenceText("never");
  const tenths = Number((weight * 2000n + total) / (2n * total));
  if (tenths === 0)
    return sentenceText("under", { amount: sentenceText("percent", { number: `0${sentenceText("point")}1` }) });
  const number = tenths % 10 ? `${Math.floor(tenths / 10)}${sentenceText("point")}${tenths % 10}` : String(tenths / 10);
  return sentenceText("percent", { number });
}

/** The number of decimal places to show: two, or more if a loss would otherwise look like none.
 * @param {import("../table/policy.mjs").Worth[]} actionValues @param {number} knownPlaces that are known
 * @param {{share: boolean, chance?: boolean}} setting */
function shownDecimalPlaces(actionValues, knownPlaces, setting) {
  const least = Math.min(...actionValues.map(({ loss }) => (loss > 1 ? loss - 1 : Infinity)));
  let few = Math.min(knownPlaces, setting.share || setting.chance ? 4 : 2);
  while (few < knownPlaces && least < 10 ** (knownPlaces - few) / 2) few++;
  return few;
}

/** Advice as elements. @param {Advice | null} advice of `adviceAt` @returns {HTMLElement[]} */
export function adviceElements(advice) {
  if (!advice) return [makeElement("p", {}, sentenceText("adviceUnknown"))];
  const { equal, table, only } = advice;
  if (only) return [makeElement("p", {}, sentenceText("adviceOnly", { what: equal[0] }))];
  const heading = sentenceText(equal.length > 1 ? "adviceTie" : "adviceBest");
  const sentence = makeElement("p", { class: "od-say" }, `${heading} `, makeElement("strong", {}, equal.join(", ")));
  if (!table) return [sentence, makeElement("p", {}, sentenceText("adviceTooLarge"))];
  return [sentence, table, makeElement("p", { class: "od-note" }, sentenceText("adviceProven"))];
}
