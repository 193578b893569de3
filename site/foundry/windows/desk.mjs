// @ts-check
/** The desk: every window that a user can open at this screen. Macros and other modules use it too. */

import { usualOpponentIndex } from "../../runtime/table/opponents.mjs";
import { TableWindow } from "../play/table.mjs";
import { confirmClosing } from "../play/tools.mjs";
import { replayChecks } from "../selftest.mjs";
import { moduleInterfaces, hasSeveralModules, setModuleInterface } from "../world/beside.mjs";
import { showError, moduleTitle, localizedText } from "../world/words.mjs";
import { AdviceWindow } from "./advice.mjs";
import { TableListWindow } from "./hall.mjs";
import { NewTableWindow } from "./newtable.mjs";
import { PursesWindow } from "./purses.mjs";
import { hasTurn } from "./turns.mjs";

/** @typedef {import("../tables/tables.mjs").Tables} Tables */
/** @typedef {import("../tables/tables.mjs").Messages} Messages */
/** @typedef {import("../world/games.mjs").Listed} Listed */
/** @typedef {TableWindow | TableListWindow | NewTableWindow | AdviceWindow | PursesWindow} Window */

const LONGEST_WAIT = 8000; // milliseconds for the world to tell of a new table

/** Opens the windows of this screen and keeps track of them. */
export class WindowManager {
  /** @param {string} moduleId of the module @param {Tables} tables @param {Listed[]} games */
  constructor(moduleId, tables, games) {
    this.id = moduleId;
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
    setModuleInterface(game, moduleId, this.#moduleInterface());
  }

  /** What the windows of our other modules show of this one. @returns {import("../world/beside.mjs").Face} */
  #moduleInterface() {
    const { host } = this.tables;
    return {
      id: this.id,
      games: () => this.games.map((each) => ({ ...each, icon: each.icon ? host.address(each.icon) : "" })),
      tables: () =>
        this.tables.all().map((record) => ({
          id: record.id,
          game: record.game,
          title: this.gameTitle(record.game),
          phase: record.phase,
          names: record.seats.map(({ name }) => name),
          actors: record.seats.map(({ actor }) => actor),
          lost: !this.#hasRules(record),
          mayClose: this.rights(record).close,
        })),
      mayCreate: () => this.mayCreate,
      hasTurn: () => hasTurn(this),
      onChange: (hearer) => this.tables.onChange(hearer),
      quick: (chosen) => this.quickGame(chosen),
      openTable: (table) => this.openTable(table),
      closeTable: (table) => this.#closeTable(table),
      openNew: (chosen) => this.openNew(chosen),
      openAdvisor: (chosen) => this.openAdvisor(chosen),
      open: () => this.open(),
      openHall: () => this.#open("hall", () => new TableListWindow(this)),
      openPurses: () => this.#open("purses", () => new PursesWindow(this)),
    };
  }

  /** All our modules that are ready, this one among them. */
  get moduleInterfaces() {
    return moduleInterfaces(game);
  }

  /** A title after that of the module, because several of our modules may be in the world. @param {string} titleText
   * @param {boolean} [forAllModules] whether it is about all of them */
  withModuleTitle(titleText, forAllModules = false) {
    const module = forAllModules && hasSeveralModules(game) ? localizedText("ODDSMITH.AllGames") : moduleTitle(this.id);
    return localizedText("ODDSMITH.Titled", { what: titleText, module });
  }

  /** The title of a game; its id if the module does not have it. @param {string} gameId */
  gameTitle(gameId) {
    return this.games.find(({ id }) => id === gameId)?.title ?? gameId;
  }

  /** Whether the module still has the rules by which a table was begun.
   * @param {import("../world/shapes.mjs").TableRecord} record */
  #hasRules(record) {
    return this.games.some(({ id, rules }) => id === record.game && rules === record.rules);
  }

  /** What the user of this screen may do at a table; nothing while nobody could answer.
   * @param {import("../world/shapes.mjs").TableRecord} record @returns {import("../tables/tables.mjs").Rights} */
  rights(record) {
    if (!this.tables.isWaitingForGameMaster && !this.tables.isDecidedElsewhere)
      return this.tables.rightsOf(record, game.user.id);
    const nothing = { act: false, manage: false, direct: false, close: false, start: false, rematch: false };
    return { ...nothing, join: [], leave: [], yield: [] };
  }

  /** Open a window, or bring forward the one that is open. @param {string} windowName
   * @param {() => Window} makeWindow */
  #open(windowName, makeWindow) {
    const window = this.windows.get(windowName) ?? makeWindow();
    this.windows.set(windowName, window);
    if (window.rendered) window.bringToFront();
    void window.render({ force: true }).catch(showError);
  }

  /** Open a window about a game, or show that game in the window that is open. @template {NewTableWindow |
   * AdviceWindow} T
   * @param {string} windowName
   * @param {new (desk: WindowManager, chosen?: string) => T} WindowClass @param {string} [gameId] a game's id */
  #openWindowAboutGame(windowName, WindowClass, gameId) {
    const open = this.windows.get(windowName);
    if (open instanceof WindowClass) open.pick(gameId);
    this.#open(windowName, () => new WindowClass(this, gameId));
  }

  /** Open the window of a table. @param {string} table its id */
  openTable(table) {
    this.#open(table, () => new TableWindow(this, table));
  }

  /** Close a table after the user has confirmed it. @param {string} table its id */
  #closeTable(table) {
    const record = this.tables.get(table);
    /** @param {() => Promise<void>} sendRequest */
    const run = async (sendRequest) => {
      await sendRequest().catch(showError);
    };
    if (record) void confirmClosing(this, record, run);
  }

  /** Open a journal of a game. @param {string} gameId a game's id
   * @param {"journal" | "odds"} journalKind of its rules or its odds */
  async openJournal(gameId, journalKind) {
    const entry = /** @type {any} */ (
      await foundry.utils.fromUuid(this.games.find(({ id }) => id === gameId)?.[journalKind] ?? "")
    );
    if (entry) entry.sheet.render({ force: true });
    else ui.notifications.info(localizedText("ODDSMITH.Table.NoJournal"));
  }

  /** Note that a window was closed. @param {string} windowName */
  forgetWindow(windowName) {
    this.windows.delete(windowName);
  }

  /** Open the one table of any module that can be played on, else the list of all tables. For a chosen game without
   * such a table, open the window of a new one.
   * @param {string} [chosen] a game's id */
  open(chosen) {
    const going = this.#tablesInPlay().filter(({ table }) => !chosen || table.game === chosen);
    if (going.length === 1) going[0].face.openTable(going[0].table.id);
    else if (chosen && !going.length) this.openNew(chosen);
    else this.moduleInterfaces[0].openHall();
  }

  /** The tables of all modules that can be played on, each with its module. */
  #tablesInPlay() {
    const all = this.moduleInterfaces.flatMap((face) => face.tables().map((table) => ({ face, table })));
    return all.filter(({ table }) => table.phase !== "over" && !table.lost);
  }

  /** Open the newest table where an actor sits; else the window of a new table. @param {string} actorUuid */
  openForActor(actorUuid) {
    const sits = this.#tablesInPlay().findLast(({ table }) => table.actors.includes(actorUuid));
    if (sits) sits.face.openTable(sits.table.id);
    else this.openNew();
  }

  /** Open the window of a new table. @param {string} [chosen] a game's id */
  openNew(chosen) {
    if (this.mayCreate) this.#openWindowAboutGame("new", NewTableWindow, chosen);
    else ui.notifications.info(localizedText("ODDSMITH.OnlyGM"));
  }

  /** Open the window with advice. @param {string} [chosen] a game's id */
  openAdvisor(chosen) {
    if (game.user.isGM) this.#openWindowAboutGame("advisor", AdviceWindow, chosen);
    else ui.notifications.info(localizedText("ODDSMITH.OnlyGM"));
  }

  /** Open the window with everybody's chips. */
  openPurses() {
    if (game.user.isGM) this.moduleInterfaces[0].openPurses();
    else ui.notifications.info(localizedText("ODDSMITH.OnlyGM"));
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
   * @param {string} gameId a game's id */
  async quickGame(gameId) {
    const { settings } = await this.library.playFile(gameId);
    const { slug, seats, policy, plan } = settings[0];
    const { id: user, character } = game.user;
    const own = { kind: /** @type {const} */ ("user"), user, actor: character?.uuid ?? null, name: "", skill: 0 };
    const other = (/** @type {number} */ number) => ({
      kind: /** @type {const} */ ("npc"),
      user: null,
      actor: null,
      name: localizedText("ODDSMITH.New.NonPlayerName", { number }),
      skill: usualOpponentIndex(settings[0]),
    });
    const places = Array.from({ length: seats }, (_, seat) => (seat ? other(seat + 1) : own));
    const advice = policy || plan ? "gm" : "nobody";
    return this.create({ game: gameId, setting: slug, stake: 0, advice, seats: places });
  }

  /** Wait until something is found after a change; undefined if that takes too long. @template T
   * @param {() => T | undefined} findResult @returns {Promise<T | undefined>} */
  #waitFor(findResult) {
    return new Promise((done) => {
      const finish = () => {
        stop();
        clearTimeout(late);
        done(findResult());
      };
      const stop = this.tables.onChange(() => findResult() && finish());
      const late = setTimeout(finish, LONGEST_WAIT);
    });
  }

  /** The transcript of a table, which `oddsmith play --verify` reads. @param {string} table */
  async transcript(table) {
    const record = this.tables.get(table);
    return record ? this.tables.transcript(record) : null;
  }

  /** Save a transcript as a file. @param {string} [tableId] the newest one unless told */
  async saveTranscript(tableId = this.tables.all().at(-1)?.id) {
    if (!tableId) {
      ui.notifications.info(localizedText("ODDSMITH.Hall.None"));
      return;
    }
    const text = JSON.stringify(await this.transcript(tableId), null, 1);
    foundry.utils.saveDataToFile(text, "application/json", `${this.id}-${tableId}.json`);
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
