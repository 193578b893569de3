// @ts-check
/**
 * From a question as it stands to what it means: plain nodes, one tree for each way in which it can be meant. This
 * follows `oddsmith/rolls/reading.py`, which explains it.
 */

import { nearestNamesText, isNear } from "./near.mjs";
import { QuestionError } from "./numbers.mjs";
import { Grammar, isNode, replaceNode, ParseError, traverseNodes } from "./peg.mjs";

/** @typedef {any[]} Node */
/** @typedef {"foundry" | "avrae" | "roll20"} Dialect */
/** What is said of a roll, by its kind. @typedef {Record<string, any[]>} Said */
/** What is asked of a roll, with the word that joins it to what is before.
 * @typedef {{joined: string, kind: string, rest: any[]}} Asked */
/** @typedef {{tree: Node, note: string, dialect: Dialect | null, notes: string[]}} Reading */

/** @type {Record<string, string>} */
export const TITLES = { foundry: "Foundry", avrae: "Avrae", roll20: "Roll20" };
export const DIALECTS = /** @type {Dialect[]} */ (Object.keys(TITLES));
const MAX_LENGTH = 2000;
const SUCH_AS =
  "ask such as: 3d6, highest of 2d20, 4d6 drop lowest, d20 + 5 >= 15, count of 6 in 5d6, d6 exploding, 2d6 vs d20";
/** @type {Record<string, [string, string]>} */
const KEEPS = {
  kh: ["keep", "high"],
  k: ["keep", "high"],
  kl: ["keep", "low"],
  dl: ["drop", "low"],
  d: ["drop", "low"],
  dh: ["drop", "high"],
  ph: ["drop", "high"],
  pl: ["drop", "low"],
};
/** @type {Record<string, string[]>} */
const MARKS = {
  foundry: "kh kl k dh dl d x xo r rr min max cs cf even odd df sf ms".split(" "),
  roll20: "kh kl k dh dl d ! !! !p r ro cs cf s sa sd m mt f".split(" "),
  avrae: "kh kl k ph pl p rr ro ra e mi ma".split(" "),
};
/** @type {Record<string, string>} */
const SELECTORS = { k: "keep", kh: "keep", kl: "keep", p: "drop", ph: "drop", pl: "drop" };
/** Marks that bring fresh dice, or look at what a die rolled, each with those before which it must stand.
 * @type {Record<string, [marks: RegExp, before: RegExp][]>} */
const BEFORE = {
  foundry: [
    [/^xo?$/, /^(rr?|m..|[ds]f)$/],
    [/^(rr?|m..)$/, /^(m..|c[sf]|even|odd|[ds]f)$/],
    [/^rr?$/, /^rr$/],
    [/^df$/, /^cf$/],
    [/./, /^ms$/],
  ],
  roll20: [
    [/^ro?$/, /^!/],
    [/^ro$/, /^r$/],
  ],
  avrae: [
    [/^(e|ra)$/, /^(e|ra)$/],
    [/^(e|r.)$/, /^(r[ro]|m.|k|p)$/],
    [/^[mp].$/, /^k$/],
    [/^[mk].$/, /^p$/],
  ],
};
const FIXED = "! !! !p r ro kh kl k dh dl d".split(" ");
const BOTH = [
  ["drop", "high", null],
  ["drop", "low", null],
];
const COMPARES = /^[<>!=]/;
/** The scores of a character, for which dice are rolled in order. */
const SCORES = 6;
/** @type {Record<string, string>} */
const INCLUSIVE = { ">": ">=", "<": "<=" };
/** What is asked of dice, and can be asked together. */
const ASKED = "target total set alike shown face every more natural kinds".split(" ");
const CARDS = "draw card cards deck flush ace king queen spades hearts diamonds clubs".split(" ");
const WORD = /(?<![\p{L}\p{N}_%])(?!d\d)[A-Za-z_][\p{L}\p{N}_]*/gu;
const ALPHA = /^\p{L}+$/u;
const AROUND = /^[ :,().!?]+|[ :,().!?]+$/g;
/** Words that may say what is asked, which no hint leaves out. */
const TELLING =
  /\d|\b(?:one|two|three|four|five|six|ten|half|no|not|all|any|each|both|high\w*|low\w*|than|reroll\w*|least|most|fail\w*|without|(?:dis)?adv\w*)\b/i;
const BEGINNING = /^(?:\d*d[\d%]|[+-]\d|\d+ dice|[A-Za-z])/i;
let names = 0;

/** @type {Grammar | null} */
let grammar = null;

/** Set the grammar of questions. @param {string} grammarText */
export function setQuestionGrammar(grammarText) {
  grammar = new Grammar(grammarText);
}

/** Return the tree of a question, and the name before it that is skipped, such as that of a game. Throws
 * QuestionError at the place that cannot be read. @param {string} question @returns {[Node, string]} */
export function parseQuestion(question) {
  if (!grammar) throw new Error("the grammar of questions was not given to learn()");
  const letters = [...question];
  if (letters.length > MAX_LENGTH) {
    const message = `a question has at most ${MAX_LENGTH} characters`;
    throw new QuestionError(letters.slice(0, MAX_LENGTH).join(""), MAX_LENGTH, message, SUCH_AS);
  }
  if (!question.trim()) throw new QuestionError(question, letters.length, "there is no question", SUCH_AS);
  try {
    return [grammar.parse(question, "question"), ""];
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const end = endOfFrontName(question, grammar.words);
    let tree = null;
    try {
      tree = grammar.parse(" ".repeat(end) + question.slice(end), "question");
    } catch (again) {
      if (!(again instanceof ParseError)) throw again;
    }
    // what is rolled where no dice stand, the game says whose name it is
    if (!tree || !hasDice(tree)) throw readingError(question, error.at, grammar.words);
    return [tree, question.slice(0, end).trim()];
  }
}

/** Return the index after the name with which a question begins, such as that of a game; 0 if it begins with none.
 * The name has capital letters, and no word of the grammar. @param {string} question @param {Set<string>} knownWords */
function endOfFrontName(question, knownWords) {
  let end = 0;
  for (const { 0: word, index } of question.matchAll(WORD)) {
    const [unknown, capital] = [!knownWords.has(word.toLowerCase()), /^[A-Z]/.test(word)];
    if (/[^ :,&]/.test(question.slice(end, index)) || !((end && capital) || (unknown && (capital || end)))) break;
    if (end ? !ALPHA.test(word) : isNear(word.toLowerCase(), knownWords)) break;
    end = index + word.length;
  }
  return end;
}

/** Return the error for a question that cannot be read. It names the first unknown word, else the farthest place.
 * @param {string} question @param {number} farthestOffset @param {Set<string>} knownWords */
function readingError(question, farthestOffset, knownWords) {
  for (const { 0: found, index } of question.matchAll(WORD)) {
    if (knownWords.has(found.toLowerCase()) || !ALPHA.test(found)) continue;
    const at = [...question.slice(0, index)].length;
    return new QuestionError(
      question,
      at,
      `\`${found}\` cannot be read here`,
      replacementForWord(question, index, knownWords),
    );
  }
  const letters = [...question];
  const [rest] = letters.slice(farthestOffset).join("").trim().split(/\s+/);
  if (!rest) return new QuestionError(question, letters.length, "something is missing here", SUCH_AS);
  const cut = /[\p{L}]/u.test(letters[farthestOffset])
    ? (/(?<![\p{L}\p{N}_])[A-Za-z]*$/u.exec(letters.slice(0, farthestOffset).join("")) ?? [""])
    : [""];
  const at = farthestOffset - cut[0].length; // where the word begins in which reading ended
  const word = cut[0] + rest;
  const hint = leaveOutFrontHint(question, letters.slice(0, farthestOffset).join("").length + rest.length) || SUCH_AS;
  return new QuestionError(question, at, `\`${word}\` cannot be read here`, hint);
}

/** Return the hint to leave out the first words, up to a place or a little farther. Return an empty text if no
 * question follows, or if these words may belong to the question. @param {string} question @param {number} frontEnd */
function leaveOutFrontHint(question, frontEnd) {
  for (const { 0: word, index } of question.matchAll(/(?<![\p{L}\p{N}_])[A-Za-z]+(?![\p{L}\p{N}_])|$/gu)) {
    const place = index + word.length;
    const front = question.slice(0, place).replace(/^[ ,:]+|[ ,:]+$/g, "");
    const rest = question.slice(place).replace(AROUND, "");
    if (TELLING.test(front)) return "";
    if (place >= frontEnd && BEGINNING.test(rest) && isReadable(rest)) return `leave out \`${front}\`: ${rest}`;
  }
  return "";
}

/** Whether a question can be read, and rolls dice. @param {string} question */
function isReadable(question) {
  const { words } = /** @type {Grammar} */ (grammar);
  if ([...question.matchAll(WORD)].some(([word]) => !words.has(word.toLowerCase()))) return false;
  try {
    return !!meaningsInDialect(question, /** @type {Grammar} */ (grammar).parse(question, "question"), null);
  } catch (error) {
    if (!(error instanceof ParseError || error instanceof QuestionError)) throw error;
    return false;
  }
}

/** Return what to write in place of an unknown word: another word, or nothing if it begins or ends a question.
 * @param {string} question @param {number} offset @param {Set<string>} knownWords */
function replacementForWord(question, offset, knownWords) {
  let [end, rest] = [offset, ""];
  for (const { 0: found, index } of question.matchAll(WORD))
    if (
      index >= offset &&
      ALPHA.test(found) &&
      !knownWords.has(found.toLowerCase()) &&
      !question.slice(end, index).trim()
    )
      end = index + found.length;
  const word = question.slice(offset, end).split(/\s+/)[0].toLowerCase();
  if (CARDS.includes(word)) return "cards are drawn in a ruleset; here dice are rolled, such as: 4d6 drop lowest";
  const long = [...knownWords].filter((each) => each.length > 2);
  const sameStart = long.filter((each) => each[0] === word[0]); // most people get the first letter right
  const similar = isNear(word, sameStart, 0.72) ? sameStart : isNear(word, long, 0.81) ? long : [];
  const near = similar.length ? nearestNamesText(word, similar) : "";
  if (/^[ (]*$/.test(question.slice(0, offset)) || /^[ ).!?]*$/.test(question.slice(end))) {
    rest = `${question.slice(0, offset)} ${question.slice(end)}`.replace(AROUND, "");
    if (!isReadable(rest)) rest = "";
  }
  const leftOut = rest ? `leave out \`${question.slice(offset, end)}\`: ${rest}` : leaveOutFrontHint(question, end);
  return near && leftOut ? `${near} Or ${leftOut}` : near || leftOut || SUCH_AS;
}

/** Return the meanings of a question. The first is the one that is answered. Throws QuestionError.
 * @param {string} question @param {Dialect | null} [dialect] @returns {Reading[]} */
export function meaningsOfQuestion(question, dialect = null) {
  const [tree, name] = parseQuestion(question);
  const found = meaningsInDialects(question, tree, dialect);
  for (const each of name ? found : []) each.notes.push(`\`${name}\` is ignored`);
  return found;
}

/** Return the meanings of a tree, in one dialect or in all. @param {string} question @param {Node} tree
 * @param {Dialect | null} dialect @returns {Reading[]} */
function meaningsInDialects(question, tree, dialect) {
  if (dialect !== null) return meaningsInDialect(question, tree, dialect);
  const nodes = [...traverseNodes(tree)];
  const signs = nodes.flatMap((node) => (node[0] === "marked" ? node[3] : []));
  const marks = signs.map((/** @type {Node} */ [letters]) => letters.toLowerCase());
  const counted = nodes.some((node) => node[0] === "successes");
  if (!counted && marks.every((mark) => mark in KEEPS)) {
    const found = meaningsInDialect(question, tree, null);
    if (isCountedByRoll20(tree)) {
      found[0].note = "the total is compared";
      found.push(...meaningsInDialect(question, tree, "roll20"));
    }
    try {
      // there, 4d6k3 keeps the dice that show 3
      if (signs.some(([letters, many]) => many && letters.toLowerCase() === "k"))
        found.push(...meaningsInDialect(question, tree, "avrae"));
    } catch (error) {
      if (!(error instanceof QuestionError)) throw error;
    }
    return found;
  }
  const possible = DIALECTS.filter(
    (each) => marks.every((mark) => mark in KEEPS || MARKS[each].includes(mark)) && !(counted && each !== "roll20"),
  );
  /** @type {Reading[]} */
  const found = [];
  /** @type {QuestionError | null} */
  let first = null;
  for (const each of possible)
    try {
      found.push(...meaningsInDialect(question, tree, each));
    } catch (error) {
      if (!(error instanceof QuestionError)) throw error;
      first ??= error;
    }
  if (found.length) return found;
  if (first) throw first;
  return meaningsInDialect(question, tree, null);
}

/** Return a node without an advantage that applies to none of its dice. @param {Node} node @returns {Node} */
const withoutIdleAdvantage = (node) =>
  node[0] === "advanced" && node[2] === null ? withoutIdleAdvantage(node[3]) : node;

/** Return whether Roll20 counts dice where others compare the total, as in 5d6>4. @param {Node} tree */
function isCountedByRoll20(tree) {
  if (tree[0] !== "chain" || tree[3].length !== 1) return false;
  const [left, right] = [withoutIdleAdvantage(tree[2]), withoutIdleAdvantage(tree[3][0][1])];
  if (left[0] !== "modified" || left[3].length) return false;
  if (left[2][0] === "braces") return right[0] === "modified" && right[2][0] === "n";
  if (left[2][0] !== "marked" || left[2][3].length) return false;
  const dice = left[2][2];
  if (dice[0] !== "dice" || dice[3][0] !== "n" || !dice[2]) return false;
  if (right[0] !== "modified" || right[2][0] !== "n") return false;
  return Number(right[2][2]) >= 1 && Number(right[2][2]) <= Number(dice[3][2]) && dice[2][2] !== "1";
}

/** @param {string} question @param {Node} tree @param {Dialect | null} dialect @returns {Reading[]} */
function meaningsInDialect(question, tree, dialect) {
  const made = new NodeBuilder(question, dialect);
  const plain = shareEqualDice(made.build(tree));
  if (!hasDice(plain)) made.fail(0, "no dice are rolled here", SUCH_AS);
  const reading = (/** @type {Node} */ tree, /** @type {string} */ note) => ({
    tree,
    note,
    dialect,
    notes: made.notes,
  });
  const found = [reading(chooseMeaning(plain), "")];
  [...traverseNodes(plain)]
    .filter((node) => node[0] === "either")
    .forEach((node, number) => {
      for (let place = 1; place < node.length - 2; place++)
        found.push(reading(chooseMeaning(plain, number, place), node[2 + place][0]));
      found[0].note ||= node[2][0];
    });
  return found;
}

/** Return a tree with one meaning chosen at each ambiguous node: the first, but another one at one of them.
 * @param {any} node @param {number} [ambiguousNodeIndex] @param {number} [meaningIndex] @param {{next: number}}
 * [nodeCounter]
 * @returns {any} */
function chooseMeaning(node, ambiguousNodeIndex = -1, meaningIndex = 0, nodeCounter = { next: 0 }) {
  if (!Array.isArray(node)) return node;
  if (!isNode(node) || node[0] !== "either")
    return node.map((each) => chooseMeaning(each, ambiguousNodeIndex, meaningIndex, nodeCounter));
  const option = nodeCounter.next++ === ambiguousNodeIndex ? meaningIndex : 0;
  // All ways are walked, so that each node has its number.
  return node.slice(2).map(([, tree]) => chooseMeaning(tree, ambiguousNodeIndex, meaningIndex, nodeCounter))[option];
}

/** Return a node with several meanings, each with a note that tells it from the others. @param {number} offset
 * @param {[string, Node][]} meanings */
const makeAmbiguousNode = (offset, ...meanings) => ["either", offset, ...meanings];

/** Return a node for advantage with two meanings: the named die counts, or the other one, because a low roll may be
 * good.
 * @param {number} offset @param {string} how @param {Node} one @param {Node} other */
const ambiguousEndNode = (offset, how, one, other) =>
  makeAmbiguousNode(
    offset,
    [`the ${how}er die counts`, one],
    [`the ${how === "high" ? "low" : "high"}er die counts, because a low roll is good`, other],
  );

/** Return a node with several meanings after each was changed. @param {Node} node
 * @param {(way: Node) => Node} change @returns {Node} */
const mapMeanings = ([kind, at, ...meanings], change) => [
  kind,
  at,
  ...meanings.map(([note, way]) => [note, change(way)]),
];

/** Return a node with several meanings, or the node itself if it has one. @param {number} offset
 * @param {[string, Node][]} meanings @returns {Node} */
const nodeOfMeanings = (offset, meanings) =>
  meanings.length > 1 ? makeAmbiguousNode(offset, ...meanings) : meanings[0][1];

/** Return the node of a number. @param {number} value */
const numberNode = (value) => ["n", 0, String(value)];

/** Return a node as text without places, for comparison with others. @param {any} node @returns {string} */
export const textWithoutPlaces = (node) =>
  JSON.stringify(node, (_key, each) => (isNode(each) ? [each[0], ...each.slice(2)] : each));

/** Return whether a node contains dice. @param {any} node */
const hasDice = (node) => [...traverseNodes(node)].some((each) => each[0] === "dice" || each[0] === "name");

/** By name of a node of the grammar, the method of NodeBuilder that makes its plain node.
 * @type {Record<string, string>} */
const METHODS = {
  chain: "comparisonChain",
  successes: "roll20SuccessCount",
  is: "totalMeetsCondition",
  loose: "questionOfParts",
  ison: "diceShowOrTotalIs",
  needed: "valueNeededForChance",
  movednumber: "refuseAmbiguousNumber",
  vsreroll: "firstIsHigherAfterRerolledTies",
  two: "snakeEyesOrBoxcars",
  twice: "countWithDoubleFace",
  medianof: "medianDieOrTotal",
  oneorother: "totalIsOneOf",
  vs: "firstRollBeatsSecond",
  vsend: "compareOneDieEach",
  morale: "moraleCheck",
  again: "countD10Successes",
  critdamage: "criticalDamage",
  vsnumber: "rollAgainstNumber",
  beaten: "rollBeatsTarget",
  margin: "marginOverOrUnder",
  nodc: "refuseMarginWithoutDc",
  degree: "degreeOfSuccess",
  degrees: "chancesOfDegrees",
  vsac: "rollAgainstArmourClass",
  struck: "damageOfOneAttack",
  attacks: "damageOrHitsOfAttacks",
  saved: "damageWithSavingThrow",
  pairs: "diceComparedInPairs",
  moved: "withBonus",
  until: "rollsUntilFace",
  waited: "rollsUntilYes",
  waitedsum: "sumOfRollsUntilFace",
  branch: "rollByCondition",
  further: "withFurtherRoll",
  share: "compareCountWithHalf",
  each_time: "yesEveryTime",
  once: "yesAtLeastOnce",
  advanced: "withAdvantage",
  oneof: "criticalFaces",
  natural: "dieShowsNatural",
  onlythose: "totalOfDiceThatShow",
  critical: "criticalHit",
  shown: "dieShowsFace",
  uses: "rollsOfUsageDie",
  within: "largestSetWithinRolls",
  hundred: "d100WithSeveralTens",
  howmany: "atLeastOrExactly",
  unclear: "refuseUncountedFaces",
  sequence: "diceShowEachFace",
  together: "diceShowEachOrAnyFace",
  pair: "bothFacesOrRange",
  has: "diceShowSet",
  under: "rollIsUnder",
  rated: "totalOrDiceAgainstNumber",
  botch: "botchQuestion",
  notsaid: "refuseWhatIsNotSaid",
  glitch: "glitchQuestion",
  pushed: "sixesOfPushedDice",
  inchance: "xInNChance",
  fate: "fateDice",
  crit: "criticalHitInAttacks",
  modified: "applyPhrases",
  insum: "applyPhrasesToSum",
  explode: "explodingDice",
  best: "keepBestDice",
  drop: "dropDice",
  braces: "poolInBraces",
  join: "joinedPools",
  count: "numberOfDiceShowing",
  score: "countWithCancellingFaces",
  scored: "countWithCancellingAndExploding",
  scoredby: "countWithSpecialFaces",
  allof: "everyRollMeets",
  arrayasked: "questionAboutSeveralRolls",
  array: "sortedRolls",
  xarray: "productOrSortedRolls",
  xrolls: "sortedRollsOrProduct",
  xsum: "multipliedSum",
  bestroll: "bestRollOrDice",
  arrayof: "combinedRolls",
  list: "listOrRoll",
  marked: "applyMarks",
  attack: "damageOfEqualAttacks",
  often: "countRollsShowing",
  anydie: "usualDieShowsFace",
  rounded: "roundedValue",
  half: "halfOfValue",
  every: "everyDieShows",
  advantage: "diceWithAdvantage",
  repeatedly: "repeatedQuestion",
};

/** Plain nodes of the nodes of the grammar, from the inside out; METHODS names the method for each. */
class NodeBuilder {
  /** @param {string} question @param {Dialect | null} dialect */
  constructor(question, dialect) {
    this.question = question;
    this.dialect = dialect;
    /** @type {string[]} */
    this.notes = [];
    /** Dice with advantage in words: what is kept, and which end that is. @type {[Node, string][]} */
    this.advantages = [];
  }
  /** @param {number} offset @param {string} message @param {string} [hint] @returns {never} */
  fail(offset, message, hint) {
    throw new QuestionError(this.question, offset, message, hint);
  }
  /** Throw the error for a question that is not clear. @param {number} offset @returns {never} */
  #unclear(offset) {
    return this.fail(offset, "it is not clear what is asked here", SUCH_AS);
  }
  /** The plain node of a node of the grammar, with all nodes below it. @param {any} node @returns {any} */
  build(node) {
    if (!Array.isArray(node)) return node;
    if (!isNode(node)) return node.map((each) => this.build(each));
    const special = /** @type {any} */ (this)[METHODS[node[0]]];
    const parts = node.slice(2);
    const made = node[0] === "marked" || node[0] === "chain" ? parts : parts.map((each) => this.build(each));
    return special ? special.call(this, node[1], ...made) : [node[0], node[1], ...made];
  }

  // --- conditions

  /** @param {number} offset @param {Node} wrapped @param {[string, Node][]} rest */
  comparisonChain(offset, wrapped, rest) {
    const first = withoutIdleAdvantage(wrapped);
    const grouped = first[0] === "modified" && !first[3].length && ["marked", "braces"].includes(first[2][0]);
    if (this.dialect === "roll20" && grouped) {
      const [[sign, right], ...more] = rest;
      if (!more.length && [">", "<", ">=", "<=", "=="].includes(sign) && !hasDice(right)) {
        const target = this.build(right);
        const [pool, limit] = splitAddedNumber(this.build(first), target);
        // there the bonus is added to the count
        if (target[0] !== "n") this.#unclear(offset);
        return this.roll20SuccessCount(offset, pool, sign, limit, null);
      }
    }
    const terms = [this.build(first), ...rest.map(([, right]) => this.build(right))];
    const end = terms.length - 1;
    if (terms[end][0] === "pending") {
      // d20 + 7 >= 16 with advantage
      terms[0] = this.withAdvantage(offset, terms[end].slice(2, 4), terms[0]);
      terms[end] = terms[end][4];
    }
    /** @type {[string, Node][]} */
    const bound = [];
    for (let place = 1; place < end; place++) {
      if (!hasDice(terms[place])) this.#unclear(offset); // d20 >= 10 <= 15
      const name = `_${names++}`;
      bound.push([name, terms[place]]);
      terms[place] = ["name", offset, name];
    }
    let tree = rest
      .map(([sign], place) => [sign, offset, terms[place], terms[place + 1]])
      .reduce((left, part) => ["and", offset, left, part]);
    for (const [name, value] of bound) tree = ["let", offset, name, value, tree];
    return tree;
  }
  /** @param {number} offset @param {Node} pool @param {string} sign @param {Node} right @param {Node[] | null}
   * failing */
  roll20SuccessCount(offset, pool, sign, right, failing) {
    if (this.dialect !== null && this.dialect !== "roll20")
      this.fail(offset, `${TITLES[this.dialect]} does not count dice so`, "write cs>=4 there");
    const steps = [["count", [["cond", offset, INCLUSIVE[sign] ?? sign, right]]]];
    if (failing?.length) steps.push(["minus", inclusiveFaces(failing)]);
    return ["gain", offset, pool, steps];
  }
  /** @param {number} offset @param {Node} value @param {Node[]} faces @returns {Node} */
  totalMeetsCondition(offset, value, faces) {
    const total = ["is", offset, value, faces];
    const [only, ...more] = faces;
    if (more.length || only?.[0] !== "cond") return total;
    const low = /</.test(only[2]) && this.advantages.find(([made]) => [...traverseNodes(value)].includes(made));
    if (low) {
      const [made, how] = low;
      const other = ["keep", offset, how === "high" ? "low" : "high", ...made.slice(3)];
      return ambiguousEndNode(offset, how, total, ["is", offset, replaceNode(value, made, other), faces]);
    }
    if (only[2] !== ">=" || only[3][0] !== "n") return total;
    const least = Number(only[3][2]);
    return least > 1 && least <= sidesOfEqualDice(value) ? withReadingAsDiceCount(total) : total;
  }
  /**
   * The parts of a question, in whatever order they stand: what is rolled, and what is asked of it.
   * @param {number} offset @param {any[]} bits
   */
  questionOfParts(offset, ...bits) {
    const { said, asked } = this.#partsOf(offset, bits.filter(Array.isArray));
    const strike = this.#attackDamage(offset, said, asked);
    if (strike) return strike;
    if (said.usual && said.plus && !asked.length && Object.keys(said).length === 2) {
      const [[dice], [plus]] = [said.usual, said.plus]; // Fate, to get +4
      const reached = ["is", offset, dice, [["cond", offset, "==", plus]]];
      return makeAmbiguousNode(offset, ["the total is meant", reached], ["it is added", ["+", offset, dice, plus]]);
    }
    const counts = said.threshold || said.hits;
    if (said.mods?.length === 1 && said.mods[0][0] === "pushed" && !asked.length && !counts)
      this.fail(offset, "it is not said what pushed dice count", "such as: 4d6 pushed");
    const kept = (said.inorder && said.mods?.filter(([kind]) => kind === "keep")) || [];
    if (kept.length === 1 && isNumberOne(kept[0][2])) {
      said.how = [said.mods[0][1]]; // the highest of the scores
      delete said.mods;
    }
    let roll = this.#rollOfQuestion(offset, said, asked);
    if (said.inorder) {
      delete said.inorder;
      const many = said.times ?? said.often;
      const scores = this.sortedRolls(offset, many?.[0] ?? numberNode(SCORES), roll);
      const more = asked.length || said.threshold || said.how || said.hits || said.all;
      if (!more) return many ? scores : makeAmbiguousNode(offset, ["six scores", scores], ["one roll", roll]);
      const whole = asked.length === 1 && asked[0].kind === "total" && !said.how && !counts && !said.all;
      if (whole || asked.some(({ kind }) => /^faces?$/.test(kind)))
        this.fail(offset, "it is not said which of the scores is meant", "such as: 3d6 in order, at least one 15+");
      said.times = many ?? [numberNode(SCORES)]; // 3d6 in order, all at least 9
      delete said.often;
    }
    if (said.crits)
      this.fail(offset, "it is not said what a critical hit does", "ask such as: a crit in 3 attacks, crit on 19-20");
    if (said.advantage) {
      if (asked.some(({ kind }) => ["shown", "every", "alike", "set"].includes(kind)))
        this.fail(offset, "with advantage one die counts, and this asks for several", "ask such as: 2 20s in 2d20");
      const [how, many] = said.advantage[0];
      const die = (/** @type {string} */ each) => this.withAdvantage(offset, [each, many], roll);
      const low = many && asked.some(({ kind, rest }) => kind === "total" && /</.test(rest[0][0][2]));
      roll = low ? ambiguousEndNode(offset, how, die(how), die(how === "high" ? "low" : "high")) : die(how);
      if (low) this.advantages = []; // both ways are told of the whole question
    }
    const times = said.how ? undefined : (said.times ?? said.often);
    if (said.how) {
      const many = said.times ?? said.often;
      const how = said.how[0];
      roll = many ? this.combinedRolls(offset, how, many[0], roll) : ["keep", offset, how, numberNode(1), roll];
    }
    const single = said.threshold && !asked.length && !isSeveralDice(roll);
    // such as: sum of 3d6, at least 2 hits on 3+
    if (single && !times && said.hits) this.#unclear(offset);
    const terms = single && !times && poolAndOtherTerms(roll, said.threshold[0]);
    if (terms) {
      const [pool, numbers] = terms;
      const dice = this.numberOfDiceShowing(offset, said.threshold[0], this.joinedPools(offset, ...pool));
      const counted = numbers.reduce((/** @type {Node} */ left, [sign, each]) => [sign, offset, left, each], dice);
      const total = this.#askOfSeveralRolls(offset, roll, numberNode(1), said, asked);
      return makeAmbiguousNode(offset, ["the dice are counted", counted], ["the total counts", total]);
    }
    if (times || single) return this.#askOfSeveralRolls(offset, roll, times?.[0] ?? numberNode(1), said, asked);
    return negateIfFailed(offset, said, this.#askOfRoll(offset, roll, said, asked));
  }
  /**
   * Damage dice, a bonus and an armour class: what the attack deals.
   * @param {number} offset @param {Said} said @param {Asked[]} asked @returns {Node | null}
   */
  #attackDamage(offset, said, asked) {
    const only = asked.length === 1 && asked[0].kind === "target" && said.roll && said.plus;
    const isD20s = (/** @type {Node} */ each) => each[0] === "dice" && sidesOfDice(each) === "20";
    if (!only || [...traverseNodes(said.roll[0])].some(isD20s)) return null;
    const more = Object.keys(said).some((kind) => !["roll", "plus", "times", "crits", "advantage"].includes(kind));
    if (more || said.roll[0][0] === "keep") this.#unclear(offset);
    const [many, damage, bonus, advantage, crits] = ["times", "roll", "plus", "advantage", "crits"].map(
      (kind) => said[kind]?.[0] ?? null,
    );
    return this.damageOfEqualAttacks(offset, many, damage, bonus, asked[0].rest[1], [advantage, crits, null]);
  }
  /**
   * What is said once, by its kind, and all that is asked, each with the word that joins it to what was asked before.
   * @param {number} offset @param {any[][]} bits
   */
  #partsOf(offset, bits) {
    /** @type {Said} */
    const said = {};
    /** @type {Asked[]} */
    const asked = [];
    let joined = "";
    for (const [kind, ...rest] of this.#splitBits(offset, bits)) {
      if (kind === "and" || kind === "or") {
        joined = kind;
        continue;
      }
      const before = asked.at(-1);
      if (kind === "face" && joined === "or" && before && ["face", "faces"].includes(before.kind)) {
        const faces = before.kind === "faces" ? before.rest[0] : [["cond", offset, "==", before.rest[0]]]; // 6 or 8
        Object.assign(before, { kind: "faces", rest: [[...faces, ["cond", offset, "==", rest[0]]]] });
      } else if (ASKED.includes(kind)) {
        if (before && !joined)
          this.fail(offset, "this asks for several things at once", "join them by `and`, or by `or`");
        asked.push({ joined: joined || "and", kind, rest });
      } else if (kind === "mods" || kind === "bonus") {
        (said[kind] ??= []).push(...rest);
      } else if (said[kind] || joined === "or") {
        this.fail(offset, "this asks for several things at once", "ask for one thing at a time");
      } else {
        said[kind] = rest;
      }
      joined = "";
    }
    if (said.any)
      for (const each of asked.filter(({ kind }) => ["face", "faces", "total"].includes(kind))) {
        const faces = each.kind === "face" ? [["cond", offset, "==", each.rest[0]]] : each.rest[0]; // 5 or 6 on any of 3d6
        Object.assign(each, { kind: "shown", rest: [[["cond", offset, ">=", numberNode(1)]], faces] });
      }
    delete said.any;
    if (said.all && said.hits?.[0][0][0] === "bare" && !said.times) {
      said.times = said.hits[0][0].slice(2); // three hits in a row
      delete said.hits;
    }
    if (said.often && (said.times || said.hits)) {
      said.hits ??= [[["bare", offset, said.often[0]]]]; // hit twice in 3 attacks
      said.times ??= said.often;
      delete said.often;
    }
    // how many hits on 5+
    if (said.counts && !said.threshold && asked.length === 1 && asked[0].kind === "total")
      said.threshold = asked.splice(0)[0].rest;
    return { said, asked };
  }
  /**
   * Bits that say two things at once, as two; a critical hit is a face.
   * @param {number} offset @param {any[][]} bits @returns {any[][]}
   */
  #splitBits(offset, bits) {
    const crits = bits.find(([kind]) => kind === "crits")?.[1] ?? this.criticalFaces(offset, null);
    const struck = bits.some(([kind]) => kind === "crit");
    /** @type {Record<string, (...parts: any[]) => any[][]>} */
    const made = {
      hitson: (many, faces) => [
        ["hits", many],
        ["threshold", faces],
      ],
      outof: (many, trials) => [
        ["hits", many],
        ["times", trials],
      ],
      coins: (many, coins) => [
        ["hits", many],
        ["roll", ["dice", offset, coins, ["faces", offset, numberNode(0), numberNode(1)]]],
      ],
      counting: (faces) => [["counts"], ["threshold", faces]],
      rated: (firstWay, faces) => [
        ["rated", firstWay],
        ["threshold", faces],
      ],
      noset: (kind) => [["never"], ["set", kind]],
      inchance: (many, sides) => [
        ["roll", ["dice", offset, null, ["n", offset, sides]]],
        ["total", [["cond", offset, "<=", ["n", offset, many]]]],
      ],
      half: (sign, many) => [
        ["hits", [["cond", offset, sign, ["/", offset, many, numberNode(2)]]]],
        ["times", many],
      ],
      each: (many, kind, limit) => [
        ["times", many],
        ["target", kind, limit],
      ],
      other: (faces) => [["shown", [["cond", offset, ">=", numberNode(1)]], faces]],
      shownof: (many, ...faces) => [["shown", many, faces.map((each) => ["cond", offset, "==", each])]],
      crit: (many) => [["natural", many, crits]],
      blunder: (many, faces) => [["natural", many, faces ?? this.#facesOfCriticalFailure(offset, bits)]],
    };
    if (struck) made.crits = () => [];
    return bits.flatMap((bit) => made[bit[0]]?.(...bit.slice(1)) ?? [bit]);
  }
  /**
   * A critical failure of a d20 is a 1; that of other dice is to be said.
   * @param {number} offset @param {any[][]} bits
   */
  #facesOfCriticalFailure(offset, bits) {
    const rolls = bits.filter(([kind]) => kind === "roll" || kind === "usual").map(([, roll]) => roll);
    if (rolls.length && ![...traverseNodes(rolls)].some((each) => each[0] === "dice" && each[3][2] === "20"))
      this.fail(offset, "it is not said on which faces these dice fail critically", "such as: d100, fumble on 96-100");
    return [["cond", offset, "==", numberNode(1)]];
  }
  /**
   * What is asked of dice that are rolled once.
   * @param {number} offset @param {Node} named @param {Said} said @param {Asked[]} asked @returns {Node}
   */
  #askOfRoll(offset, named, said, asked) {
    const { threshold, hits } = said;
    const steps = named[0] === "gain" && asked.length ? named[3] : null; // these are asked of the dice that count
    const roll = steps ? named[2] : named;
    if (threshold && steps) this.fail(offset, "this asks for several things at once", "ask for one thing at a time");
    if (said.all) {
      if (threshold || hits || asked.length !== 1 || asked[0].kind !== "total" || !isSeveralDice(roll))
        this.#unclear(offset);
      return ["all", offset, roll, asked[0].rest[0]];
    }
    if (!threshold && !hits && !asked.length) {
      if (said.fails || said.never || said.retry) this.#unclear(offset);
      return roll;
    }
    const wanted = [...(hits ? [{ joined: "and", kind: "hits", rest: hits }] : []), ...asked];
    if (!wanted.length && said.rated && !said.counts)
      return this.totalOrDiceAgainstNumber(offset, said.rated[0], roll, threshold[0]);
    if (!wanted.length) return this.numberOfDiceShowing(offset, threshold[0], roll);
    const name = wanted.length > 1 ? `_${names++}` : null;
    const shown = name === null ? roll : ["name", offset, name];
    const counted = steps
      ? ["gain", offset, shown, steps]
      : threshold
        ? this.numberOfDiceShowing(offset, threshold[0], shown)
        : shown;
    const one = (/** @type {Asked} */ { kind, rest }) => this.#condition(offset, roll, shown, counted, kind, rest);
    const [first, ...more] = wanted;
    const tree = more.reduce((left, each) => [each.joined, offset, left, one(each)], one(first));
    const whole = name === null ? tree : ["let", offset, name, roll, tree];
    return said.retry ? this.yesAtLeastOnce(offset, numberNode(2), whole) : whole;
  }
  /**
   * One thing that is asked of a roll: `shown` is the roll or its name, `counted` what of it counts.
   * @param {number} offset @param {Node} roll @param {Node} shown @param {Node} counted
   * @param {string} kind @param {any[]} rest @returns {Node}
   */
  #condition(offset, roll, shown, counted, kind, rest) {
    /** @type {Record<string, (...parts: any[]) => Node>} */
    const made = {
      target: (sign, limit) =>
        sign === "vsnumber"
          ? this.rollAgainstNumber(offset, shown, limit, roll)
          : this.#compareWithLimit(offset, sign, shown, limit),
      total: (faces) => this.totalMeetsCondition(offset, counted, faces),
      faces: (faces) => this.totalIsOneOf(offset, shown, faces),
      set: (kind) => this.diceShowSet(offset, kind, shown),
      alike: (wanted) => this.#meetsWanted(offset, ["largest", offset, shown], wanted),
      shown: (wanted, faces) => this.#meetsWanted(offset, this.numberOfDiceShowing(offset, faces, shown), wanted),
      face: (face) => this.ambiguousFaceOnRoll(offset, face, shown, roll),
      every: (faces) => ["all", offset, shown, faces],
      kinds: (wanted) => this.#meetsWanted(offset, ["distinct", offset, shown], wanted),
      more: (left, right) => moreOfOneFaceThanOther(offset, shown, left, right),
      hits: (wanted) => this.#meetsWanted(offset, counted, wanted),
      natural: (wanted, faces) => {
        const one = this.#showsNatural(offset, isPool(roll) ? roll : shown, faces);
        const all = isSeveralDice(roll) && this.numberOfDiceShowing(offset, faces, shown);
        return this.#meetsWanted(offset, all || (one[2] === roll ? ["is", offset, shown, faces] : one), wanted);
      },
    };
    const plain = counted === shown;
    const coins = roll[0] === "dice" && roll[3][0] === "faces";
    const clear = kind !== "hits" || !plain || coins || roll[0] === "gain";
    if (!clear || (!plain && !["total", "hits", "shown"].includes(kind))) this.#unclear(offset);
    return made[kind](...rest);
  }
  /** @param {number} offset @param {string} sign @param {Node} roll @param {Node} limit @returns {Node} */
  #compareWithLimit(offset, sign, roll, limit) {
    return sign === "vsac"
      ? this.rollAgainstArmourClass(offset, roll, limit)
      : this.firstRollBeatsSecond(offset, roll, limit, null);
  }
  /**
   * What is rolled. Where nobody says it, it is a d20 for a check or an attack, else the die that shows the face.
   * @param {number} offset @param {Said} said @param {Asked[]} asked @returns {Node}
   */
  #rollOfQuestion(offset, said, asked) {
    const kinds = Object.fromEntries(asked.map(({ kind, rest }) => [kind, rest]));
    /** @type {Node | undefined} */
    let roll = (said.roll ?? said.usual)?.[0];
    if (!roll) {
      const [first] = kinds.shown?.[1] ?? kinds.total?.[0] ?? [];
      const face = kinds.face?.[0] ?? (first?.[0] === "cond" ? first[3] : null);
      const alone = !said.advantage && !said.plus;
      if (face && (said.times || said.often) && alone) roll = this.usualDieShowsFace(offset, face);
      else if (!alone || said.hits || kinds.target || kinds.natural) {
        roll = ["dice", offset, null, numberNode(20)];
        if (said.threshold && alone && areFacesUpToSix(said.threshold[0]))
          roll = makeAmbiguousNode(
            offset,
            ["a d6 is rolled", ["dice", offset, null, numberNode(6)]],
            ["a d20 is rolled", roll],
          );
      }
    }
    if (!roll || !hasDice(roll)) this.fail(offset, "no dice are rolled here", SUCH_AS);
    let made = /** @type {Node} */ (roll);
    if (said.mods)
      made = isPool(made)
        ? this.applyPhrases(offset, made, said.mods)
        : this.applyPhrasesToSum(offset, made, said.mods);
    if (said.rank) made = [said.rank[1] === "high" ? "rank" : "ranklow", offset, said.rank[0], made];
    if (said.made) made = [said.made[0], offset, made];
    const added = [...(said.plus ?? []), ...(said.bonus ?? [])];
    // such as: d20, difficulty 15, +5; d4 (bless)
    const twice = said.bonus?.[0][0] === "dice" && this.question.includes("d4");
    if ((made[0] === "gain" || twice) && added.length) this.#unclear(offset);
    return added.reduce((left, each) => ["+", offset, left, each], made);
  }
  /**
   * What is asked of one roll, asked of several: how often it is so.
   * @param {number} offset @param {Node} roll @param {Node} trials @param {Said} said @param {Asked[]} asked
   * @returns {Node}
   */
  #askOfSeveralRolls(offset, roll, trials, said, asked) {
    const kinds = asked.map(({ kind, rest }) => ({ kind, rest }));
    if (said.threshold) kinds.push({ kind: "total", rest: said.threshold });
    let amount = said.hits;
    for (const { kind, rest } of kinds) {
      if (kind === "shown" || kind === "natural") amount ??= rest.slice(0, 1);
      if (kind === "every") amount ??= [[["cond", offset, "==", trials]]];
    }
    const conditions = kinds.map(({ kind, rest }) => this.#askOfEachRoll(offset, roll, kind, rest));
    if (!conditions.length && amount && roll[0] === "dice" && roll[3][0] === "faces")
      conditions.push(["is", offset, roll, [["cond", offset, "==", numberNode(1)]]]); // heads of a coin
    if (conditions.length !== 1) this.#unclear(offset);
    let one = said.retry ? this.yesAtLeastOnce(offset, numberNode(2), conditions[0]) : conditions[0];
    if (trials[2] === "1" && trials.length === 3) return negateIfFailed(offset, said, one);
    if (said.fails) one = ["not", offset, one];
    if (said.never) return ["not", offset, this.yesAtLeastOnce(offset, trials, one)];
    if (said.all) return this.yesEveryTime(offset, trials, one);
    const counted = [
      "gain",
      offset,
      ["repeat", offset, trials, one],
      [["count", [["cond", offset, "==", numberNode(1)]]]],
    ];
    if (amount) return this.#meetsWanted(offset, counted, amount[0]);
    if (said.counts) return counted;
    const different = one[0] === "has" && one[2][0] === "different";
    if (said.often || different) return this.repeatedQuestion(offset, trials, one);
    const once = [">=", offset, counted, numberNode(1)];
    return said.threshold || kinds[0].kind === "target"
      ? makeAmbiguousNode(offset, ["at least one", once], ["how many of them", counted])
      : once;
  }
  /**
   * What is asked of each of several rolls.
   * @param {number} offset @param {Node} roll @param {string} kind @param {any[]} rest @returns {Node}
   */
  #askOfEachRoll(offset, roll, kind, rest) {
    if (["alike", "more", "kinds"].includes(kind) || (roll[0] === "gain" && kind !== "total")) this.#unclear(offset);
    if (["face", "set", "target"].includes(kind)) return this.#condition(offset, roll, roll, roll, kind, rest);
    if (kind === "natural") return this.#showsNatural(offset, roll, rest[1]);
    const [faces, wanted] = kind === "shown" ? [rest[1], rest[0]] : [rest[0], null];
    const shown = wanted ? this.ambiguousFaceOnRoll(offset, faces[0].at(-1), roll) : roll;
    if (!wanted || shown[0] === "is") return ["is", offset, roll, faces];
    const once = [">=1", "==0"].includes(`${wanted[0][2]}${wanted[0][3]?.[2]}`);
    if (!once || faces.length > 1 || faces[0][2] !== "==") this.#unclear(offset); // two 6s in 3 rolls of 5d6
    return shown;
  }
  /** @param {number} offset @param {Node} counted @param {Node[]} wanted @returns {Node} */
  #meetsWanted(offset, counted, wanted) {
    return wanted[0][0] === "bare"
      ? this.atLeastOrExactly(offset, wanted[0][2], counted)
      : ["is", offset, counted, wanted];
  }
  /**
   * `difficulty 7` behind dice: the total is compared, and where a die can show 7, the dice may be counted.
   * @param {number} offset @param {string} firstWay @param {Node} roll @param {Node[]} faces @returns {Node}
   */
  totalOrDiceAgainstNumber(offset, firstWay, roll, faces) {
    const total = ["is", offset, roll, faces];
    const most = [...traverseNodes(roll)]
      .filter((each) => each[0] === "dice")
      .map((each) => (each[3][0] === "n" ? Number(each[3][2]) : Infinity));
    const shown = most.some((sides) => faces.some((each) => canMeetCondition(each, 1, sides)));
    if (!shown || !isSeveralDice(roll[0] === "either" ? roll[2][1] : roll)) return total;
    /** @type {[string, Node][]} */
    const ways = [
      ["the dice are counted", this.numberOfDiceShowing(offset, faces, roll)],
      ["the total counts", total],
    ];
    return makeAmbiguousNode(offset, ...(firstWay === "dice" ? ways : ways.reverse()));
  }
  /**
   * `a 6 on 3d6`: the total, or a die that shows it.
   * @param {number} offset @param {Node} face @param {Node} value @param {Node} [dice]
   */
  ambiguousFaceOnRoll(offset, face, value, dice = value) {
    return this.diceShowOrTotalIs(offset, "shown", [["cond", offset, "==", face]], value, dice);
  }
  /**
   * Whether a die shows one of the faces, or the total is one of them: both where both can be.
   * @param {number} offset @param {string} firstWay @param {Node[]} faces @param {Node} value @param {Node} [dice]
   * @returns {Node}
   */
  diceShowOrTotalIs(offset, firstWay, faces, value, dice = value) {
    const total = ["is", offset, value, faces];
    const sides = sidesOfEqualDice(dice);
    if (!sides || faces.some(([, , , [kind, , face]]) => kind !== "n" || face < 1 || face > sides)) return total;
    const shown = ["shows", offset, value, [numberNode(1), faces]];
    if (faces.every((each) => Number(each[3][2]) < Number(dice[2][2]))) return shown;
    /** @type {[string, Node][]} */
    const ways = [
      ["at least one die shows it", shown],
      ["the total is meant", total],
    ];
    return makeAmbiguousNode(offset, ...(firstWay === "shown" ? ways : ways.reverse()));
  }
  /** @param {number} offset @param {Node} many @param {Node} question */
  repeatedQuestion(offset, many, question) {
    const [every, once] = [this.yesEveryTime(offset, many, question), this.yesAtLeastOnce(offset, many, question)];
    return makeAmbiguousNode(offset, ["every time", every], ["at least once", once]);
  }
  /**
   * The value for a chance. Where it does not stand in the question, it is a bonus, or the number to be reached.
   * @param {number} offset @param {string} name @param {Node} chance @param {Node} question
   */
  valueNeededForChance(offset, name, chance, question) {
    const named = [...traverseNodes(question)].some((each) => each[0] === "name" && each[2] === name);
    const value = ["name", offset, name];
    return [
      "needed",
      offset,
      name,
      chance,
      named ? question : withValueInQuestion(offset, name.toLowerCase(), value, question),
    ];
  }
  /** @param {number} offset @param {string} said @returns {never} */
  refuseAmbiguousNumber(offset, said) {
    return this.fail(offset, `it is not clear whether ${said} is the number, or changes the roll`, "write the sum");
  }
  /** @param {number} offset @param {Node} a @param {Node} b */
  firstIsHigherAfterRerolledTies(offset, a, b) {
    return ["given", offset, [">", offset, a, b], ["!=", offset, a, b]];
  }
  /** @param {number} offset @param {string} what */
  snakeEyesOrBoxcars(offset, what) {
    const face = numberNode(what.toLowerCase().startsWith("snake") ? 1 : 6);
    return ["all", offset, ["dice", offset, numberNode(2), numberNode(6)], [["cond", offset, "==", face]]];
  }
  /** @param {number} offset @param {Node} pool @param {any} faces @param {Node} double */
  countWithDoubleFace(offset, pool, faces, double) {
    return this.countWithSpecialFaces(offset, pool, faces, [["plus", [["cond", offset, "==", double]]]]);
  }
  /** @param {number} offset @param {Node} pool */
  medianDieOrTotal(offset, pool) {
    return makeAmbiguousNode(
      offset,
      ["the middle die", ["median", offset, pool]],
      ["the median of the total", ["total", offset, pool]],
    );
  }
  /**
   * `2d6 7 or 11`: a total, unless each die could show these faces.
   * @param {number} offset @param {Node} value @param {Node[]} faces
   */
  totalIsOneOf(offset, value, faces) {
    const total = ["is", offset, value, faces];
    const sides = sidesOfEqualDice(value);
    if (!sides || faces.some((face) => face[3][0] !== "n" || Number(face[3][2]) > sides)) return total;
    return withReadingAsDiceCount(total);
  }
  /** @param {number} offset @param {Node} a @param {Node} b @param {string | null} ties @returns {Node} */
  firstRollBeatsSecond(offset, a, b, ties) {
    if (b[0] === "pending") [a, b] = [this.withAdvantage(offset, [b[2], b[3]], a), b[4]]; // d20 + 7 vs AC 16 with advantage
    const ways = [
      [">", offset, a, b],
      [">=", offset, a, b],
    ];
    if (!hasDice(b) || ties !== null) return ways[ties === "lose" ? 0 : 1];
    return makeAmbiguousNode(offset, ["a tie does not win", ways[0]], ["a tie wins", ways[1]]);
  }
  /**
   * `3d6 vs 4d6 highest`: a die of each side is compared, or a sum with a die of the second side.
   * @param {number} offset @param {string} how @param {Node} a @param {Node} b
   */
  compareOneDieEach(offset, how, a, b) {
    const [left, right] = [a, b].map((each) => ["keep", offset, how, numberNode(1), each]);
    const other = this.firstRollBeatsSecond(offset, a, right, null);
    if (!isSeveralDice(a)) return other;
    /** @type {(side: string, node: Node) => [string, Node][]} */
    const told = (side, node) => node.slice(2).map(([note, way]) => [`one die of ${side} side, ${note}`, way]);
    return makeAmbiguousNode(
      offset,
      ...told("each", this.firstRollBeatsSecond(offset, left, right, null)),
      ...told("the second", other),
    );
  }
  /** A check of morale, which most games roll low on 2d6.
   * @param {number} offset @param {Node | null} dice @param {Node} limit */
  moraleCheck(offset, dice, limit) {
    const roll = dice ?? ["dice", offset, numberNode(2), numberNode(6)];
    const [low, high] = ["<=", ">="].map((sign) => [sign, offset, roll, limit]);
    return makeAmbiguousNode(offset, ["a low roll is good", low], ["a high roll is good", high]);
  }
  /** Successes at 8 or more on d10s, of which high ones bring further dice.
   * @param {number} offset @param {Node} many @param {Node} least @param {Node[] | null} wanted */
  countD10Successes(offset, many, least, wanted) {
    const [faces, again] = [numberNode(8), least].map((each) => [["cond", offset, ">=", each]]);
    const counted = this.countWithCancellingAndExploding(
      offset,
      ["dice", offset, many, numberNode(10)],
      faces,
      null,
      again,
    );
    return wanted ? ["is", offset, counted, wanted] : counted;
  }
  /** The damage of a critical hit: the dice are doubled, or in some games the total.
   * @param {number} offset @param {Node} damage */
  criticalDamage(offset, damage) {
    const total = ["*", offset, damage, numberNode(2)];
    return makeAmbiguousNode(offset, ["the dice are doubled", doubleDice(damage)], ["the total is doubled", total]);
  }
  /**
   * A roll against a number: games that roll a d100 or 3d6 against a skill want to roll low.
   * @param {number} offset @param {Node} roll @param {Node} limit @param {Node} [dice]
   */
  rollAgainstNumber(offset, roll, limit, dice = roll) {
    const [under, over] = ["<=", ">="].map((sign) => [sign, offset, roll, limit]);
    /** @type {[string, Node][]} */
    const ways = [
      ["a low roll is good", under],
      ["a high roll is good", over],
    ];
    if (isPercentile(dice)) return makeAmbiguousNode(offset, ...ways);
    return sidesOfEqualDice(dice) === 6 && dice[2][2] === "3" ? makeAmbiguousNode(offset, ...ways.reverse()) : over;
  }
  /**
   * `beat 15`: where a game compares with a number, as much is often enough. To beat another roll is as in
   * `d20 vs d20`.
   * @param {number} offset @param {Node} value @param {Node} target
   */
  rollBeatsTarget(offset, value, target) {
    // d20 + 7 beats 16 with advantage
    if (target[0] === "pending")
      [value, target] = [this.withAdvantage(offset, [target[2], target[3]], value), target[4]];
    if (hasDice(target)) return this.firstRollBeatsSecond(offset, value, target, null);
    const [more, enough] = [">", ">="].map((sign) => [sign, offset, value, target]);
    return makeAmbiguousNode(offset, ["to beat it takes more", more], ["as much is enough", enough]);
  }
  /**
   * By how much a roll lies over or under a number: `beat DC 15 by 5 or more`.
   * @param {number} offset @param {string} side @param {Node} roll @param {Node} target @param {Node[]} wanted
   */
  marginOverOrUnder(offset, side, roll, target, wanted) {
    return ["is", offset, side === "over" ? ["-", offset, roll, target] : ["-", offset, target, roll], wanted];
  }
  /** @param {number} offset */
  refuseMarginWithoutDc(offset) {
    this.fail(
      offset,
      "it is not said what is rolled, or against which DC",
      "such as: d20 + 7 beats DC 15 by 5 or more",
    );
  }
  /**
   * The degree of success from 0 to 3, which a natural 20 makes better by one and a natural 1 worse.
   * @param {number} offset @param {Node} roll @param {Node} target
   */
  degreeOfSuccess(offset, roll, target) {
    const outer = this.#outerD20(roll);
    if (!outer) this.#unclear(offset);
    this.notes.push("10 over or under the number, or a natural 20 or 1, is a degree better or worse");
    const name = `_${names++}`;
    const shown = ["name", offset, name];
    return ["let", offset, name, outer, ["degree", offset, shown, replaceNode(roll, outer, shown), target]];
  }
  /** @param {number} offset @param {Node} roll @param {Node} target */
  chancesOfDegrees(offset, roll, target) {
    const names = ["critical success", "success", "failure", "critical failure"];
    const degree = this.degreeOfSuccess(offset, roll, target);
    return [
      "bands",
      offset,
      degree,
      ...names.map((name, place) => [name, [["cond", offset, "==", numberNode(3 - place)]]]),
    ];
  }
  /** The only d20 of a roll, or what is kept of several; null where there is none or more than one.
   * @param {Node} roll */
  #outerD20(roll) {
    const dice = [...traverseNodes(roll)].filter(isD20);
    const inner = dice.filter((each) => each[0] === "keep").flatMap((each) => [...traverseNodes(each[4])]);
    const [outer, ...more] = dice.filter((each) => !inner.includes(each));
    return more.length ? null : (outer ?? null);
  }
  /**
   * A roll against an armour class. Where it matters that a natural 20 hits and a natural 1 misses, that is told.
   * @param {number} offset @param {Node} left @param {Node} right @returns {Node}
   */
  rollAgainstArmourClass(offset, left, right) {
    const plain = this.firstRollBeatsSecond(offset, left, right, null);
    if (plain[0] !== ">=") return plain;
    const [, , value, target] = plain;
    const outer = this.#outerD20(value);
    if (!outer) return plain;
    const name = `_${names++}`;
    const shown = ["name", offset, name];
    const total = [">=", offset, replaceNode(value, outer, shown), target];
    const hits = [
      "or",
      offset,
      ["==", offset, shown, numberNode(20)],
      ["and", offset, ["!=", offset, shown, numberNode(1)], total],
    ];
    const natural = ["let", offset, name, outer, hits];
    return makeAmbiguousNode(
      offset,
      ["the total decides", plain],
      ["a natural 20 hits and a natural 1 misses", natural],
    );
  }
  /**
   * The damage of attacks: twice the dice on a critical hit; on a miss or a natural 1 none, or what a miss deals.
   * @param {number} offset @param {Node | null} many @param {Node} damage @param {Node} bonus @param {Node} target
   * @param {any[]} how the advantage, the faces of a critical hit, and what a miss deals
   */
  damageOfEqualAttacks(offset, many, damage, bonus, target, [advantage, crit, missed]) {
    const name = `_${names++}`;
    const shown = ["name", offset, name];
    const die = this.withAdvantage(offset, advantage, ["dice", offset, null, numberNode(20)]);
    const total = [">=", offset, ["+", offset, shown, bonus], target];
    const hits = ["and", offset, ["!=", offset, shown, numberNode(1)], total];
    const otherwise = missed === "half" ? this.halfOfValue(offset, damage, null) : (missed ?? numberNode(0));
    const struck = ["if", offset, hits, damage, otherwise];
    const critical = ["is", offset, shown, this.criticalFaces(offset, crit)];
    const one = ["let", offset, name, die, ["if", offset, critical, doubleDice(damage), struck]];
    return many === null || many[2] === "1" ? one : ["total", offset, ["repeat", offset, many, one]];
  }
  /**
   * The damage of an attack whose advantage may stand before the armour class or behind it.
   * @param {number} offset @param {Node} bonus @param {any} before @param {Node} target @param {Node} damage
   * @param {any[]} how
   */
  damageOfOneAttack(offset, bonus, before, target, damage, [behind, ...how]) {
    return this.damageOfEqualAttacks(offset, null, damage, bonus, target, [before ?? behind, ...how]);
  }
  /**
   * The damage of attacks with a bonus each, or how many of them hit.
   * @param {number} offset @param {Node[]} bonuses @param {Node} target @param {Node | null} damage @param {any[]} how
   */
  damageOrHitsOfAttacks(offset, bonuses, target, damage, how) {
    const sum = (/** @type {Node[]} */ rolls) =>
      rolls.map((each) => ["repeat", offset, numberNode(1), each]).reduce((left, right) => ["+", offset, left, right]);
    if (damage) return sum(bonuses.map((bonus) => this.damageOfEqualAttacks(offset, null, damage, bonus, target, how)));
    const d20 = () => this.withAdvantage(offset, how[0], ["dice", offset, null, numberNode(20)]);
    const ways = bonuses.map((bonus) => this.rollAgainstArmourClass(offset, ["+", offset, d20(), bonus], target));
    const hits = [2, 3].map((way) =>
      sum(ways.map((each) => ["if", offset, each[way][1], numberNode(1), numberNode(0)])),
    );
    return makeAmbiguousNode(offset, [ways[0][2][0], hits[0]], [ways[0][3][0], hits[1]]);
  }
  /**
   * Damage where a saving throw fails.
   * @param {number} offset @param {Node} damage
   * @param {any} saver its difficulty, and a pair of its bonus and its advantage
   * @param {string | null} spared what a success leaves: half of the damage or none; null where it is not said
   */
  damageWithSavingThrow(offset, damage, [difficulty, [bonus, advantage]], spared) {
    const die = this.withAdvantage(offset, advantage, ["dice", offset, null, numberNode(20)]);
    if (damage[0] === "keep") this.#unclear(offset); // whose advantage it is
    const saved = [">=", offset, this.withBonus(offset, die, bonus), difficulty];
    const half = ["if", offset, saved, this.halfOfValue(offset, damage, null), damage];
    const none = ["if", offset, saved, numberNode(0), damage];
    if (spared) return spared === "half" ? half : none;
    return makeAmbiguousNode(offset, ["a save halves the damage", half], ["a save avoids it", none]);
  }
  /**
   * Dice that are compared one with one, the highest first.
   * @param {number} offset @param {Node} left @param {Node} right @param {string | null} ties
   */
  diceComparedInPairs(offset, left, right, ties) {
    const [lost, won] = ["lose", "win"].map((each) => ["opposed", offset, each, left, right]);
    if (ties !== null) return ties === "lose" ? lost : won;
    return makeAmbiguousNode(offset, ["a tie does not win", lost], ["a tie wins", won]);
  }
  /** @param {number} offset @param {Node} dice @param {Node | null} bonus */
  withBonus(offset, dice, bonus) {
    return bonus ? ["+", offset, dice, bonus] : dice;
  }
  /** The usual die that can show a face, for a question that names no die. @param {number} offset @param {Node} face */
  usualDieShowsFace(offset, face) {
    const shown = Number(face[2]);
    const sides = [1, 2, 3, 4, 5, 6].includes(shown) ? 6 : shown === 20 ? 20 : null;
    if (sides === null)
      this.fail(offset, "it is not said which die is rolled", `such as: a ${face[2]} in 5 rolls of d12`);
    return ["dice", offset, null, numberNode(/** @type {number} */ (sides))];
  }
  /**
   * How many dice are rolled until one shows a face: a die rolls on while it shows another.
   * @param {number} offset @param {Node} face @param {Node | null} named
   */
  rollsUntilFace(offset, face, named) {
    const die = named ?? this.usualDieShowsFace(offset, face);
    const rolling = ["explode", offset, "add", [["cond", offset, "!=", face]], null, die];
    return ["gain", offset, rolling, [["count", [["cond", offset, ">=", numberNode(1)]]]]];
  }
  /**
   * How many rolls it takes until something is so: a question that is asked again while the answer is no.
   * @param {number} offset @param {any[]} goal @param {Node | null} before @param {Node | null} behind
   */
  rollsUntilYes(offset, [kind, rest], before, behind) {
    const dice = before ?? behind;
    let question;
    if (kind === "set") {
      question = this.diceShowSet(offset, rest, dice ?? ["dice", offset, numberNode(2), numberNode(6)]);
    } else if (rest[0][0] === "cond") {
      const [, , sign, face] = rest[0];
      const die = dice ?? this.usualDieShowsFace(offset, face);
      question = sign === "==" ? this.ambiguousFaceOnRoll(offset, face, die) : ["is", offset, die, rest];
    } else {
      question = ["is", offset, dice ?? ["dice", offset, null, numberNode(6)], rest];
    }
    const rolling = [
      "explode",
      offset,
      "add",
      [["cond", offset, "==", numberNode(0)]],
      null,
      ["repeat", offset, numberNode(1), question],
    ];
    return ["gain", offset, rolling, [["count", [["cond", offset, ">=", numberNode(0)]]]]];
  }
  /**
   * The sum of rolls until one shows some faces: with this last one, or without it.
   * @param {number} offset @param {Node[]} faces @param {Node} dice @returns {Node}
   */
  sumOfRollsUntilFace(offset, faces, dice) {
    const [kind, , sign, face] = faces[0];
    const plain = dice[0] === "dice" && dice[3][0] === "n" && (!dice[2] || dice[2][0] === "n");
    if (faces.length !== 1 || kind !== "cond" || !plain) this.#unclear(offset);
    const opposites = { "==": "!=", ">=": "<", "<=": ">", ">": "<=", "<": ">=" };
    const before = [["cond", offset, opposites[/** @type {"=="} */ (sign)], face]];
    if (sidesOfEqualDice(dice)) {
      if (this.ambiguousFaceOnRoll(offset, face, dice)[0] !== "is") this.#unclear(offset);
      dice = ["repeat", offset, numberNode(1), dice];
    }
    const rolling = ["explode", offset, "add", before, null, dice];
    return makeAmbiguousNode(
      offset,
      ["with the last roll", rolling],
      ["without the last roll", ["gain", offset, rolling, [["only", before]]]],
    );
  }
  /**
   * One roll where a die shows some faces, and another where it does not.
   * @param {number} offset @param {Node} die @param {Node[]} faces @param {Node} then @param {Node} other
   */
  rollByCondition(offset, die, faces, then, other) {
    return ["if", offset, ["is", offset, die, faces], then, other];
  }
  /**
   * A die to which another is added where it shows some faces.
   * @param {number} offset @param {Node} die @param {Node[]} faces @param {Node | null} more @returns {Node}
   */
  withFurtherRoll(offset, die, faces, more) {
    /** @param {Node} roll @param {(shown: Node) => Node} test @returns {Node} */
    const addedIf = (roll, test) => {
      const name = ["name", offset, `_${names++}`];
      return [
        "let",
        offset,
        name[2],
        roll,
        ["+", offset, name, ["if", offset, test(name), more ?? die, numberNode(0)]],
      ];
    };
    const isShown = (/** @type {Node} */ shown) => ["is", offset, shown, faces];
    const total = addedIf(die, isShown);
    // d20 + 5, on a 20 add d6
    if (die[0] === "+" || die[0] === "-") {
      if (sidesOfEqualDice(die[2])) this.#unclear(offset);
      const before = [...die.slice(0, 2), this.withFurtherRoll(offset, die[2], faces, more), die[3]];
      return makeAmbiguousNode(offset, ["the die is meant", before], ["the total is meant", total]);
    }
    const sides = sidesOfEqualDice(die);
    const many = sides && Number(die[2][2]);
    if (!sides || !faces.some((each) => canMeetCondition(each, 1, sides))) return total;
    const each = ["repeat", offset, die[2], addedIf(["dice", offset, null, die[3]], isShown)];
    const some = addedIf(die, (shown) => ["shows", offset, shown, [numberNode(1), faces]]);
    /** @type {[string, Node][]} */
    const ways = [
      ["for each die that shows it", ["total", offset, each]],
      ["once if a die shows it", some],
    ];
    if (faces.every((each) => canMeetCondition(each, many, many * sides))) ways.push(["the total is meant", total]);
    return makeAmbiguousNode(offset, ...ways);
  }
  /**
   * How many of several rolls show a number.
   * @param {number} offset @param {Node} many @param {Node} face @param {Node | null} roll @param {Node[]} wanted
   */
  countRollsShowing(offset, many, face, roll, wanted) {
    const question = this.ambiguousFaceOnRoll(offset, face, roll ?? this.usualDieShowsFace(offset, face));
    const shown = [["count", [["cond", offset, "==", numberNode(1)]]]];
    return ["is", offset, ["gain", offset, ["repeat", offset, many, question], shown], wanted];
  }
  /**
   * Half of the dice, or more than half.
   * @param {number} offset @param {Node} pool @param {string} sign @param {Node[]} faces
   */
  compareCountWithHalf(offset, pool, sign, faces) {
    return [
      sign,
      offset,
      this.numberOfDiceShowing(offset, faces, pool),
      ["/", offset, ["call", offset, "size", countedDice(pool)], numberNode(2)],
    ];
  }
  /** @param {number} offset @param {Node} many @param {Node} question */
  yesEveryTime(offset, many, question) {
    return succeedsOften(offset, many, question, many);
  }
  /** @param {number} offset @param {Node} n @param {Node} question */
  yesAtLeastOnce(offset, n, question) {
    return succeedsOften(offset, n, question, numberNode(1));
  }
  /**
   * A roll with advantage: the only die of its kind is rolled twice.
   * @param {number} offset @param {any} advantage @param {Node} value
   */
  withAdvantage(offset, advantage, value) {
    if (advantage === null) return value;
    const [how, many] = advantage;
    const dice = [...traverseNodes(value)].filter((each) => each[0] === "dice");
    const d20 = dice.filter(([, , , sides]) => sides.length === 3 && sides[2] === "20");
    const found = d20.length ? d20 : dice;
    if (!dice.length && value[0] === "n") return ["pending", offset, how, many, value];
    const one = found[0];
    const kept = [...traverseNodes(value)].some((each) => each[0] === "keep" && [...traverseNodes(each)].includes(one));
    if (found.length !== 1 || kept) this.#refuseOneDie(offset);
    if (how === "lucky")
      return replaceNode(value, one, ["reroll", offset, "once", [["cond", offset, "==", numberNode(1)]], null, one]);
    const made = this.diceWithAdvantage(offset, one, how, many);
    this.advantages.push([made, how]);
    return replaceNode(value, one, made);
  }
  /** @param {number} offset @param {Node[] | null} faces */
  criticalFaces(offset, faces) {
    return faces?.length ? faces : [["cond", offset, "==", numberNode(20)]];
  }
  /**
   * A die that shows a face, whatever is added to it.
   * @param {number} offset @param {Node} face @param {Node | null} other @param {Node | null} named
   */
  dieShowsNatural(offset, face, other, named) {
    const faces = [face, ...(other ? [other] : [])].map((each) => ["cond", offset, "==", each]);
    return this.#showsNatural(offset, named ?? ["dice", offset, null, numberNode(20)], faces);
  }
  /**
   * Whether a die of a roll shows a face, whatever is added to it. A 20 needs dice that have one.
   * @param {number} offset @param {Node} roll @param {Node[]} faces @returns {Node}
   */
  #showsNatural(offset, roll, faces) {
    while (roll[0] === "+" || roll[0] === "-") {
      const parts = roll.slice(2);
      const [side, ...more] = parts.filter(parts.some(hasFaceTwenty) ? hasFaceTwenty : hasDice);
      if (more.length) break;
      roll = side;
    }
    if (!isPool(roll) || (faces[0].at(-1)[2] === "20" && !hasFaceTwenty(roll))) this.#unclear(offset);
    return isSeveralDice(roll) ? ["shows", offset, roll, [numberNode(1), faces]] : ["is", offset, roll, faces];
  }
  /** @param {number} offset @param {Node} pool @param {Node[]} first @param {Node[][]} rest */
  totalOfDiceThatShow(offset, pool, first, rest) {
    return ["gain", offset, pool, [["only", [...first, ...rest.flat()]]]];
  }
  /** A natural 20, whatever is added to the die. @param {number} offset @param {Node} roll */
  criticalHit(offset, roll) {
    return this.#showsNatural(offset, roll, this.criticalFaces(offset, null));
  }
  /** @param {number} offset @param {Node} face @param {Node | null} die */
  dieShowsFace(offset, face, die) {
    return this.dieShowsNatural(offset, face, null, die ?? this.usualDieShowsFace(offset, face));
  }
  /**
   * How often a die is used that becomes the next smaller one on a 1 or 2, until the d4 is gone.
   * @param {number} offset @param {Node} sides
   */
  rollsOfUsageDie(offset, sides) {
    const first = Number(sides[2]);
    /** @type {Node[]} */
    const used = [first, ...[12, 10, 8, 6, 4].filter((each) => each < first)]
      .map((each) => [
        "explode",
        offset,
        "add",
        [["cond", offset, ">", numberNode(2)]],
        null,
        ["dice", offset, null, numberNode(each)],
      ])
      .map((rolling) => ["gain", offset, rolling, [["count", [["cond", offset, ">=", numberNode(1)]]]]]);
    return used.reduce((tree, each) => ["+", offset, tree, each]);
  }
  /**
   * Dice alike within some throws: the largest set is kept, and the others are thrown again.
   * @param {number} offset @param {Node} throws @param {Node | null} many @param {Node | null} named
   */
  largestSetWithinRolls(offset, throws, many, named) {
    const pool = named ?? ["dice", offset, numberNode(5), numberNode(6)];
    return [">=", offset, ["gathered", offset, throws, pool], many ?? ["call", offset, "size", pool]];
  }
  /**
   * A die of 100 whose tens are rolled several times, of which one is kept: 00 and 0 are 100.
   * @param {number} offset @param {Node | null} tens @param {string} how
   */
  d100WithSeveralTens(offset, tens, how) {
    const digit = ["dice", offset, null, ["faces", offset, ["range", offset, numberNode(0), numberNode(9)]]];
    const shown = ["+", offset, ["*", offset, numberNode(10), digit], ["name", offset, "_units"]];
    const one = ["swap", offset, [["cond", offset, "==", numberNode(0)]], numberNode(100), shown];
    return [
      "let",
      offset,
      "_units",
      digit,
      ["keep", offset, how, numberNode(1), ["repeat", offset, tens ?? numberNode(2), one]],
    ];
  }
  /** @param {number} offset @param {Node} value @param {string} rounding */
  roundedValue(offset, value, rounding) {
    return ["call", offset, rounding === "down" ? "floor" : "ceil", value];
  }
  /** @param {number} offset @param {Node} value @param {string | null} rounding @returns {Node} */
  halfOfValue(offset, value, rounding) {
    const half = ["/", offset, value, numberNode(2)];
    const [down, up] = ["floor", "ceil"].map((name) => ["call", offset, name, half]);
    if (rounding !== null) return rounding === "down" ? down : up;
    return makeAmbiguousNode(offset, ["half is rounded down", down], ["half is not rounded", half]);
  }
  /** @param {number} offset @param {Node} pool @param {Node[]} faces */
  everyDieShows(offset, pool, faces) {
    return ["all", offset, pool, faces];
  }
  /** @param {number} offset @param {Node} many @param {Node} counted */
  atLeastOrExactly(offset, many, counted) {
    return makeAmbiguousNode(
      offset,
      [`at least ${many[2]}`, [">=", offset, counted, many]],
      [`exactly ${many[2]}`, ["==", offset, counted, many]],
    );
  }
  /** @param {number} offset @param {Node[]} faces */
  refuseUncountedFaces(offset, faces) {
    const said = /** @type {any} */ (faces[0]).at(-1)[2];
    const hint = `for the total write \`on\` in the place of \`in\`, for dice that show it: at least 2 ${said}s in 5d6`;
    this.fail(offset, `\`${said} in\` asks for dice that show ${said}, and does not say how many`, hint);
  }
  /** @param {number} offset @param {Node} pool @param {Node[]} faces */
  diceShowEachFace(offset, pool, ...faces) {
    /** @type {Map<string, Node[]>} */
    const times = new Map();
    for (const face of faces) times.set(String(face[2]), [...(times.get(String(face[2])) ?? []), face]);
    const wanted = [...times.values()].map((same) => [numberNode(same.length), [["cond", offset, "==", same[0]]]]);
    return ["shows", offset, pool, ...wanted];
  }
  /** @param {number} offset @param {Node} pool @param {Node[]} faces */
  diceShowEachOrAnyFace(offset, pool, ...faces) {
    const any = ["shows", offset, pool, [numberNode(1), faces.map((face) => ["cond", offset, "==", face])]];
    if (!sidesOfEqualDice(pool)) return any;
    if (!canShowAllFaces(pool, faces))
      this.fail(offset, "these dice never show all of that at once", "for the total write: 2d6 is 7 or 11");
    return makeAmbiguousNode(
      offset,
      ["each of them shows", this.diceShowEachFace(offset, pool, ...faces)],
      ["one of them is enough", any],
    );
  }
  /** @param {number} offset @param {Node} pool @param {Node} first @param {Node} second */
  bothFacesOrRange(offset, pool, first, second) {
    if (canShowAllFaces(pool, [first, second])) return this.diceShowEachFace(offset, pool, first, second);
    return ["is", offset, pool, [["range", offset, first, second]]];
  }
  /** @param {number} offset @param {any[]} kind @param {Node} pool */
  diceShowSet(offset, kind, pool) {
    if (kind[0] === "pairs") {
      const only = ["has", offset, ["onlypairs", kind[1]], pool];
      return makeAmbiguousNode(
        offset,
        ["larger sets count as well", ["has", offset, kind, pool]],
        ["pairs and no larger set", only],
      );
    }
    if (["alike", "kind", "least"].includes(kind[0]) && kind[1]?.[2] === "2" && isPercentile(pool)) {
      const doubles = [11, 22, 33, 44, 55, 66, 77, 88, 99, 100]; // two digits alike; 00 is 100
      return ["is", offset, pool, doubles.map((each) => ["cond", offset, "==", numberNode(each)])];
    }
    if (kind[0] === "exactly") return ["all", offset, pool, [["cond", offset, "==", kind[1]]]];
    if (kind[0] === "least") return ["has", offset, ["kind", kind[1]], pool];
    const asked = ["has", offset, kind, pool];
    if (kind[0] === "kind") {
      const only = ["==", offset, ["largest", offset, pool], kind[1]];
      return makeAmbiguousNode(offset, ["larger sets count as well", asked], ["no larger set", only]);
    }
    if (kind[0] === "straight" && kind[1] !== null) {
      const only = ["==", offset, ["run", offset, pool], kind[1]];
      return makeAmbiguousNode(offset, ["longer ones count as well", asked], ["no longer one", only]);
    }
    return asked;
  }
  /**
   * `roll under 65`: in many games the number itself is enough.
   * @param {number} offset @param {Node} value @param {Node} limit
   */
  rollIsUnder(offset, value, limit) {
    if (value[0] === "keep") this.#unclear(offset); // with advantage
    const [less, enough] = ["<", "<="].map((sign) => [sign, offset, value, limit]);
    return makeAmbiguousNode(offset, ["less than the number", less], ["the number is enough", enough]);
  }
  /**
   * A botch: no die counts and a 1 shows, or by older rules there are more 1s than dice that count.
   * @param {number} offset @param {Node} pool @param {Node[]} faces
   */
  botchQuestion(offset, pool, faces) {
    const name = `_${names++}`;
    const hand = ["name", offset, name];
    const ones = [["cond", offset, "==", numberNode(1)]];
    const [good, bad] = [faces, ones].map((each) => ["shows", offset, hand, [numberNode(1), each]]);
    const none = ["let", offset, name, pool, ["and", offset, ["not", offset, good], bad]];
    const steps = [
      ["count", faces],
      ["minus", ones],
    ];
    const more = ["<", offset, ["gain", offset, pool, steps], numberNode(0)];
    return makeAmbiguousNode(offset, ["no success and at least one 1", none], ["more 1s than successes", more]);
  }
  /** @param {number} offset @param {string} missing @param {string} example */
  refuseWhatIsNotSaid(offset, missing, example) {
    this.fail(offset, `it is not said ${missing}`, `such as: ${example}`);
  }
  /**
   * A glitch: more than half of the dice show 1, or by older rules half of them. Without a hit it is critical.
   * @param {number} offset @param {string} kind @param {Node} many
   */
  glitchQuestion(offset, kind, many) {
    const dice = ["dice", offset, many, numberNode(6)];
    const [ones, hits] = [
      ["cond", offset, "==", numberNode(1)],
      ["cond", offset, ">=", numberNode(5)],
    ].map((each) => [each]);
    const critical = kind === "critical";
    const name = `_${names++}`;
    const hand = ["name", offset, name];
    const none = ["not", offset, ["shows", offset, hand, [numberNode(1), hits]]];
    const [more, half] = [">", ">="].map((sign) => {
      const glitch = [
        sign,
        offset,
        this.numberOfDiceShowing(offset, ones, critical ? hand : dice),
        ["/", offset, many, numberNode(2)],
      ];
      return critical ? ["let", offset, name, dice, ["and", offset, glitch, none]] : glitch;
    });
    return makeAmbiguousNode(
      offset,
      ["more than half of the dice show 1", more],
      ["half of them or more show 1", half],
    );
  }
  /** Sixes of dice that are pushed. @param {number} offset @param {Node} pool */
  sixesOfPushedDice(offset, pool) {
    return this.numberOfDiceShowing(
      offset,
      [["cond", offset, ">=", numberNode(6)]],
      this.applyPhrases(offset, pool, [["pushed"]]),
    );
  }
  /** Dice that are rolled once more where they show no 6, nor 1 where 1s stay as well.
   * @param {number} offset @param {Node} pool */
  #rerollPushed(offset, pool) {
    const [both, sixes] = [2, 1].map((least) => {
      const faces = [["range", offset, numberNode(least), numberNode(5)]];
      return ["reroll", offset, "once", faces, null, pool];
    });
    return makeAmbiguousNode(offset, ["1s and 6s stay", both], ["only 6s stay", sixes]);
  }
  /** `a 2 in 6 chance`. @param {number} offset @param {string} many @param {string} sides */
  xInNChance(offset, many, sides) {
    return ["<=", offset, ["dice", offset, null, ["n", offset, sides]], ["n", offset, many]];
  }
  /** @param {number} offset @param {Node | null} many */
  fateDice(offset, many) {
    return ["dice", offset, many ?? numberNode(4), ["faces", offset, numberNode(-1), numberNode(0), numberNode(1)]];
  }
  /** @param {number} offset @param {Node} n @param {Node[] | null} faces */
  criticalHitInAttacks(offset, n, faces) {
    return this.yesAtLeastOnce(offset, n, [
      "is",
      offset,
      ["dice", offset, null, numberNode(20)],
      this.criticalFaces(offset, faces),
    ]);
  }

  // --- pools

  /** @param {number} offset @param {Node} pool @param {any[][]} given @returns {Node} */
  applyPhrases(offset, pool, given) {
    const mods = given.flatMap((mod) => (mod[0] === "dropboth" ? BOTH : [mod]));
    const place = mods.findIndex(([kind]) => kind === "ends");
    if (place >= 0) {
      const [before, behind] = [mods.slice(0, place), mods.slice(place + 1)];
      const whole = (/** @type {any[][]} */ way) => this.applyPhrases(offset, pool, [...before, ...way, ...behind]);
      return nodeOfMeanings(
        offset,
        this.#meaningsOfTwoEnds(offset, mods[place]).map(([note, way]) => [note, whole(way)]),
      );
    }
    const late = mods.filter(([kind]) => /^(keep|drop|bothends)$/.test(kind));
    const again = mods.filter(([kind]) => kind === "again");
    for (const [kind, how, faces, times] of mods.filter((mod) => !late.includes(mod) && !again.includes(mod)))
      if (kind === "pushed") {
        pool = this.#rerollPushed(offset, pool);
      } else if (kind === "swap") {
        pool = ["swap", offset, how, faces, pool];
      } else if (kind === "explode") {
        const single = how === "once";
        if (this.#onlyTotalShows(offset, pool, faces)) this.#refuseMissingFace(offset, pool);
        pool = this.explodingDice(
          offset,
          single ? "word" : how,
          faces,
          single ? numberNode(1) : times,
          pool,
          late.length > 0,
        );
      } else if (kind === "anew") {
        pool = this.#rerollEnds(offset, how, faces ?? times, pool);
      } else if (kind === "reroll") {
        if (this.#onlyTotalShows(offset, pool, faces)) pool = ["repeat", offset, numberNode(1), pool];
        const what = pool[0] === "repeat" ? "the roll" : "each die";
        const [once, until, said] = ["once", "until", how].map((each) => ["reroll", offset, each, faces, null, pool]);
        if (how !== "word") pool = said;
        else
          pool = makeAmbiguousNode(
            offset,
            [`${what} is rerolled once`, once],
            ["rerolled until it shows another", until],
          );
      } else {
        pool = this.#clampDice(offset, how, faces, pool);
      }
    for (const [kind, how, many] of late)
      if (kind === "bothends") pool = this.#sumOfEnds(offset, how, many, pool);
      else pool = [kind, offset, how, many ?? numberNode(1), pool];
    for (const [, how, many] of again) pool = ["keep", offset, how, numberNode(1), ["repeat", offset, many, pool]];
    return pool;
  }
  /**
   * Whether a die does not have each of some faces, but a total can be so. What none can be is refused.
   * @param {number} offset @param {Node} pool @param {Node[] | null} faces
   */
  #onlyTotalShows(offset, pool, faces) {
    const several = sidesOfEqualDice(pool);
    const one = pool[0] === "dice" && pool[3][0] === "n" && (!pool[2] || pool[2][2] === "1");
    const sides = several || (one ? Number(pool[3][2]) : 0);
    if (!sides || !faces || faces.flatMap(plainLimitsOf).every((limit) => limit >= 1 && limit <= sides)) return false;
    const many = several && Number(pool[2][2]);
    if (!many || !faces.every((each) => canMeetCondition(each, many, many * sides)))
      this.#refuseMissingFace(offset, pool);
    return true;
  }
  /** Refuse a face that no die shows. @param {number} offset @param {Node} pool @returns {never} */
  #refuseMissingFace(offset, pool) {
    const sides = pool[3][2];
    return this.fail(offset, `no d${sides} shows that`, `name faces from 1 to ${sides}, such as: ${sides}s`);
  }
  /**
   * The highest and the lowest of some dice, each an end and a number of dice. No die may be at both ends.
   * @param {number} offset @param {[string, Node]} one @param {[string, Node]} other @param {Node} pool
   */
  #sumOfEnds(offset, one, other, pool) {
    const counted = pool[0] === "dice" && pool[2]?.[0] === "n";
    if (counted && Number(one[1][2]) + Number(other[1][2]) > Number(pool[2][2])) this.#unclear(offset);
    const name = `_${names++}`;
    const [left, right] = [one, other].map((each) => ["keep", offset, ...each, ["name", offset, name]]);
    return ["let", offset, name, pool, ["+", offset, left, right]];
  }
  /**
   * The ways in which numbers belong to two ends that are kept or dropped: `highest and lowest two`.
   * @param {number} offset @param {any[]} mod @returns {[string, any[][]][]}
   */
  #meaningsOfTwoEnds(offset, [, act, first, before, behind, second, front, back]) {
    if (first === second) this.#unclear(offset);
    const one = before ?? behind;
    /** @type {(a: Node | null, b: Node | null) => any[][]} */
    const way = (a, b) =>
      act === "keep"
        ? [["bothends", [first, a ?? numberNode(1)], [second, b ?? numberNode(1)]]]
        : [
            ["drop", first, a],
            ["drop", second, b],
          ];
    const many = front || back ? (one ? null : back) : before;
    /** @type {[string, any[][]]} */
    const own = ["one die of one end", way(one, front ?? back)];
    return many ? [["as many of each end", way(many, many)], own] : [own];
  }
  /**
   * Dice of which the lowest or the highest are rolled once more.
   * @param {number} offset @param {string} how @param {Node | null} many @param {Node} pool
   */
  #rerollEnds(offset, how, many, pool) {
    if (!sidesOfEqualDice(pool))
      this.fail(offset, "it is not said which dice are meant", "write such as: 4d6 reroll the lowest die");
    return [
      "join",
      offset,
      ["drop", offset, how, many ?? numberNode(1), pool],
      ["dice", offset, many ?? numberNode(1), pool[3]],
    ];
  }
  /**
   * The least or the most that dice count: of each die; of their total, where no die can show so much.
   * @param {number} offset @param {string} how @param {Node} limit @param {Node} pool
   */
  #clampDice(offset, how, limit, pool) {
    const each = ["clamp", offset, how, limit, pool];
    const total = ["call", offset, how === "min" ? "max" : "min", ["total", offset, pool], limit];
    const sides = sidesOfEqualDice(pool);
    if (how === "min" && sides && limit[0] === "n" && Number(limit[2]) > sides) return total;
    return pool[0] === "join" ? makeAmbiguousNode(offset, ["each die", each], ["the total", total]) : each;
  }
  /**
   * Words behind a sum: they are about its only dice.
   * @param {number} offset @param {Node} value @param {any[][]} mods @returns {Node}
   */
  applyPhrasesToSum(offset, value, mods) {
    if (value[0] === "either") return mapMeanings(value, (way) => this.applyPhrasesToSum(offset, way, mods));
    const [dice, ...more] = [...traverseNodes(value)].filter((each) => each[0] === "dice");
    if (!dice || more.length)
      this.fail(offset, "it is not said which dice are meant", "write it behind the dice: 2d6 exploding + 3");
    const made = this.applyPhrases(offset, dice, mods);
    return replaceNode(value, dice, value[0] === "gain" ? countedDice(made) : made);
  }
  /**
   * @param {number} offset
   * @param {string | null} how
   * @param {any} faces
   * @param {any} times
   * @param {Node} pool
   * @param {boolean} kept
   */
  explodingDice(offset, how, faces, times, pool, kept = false) {
    if (how === "sum" || how === "penetrate" || how === "add") return ["explode", offset, how, faces, times, pool];
    const [one, two] = ["word", "add"].map((each) => ["explode", offset, each, faces, times, pool]);
    if (!kept || times !== null) return one;
    return makeAmbiguousNode(
      offset,
      ["each die with all that it brings is one", one],
      ["each further die is one of its own", two],
    );
  }
  /** @param {number} offset @param {Node} pool @param {string} how @param {Node} many */
  diceWithAdvantage(offset, pool, how, many) {
    if (pool[0] === "dice" && (pool[2] === null || pool[2][2] === "1")) pool = ["dice", pool[1], many, pool[3]];
    else if (pool[0] !== "dice" || pool[2][2] !== many[2] || sidesOfDice(pool) !== "20") this.#refuseOneDie(offset);
    return ["keep", offset, how, numberNode(1), pool];
  }
  /** @param {number} offset @returns {never} */
  #refuseOneDie(offset) {
    const hint = "write d20 with advantage + 5, or what is kept of more dice: 3d6 keep highest 2 + 1";
    return this.fail(offset, "advantage is for one die", hint);
  }
  /** @param {number} offset @param {string} how @param {Node} many @param {Node} pool */
  keepBestDice(offset, how, many, pool) {
    if (pool[0] !== "plus") return ["keep", offset, how, many, pool];
    const [, , first, rest, mods] = pool;
    const whole = ["join", offset, first, ...rest.map((/** @type {Node} */ [, each]) => each)];
    const together = ["keep", offset, how, many, this.applyPhrases(offset, whole, mods)];
    const parts = [first, ...rest.map((/** @type {Node} */ [, each]) => each)];
    const several = parts.some((each) => each[0] === "dice" && each[2] && each[2][2] !== "1");
    const listed = rest.every((/** @type {Node} */ [op]) => op === ",");
    if (!mods.length && several && many.length === 3 && many[2] === "1" && listed) {
      const totals = [
        "keep",
        offset,
        how,
        many,
        ["join", offset, ...parts.map((each) => ["repeat", offset, numberNode(1), each])],
      ];
      return makeAmbiguousNode(offset, ["the totals are compared", totals], ["all dice are compared", together]);
    }
    const size = first[0] === "dice" && first[2]?.[0] === "n" ? Number(first[2][2]) : 1;
    if (mods.length || size <= Number(many[2]) || rest.some((/** @type {Node} */ [op]) => op === ",")) return together;
    let tree = ["keep", offset, how, many, first];
    for (const [op, right] of rest) tree = [op, offset, tree, right];
    return makeAmbiguousNode(
      offset,
      ["only the first dice are compared, the others are added", tree],
      ["all dice are compared", together],
    );
  }
  /** @param {number} offset @param {string} how @param {Node | null} many @param {Node} pool */
  dropDice(offset, how, many, pool) {
    return ["drop", offset, how, many ?? numberNode(1), pool];
  }
  /** @param {number} offset @param {Node[]} parts */
  poolInBraces(offset, ...parts) {
    if (parts.length > 1 || this.dialect === "foundry")
      // where a pool of one roll holds its total
      return ["join", offset, ...parts.map((part) => ["repeat", offset, numberNode(1), part])];
    const terms = termsOfSum(parts[0]);
    return terms.length > 1 && terms.every(hasDice) ? ["join", offset, ...terms] : parts[0];
  }
  /** @param {number} offset @param {Node[]} parts */
  joinedPools(offset, ...parts) {
    return parts.length === 1 ? parts[0] : ["join", offset, ...parts];
  }
  /** @param {number} offset @param {Node[]} faces @param {Node} pool */
  numberOfDiceShowing(offset, faces, pool) {
    return this.countWithSpecialFaces(offset, pool, faces, []);
  }
  /** @param {number} offset @param {Node} pool @param {Node[]} faces @param {Node[] | null} cancel */
  countWithCancellingFaces(offset, pool, faces, cancel) {
    return this.countWithCancellingAndExploding(offset, pool, faces, cancel, null);
  }
  /**
   * @param {number} offset @param {Node} pool @param {Node[]} faces @param {Node[] | null} cancel
   * @param {Node[] | null} again
   */
  countWithCancellingAndExploding(offset, pool, faces, cancel, again) {
    const extra = [
      ["minus", cancel],
      ["again", again],
    ];
    return this.countWithSpecialFaces(
      offset,
      pool,
      faces,
      extra.filter(([, what]) => what?.length),
    );
  }
  /**
   * Dice that count, with what is said of some of them: they count twice, take away, or bring further dice.
   * @param {number} offset @param {Node} pool @param {any} faces @param {any[][]} extra @returns {Node}
   */
  countWithSpecialFaces(offset, pool, faces, extra) {
    if (faces[0] === "unsaid") {
      // 5d10 count 7
      const [exactly, more] = ["==", ">="].map((sign) =>
        this.countWithSpecialFaces(offset, pool, [["cond", offset, sign, faces[2]]], extra),
      );
      return makeAmbiguousNode(
        offset,
        ["dice that show exactly that count", exactly],
        ["higher dice count as well", more],
      );
    }
    for (const [kind, what] of extra) if (kind === "again") pool = ["explode", offset, "add", what, null, pool];
    const steps = extra.filter(([kind]) => kind !== "again");
    return ["gain", offset, countedDice(pool), [["count", faces], ...steps]];
  }
  /** @param {number} offset @param {Node} many @param {Node} roll @param {any} faces */
  everyRollMeets(offset, many, roll, faces) {
    return this.yesEveryTime(offset, many, ["is", offset, roll, faces]);
  }
  /** @param {number} offset @param {string} how @param {Node} many @param {Node} roll @param {any} faces */
  questionAboutSeveralRolls(offset, how, many, roll, faces) {
    const asked = this.combinedRolls(offset, how, many, roll);
    return faces?.length ? ["is", offset, asked, faces] : asked;
  }
  /** @param {number} offset @param {Node} many @param {Node} roll */
  sortedRolls(offset, many, roll) {
    return ["sorted", offset, ["repeat", offset, many, roll]];
  }
  /**
   * Reads `4d6 drop lowest x 6`, which multiplies the result or asks for six rolls.
   * @param {number} offset @param {Node} many @param {Node} roll
   */
  productOrSortedRolls(offset, many, roll) {
    return makeAmbiguousNode(offset, ...this.multipliedOrRolled(offset, many, roll));
  }
  /**
   * Reads `6x 4d6 drop lowest`, which asks for six rolls or multiplies the result.
   * @param {number} offset @param {Node} many @param {Node} roll
   */
  sortedRollsOrProduct(offset, many, roll) {
    return makeAmbiguousNode(offset, ...this.multipliedOrRolled(offset, many, roll).reverse());
  }
  /**
   * Reads `1d4+1 x3`: arithmetic multiplies its last part, which nobody means if that is a number.
   * @param {number} offset @param {Node} many @param {Node} roll
   */
  multipliedSum(offset, many, roll) {
    const last = roll.at(-1);
    /** @type {[string, Node]} */
    const lastOnly = ["only the last part is multiplied", [...roll.slice(0, -1), ["*", offset, last, many]]];
    const whole = this.multipliedOrRolled(offset, many, roll);
    return makeAmbiguousNode(offset, ...(hasDice(last) ? [lastOnly, ...whole] : [...whole, lastOnly]));
  }
  /** @param {number} offset @param {Node} many @param {Node} roll @returns {[string, Node][]} */
  multipliedOrRolled(offset, many, roll) {
    return [
      ["the result is multiplied", ["*", offset, roll, many]],
      ["it is rolled so many times", this.sortedRolls(offset, many, roll)],
    ];
  }
  /**
   * `two rolls of 2d6, keep the best`: the best total counts, or the best die of each roll.
   * @param {number} offset @param {string} how @param {Node} many @param {Node} roll @param {string | null} said
   */
  bestRollOrDice(offset, how, many, roll, said) {
    const best = this.combinedRolls(offset, how, many, roll);
    const each = this.sortedRolls(offset, many, ["keep", offset, how, numberNode(1), roll]);
    if (said === "die") return each;
    return said === null && isSeveralDice(roll)
      ? makeAmbiguousNode(offset, ["one roll counts", best], ["one die of each roll", each])
      : best;
  }
  /** @param {number} offset @param {string} how @param {Node} many @param {Node} roll */
  combinedRolls(offset, how, many, roll) {
    const pool = ["repeat", offset, many, roll];
    if (how === "sorted") return ["sorted", offset, pool];
    return how === "sum" ? ["total", offset, pool] : ["keep", offset, how, numberNode(1), pool];
  }
  /** @param {number} offset @param {Node[]} items */
  listOrRoll(offset, ...items) {
    return items.length === 1 && hasDice(items[0]) ? items[0] : ["list", offset, ...items];
  }

  // --- marks of notations

  /** @param {number} offset @param {Node} given @param {any[][]} marked @returns {Node} */
  applyMarks(offset, given, marked) {
    const dice = this.build(given);
    return marked.length ? this.#diceWithMarks(offset, dice, marked) : dice;
  }
  /** @param {number} offset @param {Node} dice @param {any[][]} marked @returns {Node} */
  #diceWithMarks(offset, dice, marked) {
    let marks = marked.map(([letter, ...rest]) => [letter.toLowerCase(), ...rest]);
    const [last, many, faces] = marks[marks.length - 1];
    if (last === "x" && many && !faces?.length && isBeyondSides(dice, many))
      return ["*", offset, this.applyMarks(offset, dice, marks.slice(0, -1)), many]; // 3d6x10 is no explosion
    if (marks.length === 1 && last === "d" && many && dice[0] === "dice" && (!dice[2] || dice[2][0] === "n"))
      if (Number((dice[2] ?? numberNode(1))[2]) <= Number(many[2])) return ["dice", offset, dice, many]; // d6d6
    const { dialect } = this;
    if (dialect !== null)
      for (const [letter] of marks)
        if (!MARKS[dialect].includes(letter))
          this.fail(offset, `${TITLES[dialect]} has no modifier \`${letter}\``, this.#hintInsteadOfMark(letter));
    const order = (/** @type {any[]} */ [letter]) => (FIXED.indexOf(letter) + FIXED.length + 1) % (FIXED.length + 1);
    if (dialect === "roll20") marks = marks.sort((a, b) => order(a) - order(b));
    const letters = marks.map(([letter]) => letter);
    for (const [place, letter] of letters.entries()) {
      const rules = BEFORE[dialect ?? "foundry"].filter(([mark]) => mark.test(letter));
      const before = letters.slice(0, place).find((each) => rules.some(([, late]) => late.test(each)));
      if (before) this.fail(offset, `what \`${letter}\` does behind \`${before}\` is not read`, "say it in words");
    }
    if (letters.filter((each) => each === "mt").length > 1)
      this.fail(offset, "what a second `mt` does is not read", "write `mt` once");
    let pool = dice;
    /** @type {any[][]} */
    let steps = [];
    if (dialect === "avrae") {
      const selected = this.#joinedSelectors(offset, pool, marks);
      if (selected) return selected;
    }
    for (const [letter, many, compare] of marks) {
      let faces = this.build(compare);
      if (dialect === "roll20" && faces?.length) faces = inclusiveFaces(faces);
      if (dialect === "avrae" && (letter === "k" || letter === "p")) {
        // a selector: faces, and not how many dice
        const wanted = faces?.length ? faces : [["cond", offset, "==", many ?? numberNode(1)]];
        steps = [...steps, [letter === "k" ? "only" : "without", wanted]];
      } else if (letter in KEEPS) {
        pool = [KEEPS[letter][0], offset, KEEPS[letter][1], many ?? numberNode(1), pool];
      } else if (["x", "xo", "!", "!o", "!!", "!p", "e"].includes(letter)) {
        if (steps.some(([kind]) => kind === "count"))
          this.fail(offset, "dice that explode after they were counted add their faces", "write x before cs");
        pool = this.#explodingByMark(offset, letter, many, faces, pool);
      } else if (["r", "rr", "ro", "ra"].includes(letter)) {
        pool = this.#explodingOrRerolledByMark(offset, letter, many, faces, pool);
      } else if (["min", "mi", "max", "ma"].includes(letter)) {
        if (!many) this.fail(offset, `\`${letter}\` needs a number`, "such as d20min10");
        if (dialect === "foundry") steps.push([letter === "min" ? "atleast" : "atmost", many]);
        else pool = ["clamp", offset, letter.startsWith("mi") ? "min" : "max", many, pool];
      } else if (["s", "sa", "sd", "m"].includes(letter) || (dialect === "roll20" && /^c[sf]$/.test(letter))) {
        this.notes.push(`\`${letter}\` only changes how Roll20 shows the dice`);
      } else if (letter === "mt") {
        return ["groups", offset, many ?? numberNode(2), faces, pool];
      } else if (letter === "ms") {
        return this.#margin(offset, steps.length ? ["gain", offset, pool, steps] : pool, many, faces);
      } else {
        steps = this.#gainSteps(offset, letter, many, faces, steps);
      }
    }
    return steps.length ? ["gain", offset, pool, steps] : pool;
  }
  /**
   * Avrae joins keeps, or drops, that stand side by side: what any of them names is kept, or dropped. Null where none
   * stand so.
   * @param {number} offset @param {Node} dice @param {any[][]} marks @returns {Node | null}
   */
  #joinedSelectors(offset, dice, marks) {
    const kinds = marks.map(([letter]) => SELECTORS[letter]);
    const first = kinds.findIndex((kind, place) => kind && kind === kinds[place + 1]);
    if (first < 0) return null;
    if (kinds.slice(first).some((kind) => kind !== kinds[first]))
      this.fail(offset, "what stands behind several keeps or drops is not read", "write them last");
    const pool = first ? this.#diceWithMarks(offset, dice, marks.slice(0, first)) : dice;
    if (pool[0] === "gain")
      this.fail(offset, "what stands before several keeps or drops is not read", "write them first");
    /** @type {Record<string, Node>} */
    const counts = { h: numberNode(0), l: numberNode(0) };
    /** @type {Node[]} */
    const named = [];
    for (const [letter, many, compare] of marks.slice(first)) {
      const end = letter[1];
      if (!end) named.push(...(this.build(compare) ?? [["cond", offset, "==", many ?? numberNode(1)]]));
      else if (Number((many ?? numberNode(1))[2]) > Number(counts[end][2])) counts[end] = many ?? numberNode(1);
    }
    return ["selected", offset, kinds[first], counts.h, counts.l, named, pool];
  }
  /** @param {string} letter */
  #hintInsteadOfMark(letter) {
    /** @type {Record<string, string>} */
    const table = { "!": "x", "!o": "xo", ro: "r", x: "!", xo: "!o", mi: "min", ma: "max", e: "x" };
    const known = this.dialect !== null && MARKS[this.dialect].includes(table[letter]);
    return known ? `write \`${table[letter]}\` there` : "say it in words, or choose another dialect";
  }
  /**
   * @param {number} offset @param {string} letter @param {Node | null} many @param {Node[] | null} faces
   * @param {Node} pool
   */
  #explodingByMark(offset, letter, many, faces, pool) {
    const how = letter === "!!" ? "sum" : letter === "!p" ? "penetrate" : "add";
    const single = letter === "xo" || letter === "!o" ? numberNode(1) : null;
    if (!many) return ["explode", offset, how, faces, single, pool];
    if (faces?.length && single) this.fail(offset, `\`${letter}\` with two numbers is not read`);
    if (faces?.length) return ["explode", offset, "some", faces, many, pool];
    return ["explode", offset, how, [["cond", offset, "==", many]], single, pool];
  }
  /**
   * @param {number} offset @param {string} letter @param {Node | null} many @param {Node[] | null} compare
   * @param {Node} pool
   */
  #explodingOrRerolledByMark(offset, letter, many, compare, pool) {
    const limit = compare?.length && many ? many : null;
    const faces = compare ?? [["cond", offset, "==", many ?? numberNode(1)]];
    if (letter === "ra") return ["explode", offset, "some", faces, numberNode(1), pool]; // however many show it, one is added
    if (limit && (letter === "rr" || this.dialect === "roll20" || pool[0] === "reroll"))
      this.fail(offset, `\`${letter}\` with two numbers is not read`);
    const until = letter === "rr" || (letter === "r" && this.dialect === "roll20");
    return ["reroll", offset, limit ? "some" : until ? "until" : "once", faces, limit, pool];
  }
  /** @param {number} offset @param {string} letter @param {Node | null} many @param {any} faces @param {any[][]}
   * steps */
  #gainSteps(offset, letter, many, faces, steps) {
    if (faces === null && many) faces = [["cond", offset, "==", many]];
    if (letter === "even" || letter === "odd") faces = [["parity", offset, letter === "odd" ? "1" : "0"]];
    if (["cs", "cf", "even", "odd"].includes(letter)) {
      if (faces === null) {
        const wanted = letter === "cs" ? "the highest face" : "the lowest face";
        const message = `\`${letter}\` alone is said to count ${wanted}, and counts nothing in Foundry 14`;
        this.fail(offset, message, letter === "cs" ? `write ${letter}=6` : `write ${letter}=1`);
      }
      if (steps.some(([kind]) => kind === "count" || kind === "minus"))
        this.notes.push(`in Foundry the last count replaces the one before, so only \`${letter}\` counts here`);
      return [["count", faces]];
    }
    if (letter === "df" && !faces?.length) return [...steps, ["minusrest"]];
    if (letter === "df") return [...steps, ["without", faces], ["minus", faces]];
    if (faces === null) this.fail(offset, `\`${letter}\` needs a comparison`, `such as ${letter}=1`);
    return [...steps, ["lose", faces]];
  }
  /** @param {number} offset @param {Node} pool @param {Node | null} many @param {Node[] | null} faces */
  #margin(offset, pool, many, faces) {
    const [sign, target] = faces?.length ? [faces[0][2], faces[0][3]] : [">=", many];
    if (target === null) this.fail(offset, "`ms` needs a number", "such as d20ms>=12");
    return sign === "<" || sign === "<=" ? ["-", offset, target, pool] : ["-", offset, pool, target];
  }
}

/** Return the number of sides if a node is two or more identical dice, else 0. @param {Node} node */
function sidesOfEqualDice([kind, , count, sides]) {
  const several = kind === "dice" && count?.[0] === "n" && sides[0] === "n" && Number(count[2]) > 1;
  return several ? Number(sides[2]) : 0;
}

/** Return whether a node is identical dice that can show all the given faces at once, each on a different die.
 * @param {Node} pool @param {Node[]} faces */
function canShowAllFaces(pool, faces) {
  const sides = sidesOfEqualDice(pool);
  return faces.length <= Number(pool[2]?.[2]) && faces.every(([, , face]) => 1 <= face && face <= sides);
}

/** Return whether a node is several dice. @param {Node} node @returns {boolean} */
function isSeveralDice(node) {
  if (CHANGES.includes(node[0])) return isSeveralDice(node[node.length - 1]);
  const kept = node[0] === "keep" && !isNumberOne(node[3]);
  return sidesOfEqualDice(node) > 0 || node[0] === "join" || node[0] === "drop" || kept;
}

/** Return whether a node is dice, and not a number such as a sum. @param {Node} node */
const isPool = (node) => "dice join keep drop explode reroll clamp swap".split(" ").includes(node[0]);

/** Return whether a roll has a die with 20 sides or more. @param {Node} roll */
const hasFaceTwenty = (roll) =>
  [...traverseNodes(roll)].some((each) => each[0] === "dice" && Number(sidesOfDice(each)) >= 20);

/** Return a question with a value put into it. The word for the value decides its role. @param {number} offset
 * @param {string} valueWord @param {Node} value @param {Node} question @returns {Node} */
function withValueInQuestion(offset, valueWord, value, question) {
  const [kind, , left, ...rest] = question;
  const inside = (/** @type {Node} */ each) => withValueInQuestion(offset, valueWord, value, each);
  if (kind === "either") return mapMeanings(question, inside);
  const asks = COMPARES.test(kind) || kind === "is";
  const bonus = ["bonus", "modifier", "mod"].includes(valueWord);
  if (bonus && asks && hasDice(left)) return [kind, question[1], ["+", offset, left, value], ...rest];
  if (bonus && kind === "let") {
    const total = [...traverseNodes(question[4])].find((each) => each[0] === ">="); // a natural 20 hits
    return total ? replaceNode(question, total, inside(total)) : question;
  }
  const limit = ["dc", "ac", "tn", "difficulty", "target"].includes(valueWord);
  return limit && !asks && (isPool(question) || /^[+-]$/.test(kind)) ? [">=", offset, question, value] : question;
}

/** Return the dice of a sum, and its other terms; null if only the total can be meant. @param {Node} roll
 * @param {Node[]} faces @returns {[Node[], [string, Node][]] | null} */
function poolAndOtherTerms(roll, faces) {
  /** @type {[string, Node][]} */
  const terms = [];
  for (; /^[+-]$/.test(roll[0]); roll = roll[2]) terms.unshift([roll[0], roll[3]]);
  terms.unshift(["+", roll]);
  const pool = terms.filter(([sign, [kind]]) => sign === "+" && kind === "dice").map(([, each]) => each);
  const numbers = terms.filter(([, each]) => !hasDice(each));
  const several = pool.length > 1 || (pool.length && sidesOfEqualDice(pool[0]));
  if (!several || !numbers.length || pool.length + numbers.length < terms.length) return null;
  const sides = pool.map((die) => (die[3][0] === "n" && (!die[2] || die[2][0] === "n") ? Number(die[3][2]) : 0));
  const shown = sides.map((most) => faces.every((each) => canMeetCondition(each, 1, most)));
  const small = sides.every((most) => most > 0 && most <= 12);
  return shown.every(Boolean) || (small && shown.some(Boolean)) ? [pool, numbers] : null;
}

/** Return the plain numbers with which a condition compares; none if it compares with anything else.
 * @param {Node} condition */
function plainLimitsOf([kind, , ...rest]) {
  const limits = kind === "range" ? rest : rest.slice(1);
  return /range|cond/.test(kind) && limits.every((each) => each[0] === "n")
    ? limits.map((each) => Number(each[2]))
    : [];
}

/** Return whether a whole number in a range can meet a condition. A condition without plain numbers counts as met.
 * @param {Node} condition @param {number} minimum @param {number} maximum */
function canMeetCondition(condition, minimum, maximum) {
  const limits = plainLimitsOf(condition);
  if (!limits.length) return true;
  const sign = condition[0] === "range" ? "==" : condition[2];
  const low = /[<!]/.test(sign) ? -Infinity : limits[0] + Number(sign === ">");
  const high = /[>!]/.test(sign) ? Infinity : /** @type {number} */ (limits.at(-1)) - Number(sign === "<");
  return low <= maximum && high >= minimum;
}

/** Return whether each condition on a face compares it with a number of at most 6. @param {Node[]} faces */
const areFacesUpToSix = (faces) =>
  faces.every((each) => each[0] === "cond" && each[3][0] === "n" && Number(each[3][2]) <= 6);

/** @param {number} offset @param {Said} questionParts @param {Node} question @returns {Node} */
const negateIfFailed = (offset, questionParts, question) =>
  questionParts.fails || questionParts.never ? ["not", offset, question] : question;

/** Read "more X than Y" of two faces: each X adds 1, each Y subtracts 1, and the sum must be positive.
 * @param {number} offset @param {Node} roll @param {Node} left @param {Node} right */
function moreOfOneFaceThanOther(offset, roll, left, right) {
  const [counted, away] = [left, right].map((each) => [["cond", offset, "==", each]]);
  return [
    ">",
    offset,
    [
      "gain",
      offset,
      roll,
      [
        ["count", counted],
        ["minus", away],
      ],
    ],
    numberNode(0),
  ];
}

/** Return a condition on a total with a second meaning: the number of dice that meet the condition.
 * @param {Node} total */
function withReadingAsDiceCount(total) {
  const [, at, value, faces] = total;
  const counted = ["gain", at, value, [["count", faces]]];
  return makeAmbiguousNode(at, ["the total counts", total], ["the dice are counted", counted]);
}

/** Return whether a node is one die with 100 sides. @param {Node} node */
const isPercentile = (node) =>
  node[0] === "dice" && sidesOfDice(node) === "100" && (node[2] === null || isNumberOne(node[2]));

/** Return whether a node is a single d20, or several d20 of which one is kept. @param {Node} node */
function isD20(node) {
  if (node[0] === "keep") return node[3][2] === "1" && node[4][0] === "dice" && sidesOfDice(node[4]) === "20";
  return node[0] === "dice" && sidesOfDice(node) === "20" && (node[2] === null || node[2][2] === "1");
}

/** Return whether a node is the number 1. @param {Node} node */
const isNumberOne = (node) => node.length === 3 && node[2] === "1";

/** @param {Node} dice */
const sidesOfDice = (dice) => (dice[3].length === 3 ? dice[3][2] : null);

/** Return a roll with twice as many dice. @param {any} node @returns {any} */
function doubleDice(node) {
  if (!Array.isArray(node)) return node;
  if (!isNode(node) || node[0] !== "dice") return node.map(doubleDice);
  const [, at, many, sides] = node;
  if (many === null) return ["dice", at, numberNode(2), sides];
  return ["dice", at, many[0] === "n" ? numberNode(2 * Number(many[2])) : ["*", at, many, numberNode(2)], sides];
}

/** Return dice without the number that is added to each, and the limit minus that number, as in Roll20's
 * `{3d20+5}>21`. @param {Node} pool @param {Node} limit @returns {[Node, Node]} */
function splitAddedNumber(pool, limit) {
  while (["+", "-"].includes(pool[0]) && !hasDice(pool[3]))
    [pool, limit] = [pool[2], [pool[0] === "+" ? "-" : "+", limit[1], limit, pool[3]]];
  return [pool, limit];
}

/** Return the terms of a sum. @param {Node} node @returns {Node[]} */
const termsOfSum = (node) => (node[0] === "+" ? [...termsOfSum(node[2]), ...termsOfSum(node[3])] : [node]);

/** @param {Node} dice @param {Node} many */
const isBeyondSides = (dice, many) => dice[0] === "dice" && dice[3][0] === "n" && Number(many[2]) > Number(dice[3][2]);

/** Return the question whether a roll succeeds often enough when it is made several times. @param {number} offset
 * @param {Node} rollCount @param {Node} question @param {Node} minimumCount */
function succeedsOften(offset, rollCount, question, minimumCount) {
  const test = [["cond", offset, "==", numberNode(1)]];
  return [">=", offset, ["gain", offset, ["repeat", offset, rollCount, question], [["count", test]]], minimumCount];
}

/** Return dice that are counted. Dice that an explosion adds count one by one. @param {Node} pool @returns {Node} */
const countedDice = (pool) =>
  pool[0] === "explode" && pool[2] === "word" ? ["explode", pool[1], "add", ...pool.slice(3)] : pool;

/** Return a comparison as Roll20 means it, where > 4 is 4 or more. @param {Node[]} faces */
const inclusiveFaces = (faces) => faces.map(([, at, sign, limit]) => ["cond", at, INCLUSIVE[sign] ?? sign, limit]);

// --- the same dice, written twice

const STATISTICS = "keep drop rank ranklow median gain shows has largest run distinct spread call multiplied".split(
  " ",
);
const CHANGES = ["explode", "reroll", "clamp", "swap"];
const APART = ["repeat", "sorted"];

/** Return whether a node is identical dice, possibly with explosions, rerolls or changed faces. @param {Node} node
 * @returns {boolean} */
const isRollOfEqualDice = (node) =>
  node[0] === "dice" || (CHANGES.includes(node[0]) && isRollOfEqualDice(/** @type {Node} */ (node.at(-1))));

/** Return the dice in a node, each with whether anything but their total is asked. @param {any} node
 * @param {boolean} [asksMoreThanTotal] @returns {[string, boolean][]} */
function diceInNode(node, asksMoreThanTotal = false) {
  if (!Array.isArray(node)) return [];
  if (isNode(node)) {
    if (isRollOfEqualDice(node)) return [[textWithoutPlaces(node), asksMoreThanTotal]];
    if (APART.includes(node[0])) return [];
    if (node[0] === "given") return diceInNode(node[2], asksMoreThanTotal); // its condition is about the same roll
    if (node[0] === "either") return diceInNode(/** @type {any} */ (node[2])[1], asksMoreThanTotal); // one of the ways is meant
    asksMoreThanTotal ||= STATISTICS.includes(node[0]);
    if (node[0] === "join") {
      // dice side by side are several, however alike
      const found = node.slice(2).flatMap((each) => diceInNode(each, asksMoreThanTotal));
      return [...new Map(found.map((each) => [String(each), each])).values()];
    }
  }
  return node.flatMap((each) => diceInNode(each, asksMoreThanTotal));
}

/** @param {any} node @param {string} diceText @param {string} name @returns {any} */
function replaceDice(node, diceText, name) {
  if (!Array.isArray(node) || (isNode(node) && APART.includes(node[0]))) return node;
  if (isNode(node) && isRollOfEqualDice(node) && textWithoutPlaces(node) === diceText) return ["name", node[1], name];
  return node.map((each) => replaceDice(each, diceText, name));
}

/** Return the node with these dice rolled once for all places where they stand. @param {Node} node
 * @param {string[]} repeatedDice */
function shareRolls(node, repeatedDice) {
  let one = node;
  for (const what of repeatedDice) {
    const name = `_${names++}`;
    const dice = [...traverseNodes(one)].find((each) => isRollOfEqualDice(each) && textWithoutPlaces(each) === what);
    one = ["let", one[1], name, dice, replaceDice(one, what, name)];
  }
  return one;
}

/** Return a tree in which equal dice are one roll within every `and` and `or`. @param {any} node @returns {any} */
function shareInsideAndOr(node) {
  if (isNode(node) && (node[0] === "and" || node[0] === "or")) return shareEqualDice(node);
  return Array.isArray(node) ? node.map(shareInsideAndOr) : node;
}

/** Return a node in which equal dice on both sides of `and` or `or` are one roll. Elsewhere they have two meanings:
 * several rolls, and one. @param {any} node @returns {any} */
function shareEqualDice(node) {
  if (!Array.isArray(node)) return node;
  if (!isNode(node)) return node.map(shareEqualDice);
  if (node[0] === "and" || node[0] === "or") {
    const parts = operands(node);
    const rolled = parts.map((part) => new Set(diceInNode(part).map(([what]) => what)));
    const twice = [...new Set(rolled.flatMap((each) => [...each]))].filter(
      (what) => rolled.filter((each) => each.has(what)).length > 1,
    );
    if (!twice.length) return node;
    const one = shareRolls(node, twice);
    return makeAmbiguousNode(node[1], ["the same dice are one roll", one], ["they are rolled anew each time", node]);
  }
  if (["let", "either", "query"].includes(node[0])) return [node[0], node[1], ...node.slice(2).map(shareEqualDice)];
  const inner = shareInsideAndOr(node);
  if (node[0] !== "loop" && textWithoutPlaces(inner) !== textWithoutPlaces(node)) return inner;
  node = inner;
  if (node[0] === "loop" && node[3]) {
    const inside = new Set(diceInNode(node[3]).map(([what]) => what));
    if (inside.size) {
      const one = shareRolls(node, [...inside]);
      return makeAmbiguousNode(
        node[1],
        ["the dice are rolled for each round", node],
        ["they are rolled once for all rounds", one],
      );
    }
  }
  const [sign, , left, right] = node[0] === "given" ? node[2] : node;
  // Nobody compares a roll with itself.
  if (COMPARES.test(sign) && textWithoutPlaces(left) === textWithoutPlaces(right)) return node;
  /** @type {Map<string, boolean[]>} */
  const seen = new Map();
  for (const [what, under] of diceInNode(node)) seen.set(what, [...(seen.get(what) ?? []), under]);
  const twice = [...seen].filter(([, under]) => under.length > 1 && under.every(Boolean)).map(([what]) => what);
  if (!twice.length || STATISTICS.includes(node[0])) return node;
  const one = shareRolls(node, twice);
  return makeAmbiguousNode(
    node[1],
    ["the dice are rolled anew each time that they stand there", node],
    ["they are one roll", one],
  );
}

/** @param {Node} node @returns {Node[]} */
const operands = (node) =>
  node.slice(2).flatMap((each) => (isNode(each) && (each[0] === "and" || each[0] === "or") ? operands(each) : [each]));
