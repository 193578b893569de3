// @ts-check
/** Play at this screen, with people and opponents in any seats. */

import { OwnDice } from "../runtime/rules/random.mjs";
import { opponentsOf } from "../runtime/table/opponents.mjs";
import { Table } from "../runtime/table/table.mjs";
import { advised } from "../runtime/words/advice.mjs";
import { board } from "../runtime/words/board.mjs";
import { drawnThrow, options } from "../runtime/words/drawn.mjs";
import { chanceText, moveText, opponentName, opponentText, paidText } from "../runtime/words/sentences.mjs";
import { make } from "../runtime/words/view.mjs";
import { tell } from "../runtime/words/words.mjs";
import { positionAdvice } from "./asking.mjs";
import { Score } from "./score.mjs";

/** @typedef {import("../runtime/rules/rules.mjs").State} State */
/** @typedef {import("../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {import("../runtime/table/table.mjs").Move} Move */
/** @typedef {import("../runtime/table/table.mjs").Player} Player */

const AT_ONCE = 500; // moves without a person, so that a game of opponents alone does not run away

/** @param {Ready} ready @returns {HTMLElement} */
export function playSection(ready) {
  return new Playing(ready).element;
}

class Playing {
  /** @param {Ready} ready */
  constructor(ready) {
    this.ready = ready;
    /** @type {Player[]} */
    this.players = [null, ...opponentsOf(ready.setting)];
    this.selects = Array.from({ length: ready.game.seats }, (_, seat) => this.#select(seat));
    this.hints = make("input", { type: "checkbox", onchange: () => this.#draw() });
    this.log = make("ol", {});
    this.story = make(
      "div",
      { class: "od-log", role: "log", tabIndex: 0, "aria-label": "What happened", hidden: true },
      this.log,
    );
    this.stage = make("div", {});
    /** @type {Table | null} */
    this.table = null;
    /** @type {{thrown: [string, any][], text: string, fresh: boolean} | null} the last roll of anybody */
    this.last = null;
    this.score = new Score(ready);
    this.word = ""; // what the last choice cost
    this.element = this.#section();
  }

  /** Who plays a seat. @param {number} seat @returns {HTMLSelectElement} */
  #select(seat) {
    const { setting } = this.ready;
    const options = this.players.map((player, place) => {
      const text = player ? opponentText(setting, player, seat) : tell("you");
      return make("option", { selected: place === (seat ? 1 : 0) }, text);
    });
    return make("select", {}, ...options);
  }

  #section() {
    const several = this.ready.game.seats > 1;
    const seats = this.selects.map((select, seat) => make("label", {}, make("span", {}, `Player ${seat + 1}`), select));
    const hints = make("label", {}, make("span", {}, "Show what actions are worth"), this.hints);
    const odds = several && this.players.some((player) => player?.odds.length);
    const note = "The numbers are what such a player gets in that seat if everybody else follows best play.";
    const start = make("button", { type: "button", class: "md-button", onclick: () => this.#start() }, "New game");
    /** @type {HTMLDetailsElement | null} folded once a game is on its way */
    this.who = several
      ? make(
          "details",
          { class: "od-more", open: true },
          make("summary", {}, "Who plays"),
          make("div", { class: "od-fields" }, ...seats),
          odds ? make("p", { class: "od-note" }, note) : "",
        )
      : null;
    return make(
      "section",
      { class: "od-playing", "aria-label": "Play at this screen" },
      make("h3", {}, "Play at this screen"),
      this.who ?? "",
      make("div", { class: "od-fields" }, hints),
      make("p", {}, start),
      this.stage,
      this.story,
    );
  }

  // --- the game

  #start() {
    const players = this.selects.map((select) => this.players[select.selectedIndex]);
    this.table = new Table(this.ready, players, new OwnDice());
    this.last = null;
    this.log.replaceChildren();
    this.#goOn(this.table);
  }

  /** Let the opponents play until a person is to move, or for one turn if nobody is a person. @param {Table} table */
  #goOn(table) {
    for (let steps = 0; !table.over && !table.waits && steps < AT_ONCE; steps++) {
      const { turnOver } = this.#note(table, () => table.step());
      if (turnOver && !table.players.includes(null)) break;
    }
    this.#draw(true);
  }

  /** Make a move and write it into the story. @param {Table} table @param {() => Move} play */
  #note(table, play) {
    const before = table.state;
    const move = play();
    const { game } = this.ready;
    const text = moveText(game, before, move, game.seats === 1 ? null : `Player ${move.seat + 1}`);
    if (move.thrown) this.last = { thrown: move.thrown, text, fresh: true };
    this.log.append(make("li", {}, text));
    this.story.hidden = false;
    this.story.scrollTop = this.story.scrollHeight;
    return move;
  }

  /** What the person does. @param {Table} table @param {() => Move} act */
  #act(table, act) {
    this.#note(table, act);
    this.#goOn(table);
  }

  /** @param {Table} table @param {import("../runtime/rules/rules.mjs").Action[]} actions @param {number} place */
  #choose(table, actions, place) {
    this.word = this.score.note(table.state, actions, place);
    this.#act(table, () => table.choose(actions[place]));
  }

  // --- what is shown

  #names() {
    if (this.ready.game.seats === 1) return ["You"];
    return this.selects.map((select, seat) => {
      const player = this.players[select.selectedIndex];
      return tell("guest", { number: seat + 1, play: player ? opponentName(player) : tell("you") });
    });
  }

  #draw(focus = false) {
    const { table, ready, stage } = this;
    if (!table) return;
    const position = board(ready.game, ready.words, table.state, this.#names());
    const word = make("p", { class: "od-cost", "aria-live": "polite" }, this.word);
    stage.replaceChildren(...this.#lastThrow(), ...(this.word ? [word] : []), position, ...this.#controls(table));
    const first = /** @type {HTMLElement | null} */ (
      stage.querySelector("button.od-best") ?? stage.querySelector("button")
    );
    if (focus) first?.focus({ preventScroll: true });
  }

  /** What fell last, and what came of it. @returns {Node[]} */
  #lastThrow() {
    if (!this.last) return [];
    const { thrown, text, fresh } = this.last;
    this.last.fresh = false;
    return [drawnThrow(this.ready.game, thrown, fresh), make("p", { class: "od-last", "aria-hidden": "true" }, text)];
  }

  /** What the person can do now. @param {Table} table @returns {Node[]} */
  #controls(table) {
    const { rules, setting } = this.ready;
    if (table.over) {
      const paid = rules.payoffs(table.state, setting.objective).map(String);
      const played = this.score.summary();
      return [
        ...(played ? [make("p", {}, played)] : []),
        make(
          "p",
          { role: "status" },
          paidText(
            setting.objective,
            paid,
            paid.map((_, seat) => playerName(seat, paid.length)),
          ),
        ),
      ];
    }
    if (!table.waits)
      return [
        make(
          "p",
          {},
          button("Go on", () => this.#goOn(table)),
        ),
      ];
    if (!table.actions) {
      const roll = button(chanceText(this.ready, table.state), () => this.#act(table, () => table.roll()));
      return [make("p", {}, roll)];
    }
    return this.#choices(table, table.actions);
  }

  /** @param {Table} table @param {import("../runtime/rules/rules.mjs").Action[]} actions @returns {Node[]} */
  #choices(table, actions) {
    const { game, words } = this.ready;
    const { state } = table;
    const hints = this.hints.checked && actions.length > 1;
    const best = (hints && advised(this.ready, state)?.equal) || [];
    const buttons = options(game, state, actions, undefined, (name, place) => {
      const choice = button(name, () => this.#choose(table, actions, place));
      if (best.includes(name)) mark(choice);
      return choice;
    });
    const heading = make("p", {}, make("strong", {}, words.phases[state.phase] ?? state.phase));
    const choices = make("div", { class: "od-choices", role: "group", "aria-label": "Your options" }, ...buttons);
    return [heading, choices, ...(hints ? positionAdvice(this.ready, state) : [])];
  }
}

/** @param {number} seat @param {number} seats */
const playerName = (seat, seats) => (seats === 1 ? tell("you") : tell("player", { number: seat + 1 }));

/** @param {string} text @param {() => void} onclick @returns {HTMLElement} */
const button = (text, onclick) => make("button", { type: "button", class: "md-button", onclick }, text);

/** Say on a button that no action is better. @param {HTMLElement} element */
function mark(element) {
  element.classList.add("od-best");
  element.append(" ", make("small", {}, "best"));
}
