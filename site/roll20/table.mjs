// @ts-check
/** A table in the chat: what a command does to it, and the card that shows it. Who asks is who Roll20 says, and nobody else. */

import { settingText } from "../runtime/book.mjs";
import { opponentText } from "../runtime/opponents.mjs";
import { Random } from "../runtime/random.mjs";
import { transcript } from "../runtime/record.mjs";
import { actionName, lines, moveText, namesOf } from "../runtime/view.mjs";
import { ending, freeSeats, full, grown, handed, isFree, moverOf, positionOf, throwText, undone } from "../tabletops/round.mjs";
import { card, html, item, whispered } from "./chat.mjs";

/** @typedef {import("./sandbox.d.ts").Sandbox} Sandbox */
/** @typedef {import("./chat.mjs").Button} Button */
/** @typedef {import("./chat.mjs").Row} Row */
/** @typedef {import("../tabletops/round.mjs").Seat} Seat */
/** @typedef {import("./library.mjs").Opened} Opened */
/** @typedef {import("../runtime/record.mjs").Entry} Entry */
/** @typedef {{v: 1, rules: string, setting: string, rev: number, started: boolean, seats: Seat[],
 *   log: Entry[], broken?: boolean}} Kept what `state` holds of a table; `broken`: the rules do not go on from where the log leads */
/** @typedef {{id: string, name: string, gm: boolean}} Person */

const LONGEST = 5000; // entries of a log
const TOLD = 12; // moves on a card

/** Something that is not granted, in words for who asked. */
export class Refused extends Error {}

/** @param {unknown} granted @param {string} why @returns {asserts granted} */
function grant(granted, why) {
  if (!granted) throw new Refused(why);
}

/** Dice as Roll20 throws them. */
class Dice extends Random {
  /** @param {Sandbox} sandbox */
  constructor(sandbox) {
    super(0);
    this.sandbox = sandbox;
  }
  bits() {
    return (this.sandbox.randomInteger(65536) - 1) * 65536 + this.sandbox.randomInteger(65536) - 1;
  }
  /** @param {number} bound */
  below(bound) {
    return bound <= 65536 ? this.sandbox.randomInteger(bound) - 1 : super.below(bound);
  }
}

export class Table {
  /** @param {Sandbox} sandbox @param {import("./library.mjs").Library} library */
  constructor(sandbox, library) {
    this.sandbox = sandbox;
    this.library = library;
    this.content = library.content;
    this.dice = new Dice(sandbox);
  }

  /** @returns {Kept | null} */
  get kept() {
    const all = this.sandbox.state().Oddsmith?.tables ?? {};
    return Object.hasOwn(all, this.content.game) ? all[this.content.game] : null;
  }

  /** @param {Kept | null} kept */
  #keep(kept) {
    const state = this.sandbox.state();
    state.Oddsmith ??= { v: 1, tables: {} };
    state.Oddsmith.revs ??= {}; // so that a button of one table means nothing at the next
    if (kept) [state.Oddsmith.tables[this.content.game], state.Oddsmith.revs[this.content.game]] = [kept, kept.rev];
    else delete state.Oddsmith.tables[this.content.game];
  }

  /** Do what somebody asks for, and say what to show; Refused where it is not granted, and then nothing has changed.
   * @param {string[]} words @param {Person} person @returns {Promise<string>} */
  async handle([verb = "", ...rest], person) {
    const numbers = rest.map((word) => (/^\d{1,9}$/.test(word) ? Number(word) : -1));
    grant(verb === "" || Object.hasOwn(this.#verbs, verb), "There is no such command.");
    return verb === "" ? this.show() : this.#verbs[verb](person, numbers, rest);
  }

  /** @type {Record<string, (person: Person, numbers: number[], words: string[]) => string | Promise<string>>} */
  #verbs = {
    setting: (person, [place]) => this.#open(person, () => this.content.book.settings[place]?.slug ?? null),
    open: (person, _, words) => this.#open(person, () => this.library.slug(words)),
    sit: (person, [place]) => {
      const { kept } = this.#found();
      grant(kept.seats[place] && isFree(kept.seats[place]), "This seat is taken.");
      grant(person.gm || kept.seats.every(({ user }) => user !== person.id), "You sit at the table already.");
      return this.#seat(kept, place, { kind: "user", user: person.id, name: person.name, skill: 0 });
    },
    leave: (person, [place]) => {
      const { kept } = this.#found();
      const seat = kept.seats[place];
      grant(seat && (seat.user === person.id || person.gm), "This is not your seat.");
      grant(!kept.started || seat.kind === "npc", "The game has begun: the game master can give the seat to a non-player.");
      return this.#seat(kept, place, freeSeats(1)[0]);
    },
    npc: ({ gm }, [place, skill]) => {
      grant(gm, "Only the game master seats non-players.");
      const { kept, opened } = this.#found();
      const seat = kept.seats[place];
      grant(seat, "There is no such seat.");
      if (skill === undefined) return this.#ways(kept, opened, place);
      grant(opened.opponents[skill], "Nobody plays like that.");
      return this.#seat(kept, place, handed(seat, place, skill, opened.opponents[skill]));
    },
    begin: (person) => {
      const { kept, opened } = this.#found();
      grant(person.gm || kept.seats.some(({ user }) => user === person.id), "Only who sits at the table begins.");
      grant(!kept.started, "The game has begun.");
      grant(full(kept.seats), "Seats are still free.");
      return this.#grow({ ...kept, started: true }, opened);
    },
    do: (person, [rev, place]) => {
      const { kept, opened } = this.#found();
      grant(kept.started && rev === kept.rev, "This button is of an earlier move.");
      grant(!kept.broken, "The game is over.");
      const seat = moverOf(kept.seats, positionOf(opened.ready, kept.log).state);
      grant(seat?.kind === "user" && (seat.user === person.id || person.gm), "It is not your turn.");
      return this.#grow(kept, opened, place ?? null);
    },
    on: () => {
      const { kept, opened } = this.#found();
      grant(kept.started && !this.#over(kept), "There is nothing to go on with.");
      return this.#grow(kept, opened);
    },
    again: (person) => {
      const { kept, opened } = this.#found();
      grant(person.gm || kept.seats.some(({ user }) => user === person.id), "Only who sits at the table plays again.");
      grant(kept.started && this.#over(kept), "The game is not over.");
      return this.#grow({ ...kept, log: [] }, opened);
    },
    undo: ({ gm }) => {
      grant(gm, "Only the game master takes moves back.");
      const { kept, opened } = this.#found();
      const log = undone(kept.seats, kept.log, kept.broken ? positionOf(opened.ready, kept.log).state : null);
      grant(log, "There is nothing to take back.");
      this.#keep({ ...kept, log, broken: false, rev: kept.rev + 1 });
      return this.show([["Taken back", `to move ${log.length + 1}`]]);
    },
    close: ({ gm }, [sure]) => {
      const { kept } = this;
      grant(gm, "Only the game master closes a table.");
      grant(kept, "There is no table.");
      if (kept.started && !this.#over(kept) && sure !== kept.rev)
        return whispered(card(this.content.title, [["Close", "The game is not over, and would be lost."]], [this.#button("Close it all the same", `close ${kept.rev}`)]));
      this.#keep(null);
      return this.show();
    },
    advice: ({ gm }) => {
      grant(gm, "Only the game master asks for advice.");
      const { kept, opened } = this.#found();
      const { game, policy } = opened.ready;
      const { state, actions } = positionOf(opened.ready, kept.log);
      grant(kept.started && actions, "There is nothing to choose now.");
      grant(policy, opened.lack);
      const best = policy.best(state);
      const said = best === null ? "Good play never comes to this position." : actionName(game, state, actions[best], namesOf(kept.seats));
      return whispered(card(this.content.title, [["Best, proven", said]]));
    },
    transcript: ({ gm }) => {
      grant(gm, "Only the game master writes transcripts.");
      const { kept, opened } = this.#found();
      const found = transcript(opened.ready, { rules: kept.rules, log: kept.log, seats: namesOf(kept.seats).map((name) => ({ name })) });
      const name = `Transcript of ${this.content.game}`;
      const handout = this.sandbox.findObjs({ _type: "handout", name })[0] ?? this.sandbox.createObj("handout", { name });
      handout.set("notes", html(JSON.stringify(found)));
      return whispered(card(this.content.title, [["Transcript", `in the handout ${name}`]]));
    },
    tables: ({ gm }) => {
      grant(gm, "Only the game master makes random tables.");
      const made = this.content.rolls.filter(({ name }) => !this.sandbox.findObjs({ _type: "rollabletable", name }).length);
      for (const { name, items } of made) {
        const { id } = this.sandbox.createObj("rollabletable", { name, showplayers: false });
        for (const [text, weight] of items) this.sandbox.createObj("tableitem", { _rollabletableid: id, name: item(text), weight });
      }
      return whispered(card(this.content.title, [["Made", made.map(({ name }) => name).join(", ") || "none: all are there"]]));
    },
    more: ({ gm }) => {
      grant(gm, "Only the game master has more to do here.");
      const { kept } = this.#found();
      const verbs = [["Advice", "advice"], ["Take back", "undo"], ["Write the transcript", "transcript"], ["Make the random tables", "tables"], ["Close", "close"]];
      const buttons = verbs.map(([text, verb]) => this.#button(text, verb));
      const seats = kept.seats.map(({ kind, name }, place) =>
        (kind === "user" ? this.#hand(kept, place) : this.#button(`Free the seat of ${name}`, `leave ${place}`)));
      return whispered(card(this.content.title, [], [...buttons, ...seats]));
    },
  };

  /** A table at a size. @param {Person} person @param {() => string | null} size finds its slug, null for one that the rules do not
   * have; not asked before it is granted, for it lays the game out */
  #open({ gm }, size) {
    grant(gm, "Only the game master opens a table.");
    grant(!this.kept || this.#over(this.kept), "There is a table already.");
    const slug = size();
    const opened = slug === null ? null : this.library.at(slug);
    grant(opened, `The rules have no such size. Other sizes: ${this.library.sizes(this.#command("open")) || "none"}`);
    const { rules } = this.content;
    const { seats, slug: setting } = opened.ready.setting;
    const rev = (this.sandbox.state().Oddsmith?.revs?.[this.content.game] ?? 0) + 1;
    this.#keep({ v: 1, rules, setting, rev, started: false, seats: freeSeats(seats), log: [] });
    return this.show();
  }

  /** Give a seat to somebody. @param {Kept} kept @param {number} place @param {Seat} seat */
  #seat(kept, place, seat) {
    const next = { ...kept, seats: kept.seats.map((one, at) => (at === place ? seat : one)) };
    if (kept.started && !kept.broken && seat.kind === "npc") return this.#grow(next, this.#found().opened);
    this.#keep(next);
    return this.show();
  }

  #found() {
    const { kept } = this;
    grant(kept, "There is no table.");
    const opened = this.library.at(kept.setting);
    grant(opened && kept.rules === this.content.rules, `This table was opened with other rules. The game master says ${this.#command("close")}`);
    return { kept, opened };
  }

  /** @param {Kept} kept */
  #over(kept) {
    const opened = this.library.at(kept.setting);
    return !opened || kept.rules !== this.content.rules || (kept.started && (kept.broken || !positionOf(opened.ready, kept.log).state.phase));
  }

  /** Add a person's move and those of the non-players after it; keep and tell them. @param {Kept} next without them
   * @param {Opened} opened @param {number | null} [own] the move, as `grown` has it */
  async #grow(next, { ready, opponents }, own) {
    const from = next.log.length;
    const found = await grown(ready, next.seats, opponents, next.log, this.dice, own);
    grant(found, "This is not to be done now.");
    grant(found.log.length <= LONGEST, "The game has become too long for a table. Write the transcript, then close it.");
    this.#keep({ ...next, rev: next.rev + 1, ...found });
    const names = namesOf(next.seats);
    const told = positionOf(ready, found.log).moves.map((move, place) =>
      /** @type {Row} */ ([`Move ${place + 1}`, moveText(ready.game, move.before, move, names[move.seat], names)])).slice(from);
    const skipped = told.length - TOLD;
    return this.show(skipped > 0 ? [["Earlier", `${skipped} moves that this card does not show`], ...told.slice(-TOLD)] : told);
  }

  // --- cards

  /** What a button sends. @param {string} words */
  #command(words) {
    return `!oddsmith ${this.content.game} ${words}`;
  }

  /** @param {string} text @param {string} words of the command @returns {Button} */
  #button(text, words) {
    return [text, this.#command(words)];
  }

  /** The button for how a seat could be played without its player. @param {Kept} kept @param {number} place */
  #hand({ seats }, place) {
    return this.#button(`${seats[place].name || `Seat ${place + 1}`} as a non-player`, `npc ${place}`);
  }

  /** Buttons for the seats that nobody has. @param {Kept} kept */
  #sit({ seats }) {
    return seats.flatMap((seat, place) => (isFree(seat) ? [this.#button(`Sit on seat ${place + 1}`, `sit ${place}`)] : []));
  }

  /** How a seat can be played by nobody, and what that brings. @param {Kept} kept @param {Opened} opened @param {number} place */
  #ways({ started }, { opponents, lack, ready }, place) {
    const buttons = opponents.map((one, skill) => this.#button(opponentText(ready.setting, one, place, started), `npc ${place} ${skill}`));
    return whispered(card(this.content.title, [["Seat", `${place + 1}, as a non-player`], ...noted(lack)], buttons));
  }

  /** The table as it is. @param {readonly Row[]} [told] what has just happened */
  show(told = []) {
    const { content, kept } = this;
    if (!kept) {
      const buttons = content.book.settings.map((one, place) => this.#button(settingText(content.book, one), `setting ${place}`));
      const tables = content.rolls.length ? [this.#button("Make the random tables", "tables")] : [];
      const sizes = this.library.sizes(this.#command("open"));
      const other = sizes ? [/** @type {Row} */ (["Other sizes", sizes])] : [];
      return card(content.title, [["Table", "none yet; the game master opens one"], ...other], [...buttons, ...tables]);
    }
    const { opened } = this.#found();
    return kept.started ? this.#playing(kept, opened, told) : this.#lobby(kept, opened);
  }

  /** @param {Kept} kept @param {Opened} opened */
  #lobby(kept, { lack, ready }) {
    const rows = kept.seats.map((seat, place) => /** @type {Row} */ ([`Seat ${place + 1}`,
      isFree(seat) ? "free" : seat.kind === "npc" ? `${seat.name}, a non-player` : seat.name]));
    const give = kept.seats.flatMap((seat, place) => (isFree(seat) ? [this.#hand(kept, place)] : []));
    const leave = kept.seats.flatMap((seat, place) => (isFree(seat) ? [] : [this.#button(`Leave seat ${place + 1}`, `leave ${place}`)]));
    const begin = full(kept.seats) ? [this.#button("Begin", "begin")] : [];
    return card(this.content.title, [["Setting", settingText(ready.game, ready.setting)], ...rows, ...noted(lack)],
      [...this.#sit(kept), ...give, ...begin, ...leave, this.#button("Close", "close")]);
  }

  /** @param {Kept} kept @param {Opened} opened @param {readonly Row[]} told */
  #playing(kept, { ready }, told) {
    const { state, actions } = positionOf(ready, kept.log);
    const names = namesOf(kept.seats);
    const rows = [...told, ...boardRows(ready, state, names)];
    const more = this.#button("More for the game master", "more");
    if (this.#over(kept)) return card(this.content.title, [...rows, ["End", ending(ready, state, names)]], [this.#button("Play again", "again"), more]);
    const acts = actions
      ? actions.map((action, place) => this.#button(actionName(ready.game, state, action, names), `do ${kept.rev} ${place}`))
      : [this.#button(throwText(ready, state), `do ${kept.rev}`)];
    const waits = kept.seats[state.mover].kind === "user";
    return card(this.content.title, [...rows, ["Turn", names[state.mover]]],
      [...(waits ? acts : [this.#button("Go on", "on")]), ...this.#sit(kept), more]);
  }
}

/** @param {string} lack why there is no best play @returns {Row[]} */
const noted = (lack) => (lack ? [["Note", lack]] : []);

/** The position as rows of text: what lies in the middle, then every seat.
 * @param {import("../runtime/book.mjs").Ready} ready @param {import("../runtime/rules.mjs").State} state @param {string[]} names
 * @returns {Row[]} */
function boardRows({ game, words }, state, names) {
  const { middle, seats } = lines(game, words, state, names);
  const said = (/** @type {import("../runtime/view.mjs").Line[]} */ all) => all.map(({ label, values }) => `${label} ${values}`).join("; ");
  const rows = seats.map(({ name, own }, seat) => /** @type {Row} */ ([`Seat ${seat + 1}`, own.length ? `${name}: ${said(own)}` : name]));
  return [...(middle.length ? [/** @type {Row} */ (["Middle", said(middle)])] : []), ...rows];
}
