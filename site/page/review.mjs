// @ts-check
/** A review of a finished game: the cost of each choice of people, and the luck in the rest. The numbers add up to the
 * result. */

import { keyOfValue } from "../runtime/rules/values.mjs";
import { actionName } from "../runtime/words/sentences.mjs";
import { makeElement, roundedAmountText } from "../runtime/words/view.mjs";
import { withoutDoubleStops } from "../runtime/words/words.mjs";
import { smallButton } from "./buttons.mjs";

/** @typedef {import("../runtime/rules/rules.mjs").State} State */
/** @typedef {import("../runtime/rules/rules.mjs").Action} Action */
/** @typedef {import("../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {import("../runtime/table/record.mjs").Told} Told */
/** @typedef {{place: number, seat: number, text: string, best: string[], cost: number, expected: number | null, then:
 * number | null}} Choice of a person, at a place of the play. All in units of the values, each rounded: what the choice
 * cost, what could be expected of the whole game before it, and how that had changed by the next choice or the end; the
 * last two are not told of a game with secrets, where what can be expected is another thing for each player */

/** Whether two actions are the same. @param {Action} one @param {Action} other */
const areSameAction = (one, other) =>
  one.entry === other.entry &&
  Object.entries(one.binding).every(([loop, value]) => keyOfValue(value) === keyOfValue(other.binding[loop]));

/** The choices that some seats made among several actions, with their costs. Choices without known values are left out.
 * @param {Ready} loadedGame @param {readonly Told[]} moves @param {State} state after them
 * @param {readonly number[]} personSeats seats from 0 @returns {Choice[]} */
export function reviewedChoices(loadedGame, moves, state, personSeats) {
  const found = moves.flatMap((move, place) => {
    if (!personSeats.includes(move.seat)) return [];
    const one = loadedGame.plan
      ? reviewedSecretChoice(loadedGame, moves.slice(0, place), move)
      : reviewedChoice(loadedGame, move, place);
    return one ? [one] : [];
  });
  const sign = loadedGame.policy?.head.goal === "min" ? -1 : 1;
  for (const [at, one] of found.entries()) {
    const next =
      found.slice(at + 1).find(({ seat }) => seat === one.seat)?.expected ?? payoffInUnits(loadedGame, state, one.seat);
    one.then = next === null || one.expected === null ? null : sign * (next - one.expected) + one.cost;
  }
  return found;
}

/** A choice in a game without secrets, with its cost; null if the move is no choice among several actions, or if their
 * values are not known. @param {Ready} loadedGame
 * @param {Told} move @param {number} moveIndex @returns {Choice | null} */
function reviewedChoice({ game, rules, values }, { action, before, seat }, moveIndex) {
  const actions = action ? rules.actions(before) : [];
  const worth = actions.length > 1 ? values?.actionValues(before) : null;
  const own = worth?.find((one) => action && areSameAction(actions[one.action], action));
  const expected = values?.expectedPayoff(before) ?? null;
  if (!worth || !own || !action || expected === null) return null;
  const best = worth.filter(({ loss }) => loss === 0).map((one) => actionName(game, before, actions[one.action]));
  // A loss of 1 is less than a unit.
  return {
    place: moveIndex,
    seat,
    text: actionName(game, before, action),
    best,
    cost: Math.max(0, own.loss - 1),
    expected,
    then: null,
  };
}

/** A choice in a game with secrets, with its expected cost against best play of the others; null if the move is no
 * choice among several actions, or if their values are not known. @param {Ready} loadedGame
 * @param {readonly Told[]} earlierMoves @param {Told} move @returns {Choice | null} */
function reviewedSecretChoice({ game, rules, plan }, earlierMoves, { action, before: state, seat }) {
  const actions = action ? rules.actions(state) : [];
  const worth = actions.length > 1 ? plan?.decisionAt(rules, earlierMoves, state)?.worth : null;
  const own = actions.findIndex((one) => action && areSameAction(one, action));
  if (!worth || own < 0) return null;
  const lost = plan?.lossesOfActions(worth) ?? [];
  const best = actions.filter((_, place) => lost[place] === 0).map((one) => actionName(game, state, one));
  const text = actionName(game, state, actions[own]);
  return { place: earlierMoves.length, seat, text, best, cost: lost[own], expected: null, then: null };
}

/** The payoff of a seat in units; null before the game is over. @param {Ready} loadedGame @param {State} state
 * @param {number} seat */
function payoffInUnits({ rules, values, setting }, state, seat) {
  if (state.phase || !values) return null;
  const { top, bottom } = rules.payoffs(state, setting.objective)[seat];
  return Math.round((Number(top) * 10 ** values.places) / Number(bottom));
}

/** An amount as text, rounded to hundredths or to tenths of a percent; empty if the game has no values. @param {Ready}
 * ready @param {number} units
 * @param {"points"} [percentStyle] */
function amountText({ values, plan, setting }, units, percentStyle) {
  const known = values ?? plan;
  if (!known) return "";
  const places = setting.share || setting.chance ? 3 : 2;
  return roundedAmountText(units, known.places, places, setting, percentStyle);
}

/** The loss of an action as its button shows it, without its unit. @param {Ready} loadedGame @param {number} units */
export function lossText(loadedGame, units) {
  return `−${amountText({ ...loadedGame, setting: { ...loadedGame.setting, unit: "" } }, units, "points").split(" ")[0]}`;
}

/** An amount as text, with a plus sign if it is above 0. @param {Ready} loadedGame @param {number} units */
const signedAmountText = (loadedGame, units) => (units > 0 ? "+" : "") + amountText(loadedGame, units, "points");

/** Two sentences: what a choice cost, and which actions were best; empty if it cost nothing. @param {Ready} loadedGame
 * @param {Choice | undefined} choice */
export function choiceCostText(loadedGame, choice) {
  return choice?.cost
    ? withoutDoubleStops(
        `That cost ${amountText(loadedGame, choice.cost, "points")}. Best was ${choice.best.join(" or ")}.`,
      )
    : "";
}

/** The review of a finished game, as elements: how well people chose, and how lucky they were. None without choices.
 * @param {Ready} loadedGame @param {readonly Choice[]} choices @param {boolean} hasSeveralPlayers players
 * @param {(place: number) => void} goBackTo to a place of the play @returns {Node[]} */
export function reviewSection(loadedGame, choices, hasSeveralPlayers, goBackTo) {
  if (!choices.length) return [];
  const slips = choices.filter(({ cost }) => cost);
  const many = choices.length === 1 ? "one decision" : `${choices.length} decisions`;
  const lost = slips.reduce((sum, { cost }) => sum + cost, 0);
  const sentence = slips.length
    ? `You gave away ${amountText(loadedGame, lost, "points")} in ${slips.length === choices.length ? many : `${slips.length} of ${many}`}.`
    : `You gave nothing away in ${many}.`;
  const worst = slips.reduce(
    (/** @type {Choice | null} */ most, one) => (most && most.cost >= one.cost ? most : one),
    null,
  );
  const most = worst ? ` Most with “${worst.text}”: ${amountText(loadedGame, worst.cost, "points")}.` : "";
  const rest = hasSeveralPlayers ? "The dice and the others" : "The dice";
  const [first] = choices;
  const luck = choices.reduce((sum, { then }) => sum + (then ?? 0), 0);
  const alone = choices.every(({ seat }) => seat === first.seat);
  const began =
    alone && first.expected !== null
      ? `When you first chose, you could expect ${amountText(loadedGame, first.expected)}. ${rest} brought ${signedAmountText(loadedGame, luck)}.`
      : "";
  const list = choices.map((one) =>
    makeElement(
      "li",
      {},
      makeElement("strong", {}, one.text),
      one.cost ? ` cost ${amountText(loadedGame, one.cost, "points")}; best was ${one.best.join(" or ")}` : " was best",
      one.then === null ? "" : `. ${rest} then: ${signedAmountText(loadedGame, one.then)}.`,
      " ",
      smallButton("Play on from here", () => goBackTo(one.place)),
    ),
  );
  const details = makeElement(
    "details",
    { class: "od-more" },
    makeElement("summary", {}, "Every choice"),
    makeElement("ol", {}, ...list),
  );
  return [makeElement("p", {}, sentence + most), ...(began ? [makeElement("p", {}, began)] : []), details];
}
