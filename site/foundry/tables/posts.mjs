// @ts-check
/** What the authority posts in the chat: invitations, turns and ends of games, and what becomes of these cards later.
 * */

import { settlementTexts } from "../money/settlement.mjs";
import { say } from "../world/words.mjs";

/** @typedef {import("../world/shapes.mjs").TableRecord} TableRecord */
/** @typedef {import("../world/shapes.mjs").Cast} Cast */

export class Posts {
  /** @param {import("../world/shapes.mjs").Host} host @param {import("../world/games.mjs").Games} library */
  constructor(host, library) {
    this.host = host;
    this.library = library;
  }

  /** @param {string} card @param {TableRecord} record @param {string} author
   * @param {any[]} rolls where there are any, it is a turn of the seat to move
   * @param {string} [plainText] what can be read without this module, too @param {Record<string, any>} [more] */
  async #post(card, record, author, rolls, plainText = "", more = {}) {
    const { title } = await this.library.game(record.game);
    const [alias, text] = rolls.length
      ? [record.seats[record.mover ?? 0].name, ""]
      : ["", [title, plainText].filter(Boolean).join(". ")];
    return this.host.post({ author, alias, rolls, text, flags: { card, table: record.id, ...more } });
  }

  /** Invite the players of a table. @param {TableRecord} record */
  async invite(record) {
    await this.#post("invitation", record, this.host.me(), []);
  }

  /** Remove the invitation to a table that is gone before anybody played there.
   * @param {import("./opening.mjs").At} at */
  async withdraw({ record, world }) {
    if (record.log.length || Object.hasOwn(world.tables, record.id)) return;
    for (const card of this.host.cards((one) => one.card === "invitation" && one.table === record.id))
      await this.host.remove(card);
  }

  /** Put rolls on the card of this turn, or on a new one. @param {TableRecord} record
   * @param {import("../../runtime/table/record.mjs").Told[]} moves @param {Cast[]} casts @param {string} author */
  async show(record, moves, casts, author) {
    const rolls = casts.map(({ roll }) => roll);
    const first = moves.findLastIndex(({ turnOver }) => turnOver) + 1;
    const card = record.log.slice(first).findLast(({ message }) => message)?.message;
    if (card && (await this.host.amend(card, rolls, { card: "turn", table: record.id }))) return card;
    return this.#post("turn", record, author, rolls);
  }

  /** Post an end card. @param {TableRecord} record @param {string} end
   * @param {import("../money/settlement.mjs").Settlement | null} got
   * @param {Record<string, any>} more */
  async tell(record, end, got, more) {
    const { head, lines, open } = settlementTexts(got);
    const text = [end, head, ...lines, ...open].filter(Boolean).join(" ");
    await this.#post("end", record, this.host.me(), [], text, { ...more, account: got });
  }

  /** End cards no longer tell of an end that was taken back, not even when their table is gone.
   * @param {TableRecord} record */
  async takeBack({ id, game }) {
    const { title } = await this.library.game(game);
    const flags = { card: "end", table: id, undone: true, transcript: null, account: null };
    for (const card of this.host.cards((one) => one.card === "end" && one.table === id && !one.undone))
      await this.host.amend(card, [], flags, `${title}. ${say("ODDSMITH.Card.TakenBack")}`);
  }
}
