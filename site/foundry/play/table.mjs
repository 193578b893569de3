// @ts-check
/** The window of a table: the board, whose turn it is, the possible actions, and the moves so far. */

import { addStyles } from "../../runtime/felt/look.mjs";
import { seatsOfPerson } from "../../runtime/table/round.mjs";
import { adviceElements, adviceAt, mixedAdviceElements } from "../../runtime/words/advice.mjs";
import { button, controlNamed, focusedName } from "../../runtime/words/controls.mjs";
import { drawPosition, moveLines } from "../../runtime/words/board.mjs";
import { actionControls } from "../../runtime/words/drawn.mjs";
import { endText, settingText, yourTurnText } from "../../runtime/words/sentences.mjs";
import { factParts, updateMoveLines, makeElement } from "../../runtime/words/view.mjs";
import { sentenceText } from "../../runtime/words/words.mjs";
import { moneyText } from "../money/coins.mjs";
import { brokenOffText, housePayerText, refundSettlement } from "../money/settlement.mjs";
import { potPayoffText, stakingTermsOf } from "../money/stakes.mjs";
import { isOver, isSealed } from "../tables/sealing.mjs";
import { RefusedRequest } from "../world/shapes.mjs";
import { waitForDice } from "../world/still.mjs";
import { showError, localizedText } from "../world/words.mjs";
import { PracticeGame } from "./practice.mjs";
import { ReadingTime } from "./reading.mjs";
import { confirmClosing, elsewhereParts, isAbsent, standInButton, toolSections } from "./tools.mjs";

/** @typedef {import("../tables/tables.mjs").Position} Position */
/** @typedef {import("../tables/tables.mjs").Rights} Rights */
/** @typedef {import("../world/shapes.mjs").TableRecord} TableRecord */
/** @typedef {import("../windows/desk.mjs").WindowManager} Desk */
/** @typedef {{banner?: Node[], facts?: Node[], stage?: Node[], turn?: string, choices?: Node[], advice?: Node[],
 * story?: import("../../runtime/words/drawn.mjs").Line[], tools?: Node[]}} Parts what each place of the window is to
 * show; a place that is not named is empty */

const { ApplicationV2 } = foundry.applications.api;

export class TableWindow extends ApplicationV2 {
  static DEFAULT_OPTIONS = {
    classes: ["oddsmith-table"],
    window: { icon: "fa-solid fa-dice", resizable: true },
    position: { width: 560, height: /** @type {const} */ ("auto") },
  };

  /** @param {Desk} windowManager @param {string} tableId */
  constructor(windowManager, tableId) {
    super({
      id: `${windowManager.id}-table-${tableId}`,
      classes: ["oddsmith-table", `oddsmith-${windowManager.id}-table`],
    });
    this.desk = windowManager;
    this.table = tableId;
    /** @type {PracticeGame | null} */
    this.practice = null;
    this.busy = false;
    this.adviceOpen = false;
    this.toolsOpen = false;
    this.shown = -1; // entries of the log whose dice have come to rest on this screen
    /** @type {Record<string, HTMLElement> | null} */
    this.places = null;
    /** @type {ReadingTime | null} of the choices that are shown */
    this.reading = null;
    this.forget = windowManager.tables.onChange(() => void this.update().catch(windowManager.tables.host.report));
  }

  get title() {
    const record = this.desk.tables.get(this.table);
    return record ? this.desk.gameTitle(record.game) : localizedText("ODDSMITH.Title");
  }

  /** Draw again once the dice lie still. */
  async update() {
    if (!this.rendered) return;
    await this.#waitForDice();
    if (this.rendered) await this.render();
  }

  /** Wait until new dice lie still, so that the window does not reveal what they will show. */
  async #waitForDice() {
    const log = this.desk.tables.get(this.table)?.log ?? [];
    await waitForDice(
      this.desk.tables.host,
      log.slice(Math.max(this.shown, 0)).flatMap(({ message }) => message ?? []),
    );
  }

  /** @param {any} options */
  _onClose(options) {
    super._onClose(options);
    this.forget();
    this.places = this.reading = null;
    this.desk.forgetWindow(this.table);
  }

  // --- what is shown

  /** @returns {Promise<Parts>} */
  async _renderHTML() {
    const { tables } = this.desk;
    if (this.shown < 0) await this.#waitForDice();
    const record = tables.get(this.table);
    if (!record) return { turn: localizedText("ODDSMITH.Table.Gone") };
    /** @type {Position} */
    let position;
    try {
      position = await tables.position(record);
    } catch (error) {
      if (!(error instanceof RefusedRequest)) console.error(error);
      return { turn: localizedText("ODDSMITH.Table.NoRules"), choices: this.#lastButtons(record) };
    }
    this.shown = record.log.length;
    const rights = this.desk.rights(record);
    if (!tables.isWaitingForGameMaster) this.practice = null;
    const frame = { banner: this.#bannerParts(position), facts: this.#factItems(record, position) };
    if (this.practice) return { ...frame, ...this.#practiceParts(this.practice) };
    const more = toolSections(this, record, position, rights);
    if (record.phase === "lobby") return { ...frame, ...this.#lobbyParts(record, rights), tools: more };
    const { loadedGame, state, moves, names } = position;
    const mine = seatsOfPerson(record.seats, game.user.id);
    const story = moveLines(loadedGame.game, moves, names);
    const pictures = record.seats.map(({ img }) => img);
    const stage = drawPosition(loadedGame, state, moves, names, { mine, pictures, latest: story.at(-1) });
    const over = record.phase === "over" || (!state.phase && !position.busy);
    return {
      ...frame,
      stage,
      story,
      tools: more,
      ...(over ? this.#endParts(record, position, rights) : this.#turnParts(record, position, rights)),
    };
  }

  /** What can still be done at a table whose rules are gone: stakes lie in it until somebody closes it.
   * @param {TableRecord} record */
  #lastButtons(record) {
    const run = (/** @type {() => Promise<void>} */ sendRequest) => this.runRequest(sendRequest);
    const close = () => void confirmClosing(this.desk, record, run);
    return [
      ...(this.desk.rights(record).close ? [button(localizedText("ODDSMITH.Tools.Close"), close)] : []),
      ...(game.user.isGM ? [button(localizedText("ODDSMITH.Purses.Title"), () => this.desk.openPurses())] : []),
    ];
  }

  /** What stands above the board while nobody can answer, as elements. @param {Position} position */
  #bannerParts({ loadedGame }) {
    if (this.desk.tables.isDecidedElsewhere) return elsewhereParts(this.desk.tables);
    if (!this.desk.tables.isWaitingForGameMaster) return [];
    const text = this.practice ? localizedText("ODDSMITH.Practice.Running") : localizedText("ODDSMITH.Waiting");
    const start = button(
      this.practice ? localizedText("ODDSMITH.Practice.Again") : localizedText("ODDSMITH.Practice.Start"),
      () => {
        this.practice = new PracticeGame(loadedGame);
        void this.render();
      },
    );
    return [makeElement("p", {}, text), start];
  }

  /** Facts about the table, such as its setting, stake and timer, as elements. @param {TableRecord} record
   * @param {Position} position */
  #factItems(record, { loadedGame }) {
    const { kind, each = 1 } = (record.stake && stakingTermsOf(loadedGame)) || {};
    const { host } = this.desk.tables;
    const chips = record.chips.currency === "chips" ? this.desk.tables.chipsOf(game.user.id) : null;
    const seconds = host.get("timer");
    const facts = [
      settingText({ bundle: loadedGame.game.bundle, words: loadedGame.words }, loadedGame.setting),
      kind
        ? localizedText("ODDSMITH.Table.Stake", { stake: moneyText(record.chips, record.stake) })
        : localizedText("ODDSMITH.Table.NoStake"),
      kind === "pot"
        ? localizedText("ODDSMITH.Table.Pot", { pot: moneyText(record.chips, record.stake * record.seats.length) })
        : "",
      kind && chips !== null ? localizedText("ODDSMITH.Table.Chips", { chips }) : "",
      seconds && record.phase !== "over" && !isSealed(record) ? localizedText("ODDSMITH.Table.Timer", { seconds }) : "",
    ];
    const notes = [
      kind === "coins"
        ? localizedText("ODDSMITH.Table.Coins", { each, value: moneyText(record.chips, record.stake / each) })
        : "",
      kind ? housePayerText(host, record) : "",
      kind ? potPayoffText(loadedGame) : "",
      loadedGame.policy || loadedGame.plan ? "" : localizedText("ODDSMITH.Table.Unsolved"),
      isSealed(record) ? localizedText("ODDSMITH.Table.Sealed") : "",
    ];
    const journal = (/** @type {"journal" | "odds"} */ which) => () =>
      void this.desk.openJournal(record.game, which).catch(showError);
    const books = [
      button(localizedText("ODDSMITH.Table.Rules"), journal("journal")),
      ...(game.user.isGM ? [button(localizedText("ODDSMITH.Table.Odds"), journal("odds"))] : []),
    ];
    return [
      ...facts.filter(Boolean).map((text) => makeElement("li", {}, ...factParts(text))),
      makeElement("li", { class: "od-books" }, ...books),
      ...notes.filter(Boolean).map((text) => makeElement("li", { class: "od-fact-note" }, text)),
    ];
  }

  /** The parts before the game begins. @param {TableRecord} record @param {Rights} rights @returns {Parts} */
  #lobbyParts(record, rights) {
    const rows = record.seats.map((seat, place) => {
      const free = seat.kind === "user" && !seat.user;
      const name = free && !seat.name ? localizedText("ODDSMITH.Lobby.Free") : seat.name;
      const note =
        seat.kind === "npc"
          ? localizedText("ODDSMITH.Lobby.NonPlayer")
          : free
            ? localizedText("ODDSMITH.Lobby.Expected")
            : localizedText("ODDSMITH.Lobby.Sits");
      const join = rights.join.includes(place)
        ? this.requestButton("ODDSMITH.Lobby.Join", "join", { seat: place }, `join ${place}`)
        : null;
      const leave = rights.leave.includes(place)
        ? this.requestButton("ODDSMITH.Lobby.Leave", "leave", { seat: place }, `leave ${place}`)
        : null;
      return makeElement(
        "li",
        {},
        ...portraitElements(seat),
        makeElement("strong", {}, name),
        makeElement("span", { class: "od-note" }, note),
        join,
        leave,
      );
    });
    const choices = rights.start ? [this.requestButton("ODDSMITH.Lobby.Start", "start", {}, "choice")] : [];
    const turn = rights.start ? localizedText("ODDSMITH.Lobby.Ready") : localizedText("ODDSMITH.Lobby.Wait");
    return { stage: [makeElement("ul", { class: "od-seats" }, ...rows)], turn, choices };
  }

  /** The parts for a turn. @param {TableRecord} record @param {Position} position @param {Rights} rights
   * @returns {Parts} */
  #turnParts(record, position, rights) {
    const { loadedGame, state, names, actions, busy, waits = [], lost, changed } = position;
    if (changed || lost) return { turn: localizedText(changed ? "ODDSMITH.Table.Changed" : "ODDSMITH.Table.Lost") };
    if (busy) return { turn: this.#waitingText(record, names, waits) };
    const keeping = isSealed(record) && record.seats[state.mover].kind === "npc";
    if (keeping && !secretKeeperOf(this.desk.tables.host, record, state.mover)?.active)
      return { turn: this.#waitingText(record, names, [state.mover]) };
    const own = rights.act && (!game.user.isGM || record.seats[state.mover].user === game.user.id);
    const name = names[state.mover];
    const gone = isAbsent(this.desk.tables.host, record.seats[state.mover]);
    const whose = [sentenceText("turnOf", { name }), gone ? localizedText("ODDSMITH.Table.Absent", { name }) : ""];
    const turn = own ? yourTurnText(loadedGame, state) : whose.filter(Boolean).join(" ");
    const choices = own ? this.moveButtons(record, position) : gone && rights.direct ? [standInButton(this)] : [];
    const sees = { nobody: false, gm: game.user.isGM, owner: own, everyone: true }[record.advice];
    const hasAdvice = sees && (loadedGame.policy || (loadedGame.plan && own)) && actions && actions.length > 1;
    const advice = () =>
      loadedGame.plan
        ? mixedAdviceElements(loadedGame, { ...position, actions })
        : adviceElements(adviceAt(loadedGame, state, names));
    return { turn, choices, advice: hasAdvice ? [this.#adviceSection(advice)] : [] };
  }

  /** A sentence that names the people for whose clients a game with secrets waits. @param {TableRecord} record
   * @param {readonly string[]} seatNames
   * @param {readonly number[]} awaitedSeats */
  #waitingText(record, seatNames, awaitedSeats) {
    const keeperOfSeat = (/** @type {number} */ place) => secretKeeperOf(this.desk.tables.host, record, place);
    const clientName = (/** @type {number} */ place) =>
      (record.seats[place].kind === "npc" && keeperOfSeat(place)?.name) || seatNames[place];
    const listNames = (/** @type {readonly number[]} */ places) => [...new Set(places.map(clientName))].join(", ");
    const away = awaitedSeats.filter((place) => !keeperOfSeat(place)?.active);
    if (away.length) return localizedText("ODDSMITH.Table.WaitsAway", { names: listNames(away) });
    return localizedText("ODDSMITH.Table.WaitsFor", { names: listNames(awaitedSeats) });
  }

  /** The buttons for the moves of the seat to move. @param {TableRecord} record @param {Position} position
   * @returns {HTMLElement[]} */
  moveButtons(record, { loadedGame, state, names, actions }) {
    const { tables } = this.desk;
    const moveButton = (/** @type {string} */ text, /** @type {number | null} */ place) =>
      button(text, () => this.runRequest(() => tables.move(record, place)), { "data-od": "choice" });
    return actionControls(loadedGame, state, actions, names, moveButton);
  }

  /** A section with advice that is worked out when somebody opens it. @param {() => HTMLElement[]} makeContent */
  #adviceSection(makeContent) {
    const body = makeElement("div", {}, ...(this.adviceOpen ? makeContent() : []));
    const toggle = () => {
      if (details.open && !this.adviceOpen) body.replaceChildren(...makeContent());
      this.adviceOpen = details.open;
    };
    const summary = makeElement("summary", { "data-od": "advice" }, localizedText("ODDSMITH.Advice.Title"));
    const details = makeElement("details", { open: this.adviceOpen, ontoggle: toggle }, summary, body);
    return details;
  }

  /** The parts for a game that is over. @param {TableRecord} record @param {Position} position @param {Rights} rights
   * @returns {Parts} */
  #endParts(record, position, rights) {
    const choices =
      rights.rematch && (game.user.isGM || isOver(position))
        ? [this.requestButton("ODDSMITH.Table.Rematch", "rematch", {}, "choice")]
        : [];
    const { next } = record;
    const goOn = () => {
      this.desk.openTable(next ?? "");
      void this.close(); // it would stay behind the other one
    };
    if (next) choices.push(button(localizedText("ODDSMITH.Table.Next"), goOn, { "data-od": "choice" }));
    const broken = () => brokenOffText(record.stuck === true, refundSettlement(this.desk.tables.host, record, 0));
    return {
      turn: isOver(position) ? endText(position.loadedGame, position.state, position.names) : broken(),
      choices,
    };
  }

  /** The parts for a practice game. @param {PracticeGame} practice @returns {Parts} */
  #practiceParts({ loadedGame, names, seenPosition: seen, moveLines: story, actions, table }) {
    const { state, moves } = seen;
    const act = (/** @type {number | null} */ place) => {
      this.practice?.act(place);
      void this.render();
    };
    const one = (/** @type {string} */ text, /** @type {number | null} */ place) =>
      button(text, () => act(place), { "data-od": "choice" });
    const turn = table.isOver ? endText(loadedGame, state, names) : yourTurnText(loadedGame, state);
    const choices = table.isOver ? [] : actionControls(loadedGame, state, actions, names, one);
    return { stage: drawPosition(loadedGame, state, moves, names, { latest: story.at(-1) }), turn, story, choices };
  }

  // --- asking and drawing

  /** A button that sends a request about this table to the authority. @param {string} textKey @param {any} requestType
   * @param {Record<string, any>} [payload] @param {string} [controlName] */
  requestButton(textKey, requestType, payload = {}, controlName = textKey) {
    return button(
      localizedText(textKey),
      () => this.runRequest(() => this.desk.tables.send(requestType, { table: this.table, ...payload })),
      {
        "data-od": controlName,
      },
    );
  }

  /** Make one request at a time: all buttons of the window are disabled until it is answered.
   * @param {() => Promise<void>} sendRequest */
  async runRequest(sendRequest) {
    if (this.busy) return;
    this.busy = true;
    this.#markBusy();
    try {
      await sendRequest();
    } catch (error) {
      showError(error);
    }
    this.busy = false;
    await this.#waitForDice();
    if (this.rendered) await this.render();
  }

  /** Mark all buttons as disabled while a request runs. They stay focusable, so that focus is not lost. */
  #markBusy() {
    const all = Object.values(this.places ?? {}).flatMap((place) => [...place.querySelectorAll("button")]);
    for (const one of all) one.setAttribute("aria-disabled", String(this.busy));
  }

  /** @param {Parts} parts @param {HTMLElement} content */
  _replaceHTML(parts, content) {
    addStyles(content.ownerDocument); // the window may stand in another document than where it was made
    const places = (this.places ??= makeNamedContainers(content));
    const name = focusedName(content);
    for (const key of /** @type {const} */ (["banner", "facts", "stage", "choices", "advice", "tools"])) {
      places[key].replaceChildren(...(parts[key] ?? []));
      places[key].hidden = !parts[key]?.length;
    }
    if (places.turn.textContent !== (parts.turn ?? "")) places.turn.textContent = parts.turn ?? "";
    updateMoveLines(places.story, parts.story ?? []);
    this.#markBusy();
    this.reading ??= new ReadingTime(this.desk.tables.host, places.choices);
    this.reading.show(JSON.stringify([parts.story?.length, (parts.choices ?? []).map((one) => one.textContent)]));
    // Focus moves from the sentence of the turn to the first choice. If the focused control is gone, focus moves to
    // that sentence.
    const lost = name && name !== "turn" && !content.contains(content.ownerDocument.activeElement);
    if (lost || name === "turn")
      (controlNamed(content, lost ? name : "choice") ?? places.turn).focus({ preventScroll: true });
  }
}

/** The user whose client has the secrets of a seat. For non-players that is the keeper.
 * @param {import("../world/shapes.mjs").Host} host
 * @param {TableRecord} record @param {number} seat */
function secretKeeperOf(host, { seats, keeper }, seat) {
  const user = seats[seat].kind === "npc" ? keeper : seats[seat].user;
  return host.users().find(({ id }) => id === user);
}

/** Make the elements of a window whose content changes, by name. They are made once, because a screen reader follows
 * elements that stay.
 * @param {HTMLElement} windowContent */
function makeNamedContainers(windowContent) {
  /** @type {Record<string, HTMLElement>} */
  const places = {
    banner: makeElement("div", { class: "od-banner", role: "status" }),
    facts: makeElement("ul", { class: "od-facts" }),
    stage: makeElement("div", { class: "od-stage" }),
    turn: makeElement("p", { class: "od-turn", role: "status", tabIndex: -1, "data-od": "turn" }),
    choices: makeElement("div", {
      class: "od-choices",
      role: "group",
      "aria-label": localizedText("ODDSMITH.Table.Choices"),
    }),
    advice: makeElement("section", { class: "od-advice", "aria-label": localizedText("ODDSMITH.Advice.Title") }),
    story: makeElement(
      "div",
      { class: "od-log", role: "log", tabIndex: 0, "aria-label": localizedText("ODDSMITH.Table.Story") },
      makeElement("ol", {}),
    ),
    tools: makeElement("section", { class: "od-keeper", "aria-label": localizedText("ODDSMITH.Tools.All") }),
  };
  windowContent.replaceChildren(makeElement("div", { class: "od-window" }, ...Object.values(places)));
  return places;
}

/** The picture of a seat, in a list; empty if it has none. A screen reader skips it, because the name stands beside it.
 * @param {import("../world/shapes.mjs").Seat} seat @returns {HTMLElement[]} */
function portraitElements({ img }) {
  return img
    ? [makeElement("img", { class: "od-portrait", src: img, alt: "", width: 32, height: 32, loading: "lazy" })]
    : [];
}
