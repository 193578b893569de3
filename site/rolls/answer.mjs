// @ts-check
/**
 * Answers any question about dice: every way in which it can be meant, with its distribution, as the same JSON that
 * `oddsmith roll --json` prints. The grammars are the files of the package; in a page they lie beside this module. What
 * reads programs for AnyDice is loaded once a question may be one.
 */

import { Evaluator, NamedDistributions } from "./evaluate.mjs";
import { RuleFailure, Enclosure, toFloat, Fraction, QuestionError } from "./numbers.mjs";
import { standardDeviation } from "./pmf.mjs";
import {
  textWithoutPlaces,
  DIALECTS,
  setQuestionGrammar as questions,
  meaningsOfQuestion,
  TITLES,
} from "./reading.mjs";
import { nodeText } from "./wording.mjs";

/** @typedef {import("./pmf.mjs").Pmf} Pmf */
/** @typedef {import("./reading.mjs").Reading} Reading */
/** @typedef {[name: string, pmf: Pmf][]} Parts */
/** @typedef {{readAs: string, parts: Parts, note: string, dialect: string | null, notes: string[]}} Answer */

const QUANTILES = { 0.1: [1n, 10n], 0.5: [1n, 2n], 0.9: [9n, 10n], 0.99: [99n, 100n] };

/** Matches what only a program for AnyDice contains, such as `output` or `loop N over`. */
const PROGRAM =
  /\boutput(?![a-z])|\bfunction\s*:|\bloop\s+\w+\s+over\b|\bset\s+"|[\w)}\]]\s*@|(?:^|[\s(])#(?=[\w({[])/i;

const SPOKEN = /^\s*output\s+([^\n[]+?)\s*$/i;

/** What reads and runs a program for AnyDice; null until a question needs it.
 * @type {((program: string) => Parts) | null} */
let run = null;

/** Set both grammars, which `reply` needs. @param {{rolls: string, anydice: string}} grammars */
export async function setGrammars({ rolls, anydice }) {
  questions(rolls);
  await loadProgramReader(anydice);
}

/** Load the scripts that read programs, and give them their grammar. @param {string} grammarText */
async function loadProgramReader(grammarText) {
  const programs = await import("./anydice.mjs");
  const grammar = programs.makeProgramGrammar(grammarText);
  run = (program) => programs.runProgram(program, grammar);
}

/** @type {Map<string, Promise<void>>} */
const loaded = new Map();

/** Load a grammar that lies beside this module, once; after a failure the next call tries again.
 * @param {string} fileName @param {(text: string) => void | Promise<void>} useText */
function loadGrammarOnce(fileName, useText) {
  const begun = loaded.get(fileName) ?? fetchText(fileName).then(useText);
  loaded.set(fileName, begun);
  return begun.catch((error) => {
    loaded.delete(fileName);
    throw error;
  });
}

/** The text of a file that lies beside this module. @param {string} fileName */
async function fetchText(fileName) {
  const response = await fetch(new URL(fileName, import.meta.url));
  if (!response.ok) throw new Error(`${fileName} is not there`);
  return response.text();
}

/** Whether a question is, or may turn out to be, a program for AnyDice.
 * @param {string} question @param {string | null} dialect */
const mayBeProgram = (question, dialect) =>
  dialect === "anydice" || (dialect === null && (PROGRAM.test(question) || question.includes("[")));

/** Answer a question; `others` holds the other ways in which it can be meant. Throws QuestionError.
 * @param {string} question
 * @param {{dialect?: string | null, digits?: number}} [options] digits: decimal places */
export async function answerQuestion(question, options) {
  await loadGrammarOnce("rolls.peg", questions);
  if (mayBeProgram(question, options?.dialect ?? null)) await loadGrammarOnce("anydice.peg", loadProgramReader);
  return reply(question, options);
}

/** Answer a question as `answer` does, once the grammars are set; nothing is loaded.
 * @param {string} question
 * @param {{dialect?: string | null, digits?: number}} [how] */
export function reply(question, { dialect = null, digits = 6 } = {}) {
  if (!question.includes("\n")) question = question.trim().split(/\s+/).join(" ");
  if (dialect === "anydice" || (dialect === null && PROGRAM.test(question)))
    try {
      return answerJson(question, answerProgram(question, question.trim()), digits);
    } catch (error) {
      throw dialect === null ? withBetterHint(question, error) : error;
    }
  const known = /** @type {string[]} */ (DIALECTS);
  if (dialect !== null && !known.includes(dialect)) {
    const all = [...known, "anydice"].join(", ");
    throw new QuestionError(question, 0, `there is no dialect ${dialect}`, `write one of ${all}`);
  }
  try {
    const [first, others] = distinctAnswers(question, /** @type {any} */ (dialect));
    return answerJson(question, first, digits, others);
  } catch (error) {
    if (!(error instanceof QuestionError) || dialect !== null || !question.includes("[")) throw error;
    const code = `output ${question}`;
    try {
      return answerJson(question, answerProgram(code, code.trim()), digits);
    } catch (other) {
      throw other instanceof QuestionError ? error : other;
    }
  }
}

/** Return the error for a program, with a better hint if what follows `output` can be asked in words.
 * @param {string} question @param {any} error
 */
function withBetterHint(question, error) {
  const spoken = SPOKEN.exec(question)?.[1];
  try {
    if (spoken && reply(spoken)) error.hint = `leave out \`output\`: ${spoken}`;
  } catch {
    // its own hint stays
  }
  return error;
}

/** Answer a program for AnyDice. @param {string} code @param {string} readAs @returns {Answer} */
function answerProgram(code, readAs) {
  if (!run) throw new Error("the grammars were not given to learn()");
  const parts = run(code);
  if (!parts.length)
    throw new QuestionError(code, [...code].length, "this program puts nothing out", "write such as: output 3d6");
  return { readAs, parts, note: "", dialect: "AnyDice", notes: [] };
}

/** The answer to the first reading of a question, and the answers to other readings that differ from it and each other.
 * @param {string} question
 * @param {import("./reading.mjs").Dialect | null} dialect
 * @returns {[Answer, Answer[]]} */
function distinctAnswers(question, dialect) {
  /** @type {Map<string, Reading>} */
  const different = new Map();
  for (const each of meaningsOfQuestion(question, dialect))
    if (!different.has(textWithoutPlaces(each.tree))) different.set(textWithoutPlaces(each.tree), each);
  /** @type {Map<string, Answer>} */
  const found = new Map();
  let unsure = false;
  for (const reading of different.values()) {
    try {
      const each = answerReading(question, reading);
      if (!found.has(answerKey(each))) found.set(answerKey(each), each);
    } catch (error) {
      if (!found.size || !(error instanceof QuestionError)) throw error;
      unsure = true; // what cannot be worked out is not offered; the note says what was read
    }
  }
  const [first, ...others] = found.values();
  return [{ ...first, note: others.length || unsure ? first.note : "" }, others];
}

/**
 * A result as one number. Throws QuestionError.
 * @param {string} question @param {Evaluator} evaluator @param {any} value @param {number} offset
 */
function numberResult(question, evaluator, value, offset) {
  try {
    return evaluator.asNumberDistribution(value, offset);
  } catch (error) {
    if (error instanceof RuleFailure) throw new QuestionError(question, 0, error.message, error.hint);
    throw error;
  }
}

/** The answer to one reading of a question. @param {string} question @param {Reading} reading @returns {Answer} */
function answerReading(question, { tree, note, dialect, notes }) {
  const evaluator = new Evaluator(question);
  const value = evaluator.evaluate(tree);
  /** @type {Parts} */
  const parts =
    value instanceof NamedDistributions ? value.parts : [["", numberResult(question, evaluator, value, tree[1])]];
  const title = dialect && TITLES[dialect];
  return {
    readAs: nodeText(tree),
    parts,
    note: note || (title ? `as ${title} rolls it` : ""),
    dialect: title,
    notes: [...new Set(notes)],
  };
}

/** A text that identifies the names and distributions of an answer. @param {Answer} found */
const answerKey = ({ parts }) =>
  JSON.stringify(
    parts.map(([name, pmf]) => [
      name,
      pmf.values.map((value) => [String(value), toFloat(pmf.weights.get(value) ?? 0n, pmf.total)]),
    ]),
  );

/**
 * The answer as JSON.
 * @param {string} question
 * @param {Answer} answer
 * @param {number} digits
 * @param {Answer[]} others
 * @returns {any}
 */
function answerJson(question, answer, digits, others = []) {
  const [[first, pmf]] = answer.parts;
  const several = answer.parts.length > 1;
  const one = distributionJson(question, several ? `${answer.readAs}: ${first}` : answer.readAs, pmf, answer, digits);
  const names = new Set();
  const parts = (several ? answer.parts : []).map(([part, each]) => {
    let name = part;
    for (let number = 2; names.has(name); number++) name = `${part} (${number})`;
    names.add(name);
    return { name, ...distributionJson(question, `${answer.readAs}: ${part}`, each, answer, digits) };
  });
  return {
    ...one,
    ...(several ? { parts } : {}),
    ...(others.length ? { others: others.map((each) => answerJson(question, each, digits)) } : {}),
  };
}

/**
 * One distribution as JSON.
 * @param {string} question
 * @param {string} readAsText
 * @param {Pmf} pmf
 * @param {Answer} found
 * @param {number} digits
 */
function distributionJson(question, readAsText, pmf, { dialect, note, notes }, digits) {
  const { tail, total, flag, weights } = pmf;
  const room = tail && tail.least === null ? tail.weight : 0n;
  const number = (/** @type {Enclosure | null} */ each) => each && each.fields(digits);
  const enclosed = (/** @type {bigint} */ weight) => {
    const low = new Fraction(weight, total);
    return new Enclosure(low, room ? new Fraction(weight + room, total) : low);
  };
  let below = 0n;
  const values = flag ? [0, 1] : pmf.values;
  const outcomes = values.map((value) => {
    const weight = weights.get(value) ?? 0n;
    below += weight;
    const outcome = flag ? (value ? "yes" : "no") : String(value);
    return { value, outcome, chance: enclosed(weight), atMost: enclosed(below), below };
  });
  const beyond = Enclosure.of(tail && !flag ? new Fraction(tail.weight, total) : 0);
  const chance = flag ? outcomes[1].chance : null;
  const deviation = flag && tail ? null : standardDeviation(pmf);
  const exact = !room && beyond.exact !== null;
  const quantile = (/** @type {bigint[]} */ [top, bottom]) => {
    const place = outcomes.find((each) => (each.below + room) * bottom >= top * total);
    return place && place.below * bottom >= top * total ? String(place.value) : null;
  };
  const [mean, square] = [pmf.moment(1), pmf.moment(2)];
  return {
    grade: exact ? "exact" : "proven",
    mean: number(chance ?? pmf.mean),
    quantiles: Object.fromEntries(Object.entries(QUANTILES).map(([share, parts]) => [share, quantile(parts)])),
    outcomes: outcomes.map((each) => ({
      outcome: each.outcome,
      ...number(each.chance),
      at_most: number(each.atMost),
    })),
    beyond: number(beyond),
    question,
    read_as: readAsText,
    dialect,
    note,
    notes,
    kind: flag ? "chance" : "number",
    chance: number(chance),
    variance: number(deviation && mean && square && square.minus(mean.times(mean))),
    standard_deviation: number(deviation),
  };
}
