// @ts-check
/** Cards in the chat: an invitation, a turn, the end of a game. Their buttons only ask; the authority decides. */

import { make, moveText } from "../runtime/view.mjs";
import { PLAIN } from "./host.mjs";
import { button, complain, say } from "./words.mjs";

/** @typedef {import("./entry.mjs").Desk} Desk */
/** @typedef {import("./tables.mjs").Position} Position */
/** @typedef {import("./shapes.mjs").TableRecord} TableRecord */
/** @typedef {{card: "invitation" | "turn" | "end", table: string, rev: number, transcript?: any}} Flags */
/** @typedef {{flags: Flags, message: string, round: number}} Told `round` counts how often the card was filled */

const LONGEST_THROW = 8000; // milliseconds after which dice on the screen are not waited for any more

/** Wait until the dice of some messages lie still, so that no text tells what they will show. @param {string[]} messages */
export async function still(messages) {
  const rolling = [...new Set(messages)].map((message) => /** @type {any} */ (game).dice3d?.waitFor3DAnimationByMessageID(message));
  if (rolling.some(Boolean)) await Promise.race([Promise.allSettled(rolling), new Promise((done) => setTimeout(done, LONGEST_THROW))]);
}

/** How a game ended, in one sentence. @param {Pick<Position, "ready" | "state" | "names">} position */
export function ending({ ready, state, names }) {
  const { objective, share } = ready.setting;
  const paid = ready.rules.payoffs(state, objective).map(String);
  const winners = names.filter((_, seat) => paid[seat] !== "0");
  if (share && winners.length === 1) return say("ODDSMITH.End.Wins", { name: winners[0] });
  if (share && winners.length) return say("ODDSMITH.End.Shared", { names: winners.join(", ") });
  const each = paid.map((text, seat) => say("ODDSMITH.End.Each", { name: names[seat], paid: text })).join("; ");
  return say("ODDSMITH.End.Said", { objective: objective.replaceAll("_", " "), each });
}

/** Fills the cards of one module and keeps them true. */
export class Cards {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    /** @type {WeakMap<Element, Told>} */
    this.told = new WeakMap();
    Hooks.on("renderChatMessageHTML", (/** @type {FoundryMessage} */ message, /** @type {HTMLElement} */ html) => this.dress(message, html));
    desk.tables.onChange(() => this.refresh());
  }

  /** Put our card into a message that was drawn. @param {FoundryMessage} message @param {HTMLElement} html */
  dress(message, html) {
    const flags = /** @type {any} */ (message.flags)?.[this.desk.id]; // of modules, no types know
    // Anybody can post a message with our flags. What the end card says of a table that is gone stands nowhere else, so only
    // game masters are believed; a card of a turn tells what stands in the table's own log, whoever posted it.
    if (!flags?.card || (flags.card !== "turn" && !message.author?.isGM)) return;
    const card = make("div", { class: `oddsmith-card ${this.desk.id}-card` });
    this.told.set(card, { flags, message: message.id ?? "", round: 0 });
    html.querySelector(`.${PLAIN}`)?.remove();
    (html.querySelector(".message-content") ?? html).prepend(card);
    void this.#fill(card);
  }

  refresh() {
    for (const card of document.querySelectorAll(`.${CSS.escape(this.desk.id)}-card`)) void this.#fill(card);
  }

  /** @param {Element} card */
  async #fill(card) {
    const told = this.told.get(card);
    if (!told) return;
    const round = ++told.round;
    /** @type {Node[]} */
    let content;
    try {
      if (told.flags.card !== "invitation") await still([told.message]);
      content = await this.#content(told);
    } catch (error) {
      console.error(error);
      content = [make("p", {}, say("ODDSMITH.Table.NoRules"))];
    }
    if (round === told.round) card.replaceChildren(...content); // a later filling has more to say
  }

  /** @param {Told} told @returns {Promise<Node[]>} */
  async #content({ flags, message }) {
    const record = this.desk.tables.get(flags.table);
    if (!record) return flags.card === "end" ? this.#past(flags.transcript) : [make("p", {}, say("ODDSMITH.Table.Gone"))];
    const position = await this.desk.tables.position(record);
    if (flags.card === "invitation") return this.#invitation(record, position);
    return flags.card === "turn" ? this.#turn(record, position, message) : this.#end(record, position);
  }

  /** @param {TableRecord} record @param {Position} position */
  #invitation(record, { ready }) {
    const { tables } = this.desk;
    const rights = this.desk.rights(record);
    const kept = rights.join.find((place) => record.seats[place].held === game.user.id);
    const sits = record.seats.some(({ user }) => user === game.user.id);
    const seat = kept ?? (sits ? undefined : rights.join.find((place) => record.seats[place].held === null));
    const names = record.seats.map(({ name, kind, user }) => {
      const expected = kind === "user" && !user ? ` (${say("ODDSMITH.Lobby.Expected")})` : "";
      return make("li", {}, (name || say("ODDSMITH.Lobby.Free")) + expected);
    });
    const stake = record.stake && tables.stakes(ready) ? say("ODDSMITH.Table.Stake", { stake: record.stake }) : say("ODDSMITH.Table.NoStake");
    return [this.#head(record), make("p", {}, `${ready.setting.label}. ${stake}`), make("ul", {}, ...names),
      this.#buttons(seat === undefined ? null : button(say("ODDSMITH.Lobby.Join"), () => void this.#join(record.id, seat)), this.#open(record))];
  }

  /** @param {string} table @param {number} seat */
  async #join(table, seat) {
    try {
      await this.desk.tables.send("join", { table, seat });
      this.desk.openTable(table);
    } catch (error) {
      complain(error);
    }
  }

  /** What happened in the turn that a message belongs to. @param {TableRecord} record @param {Position} position @param {string} message */
  #turn(record, position, message) {
    let first = 0;
    for (let i = 0; i < position.moves.length; i++) {
      if (!position.moves[i].turnOver && i + 1 < position.moves.length) continue;
      if (record.log.slice(first, i + 1).some((entry) => "throw" in entry && entry.message === message)) {
        const { ready, moves, names } = position;
        const lines = moves.slice(first, i + 1).map((move) => make("li", {}, moveText(ready.game, move.before, move, names[move.seat])));
        return [make("ul", { class: "od-turn-story" }, ...lines)];
      }
      first = i + 1;
    }
    return [make("p", {}, say("ODDSMITH.Card.TakenBack"))];
  }

  /** @param {TableRecord} record @param {Position} position */
  #end(record, position) {
    const { tables } = this.desk;
    if (record.phase !== "over") return [make("p", {}, say("ODDSMITH.Card.TakenBack"))];
    const end = position.state.phase ? say("ODDSMITH.End.Broken") : ending(position);
    const rematch = this.desk.rights(record).rematch && (game.user.isGM || !position.state.phase)
      ? button(say("ODDSMITH.Table.Rematch"), () => void tables.send("rematch", { table: record.id }).catch(complain)) : null;
    const pot = record.stake && tables.stakes(position.ready) === "pot" ? say("ODDSMITH.Table.Pot", { pot: record.stake * record.seats.length }) : "";
    return [this.#head(record), make("p", {}, make("strong", {}, end)), make("p", {}, pot), this.#buttons(rematch, this.#open(record))];
  }

  /** The end of a game whose table has been taken away. @param {any} transcript */
  #past(transcript) {
    const [objective, paid] = Object.entries(transcript?.payoffs ?? {})[0] ?? [];
    if (!objective) return [make("p", {}, say("ODDSMITH.Table.Gone"))];
    const each = paid.map((/** @type {string} */ text, /** @type {number} */ seat) =>
      say("ODDSMITH.End.Each", { name: transcript.names?.[seat] ?? say("ODDSMITH.Seat", { number: seat + 1 }), paid: text })).join("; ");
    return [make("p", {}, say("ODDSMITH.End.Said", { objective: objective.replaceAll("_", " "), each }))];
  }

  /** @param {TableRecord} record */
  #head(record) {
    return make("p", { class: "od-head" }, make("strong", {}, this.desk.gameTitle(record.game)));
  }

  /** @param {TableRecord} record */
  #open(record) {
    return button(say("ODDSMITH.Card.Open"), () => this.desk.openTable(record.id));
  }

  /** @param {...(HTMLElement | null)} buttons */
  #buttons(...buttons) {
    return make("div", { class: "od-choices" }, ...buttons);
  }
}
