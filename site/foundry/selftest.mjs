// @ts-check
/** Replays games that the Python program recorded, and checks that every move is legal and that every payoff and best
 * action is the same. */

import { verifyTranscript } from "../runtime/table/record.mjs";

/** @typedef {import("./world/games.mjs").Games} Games */
/** @typedef {{plays: number, moves: number, decisions: number, faults: string[]}} Found what was compared, and each
 * difference */

/** Replay all games of checks.json. @param {Games} library @returns {Promise<Found>} */
export async function replayChecks(library) {
  const checks = JSON.parse(new TextDecoder().decode(await library.load("checks.json")));
  /** @type {Found} */
  const counted = { plays: 0, moves: 0, decisions: 0, faults: [] };
  for (const play of checks.plays) {
    try {
      await replayPlay(library, play, counted);
    } catch (error) {
      counted.faults.push(`${play.game}, play ${counted.plays + 1}: ${/** @type {Error} */ (error).message}`);
    }
    counted.plays += 1;
  }
  return counted;
}

/** Replay one recorded game, and add what was compared to `totals`. Throws an Error if a move, payoff or best action
 * differs. @param {Games} gameLibrary
 * @param {any} recordedPlay a transcript, with the `setting` that it is of and `best`, the place of the proven action
 * of every choice @param {Found} totals */
async function replayPlay(gameLibrary, recordedPlay, totals) {
  const { best, setting, ...play } = recordedPlay;
  const [listed, file] = [await gameLibrary.game(play.game), await gameLibrary.playFile(play.game)];
  const same = (/** @type {Record<string, any>} */ parameters) =>
    Object.entries(parameters).every(([name, value]) => play.parameters[name] === value);
  const settings = file.settings.filter(({ slug, seats, parameters }) =>
    setting ? slug === setting : seats === play.seats && same(parameters),
  );
  if (!settings.length) throw new Error("there is no such setting");
  /** @type {string[]} */
  const wrong = [];
  for (const { slug } of settings) {
    const loadedGame = await gameLibrary.openSetting(play.game, slug);
    const { moves } = verifyTranscript(loadedGame, listed.rules, play);
    const choices = moves.filter(({ action }) => action);
    const at = choices.findIndex(({ before }, i) => best[i] !== null && loadedGame.policy?.best(before) !== best[i]);
    if (at < 0) {
      totals.moves += moves.length;
      totals.decisions += choices.length;
      return;
    }
    wrong.push(`${slug}: another best action at choice ${at + 1}`);
  }
  throw new Error(wrong.join("; ")); // settings that differ in their objective alone: one of them must agree
}
