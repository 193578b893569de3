// @ts-check
/** Expressions of a bundle (nested lists), compiled to functions of a context. */

import { FUNCTIONS } from "./functions.mjs";
import {
  add,
  RuleFailure,
  compare,
  divide,
  areEqual,
  Fraction,
  modulo,
  multiply,
  itemsOfValue,
  quotient,
  subtract,
} from "./values.mjs";

const MAX_LIST_ITEMS = 1_000_000; // the most items of a list, for more would freeze the page

/** The cells of a variable: the number of the first, and for each dimension the position of each index. */
/** @typedef {{first: number, dims: Map<any, number>[]}} Layout */
/** @typedef {(m: EvaluationContext) => any} Compiled */

/** The context in which an expression is evaluated. Seats count from 0 in play order; `out` has a bit for every seat
 * that is out. */
export class EvaluationContext {
  /**
   * @param {Record<string, any>} fixedValues parameters, constants, maps and lists by name
   * @param {Record<string, Layout>} layout @param {number} seats
   * @param {Iterable<any>} cells @param {number} mover @param {number} out
   */
  constructor(fixedValues, layout, seats, cells = [], mover = 0, out = 0) {
    this.fixed = fixedValues;
    this.layout = layout;
    this.seats = seats;
    this.cells = [...cells];
    this.mover = mover;
    this.seat = mover;
    this.out = out;
    /** @type {Record<string, any>} */
    this.local = Object.create(null);
    /** What effects revealed, with the seats that see it; null for all. @type {[number[] | null, any][]} */
    this.shown = [];
  }

  /** The seats that are not out, in play order from a seat.
   * @param {number} firstSeat @param {number} skipCount how many seats to pass over at the beginning, out or not */
  activeSeats(firstSeat, skipCount = 0) {
    const seats = [];
    for (let step = skipCount; step < this.seats; step++) {
      const seat = (firstSeat + step) % this.seats;
      if (!((this.out >> seat) & 1)) seats.push(seat);
    }
    return seats;
  }

  /** The nearest seat after (1) or before (-1) the mover that is not out; the mover if all others are out. Throws
   * RuleFailure if all are out. @param {1 | -1} direction */
  nextSeat(direction) {
    for (let distance = 1; distance < this.seats; distance++) {
      const seat = modulo(this.mover + direction * distance, this.seats);
      if (!((this.out >> seat) & 1)) return seat;
    }
    if ((this.out >> this.mover) & 1) throw new RuleFailure("OD505", "there is no next player: nobody is in");
    return this.mover;
  }

  /** The number of a cell of a variable. Throws RuleFailure if the variable has no such index.
   * @param {string} name of the variable @param {readonly any[]} indices */
  cellNumber(name, indices) {
    const { first, dims } = this.layout[name];
    let where = 0;
    dims.forEach((dim, i) => {
      const place = dim.get(indices[i]);
      if (place === undefined) throw new RuleFailure("OD506", `${name} has no member ${indices[i]}`);
      where = where * dim.size + place;
    });
    return first + where;
  }
}

/** Compile an expression to a function of a context. @param {any} tree @returns {Compiled} */
export function compileExpression(tree) {
  if (!Array.isArray(tree)) return () => tree;
  const [op, ...rest] = tree;
  const maker = MAKERS[op];
  if (!maker) throw new Error(`the bundle holds the unknown operation ${op}`);
  return maker(...rest);
}

/** Return a function that compiles an operator with two operands, given their trees.
 * @param {(a: any, b: any) => any} compute computes the operator from the values of both */
const binaryCompiler = (compute) => (/** @type {any} */ a, /** @type {any} */ b) => {
  const [left, right] = [compileExpression(a), compileExpression(b)];
  return (/** @type {EvaluationContext} */ m) => compute(left(m), right(m));
};

/** Return a function that compiles an operator with one operand, given its tree.
 * @param {(a: any) => any} compute computes the operator from the value */
const unaryCompiler = (compute) => (/** @type {any} */ a) => {
  const inner = compileExpression(a);
  return (/** @type {EvaluationContext} */ m) => compute(inner(m));
};

/** Compile the name of a parameter, constant, map or list to a function that returns its value. @param {string} name
 * @returns {Compiled} */
const compileFixed = (name) => (m) => m.fixed[name];

/** Compile the value of a variable at some indices. If an index is a list, the result is a list of values, one for each
 * item. @param {string} name
 * @param {...any} indexTrees @returns {Compiled} */
function compileVariable(name, ...indexTrees) {
  if (!indexTrees.length) return (m) => m.cells[m.layout[name].first];
  const indices = indexTrees.map(compileExpression);
  return (m) => {
    const parts = indices.map((index) => index(m));
    if (!parts.some(Array.isArray)) return m.cells[m.cellNumber(name, parts)];
    /** @type {any[][]} */
    let keys = [[]];
    for (const index of parts)
      keys = keys.flatMap((key) => (Array.isArray(index) ? index.map((item) => [...key, item]) : [[...key, index]]));
    return keys.map((key) => m.cells[m.cellNumber(name, key)]);
  };
}

/** Compile the lookup of a key in a map. For a missing key, the result is `otherwise`; without that, it throws
 * RuleFailure. @param {any} table @param {any} key @param {any} [otherwise]
 * @returns {Compiled} */
function compileLookup(table, key, otherwise) {
  const [from, of] = [compileExpression(table), compileExpression(key)];
  const instead = otherwise === undefined ? null : compileExpression(otherwise);
  return (m) => {
    const [map, item] = [from(m), of(m)];
    const other = instead?.(m);
    if (map.has(item)) return map.get(item);
    if (instead) return other;
    throw new RuleFailure("OD504", `the map has no entry for ${item}`);
  };
}

/** Compile a loop that makes a list. @param {[string, string]} head @param {...any} trees @returns {Compiled} */
function compileListLoop([name, listKind], ...trees) {
  const [items, element, ...tests] = trees.map(compileExpression);
  return (m) => {
    /** @type {any[]} */
    const elements = [];
    for (const item of itemsOfValue(items(m))) {
      m.local[name] = item;
      if (!tests.every((test) => test(m))) continue;
      if (listKind === "flat") elements.push(...itemsOfValue(element(m)));
      else elements.push(element(m));
      if (elements.length > MAX_LIST_ITEMS) throw new RuleFailure("OD421", "a list has over 1,000,000 items");
    }
    delete m.local[name];
    return elements;
  };
}

/** Compile `share`: 1 split equally among the seats with the greatest value. @param {any} tree @returns {Compiled} */
function compileShare(tree) {
  const value = compileExpression(tree);
  return (m) => {
    const asker = m.seat;
    const values = Array.from({ length: m.seats }, (_, seat) => {
      m.seat = seat;
      return value(m);
    });
    m.seat = asker;
    const best = FUNCTIONS.max(values);
    const winners = values.filter((one) => compare(one, best) === 0).length;
    return new Fraction(compare(values[asker], best) === 0 ? 1n : 0n, BigInt(winners));
  };
}

/** Compile the call of a function. @param {string} name @param {...any} argumentTrees @returns {Compiled} */
function compileCall(name, ...argumentTrees) {
  if (name === "share") return compileShare(argumentTrees[0]);
  const [compute, args] = [FUNCTIONS[name], argumentTrees.map(compileExpression)];
  return (m) => compute(...args.map((arg) => arg(m)));
}

/** @type {Record<string, (...parts: any[]) => Compiled>} */
const MAKERS = {
  const: (value) => () => value,
  word: (value) => () => value,
  parameter: compileFixed,
  constant: compileFixed,
  map: compileFixed,
  list: compileFixed,
  local: (name) => (m) => m.local[name],
  state: compileVariable,
  mover: () => (m) => m.mover,
  seat: () => (m) => m.seat,
  seats: () => (m) => m.seats,
  next: () => (m) => m.nextSeat(1),
  previous: () => (m) => m.nextSeat(-1),
  everyone: () => (m) => m.activeSeats(m.seat),
  others: () => (m) => m.activeSeats(m.seat, 1),
  table: () => (m) => Array.from({ length: m.seats }, (_, step) => (m.seat + step) % m.seats),
  "+": binaryCompiler(add),
  "-": binaryCompiler(subtract),
  "*": binaryCompiler(multiply),
  "//": binaryCompiler(quotient),
  "%": binaryCompiler(modulo),
  "/": binaryCompiler(divide),
  neg: unaryCompiler((value) => subtract(0, value)),
  "==": binaryCompiler(areEqual),
  "!=": binaryCompiler((a, b) => !areEqual(a, b)),
  "<": binaryCompiler((a, b) => compare(a, b) < 0),
  "<=": binaryCompiler((a, b) => compare(a, b) <= 0),
  ">": binaryCompiler((a, b) => compare(a, b) > 0),
  ">=": binaryCompiler((a, b) => compare(a, b) >= 0),
  before: (a, b) => {
    const [left, right] = [compileExpression(a), compileExpression(b)];
    return (m) => modulo(left(m) - m.mover, m.seats) < modulo(right(m) - m.mover, m.seats);
  },
  in: binaryCompiler((item, items) => itemsOfValue(items).some((one) => areEqual(item, one))),
  and: (a, b) => {
    const [left, right] = [compileExpression(a), compileExpression(b)];
    return (m) => left(m) && right(m);
  },
  or: (a, b) => {
    const [left, right] = [compileExpression(a), compileExpression(b)];
    return (m) => left(m) || right(m);
  },
  not: unaryCompiler((value) => !value),
  if: (test, then, otherwise) => {
    const [is, yes, no] = [compileExpression(test), compileExpression(then), compileExpression(otherwise)];
    return (m) => (is(m) ? yes(m) : no(m));
  },
  listed: (...trees) => {
    const items = trees.map(compileExpression);
    return (m) => items.map((item) => item(m));
  },
  lookup: compileLookup,
  each: compileListLoop,
  face: unaryCompiler((hand) => hand.dice[0][0]),
  call: compileCall,
};
