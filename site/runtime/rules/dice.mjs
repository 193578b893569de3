// @ts-check
/** The distribution of a roll: every hand that dice can show, with its weight as a whole number. */

import { RuleFailure, Hand, NO_DICE } from "./values.mjs";

/** @typedef {{name: string, kind: number, faces: readonly number[], weights: readonly number[]}} Die */
/** @typedef {readonly [count: number, die: Die]} Term */
/** @typedef {{hands: [Hand, number][], denominator: number}} HandDistribution weights sum to the denominator */

/** Return a number unchanged; throw RuleFailure if it is beyond 2^53. @param {number} value */
function requireSafeInteger(value) {
  if (!Number.isSafeInteger(value)) throw new RuleFailure("OD522", "the weights of a roll go beyond 2^53");
  return value;
}

/** The binomial coefficient, the number of ways to choose k of n. @param {number} n @param {number} k */
function binomial(n, k) {
  let ways = 1;
  for (let i = 1; i <= k; i++) ways = requireSafeInteger((ways * (n - k + i)) / i);
  return ways;
}

/** The distribution of a roll of `count` equal dice (multinomial weights). @param {number} count @param {Die} die
 * @returns {HandDistribution} */
export function equalDiceDistribution(count, die) {
  /** @type {Map<number, number>} */
  const weights = new Map();
  die.faces.forEach((face, i) => weights.set(face, (weights.get(face) ?? 0) + die.weights[i]));
  const ladder = [...weights.keys()].sort((a, b) => a - b);
  /** @type {[Hand, number][]} */
  const hands = [];
  /** @param {number} left @param {number} start @param {number[]} faces @param {number} weight */
  function addHands(left, start, faces, weight) {
    if (left === 0) {
      if (weight) hands.push([new Hand(faces.map((face) => /** @type {const} */ ([face, die.kind]))), weight]);
    } else if (start < ladder.length) {
      for (let times = left; times >= 0; times--) {
        const likelihood = requireSafeInteger(binomial(left, times) * (weights.get(ladder[start]) ?? 0) ** times);
        addHands(
          left - times,
          start + 1,
          [...faces, ...Array(times).fill(ladder[start])],
          requireSafeInteger(weight * likelihood),
        );
      }
    }
  }
  addHands(count, 0, [], 1);
  return { hands, denominator: requireSafeInteger(die.weights.reduce((a, b) => a + b, 0) ** count) };
}

/** The distribution of a roll of several kinds of dice. @param {readonly Term[]} terms @returns {HandDistribution} */
export function rollDistribution(terms) {
  /** @type {Map<string, [Hand, number]>} */
  let total = new Map([[NO_DICE.key, [NO_DICE, 1]]]);
  let denominator = 1;
  for (const [count, die] of terms) {
    const law = equalDiceDistribution(count, die);
    /** @type {Map<string, [Hand, number]>} */
    const step = new Map();
    for (const [hand, weight] of total.values())
      for (const [more, times] of law.hands) {
        const both = hand.plus(more);
        step.set(both.key, [both, requireSafeInteger((step.get(both.key)?.[1] ?? 0) + weight * times)]);
      }
    total = step;
    denominator = requireSafeInteger(denominator * law.denominator);
  }
  return { hands: [...total.values()], denominator };
}

/** Compare hands for sorting: by size, then by their dice in ascending order. @param {Hand} a @param {Hand} b */
export function compareHands(a, b) {
  if (a.size !== b.size) return a.size - b.size;
  for (let i = 0; i < a.size; i++) {
    const step = a.dice[i][0] - b.dice[i][0] || a.dice[i][1] - b.dice[i][1];
    if (step) return step;
  }
  return 0;
}

/** All distinct sub-hands of a hand, sorted by `compareHands`. They include the empty hand and the hand itself.
 * @param {Hand} hand @param {number} [size] if given, only sub-hands with so many dice */
export function subsets(hand, size) {
  /** @type {Map<string, Hand>} */
  const parts = new Map([[NO_DICE.key, NO_DICE]]);
  for (const die of hand.dice)
    for (const part of [...parts.values()]) {
      const more = part.plus(new Hand([die]));
      parts.set(more.key, more);
    }
  return [...parts.values()].filter((part) => size === undefined || part.size === size).sort(compareHands);
}
