// @ts-check
/** The book of a game (play.json) opened at a setting: rules to play by, and the tables of proven play. */

import { Game } from "./game.mjs";
import { Policy, unpacked, Values } from "./policy.mjs";
import { Rules } from "./rules.mjs";

/** @typedef {{name: string, kind: "best" | "random" | "named" | "mixture", policy: string | null,
 *   best: [number, number] | null, odds: string[]}} Opponent */
/** @typedef {{slug: string, label: string, seats: number, parameters: Record<string, any>, unit: string, policy: string,
 *   values: string | null, opponents?: Opponent[], wager?: string}} Setting `wager` is what can be lost at most, a fraction in
 *   units of the payoff, where the game is a bet against the house */
/** @typedef {{bundle: any, words: import("./view.mjs").Words, settings: Setting[]}} Book */
/** @typedef {{game: Game, rules: Rules, policy: Policy, values: Values | null, setting: Setting,
 *   words: import("./view.mjs").Words}} Ready */

/** A game ready to be played. @param {Book} book @param {Setting} setting
 * @param {(name: string) => Promise<ArrayBuffer>} load gives a file that stands beside play.json @returns {Promise<Ready>} */
export async function opened(book, setting, load) {
  const game = new Game(book.bundle, setting.seats, setting.parameters);
  const policy = new Policy(await unpacked(await load(setting.policy)), game);
  const values = setting.values ? new Values(await unpacked(await load(setting.values)), policy) : null;
  return { game, rules: new Rules(game), policy, values, setting, words: book.words };
}
