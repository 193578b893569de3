// @ts-check
/** What a browser keeps of the rolls of a table, so that reloading the page does not let anybody start a roll anew. */

import { newSecret } from "./numbers.mjs";

/** @template Roll @template Open
 * @typedef {{table: string, secret: string, rounds: Record<string, Roll>, open: Open | null}} Book `rounds`: what is
 * known of each roll, by its id; `open`: the roll that is not finished yet */

/** Keeps the book of a table in the storage of a browser. @template Roll @template Open */
export class RollBookStorage {
  /** @param {Storage} storage @param {string} storageKey in it */
  constructor(storage, storageKey) {
    this.storage = storage;
    this.place = storageKey;
  }

  /** The book of a table from the storage. If the storage has none, or that of another table, it is a new book with a
   * new secret. @param {string} tableId its id
   * @returns {Book<Roll, Open>} */
  load(tableId) {
    const before = JSON.parse(this.storage.getItem(this.place) ?? "null");
    return before?.table === tableId ? before : { table: tableId, secret: newSecret(), rounds: {}, open: null };
  }

  /** Save a book. @param {Book<Roll, Open>} book */
  save(book) {
    this.storage.setItem(this.place, JSON.stringify(book));
  }
}
