// @ts-check
/** A small bar chart with a bar for each value, or for several neighbouring values if there are many. */

import { makeElement } from "./elements.mjs";
import { toFloat, probabilityText } from "./figures.mjs";
import { localizedText } from "./words.mjs";

/** @typedef {import("./reply.mjs").Found} Found */
/** @typedef {import("./reply.mjs").Outcome} Outcome */
/** @typedef {{first: Outcome, last: Outcome, share: number, here: boolean}} Bar */

const MAX_BARS = 40; // bars
const RARE = 1 / 400; // of the highest bar: rarer values at the ends are left out

/** The chart of an answer. @param {Found} found @param {string | null} rolledValue the value that was rolled */
export function barChart({ kind, outcomes }, rolledValue) {
  if (kind === "chance") return probabilityBar(outcomes[outcomes.length - 1]);
  const shares = outcomes.map(({ lower }) => toFloat(lower));
  const highest = Math.max(...shares);
  const shown = (/** @type {number} */ place) =>
    shares[place] >= highest * RARE || outcomes[place].outcome === rolledValue;
  const places = outcomes.map((_, place) => place).filter(shown);
  const [from, to] = [places[0], places[places.length - 1] + 1];
  const together = Math.ceil((to - from) / MAX_BARS);
  /** @type {Bar[]} */
  const list = [];
  for (let at = from; at < to; at += together) {
    const part = outcomes.slice(at, Math.min(at + together, to));
    const share = shares.slice(at, at + part.length).reduce((sum, each) => sum + each, 0);
    const marked = part.some(({ outcome }) => outcome === rolledValue);
    list.push({ first: part[0], last: part[part.length - 1], share, here: marked });
  }
  const top = Math.max(...list.map(({ share }) => share));
  return makeElement(
    "div",
    { class: "od-bars", role: "img", "aria-label": localizedText("ODDSMITH.Odds.Chart") },
    ...list.map((bar) => drawBar(bar, top)),
  );
}

/** A probability as a part of a whole. @param {Outcome} outcomeYes */
function probabilityBar(outcomeYes) {
  const bar = makeElement(
    "div",
    { class: "od-part", role: "img", "aria-label": probabilityText(outcomeYes) },
    makeElement("b", {}),
  );
  bar.style.setProperty("--part", String(toFloat(outcomeYes.lower)));
  return bar;
}

/** Draw a bar. @param {Bar} bar @param {number} largestShare */
function drawBar({ first, last, share, here }, largestShare) {
  const names =
    first === last ? outcomeText(first.outcome) : `${outcomeText(first.outcome)} – ${outcomeText(last.outcome)}`;
  const chance = first === last ? probabilityText(first) : `${(share * 100).toFixed(2)} %`;
  const bar = makeElement("i", { title: `${names}: ${chance}` }, makeElement("b", {}));
  if (here) bar.classList.add("od-here");
  bar.style.setProperty("--part", String(share / largestShare));
  return bar;
}

/** An outcome in words: a number, or yes or no. @param {string} outcome */
export const outcomeText = (outcome) =>
  outcome === "yes"
    ? localizedText("ODDSMITH.Odds.Yes")
    : outcome === "no"
      ? localizedText("ODDSMITH.Odds.No")
      : outcome.replace("-", "−");
