// @ts-check
/** The texts of a check: what was checked, what that proves, and what it does not. */

/** @typedef {import("./check.mjs").Proof} Proof */
/** @typedef {import("./check.mjs").Fraction} Fraction */

const PLACES = 9;
const COPY = "as long as the others keep to it";
/** What follows from the checks, for each kind of solution. @type {{ [kind: string]: string }} */
const PROVEN = {
  optimal: "No way of playing is better for the player.",
  "zero-sum": "Neither player can do better if the other plays best: these are the only values that there are.",
  symmetric: `No player gains by departing from this play, ${COPY}. All seats play alike.`,
  "pure-by-seat": `No player gains by departing from this play, ${COPY}.`,
  mixed: `No player gains by departing from this play, ${COPY}. In some positions it mixes actions.`,
  plans:
    "Each player's plan secures what is stated, whatever the other does: these are the only values that there are.",
  equilibrium: `No player gains by departing from this play, ${COPY}. Other such play may bring other values.`,
  named: "Some seats play by a named policy. No other seat gains by departing alone from what it plays here.",
};

/** A whole number with its noun. @param {number} count @param {string} noun */
export const countText = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

/** The size of a file. @param {number} bytes */
export const sizeText = (bytes) =>
  bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

/** A fraction as a decimal number, rounded. @param {Fraction} number */
function decimalText([top, bottom]) {
  const unit = 10n ** BigInt(PLACES);
  const size = (2n * (top < 0n ? -top : top) * unit + bottom) / (2n * bottom); // rounded to the nearest
  const text = `${size / unit}.${String(size % unit).padStart(PLACES, "0")}`.replace(/\.?0+$/, "");
  return top < 0n && size > 0n ? `-${text}` : text;
}

/** The value of a seat, to the places on which both bounds agree. @param {[Fraction, Fraction]} bounds */
export function valueText([lower, upper]) {
  const [least, most] = [decimalText(lower), decimalText(upper)];
  const exact = lower[0] * upper[1] === upper[0] * lower[1] && (lower[0] * 10n ** BigInt(PLACES)) % lower[1] === 0n;
  return least !== most ? `between ${least} and ${most}` : exact ? least : `about ${least}`;
}

/** A sentence that says how much was checked. @param {Proof} proof @param {number} seconds */
export function checkedText({ kind, states, transitions, decisions }, seconds) {
  const parts =
    kind === "plans" || kind === "equilibrium"
      ? [countText(states, "subgame"), countText(transitions, "end")]
      : [countText(states, "position"), `${countText(transitions, "way")} from one to another`];
  const time = seconds < 0.1 ? "in less than a tenth of a second" : `in ${seconds.toFixed(1)} seconds`;
  return `Checked here: ${parts.join(", ")}, ${countText(decisions, "decision")}, ${time}.`;
}

/** Sentences that say what a certificate proves. @param {Proof} proof */
export function provenTexts({ kind, values, endless }) {
  const texts = ["These values follow from what is played, and play by it ends.", PROVEN[kind]];
  if (values.some(([low, high]) => low[0] * high[1] !== high[0] * low[1]))
    texts.push(
      "The values are enclosed between two fractions. So other play may be a little better, but nobody gets more than these" +
        " bounds by it: no more than 10⁻¹² in a whole game.",
    );
  if (kind === "equilibrium") return [...texts, "Play ends whatever one of the players does."];
  if (kind === "plans") return [...texts, "Play ends if one of the players keeps to this plan."];
  texts.push(
    endless.length === 0
      ? "Play ends, however it is played."
      : `From ${countText(endless.length, "position")}, players could keep play going for ever; nothing is claimed about that.`,
  );
  return texts;
}

/** A sentence that says what a certificate does not prove.
 * @param {Proof} proof @param {string} rulesHash the hash of the rules of this page */
export function unprovenAssumptionsText({ header }, rulesHash) {
  const same = header.ruleset.sha256 === rulesHash;
  const named = same
    ? "The file names the rules of this page."
    : `The file names other rules than those of this page: ${header.ruleset.id}.`;
  return `${named} The check believes that the table is the table of those rules. The command below derives it again.`;
}
