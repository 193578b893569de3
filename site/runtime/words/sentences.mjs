// @ts-check
/** Texts about a game: settings, players, actions, moves, positions and results. */

import { compare, COVERED, Hand } from "../rules/values.mjs";
import { capitalized, withoutDoubleStops, groupDigits, measuredText, readableName, sentenceText } from "./words.mjs";

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
/** @typedef {import("../table/settings.mjs").Counts} Counts */
/** @typedef {readonly string[]} Names what the seats are called; without names, seats go by their numbers */
/** @typedef {(string | Hand)[]} Parts text, and dice that can be drawn in it */
/** @typedef {{of: string, text: string, value: any, least: number, most: number}} Member of a variable; `of`: which
 * one, if there are several */
/** @typedef {{name: string, label: string, kind: string, show: "pile" | "track" | undefined, over: string, resets:
 * boolean, members: Member[], values: string}} Line a variable and what it holds; `over`: the list that it has a member
 * for each item of; `resets`: whether it is about this turn alone; `values`: all of it as text */

// --- settings

/** The variant that a setting agrees with, and the parameters that differ from both the defaults and that variant. If
 * several variants agree, it is the one that leaves the fewest such parameters. `variant` is empty if none does better
 * than the defaults.
 * @param {any} bundle @param {Setting} setting */
function closestVariant(bundle, { seats, parameters }) {
  const changed = Object.entries(parameters).filter(([name, value]) => value !== bundle.parameters[name].default);
  const most = { variant: "", besides: changed };
  for (const [variant, set] of Object.entries(bundle.variants)) {
    const besides = changed.filter(([name]) => !Object.hasOwn(set, name));
    const is = Object.entries(set).every(([name, value]) => (name === "seats" ? seats : parameters[name]) === value);
    if (is && besides.length < most.besides.length) Object.assign(most, { variant, besides });
  }
  return most;
}

/** The value of a parameter, with its unit. @param {any} value @param {Counts} [counts] */
export function valueText(value, { unit = [], times = 1 } = {}) {
  if (typeof value === "boolean") return sentenceText(value ? "yes" : "no");
  return typeof value === "number"
    ? withUnit(groupDigits(value * times), value * times, unit)
    : readableName(String(value));
}

/** A parameter with its value, such as "target 10,000 points", "1 chip each", "most dice 3" or "twelve (whole board)".
 * @param {string} name @param {any} value @param {Counts} [unitAndFactor] */
function parameterText(name, value, unitAndFactor) {
  const [called, told, many] = [readableName(name), valueText(value, unitAndFactor), unitAndFactor?.unit?.[1]];
  if (many && `${called} `.startsWith(`${many} `)) return told + called.slice(many.length);
  if (typeof value !== "number") return `${called} (${told})`;
  return `${called} ${many && called.endsWith(` ${many}`) ? told.split(" ")[0] : told}`;
}

/** A name with the allowed range, if both ends are known.
 * @param {string} name @param {{min: number | null, max: number | null}} bounds @param {Counts} [unitAndFactor] */
export function rangeText(name, { min, max }, unitAndFactor) {
  if (min === null || max === null) return name;
  return sentenceText("range", {
    name,
    min: groupDigits(min * (unitAndFactor?.times ?? 1)),
    max: valueText(max, unitAndFactor),
  });
}

/** A setting in words: its players, variant and changed parameters, and the objective if it is not the usual one. If
 * nothing is changed, it names the parameters that the first game of the page changes, with their values.
 * @param {{bundle: any, words: Words}} rules a play file, or those of a game @param {Setting} setting */
export function settingText({ bundle, words }, setting) {
  const { seats, objective, aside, parameters } = setting;
  const { variant, besides } = closestVariant(bundle, setting);
  const usual = (words.opening ?? []).map((name) => /** @type {[string, any]} */ ([name, parameters[name]]));
  const rules = (variant || besides.length ? besides : usual).map(([name, value]) =>
    parameterText(name, value, words.parameters?.[name]),
  );
  if (variant) rules.unshift(readableName(variant));
  if (aside) rules.push(sentenceText("for", { objective: readableName(objective) }));
  const players = playersText(seats);
  return rules.length ? sentenceText("rules", { players, rules: rules.join(", ") }) : players;
}

/** How many play, such as `One player` or `2–6 players`. @param {number} least @param {number} [most] */
export function playersText(least, most = least) {
  if (most === 1) return sentenceText("onePlayer");
  return sentenceText("players", { number: least === most ? most : `${least}\u2013${most}` });
}

/** The author's words about the variant of a setting; empty if there are none.
 * @param {PlayFile} playFile @param {Setting} setting */
export function settingVariantText(playFile, setting) {
  return playFile.words.variants?.[closestVariant(playFile.bundle, setting).variant] ?? "";
}

/** A sentence that says what a setting lacks because it was not solved, or why its advice is not at this table.
 * @param {any} bundle the rules @param {{plan?: string | null}} [setting] */
export function unsolvedText(bundle, { plan = null } = {}) {
  if (plan) return sentenceText("adviceElsewhere");
  return sentenceText(hasDecisions(bundle) ? "unsolved" : "unsolvedDice");
}

/** Whether anybody has a choice by these rules. @param {any} bundle */
export function hasDecisions({ phases }) {
  return Object.values(phases).some(({ kind }) => kind === "choose" || kind === "together");
}

// --- players

/** The name of an opponent's way of playing. @param {Opponent} opponent */
export function opponentName({ kind, policy, best }) {
  if (kind === "named") return capitalized(readableName(policy ?? ""));
  if (kind === "mixture" && best) return sentenceText("playsSteadily", { top: best[0], bottom: best[1] });
  return sentenceText(kind === "best" ? "playsBest" : kind === "along" ? "playsAlong" : "playsAnything");
}

/** Odds with their grade: exact or proven. @param {"toWin" | "chance" | "mean" | "andPot"} oddsKind
 * @param {Pick<Setting, "share" | "chance" | "unit">} setting
 * @param {Odds} odds @param {Record<string, string>} [extraData] */
function oddsWithGradeText(oddsKind, setting, { amount, grade, side }, extraData = {}) {
  const size = measuredText(amount, setting);
  return sentenceText(oddsKind, {
    ...extraData,
    amount: side ? sentenceText(side, { amount: size }) : size,
    grade: sentenceText(grade),
  });
}

/** The name of an opponent's way of playing, with its odds in a seat. The odds hold at the start, so they are left out
 * once a game has begun.
 * @param {Setting} setting @param {Opponent} opponent @param {number} seat @param {boolean} [hasGameBegun] */
export function opponentText(setting, opponent, seat, hasGameBegun = false) {
  const play = opponentName(opponent);
  const odds = hasGameBegun ? "" : oddsText(setting, opponent, seat);
  return odds ? sentenceText("playsFor", { play, odds }) : play;
}

/** The odds of an opponent in a seat; empty if they are not known.
 * @param {Setting} setting @param {Opponent} opponent
 * @param {number} seat of the seat */
export function oddsText(setting, opponent, seat) {
  if (!opponent.odds[seat]) return "";
  const kind = setting.share ? "toWin" : setting.chance ? "chance" : "mean";
  const odds = oddsWithGradeText(kind, setting, opponent.odds[seat]);
  const pot = opponent.pot?.[seat];
  return pot ? oddsWithGradeText("andPot", { share: true, unit: "" }, pot, { odds }) : odds;
}

/** What the player to move calls a player, such as “you” or “the next player”. @param {number} seatOffset how many
 * seats after the mover @param {number} seatCount of the game */
export function relativeSeatName(seatOffset, seatCount) {
  if (seatOffset === 0) return sentenceText("you");
  if (seatCount === 2) return sentenceText("other");
  if (seatOffset === 1) return sentenceText("next");
  return seatOffset === seatCount - 1 ? sentenceText("previous") : sentenceText("later", { number: seatOffset });
}

/** The name of a seat, else its number. @param {number} seat from 0 @param {Names} [names] */
const seatLabel = (seat, names) => names?.[seat] || sentenceText("player", { number: seat + 1 });

/** The names of the seats, each different.
 * @param {readonly {name: string}[]} seats
 * @param {readonly string[]} [sides] what each seat plays, if the seats differ @returns {string[]} */
export function uniqueSeatNames(seats, sides = []) {
  const names = seats.map(({ name }, place) => {
    const side = readableName(sides[place] ?? "");
    if (side) return name ? sentenceText("sided", { name, side }) : capitalized(side);
    return name || capitalized(sentenceText("player", { number: place + 1 }));
  });
  const alone = (/** @type {string} */ name) => names.indexOf(name) === names.lastIndexOf(name);
  return names.map((name, place) => (alone(name) ? name : sentenceText("namesake", { name, number: place + 1 })));
}

// --- moves

/** A value of the rules as text. @param {Game} game @param {any} value @param {string} [kind] @param {Names} [names]
 * @returns {string} */
export function ruleValueText(game, value, kind = "", names) {
  if (value === COVERED) return sentenceText("covered");
  if (value instanceof Hand)
    return value.dice.map(([face, die]) => game.faceName(die, face)).join(" ") || sentenceText("noDice");
  if (Array.isArray(value)) return `[${value.map((item) => ruleValueText(game, item)).join(", ")}]`;
  if (typeof value === "boolean") return sentenceText(value ? "yes" : "no");
  if (typeof value !== "number") return String(value);
  return kind === "seat" ? seatLabel(value, names) : groupDigits(value);
}

/** Join parts to one text. Dice are written by their faces. @param {Game} game @param {Parts} parts */
export function textOfParts(game, parts) {
  return parts.map((part) => (part instanceof Hand ? ruleValueText(game, part) : part)).join("");
}

/** A number with its unit. @param {string} numberText the number as it is shown @param {any} value the number
 * @param {string[]} unitForms of the unit, for one and for any other number; none if there is no unit. A third form
 * before these two replaces the whole text if the number is 0 */
function withUnit(numberText, value, unitForms) {
  if (unitForms.length > 2 && value === 0) return unitForms[0];
  return unitForms.length ? `${numberText} ${unitForms.at(value === 1 ? -2 : -1)}` : numberText;
}

/** The words of a ruleset as parts, with values written as text and hands left as dice to draw. @param {Game} game
 * @param {import("../rules/sayings.mjs").Part[]} saying
 * @param {Names} [names] @returns {Parts} */
function sayingParts(game, saying, names) {
  return saying.map((part) => {
    if (typeof part === "string" || part.value instanceof Hand) return typeof part === "string" ? part : part.value;
    const text = ruleValueText(game, part.value, part.kind, names);
    return withUnit(part.kind === "word" ? text.replaceAll("_", " ") : text, part.value, part.forms);
  });
}

/** An action as parts: its name, then what the ruleset says that it does. If the ruleset says nothing, the values of
 * the loop names follow the name.
 * @param {Game} game @param {State} state @param {Action} action @param {Names} [names] @returns {Parts} */
export function actionParts(game, state, { entry, name, binding }, names) {
  const { kind } = game.bundle.phases[state.phase];
  if (kind === "together") return [simultaneousChoiceText(game, Object.entries(binding)[0])];
  const m = game.context(state.cells, state.mover, state.out);
  Object.assign(m.local, binding);
  const does = game.sayings.wordsOf(state.phase, entry, "does", m);
  if (does) return [`${name}: `, ...sayingParts(game, does, names)];
  return [name, ...bindingParts(game, name, game.bundle.phases[state.phase].entries[entry].for, binding, names)];
}

/** The values of the loop names of an action, as parts. The loop name stands before its value, unless it is a single
 * letter, a word of the action's name, or the value is dice or a player.
 * @param {Game} game @param {string} name @param {[string, any][]} loops @param {Record<string, any>} binding
 * @param {Names} [names] @returns {Parts} */
function bindingParts(game, name, loops, binding, names) {
  const own = name.toLowerCase().split(" ");
  const seat = (/** @type {any} */ items) => ["others", "everyone", "table"].includes(items[0]);
  return loops.flatMap(([loop, items], place) => {
    const value = binding[loop];
    const before = place ? ", " : ": ";
    if (value instanceof Hand) return [before, value];
    if (seat(items)) return [before + seatLabel(value, names)];
    const said = loop.length > 1 && !own.includes(loop.toLowerCase());
    const text = typeof value === "string" ? readableName(value) : ruleValueText(game, value);
    return [`${before}${said ? `${readableName(loop)} ` : ""}${text}`];
  });
}

/** The text of a choice that several seats make at once. A word stands by itself. Before any other value stands the
 * name of what is chosen.
 * @param {Game} game @param {[name: string, item: any]} choice */
function simultaneousChoiceText(game, [name, item]) {
  const text = ruleValueText(game, item);
  return capitalized(typeof item === "string" ? readableName(text) : `${readableName(name)} ${text}`);
}

/** An action as text. @param {Game} game @param {State} state @param {Action} action @param {Names} [names] */
export function actionName(game, state, action, names) {
  return textOfParts(game, actionParts(game, state, action, names));
}

/** The label of the control in a position in which chance acts: to roll, or to draw if nothing is rolled.
 * @param {Pick<Ready, "game">} loadedGame @param {State} state */
export function rollOrDrawText({ game }, state) {
  const { throws } = game.bundle.phases[state.phase];
  return sentenceText(onlyDraws(throws) ? "draw" : "roll");
}

/** Whether nothing is rolled in a phase. @param {{kind: string}[]} randomEvents of it */
const onlyDraws = (randomEvents) => randomEvents.every(({ kind }) => kind === "draw");

/** The sentence that tells a person that it is their turn. @param {Pick<Ready, "words">} loadedGame @param {State}
 * state */
export function yourTurnText({ words }, state) {
  return sentenceText("yourTurn", { phase: words.phases[state.phase] ?? state.phase });
}

const HERE = "\u0000"; // stands in a sentence where dice go

/** A move as a sentence. @param {Game} game @param {State} stateBefore @param {Move & {covered?: "throw" | "choice"}}
 * move
 * @param {string | null} playerName of the player who moved; null for the reader @param {Names} [names] of the seats
 * @returns {Parts} */
export function moveParts(game, stateBefore, move, playerName, names) {
  const data = { name: playerName ?? capitalized(sentenceText("you")) };
  if (move.covered === "choice") return [sentenceText("coveredChoice", data)];
  if (move.covered) {
    const { throws } = game.bundle.phases[stateBefore.phase];
    return [sentenceText(onlyDraws(throws) ? "coveredDraw" : "coveredThrow", data)];
  }
  const aloud = move.events.some(([, , said]) => said);
  const after = move.events.slice(move.action ? 1 : 0).map(([, entry]) => entry);
  const story = aloud ? "" : after.filter(Boolean).join(", ");
  const told = aloud ? eventSentences(game, move, names) : [];
  if (move.action) {
    const own = move.events[0]?.[2] ? move.action.name : actionName(game, stateBefore, move.action, names);
    return [
      sentenceText(playerName === null ? "youChose" : "chose", { ...data, what: story ? `${own}, ${story}` : own }),
      ...told,
    ];
  }
  const thrown = move.thrown ?? [];
  const drawn = thrown.some(([, value]) => !(value instanceof Hand));
  const yours = drawn
    ? /** @type {const} */ (["youDrew", "youDrewThen"])
    : /** @type {const} */ (["youRolled", "youRolledThen"]);
  const theirs = drawn ? /** @type {const} */ (["drew", "drewThen"]) : /** @type {const} */ (["rolled", "rolledThen"]);
  const key = (playerName === null ? yours : theirs)[story ? 1 : 0];
  const [start, end] = sentenceText(key, { ...data, fell: HERE, story }).split(HERE);
  const fell = thrown.flatMap(([, value], place) => {
    const what = value instanceof Hand ? value : ruleValueText(game, value).replaceAll("_", " ");
    return place ? ["; ", what] : [what];
  });
  return [start, ...fell, end, ...told];
}

/** What a ruleset says of a move, a sentence for each entry; the name of the entry if it says nothing.
 * @param {Game} game @param {Move} move @param {Names} [names] @returns {Parts} */
function eventSentences(game, { action, events }, names) {
  return events.flatMap(([, entry, said], place) => {
    if (!said) return entry && !(action && place === 0) ? [withoutDoubleStops(` ${entry}.`)] : [];
    const [first = "", ...rest] = sayingParts(game, said, names);
    const drawn = first instanceof Hand && first.size > 0;
    return said.length ? [" ", drawn ? first : capitalized(textOfParts(game, [first])), ...rest] : [];
  });
}

/** A move as text. @type {(...move: Parameters<typeof moveParts>) => string} */
export function moveText(game, ...move) {
  return textOfParts(game, moveParts(game, ...move));
}

// --- positions and results

/** A whole position in lines: the variables in the middle, and those of each seat.
 * @param {Game} game @param {Words} words @param {State} state @param {readonly string[]} names of the seats
 * @returns {{middle: Line[], seats: {name: string, moves: boolean, own: Line[]}[]}} */
export function positionVariableLines(game, words, state, names) {
  /** @param {import("../rules/game.mjs").Variable} variable @param {number} [seat] whose cells; without it, all */
  const line = ({ name, kind, dims, resets }, seat) => {
    const { label = name, show, unit = [], times = 1, none } = words.variables[name] ?? {};
    const held = (/** @type {any} */ value) => {
      const text = ruleValueText(game, value, kind, names);
      return kind === "word" ? readableName(text) : text;
    };
    const cells = game.cellNumbers(name).filter((where) => seat === undefined || game.cells[where].index[0] === seat);
    const members = cells.map((where) => {
      const { index, least, most } = game.cells[where];
      const of = index.slice(seat === undefined ? 0 : 1).map((item) => ruleValueText(game, item));
      const value = state.cells[where];
      const told = typeof value === "number" && kind === "number" ? times * value : value;
      return {
        of: readableName(of.join(" ")),
        text: value === none ? sentenceText("none") : withUnit(held(told), told, value === COVERED ? [] : unit),
        value,
        least,
        most,
      };
    });
    const values = members.map(({ of, text }) => (of ? `${of}: ${text}` : text)).join(", ");
    const over = dims.slice(seat === undefined ? 0 : 1).join(" ");
    return { name, label, kind, show: show === "hidden" ? undefined : show, over, resets, members, values };
  };
  const seen = game.variables.filter(({ name }) => words.variables[name]?.show !== "hidden");
  const owned = seen.filter(({ dims }) => dims[0] === "seat");
  const common = seen.filter(({ dims }) => dims[0] !== "seat");
  const seats = names.map((name, seat) => ({
    name: (state.out >> seat) & 1 ? sentenceText("out", { name }) : name,
    moves: state.phase !== "" && state.mover === seat,
    own: owned.map((variable) => line(variable, seat)),
  }));
  return { middle: common.map((variable) => line(variable)), seats };
}

/** The name of the payoff that decides who wins: the objective, unless another payoff alone is a share of one win; then
 * the first such payoff. @param {Pick<Ready, "game" | "setting">} loadedGame */
export function winPayoffName({ game, setting: { objective } }) {
  const shares = sharePayoffNames(game);
  return shares.includes(objective) ? objective : (shares[0] ?? objective);
}

/** The names of the payoffs that are a share of one win. @param {Game} game @returns {string[]} */
export function sharePayoffNames({ bundle }) {
  return bundle.payoffs
    .filter((/** @type {[string, any]} */ [, { value }]) => value[0] === "call" && value[1] === "share")
    .map((/** @type {[string, any]} */ [name]) => name);
}

/** The seats that won: those with a share of the win, or if no payoff is shared, those with the best objective. None if
 * nobody won, if there is one seat, or if every seat has a chance of its own.
 * @param {Ready} loadedGame @param {State} state @returns {number[]} */
export function winners(loadedGame, state) {
  const { game, rules, setting } = loadedGame;
  const payoff = winPayoffName(loadedGame);
  const shared = sharePayoffNames(game).includes(payoff);
  if (game.seats === 1 || (setting.chance && !shared)) return [];
  const { goal } = game.bundle.payoffs.find((/** @type {[string, any]} */ [name]) => name === payoff)[1];
  const got = rules.payoffs(state, payoff);
  const sign = goal === "min" ? -1 : 1;
  const best = got.reduce((one, other) => (sign * compare(other, one) > 0 ? other : one));
  if (shared && !best.top) return [];
  return got.flatMap((one, seat) => (compare(one, best) === 0 ? [seat] : []));
}

/** A sentence that says who won; empty if nobody did. @param {Ready} loadedGame @param {State} state @param {Names}
 * names */
function winText(loadedGame, state, names) {
  const won = winners(loadedGame, state).map((seat) => names[seat]);
  if (!won.length) return "";
  return won.length > 1 ? sentenceText("shareWin", { names: won.join(", ") }) : sentenceText("wins", { name: won[0] });
}

/** A text that says that the game is over and what each seat was paid. It begins with who won.
 * @param {string} objective @param {readonly string[]} payoffsBySeat by seat
 * @param {Names} names @param {string} [winnerText] a sentence about who won */
export function payoffsText(objective, payoffsBySeat, names, winnerText = "") {
  const each = payoffsBySeat
    .map((amount, seat) => sentenceText("paid", { name: names[seat], paid: amount }))
    .join(", ");
  const result = sentenceText("result", { objective: capitalized(readableName(objective)), each });
  return sentenceText("gameOver", { result: winnerText ? `${winnerText} ${result}` : result });
}

/** A payoff as text, such as “3” or “0.33 (1/3)”. @param {any} payoff a Fraction */
function payoffAmountText(payoff) {
  return payoff.bottom === 1n ? String(payoff) : `${Number(payoff).toFixed(2)} (${payoff})`;
}

/** A text that says how a game ended: who won, and the payoffs of all unless they only repeat that. If the state still
 * has a phase, it says that the rules do not go on.
 * @param {Ready} loadedGame @param {State} state @param {Names} names */
export function endText(loadedGame, state, names) {
  if (state.phase) return sentenceText("stuck");
  const { objective, share, chance } = loadedGame.setting;
  const win = winText(loadedGame, state, names);
  if (share && win) return sentenceText("gameOver", { result: win });
  const paid = loadedGame.rules.payoffs(state, objective).map(payoffAmountText);
  return payoffsText(
    objective,
    chance ? paid.map((amount) => sentenceText(amount === "1" ? "yes" : "no")) : paid,
    names,
    win,
  );
}
