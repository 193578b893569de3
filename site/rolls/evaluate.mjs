// @ts-check
/** Evaluates plain trees to distributions, dice on the table, or constants. It follows `oddsmith/rolls/evaluate.py`:
 * every operator is a method of Evaluator. */

import { nearestNamesText } from "./near.mjs";
import {
  RuleFailure,
  compareValues,
  differenceOfValues,
  floorOfValue,
  Fraction,
  largestValue,
  leastValue,
  moduloOfValues,
  canonicalValue,
  productOfValues,
  QuestionError,
  quotientOfValues,
  sumOfValues,
  sumOfIntegers,
} from "./numbers.mjs";
import { isNode, replaceNode, traverseNodes } from "./peg.mjs";
import {
  sumOfVariables,
  totalOfEndlessDie,
  filterWeights,
  combineVariables,
  comparisonHolds,
  countText,
  withAnswerFlag,
  addWeight,
  absoluteOfValue,
  mixtureOfVariables,
  negatedAnswer,
  Pmf,
  iidSum,
  uniformDie,
  yesOrNoVariable,
} from "./pmf.mjs";
import {
  sumOfExplodingDie,
  ExplodingDice,
  ExplodingWithSharedLimit,
  countOpposedWins,
  Pool,
  RerolledDice,
} from "./pools.mjs";

/** @typedef {import("./numbers.mjs").Value} Value */
/** @typedef {any[]} Node */
/** @typedef {(face: Value) => boolean} Test */
/** @typedef {[hand: Value[], weight: bigint]} Weighted a hand with its weight */

const MAX_DICE = 1000;
const MAX_SIDES = 100_000;
const MAX_ROUNDS = 10_000;
const MAX_THROWS = 30; // of dice that are kept and thrown again, and points of a race
const MOST_LINES = 40; // of a running number
const LEAST_NEEDED = -100; // values that are tried for a chance that is wanted
const MOST_NEEDED = 300;
const MOST_WAYS = 20_000; // of a roll with a name, each of which is worked through

/** @type {Record<string, (a: Value, b: Value) => boolean>} */
const COMPARE = {
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => compareValues(a, b) < 0,
  "<=": (a, b) => compareValues(a, b) <= 0,
  ">": (a, b) => compareValues(a, b) > 0,
  ">=": (a, b) => compareValues(a, b) >= 0,
};

const POOLS = ["dice", "join", "and", "gain", "keep", "drop", "explode", "reroll", "swap"];
const OF_POOLS = ["keep", "drop", "rank", "ranklow", "median", "gain", "shows", "has", "all", "largest", "run", "distinct", "spread", "explode", "reroll", "clamp", "swap"]; // prettier-ignore

/** A distribution of hands, each with its weight. */
class HandDistribution {
  /** @param {Weighted[]} hands */
  constructor(hands) {
    this.hands = hands;
  }
}

/** Several distributions side by side, each with its name. */
export class NamedDistributions {
  /** @param {[string, Pmf][]} distributions */
  constructor(distributions) {
    this.parts = distributions;
  }
}

/** @typedef {Pmf | Pool | HandDistribution | Value[] | NamedDistributions} Result */

/** Whether a value is a whole number between two ends. @param {Value} value @param {number} low @param {number} high */
const isWholeBetween = (value, low, high) => typeof value === "number" && value >= low && value <= high;

/** Return the whole numbers from one number to another. @param {number} low @param {number} high */
const wholeRange = (low, high) => Array.from({ length: Math.max(high - low + 1, 0) }, (_, place) => low + place);

/** Return the faces of a hand, the highest first. @param {Value[]} faces */
const sortedHand = (faces) => [...faces].sort((a, b) => compareValues(b, a));

/** Return the first of some values for which a question can be answered; if there is none, the last. @param {(value:
 * number) => Pmf} distributionFor @param {number[]} values */
function firstAnswerableDistribution(distributionFor, values) {
  const found = values.slice(0, -1).find((value) => {
    try {
      distributionFor(value);
      return true;
    } catch (error) {
      if (error instanceof QuestionError) return false;
      throw error;
    }
  });
  return found ?? /** @type {number} */ (values.at(-1));
}

/** Evaluates the trees of one question. */
export class Evaluator {
  /** `closed`: nodes without names, with their values. @param {string} question @param {Map<string, Result>} [names]
   * @param {Map<Node, Result | null>} [closed] */
  constructor(question, names = new Map(), closed = new Map()) {
    this.question = question;
    this.names = names;
    this.closed = closed;
  }
  /** Throw a QuestionError for a place of the question. @param {number} offset @param {string} message
   * @param {string} [hint] @returns {never} */
  fail(offset, message, hint) {
    throw new QuestionError(this.question, offset, message, hint);
  }
  /** Evaluate a node. A closed node, which contains no names, is evaluated at most once. Throws QuestionError. @param
   * {Node} node @returns {Result} */
  evaluate(node) {
    const found = this.closed.get(node) ?? this.#evaluateNode(node);
    if (this.closed.has(node)) this.closed.set(node, found);
    return found;
  }
  /** @param {Node} node @returns {Result} */
  #evaluateNode(node) {
    const [name, at, ...parts] = node;
    const method = /** @type {any} */ (this)[METHODS[name]];
    if (!method) this.fail(at, `\`${name}\` cannot be asked of dice`);
    const dice = OF_POOLS.includes(name) ? this.#randomDice(node) : null;
    return this.withPlace(at, () => {
      if (dice) return this.#mixOverDiceNumber(node, dice);
      return name in SIGNS ? method.call(this, name, at, ...parts) : method.call(this, at, ...parts);
    });
  }
  /** The first dice below a node whose number is itself rolled, as in (2d4)d6; null if there are none.
   * @param {Node} node @returns {Node | null} */
  #randomDice(node) {
    for (const each of node.slice(2).filter(isNode)) {
      if (each[0] === "dice") {
        const many = each[2];
        if (many && many[0] !== "n" && this.numberDistribution(many).constant === null) return each;
      } else if (OF_POOLS.includes(each[0]) || each[0] === "join") {
        const found = this.#randomDice(each);
        if (found) return found;
      }
    }
    return null;
  }
  /** Evaluate a node for each number of dice that may be rolled, and mix the results.
   * @param {Node} node
   * @param {Node} dice */
  #mixOverDiceNumber(node, dice) {
    const [, at, number, sides] = dice;
    /** @type {[bigint, Pmf][]} */
    const cases = [];
    for (const [each, weight] of this.#possibleCounts(at, this.numberDistribution(number))) {
      const rolled = ["dice", at, ["n", at, String(each)], sides];
      if (each)
        cases.push([weight, this.asNumberDistribution(this.evaluate(replaceNode(node, dice, rolled)), node[1])]);
      else if (node[0] === "gain") cases.push([weight, Pmf.constant(0)]);
      else this.fail(at, "there may be no dice at all", "roll one die more");
    }
    return mixtureOfVariables(cases, cases[0][1].flag);
  }
  /** Run a function, and add the place to the error that it throws.
   * @template T @param {number} offset @param {() => T} work @returns {T} */
  withPlace(offset, work) {
    try {
      return work();
    } catch (error) {
      if (error instanceof RuleFailure) this.fail(offset, error.message, error.hint);
      throw error;
    }
  }

  // --- kinds of values

  /** Return the value of a node as the distribution of a number. Dice count as their total. @param {Node} node */
  numberDistribution(node) {
    return this.asNumberDistribution(this.evaluate(node), node[1]);
  }
  /** @param {Result} value @param {number} offset */
  asNumberDistribution(value, offset) {
    if (value instanceof Pmf) return value;
    if (value instanceof Pool) return value.total();
    if (Array.isArray(value)) return Pmf.constant(value.reduce(sumOfValues, 0));
    if (!(value instanceof HandDistribution)) this.fail(offset, "a number must stand here");
    /** @type {Map<Value, bigint>} */
    const found = new Map();
    for (const [hand, weight] of value.hands) addWeight(found, hand.reduce(sumOfValues, 0), weight);
    return Pmf.of(found);
  }
  /** Return the value of a node as a constant. Throws QuestionError if it depends on chance. @param {Node} node */
  constantOf(node) {
    const { constant: only } = this.numberDistribution(node);
    return only ?? this.fail(node[1], "a number that chance does not touch must stand here", "such as 3");
  }
  /** Evaluate a node as a whole constant in a range. @param {Node} node @param {number} [low] @param {number} [high] */
  #integerConstant(node, low = 0, high = MAX_DICE) {
    const value = this.constantOf(node);
    if (typeof value !== "number" || !isWholeBetween(value, low, high))
      this.fail(node[1], `a whole number from ${countText(low)} to ${countText(high)} must stand here`);
    return value;
  }
  /** Return the value of a node as a pool of dice. A number counts as one die. @param {Node} node */
  dicePool(node) {
    return this.#asDicePool(this.evaluate(node), node);
  }
  /** The value of a node as dice. Throws QuestionError if their number or their sides are rolled, because only their
   * total is computed then. @param {Result} value @param {Node} node */
  #asDicePool(value, [name, at, many]) {
    if (value instanceof Pool) return value;
    if (value instanceof Pmf) {
      const one = name === "dice" && (!many || many[2] === "1" || value.constant !== null);
      if (POOLS.includes(name) && !one) this.#refuseOnlyTotalKnown(at);
      return new Pool([[1, value]]);
    }
    if (!Array.isArray(value)) this.fail(at, "dice must stand here", "such as 4d6, or: d6 and d8");
    const shown = (/** @type {Value} */ face) => value.filter((each) => each === face).length;
    return new Pool([...new Set(value)].map((face) => [shown(face), Pmf.constant(face)]));
  }
  /** Throw the error for dice of which only the total is known. @param {number} offset @returns {never} */
  #refuseOnlyTotalKnown(offset) {
    return this.fail(offset, "of these dice only the total is known", "write a number of dice, such as 4d6");
  }
  /** Return the distribution of the answer to a node: 1 for yes, 0 for no. Throws QuestionError if it is no
   * question. @param {Node} node */
  yesOrNoDistributionOf(node) {
    const value = this.evaluate(node);
    if (value instanceof Pmf && value.flag) return value;
    return this.fail(node[1], "a question with the answer yes or no must stand here", "compare it: ... >= 10");
  }
  /** Return a function that tests whether a face meets at least one of the conditions. @param {Node[]} conditions
   * @returns {Test} */
  faceTest(conditions) {
    const tests = conditions.map((each) => this.#testOfCondition(each));
    return (face) => tests.some((test) => test(face));
  }
  /** @param {Node} node @returns {Test} */
  #testOfCondition(node) {
    if (node[0] === "range") {
      const [low, high] = [this.constantOf(node[2]), this.constantOf(node[3])];
      return (face) => compareValues(low, face) <= 0 && compareValues(face, high) <= 0;
    }
    if (node[0] === "parity") return (face) => moduloOfValues(face, 2) === Number(node[2]);
    const [holds, limit] = [COMPARE[node[2]], this.constantOf(node[3])];
    return (face) => holds(face, limit);
  }
  /** Whether all values from `from` on meet at least one condition (true) or none meets any (false); null if that
   * depends on the value.
   * @param {Node[]} conditions @param {Value} from */
  #alwaysMetFrom(conditions, from) {
    const said = conditions.map((node) => {
      if (node[0] === "parity") return null;
      const limit = this.constantOf(node[3]);
      const sign = node[0] === "range" ? "range" : node[2];
      const apart = compareValues(from, limit);
      if ([">=", ">", "!="].includes(sign)) return apart > 0 || (sign === ">=" && apart === 0) ? true : null;
      return apart > 0 || (sign === "<" && apart === 0) ? false : null;
    });
    return said.includes(true) ? true : said.includes(null) ? null : false;
  }

  // --- numbers, dice and names

  /** @param {number} offset @param {string} text */
  numberLiteral(offset, text) {
    if (text.length > 15) this.fail(offset, "this number is too large", "use smaller units");
    if (!/^-?\d+(\.\d+)?$/.test(text)) this.fail(offset, "a number is written with the digits 0 to 9");
    return Pmf.constant(Fraction.parse(text));
  }
  /** @param {number} offset @param {Node | null} many @param {Node} sides @returns {Result} */
  rolledDice(offset, many, sides) {
    const count = many ? this.numberDistribution(many) : Pmf.constant(1);
    const die = this.#dieOfSides(sides);
    if (Array.isArray(die))
      return mixtureOfVariables(die.map(([weight, each]) => [weight, this.totalOfRandomNumber(offset, count, each)]));
    const { constant: only } = count;
    if (only === null) return this.totalOfRandomNumber(offset, count, die);
    if (typeof only !== "number" || !isWholeBetween(only, 0, MAX_DICE))
      this.fail(offset, `a roll has at most ${countText(MAX_DICE)} dice of a kind`, "roll fewer dice");
    return only ? new Pool([[only, die]]) : Pmf.constant(0);
  }
  /** Return the total of dice whose number is itself rolled. @param {number} offset @param {Pmf} count @param {Pmf}
   * die */
  totalOfRandomNumber(offset, count, die) {
    return mixtureOfVariables(
      [...this.#possibleCounts(offset, count)].map(([number, weight]) => [weight, iidSum(Number(number), die)]),
    );
  }
  /** The possible numbers of dice, with their weights. @param {number} offset @param {Pmf} count */
  #possibleCounts(offset, count) {
    if (count.tail || !count.values.every((number) => isWholeBetween(number, 0, MAX_DICE)))
      this.fail(offset, `a roll has 0 to ${countText(MAX_DICE)} dice of a kind`, "roll fewer dice");
    return count.weights;
  }
  /** The die of a node; if the number of sides is itself rolled, all possible dice with their weights.
   * @param {Node} node */
  #dieOfSides(node) {
    if (node[0] === "digits") {
      let values = [0];
      for (let digits = node[2].length; digits > 0; digits--)
        values = values.flatMap((value) => wholeRange(1, 6).map((digit) => value * 10 + digit));
      return uniformDie(values);
    }
    if (node[0] === "faces") {
      /** @type {Map<Value, bigint>} */
      const weights = new Map();
      for (const item of node.slice(2))
        for (const [face, weight] of this.weightedFaces(item)) addWeight(weights, face, weight);
      const die = Pmf.of(weights);
      return die.weights.size ? die : this.fail(node[1], "a die needs a face", "such as d{1, 1, 2}");
    }
    const sides = this.numberDistribution(node);
    if (sides.tail || !sides.values.every((number) => isWholeBetween(number, 1, MAX_SIDES)))
      this.fail(node[1], `a die has 1 to ${countText(MAX_SIDES)} sides`, "such as d20");
    /** @type {[bigint, Pmf][]} */
    const made = [...sides.weights].map(([number, weight]) => [weight, uniformDie(wholeRange(1, Number(number)))]);
    return made.length === 1 ? made[0][1] : made;
  }
  /** @param {Node} item @returns {[Value, bigint][]} */
  weightedFaces(item) {
    if (item[0] === "weighted") return [[this.constantOf(item[2]), BigInt(item[3])]];
    if (item[0] !== "range") return [[this.constantOf(item), 1n]];
    const [low, high] = [this.constantOf(item[2]), this.constantOf(item[3])];
    if (typeof low !== "number" || typeof high !== "number" || high - low >= MAX_SIDES)
      this.fail(item[1], `a die has 1 to ${countText(MAX_SIDES)} sides`);
    return wholeRange(low, high).map((face) => [face, 1n]);
  }
  /** @param {number} offset @param {string} name */
  valueOfName(offset, name) {
    const hint = () => nearestNamesText(name, this.names.keys()) || "give a roll a name so: h = 4d6; max(h) - min(h)";
    return this.names.get(name) ?? this.fail(offset, `\`${name}\` cannot be read here`, hint());
  }
  /** Roll once, evaluate the body for every result, and mix the values.
   * @param {number} offset @param {string} name @param {Node} value @param {Node} body */
  mixtureOverRoll(offset, name, value, body) {
    let rolled = this.evaluate(value);
    if (rolled instanceof Pmf && rolled.constant === null && usesSingleDice(body, name))
      this.#refuseOnlyTotalKnown(value[1]);
    const inside = (/** @type {any} */ node) =>
      [...traverseNodes(node)].filter((each) => each[0] === "name" && each[2] === name).length;
    const looped = [...traverseNodes(body)].some((each) => ["repeat", "loop"].includes(each[0]) && inside(each) > 0);
    if (inside(body) < 2 && !looped) return this.#withName(name, rolled).evaluate(body);
    if (rolled instanceof Pool && !asksMoreThanTotal(body, name)) rolled = rolled.total();
    if (rolled instanceof NamedDistributions) this.fail(offset, "only one roll can have a name");
    if (Array.isArray(rolled)) return this.#withName(name, rolled).evaluate(body);
    /** @type {[bigint, Result][]} */
    let cases;
    if (rolled instanceof Pmf) {
      cases = [...rolled.weights].map(([each, weight]) => [weight, Pmf.constant(each)]);
      if (rolled.tail)
        this.fail(offset, "dice that explode without end cannot be looked at twice", "say how often they explode");
    } else {
      const dice = rolled instanceof Pool ? this.#withMergedFaces(body, name, rolled) : rolled;
      const hands = dice instanceof HandDistribution ? dice.hands : this.withPlace(value[1], () => dice.hands());
      cases = hands.map(([hand, weight]) => [weight, hand]);
    }
    if (cases.length > MOST_WAYS)
      this.fail(
        offset,
        `this roll can show ${countText(cases.length)} results, over ${countText(MOST_WAYS)}`,
        "roll fewer dice",
      );
    this.#evaluateOnce(body);
    const valued = (/** @type {Result} */ each) =>
      this.asNumberDistribution(this.#withName(name, each).evaluate(body), body[1]);
    const found = cases.map(([weight, each]) => /** @type {[bigint, Pmf]} */ ([weight, valued(each)]));
    return mixtureOfVariables(found, found[0][1].flag);
  }
  /** Dice on which all faces that the conditions in a body do not tell apart show as one of them, so that fewer hands
   * differ.
   * @param {Node} body @param {string} name @param {Pool} dice */
  #withMergedFaces(body, name, dice) {
    const conditions = faceConditionsOn(body, name);
    if (!conditions || dice.varies || dice.window || dice.groups.some(([, die]) => die.tail)) return dice;
    const tests = conditions.map((each) => this.faceTest(each));
    /** @type {Map<string, Value>} */
    const first = new Map();
    return dice.map((die) =>
      die.mapped((face) => {
        const met = tests.map((test) => Number(test(face))).join("");
        if (!first.has(met)) first.set(met, face);
        return /** @type {Value} */ (first.get(met));
      }),
    );
  }
  /** Note the closed nodes of a body, so that each is evaluated only once. @param {Node} body */
  #evaluateOnce(body) {
    for (const each of traverseNodes(body))
      if (!this.closed.has(each) && ![...traverseNodes(each)].some(([kind]) => kind === "name"))
        this.closed.set(each, null);
  }
  /** An evaluator in which a name is bound to a value. @param {string} name @param {Result} value */
  #withName(name, value) {
    return new Evaluator(this.question, new Map([...this.names, [name, value]]), this.closed);
  }
  /** One pool of all parts. If some parts keep only some of their dice, the total of all. @param {number} _offset
   * @param
   * {Node[]} parts
   * @returns {Result} */
  joinedDice(_offset, ...parts) {
    const pools = parts.map((part) => this.dicePool(part));
    if (pools.some((each) => each.varies || each.window))
      return pools.map((each) => each.total()).reduce(sumOfVariables);
    return new Pool(pools.flatMap(({ groups }) => groups));
  }
  /** @param {number} _offset @param {Node} many @param {Node} roll */
  repeatedRolls(_offset, many, roll) {
    const value = this.numberDistribution(roll);
    return new Pool([[this.#integerConstant(many, 1), withAnswerFlag(value, false)]]);
  }
  /** @param {number} _offset @param {Node} pool */
  totalDistribution(_offset, pool) {
    return this.numberDistribution(pool);
  }
  /** The number of dice that count. Throws QuestionError if it depends on the roll. @param {number} offset @param
   * {Pool} dice */
  #numberOfDice(offset, dice) {
    if (dice.grows) this.fail(offset, "how many dice there are depends on the roll", "keep some of them first");
    return dice.counted;
  }
  /** @param {number} offset @param {Node} pool */
  distributionOfEachRank(offset, pool) {
    const dice = this.dicePool(pool);
    const last = this.#numberOfDice(offset, dice) - 1;
    const named = (/** @type {number} */ rank) =>
      rank === last ? "lowest" : rank ? `${ordinalText(rank + 1)} highest` : "highest";
    /** @type {[string, Pmf][]} */
    const parts = wholeRange(0, last).map((rank) => [named(rank), dice.keep(rank, rank + 1).total()]);
    return new NamedDistributions([...parts, ["sum", dice.total()]]);
  }

  /** Evaluate the body for every value of a running number.
   * @param {number} offset @param {string} name @param {Node} steps @param {Node} body */
  distributionForEachValue(offset, name, steps, body) {
    const items = this.valuesOfRange(steps);
    if (!items.length || items.length > MOST_LINES)
      this.fail(steps[1], `a running number has 1 to ${MOST_LINES} values`, "such as 1..10");
    const results = items.map((item) => this.#withName(name, Pmf.constant(item)).evaluate(body));
    return new NamedDistributions(
      results.map((each, place) => [`${name} = ${items[place]}`, this.asNumberDistribution(each, body[1])]),
    );
  }
  /**
   * The chances of several targets on one roll.
   * @param {number} _offset @param {Node} pool @param {string} sign @param {Node[]} targets
   */
  chancesOfTargets(_offset, pool, sign, ...targets) {
    const value = this.numberDistribution(pool);
    const limits = targets.map((each) => this.constantOf(each));
    return new NamedDistributions(
      limits.map((limit) => [`${sign} ${limit}`, comparisonHolds(sign, value, Pmf.constant(limit))]),
    );
  }
  /** The degree of success from 0 to 3, given what the die shows.
   * @param {number} offset @param {Node} die @param {Node} total @param {Node} target */
  degreeOfSuccess(offset, die, total, target) {
    const shown = this.constantOf(die);
    const moved = Number(shown === 20) - Number(shown === 1);
    const margin = sumOfVariables(this.numberDistribution(total), this.numberDistribution(target).affine(-1, 0));
    return margin.mapped((over) => {
      const reached =
        Number(compareValues(over, 10) >= 0) +
        Number(compareValues(over, 0) >= 0) +
        Number(compareValues(over, -10) > 0);
      return Math.min(3, Math.max(0, reached + moved));
    });
  }
  /** The chances of several ranges of one total. @param {number} offset @param {Node} pool @param {any[]} bands */
  chancesOfRanges(offset, pool, ...bands) {
    return new NamedDistributions(bands.map(([name, conditions]) => [name, this.meetsAny(offset, pool, conditions)]));
  }
  /**
   * Dice on which some faces count as another.
   * @param {number} offset @param {any} faces @param {Node} shown @param {Node} pool
   */
  withFacesReplaced(offset, faces, shown, pool) {
    const [dice, test, value] = [this.dicePool(pool), this.faceTest(faces), this.constantOf(shown)];
    if (dice.window || dice.varies)
      this.fail(offset, "faces count as others before some dice are kept", "write it first");
    return dice.map((die) => die.mapped((face) => (test(face) ? value : face)));
  }
  /**
   * The value of a name from which on a chance is as large as wanted, with the value before it.
   * @param {number} offset
   * @param {string} name
   * @param {Node} wanted
   * @param {Node} body
   */
  valuesNextToChance(offset, name, wanted, body) {
    const share = this.constantOf(wanted);
    const enough = (/** @type {Pmf} */ { weights, total }) =>
      compareValues(new Fraction(weights.get(1) ?? 0n, total), share) >= 0;
    const asked = (/** @type {number} */ value) => {
      const question = this.#withName(name, Pmf.constant(value)).evaluate(body);
      if (!(question instanceof Pmf) || !question.flag)
        return this.fail(body[1], "a question with the answer yes or no must stand here", "compare it: ... >= 10");
      return question;
    };
    let [low, high] = [
      firstAnswerableDistribution(asked, [LEAST_NEEDED, 0, 1]),
      firstAnswerableDistribution(asked, [MOST_NEEDED, 60, 12]),
    ];
    let [first, last] = [asked(low), asked(high)];
    if (enough(first) !== enough(last)) {
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2); // between them it changes
        const question = asked(middle);
        if (enough(question) === enough(first)) [low, first] = [middle, question];
        else [high, last] = [middle, question];
      }
      /** @type {[string, Pmf][]} */
      const pair = [
        [`${name} = ${low}`, first],
        [`${name} = ${high}`, last],
      ];
      return new NamedDistributions(enough(first) ? pair : pair.reverse());
    }
    const message = `no value of ${name} from ${LEAST_NEEDED} to ${MOST_NEEDED} is where this chance is reached`;
    return this.fail(offset, message, `write ${name} into the roll, or ask for another chance`);
  }
  /** Return the values of a running number. @param {Node} steps @returns {Value[]} */
  valuesOfRange(steps) {
    if (steps[0] === "items") return steps[2].map((/** @type {Node} */ each) => this.constantOf(each));
    const [first, last] = steps.slice(2).map((end) => this.#integerConstant(end, -MAX_ROUNDS, MAX_ROUNDS));
    return wholeRange(first, last);
  }

  // --- dice that are kept, and dice that roll again

  /** @param {number} offset @param {string} how @param {Node} many @param {Node} pool */
  keepDice(offset, how, many, pool) {
    const [dice, number] = [this.dicePool(pool), this.#integerConstant(many, 0)];
    const { counted } = dice;
    if (number < 1 || number > counted)
      this.fail(many[1] || offset, `at most ${counted} can count here, not ${number}`, `write 1 to ${counted}`);
    if (how === "high") return dice.keep(0, number);
    if (how === "low") return dice.keep(-number, 0);
    if ((this.#numberOfDice(offset, dice) - number) % 2)
      this.fail(offset, `${number} of ${counted} dice have no middle`, "write an odd number of an odd number of dice");
    return dice.keep((counted - number) / 2, (counted + number) / 2);
  }
  /** @param {number} offset @param {string} how @param {Node} many @param {Node} pool */
  dropDice(offset, how, many, pool) {
    const [dice, number] = [this.dicePool(pool), this.#integerConstant(many, 0)];
    if (number >= dice.counted) this.fail(many[1] || offset, "no die would be left", "roll more dice");
    return how === "high" ? dice.keep(number, 0) : dice.keep(0, -number);
  }
  /** @param {number} _offset @param {Node} place @param {Node} pool */
  dieAtRank(_offset, place, pool) {
    const dice = this.dicePool(pool);
    const number = this.#integerConstant(place, 1, Math.max(dice.counted, 1));
    return dice.keep(number - 1, number);
  }
  /** @param {number} _offset @param {Node} place @param {Node} pool */
  dieAtRankFromLowest(_offset, place, pool) {
    const dice = this.dicePool(pool);
    const number = this.#integerConstant(place, 1, Math.max(dice.counted, 1));
    return dice.keep(-number, 1 - number);
  }
  /** @param {number} offset @param {Node} pool */
  medianOfDice(offset, pool) {
    const dice = this.dicePool(pool);
    const half = Math.floor(this.#numberOfDice(offset, dice) / 2);
    if (dice.counted % 2) return dice.keep(half, half + 1);
    return dice
      .keep(half - 1, half + 1)
      .total()
      .affine(quotientOfValues(1, 2), 0);
  }
  /** @param {number} offset @param {string} how @param {any} faces @param {Node | null} limit @param {Node} pool */
  explodingDice(offset, how, faces, limit, pool) {
    const dice = this.dicePool(pool);
    if (dice.window || dice.varies)
      this.fail(offset, "dice explode before some of them are kept", "write the explosion first");
    const count = limit ? this.#integerConstant(limit, 1) : null;
    const test = faces?.length ? this.faceTest(faces) : null;
    for (const [, die] of dice.groups)
      if (count === null && (test ? die.values.every(test) : die.values.length === 1))
        this.fail(offset, "these dice explode on every face, so they never end", "leave out a face");
    const again = (/** @type {Pmf} */ die) => test ?? ((/** @type {Value} */ face) => face === die.values.at(-1));
    if (how === "some" && count !== null) {
      if (dice.groups.length !== 1)
        this.fail(offset, "only like dice explode a limited number of times together", "such as 5d6x3=6");
      return new Pool(dice.groups, null, new ExplodingWithSharedLimit(again(dice.groups[0][1]), count));
    }
    if (how === "add" && dice.groups.length === 1)
      return new Pool(dice.groups, null, new ExplodingDice(again(dice.groups[0][1]), count));
    if (how === "penetrate") {
      const less = (/** @type {Value} */ face) => differenceOfValues(face, 1);
      return dice.map((die) =>
        totalOfEndlessDie(die, again(die), canonicalValue, totalOfEndlessDie(die, again(die), less)),
      );
    }
    const chains = dice.map((die) => sumOfExplodingDie(new ExplodingDice(again(die), count), die));
    // Further dice are dice of their own if they add, and a pool brings these of like dice only.
    return how === "add" ? chains.total() : chains;
  }
  /** @param {number} offset @param {string} how @param {Node[]} faces @param {Node} limit @param {Node} pool */
  rerolledDice(offset, how, faces, limit, pool) {
    const [dice, test] = [this.dicePool(pool), this.faceTest(faces)];
    if (dice.window || dice.varies)
      this.fail(offset, "dice are rerolled before some of them are kept", "write the reroll first");
    if (how === "some") return new Pool(dice.groups, null, new RerolledDice(test, this.#integerConstant(limit, 1)));
    let base = pool;
    while (base[0] === "reroll" && base[2] !== "until") base = /** @type {Node} */ (base.at(-1));
    const fresh = this.dicePool(base).groups; // the die itself, not what an earlier reroll made of it
    const stay = (/** @type {Value} */ face) => test(face) === (how === "keep");
    const again = dice.groups.map(([count, die], place) => {
      const left = filterWeights(die.weights, stay);
      const stays = sumOfIntegers(left.values());
      if (stays === die.total) return /** @type {any} */ ([count, die]);
      const after = how === "once" ? fresh[place][1] : Pmf.of(filterWeights(fresh[place][1].weights, stay));
      if (!after.weights.size) this.fail(offset, "every face is rolled again, so this never ends", "leave out a face");
      if (!left.size) return [count, after];
      const cases = /** @type {[bigint, Pmf][]} */ ([
        [die.total - stays, after],
        [stays, Pmf.of(left)],
      ]);
      return [count, mixtureOfVariables(cases)];
    });
    return new Pool(again, dice.window, dice.varies);
  }
  /** @param {number} offset @param {string} how @param {Node} limit @param {Node} pool */
  clampedDice(offset, how, limit, pool) {
    const [end, value] = [this.constantOf(limit), this.evaluate(pool)];
    const keep = how === "min" ? largestValue : leastValue;
    const changed = (/** @type {Pmf} */ die) => die.mapped((face) => keep([face, end]));
    if (value instanceof Pool) {
      const again = value.varies?.again;
      if (again && value.groups[0][1].values.some((face) => again(face) !== again(keep([face, end]))))
        this.fail(offset, "this changes which dice are rolled again", "say it in words");
      return value.map(changed);
    }
    return changed(this.asNumberDistribution(value, pool[1]));
  }

  // --- what is asked of dice

  /**
   * The sum of what the faces are worth, step by step.
   * @param {number} _offset @param {Node} pool @param {any[][]} steps
   */
  totalGain(_offset, pool, steps) {
    const tests = steps.map(([kind, what]) =>
      /count|minus$|lose|plus|only|without/.test(kind) ? this.faceTest(what) : null,
    );
    const limits = steps.map(([kind, what]) => (/^at/.test(kind) ? this.constantOf(what) : 0));
    const worth = (/** @type {Value} */ face, /** @type {(boolean | null)[] | null} */ said = null) => {
      let [value, isCount] = [face, false];
      for (const [place, [kind]] of steps.entries()) {
        const holds = said ? said[place] : tests[place]?.(face);
        if (kind === "count") [value, isCount] = [holds ? 1 : 0, true];
        else if (kind === "minus") value = !holds ? value : isCount ? differenceOfValues(value, 1) : -1;
        else if (kind === "lose") value = holds ? productOfValues(-1, face) : value;
        else if (kind === "plus") value = holds ? sumOfValues(value, 1) : value;
        else if (kind === "only" || kind === "without") value = Boolean(holds) === (kind === "only") ? value : 0;
        else if (kind === "minusrest") value = isCount && value === 0 ? -1 : value;
        else value = (kind === "atleast" ? largestValue : leastValue)([value, limits[place]]);
      }
      return value;
    };
    const beyond = (/** @type {Value} */ from) => {
      const said = steps.map((step, place) => (tests[place] ? this.#alwaysMetFrom(step[1], from) : false));
      const kinds = steps.map(([kind]) => kind);
      const even = kinds.includes("count") && kinds.every((kind) => /count|minus|plus/.test(kind));
      return even && !said.includes(null) ? worth(from, said) : null;
    };
    return this.dicePool(pool).total(Object.assign((/** @type {Value} */ face) => worth(face), { beyond }));
  }
  /**
   * Whether the dice show enough of every kind of face.
   * @param {number} _offset @param {Node} pool @param {[Node, Node[]][]} wanted
   */
  enoughDiceShow(_offset, pool, ...wanted) {
    const needs = wanted.map(([many, faces]) => ({ need: this.#integerConstant(many, 0), test: this.faceTest(faces) }));
    const dice = this.dicePool(pool);
    const [{ need, test }] = needs;
    if (needs.length === 1)
      return comparisonHolds(
        ">=",
        dice.total((face) => (test(face) ? 1 : 0)),
        Pmf.constant(need),
      );
    return yesOrNoDistribution(
      dice,
      needs.map((each) => each.need),
      (/** @type {number[]} */ left, face, shown) =>
        left.map((missing, place) => (needs[place].test(face) ? Math.max(0, missing - shown) : missing)),
      (left) => !left.some(Boolean),
    );
  }
  /** Whether every die shows one of some faces. @param {number} _offset @param {Node} pool @param {Node[]} faces */
  everyDieShows(_offset, pool, faces) {
    const [dice, test] = [this.dicePool(pool), this.faceTest(faces)];
    return yesOrNoDistribution(dice, 1, (fine, face, shown) => (fine && (!shown || test(face)) ? 1 : 0), Boolean);
  }
  /** Whether the dice show a set. @param {number} offset @param {any[]} kind @param {Node} pool */
  diceShowSet(offset, [name, many], pool) {
    const dice = this.dicePool(pool);
    const { counted } = dice;
    const free = name === "house" || name === "different"; // of any number of dice
    const number = many ? this.#integerConstant(many, 1) : free ? 0 : this.#numberOfDice(offset, dice);
    if (/kind|alike/.test(name) && number > counted && !dice.grows) {
      const rolled = counted === 1 ? "one is" : `${counted} are`;
      this.fail(offset, `${number} of a kind needs ${number} dice, but only ${rolled} rolled`, "roll more dice");
    }
    if (counted < 2) this.fail(offset, "nothing is left to compare");
    if (name === "onlypairs")
      return yesOrNoDistribution(
        dice,
        [0, 0],
        ([pairs, larger], _face, shown) => [pairs + (shown === 2), larger + (shown > 2)],
        ([pairs, larger]) => pairs === number && !larger,
      );
    if (name === "kind" || name === "alike")
      return yesOrNoDistribution(dice, 0, updateLargestSet, (found) => found >= number);
    if (name === "pairs")
      return yesOrNoDistribution(
        dice,
        0,
        (pairs, _face, shown) => pairs + (shown > 1),
        (pairs) => pairs >= number,
      );
    if (name === "house")
      return yesOrNoDistribution(dice, [0, 0], updateTwoLargestSets, ([one, two]) => one >= 3 && two >= 2);
    if (name === "different") return yesOrNoDistribution(dice, 0, updateLargestSet, (found) => found <= 1);
    return yesOrNoDistribution(dice, [null, 0, 0], updateLongestRun, (state) => state[2] >= number);
  }
  /** @param {number} _offset @param {Node} pool */
  sizeOfLargestSet(_offset, pool) {
    return this.dicePool(pool).fold(0, updateLargestSet, (found) => found);
  }
  /** @param {number} _offset @param {Node} pool */
  lengthOfLongestRun(_offset, pool) {
    return this.dicePool(pool).fold([null, 0, 0], updateLongestRun, (state) => state[2]);
  }
  /** @param {number} _offset @param {Node} pool */
  numberOfDistinctFaces(_offset, pool) {
    return this.dicePool(pool).fold(
      0,
      (seen, _face, shown) => seen + (shown > 0),
      (seen) => seen,
    );
  }
  /** @param {number} offset @param {Node} pool */
  highestMinusLowest(offset, pool) {
    return this.dicePool(pool).fold(
      [null, null],
      (state, face, shown) => (shown ? [state[0] ?? face, face] : state),
      ([high, low]) =>
        high === null ? this.fail(offset, "nothing is left to compare") : differenceOfValues(high, low),
    );
  }
  /** @param {number} offset @param {string} ties @param {Node} left @param {Node} right */
  numberOfPairsWon(offset, ties, left, right) {
    const [one, two] = [this.dicePool(left), this.dicePool(right)];
    if (one.window || one.varies || two.window || two.varies)
      this.fail(offset, "all dice of both sides are paired", "roll fewer dice");
    return countOpposedWins(one, two, ties === "win");
  }
  /**
   * The number of faces that enough dice show.
   * @param {number} _offset @param {Node} size @param {Node[] | null} faces @param {Node} pool
   */
  numberOfSets(_offset, size, faces, pool) {
    const least = this.#integerConstant(size, 1);
    const test = faces?.length ? this.faceTest(faces) : () => true;
    return this.dicePool(pool).fold(
      0,
      (found, face, shown) => found + Number(shown >= least && test(face)),
      (found) => found,
    );
  }
  /**
   * The total of the dice that are among the highest or the lowest or show some faces; or of all others. Of dice that
   * show alike, both ends take the first: where they meet at one face, they take the same dice.
   * @param {number} offset @param {string} kind @param {Node} high @param {Node} low @param {Node[]} faces
   * @param {Node} pool
   */
  totalOfSelectedDice(offset, kind, high, low, faces, pool) {
    const dice = this.dicePool(pool);
    const test = this.faceTest(faces);
    if (dice.window || dice.varies)
      this.fail(offset, "these dice are selected once, and all of them together", "write it behind the dice");
    const top = this.#integerConstant(high);
    const bottom = dice.size - this.#integerConstant(low);
    return dice.fold(
      /** @type {[number, Value]} */ ([0, 0]),
      ([seen, total], face, shown) => {
        const named = test(face) ? shown : Math.min(shown, Math.max(0, top - seen, seen + shown - bottom));
        return [seen + shown, sumOfValues(total, productOfValues(face, kind === "keep" ? named : shown - named))];
      },
      ([, total]) => total,
    );
  }
  /**
   * The largest set after some throws, each of all dice that are not in the largest set so far.
   * @param {number} offset @param {Node} throws @param {Node} node
   */
  largestSetAfterRolls(offset, throws, node) {
    const dice = this.dicePool(node);
    const rounds = this.#integerConstant(throws, 1, MAX_THROWS);
    const [[size, die], ...more] = dice.groups;
    if (more.length || dice.window || dice.varies || new Set(die.weights.values()).size !== 1)
      this.fail(offset, "only like dice with equal chances are kept and thrown so", "such as 5d6");
    const kept = die.values[0]; // the face of the largest set: one is as good as another
    const thrown = (/** @type {number} */ have) =>
      have === size
        ? Pmf.constant(size)
        : new Pool([[size - have, die]]).fold(
            /** @type {[number, number]} */ ([0, 0]),
            ([hits, most], face, shown) => (face === kept ? [shown, most] : [hits, Math.max(most, shown)]),
            ([hits, most]) => Math.max(have + hits, most),
          );
    let result = Pmf.constant(0);
    /** @type {Map<Value, Pmf>} */
    const after = new Map();
    for (let round = 0; round < rounds; round++) {
      for (const have of result.weights.keys()) if (!after.has(have)) after.set(have, thrown(Number(have)));
      result = mixtureOfVariables(
        [...result.weights].map(([have, weight]) => [weight, /** @type {Pmf} */ (after.get(have))]),
      );
    }
    return result;
  }
  /**
   * Whether enough is won before too much is lost. A roll that brings neither does not count.
   * @param {number} offset @param {Node} roll @param {any} wins @param {any} losses @param {Node} goal @param {Node}
   * limit
   */
  raceIsWon(offset, roll, wins, losses, goal, limit) {
    const value = this.numberDistribution(roll);
    const [need, most] = [goal, limit].map((each) => this.#integerConstant(each, 1, MAX_THROWS));
    if (value.tail) this.fail(offset, "dice that explode without end cannot race", "say how often they explode");
    const points = (/** @type {any[]} */ sides) =>
      sides.map(([faces, many]) => ({ test: this.faceTest(faces), many: this.#integerConstant(many, 1) }));
    const [won, lost] = [points(wins), points(losses ?? [])];
    /** @type {[number, number, bigint][]} */
    const steps = [];
    for (const [face, weight] of value.weights) {
      const gained = won.find(({ test }) => test(face))?.many ?? 0;
      const missed = gained ? 0 : (lost.find(({ test }) => test(face))?.many ?? (losses ? 0 : 1));
      if (gained || missed) steps.push([gained, missed, weight]);
    }
    const total = steps.reduce((sum, [, , weight]) => sum + weight, 0n);
    if (!total) this.fail(offset, "no roll decides this", "name faces that these dice can show");
    /** @type {Map<string, [number, number, bigint]>} */
    let cases = new Map([["0,0", [0, 0, 1n]]]);
    // So many rolls decide; what is decided stays.
    for (let round = 0; round < need + most - 1; round++) {
      /** @type {typeof cases} */
      const after = new Map();
      for (const [have, gone, weight] of cases.values()) {
        const over = have >= need || gone >= most;
        for (const [gained, missed, times] of over ? [/** @type {const} */ ([0, 0, total])] : steps) {
          const state = [Math.min(have + gained, need), Math.min(gone + missed, most)];
          const before = after.get(String(state))?.[2] ?? 0n;
          after.set(String(state), [state[0], state[1], before + weight * times]);
        }
      }
      cases = after;
    }
    const all = [...cases.values()];
    const weighed = (/** @type {typeof all} */ some) => some.reduce((found, [, , weight]) => found + weight, 0n);
    return yesOrNoVariable(weighed(all.filter(([have]) => have >= need)), weighed(all));
  }
  /** @param {number} _offset @param {Node} pool */
  productOfFaces(_offset, pool) {
    const step = (/** @type {Value} */ value, /** @type {Value} */ face, /** @type {number} */ shown) =>
      productOfValues(value, canonicalValue(Fraction.of(face).power(shown)));
    return this.dicePool(pool).fold(1, step, (value) => value);
  }
  /** @param {number} _offset @param {Node} pool */
  handsOfDistinctFaces(_offset, pool) {
    return new HandDistribution(this.weightedHands(pool).map(([hand, weight]) => [[...new Set(hand)], weight]));
  }
  /** @param {Node} node @returns {Weighted[]} */
  weightedHands(node) {
    const value = this.evaluate(node);
    if (Array.isArray(value)) return [[value, 1n]];
    return value instanceof HandDistribution ? value.hands : this.#asDicePool(value, node).hands();
  }

  // --- arithmetic

  /** @param {string} sign @param {number} offset @param {Node} left @param {Node} right */
  arithmetic(sign, offset, left, right) {
    const [a, b] = [left, right].map((node) => withAnswerFlag(this.numberDistribution(node), false));
    if (sign === "+") return sumOfVariables(a, b);
    if (sign === "-") return sumOfVariables(a, b.affine(-1, 0));
    if (sign === "*") {
      if (b.constant !== null) return a.affine(b.constant, 0);
      return a.constant !== null ? b.affine(a.constant, 0) : combineVariables(productOfValues, a, b);
    }
    if (b.weights.has(0) || b.tail) this.fail(offset, "this could divide by 0", "divide by a number that is never 0");
    if (sign === "/")
      return b.constant !== null
        ? a.affine(quotientOfValues(1, b.constant), 0)
        : combineVariables(quotientOfValues, a, b);
    return combineVariables(sign === "//" ? (x, y) => floorOfValue(quotientOfValues(x, y)) : moduloOfValues, a, b);
  }
  /** @param {number} _offset @param {Node} node */
  negatedNumber(_offset, node) {
    return this.numberDistribution(node).affine(-1, 0);
  }
  /** @param {string} sign @param {number} _offset @param {Node} left @param {Node} right */
  compare(sign, _offset, left, right) {
    if (right[0] !== "list")
      return comparisonHolds(sign, this.numberDistribution(left), this.numberDistribution(right));
    const wanted = right.slice(2).map((/** @type {Node} */ each) => this.constantOf(each));
    return this.#amongHands(left, [wanted], sign === "!=");
  }
  /** @param {Node} node @param {Value[][]} wanted @param {boolean} [negate] */
  #amongHands(node, wanted, negate = false) {
    const keys = new Set(wanted.map((hand) => sortedHand(hand).join()));
    const hands = this.weightedHands(node);
    const meets = hands.filter(([hand]) => keys.has(hand.join()) !== negate);
    return yesOrNoVariable(
      sumOfIntegers(meets.map(([, weight]) => weight)),
      sumOfIntegers(hands.map(([, weight]) => weight)),
    );
  }
  /** Whether a number, or a hand, is one of a list. @param {number} offset @param {Node} node @param {Node[]} items */
  isInList(offset, node, items) {
    if (!items.some((item) => item[0] === "list" || !isNode(item)))
      return this.meetsAny(
        offset,
        node,
        items.map((item) => (item[0] === "range" ? item : ["cond", offset, "==", item])),
      );
    const lists = items.map((item) => (isNode(item) ? item.slice(2) : item));
    return this.#amongHands(
      node,
      lists.map((each) => each.map((one) => this.constantOf(one))),
    );
  }
  /**
   * Whether a number meets one of several conditions.
   * @param {number} _offset @param {Node} node @param {Node[]} conditions
   */
  meetsAny(_offset, node, conditions) {
    const [value, test] = [this.numberDistribution(node), this.faceTest(conditions)];
    const weight = sumOfIntegers(filterWeights(value.weights, test).values());
    if (!value.tail) return yesOrNoVariable(weight, value.total);
    const said = value.tail.least === null ? null : this.#alwaysMetFrom(conditions, value.tail.least);
    if (said === null) return yesOrNoVariable(weight, value.total, value.tail.weight);
    return yesOrNoVariable(weight + (said ? value.tail.weight : 0n), value.total);
  }
  /** @param {number} offset @param {Node} left @param {Node} right @returns {Result} */
  bothHold(offset, left, right) {
    const a = this.evaluate(left);
    if (a instanceof Pmf && a.flag)
      return combineVariables(productOfValues, a, this.yesOrNoDistributionOf(right), true);
    const b = this.evaluate(right);
    if (b instanceof Pmf && b.flag)
      this.fail(left[1], "a question with the answer yes or no must stand before `and`", "compare it");
    // such as: highest 2 of 3d6 drop lowest and d8
    if ([...traverseNodes(left)].some(([name, place]) => name === "dice" && place > left[1]))
      this.fail(offset, "it is not clear what `and` joins here", "write + to add it");
    return this.joinedDice(offset, left, right);
  }
  /** @param {number} _offset @param {Node} left @param {Node} right */
  eitherHolds(_offset, left, right) {
    return negatedAnswer(
      combineVariables(
        productOfValues,
        negatedAnswer(this.yesOrNoDistributionOf(left)),
        negatedAnswer(this.yesOrNoDistributionOf(right)),
        true,
      ),
    );
  }
  /**
   * The chance of a question whose yes is one of the cases of a condition, among those cases.
   * @param {number} offset @param {Node} question @param {Node} condition
   */
  holdsGiven(offset, question, condition) {
    const [some, all] = [this.yesOrNoDistributionOf(question), this.yesOrNoDistributionOf(condition)];
    if (some.tail || all.tail || !all.weights.get(1))
      this.fail(offset, "dice that explode without end are not rolled again after ties");
    return yesOrNoVariable((some.weights.get(1) ?? 0n) * all.total, (all.weights.get(1) ?? 0n) * some.total);
  }
  /** @param {number} _offset @param {Node} node */
  doesNotHold(_offset, node) {
    return negatedAnswer(this.yesOrNoDistributionOf(node));
  }
  /** @param {number} offset @param {Node} condition @param {Node} then @param {Node} other */
  mixtureOfBranches(offset, condition, then, other) {
    const { tail, weights } = this.yesOrNoDistributionOf(condition);
    if (tail) this.fail(offset, "a condition on dice that explode without end is left open");
    const [a, b] = [this.numberDistribution(then), this.numberDistribution(other)];
    return mixtureOfVariables(
      [
        [weights.get(1) ?? 0n, a],
        [weights.get(0) ?? 0n, b],
      ],
      a.flag && b.flag,
    );
  }

  // --- functions and loops

  /** @param {number} offset @param {string} name @param {Node[]} parts @returns {Result} */
  functionResult(offset, name, ...parts) {
    if (/^(max|min)/.test(name) && parts.length === 1)
      return this.keepDice(offset, name.startsWith("max") ? "high" : "low", ["n", offset, "1"], parts[0]);
    if (/^(max|min)/.test(name))
      return highestOrLowest(
        name,
        parts.map((part) => this.numberDistribution(part)),
      );
    const [part, more] = parts;
    if (parts.length === 2) {
      if (name === "rank") return this.dieAtRank(offset, more, part);
      if (name === "count") return this.totalGain(offset, part, [["count", [["cond", offset, "==", more]]]]);
      if (name === "has_run") return this.diceShowSet(offset, ["straight", more], part);
    }
    if (parts.length !== 1 || ["rank", "count", "has_run"].includes(name))
      this.fail(offset, `${name}(...) takes another number of things`);
    if (name === "sum") return this.numberDistribution(part);
    if (name === "size") return this.countedDiceDistribution(offset, part);
    if (name === "distinct") return this.handsOfDistinctFaces(offset, part);
    if (name === "all_equal") return this.diceShowSet(offset, ["alike", null], part);
    if (name === "any" || name === "all")
      this.fail(offset, `${name}(...) needs a loop`, `such as ${name}(d20 >= 20 for i in span(1, 3))`);
    return this.numberDistribution(part).mapped(FUNCTIONS[name]);
  }
  /** Return the distribution of the number of dice that count. @param {number} offset @param {Node} node */
  countedDiceDistribution(offset, node) {
    const value = this.evaluate(node);
    if (!(value instanceof HandDistribution))
      return Pmf.constant(this.#numberOfDice(offset, this.#asDicePool(value, node)));
    /** @type {Map<Value, bigint>} */
    const found = new Map();
    for (const [hand, weight] of value.hands) addWeight(found, hand.length, weight);
    return Pmf.of(found);
  }
  /**
   * A function over rounds. Dice in the body are rolled in each.
   * @param {number} offset
   * @param {string} name
   * @param {Node} body
   * @param {string} variable
   * @param {Node} rounds
   * @param {Node | null} condition
   */
  loopResult(offset, name, body, variable, rounds, condition) {
    const work = (/** @type {Value[]} */ items) =>
      this.#distributionsOfRounds(offset, name, body, variable, items, condition);
    if (rounds[0] === "span" || rounds[0] === "items") return work(this.valuesOfRange(rounds));
    /** @type {[bigint, Pmf][]} */
    const found = this.weightedHands(rounds).map(([hand, weight]) => [weight, work(hand)]);
    if (found.length > MOST_WAYS)
      this.fail(
        offset,
        `these dice can show ${countText(found.length)} hands, over ${countText(MOST_WAYS)}`,
        "roll fewer dice",
      );
    return mixtureOfVariables(found, found[0][1].flag);
  }
  /**
   * @param {number} offset
   * @param {string} name
   * @param {Node} body
   * @param {string} variable
   * @param {Value[]} items
   * @param {Node | null} condition
   */
  #distributionsOfRounds(offset, name, body, variable, items, condition) {
    if (items.length > MAX_ROUNDS)
      this.fail(offset, `a loop has at most ${countText(MAX_ROUNDS)} rounds`, "loop over fewer items");
    /** @type {Pmf[]} */
    const results = [];
    this.#evaluateOnce(body);
    for (const item of items) {
      const inner = this.#withName(variable, Pmf.constant(item));
      if (condition) {
        const { constant: only } = inner.yesOrNoDistributionOf(condition);
        if (only === null) this.fail(condition[1], "what is looped over must not be rolled in the loop");
        if (!only) continue;
      }
      results.push(
        ["any", "all", "count"].includes(name) ? inner.yesOrNoDistributionOf(body) : inner.numberDistribution(body),
      );
    }
    if (name === "any" || name === "all") {
      let every = new Pmf(new Map([[1, 1n]]), 1n, null, true);
      for (const each of results)
        every = combineVariables(productOfValues, every, name === "any" ? negatedAnswer(each) : each, true);
      return name === "any" ? negatedAnswer(every) : every;
    }
    if (name === "max" || name === "min")
      return results.length ? highestOrLowest(name, results).total() : this.fail(offset, "nothing is left to compare");
    if (name !== "sum" && name !== "count")
      this.fail(offset, `${name}(...) takes no loop`, "such as sum(d6 for i in span(1, 3))");
    return results.reduce((total, each) => sumOfVariables(total, withAnswerFlag(each, false)), Pmf.constant(0));
  }
  /** @param {number} _offset @param {Node[]} items */
  constantHand(_offset, ...items) {
    return items.map((each) => this.constantOf(each));
  }
}

/** @type {Record<string, string>} */
const SIGNS = {
  ...Object.fromEntries(["+", "-", "*", "/", "//", "%"].map((sign) => [sign, "arithmetic"])),
  ...Object.fromEntries(Object.keys(COMPARE).map((sign) => [sign, "compare"])),
};
/** By operator, the method of Evaluator that evaluates its nodes. @type {Record<string, string>} */
const METHODS = {
  ...SIGNS,
  n: "numberLiteral",
  dice: "rolledDice",
  name: "valueOfName",
  let: "mixtureOverRoll",
  join: "joinedDice",
  repeat: "repeatedRolls",
  total: "totalDistribution",
  sorted: "distributionOfEachRank",
  each: "distributionForEachValue",
  chances: "chancesOfTargets",
  degree: "degreeOfSuccess",
  bands: "chancesOfRanges",
  swap: "withFacesReplaced",
  needed: "valuesNextToChance",
  keep: "keepDice",
  drop: "dropDice",
  rank: "dieAtRank",
  ranklow: "dieAtRankFromLowest",
  median: "medianOfDice",
  explode: "explodingDice",
  reroll: "rerolledDice",
  clamp: "clampedDice",
  gain: "totalGain",
  shows: "enoughDiceShow",
  all: "everyDieShows",
  has: "diceShowSet",
  largest: "sizeOfLargestSet",
  run: "lengthOfLongestRun",
  distinct: "numberOfDistinctFaces",
  spread: "highestMinusLowest",
  opposed: "numberOfPairsWon",
  groups: "numberOfSets",
  selected: "totalOfSelectedDice",
  gathered: "largestSetAfterRolls",
  race: "raceIsWon",
  multiplied: "productOfFaces",
  distincts: "handsOfDistinctFaces",
  neg: "negatedNumber",
  in: "isInList",
  is: "meetsAny",
  and: "bothHold",
  or: "eitherHolds",
  given: "holdsGiven",
  not: "doesNotHold",
  if: "mixtureOfBranches",
  call: "functionResult",
  loop: "loopResult",
  list: "constantHand",
};

/** @type {Record<string, (value: Value) => Value>} */
const FUNCTIONS = {
  abs: absoluteOfValue,
  floor: floorOfValue,
  ceil: (value) => productOfValues(-1, floorOfValue(productOfValues(-1, value))),
  round: (value) => floorOfValue(sumOfValues(value, quotientOfValues(1, 2))), // halves go up
  sign: (value) => Math.sign(compareValues(value, 0)),
};

/** Return the highest or the lowest of several numbers. @param {string} name @param {Pmf[]} numbers */
const highestOrLowest = (name, numbers) =>
  new Pool(numbers.map((each) => [1, each])).keep(
    .../** @type {[number, number]} */ (name.startsWith("max") ? [0, 1] : [-1, 0]),
  );

/** Return an ordinal number as text: 1st, 2nd, 3rd, 4th ... @param {number} number */
export function ordinalText(number) {
  const teen = Math.floor((number % 100) / 10) === 1;
  return `${number}${(teen ? "" : ["", "st", "nd", "rd"][number % 10]) || "th"}`;
}

/** Return the distribution of the answer to a question about dice, from a fold over their faces. @param {Pool} dice
 * @param {any} start @param {(state: any, face: Value, shown: number) => any} step
 * @param {(state: any) => boolean} end */
const yesOrNoDistribution = (dice, start, step, end) =>
  withAnswerFlag(dice.fold(start, step, (state) => (end(state) ? 1 : 0)));

/** Update the size of the largest set by one more face. @param {number} largestSoFar @param {Value} _face
 * @param {number} shown */
const updateLargestSet = (largestSoFar, _face, shown) => Math.max(largestSoFar, shown);

/** Update the sizes of the two largest sets by one more face. @param {[number, number]} state @param {Value} _face
 * @param {number} shown */
const updateTwoLargestSets = ([first, second], _face, shown) =>
  shown > first ? [shown, first] : [first, Math.max(second, shown)];

/** Update the last face, the length of the run that ends there, and that of the longest, by one more face.
 * @param {[Value | null, number, number]} state
 * @param {Value} face
 * @param {number} shown */
function updateLongestRun(state, face, shown) {
  const [last, length, longest] = state;
  if (!shown) return state;
  const now = last !== null && differenceOfValues(last, face) === 1 ? length + 1 : 1;
  return [face, now, Math.max(longest, now)];
}

const NUMERIC = ["neg", "is", ...Object.keys(SIGNS)];

/** Return whether a tree uses the single dice of a named roll. @param {Node} body @param {string} name */
const usesSingleDice = (body, name) =>
  [...traverseNodes(body)].some(([kind, , ...parts]) => {
    const called = /^m/.test(parts[0]) ? !parts[2] : /(ze|[cn]t|al|nk|run)$/.test(parts[0]); // size, distinct, count, ...
    const asks = kind === "call" ? called : OF_POOLS.includes(kind);
    return asks && parts.some((each) => each?.[0] === "name" && each[2] === name);
  });

/** Return the conditions on a face that a tree asks of the dice of a named roll. Return null if it asks anything
 * else of them, or if the conditions contain names. @param {Node} body @param {string} name */
function faceConditionsOn(body, name) {
  /** @type {Node[][]} */
  const found = [];
  for (const [kind, , ...parts] of traverseNodes(body)) {
    if (!parts.some((each) => isNode(each) && each[0] === "name" && each[2] === name)) continue;
    const steps = kind === "gain" && parts[1];
    if (steps && steps[0][0] === "count" && steps.every((/** @type {any[]} */ [step]) => /^(count|minus)$/.test(step)))
      found.push(...steps.map((/** @type {any[]} */ step) => step[1]));
    else if (kind === "shows") found.push(...parts.slice(1).map(([, faces]) => faces));
    else if (kind === "all") found.push(parts[1]);
    else return null;
  }
  return [...traverseNodes(found)].some((each) => each[0] === "name") ? null : found;
}

/** Return whether a tree asks more of a named roll than its total. @param {Node} body @param {string} name */
function asksMoreThanTotal(body, name) {
  const isIt = (/** @type {any} */ node) => isNode(node) && node[0] === "name" && node[2] === name;
  for (const each of traverseNodes(body)) {
    const children = each.slice(2);
    const lists = each[0] in COMPARE && children.some((child) => isNode(child) && child[0] === "list");
    if (children.some(isIt) && (!NUMERIC.includes(each[0]) || lists)) return true;
    if (children.some((child) => Array.isArray(child) && !isNode(child) && child.some(isIt))) return true;
  }
  return isIt(body);
}
