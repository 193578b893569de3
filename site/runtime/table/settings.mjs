// @ts-check
/** The settings of a play file (play.json), solved or not, and games opened in one: the rules and the tables of best
 * play. */

import { Game, parameterValues, SettingError } from "../rules/game.mjs";
import { Rules } from "../rules/rules.mjs";
import { EntrySayings } from "../rules/sayings.mjs";
import { PlanTable } from "./plan.mjs";
import { unpackGzip, ActionValueTable } from "./policy.mjs";
import { readBestPlay, TurnTable } from "./turns.mjs";

/** @typedef {{amount: string, grade: "exact" | "proven", side?: "under" | "over"}} Odds what a seat gets, in percent
 * where that is a chance; `side` where it is only so near to 0 or 100 */
/** @typedef {{kind: "best" | "along" | "random" | "named" | "mixture", policy: string | null, best: [number, number] |
 * null, odds: Odds[], pot?: Odds[]}} Opponent `along`: nobody decides anything; `best`: of how many decisions of a
 * mixture so many are proven play; `odds` by seat, if all others play best, and `pot` where a pot goes by another
 * payoff than they play for */
/** @typedef {{slug: string, seats: number, parameters: Record<string, any>, unit: string, objective: string, share:
 * boolean, chance?: boolean, aside?: boolean, policy: string | null, values: string | null, plan?: string | null,
 * training?: string | null, opponents?: Opponent[], wager?: string, prize?: string}} Setting `share`: the objective is
 * a share of one win; `chance`: its mean is a chance, as that of a share is; `aside`: it is not that of the main game;
 * `policy` is null where nothing was solved; `plan`: best play of a game with secrets; `wager` is what can be lost at
 * most, a fraction in units of the payoff, where the game is a bet against the house, and `prize` the most that best
 * play can bring */
/** @typedef {{unit?: string[], times?: number}} Counts what a number counts, for one and for any other number, and how
 * many of that each is, as people count */
/** @typedef {{label: string, about: string, show?: "hidden" | "pile" | "track", none?: number} & Counts} Variable
 * how a table calls, explains and shows a variable; `none`: the value that stands for there being none */
/** @typedef {{rows?: {seat: number | null, squares: any[]}[], length?: any, across?: string, columns?: number,
 * laid?: string, facing?: string, marks?: [string, any][]}} Layout of a board, as the ruleset has it; expressions as
 * trees */
/** @typedef {{phases: Record<string, string>, variables: Record<string, Variable>, variants?: Record<string, string>,
 * parameters?: Record<string, {about: string} & Counts>, opening?: string[], boards?: Record<string, Layout>} &
 * import("../rules/sayings.mjs").Said} Words of a ruleset: what phases and variables are called, what is said of
 * entries, what variants change, what parameters mean, which of them the page's first game changes, and the boards of
 * variables */
/** @typedef {Record<string, string[]>} Coins for each payoff that is a purse of coins, the variables that coins lie
 * in, the purse first */
/** @typedef {{bundle: any, words: Words, settings: Setting[], coins?: Coins}} PlayFile
 * what play.json holds of a game */
/** @typedef {import("./policy.mjs").PolicyTable | TurnTable} BestPlay */
/** @typedef {{game: Game, rules: Rules, policy: BestPlay | null, values: ActionValueTable | TurnTable | null, plan:
 * PlanTable | null,   setting: Setting, words: Words, coins?: Coins, training?: () => Promise<ActionValueTable>}} Ready
 * `plan`: best play of a game with secrets; `training` loads what actions are worth in a
 * few decisions in which people go wrong */

/** The slug of a setting by its seats and parameter values. A setting that was not solved gets a name such as "=3
 * target=50", which `settingOfSlug` understands. @param {PlayFile} playFile @param {number} seats
 * @param {Record<string, any>} [values] */
export function slugOfSetting(playFile, seats, values = {}) {
  const wanted = parameterValues(playFile.bundle, values);
  const same = (/** @type {Setting} */ { seats: mine, parameters }) =>
    mine === seats && Object.entries(wanted).every(([name, value]) => parameters[name] === value);
  const given = Object.entries(wanted).filter(([name, value]) => value !== playFile.bundle.parameters[name]?.default);
  return (
    playFile.settings.find(same)?.slug ?? [`=${seats}`, ...given.map(([name, value]) => `${name}=${value}`)].join(" ")
  );
}

/** The conditions that the rules set on parameter values, each as a sentence. @param {PlayFile} file
 * @returns {string[]} */
export function requirementTexts({ bundle }) {
  return (bundle.require ?? []).map((/** @type {any} */ { about }) => about);
}

/** A setting by its slug, solved or not; null if the rules have no such setting. @param {PlayFile} playFile
 * @param {string} slug
 * @returns {Setting | null} */
export function settingOfSlug(playFile, slug) {
  const solved = playFile.settings.find((one) => one.slug === slug);
  if (solved || !slug.startsWith("=")) return solved ?? null;
  const [seats, ...given] = slug.slice(1).split(" ");
  const values = Object.fromEntries(
    given.map((text) => {
      const [name] = text.split("=", 1);
      return [
        name,
        parseParameterValue(
          text.slice(name.length + 1),
          Object.hasOwn(playFile.bundle.parameters, name) && playFile.bundle.parameters[name],
        ),
      ];
    }),
  );
  try {
    const { parameters } = new Game(playFile.bundle, Number(seats), values);
    const { unit, objective, share, chance, aside } = nearestSetting(playFile, Number(seats));
    return {
      slug,
      seats: Number(seats),
      parameters,
      unit,
      objective,
      share,
      chance,
      aside,
      policy: null,
      values: null,
      opponents: unprovenOpponents(playFile.bundle),
    };
  } catch (error) {
    if (error instanceof SettingError) return null;
    throw error;
  }
}

/** Parse the value of a parameter; return the text itself if it is no such value.
 * @param {string} valueText @param {any} parameter as the bundle has it, or false for one that is not there */
function parseParameterValue(valueText, parameter) {
  if (!parameter) return valueText;
  const several = typeof parameter.default === "boolean" ? [true, false] : parameter.one_of;
  if (several.length) return several.find((/** @type {any} */ one) => String(one) === valueText) ?? valueText;
  return /^-?\d+$/.test(valueText) ? Number(valueText) : valueText;
}

/** The solved setting whose objective fits a number of seats. A single seat often has another objective than several.
 * @param {PlayFile} file @param {number} seats */
function nearestSetting({ settings }, seats) {
  return (
    settings.find((one) => one.seats === seats) ?? settings.find((one) => one.seats > 1 === seats > 1) ?? settings[0]
  );
}

/** The opponents that need no table of best play. @param {any} bundle @returns {Opponent[]} */
function unprovenOpponents(bundle) {
  const named = Object.keys(bundle.policies).map((policy) => ({
    kind: /** @type {const} */ ("named"),
    policy,
    best: null,
    odds: [],
  }));
  return [...named, { kind: "random", policy: null, best: null, odds: [] }];
}

/** Load the tables of a setting and return the game ready to be played. @param {PlayFile} playFile @param {Setting}
 * setting
 * @param {(name: string) => Promise<ArrayBuffer>} loadFile gives a file that stands beside play.json
 * @returns {Promise<Ready>} */
export async function loadGame(playFile, setting, loadFile) {
  const game = new Game(playFile.bundle, setting.seats, setting.parameters);
  game.sayings = new EntrySayings(playFile.words);
  const plan = setting.plan ? PlanTable.read(await unpackGzip(await loadFile(setting.plan))) : null;
  const rest = { game, rules: new Rules(game), plan, setting, words: playFile.words, coins: playFile.coins };
  const data = setting.policy === null ? null : await unpackGzip(await loadFile(setting.policy));
  const policy = data && readBestPlay(data, game);
  if (policy instanceof TurnTable) return { ...rest, policy, values: policy };
  const values =
    policy && setting.values ? new ActionValueTable(await unpackGzip(await loadFile(setting.values)), policy) : null;
  const { training } = setting;
  const asked =
    policy && training && (async () => new ActionValueTable(await unpackGzip(await loadFile(training)), policy));
  const loadedGame = { ...rest, policy, values };
  return asked ? { ...loadedGame, training: asked } : loadedGame;
}
