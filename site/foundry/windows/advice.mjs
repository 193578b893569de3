// @ts-check
/** What proven play does in a position, for a table and for any position that somebody describes. */

import { advised, fields, form, outs, stateOf } from "../runtime/ask.mjs";
import { make, seatName } from "../runtime/view.mjs";
import { choice, labelled, say } from "./words.mjs";

/** @typedef {import("../runtime/book.mjs").Ready} Ready */
/** @typedef {import("../runtime/rules.mjs").State} State */

/** What is best, what each action is worth and loses, and how sure that is. Ties are told as ties.
 * @param {Ready} ready @param {State} state @param {readonly string[]} [names] of the seats @returns {HTMLElement[]} */
export function advice(ready, state, names) {
  const found = advised(ready, state, names);
  if (!found) return [make("p", {}, say("ODDSMITH.Advice.Unknown"))];
  const head = found.equal.length > 1 ? named("ODDSMITH.Advice.Tie", found.equal) : named("ODDSMITH.Advice.Best", found.equal);
  if (!found.table) return [head, make("p", {}, say("ODDSMITH.Advice.TooLarge"))];
  return [head, found.table, make("p", { class: "od-note" }, say("ODDSMITH.Advice.Proven"))];
}

/** @param {string} key @param {string[]} names */
function named(key, names) {
  return make("p", { class: "od-say" }, `${say(key)} `, make("strong", {}, names.join(", ")));
}

/** A form for any position of a game, and the advice there.
 * @param {Ready} ready @returns {HTMLElement} */
export function asking(ready) {
  const { game, policy, words } = ready;
  if (!policy) return make("p", {}, say("ODDSMITH.Advice.Unsolved"));
  /** @type {string[]} */
  const phases = policy.head.phases.map((/** @type {any} */ phase) => phase.name);
  if (!phases.length) return make("p", {}, say("ODDSMITH.Advice.NoDecision"));
  const body = make("div", {});
  const answer = make("div", { class: "od-answer", "aria-live": "polite" });
  const seats = Array.from({ length: game.seats }, (_, seat) => /** @type {const} */ ([String(seat), say("ODDSMITH.Seat", { number: seat + 1 })]));
  const mover = choice(seats, "0", () => open());
  const phase = choice(phases.map((name) => [name, words.phases[name] ?? name]), phases[0], () => open());
  const open = () => {
    const all = fields(game, policy, phase.value, words);
    const tell = () => {
      const now = made.typed();
      const out = missing.gone().reduce((bits, seat) => bits | (1 << (seat - 1)), 0);
      const by = policy.head.copies > 1 ? Number(mover.value) : 0;
      const state = stateOf(game, policy, phase.value, all, ({ key }) => now[key], by, out);
      const wrong = typeof state === "string" ? [make("p", { role: "alert" }, say("ODDSMITH.Advice.NoValue", { field: state }))] : null;
      answer.replaceChildren(...(wrong ?? advice(ready, /** @type {State} */ (state))));
    };
    const made = form(game, all, {}, tell);
    const missing = outs(game, policy, phase.value, "", tell);
    made.element.append(...missing.labels);
    body.replaceChildren(made.element);
    tell();
  };
  const heads = [phases.length > 1 ? labelled(say("ODDSMITH.Advice.Decision"), phase) : null,
    policy.head.copies > 1 ? labelled(say("ODDSMITH.Advice.Decider"), mover) : null];
  open();
  const note = game.seats > 1 ? make("p", { class: "od-note" }, say("ODDSMITH.Advice.Mover", { you: seatName(0, game.seats) })) : null;
  return make("section", { class: "od-ask" }, make("div", { class: "od-fields" }, ...heads.filter(Boolean)), note, body, answer);
}
