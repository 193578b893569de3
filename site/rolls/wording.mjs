// @ts-check
/** Writes how a question was read in plain words, as `oddsmith/rolls/wording.py` does. */

/** @typedef {any[]} Node */

/** @type {Record<string, [string, string]>} */
const BOUND = { ">=": ["", " or more"], "<=": ["", " or less"], ">": ["more than ", ""], "<": ["less than ", ""], "==": ["", ""], "!=": ["not ", ""] }; // prettier-ignore
/** @type {Record<string, string>} */
const SIGN = { ">=": "at least", "<=": "at most", ">": "more than", "<": "less than", "==": "equal to", "!=": "other than" }; // prettier-ignore
/** @type {Record<string, string>} */
const ENDS = { high: "highest", low: "lowest", middle: "middle" };
const LOOSE = ["+", "-", "and", "or", "if", "in", "is", "<", "<=", ">", ">=", "==", "!=", "let", "loop"];
/** Nodes of several words, which stand in brackets inside sums and beside other dice. */
const PHRASES = ["keep", "drop", "rank", "ranklow", "median", "gain", "explode", "reroll", "clamp", "swap", "largest", "run", "distinct", "spread", "multiplied", "total", "opposed"]; // prettier-ignore

/** Return a plain tree in words. @param {Node} node @returns {string} */
export function text(node) {
  const special = NODE_WRITERS[node[0]];
  if (special) return special(...node.slice(2));
  if (node[0] in SIGN) return repeatedText(node) || `${summedText(node[2])} is ${SIGN[node[0]]} ${summedText(node[3])}`;
  if (["+", "-", "*", "/", "//", "%"].includes(node[0])) {
    const long = ["+", "-"].includes(node[0]) && ["+", "-"].includes(node[2][0]);
    return `${long ? text(node[2]) : termText(node[2])} ${node[0] === "%" ? "mod" : node[0]} ${termText(node[3])}`;
  }
  return `${node[0]}(${node
    .slice(2)
    .filter((each) => Array.isArray(each))
    .map(text)
    .join(", ")})`;
}

/** Return a part of a larger question in words, in brackets if it could be misread. @param {Node} node */
const bracketedText = (node) => (LOOSE.includes(node[0]) ? `(${text(node)})` : text(node));

/** Return the words for a number that is compared. Dice beside each other count as their sum. @param {Node} node */
const summedText = (node) => (node[0] === "join" ? `the sum of ${text(node)}` : bracketedText(node));

/** Return a term of a sum, or dice next to other dice, in words. @param {Node} node */
const termText = (node) => ([...PHRASES, "join"].includes(node[0]) ? `(${summedText(node)})` : bracketedText(node));

/** Return the words for a roll whose total stands beside other dice, as one of them. @param {Node} roll */
const totalText = (roll) =>
  roll[0] === "dice" && roll[2] && !isOne(roll[2]) ? `(the total of ${text(roll)})` : termText(roll);

/** Return whether a node is the number 1. @param {Node} node */
const isOne = (node) => node.length === 3 && node[2] === "1";

/** Return the words for a question about several throws, such as "at least once in 24 throws"; empty for any other.
 * @param {Node} node */
function repeatedText(node) {
  if (node[0] !== ">=" || node[2][0] !== "gain" || node[2][2][0] !== "repeat") return "";
  const [, , pool, steps] = node[2];
  if (steps.length !== 1 || steps[0][0] !== "count") return "";
  const [face, ...more] = steps[0][1];
  if (more.length || face[0] !== "cond" || face[2] !== "==" || !isOne(face[3])) return "";
  return `at least ${text(node[3])} of ${text(pool[2])} times: ${text(pool[3])}`;
}

/** Return conditions on a face in words: "5 or 6", "8 or more", "from 19 to 20". @param {Node[]} faces */
const facesText = (faces) => faces.map(faceText).join(" or ");

/** @param {Node} node */
function faceText(node) {
  if (node[0] === "range") return `${text(node[2])} to ${text(node[3])}`;
  if (node[0] === "parity") return node[2] === "1" ? "an odd number" : "an even number";
  return BOUND[node[2]].join(text(node[3]));
}

/** Return the words for the dice that are the highest or the lowest, or show some faces. @param {Node} high
 * @param {Node} low @param {Node[]} faces */
function selectedText(high, low, faces) {
  const ends = Object.entries({ highest: high, lowest: low })
    .filter(([, many]) => many[2] !== "0")
    .map(([end, many]) => `the ${end}${isOne(many) ? "" : ` ${text(many)}`}`);
  return (faces.length ? [...ends, `those showing ${facesText(faces)}`] : ends).join(" and ");
}

/** Return what one side of a race needs, such as "3 of 20 (counts 3) or 10 or more". Without faces it is of whatever
 * else is rolled. @param {Node} goal @param {[Node[], Node][] | null} faces */
function raceSideText(goal, faces) {
  if (!faces) return `${text(goal)} of anything else`;
  const said = faces.map(([shown, many]) => facesText(shown) + (isOne(many) ? "" : ` (counts ${text(many)})`));
  return `${text(goal)} of ${said.join(" or ")}`;
}

/** @param {Node | null} many @param {Node} sides */
function diceText(many, sides) {
  const short = many && (many[0] === "n" || (many[0] === "name" && many[2].length === 1));
  const number = !many ? "" : short ? text(many) : `(${text(many)})`;
  if (sides[0] === "faces") return `${number}d{${sides.slice(2).map(sideText).join(", ")}}`;
  return `${number === "1" ? "" : number}d${["n", "digits"].includes(sides[0]) ? sides[2] : `(${text(sides)})`}`;
}

/** @param {Node} node */
function sideText(node) {
  if (node[0] === "weighted") return `${text(node[2])}:${node[3]}`;
  return node[0] === "range" ? `${text(node[2])}..${text(node[3])}` : text(node);
}

/** @param {string} how @param {Node} many */
const endsText = (how, many) => `${ENDS[how]}${isOne(many) ? "" : ` ${text(many)}`}`;

/** @param {string} how @param {Node} many @param {Node} pool @returns {string} */
function dropText(how, many, pool) {
  if (pool[0] === "drop") return `${dropText(pool[2], pool[3], pool[4])} and the ${endsText(how, many)}`;
  const rolled = pool[0] === "keep" ? `(${text(pool)})` : bracketedText(pool);
  return `${rolled} without the ${endsText(how, many)}`;
}

/** @param {string} how @param {Node[] | null} faces @param {Node | null} limit @param {Node} pool */
function explodeText(how, faces, limit, pool) {
  const shown = faces ? `on ${facesText(faces)}` : "on the highest face";
  if (how === "some" && limit)
    return `${bracketedText(pool)} exploding into at most ${text(limit)} further dice ${shown}`;
  const words =
    how === "sum" || how === "word" ? "exploding" : how === "add" ? "exploding into further dice" : "penetrating";
  const times = !limit ? "" : isOne(limit) ? ", once" : `, at most ${text(limit)} times`;
  return `${bracketedText(pool)} ${words} ${shown}${times}`;
}

/** @param {string} how @param {Node[]} faces @param {Node} limit @param {Node} pool */
function rerollText(how, faces, limit, pool) {
  const shown = facesText(faces);
  if (how === "keep") return `${bracketedText(pool)} rolled until it shows ${shown}`;
  if (how === "some")
    return `${bracketedText(pool)} with at most ${text(limit)} of the dice showing ${shown} rerolled once`;
  return `${bracketedText(pool)} with ${shown} rerolled ${how === "once" ? "once" : "until it is gone"}`;
}

/** @param {Node} pool @param {any[][]} steps */
function gainText(pool, steps) {
  /** @type {string[]} */
  let words = [];
  const counted = steps.some((each) => each[0] === "count");
  for (const [kind, what] of steps)
    if (kind === "count") words = [`the number of dice showing ${facesText(what)}`];
    else if (kind === "minus")
      words.push(counted ? `minus those showing ${facesText(what)}` : `${facesText(what)} counting -1`);
    else if (kind === "plus") words.push(`${facesText(what)} counting twice`);
    else if (kind === "only" || kind === "without")
      words.push(`${kind === "only" ? "only" : "without"} dice showing ${facesText(what)}`);
    else if (kind === "lose") words.push(`${facesText(what)} taken away`);
    else if (kind === "minusrest") words.push("minus all others");
    else words.push(`each shown as ${text(what)} ${kind === "atleast" ? "or more" : "or less"}`);
  if (steps[0][0] !== "count") return `${bracketedText(pool)}, ${words.join(", ")}`;
  return words.length > 1 ? `${words.join(", ")}, in ${bracketedText(pool)}` : `${words[0]} in ${bracketedText(pool)}`;
}

/** @param {Node} pool @param {[Node, Node[]][]} wanted */
function showsText(pool, ...wanted) {
  const parts = wanted.map(([many, faces]) => {
    const number = text(many);
    return `${number === "1" ? "at least one" : `at least ${number} times`} ${facesText(faces)}`;
  });
  return `${parts.join(" and ")} in ${bracketedText(pool)}`;
}

/** @param {any[]} kind @param {Node} pool */
function setText([name, many], pool) {
  const number = many ? text(many) : "";
  /** @type {Record<string, string>} */
  const words = {
    kind: number === "2" ? "at least a pair" : `at least ${number} of a kind`,
    alike: number === "2" ? "doubles" : "all alike",
    pairs: `${number} pairs`,
    onlypairs: `${number} pairs and no larger set`,
    house: "a full house",
    different: "all different",
    straight: number ? `a straight of at least ${number}` : "a straight of all dice",
  };
  return `${words[name]} in ${bracketedText(pool)}`;
}

/** @param {Node} value */
function notText(value) {
  if (value[0] === "shows" && value.length === 4 && isOne(value[3][0]))
    return `no ${facesText(value[3][1])} in ${bracketedText(value[2])}`;
  return `not ${bracketedText(value)}`;
}

/** Return a tree with a value in place of its name. @param {any} node @param {string} name @param {Node} value
 * @returns {any} */
function substituteName(node, name, value) {
  if (!Array.isArray(node)) return node;
  return node[0] === "name" && node.length === 3 && node[2] === name
    ? value
    : node.map((each) => substituteName(each, name, value));
}

/** @param {string} name @param {Node} value @param {Node} body */
const bindingText = (name, value, body) =>
  name.startsWith("_")
    ? `${text(substituteName(body, name, value))}, with ${text(value)} rolled once`
    : `${name} = ${text(value)}; ${text(body)}`;

/** @param {any[]} list @returns {string} */
const itemsText = (list) =>
  `[${list.map((each) => (typeof each[0] === "string" ? text(each) : itemsText(each))).join(", ")}]`;

/** @param {Node} node */
const stepsText = (node) => (node[0] === "items" ? itemsText(node[2]) : `${text(node[2])}..${text(node[3])}`);

/** Return an ordinal number in words. @param {Node} node */
function ordinalText(node) {
  /** @type {Record<string, string>} */
  const words = { 1: "", 2: "second", 3: "third", 4: "fourth", 5: "fifth" };
  return node[0] === "n" ? (words[node[2]] ?? `${node[2]}th`) : `${text(node)}th`;
}

/** @type {Record<string, (...parts: any[]) => string>} */
const NODE_WRITERS = {
  n: (number) => number,
  dice: diceText,
  name: (name) => name,
  join: (...parts) => parts.map(termText).join(" and "),
  repeat: (many, roll) => (isOne(many) ? totalText(roll) : `${text(many)} times ${bracketedText(roll)}`),
  sorted: (pool) => `${text(pool)}, sorted`,
  total: (pool) => `the total of ${bracketedText(pool)}`,
  keep: (how, many, pool) => `the ${endsText(how, many)} of ${bracketedText(pool)}`,
  drop: dropText,
  rank: (which, pool) => `the ${ordinalText(which)} highest of ${bracketedText(pool)}`,
  ranklow: (which, pool) => `the ${ordinalText(which)} lowest of ${bracketedText(pool)}`,
  median: (pool) => `the middle of ${bracketedText(pool)}`,
  explode: explodeText,
  reroll: rerollText,
  clamp: (how, limit, pool) =>
    `${bracketedText(pool)}, each shown as ${text(limit)} or ${how === "min" ? "more" : "less"}`,
  gain: gainText,
  shows: showsText,
  has: setText,
  all: (pool, faces) => `every die of ${bracketedText(pool)} shows ${facesText(faces)}`,
  largest: (pool) => `the largest set in ${bracketedText(pool)}`,
  run: (pool) => `the longest run in ${bracketedText(pool)}`,
  distinct: (pool) => `the number of different faces in ${bracketedText(pool)}`,
  distincts: (pool) => `distinct(${text(pool)})`,
  spread: (pool) => `the highest minus the lowest of ${bracketedText(pool)}`,
  groups: (size, faces, pool) =>
    `the number of groups of ${text(size)} or more equal dice${faces?.length ? ` showing ${facesText(faces)}` : ""} in ${bracketedText(pool)}`,
  selected: (kind, high, low, faces, pool) =>
    `${bracketedText(pool)}, ${kind === "keep" ? "only" : "without"} ${selectedText(high, low, faces)}`,
  gathered: (throws, pool) =>
    `the largest set in ${bracketedText(pool)} after ${text(throws)} throws, each of the dice that are not in the largest set`,
  race: (roll, wins, losses, goal, limit) =>
    `${bracketedText(roll)} makes ${raceSideText(goal, wins)} before it makes ${raceSideText(limit, losses)}`,
  opposed: (ties, left, right) =>
    `pairs that ${bracketedText(left)} wins against ${bracketedText(right)}, the highest first, with ties ${ties === "win" ? "won" : "lost"}`,
  multiplied: (pool) => `the product of ${bracketedText(pool)}`,
  neg: (value) => `-${bracketedText(value)}`,
  not: notText,
  and: (left, right) => `${text(left)} and ${text(right)}`,
  or: (left, right) => `${text(left)} or ${text(right)}`,
  if: (condition, then, other) => `${text(then)} if ${text(condition)} else ${text(other)}`,
  in: (value, list) => `${bracketedText(value)} in ${itemsText(list)}`,
  given: (question) => `${text(question)}, ties rolled again`,
  is: (value, faces) => `${summedText(value)} is ${facesText(faces)}`,
  list: (...list) => itemsText(list),
  items: itemsText,
  span: (low, high) => `span(${text(low)}, ${text(high)})`,
  range: (low, high) => `${text(low)}..${text(high)}`,
  let: bindingText,
  loop: (name, body, variable, rounds, condition) =>
    `${name}(${text(body)} for ${variable} in ${text(rounds)}${condition ? ` if ${text(condition)}` : ""})`,
  each: (name, rounds, body) => `${text(body)}, for ${name} in ${stepsText(rounds)}`,
  chances: (pool, sign, ...targets) => `${bracketedText(pool)} ${SIGN[sign]} ${targets.map(text).join(", ")}`,
  degree: (_, total, target) => `the degree of success of ${bracketedText(total)} against ${text(target)}`,
  bands: (pool, ...bands) => `${bracketedText(pool)}: ${bands.map(([name]) => name).join(", ")}`,
  swap: (faces, shown, pool) => `${bracketedText(pool)} with ${facesText(faces)} counting as ${text(shown)}`,
  needed: (name, share, body) => `the ${name} from which on the chance is ${text(share[2])} %: ${text(body)}`,
  call: (name, ...parts) => `${name}(${parts.map(text).join(", ")})`,
};
