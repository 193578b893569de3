// @ts-check
/** Best play in a position: its actions, what each is worth, and how that is shown. Ties are shown as ties. */

import { actionName } from "./sentences.mjs";
import { make, ranking, rounded } from "./view.mjs";
import { tell } from "./words.mjs";

/** @typedef {import("../rules/rules.mjs").State} State */
/** @typedef {import("../table/settings.mjs").Ready} Ready */
/** @typedef {import("./sentences.mjs").Names} Names */
/** @typedef {{equal: string[], table: HTMLElement | null}} Advice `equal` names the best actions (several are a tie);
 * `table` says what each action is worth, and is null if the game is too large for that */

/** Best play in a position; null if best play never reaches it. @param {Ready} ready @param {State} state
 * @param {Names} [seats] what the seats are called @returns {Advice | null} */
export function advised({ game, rules, policy, values, setting }, state, seats) {
  const best = policy?.best(state) ?? null;
  if (best === null) return null;
  const names = rules.actions(state).map((action) => actionName(game, state, action, seats));
  const worth = values?.advise(state);
  if (!worth || !values) return { equal: [names[best]], table: null };
  const tied = worth.filter(({ loss }) => loss === 0).map(({ action }) => names[action]);
  const { places } = values;
  const few = shownPlaces(worth, places, setting);
  const table = ranking(
    names,
    worth,
    (units) => rounded(units, places, few, setting),
    // What is under the last place that is known is told in that place.
    (units) => rounded(units, places, units === 1 ? places : few, setting, "points"),
  );
  return { equal: tied.length > 1 ? tied : [names[best]], table };
}

/** How many decimal places are shown: two of what people read, and more where a loss would look like none.
 * @param {import("../table/policy.mjs").Worth[]} worth @param {number} places that are known
 * @param {{share: boolean, chance?: boolean}} setting */
function shownPlaces(worth, places, setting) {
  const least = Math.min(...worth.map(({ loss }) => (loss > 1 ? loss - 1 : Infinity)));
  let few = Math.min(places, setting.share || setting.chance ? 4 : 2);
  while (few < places && least < 10 ** (places - few) / 2) few++;
  return few;
}

/** Advice as elements. @param {Advice | null} advice of `advised` @returns {HTMLElement[]} */
export function adviceParts(advice) {
  if (!advice) return [make("p", {}, tell("adviceUnknown"))];
  const { equal, table } = advice;
  const heading = tell(equal.length > 1 ? "adviceTie" : "adviceBest");
  const sentence = make("p", { class: "od-say" }, `${heading} `, make("strong", {}, equal.join(", ")));
  if (!table) return [sentence, make("p", {}, tell("adviceTooLarge"))];
  return [sentence, table, make("p", { class: "od-note" }, tell("adviceProven"))];
}
