// @ts-check
/** Asks the worker, and remembers its answers. A question that is no longer asked is dropped, so that typing goes
 * on. */

/** @typedef {{message: string, hint: string, at: number}} Wrong */
/** @typedef {{found?: import("./display.mjs").Found, wrong?: Wrong, took?: number}} Reply */

const PATIENCE = 250; // milliseconds that a question which nobody asks any more may still take
const LONGEST = 30_000; // that any question may take
const MAX_CACHED_ANSWERS = 200; // answers

/** The questions and their answers. */
export class AskedQuestions {
  /** @type {Map<string, Reply>} */ #known = new Map();
  /** @type {Map<string, {begun: number, question: string, dialect: string, timer: number}>} */ #open = new Map();
  /** @type {Worker | undefined} */ #worker;

  /** @param {() => void} onReply is called when something new is known */
  constructor(onReply) {
    this.heard = onReply;
    this.#startWorker();
  }

  /** The known answers, by question; undefined for a question that is sent to the worker and answered later.
   * @param {string[]} questions
   * @param {string} dialect @returns {(Reply | undefined)[]} */
  replies(questions, dialect) {
    const keys = questions.map((question) => JSON.stringify([question, dialect]));
    const late = [...this.#open].some(
      ([key, { begun }]) => !keys.includes(key) && performance.now() - begun > PATIENCE,
    );
    for (const key of this.#open.keys()) if (!keys.includes(key)) this.#forgetQuestion(key);
    if (late) this.#restartWorker();
    for (const [place, key] of keys.entries())
      if (!this.#known.has(key) && !this.#open.has(key)) this.#sendToWorker(key, questions[place], dialect);
    return keys.map((key) => this.#known.get(key));
  }

  /** Forget a question that is open. @param {string} questionKey */
  #forgetQuestion(questionKey) {
    clearTimeout(this.#open.get(questionKey)?.timer);
    this.#open.delete(questionKey);
  }

  /** Send a question to the worker. @param {string} questionKey @param {string} question @param {string} dialect */
  #sendToWorker(questionKey, question, dialect) {
    const timer = window.setTimeout(() => this.#giveUp(questionKey), LONGEST);
    this.#open.set(questionKey, { begun: performance.now(), question, dialect, timer });
    this.#worker?.postMessage({ key: questionKey, question, dialect });
  }

  /** Answer that a question takes too long. @param {string} questionKey */
  #giveUp(questionKey) {
    const hint = "Ask for fewer dice, or for a part of it.";
    this.#storeReply(questionKey, { wrong: { message: "this takes too long to work out in a browser", hint, at: 0 } });
    this.#restartWorker();
  }

  /** Restart the worker with the questions that are still open. */
  #restartWorker() {
    this.#worker?.terminate();
    this.#startWorker();
    for (const [key, { question, dialect }] of this.#open) this.#worker?.postMessage({ key, question, dialect });
  }

  /** Start the worker. */
  #startWorker() {
    this.#worker = new Worker(new URL("worker.mjs", import.meta.url), { type: "module" });
    this.#worker.addEventListener("message", ({ data: { key, ...reply } }) => this.#storeReply(key, reply));
    this.#worker.addEventListener("error", () => {
      const wrong = { message: "", hint: "The calculator could not be loaded. Load this page again.", at: 0 };
      for (const key of [...this.#open.keys()]) this.#storeReply(key, { wrong });
    });
  }

  /** Store an answer and report it. @param {string} questionKey @param {Reply} reply */
  #storeReply(questionKey, reply) {
    this.#forgetQuestion(questionKey);
    this.#known.set(questionKey, reply);
    if (this.#known.size > MAX_CACHED_ANSWERS)
      this.#known.delete(/** @type {string} */ (this.#known.keys().next().value));
    this.heard();
  }
}
