// @ts-check
/** A game of one person at this screen while no game master is connected. It has no stakes, and nobody else sees it. */

import { SystemRandom } from "../../runtime/rules/random.mjs";
import { opponentsOf, usualOpponentIndex } from "../../runtime/table/opponents.mjs";
import { positionSeenBySeat } from "../../runtime/table/sight.mjs";
import { Table } from "../../runtime/table/table.mjs";
import { storyLineWithDrawing } from "../../runtime/words/drawn.mjs";
import { moveParts, opponentName } from "../../runtime/words/sentences.mjs";
import { sentenceText } from "../../runtime/words/words.mjs";
import { localizedText } from "../world/words.mjs";

export class PracticeGame {
  /** The person has the first seat. The others follow best play or, if there is none, a way that the rules name.
   * @param {import("../../runtime/table/settings.mjs").Ready} loadedGame */
  constructor(loadedGame) {
    this.loadedGame = loadedGame;
    const best = opponentsOf(loadedGame.setting)[usualOpponentIndex(loadedGame.setting)];
    const play = opponentName(best);
    const players = Array.from({ length: loadedGame.game.seats }, (_, seat) => (seat ? best : null));
    this.table = new Table(loadedGame, players, new SystemRandom());
    this.names = players.map((_, seat) =>
      seat ? sentenceText("guest", { number: seat + 1, play }) : localizedText("ODDSMITH.Practice.You"),
    );
    this.#moveOthers();
  }

  /** The position and the moves, as the person sees them. */
  get seenPosition() {
    const { loadedGame, table } = this;
    return positionSeenBySeat(loadedGame, { state: table.state, moves: table.moves }, 0);
  }

  /** The moves so far as lines of text, as the person saw them. */
  get moveLines() {
    const { game } = this.loadedGame;
    const name = (/** @type {number} */ seat) => (seat ? this.names[seat] : null);
    return this.seenPosition.moves.map((move) =>
      storyLineWithDrawing(game, moveParts(game, move.before, move, name(move.seat), this.names)),
    );
  }

  /** The actions to choose from; null if dice are to be rolled. */
  get actions() {
    return this.table.actions;
  }

  /** Make the person's move: an index among the legal actions, or null for a roll. @param {number | null}
   * actionIndex */
  act(actionIndex) {
    if (actionIndex === null) this.table.roll();
    else this.table.choose(/** @type {any} */ (this.table.actions)[actionIndex]);
    this.#moveOthers();
  }

  /** Let the others play until the person is to act. In case that never happens, it stops after 500 steps, and the next
   * call goes on. */
  #moveOthers() {
    for (let steps = 0; !this.table.isOver && !this.table.waitsForPerson && steps < 500; steps++) this.table.step();
  }
}
