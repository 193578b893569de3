// @ts-check
/** The cards that the authority posts in the chat (invitations, turns, ends of games), and their later changes. */

import { Hand } from "../../runtime/rules/values.mjs";
import { moveParts, uniqueSeatNames } from "../../runtime/words/sentences.mjs";
import { sentenceText } from "../../runtime/words/words.mjs";
import { settlementTexts } from "../money/settlement.mjs";
import { localizedText } from "../world/words.mjs";

/** @typedef {import("../world/shapes.mjs").TableRecord} TableRecord */
/** @typedef {import("../world/shapes.mjs").Line} Line */
/** @typedef {import("../../runtime/table/record.mjs").Told} Told */
/** @typedef {import("../../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {import("./throws.mjs").Thrown} Thrown */

const TOLD = 12; // moves of a turn

/** The text of a turn's card for screens without this module: the last moves of the turn so far, dice by their faces.
 * @param {Ready} loadedGame @param {readonly Told[]} moves the newest last @param {readonly {name: string}[]} seats
 * @returns {Line[]} */
export function turnCardLines({ game }, moves, seats) {
  const names = uniqueSeatNames(seats, game.sides);
  const faces = (/** @type {Hand} */ hand) => hand.dice.map(([face, kind]) => game.faceName(kind, face));
  const turn = moves.slice(moves.slice(0, -1).findLastIndex(({ turnOver }) => turnOver) + 1);
  const lines = turn.slice(-TOLD).map((move) =>
    moveParts(game, move.before, move, names[move.seat], names).map((part) => {
      if (!(part instanceof Hand)) return part;
      return part.size ? faces(part) : sentenceText("noDice");
    }),
  );
  return turn.length > TOLD ? [["…"], ...lines] : lines;
}

export class ChatCardPoster {
  /** @param {import("../world/shapes.mjs").Host} host @param {import("../world/games.mjs").Games} library */
  constructor(host, library) {
    this.host = host;
    this.library = library;
  }

  /** The title of a game; its id if the module no longer has it. @param {string} gameId */
  async #gameTitle(gameId) {
    return (await this.library.games()).find(({ id }) => id === gameId)?.title ?? gameId;
  }

  /** Post a card in the name of the game master. @param {string} cardKind @param {TableRecord} record
   * @param {string} [plainText] what can be read without this module, too, after the game's title
   * @param {Record<string, any>} [flags] */
  async #postCard(cardKind, record, plainText = "", flags = {}) {
    const title = await this.#gameTitle(record.game);
    const lines = [[[title, plainText].filter(Boolean).join(". ")]];
    const author = this.host.me();
    return this.host.post({
      author,
      alias: "",
      rolls: [],
      lines,
      flags: { card: cardKind, table: record.id, ...flags },
    });
  }

  /** Invite the players of a table. @param {TableRecord} record */
  async postInvitation(record) {
    await this.#postCard("invitation", record);
  }

  /** Remove the invitations to a table that was deleted before anybody played there.
   * @param {import("./opening.mjs").At} at */
  async removeInvitations({ record, world }) {
    if (record.log.length || Object.hasOwn(world.tables, record.id)) return;
    for (const card of this.host.cards((one) => one.card === "invitation" && one.table === record.id))
      await this.host.remove(card);
  }

  /** Put rolls on the card of this turn; without one, post a new card. Resolves to the id of its message. @param
   * {TableRecord} record
   * @param {Ready} loadedGame
   * @param {Told[]} moves the newest with these rolls, which the log does not have yet @param {Thrown} thrown
   * @param {string} author */
  async postTurn(record, loadedGame, moves, { casts, drawn, looks }, author) {
    const rolls = casts.map(({ roll }) => roll);
    const flags = { card: "turn", table: record.id, drawn, looks };
    const lines = turnCardLines(loadedGame, moves, record.seats);
    const first = moves.slice(0, -1).findLastIndex(({ turnOver }) => turnOver) + 1;
    const card = record.log.slice(first).findLast(({ message }) => message)?.message;
    if (card && (await this.host.amend(card, rolls, flags, lines))) return card;
    return this.host.post({ author, alias: record.seats[record.mover ?? 0].name, rolls, lines, flags });
  }

  /** Post the card of a game's end. @param {TableRecord} record @param {string} endText
   * @param {import("../money/settlement.mjs").Settlement | null} settlement
   * @param {Record<string, any>} extraFlags */
  async postEnd(record, endText, settlement, extraFlags) {
    const { head, lines, open } = settlementTexts(settlement);
    const text = [endText, head, ...lines, ...open].filter(Boolean).join(" ");
    await this.#postCard("end", record, text, { ...extraFlags, account: settlement });
  }

  /** Mark the cards of rolls that players made at their own screens as taken back. Without that mark, they never
   * counted. @param {TableRecord} record @param {readonly {message?: string}[]} entries that were taken back */
  async retractPlayerRolls({ id, log }, entries) {
    const back =
      (/** @type {string} */ card) =>
      (/** @type {{message?: string}} */ { message }) =>
        message === card;
    const rolls = this.host.cards((one) => one.thrown === true && one.table === id);
    for (const roll of rolls.filter((one) => entries.some(back(one)) && !log.some(back(one))))
      await this.host.amend(roll, [], { undone: true }, [[localizedText("ODDSMITH.Card.TakenBack")]]);
  }

  /** Mark the end cards of a table as taken back, even if the table is gone.
   * @param {TableRecord} record */
  async retractEnd({ id, game }) {
    const title = await this.#gameTitle(game);
    const flags = { card: "end", table: id, undone: true, transcript: null, account: null };
    for (const card of this.host.cards((one) => one.card === "end" && one.table === id && !one.undone))
      await this.host.amend(card, [], flags, [[`${title}. ${localizedText("ODDSMITH.Card.TakenBack")}`]]);
  }
}
