// @ts-check
/** The known names nearest to an unknown one, as `did_you_mean` of the package and `difflib` of Python find them. */

/** The number of matching characters of two texts (Ratcliff and Obershelp). It is the length of their longest common
 * substring, plus the matching characters to its left and to its right.
 * @param {string} a
 * @param {string} b
 * @returns {number} */
function matchingCharacters(a, b) {
  let [size, from, to] = [0, 0, 0];
  /** @type {number[]} */
  let lengths = [];
  for (let i = 0; i < a.length; i++) {
    /** @type {number[]} */
    const next = [];
    for (let j = 0; j < b.length; j++) {
      if (a[i] !== b[j]) continue;
      next[j] = (lengths[j - 1] ?? 0) + 1;
      if (next[j] > size) [size, from, to] = [next[j], i - next[j] + 1, j - next[j] + 1];
    }
    lengths = next;
  }
  if (!size) return 0;
  return (
    size +
    matchingCharacters(a.slice(0, from), b.slice(0, to)) +
    matchingCharacters(a.slice(from + size), b.slice(to + size))
  );
}

/** The similarity of two texts, from 0 to 1. @param {string} known @param {string} unknown */
const similarity = (known, unknown) => (2 * matchingCharacters(known, unknown)) / (known.length + unknown.length);

/** Whether a word is so near to a known one that it is probably a misspelling of it.
 * @param {string} word
 * @param {Iterable<string>} known
 * @param {number} [least] how like it must be, from 0 to 1 */
export const isNear = (word, known, least = 0.81) =>
  [...known].some((name) => name.length > 2 && similarity(name, word) >= least);

/** A hint with the nearest known names; empty if none is near. @param {string} unknownName @param {Iterable<string>}
 * knownNames */
export function nearestNamesText(unknownName, knownNames) {
  const near = [...new Set(knownNames)]
    .map((name) => ({ name, score: similarity(name, unknownName) }))
    .filter(({ score }) => score >= 0.6)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? 1 : -1))
    .slice(0, 2)
    .map(({ name }) => name);
  return near.length ? `did you mean ${near.join(" or ")}?` : "";
}
