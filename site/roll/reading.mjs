// @ts-check
/** How a question was read, the other ways in which it can be meant, or the place at which it cannot be read. */

import { drawDiceOf } from "./drawn/dice.mjs";
import { make } from "./drawn/elements.mjs";
import { briefText } from "./series.mjs";

/** @typedef {import("./asking.mjs").Reply} Reply */

const NEAR = /^did you mean (.+)\?$/;

/** Shows how a question was read. */
export class Reading {
  /** What is wrong, in words; empty where nothing is. */
  words = "";

  /** @param {(text: string) => void} fix puts another text into the box
   * @param {(place: number, way: number) => void} choose */
  constructor(fix, choose) {
    this.fix = fix;
    this.choose = choose;
    this.element = make("div", { className: "od-reading" });
    this.drawn = "";
  }

  /** Show how one question was read. @param {string} text of the box @param {string[]} questions
   * @param {(Reply | undefined)[]} replies
   * @param {number} place of the question that is shown @param {number[]} ways */
  show(text, questions, replies, place, ways) {
    const [question, reply, way] = [questions[place], replies[place], ways[place] ?? 0];
    const key = JSON.stringify([text, place, !!reply, way, replies.length]);
    if (key === this.drawn) return;
    if (question && !reply) return; // what stands there stays until something new is known
    this.drawn = key;
    this.words = reply?.wrong ? `${reply.wrong.message}. ${reply.wrong.hint}` : "";
    const many = questions.length > 1;
    if (!question)
      this.element.replaceChildren(make("p", {}, "Type a roll, or take an example. One roll a line compares them."));
    else if (reply?.wrong) this.element.replaceChildren(...this.#errorParts(text, question, reply.wrong));
    else if (reply?.found) this.element.replaceChildren(...this.#readingParts(reply.found, place, way, many));
  }

  /** The parts for a question that was read. @param {import("./display.mjs").Found} found @param {number} place
   * @param {number} way @param {boolean} many */
  #readingParts(found, place, way, many) {
    const [told] = found.ways[way] ?? found.ways[0];
    const program = told.dialect === "AnyDice";
    const words = program ? "a program for AnyDice" : told.readAs;
    const from = program || !told.dialect || told.note.includes(told.dialect) ? "" : ` (${told.dialect})`;
    return [
      make(
        "p",
        { className: "od-echo" },
        many || program ? null : drawDiceOf(told.readAs),
        make("span", {}, make("b", {}, "Read as "), words, from, "."),
      ),
      ...told.notes.map((note) => make("p", { className: "od-aside" }, note)),
      found.ways.length > 1 ? this.#wayCards(found.ways, place, way) : null,
    ].filter((each) => each !== null);
  }

  /** A card for each way in which a question can be meant. @param {import("./display.mjs").ShownDistribution[][]} ways
   * @param {number} place @param {number} chosen */
  #wayCards(ways, place, chosen) {
    const cards = ways.map(([told], way) =>
      make(
        "button",
        {
          type: "button",
          className: "od-way",
          "aria-pressed": String(way === chosen),
          onclick: () => this.#chooseWay(place, way),
        },
        make("span", {}, told.note || told.readAs),
        make("b", {}, briefText(told)),
      ),
    );
    const head = make("p", { id: "od-ways-head" }, `This can be meant in ${ways.length} ways. Which one?`);
    return make("div", { className: "od-ways", role: "group", "aria-labelledby": "od-ways-head" }, head, ...cards);
  }

  /** Choose one of the ways. @param {number} place @param {number} way */
  #chooseWay(place, way) {
    this.choose(place, way);
    /** @type {HTMLElement | undefined} */ (this.element.querySelectorAll(".od-way")[way])?.focus();
  }

  /** The parts for a question that cannot be read. @param {string} text @param {string} question
   * @param {import("./asking.mjs").Wrong} wrong */
  #errorParts(text, question, { message, hint, at }) {
    if (!message) return [make("p", { className: "od-aside" }, hint)];
    const end = at + Math.max(1, /^[\p{L}\p{N}_]+|^\S/u.exec(question.slice(at))?.[0].length ?? 1);
    const marked = question.slice(at, end);
    const near = NEAR.exec(hint)?.[1].split(/, | or /) ?? [];
    const start = text.indexOf(question);
    const fixed = (/** @type {string} */ word) => text.slice(0, start + at) + word + text.slice(start + end);
    const buttons = near.map((word) =>
      make("button", { type: "button", className: "od-fix", onclick: () => this.fix(fixed(word)) }, word),
    );
    return [
      make(
        "pre",
        { className: "od-wrong" },
        question.slice(0, at),
        make("mark", {}, marked || "␣"),
        question.slice(end),
      ),
      make("p", { className: "od-why" }, `${asSentence(message)}.`),
      near.length
        ? make("p", { className: "od-near" }, "Did you mean ", ...buttons)
        : make("p", { className: "od-aside" }, hint && `${asSentence(hint)}.`),
      ...(/\d/.test(question) ? [] : [searchLink(question)]),
    ];
  }
}

/** A link that searches the site for a question without digits, which may name a game. @param {string} words */
const searchLink = (words) =>
  make(
    "p",
    { className: "od-aside" },
    make("a", { href: `../?q=${encodeURIComponent(words)}` }, `Search this site for “${words}”`),
  );

/** A message as a sentence with quotation marks. @param {string} words */
const asSentence = (words) =>
  `${words[0].toUpperCase()}${words.slice(1)}`.replaceAll("`", "“").replace(/“([^“]*)“/g, "“$1”");
