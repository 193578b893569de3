// @ts-check
/** Cards in the chat: an invitation, a turn, the end of a game. Their buttons only ask; the authority decides. */

import { addStyles } from "../../runtime/felt/look.mjs";
import { button, controlNamed, focusedName } from "../../runtime/words/controls.mjs";
import { withDicePictures } from "../../runtime/words/drawn.mjs";
import { endText, moveParts, uniqueSeatNames, payoffsText, settingText } from "../../runtime/words/sentences.mjs";
import { makeElement } from "../../runtime/words/view.mjs";
import { moneyText } from "../money/coins.mjs";
import { brokenOffText, finalSettlement, makeSettlement, settlementTexts } from "../money/settlement.mjs";
import { stakingTermsOf } from "../money/stakes.mjs";
import { isOver } from "../tables/sealing.mjs";
import { compareDiceWithLog } from "../tables/throws.mjs";
import { PLAIN_TEXT_CLASS } from "../world/host.mjs";
import { RefusedRequest } from "../world/shapes.mjs";
import { waitForDice } from "../world/still.mjs";
import { showError, localizedText } from "../world/words.mjs";

/** @typedef {import("./desk.mjs").WindowManager} Desk */
/** @typedef {import("../tables/tables.mjs").Position} Position */
/** @typedef {import("../world/shapes.mjs").TableRecord} TableRecord */
/** @typedef {import("../money/settlement.mjs").Settlement} Settlement */
/** @typedef {{card: "invitation" | "turn" | "end", table: string, game?: string, transcript?: any, account?: Settlement
 * | null, stuck?: boolean, undone?: true, thrown?: boolean, rev?: number}} Flags an end without a transcript is that of
 * a game that was broken off, one that was `undone` is none; `thrown` by a player at his own screen, at the revision
 * `rev` of the table */
/** @typedef {{flags: Flags, message: string, plain: Element[], round: number, filled: boolean}} Told `plain` is what
 * the message says without this module, `round` counts the attempts to fill the card, `filled` says whether one
 * succeeded */

/** Listen to messages from now on, so that cards can be added to them. Foundry draws the chat before the world is
 * ready, so messages drawn until then are kept.
 * @returns {(desk: Desk) => void} adds cards to these messages and to later ones, to be called once there is a desk */
export function collectCardMessages() {
  /** @type {ChatCards | null} */
  let cards = null;
  /** @type {Map<HTMLElement, FoundryMessage>} */
  const early = new Map();
  Hooks.on("renderChatMessageHTML", (message, html) => {
    if (cards) cards.addCard(message, html);
    else early.set(html, message);
  });
  return (desk) => {
    cards = new ChatCards(desk);
    // Others may have put copies in place of what was drawn.
    for (const line of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#chat [data-message-id]"))) {
      const message = game.messages.get(line.dataset.messageId ?? "");
      if (message) early.set(line, message);
    }
    for (const [line, message] of early) cards.addCard(message, line);
    early.clear();
  };
}

/** Fills the cards of one module, and fills them anew when a table changes. */
export class ChatCards {
  /** @param {Desk} windowManager */
  constructor(windowManager) {
    this.desk = windowManager;
    /** @type {WeakMap<HTMLElement, Told>} */
    this.told = new WeakMap();
    /** @type {Set<WeakRef<HTMLElement>>} every card, in whatever window it is; a message that is drawn anew has a new
     * one */
    this.cards = new Set();
    windowManager.tables.onChange(() => this.fillAll());
  }

  /** Add our card to a message that was drawn. @param {FoundryMessage} message @param {HTMLElement} messageElement */
  addCard(message, messageElement) {
    // Of modules, no types know.
    const flags = this.#turnFlags(message) ?? /** @type {any} */ (message.flags)?.[this.desk.id];
    // Anybody can post a message with our flags. What the end card says of a table that is gone stands nowhere else, so
    // only game masters are believed; a card of a turn tells what stands in the table's own log, whoever posted it.
    if (!flags?.card || (flags.card !== "turn" && !message.author?.isGM)) return;
    const card = makeElement("div", { class: `oddsmith-card oddsmith-${this.desk.id}-card` });
    const plain = [...messageElement.querySelectorAll(`.${PLAIN_TEXT_CLASS}`)];
    this.told.set(card, { flags, message: message.id ?? "", plain, round: 0, filled: false });
    this.cards.add(new WeakRef(card));
    // The log says what fell: neither the tabletop's own totals nor anything that the author has written does.
    if (flags.card === "turn") messageElement.querySelector(".message-content")?.replaceChildren();
    for (const line of plain) line.remove();
    (messageElement.querySelector(".message-content") ?? messageElement).prepend(card);
    void this.#fillCard(card);
  }

  /** The flags of the card of a turn, if the log of a table names the message as that of its dice; else null. The flags
   * that the author gave it do not matter.
   * @param {FoundryMessage} message @returns {Flags | null} */
  #turnFlags({ id, rolls }) {
    const table = rolls.length && this.desk.tables.all().find(({ log }) => log.some((entry) => entry.message === id));
    return table ? { card: "turn", table: table.id } : null;
  }

  /** Fill all cards anew that are on the screen or were not yet filled. */
  fillAll() {
    for (const held of this.cards) {
      const card = held.deref();
      if (!card) this.cards.delete(held);
      else if (card.isConnected || !this.told.get(card)?.filled) void this.#fillCard(card);
    }
  }

  /** Fill a card once the dice of its message lie still. @param {HTMLElement} card */
  async #fillCard(card) {
    const drawn = this.told.get(card);
    if (!drawn) return;
    const round = ++drawn.round;
    /** @type {Node[]} */
    let content;
    try {
      if (drawn.flags.card !== "invitation") await waitForDice(this.desk.tables.host, [drawn.message]);
      content = await this.#contentOf(drawn);
    } catch (error) {
      if (!(error instanceof RefusedRequest)) console.error(error);
      content = this.#writtenContent(drawn);
    }
    if (round !== drawn.round) return; // a later filling has more to say
    addStyles(card.ownerDocument);
    const name = focusedName(card);
    keepScrolledToEnd(card, () => card.replaceChildren(...content));
    drawn.filled = true;
    if (name !== undefined) (controlNamed(card, name) ?? card.querySelector("button"))?.focus({ preventScroll: true });
  }

  /** The content of a card now. @param {Told} told @returns {Promise<Node[]>} */
  async #contentOf({ flags, message, plain }) {
    if (flags.undone) return [makeElement("p", {}, localizedText("ODDSMITH.Card.TakenBack"))];
    const record = this.desk.tables.get(flags.table);
    if (!record && flags.card === "end") return this.#pastEndContent(flags);
    if (!record)
      return [makeElement("p", {}, localizedText("ODDSMITH.Table.Gone")), ...(flags.card === "turn" ? plain : [])];
    const position = await this.desk.tables.position(record);
    if (flags.card === "invitation") return this.#invitationContent(record, position);
    return flags.card === "turn"
      ? this.#turnContent(record, position, message, flags)
      : this.#endContent(record, position, flags);
  }

  /** The content of a card whose rules could not be opened: what was written when it was posted. @param {Told} told */
  #writtenContent({ flags, plain }) {
    const record = this.desk.tables.get(flags.table);
    const past = flags.card === "end" && (flags.transcript || flags.game);
    const written = past ? this.#pastEndContent(flags) : plain;
    const key = written.length ? "ODDSMITH.Card.NoRules" : "ODDSMITH.Table.NoRules";
    const note = makeElement("p", { role: "note" }, localizedText(key));
    const open = record && flags.card !== "turn" ? this.#buttonRow(this.#openButton(record)) : null;
    return [...written, note, ...(open ? [open] : [])];
  }

  /** The content of an invitation. @param {TableRecord} record @param {Position} position */
  #invitationContent(record, { loadedGame }) {
    const rights = this.desk.rights(record);
    const kept = rights.join.find((place) => record.seats[place].held === game.user.id);
    const sits = record.seats.some(({ user }) => user === game.user.id);
    const seat = kept ?? (sits ? undefined : rights.join.find((place) => record.seats[place].held === null));
    const names = record.seats.map(({ name, kind, user }) => {
      const expected = kind === "user" && !user ? ` (${localizedText("ODDSMITH.Lobby.Expected")})` : "";
      return makeElement("li", {}, (name || localizedText("ODDSMITH.Lobby.Free")) + expected);
    });
    const stake =
      record.stake && stakingTermsOf(loadedGame)
        ? localizedText("ODDSMITH.Table.Stake", { stake: moneyText(record.chips, record.stake) })
        : localizedText("ODDSMITH.Table.NoStake");
    return [
      this.#heading(record.game),
      makeElement(
        "p",
        {},
        `${settingText({ bundle: loadedGame.game.bundle, words: loadedGame.words }, loadedGame.setting)}. ${stake}`,
      ),
      makeElement("ul", {}, ...names),
      this.#buttonRow(
        seat === undefined
          ? null
          : button(localizedText("ODDSMITH.Lobby.Join"), () => void this.#join(record.id, seat)),
        this.#openButton(record),
      ),
    ];
  }

  /** Ask for a seat of a table, and open the table. @param {string} tableId @param {number} seat */
  async #join(tableId, seat) {
    try {
      await this.desk.tables.send("join", { table: tableId, seat });
      this.desk.openTable(tableId);
    } catch (error) {
      showError(error);
    }
  }

  /** The moves of the turn that a message belongs to. @param {TableRecord} record @param {Position} position
   * @param {string} messageId @param {Flags} flags */
  async #turnContent(record, { loadedGame, moves, names }, messageId, { thrown, rev }) {
    const throws = record.log.flatMap((entry, place) =>
      "throw" in entry && entry.message === messageId ? [{ place, entry, before: moves[place].before }] : [],
    );
    if (!throws.length) {
      const [waits, none] = [record.phase === "play" && rev === record.rev, "ODDSMITH.Card.NotCounted"];
      const text = localizedText(!thrown ? "ODDSMITH.Card.TakenBack" : waits ? "ODDSMITH.Card.Unseen" : none);
      return [makeElement("p", {}, text)];
    }
    const last = moves.findIndex(({ turnOver }, place) => turnOver && place >= throws[0].place);
    const [first, end] = [
      moves.findLastIndex(({ turnOver }, place) => turnOver && place < throws[0].place) + 1,
      last < 0 ? moves.length : last + 1,
    ];
    const lines = moves
      .slice(first, end)
      .map((move) =>
        makeElement(
          "li",
          {},
          ...withDicePictures(loadedGame.game, moveParts(loadedGame.game, move.before, move, names[move.seat], names)),
        ),
      );
    // The author of a message can change its dice. As long as the turn goes on, a throw is here before the log has it.
    const fell = await compareDiceWithLog(loadedGame, throws, this.desk.tables.host.casts(messageId));
    const right = fell === "same" || (fell === "more" && last < 0 && record.phase === "play");
    const note = right ? [] : [makeElement("p", { role: "note" }, localizedText("ODDSMITH.Card.OtherDice"))];
    return [...note, makeElement("ul", { class: "od-turn-story" }, ...lines)];
  }

  /** The content of the card of a game's end. @param {TableRecord} record @param {Position} position
   * @param {Flags} flags */
  #endContent(record, position, flags) {
    if (record.phase !== "over") return [makeElement("p", {}, localizedText("ODDSMITH.Card.TakenBack"))];
    const broken = !isOver(position);
    const rematch =
      this.desk.rights(record).rematch && (game.user.isGM || !broken)
        ? button(
            localizedText("ODDSMITH.Table.Rematch"),
            () => void this.desk.tables.send("rematch", { table: record.id }).catch(showError),
          )
        : null;
    const { host } = this.desk.tables;
    const back = flags.account?.kind === "back" ? flags.account.lines : []; // a card of another end tells no money here
    const got = broken
      ? makeSettlement(host, record, "back", back)
      : finalSettlement(host, record, position.loadedGame, position.state);
    const end = broken
      ? brokenOffText(record.stuck === true, got)
      : endText(position.loadedGame, position.state, position.names);
    return [this.#heading(record.game), ...endElements(end, got), this.#buttonRow(rematch, this.#openButton(record))];
  }

  /** The end of a game whose table was deleted. @param {Flags} flags */
  #pastEndContent({ transcript, account: got, game: broken, stuck }) {
    const [objective, paid] = Object.entries(transcript?.payoffs ?? {})[0] ?? [];
    if (!objective)
      return broken
        ? [this.#heading(broken), ...endElements(brokenOffText(stuck === true, got), got)]
        : [makeElement("p", {}, localizedText("ODDSMITH.Table.Gone"))];
    const names = uniqueSeatNames(
      paid.map((/** @type {string} */ _, /** @type {number} */ seat) => ({ name: transcript.names?.[seat] ?? "" })),
    );
    const head = typeof transcript.game === "string" ? [this.#heading(transcript.game)] : [];
    return [...head, ...endElements(payoffsText(objective, paid, names), got)];
  }

  /** The heading of a card: the title of a game. @param {string} gameId its id */
  #heading(gameId) {
    return makeElement("p", { class: "od-head" }, makeElement("strong", {}, this.desk.gameTitle(gameId)));
  }

  /** A button that opens a table. @param {TableRecord} record */
  #openButton(record) {
    return button(localizedText("ODDSMITH.Card.Open"), () => this.desk.openTable(record.id));
  }

  /** A row of buttons. @param {...(HTMLElement | null)} buttons */
  #buttonRow(...buttons) {
    return makeElement("div", { class: "od-choices" }, ...buttons);
  }
}

const NEAR = 20; // pixels from the end of a chat, whose reader wants to see what comes

/** Change a card, and scroll to the end of the chat again if it was in sight before. Foundry scrolled there when it
 * drew the message, but does not when the card grows later. @param {HTMLElement} card @param {() => void} change */
function keepScrolledToEnd(card, change) {
  let log = card.parentElement;
  while (log && !/auto|scroll/.test(getComputedStyle(log).overflowY)) log = log.parentElement;
  const near = log && log.scrollHeight - log.scrollTop - log.clientHeight < NEAR;
  change();
  if (log && near) log.scrollTop = log.scrollHeight;
}

/** How a game ended, who got what, and which payments a person must look after, as elements. @param {string} endText
 * @param {Settlement | null | undefined} settlement @returns {HTMLElement[]} */
function endElements(endText, settlement) {
  const { head, lines, open } = settlementTexts(settlement);
  const notes = open.map((text) => makeElement("p", { role: "note" }, text));
  const list = lines.length
    ? [makeElement("ul", { class: "od-account" }, ...lines.map((text) => makeElement("li", {}, text)))]
    : [];
  return [
    makeElement("p", {}, makeElement("strong", {}, endText)),
    ...(head ? [makeElement("p", {}, head)] : []),
    ...list,
    ...notes,
  ];
}
