// @ts-check
/** The window that lists all tables of this world. */

import { button } from "../../runtime/words/controls.mjs";
import { make } from "../../runtime/words/view.mjs";
import { tell } from "../../runtime/words/words.mjs";
import { showError, say } from "../world/words.mjs";
import { PlainWindow } from "./plainwindow.mjs";

/** @typedef {import("./desk.mjs").Desk} Desk */

/** How many can play. @param {[number, number]} seats the least and the greatest number */
function seatsText([least, most]) {
  if (most === 1) return tell("onePlayer");
  return tell("players", { number: least === most ? most : `${least}\u2013${most}` });
}

/** All tables of this world. */
export class Hall extends PlainWindow {
  /** @param {Desk} desk */
  constructor(desk) {
    super(desk, "hall", "ODDSMITH.Hall.Title");
    this.busy = false;
    this.forget = desk.tables.onChange(() => void (this.rendered && this.render().catch(desk.tables.host.report)));
  }

  /** @param {any} options */
  _onClose(options) {
    super._onClose(options);
    this.forget();
  }

  /** A button for each game, which starts a quick game. */
  #quickButtons() {
    if (!this.desk.mayCreate) return [];
    const start = async (/** @type {string} */ id) => {
      if (this.busy) return; // a double click is one game
      this.busy = true;
      await this.desk.quickGame(id).catch(showError);
      this.busy = false;
    };
    const games = this.desk.games.map(({ id, title, about, icon, seats }) => {
      const art = icon ? make("img", { class: "od-icon", src: this.desk.tables.host.address(icon), alt: "" }) : null;
      const told = [
        make("strong", {}, title),
        seats ? make("span", { class: "od-note" }, seatsText(seats)) : null,
        about ? make("span", { class: "od-about" }, about) : null,
      ];
      const begin = button(title, () => void start(id), { "data-od": `quick ${id}` });
      begin.replaceChildren(...(art ? [art] : []), make("span", { class: "od-told" }, ...told));
      return begin;
    });
    const box = make(
      "fieldset",
      { class: "od-quick" },
      make("legend", {}, say("ODDSMITH.Hall.Quick")),
      make("p", { class: "od-note" }, say("ODDSMITH.Hall.QuickNote")),
      make("div", { class: "od-choices" }, ...games),
    );
    return [box];
  }

  async content() {
    const { tables } = this.desk;
    const rows = tables
      .all()
      .reverse()
      .map((record) => {
        const names = record.seats.map(({ name }) => name || say("ODDSMITH.Lobby.Free")).join(", ");
        const title = this.desk.gameTitle(record.game);
        const phase = say(
          { lobby: "ODDSMITH.Hall.Lobby", play: "ODDSMITH.Hall.Play", over: "ODDSMITH.Hall.Over" }[record.phase],
        );
        const spoken = say("ODDSMITH.Hall.OpenNamed", { title, names });
        const open = button(say("ODDSMITH.Hall.Open"), () => this.desk.openTable(record.id), {
          "data-od": record.id,
          "aria-label": spoken,
        });
        return make("li", {}, make("strong", {}, title), make("span", { class: "od-note" }, `${phase} ${names}`), open);
      });
    const list = rows.length ? make("ul", { class: "od-seats" }, ...rows) : make("p", {}, say("ODDSMITH.Hall.None"));
    const create = this.desk.mayCreate ? button(say("ODDSMITH.New.Title"), () => this.desk.openNew()) : null;
    const advise = game.user.isGM ? button(say("ODDSMITH.Advice.Title"), () => this.desk.openAdvisor()) : null;
    const purses = game.user.isGM ? button(say("ODDSMITH.Purses.Title"), () => this.desk.openPurses()) : null;
    return [list, make("div", { class: "od-choices" }, create, advise, purses), ...this.#quickButtons()];
  }
}
