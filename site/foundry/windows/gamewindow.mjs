// @ts-check
/** A window in which somebody chooses a game and one of its settings. */

import { slugOfSetting } from "../../runtime/table/settings.mjs";
import { selectControl, labelledControl } from "../../runtime/words/controls.mjs";
import { settingText } from "../../runtime/words/sentences.mjs";
import { offeredGames } from "../world/beside.mjs";
import { RefusedRequest } from "../world/shapes.mjs";
import { localizedText } from "../world/words.mjs";
import { PlainWindow } from "./plainwindow.mjs";
import { sizeControls } from "./sizes.mjs";

/** @typedef {import("./desk.mjs").WindowManager} Desk */
/** @typedef {import("../../runtime/table/settings.mjs").PlayFile} PlayFile */
/** @typedef {import("../../runtime/table/settings.mjs").Ready} Ready */

const OTHER = "="; // instead of a setting's slug: a size of one's own

/** A game and one of its settings, to choose from. */
export class GameWindow extends PlainWindow {
  /** @param {Desk} windowManager @param {string} windowName @param {string} title @param {string | undefined} gameId a
   * game's id */
  constructor(windowManager, windowName, title, gameId) {
    super(windowManager, windowName, title);
    this.game = windowManager.games[0].id;
    this.slug = "";
    /** @type {import("./sizes.mjs").Size | null} */
    this.size = null;
    this.changes = 0; // so that nobody asks for what a window showed before
    this.pick(gameId);
  }

  /** Choose a game. @param {string | undefined} gameId a game's id; where there is no such game, the one before
   * stays */
  pick(gameId) {
    const game = this.desk.games.find(({ id }) => id === gameId)?.id ?? this.game;
    if (game !== this.game) this.size = null;
    this.game = game;
  }

  /** Choose a game of any of our modules: this window closes if another module has it, and that module's opens.
   * @param {string} gameId a game's id */
  #pickFromAllModules(gameId) {
    const face = offeredGames(this.desk.moduleInterfaces).find((one) => one.game.id === gameId)?.face;
    if (!face || face.id === this.desk.id) return this.changeAndDraw(() => this.pick(gameId));
    void this.close();
    if (this.name === "advisor") face.openAdvisor(gameId);
    else face.openNew(gameId);
  }

  /** Change what is chosen, and draw again. @param {() => void} makeChange makes the change */
  changeAndDraw(makeChange) {
    makeChange();
    this.changes += 1;
    void this.render();
  }

  /** Load what is chosen, and make the controls to choose. @param {boolean} allowAnySize whether any size that the
   * rules allow can be chosen
   * @returns {Promise<{controls: HTMLElement[], file: PlayFile, loadedGame: Ready | null}>} `loadedGame` is null where
   * the rules break at a size */
  async loadChosen(allowAnySize) {
    const { library } = this.desk;
    const file = await library.playFile(this.game);
    const { size } = this;
    this.slug = (file.settings.find(({ slug }) => slug === this.slug) ?? file.settings[0]).slug;
    const loadedGame = await library
      .openSetting(this.game, size ? slugOfSetting(file, size.seats, size.values) : this.slug)
      .catch((error) => {
        if (size && error instanceof RefusedRequest) return null;
        throw error;
      });
    const offered = offeredGames(this.desk.moduleInterfaces).filter(
      ({ face }) => face.id === this.desk.id || face.mayCreate(),
    );
    const titles = offered.map(({ game: { id, title } }) => /** @type {const} */ ([id, title]));
    const games = selectControl(titles, this.game, (id) => this.#pickFromAllModules(id), { "data-od": "game" });
    const slugs = file.settings.map((one) => /** @type {[string, string]} */ ([one.slug, settingText(file, one)]));
    if (allowAnySize) slugs.push([OTHER, localizedText("ODDSMITH.New.OtherSize")]);
    const settle = (/** @type {string} */ slug) => {
      const from = file.settings.find((one) => one.slug === this.slug);
      this.size = slug === OTHER && from ? { seats: from.seats, values: { ...from.parameters } } : null;
      this.slug = slug;
    };
    const settings = selectControl(slugs, size ? OTHER : this.slug, (slug) => this.changeAndDraw(() => settle(slug)), {
      "data-od": "setting",
    });
    const controls = [
      labelledControl(localizedText("ODDSMITH.New.Game"), games),
      labelledControl(localizedText("ODDSMITH.New.Setting"), settings),
    ];
    if (size) controls.push(...sizeControls(file, size, (other) => this.changeAndDraw(() => (this.size = other))));
    return { controls, file, loadedGame };
  }
}
