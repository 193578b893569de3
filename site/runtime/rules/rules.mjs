// @ts-check
/** The rules for one position, step by step, as the language reference describes them. Nothing here rolls dice: a host
 * asks what to roll, rolls it in its own way, and passes the result back. */

import { compareHands, rollDistribution } from "./dice.mjs";
import { compileEffects, requireHandFits, loopBindings } from "./effects.mjs";
import { compileExpression } from "./expression.mjs";
import { MAX_ITEMS } from "./functions.mjs";
import { startsAsMover } from "./game.mjs";
import { RuleFailure, Fraction, distinctItems, itemsOfValue } from "./values.mjs";

/** How many phases of cases play may run through in a row in every game. */
const MAX_CASES_IN_A_ROW = 1000;

/** @typedef {import("./game.mjs").Game} Game */
/** @typedef {import("./expression.mjs").EvaluationContext} EvaluationContext */
/** @typedef {import("./expression.mjs").Compiled} Compiled */
/** @typedef {{phase: string, mover: number, out: number, cells: any[], together?: Together}} State `phase` is empty
 * when the game is over; `mover` is to choose or to roll */
/** @typedef {{turn: number, chosen: [seat: number, item: any][]}} Together several seats choose at once: whose turn it
 * is, and what has been chosen so far. They are asked one after the other, and none sees the choices of the others. */
/** @typedef {{values: [string, any][], cells: any[]}} Thrown what chance gave, and the cells after it */
/** @typedef {{entry: number, name: string, binding: Record<string, any>}} Action a legal option with its loop names */
/** @typedef {[phase: string, entry: string, said: import("./sayings.mjs").Part[] | null]} Event an entry that was
 * carried out, with its words at that moment; both names are empty for words that belong to no entry */
/** @typedef {{state: State, events: Event[], turnOver: boolean, shown: EvaluationContext["shown"]}} Step
 * `shown`: what effects revealed */
/** @typedef {{name: string, dice: import("./dice.mjs").Term[]} | {name: string, items: [any, number][]}} Request dice
 * to throw, or items in a bag with how many there are of each */

export class Rules {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    const { bundle } = game;
    this.maxCasesInARow = Math.max(MAX_CASES_IN_A_ROW, Object.keys(bundle.phases).length * (game.seats + 1));
    /** @type {Record<string, {place: number, name: string, when: Compiled, act: import("./effects.mjs").Act, then:
     * any[], loops: [string, Compiled][], seat: Compiled | null}[]>} */
    this.entries = Object.create(null);
    for (const [phase, { entries }] of Object.entries(bundle.phases))
      this.entries[phase] = entries.map((/** @type {any} */ entry, /** @type {number} */ place) => ({
        place,
        name: entry.name,
        when: compileExpression(entry.when),
        act: compileEffects(entry.do, game),
        then: entry.then,
        loops: entry.for.map((/** @type {[string, any]} */ [name, items]) => [name, compileExpression(items)]),
        seat: entry.then[0] === "pass_to" ? compileExpression(entry.then[1]) : null,
      }));
    /** @type {Record<string, Compiled>} who sees what is thrown or chosen in a phase, where that is not everybody */
    this.seeing = Object.create(null);
    /** @type {Record<string, {name: string, items: Compiled, who: Compiled}>} choices at once */
    this.offering = Object.create(null);
    for (const [name, phase] of Object.entries(bundle.phases)) {
      if (phase.seen_by) this.seeing[name] = compileExpression(phase.seen_by);
      if (phase.kind === "together")
        this.offering[name] = {
          name: phase.chosen,
          items: compileExpression(phase.items),
          who: compileExpression(phase.who),
        };
    }
    this.outWhen = compileExpression(bundle.out_when);
    this.endWhen = compileExpression(bundle.end_when);
    this.atEnd = compileEffects(bundle.at_end, game);
    /** @type {Record<string, Compiled>} */
    this.pay = Object.create(null);
    for (const [name, payoff] of bundle.payoffs) this.pay[name] = compileExpression(payoff.value);
  }

  /** Whether anybody can have a secret in this game. */
  get hasSecrets() {
    return Object.keys(this.seeing).length + Object.keys(this.offering).length > 0;
  }

  /** Whether chance or a seat acts in a position. @param {State} state @returns {"roll" | "choose"} */
  actorKind(state) {
    return this.offering[state.phase] ? "choose" : this.game.bundle.phases[state.phase].kind;
  }

  /** The context in which expressions are evaluated in a position. @param {State} state */
  context({ cells, mover, out, together }) {
    return this.game.context(cells, together?.turn ?? mover, out);
  }

  /** The seats that see what is rolled or chosen, apart from the seat that chooses. @param {State} state
   * @returns {number[]} */
  seenBy(state) {
    const tell = this.seeing[state.phase];
    if (!tell) return Array.from({ length: this.game.seats }, (_, seat) => seat);
    return [tell(this.context(state))].flat();
  }

  /** The first position. @returns {State} */
  start() {
    const m = this.game.context(this.game.start);
    if (this.endWhen(m)) throw new RuleFailure("OD531", "the game is over before it begins");
    return this.#enterPhase(this.game.bundle.turn, m, []).state;
  }

  // --- chance

  /** The rolls and draws of a position, one request after the other. The caller passes each result to next(), so a host
   * may take its time.
   * @param {State} state @returns {Generator<Request, Thrown, any>} */
  *requests(state) {
    const m = this.context(state);
    /** @type {[string, any][]} */
    const values = [];
    for (const thrown of this.game.bundle.phases[state.phase].throws) {
      const value = yield this.#makeRequest(thrown, m);
      this.#storeResult(thrown, value, m);
      values.push([thrown.name, value]);
    }
    return { values, cells: m.cells };
  }

  /** Make all rolls and draws of a position with a function that returns each result at once. @param {State} state
   * @param {(request: Request) => any} resultOfRequest gives the hand or item of a request
   * @returns {Thrown} */
  rollWith(state, resultOfRequest) {
    const asked = this.requests(state);
    let step = asked.next();
    while (!step.done) step = asked.next(resultOfRequest(step.value));
    return step.value;
  }

  /** The request for one roll or draw. @param {any} rollTree @param {EvaluationContext} context @returns {Request} */
  #makeRequest(rollTree, context) {
    const { game } = this;
    if (rollTree.kind === "draw") {
      /** @type {[any, number][]} */
      const items = [...game.layout[rollTree.bag].dims[0].keys()].map((item) => [
        item,
        context.cells[context.cellNumber(rollTree.bag, [item])],
      ]);
      if (!items.some(([, count]) => count > 0))
        throw new RuleFailure("OD532", `nothing is left in ${rollTree.bag} to draw`);
      return { name: rollTree.name, items: items.filter(([, count]) => count > 0) };
    }
    if (rollTree.kind === "rest") {
      const where = game.layout[rollTree.name].first;
      /** @type {import("./values.mjs").Hand} */
      const lying = context.cells[where];
      const dice = game.cells[where].dice.map(
        ([die, count]) =>
          /** @type {const} */ ([count - lying.dice.filter(([, kind]) => kind === die.kind).length, die]),
      );
      return { name: rollTree.name, dice };
    }
    const dice = rollTree.dice.map((/** @type {[any, string]} */ [count, die]) => [
      compileExpression(count)(context),
      game.dice[die],
    ]);
    if (dice.some((/** @type {[number, any]} */ [count]) => count < 0))
      throw new RuleFailure("OD533", "a negative number of dice");
    if (dice.some((/** @type {[number, any]} */ [count]) => count > MAX_ITEMS))
      throw new RuleFailure("OD421", "over 10,000 dice at once");
    return { name: rollTree.name, dice };
  }

  /** Store the result of a roll or draw in its variable. @param {any} rollTree @param {any} value
   * @param {EvaluationContext} context */
  #storeResult(rollTree, value, context) {
    if (rollTree.kind === "draw") context.cells[context.cellNumber(rollTree.bag, [value])] -= 1;
    if (!rollTree.kept) {
      context.local[rollTree.name] = value;
      return;
    }
    const where = this.game.layout[rollTree.name].first;
    const laid = rollTree.kind === "rest" ? context.cells[where].plus(value) : value;
    if (rollTree.kind !== "draw") requireHandFits(this.game, where, laid);
    context.cells[where] = laid;
  }

  /** The step after a roll: the first outcome that matches is carried out. @param {State} state @param {Thrown}
   * rollResult
   * @returns {Step} */
  resolve(state, rollResult) {
    const m = this.game.context(rollResult.cells, state.mover, state.out);
    for (const [name, value] of rollResult.values) if (!(name in this.game.layout)) m.local[name] = value;
    return this.#carryOutEntry(state.phase, this.#matchingEntry(state.phase, m), m, []);
  }

  /** The first entry of a phase that matches; throws RuleFailure if there is none. @param {string} phase
   * @param {EvaluationContext} context */
  #matchingEntry(phase, context) {
    const entry = this.entries[phase].find((one) => one.when(context));
    if (!entry) throw new RuleFailure("OD511", `no entry of ${phase} covers this position`);
    return entry;
  }

  // --- choice

  /** The legal actions, in order. @param {State} state
   * @param {{name: string, fits: (binding: Record<string, any>) => boolean}} [onlyMatching] if given, only actions of
   * this name with a binding that `fits`
   * @returns {Action[]} */
  actions(state, onlyMatching) {
    const m = this.context(state);
    const offering = this.offering[state.phase];
    if (offering) {
      m.seat = state.mover;
      const items = distinctItems(itemsOfValue(offering.items(m)));
      if (!items.length) throw new RuleFailure("OD512", `a player has nothing to choose from in ${state.phase}`);
      const offered = items.map((item) => ({ entry: 0, name: offering.name, binding: { [offering.name]: item } }));
      return onlyMatching
        ? offered.filter(({ name, binding }) => name === onlyMatching.name && onlyMatching.fits(binding))
        : offered;
    }
    /** @type {Action[]} */
    const legal = [];
    this.entries[state.phase].forEach((entry, number) => {
      if (onlyMatching && entry.name !== onlyMatching.name) return;
      for (const binding of loopBindings(entry.loops, m)) {
        if (onlyMatching && !onlyMatching.fits(binding)) continue;
        m.local = Object.assign(Object.create(null), binding);
        if (entry.when(m)) legal.push({ entry: number, name: entry.name, binding });
      }
    });
    if (!legal.length && !onlyMatching) throw new RuleFailure("OD512", `no option of ${state.phase} is legal here`);
    return legal;
  }

  /** Carry out an action and return the step that it leads to. @param {State} state @param {Action} action
   * @returns {Step} */
  choose(state, action) {
    const m = this.context(state);
    if (state.together) return this.#chooseTogether(state, state.together, action, m);
    Object.assign(m.local, action.binding);
    return this.#carryOutEntry(state.phase, this.entries[state.phase][action.entry], m, []);
  }

  /** The step after one of the choices that several seats make at once. @param {State} state @param {Together} together
   * @param {Action} action @param {EvaluationContext} context @returns {Step} */
  #chooseTogether(state, together, action, context) {
    const { name } = this.offering[state.phase];
    /** @type {Together["chosen"]} */
    const chosen = [...together.chosen, [state.mover, action.binding[name]]];
    const seats = this.#choosers(state.phase, context);
    if (chosen.length < seats.length) {
      const next = { ...state, mover: seats[chosen.length], together: { ...together, chosen } };
      return { state: next, events: [], turnOver: false, shown: [] };
    }
    context.local[name] = new Map(chosen);
    return this.#carryOutEntry(state.phase, this.#matchingEntry(state.phase, context), context, []);
  }

  /** The seats that choose at once, in play order.
   * @param {string} phase @param {EvaluationContext} context @returns {number[]} */
  #choosers(phase, context) {
    const seats = [this.offering[phase].who(context)].flat();
    if (!seats.length) throw new RuleFailure("OD512", `nobody is asked in ${phase}`);
    return seats;
  }

  // --- steps 2 to 6

  /** Carry out an entry and all that follows it: effects, seats that go out, the end of the turn or game. Adds to
   * `events`, and returns the step up to the next roll or choice.
   * @param {string} phase @param {any} entry @param {EvaluationContext} context @param {Event[]} events @returns
   * {Step} */
  #carryOutEntry(phase, entry, context, events) {
    events.push([phase, entry.name, this.game.sayings.wordsOf(phase, entry.place, "say", context)]);
    const inside = context.activeSeats(context.mover);
    entry.act(context);
    let gone = 0;
    for (const seat of context.activeSeats(context.mover)) {
      context.seat = seat;
      if (this.outWhen(context)) gone |= 1 << seat;
    }
    context.out |= gone;
    for (const seat of inside.filter((one) => (context.out >> one) & 1)) {
      context.seat = seat;
      this.#addSaying(this.game.sayings.out(context), events);
    }
    context.seat = context.mover;
    const everyoneOut = context.out === (1 << context.seats) - 1;
    if (everyoneOut || entry.then[0] === "end" || this.endWhen(context)) {
      this.#addSaying(this.game.sayings.end(context), events);
      this.atEnd(context);
      const state = { phase: "", mover: context.mover, out: context.out, cells: context.cells };
      return { state, events, turnOver: true, shown: context.shown };
    }
    const then = (context.out >> context.mover) & 1 ? ["pass"] : entry.then;
    if (then[0] === "phase") {
      context.local = Object.create(null);
      return this.#enterPhase(then[1], context, events);
    }
    this.#endTurn(then, entry, context);
    return { ...this.#enterPhase(this.game.bundle.turn, context, events), turnOver: true };
  }

  /** Add an event that only says something, and belongs to no entry; add none if nothing is said.
   * @param {Event[2]} words @param {Event[]} events */
  #addSaying(words, events) {
    if (words) events.push(["", "", words]);
  }

  /** End the turn: compute the next seat, then reset variables, then change the seat. @param {any[]} nextSeatRule
   * @param {any} entry
   * @param {EvaluationContext} context */
  #endTurn(nextSeatRule, entry, context) {
    let seat = context.mover;
    if (nextSeatRule[0] === "pass") seat = context.nextSeat(1);
    else if (nextSeatRule[0] === "pass_to") {
      seat = entry.seat(context);
      if ((context.out >> seat) & 1) throw new RuleFailure("OD534", "the turn would pass to a player who is out");
    }
    context.mover = context.seat = seat;
    this.game.cells.forEach(({ variable }, where) => {
      if (variable.resets) context.cells[where] = startsAsMover(variable) ? seat : this.game.start[where];
    });
    context.local = Object.create(null);
  }

  /** Enter a phase. A phase of cases is carried out at once. @param {string} phase @param {EvaluationContext} context
   * @param {Event[]} events @returns {Step} */
  #enterPhase(phase, context, events) {
    if (this.game.bundle.phases[phase].kind === "cases") {
      if (events.filter(([name]) => name).length > this.maxCasesInARow)
        throw new RuleFailure("OD428", `the phase ${phase} only sorts, and play comes to it again and again`);
      return this.#carryOutEntry(phase, this.#matchingEntry(phase, context), context, events);
    }
    /** @type {State} */
    const state = { phase, mover: context.mover, out: context.out, cells: context.cells };
    if (this.offering[phase])
      Object.assign(state, { mover: this.#choosers(phase, context)[0], together: { turn: context.mover, chosen: [] } });
    return { state, events, turnOver: false, shown: context.shown };
  }

  // --- the end

  /** The payoff of each seat in a final position. @param {State} state @param {string} objective
   * @returns {Fraction[]} */
  payoffs(state, objective) {
    const m = this.context(state);
    return Array.from({ length: this.game.seats }, (_, seat) => {
      m.seat = seat;
      return Fraction.of(this.pay[objective](m));
    });
  }
}

/** The distribution of a request: values with weights, in a fixed order. @param {Request} request
 * @returns {[any, number][]} */
export function requestDistribution(request) {
  return "items" in request
    ? request.items
    : rollDistribution(request.dice).hands.sort(([a], [b]) => compareHands(a, b));
}
