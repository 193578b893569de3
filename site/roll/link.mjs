// @ts-check
/** The question as an address: everything that the page shows follows from the part after #. */

/** @typedef {"exactly" | "least" | "most"} ProbabilityKind */
/** @typedef {{q: string, is: ProbabilityKind, at: number | null, ways: number[], as: string, curves: boolean}} Asked
 *   `q`: a question a line; `is`, `at`: what is counted; `ways`: how each line is meant; `as`: the notation */

const LONGEST = 8000;
export const PROBABILITY_KINDS = /** @type {const} */ (["exactly", "least", "most"]);
export const NOTATIONS = { "": "as it fits", foundry: "Foundry", roll20: "Roll20", avrae: "Avrae", anydice: "AnyDice" };

/** The settings of a page without a question. @returns {Asked} */
export const emptyAskedQuestion = () => ({ q: "", is: "least", at: null, ways: [], as: "", curves: false });

/** Write the question as an address. @param {Asked} askedQuestion */
export function addressOfQuestion(askedQuestion) {
  const parts = [`q=${encodeReadable(askedQuestion.q)}`];
  if (askedQuestion.at !== null) parts.push(`${askedQuestion.is}=${askedQuestion.at}`);
  if (askedQuestion.ways.some(Boolean)) parts.push(`way=${askedQuestion.ways.join("-")}`);
  if (askedQuestion.as) parts.push(`as=${askedQuestion.as}`);
  if (askedQuestion.curves) parts.push("curves=1");
  return parts.join("&");
}

/** Encode a text so that it stays readable in an address, and whole where programs look for links.
 * @param {string} text */
const encodeReadable = (text) => encodeURIComponent(text).replace(/%(2C|3A|40)/g, decodeURIComponent);

/** Read the question from an address. @param {string} address what stands behind # or ?
 * @param {boolean} [isFormEncoded] whether a form wrote it: the box on the home page calls the question
 * `roll`, because the theme opens its search where an address has ?q= @returns {Asked} */
export function questionFromAddress(address, isFormEncoded) {
  const found = emptyAskedQuestion();
  for (const part of address.slice(0, LONGEST).split("&")) {
    const [name, value = ""] = [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)];
    const text = decodeTextIfPossible(isFormEncoded ? value.replaceAll("+", " ") : value);
    if (name === "q" || name === "roll") found.q = text;
    else if (PROBABILITY_KINDS.some((is) => is === name) && text !== "" && Number.isFinite(Number(text)))
      [found.is, found.at] = [/** @type {ProbabilityKind} */ (name), Number(text)];
    else if (name === "way") found.ways = text.split("-").map((each) => Math.max(0, Math.trunc(Number(each)) || 0));
    else if (name === "as" && Object.hasOwn(NOTATIONS, text)) found.as = text;
    else if (name === "curves") found.curves = true;
  }
  return found;
}

/** Decode a text; if that fails, return it as it is. @param {string} text */
function decodeTextIfPossible(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const PROGRAM = /(^|[\s;{}])(output(?![a-z])|function\s*:|loop\s+\w+\s+over\s|set\s+")/i;

/** The questions of a text: one on each line, but a program for AnyDice is a single question. @param {string} text */
export const splitQuestions = (text) =>
  (PROGRAM.test(text) ? [text] : text.split("\n")).map((each) => each.trim()).filter(Boolean);
