// @ts-check
/** Effects as functions that change a context, one after the other. Bounds are checked after each effect. */

import { compileExpression } from "./expression.mjs";
import { add, RuleFailure, distinctItems, itemsOfValue, subtract } from "./values.mjs";

/** @typedef {import("./game.mjs").Game} Game */
/** @typedef {import("./expression.mjs").EvaluationContext} EvaluationContext */
/** @typedef {import("./expression.mjs").Compiled} Compiled */
/** @typedef {import("./values.mjs").Hand} Hand */
/** @typedef {(m: EvaluationContext) => void} Act */

/** Compile a list of effects to one function. @param {readonly any[]} effects @param {Game} game @returns {Act} */
export function compileEffects(effects, game) {
  const steps = effects.map((effect) => ACTS[effect.kind](effect, game));
  return (m) => steps.forEach((step) => step(m));
}

/** The bindings of nested loops, in the order in which the loops run. Each maps every loop name to an item. Equal items
 * of a loop count once.
 * @param {readonly (readonly [string, Compiled])[]} loops
 * @param {EvaluationContext} context @returns {Record<string, any>[]} */
export function loopBindings(loops, context) {
  /** @type {Record<string, any>[]} */
  let bindings = [{}];
  for (const [name, items] of loops)
    bindings = bindings.flatMap((binding) => {
      Object.assign(context.local, binding);
      return distinctItems(itemsOfValue(items(context))).map((item) => ({ ...binding, [name]: item }));
    });
  return bindings;
}

/** Throw RuleFailure if a cell cannot hold a hand: it has too many dice of a kind, or dice of another kind.
 * @param {Game} game @param {number} cell the number of the cell @param {Hand} hand */
export function requireHandFits(game, cell, hand) {
  const { dice, variable } = game.cells[cell];
  for (const [die, count] of dice)
    if (hand.dice.filter(([, kind]) => kind === die.kind).length > count)
      throw new RuleFailure("OD524", `${variable.name} would hold more than ${count} ${die.name}`);
  if (hand.dice.some(([, kind]) => !dice.some(([die]) => die.kind === kind)))
    throw new RuleFailure("OD524", `${variable.name} would hold a die that does not belong to it`);
}

/** Return a function that writes a value into a cell, or throws RuleFailure if the cell cannot hold it.
 * @param {Game} game */
const makeCellWriter =
  (game) => (/** @type {EvaluationContext} */ m, /** @type {number} */ where, /** @type {any} */ value) => {
    const { variable, least, most } = game.cells[where];
    const number = variable.kind === "number";
    if (number && value > most)
      throw new RuleFailure("OD521", `${variable.name} would become ${value}, above its max of ${most}`);
    if (number && !(value >= least))
      throw new RuleFailure("OD521", `${variable.name} would become ${value}, below its min of ${least}`);
    if (variable.kind === "word" && !variable.words.includes(value))
      throw new RuleFailure("OD523", `${variable.name} cannot be ${value}`);
    if (variable.kind === "hand") requireHandFits(game, where, value);
    m.cells[where] = value;
  };

/** Compile a variable with its indices to a function that returns the number of the cell.
 * @param {[string, ...any]} place @returns {Compiled} */
function compileCell([name, ...indexTrees]) {
  const indices = indexTrees.map(compileExpression);
  return (m) =>
    m.cellNumber(
      name,
      indices.map((index) => index(m)),
    );
}

/** @type {Record<string, (effect: any, game: Game) => Act>} */
const ACTS = {
  move: (effect, game) => {
    const write = makeCellWriter(game);
    const amount = "amount" in effect ? compileExpression(effect.amount) : null;
    const source = effect.from ? compileCell(effect.from) : null;
    const target = effect.to ? compileCell(effect.to) : null;
    return (m) => {
      const wanted = amount?.(m);
      if (wanted < 0) throw new RuleFailure("OD525", `a move of ${wanted}`);
      const [here, there] = [source?.(m), target?.(m)];
      const held = here === undefined ? wanted : m.cells[here];
      const moved = wanted === undefined ? held : Math.min(wanted, held);
      if (here === there) return;
      if (here !== undefined) write(m, here, subtract(held, moved));
      if (there !== undefined) write(m, there, add(m.cells[there], moved));
    };
  },
  set: (effect, game) => {
    const [write, amount, target] = [makeCellWriter(game), compileExpression(effect.amount), compileCell(effect.to)];
    return (m) => {
      const where = target(m);
      write(m, where, amount(m));
    };
  },
  add: (effect, game) => {
    const [write, amount, target] = [makeCellWriter(game), compileExpression(effect.amount), compileCell(effect.to)];
    return (m) => {
      const where = target(m);
      write(m, where, add(m.cells[where], amount(m)));
    };
  },
  let: (effect) => {
    const amount = compileExpression(effect.amount);
    return (m) => {
      m.local[effect.name] = amount(m);
    };
  },
  reveal: (effect) => {
    const [amount, to] = [compileExpression(effect.amount), effect.to && compileExpression(effect.to)];
    return (m) => {
      m.shown.push([to ? [to(m)].flat() : null, amount(m)]);
    };
  },
  drop: () => (m) => {
    m.out |= 1 << m.seat;
  },
  if: (effect, game) => {
    const [test, yes, no] = [
      compileExpression(effect.amount),
      compileEffects(effect.do, game),
      compileEffects(effect.else, game),
    ];
    return (m) => (test(m) ? yes(m) : no(m));
  },
  seats: (effect, game) => {
    const [group, body] = [compileExpression(effect.amount), compileEffects(effect.do, game)];
    return (m) => {
      const seats = group(m);
      const [asker, before] = [m.seat, m.out];
      for (const seat of Array.isArray(seats) ? seats : [seats]) {
        if (m.out & ~before & (1 << seat)) continue; // dropped out since the loop began
        m.seat = seat;
        body(m);
      }
      m.seat = asker;
    };
  },
  items: (effect, game) => {
    /** @type {[string, Compiled][]} */
    const loops = effect.for.map((/** @type {[string, any]} */ [name, items]) => [name, compileExpression(items)]);
    const body = compileEffects(effect.do, game);
    return (m) => {
      for (const binding of loopBindings(loops, m)) {
        Object.assign(m.local, binding);
        body(m);
      }
    };
  },
};
