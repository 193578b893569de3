// @ts-check
/** The games that games.json lists, and their play files, each loaded when it is first needed. The host decides how a
 * file is loaded, and which error is thrown if a game is missing. */

import { Game } from "../rules/game.mjs";
import { Rules } from "../rules/rules.mjs";
import { checkedActionsAt } from "./record.mjs";
import { openGame, settingOf, slugOf } from "./settings.mjs";

/** @typedef {import("./settings.mjs").PlayFile} PlayFile */
/** @typedef {import("./settings.mjs").Setting} Setting */
/** @typedef {import("./settings.mjs").Ready} Ready */
/** @typedef {{id: string, title: string, about: string, rules: string, book: string}} Listed `rules` is the hash of the
 * rules, `book` a path */
/** @typedef {(what: "game" | "rules") => Error} Refuse for a game or a size that is not there, and for one by other
 * rules */

const HELD = 200; // the most files and games that are kept, because anybody can ask for any setting

/** The setting of a slug, a solved one if there is an equal one; null if the rules have no such setting or break at the
 * start.
 * @param {PlayFile} file @param {string} slug @returns {Setting | null} */
export function playableSetting(file, slug) {
  try {
    const asked = settingOf(file, slug);
    const usual = asked && settingOf(file, slugOf(file, asked.seats, asked.parameters));
    if (!usual || asked.policy !== null) return asked;
    if (usual.policy !== null) return usual;
    const game = new Game(file.bundle, usual.seats, usual.parameters);
    const rules = new Rules(game);
    checkedActionsAt({ game, rules }, rules.start());
    return usual;
  } catch {
    return null; // this setting was never tried before
  }
}

/** @template {Listed} [Each=Listed] what the list says of a game */
export class Library {
  /** @param {(path: string) => Promise<ArrayBuffer>} load gives a file by its path beside games.json
   * @param {Refuse} refuse */
  constructor(load, refuse) {
    this.load = load;
    this.refuse = refuse;
    /** @type {Map<string, Promise<any>>} what was loaded or is on its way */
    this.held = new Map();
  }

  /** Load something, or return what was loaded before. @template T @param {string} key @param {() => Promise<T>} make
   * @returns {Promise<T>} */
  #loadOnce(key, make) {
    let held = this.held.get(key);
    if (!held) {
      if (this.held.size >= HELD) this.held.clear();
      this.held.set(key, (held = make()));
      held.catch(() => this.held.delete(key)); // what failed may work later
    }
    return held;
  }

  /** Load a JSON file. @param {string} path */
  #json(path) {
    return this.#loadOnce(path, async () => JSON.parse(new TextDecoder().decode(await this.load(path))));
  }

  /** @returns {Promise<Each[]>} */
  async games() {
    return (await this.#json("games.json")).games;
  }

  /** @param {string} id @returns {Promise<Each>} */
  async game(id) {
    const game = (await this.games()).find((one) => one.id === id);
    if (!game) throw this.refuse("game");
    return game;
  }

  /** @param {string} id of a game @returns {Promise<PlayFile>} */
  async file(id) {
    return this.#json((await this.game(id)).book);
  }

  /** A game ready to be played, in a solved setting or in any other that the rules allow. Nothing is proven about the
   * latter.
   * @param {string} id of a game @param {string} slug of a setting @returns {Promise<Ready>} */
  async ready(id, slug) {
    const [listed, file] = [await this.game(id), await this.file(id)];
    const folder = listed.book.slice(0, listed.book.lastIndexOf("/") + 1);
    return this.#loadOnce(`${id} ${slug}`, async () => {
      const setting = playableSetting(file, slug);
      if (!setting) throw this.refuse("game");
      return this.#loadOnce(`${id} at ${setting.slug}`, () =>
        openGame(file, setting, (name) => this.load(folder + name)),
      );
    });
  }

  /** The game of a table, ready to be played; throws if its rules have changed since it began.
   * @param {{game: string, rules: string, setting: string}} record
   * @returns {Promise<Ready>} */
  async of(record) {
    if ((await this.game(record.game)).rules !== record.rules) throw this.refuse("rules");
    return this.ready(record.game, record.setting);
  }
}
