// @ts-check
/** Brings the play section of a game's page to life: play at this screen, or ask for any position. Works offline. */

import { advised, fields, form, handText, keyOfCell, outs, stateOf, unknown } from "./ask.mjs";
import { opened, settingText } from "./book.mjs";
import { opponentName, opponentsOf, opponentText } from "./opponents.mjs";
import { seenFromMover } from "./policy.mjs";
import { OwnDice } from "./random.mjs";
import { Table } from "./table.mjs";
import { Hand } from "./values.mjs";
import { actionName, board, make, moveText } from "./view.mjs";
import { plain, tell } from "./words.mjs";

/** @typedef {import("./book.mjs").Book} Book */
/** @typedef {import("./book.mjs").Setting} Setting */
/** @typedef {import("./book.mjs").Ready} Ready */
/** @typedef {import("./game.mjs").Game} Game */
/** @typedef {import("./policy.mjs").Policy} Policy */

const HASH = "#ask?";

class Page {
  /** @param {HTMLElement} root @param {Book} book @param {URL} base */
  constructor(root, book, base) {
    this.root = root;
    this.book = book;
    this.base = base;
    /** @type {Map<Setting, Promise<Ready>>} */
    this.opened = new Map();
  }

  /** @param {Setting} setting */
  ready(setting) {
    const load = async (/** @type {string} */ name) => {
      const answer = await fetch(new URL(name, this.base));
      if (!answer.ok) throw new Error(`${name} could not be loaded`);
      return answer.arrayBuffer();
    };
    let found = this.opened.get(setting);
    if (!found) this.opened.set(setting, (found = opened(this.book, setting, load)));
    return found;
  }

  show() {
    const asked = new URLSearchParams(location.hash.startsWith(HASH) ? location.hash.slice(HASH.length) : "");
    const { settings } = this.book;
    const wanted = asked.get("game");
    const chosen = wanted === null ? settings[0] : settings.find(({ slug }) => slug === wanted);
    const pick = make("select", { "aria-label": "Game", onchange: () => this.#fill(settings[Number(pick.value)], {}) });
    if (!chosen) pick.append(make("option", { value: "", selected: true, disabled: true }, "Choose a game"));
    pick.append(...settings.map((one, place) => make("option", { value: String(place), selected: one === chosen }, settingText(this.book, one))));
    this.body = make("div", {});
    this.root.replaceChildren(make("label", { class: "od-pick" }, make("span", {}, "Game"), pick), this.body);
    if (chosen) return this.#fill(chosen, Object.fromEntries(asked));
    this.body.append(make("p", { role: "alert" }, `The address asks for the game “${wanted}”, which is not on this page. Choose one above.`));
  }

  /** @param {Setting} setting @param {Record<string, string>} asked */
  async #fill(setting, asked) {
    try {
      const ready = await this.ready(setting);
      this.body?.replaceChildren(this.#asking(ready, asked), this.#playing(ready));
    } catch (error) {
      this.body?.replaceChildren(make("p", { role: "alert" }, `This could not be opened: ${/** @type {Error} */ (error).message}.`));
    }
  }

  // --- ask

  /** @param {Ready} ready @param {Record<string, string>} asked */
  #asking(ready, asked) {
    const { game, policy } = ready;
    if (!policy) return make("p", {}, "Nothing was solved here, so nothing is known of any position.");
    const names = policy.head.phases.map((/** @type {any} */ phase) => phase.name);
    const section = make("section", { class: "od-ask", "aria-label": "Ask for a position" });
    if (!names.length) return make("p", {}, "Nobody has anything to decide in this game.");
    const body = make("div", {});
    const answer = make("div", { class: "od-answer", "aria-live": "polite" });
    const at = Math.max(0, names.indexOf(asked.phase ?? ""));
    const select = make("select", { onchange: () => open(names[select.selectedIndex], {}) });
    select.append(...names.map((/** @type {string} */ name, /** @type {number} */ i) => make("option", { selected: i === at }, this.book.words.phases[name] ?? name)));
    const seat = make("select", { onchange: () => open(names[select.selectedIndex], {}) });
    seat.append(...Array.from({ length: game.seats }, (_, i) => make("option", { selected: String(i + 1) === asked.mover }, `Player ${i + 1}`)));
    const heads = [names.length > 1 ? make("label", {}, make("span", {}, "What is to be decided"), select) : null,
      policy.head.copies > 1 ? make("label", {}, make("span", {}, "Who decides"), seat) : null];
    /** @param {string} phase @param {Record<string, string>} given */
    const open = (phase, given) => {
      const all = fields(game, policy, phase, this.book.words);
      const tell = (/** @type {Record<string, string>} */ now, /** @type {boolean} */ link) => {
        const mover = policy.head.copies > 1 ? seat.selectedIndex : 0;
        const gone = missing.gone();
        const out = gone.reduce((bits, seat) => bits | (1 << (seat - 1)), 0);
        answer.replaceChildren(...this.#answer(ready, stateOf(game, policy, phase, all, ({ key }) => now[key], mover, out)));
        const more = { ...(mover ? { mover: String(mover + 1) } : {}), ...(out ? { out: gone.join(" ") } : {}) };
        const words = new URLSearchParams({ game: ready.setting.slug, phase, ...more, ...now });
        if (link) history.replaceState(null, "", `${HASH}${words}`);
      };
      const made = form(game, all, given, (now) => tell(now, true));
      const missing = outs(game, policy, phase, given.out ?? "", () => tell(made.typed(), true));
      made.element.append(...missing.labels);
      body.replaceChildren(made.element);
      const strange = unknown(game, policy, all, given);
      if (!strange.length) return tell(made.typed(), false);
      answer.replaceChildren(make("p", { role: "alert" }, `The address asks for what this game does not have: ${strange.join(", ")}. Fill in the position above.`));
    };
    section.append(make("h3", {}, "Ask for a position"), make("div", { class: "od-fields" }, ...heads), body, answer);
    open(names[at], asked);
    return section;
  }

  /** @param {Ready} ready @param {import("./rules.mjs").State | string} state @returns {Node[]} */
  #answer(ready, state) {
    if (typeof state === "string") return [make("p", {}, `${state}: this is not a value that it can have.`)];
    return this.#advice(ready, state, advised(ready, state));
  }

  /** @param {Ready} ready @param {import("./rules.mjs").State} state @param {ReturnType<typeof advised>} found @returns {Node[]} */
  #advice(ready, state, found) {
    if (!found) return [make("p", {}, "Play never comes to this position.")];
    const say = make("p", { class: "od-say" }, "Best: ", make("strong", {}, found.name), ".");
    if (!found.table) return [say, make("p", {}, "The game is too large to send what each action is worth.")];
    const proof = make("p", { class: "od-check" }, "Check it: ", make("code", {}, command(ready.game, /** @type {import("./policy.mjs").Policy} */ (ready.policy), state)));
    return [say, found.table, proof];
  }

  // --- play

  /** @param {Ready} ready */
  #playing(ready) {
    const { game } = ready;
    const section = make("section", { class: "od-playing", "aria-label": "Play at this screen" });
    const players = [null, ...opponentsOf(ready.setting)];
    const selects = Array.from({ length: game.seats }, (_, seat) => {
      const text = (/** @type {import("./table.mjs").Player} */ player) => (player ? opponentText(ready.setting, player, seat) : tell("you"));
      return make("select", {}, ...players.map((player, i) => make("option", { selected: i === (seat ? 1 : 0) }, text(player))));
    });
    const valued = game.seats > 1 && players.some((player) => player?.odds.length);
    const labels = selects.map((select, seat) => make("label", {}, make("span", {}, `Player ${seat + 1}`), select));
    const hints = make("input", { type: "checkbox", onchange: () => draw() });
    const log = make("ol", {});
    const story = make("div", { class: "od-log", role: "log", tabIndex: 0, "aria-label": "What happened", hidden: true }, log);
    const stage = make("div", {});
    /** @type {Table | null} */
    let table = null;
    const names = () => selects.map((select, seat) => {
      const player = players[select.selectedIndex];
      return game.seats === 1 ? "You" : `Player ${seat + 1} (${player ? opponentName(player) : tell("you")})`;
    });
    const start = () => {
      table = new Table(ready, selects.map((select) => players[select.selectedIndex]), new OwnDice());
      log.replaceChildren();
      goOn();
    };
    /** @param {import("./rules.mjs").State} before @param {import("./table.mjs").Move} move */
    const note = (before, move) => {
      log.append(make("li", {}, moveText(game, before, move, game.seats === 1 ? null : `Player ${move.seat + 1}`)));
      story.hidden = false;
      story.scrollTop = story.scrollHeight;
    };
    const act = (/** @type {() => import("./table.mjs").Move} */ how) => {
      const before = table?.state;
      if (before) note(before, how());
      goOn();
    };
    /** Let the others play until it is a person's turn again, or for a turn where there is none. */
    const goOn = () => {
      for (let steps = 0; table && !table.over && !table.waits && steps < 500; steps++) {
        const before = table.state;
        const move = table.step();
        note(before, move);
        if (move.turnOver && !table.players.includes(null)) break;
      }
      draw(true);
    };
    const draw = (focus = false) => {
      if (!table) return;
      const at = table;
      const buttons = this.#buttons(ready, at, hints.checked, act, goOn);
      stage.replaceChildren(board(game, this.book.words, at.state, names()), ...buttons);
      const first = /** @type {HTMLElement | null} */ (stage.querySelector("button.od-best") ?? stage.querySelector("button"));
      if (focus) first?.focus({ preventScroll: true });
    };
    section.append(
      make("h3", {}, "Play at this screen"),
      make("div", { class: "od-fields" }, ...(game.seats > 1 ? labels : []), make("label", {}, make("span", {}, "Show what actions are worth"), hints)),
      valued ? make("p", { class: "od-note" }, "The numbers are what such a player gets in that seat while all others keep to best play.") : "",
      make("p", {}, make("button", { type: "button", class: "md-button", onclick: start }, "New game")),
      stage,
      story,
    );
    return section;
  }

  /** @param {Ready} ready @param {Table} table @param {boolean} hints
   * @param {(how: () => import("./table.mjs").Move) => void} act @param {() => void} goOn @returns {Node[]} */
  #buttons(ready, table, hints, act, goOn) {
    const { game, rules, setting } = ready;
    const button = (/** @type {string} */ text, /** @type {() => void} */ onclick) => make("button", { type: "button", class: "md-button", onclick }, text);
    if (table.over) {
      const paid = rules.payoffs(table.state, setting.objective).map(String);
      const each = game.seats === 1 ? paid[0] : paid.map((text, seat) => `player ${seat + 1}: ${text}`).join(", ");
      return [make("p", { role: "status" }, `The game is over. ${plain(setting.objective)}: ${each}.`)];
    }
    if (!table.waits) return [make("p", {}, button("Go on", goOn))];
    const { actions } = table;
    if (!actions) return [make("p", {}, button("Roll", () => act(() => table.roll())))];
    const told = hints && actions.length > 1;
    const found = told ? advised(ready, table.state) : null;
    const choices = actions.map((action) => {
      const name = actionName(game, table.state, action);
      const made = button(name, () => act(() => table.choose(action)));
      if (found?.equal.includes(name)) mark(made);
      return made;
    });
    const advice = told ? this.#advice(ready, table.state, found) : [];
    const heading = make("p", {}, make("strong", {}, this.book.words.phases[table.state.phase] ?? table.state.phase));
    return [heading, make("div", { class: "od-choices", role: "group", "aria-label": "Your options" }, ...choices), ...advice];
  }
}

/** Say of a button that nothing is better. @param {HTMLElement} button */
function mark(button) {
  button.classList.add("od-best");
  button.append(" ", make("small", {}, "best"));
}

/** The command that computes the same in a terminal. @param {Game} game @param {Policy} policy
 * @param {import("./rules.mjs").State} state */
function command(game, policy, state) {
  const { head } = policy;
  const phase = head.phases.find((/** @type {any} */ one) => one.name === state.phase);
  const { cells, out } = seenFromMover(game, state);
  const gone = Array.from({ length: game.seats }, (_, seat) => seat + 1).filter((seat) => (out >> (seat - 1)) & 1);
  const told = phase.cells.map((/** @type {[number, number, number]} */ [where]) => {
    const value = cells[where];
    const text = value instanceof Hand ? handText(game, where, value) : game.cells[where].variable.kind === "seat" ? value + 1 : value;
    return `${keyOfCell(game, where)}=${text}`;
  });
  const changed = Object.entries(game.parameters).filter(([name, value]) => game.bundle.parameters[name].default !== value);
  const mover = head.copies > 1 ? [`mover=${state.mover + 1}`] : [];
  return [
    `oddsmith advise ${head.id} --seats ${head.seats} --objective ${head.objective}`,
    ...changed.map(([name, value]) => `--set ${name}=${value}`),
    `--state "${[`phase=${state.phase}`, ...mover, ...(out ? [`out=${gone.join(" ")}`] : []), ...told].join(", ")}"`,
  ].join(" ");
}

/** Make every play section of the document ready to be opened. */
function begin() {
  for (const details of document.querySelectorAll("details.od-play")) {
    const root = /** @type {HTMLElement | null} */ (details.querySelector("[data-od-play]"));
    if (!root || root.dataset.odReady) continue;
    root.dataset.odReady = "yes";
    const open = async () => {
      const base = new URL(root.dataset.odPlay ?? "", location.href);
      try {
        const answer = await fetch(base);
        if (!answer.ok) throw new Error(`${answer.status}`);
        await new Page(root, await answer.json(), base).show();
        root.dataset.odReady = "open";
      } catch {
        root.replaceChildren(make("p", { role: "alert" }, "The rules could not be loaded. A page opened as a file cannot load them: serve the folder."));
      }
    };
    details.addEventListener("toggle", () => void open(), { once: true });
    if (location.hash.startsWith(HASH)) details.setAttribute("open", "");
  }
}

begin();
