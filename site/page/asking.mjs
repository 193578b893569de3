// @ts-check
/** Ask for any position of a game. The address says which position, so that it can be shared. */

import { Hand } from "../runtime/rules/values.mjs";
import { seenFromMover } from "../runtime/table/policy.mjs";
import { adviceParts, advised } from "../runtime/words/advice.mjs";
import { fields, form, handText, keyOfCell, outs, stateOf, unknown } from "../runtime/words/form.mjs";
import { make } from "../runtime/words/view.mjs";

/** @typedef {import("../runtime/rules/game.mjs").Game} Game */
/** @typedef {import("../runtime/rules/rules.mjs").State} State */
/** @typedef {import("../runtime/table/policy.mjs").Policy} Policy */
/** @typedef {import("../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {Ready & {policy: Policy}} Solved */

/** What the address of a position begins with. */
export const HASH = "#ask?";

/** @param {Ready} ready @param {Record<string, string>} asked what the address asks for @returns {HTMLElement} */
export function askSection(ready, asked) {
  const { policy } = ready;
  if (!policy) return make("p", {}, "This setting was not solved, so there is no advice for its positions.");
  if (!policy.head.phases.length) return make("p", {}, "Nobody has anything to decide in this game.");
  return new Asking({ ...ready, policy }, asked).element;
}

class Asking {
  /** @param {Solved} ready @param {Record<string, string>} asked */
  constructor(ready, asked) {
    this.ready = ready;
    const { game, policy, words } = ready;
    /** @type {string[]} */
    this.phases = policy.head.phases.map((/** @type {any} */ phase) => phase.name);
    const start = Math.max(0, this.phases.indexOf(asked.phase ?? ""));
    const again = () => this.#open({});
    const option = (/** @type {string} */ text, /** @type {boolean} */ selected) => make("option", { selected }, text);
    this.phase = make("select", { onchange: again });
    this.phase.append(...this.phases.map((name, place) => option(words.phases[name] ?? name, place === start)));
    this.seat = make("select", { onchange: again });
    for (let seat = 1; seat <= game.seats; seat++)
      this.seat.append(option(`Player ${seat}`, String(seat) === asked.mover));
    this.bySeat = policy.head.copies > 1;
    this.body = make("div", {});
    this.answer = make("div", { class: "od-answer", "aria-live": "polite" });
    const heads = [
      this.phases.length > 1 ? make("label", {}, make("span", {}, "What to decide"), this.phase) : null,
      this.bySeat ? make("label", {}, make("span", {}, "Who decides"), this.seat) : null,
    ];
    const title = make("h3", {}, "Ask for a position");
    const head = make("div", { class: "od-fields" }, ...heads);
    this.element = make(
      "section",
      { class: "od-ask", "aria-label": "Ask for a position" },
      title,
      head,
      this.body,
      this.answer,
    );
    this.#open(asked);
  }

  /** Show the form for the phase that is chosen. @param {Record<string, string>} given values by key */
  #open(given) {
    const { game, policy, words } = this.ready;
    const phase = this.phases[this.phase.selectedIndex];
    const all = fields(game, policy, phase, words);
    const answer = (/** @type {Record<string, string>} */ typed) => this.#answer(phase, all, typed, missing.gone());
    const position = form(game, all, given, (typed) => this.#link(phase, answer(typed)));
    const missing = outs(game, policy, phase, given.out ?? "", () => this.#link(phase, answer(position.typed())));
    position.element.append(...missing.labels);
    this.body.replaceChildren(position.element);
    const strange = unknown(game, policy, all, given);
    if (!strange.length) return void answer(position.typed());
    const why = `The address asks for something that this game does not have: ${strange.join(", ")}. Fill in the position above.`;
    this.answer.replaceChildren(make("p", { role: "alert" }, why));
  }

  /** Answer for the position of the form; gives what its address has to hold.
   * @param {string} phase @param {import("../runtime/words/form.mjs").Field[]} all
   * @param {Record<string, string>} typed by key
   * @param {number[]} gone seats that are out @returns {Record<string, string>} */
  #answer(phase, all, typed, gone) {
    const { game, policy } = this.ready;
    const mover = this.bySeat ? this.seat.selectedIndex : 0;
    const out = gone.reduce((bits, seat) => bits | (1 << (seat - 1)), 0);
    const state = stateOf(game, policy, phase, all, ({ key }) => typed[key], mover, out);
    this.answer.replaceChildren(...(typeof state === "string" ? [noValue(state)] : positionAdvice(this.ready, state)));
    return { ...(mover ? { mover: String(mover + 1) } : {}), ...(out ? { out: gone.join(" ") } : {}), ...typed };
  }

  /** @param {string} phase @param {Record<string, string>} position */
  #link(phase, position) {
    const words = new URLSearchParams({ game: this.ready.setting.slug, phase, ...position });
    history.replaceState(null, "", `${HASH}${words}`);
  }
}

/** @param {string} field */
const noValue = (field) => make("p", {}, `${field}: this is not a possible value.`);

/** Advice with the command that computes it again. @param {Ready} ready @param {State} state @returns {Node[]} */
export function positionAdvice(ready, state) {
  const advice = advised(ready, state);
  const parts = adviceParts(advice);
  if (!advice?.table || !ready.policy) return parts;
  const check = make(
    "p",
    { class: "od-check" },
    "Check it: ",
    make("code", {}, command(ready.game, ready.policy, state)),
  );
  return [...parts, check];
}

/** The command that computes the same in a terminal. @param {Game} game @param {Policy} policy @param {State} state */
function command(game, policy, state) {
  const { head } = policy;
  const phase = head.phases.find((/** @type {any} */ one) => one.name === state.phase);
  const { cells, out } = seenFromMover(game, state);
  const seats = Array.from({ length: game.seats }, (_, seat) => seat + 1);
  const gone = seats.filter((seat) => (out >> (seat - 1)) & 1);
  const values = phase.cells.map((/** @type {[number, number, number]} */ [where]) => {
    const value = cells[where];
    const { kind } = game.cells[where].variable;
    const text = value instanceof Hand ? handText(game, where, value) : kind === "seat" ? value + 1 : value;
    return `${keyOfCell(game, where)}=${text}`;
  });
  const changed = Object.entries(game.parameters).filter(
    ([name, value]) => game.bundle.parameters[name].default !== value,
  );
  const mover = head.copies > 1 ? [`mover=${state.mover + 1}`] : [];
  return [
    `oddsmith advise ${head.id} --seats ${head.seats} --objective ${head.objective}`,
    ...changed.map(([name, value]) => `--set ${name}=${value}`),
    `--state "${[`phase=${state.phase}`, ...mover, ...(out ? [`out=${gone.join(" ")}`] : []), ...values].join(", ")}"`,
  ].join(" ");
}
