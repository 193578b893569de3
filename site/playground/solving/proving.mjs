// @ts-check
/** The check of what was solved here: an answer counts only once the second checker has passed its certificate, in a
 * thread of its own. */

/** @typedef {import("../../proof/check.mjs").Proof} Proof */
/** @typedef {import("../../proof/check.mjs").Fraction} Fraction */
/** @typedef {import("../../proof/worker.mjs").Said} Said */
/** @typedef {import("../../answer/elements.mjs").Answer} Answer */
/** @typedef {{proof: Proof, seconds: number}} Passed */

const NOTHING = /** @type {Fraction} */ ([0n, 1n]);

/** Runs the second checker. */
export class CertificateChecker {
  /** @type {Worker | null} */
  #worker = null;

  /** Check a certificate, and whether it is about these rules and proves the values of an answer. Rejects with the
   * reason if not.
   * @param {Uint8Array<ArrayBuffer>} certificateBytes @param {string} rulesHash the hash of the rules @param {Answer}
   * answer
   * @returns {Promise<Passed>} that is never kept once the check is stopped */
  check(certificateBytes, rulesHash, answer) {
    this.stop();
    const begun = performance.now();
    const worker = new Worker(new URL("../../proof/worker.mjs", import.meta.url), { type: "module" });
    this.#worker = worker;
    return new Promise((pass, refuse) => {
      worker.onerror = () => refuse(new Error("The checker could not be started in this browser."));
      worker.onmessage = (/** @type {MessageEvent<Said>} */ { data }) => {
        if ("of" in data) return;
        this.stop();
        if ("refused" in data) refuse(new Error(data.refused));
        else if ("failed" in data) refuse(new Error(`The check broke off: ${data.failed}`));
        else if (data.proof.header.ruleset.sha256 !== rulesHash)
          refuse(new Error("It is the certificate of other rules."));
        else if (!areValuesProven(answer, data.proof))
          refuse(new Error("It proves other values than the solver found."));
        else pass({ proof: data.proof, seconds: (performance.now() - begun) / 1000 });
      };
      worker.postMessage(certificateBytes);
    });
  }

  /** Stop the check that goes on, if there is one. */
  stop() {
    this.#worker?.terminate();
    this.#worker = null;
  }
}

/** Whether every value of an answer lies within its proven bounds. A decimal may lie outside by one unit in its last
 * place.
 * @param {Answer} answer @param {Proof} proof */
function areValuesProven({ seats, objective, values }, { header, values: proven }) {
  const same = header.objective === objective && header.ruleset.seats === seats && values.length === proven.length;
  return (
    same &&
    values.every(({ decimal, exact }, seat) => {
      const [low, high] = proven[seat];
      const [value, near] = [parseFraction(exact || decimal), exact ? NOTHING : lastPlaceUnit(decimal)];
      return value !== null && isAtMost(addSigned(low, near, -1n), value) && isAtMost(value, addSigned(high, near, 1n));
    })
  );
}

/** One unit in the last place of a decimal number. @param {string} text @returns {Fraction} */
const lastPlaceUnit = (text) => [1n, 10n ** BigInt(text.split(".")[1]?.length ?? 0)];

/** Parse a fraction or a decimal number; null if it is neither. @param {string} text a fraction or a decimal number
 * @returns {Fraction | null} */
function parseFraction(text) {
  const found = /^(-?)([0-9]+)(?:\/([0-9]+)|\.([0-9]+))?$/.exec(text);
  if (!found) return null;
  const [, sign, whole, bottom, places = ""] = found;
  const top = BigInt(whole + places);
  return [sign ? -top : top, bottom ? BigInt(bottom) : 10n ** BigInt(places.length)];
}

/** The sum of a fraction and another one times a sign. @param {Fraction} one @param {Fraction} other
 * @param {bigint} sign 1 or -1 @returns {Fraction} */
const addSigned = ([a, b], [c, d], sign) => [a * d + sign * c * b, b * d];

/** Whether a fraction is at most another one. @param {Fraction} one @param {Fraction} other */
const isAtMost = ([a, b], [c, d]) => a * d <= c * b;
