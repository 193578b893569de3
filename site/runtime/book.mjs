// @ts-check
/** The book of a game (play.json) opened at a setting: rules to play by, and the tables of proven play. */

import { Game, SettingError, settings } from "./game.mjs";
import { Policy, unpacked, Values } from "./policy.mjs";
import { Rules } from "./rules.mjs";

/** @typedef {{name: string, kind: "best" | "random" | "named" | "mixture", policy: string | null,
 *   best: [number, number] | null, odds: string[]}} Opponent */
/** @typedef {{slug: string, label: string, seats: number, parameters: Record<string, any>, unit: string, objective: string,
 *   share: boolean, policy: string | null,
 *   values: string | null, opponents?: Opponent[], wager?: string}} Setting `share`: the objective is a share of one
 *   win; `policy` is null where nothing was solved; `wager` is what can be lost at most, a fraction in units of the payoff, where the game is a bet against the house */
/** @typedef {{bundle: any, words: import("./view.mjs").Words, settings: Setting[]}} Book */
/** @typedef {{game: Game, rules: Rules, policy: Policy | null, values: Values | null, setting: Setting,
 *   words: import("./view.mjs").Words}} Ready */

/** The slug of a setting by its seats and parameter values: that of a solved one where there is one, else a name that
 * `settingOf` understands: "=3 target=50". @param {Book} book @param {number} seats @param {Record<string, any>} [values] */
export function slugOf(book, seats, values = {}) {
  const wanted = settings(book.bundle, values);
  const same = (/** @type {Setting} */ { seats: mine, parameters }) =>
    mine === seats && Object.entries(wanted).every(([name, value]) => parameters[name] === value);
  const given = Object.entries(wanted).filter(([name, value]) => value !== book.bundle.parameters[name]?.default);
  return book.settings.find(same)?.slug ?? [`=${seats}`, ...given.map(([name, value]) => `${name}=${value}`)].join(" ");
}

/** A setting by its slug, solved or not; null where the rules have no such setting. @param {Book} book @param {string} slug
 * @returns {Setting | null} */
export function settingOf(book, slug) {
  const solved = book.settings.find((one) => one.slug === slug);
  if (solved || !slug.startsWith("=")) return solved ?? null;
  const [seats, ...given] = slug.slice(1).split(" ");
  const values = Object.fromEntries(given.map((text) => [text.split("=")[0], valueOf(text.slice(text.indexOf("=") + 1))]));
  try {
    const { parameters } = new Game(book.bundle, Number(seats), values);
    const { unit, objective, share } = book.settings[0];
    return { slug, label: slug.slice(1), seats: Number(seats), parameters, unit, objective, share, policy: null, values: null,
      opponents: unproven(book.bundle) };
  } catch (error) {
    if (error instanceof SettingError) return null;
    throw error;
  }
}

/** @param {string} text */
function valueOf(text) {
  if (text === "true" || text === "false") return text === "true";
  return /^-?\d+$/.test(text) ? Number(text) : text;
}

/** How seats can play that need no table of best play. @param {any} bundle @returns {Opponent[]} */
function unproven(bundle) {
  const named = Object.keys(bundle.policies).map((policy) => (
    { name: policy[0].toUpperCase() + policy.slice(1), kind: /** @type {const} */ ("named"), policy, best: null, odds: [] }));
  return [...named, { name: "Any legal action", kind: "random", policy: null, best: null, odds: [] }];
}

/** A game ready to be played. @param {Book} book @param {Setting} setting
 * @param {(name: string) => Promise<ArrayBuffer>} load gives a file that stands beside play.json @returns {Promise<Ready>} */
export async function opened(book, setting, load) {
  const game = new Game(book.bundle, setting.seats, setting.parameters);
  const policy = setting.policy === null ? null : new Policy(await unpacked(await load(setting.policy)), game);
  const values = policy && setting.values ? new Values(await unpacked(await load(setting.values)), policy) : null;
  return { game, rules: new Rules(game), policy, values, setting, words: book.words };
}
