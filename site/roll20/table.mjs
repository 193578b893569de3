// @ts-check
/** A table in the chat: who may give which command, and what it does. Roll20 says who gave a command. */

import { Random } from "../runtime/rules/random.mjs";
import { makeTranscript } from "../runtime/table/record.mjs";
import { Refused } from "../runtime/table/refused.mjs";
import {
  extendLog,
  makeFreeSeats,
  areSeatsFull,
  giveToNonPlayer,
  isSeatFree,
  logBeforeLastAct,
  seatToMove,
  positionAfterLog,
} from "../runtime/table/round.mjs";
import { actionName, moveText, uniqueSeatNames, opponentName } from "../runtime/words/sentences.mjs";
import { sentenceText } from "../runtime/words/words.mjs";
import { TableCards } from "./cards.mjs";
import { handoutHtml, randomTableItemText } from "./chat.mjs";
import { localizedText } from "./words.mjs";

/** @typedef {import("./sandbox.d.ts").Sandbox} Sandbox */
/** @typedef {import("./chat.mjs").Row} Row */
/** @typedef {import("./game.mjs").Opened} Opened */
/** @typedef {import("../runtime/table/round.mjs").Seat} Seat */
/** @typedef {import("../runtime/table/record.mjs").Entry} Entry */
/** @typedef {{v: 1, rules: string, setting: string, rev: number, started: boolean, seats: Seat[],
 *   log: Entry[], broken?: boolean}} Kept what `state` holds of a table; `broken`: the rules do not go on from where
 * the log leads */
/** @typedef {{id: string, name: string, gm: boolean}} Person */

const LONGEST = 5000; // entries of a log
const MAX_MOVES_SHOWN = 12; // moves on a card

/** Throw Refused unless a condition holds. @param {unknown} condition @param {string} reason
 * @returns {asserts condition} */
function refuseUnless(condition, reason) {
  if (!condition) throw new Refused(reason);
}

/** Random numbers of Roll20. */
class Roll20Dice extends Random {
  /** @param {Sandbox} sandbox */
  constructor(sandbox) {
    super(0);
    this.sandbox = sandbox;
  }
  randomBits() {
    return (this.sandbox.randomInteger(65536) - 1) * 65536 + this.sandbox.randomInteger(65536) - 1;
  }
  /** A random whole number from 0 to below a bound. @param {number} bound */
  below(bound) {
    return bound <= 65536 ? this.sandbox.randomInteger(bound) - 1 : super.below(bound);
  }
}

/** The table of a game in the chat. */
export class ChatTable {
  /** @param {Sandbox} sandbox @param {import("./game.mjs").ScriptGame} game */
  constructor(sandbox, game) {
    this.sandbox = sandbox;
    this.game = game;
    this.content = game.content;
    this.cards = new TableCards(game);
    this.dice = new Roll20Dice(sandbox);
  }

  /** The record of the table; null if there is none. @returns {Kept | null} */
  get kept() {
    const all = this.sandbox.state().Oddsmith?.tables ?? {};
    return Object.hasOwn(all, this.content.game) ? all[this.content.game] : null;
  }

  /** Save the record of the table. @param {Kept | null} tableRecord */
  #save(tableRecord) {
    const state = this.sandbox.state();
    state.Oddsmith ??= { v: 1, tables: {} };
    state.Oddsmith.revs ??= {}; // so that a button of one table means nothing at the next
    if (tableRecord)
      [state.Oddsmith.tables[this.content.game], state.Oddsmith.revs[this.content.game]] = [
        tableRecord,
        tableRecord.rev,
      ];
    else delete state.Oddsmith.tables[this.content.game];
  }

  /** Carry out a command, and return what to show. Throws Refused if it is not allowed; then nothing has changed.
   * @param {string[]} words @param {Person} person @returns {Promise<string>} */
  async handleCommand([verb = "", ...commandArguments], person) {
    const numbers = commandArguments.map((word) => (/^\d{1,9}$/.test(word) ? Number(word) : -1));
    refuseUnless(verb === "" || Object.hasOwn(this.#verbs, verb), localizedText("noCommand"));
    return verb === "" ? this.tableCard() : this.#verbs[verb](person, numbers, commandArguments);
  }

  /** @type {Record<string, (person: Person, numbers: number[], words: string[]) => string | Promise<string>>} */
  #verbs = {
    setting: (person, [place]) => this.#openTable(person, () => this.content.book.settings[place]?.slug ?? null),
    open: (person, _, words) => this.#openTable(person, () => this.game.playableSlug(words)),
    sit: (person, [place]) => {
      const { kept } = this.#requireTable();
      refuseUnless(kept.seats[place] && isSeatFree(kept.seats[place]), localizedText("seatTaken"));
      refuseUnless(person.gm || kept.seats.every(({ user }) => user !== person.id), localizedText("sitsAlready"));
      return this.#giveSeat(kept, place, { kind: "user", user: person.id, name: person.name, skill: 0 });
    },
    leave: (person, [place]) => {
      const { kept } = this.#requireTable();
      const seat = kept.seats[place];
      refuseUnless(seat && (seat.user === person.id || person.gm), localizedText("otherSeat"));
      refuseUnless(!kept.started || seat.kind === "npc", localizedText("begun"));
      return this.#giveSeat(kept, place, makeFreeSeats(1)[0]);
    },
    npc: ({ gm }, [place, skill]) => {
      refuseUnless(gm, localizedText("onlyGMSeats"));
      const { kept, opened } = this.#requireTable();
      const seat = kept.seats[place];
      refuseUnless(seat, localizedText("noSeat"));
      if (skill === undefined) return this.cards.opponentCard(kept, opened, place);
      const opponent = opened.opponents[skill];
      refuseUnless(opponent, localizedText("noSuchPlay"));
      const guest = sentenceText("guest", { number: place + 1, play: opponentName(opponent) });
      return this.#giveSeat(kept, place, giveToNonPlayer(seat, skill, guest));
    },
    begin: (person) => {
      const { kept, opened } = this.#requireTable();
      refuseUnless(person.gm || kept.seats.some(({ user }) => user === person.id), localizedText("onlySeatedBegin"));
      refuseUnless(!kept.started, localizedText("hasBegun"));
      refuseUnless(areSeatsFull(kept.seats), localizedText("someFree"));
      return this.#extendLog({ ...kept, started: true }, opened);
    },
    do: (person, [rev, place]) => {
      const { kept, opened } = this.#requireTable();
      refuseUnless(kept.started && rev === kept.rev, localizedText("oldButton"));
      refuseUnless(!kept.broken, localizedText("over"));
      const seat = seatToMove(kept.seats, positionAfterLog(opened.loadedGame, kept.log).state);
      refuseUnless(seat?.kind === "user" && (seat.user === person.id || person.gm), localizedText("otherTurn"));
      return this.#extendLog(kept, opened, place ?? null);
    },
    on: () => {
      const { kept, opened } = this.#requireTable();
      refuseUnless(kept.started && !this.#isOver(kept), localizedText("nothingToGoOn"));
      return this.#extendLog(kept, opened);
    },
    again: (person) => {
      const { kept, opened } = this.#requireTable();
      refuseUnless(person.gm || kept.seats.some(({ user }) => user === person.id), localizedText("onlySeatedAgain"));
      refuseUnless(kept.started && this.#isOver(kept), localizedText("notOver"));
      return this.#extendLog({ ...kept, log: [] }, opened);
    },
    undo: ({ gm }) => {
      refuseUnless(gm, localizedText("onlyGMUndoes"));
      const { kept, opened } = this.#requireTable();
      const { loadedGame } = opened;
      const log = logBeforeLastAct(
        loadedGame,
        kept.seats,
        kept.log,
        kept.broken ? positionAfterLog(loadedGame, kept.log) : null,
      );
      refuseUnless(log, localizedText("nothingToUndo"));
      this.#save({ ...kept, log, broken: false, rev: kept.rev + 1 });
      return this.tableCard([[localizedText("takenBack"), localizedText("toMove", { number: log.length + 1 })]]);
    },
    close: ({ gm }, [sure]) => {
      const { kept } = this;
      refuseUnless(gm, localizedText("onlyGMCloses"));
      refuseUnless(kept, localizedText("noTable"));
      if (kept.started && !this.#isOver(kept) && sure !== kept.rev)
        return this.cards.noteCard(localizedText("close"), localizedText("loses"), [
          this.cards.button(localizedText("closeAnyway"), `close ${kept.rev}`),
        ]);
      this.#save(null);
      return this.tableCard();
    },
    advice: ({ gm }) => {
      refuseUnless(gm, localizedText("onlyGMAsks"));
      const { kept, opened } = this.#requireTable();
      const { game, policy } = opened.loadedGame;
      const { state, actions } = positionAfterLog(opened.loadedGame, kept.log);
      refuseUnless(kept.started && actions, localizedText("nothingToChoose"));
      refuseUnless(policy, opened.lack);
      const best = policy.best(state);
      const names = uniqueSeatNames(kept.seats, game.sides);
      const name = (/** @type {number} */ place) => actionName(game, state, actions[place], names);
      const only = actions.length === 1 ? sentenceText("adviceOnly", { what: name(0) }) : null;
      return this.cards.noteCard(
        localizedText("bestProven"),
        only ?? (best === null ? sentenceText("adviceUnknown") : name(best)),
      );
    },
    transcript: ({ gm }) => {
      refuseUnless(gm, localizedText("onlyGMTranscript"));
      const { kept, opened } = this.#requireTable();
      const seats = uniqueSeatNames(kept.seats).map((name) => ({ name }));
      const play = makeTranscript(opened.loadedGame, { rules: kept.rules, log: kept.log, seats });
      const name = localizedText("transcriptOf", { game: this.content.game });
      const handout =
        this.sandbox.findObjs({ _type: "handout", name })[0] ?? this.sandbox.createObj("handout", { name });
      handout.set("notes", handoutHtml(JSON.stringify(play)));
      return this.cards.noteCard(localizedText("transcript"), localizedText("inHandout", { name }));
    },
    tables: ({ gm }) => {
      refuseUnless(gm, localizedText("onlyGMTables"));
      const made = this.content.rolls.filter(
        ({ name }) => !this.sandbox.findObjs({ _type: "rollabletable", name }).length,
      );
      for (const { name, items } of made) {
        const { id } = this.sandbox.createObj("rollabletable", { name, showplayers: false });
        for (const [text, weight] of items)
          this.sandbox.createObj("tableitem", { _rollabletableid: id, name: randomTableItemText(text), weight });
      }
      return this.cards.noteCard(
        localizedText("made"),
        made.map(({ name }) => name).join(", ") || localizedText("allThere"),
      );
    },
    more: ({ gm }) => {
      refuseUnless(gm, localizedText("onlyGMMore"));
      return this.cards.furtherActsCard(this.#requireTable().kept);
    },
  };

  /** Open a table in a setting, and return its card. Throws Refused if the person may not do that. @param {Person}
   * person
   * @param {() => string | null} findSettingSlug finds the slug of the setting; null if the rules do not have it. It
   * tries the game out, so it is called only if the person may open a table */
  #openTable({ gm }, findSettingSlug) {
    refuseUnless(gm, localizedText("onlyGMOpens"));
    refuseUnless(!this.kept || this.#isOver(this.kept), localizedText("oneTable"));
    const slug = findSettingSlug();
    const opened = slug === null ? null : this.game.openSetting(slug);
    refuseUnless(
      opened,
      localizedText("noSize", { sizes: this.game.sizesText(this.cards.commandText("open")) || localizedText("none") }),
    );
    const { rules } = this.content;
    const { seats, slug: setting } = opened.loadedGame.setting;
    const rev = (this.sandbox.state().Oddsmith?.revs?.[this.content.game] ?? 0) + 1;
    this.#save({ v: 1, rules, setting, rev, started: false, seats: makeFreeSeats(seats), log: [] });
    return this.tableCard();
  }

  /** Give a seat to somebody. @param {Kept} tableRecord @param {number} seatIndex @param {Seat} seat */
  #giveSeat(tableRecord, seatIndex, seat) {
    const next = { ...tableRecord, seats: tableRecord.seats.map((one, at) => (at === seatIndex ? seat : one)) };
    if (tableRecord.started && !tableRecord.broken && seat.kind === "npc")
      return this.#extendLog(next, this.#requireTable().opened);
    this.#save(next);
    return this.tableCard();
  }

  /** The table and its game. Throws Refused if there is none, or if the rules have changed. */
  #requireTable() {
    const { kept } = this;
    refuseUnless(kept, localizedText("noTable"));
    const opened = this.game.openSetting(kept.setting);
    refuseUnless(
      opened && kept.rules === this.content.rules,
      localizedText("otherRules", { command: this.cards.commandText("close") }),
    );
    return { kept, opened };
  }

  /** Whether a game is over, or its rules have changed. @param {Kept} tableRecord */
  #isOver(tableRecord) {
    const opened = this.game.openSetting(tableRecord.setting);
    if (!opened || tableRecord.rules !== this.content.rules) return true;
    return (
      tableRecord.started && (tableRecord.broken || !positionAfterLog(opened.loadedGame, tableRecord.log).state.phase)
    );
  }

  /** Extend the log by a person's move, and by the moves of non-players that follow; save and show it.
   * @param {Kept} nextRecord without them
   * @param {Opened} opened @param {number | null} [personMove] the person's move, as `extendLog` has it */
  async #extendLog(nextRecord, { loadedGame, opponents }, personMove) {
    const from = nextRecord.log.length;
    const longer = await extendLog(loadedGame, nextRecord.seats, opponents, nextRecord.log, this.dice, personMove);
    refuseUnless(longer, localizedText("notNow"));
    refuseUnless(longer.log.length <= LONGEST, localizedText("tooLong"));
    this.#save({ ...nextRecord, rev: nextRecord.rev + 1, ...longer });
    const names = uniqueSeatNames(nextRecord.seats, loadedGame.game.sides);
    const { moves } = positionAfterLog(loadedGame, longer.log);
    /** @type {Row[]} */
    const news = moves
      .slice(from)
      .map((move, place) => [
        localizedText("move", { number: from + place + 1 }),
        moveText(loadedGame.game, move.before, move, names[move.seat], names),
      ]);
    const skipped = news.length - MAX_MOVES_SHOWN;
    return this.tableCard(
      skipped > 0
        ? [[localizedText("earlier"), localizedText("skipped", { number: skipped })], ...news.slice(-MAX_MOVES_SHOWN)]
        : news,
    );
  }

  /** The card of the table as it is. @param {readonly Row[]} [newsRows] what has just happened */
  tableCard(newsRows = []) {
    if (!this.kept) return this.cards.noTableCard();
    const { kept, opened } = this.#requireTable();
    return kept.started
      ? this.cards.playingCard(kept, opened, Boolean(this.#isOver(kept)), newsRows)
      : this.cards.lobbyCard(kept, opened);
  }
}
