// @ts-check
/** How a question was read, the other ways in which it can be meant, or the place at which it cannot be read. */

import { drawNamedDice } from "./drawn/dice.mjs";
import { makeElement } from "./drawn/elements.mjs";
import { briefAnswerText } from "./series.mjs";

/** @typedef {import("./asking.mjs").Reply} Reply */

const NEAR = /^did you mean (.+)\?$/;

/** Shows how a question was read. */
export class ReadingView {
  /** What is wrong, in words; empty where nothing is. */
  words = "";

  /** @param {(text: string) => void} replaceText puts another text into the box
   * @param {(place: number, way: number) => void} onChoice */
  constructor(replaceText, onChoice) {
    this.fix = replaceText;
    this.choose = onChoice;
    this.element = makeElement("div", { className: "od-reading" });
    this.drawn = "";
  }

  /** Show how one question was read. @param {string} boxText of the box @param {string[]} questions
   * @param {(Reply | undefined)[]} replies
   * @param {number} questionIndex of the question that is shown @param {number[]} chosenMeanings */
  showReading(boxText, questions, replies, questionIndex, chosenMeanings) {
    const [question, reply, way] = [
      questions[questionIndex],
      replies[questionIndex],
      chosenMeanings[questionIndex] ?? 0,
    ];
    const key = JSON.stringify([boxText, questionIndex, !!reply, way, replies.length]);
    if (key === this.drawn) return;
    if (question && !reply) return; // what stands there stays until something new is known
    this.drawn = key;
    this.words = reply?.wrong ? `${reply.wrong.message}. ${reply.wrong.hint}` : "";
    const many = questions.length > 1;
    if (!question)
      this.element.replaceChildren(
        makeElement("p", {}, "Type a roll, or take an example. One roll a line compares them."),
      );
    else if (reply?.wrong) this.element.replaceChildren(...this.#errorParts(boxText, question, reply.wrong));
    else if (reply?.found) this.element.replaceChildren(...this.#readingParts(reply.found, questionIndex, way, many));
  }

  /** The parts for a question that was read. @param {import("./display.mjs").Found} answer @param {number}
   * questionIndex
   * @param {number} meaningIndex @param {boolean} hasSeveralQuestions */
  #readingParts(answer, questionIndex, meaningIndex, hasSeveralQuestions) {
    const [told] = answer.ways[meaningIndex] ?? answer.ways[0];
    const program = told.dialect === "AnyDice";
    const words = program ? "a program for AnyDice" : told.readAs;
    const from = program || !told.dialect || told.note.includes(told.dialect) ? "" : ` (${told.dialect})`;
    return [
      makeElement(
        "p",
        { className: "od-echo" },
        hasSeveralQuestions || program ? null : drawNamedDice(told.readAs),
        makeElement("span", {}, makeElement("b", {}, "Read as "), words, from, "."),
      ),
      ...told.notes.map((note) => makeElement("p", { className: "od-aside" }, note)),
      answer.ways.length > 1 ? this.#meaningCards(answer.ways, questionIndex, meaningIndex) : null,
    ].filter((each) => each !== null);
  }

  /** A card for each way in which a question can be meant. @param {import("./display.mjs").ShownDistribution[][]}
   * meanings
   * @param {number} questionIndex @param {number} chosenMeaning */
  #meaningCards(meanings, questionIndex, chosenMeaning) {
    const cards = meanings.map(([told], way) =>
      makeElement(
        "button",
        {
          type: "button",
          className: "od-way",
          "aria-pressed": String(way === chosenMeaning),
          onclick: () => this.#chooseMeaning(questionIndex, way),
        },
        makeElement("span", {}, told.note || told.readAs),
        makeElement("b", {}, briefAnswerText(told)),
      ),
    );
    const head = makeElement("p", { id: "od-ways-head" }, `This can be meant in ${meanings.length} ways. Which one?`);
    return makeElement(
      "div",
      { className: "od-ways", role: "group", "aria-labelledby": "od-ways-head" },
      head,
      ...cards,
    );
  }

  /** Choose one of the ways. @param {number} questionIndex @param {number} meaningIndex */
  #chooseMeaning(questionIndex, meaningIndex) {
    this.choose(questionIndex, meaningIndex);
    /** @type {HTMLElement | undefined} */ (this.element.querySelectorAll(".od-way")[meaningIndex])?.focus();
  }

  /** The parts for a question that cannot be read. @param {string} boxText @param {string} question
   * @param {import("./asking.mjs").Wrong} wrong */
  #errorParts(boxText, question, { message, hint, at }) {
    if (!message) return [makeElement("p", { className: "od-aside" }, hint)];
    const end = at + Math.max(1, /^[\p{L}\p{N}_]+|^\S/u.exec(question.slice(at))?.[0].length ?? 1);
    const marked = question.slice(at, end);
    const near = NEAR.exec(hint)?.[1].split(/, | or /) ?? [];
    const start = boxText.indexOf(question);
    const fixed = (/** @type {string} */ word) => boxText.slice(0, start + at) + word + boxText.slice(start + end);
    const buttons = near.map((word) =>
      makeElement("button", { type: "button", className: "od-fix", onclick: () => this.fix(fixed(word)) }, word),
    );
    return [
      makeElement(
        "pre",
        { className: "od-wrong" },
        question.slice(0, at),
        makeElement("mark", {}, marked || "␣"),
        question.slice(end),
      ),
      makeElement("p", { className: "od-why" }, `${messageAsSentence(message)}.`),
      near.length
        ? makeElement("p", { className: "od-near" }, "Did you mean ", ...buttons)
        : makeElement("p", { className: "od-aside" }, hint && `${messageAsSentence(hint)}.`),
      ...(/\d/.test(question) ? [] : [siteSearchLink(question)]),
    ];
  }
}

/** A link that searches the site for a question without digits, which may name a game. @param {string} searchText */
const siteSearchLink = (searchText) =>
  makeElement(
    "p",
    { className: "od-aside" },
    makeElement("a", { href: `../?q=${encodeURIComponent(searchText)}` }, `Search this site for “${searchText}”`),
  );

/** A message as a sentence with quotation marks. @param {string} message */
const messageAsSentence = (message) =>
  `${message[0].toUpperCase()}${message.slice(1)}`.replaceAll("`", "“").replace(/“([^“]*)“/g, "“$1”");
