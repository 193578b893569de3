// @ts-check
/** Drawings of variables, as the ruleset says: dice, coins, tracks and plates with words. Screen readers get all of it
 * as text. */

import { drawCoins } from "../felt/coins.mjs";
import { drawDiceCup } from "../felt/dice.mjs";
import { makeElement } from "../felt/elements.mjs";
import { drawYesNoLamp } from "../felt/seats.mjs";
import { COVERED } from "../rules/values.mjs";
import { drawBrassTrack } from "../felt/tracks.mjs";
import { drawHand } from "./drawn.mjs";

/** @typedef {import("../rules/game.mjs").Game} Game */
/** @typedef {import("./sentences.mjs").Line} Line */
/** @typedef {import("./sentences.mjs").Member} Member */
/** @typedef {import("../felt/motion.mjs").Pile} Pile */

const MOST_BOXES = 14; // numbered members that are drawn although they are 0

/** Draw a variable below its name, or write its value if it has no drawing. Piles of coins are added to `piles`.
 * @param {Game} game @param {Line} line @param {Map<string, Pile>} piles @param {string} ownerName of the line; empty
 * if it is everybody's
 * @returns {HTMLElement} */
export function drawVariable(game, line, piles, ownerName) {
  const { kind, show, label, members } = line;
  const large = !ownerName;
  const one = members.length === 1;
  const covered = members.filter(({ value }) => value === COVERED).length;
  const open = kind === "hand" && one ? "dice" : (show ?? (one ? kind : "many"));
  const how = covered ? (covered === members.length ? "covered" : "partly") : open;
  const drawn = {
    covered: () => labelledPicture(line, [drawDiceCup()]),
    dice: () => drawHand(game, members[0].value, maxDiceCount(game, line)),
    flag: () => labelledPicture(line, [drawYesNoLamp(members[0].value)]),
    pile: () =>
      labelledPicture(
        line,
        members.map((member) => drawPile(line.name, member, piles, ownerName, large && one)),
      ),
    track: () => labelledPicture(line, members.map(drawTrack)),
    many: () => drawMembers(line),
  }[how];
  const not = how === "flag" && !members[0].value ? " od-not" : "";
  return makeElement(
    "div",
    { class: `od-thing od-is-${how}${not}` },
    makeElement("dt", {}, label),
    makeElement("dd", {}, drawn ? drawn() : one ? members[0].text : line.values),
  );
}

/** The most dice that a hand of a variable holds. @param {Game} game @param {Line} line */
function maxDiceCount(game, { name }) {
  const [first] = game.cellNumbers(name);
  return game.cells[first].dice.reduce((sum, [, count]) => sum + count, 0);
}

/** The name of a pile. @param {string} name of the variable @param {string} owner @param {string} memberName which
 * member */
export const pileName = (name, owner, memberName) => `${name} ${owner} ${memberName}`;

/** Draw a pile of coins. @param {string} name of the variable @param {Member} member @param {Map<string, Pile>} piles
 * @param {string} owner
 * @param {boolean} isLarge */
function drawPile(name, member, piles, owner, isLarge) {
  const place = makeElement("span", { class: "od-coins" }, drawCoins(Number(member.value), isLarge));
  piles.set(pileName(name, owner, member.of), { value: Number(member.value), place });
  return makeElement("span", { class: "od-member" }, drawMemberName(member), place, drawCount(member));
}

/** Draw a track. @param {Member} member */
function drawTrack(member) {
  return makeElement("span", { class: "od-member" }, drawMemberName(member), drawBrassTrack(member), drawCount(member));
}

/** Draw the name of a member; null if it is the only member of its variable. @param {Member} member */
const drawMemberName = ({ of }) => (of ? makeElement("span", { class: "od-of" }, of) : null);

/** Draw the number of a member in large type, with its unit after it. @param {Member} member */
function drawCount({ text }) {
  const [, number, unit] = /^(\S+)(.*)$/s.exec(text) ?? ["", "", text];
  return makeElement(
    "span",
    { class: "od-counted" },
    makeElement("b", {}, number),
    makeElement("span", { class: "od-unit" }, unit),
  );
}

/** Draw several flags or numbers, each on a plate of its own. @param {Line} line */
function drawMembers(line) {
  const { kind, members, values } = line;
  if (kind === "flag")
    return labelledPicture(
      line,
      members.map(({ of, value }) => makeElement("span", { class: value ? "od-chip" : "od-chip od-down" }, of)),
    );
  if (kind !== "number") return values;
  if (members.length <= MOST_BOXES && members.every(({ of }) => /^\d+$/.test(of))) return drawBoxes(line);
  const some = members.filter(({ value }) => value !== 0);
  return labelledPicture(
    line,
    (some.length ? some : members).map(({ of, text, value }) =>
      makeElement("span", { class: value ? "od-chip" : "od-chip od-bare" }, makeElement("b", {}, text), ` ${of}`),
    ),
  );
}

/** Draw numbered boxes with what lies in each, so that no number is taken for the other. @param {Line} line */
function drawBoxes(line) {
  return labelledPicture(
    line,
    line.members.map(({ of, text, value }) =>
      makeElement(
        "span",
        { class: value ? "od-box" : "od-box od-bare" },
        makeElement("span", {}, of),
        makeElement("b", {}, text),
      ),
    ),
  );
}

/** Join drawings to one picture with a text for screen readers. @param {Line} line whose values are that text
 * @param {Node[]} drawings */
function labelledPicture({ values }, drawings) {
  return makeElement("span", { class: "od-picture-of", role: "img", "aria-label": values }, ...drawings);
}
