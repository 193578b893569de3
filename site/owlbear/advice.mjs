// @ts-check
/** What proven play does in a position. Ties are told as ties. */

import { actionNames } from "../runtime/ask.mjs";
import { amount, make, ranking } from "../runtime/view.mjs";

/** @param {import("../runtime/book.mjs").Ready} ready @param {import("../runtime/rules.mjs").State} state @returns {HTMLElement[]} */
export function advice({ game, rules, policy, values, setting }, state) {
  const best = policy.best(state);
  if (best === null) return [make("p", {}, "Good play never comes to this position, so nothing is known of it.")];
  const names = actionNames(game, rules, state);
  const worth = values?.advise(state);
  if (!worth || !values) return [said("Best", [names[best]]), make("p", {}, "The game is too large to send what each action is worth.")];
  const equal = worth.filter(({ loss }) => loss === 0).map(({ action }) => names[action]);
  const tell = (/** @type {number} */ units) => amount(units, values.places, policy.head.share, setting.unit);
  const cost = (/** @type {number} */ units) => tell(units).replace("%", "percentage points");
  return [equal.length > 1 ? said("As good as each other", equal) : said("Best", [names[best]]), ranking(names, worth, tell, cost),
    make("p", { class: "od-note" }, "Proven, if everybody plays on as well as can be.")];
}

/** @param {string} head @param {string[]} names */
function said(head, names) {
  return make("p", {}, `${head}: `, make("strong", {}, names.join(", ")), ".");
}
