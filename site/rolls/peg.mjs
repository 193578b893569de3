// @ts-check
/**
 * A reader for parsing expression grammars whose rules are data: the files that `oddsmith/rolls/peg.py` reads, and
 * explains, with equal values and equal errors.
 */

/** @typedef {[at: number, value: any] | null} Parsed where reading goes on and the value, or null where it fails */
/** @typedef {(run: ParseRun, at: number) => Parsed} Element */
/** @typedef {(values: Record<string, any>, at: number, source: string) => any} Template */

const TOKEN =
  /\s+|#[^\n]*|(?<arrow>->)|(?<word>'[^'\n]+')|(?<sign>"[^"\n]+")|(?<regex>~(?:\\~|[^~\n])*~)|(?<label>[A-Za-z_]\w*:)|(?<name>\$?@?[A-Za-z_]\w*|\$\d)|(?<dots>\.\.\.)|(?<literal>-?\d+|[<>=]=|[<>])|(?<mark>[/()*+?&!=]|[^\s])/g;
const RULE = /^([A-Za-z_]\w*)\s*=/gm;

/** Thrown for a text that a grammar cannot read: the farthest place, and the words or signs that could stand there. */
export class ParseError extends Error {
  /** @param {number} offset @param {string[]} expected */
  constructor(offset, expected) {
    super(`not read from ${offset} on`);
    this.at = offset;
    this.expected = expected;
  }
}

/** The reading of one text: memoized results, and what was expected at the farthest place. */
class ParseRun {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    /** @type {Map<string, Parsed>} */
    this.memo = new Map();
    this.far = 0;
    /** @type {Set<string>} */
    this.expected = new Set();
    this.wide = /[\ud800-\udfff]/.test(text);
  }
  /** Record what was expected at a place, if no reading came farther. @param {number} offset @param {string}
   * expectation */
  recordMiss(offset, expectation) {
    if (offset > this.far) [this.far, this.expected] = [offset, new Set()];
    if (offset === this.far && expectation) this.expected.add(expectation);
  }
  /** A place, counted in code points as in Python. @param {number} offset */
  index(offset) {
    return this.wide ? [...this.text.slice(0, offset)].length : offset;
  }
}

/** The place after white space. @param {string} text @param {number} start */
function skipSpace(text, start) {
  while (/\s/.test(text.charAt(start))) start++;
  return start;
}

/** The rules of a grammar, by name. */
export class Grammar {
  /** @param {string} text @param {{cased?: boolean}} [how] whether capital letters are told from small ones */
  constructor(text, { cased = false } = {}) {
    this.flags = cased ? "uy" : "iuy";
    /** @type {Record<string, Element>} */
    this.rules = {};
    /** The words that the rules know. */
    const said = [...text.matchAll(TOKEN)].flatMap(({ groups }) => groups?.word ?? []);
    this.words = new Set(said.flatMap((words) => words.toLowerCase().match(/[^\s|']+/g) ?? []));
    const starts = [...text.matchAll(RULE)];
    starts.forEach(({ index, 0: { length }, 1: name }, place) => {
      const element = new RuleCompiler(this, text.slice(index + length, starts[place + 1]?.index)).alternatives();
      this.rules[name] = (run, offset) => {
        const key = `${name} ${offset}`;
        const known = run.memo.get(key);
        if (known !== undefined) return known;
        run.memo.set(key, null); // a rule that begins with itself fails instead of going round
        const found = element(run, offset);
        run.memo.set(key, found);
        return found;
      };
    });
  }
  /** The value of a whole text. Throws Unread. @param {string} text @param {string} rule */
  parse(text, rule) {
    const run = new ParseRun(text);
    const found = this.rules[rule](run, skipSpace(text, 0));
    if (found?.[0] === text.length) return found[1];
    if (found) run.recordMiss(found[0], "");
    throw new ParseError(run.index(run.far), [...run.expected]);
  }
}

const CLASSES = new Map([
  ["\\w", "\\p{L}\\p{N}_"],
  ["\\d", "\\p{Nd}"],
]);

/** A regular expression of Python, which matches at one place.
 * @param {string} source
 * @param {string} flags */
function stickyRegex(source, flags) {
  let inside = false;
  const made = source.replace(/\\.|[[\]]/g, (part) => {
    if (part.length === 1) inside = part === "[";
    const letters = CLASSES.get(part);
    if (letters) return inside ? letters : `[${letters}]`;
    return /\\[^\w^$\\.*+?()[\]{}|/-]|\\-/.test(part) && !(inside && part === "\\-") ? part[1] : part;
  });
  return new RegExp(made, flags);
}

/** Escape a text for a regular expression. @param {string} text */
const escapeRegex = (text) => text.replace(/[$()*+.?[\\\]^{|}/-]/g, (sign) => (sign === "-" ? "-" : `\\${sign}`));

/** @param {RegExp} pattern @param {string} expectation @param {string | null} value @returns {Element} */
function terminalElement(pattern, expectation, value) {
  return (run, offset) => {
    pattern.lastIndex = offset;
    const found = pattern.exec(run.text);
    if (found) return [pattern.lastIndex, value ?? found.at(-1) ?? null];
    run.recordMiss(offset, expectation);
    return null;
  };
}

/** Compiles the text of one rule to an element. */
class RuleCompiler {
  /** @param {Grammar} grammar @param {string} text */
  constructor(grammar, text) {
    this.grammar = grammar;
    this.place = 0;
    /** @type {{text: string, kind: string}[]} */
    this.tokens = [];
    this.add(text);
  }
  /** Add the tokens of a text: 'a|b' is 'a' / 'b'. @param {string} text */
  add(text) {
    for (const { 0: token, groups = {} } of text.matchAll(TOKEN)) {
      const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
      if (kind === "word" && token.includes("|")) this.add(token.replaceAll("|", "'/'"));
      else if (kind) this.tokens.push({ text: token, kind });
    }
  }
  peek() {
    return this.tokens[this.place]?.text ?? "";
  }
  take() {
    return this.tokens[this.place++];
  }
  /** Take the next token if it is a given sign; return whether it was. @param {string} sign */
  takeIf(sign) {
    if (this.peek() !== sign) return false;
    this.place++;
    return true;
  }

  /** @returns {Element} */
  alternatives() {
    const found = [this.sequence()];
    while (this.takeIf("/")) found.push(this.sequence());
    if (found.length === 1) return found[0];
    return (run, offset) => {
      for (const each of found) {
        const parsed = each(run, offset);
        if (parsed) return parsed;
      }
      return null;
    };
  }

  /** @returns {Element} */
  sequence() {
    /** @type {{key: string, part: Element}[]} */
    const parts = [];
    /** @type {string[]} */
    const labels = [];
    /** @type {string[]} */
    const own = []; // the parts that have a value of their own
    while (!["", "/", ")", "->"].includes(this.peek())) {
      let key = String(parts.length);
      const label = this.tokens[this.place].kind === "label";
      if (label) labels.push((key = this.take().text.slice(0, -1)));
      const silent = ["word", "sign"].includes(this.tokens[this.place].kind) || ["_", "&", "!"].includes(this.peek());
      if (!silent) own.push(key);
      parts.push({ key, part: this.repeated() });
    }
    const template = this.takeIf("->") ? this.template() : null;
    const kept = labels.length ? labels[0] : own[0];
    return (run, start) => {
      let at = start;
      /** @type {Record<string, any>} */
      const values = {};
      for (const { key, part } of parts) {
        const parsed = part(run, at);
        if (!parsed) return null;
        [at, values[key]] = parsed;
      }
      if (template) return [at, template(values, run.index(start), run.text.slice(start, at))];
      return [at, kept === undefined ? run.text.slice(start, at).trim() : values[kept]];
    };
  }

  /** @returns {Element} */
  repeated() {
    if (["&", "!"].includes(this.peek())) {
      const wanted = this.take().text === "&";
      const inner = this.repeated();
      return (run, offset) => {
        const { far, expected } = run;
        run.expected = new Set(expected);
        const parsed = inner(run, offset);
        Object.assign(run, { far, expected });
        return (parsed !== null) === wanted ? [offset, ""] : null;
      };
    }
    const element = this.element();
    if (this.takeIf("?")) return (run, offset) => element(run, offset) ?? [offset, null];
    if (!["*", "+"].includes(this.peek())) return element;
    const fewest = this.take().text === "+" ? 1 : 0;
    return (run, offset) => {
      const values = [];
      for (let parsed; (parsed = element(run, offset)) && parsed[0] > offset;) {
        offset = parsed[0];
        values.push(parsed[1]);
      }
      return values.length >= fewest ? [offset, values] : null;
    };
  }

  /** @returns {Element} */
  element() {
    const { text, kind } = this.take();
    if (text === "(") {
      const inner = this.alternatives();
      this.place++; // the closing bracket
      return inner;
    }
    const inner = text.slice(1, -1);
    if (kind === "word") {
      const words = inner.trim().split(/\s+/).map(escapeRegex).join("[\\s-]*");
      return terminalElement(stickyRegex(`${words}(?!\\w)\\s*`, this.grammar.flags), inner, inner);
    }
    if (kind === "sign") return terminalElement(stickyRegex(`${escapeRegex(inner)}\\s*`, "uy"), inner, inner);
    if (kind === "regex")
      return terminalElement(stickyRegex(inner.replaceAll("\\~", "~"), this.grammar.flags), "", null);
    if (text === "_") return (run, offset) => [skipSpace(run.text, offset), ""];
    return (run, offset) => this.grammar.rules[text](run, offset);
  }

  /** @returns {Template} */
  template() {
    const { text, kind } = this.take();
    if (text === "(") {
      const name = this.take().text;
      /** @type {{part: Template, spread: boolean}[]} */
      const parts = [];
      while (!this.takeIf(")")) parts.push({ part: this.template(), spread: this.takeIf("...") });
      return (values, offset, source) => {
        const made = parts.flatMap(({ part, spread }) => {
          const value = part(values, offset, source);
          return spread ? value : [value];
        });
        if (name === "@list" || name === "@l") return made;
        if (name.startsWith("$")) return [values[name.slice(1)], offset, ...made];
        if (name !== "@left") return [name, offset, ...made];
        return made[1].reduce(
          (/** @type {any} */ left, /** @type {any} */ [op, right]) => [op, offset, left, right],
          made[0],
        );
      };
    }
    if (text.startsWith("$")) return (values) => values[text.slice(1)];
    if (text === "@text") return (_values, _offset, source) => source.trim();
    const literal = kind === "word" || kind === "sign" ? text.slice(1, -1) : text;
    return () => (literal === "null" ? null : literal);
  }
}

/** Whether something is a node, and not a list of other things. @param {any} node */
export const isNode = (node) => Array.isArray(node) && typeof node[0] === "string" && typeof node[1] === "number";

/**
 * A copy of a tree in which the node `newNode` stands in place of the node `oldNode`.
 * @param {any} node @param {any[]} oldNode @param {any[]} newNode @returns {any}
 */
export function replaceNode(node, oldNode, newNode) {
  if (node === oldNode) return newNode;
  return Array.isArray(node) ? node.map((each) => replaceNode(each, oldNode, newNode)) : node;
}

/** The node and all below it, from the outside in. @param {any} node @returns {Generator<any[]>} */
export function* traverseNodes(node) {
  if (!Array.isArray(node)) return;
  if (isNode(node)) yield node;
  for (const each of node) yield* traverseNodes(each);
}
