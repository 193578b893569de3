// @ts-check
/** Drawings of variables, as the ruleset says: dice, coins, tracks and plates with words. Screen readers get all of it
 * as text. */

import { drawCoins } from "../felt/coins.mjs";
import { drawCup } from "../felt/dice.mjs";
import { make } from "../felt/elements.mjs";
import { drawLamp } from "../felt/seats.mjs";
import { COVERED } from "../rules/values.mjs";
import { drawBrassTrack } from "../felt/tracks.mjs";
import { drawHand } from "./drawn.mjs";

/** @typedef {import("../rules/game.mjs").Game} Game */
/** @typedef {import("./sentences.mjs").Line} Line */
/** @typedef {import("./sentences.mjs").Member} Member */
/** @typedef {import("../felt/motion.mjs").Pile} Pile */

const MOST_BOXES = 14; // numbered members that are drawn although they are 0

/** Draw a variable below its name, or write its value if it has no drawing. Piles of coins are added to `piles`.
 * @param {Game} game @param {Line} line @param {Map<string, Pile>} piles @param {string} owner of the line; empty if it
 * is everybody's
 * @returns {HTMLElement} */
export function drawVariable(game, line, piles, owner) {
  const { kind, show, label, members } = line;
  const large = !owner;
  const one = members.length === 1;
  const covered = members.filter(({ value }) => value === COVERED).length;
  const open = kind === "hand" && one ? "dice" : (show ?? (one ? kind : "many"));
  const how = covered ? (covered === members.length ? "covered" : "partly") : open;
  const drawn = {
    covered: () => labelledPicture(line, [drawCup()]),
    dice: () => drawHand(game, members[0].value, diceCount(game, line)),
    flag: () => labelledPicture(line, [drawLamp(members[0].value)]),
    pile: () =>
      labelledPicture(
        line,
        members.map((member) => drawPile(line.name, member, piles, owner, large && one)),
      ),
    track: () => labelledPicture(line, members.map(drawTrack)),
    many: () => drawMembers(line),
  }[how];
  return make(
    "div",
    { class: `od-thing od-is-${how}` },
    make("dt", {}, label),
    make("dd", {}, drawn ? drawn() : one ? members[0].text : line.values),
  );
}

/** The most dice that a hand of a variable holds. @param {Game} game @param {Line} line */
function diceCount(game, { name }) {
  const [first] = game.cellNumbers(name);
  return game.cells[first].dice.reduce((sum, [, count]) => sum + count, 0);
}

/** The name of a pile. @param {string} name of the variable @param {string} owner @param {string} of which member */
export const pileName = (name, owner, of) => `${name} ${owner} ${of}`;

/** Draw a pile of coins. @param {string} name of the variable @param {Member} member @param {Map<string, Pile>} piles
 * @param {string} owner
 * @param {boolean} large */
function drawPile(name, member, piles, owner, large) {
  const place = make("span", { class: "od-coins" }, drawCoins(Number(member.value), large));
  piles.set(pileName(name, owner, member.of), { value: Number(member.value), place });
  return make("span", { class: "od-member" }, drawMemberName(member), place, drawCount(member));
}

/** Draw a track. @param {Member} member */
function drawTrack(member) {
  return make("span", { class: "od-member" }, drawMemberName(member), drawBrassTrack(member), drawCount(member));
}

/** Draw the name of a member; null if it is the only member of its variable. @param {Member} member */
const drawMemberName = ({ of }) => (of ? make("span", { class: "od-of" }, of) : null);

/** Draw the number of a member in large type, with its unit after it. @param {Member} member */
function drawCount({ text }) {
  const [, number, unit] = /^(\S+)(.*)$/s.exec(text) ?? ["", "", text];
  return make("span", { class: "od-counted" }, make("b", {}, number), make("span", { class: "od-unit" }, unit));
}

/** Draw several flags or numbers, each on a plate of its own. @param {Line} line */
function drawMembers(line) {
  const { kind, members, values } = line;
  if (kind === "flag")
    return labelledPicture(
      line,
      members.map(({ of, value }) => make("span", { class: value ? "od-chip" : "od-chip od-down" }, of)),
    );
  if (kind !== "number") return values;
  if (members.length <= MOST_BOXES && members.every(({ of }) => /^\d+$/.test(of))) return drawBoxes(line);
  const some = members.filter(({ value }) => value !== 0);
  return labelledPicture(
    line,
    (some.length ? some : members).map(({ of, text, value }) =>
      make("span", { class: value ? "od-chip" : "od-chip od-bare" }, make("b", {}, text), ` ${of}`),
    ),
  );
}

/** Draw numbered boxes with what lies in each, so that no number is taken for the other. @param {Line} line */
function drawBoxes(line) {
  return labelledPicture(
    line,
    line.members.map(({ of, text, value }) =>
      make("span", { class: value ? "od-box" : "od-box od-bare" }, make("span", {}, of), make("b", {}, text)),
    ),
  );
}

/** Join drawings to one picture with a text for screen readers. @param {Line} line whose values are that text
 * @param {Node[]} parts */
function labelledPicture({ values }, parts) {
  return make("span", { class: "od-picture-of", role: "img", "aria-label": values }, ...parts);
}
