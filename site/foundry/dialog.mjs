// @ts-check
/** The smaller windows: all tables of this world, a new table, and the advisor for any position. */

import { make } from "../runtime/view.mjs";
import { asking } from "./advice.mjs";
import { button, choice, complain, focused, labelled, named, say } from "./words.mjs";

/** @typedef {import("./entry.mjs").Desk} Desk */
/** @typedef {import("../runtime/book.mjs").Book} Book */
/** @typedef {import("../runtime/book.mjs").Setting} Setting */
/** @typedef {import("../runtime/book.mjs").Ready} Ready */
/** @typedef {{id: string, text: string, kind: "user" | "npc" | "choose", user: string | null, actor: string | null, name: string}} Guest
 *   somebody who can be given a seat; "choose" is a non-player who is yet to be named */
/** @typedef {{guest: Guest, name: string, skill: number}} Place */

/** A window whose content is drawn afresh every time. */
class Sheet extends foundry.applications.api.ApplicationV2 {
  static DEFAULT_OPTIONS = {
    classes: ["oddsmith-table"],
    window: { icon: "fa-solid fa-dice", resizable: true },
    position: { width: 480, height: /** @type {const} */ ("auto") },
  };

  /** @param {Desk} desk @param {string} name @param {string} title a key of the language file */
  constructor(desk, name, title) {
    super({ id: `${desk.id}-${name}` });
    this.desk = desk;
    this.name = name;
    this.titleKey = title;
  }

  get title() {
    return say(this.titleKey);
  }

  /** @param {any} options */
  _onClose(options) {
    super._onClose(options);
    this.desk.closed(this.name);
  }

  /** @returns {Promise<Node[]>} */
  async content() {
    return [];
  }

  /** @returns {Promise<Node[]>} */
  async _renderHTML() {
    try {
      return await this.content();
    } catch (error) {
      console.error(error);
      return [make("p", { role: "alert" }, say("ODDSMITH.Failed"))];
    }
  }

  /** @param {Node[]} nodes @param {HTMLElement} content */
  _replaceHTML(nodes, content) {
    const name = focused(content);
    content.replaceChildren(make("div", { class: "od-window" }, ...nodes));
    named(content, name)?.focus({ preventScroll: true });
  }
}

/** All tables of this world. */
export class Hall extends Sheet {
  /** @param {Desk} desk */
  constructor(desk) {
    super(desk, "hall", "ODDSMITH.Hall.Title");
    this.forget = desk.tables.onChange(() => void (this.rendered && this.render().catch(desk.tables.host.report)));
  }

  /** @param {any} options */
  _onClose(options) {
    super._onClose(options);
    this.forget();
  }

  async content() {
    const { tables } = this.desk;
    const rows = tables.all().reverse().map((record) => {
      const names = record.seats.map(({ name }) => name || say("ODDSMITH.Lobby.Free")).join(", ");
      const title = this.desk.gameTitle(record.game);
      const phase = say({ lobby: "ODDSMITH.Hall.Lobby", play: "ODDSMITH.Hall.Play", over: "ODDSMITH.Hall.Over" }[record.phase]);
      const spoken = say("ODDSMITH.Hall.OpenNamed", { title, names });
      const open = button(say("ODDSMITH.Hall.Open"), () => this.desk.openTable(record.id), { "data-od": record.id, "aria-label": spoken });
      return make("li", {}, make("strong", {}, title), make("span", { class: "od-note" }, `${phase} ${names}`), open);
    });
    const list = rows.length ? make("ul", { class: "od-seats" }, ...rows) : make("p", {}, say("ODDSMITH.Hall.None"));
    const create = this.desk.mayCreate ? button(say("ODDSMITH.New.Title"), () => this.desk.openNew()) : null;
    const advise = game.user.isGM ? button(say("ODDSMITH.Advice.Title"), () => this.desk.openAdvisor()) : null;
    return [list, make("div", { class: "od-choices" }, create, advise)];
  }
}

/** A game and one of its settings, to choose from. */
class GameSheet extends Sheet {
  /** @param {Desk} desk @param {string} name @param {string} title @param {string | undefined} chosen a game's id */
  constructor(desk, name, title, chosen) {
    super(desk, name, title);
    this.game = desk.games[0].id;
    this.slug = "";
    this.pick(chosen);
  }

  /** @param {string | undefined} chosen a game's id; where there is no such game, the one before stays */
  pick(chosen) {
    this.game = this.desk.games.find(({ id }) => id === chosen)?.id ?? this.game;
  }

  /** @returns {Promise<{controls: HTMLElement[], ready: Ready}>} */
  async picked() {
    const { library } = this.desk;
    const book = await library.book(this.game);
    const setting = book.settings.find(({ slug }) => slug === this.slug) ?? book.settings[0];
    this.slug = setting.slug;
    const pick = (/** @type {() => void} */ set) => {
      set();
      void this.render();
    };
    const games = choice(this.desk.games.map(({ id, title }) => [id, title]), this.game, (id) => pick(() => (this.game = id)), { "data-od": "game" });
    const slugs = book.settings.map(({ slug, label }) => /** @type {const} */ ([slug, label]));
    const settings = choice(slugs, setting.slug, (slug) => pick(() => (this.slug = slug)), { "data-od": "setting" });
    const controls = [labelled(say("ODDSMITH.New.Game"), games), labelled(say("ODDSMITH.New.Setting"), settings)];
    return { controls, ready: await library.ready(this.game, setting.slug) };
  }
}

/** What proven play does in any position of any game. */
export class Advisor extends GameSheet {
  /** @param {Desk} desk @param {string} [chosen] */
  constructor(desk, chosen) {
    super(desk, "advisor", "ODDSMITH.Advice.Title", chosen);
  }

  async content() {
    const { controls, ready } = await this.picked();
    return [make("div", { class: "od-fields" }, ...controls), asking(ready)];
  }
}

/** Game, stake, seats and who sees advice. */
export class NewTable extends GameSheet {
  /** @param {Desk} desk @param {string} [chosen] */
  constructor(desk, chosen) {
    super(desk, "new", "ODDSMITH.New.Title", chosen);
    this.stake = 0;
    /** @type {"gm" | "owner" | "everyone" | "nobody"} */
    this.advice = "gm";
    this.guests = guests();
    /** @type {Place[]} */
    this.places = [];
  }

  async content() {
    const { controls, ready } = await this.picked();
    this.#seat(ready.setting.seats);
    const staked = this.desk.tables.stakes(ready) ? this.#stake() : make("p", { class: "od-note" }, say("ODDSMITH.New.NoStakes"));
    const visible = /** @type {const} */ ([["gm", say("ODDSMITH.New.AdviceGM")], ["owner", say("ODDSMITH.New.AdviceOwner")],
      ["everyone", say("ODDSMITH.New.AdviceEveryone")], ["nobody", say("ODDSMITH.New.AdviceNobody")]]);
    const sees = choice(visible, this.advice, (value) => (this.advice = /** @type {any} */ (value)), { "data-od": "advice" });
    const seats = this.places.map((_, place) => this.#row(ready.setting, place));
    const odds = this.desk.tables.opponents(ready.setting).some((one) => one.odds.length);
    if (odds) seats.push(make("p", { class: "od-note" }, say("ODDSMITH.New.OddsNote")));
    const open = make("button", { type: "submit", "data-od": "create" }, say("ODDSMITH.New.Create"));
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      open.disabled = true;
      void this.#create(ready).finally(() => (open.disabled = false));
    };
    const about = this.desk.games.find(({ id }) => id === this.game)?.about ?? "";
    return [make("form", { onsubmit: submit }, make("div", { class: "od-fields" }, ...controls), make("p", { class: "od-note" }, about),
      make("fieldset", {}, make("legend", {}, say("ODDSMITH.New.Seats")), ...seats),
      make("div", { class: "od-fields" }, staked, labelled(say("ODDSMITH.New.Advice"), sees)), make("div", { class: "od-choices" }, open))];
  }

  #stake() {
    const change = () => (this.stake = Math.trunc(Number(stake.value)) || 0);
    const stake = make("input", { type: "number", min: 0, max: 1e9, step: 1, value: String(this.stake), onchange: change, "data-od": "stake" });
    return labelled(say("ODDSMITH.New.Stake"), stake);
  }

  /** Selected tokens first, then players who are there; non-players have what is left. @param {number} seats */
  #seat(seats) {
    const invited = this.guests.filter(({ id }) => id.startsWith("token"));
    const own = (/** @type {Guest} */ { user }) => Number(user === game.user.id); // a player sits at his table, a game master need not
    const players = this.guests.filter((guest) => guest.id.startsWith("user") && !(own(guest) && game.user.isGM)).sort((a, b) => own(b) - own(a));
    const order = [...(invited.length ? invited : players.length ? players : this.guests.filter(({ user }) => user === game.user.id))];
    const rest = /** @type {Guest} */ (this.guests.find(({ kind }) => kind === "choose"));
    while (this.places.length < seats) {
      const guest = order[this.places.length] ?? rest;
      this.places.push({ guest, name: say("ODDSMITH.New.NonPlayerName", { number: this.places.length + 1 }), skill: 0 });
    }
    this.places.length = seats;
  }

  /** Who has a seat, and how a non-player plays. @param {Setting} setting @param {number} place */
  #row(setting, place) {
    const chosen = this.places[place];
    const number = say("ODDSMITH.Seat", { number: place + 1 });
    const seatOf = (/** @type {string} */ id) => {
      chosen.guest = this.guests.find((guest) => guest.id === id) ?? chosen.guest;
      void this.render();
    };
    const who = choice(this.guests.map(({ id, text }) => [id, text]), chosen.guest.id, seatOf, { "aria-label": number, "data-od": `who ${place}` });
    const opponents = this.desk.tables.opponents(setting);
    if (chosen.skill >= opponents.length) chosen.skill = 0;
    const skills = opponents.map((one, i) => /** @type {const} */ ([String(i), this.desk.opponentText(one, place)]));
    const how = choice(skills, String(chosen.skill), (skill) => (chosen.skill = Number(skill)),
      { "aria-label": say("ODDSMITH.New.How", { seat: number }), "data-od": `how ${place}` });
    const name = make("input", { type: "text", value: chosen.name, maxLength: 80, "data-od": `name ${place}`,
      "aria-label": say("ODDSMITH.New.Name", { seat: number }), onchange: () => (chosen.name = name.value.trim() || chosen.name) });
    const plays = chosen.guest.kind !== "user";
    return make("div", { class: "od-place" }, make("span", {}, number), who, chosen.guest.kind === "choose" && game.user.isGM ? name : null, plays ? how : null);
  }

  /** @param {Ready} ready */
  async #create(ready) {
    const seats = this.places.map(({ guest, name, skill }) => ({
      kind: /** @type {"user" | "npc"} */ (guest.kind === "user" ? "user" : "npc"), user: guest.user, actor: guest.actor,
      name: (guest.kind === "choose" ? name : guest.name).slice(0, 80), skill: guest.kind === "user" ? 0 : skill,
    }));
    const stake = this.desk.tables.stakes(ready) ? this.stake : 0;
    try {
      await this.desk.create({ game: this.game, setting: ready.setting.slug, stake, seats, advice: this.advice });
      await this.close();
    } catch (error) {
      complain(error);
    }
  }
}

/** Everybody who can sit down: selected tokens, users who are there, whoever comes first, and non-players. @returns {Guest[]} */
function guests() {
  const users = game.users.filter((user) => user.active);
  const tokens = (canvas?.tokens?.controlled ?? []).map(({ name, actor }, i) => {
    const owner = actor && users.find((user) => !user.isGM && actor.testUserPermission(user, "OWNER"));
    /** @type {Guest} */
    const guest = { id: `token ${i}`, text: name, kind: owner ? "user" : "npc", user: owner?.id ?? null, actor: actor?.uuid ?? null, name };
    return guest;
  });
  const people = users.map(({ id, name, character }) => {
    /** @type {Guest} */
    const guest = { id: `user ${id}`, text: name, kind: "user", user: id, actor: character?.uuid ?? null, name };
    return guest;
  });
  return [...tokens, ...people,
    { id: "anyone", text: say("ODDSMITH.New.Anyone"), kind: "user", user: null, actor: null, name: "" },
    { id: "choose", text: say("ODDSMITH.Lobby.NonPlayer"), kind: "choose", user: null, actor: null, name: "" }];
}
