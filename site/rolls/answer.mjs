// @ts-check
/**
 * Answers any question about dice: every way in which it can be meant, with its distribution, as the same JSON that
 * `oddsmith roll --json` prints. `learn` takes the text of `rolls.peg` first.
 */

import { Evaluator, Several } from "./evaluate.mjs";
import { Enclosure, Fraction, QuestionError } from "./numbers.mjs";
import { standardDeviation } from "./pmf.mjs";
import { bare, DIALECTS, readings, TITLES } from "./reading.mjs";
import { text } from "./wording.mjs";

export { QuestionError } from "./numbers.mjs";
export { learn } from "./reading.mjs";

/** @typedef {import("./pmf.mjs").Pmf} Pmf */
/** @typedef {import("./reading.mjs").Reading} Reading */
/** @typedef {[name: string, pmf: Pmf][]} Parts */
/** @typedef {{readAs: string, parts: Parts, note: string, dialect: string | null, notes: string[]}} Answer */

/** What only a program for AnyDice has. */
const PROGRAM = /\boutput\b|\bfunction\s*:|\bloop\s+\w+\s+over\b|\bset\s+"|[\p{L}\p{N}_)}\]]\s*@|(?:^|[\s(])#/iu;
const ANYDICE = "anydice";

/** Whether a question may be a program for AnyDice, so that `answer` needs `run`.
 * @param {string} question @param {string | null} [dialect] */
export const mayBeProgram = (question, dialect) =>
  dialect === ANYDICE || (!dialect && (PROGRAM.test(question) || question.includes("[")));

const QUANTILES = { 0.1: [1n, 10n], 0.5: [1n, 2n], 0.9: [9n, 10n], 0.99: [99n, 100n] };

/**
 * The answer to a question, with the other ways in which it can be meant under `others`. Throws QuestionError.
 * @param {string} question
 * @param {{dialect?: string | null, digits?: number, run?: (program: string) => Parts}} [how] digits: decimal places;
 *   run: what runs programs for AnyDice
 */
export function answer(question, { dialect = null, digits = 6, run } = {}) {
  if (!question.includes("\n")) question = question.trim().split(/\s+/).join(" ");
  const program = (/** @type {string} */ text, run = needed) =>
    told(question, { readAs: text.trim(), parts: run(text), note: "", dialect: "AnyDice", notes: [] }, digits);
  if (dialect === ANYDICE || (dialect === null && PROGRAM.test(question))) return program(question, run);
  const known = /** @type {string[]} */ (DIALECTS);
  if (dialect !== null && !known.includes(dialect))
    throw new QuestionError(
      question,
      0,
      `there is no dialect ${dialect}`,
      `write one of ${[...known, ANYDICE].join(", ")}`,
    );
  try {
    return plainly(question, dialect, digits);
  } catch (error) {
    if (run && dialect === null && error instanceof QuestionError && question.includes("["))
      try {
        return program(`output ${question}`, run);
      } catch (other) {
        if (!(other instanceof QuestionError)) throw other;
      }
    throw error;
  }
}

/** @type {(program: string) => Parts} */
const needed = () => {
  throw new Error("programs for AnyDice need what runs them");
};

/** The answer to a question that is no program.
 * @param {string} question @param {string | null} dialect @param {number} digits */
function plainly(question, dialect, digits) {
  /** @type {Map<string, Reading>} */
  const different = new Map();
  for (const each of readings(question, /** @type {any} */ (dialect)))
    if (!different.has(bare(each.tree))) different.set(bare(each.tree), each);
  /** @type {Map<string, Answer>} */
  const answers = new Map();
  for (const each of [...different.values()].map((reading) => answered(question, reading)))
    if (!answers.has(valuesOf(each))) answers.set(valuesOf(each), each);
  const [first, ...others] = answers.values();
  const shown = { ...first, note: others.length ? first.note : "" };
  return told(question, shown, digits, others);
}

/** @param {string} question @param {Reading} reading @returns {Answer} */
function answered(question, { tree, note, dialect, notes }) {
  const evaluator = new Evaluator(question);
  const value = evaluator.of(tree);
  /** @type {Parts} */
  const parts = value instanceof Several ? value.parts : [["", evaluator.asNumber(value, tree[1])]];
  const title = dialect && TITLES[dialect];
  return {
    readAs: text(tree),
    parts,
    note: note || (title ? `as ${title} rolls it` : ""),
    dialect: title,
    notes: [...new Set(notes)],
  };
}

/** What is told of an answer, to compare it with others. @param {Answer} found */
const valuesOf = ({ parts }) =>
  JSON.stringify(
    parts.map(([name, pmf]) => [
      name,
      pmf.values.map((value) => [String(value), new Fraction(pmf.weights.get(value) ?? 0n, pmf.total).valueOf()]),
    ]),
  );

/**
 * The answer as JSON.
 * @param {string} question
 * @param {Answer} found
 * @param {number} digits
 * @param {Answer[]} others
 * @returns {any}
 */
function told(question, found, digits, others = []) {
  const [[name, pmf]] = found.parts;
  const several = found.parts.length > 1;
  const one = distribution(question, several ? `${found.readAs}: ${name}` : found.readAs, pmf, found, digits);
  /** @type {Record<string, any>} */
  const parts = {};
  if (several)
    for (const [part, each] of found.parts) {
      let free = part;
      for (let number = 2; free in parts; number++) free = `${part} (${number})`;
      parts[free] = distribution(question, `${found.readAs}: ${part}`, each, found, digits);
    }
  return {
    ...one,
    ...(several ? { parts } : {}),
    ...(others.length ? { others: others.map((each) => told(question, each, digits)) } : {}),
  };
}

/**
 * One distribution as JSON.
 * @param {string} question
 * @param {string} what
 * @param {Pmf} pmf
 * @param {Answer} found
 * @param {number} digits
 */
function distribution(question, what, pmf, { dialect, note, notes }, digits) {
  const { tail, total, flag, weights } = pmf;
  const room = tail && tail.least === null ? tail.weight : 0n;
  const number = (/** @type {Enclosure | null} */ each) => each && each.told(digits);
  const enclosed = (/** @type {bigint} */ weight) =>
    new Enclosure(new Fraction(weight, total), new Fraction(weight + room, total));
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
  const [mean, square] = tail ? [null, null] : [pmf.power(1), pmf.power(2)];
  const whole = exact && mean && square && square.minus(mean.times(mean));
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
    read_as: what,
    dialect,
    note,
    notes,
    kind: flag ? "chance" : "number",
    chance: number(chance),
    variance: number(whole || (deviation && deviation.times(deviation))),
    standard_deviation: number(deviation),
  };
}
