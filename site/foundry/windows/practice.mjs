// @ts-check
/** A game at this screen alone, for the time until the game master is there: no stakes, and nobody else sees it. */

import { OwnDice } from "../../runtime/rules/random.mjs";
import { opponentsOf } from "../../runtime/table/opponents.mjs";
import { Table } from "../../runtime/table/table.mjs";
import { moveText, opponentName } from "../../runtime/words/sentences.mjs";
import { tell } from "../../runtime/words/words.mjs";
import { say } from "../world/words.mjs";

export class Practice {
  /** The person has the first seat; the others play as proven, or where nothing is, as the rules name it.
   * @param {import("../../runtime/table/settings.mjs").Ready} ready */
  constructor(ready) {
    this.ready = ready;
    const all = opponentsOf(ready.setting);
    const best = all.find(({ kind }) => kind === "best") ?? all[0];
    const play = opponentName(best);
    const players = Array.from({ length: ready.game.seats }, (_, seat) => (seat ? best : null));
    this.table = new Table(ready, players, new OwnDice());
    this.names = players.map((_, seat) =>
      seat ? tell("guest", { number: seat + 1, play }) : say("ODDSMITH.Practice.You"),
    );
    /** @type {string[]} */
    this.story = [];
    this.#others();
  }

  get state() {
    return this.table.state;
  }

  get actions() {
    return this.table.actions;
  }

  /** The person's own move: a place among the legal actions, or null for a throw. @param {number | null} action */
  act(action) {
    this.#note(() =>
      action === null ? this.table.roll() : this.table.choose(/** @type {any} */ (this.table.actions)[action]),
    );
    this.#others();
  }

  /** Until the person is to act; a game that never asks him stops after a while and goes on at the next call. */
  #others() {
    for (let steps = 0; !this.table.over && !this.table.waits && steps < 500; steps++)
      this.#note(() => this.table.step());
  }

  /** @param {() => import("../../runtime/table/table.mjs").Move} how */
  #note(how) {
    const before = this.table.state;
    const move = how();
    this.story.push(moveText(this.ready.game, before, move, move.seat ? this.names[move.seat] : null, this.names));
  }
}
