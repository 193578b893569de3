// @ts-check
/** The game of the script, in any setting that its rules allow. */

import { Game } from "../runtime/rules/game.mjs";
import { Rules } from "../runtime/rules/rules.mjs";
import { EntrySayings } from "../runtime/rules/sayings.mjs";
import { playableSetting } from "../runtime/table/library.mjs";
import { opponentsOf } from "../runtime/table/opponents.mjs";
import { readBestPlay } from "../runtime/table/turns.mjs";
import { requirementTexts } from "../runtime/table/settings.mjs";
import { unsolvedText } from "../runtime/words/sentences.mjs";
import { decodeBase64 } from "./bytes.mjs";
import { localizedText } from "./words.mjs";

/** @typedef {import("./sandbox.d.ts").Content} Content */
/** @typedef {import("../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {import("../runtime/table/settings.mjs").Opponent} Opponent */
/** @typedef {{loadedGame: Ready, opponents: Opponent[], lack: string}} Opened `lack`: why there is no best play here,
 * else empty */

export class ScriptGame {
  /** @param {Content} content */
  constructor(content) {
    this.content = content;
    /** @type {Map<string, Opened>} */
    this.opened = new Map();
  }

  /** The slug of a setting; null if the rules do not allow it.
   * @param {readonly string[]} sizeWords a number of seats, and parameters as name=value */
  playableSlug(sizeWords) {
    return sizeWords.length ? (playableSetting(this.content.book, `=${sizeWords.join(" ")}`)?.slug ?? null) : null;
  }

  /** The settings that the rules allow, in words; empty if there is only one.
   * @param {string} command that opens a size */
  sizesText(command) {
    const {
      seats: [least, most],
      parameters,
    } = this.content.book.bundle;
    /** @type {[string, any][]} */
    const all = Object.entries(parameters);
    if (least === most && !all.length) return "";
    const example = [most, ...all.slice(0, 1).map(([name, parameter]) => `${name}=${parameter.default}`)].join(" ");
    const numbers = least === most ? least : localizedText("range", { least, most });
    const limits = [
      localizedText("seats", { numbers }),
      ...all.map(([name, parameter]) => `${name} ${limitsText(parameter)}`),
    ];
    const musts = requirementTexts(this.content.book)
      .map((text) => `${text} `)
      .join("");
    return localizedText("sizes", { example: `${command} ${example}`, limits: limits.join("; "), musts });
  }

  /** The game in a setting; null if there is no such setting. @param {string} settingSlug @returns {Opened | null} null
   * where there is no such setting */
  openSetting(settingSlug) {
    const opened = this.opened.get(settingSlug) ?? this.#openSettingAnew(settingSlug);
    if (opened) this.opened.set(settingSlug, opened);
    return opened;
  }

  /** Open the game in a setting. @param {string} slug @returns {Opened | null} */
  #openSettingAnew(slug) {
    const { book: file, tables } = this.content;
    const setting = playableSetting(file, slug);
    if (!setting) return null;
    const game = new Game(file.bundle, setting.seats, setting.parameters);
    game.sayings = new EntrySayings(file.words);
    const policy = Object.hasOwn(tables, slug) ? readBestPlay(decodeBase64(tables[slug]), game) : null;
    // Without its table nobody is offered who would look there.
    const opponents = opponentsOf(setting).filter(({ kind }) => policy || (kind !== "best" && kind !== "mixture"));
    const why = policy ? "" : setting.policy === null ? unsolvedText(file.bundle) : localizedText("tooLarge");
    return {
      opponents,
      lack: why,
      loadedGame: { game, rules: new Rules(game), policy, values: null, plan: null, setting, words: file.words },
    };
  }
}

/** The values that a parameter can have, in words. @param {any} parameter as the play file has it */
function limitsText({ one_of, min, max, default: usual }) {
  if (one_of.length) return one_of.join(localizedText("or"));
  if (typeof usual === "boolean") return [true, false].join(localizedText("or"));
  return (
    [
      min === null ? "" : localizedText("from", { number: min }),
      max === null ? "" : localizedText("upTo", { number: max }),
    ]
      .join(" ")
      .trim() || localizedText("anyNumber")
  );
}
