// @ts-check
/** The form that asks for any position of a game. The address holds the position, so it can be shared. */

import { Random } from "../runtime/rules/random.mjs";
import { stateSeenFromMover } from "../runtime/table/policy.mjs";
import { Table } from "../runtime/table/table.mjs";
import { adviceElements, adviceAt } from "../runtime/words/advice.mjs";
import { copyButton } from "../runtime/words/controls.mjs";
import {
  cellsToFillIn,
  asksForSeat,
  formFieldsOfPhase,
  positionForm,
  keyOfCell,
  outCheckboxes,
  readStateOrInvalidLabel,
  valueAsTyped,
  unknownAddressParts,
} from "../runtime/words/form.mjs";
import { hasDecisions } from "../runtime/words/sentences.mjs";
import { makeElement } from "../runtime/words/view.mjs";
import { ASK } from "./address.mjs";

/** @typedef {import("../runtime/rules/game.mjs").Game} Game */
/** @typedef {import("../runtime/rules/rules.mjs").State} State */
/** @typedef {import("../runtime/table/settings.mjs").BestPlay} BestPlay */
/** @typedef {import("../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {import("../runtime/words/form.mjs").Field} Field */
/** @typedef {Ready & {policy: BestPlay}} Solved */

const MAX_RANDOM_PLAYS = 50; // at random, for a position to begin with
const LENGTH = 300; // moves of a play

/** The section with the form for positions of a setting, or a paragraph that says why there is none. @param {Ready}
 * loadedGame
 * @param {Record<string, string>} addressParameters what the address asks for @returns {HTMLElement} */
export function positionFormSection(loadedGame, addressParameters) {
  const { game, policy } = loadedGame;
  const undecided = policy ? !policy.head.phases.length : !hasDecisions(game.bundle);
  if (undecided) return makeElement("p", {}, "Nobody has anything to decide in this setting.");
  if (!policy) return makeElement("p", {}, "This setting was not solved, so there is no advice for its positions.");
  return new PositionForm({ ...loadedGame, policy }, addressParameters).element;
}

class PositionForm {
  /** @param {Solved} loadedGame @param {Record<string, string>} addressParameters */
  constructor(loadedGame, addressParameters) {
    this.loadedGame = loadedGame;
    const { game, policy, words } = loadedGame;
    /** @type {string[]} */
    this.phases = policy.head.phases.map((/** @type {any} */ phase) => phase.name);
    const start = Math.max(0, this.phases.indexOf(addressParameters.phase ?? ""));
    const again = () => this.#showForm({});
    const option = (/** @type {string} */ text, /** @type {boolean} */ selected) =>
      makeElement("option", { selected }, text);
    this.phase = makeElement("select", { onchange: again });
    this.phase.append(...this.phases.map((name, place) => option(words.phases[name] ?? name, place === start)));
    this.seat = makeElement("select", { onchange: again });
    for (let seat = 1; seat <= game.seats; seat++)
      this.seat.append(option(`Player ${seat}`, String(seat) === addressParameters.mover));
    this.bySeat = asksForSeat(game, policy);
    this.body = makeElement("div", {});
    this.answer = makeElement("div", { class: "od-answer", "aria-live": "polite" });
    this.address = "";
    const link = () => new URL(this.address, location.href).href;
    this.copy = makeElement("p", {}, copyButton("Copy link", link, { class: "md-button" }));
    const heads = [
      this.phases.length > 1 ? makeElement("label", {}, makeElement("span", {}, "What to decide"), this.phase) : null,
      this.bySeat ? makeElement("label", {}, makeElement("span", {}, "Who decides"), this.seat) : null,
    ];
    const title = makeElement("h3", {}, "Ask for a position");
    const head = makeElement("div", { class: "od-fields" }, ...heads);
    this.element = makeElement(
      "section",
      { class: "od-ask", "aria-label": "Ask for a position" },
      title,
      head,
      this.body,
      this.answer,
      this.copy,
    );
    this.#showForm(addressParameters);
  }

  /** Show the form for the chosen phase. @param {Record<string, string>} typedValues values by key; without any, those
   * of a position that random play reaches */
  #showForm(typedValues) {
    const { game, policy, words } = this.loadedGame;
    const phase = this.phases[this.phase.selectedIndex];
    const all = formFieldsOfPhase(game, policy, phase, words);
    const given = all.some(({ key }) => key in typedValues)
      ? typedValues
      : { ...typedValues, ...firstReachedValues(this.loadedGame, phase) };
    const answer = (/** @type {Record<string, string>} */ typed) => this.#showAdvice(phase, all, typed, missing.gone());
    const changed = (/** @type {Record<string, string>} */ typed) => {
      answer(typed);
      history.replaceState(null, "", this.address);
    };
    const position = positionForm(game, all, given, changed);
    const missing = outCheckboxes(game, policy, phase, given.out ?? "", () => changed(position.typed()));
    position.element.append(...missing.labels);
    this.body.replaceChildren(position.element);
    const strange = unknownAddressParts(game, policy, all, typedValues);
    this.copy.hidden = strange.length > 0;
    if (!strange.length) return answer(position.typed());
    const why = `The address asks for something that this game does not have: ${strange.join(", ")}. Fill in the position above.`;
    this.answer.replaceChildren(makeElement("p", { role: "alert" }, why));
  }

  /** Show the advice for the position of the form, and put it into the address.
   * @param {string} phase @param {import("../runtime/words/form.mjs").Field[]} fields
   * @param {Record<string, string>} typedValues by key
   * @param {number[]} seatsOut seats that are out */
  #showAdvice(phase, fields, typedValues, seatsOut) {
    const { game, policy } = this.loadedGame;
    const mover = this.bySeat ? this.seat.selectedIndex : 0;
    const state = readStateOrInvalidLabel(game, policy, phase, fields, ({ key }) => typedValues[key], mover, seatsOut);
    const parts =
      typeof state === "string"
        ? [invalidValueAlert(game, fields, state)]
        : positionAdviceElements(this.loadedGame, state);
    this.answer.replaceChildren(...parts);
    this.copy.hidden = typeof state === "string";
    const whose = {
      ...(mover ? { mover: String(mover + 1) } : {}),
      ...(seatsOut.length ? { out: seatsOut.join(" ") } : {}),
    };
    this.address = `${ASK}${new URLSearchParams({ game: this.loadedGame.setting.slug, phase, ...whose, ...typedValues })}`;
  }
}

/** The first position of a phase that random play reaches, of the first seat if it reaches one, as values by key; none
 * if it reaches none.
 * @param {Solved} loadedGame @param {string} phase @returns {Record<string, string>} */
function firstReachedValues(loadedGame, phase) {
  const { game, policy } = loadedGame;
  const random = new Random(1);
  /** @type {Record<string, string> | null} */
  let ofAnotherSeat = null;
  for (let play = 0; play < MAX_RANDOM_PLAYS; play++) {
    const table = new Table(loadedGame, [], random);
    for (let move = 0; !table.isOver && move < LENGTH; move++) {
      const { state, actions } = table;
      if (state.phase === phase && !(state.mover && ofAnotherSeat) && policy.entryAt(state)) {
        const { told, out } = positionValuesByKey(game, policy, state, 0);
        const values = out ? { out, ...told } : told;
        if (!state.mover) return values;
        ofAnotherSeat = values;
      }
      if (actions) table.choose(actions[random.below(actions.length)]);
      else table.roll();
    }
  }
  return ofAnotherSeat ?? {};
}

/** The values of a position by key, and the seats that are out. @param {Game} game @param {BestPlay} policy
 * @param {State} state @param {0 | 1} firstSeatNumber what the first seat is called as a value: the form counts from
 * 0 */
function positionValuesByKey(game, policy, state, firstSeatNumber) {
  const { cells, out } = stateSeenFromMover(game, state);
  const phase = policy.head.phases.find((/** @type {any} */ one) => one.name === state.phase);
  const told = cellsToFillIn(game, phase.cells).map(([where]) => [
    keyOfCell(game, where),
    valueAsTyped(game, where, cells[where], firstSeatNumber),
  ]);
  const gone = Array.from({ length: game.seats }, (_, seat) => seat + 1).filter((seat) => (out >> (seat - 1)) & 1);
  return { told: Object.fromEntries(told), out: gone.join(" ") };
}

/** An alert element: a value is not valid, and which values are. @param {Game} game @param {Field[]} fields
 * @param {string} wrongLabel the label of its field */
function invalidValueAlert(game, fields, wrongLabel) {
  const field = fields.find(({ label, where }) => label === wrongLabel && game.cells[where].variable.kind === "number");
  const { low = 0, high = 0, times = 1 } = field ?? {};
  const kind = times > 1 ? `multiple of ${times}` : "whole number";
  const limits = field ? `write a ${kind} from ${low * times} to ${high * times}` : "this is not a possible value";
  return makeElement("p", { role: "alert" }, `${wrongLabel}: ${limits}.`);
}

/** The advice for a position, with the command that computes it in a terminal. @param {Ready} loadedGame
 * @param {State} state @returns {Node[]} */
export function positionAdviceElements(loadedGame, state) {
  const advice = adviceAt(loadedGame, state);
  const parts = adviceElements(advice);
  if (!advice?.table || !loadedGame.policy) return parts;
  const check = makeElement(
    "details",
    { class: "od-check" },
    makeElement("summary", {}, "Check it in a terminal"),
    makeElement("code", {}, adviseCommandText(loadedGame.game, loadedGame.policy, state)),
  );
  return [...parts, check];
}

/** The command of `oddsmith advise` for a position, as text. @param {Game} game @param {BestPlay} policy
 * @param {State} state */
function adviseCommandText(game, policy, state) {
  const { head } = policy;
  const { told, out } = positionValuesByKey(game, policy, state, 1);
  const changed = Object.entries(game.parameters).filter(
    ([name, value]) => game.bundle.parameters[name].default !== value,
  );
  const mover = asksForSeat(game, policy) ? [`mover=${state.mover + 1}`] : [];
  return [
    `oddsmith advise ${head.id} --seats ${head.seats} --objective ${head.objective}`,
    ...changed.map(([name, value]) => `--set ${name}=${value}`),
    `--state "${[`phase=${state.phase}`, ...mover, ...(out ? [`out=${out}`] : []), ...Object.entries(told).map(([key, text]) => `${key}=${text}`)].join(", ")}"`,
  ].join(" ");
}
