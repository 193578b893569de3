// @ts-check
/** The desk: every window that a user can open at this screen. Macros and other modules use it too. */

import { usualOpponent } from "../../runtime/table/opponents.mjs";
import { TableWindow } from "../play/table.mjs";
import { replayChecks } from "../selftest.mjs";
import { facesOf, hasSeveral, showFace } from "../world/beside.mjs";
import { showError, moduleTitle, say } from "../world/words.mjs";
import { Advisor } from "./advice.mjs";
import { Hall } from "./hall.mjs";
import { NewTable } from "./newtable.mjs";
import { Purses } from "./purses.mjs";
import { hasTurn } from "./turns.mjs";

/** @typedef {import("../tables/tables.mjs").Tables} Tables */
/** @typedef {import("../tables/tables.mjs").Messages} Messages */
/** @typedef {import("../world/games.mjs").Listed} Listed */
/** @typedef {TableWindow | Hall | NewTable | Advisor | Purses} Window */

const LONGEST_WAIT = 8000; // milliseconds for the world to tell of a new table

/** Opens the windows of this screen and keeps track of them. */
export class Desk {
  /** @param {string} id of the module @param {Tables} tables @param {Listed[]} games */
  constructor(id, tables, games) {
    this.id = id;
    this.tables = tables;
    this.library = tables.library;
    this.games = games;
    /** What is open, by table or name: two windows with one id would be in each other's way.
     * @type {Map<string, Window>} */
    this.windows = new Map();
    /** @type {Set<string>} tables where it is this user's turn */
    this.waiting = new Set();
    this.laying = false; // a table is on its way to a window of this screen
    tables.onShow((table) => this.openTable(table));
    showFace(game, id, this.#face());
  }

  /** What the windows of our other modules show of this one. @returns {import("../world/beside.mjs").Face} */
  #face() {
    const { host } = this.tables;
    return {
      id: this.id,
      games: () => this.games.map((each) => ({ ...each, icon: each.icon ? host.address(each.icon) : "" })),
      tables: () =>
        this.tables.all().map(({ id, game: played, phase, seats }) => ({
          id,
          game: played,
          title: this.gameTitle(played),
          phase,
          names: seats.map(({ name }) => name),
          actors: seats.map(({ actor }) => actor),
        })),
      mayCreate: () => this.mayCreate,
      hasTurn: () => hasTurn(this),
      onChange: (hearer) => this.tables.onChange(hearer),
      quick: (chosen) => this.quickGame(chosen),
      openTable: (table) => this.openTable(table),
      openNew: (chosen) => this.openNew(chosen),
      openAdvisor: (chosen) => this.openAdvisor(chosen),
      open: () => this.open(),
      openHall: () => this.#open("hall", () => new Hall(this)),
      openPurses: () => this.#open("purses", () => new Purses(this)),
    };
  }

  /** All our modules that are ready, this one among them. */
  get faces() {
    return facesOf(game);
  }

  /** A title after that of the module, because several of our modules may be in the world. @param {string} what
   * @param {boolean} [ofAll] whether it is about all of them */
  withModuleTitle(what, ofAll = false) {
    const module = ofAll && hasSeveral(game) ? say("ODDSMITH.AllGames") : moduleTitle(this.id);
    return say("ODDSMITH.Titled", { what, module });
  }

  /** The title of a game; its id if the module does not have it. @param {string} game */
  gameTitle(game) {
    return this.games.find(({ id }) => id === game)?.title ?? game;
  }

  /** What the user of this screen may do at a table; nothing while nobody could answer.
   * @param {import("../world/shapes.mjs").TableRecord} record @returns {import("../tables/tables.mjs").Rights} */
  rights(record) {
    if (!this.tables.waitingForGM && !this.tables.decidedElsewhere) return this.tables.rightsOf(record, game.user.id);
    const nothing = { act: false, manage: false, direct: false, close: false, start: false, rematch: false };
    return { ...nothing, join: [], leave: [], yield: [] };
  }

  /** Open a window, or bring forward the one that is open. @param {string} name
   * @param {() => Window} make */
  #open(name, make) {
    const window = this.windows.get(name) ?? make();
    this.windows.set(name, window);
    if (window.rendered) window.bringToFront();
    void window.render({ force: true }).catch(showError);
  }

  /** Open a window about a game, or show that game in the window that is open. @template {NewTable | Advisor} T
   * @param {string} name
   * @param {new (desk: Desk, chosen?: string) => T} Kind @param {string} [chosen] a game's id */
  #openAbout(name, Kind, chosen) {
    const open = this.windows.get(name);
    if (open instanceof Kind) open.pick(chosen);
    this.#open(name, () => new Kind(this, chosen));
  }

  /** Open the window of a table. @param {string} table its id */
  openTable(table) {
    this.#open(table, () => new TableWindow(this, table));
  }

  /** Open a journal of a game. @param {string} about a game's id
   * @param {"journal" | "odds"} which of its rules or its odds */
  async openJournal(about, which) {
    const entry = /** @type {any} */ (
      await foundry.utils.fromUuid(this.games.find(({ id }) => id === about)?.[which] ?? "")
    );
    if (entry) entry.sheet.render({ force: true });
    else ui.notifications.info(say("ODDSMITH.Table.NoJournal"));
  }

  /** Note that a window was closed. @param {string} name */
  forgetWindow(name) {
    this.windows.delete(name);
  }

  /** Open the one table of any module that is in play, else the list of all tables. For a chosen game without a table,
   * open the window of a new one.
   * @param {string} [chosen] a game's id */
  open(chosen) {
    const going = this.#tablesOfAll().filter(
      ({ table }) => table.phase !== "over" && (!chosen || table.game === chosen),
    );
    if (going.length === 1) going[0].face.openTable(going[0].table.id);
    else if (chosen && !going.length) this.openNew(chosen);
    else this.faces[0].openHall();
  }

  /** The tables of all modules, each with its module. */
  #tablesOfAll() {
    return this.faces.flatMap((face) => face.tables().map((table) => ({ face, table })));
  }

  /** Open the newest table where an actor sits; else the window of a new table. @param {string} actor */
  openForActor(actor) {
    const sits = this.#tablesOfAll().findLast(({ table }) => table.phase !== "over" && table.actors.includes(actor));
    if (sits) sits.face.openTable(sits.table.id);
    else this.openNew();
  }

  /** Open the window of a new table. @param {string} [chosen] a game's id */
  openNew(chosen) {
    if (this.mayCreate) this.#openAbout("new", NewTable, chosen);
    else ui.notifications.info(say("ODDSMITH.OnlyGM"));
  }

  /** Open the window with advice. @param {string} [chosen] a game's id */
  openAdvisor(chosen) {
    if (game.user.isGM) this.#openAbout("advisor", Advisor, chosen);
    else ui.notifications.info(say("ODDSMITH.OnlyGM"));
  }

  /** Open the window with everybody's chips. */
  openPurses() {
    if (game.user.isGM) this.faces[0].openPurses();
    else ui.notifications.info(say("ODDSMITH.OnlyGM"));
  }

  /** Whether this user may open tables: a game master, or everyone if the setting allows it. */
  get mayCreate() {
    return game.user.isGM || this.tables.host.get("open") === "everyone";
  }

  /** Make a table and open it; without details, open the window of a new table. @param {Messages["create"]}
   * [details] */
  async create(details) {
    if (!details) return this.openNew();
    const before = new Set(this.tables.all().map(({ id }) => id));
    const made = () => this.tables.all().find(({ id, dealer }) => !before.has(id) && dealer === game.user.id);
    this.laying = true;
    try {
      await this.tables.send("create", details);
      const record = made() ?? (await this.#waitFor(made));
      if (record) this.openTable(record.id);
      return record?.id;
    } finally {
      this.laying = false;
    }
  }

  /** Start a game at once: the first setting, this user in the first seat, non-players in the others, and no stakes.
   * @param {string} chosen a game's id */
  async quickGame(chosen) {
    const { settings } = await this.library.playFile(chosen);
    const { slug, seats, policy, plan } = settings[0];
    const { id: user, character } = game.user;
    const own = { kind: /** @type {const} */ ("user"), user, actor: character?.uuid ?? null, name: "", skill: 0 };
    const other = (/** @type {number} */ number) => ({
      kind: /** @type {const} */ ("npc"),
      user: null,
      actor: null,
      name: say("ODDSMITH.New.NonPlayerName", { number }),
      skill: usualOpponent(settings[0]),
    });
    const places = Array.from({ length: seats }, (_, seat) => (seat ? other(seat + 1) : own));
    const advice = policy || plan ? "gm" : "nobody";
    return this.create({ game: chosen, setting: slug, stake: 0, advice, seats: places });
  }

  /** Wait until something is found after a change; undefined if that takes too long. @template T
   * @param {() => T | undefined} found @returns {Promise<T | undefined>} */
  #waitFor(found) {
    return new Promise((done) => {
      const finish = () => {
        stop();
        clearTimeout(late);
        done(found());
      };
      const stop = this.tables.onChange(() => found() && finish());
      const late = setTimeout(finish, LONGEST_WAIT);
    });
  }

  /** The transcript of a table, which `oddsmith play --verify` reads. @param {string} table */
  async transcript(table) {
    const record = this.tables.get(table);
    return record ? this.tables.transcript(record) : null;
  }

  /** Save a transcript as a file. @param {string} [table] the newest one unless told */
  async saveTranscript(table = this.tables.all().at(-1)?.id) {
    if (!table) {
      ui.notifications.info(say("ODDSMITH.Hall.None"));
      return;
    }
    const text = JSON.stringify(await this.transcript(table), null, 1);
    foundry.utils.saveDataToFile(text, "application/json", `${this.id}-${table}.json`);
  }

  /** What macros and other modules may call. `transcript` without a table saves that of the newest one as a file. */
  get api() {
    return {
      open: (/** @type {string | undefined} */ chosen) => this.open(chosen),
      newTable: (/** @type {string | undefined} */ chosen) => this.openNew(chosen),
      create: (/** @type {Messages["create"] | undefined} */ details) => this.create(details),
      quick: (/** @type {string} */ chosen) => this.quickGame(chosen),
      advise: (/** @type {string | undefined} */ chosen) => this.openAdvisor(chosen),
      purses: () => this.openPurses(),
      transcript: (/** @type {string | undefined} */ table) => (table ? this.transcript(table) : this.saveTranscript()),
      selfTest: () => replayChecks(this.library),
    };
  }
}
