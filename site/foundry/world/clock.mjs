// @ts-check
/** A clock that keeps time in a hidden tab. Browsers let the timers of such a page run once a minute, but those of a
 * worker run on time. */

/** The code of the worker: it sends each number back after the milliseconds that came with it. @param {any}
 * workerScope */
const runTimerWorker = (workerScope) => {
  workerScope.onmessage = (/** @type {{data: [number, number]}} */ { data: [number, wait] }) =>
    workerScope.setTimeout(() => workerScope.postMessage(number), wait);
};

/** Return a function that calls another one after some milliseconds. Where a page may have no worker, it uses the
 * page's own timers alone.
 * @param {Pick<import("./foundry.mjs").Globals, "setTimeout" | "Worker" | "Blob" | "URL">} world
 * @returns {import("./shapes.mjs").Host["later"]} */
export function makeTimer({ setTimeout, Worker, Blob, URL }) {
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
    worker = new Worker(URL.createObjectURL(new Blob([`(${runTimerWorker})(self)`], { type: "text/javascript" })));
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
