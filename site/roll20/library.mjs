// @ts-check
/** The game that is written into the script, opened at any size that its rules allow. */

import { required } from "../runtime/book.mjs";
import { Game } from "../runtime/game.mjs";
import { sizeOf } from "../runtime/library.mjs";
import { opponentsOf } from "../runtime/opponents.mjs";
import { Policy } from "../runtime/policy.mjs";
import { Rules } from "../runtime/rules.mjs";
import { UNSOLVED } from "../tabletops/round.mjs";
import { bytesOf } from "./bytes.mjs";

/** @typedef {import("./sandbox.d.ts").Content} Content */
/** @typedef {import("../runtime/book.mjs").Ready} Ready */
/** @typedef {import("../runtime/book.mjs").Opponent} Opponent */
/** @typedef {{ready: Ready, opponents: Opponent[], lack: string}} Opened `lack`: why there is no best play here, else empty */

const TOO_LARGE = "The table of best play is too large for this script: there is no advice, and nobody plays by it.";

export class Library {
  /** @param {Content} content */
  constructor(content) {
    this.content = content;
    /** @type {Map<string, Opened>} */
    this.opened = new Map();
  }

  /** The slug of a size that somebody asks for; null where the rules do not allow it.
   * @param {readonly string[]} words a number of seats, and parameters as name=value */
  slug(words) {
    return words.length ? (sizeOf(this.content.book, `=${words.join(" ")}`)?.slug ?? null) : null;
  }

  /** The sizes that the rules allow, in words; empty where there is one only. @param {string} command that opens a size */
  sizes(command) {
    const { seats: [least, most], parameters } = this.content.book.bundle;
    /** @type {[string, any][]} */
    const all = Object.entries(parameters);
    if (least === most && !all.length) return "";
    const example = [most, ...all.slice(0, 1).map(([name, parameter]) => `${name}=${parameter.default}`)].join(" ");
    const limits = [`seats ${least === most ? least : `${least} to ${most}`}`, ...all.map(([name, parameter]) => `${name} ${limitsOf(parameter)}`)];
    const musts = required(this.content.book).map((text) => `${text} `).join("");
    return `say ${command} ${example}, for instance. Limits: ${limits.join("; ")}. ${musts}What is left out is as usual. What has no button was not solved: no odds, no advice.`;
  }

  /** @param {string} slug @returns {Opened | null} null where there is no such setting */
  at(slug) {
    const found = this.opened.get(slug) ?? this.#open(slug);
    if (found) this.opened.set(slug, found);
    return found;
  }

  /** @param {string} slug @returns {Opened | null} */
  #open(slug) {
    const { book, tables } = this.content;
    const setting = sizeOf(book, slug);
    if (!setting) return null;
    const game = new Game(book.bundle, setting.seats, setting.parameters);
    const policy = Object.hasOwn(tables, slug) ? new Policy(bytesOf(tables[slug]), game) : null;
    // Without its table nobody is offered who would look there.
    const opponents = opponentsOf(setting).filter(({ kind }) => policy || (kind !== "best" && kind !== "mixture"));
    const lack = policy ? "" : setting.policy === null ? UNSOLVED : TOO_LARGE;
    return { opponents, lack, ready: { game, rules: new Rules(game), policy, values: null, setting, words: book.words } };
  }
}

/** @param {any} parameter as the bundle has it */
function limitsOf({ one_of, min, max, default: usual }) {
  if (one_of.length) return one_of.join(" or ");
  if (typeof usual === "boolean") return "true or false";
  return [min === null ? "" : `from ${min}`, max === null ? "" : `to ${max}`].join(" ").trim() || "any whole number";
}
