// @ts-check
/** The cards of a table in the chat, one for each situation. */

import { areSeatsFull, isSeatFree, positionAfterLog } from "../runtime/table/round.mjs";
import {
  actionName,
  rollOrDrawText,
  endText,
  positionVariableLines,
  uniqueSeatNames,
  opponentText,
  settingText,
} from "../runtime/words/sentences.mjs";
import { chatCard, whisperToGameMaster } from "./chat.mjs";
import { localizedText } from "./words.mjs";

/** @typedef {import("./chat.mjs").Button} Button */
/** @typedef {import("./chat.mjs").Row} Row */
/** @typedef {import("./game.mjs").Opened} Opened */
/** @typedef {import("./table.mjs").Kept} Kept */
/** @typedef {import("../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {import("../runtime/rules/rules.mjs").State} State */
/** @typedef {readonly (readonly [text: string, command: string])[]} Verbs */

/** Makes the cards of a table. */
export class TableCards {
  /** @param {import("./game.mjs").ScriptGame} game */
  constructor(game) {
    this.game = game;
    this.content = game.content;
  }

  /** The command that a button sends. @param {string} commandWords */
  commandText(commandWords) {
    return `!oddsmith ${this.content.game} ${commandWords}`;
  }

  /** A button with its command. @param {string} text @param {string} commandWords of the command @returns {Button} */
  button(text, commandWords) {
    return [text, this.commandText(commandWords)];
  }

  /** A card with one row for the game master. @param {string} heading @param {string} text
   * @param {readonly Button[]} [buttons] */
  noteCard(heading, text, buttons = []) {
    return whisperToGameMaster(chatCard(this.content.title, [[heading, text]], buttons));
  }

  /** The card before there is a table. */
  noTableCard() {
    const { content, game } = this;
    const buttons = content.book.settings.map((setting, place) =>
      this.button(settingText(content.book, setting), `setting ${place}`),
    );
    const tables = content.rolls.length ? [this.button(localizedText("makeTables"), "tables")] : [];
    const sizes = game.sizesText(this.commandText("open"));
    const other = sizes ? [/** @type {Row} */ ([localizedText("otherSizes"), sizes])] : [];
    return chatCard(
      content.title,
      [[localizedText("table"), localizedText("noneYet")], ...other],
      [...buttons, ...tables],
    );
  }

  /** The card while players sit down. @param {Kept} tableRecord @param {Opened} opened */
  lobbyCard(tableRecord, { lack, loadedGame }) {
    const { seats } = tableRecord;
    const rows = seats.map((seat, place) => {
      const who = isSeatFree(seat)
        ? localizedText("free")
        : seat.kind === "npc"
          ? localizedText("nonPlayer", { name: seat.name })
          : seat.name;
      return /** @type {Row} */ ([localizedText("seat", { number: place + 1 }), who]);
    });
    const give = seats.flatMap((seat, place) => (isSeatFree(seat) ? [this.#opponentButton(tableRecord, place)] : []));
    const leave = seats.flatMap((seat, place) =>
      isSeatFree(seat) ? [] : [this.button(localizedText("leaveSeat", { number: place + 1 }), `leave ${place}`)],
    );
    const begin = areSeatsFull(seats) ? [this.button(localizedText("begin"), "begin")] : [];
    const buttons = [
      ...this.#sitButtons(tableRecord),
      ...give,
      ...begin,
      ...leave,
      this.button(localizedText("close"), "close"),
    ];
    return chatCard(
      this.content.title,
      [
        [
          localizedText("setting"),
          settingText({ bundle: loadedGame.game.bundle, words: loadedGame.words }, loadedGame.setting),
        ],
        ...rows,
        ...noteRows(lack),
      ],
      buttons,
    );
  }

  /** The card of a game in play. @param {Kept} tableRecord @param {Opened} opened @param {boolean} isOver
   * @param {readonly Row[]} newsRows what has just happened */
  playingCard(tableRecord, { loadedGame }, isOver, newsRows) {
    const { state, actions } = positionAfterLog(loadedGame, tableRecord.log);
    const names = uniqueSeatNames(tableRecord.seats, loadedGame.game.sides);
    const rows = [...newsRows, ...boardRows(loadedGame, state, names)];
    const more = this.button(localizedText("more"), "more");
    const { title } = this.content;
    if (isOver)
      return chatCard(
        title,
        [...rows, [localizedText("end"), endText(loadedGame, state, names)]],
        [this.button(localizedText("again"), "again"), more],
      );
    const acts = actions
      ? actions.map((action, place) =>
          this.button(actionName(loadedGame.game, state, action, names), `do ${tableRecord.rev} ${place}`),
        )
      : [this.button(rollOrDrawText(loadedGame, state), `do ${tableRecord.rev}`)];
    const waits = tableRecord.seats[state.mover].kind === "user";
    const buttons = waits ? acts : [this.button(localizedText("goOn"), "on")];
    return chatCard(
      title,
      [...rows, [localizedText("turn"), names[state.mover]]],
      [...buttons, ...this.#sitButtons(tableRecord), more],
    );
  }

  /** The card with the ways in which a non-player can play a seat, and their odds. @param {Kept} kept @param {Opened}
   * opened
   * @param {number} place */
  opponentCard({ started }, { opponents, lack, loadedGame }, place) {
    const buttons = opponents.map((opponent, skill) =>
      this.button(opponentText(loadedGame.setting, opponent, place, started), `npc ${place} ${skill}`),
    );
    const seat = /** @type {Row} */ ([
      localizedText("theSeat"),
      localizedText("placeAsNonPlayer", { number: place + 1 }),
    ]);
    return whisperToGameMaster(chatCard(this.content.title, [seat, ...noteRows(lack)], buttons));
  }

  /** The card with further acts of the game master. @param {Kept} tableRecord */
  furtherActsCard(tableRecord) {
    /** @type {Verbs} */
    const verbs = [
      [localizedText("advice"), "advice"],
      [localizedText("undo"), "undo"],
      [localizedText("writeTranscript"), "transcript"],
      [localizedText("makeTables"), "tables"],
      [localizedText("close"), "close"],
    ];
    const buttons = verbs.map(([text, verb]) => this.button(text, verb));
    const seats = tableRecord.seats.map(({ kind, name }, place) =>
      kind === "user"
        ? this.#opponentButton(tableRecord, place)
        : this.button(localizedText("freeSeatOf", { name }), `leave ${place}`),
    );
    return whisperToGameMaster(chatCard(this.content.title, [], [...buttons, ...seats]));
  }

  /** The button that shows the ways in which a non-player could play a seat. @param {Kept} kept
   * @param {number} seat */
  #opponentButton({ seats }, seat) {
    const name = seats[seat].name || localizedText("seat", { number: seat + 1 });
    return this.button(localizedText("asNonPlayer", { name }), `npc ${seat}`);
  }

  /** Buttons for free seats. @param {Kept} kept */
  #sitButtons({ seats }) {
    return seats.flatMap((seat, place) =>
      isSeatFree(seat) ? [this.button(localizedText("sitOn", { number: place + 1 }), `sit ${place}`)] : [],
    );
  }
}

/** A row with the reason why there is no best play, in a list; empty if there is none. @param {string} noteText why
 * there is no best play @returns {Row[]} */
const noteRows = (noteText) => (noteText ? [[localizedText("note"), noteText]] : []);

/** A position as rows of text: the middle, then each seat.
 * @param {Ready} loadedGame @param {State} state @param {string[]} seatNames @returns {Row[]} */
function boardRows({ game, words }, state, seatNames) {
  const { middle, seats } = positionVariableLines(game, words, state, seatNames);
  const texts = (/** @type {import("../runtime/words/sentences.mjs").Line[]} */ all) =>
    all.map(({ label, values }) => `${label} ${values}`).join("; ");
  const rows = seats.map(
    ({ name, own }, seat) =>
      /** @type {Row} */ ([localizedText("seat", { number: seat + 1 }), own.length ? `${name}: ${texts(own)}` : name]),
  );
  return [...(middle.length ? [/** @type {Row} */ ([localizedText("middle"), texts(middle)])] : []), ...rows];
}
