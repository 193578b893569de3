// @ts-check
/** Drawings of dice, in text and as controls. Screen readers get the faces. */

import { drawEmptyDiePlace, drawDieFace } from "../felt/dice.mjs";
import { styledElement } from "../felt/elements.mjs";
import { Hand } from "../rules/values.mjs";
import { actionParts, rollOrDrawText, ruleValueText, textOfParts } from "./sentences.mjs";
import { makeElement } from "./view.mjs";
import { readableName, sentenceText } from "./words.mjs";

/** @typedef {import("../rules/game.mjs").Game} Game */
/** @typedef {import("../rules/rules.mjs").State} State */
/** @typedef {import("../rules/rules.mjs").Action} Action */
/** @typedef {import("../table/settings.mjs").Ready} Ready */
/** @typedef {import("./sentences.mjs").Names} Names */
/** @typedef {{text: string, draw: () => (Node | string)[]}} Line */

export const ROW = { alignItems: "center", display: "inline-flex", flexWrap: "wrap", gap: ".25em" };
const TOUCH = {
  flex: "0 0 auto",
  fontSize: "1.4em",
  minHeight: "2.2em",
  minWidth: "2.2em",
  padding: ".2em",
  width: "auto",
};

/** Draw a die that shows a face. @param {Game} game @param {number} face @param {number} kind */
function drawDie(game, face, kind) {
  const sides = game.dice[game.bundle.kinds[kind]].faces;
  return drawDieFace(
    game.faceName(kind, face),
    sides.every((/** @type {number} */ side) => side >= 0 && side <= 6),
  );
}

/** Draw a hand of dice. @param {Game} game @param {Hand} hand @param {number} [diceCount] how many dice will lie there,
 * of which their places are drawn while there are none @returns {HTMLElement} */
export function drawHand(game, hand, diceCount = 0) {
  if (!hand.size && diceCount) {
    const empty = Array.from({ length: diceCount }, drawEmptyDiePlace);
    return styledElement(
      "span",
      { class: "od-fallen", role: "img", "aria-label": sentenceText("noDice") },
      ROW,
      ...empty,
    );
  }
  if (!hand.size) return makeElement("span", {}, sentenceText("noDice"));
  const dice = hand.dice.map(([face, kind]) => drawDie(game, face, kind));
  return styledElement(
    "span",
    { class: "od-fallen", role: "img", "aria-label": ruleValueText(game, hand) },
    ROW,
    ...dice,
  );
}

/** Draw the result of a roll in large dice; a drawn item is shown by its name.
 * @param {Game} game @param {[string, any][]} rolledValues
 * @returns {HTMLElement} */
export function drawRoll(game, rolledValues) {
  const parts = rolledValues.map(([, value]) =>
    value instanceof Hand
      ? drawHand(game, value)
      : makeElement("strong", { class: "od-drawn" }, ruleValueText(game, value).replaceAll("_", " ")),
  );
  return styledElement("div", { class: "od-throw" }, ROW, ...parts);
}

/** Replace the dice in a text by drawings. @param {Game} game @param {import("./sentences.mjs").Parts} textParts */
export function withDicePictures(game, textParts) {
  return textParts.map((part) => (part instanceof Hand ? drawHand(game, part) : part));
}

/** A line of a story, with a function that draws it. @param {Game} game
 * @param {import("./sentences.mjs").Parts} textParts @returns {Line} */
export function storyLineWithDrawing(game, textParts) {
  return { text: textOfParts(game, textParts), draw: () => withDicePictures(game, textParts) };
}

/** Draw the dice that the text of a control names. @param {HTMLElement} control which begins with the text
 * @param {Game} game @param {import("./sentences.mjs").Parts} parts of the text */
function withDrawnDice(control, game, parts) {
  if (!parts.some((part) => part instanceof Hand)) return control;
  control.setAttribute("aria-label", control.textContent ?? "");
  // One child, because some hosts lay the children of a button side by side.
  control.firstChild?.replaceWith(makeElement("span", { class: "od-says" }, ...withDicePictures(game, parts)));
  return control;
}

/** The possible acts in a position as controls: its actions, or to roll or draw if chance acts.
 * @param {Pick<Ready, "game">} loadedGame @param {State} state @param {Action[] | null} actions
 * @param {Names | undefined} seatNames of the seats
 * @param {(text: string, place: number | null) => HTMLElement} makeActionButton for an action, or null for the roll
 * @returns {HTMLElement[]} */
export function actionControls(loadedGame, state, actions, seatNames, makeActionButton) {
  return actions
    ? optionControls(loadedGame.game, state, actions, seatNames, makeActionButton)
    : [makeActionButton(rollOrDrawText(loadedGame, state), null)];
}

/** The actions of a position as controls. If an action takes one of many subsets of the dice, people touch the dice
 * that they mean, and the button for these appears beside them.
 * @param {Game} game @param {State} state @param {Action[]} actions @param {Names | undefined} seatNames of the seats
 * @param {(text: string, place: number) => HTMLElement} makeActionButton for an action @returns {HTMLElement[]} */
function optionControls(game, state, actions, seatNames, makeActionButton) {
  const one = (/** @type {number} */ place) => {
    const parts = actionParts(game, state, actions[place], seatNames);
    return withDrawnDice(makeActionButton(textOfParts(game, parts), place), game, parts);
  };
  /** @type {Map<number, number[]>} */
  const entries = new Map();
  for (const [place, { entry }] of actions.entries()) entries.set(entry, [...(entries.get(entry) ?? []), place]);
  return [...entries.values()].flatMap((places) => {
    const hands = places.map((place) => Object.values(actions[place].binding));
    const parts = hands.every((values) => values.length === 1 && values[0] instanceof Hand);
    if (!parts || places.length <= 2) return places.map(one);
    const { name, binding } = actions[places[0]];
    const asked = sentenceText("touchDice", { name, part: readableName(Object.keys(binding)[0]) });
    return [dicePicker(game, places, hands.flat(), asked, one)];
  });
}

/** Dice that people touch to choose some of them. If an action takes exactly the touched dice, its button stands beside
 * them. @param {Game} game @param {number[]} actionIndices of the actions
 * @param {Hand[]} hands the dice that each action takes @param {string} promptText what people are to do
 * @param {(place: number) => HTMLElement} makeActionControl */
function dicePicker(game, actionIndices, hands, promptText, makeActionControl) {
  const slot = makeElement("span", { class: "od-slot", "aria-live": "polite" });
  /** @type {boolean[]} */
  const held = [];
  const all = hands.reduce((most, hand) => handUnion(most, hand), new Hand([]));
  const show = () => {
    const { key } = new Hand(all.dice.filter((_, at) => held[at]));
    const found = hands.findIndex((hand) => hand.key === key);
    slot.replaceChildren(...(found < 0 ? [] : [makeActionControl(actionIndices[found])]));
  };
  const toggles = all.dice.map(([face, kind], at) => {
    const hold = () => {
      held[at] = !held[at];
      toggle.setAttribute("aria-pressed", String(held[at]));
      toggle.style.outlineStyle = held[at] ? "solid" : "";
      show();
    };
    const about = {
      type: "button",
      "data-od": `die ${at}`,
      "aria-pressed": "false",
      "aria-label": game.faceName(kind, face),
    };
    const toggle = styledElement("button", { ...about, onclick: hold }, TOUCH, drawDie(game, face, kind));
    return toggle;
  });
  show();
  const dice = styledElement("span", { role: "group", "aria-label": promptText }, ROW, ...toggles);
  const words = styledElement("em", { "aria-hidden": "true" }, { flex: "1 1 100%" }, promptText);
  return styledElement(
    "div",
    { class: "od-picking" },
    { ...ROW, flex: "1 1 100%", gap: ".4em .8em" },
    words,
    dice,
    slot,
  );
}

/** The smallest hand that contains both. @param {Hand} one @param {Hand} other */
function handUnion(one, other) {
  const more = [...one.dice];
  const dice = other.dice.filter(([face, kind]) => {
    const at = more.findIndex((die) => die[0] === face && die[1] === kind);
    if (at >= 0) more.splice(at, 1);
    return at < 0;
  });
  return new Hand([...one.dice, ...dice]);
}
