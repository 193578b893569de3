// @ts-check
/** The library of games that lie beside a page. */

import { GameLibrary } from "../runtime/table/library.mjs";
import { Refused } from "../runtime/table/refused.mjs";
import { localizedText } from "./words.mjs";

const WHY = /** @type {const} */ ({ game: "gameMissing", rules: "otherRules" });

/** The library of the games in a folder. @param {URL} baseUrl where games.json lies */
export function gameLibraryAt(baseUrl) {
  const load = async (/** @type {string} */ path) => {
    const answer = await fetch(new URL(path, baseUrl));
    if (!answer.ok) throw new Error(localizedText("fileMissing", { path }));
    return answer.arrayBuffer();
  };
  return new GameLibrary(load, (what) => new Refused(localizedText(WHY[what])));
}
