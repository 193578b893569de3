// @ts-check
/** The games of this module. */

import { GameLibrary } from "../../runtime/table/library.mjs";
import { RefusedRequest } from "./shapes.mjs";

/** @typedef {import("../../runtime/table/library.mjs").Listed} InEveryList */
/** @typedef {InEveryList & {journal: string, odds: string, icon?: string, seats?: [number, number]}} Listed a game with
 * its two journals, the second for game masters, the path of its icon, and how few and how many can play */
/** @typedef {GameLibrary<Listed>} Games */

/** Return the library of a module's games.
 * @param {(path: string) => Promise<ArrayBuffer>} loadFile gives a file by its path in the module @returns {Games} */
export function moduleGameLibrary(loadFile) {
  return new GameLibrary(loadFile, (what) => new RefusedRequest(what));
}
