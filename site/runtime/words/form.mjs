// @ts-check
/** A form in which people enter a position, as the player to move sees it. */

import { Hand } from "../rules/values.mjs";
import { completePosition } from "../table/policy.mjs";
import { relativeSeatName, ruleValueText } from "./sentences.mjs";
import { makeElement } from "./view.mjs";
import { capitalized, readableName, sentenceText } from "./words.mjs";

/** @typedef {import("../rules/game.mjs").Game} Game */
/** @typedef {import("../rules/rules.mjs").State} State */
/** @typedef {import("../table/settings.mjs").BestPlay} BestPlay */
/** @typedef {{where: number, key: string, label: string, low: number, high: number, times?: number, about?: string}}
 * Field the place of the first side stands for all sides: it tells which of them is to move; `times`: how many the form
 * has for one of the rules; `about`: what it is, where it has no label but its name */

/** The name of a cell as `oddsmith advise --state` takes it, such as purse, purse[2] or step[4]. @param {Game} game
 * @param {number} cellIndex */
export function keyOfCell(game, cellIndex) {
  const { variable, index } = game.cells[cellIndex];
  if (variable.name === game.sides[0]) return "mover";
  const items = variable.dims[0] === "seat" ? [index[0] + 1, ...index.slice(1)] : index;
  if (variable.dims[0] === "seat" && index[0] === 0) items.shift();
  return items.length ? `${variable.name}[${items.join(", ")}]` : variable.name;
}

/** The cells that people fill in. Of all sides only the first is asked for, because it determines the others.
 * @param {Game} game
 * @param {[number, number, number][]} cells of a phase */
export function cellsToFillIn(game, cells) {
  return cells.filter(([where]) => game.sides.indexOf(game.cells[where].variable.name) < 1);
}

/** Whether the form asks for the seat to move: play differs by seat, and no side says which seat it is.
 * @param {Game} game
 * @param {BestPlay} policy */
export function asksForSeat(game, policy) {
  return policy.head.copies > 1 && !game.sides.length;
}

/** The value of a cell as people type it. @param {Game} game @param {number} cellIndex the number of the cell
 * @param {any} value @param {0 | 1} firstSeatNumber the number of the first seat: the form counts seats from 0 */
export function valueAsTyped(game, cellIndex, value, firstSeatNumber = 0) {
  if (value instanceof Hand) return handText(game, cellIndex, value);
  const { variable } = game.cells[cellIndex];
  if (variable.name === game.sides[0]) return game.sides[invertSeatOffset(game, value)];
  return String(variable.kind === "seat" ? value + firstSeatNumber : value);
}

/** The fields to fill in for a phase.
 * @param {Game} game @param {BestPlay} policy @param {string} phase
 * @param {import("../table/settings.mjs").Words} words @returns {Field[]} */
export function formFieldsOfPhase(game, policy, phase, words) {
  const head = policy.head.phases.find((/** @type {any} */ one) => one.name === phase);
  return cellsToFillIn(game, head.cells).map(([where, least, radix]) => {
    const { variable, index } = game.cells[where];
    const known = words.variables[variable.name];
    const about = known?.label === readableName(variable.name) ? known.about : "";
    if (variable.name === game.sides[0])
      return { where, key: keyOfCell(game, where), label: sentenceText("youAre"), low: least, high: least + radix - 1 };
    const rest = variable.dims[0] === "seat" ? index.slice(1) : index;
    const thing = known?.label ?? variable.name;
    const owned =
      variable.dims[0] !== "seat"
        ? thing
        : index[0]
          ? sentenceText("theirs", { name: relativeSeatName(index[0], game.seats), thing })
          : sentenceText("yours", { thing });
    const low = (variable.kind === "number" ? game.cells[where].least : 0) + least;
    const item = rest.map((one) => readableName(ruleValueText(game, one))).join(" ");
    const named = item ? sentenceText("oneOf", { thing: owned, item }) : owned;
    const { unit: [, unit] = [], times = 1 } = known ?? {};
    const label = unit ? sentenceText("inUnits", { thing: named, unit }) : named;
    return { where, key: keyOfCell(game, where), label: capitalized(label), low, high: low + radix - 1, times, about };
  });
}

/** The side that is to move, from 0, given how many seats the first side sits after the mover. The other way round it
 * is the same computation. @param {Game} game
 * @param {number} seatOffset */
function invertSeatOffset(game, seatOffset) {
  return (game.seats - seatOffset) % game.seats;
}

/** Whether all faces of a die are single digits. @param {Game} game @param {import("../rules/dice.mjs").Die} die */
const hasDigitFaces = (game, die) => die.faces.every((face) => /^\d$/.test(game.faceName(die.kind, face)));

/** The control of a field. @param {Game} game @param {Field} field @param {any} value @param {() => void} onChange */
function fieldControl(game, field, value, onChange) {
  const { variable } = game.cells[field.where];
  const common = { name: field.key, onchange: onChange };
  if (variable.kind === "flag") return makeElement("input", { ...common, type: "checkbox", checked: value === true });
  if (variable.kind === "hand")
    return makeElement("input", {
      ...common,
      type: "text",
      value: handText(game, field.where, value),
      placeholder: sentenceText("faces"),
      size: 14,
      inputMode: game.cells[field.where].dice.every(([die]) => hasDigitFaces(game, die)) ? "numeric" : "text",
    });
  if (variable.kind === "word" || variable.kind === "seat") {
    const numbers = Array.from({ length: field.high - field.low + 1 }, (_, i) => field.low + i);
    const options = numbers.map((number) => {
      const one = variable.kind === "word" ? variable.words[number] : number;
      const code = valueAsTyped(game, field.where, one);
      const text = code === String(number) ? relativeSeatName(number, game.seats) : readableName(code);
      return makeElement("option", { value: code, selected: value === one }, text);
    });
    return makeElement("select", common, ...options);
  }
  const { low, high, times = 1 } = field;
  return makeElement("input", {
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

/** Read a hand from faces with spaces between them, or from digits alone: a keypad of a phone has no space. Dice are
 * chosen so that each can show its face; `2:d6` names the die as well. Null if the cell has no such dice.
 * @param {Game} game @param {number} cellIndex the number of the cell
 * @param {string} text
 * @returns {Hand | null} */
export function parseHand(game, cellIndex, text) {
  const dice = game.cells[cellIndex].dice.flatMap(([die, count]) => Array(count).fill(die));
  const faces = text.split(/[\s,]+/).filter(Boolean);
  const digits = faces.length === 1 && /^\d+$/.test(faces[0]) ? [...faces[0]] : faces;
  const lying = assignDice(game, faces, dice) ?? assignDice(game, digits, dice);
  return lying && new Hand(lying);
}

/** Assign a die to every word; null if that is impossible. @param {Game} game @param {string[]} words
 * @param {import("../rules/dice.mjs").Die[]} dice @returns {[number, number][] | null} */
function assignDice(game, [faceWord, ...otherFaceWords], dice) {
  if (faceWord === undefined) return [];
  for (const [place, die] of dice.entries()) {
    const face = die.faces.find((one) =>
      [game.faceName(die.kind, one), `${game.faceName(die.kind, one)}:${die.name}`].includes(faceWord),
    );
    if (face === undefined || dice.indexOf(die) < place) continue;
    const rest = assignDice(game, otherFaceWords, dice.toSpliced(place, 1));
    if (rest) return [[face, die.kind], ...rest];
  }
  return null;
}

/** A hand as people type it, with the die after each face if there are several kinds of dice. @param {Game} game
 * @param {number} cellIndex @param {Hand} hand */
function handText(game, cellIndex, hand) {
  const several = game.cells[cellIndex].dice.length > 1;
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
 * @param {string} phase @param {Field[]} fields @param {(field: Field) => string} readField @param {number} mover
 * @param {readonly number[]} seatsOut seats that are out, from the mover as 1 @returns {State | string} */
export function readStateOrInvalidLabel(game, policy, phase, fields, readField, mover = 0, seatsOut = []) {
  const cells = [...game.start];
  for (const field of fields) {
    const value = parseField(game, field, readField(field));
    if (value === null) return field.label;
    cells[field.where] = value;
  }
  const out = seatsOut.reduce((bits, seat) => bits | (1 << (seat - 1)), 0);
  return completePosition(game, policy, { phase, mover, out, cells });
}

/** A typed number in the units of the rules. @param {Field} field @param {string} text */
function toRuleUnits({ times = 1 }, text) {
  return times > 1 && /^-?\d+$/.test(text) ? String(Number(text) / times) : text;
}

/** Make the form. It calls `onChange` after every change, with what is typed by key.
 * @param {Game} game @param {Field[]} fields @param {Record<string, string>} initialValues
 * @param {(now: Record<string, string>) => void} onChange */
export function positionForm(game, fields, initialValues, onChange) {
  const hear = () => onChange(typed());
  const open = fields.filter(({ low, high }) => high > low);
  const controls = fields.map((field) => {
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
    const value =
      field.key in initialValues ? (parseField(game, field, initialValues[field.key]) ?? fallback) : fallback;
    return fieldControl(game, field, value, hear);
  });
  const typed = () =>
    Object.fromEntries(
      fields.map((field, i) => [
        field.key,
        controls[i].type === "checkbox" ? String(controls[i].checked) : toRuleUnits(field, controls[i].value),
      ]),
    );
  const labels = open.map((field, place) => {
    const first = open.findIndex(({ about }) => about === field.about) === place; // several members are told about once
    const about = field.about && first ? [makeElement("small", {}, field.about)] : [];
    return makeElement("label", {}, makeElement("span", {}, field.label), controls[fields.indexOf(field)], ...about);
  });
  return { element: makeElement("div", { class: "od-fields" }, ...labels), typed };
}

/** Checkboxes for which of the other players are out. There are none if the table of best play has no such positions.
 * @param {Game} game
 * @param {BestPlay} policy
 * @param {string} phase @param {string} seatsText seats, from the mover as 1 @param {() => void} onChange */
export function outCheckboxes(game, policy, phase, seatsText, onChange) {
  const head = policy.head.phases.find((/** @type {any} */ one) => one.name === phase);
  const seats = seatsText.split(" ");
  const count = head.out > 1 ? game.seats - 1 : 0;
  const boxes = Array.from({ length: count }, (_, i) =>
    makeElement("input", { type: "checkbox", checked: seats.includes(String(i + 2)), onchange: onChange }),
  );
  const labels = boxes.map((box, i) =>
    makeElement(
      "label",
      {},
      makeElement("span", {}, sentenceText("isOut", { name: relativeSeatName(i + 1, game.seats) })),
      box,
    ),
  );
  const gone = () => boxes.flatMap((box, i) => (box.checked ? [i + 2] : []));
  return { labels, gone };
}

/** The parts of an address that the form cannot use: an unknown phase, seat or variable, or a value that is not valid.
 * @param {Game} game @param {BestPlay} policy @param {Field[]} fields of the phase
 * @param {Record<string, string>} addressParameters */
export function unknownAddressParts(game, policy, fields, addressParameters) {
  const phases = policy.head.phases;
  const { out } = phases.find((/** @type {any} */ one) => one.name === addressParameters.phase) ?? phases[0];
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
  const own = (/** @type {string} */ name) => fields.some(({ key }) => key === name);
  const fits = (/** @type {string} */ key, /** @type {string} */ text) => {
    const field = fields.find((one) => one.key === key);
    return field ? parseField(game, field, text) !== null : keys.has(key);
  };
  return Object.entries(addressParameters)
    .filter(([key, text]) => !(Object.hasOwn(known, key) && !own(key) ? known[key](text) : fits(key, text)))
    .map(([key, text]) => `${key}=${text}`);
}
