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
export class MovePacer {
  /** @param {() => void} drawMoves show the moves that are shown by now */
  constructor(drawMoves) {
    this.draw = drawMoves;
    this.shown = 0; // moves
    this.all = 0;
    this.timer = 0;
    this.began = 0;
    this.hears = new AbortController();
    /** Whether what was shown last takes a while to read. */
    this.read = (/** @type {number} */ _place) => false;
  }

  /** Whether there are moves that are not shown yet. */
  get hasHiddenMoves() {
    return this.shown < this.all;
  }

  /** Show the new moves of a log. The move of a person is shown at once, with the roll to which it led. The moves that
   * follow are shown one by one.
   * @param {readonly Entry[]} log @param {readonly Seat[]} seats @param {number} earlierMoveCount moves that were there
   * before */
  showMoves(log, seats, earlierMoveCount) {
    this.showAll(log.length);
    const people = (/** @type {number} */ place) => seats[log[place]?.seat - 1]?.kind === "user";
    const led =
      people(earlierMoveCount) &&
      "choose" in log[earlierMoveCount] &&
      log[earlierMoveCount + 1]?.seat === log[earlierMoveCount].seat &&
      isRoll(log[earlierMoveCount + 1]);
    const own = people(earlierMoveCount) ? earlierMoveCount + (led ? 2 : 1) : earlierMoveCount;
    if (own >= log.length) return;
    this.shown = own;
    this.read = (/** @type {number} */ place) => people(place - 1) && isRoll(log[place - 1]);
    this.began = performance.now();
    this.hears = new AbortController();
    for (const event of /** @type {const} */ (["click", "keydown"]))
      document.addEventListener(event, (heard) => this.#skipOnInput(heard), { signal: this.hears.signal });
    this.#scheduleNext();
  }

  /** Stop the pause: from now on all moves count as shown. @param {number} moveCount how many moves there are */
  showAll(moveCount) {
    clearTimeout(this.timer);
    this.hears.abort();
    this.shown = this.all = moveCount;
  }

  /** Show one more move after a pause. */
  #scheduleNext() {
    const calm = matchMedia("(prefers-reduced-motion:reduce)").matches;
    const pause = PAUSE[this.read(this.shown) ? "read" : calm ? "calm" : "usual"];
    this.timer = setTimeout(() => this.#showUpTo(this.shown + 1), pause);
  }

  /** Show the first moves, and go on after a pause if there are more. @param {number} moveCount how many to show */
  #showUpTo(moveCount) {
    if (moveCount < this.all) {
      this.shown = moveCount;
      this.#scheduleNext();
    } else this.showAll(this.all);
    this.draw();
  }

  /** Show the rest at once when somebody taps or presses a key. Events that began before the moves do not count, and
   * neither does Enter on a control.
   * @param {Event} event */
  #skipOnInput(event) {
    if (event.timeStamp < this.began || !this.hasHiddenMoves) return;
    if (event instanceof KeyboardEvent) {
      const free = !(/** @type {Element} */ (event.target).closest(CONTROLS));
      if (event.repeat || !(event.key === "Escape" || (free && ["Enter", " "].includes(event.key)))) return;
      event.preventDefault();
    }
    this.#showUpTo(this.all);
  }
}
