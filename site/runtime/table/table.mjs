// @ts-check
/** A game in play: whose turn it is, the possible actions, the policy of each seat, and the moves so far. */

import { chooseAction } from "./opponents.mjs";

/** @typedef {import("../rules/rules.mjs").Rules} Rules */
/** @typedef {import("../rules/rules.mjs").State} State */
/** @typedef {import("../rules/rules.mjs").Action} Action */
/** @typedef {import("./settings.mjs").Ready} Ready */
/** @typedef {import("./settings.mjs").Opponent | null} Player null: a person */
/** @typedef {{seat: number, thrown: [string, any][] | null, action: Action | null, events:
 * import("../rules/rules.mjs").Event[], turnOver: boolean}} Move */
/** @typedef {import("./round.mjs").Dice} Dice */

export class Table {
  /** @param {Ready} loadedGame @param {Player[]} players by seat @param {Dice} dice */
  constructor(loadedGame, players, dice) {
    this.loadedGame = loadedGame;
    /** @type {Rules} */
    this.rules = loadedGame.rules;
    this.players = players;
    this.dice = dice;
    this.state = this.rules.start();
    /** @type {import("./record.mjs").Told[]} */
    this.moves = [];
  }

  /** Whether the game is over. */
  get isOver() {
    return !this.state.phase;
  }

  /** Whether a person is to act. */
  get waitsForPerson() {
    return !this.isOver && this.players[this.state.mover] === null;
  }

  /** The actions of the seat to move; null if dice are to be rolled. */
  get actions() {
    return !this.isOver && this.rules.actorKind(this.state) === "choose" ? this.rules.actions(this.state) : null;
  }

  /** Make the rolls and draws that come next, and go on by one move. Returns the move. */
  roll() {
    const thrown = this.rules.rollWith(this.state, (request) => this.dice.rollOrDraw(request));
    return this.#advance(this.rules.resolve(this.state, thrown), thrown.values, null);
  }

  /** Take an action, and go on by one move. Returns the move. @param {Action} action */
  choose(action) {
    return this.#advance(this.rules.choose(this.state, action), null, action);
  }

  /** Make one move of chance, or of a seat that no person plays. Returns the move. */
  step() {
    const { actions } = this;
    const player = this.players[this.state.mover];
    if (!actions || !player) return this.roll();
    const choice = chooseAction(this.loadedGame, player, this.state, actions, this.moves);
    let asked = choice.next();
    while (!asked.done) asked = choice.next(this.dice.below(asked.value));
    return this.choose(actions[asked.value]);
  }

  /** Record a move and go on to the next position. @param {import("../rules/rules.mjs").Step} step
   * @param {[string, any][] | null} thrown
   * @param {Action | null} action */
  #advance(step, thrown, action) {
    const before = this.state;
    const move = { seat: before.mover, before, thrown, action, events: step.events, turnOver: step.turnOver };
    this.moves.push(move);
    this.state = step.state;
    return move;
  }
}
