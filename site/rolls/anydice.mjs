// @ts-check
/** AnyDice programs, answered exactly: `oddsmith/rolls/anydice.py`, which tells the rules. */

import {
  numberAtPositions as placed,
  toBigInt,
  builtinFunctions,
  argumentCases,
  Dice,
  outputDistribution,
  EMPTY,
  resultsByCase,
  isCases,
  isNumber,
  keyOfValue,
  numbersOf,
  mixtureDie,
  NUMBERS,
  applyBinaryOperation,
  asNumberOrDie,
  rollDice,
  applyUnaryOperation,
  wholeNumber,
  valueNameText,
} from "./anydice-values.mjs";
import { nearestNamesText } from "./near.mjs";
import { RuleFailure, compareValues, QuestionError } from "./numbers.mjs";
import { Grammar, ParseError, traverseNodes } from "./peg.mjs";
import { countText } from "./pmf.mjs";

/** @typedef {import("./anydice-values.mjs").Value} Value */
/** @typedef {import("./anydice-values.mjs").Builtin} Builtin */
/** @typedef {import("./pmf.mjs").Pmf} Pmf */
/** @typedef {any[]} Node */

const MOST_STEPS = 3_000_000;
const MOST_ELEMENTS = 200_000;
const MOST_KEPT = 100_000; // calls whose results are remembered
/** @type {Record<string, string>} */
const SIGNS = {
  output: "one result after another is shown",
  function: "a function is defined",
  set: "settings are set",
};
const [ORDER, EXPLODE, DEPTH] = ["position order", "explode depth", "maximum function depth"];

/** The end of a function, with its result. */
class ReturnSignal {
  /** @param {Value} value */
  constructor(value) {
    this.value = value;
  }
}

/** The grammar of programs. @param {string} grammarText of `anydice.peg` */
export const makeProgramGrammar = (grammarText) => new Grammar(grammarText, { cased: true });

/**
 * Everything that a program puts out: its name and its distribution. Throws QuestionError.
 * @param {string} program
 * @param {Grammar} grammar
 * @returns {[string, Pmf][]}
 */
export function runProgram(program, grammar) {
  const machine = new ProgramInterpreter(program);
  try {
    for (const statement of machine.read(grammar)) machine.do(statement);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw machine.refusal(0, "this program is nested too deeply", "set a smaller maximum function depth");
  }
  return machine.outputs;
}

/**
 * A hint with the nearest known name; if none is near, with all that are allowed.
 * @param {string} unknownName
 * @param {string[]} knownNames
 * @param {string} nameKind
 */
function nearestNamesHint(unknownName, knownNames, nameKind) {
  const near = nearestNamesText(unknownName, knownNames);
  const names = [...new Set(knownNames)].sort((a, b) => (a < b ? -1 : 1));
  if (near || !names.length) return near || `there are no ${nameKind} here`;
  return `known ${nameKind}: ${names.slice(0, 12).join(", ")}${names.length > 12 ? ", ..." : ""}`;
}

/** A message that says what is wrong at the place where reading stopped, and a hint how to mend it. @param {string[]}
 * letters @param {number} offset */
function readingError(letters, offset) {
  const [before, rest] = [letters.slice(0, offset).join(""), letters.slice(offset).join("")];
  if (!rest.trim()) {
    /** @type {string[]} */
    const opened = [];
    for (const sign of letters.join("").replace(/"[^"]*"/g, ""))
      if ("([{".includes(sign)) opened.push(sign);
      else if (")]}".includes(sign)) opened.pop();
    return ["the program ends too early", opened.length ? `close the ${opened.at(-1)}` : "write on"];
  }
  if (rest[0] === "\\") return ["this comment has no end", "end it with a \\"];
  if (rest[0] === '"')
    return ["a text cannot stand here", "texts follow `named` and `set`, between two quotation marks"];
  const shown = /^(?:[a-z]+|[A-Z_]+|\d+|[^])/u.exec(rest)?.[0];
  let hint = "see anydice.com/docs";
  if (rest[0] === "%") hint = "AnyDice has no remainder; write X - X / N * N";
  else if (rest[0] === "=") hint = "equality is written with one =";
  else if (!before.trim()) hint = "a program says what it shows: output 3d6";
  else if (rest.startsWith("legacy")) hint = "this old notation is not read: write [highest 3 of 4d6]";
  else if (/^[a-z]/.test(rest))
    hint = "variables have capital letters, and functions are called in brackets: [highest 3 of 4d6]";
  else if (/^\d/.test(rest) && /[A-Z_]$/.test(before)) hint = "names of variables have no digits";
  return [`\`${shown}\` cannot stand here`, hint];
}

/** @param {any[]} parts */
const functionSignature = (parts) => parts.map((part) => (typeof part === "string" ? part : "_")).join(" ");

/** A function that the program defines. */
class ProgramFunction {
  /** @param {any[]} words @param {Node[]} body */
  constructor(words, body) {
    this.shape = functionSignature(words);
    const parameters = words.filter((word) => typeof word !== "string");
    /** @type {string[]} */
    this.names = parameters.map((word) => word[2]);
    this.kinds = parameters.map((word) => word[3] ?? "?").join("");
    this.body = body;
    /** @type {Set<string>} */
    this.reads = new Set();
    /** @type {Set<string>} */
    this.calls = new Set();
    for (const [name, , first] of traverseNodes(body))
      if (name === "variable") this.reads.add(first);
      else if (name === "call") this.calls.add(functionSignature(first));
  }
}

/** A program that runs. */
class ProgramInterpreter {
  /** @param {string} program */
  constructor(program) {
    this.program = program;
    this.letters = [...program];
    /** @type {[string, Pmf][]} */
    this.outputs = [];
    /** @type {Map<string, Value>} */
    this.variables = new Map();
    /** @type {Map<string, ProgramFunction>} */
    this.functions = new Map();
    this.highestFirst = true;
    this.explodeDepth = 2;
    this.mostDepth = 10;
    this.depth = 0;
    this.steps = 0;
    /** @type {Map<string, Value>} */
    this.kept = new Map();
    /** @type {Map<ProgramFunction, string[]>} */
    this.wide = new Map();
    this.builtins = builtinFunctions(true, 2);
  }

  /** The error for a place of the program. It names the line. @param {number} offset @param {string} message @param
   * {string} [hint] */
  refusal(offset, message, hint = "") {
    const { letters, program } = this;
    const start = offset ? letters.lastIndexOf("\n", offset - 1) + 1 : 0;
    const end = letters.indexOf("\n", offset);
    const line = letters.slice(start, end < 0 ? undefined : end).join("");
    const number = letters.slice(0, offset).filter((letter) => letter === "\n").length + 1;
    const where = program.trim().includes("\n") ? `line ${number}: ` : "";
    return new QuestionError(line.replace(/\r+$/, "").replaceAll("\t", " "), offset - start, where + message, hint);
  }

  // --- reading

  /** @param {Grammar} grammar @returns {Node[]} */
  read(grammar) {
    const text = this.program.replace(/("[^"]*")|\\[^\\]*\\/g, (all, string) =>
      string ? all : [...all].map((letter) => (letter === "\n" ? letter : " ")).join(""),
    );
    try {
      const statements = grammar.parse(text, "program");
      this.#check([...traverseNodes(statements)]);
      return statements;
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      const [message, hint] = readingError([...text], error.at);
      throw this.refusal(error.at, message, hint);
    }
  }

  /** Throw QuestionError if a statement stands in a function, or outside of one, where it must not. @param {Node[]}
   * nodes */
  #check(nodes) {
    const inside = new Set(nodes.flatMap((node) => (node[0] === "function" ? [...traverseNodes(node[3])] : [])));
    for (const node of nodes) {
      const [name, at] = node;
      if (name === "result" && !inside.has(node))
        throw this.refusal(at, "a result stands in a function only", "write output here");
      if (name in SIGNS && inside.has(node))
        throw this.refusal(at, `${SIGNS[name]} outside of functions only`, "give the function a result");
    }
  }

  // --- carrying out

  /**
   * Run a step for a node, count it, and add the place to an error. Throws QuestionError after too many steps.
   * @template T
   * @param {Node} node
   * @param {() => T} act
   */
  #runGuarded(node, act) {
    if (++this.steps > MOST_STEPS)
      throw this.refusal(node[1], `this program takes more than ${countText(MOST_STEPS)} steps`, "roll fewer dice");
    try {
      return act();
    } catch (error) {
      if (error instanceof RuleFailure) throw this.refusal(node[1], error.message, error.hint);
      throw error;
    }
  }

  /** Carries out a statement. @param {Node} statement */
  do(statement) {
    this.#runGuarded(statement, () => /** @type {any} */ (this)[statement[0]](...statement.slice(2)));
  }

  /** Evaluate an expression. @param {Node} node @returns {Value} */
  value(node) {
    return this.#runGuarded(node, () => this.#evaluate(node));
  }

  /** @param {Node} node @returns {Value} */
  #evaluate([name, at, first, second, ...more]) {
    if (name === "number") {
      if (first.length > 4000) throw this.refusal(at, "this number is too long");
      return wholeNumber(BigInt(first));
    }
    if (name === "variable") {
      const found = this.variables.get(first);
      if (found === undefined) throw this.#unknownNameError(at, first);
      return found;
    }
    if (name === "sequence") return this.#sequence([first, second, ...more].filter(Boolean));
    if (name === "call") return this.#call(at, first);
    if (name === "unary") return applyUnaryOperation(first, this.value(second));
    const [left, right] = [this.value(first), this.value(second)];
    if (name === "d") return rollDice(left, right);
    return name in NUMBERS ? applyBinaryOperation(name, left, right) : placed(left, right, this.highestFirst);
  }

  // --- statements

  /** @param {Node} node @param {Node | null} name */
  output(node, name) {
    const shown = outputDistribution(this.value(node));
    this.outputs.push([name ? this.#filledText(name) : `output ${this.outputs.length + 1}`, shown]);
  }

  /** @param {Node} node */
  #filledText([, at, text]) {
    const inserted = (/** @type {string} */ _all, /** @type {string} */ name, /** @type {number} */ start) => {
      const found = this.variables.get(name);
      if (found === undefined) throw this.#unknownNameError(at + [...text.slice(0, start)].length + 1, name);
      return valueNameText(found);
    };
    return text.replace(/\[([A-Z_]+)\]/g, inserted).slice(1, -1);
  }

  /** @param {string} name @param {Node} node */
  assign(name, node) {
    this.variables.set(name, this.value(node));
  }

  /** @param {Node} what @param {Node} node */
  set(what, node) {
    const name = what[2].slice(1, -1).trim().toLowerCase();
    const value = node[0] === "text" ? node[2].slice(1, -1).trim().toLowerCase() : asNumberOrDie(this.value(node));
    const number =
      !(value instanceof Dice) && typeof value !== "string" && compareValues(value, 0) > 0 ? Number(value) : 0;
    if (name === ORDER && (value === "highest first" || value === "lowest first"))
      this.highestFirst = value === "highest first";
    else if (name === EXPLODE && number) this.explodeDepth = number;
    else if (name === DEPTH && number) this.mostDepth = number;
    else if (![ORDER, EXPLODE, DEPTH].includes(name))
      throw this.refusal(
        what[1],
        `there is no setting ${what[2]}`,
        nearestNamesHint(name, [ORDER, EXPLODE, DEPTH], "settings"),
      );
    else {
      const wanted = name === ORDER ? '"highest first" or "lowest first"' : "a number from 1 on";
      throw this.refusal(node[1], `this setting is ${wanted}`);
    }
    this.builtins = builtinFunctions(this.highestFirst, this.explodeDepth);
    this.kept.clear();
  }

  /** @param {string} name @param {Node} over @param {Node[]} body */
  loop(name, over, body) {
    const sequence = this.value(over);
    if (!Array.isArray(sequence))
      throw this.refusal(over[1], "a loop goes over a sequence", "put it in braces: loop X over {1..6}");
    for (const each of sequence) {
      this.variables.set(name, each);
      for (const statement of body) this.do(statement);
    }
  }

  /** @param {[Node, Node[]][]} cases @param {Node[] | null} other */
  if(cases, other) {
    let body = other ?? [];
    for (const [condition, then] of cases) {
      const value = this.value(condition);
      if (!isNumber(value)) {
        const what = value instanceof Dice ? "dice" : "a sequence";
        const hint = "give them to a function as a number: function: name X:n { if X > 3 ...";
        throw this.refusal(condition[1], `a condition is a number, and this is ${what}`, hint);
      }
      if (value !== 0) {
        body = then;
        break;
      }
    }
    for (const statement of body) this.do(statement);
  }

  /** @param {Node} node */
  result(node) {
    throw new ReturnSignal(this.value(node));
  }

  /** @param {any[]} words @param {Node[]} body */
  function(words, body) {
    const made = new ProgramFunction(words, body);
    this.functions.set(made.shape, made);
    this.kept.clear();
    this.wide.clear();
  }

  // --- expressions

  /** @param {number} offset @param {string} name */
  #unknownNameError(offset, name) {
    const hint = nearestNamesHint(name, [...this.variables.keys()], "variables");
    return this.refusal(offset, `the variable ${name} has no value here`, hint);
  }

  /** @param {Node[]} elements */
  #sequence(elements) {
    /** @type {import("./numbers.mjs").Value[]} */
    const found = [];
    for (const [, place, first, last, times] of elements) {
      const repeats = times ? toBigInt(this.#plain(times)) : 1n;
      const part = last ? [] : numbersOf(this.value(first));
      const from = last ? toBigInt(this.#plain(first)) : 0n;
      const many = last ? toBigInt(this.#plain(last)) - from + 1n : BigInt(part.length);
      if (many <= 0 || repeats <= 0) continue;
      if (BigInt(found.length) + many * repeats > MOST_ELEMENTS)
        throw this.refusal(place, `this sequence has over ${countText(MOST_ELEMENTS)} numbers`);
      for (let round = 0; round < repeats; round++)
        for (let each = 0; each < many; each++) found.push(last ? wholeNumber(from + BigInt(each)) : part[each]);
    }
    return found;
  }

  /** @param {Node} node */
  #plain(node) {
    const number = asNumberOrDie(this.value(node));
    if (!(number instanceof Dice)) return number;
    throw this.refusal(node[1], "here stands a number, not dice", "let a function take them as X:n");
  }

  // --- functions

  /** @param {number} offset @param {any[]} parts @returns {Value} */
  #call(offset, parts) {
    if (this.depth >= this.mostDepth) return EMPTY;
    const shape = functionSignature(parts);
    const made = this.functions.get(shape);
    const builtin = Object.hasOwn(this.builtins, shape) ? this.builtins[shape] : null;
    if (!made && !builtin) {
      const named = (/** @type {string} */ each) => each.replaceAll("_", "...");
      const known = [...this.functions.keys(), ...Object.keys(this.builtins)].map(named);
      const words = parts.some((part) => typeof part === "string");
      const hint = words
        ? nearestNamesHint(named(shape), known, "functions")
        : "sums stand in round brackets: (d6 + 2)";
      throw this.refusal(offset, `there is no function [${named(shape)}]`, hint);
    }
    const given = parts.filter((part) => typeof part !== "string").map((part) => this.value(part));
    return made ? this.#callOnce(made, given) : this.#builtin(/** @type {Builtin} */ (builtin), given);
  }

  /** @param {Builtin} builtin @param {Value[]} values */
  #builtin([kinds, run, pooled], values) {
    return pooled?.(...values) ?? this.#applyToCases(kinds, values, (each) => run(...each));
  }

  /** The result of a function, once for equal arguments and variables. @param {ProgramFunction} made @param {Value[]}
   * given */
  #callOnce(made, given) {
    const seen = this.#visibleVariables(made).map((name) => {
      const value = this.variables.get(name);
      return value === undefined ? "" : keyOfValue(value);
    });
    const place = [made.shape, this.depth, ...given.map(keyOfValue), ...seen].join(";");
    let found = this.kept.get(place);
    if (found === undefined) {
      found = this.#applyToCases(made.kinds, given, (values) => this.body(made, values));
      if (this.kept.size >= MOST_KEPT) this.kept.clear();
      this.kept.set(place, found);
    }
    return found;
  }

  /** The variables that a function or those that it calls may see. @param {ProgramFunction} made */
  #visibleVariables(made) {
    let found = this.wide.get(made);
    if (!found) {
      const [names, todo] = [new Set(made.reads), new Set(made.calls)];
      for (const shape of todo) {
        const each = this.functions.get(shape);
        each?.reads.forEach((name) => names.add(name));
        each?.calls.forEach((more) => todo.add(more));
      }
      this.wide.set(made, (found = [...names].sort()));
    }
    return found;
  }

  /** Call a function with values. Where its parameter takes another kind, it is called in every case, and the results
   * are mixed by their weights.
   * @param {string} kinds
   * @param {Value[]} values
   * @param {(values: Value[]) => Value} act */
  #applyToCases(kinds, values, act) {
    const given = values.map((each, place) => argumentCases(kinds[place], each, this.highestFirst));
    return given.some(isCases) ? mixtureDie(resultsByCase(given, act)) : act(/** @type {Value[]} */ (given));
  }

  /**
   * The result of a function in one case. Its variables end with it.
   * @param {ProgramFunction} made
   * @param {Value[]} values
   * @returns {Value}
   */
  body({ names, body }, values) {
    const before = this.variables;
    this.variables = new Map(before);
    for (let place = names.length - 1; place >= 0; place--) this.variables.set(names[place], values[place]);
    this.depth++;
    try {
      for (const statement of body) this.do(statement);
    } catch (error) {
      if (error instanceof ReturnSignal) return error.value;
      throw error;
    } finally {
      this.depth--;
      this.variables = before;
    }
    return EMPTY;
  }
}
