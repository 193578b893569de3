// @ts-check
/** The formula of a roll as a question, made of the terms that were rolled: roll data have become numbers, and flavours
 * are left out. A term with rules of its own is refused by its name. */

/** @typedef {any} Term a term of a roll: no types know those of systems */
/** @typedef {Record<string, any>} Kinds the tabletop's own kinds of terms, by name */
/** @typedef {"Die" | "Coin" | "FateDie"} Dice */

/** Thrown for a question that cannot be asked: a key of the language file, and the values for its places. */
export class FormulaError extends Error {
  /** @param {string} textKey @param {Record<string, string>} [textData] */
  constructor(textKey, textData = {}) {
    super(textKey);
    this.data = textData;
  }
}

/** The modifiers of each kind of dice that the engine carries out. @type {Record<Dice, string[]>} */
const KNOWN = {
  Die: "r rr x xo k kh kl d dh dl min max even odd cs cf df sf ms".split(" "),
  Coin: [],
  FateDie: "r rr k kh kl d dh dl".split(" "),
};
const POOL = "k kh kl d dh dl cs cf".split(" ");
const KEEPS = ["k", "kh", "kl"];
const FUNCTIONS = "abs ceil floor round sign".split(" ");
/** @type {Record<string, string>} */
const KEEP_OF_FUNCTION = { max: "kh1", min: "kl1" };
const OPERATORS = "+ - * / %".split(" ");
const COIN = "{0, 1}";
const FATE = "{-1, 0, 1}";
/** What decides how dice fall. */
const ROLLING = "roll _roll randomFace mapRandomFace _evaluate _evaluateAsync _evaluateSync total number faces".split(
  " ",
);

/** Whether a roll has dice, so that its odds can be asked. @param {FoundryRoll} roll */
export const hasDice = (roll) => Boolean(roll.dice?.length);

/** The question that asks for the distribution of a roll, as text. Throws FormulaError if the engine does not know a
 * term of the roll. @param {any} roll
 * @param {Kinds} termClasses */
export const questionFromFormula = (roll, termClasses) => rollText(roll, termClasses);

/** A roll as text. @param {any} roll @param {Kinds} termClasses @returns {string} */
function rollText({ terms }, termClasses) {
  const texts = terms.map((/** @type {Term} */ term) => termText(term, termClasses));
  // The remainder of a number below 0 is another one in the language of the tabletop.
  if (texts.includes("%") && texts.some((/** @type {string} */ text) => text.includes("-")))
    throw new FormulaError("ODDSMITH.refused.term", { name: "%" });
  return texts.join(" ");
}

/** A term as text. @param {Term} given @param {Kinds} termClasses @returns {string} */
function termText(given, termClasses) {
  // What a term holds may still be data, as the world keeps it.
  const term = given.constructor === Object && given.class ? termClasses.RollTerm.fromData(given) : given;
  const { constructor: kind } = term;
  if (Array.isArray(term.modifiers))
    return Array.isArray(term.rolls) ? poolText(term, termClasses) : diceText(term, termClasses);
  if (kind === termClasses.OperatorTerm) return operatorText(term.operator);
  if (kind === termClasses.NumericTerm) return numberText(term.number);
  if (kind === termClasses.ParentheticalTerm && term.roll) return `(${rollText(term.roll, termClasses)})`;
  if (kind === termClasses.FunctionTerm) return functionText(term, termClasses);
  // Pathfinder's own terms for sums of damage.
  if (kind.name === "ArithmeticExpression" && term.operands?.length === 2) {
    const [left, right] = term.operands.map((/** @type {Term} */ each) => termText(each, termClasses));
    if (term.operator === "%") throw new FormulaError("ODDSMITH.refused.term", { name: "%" });
    return `(${left} ${operatorText(term.operator)} ${right})`;
  }
  if (kind.name === "Grouping" && term.term) return `(${termText(term.term, termClasses)})`;
  throw new FormulaError("ODDSMITH.refused.term", { name: kind.name });
}

/** An operator as text. @param {string} operator */
function operatorText(operator) {
  if (!OPERATORS.includes(operator)) throw new FormulaError("ODDSMITH.refused.term", { name: operator });
  return operator;
}

/** A function as text. @param {Term} term @param {Kinds} termClasses */
function functionText({ fn, rolls }, termClasses) {
  const parts = rolls.map((/** @type {any} */ roll) => `(${rollText(roll, termClasses)})`);
  if (KEEP_OF_FUNCTION[fn]) return `{${parts.join(", ")}}${KEEP_OF_FUNCTION[fn]}`;
  if (!FUNCTIONS.includes(fn) || parts.length !== 1) throw new FormulaError("ODDSMITH.refused.function", { name: fn });
  return `${fn}${parts[0]}`;
}

/** A number in the notation of the engine. @param {number} number */
function numberText(number) {
  const text = String(number);
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new FormulaError("ODDSMITH.refused.term", { name: text });
  return text;
}

/** A pool as text. @param {Term} term @param {Kinds} termClasses */
function poolText({ modifiers, rolls }, termClasses) {
  /** @type {string[]} */
  const parts = rolls.map((/** @type {any} */ roll) => rollText(roll, termClasses));
  const strange = modifiers.find((/** @type {string} */ each) => !POOL.includes(modifierLetters(each)));
  if (strange) throw new FormulaError("ODDSMITH.refused.modifier", { name: strange });
  if (parts.length > 1 && !modifiers.length) return `(${parts.map((each) => `(${each})`).join(" + ")})`;
  const marks = modifiers.join("");
  if (parts.length > 1) return `{${parts.join(", ")}}${marks}`;
  // Of one roll there is nothing to choose: what is kept is its total.
  const kept = modifiers.every(
    (/** @type {string} */ each) => KEEPS.includes(modifierLetters(each)) && !/\D0+$/.test(each),
  );
  return kept ? `(${parts[0]})` : `{${parts[0]}}${marks}`;
}

/** Dice as text. @param {Term} term @param {Kinds} termClasses */
function diceText(term, termClasses) {
  const dice = foundryDiceKind(term, termClasses);
  const [count, faces] = [term._number ?? term.number, term._faces ?? term.faces];
  for (const each of term.modifiers)
    if (
      !KNOWN[dice].includes(modifierLetters(each)) ||
      isForeignModifier(term, termClasses[dice], each) ||
      isRoll(count) ||
      isRoll(faces)
    )
      throw new FormulaError("ODDSMITH.refused.modifier", { name: each });
  const marks = term.modifiers.join("");
  const what = dice === "Coin" ? COIN : dice === "FateDie" ? FATE : amountText(faces, termClasses);
  return `${amountText(count, termClasses)}d${what}${marks}`;
}

/** Whether a number is itself a roll. @param {any} amount of dice, or of faces */
const isRoll = (amount) => Array.isArray(amount?.terms);

/** A number of dice or faces as text. @param {any} amount @param {Kinds} termClasses */
const amountText = (amount, termClasses) =>
  isRoll(amount) ? `(${rollText(amount, termClasses)})` : numberText(amount);

/** The kind of Foundry's own dice that some dice are, or roll like. Throws FormulaError if they are like none. @param
 * {Term} term @param {Kinds} termClasses
 * @returns {Dice} */
function foundryDiceKind(term, termClasses) {
  for (const dice of /** @type {Dice[]} */ (Object.keys(KNOWN)))
    if (term instanceof termClasses[dice] && ROLLING.every((part) => hasSamePart(term, termClasses[dice], part)))
      return dice;
  throw new FormulaError("ODDSMITH.refused.dice", { name: term.constructor.name });
}

/** Whether a modifier works in another way than Foundry's own.
 * @param {Term} term @param {any} termClass @param {string} modifier */
function isForeignModifier(term, termClass, modifier) {
  const [mark, own] = [modifierLetters(modifier), term.constructor.MODIFIERS ?? {}];
  const method = termClass.MODIFIERS?.[mark];
  return own[mark] !== method || (typeof method === "string" && !hasSamePart(term, termClass, method));
}

/** Whether a kind of dice has the same part as Foundry's own kind.
 * @param {Term} term @param {any} termClass @param {string} propertyName */
const hasSamePart = (term, termClass, propertyName) =>
  rawProperty(Object.getPrototypeOf(term), propertyName) === rawProperty(termClass.prototype, propertyName);

/** The property of an object, without calling its getter. @param {any} object @param {string} propertyName */
function rawProperty(object, propertyName) {
  for (let at = object; at; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, propertyName);
    if (found) return found.get ?? found.value;
  }
  return undefined;
}

/** The letters of a modifier. @param {string} modifier */
const modifierLetters = (modifier) => /^[a-z]*/i.exec(modifier)?.[0].toLowerCase() ?? "";
