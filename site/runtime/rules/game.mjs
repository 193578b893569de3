// @ts-check
/** A ruleset (bundle) with a number of seats and parameter values: every list, die, bound and start becomes a plain
 * value. */

import { compileExpression, EvaluationContext } from "./expression.mjs";
import { MAX_ITEMS } from "./functions.mjs";
import { EntrySayings } from "./sayings.mjs";
import { RuleFailure, keyOfValue, NO_DICE } from "./values.mjs";

/** @typedef {import("./dice.mjs").Die} Die */
/** @typedef {import("./expression.mjs").Layout} Layout */
/** @typedef {{name: string, kind: string, dims: string[], start: any, starts: [any, any][] | null, min: any, max: any,
 *   words: string[], dice: [any, string][], resets: boolean}} Variable as the bundle has it */
/** @typedef {{variable: Variable, index: any[], least: number, most: number, dice: [Die, number][]}} Cell */
/** @typedef {Record<string, any>} Bundle */

const TALLY = 2 ** 53 - 1;
const MAX_CELLS = 5000; // of a state

/** Thrown for a seat count, variant or parameter value that the rules do not have. */
export class SettingError extends Error {}

/** The value of every parameter by name: the given one, else that of the variant, else the default. Throws SettingError
 * if the bundle has no such variant or parameter, or does not allow a value. @param {Bundle} bundle
 * @param {Record<string, any>} values @param {string} [variant] */
export function parameterValues(bundle, values = {}, variant) {
  /** @type {Record<string, any>} */
  const chosen = Object.create(null);
  for (const [name, parameter] of Object.entries(bundle.parameters)) chosen[name] = parameter.default;
  if (variant) {
    if (!Object.hasOwn(bundle.variants, variant)) throw new SettingError(`there is no variant ${variant}`);
    Object.assign(chosen, bundle.variants[variant]);
  }
  for (const [name, value] of Object.entries(values)) {
    const parameter = Object.hasOwn(bundle.parameters, name) && bundle.parameters[name];
    if (!parameter || !allowsValue(parameter, value)) throw new SettingError(`${name} cannot be ${value}`);
    chosen[name] = value;
  }
  return chosen;
}

/** Whether a parameter can have a value. @param {any} parameter @param {any} value */
function allowsValue(parameter, value) {
  if (parameter.one_of.length) return parameter.one_of.includes(value);
  if (typeof parameter.default === "boolean") return typeof value === "boolean";
  return Number.isSafeInteger(value) && value >= (parameter.min ?? -Infinity) && value <= (parameter.max ?? Infinity);
}

/** A ruleset in one setting. Seats are numbered from 0 here; people count them from 1. As in Python, the constructor
 * throws RuleFailure if the values break the rules, before anything large is built. */
export class Game {
  /** @param {Bundle} bundle @param {number} [seats] @param {Record<string, any>} [values] @param {string} [variant] */
  constructor(bundle, seats, values, variant) {
    this.bundle = bundle;
    this.sayings = new EntrySayings(); // whoever opens a play file puts in what it says
    this.parameters = parameterValues(bundle, values, variant);
    const chosen = seats ?? this.parameters.seats ?? bundle.seats[2];
    delete this.parameters.seats; // a variant may set the number of players
    if (!Number.isInteger(chosen) || chosen < bundle.seats[0] || chosen > bundle.seats[1])
      throw new SettingError(`this game is not for ${chosen} players`);
    /** @type {number} */
    this.seats = chosen;
    /** @type {Record<string, any>} */
    this.fixed = Object.create(null);
    Object.assign(this.fixed, this.parameters, bundle.constants);
    for (const [name, pairs] of Object.entries(bundle.maps)) this.fixed[name] = new Map(pairs);
    const before = new EvaluationContext(this.fixed, {}, this.seats);
    for (const [name, items] of Object.entries(bundle.lists)) {
      this.fixed[name] = Array.isArray(items) ? items : compileExpression(items.from)(before);
      if (this.fixed[name].length > MAX_ITEMS && !Array.isArray(items))
        throw new RuleFailure("OD421", `the list ${name} has over 10,000 items`);
    }
    for (const { that, about } of bundle.require ?? [])
      if (!compileExpression(that)(before)) throw new SettingError(about);
    /** @type {Variable[]} in written order */
    this.variables = bundle.state.map((/** @type {[string, any]} */ [name, rest]) => ({ name, ...rest }));
    /** @type {Record<string, Die>} */
    this.dice = Object.create(null);
    bundle.kinds.forEach((/** @type {string} */ name, /** @type {number} */ kind) => {
      this.dice[name] = this.#makeDie(name, kind, before);
    });
    /** @type {Record<string, Layout>} */
    this.layout = Object.create(null);
    /** @type {Cell[]} */
    this.cells = [];
    for (const variable of this.variables) this.#addCells(variable, before);
    /** @type {any[]} the cells before the first turn */
    this.start = this.#startCells();
  }

  /** The context in which expressions are evaluated, with these cells. @param {Iterable<any>} cells
   * @param {number} mover @param {number} out */
  context(cells, mover = 0, out = 0) {
    return new EvaluationContext(this.fixed, this.layout, this.seats, cells, mover, out);
  }

  /** The numbers of the cells of a variable, in order. @param {string} name */
  cellNumbers(name) {
    const { first, dims } = this.layout[name];
    const size = dims.reduce((product, dim) => product * dim.size, 1);
    return Array.from({ length: size }, (_, i) => first + i);
  }

  /** The names of the sides, such as cat and mouse; empty if all seats play alike. @returns {string[]} */
  get sides() {
    return this.bundle.sides ?? [];
  }

  /** The name of a face of a die. @param {number} kind @param {number} face @returns {string} */
  faceName(kind, face) {
    const named = this.bundle.dice[this.bundle.kinds[kind]]?.named ?? [];
    return named.find((/** @type {[number, string]} */ pair) => pair[0] === face)?.[1] ?? String(face);
  }

  /** Make the die of a name, such as d6 or a die of the ruleset. @param {string} name @param {number} kind its number
   * @param {EvaluationContext} context @returns {Die} */
  #makeDie(name, kind, context) {
    if (!Object.hasOwn(this.bundle.dice, name)) {
      const faces = Array.from({ length: Number(name.slice(1)) }, (_, i) => i + 1); // d6
      return { name, kind, faces, weights: faces.map(() => 1) };
    }
    const rule = this.bundle.dice[name];
    const faces = rule.from === null ? rule.faces : compileExpression(rule.from)(context);
    /** @type {number[]} */
    const written = rule.weights.map((/** @type {any} */ weight) => compileExpression(weight)(context));
    const weights = written.length ? written : faces.map(() => 1);
    if (!faces.length) throw new RuleFailure("OD422", `the die ${name} has no face`);
    if (weights.length !== faces.length)
      throw new RuleFailure("OD356", `the die ${name} has ${faces.length} faces and ${weights.length} weights`);
    if (Math.min(...weights) < 0 || Math.max(...weights) < 1)
      throw new RuleFailure("OD423", `the weights of the die ${name} are ${weights.join(", ")}`);
    return { name, kind, faces, weights };
  }

  /** Add the cells of a variable. @param {Variable} variable @param {EvaluationContext} context */
  #addCells(variable, context) {
    /** @type {any[][]} */
    const items = variable.dims.map((dim) =>
      dim === "seat" ? Array.from({ length: this.seats }, (_, seat) => seat) : this.fixed[dim],
    );
    const size = items.reduce((product, dim) => product * dim.length, 1);
    if (this.cells.length + size > MAX_CELLS)
      throw new RuleFailure("OD424", `with ${variable.name} the state has over 5,000 cells`);
    const dims = items.map((dim) => new Map(dim.map((item, place) => [item, place])));
    this.layout[variable.name] = { first: this.cells.length, dims };
    /** @param {any} tree @param {number} otherwise */
    const number = (tree, otherwise) => (tree === null ? otherwise : compileExpression(tree)(context));
    /** @type {[Die, number][]} */
    const terms = variable.dice.map(([count, die]) => [this.dice[die], compileExpression(count)(context)]);
    const short = terms.find(([, count]) => count < 0);
    if (short) throw new RuleFailure("OD416", `${variable.name} would hold ${short[1]} ${short[0].name}`);
    const dice = mergeTerms(terms);
    const least = { tally: -TALLY, number: number(variable.min, 0) }[variable.kind] ?? 0;
    const most =
      {
        flag: 1,
        word: variable.words.length - 1,
        seat: this.seats - 1,
        tally: TALLY,
        hand: dice.reduce((sum, [, count]) => sum + count, 0),
      }[variable.kind] ?? number(variable.max, least);
    if (variable.kind === "number" && least > most)
      throw new RuleFailure("OD425", `${variable.name} has min ${least} above max ${most}`);
    /** @type {any[][]} */
    let indices = [[]];
    for (const dim of items) indices = indices.flatMap((index) => dim.map((item) => [...index, item]));
    for (const index of indices) this.cells.push({ variable, index, least, most, dice });
  }

  /** The cells before the first turn. */
  #startCells() {
    const m = this.context(Array(this.cells.length).fill(0));
    this.cells.forEach((cell, where) => {
      const { variable, least, most } = cell;
      const value = this.#startValueOf(cell, m);
      const fits =
        { number: least <= value && value <= most, word: variable.words.includes(value) }[variable.kind] ?? true;
      if (!fits) throw new RuleFailure("OD426", `${variable.name} starts at ${value}, which it cannot be`);
      m.cells[where] = value;
    });
    for (const variable of this.variables.filter(({ resets }) => resets)) this.#checkReset(variable, m.cells);
    return m.cells;
  }

  /** Throw RuleFailure if the start of a variable that resets every turn depends on who moves. @param {Variable}
   * variable
   * @param {any[]} startCells the cells before the first turn */
  #checkReset(variable, startCells) {
    const { name, kind, dims, starts } = variable;
    if (kind === "seat" && !startsAsMover(variable))
      throw new RuleFailure("OD427", `${name} resets every turn to a fixed seat`);
    const apart = new Set(this.cellNumbers(name).map((where) => keyOfValue(startCells[where]))).size > 1;
    if (apart && dims[0] === "seat" && !starts)
      throw new RuleFailure("OD427", `${name} resets every turn, but starts differently by seat`);
  }

  /** The value of a cell before the first turn. @param {Cell} cell @param {EvaluationContext} context */
  #startValueOf({ variable, index, least }, context) {
    context.seat = variable.dims[0] === "seat" ? index[0] : 0;
    const own = variable.starts?.find(([key]) => keyOfValue(key) === keyOfValue(index[index.length - 1]));
    if (own) return compileExpression(own[1])(context);
    if (!variable.starts && variable.start !== null) return compileExpression(variable.start)(context);
    return { flag: false, word: variable.words[0], seat: 0, hand: NO_DICE, tally: 0 }[variable.kind] ?? least;
  }
}

/** Whether a variable holds a seat and starts as the seat that moves. @param {Variable} variable */
export function startsAsMover(variable) {
  return variable.kind === "seat" && !variable.starts && (variable.start === null || variable.start[0] === "mover");
}

/** Return terms with one for each kind of die, adding up the counts of equal dice.
 * @param {[Die, number][]} terms @returns {[Die, number][]} */
function mergeTerms(terms) {
  const dice = [...new Set(terms.map(([die]) => die))];
  return dice.map((die) => [die, terms.reduce((sum, [other, count]) => (other === die ? sum + count : sum), 0)]);
}
