// @ts-check
/** An answer in the form that the page shows: each number as its fraction, and as a decimal that is rounded from it. */

/** @typedef {{exact: string | null, lower: string, upper: string, decimal: string}} Exact a number of an answer */
/** @typedef {{share: number, text: string, exact: string}} Cell `exact`: the fraction, where it is known */
/** @typedef {{name: string, value: number, cells: [Cell, Cell, Cell]}} Row exactly, at least, at most */
/** @typedef {object} ShownDistribution one distribution
 * @property {string} name of a part, where several things were asked at once
 * @property {string} readAs @property {string} note @property {string} dialect @property {string[]} notes
 * @property {boolean} proven whether every fraction is known, or every digit that is shown
 * @property {Cell | null} chance of yes, where that is the question
 * @property {Cell | null} mean @property {string} deviation @property {string} median
 * @property {Row[]} rows @property {Cell | null} beyond the chance of all that is not in a row */
/**
 * @typedef {{parts: ShownDistribution[], ways: ShownDistribution[][]}} Found the distributions of the first way,
 * and of each way
 */

const TEN = 10n;
const SCALE = 10n ** 18n;
const RARE = 10n ** 11n; // of SCALE: a chance that needs more digits than usual

/** Parse a fraction. @param {string} text @returns {[bigint, bigint]} */
function parseFraction(text) {
  const [above, below = "1"] = text.split("/");
  return [BigInt(above), BigInt(below)];
}

/** The fraction `above` / `below` as text, rounded to a number of places, with commas. @param {bigint} numerator @param
 * {bigint} denominator
 * @param {number} places */
export function decimalText(numerator, denominator, places) {
  const size = numerator < 0n ? -numerator : numerator;
  const digits = ((2n * size * TEN ** BigInt(places) + denominator) / (2n * denominator))
    .toString()
    .padStart(places + 1, "0");
  const [whole, part] = [digits.slice(0, digits.length - places), digits.slice(digits.length - places)];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${numerator < 0n && /[1-9]/.test(digits) ? "−" : ""}${grouped}${part && `.${part}`}`;
}

/** The probability `above` / `below` in percent as text. It has two decimals, or more if these would all be 0 or 9.
 * @param {bigint} numerator
 * @param {bigint} denominator */
function percentText(numerator, denominator) {
  const rest = numerator * 2n > denominator ? denominator - numerator : numerator;
  if (rest === 0n) return numerator ? "100 %" : "0 %";
  let places = 2;
  while (places < 12 && rest * TEN ** BigInt(places + 2) < denominator) places++;
  const text = `${decimalText(numerator * 100n, denominator, places)} %`;
  return /[1-9]/.test(text) ? text : "< 10⁻¹² %";
}

/** A fraction as a float. @param {bigint} numerator @param {bigint} denominator */
const toFloat = (numerator, denominator) => Number((numerator * SCALE) / denominator) / Number(SCALE);

/** A probability as the page shows it. @param {[bigint, bigint]} fraction @param {string | null} exactText the fraction
 * as text; null if the fraction is only near to the probability */
function probabilityCell([numerator, denominator], exactText) {
  const part = (numerator * SCALE) / denominator;
  // Eighteen digits that are cut off lie on the same side of every half as the fraction does, and are quick to print.
  const plain = part > RARE && part < SCALE - RARE;
  return {
    share: Number(part) / Number(SCALE),
    text: plain ? percentText(part, SCALE) : percentText(numerator, denominator),
    exact: exactText ?? "",
  };
}

/** One distribution as the page shows it. @param {any} distributionJson @returns {ShownDistribution} */
function distributionForDisplay(distributionJson) {
  let before = "0"; // the chance of less, where it has a fraction
  let less = /** @type {[bigint, bigint]} */ ([0n, 1n]);
  const rows = distributionJson.outcomes.map((/** @type {any} */ each) => {
    // All that is not less. Its fraction has the same denominator, which is long to write.
    const least = /** @type {[bigint, bigint]} */ ([less[1] - less[0], less[1]]);
    const left = before && [`${least[0]}`, ...before.split("/").slice(1)].join("/");
    const [one, most] = [each, each.at_most].map((cell) => parseFraction(cell.exact ?? cell.lower));
    const row = {
      name: each.outcome.replace("-", "−"),
      value: /^[-\d]/.test(each.outcome) ? toFloat(...parseFraction(each.outcome)) : Number(each.outcome === "yes"),
      cells: [
        probabilityCell(one, each.exact),
        probabilityCell(least, left),
        probabilityCell(most, each.at_most.exact),
      ],
    };
    [less, before] = [most, each.at_most.exact ?? ""];
    return row;
  });
  const { name = "", mean, beyond, standard_deviation: deviation } = distributionJson;
  const far = beyond && parseFraction(beyond.exact ?? beyond.upper);
  return {
    // The words of a part end with its name.
    ...{
      name,
      rows,
      readAs: name ? distributionJson.read_as.slice(0, -name.length - 2) : distributionJson.read_as,
      note: distributionJson.note ?? "",
      notes: distributionJson.notes ?? [],
    },
    dialect: distributionJson.dialect ?? "",
    proven: distributionJson.grade === "exact",
    chance: distributionJson.kind === "chance" ? rows[rows.length - 1].cells[0] : null,
    mean: mean && numberCell(mean),
    deviation: deviation ? numberCell(deviation).text : "",
    median: (distributionJson.median?.exact ?? distributionJson.quantiles?.["0.5"] ?? "").replace("-", "−"),
    beyond: far?.[0] ? probabilityCell(far, beyond.exact) : null,
  };
}

/** A number as the page shows it. @param {Exact} numberJson @returns {Cell} */
function numberCell(numberJson) {
  const [above, below] = parseFraction(numberJson.exact ?? numberJson.lower);
  const places = below === 1n && numberJson.exact ? 0 : 2;
  return { share: toFloat(above, below), text: decimalText(above, below, places), exact: numberJson.exact ?? "" };
}

/** The distributions of an answer, in each way in which its question can be meant.
 * @param {any} answerJson @returns {Found} */
export function distributionsByMeaning(answerJson) {
  const ways = [answerJson, ...(answerJson.others ?? [])].map((way) =>
    (way.parts ?? [way]).map(distributionForDisplay),
  );
  for (const [place, way] of ways.entries())
    way[0].note ||= place ? (answerJson.others[place - 1].note ?? "") : answerJson.note;
  return { parts: ways[0], ways };
}
