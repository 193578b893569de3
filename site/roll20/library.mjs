// @ts-check
/** The game that is written into the script, opened at one of its settings. */

import { Game } from "../runtime/game.mjs";
import { opponentsOf } from "../runtime/opponents.mjs";
import { Policy } from "../runtime/policy.mjs";
import { Rules } from "../runtime/rules.mjs";
import { bytesOf } from "./bytes.mjs";

/** @typedef {import("./sandbox.d.ts").Content} Content */
/** @typedef {import("../runtime/book.mjs").Ready} Ready */
/** @typedef {import("../runtime/book.mjs").Opponent} Opponent */
/** @typedef {{ready: Ready, known: boolean, opponents: Opponent[]}} Opened `known`: the table of best play is there */

export class Library {
  /** @param {Content} content */
  constructor(content) {
    this.content = content;
    /** @type {Map<string, Opened>} */
    this.opened = new Map();
  }

  /** @param {string} slug @returns {Opened | null} null where there is no such setting */
  at(slug) {
    const { book, tables } = this.content;
    const setting = book.settings.find((one) => one.slug === slug);
    if (!setting) return null;
    let found = this.opened.get(slug);
    if (!found) {
      const game = new Game(book.bundle, setting.seats, setting.parameters);
      const known = Object.hasOwn(tables, slug);
      // Without its table nobody is offered who would look there.
      const policy = /** @type {Policy} */ (known ? new Policy(bytesOf(tables[slug]), game) : null);
      const opponents = opponentsOf(setting).filter(({ kind }) => known || kind === "random" || kind === "named");
      found = { known, opponents, ready: { game, rules: new Rules(game), policy, values: null, setting, words: book.words } };
      this.opened.set(slug, found);
    }
    return found;
  }
}
