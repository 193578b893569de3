// @ts-check
/** The difference of two texts, line by line. */

/** @typedef {[number, number, string[]]} Edit at a line, counted from 0, how many go, and what comes instead */

const MAX_LINE_PAIRS = 4_000_000; // pairs of lines that are compared; beyond, one edit has all that changed

/** The numbers of lines that two texts have in common at their start and at their end.
 * @param {readonly string[]} oldLines
 * @param {readonly string[]} newLines @returns {[start: number, end: number]} */
export function countCommonEndLines(oldLines, newLines) {
  let start = 0;
  while (start < oldLines.length && start < newLines.length && oldLines[start] === newLines[start]) start++;
  let end = 0;
  while (
    end < oldLines.length - start &&
    end < newLines.length - start &&
    oldLines.at(-1 - end) === newLines.at(-1 - end)
  )
    end++;
  return [start, end];
}

/** The edits that make one text into another. @param {string} oldText @param {string} newText @returns {Edit[]} */
export function diffLines(oldText, newText) {
  const [old, now] = [oldText.split("\n"), newText.split("\n")];
  const [start, end] = countCommonEndLines(old, now);
  const gone = old.slice(start, old.length - end);
  const come = now.slice(start, now.length - end);
  if (!gone.length && !come.length) return [];
  if (gone.length * come.length > MAX_LINE_PAIRS) return [[start, gone.length, come]];
  return editsByCommonLines(gone, come).map(([at, count, lines]) => [at + start, count, lines]);
}

/** The edits that make one list of lines into another. They leave a longest common subsequence untouched. @param
 * {string[]} oldLines @param {string[]} newLines
 * @returns {Edit[]} */
function editsByCommonLines(oldLines, newLines) {
  const wide = newLines.length + 1;
  const common = new Uint32Array((oldLines.length + 1) * wide);
  for (let i = oldLines.length - 1; i >= 0; i--)
    for (let j = newLines.length - 1; j >= 0; j--)
      common[i * wide + j] =
        oldLines[i] === newLines[j]
          ? common[(i + 1) * wide + j + 1] + 1
          : Math.max(common[(i + 1) * wide + j], common[i * wide + j + 1]);
  /** @type {Edit[]} */
  const found = [];
  let [i, j] = [0, 0];
  while (i < oldLines.length || j < newLines.length) {
    if (i < oldLines.length && j < newLines.length && oldLines[i] === newLines[j]) {
      [i, j] = [i + 1, j + 1];
      continue;
    }
    const last = found.at(-1);
    const edit = last && last[0] + last[1] === i ? last : /** @type {Edit} */ ([i, 0, []]);
    if (edit !== last) found.push(edit);
    if (i < oldLines.length && (j === newLines.length || common[(i + 1) * wide + j] >= common[i * wide + j + 1])) {
      edit[1]++;
      i++;
    } else edit[2].push(newLines[j++]);
  }
  return found;
}

/** The text that edits make of another one. Throws an Error if they do not fit. @param {string} oldText @param {Edit[]}
 * edits
 * @returns {string} */
export function textAfterEdits(oldText, edits) {
  const old = oldText.split("\n");
  /** @type {string[]} */
  const now = [];
  let place = 0;
  for (const [at, count, lines] of edits) {
    if (!(Number.isInteger(at) && Number.isInteger(count) && at >= place && count >= 0 && at + count <= old.length))
      throw new Error("the changes do not fit the ruleset");
    now.push(...old.slice(place, at), ...lines.map(String));
    place = at + count;
  }
  return [...now, ...old.slice(place)].join("\n");
}
