// @ts-check
/** Moves that nobody here chose are shown one by one, so that people can follow them. A tap or a key shows the rest at
 * once. */

/** @typedef {import("../table/record.mjs").Entry} Entry */
/** @typedef {import("../table/round.mjs").Seat} Seat */

/** Milliseconds before a move; `calm` for people who want little to move, and `read` after a roll of a person, which
 * has to be read before something follows. */
const PAUSE = { usual: 600, calm: 100, read: 1500 };
const CONTROLS = ["a", "button", "input", "select", "summary", "textarea"].join();

/** Whether an entry is a roll. @param {Entry | undefined} entry */
const isRoll = (entry) => entry !== undefined && "throw" in entry;

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
    /** Whether what was shown last takes a while to read. */
    this.read = (/** @type {number} */ _place) => false;
  }

  /** Whether there are moves that are not shown yet. */
  get behind() {
    return this.shown < this.all;
  }

  /** Show a log that has grown: what a person did at once, with the roll to which it led, and what followed one by one:
   * what left no choice, and the moves of non-players.
   * @param {readonly Entry[]} log @param {readonly Seat[]} seats @param {number} from moves that were there before */
  showMoves(log, seats, from) {
    this.stop(log.length);
    const people = (/** @type {number} */ place) => seats[log[place]?.seat - 1]?.kind === "user";
    const led =
      people(from) && "choose" in log[from] && log[from + 1]?.seat === log[from].seat && isRoll(log[from + 1]);
    const own = people(from) ? from + (led ? 2 : 1) : from;
    if (own >= log.length) return;
    this.shown = own;
    this.read = (/** @type {number} */ place) => people(place - 1) && isRoll(log[place - 1]);
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
    const pause = PAUSE[this.read(this.shown) ? "read" : calm ? "calm" : "usual"];
    this.timer = setTimeout(() => this.#next(this.shown + 1), pause);
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
