// @ts-check
/** Checks a certificate: does its table prove the values that it states? Written from docs/certificates.md alone, in
 * whole numbers without rounding. It imports nothing, and also runs under Node: `node check.mjs FILE`. An entry is a
 * state with one of its copies. The number in front of a reason is that of the check in docs/certificates.md. */

/** Thrown for a certificate that does not hold; the message says why. */
export class CertificateError extends Error {}
/** @typedef {readonly [top: bigint, bottom: bigint]} Fraction the bottom is above 0 */
/** @typedef {{ weight: bigint, target: number, paid: bigint[], by: number }} Way a transition to an entry, or to -1 */
/** @typedef {{ ways: Way[], sum: bigint }} Row transitions, and the sum of their weights */
/** @typedef {{ [key: string]: any }} Record */
/** @typedef {ReturnType<Certificate["provenResult"]> | ReturnType<typeof checkPlans>} Proof */

/** The longest file, and the longest line, in bytes; the longest text; and the most values that are taken on. */
export const MAX_FILE_BYTES = 64 * 2 ** 20;
const [TEXT, VALUES] = [4 * MAX_FILE_BYTES, 4_000_000];
/** Bytes of text for each byte of the file; how deep lists may stand in lists; the largest number of JSON. */
const [DENSEST, DEEPEST, MOST] = [200, 64, Number.MAX_SAFE_INTEGER];
/** @type {(top: bigint, bottom?: bigint) => Fraction} */
const makeFraction = (top, bottom = 1n) => [top, bottom];
const [NOTHING, HALF, TWO] = [makeFraction(0n), makeFraction(1n, 2n), makeFraction(2n)];
/** The most digits of a number in base 16. */
const LONGEST = 50_000;
/** The most seats of an equilibrium. */
const MOST_SEATS = 6;
/** How widely the value of the game may be enclosed, and what an action of a mixture may lose. */
const LITTLE = makeFraction(1n, 10n ** 12n);

/**
 * Throw CertificateError unless a condition holds.
 * @param {unknown} condition @param {string} reason @returns {asserts condition}
 */
function ensure(condition, reason) {
  if (!condition) throw new CertificateError(reason);
}

/** The sum of two fractions. @param {Fraction} one @param {Fraction} other @returns {Fraction} */
const plus = ([a, b], [c, d]) => (b === d ? [a + c, b] : [a * d + c * b, b * d]);
/** The difference of two fractions. @param {Fraction} one @param {Fraction} other @returns {Fraction} */
const minus = (one, [c, d]) => plus(one, [-c, d]);
/** The product of two fractions. @param {Fraction} one @param {Fraction} other @returns {Fraction} */
const times = ([a, b], [c, d]) => [a * c, b * d];
/** Whether a fraction is at most another one. @param {Fraction} one @param {Fraction} other */
const isAtMost = ([a, b], [c, d]) => a * d <= c * b;
/** + @type {(one: bigint, other: bigint) => bigint} */
function greatestCommonDivisor(one, other) {
  while (other) [one, other] = [other, one % other];
  return one;
}

// --- the text: bytes, lines, objects

/** The bytes of the text of a file, unpacked if it is gzipped. Throws CertificateError if there are too many. @param
 * {Uint8Array<ArrayBuffer>} file */
async function unpackedBytes(file) {
  ensure(file.length <= MAX_FILE_BYTES, "8: The file is larger than 64 MiB, and this checker takes on no larger ones.");
  if (file[0] !== 0x1f || file[1] !== 0x8b) return file;
  const most = Math.min(DENSEST * file.length, TEXT);
  const stream = new Blob([file]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const parts = /** @type {Uint8Array<ArrayBuffer>[]} */ ([]);
  for (let length = 0; ;) {
    const { value, done } = await stream.read().catch(() => ({ value: undefined, done: false }));
    if (done) break;
    ensure(value, "8: The file is gzipped, and damaged.");
    ensure((length += value.length) <= most, "8: The text is far longer than the file, or longer than 256 MiB.");
    parts.push(value);
  }
  const text = new Uint8Array(await new Blob(parts).arrayBuffer());
  const told = new DataView(file.buffer).getUint32(file.byteOffset + file.length - 4, true);
  ensure(told === text.length, "8: The file goes on after what is gzipped.");
  return text;
}

/** Parse a line of JSON that must be an object. Throws CertificateError if it is not written as a certificate is.
 * @param {Uint8Array} bytes @returns {Record} */
function parseRecord(bytes) {
  ensure(bytes.length <= MAX_FILE_BYTES, "8: A line is longer than 64 MiB.");
  try {
    const line = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const bare = line.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, ""); // without texts, a colon stands for a key
    ensure(!/[0-9][.eE]/.test(bare), "8: A number is not written as a whole number.");
    const record = requireObject(JSON.parse(line));
    ensure(countKeys(record, 0) === bare.split(":").length - 1, "8: An object holds a key twice.");
    return record;
  } catch (error) {
    if (error instanceof CertificateError || error instanceof RangeError) throw error;
    throw new CertificateError("8: A line is not JSON in UTF-8.");
  }
}

/** The number of keys of all objects in a value. Throws CertificateError if a number in it is too large. @type {(value:
 * any, depth: number) => number} */
function countKeys(value, depth) {
  if (typeof value === "number") ensure(Number.isSafeInteger(value), "8: A number is above 2^53 - 1.");
  if (value === null || typeof value !== "object") return 0;
  ensure(depth < DEEPEST, "8: Lists stand in lists too deep.");
  const keys = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((all, each) => all + countKeys(each, depth + 1), keys);
}

/** Return a value; throw CertificateError if it is no object. @param {any} value @returns {Record} */
function requireObject(value) {
  ensure(value !== null && typeof value === "object" && !Array.isArray(value), "8: An object is missing.");
  return value;
}

/** Return a value; throw CertificateError if it is no list, or not of the given length. @param {any} value @param
 * {number} [length]
 * @returns {any[]} */
function requireList(value, length) {
  ensure(Array.isArray(value) && value.length === (length ?? value.length), "8: A list is not of its length.");
  return value;
}

/** Return a value; throw CertificateError if it is no number from `least` to `most`. @param {any} value @param {number}
 * minimum @param {number} [maximum]
 * @returns {number} */
function requireWhole(value, minimum, maximum = MOST) {
  ensure(typeof value === "number" && minimum <= value && value <= maximum, "8: A number is not in its range.");
  return value;
}

/** Parse a whole number in base 16. @param {any} value @param {bigint} [minimum] @returns {bigint} */
function parseHex(value, minimum) {
  ensure(typeof value === "string" && /^(?:0|-?[1-9a-f][0-9a-f]*)$/.test(value), "8: A number is not in base 16.");
  ensure(value.length <= LONGEST, "8: A number is longer than this checker takes on.");
  const found = value[0] === "-" ? -BigInt(`0x${value.slice(1)}`) : BigInt(`0x${value}`);
  ensure(minimum === undefined || found >= minimum, "8: A number is not in its range.");
  return found;
}

/** Parse a fraction. @param {any} text */
function parseFraction(text) {
  const found = typeof text === "string" && /^(0|-?[1-9][0-9]{0,3999})(?:\/([1-9][0-9]{0,3999}))?$/.exec(text);
  ensure(found, "8: A fraction is not written as one.");
  return makeFraction(BigInt(found[1]), BigInt(found[2] ?? 1));
}

/** Demand that a value is a name that can be printed. @param {any} value */
function ensurePrintableName(value) {
  ensure(typeof value === "string" && !/(?! )[\p{C}\p{Z}]/u.test(value), "8: A name cannot be printed, or is missing.");
}

/** A row of transitions, with the sum of their weights. @param {Way[]} transitions @returns {Row} */
const makeTransitionRow = (transitions) => ({
  ways: transitions,
  sum: transitions.reduce((sum, { weight }) => sum + weight, 0n),
});

/** The row that plays each of some rows with a probability proportional to its share. @param {Row[]} rows @param
 * {bigint[]} weights */
function mixRows(rows, weights) {
  const common = rows.reduce((product, { sum }) => product * sum, 1n);
  const factors = rows.map(({ sum }, number) => weights[number] * (common / sum));
  return makeTransitionRow(
    rows.flatMap(({ ways }, n) => ways.map((way) => ({ ...way, weight: way.weight * factors[n] }))),
  );
}

// --- the table and its checks

/** The header and the values of a certificate, the checks of its states, and counts of what was checked. */
class Certificate {
  tops = /** @type {bigint[]} values, by entry and seat */ ([]);
  bottoms = /** @type {bigint[]} what they are divided by, by entry */ ([]);
  steps = /** @type {Fraction[]} by entry, over the grain: the d of the proof */ ([]);
  ends = /** @type {number[]} by entry: how far the end is at worst */ ([]);
  counts = { transitions: 0, decisions: 0, ties: 0 };
  endless = /** @type {number[]} */ ([]);
  mixed = false;

  /** @param {Record} header */
  constructor(header) {
    ensure(header.certificate === 4, "8: This is no certificate of format 4.");
    this.header = header;
    const { ruleset, policies, start } = header;
    for (const name of [requireObject(ruleset).id, header.objective, ...Object.values(requireObject(policies))])
      ensurePrintableName(name);
    this.seats = requireWhole(ruleset.seats, 1);
    ensure(header.kind !== "zero-sum" || this.seats === 2, "5: A game of the kind zero-sum has two seats.");
    this.copies = requireWhole(header.copies, 1, this.seats);
    ensure(this.copies === 1 || this.copies === this.seats, "8: There is neither one copy nor one for each seat.");
    this.states = requireWhole(header.states, 1);
    ensure(this.states * this.copies * this.seats <= VALUES, "8: There are more values than this checker takes on.");
    let end = 0;
    const stages = Object.hasOwn(header, "stages") ? requireList(header.stages) : [[this.states, 0]];
    this.stages = stages.map((stage) => {
      const [states, least] = requireList(stage, 2);
      return { first: end, least: requireWhole(least, 0, end), end: (end += requireWhole(states, 1)) };
    });
    ensure(end === this.states, "8: The stages do not have as many states as the header says.");
    ensure(["max", "min"].includes(header.goal), "8: The goal is neither max nor min.");
    this.sign = makeFraction(header.goal === "max" ? 1n : -1n);
    const seat = (/** @type {string} */ text) => (/^[1-9][0-9]*$/.test(text) ? Number(text) : 0);
    this.named = new Set(Object.keys(policies).map((text) => requireWhole(seat(text), 1, this.seats) - 1));
    const one = [0, this.seats].includes(this.named.size) && new Set(Object.values(policies)).size < 2;
    ensure(this.copies > 1 || one, "8: The seats of one copy do not play alike.");
    this.mover = requireWhole(requireObject(start).mover, 0, this.seats - 1);
    this.start = this.stages[this.stages.length - 1].first * this.copies + (this.mover % this.copies);
    this.held = requireList(start.held, this.seats).map(parseFraction);
    this.actions = requireList(header.actions).length;
    this.payoffs = requireList(header.payoffs).map((each) =>
      requireList(each, this.seats).map((paid) => BigInt(requireWhole(paid, -MOST))),
    );
    this.scale = BigInt(requireWhole(header.scale, 1));
    this.grain = BigInt(requireWhole(header.grain, 1));
    this.unit = parseHex(header.unit, 1n);
    this.error = makeFraction(parseHex(header.residual, 0n), this.unit);
  }

  /** Store the values of the entries of a state. @param {Record} state */
  storeValues(state) {
    const { copies, seats, unit } = this;
    const over = Object.hasOwn(state, "over") ? requireList(state.over, copies).map((each) => parseHex(each, 1n)) : [];
    const [values, steps, ends] = [state.values, state.steps, state.ends].map((each) => requireList(each, copies));
    for (let copy = 0; copy < copies; copy++) {
      for (const each of requireList(values[copy], seats)) this.tops.push(parseHex(each));
      this.bottoms.push(over[copy] ?? unit);
      this.steps.push(makeFraction(BigInt(requireWhole(steps[copy], 1)), this.grain));
      this.ends.push(ends[copy] === null ? Infinity : requireWhole(ends[copy], 1));
    }
  }

  /** The value of an entry for a seat, counted from its mover. @param {number} entry @param {number} seat */
  entryValue(entry, seat) {
    return makeFraction(this.tops[entry * this.seats + seat], this.bottoms[entry]);
  }

  /** Read the transitions of a row, as they start from one copy of its state. @param {any} row @param {number} copy
   * @returns {Row} */
  readRow(row, copy) {
    const [{ least, end }] = this.stages;
    const ways = requireList(row).map((way) => {
      const [target, by, payoff, weight] = requireList(way, 4);
      if (target !== -1) requireWhole(target, least, end - 1);
      requireWhole(by, 0, target === -1 ? 0 : this.seats - 1);
      const entry = target < 0 ? -1 : target * this.copies + ((copy + by) % this.copies);
      const paid = this.payoffs[requireWhole(payoff, 0, this.payoffs.length - 1)];
      return { weight: BigInt(requireWhole(weight, 1)), target: entry, paid, by };
    });
    const common = ways.reduce((all, { weight }) => greatestCommonDivisor(all, weight), 0n);
    ensure(common === 1n, "8: A row has no transitions, or its weights have a common divisor.");
    return makeTransitionRow(ways);
  }

  /** The expected payoff of a seat after a row: what the row pays, and the value that follows. @param {Row} row
   * @param {number} seat */
  expectedPayoffAfter({ ways, sum }, seat) {
    let [now, later, bottom] = [0n, 0n, 1n];
    for (const { weight, target, paid, by } of ways) {
      now += weight * paid[seat];
      if (target < 0) continue;
      const own = this.bottoms[target];
      if (bottom % own) {
        const factor = own / greatestCommonDivisor(bottom, own);
        [later, bottom] = [later * factor, bottom * factor];
      }
      const top = weight * this.tops[target * this.seats + ((seat - by + this.seats) % this.seats)];
      later += own === bottom ? top : top * (bottom / own);
    }
    return plus([now, sum * this.scale], [later, sum * bottom]);
  }

  /** The expected value of `steps`, the d of the proof, after a row. @param {Row} row */
  expectedStepsAfter({ ways, sum }) {
    const steps = ways.reduce(
      (all, { weight, target }) => (target < 0 ? all : all + weight * this.steps[target][0]),
      0n,
    );
    return makeFraction(steps, sum * this.grain);
  }

  /** Check all entries of a state. Throws CertificateError if one fails. @param {Record} state @param {number}
   * stateNumber */
  checkState(state, stateNumber) {
    const { copies, ends, actions, named } = this;
    if (stateNumber === this.stages[0].end) this.stages.shift();
    const rows = requireList(state.rows).map((row) => requireList(row, 2));
    for (const [action] of rows) requireWhole(action, -1, actions - 1);
    if (rows.length > 1) this.counts.decisions++;
    const play = requireList(state.play, copies);
    for (let copy = 0; copy < copies; copy++) {
      const leading = rows.map(([, ways]) => this.readRow(ways, copy));
      this.checkEntry(stateNumber * copies + copy, leading, play[copy], named.has(copy));
    }
    this.counts.transitions += rows.reduce((all, [, ways]) => all + ways.length, 0);
    if (ends.slice(stateNumber * copies, (stateNumber + 1) * copies).includes(Infinity)) this.endless.push(stateNumber);
  }

  /** Check one entry of a state: what is played there, and all other actions. @param {number} entry @param {Row[]} rows
   * @param {any} playedAction @param {boolean} isNamed */
  checkEntry(entry, rows, playedAction, isNamed) {
    const mixes = Array.isArray(playedAction);
    const picks = mixes ? playedAction.map((pick) => requireList(pick, 2)) : [[playedAction, "1"]];
    const chosen = picks.map(([row]) => requireWhole(row, 0, rows.length - 1));
    const shares = picks.map(([, share]) => parseHex(share, 1n));
    const ascending = chosen.every((row, place) => place === 0 || chosen[place - 1] < row);
    ensure(
      !mixes || (picks.length > 1 && ascending && !isNamed),
      "3b: A mixture is not of several actions, each once.",
    );
    this.mixed ||= mixes;
    const taken = chosen.map((row) => rows[row]);
    const played = mixes ? mixRows(taken, shares) : taken[0];
    this.checkPlayedRow(entry, played);
    this.checkDistanceToEnd(entry, isNamed ? [played] : rows);
    if (this.header.kind === "zero-sum") for (const row of rows) this.checkConstantSum(entry, row);
    const others = isNamed ? [] : rows.map((_, row) => row).filter((row) => mixes || row !== chosen[0]);
    for (const row of others) this.checkNotBetter(entry, rows[row], chosen.includes(row));
  }

  /** Checks 1 and 2: the values follow from the row that is played, and play by it ends. @param {number} entry
   * @param {Row} playedRow */
  checkPlayedRow(entry, playedRow) {
    for (let seat = 0; seat < this.seats; seat++) {
      const lack = minus(NOTHING, this.gainOverValue(entry, playedRow, seat));
      ensure(isAtMost(NOTHING, lack) && isAtMost(lack, this.error), "1: A value does not follow from the play.");
    }
    ensure(
      isAtMost(plus(this.expectedStepsAfter(playedRow), HALF), this.steps[entry]),
      "2: It is not proven that play ends.",
    );
  }

  /** The amount by which a row brings a seat more than its value.
   * @param {number} entry
   * @param {Row} row
   * @param {number} seat */
  gainOverValue(entry, row, seat) {
    return times(minus(this.expectedPayoffAfter(row, seat), this.entryValue(entry, seat)), this.sign);
  }

  /** The most by which the true values of an entry can differ from the stated ones. @param {number} entry */
  maximumError(entry) {
    return times(times(TWO, this.error), this.steps[entry]);
  }

  /** Check 3: an action is not better than what is played. It may be as good, which counts as a tie.
   * @param {number} entry
   * @param {Row} row
   * @param {boolean} isMixed */
  checkNotBetter(entry, row, isMixed) {
    const gain = this.gainOverValue(entry, row, 0);
    ensure(isAtMost(gain, NOTHING), "3a: An action is worth more than the one played.");
    ensure(!isMixed || isAtMost(NOTHING, plus(gain, LITTLE)), "3b: An action that is mixed is worth less.");
    if (isAtMost(NOTHING, plus(gain, this.maximumError(entry)))) this.counts.ties++;
  }

  /** Check 4: the stated distance to the end in the worst case is right. @param {number} entry @param {Row[]}
   * allowedRows those that may be taken */
  checkDistanceToEnd(entry, allowedRows) {
    const end = (/** @type {Way} */ { target }) => (target < 0 ? 0 : this.ends[target]);
    const least = allowedRows.map(({ ways }) => ways.reduce((near, way) => Math.min(near, end(way)), Infinity));
    const worst = least.reduce((far, each) => Math.max(far, each), 0);
    ensure(this.ends[entry] === 1 + worst, "4: It is not true how far the end is at worst.");
  }

  /** Check 5: what both seats get together is the same before and after a row. @param {number} entry @param {Row}
   * row */
  checkConstantSum(entry, { ways }) {
    const total = this.seatsTotal(entry);
    const right = ways.every(({ target, paid: [one, other] }) => total === one + other + this.seatsTotal(target));
    ensure(right, "5: The values of the two seats do not add up to the same.");
  }

  /** The sum of what both seats get from an entry, rounded to units of what is paid. @param {number} entry */
  seatsTotal(entry) {
    if (entry < 0) return 0n;
    const both = plus(this.entryValue(entry, 0), this.entryValue(entry, 1));
    const [top, bottom] = plus(times(both, [this.scale, 1n]), HALF);
    return (top - (((top % bottom) + bottom) % bottom)) / bottom;
  }

  /** Checks 6 and 7, and what the certificate proves. In the result, `values` are bounds by seat. In the `endless`
   * states, players who work together could keep play going for ever. */
  provenResult() {
    const { header, seats, copies, named, states, mover, held } = this;
    const alike = seats === 1 ? "optimal" : header.kind === "zero-sum" ? "zero-sum" : "symmetric";
    const kind = named.size ? "named" : this.mixed ? "mixed" : copies > 1 ? "pure-by-seat" : alike;
    ensure(header.kind === kind, `6: The table is of the kind ${kind}, and its header says something else.`);
    const off = this.maximumError(this.start);
    ensure(isAtMost(off, LITTLE), "7: The value of the game is enclosed too widely.");
    const values = held.map((each, seat) => {
      const value = plus(this.entryValue(this.start, (seat - mover + seats) % seats), each);
      const other = minus(value, times(off, this.sign));
      return /** @type {[Fraction, Fraction]} */ (isAtMost(value, other) ? [value, other] : [other, value]);
    });
    return { ...this.counts, header, kind, values, states, endless: this.endless };
  }
}

// --- games with secrets: plans, and the best responses to them

/** @typedef {{ before: number[], first: number[], count: number[], plan: Fraction[] }} Side the information sets of
 * a seat, each with the sequence before it and with its own sequences, and the weights of all sequences */
/** @typedef {{ both: number[], chance: Fraction, after: number, paid: Fraction }} Leaf the sequences of both seats,
 * and the subgame that begins there, or -1 and what the end is worth to the first seat */
/** @typedef {{ sides: Side[], low: Fraction, high: Fraction, leaves: Leaf[] }} Part a subgame. What it is worth is what
 * the first seat gets, with the other sign where less is better: so more is always better */

/** The other seat of a game for one. @type {Side} */
const NOBODY = { before: [], first: [], count: [], plan: [makeFraction(1n)] };

/** Return the numerators of fractions over a common denominator, and that denominator. @param {Fraction[]} fractions
 * @returns
 * {[tops: bigint[], bottom: bigint]} */
function toCommonDenominator(fractions) {
  let bottom = 1n;
  for (const [, each] of fractions) bottom *= each / greatestCommonDivisor(bottom, each);
  return [fractions.map(([top, each]) => top * (bottom / each)), bottom];
}

/** The least total that a seat can reach, given the worth of each of its sequences. @param {Side} side
 * @param {bigint[]} sequenceValues */
function leastReachableTotal(side, sequenceValues) {
  const total = [...sequenceValues];
  for (let set = side.before.length - 1; set >= 0; set--) {
    const own = total.slice(side.first[set], side.first[set] + side.count[set]);
    total[side.before[set]] += own.reduce((low, each) => (each < low ? each : low));
  }
  return total[0];
}

/** Check 9: read the information sets of a seat and its plan. @param {any} seatRecord @returns {Side} */
function readSeatPlan(seatRecord) {
  const count = requireList(requireObject(seatRecord).counts).map((each) => requireWhole(each, 1));
  let next = 1;
  const first = count.map((each) => (next += each) - each);
  const before = requireList(seatRecord.before, count.length).map((each, set) => requireWhole(each, 0, first[set] - 1));
  const plan = requireList(seatRecord.plan, next).map(parseFraction);
  ensure(
    plan[0][0] === plan[0][1] && plan.every(([top]) => top >= 0n),
    "9a: A plan has a weight below 0, or no beginning.",
  );
  const [tops] = toCommonDenominator(plan);
  first.forEach((start, set) => {
    const shared = tops.slice(start, start + count[set]).reduce((sum, each) => sum + each, 0n);
    ensure(shared === tops[before[set]], "9b: The weights of a plan are not those of what leads to them.");
  });
  return { before, first, count, plan };
}

/** Multiply two bounds by a sign. If the sign is -1, the bounds also change places. @param {Fraction} sign @param
 * {Fraction} lower
 * @param {Fraction} upper @returns {[Fraction, Fraction]} */
const applySignToBounds = (sign, lower, upper) =>
  sign[0] === 1n ? [lower, upper] : [times(upper, sign), times(lower, sign)];

/** Read an end of a subgame. In the result, `sequences` has the last sequence of each seat, and `after` the number of
 * the subgame that begins there. If none begins, `after` is -1, and `paid` has the payoffs. @param {any} leafRecord
 * @param
 * {number} seatCount @param {readonly Side[]} seatPlans
 * @param {number} subgameCount */
function readLeaf(leafRecord, seatCount, seatPlans, subgameCount) {
  const [sequences, chance, paid] = requireList(leafRecord, 3);
  const found = requireList(sequences, seatCount).map((each, seat) =>
    requireWhole(each, 0, seatPlans[seat].plan.length - 1),
  );
  const likely = parseFraction(chance);
  ensure(likely[0] > 0n, "9c: An end has no chance.");
  return {
    sequences: found,
    chance: likely,
    after: typeof paid === "number" ? requireWhole(paid, 0, subgameCount - 1) : -1,
    paid,
  };
}

/** Read a subgame. @param {Record} subgameRecord @param {number} seatCount @param {number} subgameCount @param
 * {Fraction} sign 1, or -1 where less is better @returns {Part} */
function readSubgame(subgameRecord, seatCount, subgameCount, sign) {
  const written = requireList(subgameRecord.seats, seatCount).map(readSeatPlan);
  const sides = seatCount === 2 ? written : [...written, NOBODY];
  const leaves = requireList(subgameRecord.leaves).map((leaf) => {
    const { sequences, chance, after, paid } = readLeaf(leaf, seatCount, sides, subgameCount);
    return { both: [...sequences, 0], chance, after, paid: after < 0 ? times(parseFraction(paid), sign) : NOTHING };
  });
  const [low, high] = applySignToBounds(sign, parseFraction(subgameRecord.low), parseFraction(subgameRecord.high));
  return { sides, low, high, leaves };
}

/** The expected worth of the ends under the plan of a seat, for each sequence of the other seat. The result has
 * numerators and their common denominator.
 * @param {Part} part @param {number} seat @param {Fraction[]} leafValues @returns {[sums: bigint[], bottom: bigint]} */
function expectedValuesBySequence({ sides, leaves }, seat, leafValues) {
  const [plan, one] = toCommonDenominator(sides[seat].plan);
  const [chances, two] = toCommonDenominator(leaves.map(({ chance }) => chance));
  const [tops, three] = toCommonDenominator(leafValues);
  const found = sides[1 - seat].plan.map(() => 0n);
  leaves.forEach(({ both }, leaf) => {
    found[both[1 - seat]] += plan[both[seat]] * chances[leaf] * tops[leaf];
  });
  return [found, one * two * three];
}

/** Checks 9d and 9e: the plan of a seat secures the stated value. @param {Part[]} subgames @param {Part} subgame @param
 * {number} seat
 * @param {Fraction} statedValue */
function checkPlanSecuresValue(subgames, subgame, seat, statedValue) {
  const other = subgame.sides[1 - seat];
  const [all, one] = expectedValuesBySequence(
    subgame,
    seat,
    subgame.leaves.map(() => makeFraction(1n)),
  );
  const most = leastReachableTotal(
    other,
    all.map((each) => -each),
  );
  ensure(
    leastReachableTotal(other, all) === one && most === -one,
    "9d: The ends of a subgame are not all that can happen.",
  );
  const worth = subgame.leaves.map(({ after, paid }) => {
    if (seat === 0) return after < 0 ? paid : subgames[after].low;
    return minus(statedValue, after < 0 ? paid : subgames[after].high);
  });
  const [brought, bottom] = expectedValuesBySequence(subgame, seat, worth);
  const stated = seat === 0 ? subgame.low : minus(statedValue, subgame.high);
  ensure(isAtMost(stated, [leastReachableTotal(other, brought), bottom]), "9e: A plan does not secure what is stated.");
}

/** Check 9f: with the plans of a seat, play ends whatever the other seat does. @param {Part[]} subgames @param {number}
 * seat */
function checkPlayEndsUnderPlan(subgames, seat) {
  const staying = new Set(subgames.keys());
  while (staying.size) {
    const leaving = [...staying].filter((number) => {
      const { sides, leaves } = subgames[number];
      const out = leaves.map(({ after }) => (staying.has(after) ? NOTHING : makeFraction(1n)));
      return leastReachableTotal(sides[1 - seat], expectedValuesBySequence(subgames[number], seat, out)[0]) > 0n;
    });
    ensure(leaving.length, "9f: Play need not end.");
    for (const number of leaving) staying.delete(number);
  }
}

// --- equilibria of games with choices at once

/** @typedef {{ sequences: number[], chance: Fraction, after: number, paid: Fraction[] }} OpenLeaf the sequences of all
 * seats, and the subgame that begins there, or -1 and what the end is worth to each seat
 * @typedef {{ sides: Side[], bounds: [Fraction, Fraction][], leaves: OpenLeaf[] }} OpenPart a subgame, with bounds of
 * what it is worth to each seat */

/** Read a subgame of an equilibrium. @param {Record} subgameRecord @param {number} seatCount @param {number}
 * subgameCount
 * @param {Fraction} sign 1, or -1 where less is better @returns {OpenPart} */
function readEquilibriumSubgame(subgameRecord, seatCount, subgameCount, sign) {
  const sides = requireList(subgameRecord.seats, seatCount).map(readSeatPlan);
  const leaves = requireList(subgameRecord.leaves).map((leaf) => {
    const found = readLeaf(leaf, seatCount, sides, subgameCount);
    const paid = found.after < 0 ? requireList(found.paid, seatCount) : [];
    return { ...found, paid: paid.map((each) => times(parseFraction(each), sign)) };
  });
  const [low, high] = [subgameRecord.low, subgameRecord.high].map((ends) =>
    requireList(ends, seatCount).map(parseFraction),
  );
  return { sides, bounds: low.map((each, seat) => applySignToBounds(sign, each, high[seat])), leaves };
}

/** The expected worth of the ends under the plans of all other seats, for each sequence of a seat. The result has
 * numerators and their common denominator.
 * @param {OpenPart} part @param {number} seat @param {Fraction[]} leafValues @returns {[sums: bigint[], bottom:
 * bigint]} */
function equilibriumValuesBySequence({ sides, leaves }, seat, leafValues) {
  const plans = sides.map(({ plan }) => toCommonDenominator(plan));
  const [chances, one] = toCommonDenominator(leaves.map(({ chance }) => chance));
  const [tops, two] = toCommonDenominator(leafValues);
  const found = sides[seat].plan.map(() => 0n);
  leaves.forEach(({ sequences }, leaf) => {
    let weight = chances[leaf] * tops[leaf];
    for (const [other, sequence] of sequences.entries()) if (other !== seat) weight *= plans[other][0][sequence];
    found[sequences[seat]] += weight;
  });
  const bottom = plans.reduce((all, [, each], other) => (other === seat ? all : all * each), one * two);
  return [found, bottom];
}

/** Checks 9d and 9h: the plans bring a seat what is stated, and it cannot get more by changing its plan alone. @param
 * {OpenPart[]} subgames
 * @param {OpenPart} subgame @param {number} seat */
function checkNobodyGains(subgames, subgame, seat) {
  const [side, [low, high]] = [subgame.sides[seat], subgame.bounds[seat]];
  const turnedAll = (/** @type {bigint[]} */ all) => all.map((each) => -each);
  const [all, one] = equilibriumValuesBySequence(
    subgame,
    seat,
    subgame.leaves.map(() => makeFraction(1n)),
  );
  const complete = leastReachableTotal(side, all) === one && leastReachableTotal(side, turnedAll(all)) === -one;
  ensure(complete, "9d: The ends of a subgame are not all that can happen.");
  const [lows, highs] = [0, 1].map((end) =>
    equilibriumValuesBySequence(
      subgame,
      seat,
      subgame.leaves.map(({ after, paid }) => (after < 0 ? paid[seat] : subgames[after].bounds[seat][end])),
    ),
  );
  const [plan, scale] = toCommonDenominator(side.plan);
  const brought = lows[0].reduce((sum, each, sequence) => sum + each * plan[sequence], 0n);
  ensure(isAtMost(low, [brought, lows[1] * scale]), "9h: The plans do not bring what is stated.");
  const best = -leastReachableTotal(side, turnedAll(highs[0]));
  ensure(isAtMost([best, highs[1]], high), "9h: A seat can get more alone than is stated.");
  ensure(isAtMost(minus(high, low), LITTLE), "9h: What a seat can gain alone is not next to nothing.");
}

/** Check 9i: with the plans of all other seats, play ends whatever a seat does. @param {OpenPart[]} subgames @param
 * {number} seat */
function checkPlayEndsUnderOtherPlans(subgames, seat) {
  const staying = new Set(subgames.keys());
  while (staying.size) {
    const leaving = [...staying].filter((number) => {
      const { sides, leaves } = subgames[number];
      const out = leaves.map(({ after }) => (staying.has(after) ? NOTHING : makeFraction(1n)));
      return leastReachableTotal(sides[seat], equilibriumValuesBySequence(subgames[number], seat, out)[0]) > 0n;
    });
    ensure(leaving.length, "9i: Play need not end.");
    for (const number of leaving) staying.delete(number);
  }
}

/** Check 9: check an equilibrium of several seats. Returns what it proves. @param {Record} header @param {Record[]}
 * subgameRecords */
function checkEquilibrium(header, subgameRecords) {
  const seats = requireWhole(requireObject(header.ruleset).seats, 2, MOST_SEATS);
  for (const name of [header.ruleset.id, header.objective]) ensurePrintableName(name);
  ensure(["max", "min"].includes(header.goal), "8: The goal is neither max nor min.");
  const sign = makeFraction(header.goal === "max" ? 1n : -1n);
  const parts = subgameRecords.map((line) => readEquilibriumSubgame(line, seats, subgameRecords.length, sign));
  for (let seat = 0; seat < seats; seat++) {
    for (const part of parts) checkNobodyGains(parts, part, seat);
    checkPlayEndsUnderOtherPlans(parts, seat);
  }
  const values = parts[0].bounds.map(([low, high]) => applySignToBounds(sign, low, high));
  const sets = parts.flatMap(({ sides }) => sides).reduce((sum, { before }) => sum + before.length, 0);
  const leaves = parts.reduce((sum, each) => sum + each.leaves.length, 0);
  const counted = { states: parts.length, transitions: leaves, decisions: sets, ties: 0 };
  return { header, kind: "equilibrium", values, ...counted, endless: /** @type {number[]} */ ([]) };
}

/** Check 9: check the plans of a game with secrets. Returns what they prove. @param {Record} header @param {Record[]}
 * subgameRecords */
function checkPlans(header, subgameRecords) {
  ensure(header.plans === 1, "8: This is no certificate of plans of format 1.");
  if (!Object.hasOwn(header, "total")) return checkEquilibrium(header, subgameRecords);
  const seats = requireWhole(requireObject(header.ruleset).seats, 1, 2);
  for (const name of [header.ruleset.id, header.objective]) ensurePrintableName(name);
  ensure(["max", "min"].includes(header.goal), "8: The goal is neither max nor min.");
  const sign = makeFraction(header.goal === "max" ? 1n : -1n);
  const total = times(parseFraction(header.total), sign);
  const parts = subgameRecords.map((line) => readSubgame(line, seats, subgameRecords.length, sign));
  for (const part of parts) {
    for (const seat of [0, 1]) checkPlanSecuresValue(parts, part, seat, total);
    ensure(isAtMost(part.low, part.high), "9g: The bounds of a subgame are in the wrong order.");
  }
  for (const seat of [0, 1]) checkPlayEndsUnderPlan(parts, seat);
  const [{ low, high }] = parts;
  ensure(isAtMost(minus(high, low), LITTLE), "7: The value of the game is enclosed too widely.");
  const values = [
    applySignToBounds(sign, low, high),
    applySignToBounds(sign, minus(total, high), minus(total, low)),
  ].slice(0, seats);
  const sets = parts.flatMap(({ sides }) => sides).reduce((sum, { before }) => sum + before.length, 0);
  const leaves = parts.reduce((sum, each) => sum + each.leaves.length, 0);
  return {
    header,
    kind: "plans",
    values,
    states: parts.length,
    transitions: leaves,
    decisions: sets,
    ties: 0,
    endless: /** @type {number[]} */ ([]),
  };
}

/** Check a certificate and return what it proves. Throws CertificateError, with the reason and the state, if it does
 * not hold. `onProgress` is called with the progress.
 * @param {Uint8Array<ArrayBuffer>} fileBytes @param {(done: number, of: number) => void} [onProgress] */
export async function checkCertificate(fileBytes, onProgress = () => {}) {
  let at = "";
  try {
    const [text, starts] = [await unpackedBytes(fileBytes), [0]];
    for (let end = text.indexOf(10); end >= 0 && starts.length < VALUES + 4; end = text.indexOf(10, end + 1))
      starts.push(end + 1);
    const record = (/** @type {number} */ line) => parseRecord(text.subarray(starts[line], starts[line + 1]));
    const header = record(0);
    const secret = Object.hasOwn(header, "plans");
    const table = secret ? null : new Certificate(header);
    const states = table?.states ?? requireWhole(header.subgames, 1, VALUES);
    ensure(starts[states + 2] === text.length, "8: There are not as many lines as the header says.");
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", text.subarray(0, starts[states + 1])));
    const [last, told] = [record(states + 1), [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("")];
    ensure(Object.keys(last).join() === "sha256" && last.sha256 === told, "8: The checksum is not that of the text.");
    if (!table)
      return checkPlans(
        header,
        [...Array(states).keys()].map((line) => record(line + 1)),
      );
    for (let line = 0; line < 2 * states; line++) {
      at = `State ${line % states}. `;
      if (line % 200 === 0) onProgress(line, 2 * states);
      const state = record((line % states) + 1);
      if (line < states) table.storeValues(state);
      else table.checkState(state, line - states);
    }
    at = "";
    return table.provenResult();
  } catch (error) {
    if (error instanceof RangeError)
      throw new CertificateError(`${at}8: A number is longer than this checker takes on.`);
    throw error instanceof CertificateError ? new CertificateError(at + error.message) : error;
  }
}

const { process } = /** @type {any} */ (globalThis);
// Node before 24 does not say whether it was asked for this file.
const asked = process?.argv?.[1] && import.meta.url === new URL(`file://${process.argv[1]}`).href;
if (/** @type {any} */ (import.meta).main ?? asked) {
  const { readFileSync, statSync } = process.getBuiltinModule("node:fs");
  const path = process.argv[2];
  const holds = (/** @type {Proof} */ { kind, states }) =>
    `The table of ${states} ${states === 1 ? "state" : "states"} proves its values (${kind}). ` +
    "It was not compared with the rules.";
  const checkFile = async () => {
    ensure(process.argv.length === 3, "Name one file: node check.mjs FILE");
    ensure(statSync(path, { throwIfNoEntry: false })?.isFile(), `${path} is no file.`);
    return checkCertificate(new Uint8Array(readFileSync(path)));
  };
  console.log(await checkFile().then(holds, (error) => ((process.exitCode = 1), error.message)));
}
