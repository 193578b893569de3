// @ts-check
/** The form of a new table: a game, a size that was solved or any other that its rules allow, and who sees advice. */

import { required, settingAbout, settingText, slugOf } from "../runtime/book.mjs";
import { sizeOf } from "../runtime/library.mjs";
import { make } from "../runtime/view.mjs";
import { capital, plain, tell } from "../runtime/words.mjs";
import { UNSOLVED } from "../tabletops/round.mjs";
import { button, choice, labelled, put } from "./parts.mjs";

/** @typedef {import("../runtime/book.mjs").Book} Book */
/** @typedef {import("../runtime/library.mjs").Library} Library */
/** @typedef {import("../runtime/library.mjs").Listed} Listed */
/** @typedef {import("./log.mjs").Advice} Advice */
/** @typedef {{name: string, element: HTMLElement, value: () => any, valid: () => boolean}} Control of a parameter; `valid` tells the
 *   reader what is wrong */

const OTHER = "another size";
const SEATS = "players";

export class Opening {
  /** @param {Library} library @param {readonly Listed[]} games @param {(game: string, slug: string, advice: Advice) => void} open
   * @param {(why: string) => void} complain */
  constructor(library, games, open, complain) {
    this.library = library;
    this.games = games;
    this.complain = complain;
    /** @type {Book | null} the book of the game that is chosen, once it is here */
    this.book = null;
    /** @type {Control[]} */
    this.controls = [];
    /** @type {HTMLElement[]} what every size must meet */
    this.limits = [];
    const change = () => this.#show();
    this.game = choice(games.map(({ id, title }) => /** @type {const} */ ([id, title])), () => this.#load());
    this.setting = choice([], change);
    this.seen = choice([["nobody", "nobody"], ["gm", "the game master"], ["everyone", "everybody"]]);
    this.advice = labelled("Who sees advice", this.seen);
    this.sizes = make("div", { class: "od-fields", onchange: change });
    this.about = make("p", { class: "od-note" });
    this.note = make("p", { class: "od-note", role: "status" });
    const begin = button("Open the table", () => {
      const slug = this.#valid() ? this.#slug() : "";
      if (slug) open(this.game.value, slug, /** @type {Advice} */ (this.seen.value));
    }, "choice");
    const fields = make("div", { class: "od-fields" }, labelled("Game", this.game), this.about, labelled("Size", this.setting), this.sizes, this.note, this.advice);
    /** @type {import("./parts.mjs").Parts} */
    this.parts = { turn: "There is no table in this room yet.", stage: [fields], choices: [begin] };
    this.#load();
  }

  /** Fetch what is chosen. The game of before goes at once: nobody opens one at a size of the other. */
  #load() {
    const asked = this.game.value;
    this.book = null;
    this.controls = [];
    this.setting.replaceChildren();
    this.#show();
    this.library.book(asked).then((book) => {
      if (this.game.value === asked) this.#fill(book);
    }, (error) => this.complain(`This game could not be loaded: ${error.message}.`));
  }

  /** @param {Book} book */
  #fill(book) {
    const { bundle } = book;
    const [min, max, usual] = bundle.seats;
    const parameters = Object.entries(bundle.parameters).map(([name, parameter]) => control(name, parameter, book.words.parameters?.[name]));
    this.book = book;
    this.limits = required(book).map((text) => make("p", { class: "od-note" }, text));
    this.controls = [control(SEATS, { one_of: [], min, max, default: usual }), ...parameters];
    this.setting.replaceChildren(...book.settings.map((one) => make("option", { value: one.slug }, settingText(book, one))));
    if (min < max || parameters.length) this.setting.append(make("option", { value: OTHER }, capital(OTHER)));
    this.#show();
  }

  #valid() {
    return this.book !== null && (this.setting.value !== OTHER || this.controls.every(({ valid }) => valid()));
  }

  /** The size that is asked for; empty where the rules have none such. */
  #slug() {
    if (!this.book || this.setting.value !== OTHER) return this.setting.value;
    const [seats, ...parameters] = this.controls.map(({ name, value }) => /** @type {const} */ ([name, value()]));
    try {
      return slugOf(this.book, seats[1], Object.fromEntries(parameters));
    } catch {
      return "";
    }
  }

  /** What belongs to what is chosen. */
  #show() {
    const setting = this.book && sizeOf(this.book, this.#slug());
    const parts = this.setting.value === OTHER ? [...this.controls.map(({ element }) => element), ...this.limits] : [];
    if (this.sizes.firstChild !== (parts[0] ?? null)) this.sizes.replaceChildren(...parts);
    this.sizes.hidden = !parts.length;
    put(this.about, this.games.find(({ id }) => id === this.game.value)?.about ?? "");
    put(this.note, !this.book || !setting ? "" : setting.policy === null ? UNSOLVED : settingAbout(this.book, setting));
    this.advice.hidden = setting?.policy === null;
  }
}

/** @param {string} name @param {any} parameter as the bundle has it @param {string} [about] @returns {Control} */
function control(name, { one_of: several, min, max, default: usual }, about) {
  const title = capital(plain(name));
  const all = typeof usual === "boolean" ? [true, false] : several;
  if (!all.length) {
    const limits = { ...(min === null ? {} : { min }), ...(max === null ? {} : { max }) };
    const range = min === null || max === null ? title : `${title} (${min} to ${max})`;
    const input = make("input", { type: "number", step: "1", required: true, value: String(usual), ...limits });
    return { name, element: labelled(range, input, about), value: () => input.valueAsNumber, valid: () => input.reportValidity() };
  }
  const said = (/** @type {any} */ value) => (typeof value === "boolean" ? tell(value ? "yes" : "no") : plain(String(value)));
  const select = choice(all.map((/** @type {any} */ value, /** @type {number} */ place) => [String(place), said(value)]));
  select.value = String(all.indexOf(usual));
  return { name, element: labelled(title, select, about), value: () => all[Number(select.value)], valid: () => true };
}
