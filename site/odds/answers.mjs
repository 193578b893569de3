// @ts-check
/** Asks the engine, and remembers its answers. A question that takes too long is given up. */

import { localizedText } from "./words.mjs";

/** @typedef {import("./reply.mjs").Reply} Reply */
/** @typedef {{question: string, give: (reply: Reply) => void, fail: (fault: Error) => void, timer: number}} Open */

const LONGEST = 20_000; // milliseconds
const MAX_CACHED_ANSWERS = 200; // answers

/** The questions and their answers. */
export class OddsAnswers {
  /** @type {Map<string, Promise<Reply>>} */ #known = new Map();
  /** @type {Map<number, Open>} */ #open = new Map();
  /** @type {Worker | null} */ #worker = null;
  #next = 0;

  /** The answer to a question, asked once. It may be that the question takes too long. @param {string} question
   * @returns {Promise<Reply>} */
  answerTo(question) {
    const known = this.#known.get(question);
    if (known) return known;
    const asked = this.#sendToWorker(question);
    this.#known.set(question, asked);
    asked.catch(() => this.#known.delete(question));
    if (this.#known.size > MAX_CACHED_ANSWERS)
      this.#known.delete(/** @type {string} */ (this.#known.keys().next().value));
    return asked;
  }

  /** Send a question to the worker. @param {string} question @returns {Promise<Reply>} */
  #sendToWorker(question) {
    return new Promise((give, fail) => {
      const key = this.#next++;
      const timer = window.setTimeout(() => this.#giveUp(key), LONGEST);
      this.#open.set(key, { question, give, fail, timer });
      try {
        this.#ensureWorker().postMessage({ key, question });
      } catch {
        void this.#answerInPage(key); // where modules lie at another address, no worker may begin
      }
    });
  }

  /** The worker; it is started if there is none. */
  #ensureWorker() {
    if (this.#worker) return this.#worker;
    const address = new URL("worker.mjs", import.meta.url);
    const worker = new Worker(address, { type: "module" });
    this.#worker = worker;
    worker.addEventListener("message", ({ data: { key, reply, fault } }) =>
      fault ? this.#closeQuestion(key)?.fail(new Error(fault)) : this.#closeQuestion(key)?.give(reply),
    );
    worker.addEventListener("error", () => {
      for (const key of this.#open.keys()) void this.#answerInPage(key);
    });
    return worker;
  }

  /** Answer a question in the page itself. @param {number} questionKey */
  async #answerInPage(questionKey) {
    const open = this.#closeQuestion(questionKey);
    if (!open) return;
    try {
      const { replyTo } = await import("./reply.mjs");
      open.give(await replyTo(open.question));
    } catch (error) {
      open.fail(/** @type {Error} */ (error));
    }
  }

  /** Give a question up, and ask the others again. @param {number} questionKey */
  #giveUp(questionKey) {
    this.#closeQuestion(questionKey)?.give({
      wrong: { message: localizedText("ODDSMITH.Odds.Late"), hint: localizedText("ODDSMITH.Odds.Fewer"), at: -1 },
    });
    this.#worker?.terminate();
    this.#worker = null;
    for (const [other, { question }] of this.#open) this.#ensureWorker().postMessage({ key: other, question });
  }

  /** Remove a question from those that are open, and return it. @param {number} questionKey */
  #closeQuestion(questionKey) {
    const open = this.#open.get(questionKey);
    this.#open.delete(questionKey);
    clearTimeout(open?.timer);
    return open;
  }
}
