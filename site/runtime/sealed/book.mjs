// @ts-check
/** What a browser keeps of the rolls of a table, so that nothing can be begun anew behind the back of a page that was
 * loaded anew. */

import { newSecret } from "./numbers.mjs";

/** @template Roll @template Open @typedef {{table: string, secret: string, rounds: Record<string, Roll>, open: Open |
 * null}} Book by round what is known of a roll; `open`: the one that stands until the table says what came of it */

/** @template Roll @template Open */
export class Shelf {
  /** @param {Storage} storage @param {string} place in it */
  constructor(storage, place) {
    this.storage = storage;
    this.place = place;
  }

  /** The book of a table, a new one for another table. @param {string} table @returns {Book<Roll, Open>} */
  load(table) {
    const before = JSON.parse(this.storage.getItem(this.place) ?? "null");
    return before?.table === table ? before : { table, secret: newSecret(), rounds: {}, open: null };
  }

  /** @param {Book<Roll, Open>} book */
  save(book) {
    this.storage.setItem(this.place, JSON.stringify(book));
  }
}
