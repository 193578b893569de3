// @ts-check
/** Rolls: the rules ask for dice, Foundry rolls them by a formula, and its results become values of the rules. */

import { valueByWeight } from "../../runtime/rules/random.mjs";
import { Broken, Hand } from "../../runtime/rules/values.mjs";
import { checkedActionsAt, applyEntry, throwEntry } from "../../runtime/table/record.mjs";
import { RefusedRequest } from "../world/shapes.mjs";

/** @typedef {import("../world/shapes.mjs").Cast} Cast */
/** @typedef {import("../../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {import("../../runtime/table/record.mjs").Entry} Entry */
/** @typedef {import("../../runtime/rules/rules.mjs").Request} Request */
/** @typedef {import("../../runtime/rules/rules.mjs").State} State */
/** @typedef {import("../../runtime/rules/rules.mjs").Step} Step */
/** @typedef {import("../../runtime/table/record.mjs").Told} Told */
/** @typedef {{casts: Cast[], values: [string, any][] | null, numbered: boolean}} Thrown no values if the rules break
 * after some of the rolls; `numbered` if the faces of all dice are those of the tabletop's */

/** @param {readonly number[]} weights */
const total = (weights) => weights.reduce((sum, weight) => sum + weight, 0);

/** The dice to roll for a request. A weighted die, or a bag, becomes a die with one side for every unit of weight.
 * @param {Request} request @returns {{count: number, sides: number}[]} */
function diceOf(request) {
  if ("items" in request) return [{ count: 1, sides: total(request.items.map(([, count]) => count)) }];
  return request.dice.filter(([count]) => count > 0).map(([count, die]) => ({ count, sides: total(die.weights) }));
}

/** The formula of a request, such as "2d6 + 1d8"; empty if there is no die to roll. @param {Request} request */
export function rollFormula(request) {
  return diceOf(request)
    .map(({ count, sides }) => `${count}d${sides}`)
    .join(" + ");
}

/** Whether the dice that Foundry rolls have the same faces as the game's own: numbers from one, each once.
 * @param {import("../../runtime/rules/game.mjs").Game} game @param {Request} request */
function hasTabletopFaces(game, request) {
  if ("items" in request) return false;
  return request.dice.every(
    ([count, { kind, faces, weights }]) =>
      !count || faces.every((face, at) => weights[at] === 1 && game.faceName(kind, face) === String(at + 1)),
  );
}

/** Convert the results of a roll to values of the rules. Throws RefusedRequest if the roll has another formula.
 * @param {Request} request
 * @param {Cast | null} cast @returns {any} */
export function readDice(request, cast) {
  const terms = cast?.dice ?? [];
  const wanted = diceOf(request);
  const fits =
    (cast?.formula ?? "") === rollFormula(request) &&
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
 * @param {(formula: string) => Promise<Cast>} roll @returns {Promise<Thrown>} */
export async function rollAll(rules, state, roll) {
  /** @type {Cast[]} */
  const casts = [];
  let all = true;
  const asked = rules.requests(state);
  const after = (/** @type {any} */ fallen) => nullIfBroken(() => asked.next(fallen));
  let step = after(undefined);
  while (step && !step.done) {
    const due = rollFormula(step.value);
    const made = due ? await roll(due) : null;
    if (made) casts.push(made);
    all &&= hasTabletopFaces(rules.game, step.value);
    step = after(readDice(step.value, made));
  }
  return { casts, values: step && step.value.values, numbered: all };
}

/** Compare dice, which somebody may have changed, with those of a log: "same", "more" if there are further dice after
 * them, else "other".
 * @param {Ready} ready @param {readonly {before: State, entry: Entry}[]} throws with the state of each
 * @param {readonly Cast[]} casts
 * @returns {Promise<"same" | "more" | "other">} */
export async function compareDice({ game, rules }, throws, casts) {
  const left = [...casts];
  for (const { before, entry } of throws) {
    const thrown = await rollAll(rules, before, async () => /** @type {Cast} */ (left.shift())).catch(() => null);
    const fallen = thrown?.values && throwEntry(game, before.mover, thrown.values);
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
 * @param {Ready} ready @param {State} state
 * @param {Entry} entry
 * @returns {{step: Step, move: Told} | null} */
export function moveFrom(ready, state, entry) {
  return nullIfBroken(() => {
    const made = applyEntry(ready, state, entry);
    checkedActionsAt(ready, made.step.state);
    return made;
  });
}

/** The result of a function; null if the rules break in it. @template T @param {() => T} act @returns {T | null} */
function nullIfBroken(act) {
  try {
    return act();
  } catch (error) {
    if (error instanceof Broken) return null;
    throw error;
  }
}
