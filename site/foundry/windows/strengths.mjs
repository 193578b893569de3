// @ts-check
/** How strong a non-player is: in a word for each way to play, and as a skill of its actor sets it. */

import { opponentsOf } from "../../runtime/table/opponents.mjs";
import { opponentName } from "../../runtime/words/sentences.mjs";
import { say } from "../world/words.mjs";

/** @typedef {import("../../runtime/table/settings.mjs").Opponent} Opponent */
/** @typedef {import("../../runtime/table/settings.mjs").Setting} Setting */
/** @typedef {import("../world/shapes.mjs").Host} Host */

/** @type {Partial<Record<Opponent["kind"], string>>} */
const STRENGTHS = {
  random: "ODDSMITH.Strength.drunk",
  mixture: "ODDSMITH.Strength.regular",
  best: "ODDSMITH.Strength.expert",
};

/** The way in which an opponent plays, and who plays like that. @param {Opponent} opponent */
export function strengthText(opponent) {
  const [play, strength] = [opponentName(opponent), STRENGTHS[opponent.kind]];
  return strength ? say(strength, { play }) : play;
}

/** A number of an actor that says how well it plays; null where the settings name none, or the actor has none.
 * @param {Host} host @param {string | null} actor */
export function actorSkill(host, actor) {
  const [path, who] = [host.get("skill").trim(), actor === null ? null : host.actor(actor)];
  const found = path && who ? host.currencies().read(who, path) : null;
  return typeof found === "number" && Number.isFinite(found) ? found : null;
}

/** The way to play that a skill sets, as a place among those of a setting: the nearest that there is.
 * @param {Host} host @param {Setting} setting @param {number} skill */
export function placeOfSkill(host, setting, skill) {
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
