// @ts-check
/** The window of the advisor: a form for any position of a game, and the advice in that position. */

import { adviceElements, adviceAt } from "../../runtime/words/advice.mjs";
import { selectControl, labelledControl } from "../../runtime/words/controls.mjs";
import {
  asksForSeat,
  formFieldsOfPhase,
  positionForm,
  outCheckboxes,
  readStateOrInvalidLabel,
} from "../../runtime/words/form.mjs";
import { relativeSeatName } from "../../runtime/words/sentences.mjs";
import { makeElement } from "../../runtime/words/view.mjs";
import { localizedText } from "../world/words.mjs";
import { GameWindow } from "./gamewindow.mjs";

/** @typedef {import("../../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {import("./desk.mjs").WindowManager} Desk */

/** A form for any position of a game, with the advice in that position.
 * @param {Ready} loadedGame @returns {HTMLElement} */
function adviceForm(loadedGame) {
  const { game, policy, words } = loadedGame;
  if (!policy) return makeElement("p", {}, localizedText("ODDSMITH.Advice.Unsolved"));
  /** @type {string[]} */
  const phases = policy.head.phases.map((/** @type {any} */ phase) => phase.name);
  if (!phases.length) return makeElement("p", {}, localizedText("ODDSMITH.Advice.NoDecision"));
  const body = makeElement("div", {});
  const answer = makeElement("div", { class: "od-answer", "aria-live": "polite" });
  const seats = Array.from(
    { length: game.seats },
    (_, seat) => /** @type {const} */ ([String(seat), localizedText("ODDSMITH.Seat", { number: seat + 1 })]),
  );
  const mover = selectControl(seats, "0", () => open());
  const phase = selectControl(
    phases.map((name) => [name, words.phases[name] ?? name]),
    phases[0],
    () => open(),
  );
  const open = () => {
    const all = formFieldsOfPhase(game, policy, phase.value, words);
    const tell = () => {
      const now = made.typed();
      const by = asksForSeat(game, policy) ? Number(mover.value) : 0;
      const state = readStateOrInvalidLabel(game, policy, phase.value, all, ({ key }) => now[key], by, missing.gone());
      answer.replaceChildren(
        ...(typeof state === "string"
          ? [makeElement("p", { role: "alert" }, localizedText("ODDSMITH.Advice.NoValue", { field: state }))]
          : adviceElements(adviceAt(loadedGame, state))),
      );
    };
    const made = positionForm(game, all, {}, tell);
    const missing = outCheckboxes(game, policy, phase.value, "", tell);
    made.element.append(...missing.labels);
    body.replaceChildren(made.element);
    tell();
  };
  const heads = [
    phases.length > 1 ? labelledControl(localizedText("ODDSMITH.Advice.Decision"), phase) : null,
    asksForSeat(game, policy) ? labelledControl(localizedText("ODDSMITH.Advice.Decider"), mover) : null,
  ];
  open();
  const note =
    game.seats > 1
      ? makeElement(
          "p",
          { class: "od-note" },
          localizedText("ODDSMITH.Advice.Mover", { you: relativeSeatName(0, game.seats) }),
        )
      : null;
  return makeElement(
    "section",
    { class: "od-ask" },
    makeElement("div", { class: "od-fields" }, ...heads.filter(Boolean)),
    note,
    body,
    answer,
  );
}

/** The window that says what best play does in any position of any game. */
export class AdviceWindow extends GameWindow {
  /** @param {Desk} windowManager @param {string} [gameId] */
  constructor(windowManager, gameId) {
    super(windowManager, "advisor", "ODDSMITH.Advice.Title", gameId);
  }

  async content() {
    const { controls, loadedGame } = await this.loadChosen(false);
    return [makeElement("div", { class: "od-fields" }, ...controls), loadedGame && adviceForm(loadedGame)].filter(
      (one) => one !== null,
    );
  }
}
