// @ts-check
/** The window of a new table: game, stake, seats, and who sees advice. */

import { opponentsOf } from "../../runtime/table/opponents.mjs";
import { selectControl, labelledControl } from "../../runtime/words/controls.mjs";
import { unsolvedText, oddsText, settingVariantText } from "../../runtime/words/sentences.mjs";
import { makeElement } from "../../runtime/words/view.mjs";
import { coinName, currencyChoices, currencyKey } from "../money/coins.mjs";
import { OWN } from "../money/ledger.mjs";
import { potPayoffText, stakingTermsOf } from "../money/stakes.mjs";
import { showError, localizedText } from "../world/words.mjs";
import { GameWindow } from "./gamewindow.mjs";
import { actorSkill, opponentStrengthText, opponentIndexForSkill } from "./strengths.mjs";

/** @typedef {import("./desk.mjs").WindowManager} Desk */
/** @typedef {import("../../runtime/table/settings.mjs").Setting} Setting */
/** @typedef {import("../../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {{id: string, text: string, kind: "user" | "npc" | "choose", user: string | null, actor: string | null,
 * name: string}} Guest somebody who can be given a seat; "choose" is a non-player who is yet to be named */
/** @typedef {{guest: Guest | null, touched: boolean, name: string, skill: number | null}} Place `touched`: somebody
 * chose something there; `skill` is the place of the way to play that was chosen (null: none was) */

/** A form that opens a table. */
export class NewTableWindow extends GameWindow {
  /** @param {Desk} windowManager @param {string} [gameId] */
  constructor(windowManager, gameId) {
    super(windowManager, "new", "ODDSMITH.New.Title", gameId);
    this.stake = 0;
    this.money = ""; // by its name
    /** @type {string | null} who pays for non-players and the house; null: nobody chose */
    this.house = null;
    /** @type {"gm" | "owner" | "everyone" | "nobody"} */
    this.advice = "gm";
    this.busy = false;
    this.guests = possibleGuests();
    /** @type {Place[]} */
    this.places = [];
    const look = () => this.#renderIfChanged();
    this.forget = windowManager.tables.onChange(look);
    this.hook = Hooks.on("controlToken", look);
  }

  /** @param {any} options */
  _onClose(options) {
    super._onClose(options);
    this.forget();
    Hooks.off("controlToken", this.hook);
  }

  /** Choose a game. Seats that nobody changed are filled anew, with the tokens that are now selected.
   * @param {string | undefined} gameId a game's id */
  pick(gameId) {
    super.pick(gameId);
    for (const place of this.places ?? []) if (!place.touched) place.guest = null;
  }

  /** Draw again if somebody has come or gone. */
  #renderIfChanged() {
    const ids = new Set(this.guests.map(({ id }) => id));
    const present = possibleGuests();
    if (this.rendered && !(present.length === ids.size && present.every(({ id }) => ids.has(id)))) void this.render();
  }

  async content() {
    const { controls, file, loadedGame } = await this.loadChosen(true);
    const about = [
      this.desk.games.find(({ id }) => id === this.game)?.about,
      loadedGame ? settingVariantText(file, loadedGame.setting) : "",
    ];
    const unsolved = loadedGame && !loadedGame.policy ? unsolvedText(file.bundle) : "";
    const head = [makeElement("div", { class: "od-fields" }, ...controls), ...noteElements([...about, unsolved])];
    if (!loadedGame) return [...head, makeElement("p", { role: "alert" }, localizedText("ODDSMITH.refused.game"))];
    this.#fillSeats(loadedGame.setting.seats);
    const seats = this.places.map((place, at) => this.#seatRow(loadedGame.setting, place, at));
    const odds = opponentsOf(loadedGame.setting).some((one) => one.odds.length);
    const { changes } = this;
    const open = makeElement(
      "button",
      { type: "submit", "data-od": "create", "aria-disabled": String(this.busy) },
      localizedText("ODDSMITH.New.Create"),
    );
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      if (this.busy || changes !== this.changes) return;
      open.setAttribute("aria-disabled", "true"); // and in reach of the keyboard, so that focus is not lost
      void this.#requestTable(loadedGame);
    };
    return [
      makeElement(
        "form",
        { onsubmit: submit },
        ...head,
        makeElement(
          "fieldset",
          {},
          makeElement("legend", {}, localizedText("ODDSMITH.New.Seats")),
          ...seats,
          ...noteElements([odds ? localizedText("ODDSMITH.New.OddsNote") : ""]),
        ),
        makeElement("div", { class: "od-fields" }, ...this.#termControls(loadedGame)),
        ...noteElements([potPayoffText(loadedGame)]),
        makeElement("div", { class: "od-choices" }, open),
      ),
    ];
  }

  /** The controls of stake and advice. @param {Ready} loadedGame */
  #termControls(loadedGame) {
    const typed = () => (this.stake = Math.trunc(Number(stake.value)) || 0);
    const stake = makeElement("input", {
      type: "number",
      min: 0,
      max: 1e9,
      step: 1,
      value: String(this.stake),
      oninput: typed,
      "data-od": "stake",
    });
    const staking = stakingTermsOf(loadedGame);
    const coin = coinName(this.#chosenCurrency());
    const own = staking?.kind === "coins";
    const title = own
      ? localizedText("ODDSMITH.New.CoinStake", { coin })
      : localizedText("ODDSMITH.New.Stake", { coin });
    const about = own ? localizedText("ODDSMITH.New.CoinNote", { each: staking.each }) : "";
    const staked = staking
      ? [...this.#currencyControl(), labelledControl(title, stake, about), ...this.#payerControl(loadedGame)]
      : noteElements([localizedText("ODDSMITH.New.NoStakes")]);
    if (!loadedGame.policy) return staked;
    const visible = /** @type {const} */ ([
      ["gm", localizedText("ODDSMITH.New.AdviceGM")],
      ["owner", localizedText("ODDSMITH.New.AdviceOwner")],
      ["everyone", localizedText("ODDSMITH.New.AdviceEveryone")],
      ["nobody", localizedText("ODDSMITH.New.AdviceNobody")],
    ]);
    const sees = selectControl(visible, this.advice, (value) => (this.advice = /** @type {any} */ (value)), {
      "data-od": "advice",
    });
    return [...staked, labelledControl(localizedText("ODDSMITH.New.Advice"), sees)];
  }

  /** The currency of the table. */
  #chosenCurrency() {
    const all = currencyChoices(this.desk.tables.host);
    return all.find((one) => currencyKey(one) === this.money) ?? all[0];
  }

  /** A list of currencies for a game master, if there is more than one. */
  #currencyControl() {
    const all = currencyChoices(this.desk.tables.host).map(
      (one) => /** @type {const} */ ([currencyKey(one), coinName(one)]),
    );
    if (!game.user.isGM || all.length < 2) return [];
    const played = (/** @type {string} */ name) => this.changeAndDraw(() => (this.money = name));
    return [
      labelledControl(
        localizedText("ODDSMITH.New.Coin"),
        selectControl(all, currencyKey(this.#chosenCurrency()), played, { "data-od": "money" }),
      ),
    ];
  }

  /** A list of those who pay for non-players and the house. Only a game master sees it, and only if actors pay.
   * @param {Ready} loadedGame */
  #payerControl(loadedGame) {
    const alone = loadedGame.game.seats === 1;
    const others = this.places.some(({ guest }) => guest?.kind !== "user");
    if (!game.user.isGM || this.#chosenCurrency().currency === "chips" || !(alone || others)) return [];
    /** @type {[string, string][]} */
    const payers = [["", localizedText("ODDSMITH.New.Unpaid")]];
    if (!alone) payers.push([OWN, localizedText("ODDSMITH.New.OwnPurse")]);
    const who = selectControl(payers, this.#chosenHousePayer(loadedGame), (house) => (this.house = house), {
      "data-od": "house",
    });
    const purses = actorsAsGuests().map(({ actor, text }) => /** @type {const} */ ([actor ?? "", text]));
    who.append(...optionGroup(localizedText("ODDSMITH.New.Purses"), purses, this.#chosenHousePayer(loadedGame)));
    const title = alone ? localizedText("ODDSMITH.New.House") : localizedText("ODDSMITH.New.Payer");
    return [labelledControl(title, who, alone ? localizedText("ODDSMITH.New.HouseNote") : "")];
  }

  /** Who pays the stakes of non-players and the house, as the record of a table has it. @param {Ready} loadedGame */
  #chosenHousePayer({ game: { seats } }) {
    return this.house ?? (seats > 1 ? OWN : "");
  }

  /** Fill free seats with selected tokens, else with the players who are connected; non-players get the rest. Guests
   * keep their seats.
   * @param {number} seatCount */
  #fillSeats(seatCount) {
    const present = possibleGuests();
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
    while (this.places.length < seatCount) {
      const number = this.places.length + 1;
      const name = localizedText("ODDSMITH.New.NonPlayerName", { number });
      this.places.push({ guest: null, touched: false, name, skill: null });
    }
    this.places.length = seatCount;
    for (const [at, place] of this.places.entries()) place.guest ??= order[at] ?? rest;
  }

  /** The controls of a seat: who sits there, and how a non-player plays. @param {Setting} setting @param {Place}
   * seatChoice
   * @param {number} seat */
  #seatRow(setting, seatChoice, seat) {
    const number = localizedText("ODDSMITH.Seat", { number: seat + 1 });
    const touch = (/** @type {Partial<Place>} */ more) => Object.assign(seatChoice, { touched: true, ...more });
    const seatOf = (/** @type {string} */ id) => {
      const guest = [...this.guests, ...actorsAsGuests()].find((one) => one.id === id);
      if (!guest) return;
      touch({ guest, skill: null });
      void this.render();
    };
    const kind = seatChoice.guest?.kind;
    const people = this.guests.map(({ id, text }) => /** @type {const} */ ([id, text]));
    const about = { class: "od-who", "aria-label": number, "data-od": `who ${seat}` };
    const who = selectControl(people, seatChoice.guest?.id ?? "", seatOf, about);
    const others = actorsAsGuests().map(({ id, text }) => /** @type {const} */ ([id, text]));
    who.append(...optionGroup(localizedText("ODDSMITH.New.Actors"), others, seatChoice.guest?.id ?? ""));
    const opponents = opponentsOf(setting);
    const skills = opponents.map((one, i) => /** @type {const} */ ([String(i), opponentStrengthText(one)]));
    // What it means stands below the list: with that, its lines would be wider than the window.
    const meant = () => [
      this.#skillText(seatChoice),
      oddsText(setting, opponents[this.#opponentIndex(setting, seatChoice)], seat),
    ];
    const odds = makeElement("span", { class: "od-odds od-note", role: "status" }, joinTexts(meant()));
    const learn = (/** @type {string} */ skill) => {
      touch({ skill: Number(skill) });
      odds.textContent = joinTexts(meant());
    };
    const how = selectControl(skills, String(this.#opponentIndex(setting, seatChoice)), learn, {
      class: "od-how",
      "aria-label": localizedText("ODDSMITH.New.How", { seat: number }),
      "data-od": `how ${seat}`,
    });
    const name = makeElement("input", {
      type: "text",
      value: seatChoice.name,
      maxLength: 80,
      "data-od": `name ${seat}`,
      "aria-label": localizedText("ODDSMITH.New.Name", { seat: number }),
      oninput: () => touch({ name: name.value }),
    });
    const called = kind === "choose" && game.user.isGM ? [name] : [];
    const played = kind === "user" ? [] : [how, odds];
    const row = `od-place${called.length ? " od-named" : ""}`;
    const dropped = (/** @type {DragEvent} */ event) => {
      event.preventDefault();
      seatOf(`actor ${draggedActorUuid(event)}`);
    };
    const ondragover = (/** @type {DragEvent} */ event) => event.preventDefault();
    return makeElement(
      "div",
      { class: row, ondragover, ondrop: dropped },
      makeElement("span", {}, number),
      who,
      ...called,
      ...played,
    );
  }

  /** The way a non-player plays, by its index: what somebody chose, else what the skill of its actor sets, else the
   * first.
   * @param {Setting} setting @param {Place} place */
  #opponentIndex(setting, { guest, skill }) {
    if (skill !== null && skill < opponentsOf(setting).length) return skill;
    const { host } = this.desk.tables;
    const number = actorSkill(host, guest?.actor ?? null);
    return number === null ? 0 : opponentIndexForSkill(host, setting, number);
  }

  /** A sentence that the actor's skill sets how a non-player plays; empty if it does not. @param {Place} place */
  #skillText({ guest, skill }) {
    const number = skill === null ? actorSkill(this.desk.tables.host, guest?.actor ?? null) : null;
    return number === null ? "" : localizedText("ODDSMITH.New.Skill", { number });
  }

  /** Ask the authority for the table that the form describes. @param {Ready} loadedGame */
  async #requestTable(loadedGame) {
    const seats = this.places.map((place, at) => this.#seatRequest(loadedGame.setting, place, at));
    const stake = this.stake * (stakingTermsOf(loadedGame)?.each ?? 0);
    const { currency, coin, path } = this.#chosenCurrency();
    const chosen = game.user.isGM ? { money: { currency, coin, path }, house: this.#chosenHousePayer(loadedGame) } : {};
    this.busy = true;
    try {
      await this.desk.create({
        game: this.game,
        setting: loadedGame.setting.slug,
        stake,
        seats,
        advice: loadedGame.policy ? this.advice : "nobody",
        ...chosen,
      });
      await this.close();
    } catch (error) {
      showError(error);
    }
    this.busy = false;
    if (this.rendered) await this.render();
  }

  /** A seat as the request for a new table has it. @param {Setting} setting @param {Place} seatChoice @param {number}
   * seat */
  #seatRequest(setting, seatChoice, seat) {
    const { guest, name } = seatChoice;
    return {
      kind: /** @type {"user" | "npc"} */ (guest?.kind === "user" ? "user" : "npc"),
      user: guest?.user ?? null,
      actor: guest?.actor ?? null,
      name: (
        (guest?.kind === "choose" ? name.trim() : guest?.name) ||
        localizedText("ODDSMITH.New.NonPlayerName", { number: seat + 1 })
      ).slice(0, 80),
      skill: guest?.kind === "user" ? 0 : this.#opponentIndex(setting, seatChoice),
    };
  }
}

/** A paragraph for each text that is not empty. @param {(string | undefined)[]} texts */
const noteElements = (texts) => texts.filter(Boolean).map((text) => makeElement("p", { class: "od-note" }, text ?? ""));

/** Join the texts that are not empty. @param {string[]} texts */
const joinTexts = (texts) => texts.filter(Boolean).join(" · ");

/** A group of options for a drop-down list, in a list; empty if it has no options. @param {string} label
 * @param {(readonly [value: string, text: string])[]} all @param {string} chosenValue a value */
function optionGroup(label, all, chosenValue) {
  const options = all.map(([value, text]) => makeElement("option", { value, selected: value === chosenValue }, text));
  return options.length ? [makeElement("optgroup", { label }, ...options)] : [];
}

/** The uuid of the actor that somebody drags; empty if it is anything else. @param {DragEvent} event */
function draggedActorUuid({ dataTransfer }) {
  try {
    return JSON.parse(dataTransfer?.getData("text/plain") ?? "").uuid;
  } catch {
    return ""; // something else
  }
}

/** Every actor of the world as a guest, for a game master: each can sit down as a non-player. @returns {Guest[]} */
function actorsAsGuests() {
  if (!game.user.isGM) return [];
  return game.actors
    .map(({ uuid, name }) => {
      /** @type {Guest} */
      const guest = { id: `actor ${uuid}`, text: name, kind: "npc", user: null, actor: uuid, name };
      return guest;
    })
    .sort((a, b) => a.text.localeCompare(b.text));
}

/** Everybody who can sit down: selected tokens, connected users, "whoever comes first", and a non-player.
 * @returns {Guest[]} */
function possibleGuests() {
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
    { id: "anyone", text: localizedText("ODDSMITH.New.Anyone"), kind: "user", user: null, actor: null, name: "" },
    {
      id: "choose",
      text: localizedText("ODDSMITH.Lobby.NonPlayer"),
      kind: "choose",
      user: null,
      actor: null,
      name: "",
    },
  ];
}
