// @ts-check
/** The games that games.json lists, and their books, each loaded when it is first wanted. The host says how a file is
 * loaded and which error it throws for a game that is missing. */

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

const HELD = 200; // files and games, beyond which all are loaded afresh: anybody can think of sizes

/** The setting of a slug, a solved one where one is equal; null where the rules have none such, or break as they begin.
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
    return null; // nobody laid the game out at this size before
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

  /** @template T @param {string} key @param {() => Promise<T>} make @returns {Promise<T>} */
  #loadOnce(key, make) {
    let held = this.held.get(key);
    if (!held) {
      if (this.held.size >= HELD) this.held.clear();
      this.held.set(key, (held = make()));
      held.catch(() => this.held.delete(key)); // what failed may work later
    }
    return held;
  }

  /** @param {string} path */
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

  /** A game ready to be played: at a solved setting, or at any other size that the rules allow, of which nothing is
   * proven.
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

  /** The game of a table, by the rules that it began with.
   * @param {{game: string, rules: string, setting: string}} record
   * @returns {Promise<Ready>} */
  async of(record) {
    if ((await this.game(record.game)).rules !== record.rules) throw this.refuse("rules");
    return this.ready(record.game, record.setting);
  }
}
