// @ts-check
/** Pseudorandom numbers from a seed, for tests, practice and opponents that mix. The host of a table makes the rolls
 * that count there. */

import { Hand } from "./values.mjs";

/** The value to which a number belongs. The numbers from 0 to below the sum of all weights are divided in order: each
 * value has as many successive numbers as its weight. Throws an Error for a number beyond them.
 * @template T @param {readonly (readonly [T, number])[]} weightedValues @param {number} number @returns {T} */
export function valueByWeight(weightedValues, number) {
  let left = number;
  for (const [value, weight] of weightedValues) {
    if (left < weight) return value;
    left -= weight;
  }
  throw new Error("nothing has this number");
}

/** Mulberry32 with rejection: the same whole numbers in every engine. */
export class Random {
  /** @param {number} seed */
  constructor(seed) {
    this.state = seed >>> 0;
  }
  /** 32 random bits. */
  randomBits() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }
  /** A random whole number from 0 to below a bound of at most 2^32, each equally likely. @param {number} bound */
  below(bound) {
    const top = 2 ** 32 - (2 ** 32 % bound);
    for (;;) {
      const bits = this.randomBits();
      if (bits < top) return bits % bound;
    }
  }
  /** A random value, by weight. @template T @param {readonly (readonly [T, number])[]} weighted @returns {T} */
  pick(weighted) {
    return valueByWeight(weighted, this.below(weighted.reduce((sum, [, weight]) => sum + weight, 0)));
  }
  /** Roll the dice of a request, each on its own, or draw an item.
   * @param {import("./rules.mjs").Request} request */
  rollOrDraw(request) {
    if ("items" in request) return this.pick(request.items);
    /** @type {[number, number][]} */
    const lying = [];
    for (const [count, die] of request.dice)
      for (let i = 0; i < count; i++)
        lying.push([this.pick(die.faces.map((face, at) => [face, die.weights[at]])), die.kind]);
    return new Hand(lying);
  }
}

/** Random numbers of the reader's own machine, without a seed. */
export class SystemRandom extends Random {
  constructor() {
    super(0);
  }
  randomBits() {
    return crypto.getRandomValues(new Uint32Array(1))[0];
  }
}
