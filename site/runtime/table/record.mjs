// @ts-check
/** A game as plain data: the results of rolls and the choices, from which everything else follows. The log of a table
 * and the transcript that `oddsmith play --verify` checks have this form. Every entry is checked against the rules as
 * it is read. */

import { RuleFailure, Hand, keyOfValue } from "../rules/values.mjs";

/** @typedef {import("./settings.mjs").Ready} Ready */
/** @typedef {import("../rules/game.mjs").Game} Game */
/** @typedef {import("../rules/rules.mjs").State} State */
/** @typedef {import("../rules/rules.mjs").Action} Action */
/** @typedef {number | string | boolean | {hand: [string, number][]}} Coded */
/** @typedef {{seat: number, throw: [string, Coded][], message?: string} | {seat: number, choose: string,
 *   with: Record<string, Coded>, message?: string}} Entry seats count from 1; `message` is for the host alone */
/** @typedef {import("./table.mjs").Move & {before: State}} Told a move with the state that it was made in */
/** @typedef {Pick<Ready, "game" | "rules">} Playable */

const KEYS = ["game", "log", "parameters", "payoffs", "rules", "seats", "transcript"];
const MAX_ENTRIES = 100_000; // entries of a log
const MAX_EXCERPT_CHARACTERS = 60; // the most characters of an excerpt

/** Thrown for an entry of a record that the rules do not allow. `at`: the number of the entry, from 1; 0 means the data
 * around the entries. `broken`: whether a rule fails there, so that the game cannot go on. */
export class RecordError extends Error {
  /** @param {string} message @param {number} [entryNumber] @param {boolean} [rulesFail] */
  constructor(message, entryNumber = 0, rulesFail = false) {
    super(message);
    this.at = entryNumber;
    this.broken = rulesFail;
  }
}

/** Encode a value as plain data. @param {Game} game @param {any} value @returns {Coded} */
export function encodeValue(game, value) {
  return value instanceof Hand ? { hand: value.dice.map(([face, kind]) => [game.bundle.kinds[kind], face]) } : value;
}

/** Data as a short text for an error message. Lists and maps are abbreviated as `[…]` and `{…}`.
 * @param {any} data */
function shortText(data) {
  if (typeof data === "object" && data !== null) return Array.isArray(data) ? "[…]" : "{…}";
  const text = String(JSON.stringify(data));
  return text.length > MAX_EXCERPT_CHARACTERS ? `${text.slice(0, MAX_EXCERPT_CHARACTERS)}…` : text;
}

/** Decode a value; throws RecordError if it is none. The dice of a hand may be in any order. @param {Game} game
 * @param {any} data @returns {any} */
function decodeValue(game, data) {
  if (isPlainValue(data)) return data;
  const dice = Object.keys(data ?? {}).join() === "hand" && Array.isArray(data.hand) ? data.hand : [null];
  return new Hand(
    dice.map((/** @type {any} */ die) => {
      const kind = Array.isArray(die) && die.length === 2 ? game.bundle.kinds.indexOf(die[0]) : -1;
      if (kind < 0 || !Number.isSafeInteger(die[1]))
        throw new RecordError(`${shortText(data)} is no value of this game`);
      return [die[1], kind];
    }),
  );
}

/** Whether something is a number, a word or a flag. @param {any} data */
const isPlainValue = (data) => ["number", "string", "boolean"].includes(typeof data);

/** Whether something is a map of names to values. @param {any} value */
const isMap = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether something is a list of texts. @param {any} value */
const isTextList = (value) => Array.isArray(value) && value.every((one) => typeof one === "string");

/** Whether a map has exactly these keys; the key `optionalKey` is optional. @param {any} map
 * @param {string[]} keys sorted
 * @param {string} optionalKey */
const hasKeys = (map, keys, optionalKey) =>
  isMap(map) &&
  Object.keys(map)
    .filter((key) => key !== optionalKey)
    .sort()
    .join() === keys.join();

/** Whether two values are equal and of the same type. @param {any} a @param {any} b */
const areSameValue = (a, b) => typeof a === typeof b && keyOfValue(a) === keyOfValue(b);

/** Make the entry of a roll. @param {Game} game @param {number} seat from 0 @param {[string, any][]} values
 * @returns {Entry} */
export function makeRollEntry(game, seat, values) {
  return { seat: seat + 1, throw: values.map(([name, value]) => [name, encodeValue(game, value)]) };
}

/** Make the entry of a choice. @param {Game} game @param {number} seat from 0 @param {Action} action
 * @returns {Entry} */
export function makeChoiceEntry(game, seat, action) {
  const binding = Object.entries(action.binding).map(([name, value]) => [name, encodeValue(game, value)]);
  return { seat: seat + 1, choose: action.name, with: Object.fromEntries(binding) };
}

/** The entries of moves. @param {Playable} loadedGame @param {readonly Told[]} moves @returns {Entry[]} */
export function entriesOf({ game }, moves) {
  return moves.map(({ seat, action, thrown }) =>
    action ? makeChoiceEntry(game, seat, action) : makeRollEntry(game, seat, thrown ?? []),
  );
}

/** The actions to choose from; null if dice are to be rolled, or the game is over. @param {Playable} loadedGame
 * @param {State} state */
export function actionsAt({ rules }, state) {
  return state.phase && rules.actorKind(state) === "choose" ? rules.actions(state) : null;
}

/** Whether a request can give a value. @param {import("../rules/rules.mjs").Request} request @param {any} value */
function canRequestGive(request, value) {
  if ("items" in request) return request.items.some(([item, count]) => count > 0 && areSameValue(item, value));
  if (!(value instanceof Hand)) return false;
  const left = request.dice.map(([count]) => count);
  const falls = value.dice.every(([face, kind]) => {
    const term = request.dice.findIndex(([, die], i) => die.kind === kind && left[i] > 0);
    if (term < 0) return false;
    left[term] -= 1;
    const { faces, weights } = request.dice[term][1];
    return faces.some((one, i) => one === face && weights[i] > 0);
  });
  return falls && left.every((count) => count === 0);
}

/** The step and the move of an entry in a state. Throws RecordError if the entry is not possible.
 * @param {Playable} loadedGame @param {State} state
 * @param {any} entry @returns {{step: import("../rules/rules.mjs").Step, move: Told}} */
export function applyEntry({ game, rules }, state, entry) {
  if (!state.phase) throw new RecordError("the game is over");
  if (entry?.seat !== state.mover + 1) throw new RecordError(`it is the turn of player ${state.mover + 1}`);
  const kind = rules.actorKind(state);
  const { message = "", with: given = {} } = entry;
  const keys = kind === "roll" ? ["seat", "throw"] : ["choose", "seat", "with"];
  if (!hasKeys(kind === "roll" ? entry : { ...entry, with: given }, keys, "message"))
    throw new RecordError(kind === "roll" ? "there must be a roll here" : "there must be a choice here");
  if (typeof message !== "string") throw new RecordError("a message is a text");
  const before = { seat: state.mover, before: state };
  if (kind === "roll") {
    const thrown = replayRoll(game, rules, state, entry.throw);
    const step = rules.resolve(state, thrown);
    return {
      step,
      move: { ...before, thrown: thrown.values, action: null, events: step.events, turnOver: step.turnOver },
    };
  }
  if (!isMap(given)) throw new RecordError("loop names have values");
  const wanted = Object.entries(given).map(([name, data]) => /** @type {const} */ ([name, decodeValue(game, data)]));
  const fits = (/** @type {Record<string, any>} */ binding) =>
    Object.keys(binding).length === wanted.length &&
    wanted.every(([loop, value]) => Object.hasOwn(binding, loop) && areSameValue(binding[loop], value));
  const [action] = rules.actions(state, { name: entry.choose, fits });
  if (!action) throw new RecordError(`${shortText(entry.choose)} is not to be chosen here`);
  const step = rules.choose(state, action);
  return { step, move: { ...before, thrown: null, action, events: step.events, turnOver: step.turnOver } };
}

/** Read the result of a roll from an entry. Throws RecordError if dice or bags cannot give it. @param {Game} game
 * @param {import("../rules/rules.mjs").Rules} rules @param {State} state @param {any} values */
function replayRoll(game, rules, state, values) {
  const left = Array.isArray(values) ? [...values] : [];
  const thrown = rules.rollWith(state, (request) => {
    const [name, data] = Array.isArray(left[0]) && left[0].length === 2 ? left[0] : [];
    left.shift();
    if (name !== request.name) throw new RecordError(`${request.name} is to be rolled`);
    const value = decodeValue(game, data);
    if (!canRequestGive(request, value)) throw new RecordError(`${request.name} cannot be ${shortText(data)} here`);
    return value;
  });
  if (left.length) throw new RecordError("there are more rolls than the rules ask for");
  return thrown;
}

/** Play a log from the start. Throws RecordError, with the number of the entry, at the first that is not possible.
 * @param {Playable} loadedGame @param {readonly any[]} log @returns {{state: State, moves: Told[]}} */
export function replayLog(loadedGame, log) {
  let state = loadedGame.rules.start();
  const moves = log.map((entry, place) => {
    try {
      const { step, move } = applyEntry(loadedGame, state, entry);
      state = step.state;
      return move;
    } catch (error) {
      if (error instanceof RecordError || error instanceof RuleFailure) throw new RecordError(error.message, place + 1);
      throw error;
    }
  });
  return { state, moves };
}

/** For each payoff of the rules, by its name, the amounts of all seats as texts; null before the game is over.
 * @param {Playable} loadedGame
 * @param {State} state @returns {Record<string, string[]> | null} */
export function payoffTexts({ game, rules }, state) {
  if (state.phase) return null;
  const names = game.bundle.payoffs.map((/** @type {[string, any]} */ [name]) => name);
  return Object.fromEntries(names.map((/** @type {string} */ name) => [name, rules.payoffs(state, name).map(String)]));
}

/** The actions to choose from, as `actionsAt` returns them. Throws RuleFailure if the rules break at the next roll or
 * in the payoffs.
 * @param {Playable} loadedGame @param {State} state */
export function checkedActionsAt(loadedGame, state) {
  payoffTexts(loadedGame, state);
  const actions = actionsAt(loadedGame, state);
  if (state.phase && !actions) loadedGame.rules.requests(state).next();
  return actions;
}

/** Make a transcript that Python can verify. @param {Playable} loadedGame
 * @param {{rules: string, log: readonly Entry[], seats?: readonly {name: string}[]}} record `rules` is the hash of the
 * rules */
export function makeTranscript(loadedGame, record) {
  const { game } = loadedGame;
  return {
    transcript: 1,
    game: game.bundle.id,
    rules: record.rules,
    seats: game.seats,
    parameters: { ...game.parameters },
    log: record.log,
    payoffs: payoffTexts(loadedGame, replayLog(loadedGame, record.log).state),
    ...(record.seats ? { names: record.seats.map(({ name }) => name) } : {}),
  };
}

/** Replay a transcript and check it against the rules. Throws RecordError if it does not fit.
 * @param {Playable} loadedGame
 * @param {string} rulesHash the hash @param {any} transcriptData @returns {{state: State, moves: Told[]}} */
export function verifyTranscript(loadedGame, rulesHash, transcriptData) {
  const { game } = loadedGame;
  const { log, names = [] } = transcriptData ?? {};
  const shaped =
    hasKeys(transcriptData, KEYS, "names") &&
    transcriptData.transcript === 1 &&
    Array.isArray(log) &&
    log.length <= MAX_ENTRIES &&
    isTextList(names);
  if (!shaped || (names.length && names.length !== transcriptData.seats))
    throw new RecordError("this is no transcript that can be read");
  if (transcriptData.game !== game.bundle.id || transcriptData.rules !== rulesHash)
    throw new RecordError("the transcript is of other rules");
  if (
    transcriptData.seats !== game.seats ||
    !isMap(transcriptData.parameters) ||
    !Object.values(transcriptData.parameters).every(isPlainValue) ||
    canonicalText(transcriptData.parameters) !== canonicalText(game.parameters)
  )
    throw new RecordError("the transcript is of another setting");
  const played = replayLog(loadedGame, transcriptData.log);
  const paid = payoffTexts(loadedGame, played.state);
  const claimed =
    isMap(transcriptData.payoffs) && Object.values(transcriptData.payoffs).every(isTextList)
      ? transcriptData.payoffs
      : null;
  if ((transcriptData.payoffs !== null && !claimed) || canonicalText(claimed) !== canonicalText(paid))
    throw new RecordError("the payoffs are others");
  return played;
}

/** A text that is equal for equal parameters or payoffs. @param {any} values */
const canonicalText = (values) => JSON.stringify(values && Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
