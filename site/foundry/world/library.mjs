// @ts-check
/** The games of this module, at a shelf that all tabletops share. */

import { Library as Shelf } from "../runtime/library.mjs";
import { Refused } from "./shapes.mjs";

/** @typedef {import("../runtime/book.mjs").Book} Book */
/** @typedef {import("../runtime/book.mjs").Setting} Setting */
/** @typedef {import("../runtime/book.mjs").Ready} Ready */
/** @typedef {import("../runtime/library.mjs").Listed & {journal: string, odds: string}} Listed its
 *   journals, of which game masters see the second */

/** Refused where a game, or a size of it, is not there, or is there by other rules. @extends {Shelf<Listed>} */
export class Library extends Shelf {
  /** @param {(path: string) => Promise<ArrayBuffer>} load gives a file by its path in the module */
  constructor(load) {
    super(load, (what) => new Refused(what));
  }
}
