// @ts-check
/** The games that games.json lists, and their play files, each loaded when it is first needed. The host decides how a
 * file is loaded, and which error is thrown if a game is missing. */

import { Game } from "../rules/game.mjs";
import { Rules } from "../rules/rules.mjs";
import { checkedActionsAt } from "./record.mjs";
import { loadGame, settingOfSlug, slugOfSetting } from "./settings.mjs";

/** @typedef {import("./settings.mjs").PlayFile} PlayFile */
/** @typedef {import("./settings.mjs").Setting} Setting */
/** @typedef {import("./settings.mjs").Ready} Ready */
/** @typedef {{id: string, title: string, about: string, rules: string, book: string}} Listed `rules` is the hash of the
 * rules, `book` a path */
/** @typedef {(what: "game" | "rules") => Error} Refuse for a game or a size that is not there, and for one by other
 * rules */

const HELD = 200; // the most files and games that are kept, because anybody can ask for any setting

/** The setting of a slug. If a solved setting has the same seats and parameters, it is that one. Null if the rules have
 * no such setting, or break at its start.
 * @param {PlayFile} playFile @param {string} slug @returns {Setting | null} */
export function playableSetting(playFile, slug) {
  try {
    const asked = settingOfSlug(playFile, slug);
    const usual = asked && settingOfSlug(playFile, slugOfSetting(playFile, asked.seats, asked.parameters));
    if (!usual || asked.policy !== null) return asked;
    if (usual.policy !== null) return usual;
    const game = new Game(playFile.bundle, usual.seats, usual.parameters);
    const rules = new Rules(game);
    checkedActionsAt({ game, rules }, rules.start());
    return usual;
  } catch {
    return null; // this setting was never tried before
  }
}

/** @template {Listed} [Each=Listed] what the list says of a game */
export class GameLibrary {
  /** @param {(path: string) => Promise<ArrayBuffer>} loadFile gives a file by its path beside games.json
   * @param {Refuse} makeRefusal */
  constructor(loadFile, makeRefusal) {
    this.load = loadFile;
    this.refuse = makeRefusal;
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

  /** The content of a JSON file, which is loaded once. @param {string} path beside games.json */
  #json(path) {
    return this.#loadOnce(path, async () => JSON.parse(new TextDecoder().decode(await this.load(path))));
  }

  /** All games of the list. @returns {Promise<Each[]>} */
  async games() {
    return (await this.#json("games.json")).games;
  }

  /** What the list says of a game. Throws the error of `refuse` if the list does not have it. @param {string} id
   * @returns {Promise<Each>} */
  async game(id) {
    const game = (await this.games()).find((one) => one.id === id);
    if (!game) throw this.refuse("game");
    return game;
  }

  /** The play file of a game. @param {string} id of a game @returns {Promise<PlayFile>} */
  async playFile(id) {
    return this.#json((await this.game(id)).book);
  }

  /** Load a game in a setting, ready to be played. The setting may be solved or any other that the rules allow; without
   * a solution, the game has no table of best play. Throws the error of `refuse` if the rules do not have the setting.
   * @param {string} id of a game @param {string} slug of a setting @returns {Promise<Ready>} */
  async openSetting(id, slug) {
    const [listed, file] = [await this.game(id), await this.playFile(id)];
    const folder = listed.book.slice(0, listed.book.lastIndexOf("/") + 1);
    return this.#loadOnce(`${id} ${slug}`, async () => {
      const setting = playableSetting(file, slug);
      if (!setting) throw this.refuse("game");
      return this.#loadOnce(`${id} at ${setting.slug}`, () =>
        loadGame(file, setting, (name) => this.load(folder + name)),
      );
    });
  }

  /** Load the game of a table, ready to be played. Throws the error of `refuse` if its rules have changed since the
   * table began.
   * @param {{game: string, rules: string, setting: string}} record
   * @returns {Promise<Ready>} */
  async openGameOf(record) {
    if ((await this.game(record.game)).rules !== record.rules) throw this.refuse("rules");
    return this.openSetting(record.game, record.setting);
  }
}
