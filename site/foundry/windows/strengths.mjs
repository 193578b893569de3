// @ts-check
/** How strong a non-player is: a word for each way of playing, and the way that a skill of its actor sets. */

import { opponentsOf } from "../../runtime/table/opponents.mjs";
import { opponentName } from "../../runtime/words/sentences.mjs";
import { localizedText } from "../world/words.mjs";

/** @typedef {import("../../runtime/table/settings.mjs").Opponent} Opponent */
/** @typedef {import("../../runtime/table/settings.mjs").Setting} Setting */
/** @typedef {import("../world/shapes.mjs").Host} Host */

/** @type {Partial<Record<Opponent["kind"], string>>} */
const STRENGTHS = {
  random: "ODDSMITH.Strength.drunk",
  mixture: "ODDSMITH.Strength.regular",
  best: "ODDSMITH.Strength.expert",
};

/** The name of an opponent's way of playing, with a word for how strong it is. @param {Opponent} opponent */
export function opponentStrengthText(opponent) {
  const [play, strength] = [opponentName(opponent), STRENGTHS[opponent.kind]];
  return strength ? localizedText(strength, { play }) : play;
}

/** The number with which an actor says how well it plays; null if the settings name no such number or the actor does
 * not have it.
 * @param {Host} host @param {string | null} actor */
export function actorSkill(host, actor) {
  const [path, who] = [host.get("skill").trim(), actor === null ? null : host.actor(actor)];
  const found = path && who ? host.currencies().read(who, path) : null;
  return typeof found === "number" && Number.isFinite(found) ? found : null;
}

/** The way of playing that a skill sets, by its index among those of a setting; if that way is missing, the nearest
 * one.
 * @param {Host} host @param {Setting} setting @param {number} skill */
export function opponentIndexForSkill(host, setting, skill) {
  const kinds = opponentsOf(setting).map(({ kind }) => kind);
  /** @type {Opponent["kind"][]} */
  const nearest =
    skill >= host.get("expert")
      ? ["best", "mixture"]
      : skill >= host.get("regular")
        ? ["mixture", "named", "best"]
        : ["random"];
  return Math.max(0, kinds.indexOf(nearest.find((kind) => kinds.includes(kind)) ?? kinds[0]));
}
