// @ts-check
/** What proven play does in a position. Ties are told as ties. */

import { advised } from "../runtime/ask.mjs";
import { make } from "../runtime/view.mjs";

/** @param {import("../runtime/book.mjs").Ready} ready @param {import("../runtime/rules.mjs").State} state @param {string[]} names
 * of the seats @returns {HTMLElement[]} */
export function advice(ready, state, names) {
  const found = advised(ready, state, names);
  if (!found) return [make("p", {}, "Good play never comes to this position, so nothing is known of it.")];
  const head = said(found.equal.length > 1 ? "As good as each other" : "Best", found.equal);
  if (!found.table) return [head, make("p", {}, "The game is too large to send what each action is worth.")];
  return [head, found.table, make("p", { class: "od-note" }, "Proven, if everybody plays on as well as can be.")];
}

/** @param {string} head @param {string[]} names */
function said(head, names) {
  return make("p", {}, `${head}: `, make("strong", {}, names.join(", ")), ".");
}
