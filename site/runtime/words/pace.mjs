// @ts-check
/** Moves of others are shown one by one, so that people can follow them. A tap or a key shows the rest at once. */

/** @typedef {import("../table/record.mjs").Entry} Entry */
/** @typedef {import("../table/round.mjs").Seat} Seat */

const PAUSE = { usual: 600, calm: 100 }; // milliseconds before a move; `calm` for people who want little to move
const CONTROLS = ["a", "button", "input", "select", "summary", "textarea"].join();

/** Shows moves one by one. */
export class Pace {
  /** @param {() => void} draw show the moves that are shown by now */
  constructor(draw) {
    this.draw = draw;
    this.shown = 0; // moves
    this.all = 0;
    this.timer = 0;
    this.began = 0;
    this.hears = new AbortController();
  }

  /** Whether there are moves that are not shown yet. */
  get behind() {
    return this.shown < this.all;
  }

  /** Show a log that has grown: what people did at once, and the moves of non-players after it, one by one.
   * @param {readonly Entry[]} log @param {readonly Seat[]} seats @param {number} from moves that were there before */
  showMoves(log, seats, from) {
    this.stop(log.length);
    const others = log.findIndex((entry, place) => place >= from && seats[entry.seat - 1].kind === "npc");
    if (others < 0) return;
    this.shown = others;
    this.began = performance.now();
    this.hears = new AbortController();
    for (const event of /** @type {const} */ (["click", "keydown"]))
      document.addEventListener(event, (heard) => this.#skipOnInput(heard), { signal: this.hears.signal });
    this.#wait();
  }

  /** Show all moves at once. @param {number} all */
  stop(all) {
    clearTimeout(this.timer);
    this.hears.abort();
    this.shown = this.all = all;
  }

  #wait() {
    const calm = matchMedia("(prefers-reduced-motion:reduce)").matches;
    this.timer = setTimeout(() => this.#next(this.shown + 1), PAUSE[calm ? "calm" : "usual"]);
  }

  /** @param {number} shown */
  #next(shown) {
    if (shown < this.all) {
      this.shown = shown;
      this.#wait();
    } else this.stop(this.all);
    this.draw();
  }

  /** Show the rest at once when somebody taps or presses a key. Events that began before the moves do not count, and
   * neither does Enter on a control.
   * @param {Event} event */
  #skipOnInput(event) {
    if (event.timeStamp < this.began || !this.behind) return;
    if (event instanceof KeyboardEvent) {
      const free = !(/** @type {Element} */ (event.target).closest(CONTROLS));
      if (event.repeat || !(event.key === "Escape" || (free && ["Enter", " "].includes(event.key)))) return;
      event.preventDefault();
    }
    this.#next(this.all);
  }
}
