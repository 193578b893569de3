// @ts-check
/** The games beside this page, each loaded when somebody plays it. */

import { opened } from "../runtime/book.mjs";

/** @typedef {{id: string, title: string, about: string, rules: string, book: string}} Listed */
/** @typedef {import("../runtime/book.mjs").Book} Book */
/** @typedef {import("../runtime/book.mjs").Ready} Ready */

export class Library {
  /** @param {URL} base the folder in which games.json stands */
  constructor(base) {
    this.base = base;
    /** @type {Listed[]} */
    this.games = [];
    /** @type {Map<string, Promise<any>>} */
    this.kept = new Map();
  }

  /** Load the list. */
  async begin() {
    this.games = (await (await this.#load("games.json")).json()).games;
  }

  /** @param {string} id @returns {Promise<Book>} */
  book(id) {
    return this.#once(id, async () => (await this.#load(this.#listed(id).book)).json());
  }

  /** A game at a setting; an error where it is not here, or by other rules. @param {string} id @param {string} slug
   * @param {string} rules the hash @returns {Promise<Ready>} */
  ready(id, slug, rules) {
    return this.#once(`${id} ${slug} ${rules}`, async () => {
      const listed = this.#listed(id);
      if (listed.rules !== rules) throw new Error(`${listed.title} is here by other rules than those of the table`);
      const book = await this.book(id);
      const setting = book.settings.find((one) => one.slug === slug);
      if (!setting) throw new Error(`${listed.title} is not here as ${slug}`);
      const folder = new URL(listed.book, this.base);
      return opened(book, setting, async (name) => (await this.#load(new URL(name, folder).href)).arrayBuffer());
    });
  }

  /** @param {string} id @returns {Listed} */
  #listed(id) {
    const found = this.games.find((one) => one.id === id);
    if (!found) throw new Error(`there is no game ${id} here`);
    return found;
  }

  /** @template T @param {string} key @param {() => Promise<T>} make @returns {Promise<T>} what failed is tried again next time */
  #once(key, make) {
    let found = this.kept.get(key);
    if (!found) {
      this.kept.set(key, (found = make()));
      found.catch(() => this.kept.delete(key));
    }
    return found;
  }

  /** @param {string} name */
  async #load(name) {
    const answer = await fetch(new URL(name, this.base));
    if (!answer.ok) throw new Error(`${name} could not be loaded`);
    return answer;
  }
}
