// @ts-check
/** A game at this screen alone while there is no game master. It has no stakes, and nobody else sees it. */

import { OwnDice } from "../../runtime/rules/random.mjs";
import { opponentsOf, usual } from "../../runtime/table/opponents.mjs";
import { Table } from "../../runtime/table/table.mjs";
import { line } from "../../runtime/words/drawn.mjs";
import { moveParts, opponentName } from "../../runtime/words/sentences.mjs";
import { tell } from "../../runtime/words/words.mjs";
import { say } from "../world/words.mjs";

export class Practice {
  /** The person has the first seat. The others follow best play or, if there is none, a way that the rules name.
   * @param {import("../../runtime/table/settings.mjs").Ready} ready */
  constructor(ready) {
    this.ready = ready;
    const best = opponentsOf(ready.setting)[usual(ready.setting)];
    const play = opponentName(best);
    const players = Array.from({ length: ready.game.seats }, (_, seat) => (seat ? best : null));
    this.table = new Table(ready, players, new OwnDice());
    this.names = players.map((_, seat) =>
      seat ? tell("guest", { number: seat + 1, play }) : say("ODDSMITH.Practice.You"),
    );
    /** @type {import("../../runtime/words/drawn.mjs").Line[]} */
    this.story = [];
    this.#others();
  }

  get state() {
    return this.table.state;
  }

  get actions() {
    return this.table.actions;
  }

  /** The person's own move: a place among the legal actions, or null for a roll. @param {number | null} action */
  act(action) {
    this.#note(() =>
      action === null ? this.table.roll() : this.table.choose(/** @type {any} */ (this.table.actions)[action]),
    );
    this.#others();
  }

  /** Let the others play until the person is to act. A game that never asks the person stops after a while, and goes on
   * at the next call. */
  #others() {
    for (let steps = 0; !this.table.over && !this.table.waits && steps < 500; steps++)
      this.#note(() => this.table.step());
  }

  /** @param {() => import("../../runtime/table/table.mjs").Move} how */
  #note(how) {
    const before = this.table.state;
    const move = how();
    const { game } = this.ready;
    const name = move.seat ? this.names[move.seat] : null;
    this.story.push(line(game, moveParts(game, before, move, name, this.names)));
  }
}
