// @ts-check
/** The page in the room: no table yet, seats being taken, a game on its way. Texts are only ever set as text. */

import { opponentsOf } from "../runtime/opponents.mjs";
import { actionName, board, follow, make, moveText } from "../runtime/view.mjs";
import { ending, full, opponentText, throwText } from "../tabletops/round.mjs";
import { advice } from "./advice.mjs";
import { Refused } from "./shared.mjs";

/** @typedef {import("./shared.mjs").Shared} Shared */
/** @typedef {import("./shared.mjs").Position} Position */
/** @typedef {import("./log.mjs").Kept} Kept */
/** @typedef {{facts?: string[], stage?: Node[], turn?: string, choices?: Node[], advice?: Node[], story?: string[],
 *   tools?: Node[]}} Parts what each place of the page shows; a place that is not named is empty */

/** A button with a name by which focus finds it again after a new drawing. @param {string} text @param {() => void} onclick
 * @param {string} [name] @returns {HTMLButtonElement} */
function button(text, onclick, name = text) {
  return make("button", { type: "button", "data-od": name, onclick }, text);
}

/** @param {string} text @param {HTMLElement} control */
const labelled = (text, control) => make("label", {}, make("span", {}, text), control);

/** @param {readonly (readonly [value: string, text: string])[]} options @param {() => void} [onchange]
 * @param {Record<string, any>} [more] @returns {HTMLSelectElement} */
function choice(options, onchange = () => {}, more = {}) {
  return make("select", { onchange, ...more }, ...options.map(([value, text]) => make("option", { value }, text)));
}

export class App {
  /** @param {HTMLElement} root @param {Shared} shared */
  constructor(root, shared) {
    this.shared = shared;
    this.busy = false;
    this.complaint = "";
    /** @type {Set<string>} panels that are open */
    this.open = new Set();
    /** @type {Parts | null} the form of a new table, kept while somebody fills it in */
    this.form = null;
    this.root = root;
    this.places = lay(root);
    this.queue = Promise.resolve();
  }

  /** Take in what the room keeps, one after the other, and show it. @param {any} value */
  hear(value) {
    this.queue = this.queue.then(async () => {
      await this.shared.hear(value);
      this.draw();
    });
    return this.queue;
  }

  /** @param {() => Promise<void>} act */
  #do(act) {
    if (this.busy) return;
    this.busy = true;
    this.complaint = "";
    this.queue = this.queue.then(act).catch((error) => {
      if (!(error instanceof Refused)) console.error(error);
      this.complaint = error instanceof Refused ? error.message : `This did not work: ${error.message}.`;
    }).then(() => {
      this.busy = false;
      this.draw();
    });
  }

  // --- drawing

  draw() {
    const { shared, places, root } = this;
    const focus = root.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.od : undefined;
    this.#remember();
    if (shared.kept) this.form = null;
    const parts = shared.kept ? (shared.position ? this.#table(shared.kept, shared.position) : this.#lost()) : (this.form ??= this.#opening());
    root.dataset.rev = String(shared.kept?.rev ?? "");
    const warnings = [shared.fault, this.complaint].filter(Boolean);
    tell(places.alert, warnings.join(" "));
    tell(places.notice, shared.notice);
    places.facts.replaceChildren(...(parts.facts ?? []).filter(Boolean).map((text) => make("li", {}, text)));
    for (const key of /** @type {const} */ (["stage", "choices", "advice", "tools"])) {
      places[key].replaceChildren(...(parts[key] ?? []));
      places[key].hidden = !parts[key]?.length;
    }
    tell(places.turn, parts.turn ?? "");
    follow(places.story, parts.story ?? []);
    // Whoever chose or waited goes on to what can be chosen now; what is gone leaves focus at the sentence of the turn.
    if (focus && (focus === "turn" || !root.contains(document.activeElement)))
      (this.#named(focus === "turn" ? "choice" : focus) ?? this.#named("choice") ?? places.turn).focus({ preventScroll: true });
  }

  /** @param {string} name @returns {HTMLElement | null} */
  #named(name) {
    return this.root.querySelector(`[data-od="${CSS.escape(name)}"]`);
  }

  /** The form of a new table. @returns {Parts} */
  #opening() {
    const { games } = this.shared.library;
    const setting = make("select", {});
    const fill = async () => {
      const asked = game.value;
      const { settings } = await this.shared.library.book(asked);
      if (game.value === asked) setting.replaceChildren(...settings.map(({ slug, label }) => make("option", { value: slug }, label)));
    };
    const load = () => void fill().catch((error) => tell(this.places.alert, `This game could not be loaded: ${error.message}.`));
    const game = choice(games.map(({ id, title }) => /** @type {const} */ ([id, title])), load);
    const seen = choice([["nobody", "nobody"], ["gm", "the game master"], ["everyone", "everybody"]]);
    const begin = button("Open the table", () => this.#do(() => this.shared.open(game.value, setting.value, /** @type {any} */ (seen.value))), "choice");
    load();
    const fields = make("div", { class: "od-fields" }, labelled("Game", game), labelled("Setting", setting), labelled("Who sees advice", seen));
    return { turn: "There is no table in this room yet.", stage: [fields], choices: [begin] };
  }

  /** A table that cannot be shown. @returns {Parts} */
  #lost() {
    const close = button("Close the table", () => this.#do(() => this.shared.close()), "choice");
    return { turn: "This table cannot be shown here.", choices: this.shared.me.gm ? [close] : [] };
  }

  /** @param {Kept} kept @param {Position} position @returns {Parts} */
  #table(kept, position) {
    const { shared } = this;
    const title = shared.library.games.find(({ id }) => id === kept.game)?.title ?? kept.game;
    const facts = [title, position.ready.setting.label];
    const tools = this.#tools(kept, position);
    if (!kept.started) return { facts, ...this.#lobby(kept), tools };
    const { ready, state, moves, names } = position;
    const story = moves.map((move) => moveText(ready.game, move.before, move, names[move.seat]));
    const frame = { facts, story, tools, stage: [board(ready.game, ready.words, state, names)] };
    if (shared.fault) return { ...frame, turn: "The game stands still until the game master takes the wrong move back." };
    if (!state.phase) {
      const again = button("Play again", () => this.#do(() => shared.rematch()), "choice");
      return { ...frame, turn: ending(ready, state, names), choices: shared.sits || shared.me.gm ? [again] : [] };
    }
    return { ...frame, ...this.#turn(kept, position) };
  }

  /** @param {Kept} kept @returns {Parts} */
  #lobby(kept) {
    const { me, sits } = this.shared;
    const rows = kept.seats.map(({ kind, user, name }, place) => {
      const free = kind === "user" && user === null;
      const note = kind === "npc" ? "a non-player" : free ? "" : "sits here";
      const take = free && !sits ? button("Sit down", () => this.#do(() => this.shared.join(place)), `seat ${place}`) : null;
      const mine = user === me.id;
      const rise = mine || (!free && (me.gm || kind === "npc"))
        ? button(mine ? "Leave" : "Free the seat", () => this.#do(() => this.shared.leave(place)), `seat ${place}`) : null;
      return make("li", {}, make("strong", {}, free ? `Seat ${place + 1} is free` : name), make("span", { class: "od-note" }, note), take, rise);
    });
    const ready = full(kept.seats) && (sits || me.gm);
    const begin = button("Begin", () => this.#do(() => this.shared.start()), "choice");
    return { stage: [make("ul", { class: "od-seats" }, ...rows)], choices: ready ? [begin] : [],
      turn: full(kept.seats) ? "Every seat is taken." : "Seats are still free. A free seat can be given to a non-player below." };
  }

  /** @param {Kept} kept @param {Position} position @returns {Parts} */
  #turn(kept, { ready, state, actions, names }) {
    const { shared } = this;
    if (shared.stands) return { turn: `It is the turn of ${names[state.mover]}.`, choices: [button("Let the non-players go on", () => this.#do(() => shared.goOn()), "choice")] };
    const mine = kept.seats[state.mover].user === shared.me.id;
    const turn = mine ? `Your turn: ${ready.words.phases[state.phase] ?? state.phase}.` : `It is the turn of ${names[state.mover]}.`;
    if (!shared.acts) return { turn };
    const act = (/** @type {number | null} */ place) => () => this.#do(() => shared.act(place));
    const buttons = actions ? actions.map((action, place) => button(actionName(ready.game, state, action), act(place), "choice"))
      : [button(throwText(ready, state), act(null), "choice")];
    const whose = mine ? [] : [make("span", { class: "od-note" }, `As game master, for ${names[state.mover]}:`)];
    const told = shared.advised && actions && actions.length > 1;
    return { turn, choices: [...whose, ...buttons], advice: told ? [this.#panel("What the actions are worth", () => advice(ready, state))] : [] };
  }

  /** What can be done besides playing. @param {Kept} kept @param {Position} position @returns {Node[]} */
  #tools(kept, position) {
    const { shared } = this;
    const { me } = shared;
    const body = () => {
      const hands = kept.seats.flatMap((seat, place) =>
        (seat.kind === "npc" || shared.over || (kept.started ? !me.gm : seat.user !== null && !me.gm) ? [] : [this.#hand(position, place)]));
      const undo = me.gm && kept.started ? button("Take back", () => this.#do(() => shared.undo())) : null;
      const close = shared.closable ? button("Close the table", () => this.#do(() => shared.close())) : null;
      return [...hands, ...(undo || close ? [make("div", { class: "od-choices" }, undo, close)] : []), ...(kept.started ? [this.#transcript(kept)] : [])];
    };
    return [this.#panel("At this table", body)];
  }

  /** @param {Position} position @param {number} place */
  #hand({ ready, names }, place) {
    const options = opponentsOf(ready.setting).map((one, skill) => /** @type {const} */ ([String(skill), opponentText(one, place)]));
    const select = choice(options, () => {}, { "data-od": `skill ${place}` });
    const give = button("Give", () => this.#do(() => this.shared.hand(place, Number(select.value))), `hand ${place}`);
    give.setAttribute("aria-label", `Give the seat of ${names[place]} to a non-player`);
    return make("div", { class: "od-hand" }, labelled(`${names[place]}, as a non-player`, select), give);
  }

  /** The transcript, to be saved or, where a page in a room may not save files, copied. @param {Kept} kept */
  #transcript(kept) {
    const text = JSON.stringify(this.shared.transcript());
    const link = make("a", { href: `data:application/json;charset=utf-8,${encodeURIComponent(text)}`, download: `${kept.game}.json`, "data-od": "save" }, "Save the transcript");
    const area = make("textarea", { readOnly: true, rows: 3, value: text, "data-od": "transcript", onfocus: () => area.select() });
    return make("div", { class: "od-transcript" }, make("p", {}, link), labelled("Or copy it", area));
  }

  /** A part that opens and stays open. @param {string} title @param {() => Node[]} content */
  #panel(title, content) {
    const body = make("div", { class: "od-panel" });
    const fill = () => void body.replaceChildren(...(details.open ? content() : []));
    const details = make("details", { open: this.open.has(title), ontoggle: fill }, make("summary", { "data-od": title }, title), body);
    fill();
    return details;
  }

  /** Note which parts are open: a drawing may come before the browser tells that one was opened. */
  #remember() {
    for (const panel of this.root.querySelectorAll("details")) {
      const title = /** @type {HTMLElement} */ (panel.firstElementChild).innerText;
      if (panel.open) this.open.add(title);
      else this.open.delete(title);
    }
  }
}

/** The places of the page, laid out once: what reads the screen aloud follows places that stay. @param {HTMLElement} root */
function lay(root) {
  /** @type {Record<string, HTMLElement>} */
  const places = {
    alert: make("p", { class: "od-alert", role: "alert" }),
    notice: make("p", { class: "od-note", role: "status" }),
    facts: make("ul", { class: "od-facts" }),
    stage: make("div", {}),
    turn: make("p", { class: "od-turn", role: "status", tabIndex: -1, "data-od": "turn" }),
    choices: make("div", { class: "od-choices", role: "group", "aria-label": "What can be done" }),
    advice: make("div", {}),
    story: make("div", { class: "od-log", role: "log", tabIndex: 0, "aria-label": "What happened" }, make("ol", {})),
    tools: make("div", {}),
  };
  root.replaceChildren(...Object.values(places));
  return places;
}

/** @param {HTMLElement} place @param {string} text */
function tell(place, text) {
  if (place.textContent !== text) place.textContent = text;
  place.hidden = !text;
}
