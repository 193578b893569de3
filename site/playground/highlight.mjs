// @ts-check
/** Colours for a line of YAML. They help the eye and decide nothing: Python reads the text. */

const PARTS =
  /(?<comment>(?:^|\s)#.*$)|(?<string>(?<!\w)"(?:[^"\\]|\\.)*"?|(?<!\w)'(?:[^']|'')*'?)|(?<key>[A-Za-z_][\w .-]*(?:\([^)]*\))?(?=\s*:(?:\s|$)))|(?<number>\b\d+(?:d\d+)?\b)|(?<word>\b(?:true|false|and|or|not|in|if|for|pass|again|end|move|set|add|to|from|let|be|reveal|drop out)\b)/g;

/** The pieces of a line, each with what it is; plain where it is nothing. @param {string} line
 * @returns {[string, string][]} */
export function pieces(line) {
  /** @type {[string, string][]} */
  const found = [];
  let place = 0;
  for (const match of line.matchAll(PARTS)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? [""];
    if (match.index > place) found.push(["", line.slice(place, match.index)]);
    found.push([kind, match[0]]);
    place = match.index + match[0].length;
  }
  if (place < line.length) found.push(["", line.slice(place)]);
  return found;
}
