// @ts-check
/** A form in which people enter a position, as the player to move sees it. */

import { Hand } from "../rules/values.mjs";
import { fillPosition } from "../table/policy.mjs";
import { relativeSeatName, ruleValueText } from "./sentences.mjs";
import { make } from "./view.mjs";
import { capitalized, readableName, tell } from "./words.mjs";

/** @typedef {import("../rules/game.mjs").Game} Game */
/** @typedef {import("../rules/rules.mjs").State} State */
/** @typedef {import("../table/settings.mjs").BestPlay} BestPlay */
/** @typedef {{where: number, key: string, label: string, low: number, high: number, times?: number, about?: string}}
 * Field the place of the first side stands for all sides: it tells which of them is to move; `times`: how many the form
 * has for one of the rules; `about`: what it is, where it has no label but its name */

/** The name of a cell as `oddsmith advise --state` takes it, such as purse, purse[2] or step[4]. @param {Game} game
 * @param {number} where */
export function keyOfCell(game, where) {
  const { variable, index } = game.cells[where];
  if (variable.name === game.sides[0]) return "mover";
  const items = variable.dims[0] === "seat" ? [index[0] + 1, ...index.slice(1)] : index;
  if (variable.dims[0] === "seat" && index[0] === 0) items.shift();
  return items.length ? `${variable.name}[${items.join(", ")}]` : variable.name;
}

/** The cells that people fill in. Of all sides only the first is asked for, because it determines the others.
 * @param {Game} game
 * @param {[number, number, number][]} cells of a phase */
export function askedCells(game, cells) {
  return cells.filter(([where]) => game.sides.indexOf(game.cells[where].variable.name) < 1);
}

/** Whether the form asks for the seat to move: play differs by seat, and no side says which seat it is.
 * @param {Game} game
 * @param {BestPlay} policy */
export function asksForSeat(game, policy) {
  return policy.head.copies > 1 && !game.sides.length;
}

/** The value of a cell as people type it. @param {Game} game @param {number} where the number of the cell
 * @param {any} value @param {0 | 1} first the number of the first seat: the form counts seats from 0 */
export function typedText(game, where, value, first = 0) {
  if (value instanceof Hand) return handText(game, where, value);
  const { variable } = game.cells[where];
  if (variable.name === game.sides[0]) return game.sides[invertSeatOffset(game, value)];
  return String(variable.kind === "seat" ? value + first : value);
}

/** The fields to fill in for a phase.
 * @param {Game} game @param {BestPlay} policy @param {string} phase
 * @param {import("../table/settings.mjs").Words} words @returns {Field[]} */
export function fieldsOf(game, policy, phase, words) {
  const head = policy.head.phases.find((/** @type {any} */ one) => one.name === phase);
  return askedCells(game, head.cells).map(([where, least, radix]) => {
    const { variable, index } = game.cells[where];
    const known = words.variables[variable.name];
    const about = known?.label === readableName(variable.name) ? known.about : "";
    if (variable.name === game.sides[0])
      return { where, key: keyOfCell(game, where), label: tell("youAre"), low: least, high: least + radix - 1 };
    const rest = variable.dims[0] === "seat" ? index.slice(1) : index;
    const thing = known?.label ?? variable.name;
    const owned =
      variable.dims[0] !== "seat"
        ? thing
        : index[0]
          ? tell("theirs", { name: relativeSeatName(index[0], game.seats), thing })
          : tell("yours", { thing });
    const low = (variable.kind === "number" ? game.cells[where].least : 0) + least;
    const item = rest.map((one) => readableName(ruleValueText(game, one))).join(" ");
    const named = item ? tell("oneOf", { thing: owned, item }) : owned;
    const { unit: [, unit] = [], times = 1 } = known ?? {};
    const label = unit ? tell("inUnits", { thing: named, unit }) : named;
    return { where, key: keyOfCell(game, where), label: capitalized(label), low, high: low + radix - 1, times, about };
  });
}

/** The side that is to move, from 0, given how many seats the first side sits after the mover. The other way round it
 * is the same computation. @param {Game} game
 * @param {number} by */
function invertSeatOffset(game, by) {
  return (game.seats - by) % game.seats;
}

/** The control of a field. @param {Game} game @param {Field} field @param {any} value @param {() => void} changed */
function fieldControl(game, field, value, changed) {
  const { variable } = game.cells[field.where];
  const common = { name: field.key, onchange: changed };
  if (variable.kind === "flag") return make("input", { ...common, type: "checkbox", checked: value === true });
  if (variable.kind === "hand")
    return make("input", {
      ...common,
      type: "text",
      value: handText(game, field.where, value),
      placeholder: tell("faces"),
      size: 14,
    });
  if (variable.kind === "word" || variable.kind === "seat") {
    const numbers = Array.from({ length: field.high - field.low + 1 }, (_, i) => field.low + i);
    const options = numbers.map((number) => {
      const one = variable.kind === "word" ? variable.words[number] : number;
      const code = typedText(game, field.where, one);
      const text = code === String(number) ? relativeSeatName(number, game.seats) : readableName(code);
      return make("option", { value: code, selected: value === one }, text);
    });
    return make("select", common, ...options);
  }
  const { low, high, times = 1 } = field;
  return make("input", {
    ...common,
    type: "number",
    onfocus: (/** @type {any} */ { target }) => target.select(), // so that one types over it
    min: low * times,
    max: high * times,
    step: times,
    value: String(value * times),
    inputMode: "numeric",
  });
}

/** Read a hand from faces with spaces between them. Dice are chosen so that each can show its face; `2:d6` names the
 * die as well. Null if the cell has no such dice. @param {Game} game @param {number} where the number of the cell
 * @param {string} text
 * @returns {Hand | null} */
export function parseHand(game, where, text) {
  const dice = game.cells[where].dice.flatMap(([die, count]) => Array(count).fill(die));
  const lying = assignDice(game, text.split(/[\s,]+/).filter(Boolean), dice);
  return lying && new Hand(lying);
}

/** Assign a die to every word; null if that is impossible. @param {Game} game @param {string[]} words
 * @param {import("../rules/dice.mjs").Die[]} dice @returns {[number, number][] | null} */
function assignDice(game, [word, ...others], dice) {
  if (word === undefined) return [];
  for (const [place, die] of dice.entries()) {
    const face = die.faces.find((one) =>
      [game.faceName(die.kind, one), `${game.faceName(die.kind, one)}:${die.name}`].includes(word),
    );
    if (face === undefined || dice.indexOf(die) < place) continue;
    const rest = assignDice(game, others, dice.toSpliced(place, 1));
    if (rest) return [[face, die.kind], ...rest];
  }
  return null;
}

/** A hand as people type it, with the die after each face if there are several kinds of dice. @param {Game} game
 * @param {number} where @param {Hand} hand */
function handText(game, where, hand) {
  const several = game.cells[where].dice.length > 1;
  return hand.dice
    .map(([face, kind]) => game.faceName(kind, face) + (several ? `:${game.bundle.kinds[kind]}` : ""))
    .join(" ");
}

/** Read a value that somebody typed; null if it is not valid. @param {Game} game @param {Field} field
 * @param {string} text */
export function parseField(game, field, text) {
  const { variable } = game.cells[field.where];
  if (variable.kind === "flag") return text === "true";
  if (variable.kind === "word") return variable.words.includes(text) ? text : null;
  if (variable.kind === "hand") return parseHand(game, field.where, text);
  if (variable.name === game.sides[0])
    return game.sides.includes(text) ? invertSeatOffset(game, game.sides.indexOf(text)) : null;
  return /^-?\d+$/.test(text) && Number(text) >= field.low && Number(text) <= field.high ? Number(text) : null;
}

/** The state that a form describes; if a field is not valid, the label of the first such field. @param {Game} game
 * @param {BestPlay} policy
 * @param {string} phase @param {Field[]} all @param {(field: Field) => string} read @param {number} mover
 * @param {readonly number[]} gone seats that are out, from the mover as 1 @returns {State | string} */
export function readState(game, policy, phase, all, read, mover = 0, gone = []) {
  const cells = [...game.start];
  for (const field of all) {
    const value = parseField(game, field, read(field));
    if (value === null) return field.label;
    cells[field.where] = value;
  }
  const out = gone.reduce((bits, seat) => bits | (1 << (seat - 1)), 0);
  return fillPosition(game, policy, { phase, mover, out, cells });
}

/** A typed number in the units of the rules. @param {Field} field @param {string} text */
function toRuleUnits({ times = 1 }, text) {
  return times > 1 && /^-?\d+$/.test(text) ? String(Number(text) / times) : text;
}

/** Make the form. It calls `change` after every change, with what is typed by key.
 * @param {Game} game @param {Field[]} all @param {Record<string, string>} given
 * @param {(now: Record<string, string>) => void} change */
export function positionForm(game, all, given, change) {
  const hear = () => change(typed());
  const open = all.filter(({ low, high }) => high > low);
  const controls = all.map((field) => {
    const start = game.start[field.where];
    const { kind } = game.cells[field.where].variable;
    const fallback =
      kind === "number"
        ? Math.min(Math.max(start, field.low), field.high)
        : kind === "word" && field.low === field.high
          ? game.cells[field.where].variable.words[field.low]
          : kind === "seat" && field.low === field.high
            ? field.low
            : start;
    const value = field.key in given ? (parseField(game, field, given[field.key]) ?? fallback) : fallback;
    return fieldControl(game, field, value, hear);
  });
  const typed = () =>
    Object.fromEntries(
      all.map((field, i) => [
        field.key,
        controls[i].type === "checkbox" ? String(controls[i].checked) : toRuleUnits(field, controls[i].value),
      ]),
    );
  const labels = open.map((field, place) => {
    const first = open.findIndex(({ about }) => about === field.about) === place; // several members are told about once
    const about = field.about && first ? [make("small", {}, field.about)] : [];
    return make("label", {}, make("span", {}, field.label), controls[all.indexOf(field)], ...about);
  });
  return { element: make("div", { class: "od-fields" }, ...labels), typed };
}

/** Checkboxes for which of the other players are out. There are none if the table of best play has no such positions.
 * @param {Game} game
 * @param {BestPlay} policy
 * @param {string} phase @param {string} given seats, from the mover as 1 @param {() => void} hear */
export function outCheckboxes(game, policy, phase, given, hear) {
  const head = policy.head.phases.find((/** @type {any} */ one) => one.name === phase);
  const seats = given.split(" ");
  const count = head.out > 1 ? game.seats - 1 : 0;
  const boxes = Array.from({ length: count }, (_, i) =>
    make("input", { type: "checkbox", checked: seats.includes(String(i + 2)), onchange: hear }),
  );
  const labels = boxes.map((box, i) =>
    make("label", {}, make("span", {}, tell("isOut", { name: relativeSeatName(i + 1, game.seats) })), box),
  );
  const gone = () => boxes.flatMap((box, i) => (box.checked ? [i + 2] : []));
  return { labels, gone };
}

/** The parts of an address that the form cannot use: an unknown phase, seat or variable, or a value that is not valid.
 * @param {Game} game @param {BestPlay} policy @param {Field[]} all of the phase
 * @param {Record<string, string>} asked */
export function unknownAddressParts(game, policy, all, asked) {
  const phases = policy.head.phases;
  const { out } = phases.find((/** @type {any} */ one) => one.name === asked.phase) ?? phases[0];
  const among = (/** @type {string} */ text, /** @type {number} */ from) =>
    /^\d+$/.test(text) && Number(text) >= from && Number(text) <= game.seats;
  const keys = new Set(game.cells.map((_, where) => keyOfCell(game, where)));
  /** @type {Record<string, (text: string) => boolean>} */
  const known = {
    game: () => true,
    phase: (text) => phases.some((/** @type {any} */ one) => one.name === text),
    mover: (text) => among(text, 1),
    out: (text) => out > 1 && text.split(" ").every((seat) => among(seat, 2)),
  };
  const own = (/** @type {string} */ name) => all.some(({ key }) => key === name);
  const fits = (/** @type {string} */ key, /** @type {string} */ text) => {
    const field = all.find((one) => one.key === key);
    return field ? parseField(game, field, text) !== null : keys.has(key);
  };
  return Object.entries(asked)
    .filter(([key, text]) => !(Object.hasOwn(known, key) && !own(key) ? known[key](text) : fits(key, text)))
    .map(([key, text]) => `${key}=${text}`);
}
