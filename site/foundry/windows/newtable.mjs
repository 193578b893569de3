// @ts-check
/** The window of a new table: game, stake, seats, and who sees advice. */

import { opponentsOf } from "../../runtime/table/opponents.mjs";
import { choice, labelled } from "../../runtime/words/controls.mjs";
import { oddsText, opponentName, settingAbout } from "../../runtime/words/sentences.mjs";
import { make } from "../../runtime/words/view.mjs";
import { tell } from "../../runtime/words/words.mjs";
import { coinOf, currencyOf } from "../money/coins.mjs";
import { otherGoal, stakes } from "../money/stakes.mjs";
import { complain, say } from "../world/words.mjs";
import { GameWindow } from "./gamewindow.mjs";

/** @typedef {import("./desk.mjs").Desk} Desk */
/** @typedef {import("../../runtime/table/settings.mjs").Setting} Setting */
/** @typedef {import("../../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {{id: string, text: string, kind: "user" | "npc" | "choose", user: string | null, actor: string | null,
 * name: string}} Guest somebody who can be given a seat; "choose" is a non-player who is yet to be named */
/** @typedef {{guest: Guest | null, touched: boolean, name: string, skill: number}} Place `touched`: somebody chose
 * something there */

/** Game, stake, seats and who sees advice. */
export class NewTable extends GameWindow {
  /** @param {Desk} desk @param {string} [chosen] */
  constructor(desk, chosen) {
    super(desk, "new", "ODDSMITH.New.Title", chosen);
    this.stake = 0;
    /** @type {"gm" | "owner" | "everyone" | "nobody"} */
    this.advice = "gm";
    this.busy = false;
    this.guests = guests();
    /** @type {Place[]} */
    this.places = [];
    const look = () => this.#look();
    this.forget = desk.tables.onChange(look);
    this.hook = Hooks.on("controlToken", look);
  }

  /** @param {any} options */
  _onClose(options) {
    super._onClose(options);
    this.forget();
    Hooks.off("controlToken", this.hook);
  }

  /** Whoever asks for a new table again means the tokens that are selected now.
   * @param {string | undefined} chosen a game's id */
  pick(chosen) {
    super.pick(chosen);
    for (const place of this.places ?? []) if (!place.touched) place.guest = null;
  }

  /** Draw again if somebody has come or gone. */
  #look() {
    const ids = new Set(this.guests.map(({ id }) => id));
    const present = guests();
    if (this.rendered && !(present.length === ids.size && present.every(({ id }) => ids.has(id)))) void this.render();
  }

  async content() {
    const { controls, file, ready } = await this.picked(true);
    const about = [
      this.desk.games.find(({ id }) => id === this.game)?.about,
      ready ? settingAbout(file, ready.setting) : "",
    ];
    const unsolved = ready && !ready.policy ? tell("unsolved") : "";
    const head = [make("div", { class: "od-fields" }, ...controls), ...notes([...about, unsolved])];
    if (!ready) return [...head, make("p", { role: "alert" }, say("ODDSMITH.refused.game"))];
    this.#seat(ready.setting.seats);
    const seats = this.places.map((place, at) => this.#row(ready.setting, place, at));
    const odds = opponentsOf(ready.setting).some((one) => one.odds.length);
    const { changes } = this;
    const open = make(
      "button",
      { type: "submit", "data-od": "create", "aria-disabled": String(this.busy) },
      say("ODDSMITH.New.Create"),
    );
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      if (this.busy || changes !== this.changes) return;
      open.setAttribute("aria-disabled", "true"); // and in reach of the keyboard, so that focus is not lost
      void this.#create(ready);
    };
    return [
      make(
        "form",
        { onsubmit: submit },
        ...head,
        make(
          "fieldset",
          {},
          make("legend", {}, say("ODDSMITH.New.Seats")),
          ...seats,
          ...notes([odds ? say("ODDSMITH.New.OddsNote") : ""]),
        ),
        make("div", { class: "od-fields" }, ...this.#terms(ready)),
        ...notes([otherGoal(ready)]),
        make("div", { class: "od-choices" }, open),
      ),
    ];
  }

  /** Stake and advice. @param {Ready} ready */
  #terms(ready) {
    const typed = () => (this.stake = Math.trunc(Number(stake.value)) || 0);
    const stake = make("input", {
      type: "number",
      min: 0,
      max: 1e9,
      step: 1,
      value: String(this.stake),
      oninput: typed,
      "data-od": "stake",
    });
    const staking = stakes(ready);
    const coin = coinOf(currencyOf(this.desk.tables.host));
    const own = staking?.kind === "coins";
    const title = own ? say("ODDSMITH.New.CoinStake", { coin }) : say("ODDSMITH.New.Stake", { coin });
    const about = own ? say("ODDSMITH.New.CoinNote", { each: staking.each }) : "";
    const staked = staking ? [labelled(title, stake, about)] : notes([say("ODDSMITH.New.NoStakes")]);
    if (!ready.policy) return staked;
    const visible = /** @type {const} */ ([
      ["gm", say("ODDSMITH.New.AdviceGM")],
      ["owner", say("ODDSMITH.New.AdviceOwner")],
      ["everyone", say("ODDSMITH.New.AdviceEveryone")],
      ["nobody", say("ODDSMITH.New.AdviceNobody")],
    ]);
    const sees = choice(visible, this.advice, (value) => (this.advice = /** @type {any} */ (value)), {
      "data-od": "advice",
    });
    return [...staked, labelled(say("ODDSMITH.New.Advice"), sees)];
  }

  /** Selected tokens first, then players who are there; non-players have what is left. Who has a seat keeps it.
   * @param {number} seats */
  #seat(seats) {
    const present = guests();
    const gone = this.places.flatMap(({ guest }) =>
      guest && !present.some(({ id }) => id === guest.id) ? [guest] : [],
    );
    this.guests = [...new Map([...gone, ...present].map((guest) => [guest.id, guest])).values()];
    const invited = present.filter(({ id }) => id.startsWith("token"));
    // A player sits at his table, a game master need not.
    const own = (/** @type {Guest} */ { user }) => Number(user === game.user.id);
    const players = present
      .filter((guest) => guest.id.startsWith("user") && !(own(guest) && game.user.isGM))
      .sort((a, b) => own(b) - own(a));
    const order = [
      ...(invited.length ? invited : players.length ? players : present.filter(({ user }) => user === game.user.id)),
    ];
    const rest = /** @type {Guest} */ (present.find(({ kind }) => kind === "choose"));
    while (this.places.length < seats) {
      const number = this.places.length + 1;
      this.places.push({ guest: null, touched: false, name: say("ODDSMITH.New.NonPlayerName", { number }), skill: 0 });
    }
    this.places.length = seats;
    for (const [at, place] of this.places.entries()) place.guest ??= order[at] ?? rest;
  }

  /** Who has a seat, and how a non-player plays. @param {Setting} setting @param {Place} place @param {number} at */
  #row(setting, place, at) {
    const number = say("ODDSMITH.Seat", { number: at + 1 });
    const touch = (/** @type {Partial<Place>} */ more) => Object.assign(place, { touched: true, ...more });
    const seatOf = (/** @type {string} */ id) => {
      touch({ guest: this.guests.find((guest) => guest.id === id) ?? place.guest });
      void this.render();
    };
    const kind = place.guest?.kind;
    const people = this.guests.map(({ id, text }) => /** @type {const} */ ([id, text]));
    const about = { class: "od-who", "aria-label": number, "data-od": `who ${at}` };
    const who = choice(people, place.guest?.id ?? "", seatOf, about);
    const opponents = opponentsOf(setting);
    if (place.skill >= opponents.length) place.skill = 0;
    const skills = opponents.map((one, i) => /** @type {const} */ ([String(i), opponentName(one)]));
    // The odds stand below the list: with them, its lines would be wider than the window.
    const oddsOf = () => oddsText(setting, opponents[place.skill], at);
    const odds = make("span", { class: "od-odds od-note", role: "status" }, oddsOf());
    const learn = (/** @type {string} */ skill) => {
      touch({ skill: Number(skill) });
      odds.textContent = oddsOf();
    };
    const how = choice(skills, String(place.skill), learn, {
      class: "od-how",
      "aria-label": say("ODDSMITH.New.How", { seat: number }),
      "data-od": `how ${at}`,
    });
    const name = make("input", {
      type: "text",
      value: place.name,
      maxLength: 80,
      "data-od": `name ${at}`,
      "aria-label": say("ODDSMITH.New.Name", { seat: number }),
      oninput: () => touch({ name: name.value }),
    });
    const called = kind === "choose" && game.user.isGM ? [name] : [];
    const played = kind === "user" ? [] : [how, odds];
    const row = `od-place${called.length ? " od-named" : ""}`;
    return make("div", { class: row }, make("span", {}, number), who, ...called, ...played);
  }

  /** @param {Ready} ready */
  async #create(ready) {
    const seats = this.places.map(({ guest, name, skill }, at) => ({
      kind: /** @type {"user" | "npc"} */ (guest?.kind === "user" ? "user" : "npc"),
      user: guest?.user ?? null,
      actor: guest?.actor ?? null,
      name: (
        (guest?.kind === "choose" ? name.trim() : guest?.name) || say("ODDSMITH.New.NonPlayerName", { number: at + 1 })
      ).slice(0, 80),
      skill: guest?.kind === "user" ? 0 : skill,
    }));
    const stake = this.stake * (stakes(ready)?.each ?? 0);
    this.busy = true;
    try {
      await this.desk.create({
        game: this.game,
        setting: ready.setting.slug,
        stake,
        seats,
        advice: ready.policy ? this.advice : "nobody",
      });
      await this.close();
    } catch (error) {
      complain(error);
    }
    this.busy = false;
    if (this.rendered) await this.render();
  }
}

/** @param {(string | undefined)[]} texts */
const notes = (texts) => texts.filter(Boolean).map((text) => make("p", { class: "od-note" }, text ?? ""));

/** Everybody who can sit down: selected tokens, users who are present, whoever comes first, and non-players.
 * @returns {Guest[]} */
function guests() {
  const users = game.users.filter((user) => user.active);
  const tokens = (canvas?.tokens?.controlled ?? []).map(({ id, name, actor }) => {
    const owner = actor && users.find((user) => !user.isGM && actor.testUserPermission(user, "OWNER"));
    /** @type {Guest} */
    const guest = {
      id: `token ${id}`,
      text: name,
      kind: owner ? "user" : "npc",
      user: owner?.id ?? null,
      actor: actor?.uuid ?? null,
      name,
    };
    return guest;
  });
  const people = users.map(({ id, name, character }) => {
    /** @type {Guest} */
    const guest = { id: `user ${id}`, text: name, kind: "user", user: id, actor: character?.uuid ?? null, name };
    return guest;
  });
  return [
    ...tokens,
    ...people,
    { id: "anyone", text: say("ODDSMITH.New.Anyone"), kind: "user", user: null, actor: null, name: "" },
    { id: "choose", text: say("ODDSMITH.Lobby.NonPlayer"), kind: "choose", user: null, actor: null, name: "" },
  ];
}
