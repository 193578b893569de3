// @ts-check
/** A game on its way: whose turn it is, what may be done, who plays by which policy, and what happened so far. */

/** @typedef {import("./rules.mjs").Rules} Rules */
/** @typedef {import("./rules.mjs").State} State */
/** @typedef {import("./rules.mjs").Action} Action */
/** @typedef {import("./policy.mjs").Policy} Policy */
/** @typedef {"person" | "best" | "random"} Player */
/** @typedef {{seat: number, thrown: [string, any][] | null, action: Action | null, events: [string, string][],
 *   turnOver: boolean}} Move */
/** @typedef {{fall: (request: import("./rules.mjs").Request) => any, below: (bound: number) => number}} Chance */

export class Table {
  /** @param {Rules} rules @param {Policy | null} policy @param {Player[]} players by seat @param {Chance} chance */
  constructor(rules, policy, players, chance) {
    this.rules = rules;
    this.policy = policy;
    this.players = players;
    this.chance = chance;
    this.state = rules.start();
    /** @type {Move[]} */
    this.moves = [];
  }

  get over() {
    return !this.state.phase;
  }

  /** Whether a person is to act. */
  get waits() {
    return !this.over && this.players[this.state.mover] === "person";
  }

  /** What the mover may choose from; null where dice are due. */
  get actions() {
    return !this.over && this.rules.kind(this.state) === "choose" ? this.rules.actions(this.state) : null;
  }

  /** Throw what is due. */
  roll() {
    const thrown = this.rules.throw(this.state, (request) => this.chance.fall(request));
    return this.#go(this.rules.resolve(this.state, thrown), thrown.values, null);
  }

  /** @param {Action} action */
  choose(action) {
    return this.#go(this.rules.choose(this.state, action), null, action);
  }

  /** One step of a seat that no person plays. A position that the policy does not know is played at random. */
  step() {
    const { actions } = this;
    if (!actions) return this.roll();
    const below = (/** @type {number} */ bound) => this.chance.below(bound);
    const known = this.players[this.state.mover] === "best" && actions.length > 1;
    const best = known ? this.policy?.best(this.state, below) : null;
    return this.choose(actions[best ?? below(actions.length)]);
  }

  /** @param {import("./rules.mjs").Step} step @param {[string, any][] | null} thrown @param {Action | null} action */
  #go(step, thrown, action) {
    /** @type {Move} */
    const move = { seat: this.state.mover, thrown, action, events: step.events, turnOver: step.turnOver };
    this.moves.push(move);
    this.state = step.state;
    return move;
  }
}
