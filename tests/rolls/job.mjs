// Distributions and parsed texts as JSON, for tests/rolls/test_agreement.py to compare with Python's.

import { readFileSync } from "node:fs";

import { setGrammars, reply } from "../../site/rolls/answer.mjs";
import { makeProgramGrammar as language, runProgram } from "../../site/rolls/anydice.mjs";
import {
  RuleFailure,
  compareValues,
  differenceOfValues,
  Fraction,
  largestValue,
  leastValue,
  canonicalValue,
  productOfValues,
  QuestionError,
} from "../../site/rolls/numbers.mjs";
import { Grammar, ParseError, traverseNodes } from "../../site/rolls/peg.mjs";
import {
  sumOfVariables,
  totalOfEndlessDie,
  combineVariables,
  comparisonHolds,
  mixtureOfVariables,
  negatedAnswer,
  Pmf,
  standardDeviation,
  iidSum,
  uniformDie,
} from "../../site/rolls/pmf.mjs";
import { ExplodingDice, countOpposedWins, Pool, totalOfLimitedRerolls, RerolledDice } from "../../site/rolls/pools.mjs";

const value = (text) => canonicalValue(new Fraction(...String(text).split("/").map(BigInt)));

const GAINS = {
  plain: () => canonicalValue,
  reach: (bound) => (face) => (compareValues(face, bound) >= 0 ? 1 : 0),
  scaled: (factor) => (face) => productOfValues(face, factor),
  less: (amount) => (face) => differenceOfValues(face, amount),
};
const gain = ([name, amount]) => GAINS[name](amount && value(amount));

const TWO = {
  max: (x, y) => largestValue([x, y]),
  min: (x, y) => leastValue([x, y]),
  product: productOfValues,
  difference: differenceOfValues,
};

const FOLDS = {
  kinds: [0, (state, _face, count) => state + (count > 0), (state) => state],
  most: [
    [0, 0],
    ([most, face], here, count) => (count > most ? [count, here] : [most, face]),
    ([most, face]) => productOfValues(most, face),
  ],
};

const atLeast = (bound) => (face) => compareValues(face, value(bound)) >= 0;

function pool({ groups, window, varies, kept }) {
  const Kind = varies?.[0] === "explodes" ? ExplodingDice : RerolledDice;
  const made = new Pool(
    groups.map(([count, die]) => [count, pmf(die)]),
    window,
    varies && new Kind(atLeast(varies[1]), varies[2]),
  );
  return kept ? made.keep(...kept) : made;
}

const MADE = {
  die: (weights) => Pmf.of(new Map(weights.map(([face, weight]) => [value(face), BigInt(weight)]))),
  uniform: (sides) => uniformDie(Array.from({ length: sides }, (_, place) => place + 1)),
  constant: (number) => Pmf.constant(value(number)),
  add: (left, right) => sumOfVariables(pmf(left), pmf(right)),
  times: (count, each) => iidSum(count, pmf(each)),
  shifted: (scale, more, each) => pmf(each).affine(value(scale), value(more)),
  mapped: (how, each) => pmf(each).mapped(gain(how)),
  compared: (sign, left, right) => comparisonHolds(sign, pmf(left), pmf(right)),
  combined: (name, left, right) => combineVariables(TWO[name], pmf(left), pmf(right)),
  negated: (question) => negatedAnswer(pmf(question)),
  mixed: (cases) => mixtureOfVariables(cases.map(([weight, each]) => [BigInt(weight), pmf(each)])),
  chain: (die, bound, how, reach) => totalOfEndlessDie(pmf(die), atLeast(bound), gain(how), null, reach),
  penetrating: (die, bound) => {
    const later = totalOfEndlessDie(pmf(die), atLeast(bound), GAINS.less(1));
    return totalOfEndlessDie(pmf(die), atLeast(bound), canonicalValue, later);
  },
  repeated: (die, bound, most, how) => totalOfLimitedRerolls(pmf(die), atLeast(bound), most, gain(how)),
  total: (dice, how) => pool(dice).total(gain(how)),
  fold: (dice, name) => pool(dice).fold(...FOLDS[name]),
  opposed: (left, right, ties) => countOpposedWins(pool(left), pool(right), ties),
};
const pmf = ([name, ...parts]) => MADE[name](...parts);

const told = ({ weights, total, tail, flag, mean }, deviation, below) => ({
  weights: Object.fromEntries([...weights].map(([face, weight]) => [String(face), String(weight)])),
  total: String(total),
  tail: tail && {
    weight: String(tail.weight),
    least: tail.least === null ? null : String(tail.least),
    first: tail.first ?? null,
    second: tail.second ?? null,
  },
  flag,
  mean,
  deviation,
  below,
});

const JOBS = {
  pmf: ({ tree }) => {
    const found = pmf(tree);
    return told(found, standardDeviation(found), found.below(3));
  },
  hands: ({ dice }) =>
    Object.fromEntries(
      pool(dice)
        .hands()
        .map(([hand, weight]) => [hand.join(), String(weight)]),
    ),
  answers: async ({ grammars, questions }) => {
    await setGrammars(grammars);
    return questions.map(([question, dialect]) => {
      try {
        return reply(question, { dialect, digits: 12 });
      } catch (error) {
        if (error instanceof QuestionError) return { error: error.text };
        throw error;
      }
    });
  },
  anydice: ({ grammar, programs }) => {
    const read = language(grammar);
    return programs.map((program) => {
      try {
        return runProgram(program, read).map(([name, found]) => [name, told(found, null, null)]);
      } catch (error) {
        if (error instanceof QuestionError) return error.text;
        throw error;
      }
    });
  },
  parse: ({ grammar, texts, rule, cased }) => {
    const read = new Grammar(grammar, { cased });
    return texts.map((text) => {
      try {
        const tree = read.parse(text, rule);
        return { tree, nodes: [...traverseNodes(tree)].length };
      } catch (error) {
        if (error instanceof ParseError) return { at: error.at, expected: error.expected };
        throw error;
      }
    });
  },
};

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const { job, ...given } = JSON.parse(line);
  try {
    console.log(JSON.stringify(await JOBS[job](given)));
  } catch (error) {
    if (!(error instanceof RuleFailure)) throw error;
    console.log(JSON.stringify({ broken: [error.code, error.message, error.hint] }));
  }
}
