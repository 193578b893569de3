// @ts-check
/** Rolls: the rules ask for dice, Foundry rolls them by a formula, and its results become values of the rules. */

import { valueByWeight } from "../../runtime/rules/random.mjs";
import { RuleFailure, Hand } from "../../runtime/rules/values.mjs";
import { checkedActionsAt, applyEntry, makeRollEntry } from "../../runtime/table/record.mjs";
import { RefusedRequest } from "../world/shapes.mjs";

/** @typedef {import("../world/shapes.mjs").Cast} Cast */
/** @typedef {import("../../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {import("../../runtime/table/record.mjs").Entry} Entry */
/** @typedef {import("../../runtime/rules/rules.mjs").Request} Request */
/** @typedef {import("../../runtime/rules/rules.mjs").State} State */
/** @typedef {import("../../runtime/rules/rules.mjs").Step} Step */
/** @typedef {import("../../runtime/table/record.mjs").Told} Told */
/** @typedef {import("../world/shapes.mjs").Look} Look */
/** @typedef {{casts: Cast[], values: [string, any][] | null, drawn: boolean, looks: Look[]}} Thrown no values if the
 * rules break after some of the rolls; `drawn` if all dice can roll on the screen; `looks` of those with faces of their
 * own */

/** The numbers of sides that every tabletop draws. */
const SHAPES = [2, 4, 6, 8, 10, 12, 20];
/** The most letters on a side. */
const LETTERS = 3;

/** The sum of weights. @param {readonly number[]} weights */
const totalWeight = (weights) => weights.reduce((sum, weight) => sum + weight, 0);

/** The dice to roll for a request. A weighted die, or a bag, becomes a die with one side for every unit of weight.
 * @param {Request} request @returns {{count: number, sides: number}[]} */
function diceToRoll(request) {
  if ("items" in request) return [{ count: 1, sides: totalWeight(request.items.map(([, count]) => count)) }];
  return request.dice
    .filter(([count]) => count > 0)
    .map(([count, die]) => ({ count, sides: totalWeight(die.weights) }));
}

/** The formula of a request, such as "2d6 + 1d8"; empty if there is no die to roll. @param {Request} request */
export function rollFormula(request) {
  return diceToRoll(request)
    .map(({ count, sides }) => `${count}d${sides}`)
    .join(" + ");
}

/** For each die of a request, the texts on its sides; null for a die that cannot be drawn.
 * @param {import("../../runtime/rules/game.mjs").Game} game @param {Request} request
 * @returns {(string[] | null)[]} */
function textsOnSides(game, request) {
  const kinds =
    "items" in request
      ? [request.items.map(([item, count]) => [String(item), count])]
      : request.dice
          .filter(([count]) => count > 0)
          .map(([, { kind, faces, weights }]) => faces.map((face, at) => [game.faceName(kind, face), weights[at]]));
  return /** @type {[string, number][][]} */ (kinds).map((faces) => {
    if (totalWeight(faces.map(([, weight]) => weight)) > Math.max(...SHAPES)) return null;
    const names = faces.flatMap(([name, weight]) => Array(weight).fill(name));
    return shortSideTexts(names) && names;
  });
}

/** Return texts that fit on the sides of a die: as many first letters as tell them apart, if that many fit.
 * @param {string[]} faceNames @returns {string[] | null} null if that many do not fit */
function shortSideTexts(faceNames) {
  const different = new Set(faceNames).size;
  const cut = (/** @type {number} */ most) => faceNames.map((name) => [...name].slice(0, most).join(""));
  if (faceNames.every((name) => [...name].length <= LETTERS)) return faceNames;
  return [1, 2, LETTERS].map(cut).find((texts) => new Set(texts).size === different) ?? null;
}

/** How a die is drawn whose sides are not the numbers from 1 on; null if they are.
 * @param {string[]} faceNames @returns {Look | null} */
function lookOfDie(faceNames) {
  if (faceNames.every((name, at) => name === String(at + 1))) return null;
  const labels = shortSideTexts(faceNames) ?? faceNames;
  return { system: `oddsmith ${labels.join(" ")}`, sides: faceNames.length, labels };
}

/** Whether something is a valid look of dice. Anybody may have written it. @param {any} value
 * @returns {look is Look} */
export function isDiceLook(value) {
  return (
    SHAPES.includes(value?.sides) &&
    Array.isArray(value.labels) &&
    value.labels.length === value.sides &&
    value.labels.every((/** @type {any} */ text) => typeof text === "string" && [...text].length <= LETTERS) &&
    value.system === `oddsmith ${value.labels.join(" ")}`
  );
}

/** The hand or item that the results of a roll give. Throws RefusedRequest if the roll has another formula than the
 * request.
 * @param {Request} request
 * @param {Cast | null} rollResult @returns {any} */
export function rolledValue(request, rollResult) {
  const terms = rollResult?.dice ?? [];
  const wanted = diceToRoll(request);
  const fits =
    (rollResult?.formula ?? "") === rollFormula(request) &&
    terms.length === wanted.length &&
    terms.every(
      ({ faces, results }, i) =>
        faces === wanted[i].sides &&
        results.length === wanted[i].count &&
        results.every((one) => Number.isInteger(one) && one >= 1 && one <= faces),
    );
  if (!fits) throw new RefusedRequest("action");
  if ("items" in request) return valueByWeight(request.items, terms[0].results[0] - 1);
  const thrown = request.dice.filter(([count]) => count > 0);
  return new Hand(
    thrown.flatMap(([, die], i) =>
      terms[i].results.map(
        (one) =>
          /** @type {const} */ ([
            valueByWeight(
              die.faces.map((face, at) => [face, die.weights[at]]),
              one - 1,
            ),
            die.kind,
          ]),
      ),
    ),
  );
}

/** Roll for all requests of a position, one after the other.
 * @param {import("../../runtime/rules/rules.mjs").Rules} rules @param {State} state
 * @param {(formula: string, looks: (Look | null)[]) => Promise<Cast>} rollDice @returns {Promise<Thrown>} */
export async function rollAllRequests(rules, state, rollDice) {
  /** @type {Cast[]} */
  const casts = [];
  /** @type {Map<string, Look>} */
  const looks = new Map();
  let drawn = true;
  const asked = rules.requests(state);
  const after = (/** @type {any} */ fallen) => nullIfRulesFail(() => asked.next(fallen));
  let step = after(undefined);
  while (step && !step.done) {
    const due = rollFormula(step.value);
    const sides = textsOnSides(rules.game, step.value);
    const seen = sides.map((names) => names && lookOfDie(names));
    drawn &&= sides.every((names, at) => names && (!seen[at] || SHAPES.includes(names.length)));
    for (const look of seen) if (look) looks.set(look.system, look);
    const made = due ? await rollDice(due, seen) : null;
    if (made) casts.push(made);
    step = after(rolledValue(step.value, made));
  }
  return { casts, values: step && step.value.values, drawn, looks: [...looks.values()] };
}

/** Compare dice, which somebody may have changed, with those of a log: "same", "more" if there are further dice after
 * them, else "other".
 * @param {Ready} loadedGame @param {readonly {before: State, entry: Entry}[]} loggedRolls with the state of each
 * @param {readonly Cast[]} rollResults
 * @returns {Promise<"same" | "more" | "other">} */
export async function compareDiceWithLog({ game, rules }, loggedRolls, rollResults) {
  const left = [...rollResults];
  for (const { before, entry } of loggedRolls) {
    const thrown = await rollAllRequests(rules, before, async () => /** @type {Cast} */ (left.shift())).catch(
      () => null,
    );
    const fallen = thrown?.values && makeRollEntry(game, before.mover, thrown.values);
    if (
      !fallen ||
      !("throw" in entry) ||
      JSON.stringify(Object.values(fallen)) !== JSON.stringify([entry.seat, entry.throw])
    )
      return "other";
  }
  return left.length ? "more" : "same";
}

/** The step and the move of a log entry; null if the rules refuse the entry or break after it. They can break in the
 * middle of a game in a setting that was never solved.
 * @param {Ready} loadedGame @param {State} state
 * @param {Entry} entry
 * @returns {{step: Step, move: Told} | null} */
export function moveFromEntry(loadedGame, state, entry) {
  return nullIfRulesFail(() => {
    const made = applyEntry(loadedGame, state, entry);
    checkedActionsAt(loadedGame, made.step.state);
    return made;
  });
}

/** The result of a function; null if the rules break in it. @template T @param {() => T} compute @returns {T | null} */
function nullIfRulesFail(compute) {
  try {
    return compute();
  } catch (error) {
    if (error instanceof RuleFailure) return null;
    throw error;
  }
}
