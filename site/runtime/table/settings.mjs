// @ts-check
/** The book of a game (play.json) opened at a setting: rules to play by, and the tables of proven play. */

import { Game, SettingError, settings } from "./game.mjs";
import { Policy, unpacked, Values } from "./policy.mjs";
import { Rules } from "./rules.mjs";
import { plain, tell } from "./words.mjs";

/** @typedef {{amount: string, grade: "exact" | "proven", side?: "under" | "over"}} Odds what a seat gets, in percent where that is
 *   a chance; `side` where it is only so near to 0 or 100 */
/** @typedef {{kind: "best" | "along" | "random" | "named" | "mixture", policy: string | null, best: [number, number] | null,
 *   odds: Odds[], pot?: Odds[]}} Opponent `along`: nobody decides anything; `best`: of how many decisions of a mixture so many are proven play;
 *   `odds` by seat, if all others play best, and `pot` where a pot goes by another payoff than they play for */
/** @typedef {{slug: string, seats: number, parameters: Record<string, any>, unit: string, objective: string, share: boolean,
 *   chance?: boolean, aside?: boolean, policy: string | null, values: string | null, opponents?: Opponent[], wager?: string}} Setting
 *   `share`: the objective is a share of one win; `chance`: its mean is a chance, as that of a share is; `aside`: it is not that of the main game; `policy`
 *   is null where nothing was solved; `wager` is what can be lost at most, a fraction in units of the payoff, where the game is a
 *   bet against the house */
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

/** What every size must meet, a sentence each. @param {Book} book @returns {string[]} */
export function required({ bundle }) {
  return (bundle.require ?? []).map((/** @type {any} */ { about }) => about);
}

/** A setting by its slug, solved or not; null where the rules have no such setting. @param {Book} book @param {string} slug
 * @returns {Setting | null} */
export function settingOf(book, slug) {
  const solved = book.settings.find((one) => one.slug === slug);
  if (solved || !slug.startsWith("=")) return solved ?? null;
  const [seats, ...given] = slug.slice(1).split(" ");
  const values = Object.fromEntries(given.map((text) => {
    const [name] = text.split("=", 1);
    return [name, valueOf(text.slice(name.length + 1), Object.hasOwn(book.bundle.parameters, name) && book.bundle.parameters[name])];
  }));
  try {
    const { parameters } = new Game(book.bundle, Number(seats), values);
    const { unit, objective, share, chance, aside } = likest(book, Number(seats));
    return { slug, seats: Number(seats), parameters, unit, objective, share, chance, aside, policy: null, values: null,
      opponents: unproven(book.bundle) };
  } catch (error) {
    if (error instanceof SettingError) return null;
    throw error;
  }
}

/** What a text says, as a parameter is declared; the text itself where it says nothing that the parameter can be.
 * @param {string} text @param {any} parameter as the bundle has it, or false for one that is not there */
function valueOf(text, parameter) {
  if (!parameter) return text;
  const several = typeof parameter.default === "boolean" ? [true, false] : parameter.one_of;
  if (several.length) return several.find((/** @type {any} */ one) => String(one) === text) ?? text;
  return /^-?\d+$/.test(text) ? Number(text) : text;
}

/** The solved setting that tells what so many players play for: one who is alone often plays for something else.
 * @param {Book} book @param {number} seats */
function likest({ settings }, seats) {
  return settings.find((one) => one.seats === seats) ?? settings.find((one) => (one.seats > 1) === (seats > 1)) ?? settings[0];
}

/** How seats can play that need no table of best play. @param {any} bundle @returns {Opponent[]} */
function unproven(bundle) {
  const named = Object.keys(bundle.policies).map((policy) => (
    { kind: /** @type {const} */ ("named"), policy, best: null, odds: [] }));
  return [...named, { kind: "random", policy: null, best: null, odds: [] }];
}

/** The variant that a setting is, of several the one that changes most, and all that the setting changes besides.
 * @param {any} bundle @param {Setting} setting */
function houseRules(bundle, { seats, parameters }) {
  const changed = Object.entries(parameters).filter(([name, value]) => value !== bundle.parameters[name].default);
  const most = { variant: "", besides: changed };
  for (const [variant, set] of Object.entries(bundle.variants)) {
    const besides = changed.filter(([name]) => !Object.hasOwn(set, name));
    const is = Object.entries(set).every(([name, value]) => (name === "seats" ? seats : parameters[name]) === value);
    if (is && besides.length < most.besides.length) Object.assign(most, { variant, besides });
  }
  return most;
}

/** A setting as people read it: players, house rules, and the objective where it is not that of the main game.
 * @param {{bundle: any}} rules a book, or a game @param {Setting} setting */
export function settingText({ bundle }, setting) {
  const { seats, objective, aside } = setting;
  const { variant, besides } = houseRules(bundle, setting);
  const rules = besides.map(([name, value]) => `${plain(name)} ${typeof value === "boolean" ? tell(value ? "yes" : "no") : plain(String(value))}`);
  if (variant) rules.unshift(plain(variant));
  if (aside) rules.push(tell("for", { objective: plain(objective) }));
  const players = seats === 1 ? tell("onePlayer") : tell("players", { number: seats });
  return rules.length ? tell("rules", { players, rules: rules.join(", ") }) : players;
}

/** What the variant that a setting is changes, in the words of the rules; empty where they say nothing. @param {Book} book
 * @param {Setting} setting */
export function settingAbout(book, setting) {
  return book.words.variants?.[houseRules(book.bundle, setting).variant] ?? "";
}

/** A game ready to be played. @param {Book} book @param {Setting} setting
 * @param {(name: string) => Promise<ArrayBuffer>} load gives a file that stands beside play.json @returns {Promise<Ready>} */
export async function opened(book, setting, load) {
  const game = new Game(book.bundle, setting.seats, setting.parameters);
  const policy = setting.policy === null ? null : new Policy(await unpacked(await load(setting.policy)), game);
  const values = policy && setting.values ? new Values(await unpacked(await load(setting.values)), policy) : null;
  return { game, rules: new Rules(game), policy, values, setting, words: book.words };
}
