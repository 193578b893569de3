// @ts-check
/** Best play as Python proved it: reads the tables that oddsmith/report/policy/policy_table.py writes, and finds
 * positions in them. No numbers are compared here to choose a move. */

import { compareHands, equalDiceDistribution } from "../rules/dice.mjs";
import { Hand, NO_DICE } from "../rules/values.mjs";

/** @typedef {import("../rules/game.mjs").Game} Game */
/** @typedef {import("../rules/rules.mjs").State} State */
/** @typedef {{name: string, states: number, bits: number, out: number, cells: Range[], orbits: number[][][],
 *   mixed: [place: number, ...codes: [code: number, below: number][]][]}} PhaseHead */
/** @typedef {{starts: number[], places: number[], lengths: number[], count: number}} Runs */
/** @typedef {[where: number, least: number, radix: number]} Range a cell with its least digit and how many there are */
/** @typedef {{head: PhaseHead, runs: Runs, codes: Uint8Array, first: number}} Block */
/** @typedef {{action: number, value: number, loss: number}} Worth `value` and `loss` in units of 10^-places; a loss of
 * 0 is a tie with the best as far as is proven, a positive one is one more than the rounded loss */

/** Thrown for a table that has another format or belongs to other rules. */
class TableError extends Error {}

/** Unpack gzip. @param {ArrayBuffer | Uint8Array} data @returns {Promise<Uint8Array>} */
export async function unpackGzip(data) {
  const stream = new Blob([/** @type {BlobPart} */ (data)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The head of a table as an object. It says of which kind the table is, and of which game. @param {Uint8Array} bytes
 * unpacked */
export function tableHeader(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  return JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
}

/** Reads the numbers of a table one after the other. */
export class TableReader {
  /** @param {Uint8Array} bytes @param {string} kind */
  constructor(bytes, kind) {
    this.bytes = bytes;
    this.at = 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    this.head = tableHeader(bytes);
    if (this.head.kind !== kind || this.head.version !== 1)
      throw new TableError(`this is no table of ${kind} that can be read`);
  }
  /** Return this reader; throw TableError if its table is not of this game. @param {Game} game */
  requireGame(game) {
    if (this.head.seats !== game.seats) throw new TableError("the table is for another number of players");
    for (const [name, value] of Object.entries(this.head.parameters))
      if (game.parameters[name] !== value) throw new TableError(`the table is for ${name} ${value}`);
    return this;
  }
  /** Read the next number. */
  varint() {
    let [number, times] = [0, 1];
    for (;;) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new TableError("the table breaks off");
      number += (byte & 127) * times;
      if (byte < 128) return number;
      times *= 128; // no shift: numbers go beyond 32 bits
    }
  }
  /** Read a list of numbers. @param {number} count */
  varints(count) {
    return Array.from({ length: count }, () => this.varint());
  }
  /** Read a list of whole numbers, each written as the difference from the one before. @param {number} count */
  deltas(count) {
    let number = 0;
    return Array.from({ length: count }, () => {
      const step = this.varint();
      return (number += step % 2 ? -(step + 1) / 2 : step / 2);
    });
  }
  /** Read runs of successive ranks. Each has the index of its first rank among all of them. @returns {Runs} */
  rankRuns() {
    /** @type {Runs} */
    const found = { starts: [], places: [], lengths: [], count: 0 };
    let rank = 0;
    for (let left = this.varint(); left > 0; left--) {
      rank += this.varint();
      const length = this.varint();
      found.starts.push(rank);
      found.places.push(found.count);
      found.lengths.push(length);
      rank += length;
      found.count += length;
    }
    return found;
  }
}

/** The index of a rank among those of some runs; -1 if it is not among them. @param {Runs} runs
 * @param {number} rank */
export function indexOfRank({ starts, places, lengths }, rank) {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= rank) low = middle;
    else high = middle - 1;
  }
  const step = rank - starts[low];
  return step >= 0 && step < lengths[low] ? places[low] + step : -1;
}

/** The rank at an index among those of some runs, the inverse of `indexOfRank`. @param {Runs} runs
 * @param {number} index the index */
export function rankAt({ starts, places }, index) {
  const run = places.findLastIndex((first) => first <= index);
  return starts[run] + (index - places[run]);
}

/** A state as its mover sees it: the mover is seat 0, the next seat in play order is seat 1. @param {Game} game
 * @param {State} state */
export function stateSeenFromMover(game, state) {
  const by = state.mover;
  const cells = [...state.cells];
  for (const { name, dims, kind } of game.variables) {
    const own = game.cellNumbers(name);
    const turn = dims[0] === "seat" ? (own.length / game.seats) * by : 0;
    own.forEach((where, place) => {
      const value = state.cells[own[(place + turn) % own.length]];
      cells[where] = kind === "seat" ? (value - by + game.seats) % game.seats : value;
    });
  }
  const out = ((state.out >> by) | (state.out << (game.seats - by))) & ((1 << game.seats) - 1);
  return { cells, out };
}

/** Complete a position that was seen from its mover: fill in the totals and the seats of the other sides, and turn it
 * back to real seats. If the game has sides, they determine who is to move.
 * @param {Game} game @param {{head: any, blocks: Map<string, {head: {cells: Range[]}}>}} policy
 * @param {State} seen seats counted from the mover; `mover` where no side tells it @returns {State} */
export function completePosition(game, policy, { phase, mover, cells, out }) {
  const block = policy.blocks.get(phase);
  const told = block?.head.cells.find(([where]) => game.cells[where].variable.name === game.sides[0]);
  if (told) {
    const by = cells[told[0]];
    mover = (game.seats - by) % game.seats;
    game.sides.forEach((side, place) => (cells[game.cellNumbers(side)[0]] = (by + place) % game.seats));
  }
  for (const [cell, others, total] of policy.head.given)
    cells[cell] =
      total - others.reduce((/** @type {number} */ sum, /** @type {number} */ where) => sum + cells[where], 0);
  if (!mover) return { phase, mover, out, cells };
  // Back to their places.
  return { phase, mover, ...stateSeenFromMover(game, { phase, mover: game.seats - mover, out, cells }) };
}

/** Every hand that a cell can hold, in order. @param {import("../rules/game.mjs").Cell} cell */
function possibleHandsOfCell(cell) {
  /** @type {Map<string, Hand>} */
  let hands = new Map([[NO_DICE.key, NO_DICE]]);
  for (const [die, count] of cell.dice) {
    /** @type {Map<string, Hand>} */
    const longer = new Map();
    for (let size = 0; size <= count; size++)
      for (const [part] of equalDiceDistribution(size, die).hands)
        for (const hand of hands.values()) {
          const both = hand.plus(part);
          longer.set(both.key, both);
        }
    hands = longer;
  }
  return [...hands.values()].sort(compareHands);
}

/** Converts the contents of cells to digits and ranks, and back. */
export class CellDigits {
  /** @type {Map<number, {all: Hand[], numbers: Map<string, number>}>} */
  #found = new Map();

  /** @param {Game} game */
  constructor(game) {
    this.game = game;
  }

  /** The digit of a value in a cell. @param {number} cellIndex @param {any} value */
  digit(cellIndex, value) {
    const { variable, least } = this.game.cells[cellIndex];
    if (variable.kind === "word") return variable.words.indexOf(value);
    if (!(value instanceof Hand)) return Number(value) - (variable.kind === "number" ? least : 0);
    return this.#hands(cellIndex).numbers.get(value.key) ?? -1;
  }

  /** The value that a digit stands for. @param {number} cellIndex @param {number} digit */
  value(cellIndex, digit) {
    const { variable, least } = this.game.cells[cellIndex];
    if (variable.kind === "word") return variable.words[digit];
    if (variable.kind === "flag") return digit === 1;
    if (variable.kind === "hand") return this.#hands(cellIndex).all[digit];
    return digit + (variable.kind === "number" ? least : 0);
  }

  /** The rank of the contents of some cells; -1 if one of them is out of range. @param {Range[]} ranges
   * @param {any[]} cells */
  rank(ranges, cells) {
    let rank = 0;
    for (const [where, least, radix] of ranges) {
      const digit = this.digit(where, cells[where]) - least;
      if (!(digit >= 0 && digit < radix)) return -1;
      rank = rank * radix + digit;
    }
    return rank;
  }

  /** Set cells to the contents that a rank stands for. @param {Range[]} ranges @param {number} rank
   * @param {any[]} cells */
  fillCells(ranges, rank, cells) {
    for (const [where, least, radix] of ranges.toReversed()) {
      const digit = rank % radix;
      rank = (rank - digit) / radix;
      cells[where] = this.value(where, least + digit);
    }
  }

  /** All hands that a cell can hold, in order, and the place of each by its key. @param {number} cellIndex */
  #hands(cellIndex) {
    let found = this.#found.get(cellIndex);
    if (!found) {
      const all = possibleHandsOfCell(this.game.cells[cellIndex]);
      this.#found.set(cellIndex, (found = { all, numbers: new Map(all.map((hand, number) => [hand.key, number])) }));
    }
    return found;
  }
}

/** The table of best play of one game at one setting. */
export class PolicyTable {
  /** @param {Uint8Array} bytes unpacked @param {Game} game */
  constructor(bytes, game) {
    const reader = new TableReader(bytes, "policy").requireGame(game);
    this.head = reader.head;
    this.game = game;
    /** @type {Map<string, Block>} */
    this.blocks = new Map();
    this.decisions = 0;
    for (const head of this.head.phases) this.blocks.set(head.name, this.#readBlock(reader, head));
    this.digits = new CellDigits(game);
  }

  /** Read the part of the table about one phase. @param {TableReader} reader @param {PhaseHead} head @returns
   * {Block} */
  #readBlock(reader, head) {
    const runs = reader.rankRuns();
    const size = Math.ceil((head.states * head.bits) / 8);
    const codes = reader.bytes.subarray(reader.at, reader.at + size);
    if (runs.count !== head.states || codes.length !== size) throw new TableError("the table breaks off");
    reader.at += size;
    const first = this.decisions;
    this.decisions += head.states;
    return { head, runs, codes, first };
  }

  /** The position of a decision of the table, by its number among all decisions. @param {number} number
   * @returns {State} */
  positionAt(number) {
    const block = [...this.blocks.values()].findLast(({ first }) => first <= number);
    if (!block || number - block.first >= block.head.states) throw new TableError("there is no such decision");
    const { head } = block;
    let rank = rankAt(block.runs, number - block.first);
    const digit = (/** @type {number} */ radix) => {
      const found = rank % radix;
      rank = (rank - found) / radix;
      return found;
    };
    const mover = digit(this.head.copies);
    const out = digit(head.out) << 1;
    const cells = [...this.game.start];
    this.digits.fillCells(head.cells, rank, cells);
    return completePosition(this.game, this, { phase: head.name, mover, out, cells });
  }

  /** The entry of a position in the table; null if best play and its deviations never reach it.
   * @param {State} state @returns {{block: Block, place: number} | null} */
  entryAt(state) {
    const block = this.blocks.get(state.phase);
    if (!block) return null;
    const { head } = block;
    const { cells, out } = stateSeenFromMover(this.game, state);
    this.#sortOrbits(head, cells);
    let rank = this.digits.rank(head.cells, cells);
    if (rank < 0 || out >> 1 >= head.out) return null;
    rank = rank * head.out + (out >> 1);
    if (this.head.copies > 1) rank = rank * this.head.copies + state.mover;
    const place = indexOfRank(block.runs, rank);
    return place < 0 ? null : { block, place };
  }

  /** Reorder the contents of symmetric cells in place, to the order that the table has. The table holds one of all
   * positions that differ by this order alone. @param {PhaseHead} head @param {any[]} cells */
  #sortOrbits(head, cells) {
    for (const orbit of head.orbits) {
      const held = orbit.map((member) => member.map((where) => cells[where]));
      const codes = held.map((values, i) =>
        values.map((value, k) =>
          typeof value === "string"
            ? value
            : value instanceof Hand
              ? this.digits.digit(orbit[i][k], value)
              : Number(value),
        ),
      );
      const order = held.map((_, i) => i);
      order.sort((a, b) => {
        const k = codes[a].findIndex((code, at) => code !== codes[b][at]);
        return k < 0 ? 0 : codes[a][k] < codes[b][k] ? -1 : 1;
      });
      orbit.forEach((member, i) => member.forEach((where, k) => (cells[where] = held[order[i]][k])));
    }
  }

  /** The index of the best action among the legal ones; null if the table does not say. `randomBelow` gives random
   * whole numbers from 0 to below a bound, for states in which best play mixes.
   * @param {State} state @param {(bound: number) => number} [randomBelow] */
  best(state, randomBelow) {
    const entry = this.entryAt(state);
    if (!entry) return null;
    const { block, place } = entry;
    const [, ...mixed] = block.head.mixed.find(([at]) => at === place) ?? [place];
    if (mixed.length && randomBelow) {
      const drawn = randomBelow(2 ** 32);
      return mixed.find(([, limit]) => drawn < limit)?.[0] ?? null;
    }
    const { bits } = block.head;
    let code = 0;
    for (let bit = 0; bit < bits; bit++) {
      const at = place * bits + bit;
      code |= ((block.codes[at >> 3] >> (at & 7)) & 1) << bit;
    }
    return code;
  }
}

/** The values of actions, to be shown: of every decision, or of a few. */
export class ActionValueTable {
  /** @param {Uint8Array} bytes unpacked @param {PolicyTable} policy */
  constructor(bytes, policy) {
    const reader = new TableReader(bytes, "values");
    if (reader.head.bundle !== policy.head.bundle) throw new TableError("the values are of other rules");
    this.policy = policy;
    /** @type {number} */
    this.places = reader.head.places;
    /** @type {[where: number, top: number, bottom: number][]} payoffs that the values leave out because they are
     * certain */
    this.has = reader.head.has;
    /** @type {number[]} the decisions with values, by their numbers among all */
    this.decisions = reader.head.decisions ?? Array.from({ length: policy.decisions }, (_, number) => number);
    /** @type {Map<number, {best: number, losses: number[]}>} */
    this.told = new Map();
    let best = 0;
    for (const number of this.decisions) {
      const step = reader.varint();
      best += step % 2 ? -(step + 1) / 2 : step / 2;
      this.told.set(number, { best, losses: Array.from({ length: reader.varint() }, () => reader.varint()) });
    }
  }

  /** The value of the best action of a position, and the coded loss of each action; undefined if the table has none.
   * @param {State} state */
  #storedAt(state) {
    const entry = this.policy.entryAt(state);
    return entry ? this.told.get(entry.block.first + entry.place) : undefined;
  }

  /** The expected payoff of the mover over the whole game under best play, including what is certain already; null if
   * it is not known. @param {State} state */
  expectedPayoff(state) {
    const told = this.#storedAt(state);
    if (!told) return null;
    const { game } = this.policy;
    const { cells } = stateSeenFromMover(game, state);
    const { cells: start } = stateSeenFromMover(game, { ...state, cells: game.start });
    const unit = 10 ** this.places;
    const sure = this.has.map(([where, top, bottom]) => ((cells[where] - start[where]) * top * unit) / bottom);
    return Math.round(told.best + sure.reduce((sum, one) => sum + one, 0));
  }

  /** The values of the actions of a position, in the order of the legal actions; null if they are not known.
   * @param {State} state
   * @returns {Worth[] | null} */
  actionValues(state) {
    const told = this.#storedAt(state);
    if (!told) return null;
    const sign = this.policy.head.goal === "min" ? -1 : 1;
    return told.losses.map((code, action) => {
      const lack = code ? Math.floor((code - 1) / 3) : 0;
      return { action, loss: code ? lack + ((code - 1) % 3) : 0, value: told.best - sign * lack };
    });
  }
}
