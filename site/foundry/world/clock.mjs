// @ts-check
/** A clock that goes on in a tab that nobody looks at. Browsers wake the timers of such a page once a minute, and those
 * of a worker on time. */

/** What the worker does: it gives each number back after the time that came with it. @param {any} self */
const answerTimers = (self) => {
  self.onmessage = (/** @type {{data: [number, number]}} */ { data: [number, wait] }) =>
    self.setTimeout(() => self.postMessage(number), wait);
};

/** Calls after a time. Where a page may have no worker, its own timers are left.
 * @param {Pick<import("./foundry.mjs").Globals, "setTimeout" | "Worker" | "Blob" | "URL">} world
 * @returns {import("./shapes.mjs").Host["later"]} */
export function clock({ setTimeout, Worker, Blob, URL }) {
  /** @type {Map<number, () => void>} */
  const waiting = new Map();
  let last = 0;
  const ring = (/** @type {number} */ number) => {
    const act = waiting.get(number);
    waiting.delete(number);
    act?.();
  };
  /** @type {Worker | null} */
  let worker = null;
  try {
    worker = new Worker(URL.createObjectURL(new Blob([`(${answerTimers})(self)`], { type: "text/javascript" })));
    worker.onmessage = ({ data }) => ring(data);
  } catch (error) {
    console.warn(error);
  }
  return (milliseconds, act) => {
    const number = ++last;
    waiting.set(number, act);
    worker?.postMessage([number, milliseconds]);
    setTimeout(() => ring(number), milliseconds); // whichever comes first
  };
}
