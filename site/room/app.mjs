// @ts-check
/** The page in the room: no table yet, seats that are being taken, or a game in play. Texts are only ever set as
 * text. */

import { opponentsOf } from "../runtime/table/opponents.mjs";
import { Refused } from "../runtime/table/refused.mjs";
import { isSeatFree, positionAfterLog, seatsOfPerson } from "../runtime/table/round.mjs";
import { adviceElements, adviceAt } from "../runtime/words/advice.mjs";
import { button, selectControl, controlNamed, focusedName, labelledControl } from "../runtime/words/controls.mjs";
import { drawPosition, moveLines } from "../runtime/words/board.mjs";
import { actionControls } from "../runtime/words/drawn.mjs";
import { MovePacer } from "../runtime/words/pace.mjs";
import { endText, opponentText, settingText, yourTurnText } from "../runtime/words/sentences.mjs";
import { factParts, replaceChildrenInPlace, updateMoveLines, makeElement } from "../runtime/words/view.mjs";
import { sentenceText } from "../runtime/words/words.mjs";
import { NewTableForm } from "./opening.mjs";
import { setTextOrHide } from "./parts.mjs";
import { localizedText } from "./words.mjs";

/** @typedef {import("./shared.mjs").SharedTable} SharedTable */
/** @typedef {import("./shared.mjs").Position} Position */
/** @typedef {import("./log.mjs").Kept} Kept */
/** @typedef {import("./parts.mjs").Parts} Parts */

/** Properties that name a control, so that focus can return to it. @param {string} name by which focus finds a control
 * @returns {Record<string, any>} */
const focusProperties = (name) => ({ "data-od": name });

const CHOICE = focusProperties("choice");

/** The page of a table. */
export class TablePage {
  /** @param {HTMLElement} root @param {SharedTable} sharedTable
   * @param {readonly import("../runtime/table/library.mjs").Listed[]}
   * games
   * @param {string} [firstGameId] the game that the form of a new table begins with
   * @param {(game: string) => string} [gamePageAddress] the address of a game's page, where there is one */
  constructor(root, sharedTable, games, firstGameId = "", gamePageAddress = () => "") {
    this.shared = sharedTable;
    this.games = games;
    this.wanted = firstGameId;
    this.pageOf = gamePageAddress;
    this.busy = false;
    this.complaint = "";
    /** @type {Set<string>} panels that are open */
    this.open = new Set();
    /** @type {Map<number, string>} what is picked, by seat, for a non-player there: a drawing must not change it */
    this.skills = new Map();
    /** @type {NewTableForm | null} the form of a new table, kept while somebody fills it in */
    this.form = null;
    this.root = root;
    this.places = makeNamedContainers(root);
    this.queue = Promise.resolve();
    this.pace = new MovePacer(() => this.drawPage());
    this.seen = ""; // the table whose moves are shown
    this.skip = button(localizedText("skip"), () => {}, focusProperties("skip")); // as any tap does
  }

  /** Take in the record that the room keeps, and show it. Records are taken in the order of arrival. @param {any}
   * record which anybody in the room may have written */
  receiveRecord(record) {
    return this.enqueue(async () => {
      await this.shared.receiveRecord(record);
      await this.shared.addOwedEntries();
    });
  }

  /** Do what the person here asks for. @param {import("./rights.mjs").Act} act @param {any[]} actArguments */
  #doAct(act, ...actArguments) {
    if (this.busy) return;
    this.busy = true;
    this.complaint = "";
    this.enqueue(async () => {
      await this.shared.doAct(act, ...actArguments).finally(() => void (this.busy = false));
      await this.shared.addOwedEntries();
    });
  }

  /** Do something after everything before it, and draw the page. An error is shown and does not stop what comes later.
   * @param {() => Promise<void>} task */
  enqueue(task) {
    this.queue = this.queue
      .then(task)
      .catch((error) => {
        if (!(error instanceof Refused)) console.error(error);
        this.complaint = error instanceof Refused ? error.message : localizedText("failed", { why: error.message });
      })
      .then(() => this.drawPage())
      .catch(console.error);
    return this.queue;
  }

  // --- drawing

  /** Draw the page, and keep the focus. */
  drawPage() {
    const { shared, places, root } = this;
    const focus = focusedName(root);
    this.#rememberOpenPanels();
    if (shared.kept) this.form = null;
    else this.skills.clear();
    this.#updatePace();
    const parts = this.#pageParts();
    if (!this.pace.hasHiddenMoves) root.dataset.rev = String(shared.kept?.rev ?? "");
    const warnings = [shared.fault, this.complaint].filter(Boolean);
    setTextOrHide(places.alert, warnings.join(" "));
    setTextOrHide(places.notice, [parts.notice, shared.notice, shared.sizeWarning].filter(Boolean).join(" "));
    const facts = (parts.facts ?? []).filter(Boolean);
    const fact = (/** @type {string | Node} */ one) => (typeof one === "string" ? factParts(one) : [one]);
    places.facts.replaceChildren(...facts.map((one) => makeElement("li", {}, ...fact(one))));
    for (const key of /** @type {const} */ (["stage", "choices", "advice", "tools"])) {
      replaceChildrenInPlace(places[key], parts[key] ?? []);
      places[key].hidden = !parts[key]?.length;
    }
    setTextOrHide(places.turn, parts.turn ?? "");
    updateMoveLines(places.story, parts.story ?? []);
    // Whoever chose or waited goes on to what can be done now; what is gone leaves focus at the sentence of the turn.
    if (focus && (focus === "turn" || !root.contains(document.activeElement))) {
      const same = ["turn", "choice"].includes(focus) ? null : controlNamed(root, focus);
      (same ?? this.#onlyChoiceControl() ?? places.turn).focus({ preventScroll: true });
    }
  }

  /** The control of the only choice; null or undefined if there is not exactly one. With several, Enter must not choose
   * one that nobody has looked at. */
  #onlyChoiceControl() {
    const [first, ...more] = this.root.querySelectorAll("[data-od=choice], [data-od=skip]");
    return more.length ? null : /** @type {HTMLElement | undefined} */ (first);
  }

  /** Show new moves one by one if this page has seen the table before; else show all at once. */
  #updatePace() {
    const { kept, log, hasSecrets } = this.shared;
    const { pace, seen } = this;
    this.seen = kept?.id ?? "";
    const from = seen === this.seen ? pace.all : 0;
    if (kept && seen && !hasSecrets && log.length > from) pace.showMoves(log, kept.seats, from);
    else if (log.length !== pace.all) pace.showAll(log.length);
  }

  /** The parts of the page. @returns {Parts} */
  #pageParts() {
    const { kept, position } = this.shared;
    if (kept) return position ? this.#tableParts(kept, this.#shownPosition(position)) : this.#unshowableTableParts();
    return this.shared.mayDo("open") ? (this.form ??= this.#newTableForm()).parts : { turn: localizedText("noTable") };
  }

  /** The position after the moves that are shown so far. @param {Position} position @returns {Position} */
  #shownPosition(position) {
    const { pace, shared } = this;
    return pace.hasHiddenMoves
      ? { ...position, ...positionAfterLog(position.loadedGame, shared.log.slice(0, pace.shown)) }
      : position;
  }

  /** The form of a new table. */
  #newTableForm() {
    const { shared } = this;
    const complain = (/** @type {string} */ why) => setTextOrHide(this.places.alert, why);
    return new NewTableForm(
      shared.library,
      this.games,
      this.wanted,
      (...table) => this.#doAct("open", ...table),
      complain,
    );
  }

  /** The parts for a table that cannot be shown. @returns {Parts} */
  #unshowableTableParts() {
    const close = button(localizedText("close"), () => this.#doAct("close"), CHOICE);
    return { turn: localizedText("cannotShow"), choices: this.shared.mayDo("close") ? [close] : [] };
  }

  /** The parts for a table. @param {Kept} tableRecord @param {Position} position @returns {Parts} */
  #tableParts(tableRecord, position) {
    const { shared } = this;
    const { game, plan, policy, setting, words } = position.loadedGame;
    const title = this.games.find(({ id }) => id === tableRecord.game)?.title ?? tableRecord.game;
    const href = this.pageOf(tableRecord.game);
    const facts = [
      href ? makeElement("a", { href }, title) : title,
      settingText({ bundle: game.bundle, words }, setting),
      policy || plan ? "" : makeElement("span", { class: "od-note" }, localizedText("notSolved")),
    ];
    const tools = this.#toolControls(tableRecord, position);
    if (!tableRecord.started) return { facts, ...this.#lobbyParts(tableRecord), tools };
    const { loadedGame, state, moves, names } = position;
    const mine = seatsOfPerson(tableRecord.seats, shared.me.id);
    const story = moveLines(loadedGame.game, moves, names);
    const stage = drawPosition(loadedGame, state, moves, names, { mine, latest: story.at(-1) });
    const frame = { facts, tools, story, stage };
    if (this.pace.hasHiddenMoves)
      return { ...frame, turn: sentenceText("turnOf", { name: names[state.mover] }), choices: [this.skip] };
    if (shared.fault) return { ...frame, turn: localizedText("standsStill") };
    if (shared.isOver) {
      const again = button(localizedText("again"), () => this.#doAct("rematch"), focusProperties("again"));
      return { ...frame, turn: endText(loadedGame, state, names), choices: shared.mayDo("rematch") ? [again] : [] };
    }
    const { choices = [], ...turn } = this.#turnParts(tableRecord, position);
    return { ...frame, ...turn, choices: [...choices, ...this.#sitButtons(tableRecord, names)] };
  }

  /** Buttons for the free seats of a game in play. @param {Kept} kept @param {string[]} seatNames */
  #sitButtons({ seats }, seatNames) {
    const sit = (/** @type {number} */ place) =>
      button(
        localizedText("sitAs", { name: seatNames[place] }),
        () => this.#doAct("join", place),
        focusProperties(`seat ${place}`),
      );
    return seats.flatMap((_, place) => (this.shared.mayDo("join", place) ? [sit(place)] : []));
  }

  /** The parts before the game begins. @param {Kept} tableRecord @returns {Parts} */
  #lobbyParts(tableRecord) {
    const { shared } = this;
    const rows = tableRecord.seats.map((seat, place) => {
      const { kind, user, name } = seat;
      const free = isSeatFree(seat);
      const note = kind === "npc" ? localizedText("nonPlayer") : free ? "" : localizedText("sitsHere");
      const take = shared.mayDo("join", place)
        ? button(localizedText("sit"), () => this.#doAct("join", place), focusProperties(`seat ${place}`))
        : null;
      const rise = shared.mayDo("leave", place)
        ? button(
            localizedText(user === shared.me.id ? "leave" : "free"),
            () => this.#doAct("leave", place),
            focusProperties(`seat ${place}`),
          )
        : null;
      return makeElement(
        "li",
        {},
        makeElement("strong", {}, free ? localizedText("seatFree", { number: place + 1 }) : name),
        makeElement("span", { class: "od-note" }, note),
        take,
        rise,
      );
    });
    const begin = button(localizedText("begin"), () => this.#doAct("start"), CHOICE);
    const empty = tableRecord.seats.findIndex(isSeatFree);
    return {
      stage: [makeElement("ul", { class: "od-seats" }, ...rows)],
      choices: shared.mayDo("start") ? [begin] : [],
      notice: shared.hasSecrets ? localizedText("sealed") : "",
      turn:
        empty < 0
          ? localizedText("allTaken")
          : localizedText(shared.mayDo("hand", empty) ? "someFree" : "wait", { panel: localizedText("title") }),
    };
  }

  /** The parts for a turn. @param {Kept} tableRecord @param {Position} position @returns {Parts} */
  #turnParts(tableRecord, { loadedGame, state, actions, names, busy, lost, waits = [] }) {
    const { shared } = this;
    if (lost) return { turn: localizedText("lost") };
    if (busy) return { turn: localizedText("waitsFor", { names: waits.map((seat) => names[seat]).join(", ") }) };
    const other = sentenceText("turnOf", { name: names[state.mover] });
    if (shared.isNonPlayerWaiting)
      return { turn: other, choices: [button(localizedText("goOn"), () => this.#doAct("goOn"), CHOICE)] };
    const own = tableRecord.seats[state.mover].user === shared.me.id;
    const turn = own ? yourTurnText(loadedGame, state) : other;
    if (!shared.canMove) return { turn };
    // Focus never goes by itself to what would be done for somebody else, nor to what ends this game.
    const one = (/** @type {string} */ text, /** @type {number | null} */ place) =>
      button(text, () => this.#doAct("act", place), focusProperties(own ? "choice" : `for ${place}`));
    const buttons = actionControls(loadedGame, state, actions, names, one);
    const whose = own
      ? []
      : [makeElement("span", { class: "od-note" }, localizedText("actFor", { name: names[state.mover] }))];
    const sees = shared.isAdviceVisible && loadedGame.policy && actions && actions.length > 1;
    return {
      turn,
      choices: [...whose, ...buttons],
      advice: sees
        ? [this.#makePanel(localizedText("worth"), () => adviceElements(adviceAt(loadedGame, state, names)))]
        : [],
    };
  }

  /** The controls below a table: advice and help of the game master. @param {Kept} tableRecord @param {Position}
   * position
   * @returns {Node[]} */
  #toolControls(tableRecord, position) {
    const { shared } = this;
    const body = () => {
      const seats = tableRecord.seats.flatMap((seat, place) => {
        if (shared.mayDo("hand", place)) return [this.#giveSeatControls(position, place)];
        const freed = tableRecord.started && !shared.isOver && seat.kind === "npc" && shared.mayDo("leave", place);
        return freed ? [this.#freeSeatControls(position, place)] : [];
      });
      const undo = shared.mayDo("undo") ? button(localizedText("undo"), () => this.#doAct("undo")) : null;
      const close = shared.mayDo("close") ? this.#closeButton() : null;
      return [
        ...seats,
        ...(undo || close ? [makeElement("div", { class: "od-choices" }, undo, close)] : []),
        ...(tableRecord.started && (!shared.hasSecrets || shared.isOver)
          ? [this.#transcriptControls(tableRecord)]
          : []),
      ];
    };
    return [this.#makePanel(localizedText("title"), body)];
  }

  /** A button that closes the table; if that would lose something, it asks first. */
  #closeButton() {
    const { shared } = this;
    let sure = shared.isOver || !shared.kept?.started;
    const close = button(localizedText("close"), () => {
      if (sure) return this.#doAct("close");
      sure = true;
      close.textContent = localizedText("closeAnyway");
    });
    return close;
  }

  /** Controls that free a seat for a player who comes later or returns. @param {Position} position
   * @param {number} seat */
  #freeSeatControls({ names }, seat) {
    const free = button(localizedText("free"), () => this.#doAct("leave", seat), {
      "data-od": `free ${seat}`,
      "aria-label": localizedText("freeNamed", { name: names[seat] }),
    });
    return makeElement(
      "div",
      { class: "od-hand" },
      makeElement("span", {}, localizedText("playedBy", { name: names[seat] })),
      free,
    );
  }

  /** Controls that give a seat to a non-player. @param {Position} position @param {number} seat */
  #giveSeatControls({ loadedGame, names }, seat) {
    const text = (/** @type {import("../runtime/table/settings.mjs").Opponent} */ one) =>
      opponentText(loadedGame.setting, one, seat, this.shared.kept?.started);
    const options = opponentsOf(loadedGame.setting).map(
      (one, skill) => /** @type {const} */ ([String(skill), text(one)]),
    );
    const picked = options.find(([value]) => value === this.skills.get(seat))?.[0] ?? "0";
    const select = selectControl(
      options,
      picked,
      (skill) => this.skills.set(seat, skill),
      focusProperties(`skill ${seat}`),
    );
    const give = button(localizedText("give"), () => this.#doAct("hand", seat, Number(select.value)), {
      "data-od": `hand ${seat}`,
      "aria-label": localizedText("giveNamed", { name: names[seat] }),
    });
    return makeElement(
      "div",
      { class: "od-hand" },
      labelledControl(localizedText("handAs", { name: names[seat] }), select),
      give,
    );
  }

  /** The transcript as a link that saves it, and a button that copies it, because a page in a room may not be allowed
   * to save files. @param {Kept} tableRecord */
  #transcriptControls(tableRecord) {
    const text = JSON.stringify(this.shared.transcript());
    const link = makeElement(
      "a",
      {
        href: `data:application/json;charset=utf-8,${encodeURIComponent(text)}`,
        download: `${tableRecord.game}.json`,
        "data-od": "save",
      },
      localizedText("save"),
    );
    const area = makeElement("textarea", {
      readOnly: true,
      rows: 3,
      value: text,
      "data-od": "transcript",
      onfocus: () => area.select(),
    });
    return makeElement(
      "div",
      { class: "od-transcript" },
      makeElement("p", {}, link),
      labelledControl(localizedText("copy"), area),
    );
  }

  /** A part that opens, and stays open when the page is drawn again. @param {string} title
   * @param {() => Node[]} makeContent */
  #makePanel(title, makeContent) {
    const body = makeElement("div", { class: "od-panel" });
    const fill = () => void body.replaceChildren(...(details.open ? makeContent() : []));
    const details = makeElement(
      "details",
      { open: this.open.has(title), ontoggle: fill },
      makeElement("summary", { "data-od": title }, title),
      body,
    );
    fill();
    return details;
  }

  /** Note which panels are open, because the page may be drawn again before the browser reports it. */
  #rememberOpenPanels() {
    for (const panel of this.root.querySelectorAll("details")) {
      const title = /** @type {HTMLElement} */ (panel.firstElementChild).innerText;
      if (panel.open) this.open.add(title);
      else this.open.delete(title);
    }
  }
}

/** Make the elements whose content changes, by name, and add them to the page. They are made once, because a screen
 * reader follows elements that stay.
 * @param {HTMLElement} pageElement */
function makeNamedContainers(pageElement) {
  /** @type {Record<string, HTMLElement>} */
  const places = {
    alert: makeElement("p", { class: "od-alert", role: "alert" }),
    notice: makeElement("p", { class: "od-note", role: "status" }),
    facts: makeElement("ul", { class: "od-facts" }),
    stage: makeElement("div", {}),
    turn: makeElement("p", { class: "od-turn", role: "status", tabIndex: -1, "data-od": "turn" }),
    choices: makeElement("div", { class: "od-choices", role: "group", "aria-label": localizedText("choices") }),
    advice: makeElement("div", {}),
    story: makeElement(
      "div",
      { class: "od-log", role: "log", tabIndex: 0, "aria-label": localizedText("story") },
      makeElement("ol", {}),
    ),
    tools: makeElement("div", {}),
  };
  pageElement.replaceChildren(...Object.values(places));
  return places;
}
