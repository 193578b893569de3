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
export function nodeText(node) {
  const special = NODE_WRITERS[node[0]];
  if (special) return special(...node.slice(2));
  if (node[0] in SIGN)
    return (
      repeatedText(node[0], node[2], node[3]) || `${summedText(node[2])} is ${SIGN[node[0]]} ${summedText(node[3])}`
    );
  if (["+", "-", "*", "/", "//", "%"].includes(node[0])) {
    const long = ["+", "-"].includes(node[0]) && ["+", "-"].includes(node[2][0]);
    return `${long ? nodeText(node[2]) : termText(node[2])} ${node[0] === "%" ? "mod" : node[0]} ${termText(node[3])}`;
  }
  return `${node[0]}(${node
    .slice(2)
    .filter((each) => Array.isArray(each))
    .map(nodeText)
    .join(", ")})`;
}

/** Return a part of a larger question in words, in brackets if it could be misread. @param {Node} node */
const bracketedText = (node) => (LOOSE.includes(node[0]) ? `(${nodeText(node)})` : nodeText(node));

/** Return the words for a number that is compared. Dice beside each other count as their sum. @param {Node} node */
const summedText = (node) => (node[0] === "join" ? `the sum of ${nodeText(node)}` : bracketedText(node));

/** Return a term of a sum, or dice next to other dice, in words. @param {Node} node */
const termText = (node) => ([...PHRASES, "join"].includes(node[0]) ? `(${summedText(node)})` : bracketedText(node));

/** Return the words for a roll whose total stands beside other dice, as one of them. @param {Node} roll */
const totalText = (roll) =>
  roll[0] === "dice" && roll[2] && !isNumberOne(roll[2]) ? `(the total of ${nodeText(roll)})` : termText(roll);

/** Return whether a node is the number 1. @param {Node} node */
const isNumberOne = (node) => node.length === 3 && node[2] === "1";

/** @type {Record<string, string>} */
const TIMES = { ">=": "at least", "<=": "at most", "==": "exactly", ">": "more than", "<": "fewer than" };

/** Return the words for a question about several throws, such as "at least 1 of 24 times"; empty for any other.
 * @param {string} comparison @param {Node} value @param {Node} number */
function repeatedText(comparison, value, number) {
  if (!TIMES[comparison] || value[0] !== "gain" || value[2][0] !== "repeat") return "";
  const [, , pool, steps] = value;
  if (steps.length !== 1 || steps[0][0] !== "count") return "";
  const [face, ...more] = steps[0][1];
  if (more.length || face[0] !== "cond" || face[2] !== "==" || !isNumberOne(face[3])) return "";
  return `${TIMES[comparison]} ${nodeText(number)} of ${nodeText(pool[2])} times: ${nodeText(pool[3])}`;
}

/** @param {Node} value @param {Node[]} faces */
function boundsText(value, faces) {
  const [[kind, , comparison, number]] = faces;
  const repeated = faces.length === 1 && kind === "cond" ? repeatedText(comparison, value, number) : "";
  return repeated || `${summedText(value)} is ${facesText(faces)}`;
}

/** Return conditions on a face in words: "5 or 6", "8 or more", "from 19 to 20". @param {Node[]} faces */
const facesText = (faces) => faces.map(faceText).join(" or ");

/** @param {Node} node */
function faceText(node) {
  if (node[0] === "range") return `${nodeText(node[2])} to ${nodeText(node[3])}`;
  if (node[0] === "parity") return node[2] === "1" ? "an odd number" : "an even number";
  return BOUND[node[2]].join(nodeText(node[3]));
}

/** Return the words for the dice that are the highest or the lowest, or show some faces. @param {Node} high
 * @param {Node} low @param {Node[]} faces */
function selectedText(high, low, faces) {
  const ends = Object.entries({ highest: high, lowest: low })
    .filter(([, many]) => many[2] !== "0")
    .map(([end, many]) => `the ${end}${isNumberOne(many) ? "" : ` ${nodeText(many)}`}`);
  return (faces.length ? [...ends, `those showing ${facesText(faces)}`] : ends).join(" and ");
}

/** Return what one side of a race needs, such as "3 of 20 (counts 3) or 10 or more". Without faces it is of whatever
 * else is rolled. @param {Node} goal @param {[Node[], Node][] | null} faces */
function raceSideText(goal, faces) {
  if (!faces) return `${nodeText(goal)} of anything else`;
  const said = faces.map(
    ([shown, many]) => facesText(shown) + (isNumberOne(many) ? "" : ` (counts ${nodeText(many)})`),
  );
  return `${nodeText(goal)} of ${said.join(" or ")}`;
}

/** @param {Node | null} count @param {Node} sides */
function diceText(count, sides) {
  const short = count && (count[0] === "n" || (count[0] === "name" && count[2].length === 1));
  const number = !count ? "" : short ? nodeText(count) : `(${nodeText(count)})`;
  if (sides[0] === "faces") return `${number}d{${sides.slice(2).map(sideText).join(", ")}}`;
  return `${number === "1" ? "" : number}d${["n", "digits"].includes(sides[0]) ? sides[2] : `(${nodeText(sides)})`}`;
}

/** @param {Node} node */
function sideText(node) {
  if (node[0] === "weighted") return `${nodeText(node[2])}:${node[3]}`;
  return node[0] === "range" ? `${nodeText(node[2])}..${nodeText(node[3])}` : nodeText(node);
}

/** @param {string} end @param {Node} count */
const keptDiceText = (end, count) => `${ENDS[end]}${isNumberOne(count) ? "" : ` ${nodeText(count)}`}`;

/** @param {string} end @param {Node} count @param {Node} pool @returns {string} */
function dropText(end, count, pool) {
  if (pool[0] === "drop") return `${dropText(pool[2], pool[3], pool[4])} and the ${keptDiceText(end, count)}`;
  const rolled = pool[0] === "keep" ? `(${nodeText(pool)})` : bracketedText(pool);
  return `${rolled} without the ${keptDiceText(end, count)}`;
}

/** @param {string} explosionKind @param {Node[] | null} faces @param {Node | null} limit @param {Node} pool */
function explodeText(explosionKind, faces, limit, pool) {
  const shown = faces ? `on ${facesText(faces)}` : "on the highest face";
  if (explosionKind === "some" && limit)
    return `${bracketedText(pool)} exploding into at most ${nodeText(limit)} further dice ${shown}`;
  const words =
    explosionKind === "sum" || explosionKind === "word"
      ? "exploding"
      : explosionKind === "add"
        ? "exploding into further dice"
        : "penetrating";
  const times = !limit ? "" : isNumberOne(limit) ? ", once" : `, at most ${nodeText(limit)} times`;
  return `${bracketedText(pool)} ${words} ${shown}${times}`;
}

/** @param {string} rerollKind @param {Node[]} faces @param {Node} limit @param {Node} pool */
function rerollText(rerollKind, faces, limit, pool) {
  const shown = facesText(faces);
  if (rerollKind === "keep") return `${bracketedText(pool)} rolled until it shows ${shown}`;
  if (rerollKind === "some")
    return `${bracketedText(pool)} with at most ${nodeText(limit)} of the dice showing ${shown} rerolled once`;
  return `${bracketedText(pool)} with ${shown} rerolled ${rerollKind === "once" ? "once" : "until it is gone"}`;
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
    else words.push(`each shown as ${nodeText(what)} ${kind === "atleast" ? "or more" : "or less"}`);
  if (steps[0][0] !== "count") return `${bracketedText(pool)}, ${words.join(", ")}`;
  return words.length > 1 ? `${words.join(", ")}, in ${bracketedText(pool)}` : `${words[0]} in ${bracketedText(pool)}`;
}

/** @param {Node} pool @param {[Node, Node[]][]} wantedFaces */
function showsText(pool, ...wantedFaces) {
  const parts = wantedFaces.map(([many, faces]) => {
    const number = nodeText(many);
    return `${number === "1" ? "at least one" : `at least ${number} times`} ${facesText(faces)}`;
  });
  return `${parts.join(" and ")} in ${bracketedText(pool)}`;
}

/** @param {any[]} kind @param {Node} pool */
function faceSetText([name, many], pool) {
  const number = many ? nodeText(many) : "";
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
function negationText(value) {
  if (value[0] === "shows" && value.length === 4 && isNumberOne(value[3][0]))
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
    ? `${nodeText(substituteName(body, name, value))}, with ${nodeText(value)} rolled once`
    : `${name} = ${nodeText(value)}; ${nodeText(body)}`;

/** @param {any[]} list @returns {string} */
const itemsText = (list) =>
  `[${list.map((each) => (typeof each[0] === "string" ? nodeText(each) : itemsText(each))).join(", ")}]`;

/** @param {Node} node */
const stepsText = (node) => (node[0] === "items" ? itemsText(node[2]) : `${nodeText(node[2])}..${nodeText(node[3])}`);

/** Return an ordinal number in words. @param {Node} node */
function ordinalText(node) {
  /** @type {Record<string, string>} */
  const words = { 1: "", 2: "second", 3: "third", 4: "fourth", 5: "fifth" };
  return node[0] === "n" ? (words[node[2]] ?? `${node[2]}th`) : `${nodeText(node)}th`;
}

/** @type {Record<string, (...parts: any[]) => string>} */
const NODE_WRITERS = {
  n: (number) => number,
  dice: diceText,
  name: (name) => name,
  join: (...parts) => parts.map(termText).join(" and "),
  repeat: (many, roll) => (isNumberOne(many) ? totalText(roll) : `${nodeText(many)} times ${bracketedText(roll)}`),
  sorted: (pool) => `${nodeText(pool)}, sorted`,
  total: (pool) => `the total of ${bracketedText(pool)}`,
  keep: (how, many, pool) => `the ${keptDiceText(how, many)} of ${bracketedText(pool)}`,
  drop: dropText,
  rank: (which, pool) => `the ${ordinalText(which)} highest of ${bracketedText(pool)}`,
  ranklow: (which, pool) => `the ${ordinalText(which)} lowest of ${bracketedText(pool)}`,
  median: (pool) => `the middle of ${bracketedText(pool)}`,
  explode: explodeText,
  reroll: rerollText,
  clamp: (how, limit, pool) =>
    `${bracketedText(pool)}, each shown as ${nodeText(limit)} or ${how === "min" ? "more" : "less"}`,
  gain: gainText,
  shows: showsText,
  has: faceSetText,
  all: (pool, faces) => `every die of ${bracketedText(pool)} shows ${facesText(faces)}`,
  largest: (pool) => `the largest set in ${bracketedText(pool)}`,
  run: (pool) => `the longest run in ${bracketedText(pool)}`,
  distinct: (pool) => `the number of different faces in ${bracketedText(pool)}`,
  distincts: (pool) => `distinct(${nodeText(pool)})`,
  spread: (pool) => `the highest minus the lowest of ${bracketedText(pool)}`,
  groups: (size, faces, pool) =>
    `the number of groups of ${nodeText(size)} or more equal dice${faces?.length ? ` showing ${facesText(faces)}` : ""} in ${bracketedText(pool)}`,
  selected: (kind, high, low, faces, pool) =>
    `${bracketedText(pool)}, ${kind === "keep" ? "only" : "without"} ${selectedText(high, low, faces)}`,
  gathered: (throws, pool) =>
    `the largest set in ${bracketedText(pool)} after ${nodeText(throws)} throws, each of the dice that are not in the largest set`,
  race: (roll, wins, losses, goal, limit) =>
    `${bracketedText(roll)} makes ${raceSideText(goal, wins)} before it makes ${raceSideText(limit, losses)}`,
  opposed: (ties, left, right) =>
    `pairs that ${bracketedText(left)} wins against ${bracketedText(right)}, the highest first, with ties ${ties === "win" ? "won" : "lost"}`,
  multiplied: (pool) => `the product of ${bracketedText(pool)}`,
  neg: (value) => `-${bracketedText(value)}`,
  not: negationText,
  and: (left, right) => `${nodeText(left)} and ${nodeText(right)}`,
  or: (left, right) => `${nodeText(left)} or ${nodeText(right)}`,
  if: (condition, then, other) => `${nodeText(then)} if ${nodeText(condition)} else ${nodeText(other)}`,
  in: (value, list) => `${bracketedText(value)} in ${itemsText(list)}`,
  given: (question) => `${nodeText(question)}, ties rolled again`,
  is: boundsText,
  list: (...list) => itemsText(list),
  items: itemsText,
  span: (low, high) => `span(${nodeText(low)}, ${nodeText(high)})`,
  range: (low, high) => `${nodeText(low)}..${nodeText(high)}`,
  let: bindingText,
  loop: (name, body, variable, rounds, condition) =>
    `${name}(${nodeText(body)} for ${variable} in ${nodeText(rounds)}${condition ? ` if ${nodeText(condition)}` : ""})`,
  each: (name, rounds, body) => `${nodeText(body)}, for ${name} in ${stepsText(rounds)}`,
  chances: (pool, sign, ...targets) => `${bracketedText(pool)} ${SIGN[sign]} ${targets.map(nodeText).join(", ")}`,
  degree: (_, total, target) => `the degree of success of ${bracketedText(total)} against ${nodeText(target)}`,
  bands: (pool, ...bands) => `${bracketedText(pool)}: ${bands.map(([name]) => name).join(", ")}`,
  swap: (faces, shown, pool) => `${bracketedText(pool)} with ${facesText(faces)} counting as ${nodeText(shown)}`,
  needed: (name, share, body) => `the ${name} from which on the chance is ${nodeText(share[2])} %: ${nodeText(body)}`,
  call: (name, ...parts) => `${name}(${parts.map(nodeText).join(", ")})`,
};
