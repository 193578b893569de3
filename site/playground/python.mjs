// @ts-check
/** The page's side of Python: it asks the worker, receives the parts of each answer, and reports if the worker is
 * lost. */

const PATIENCE = 30_000; // milliseconds for reading a ruleset, which takes far less

/** @typedef {Record<string, any>} Part */
/** @typedef {{heard: (part: Part) => void, done: () => void, late?: ReturnType<typeof setTimeout>}} Waiting */
/** @typedef {{check: string} | {look: true} | {complete: [string, number, number]} | {pack: [string, string]}} Light */
/** @typedef {{lint: string} | {solve: [string, any]} | {module: [string, any]}} Heavy that take what solving takes */
/** @typedef {Light | Heavy} Question */
/** @typedef {"starting" | "loading" | "ready" | "broken"} LoadingState */

/** Python in a worker. */
export class PythonWorker {
  /** @param {(what: LoadingState, why?: string) => void} onStateChange
   * @param {string[]} packages what it loads besides, in order to solve; none where it only reads */
  constructor(onStateChange, packages = []) {
    this.told = onStateChange;
    this.packages = packages;
    this.number = 0;
    /** @type {Map<number, Waiting>} */
    this.waiting = new Map();
    this.ready = false;
    /** @type {Worker | null} */
    this.worker = null;
  }

  /** Start a thread, if this browser can. */
  start() {
    this.stop();
    if (typeof WebAssembly !== "object" || typeof Worker !== "function") {
      this.told("broken", "this browser does not run WebAssembly");
      return;
    }
    this.told("starting");
    const worker = new Worker(new URL("worker.mjs", import.meta.url), {
      type: "module",
      name: this.packages.join(" "), // by which the thread knows what to load
    });
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = (event) => this.#reportLost(event.message || "the thread could not be started");
    this.worker = worker;
  }

  /** Stop the worker and end all questions. */
  stop() {
    this.worker?.terminate();
    this.worker = null;
    this.ready = false;
    for (const { done, late } of this.waiting.values()) {
      clearTimeout(late);
      done();
    }
    this.waiting.clear();
  }

  /** Ask a question, and pass each part of the answer on. If nothing comes in time, the worker counts as lost.
   * Questions about solving have no such limit.
   * @param {Question} question
   * @param {(part: Part) => void} onAnswerPart @returns {Promise<void>} resolves when there is nothing more to come */
  ask(question, onAnswerPart) {
    const { worker } = this;
    if (!worker) return Promise.resolve();
    const number = ++this.number;
    return new Promise((done) => {
      const patience = this.ready ? PATIENCE : 10 * PATIENCE;
      const late =
        "solve" in question || "module" in question || "lint" in question
          ? undefined
          : setTimeout(() => this.#reportLost("an answer took too long"), patience);
      this.waiting.set(number, { heard: onAnswerPart, done, late });
      worker.postMessage({ number, ...question });
    });
  }

  /** Handle a message of the worker. @param {{ready?: boolean, loading?: string, broken?: string, number?: number,
   * part?: Part, done?: boolean}} data what the thread says */
  #receive({ ready, loading, broken, number, part, done }) {
    if (loading !== undefined) this.told("loading", loading);
    if (ready) {
      this.ready = true;
      this.told("ready");
    }
    if (broken !== undefined) return this.#reportLost(broken);
    const waiting = this.waiting.get(number ?? 0);
    if (part) waiting?.heard(part);
    if (!done || !waiting) return;
    clearTimeout(waiting.late);
    this.waiting.delete(number ?? 0);
    waiting.done();
  }

  /** Report that the worker is lost. @param {string} reason */
  #reportLost(reason) {
    this.stop();
    this.told("broken", workerLossText(reason));
  }
}

/** Why a worker was lost, in words for a reader. @param {string} reason what the browser or Python said */
function workerLossText(reason) {
  if (/memory|allocat/i.test(reason)) return "this browser has too little memory for Python";
  if (/fetch|import|\.(zip|mjs|wasm): /i.test(reason))
    return "Python could not be loaded, perhaps for want of a network";
  return reason.trim().split("\n").at(-1) ?? "";
}
