// @ts-check
/** The games of this module: what games.json lists, and their books, each loaded when it is first wanted. */

import { opened } from "../runtime/book.mjs";
import { Refused } from "./shapes.mjs";

/** @typedef {import("../runtime/book.mjs").Book} Book */
/** @typedef {import("../runtime/book.mjs").Setting} Setting */
/** @typedef {import("../runtime/book.mjs").Ready} Ready */
/** @typedef {{id: string, title: string, about: string, rules: string, seats: [number, number, number], book: string,
 *   journal: string, licence: string}} Listed `rules` is the hash of the rules, `seats` the least, most and usual number */

export class Library {
  /** @param {(path: string) => Promise<ArrayBuffer>} load gives a file by its path in the module */
  constructor(load) {
    this.load = load;
    /** @type {Map<string, Promise<any>>} what was loaded or is on its way */
    this.held = new Map();
  }

  /** @template T @param {string} key @param {() => Promise<T>} make @returns {Promise<T>} */
  #once(key, make) {
    let found = this.held.get(key);
    if (!found) {
      this.held.set(key, (found = make()));
      found.catch(() => this.held.delete(key)); // what failed may work later
    }
    return found;
  }

  /** @param {string} path */
  #json(path) {
    return this.#once(path, async () => JSON.parse(new TextDecoder().decode(await this.load(path))));
  }

  /** @returns {Promise<Listed[]>} */
  async games() {
    return (await this.#json("games.json")).games;
  }

  /** Refused where there is no such game. @param {string} id @returns {Promise<Listed>} */
  async game(id) {
    const found = (await this.games()).find((one) => one.id === id);
    if (!found) throw new Refused("game");
    return found;
  }

  /** @param {string} id of a game @returns {Promise<Book>} */
  async book(id) {
    return this.#json((await this.game(id)).book);
  }

  /** A game ready to be played. Refused where there is no such setting. @param {string} id of a game @param {string} slug of a
   * setting @returns {Promise<Ready>} */
  async ready(id, slug) {
    const [listed, book] = [await this.game(id), await this.book(id)];
    const setting = book.settings.find((one) => one.slug === slug);
    if (!setting) throw new Refused("game");
    const folder = listed.book.slice(0, listed.book.lastIndexOf("/") + 1);
    return this.#once(`${id} ${slug}`, () => opened(book, setting, (name) => this.load(folder + name)));
  }

  /** The game of a table. Refused where this module has other rules of it than it began with.
   * @param {{game: string, rules: string, setting: string}} record @returns {Promise<Ready>} */
  async of(record) {
    if ((await this.game(record.game)).rules !== record.rules) throw new Refused("rules");
    return this.ready(record.game, record.setting);
  }
}
