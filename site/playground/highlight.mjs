// @ts-check
/** Colours for a text of YAML. They only help the eye: Python reads the text. */

const PARTS =
  /(?<comment>(?:^|\s)#.*$)|(?<string>(?<!\w)"(?:[^"\\]|\\.)*"?|(?<!\w)'(?:[^']|'')*'?)|(?<key>[A-Za-z_][\w .-]*(?:\([^)]*\))?(?=\s*:(?:\s|$)))|(?<number>\b\d+(?:d\d+)?\b)|(?<word>\b(?:true|false|and|or|not|in|if|for|pass|again|end|move|set|add|to|from|let|be|reveal|drop out)\b)/g;
const PROSE = new Set(
  "about author does label licence line name note option part policy prose quote regular say summary title told unit".split(
    " ",
  ),
); // keys whose values are words for people
const KEY = /^(\s*(?:- +)*)([A-Za-z_]\w*)\s*:(?=\s|$)/;

/** Return which lines continue words for people that began above them.
 * @param {readonly string[]} lines
 * @returns {boolean[]} */
export function areLinesInsideProse(lines) {
  let deep = Infinity; // how far to the right the key stands whose words go on
  return lines.map((line) => {
    const at = line.search(/\S/);
    if (deep < Infinity && (at < 0 || at > deep)) return true;
    const [, before, key] = KEY.exec(line) ?? [];
    deep = PROSE.has(key) ? before.length : Infinity;
    return false;
  });
}

/** The pieces of a line, each with its kind; the kind of plain text, such as words for people, is empty.
 * @param {string} line
 * @param {boolean} [isContinuedProse] whether the line only goes on with such words @returns {[string, string][]} */
export function colourPieces(line, isContinuedProse = false) {
  if (isContinuedProse) return [["", line]];
  /** @type {[string, string][]} */
  const found = [];
  let place = 0;
  let words = 0; // up to here stand words for people
  for (const match of line.matchAll(PARTS)) {
    if (match.index < words) continue;
    const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? [""];
    if (match.index > place) found.push(["", line.slice(place, match.index)]);
    found.push([kind, match[0]]);
    place = match.index + match[0].length;
    if (kind === "key" && PROSE.has(match[0])) words = endOfUnquotedWords(line, place);
  }
  if (place < line.length) found.push(["", line.slice(place)]);
  return found;
}

/** The index at which unquoted words after a key end; `place` itself if the words are quoted or a list. @param
 * {string} line @param {number} startIndex where the key ends */
function endOfUnquotedWords(line, startIndex) {
  if (/^\s*:\s+["'[{]/.test(line.slice(startIndex))) return startIndex;
  const within =
    line.slice(0, startIndex).replace(/[^{[]/g, "").length > line.slice(0, startIndex).replace(/[^}\]]/g, "").length;
  const end = line.slice(startIndex).search(within ? /[,}\]]/ : /\s#/);
  return end < 0 ? line.length : startIndex + end;
}
