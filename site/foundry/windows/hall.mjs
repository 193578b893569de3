// @ts-check
/** The window that lists all tables of this world, those of all our modules. */

import { button } from "../../runtime/words/controls.mjs";
import { playersText } from "../../runtime/words/sentences.mjs";
import { makeElement } from "../../runtime/words/view.mjs";
import { elsewhereParts } from "../play/tools.mjs";
import { offeredGames } from "../world/beside.mjs";
import { showError, localizedText } from "../world/words.mjs";
import { PlainWindow } from "./plainwindow.mjs";

/** @typedef {import("./desk.mjs").WindowManager} Desk */

/** All tables of this world. */
export class TableListWindow extends PlainWindow {
  /** @param {Desk} windowManager */
  constructor(windowManager) {
    super(windowManager, "hall", "ODDSMITH.Hall.Title", true);
    this.busy = false;
    const changed = () => void (this.rendered && this.render().catch(windowManager.tables.host.report));
    this.forget = windowManager.moduleInterfaces.map((face) => face.onChange(changed));
  }

  /** @param {any} options */
  _onClose(options) {
    super._onClose(options);
    for (const forget of this.forget) forget();
  }

  /** A button for each game, which starts a quick game. */
  #quickButtons() {
    const offered = offeredGames(this.desk.moduleInterfaces).filter(({ face }) => face.mayCreate());
    if (!offered.length) return [];
    const games = offered.map(({ game: { id, title, about, icon, seats }, face }) => {
      const start = async () => {
        if (this.busy) return; // a double click is one game
        this.busy = true;
        await face.quick(id).catch(showError);
        this.busy = false;
      };
      const art = icon ? makeElement("img", { class: "od-icon", src: icon, alt: "" }) : null;
      const told = [
        makeElement("strong", {}, title),
        seats ? makeElement("span", { class: "od-note" }, playersText(...seats)) : null,
        about ? makeElement("span", { class: "od-about" }, about) : null,
      ];
      const begin = button(title, () => void start(), { "data-od": `quick ${id}` });
      begin.replaceChildren(...(art ? [art] : []), makeElement("span", { class: "od-told" }, ...told));
      return begin;
    });
    const box = makeElement(
      "fieldset",
      { class: "od-quick" },
      makeElement("legend", {}, localizedText("ODDSMITH.Hall.Quick")),
      makeElement("p", { class: "od-note" }, localizedText("ODDSMITH.Hall.QuickNote")),
      makeElement("div", { class: "od-choices" }, ...games),
    );
    return [box];
  }

  /** A table, and a button that opens it. @param {import("../world/beside.mjs").Face} moduleInterface of its module
   * @param {import("../world/beside.mjs").ListedTable} table */
  #tableRow(moduleInterface, { id, title, phase, names: seated, lost, mayClose }) {
    const names = seated.map((name) => name || localizedText("ODDSMITH.Lobby.Free")).join(", ");
    const stands = localizedText(
      { lobby: "ODDSMITH.Hall.Lobby", play: "ODDSMITH.Hall.Play", over: "ODDSMITH.Hall.Over" }[phase],
    );
    const open = button(localizedText("ODDSMITH.Hall.Open"), () => moduleInterface.openTable(id), {
      "data-od": id,
      "aria-label": localizedText("ODDSMITH.Hall.OpenNamed", { title, names }),
    });
    const [closing, { closeTable }] = [localizedText("ODDSMITH.Tools.Close"), moduleInterface];
    const about = { "data-od": `close ${id}`, "aria-label": `${closing}: ${title}, ${names}` };
    // Where the rules are gone, closing is all that is left to do.
    const close = lost && mayClose && closeTable ? button(closing, () => closeTable(id), about) : null;
    return makeElement(
      "li",
      {},
      makeElement("strong", {}, title),
      makeElement("span", { class: "od-note" }, `${stands} ${names}`),
      open,
      close,
    );
  }

  async content() {
    const rows = this.desk.moduleInterfaces.flatMap((face) =>
      face
        .tables()
        .reverse()
        .map((table) => this.#tableRow(face, table)),
    );
    const list = rows.length
      ? makeElement("ul", { class: "od-tables" }, ...rows)
      : makeElement("p", {}, localizedText("ODDSMITH.Hall.None"));
    const create = this.desk.mayCreate ? button(localizedText("ODDSMITH.New.Title"), () => this.desk.openNew()) : null;
    const advise = game.user.isGM
      ? button(localizedText("ODDSMITH.Advice.Title"), () => this.desk.openAdvisor())
      : null;
    const purses = game.user.isGM ? button(localizedText("ODDSMITH.Purses.Title"), () => this.desk.openPurses()) : null;
    const { tables } = this.desk;
    const elsewhere = tables.isDecidedElsewhere
      ? [makeElement("div", { class: "od-banner" }, ...elsewhereParts(tables))]
      : [];
    return [
      ...elsewhere,
      list,
      makeElement("div", { class: "od-choices" }, create, advise, purses),
      ...this.#quickButtons(),
    ];
  }
}
