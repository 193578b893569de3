// @ts-check
/** A bag that two browsers shuffle, and what is drawn from it. First each browser masks and shuffles all items, one
 * after the other. For a draw, everybody who may not see it takes the own mask off, so that the others can read it. At
 * the end all tell their secret numbers, and everybody checks who shuffled what, and what was taken off. */

import { keyOfValue } from "../rules/values.mjs";
import { RecordError } from "../table/record.mjs";
import { arePoints, cardPoint, CardMask } from "./cards.mjs";
import { secretNumber } from "./numbers.mjs";

/** @typedef {import("../rules/rules.mjs").Rules} Rules */
/** @typedef {import("../rules/rules.mjs").State} State */
/** @typedef {[item: any, count: number][]} Contents of a bag */

const PART = 8; // points in one entry, because messages are short
const LARGEST = 200; // items of a bag that is shuffled

/** What tells the secret number of a deck apart from those of a roll and of a choice, which have 0 and 1. */
export const DECK = 2;

/** The name of the bag that a position draws from, if some phase draws from this bag in secret; else null.
 * @param {Rules} rules
 * @param {State} state @returns {string | null} */
export function secretlyDrawnBag(rules, { phase }) {
  const { phases } = rules.game.bundle;
  const [first] = phases[phase]?.throws ?? [];
  if (first?.kind !== "draw") return null;
  const secret = Object.keys(rules.seeing).some((name) =>
    (phases[name].throws ?? []).some((/** @type {any} */ one) => one.kind === "draw" && one.bag === first.bag),
  );
  return secret ? first.bag : null;
}

/** The items of a bag, each with how many of it are left in a position. @param {Rules} rules @param {State} state
 * @param {string} bagName @returns {Contents} */
export function bagContents(rules, state, bagName) {
  const context = rules.context(state);
  const items = [...rules.game.layout[bagName].dims[0].keys()];
  return items.map((item) => [item, context.cells[context.cellNumber(bagName, [item])]]);
}

/** The number of items in a bag. @param {Contents} contents */
export const countBagItems = (contents) => contents.reduce((sum, [, count]) => sum + count, 0);

/** A bag that was shuffled, or is being shuffled. */
export class Deck {
  /** @param {string} bagName @param {number} firstEntryIndex the place of its first entry @param {string} deckId
   * @param {readonly number[]} seats in the order in which they shuffle @param {Map<string, any>} items by point */
  constructor(bagName, firstEntryIndex, deckId, seats, items) {
    this.bag = bagName;
    this.at = firstEntryIndex;
    this.round = deckId;
    this.seats = seats;
    this.items = items;
    /** @type {string[][]} the points before and after each shuffle */
    this.layers = [[...items.keys()].sort()];
    /** @type {string[]} points of the shuffle that is being told */
    this.part = [];
    /** @type {Map<number, CardMask>} those that are known here */
    this.masks = new Map();
    /** @type {Set<number>} seats that have told their numbers */
    this.told = new Set();
    this.drawn = 0;
    /** @type {Set<string>} points that were read */
    this.seen = new Set();
  }

  /** A deck of all items of a bag, each with points of its own. Throws RecordError if they are too many.
   * @param {string} bagName @param {number} firstEntryIndex @param {string} deckId @param {readonly number[]} seats
   * @param {Contents} contents */
  static async create(bagName, firstEntryIndex, deckId, seats, contents) {
    if (countBagItems(contents) > LARGEST) throw new RecordError("these are too many cards to shuffle", 0, true);
    /** @type {Map<string, any>} */
    const items = new Map();
    for (const [item, count] of contents)
      for (let copy = 0; copy < count; copy++) items.set(await cardPoint(deckId, keyOfValue(item), copy), item);
    return new Deck(bagName, firstEntryIndex, deckId, seats, items);
  }

  /** A deck that does not change with this one. */
  copy() {
    const made = new Deck(this.bag, this.at, this.round, this.seats, this.items);
    return Object.assign(made, { ...this, layers: [...this.layers], part: [...this.part] });
  }

  /** The seat that is to shuffle; null if all have. */
  get nextSeat() {
    return this.seats[this.layers.length - 1] ?? null;
  }

  /** The points of the shuffle of the next seat that go into its next entry; a long shuffle takes several entries.
   * @param {CardMask} mask of that seat */
  nextShufflePart(mask) {
    const { length } = this.part;
    return mask.maskAndShuffle(this.layers[this.layers.length - 1]).slice(length, length + PART);
  }

  /** Add the points of an entry to the shuffle of a seat. Throws RecordError if it is not the turn of that seat, or if
   * their number or order is wrong. @param {number} seat
   * @param {any} points @returns {boolean} whether the shuffle is complete */
  addShufflePart(seat, points) {
    const left = this.items.size - this.part.length;
    if (seat !== this.nextSeat || !arePoints(points) || points.length !== Math.min(PART, left))
      throw new RecordError("these cards are not asked for");
    this.part.push(...points);
    if (this.part.some((point, at) => at > 0 && point <= this.part[at - 1]))
      throw new RecordError("these cards are not in order");
    if (this.part.length < this.items.size) return false;
    this.layers.push(this.part);
    this.part = [];
    return true;
  }

  /** Whether the shuffle of a seat is the one that a mask gives. @param {number} seat @param {CardMask} mask */
  wasShuffledWith(seat, mask) {
    const at = this.seats.indexOf(seat);
    return mask.maskAndShuffle(this.layers[at]).join() === this.layers[at + 1].join();
  }

  /** Draw the next points of the shuffled deck. They still have all masks. @param {number} count */
  drawPoints(count) {
    this.drawn += count;
    const last = this.layers[this.layers.length - 1];
    return last.slice(this.drawn - count, this.drawn);
  }

  /** The items of points without masks, which from now on count as seen. Throws RecordError if a point is no item of
   * the deck, or was seen before.
   * @param {readonly string[]} points */
  revealItems(points) {
    return points.map((point) => {
      const item = this.items.get(point);
      if (item === undefined || this.seen.has(point)) throw new RecordError("this card is not in the deck");
      this.seen.add(point);
      return item;
    });
  }
}

/** A draw that is being made. */
export class CardDraw {
  /** @param {number} firstEntryIndex the place of its first entry @param {Deck} deck @param {number} count
   * @param {readonly number[]} seats in the order in which they are asked
   * @param {readonly number[]} keeperSeats those that keep their masks on, because they may see it */
  constructor(firstEntryIndex, deck, count, seats, keeperSeats) {
    this.at = firstEntryIndex;
    this.deck = deck;
    this.seats = seats;
    this.keepers = keeperSeats;
    this.points = deck.drawPoints(count);
    this.given = 0;
  }

  /** A draw that does not change with this one. */
  copy() {
    return Object.assign(Object.create(CardDraw.prototype), this);
  }

  /** The seat that is to add an entry; null if all have. */
  get nextSeat() {
    return this.seats[this.given] ?? null;
  }

  /** The points of this draw from which a seat has taken its mask; none if the seat keeps its mask on.
   * @param {number} seat @param {CardMask} mask of the seat */
  pointsToShow(seat, mask) {
    return this.keepers.includes(seat) ? [] : mask.unmask(this.points);
  }

  /** Replace the drawn points by those from which the next seat took its mask. Throws RecordError if another seat is
   * next, or if the points cannot be those. @param {number} seat @param {any} points as an entry has them */
  addUnmaskedPoints(seat, points) {
    if (seat !== this.nextSeat) throw new RecordError("these cards are not asked for");
    this.given += 1;
    if (!this.keepers.includes(seat)) return this.removeMaskOf(seat, points);
    if (!Array.isArray(points) || points.length) throw new RecordError("these cards must stay covered");
  }

  /** Replace the drawn points by those from which a seat took its mask. Throws RecordError if their number is wrong, or
   * if the mask of the seat is known and gives others. @param {number} seat @param {any} points */
  removeMaskOf(seat, points) {
    const mask = this.deck.masks.get(seat);
    const fits = arePoints(points) && points.length === this.points.length;
    if (!fits || (mask && mask.unmask(this.points).join() !== points.join()))
      throw new RecordError("these are not the cards that were drawn");
    this.points = points;
  }
}

/** The mask of a seat of this browser for a deck. @param {string} browserSecret of this browser @param {Deck} deck
 * @param {number} seat */
export const ownMask = async (browserSecret, { round }, seat) =>
  CardMask.fromSecretNumber(await secretNumber(browserSecret, round, DECK, seat));

/** The entry that a seat adds to a draw. @param {{deck: Deck, draw: CardDraw | null}} dealing
 * @param {string} browserSecret of this browser @param {number} seat */
export async function entryForDraw({ deck, draw }, browserSecret, seat) {
  const mask = await ownMask(browserSecret, deck, seat);
  return draw
    ? { seat: seat + 1, cards: draw.pointsToShow(seat, mask) }
    : { seat: seat + 1, deck: deck.nextShufflePart(mask) };
}
