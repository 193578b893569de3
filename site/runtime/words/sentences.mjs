// @ts-check
/** What people read of a game, as text: settings, players, actions, moves, positions and results. */

import { Hand } from "../rules/values.mjs";
import { capital, measured, plain, tell } from "./words.mjs";

/** @typedef {import("../rules/game.mjs").Game} Game */
/** @typedef {import("../rules/rules.mjs").State} State */
/** @typedef {import("../rules/rules.mjs").Action} Action */
/** @typedef {import("../table/table.mjs").Move} Move */
/** @typedef {import("../table/settings.mjs").Odds} Odds */
/** @typedef {import("../table/settings.mjs").Opponent} Opponent */
/** @typedef {import("../table/settings.mjs").PlayFile} PlayFile */
/** @typedef {import("../table/settings.mjs").Ready} Ready */
/** @typedef {import("../table/settings.mjs").Setting} Setting */
/** @typedef {import("../table/settings.mjs").Words} Words */
/** @typedef {readonly string[]} Names what the seats are called; without names, seats go by their numbers */
/** @typedef {{label: string, values: string, hand: Hand | null}} Line a variable and what it holds; `hand`: its dice,
 * where it is a single hand */

// --- settings

/** The variant that a setting is, and what the setting changes besides. If it is several variants, the one that changes
 * most.
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

/** The value of a parameter. @param {any} value */
export function valueText(value) {
  return typeof value === "boolean" ? tell(value ? "yes" : "no") : plain(String(value));
}

/** A name with the numbers that are allowed, where both ends are known.
 * @param {string} name @param {{min: number | null, max: number | null}} bounds */
export function rangeText(name, { min, max }) {
  return min === null || max === null ? name : tell("range", { name, min, max });
}

/** A setting: players, house rules, and the objective if it is not the usual one.
 * @param {{bundle: any}} rules a play file or a game @param {Setting} setting */
export function settingText({ bundle }, setting) {
  const { seats, objective, aside } = setting;
  const { variant, besides } = houseRules(bundle, setting);
  const rules = besides.map(([name, value]) => `${plain(name)} ${valueText(value)}`);
  if (variant) rules.unshift(plain(variant));
  if (aside) rules.push(tell("for", { objective: plain(objective) }));
  const players = seats === 1 ? tell("onePlayer") : tell("players", { number: seats });
  return rules.length ? tell("rules", { players, rules: rules.join(", ") }) : players;
}

/** What the variant of a setting changes, in the words of the ruleset; empty if the ruleset does not say.
 * @param {PlayFile} file @param {Setting} setting */
export function settingAbout(file, setting) {
  return file.words.variants?.[houseRules(file.bundle, setting).variant] ?? "";
}

// --- players

/** How an opponent plays. @param {Opponent} opponent */
export function opponentName({ kind, policy, best }) {
  if (kind === "named") return capital(plain(policy ?? ""));
  if (kind === "mixture" && best) return tell("playsSteadily", { top: best[0], bottom: best[1] });
  return tell(kind === "best" ? "playsBest" : kind === "along" ? "playsAlong" : "playsAnything");
}

/** @param {"toWin" | "chance" | "mean" | "andPot"} kind @param {Pick<Setting, "share" | "chance" | "unit">} setting
 * @param {Odds} odds @param {Record<string, string>} [more] */
function graded(kind, setting, { amount, grade, side }, more = {}) {
  const size = measured(amount, setting);
  return tell(kind, { ...more, amount: side ? tell(side, { amount: size }) : size, grade: tell(grade) });
}

/** How an opponent plays, with its odds in a seat. A game that has begun has no odds to show: they were for its start.
 * @param {Setting} setting @param {Opponent} opponent @param {number} place @param {boolean} [begun] */
export function opponentText(setting, opponent, place, begun = false) {
  const play = opponentName(opponent);
  if (begun || !opponent.odds[place]) return play;
  const kind = setting.share ? "toWin" : setting.chance ? "chance" : "mean";
  const odds = graded(kind, setting, opponent.odds[place]);
  const pot = opponent.pot?.[place];
  return tell("playsFor", { play, odds: pot ? graded("andPot", { share: true, unit: "" }, pot, { odds }) : odds });
}

/** A player as the player to move sees him. @param {number} by seats after the mover @param {number} seats */
export function seatName(by, seats) {
  if (by === 0) return tell("you");
  if (seats === 2) return tell("other");
  if (by === 1) return tell("next");
  return by === seats - 1 ? tell("previous") : tell("later", { number: by });
}

/** @param {number} seat from 0 @param {Names} [names] */
const called = (seat, names) => names?.[seat] || tell("player", { number: seat + 1 });

/** What the seats are called, each by a name of its own. @param {readonly {name: string}[]} seats
 * @returns {string[]} */
export function namesOf(seats) {
  const names = seats.map(({ name }, place) => name || capital(tell("player", { number: place + 1 })));
  const alone = (/** @type {string} */ name) => names.indexOf(name) === names.lastIndexOf(name);
  return names.map((name, place) => (alone(name) ? name : tell("namesake", { name, number: place + 1 })));
}

// --- moves

/** A value of the rules. @param {Game} game @param {any} value @param {string} [kind] @param {Names} [names]
 * @returns {string} */
export function shown(game, value, kind = "", names) {
  if (value instanceof Hand) return value.dice.map(([face, die]) => game.face(die, face)).join(" ") || tell("noDice");
  if (Array.isArray(value)) return `[${value.map((item) => shown(game, item)).join(", ")}]`;
  if (typeof value === "boolean") return tell(value ? "yes" : "no");
  return kind === "seat" ? called(value, names) : String(value);
}

/** @param {Game} game @param {State} state @param {Action} action @param {Names} [names] */
export function actionName(game, state, action, names) {
  const loops = game.bundle.phases[state.phase].entries[action.entry].for;
  const values = Object.entries(action.binding).map(([name, value]) => {
    const [, items] = loops.find((/** @type {[string, any]} */ pair) => pair[0] === name);
    const seats = ["others", "everyone", "table"].includes(items[0]);
    return seats ? called(value, names) : `${plain(name)} ${shown(game, value)}`;
  });
  return values.length ? `${action.name} (${values.join(", ")})` : action.name;
}

/** What to do where there is nothing to choose: roll dice or draw an item.
 * @param {Pick<Ready, "game">} ready @param {State} state */
export function chanceText({ game }, state) {
  const { throws } = game.bundle.phases[state.phase];
  return tell(throws.every((/** @type {any} */ { kind }) => kind === "draw") ? "draw" : "roll");
}

/** A move. @param {Game} game @param {State} before @param {Move} move
 * @param {string | null} name of the player who moved; null for the reader @param {Names} [names] of the seats */
export function moveText(game, before, move, name, names) {
  const data = { name: name ?? "" };
  const entries = move.events.map(([, entry]) => entry);
  if (move.action) {
    const what = [actionName(game, before, move.action, names), ...entries.slice(1).filter(Boolean)].join(", ");
    return tell(name === null ? "youChose" : "chose", { ...data, what });
  }
  const fell = (move.thrown ?? []).map(([, value]) => shown(game, value)).join("; ");
  const story = entries.filter(Boolean).join(", ");
  const drawn = move.thrown?.some(([, value]) => !(value instanceof Hand));
  const yours = drawn
    ? /** @type {const} */ (["youDrew", "youDrewThen"])
    : /** @type {const} */ (["youRolled", "youRolledThen"]);
  const theirs = drawn ? /** @type {const} */ (["drew", "drewThen"]) : /** @type {const} */ (["rolled", "rolledThen"]);
  return tell((name === null ? yours : theirs)[story ? 1 : 0], { ...data, fell, story });
}

// --- positions and results

/** A whole position: what lies in the middle, and what belongs to each seat.
 * @param {Game} game @param {Words} words @param {State} state @param {readonly string[]} names of the seats
 * @returns {{middle: Line[], seats: {name: string, moves: boolean, own: Line[]}[]}} */
export function lines(game, words, state, names) {
  /** @param {import("../rules/game.mjs").Variable} variable @param {number} [seat] whose cells; without it, all */
  const line = ({ name, kind }, seat) => {
    const cells = game.cellsOf(name).filter((where) => seat === undefined || game.cells[where].index[0] === seat);
    const values = cells.map((where) => {
      const index = game.cells[where].index.slice(seat === undefined ? 0 : 1);
      const text = shown(game, state.cells[where], kind, names);
      return index.length ? `${index.map((item) => shown(game, item)).join(" ")}: ${text}` : text;
    });
    const dice = kind === "hand" && cells.length === 1 ? state.cells[cells[0]] : null;
    return { label: words.variables[name]?.label ?? name, values: values.join(", "), hand: dice };
  };
  const seen = game.variables.filter(({ name }) => !words.variables[name]?.hidden);
  const owned = seen.filter(({ dims }) => dims[0] === "seat");
  const common = seen.filter(({ dims }) => dims[0] !== "seat");
  const seats = names.map((name, seat) => ({
    name: (state.out >> seat) & 1 ? tell("out", { name }) : name,
    moves: state.phase !== "" && state.mover === seat,
    own: owned.map((variable) => line(variable, seat)),
  }));
  return { middle: common.map((variable) => line(variable)), seats };
}

/** Who won, by a payoff that shares one win; empty if nobody did.
 * @param {Ready} ready @param {State} state @param {Names} names @param {string} payoff */
export function winText({ rules }, state, names, payoff) {
  const winners = rules.payoffs(state, payoff).flatMap(({ top }, seat) => (top === 0n ? [] : [names[seat]]));
  if (winners.length > 1) return tell("shareWin", { names: winners.join(", ") });
  return winners.length ? tell("wins", { name: winners[0] }) : "";
}

/** What everybody got. @param {string} objective @param {readonly string[]} paid by seat @param {Names} names */
export function paidText(objective, paid, names) {
  const each = paid.map((amount, seat) => tell("paid", { name: names[seat], paid: amount })).join(", ");
  return tell("gameOver", { result: tell("result", { objective: capital(plain(objective)), each }) });
}

/** How a game ended: who won, or what everybody got; or that the rules do not go on, if the state still has a phase.
 * @param {Ready} ready @param {State} state @param {Names} names */
export function ending(ready, state, names) {
  if (state.phase) return tell("stuck");
  const { objective, share, chance } = ready.setting;
  const win = share ? winText(ready, state, names, objective) : "";
  if (win) return tell("gameOver", { result: win });
  const paid = ready.rules.payoffs(state, objective).map(String);
  return paidText(objective, chance ? paid.map((amount) => tell(amount === "1" ? "yes" : "no")) : paid, names);
}
