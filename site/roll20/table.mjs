// @ts-check
/** A table in the chat: what a command does to it, and the card that shows it. Who asks is who Roll20 says, and nobody else. */

import { Random } from "../runtime/random.mjs";
import { transcript } from "../runtime/record.mjs";
import { actionName, moveText, shown } from "../runtime/view.mjs";
import { ending, entryOf, freeSeats, full, handed, moverOf, namesOf, opponentText, played, positionOf, throwText, undone } from "../tabletops/round.mjs";
import { card, html, item, whispered } from "./chat.mjs";

/** @typedef {import("./sandbox.d.ts").Sandbox} Sandbox */
/** @typedef {import("./chat.mjs").Button} Button */
/** @typedef {import("./library.mjs").Opened} Opened */
/** @typedef {import("../runtime/record.mjs").Entry} Entry */
/** @typedef {{v: 1, rules: string, setting: string, rev: number, started: boolean, seats: import("../tabletops/round.mjs").Seat[],
 *   log: Entry[]}} Kept what `state` holds of a table */
/** @typedef {{id: string, gm: boolean}} Person */

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
    if (kept) state.Oddsmith.tables[this.content.game] = kept;
    else delete state.Oddsmith.tables[this.content.game];
  }

  /** Do what somebody asks for, and say what to show; Refused where it is not granted. @param {string[]} words
   * @param {Person} person @returns {Promise<string>} */
  async handle([verb = "", ...rest], person) {
    const numbers = rest.map((word) => (/^\d{1,9}$/.test(word) ? Number(word) : -1));
    grant(verb === "" || Object.hasOwn(this.#verbs, verb), "There is no such command.");
    return verb === "" ? this.show([]) : this.#verbs[verb](person, ...numbers);
  }

  /** @type {Record<string, (person: Person, ...numbers: number[]) => string | Promise<string>>} */
  #verbs = {
    open: ({ gm }, place) => {
      grant(gm, "Only the game master opens a table.");
      grant(!this.kept || this.#over(this.kept), "There is a table already.");
      const setting = this.content.book.settings[place];
      grant(setting, "There is no such setting.");
      const { rules } = this.content;
      this.#keep({ v: 1, rules, setting: setting.slug, rev: 0, started: false, seats: freeSeats(setting.seats), log: [] });
      return this.show([]);
    },
    sit: (person, place) => {
      const { kept } = this.#found();
      grant(!kept.started, "The game has begun.");
      grant(kept.seats[place]?.kind === "user" && kept.seats[place].user === null, "This seat is taken.");
      grant(person.gm || kept.seats.every(({ user }) => user !== person.id), "You sit at the table already.");
      const name = String(this.sandbox.getObj("player", person.id)?.get("displayname") ?? "");
      Object.assign(kept.seats[place], { user: person.id, name });
      return this.show([]);
    },
    leave: (person, place) => {
      const { kept } = this.#found();
      const seat = kept.seats[place];
      grant(!kept.started, "The game has begun: the game master can give the seat to a non-player.");
      grant(seat && (seat.user === person.id || person.gm), "This is not your seat.");
      kept.seats[place] = freeSeats(1)[0];
      return this.show([]);
    },
    npc: async ({ gm }, place, skill) => {
      grant(gm, "Only the game master seats non-players.");
      const { kept, opened } = this.#found();
      const seat = kept.seats[place];
      grant(seat, "There is no such seat.");
      if (skill === undefined) return this.#ways(opened, place);
      grant(opened.opponents[skill], "Nobody plays like that.");
      kept.seats[place] = handed(seat, place, skill, opened.opponents[skill]);
      return kept.started ? this.#grow(kept, opened, []) : this.show([]);
    },
    begin: async (person) => {
      const { kept, opened } = this.#found();
      grant(person.gm || kept.seats.some(({ user }) => user === person.id), "Only who sits at the table begins.");
      grant(!kept.started && full(kept.seats), "Seats are still free.");
      kept.started = true;
      return this.#grow(kept, opened, []);
    },
    do: async (person, rev, place) => {
      const { kept, opened } = this.#found();
      grant(kept.started && rev === kept.rev, "This button is of an earlier move.");
      const position = positionOf(opened.ready, kept.log);
      const seat = moverOf(kept.seats, position.state);
      grant(seat?.kind === "user" && (seat.user === person.id || person.gm), "It is not your turn.");
      const entry = entryOf(opened.ready, position, place ?? null, this.dice);
      grant(entry, "This is not to be done now.");
      return this.#grow(kept, opened, [entry]);
    },
    on: async (person) => {
      const { kept, opened } = this.#found();
      grant(kept.started && !this.#over(kept), "There is nothing to go on with.");
      return this.#grow(kept, opened, []);
    },
    undo: ({ gm }) => {
      grant(gm, "Only the game master takes moves back.");
      const { kept } = this.#found();
      const log = undone(kept.seats, kept.log);
      grant(log, "There is nothing to take back.");
      Object.assign(kept, { log, rev: kept.rev + 1 });
      return this.show([]);
    },
    close: ({ gm }) => {
      grant(gm, "Only the game master closes a table.");
      grant(this.kept, "There is no table.");
      this.#keep(null);
      return this.show([]);
    },
    advice: ({ gm }) => {
      grant(gm, "Only the game master asks for advice.");
      const { kept, opened } = this.#found();
      const { state, actions } = positionOf(opened.ready, kept.log);
      grant(kept.started && actions, "There is nothing to choose now.");
      grant(opened.known, "The table of best play is too large for this script.");
      const best = opened.ready.policy?.best(state) ?? null;
      const said = best === null ? "Good play never comes to this position." : actionName(opened.ready.game, state, actions[best]);
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
      const seats = [...kept.seats.keys()].filter((place) => kept.seats[place].kind === "user");
      const verbs = [["Advice", "advice"], ["Take back", "undo"], ["Write the transcript", "transcript"], ["Make the random tables", "tables"], ["Close", "close"]];
      const buttons = verbs.map(([text, verb]) => /** @type {Button} */ ([text, this.#command(verb)]));
      return whispered(card(this.content.title, [], [...buttons, ...seats.map((place) => this.#hand(kept, place))]));
    },
  };

  #found() {
    const { kept } = this;
    grant(kept, "There is no table.");
    const opened = this.library.at(kept.setting);
    grant(opened && kept.rules === this.content.rules, "This table was opened with other rules: close it.");
    return { kept, opened };
  }

  /** @param {Kept} kept */
  #over(kept) {
    const opened = this.library.at(kept.setting);
    return !opened || kept.rules !== this.content.rules || (kept.started && !positionOf(opened.ready, kept.log).state.phase);
  }

  /** Add a move and those of the non-players after it; tell them. @param {Kept} kept @param {Opened} opened @param {Entry[]} entries */
  async #grow(kept, { ready, opponents }, entries) {
    const { state } = positionOf(ready, [...kept.log, ...entries]);
    const more = await played(ready, kept.seats, opponents, state, this.dice);
    grant(kept.log.length + entries.length + more.length <= LONGEST, "The game has become too long.");
    const from = kept.log.length;
    kept.log.push(...entries, ...more);
    kept.rev += 1;
    const { moves } = positionOf(ready, kept.log);
    const names = namesOf(kept.seats);
    return this.show(moves.slice(from).map((move) => moveText(ready.game, move.before, move, names[move.seat])));
  }

  // --- cards

  /** What a button sends. @param {string} words */
  #command(words) {
    return `!tavern ${this.content.game} ${words}`;
  }

  /** The button for how a seat could be played without its player. @param {Kept} kept @param {number} place @returns {Button} */
  #hand({ seats }, place) {
    return [`${seats[place].name || `Seat ${place + 1}`} as a non-player`, this.#command(`npc ${place}`)];
  }

  /** How a seat can be played by nobody, and what that brings. @param {Opened} opened @param {number} place */
  #ways({ opponents }, place) {
    const buttons = opponents.map((one, skill) => /** @type {Button} */ ([opponentText(one, place), this.#command(`npc ${place} ${skill}`)]));
    return whispered(card(this.content.title, [["Seat", `${place + 1}, as a non-player`]], buttons));
  }

  /** The table as it is. @param {string[]} story what has just happened */
  show(story) {
    const { content, kept } = this;
    if (!kept) {
      const buttons = content.book.settings.map(({ label }, place) => /** @type {Button} */ ([label, this.#command(`open ${place}`)]));
      const tables = content.rolls.length ? [/** @type {Button} */ (["Make the random tables", this.#command("tables")])] : [];
      return card(content.title, [["Table", "none yet; the game master opens one"]], [...buttons, ...tables]);
    }
    const { opened } = this.#found();
    const skipped = story.length > TOLD ? [/** @type {const} */ (["", `... ${story.length - TOLD} moves before these`])] : [];
    const told = [...skipped, ...story.slice(-TOLD).map((text) => /** @type {const} */ (["", text]))];
    return kept.started ? this.#playing(kept, opened, told) : this.#lobby(kept, opened);
  }

  /** @param {Kept} kept @param {Opened} opened */
  #lobby(kept, opened) {
    const { known, ready } = opened;
    const free = [...kept.seats.keys()].filter((place) => kept.seats[place].kind === "user" && kept.seats[place].user === null);
    const rows = kept.seats.map(({ kind, name }, place) =>
      /** @type {const} */ ([`Seat ${place + 1}`, free.includes(place) ? "free" : kind === "npc" ? `${name}, a non-player` : name]));
    const sit = free.map((place) => /** @type {Button} */ ([`Sit on seat ${place + 1}`, this.#command(`sit ${place}`)]));
    const give = free.map((place) => this.#hand(kept, place));
    const taken = [...kept.seats.keys()].filter((place) => !free.includes(place));
    const leave = taken.map((place) => /** @type {Button} */ ([`Leave seat ${place + 1}`, this.#command(`leave ${place}`)]));
    const begin = free.length ? [] : [/** @type {Button} */ (["Begin", this.#command("begin")])];
    const without = known ? [] : [/** @type {const} */ (["Note", "the table of best play is too large for this script, so nobody here plays by it"])];
    return card(this.content.title, [["Setting", ready.setting.label], ...rows, ...without], [...sit, ...give, ...begin, ...leave, ["Close", this.#command("close")]]);
  }

  /** @param {Kept} kept @param {Opened} opened @param {(readonly [string, string])[]} told */
  #playing(kept, { ready, known }, told) {
    const { state, actions } = positionOf(ready, kept.log);
    const names = namesOf(kept.seats);
    const rows = [...told, ...boardRows(ready, state, names)];
    const more = /** @type {Button} */ (["More for the game master", this.#command("more")]);
    if (!state.phase)
      return card(this.content.title, [...rows, ["End", known ? ending(ready, state, names) : paid(ready, state, names)]], [more]);
    const acts = actions
      ? actions.map((action, place) => /** @type {Button} */ ([actionName(ready.game, state, action), this.#command(`do ${kept.rev} ${place}`)]))
      : [/** @type {Button} */ ([throwText(ready, state), this.#command(`do ${kept.rev}`)])];
    const waits = kept.seats[state.mover].kind === "user";
    return card(this.content.title, [...rows, ["Turn", names[state.mover]]], [...(waits ? acts : [/** @type {Button} */ (["Go on", this.#command("on")])]), more]);
  }
}

/** The position as rows of text: what lies in the middle, then every seat.
 * @param {import("../runtime/book.mjs").Ready} ready @param {import("../runtime/rules.mjs").State} state @param {string[]} names
 * @returns {[string, string][]} */
function boardRows({ game, words }, state, names) {
  const label = (/** @type {string} */ name) => words.variables[name]?.label ?? name;
  /** @param {import("../runtime/game.mjs").Variable} variable @param {number[]} cells */
  const line = (variable, cells) => {
    const own = cells.map((where) => {
      const index = variable.dims[0] === "seat" ? game.cells[where].index.slice(1) : game.cells[where].index;
      const text = shown(game, state.cells[where], variable.kind);
      return index.length ? `${index.map((item) => shown(game, item)).join(" ")}: ${text}` : text;
    });
    return `${label(variable.name)} ${own.join(", ")}`;
  };
  const middle = game.variables.filter(({ dims }) => dims[0] !== "seat").map((one) => line(one, game.cellsOf(one.name)));
  const each = game.variables.filter(({ dims }) => dims[0] === "seat");
  const seats = names.map((name, seat) => /** @type {[string, string]} */ ([(state.out >> seat) & 1 ? `${name} (out)` : name, each.map((one) => {
    const cells = game.cellsOf(one.name);
    const size = cells.length / game.seats;
    return line(one, cells.slice(seat * size, (seat + 1) * size));
  }).join("; ")]));
  return [...(middle.length ? [/** @type {[string, string]} */ (["Middle", middle.join("; ")])] : []), ...seats];
}

/** What everybody got, in every payoff. @param {import("../runtime/book.mjs").Ready} ready
 * @param {import("../runtime/rules.mjs").State} state @param {string[]} names */
function paid({ game, rules }, state, names) {
  const each = game.bundle.payoffs.map((/** @type {[string, any]} */ [name]) =>
    `${name.replaceAll("_", " ")}: ${rules.payoffs(state, name).map((one, place) => `${names[place]} ${one}`).join(", ")}`);
  return `The game is over. ${each.join("; ")}.`;
}
