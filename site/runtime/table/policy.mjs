// @ts-check
/** Best play as Python proved it: reads the tables that oddsmith/report/policy/policy_table.py writes, and finds a
 * position in them. No number is compared here to choose a move. */

import { compareHands, likeDiceDistribution } from "../rules/dice.mjs";
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

/** A table in another form than this reads, or of other rules. */
class TableError extends Error {}

/** Unpack gzip. @param {ArrayBuffer | Uint8Array} data @returns {Promise<Uint8Array>} */
export async function unzip(data) {
  const stream = new Blob([/** @type {BlobPart} */ (data)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The head of a table, which names its game. @param {Uint8Array} bytes */
export function headOf(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  return JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
}

/** Reads the numbers of a table one after the other. */
export class Reader {
  /** @param {Uint8Array} bytes @param {string} kind */
  constructor(bytes, kind) {
    this.bytes = bytes;
    this.at = 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    this.head = headOf(bytes);
    if (this.head.kind !== kind || this.head.version !== 1)
      throw new TableError(`this is no table of ${kind} that can be read`);
  }
  /** This reader, if its table is of a game; throws TableError if not. @param {Game} game */
  requireGame(game) {
    if (this.head.seats !== game.seats) throw new TableError("the table is for another number of players");
    for (const [name, value] of Object.entries(this.head.parameters))
      if (game.parameters[name] !== value) throw new TableError(`the table is for ${name} ${value}`);
    return this;
  }
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
  /** So many numbers. @param {number} count */
  varints(count) {
    return Array.from({ length: count }, () => this.varint());
  }
  /** So many whole numbers, each written as its distance from the one before. @param {number} count */
  deltas(count) {
    let number = 0;
    return Array.from({ length: count }, () => {
      const step = this.varint();
      return (number += step % 2 ? -(step + 1) / 2 : step / 2);
    });
  }
  /** Runs of successive ranks, each with the place of its first among all. @returns {Runs} */
  runs() {
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

/** The place of a rank among those of some runs; -1 where it is none of them. @param {Runs} runs
 * @param {number} rank */
export function placeOf({ starts, places, lengths }, rank) {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= rank) low = middle;
    else high = middle - 1;
  }
  const step = rank - starts[low];
  return step >= 0 && step < lengths[low] ? places[low] + step : -1;
}

/** The rank at a place, the inverse of `placeOf`. @param {Runs} runs @param {number} place */
export function rankAt({ starts, places }, place) {
  const run = places.findLastIndex((first) => first <= place);
  return starts[run] + (place - places[run]);
}

/** A state as its mover sees it: the mover is seat 0, the next in play order seat 1. @param {Game} game
 * @param {State} state */
export function seenFromMover(game, state) {
  const by = state.mover;
  const cells = [...state.cells];
  for (const { name, dims, kind } of game.variables) {
    const own = game.cellsOf(name);
    const turn = dims[0] === "seat" ? (own.length / game.seats) * by : 0;
    own.forEach((where, place) => {
      const value = state.cells[own[(place + turn) % own.length]];
      cells[where] = kind === "seat" ? (value - by + game.seats) % game.seats : value;
    });
  }
  const out = ((state.out >> by) | (state.out << (game.seats - by))) & ((1 << game.seats) - 1);
  return { cells, out };
}

/** The position that a mover sees, with what follows filled in: totals, and where the other sides sit. One side tells
 * who is to move.
 * @param {Game} game @param {{head: any, blocks: Map<string, {head: {cells: Range[]}}>}} policy
 * @param {State} seen seats counted from the mover; `mover` where no side tells it @returns {State} */
export function fillPosition(game, policy, { phase, mover, cells, out }) {
  const block = policy.blocks.get(phase);
  const told = block?.head.cells.find(([where]) => game.cells[where].variable.name === game.sides[0]);
  if (told) {
    const by = cells[told[0]];
    mover = (game.seats - by) % game.seats;
    game.sides.forEach((side, place) => (cells[game.cellsOf(side)[0]] = (by + place) % game.seats));
  }
  for (const [cell, others, total] of policy.head.given)
    cells[cell] =
      total - others.reduce((/** @type {number} */ sum, /** @type {number} */ where) => sum + cells[where], 0);
  if (!mover) return { phase, mover, out, cells };
  // Back to their places.
  return { phase, mover, ...seenFromMover(game, { phase, mover: game.seats - mover, out, cells }) };
}

/** Every hand that a cell can hold, in order. @param {import("../rules/game.mjs").Cell} cell */
function handsOf(cell) {
  /** @type {Map<string, Hand>} */
  let hands = new Map([[NO_DICE.key, NO_DICE]]);
  for (const [die, count] of cell.dice) {
    /** @type {Map<string, Hand>} */
    const longer = new Map();
    for (let size = 0; size <= count; size++)
      for (const [part] of likeDiceDistribution(size, die).hands)
        for (const hand of hands.values()) {
          const both = hand.plus(part);
          longer.set(both.key, both);
        }
    hands = longer;
  }
  return [...hands.values()].sort(compareHands);
}

/** The contents of cells as digits, and ranks that are made of them. */
export class Digits {
  /** @type {Map<number, {all: Hand[], numbers: Map<string, number>}>} */
  #found = new Map();

  /** @param {Game} game */
  constructor(game) {
    this.game = game;
  }

  /** @param {number} where @param {any} value */
  digit(where, value) {
    const { variable, least } = this.game.cells[where];
    if (variable.kind === "word") return variable.words.indexOf(value);
    if (!(value instanceof Hand)) return Number(value) - (variable.kind === "number" ? least : 0);
    return this.#hands(where).numbers.get(value.key) ?? -1;
  }

  /** What a digit stands for. @param {number} where @param {number} digit */
  value(where, digit) {
    const { variable, least } = this.game.cells[where];
    if (variable.kind === "word") return variable.words[digit];
    if (variable.kind === "flag") return digit === 1;
    if (variable.kind === "hand") return this.#hands(where).all[digit];
    return digit + (variable.kind === "number" ? least : 0);
  }

  /** The rank of what some cells hold; -1 where one holds what it never does. @param {Range[]} ranges
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

  /** Put into the cells what a rank says. @param {Range[]} ranges @param {number} rank @param {any[]} cells */
  fill(ranges, rank, cells) {
    for (const [where, least, radix] of ranges.toReversed()) {
      const digit = rank % radix;
      rank = (rank - digit) / radix;
      cells[where] = this.value(where, least + digit);
    }
  }

  /** @param {number} where */
  #hands(where) {
    let found = this.#found.get(where);
    if (!found) {
      const all = handsOf(this.game.cells[where]);
      this.#found.set(where, (found = { all, numbers: new Map(all.map((hand, number) => [hand.key, number])) }));
    }
    return found;
  }
}

/** The table of best play of one game at one setting. */
export class Policy {
  /** @param {Uint8Array} bytes unpacked @param {Game} game */
  constructor(bytes, game) {
    const reader = new Reader(bytes, "policy").requireGame(game);
    this.head = reader.head;
    this.game = game;
    /** @type {Map<string, Block>} */
    this.blocks = new Map();
    this.decisions = 0;
    for (const head of this.head.phases) this.blocks.set(head.name, this.#block(reader, head));
    this.digits = new Digits(game);
  }

  /** @param {Reader} reader @param {PhaseHead} head @returns {Block} */
  #block(reader, head) {
    const runs = reader.runs();
    const size = Math.ceil((head.states * head.bits) / 8);
    const codes = reader.bytes.subarray(reader.at, reader.at + size);
    if (runs.count !== head.states || codes.length !== size) throw new TableError("the table breaks off");
    reader.at += size;
    const first = this.decisions;
    this.decisions += head.states;
    return { head, runs, codes, first };
  }

  /** A position that the table has, by its place among all decisions. @param {number} number @returns {State} */
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
    this.digits.fill(head.cells, rank, cells);
    return fillPosition(this.game, this, { phase: head.name, mover, out, cells });
  }

  /** Where a position stands in the table; null for a position that best play and its deviations never reach.
   * @param {State} state @returns {{block: Block, place: number} | null} */
  find(state) {
    const block = this.blocks.get(state.phase);
    if (!block) return null;
    const { head } = block;
    const { cells, out } = seenFromMover(this.game, state);
    this.#sortOrbits(head, cells);
    let rank = this.digits.rank(head.cells, cells);
    if (rank < 0 || out >> 1 >= head.out) return null;
    rank = rank * head.out + (out >> 1);
    if (this.head.copies > 1) rank = rank * this.head.copies + state.mover;
    const place = placeOf(block.runs, rank);
    return place < 0 ? null : { block, place };
  }

  /** Put the members of symmetric families in order, as the table has them. @param {PhaseHead} head
   * @param {any[]} cells */
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

  /** The place of the best action among the legal ones; null where the table does not tell. `below` gives whole numbers
   * from 0 to below a bound, for the states in which the best play is left to chance.
   * @param {State} state @param {(bound: number) => number} [below] */
  best(state, below) {
    const entry = this.find(state);
    if (!entry) return null;
    const { block, place } = entry;
    const [, ...mixed] = block.head.mixed.find(([at]) => at === place) ?? [place];
    if (mixed.length && below) {
      const drawn = below(2 ** 32);
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

/** The worth of actions, to be shown: of every decision, or of a few. */
export class Values {
  /** @param {Uint8Array} bytes unpacked @param {Policy} policy */
  constructor(bytes, policy) {
    const reader = new Reader(bytes, "values");
    if (reader.head.bundle !== policy.head.bundle) throw new TableError("the values are of other rules");
    this.policy = policy;
    /** @type {number} */
    this.places = reader.head.places;
    /** @type {[where: number, top: number, bottom: number][]} what the values leave out, for it is certain */
    this.has = reader.head.has;
    /** @type {number[]} the decisions that are told, by their places among all */
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

  /** @param {State} state */
  #storedAt(state) {
    const entry = this.policy.find(state);
    return entry ? this.told.get(entry.block.first + entry.place) : undefined;
  }

  /** What the mover can expect of the whole game under best play, with what is certain already; null where nobody
   * knows. @param {State} state */
  expected(state) {
    const told = this.#storedAt(state);
    if (!told) return null;
    const { game } = this.policy;
    const { cells } = seenFromMover(game, state);
    const { cells: start } = seenFromMover(game, { ...state, cells: game.start });
    const unit = 10 ** this.places;
    const sure = this.has.map(([where, top, bottom]) => ((cells[where] - start[where]) * top * unit) / bottom);
    return Math.round(told.best + sure.reduce((sum, one) => sum + one, 0));
  }

  /** The actions of a position by their places among the legal ones. @param {State} state @returns {Worth[] | null} */
  advise(state) {
    const told = this.#storedAt(state);
    if (!told) return null;
    const sign = this.policy.head.goal === "min" ? -1 : 1;
    return told.losses.map((code, action) => {
      const lack = code ? Math.floor((code - 1) / 3) : 0;
      return { action, loss: code ? lack + ((code - 1) % 3) : 0, value: told.best - sign * lack };
    });
  }
}
