// @ts-check
/** Replays the plays that Python wrote down and compares: every move legal, every payoff and every best action the
 * same. */

import { verified } from "../runtime/table/record.mjs";

/** @typedef {import("./world/games.mjs").Games} Games */
/** @typedef {{plays: number, moves: number, decisions: number, faults: string[]}} Found what was compared, and each
 * difference */

/** Replay checks.json. @param {Games} library @returns {Promise<Found>} */
export async function selfTest(library) {
  const checks = JSON.parse(new TextDecoder().decode(await library.load("checks.json")));
  /** @type {Found} */
  const found = { plays: 0, moves: 0, decisions: 0, faults: [] };
  for (const play of checks.plays) {
    try {
      await replayed(library, play, found);
    } catch (error) {
      found.faults.push(`${play.game}, play ${found.plays + 1}: ${/** @type {Error} */ (error).message}`);
    }
    found.plays += 1;
  }
  return found;
}

/** @param {Games} library @param {any} check a transcript, with the `setting` that it is of and `best`, the place of
 * the proven action of every choice @param {Found} found */
async function replayed(library, check, found) {
  const { best, setting, ...play } = check;
  const [listed, file] = [await library.game(play.game), await library.file(play.game)];
  const same = (/** @type {Record<string, any>} */ parameters) =>
    Object.entries(parameters).every(([name, value]) => play.parameters[name] === value);
  const settings = file.settings.filter(({ slug, seats, parameters }) =>
    setting ? slug === setting : seats === play.seats && same(parameters),
  );
  if (!settings.length) throw new Error("there is no such setting");
  /** @type {string[]} */
  const wrong = [];
  for (const { slug } of settings) {
    const ready = await library.ready(play.game, slug);
    const { moves } = verified(ready, listed.rules, play);
    const choices = moves.filter(({ action }) => action);
    const at = choices.findIndex(({ before }, i) => best[i] !== null && ready.policy?.best(before) !== best[i]);
    if (at < 0) {
      found.moves += moves.length;
      found.decisions += choices.length;
      return;
    }
    wrong.push(`${slug}: another best action at choice ${at + 1}`);
  }
  throw new Error(wrong.join("; ")); // settings that differ in their objective alone: one of them must agree
}
