// @ts-check
/** An answer as a page shows it: each number with its fraction, and as a decimal that is rounded from it. */

/** @typedef {{exact: string | null, lower: string, upper: string, decimal: string}} Exact a number of an answer */
/** @typedef {{share: number, text: string, exact: string}} Cell `exact`: the fraction, where it is known */
/** @typedef {{name: string, value: number, cells: [Cell, Cell, Cell]}} Row exactly, at least, at most */
/** @typedef {object} Told one distribution
 * @property {string} name of a part, where several things were asked at once
 * @property {string} readAs @property {string} note @property {string} dialect @property {string[]} notes
 * @property {boolean} proven whether every fraction is known, or every digit that is shown
 * @property {Cell | null} chance of yes, where that is the question
 * @property {Cell | null} mean @property {string} deviation @property {string} median
 * @property {Row[]} rows @property {Cell | null} beyond the chance of all that is not in a row */
/** @typedef {{parts: Told[], ways: Told[][]}} Found the distributions of the first way, and of each way */

const TEN = 10n;
const SCALE = 10n ** 18n;

/** @param {string} text @returns {[bigint, bigint]} */
function ratio(text) {
  const [above, below = "1"] = text.split("/");
  return [BigInt(above), BigInt(below)];
}

/** The decimal with so many places that is nearest to a fraction. @param {bigint} above @param {bigint} below
 * @param {number} places */
export function fixed(above, below, places) {
  const size = above < 0n ? -above : above;
  const digits = ((2n * size * TEN ** BigInt(places) + below) / (2n * below)).toString().padStart(places + 1, "0");
  const [whole, part] = [digits.slice(0, digits.length - places), digits.slice(digits.length - places)];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${above < 0n && /[1-9]/.test(digits) ? "−" : ""}${grouped}${part && `.${part}`}`;
}

/** A chance in per cent, with two digits or more that say something. @param {bigint} above @param {bigint} below */
function percent(above, below) {
  const rest = above * 2n > below ? below - above : above;
  if (rest === 0n) return above ? "100 %" : "0 %";
  let places = 2;
  while (places < 12 && rest * TEN ** BigInt(places + 2) < below) places++;
  const text = `${fixed(above * 100n, below, places)} %`;
  return /[1-9]/.test(text) ? text : "< 10⁻¹² %";
}

/** @param {bigint} above @param {bigint} below */
const number = (above, below) => Number((above * SCALE) / below) / Number(SCALE);

/** @param {[bigint, bigint]} fraction @param {boolean} exact */
function chance([above, below], exact) {
  const shared = common(above, below);
  return {
    share: number(above, below),
    text: percent(above, below),
    exact: exact ? [above / shared, below / shared].filter((part, place) => !place || part !== 1n).join("/") : "",
  };
}

/** @param {bigint} a @param {bigint} b @returns {bigint} */
function common(a, b) {
  while (b) [a, b] = [b, a % b];
  return a < 0n ? -a : a || 1n;
}

/** @param {[bigint, bigint]} a @param {[bigint, bigint]} b @returns {[bigint, bigint]} */
const minus = ([a, b], [c, d]) => (b === d ? [a - c, b] : [a * d - c * b, b * d]);

/** @param {any} data @param {string} [name] @returns {Told} */
function told(data, name = "") {
  let before = /** @type {[bigint, bigint]} */ ([0n, 1n]);
  let known = true; // whether the chances so far have fractions
  const rows = data.outcomes.map((/** @type {any} */ each) => {
    const least = minus([1n, 1n], before);
    const [one, most] = [each, each.at_most].map((cell) => ratio(cell.exact ?? cell.lower));
    const row = {
      name: each.outcome.replace("-", "−"),
      value: /^[-\d]/.test(each.outcome) ? number(...ratio(each.outcome)) : Number(each.outcome === "yes"),
      cells: [chance(one, !!each.exact), chance(least, known), chance(most, !!each.at_most.exact)],
    };
    [before, known] = [most, !!each.at_most.exact];
    return row;
  });
  const { mean, beyond, standard_deviation: deviation } = data;
  const far = beyond && ratio(beyond.exact ?? beyond.upper);
  return {
    // The words of a part end with its name.
    ...{
      name,
      rows,
      readAs: name ? data.read_as.slice(0, -name.length - 2) : data.read_as,
      note: data.note ?? "",
      notes: data.notes ?? [],
    },
    dialect: data.dialect ?? "",
    proven: data.grade === "exact",
    chance: data.kind === "chance" ? rows[rows.length - 1].cells[0] : null,
    mean: mean && worth(mean),
    deviation: deviation ? worth(deviation).text : "",
    median: (data.median?.exact ?? data.quantiles?.["0.5"] ?? "").replace("-", "−"),
    beyond: far?.[0] ? chance(far, !!beyond.exact) : null,
  };
}

/** @param {Exact} cell @returns {Cell} */
function worth(cell) {
  const [above, below] = ratio(cell.exact ?? cell.lower);
  const places = below === 1n && cell.exact ? 0 : 2;
  return { share: number(above, below), text: fixed(above, below, places), exact: cell.exact ?? "" };
}

/** The distributions of an answer, in each way in which its question can be meant.
 * @param {any} data @returns {Found} */
export function found(data) {
  const ways = [data, ...(data.others ?? [])].map((way) =>
    way.parts ? Object.entries(way.parts).map(([name, part]) => told(part, name)) : [told(way)],
  );
  for (const [place, way] of ways.entries()) way[0].note ||= place ? (data.others[place - 1].note ?? "") : data.note;
  return { parts: ways[0], ways };
}
