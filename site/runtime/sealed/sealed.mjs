// @ts-check
/** Games with secrets, in which no browser knows more than its players may. A table keeps a list of entries, from which
 * everybody works out what they may know. For a roll, the browsers of all seats first commit to numbers by their
 * hashes, and then show the numbers. A browser whose seat may see the roll keeps its number back, so nobody else can
 * compute the roll, and nobody can choose it. A choice that others may not see is stored as a hash. Covered rolls and
 * choices are opened if play cannot go on without them, the newest first. All are opened when the game is over, so that
 * everybody can check them. A bag of which somebody draws in secret is shuffled by all, as decks.mjs has it. */

import {
  commonCells,
  observationsOfChoice,
  possibleOccurrences,
  positionKey,
  publicObservationText,
  observationTextOf,
} from "../rules/observations.mjs";
import { RuleFailure } from "../rules/values.mjs";
import {
  actionsAt,
  makeChoiceEntry,
  checkedActionsAt,
  RecordError,
  applyEntry,
  makeRollEntry,
} from "../table/record.mjs";
import { RollBookStorage } from "./book.mjs";
import { CardMask } from "./cards.mjs";
import { bagContents, entryForDraw, Deck, DECK, CardDraw, ownMask, secretlyDrawnBag, countBagItems } from "./decks.mjs";
import { numberCommitment, secretNumber, playWithSeed, rollId, choiceCommitment, seedOfRoll } from "./numbers.mjs";

/** @typedef {import("../table/settings.mjs").Ready} Ready */
/** @typedef {import("../table/record.mjs").Entry} Entry */
/** @typedef {import("../table/sight.mjs").Seen} Seen */
/** @typedef {import("../rules/rules.mjs").State} State */
/** @typedef {any} Sealing an entry of such a table, which somebody else may have written: `{seat, promise}` and `{seat,
 * number}` of a roll, `{seat, choose, with}` and `{seat, sealed}` of a choice, `{seat, opens, number}` and `{seat,
 * opens, choose, with, salt}` of what was covered; `opens` is the place of its first entry. `{seat, deck}` of a bag
 * that is shuffled, `{seat, cards}` of a draw; `{seat, opens, number}` and `{seat, opens, cards}` open them */
/** @typedef {{at: number, round: string, seats: number[], roll: boolean, draw?: CardDraw, deck?: boolean}} Covered
 * `seats`: who can open it, from 0; `draw`, `deck`: what is to be opened, if it is no roll and no choice */
/** @typedef {{at: number, round: string, promises: Map<number, string>, numbers: Map<number, string>, keepers:
 * readonly number[]}} Roll that is being made; `keepers`: the seats that keep their numbers, because they may see it */
/** @typedef {{secret: string, seats: readonly number[]}} Own what the browser here knows beside the entries */
/** @typedef {{id: string, rules: string, setting: string}} Table where the entries are kept */
/** @typedef {{deck: Deck, draw: CardDraw | null, begun: boolean}} Dealing a draw that is due; no `draw` before the bag
 * is shuffled; `begun`: whether whoever is to draw has done so */
/** @typedef {{positions: State[], moves: Seen[], covered: Covered[], roll: Roll | null, dealing: Dealing | null, decks:
 * Deck[], stuck: boolean, lost: boolean}}
 * Followed `positions`: all that are possible; `stuck`: play cannot go on before something is opened; `lost`: a number
 * or choice of this seat was made in another browser, so this one does not know it */
/** @typedef {{state: State, moves: Seen[], actions: import("../rules/rules.mjs").Action[] | null, busy: boolean, waits:
 * number[], duty: Sealing | null, lost: boolean}} SealedPosition as one person sees it; `busy`: nobody is to choose or
 * to roll now; `waits`: for the browsers of these seats; `duty`: what the browser here has to add by itself; `lost`: it
 * can do nothing, because something of its own is in another one */
/** @typedef {Pick<SealedPosition, "state" | "actions"> & {busy?: boolean, lost?: boolean}} Choosing */

const MAX_POSITIONS = 50_000; // the most positions that may be possible; a game with more does not go on

/** The exact fields of each kind of entry, sorted. */
const ENTRIES = [
  "promise,seat",
  "number,seat",
  "choose,seat,with",
  "sealed,seat",
  "number,opens,seat",
  "choose,opens,salt,seat,with",
  "deck,seat",
  "cards,seat",
  "cards,opens,seat",
];
const FOLLOWED = 30; // the most followers that are kept, one for each table and set of seats
const DIGEST = /^[0-9a-f]{64}$/;

/** @type {Own} */
const NOBODY = { secret: "", seats: [] };

/** The secrets of a browser, and what it may know of tables. */
export class SealedGames {
  /** @param {Storage} storage @param {string} [storageKey] in it, below which every table has secrets of its own */
  constructor(storage, storageKey = "oddsmith/sealed") {
    this.storage = storage;
    this.place = storageKey;
    /** @type {Map<string, LogFollower>} who followed a table last, by the table and the seats that looked */
    this.followers = new Map();
  }

  /** Compute all positions that fit what some seats know of a log. It continues the last call if the log has only
   * grown. Throws RecordError, with the number of the entry, at the first entry that is not possible.
   * @param {Ready} loadedGame @param {Table} table
   * @param {readonly Sealing[]} log @param {Own} ownSecrets @returns {Promise<Followed>} */
  async #followLog(loadedGame, table, log, ownSecrets) {
    const key = `${gameKey(table)} ${ownSecrets.seats.join()}`;
    const last = this.followers.get(key);
    this.followers.delete(key); // until it is done: who looks meanwhile begins anew
    const follower = last?.isPrefixOf(loadedGame, log, ownSecrets)
      ? last
      : new LogFollower(loadedGame, table, log, ownSecrets);
    const found = await follower.followToEnd(log);
    this.followers.set(key, follower);
    for (const oldest of [...this.followers.keys()].slice(0, -FOLLOWED)) this.followers.delete(oldest);
    return found;
  }

  /** The tables of which something is kept, the most recent last. @returns {string[]} */
  #tables() {
    return JSON.parse(this.storage.getItem(this.place) ?? "[]");
  }

  /** Where the storage keeps the book of a table. The table becomes the most recent one. In its book, `open` has the
   * entries that were seen. @param {string} table
   * @returns {RollBookStorage<never, string[]>} */
  #bookStorageOf(table) {
    const before = this.#tables();
    const now = [...before.filter((one) => one !== table), table];
    if (before.at(-1) !== table) this.storage.setItem(this.place, JSON.stringify(now));
    return new RollBookStorage(this.storage, `${this.place}/${table}`);
  }

  /** Forget the secrets of all tables but those that a function returns, given the ids of all tables.
   * @param {(tables: string[]) => readonly string[]} tablesToKeep */
  forgetOtherTables(tablesToKeep) {
    const before = this.#tables();
    const left = tablesToKeep(before);
    for (const table of before) if (!left.includes(table)) this.storage.removeItem(`${this.place}/${table}`);
    this.storage.setItem(this.place, JSON.stringify(left));
  }

  /** The secret of this browser for a table. @param {string} table */
  #secret(table) {
    const books = this.#bookStorageOf(table);
    const book = books.load(table);
    books.save(book);
    return book.secret;
  }

  /** Whether a table still has the game and all entries that it had when this browser last saw it; if so, remember the
   * new entries. @param {Table} table
   * @param {readonly Sealing[]} log */
  extendsLastSeen(table, log) {
    const books = this.#bookStorageOf(table.id);
    const book = books.load(table.id);
    const texts = [gameKey(table), ...log.map((entry) => JSON.stringify(entry))];
    const same = (book.open ?? []).every((entry, place) => entry === texts[place]);
    if (same) books.save({ ...book, open: texts });
    return same;
  }

  /** The position after a log, as some seats together see it. Throws RecordError if an entry is not possible.
   * @param {Ready} loadedGame
   * @param {Table} table @param {readonly Sealing[]} log @param {readonly number[]} seats whose secrets are in this
   * browser; none: what all see
   * @returns {Promise<SealedPosition>} */
  async position(loadedGame, table, log, seats) {
    const own = seats.length ? { secret: this.#secret(table.id), seats } : NOBODY;
    const all = await this.#followLog(loadedGame, table, log, NOBODY);
    const seen = seats.length ? await this.#followLog(loadedGame, table, log, own) : all;
    const over = all.positions.every(({ phase }) => !phase);
    const due = all.stuck ? newestCovered(all) : over ? allCovered(all) : [];
    const { roll, dealing } = all;
    const next = dealing ? seatsToDeal(dealing) : roll ? seatsToWaitFor(loadedGame, roll) : [];
    const waits = due.length ? due.flatMap((one) => one.seats) : next;
    const [state] = seen.positions;
    const busy = waits.length > 0;
    const mine = waits.filter((seat) => seats.includes(seat));
    const duty =
      mine.length && !seen.lost ? await this.#dueEntry(loadedGame, table, log, own, mine[0], due, all) : null;
    const lost = seen.lost || (mine.length > 0 && !duty);
    return {
      state: { ...state, cells: commonCells(seen.positions) },
      moves: seen.moves,
      actions: busy || lost ? null : actionsAt(loadedGame, state),
      busy,
      lost,
      waits: [...new Set(waits)],
      duty,
    };
  }

  /** All entries that the browser of some seats has to add by itself before it waits for others. If one of them breaks
   * the rules, it is the last. @param {Ready} loadedGame
   * @param {Table} table @param {readonly Sealing[]} log @param {readonly number[]} seats
   * @returns {Promise<Sealing[]>} */
  async dueEntries(loadedGame, table, log, seats) {
    const longer = [...log];
    for (;;) {
      const duty = await this.position(loadedGame, table, longer, seats).then(
        (found) => found.duty,
        (error) => {
          if (longer.length > log.length && error instanceof RecordError && error.broken) return null;
          throw error;
        },
      );
      if (!duty) return longer.slice(log.length);
      longer.push(duty);
    }
  }

  /** The entry that the browser of a seat has to add; null if its secret is not in this browser. @param {Ready}
   * loadedGame
   * @param {Table} table @param {readonly Sealing[]} log
   * @param {Own} own @param {number} seat @param {Covered[]} due @param {Followed} followed
   * @returns {Promise<Sealing | null>} null if its secret is not in this browser */
  async #dueEntry(loadedGame, table, log, { secret }, seat, due, { roll, dealing }) {
    const one = due.find(({ seats }) => seats.includes(seat));
    if (one?.draw) {
      const cards = (await ownMask(secret, one.draw.deck, seat)).unmask(one.draw.points);
      return { seat: seat + 1, opens: one.at, cards };
    }
    if (one?.deck) return { seat: seat + 1, opens: one.at, number: await secretNumber(secret, one.round, DECK, seat) };
    if (one?.roll) return { seat: seat + 1, opens: one.at, number: await secretNumber(secret, one.round, 0, seat) };
    if (one) {
      const until = log.slice(0, one.at);
      const before = await new LogFollower(loadedGame, table, until, { secret, seats: [seat] }).followToEnd(until);
      const choice = await ownChoice(loadedGame, before.positions[0], log[one.at], one.round, secret);
      return choice && { opens: one.at, ...choice, salt: await saltOfChoice(secret, one.round, seat) };
    }
    if (dealing) return entryForDraw(dealing, secret, seat);
    if (!roll) throw new Error("there is no roll");
    const number = await secretNumber(secret, roll.round, 0, seat);
    const promise = await numberCommitment(roll.round, 0, seat, number);
    if (!roll.promises.has(seat)) return { seat: seat + 1, promise };
    return roll.promises.get(seat) === promise ? { seat: seat + 1, number } : null;
  }

  /** The entry with which a player begins a roll or makes a choice; null if that is not possible. @param {Ready}
   * loadedGame
   * @param {Table} table
   * @param {readonly Sealing[]} log @param {Choosing} position @param {number | null} actionIndex of the action
   * @returns {Promise<Sealing | null>} null where that is not possible */
  async entryForAct(loadedGame, table, log, { state, actions, busy, lost }, actionIndex) {
    if (busy || lost || !state.phase) return null;
    const [secret, seat] = [this.#secret(table.id), state.mover];
    const round = await rollId(gameKey(table), log, null);
    const { dealing } = await this.#followLog(loadedGame, table, log, NOBODY);
    if (dealing) return actionIndex === null ? entryForDraw(dealing, secret, seat) : null;
    if (!actions) {
      const number = await secretNumber(secret, round, 0, seat);
      return actionIndex === null ? { seat: seat + 1, promise: await numberCommitment(round, 0, seat, number) } : null;
    }
    const action = actionIndex === null ? undefined : actions[actionIndex];
    if (!action) return null;
    const choice = makeChoiceEntry(loadedGame.game, seat, action);
    if (!isChoiceHidden(loadedGame, state)) return choice;
    return {
      seat: seat + 1,
      sealed: await choiceCommitment(round, seat, await saltOfChoice(secret, round, seat), choice),
    };
  }
}

/** A text that identifies a table and its game. Hashes contain it, so secrets of one game are never opened in another,
 * even if somebody who may write the table puts that in its place. @param {Table} table */
const gameKey = ({ id, rules, setting }) => JSON.stringify([id, rules, setting]);

/** The seats that a roll waits for. First these are seats without a commitment. Once all have committed, they are seats
 * that must still show their number. @param {Ready} loadedGame
 * @param {Roll} roll */
function seatsToWaitFor(loadedGame, { promises, numbers, keepers }) {
  const unpromised = allSeats(loadedGame).filter((seat) => !promises.has(seat));
  if (unpromised.length) return unpromised;
  return allSeats(loadedGame).filter((seat) => !keepers.includes(seat) && !numbers.has(seat));
}

/** The seat that a draw waits for, in a list; no seat if the draw was not begun or all are done.
 * @param {Dealing} dealing @returns {number[]} */
function seatsToDeal({ deck, draw, begun }) {
  const next = draw ? draw.nextSeat : deck.nextSeat;
  return begun && next !== null ? [next] : [];
}

/** What was covered last, in a list; empty if nothing is covered. Of a draw, it names only the seat that is to take its
 * mask off next. @param {Followed} followed
 * @returns {Covered[]} */
const newestCovered = ({ covered }) =>
  covered.slice(-1).map((one) => (one.draw ? { ...one, seats: one.seats.slice(0, 1) } : one));

/** Everything that must be opened when the game is over: covered rolls and choices, and decks. Draws are left out,
 * because the numbers of a deck open all draws from it.
 * @param {Followed} followed @returns {Covered[]} */
function allCovered({ covered, decks }) {
  const shut = decks.map(({ at, round, seats, told }) => ({
    at,
    round,
    seats: seats.filter((seat) => !told.has(seat)),
    roll: false,
    deck: true,
  }));
  return [...covered.filter(({ draw }) => !draw), ...shut];
}

/** All seats of a game. @param {Ready} loadedGame */
const allSeats = ({ game }) => Array.from({ length: game.seats }, (_, seat) => seat);

/** All seats of a game in play order, beginning with a seat. @param {Ready} loadedGame @param {number} first */
const seatsFrom = (loadedGame, first) => allSeats(loadedGame).map((seat) => (first + seat) % loadedGame.game.seats);

/** The seats that keep their part of a roll or draw to themselves, so that others cannot work it out. If all seats may
 * see the result, nobody does. If some may, these do. If nobody may, all do. @param {Ready} loadedGame
 * @param {readonly number[]} seatsThatSee the seats that may see the result @returns {readonly number[]} */
function secretKeeperSeats(loadedGame, seatsThatSee) {
  const all = allSeats(loadedGame);
  return all.every((seat) => seatsThatSee.includes(seat)) ? [] : seatsThatSee.length ? seatsThatSee : all;
}

/** Whether some seat may not see what is chosen in a state. @param {Ready} loadedGame @param {State} state */
const isChoiceHidden = ({ rules, game }, state) =>
  Boolean(state.together) || new Set([...rules.seenBy(state), state.mover]).size < game.seats;

/** Whether something has the shape of an entry. The rules check what it means. @param {any} value */
function isEntry(value) {
  if (typeof value !== "object" || value === null || !Number.isSafeInteger(value.seat)) return false;
  const digests = [value.promise, value.number, value.sealed, value.salt].filter((one) => one !== undefined);
  return (
    ENTRIES.includes(Object.keys(value).sort().join()) &&
    digests.every((one) => typeof one === "string" && DIGEST.test(one))
  );
}

/** The salt of the commitment to a choice. Without it, anybody could find the choice by trying all of them.
 * @param {string} browserSecret
 * @param {string} roll @param {number} seat */
const saltOfChoice = (browserSecret, roll, seat) => secretNumber(browserSecret, roll, 1, seat);

/** The choice that this browser made, found by its hash; null if another browser made it. @param {Ready} loadedGame
 * @param {State} state @param {Sealing} entry @param {string} roll @param {string} browserSecret
 * @returns {Promise<Entry | null>} */
async function ownChoice(loadedGame, state, entry, roll, browserSecret) {
  const salt = await saltOfChoice(browserSecret, roll, state.mover);
  for (const action of loadedGame.rules.actions(state)) {
    const choice = makeChoiceEntry(loadedGame.game, state.mover, action);
    if ((await choiceCommitment(roll, state.mover, salt, choice)) === entry.sealed) return choice;
  }
  return null;
}

/** Follows the entries of a table, as one set of seats sees it. */
class LogFollower {
  /** @param {Ready} loadedGame @param {Table} table @param {readonly Sealing[]} log @param {Own} ownSecrets */
  constructor(loadedGame, table, log, ownSecrets) {
    this.loadedGame = loadedGame;
    this.table = table;
    this.log = log;
    this.own = ownSecrets;
    this.positions = [loadedGame.rules.start()];
    /** @type {Seen[]} */
    this.moves = [];
    /** @type {Covered[]} */
    this.covered = [];
    /** @type {Map<number, readonly number[]>} who can open what was covered, by its place */
    this.owners = new Map();
    /** @type {Roll | null} */
    this.roll = null;
    /** @type {Dealing | null} */
    this.dealing = null;
    /** @type {Deck[]} that were shuffled, the newest last */
    this.decks = [];
    this.stuck = false;
    this.lost = false;
    this.taken = 0; // entries of the log
  }

  /** Whether another log begins with the entries that were followed, and opens nothing after them. Only then can this
   * follower continue, because an opening changes how an earlier entry is read.
   * @param {Ready} loadedGame @param {readonly Sealing[]} log @param {Own} own */
  isPrefixOf(loadedGame, log, own) {
    const { taken } = this;
    const same = this.loadedGame.rules === loadedGame.rules && this.own.secret === own.secret && taken <= log.length;
    const begins = same && log.slice(0, taken).every((one, at) => JSON.stringify(one) === JSON.stringify(this.log[at]));
    return begins && !log.slice(taken).some((one) => isEntry(one) && "opens" in one);
  }

  /** Follow a log to its end. Throws RecordError, with the number of the entry, at the first entry that is not
   * possible.
   * @param {readonly Sealing[]} log one for which `isPrefixOf` holds @returns {Promise<Followed>} */
  async followToEnd(log) {
    this.log = log;
    if (!this.taken) await this.#prepareDraw(0);
    for (; this.taken < log.length; this.taken++) {
      try {
        await this.applyEntry(this.taken, log[this.taken]);
        await this.#prepareDraw(this.taken + 1);
      } catch (error) {
        if (error instanceof RuleFailure) throw new RecordError(error.message, this.taken + 1, true);
        if (error instanceof RecordError) throw new RecordError(error.message, this.taken + 1);
        throw error;
      }
    }
    const { positions, moves, covered, roll, dealing, decks, stuck, lost } = this;
    const going = roll && { ...roll, promises: new Map(roll.promises), numbers: new Map(roll.numbers) };
    const due = dealing && { ...dealing, deck: dealing.deck.copy(), draw: dealing.draw && dealing.draw.copy() };
    const kept = { moves: [...moves], covered: [...covered], decks: [...decks] };
    return { positions, ...kept, roll: going, dealing: due, stuck, lost };
  }

  /** Apply one entry to what is known. Throws RecordError if it is not possible now.
   * @param {number} at its place in the log @param {Sealing} entry */
  async applyEntry(at, entry) {
    if (!isEntry(entry)) throw new RecordError("this is no entry");
    if ("opens" in entry) return this.#checkOpening(at, entry);
    const [state] = this.positions;
    if (this.stuck) throw new RecordError("something has to be opened first");
    if (!state.phase) throw new RecordError("the game is over");
    if (this.dealing) return this.#takeDrawEntry(at, entry, this.dealing);
    const rolls = this.loadedGame.rules.actorKind(state) === "roll";
    if ("promise" in entry && rolls) return this.#takePromise(at, entry);
    if ("number" in entry && rolls) return this.#takeNumber(entry);
    if (rolls || this.roll) throw new RecordError("there must be a roll here");
    if ("sealed" in entry) return this.#takeSealedChoice(at, entry);
    if (isChoiceHidden(this.loadedGame, state)) throw new RecordError("this choice must be covered");
    this.#stepAll((position) => applyEntry(this.loadedGame, position, entry));
  }

  /** The entry by which a seat opens something; undefined if there is none. @param {number} at @param {number} seat
   * @returns {Sealing | undefined} */
  #openingEntry(at, seat) {
    return this.log.find((one) => one?.opens === at && one.seat === seat + 1);
  }

  /** Whether an opening is the first of its seat for the same covered entry. @param {number} at the place of the
   * opening */
  #isFirstOpening(at) {
    const { opens, seat } = this.log[at];
    return this.log.findIndex((one) => one?.opens === opens && one.seat === seat) === at;
  }

  /** Check that an entry may open something. Its content was read where the covered entry stands. @param {number} at
   * @param {Sealing} entry */
  #checkOpening(at, entry) {
    const { opens, seat } = entry;
    const first = this.#isFirstOpening(at);
    const early = this.decks.some((deck) => deck.at === opens) && this.positions.some(({ phase }) => phase);
    if (!first || early || !this.owners.get(opens)?.includes(seat - 1))
      throw new RecordError("there is nothing to open");
  }

  /** Prepare a draw from a bag that is shuffled, if one is due. @param {number} at the place of its first entry */
  async #prepareDraw(at) {
    const { positions, dealing, loadedGame } = this;
    const { rules } = loadedGame;
    const [state] = positions;
    if (dealing || this.stuck || !state.phase || rules.actorKind(state) !== "roll") return;
    const bag = secretlyDrawnBag(rules, state);
    if (!bag) return;
    const contents = bagContents(rules, state, bag);
    const last = this.decks.findLast((deck) => deck.bag === bag);
    const left = last ? last.items.size - last.drawn : -1;
    if (last && countBagItems(contents) === left) {
      this.dealing = { deck: last, draw: this.#newDraw(at, last, contents), begun: false };
      return;
    }
    const texts = positions.map((position) => JSON.stringify(bagContents(rules, position, bag)));
    if (new Set(texts).size > 1) throw new RuleFailure("", "what is in a bag is covered, so nobody can shuffle it");
    const seats = seatsFrom(loadedGame, state.mover);
    const round = await rollId(gameKey(this.table), this.log.slice(0, at), null);
    this.dealing = { deck: await Deck.create(bag, at, round, seats, contents), draw: null, begun: false };
  }

  /** A draw in the position that was reached. @param {number} at @param {Deck} deck
   * @param {[item: any, count: number][]} contents of the bag, in one of the positions */
  #newDraw(at, deck, contents) {
    const { rules, game } = this.loadedGame;
    const [state] = this.positions;
    const count = game.bundle.phases[state.phase].throws.length;
    if (countBagItems(contents) < count) throw new RuleFailure("OD532", `nothing is left in ${deck.bag} to draw`);
    if (deck.items.size ** count > MAX_POSITIONS) throw new RuleFailure("", "more lies covered than can be followed");
    const seats = seatsFrom(this.loadedGame, state.mover);
    return new CardDraw(at, deck, count, seats, secretKeeperSeats(this.loadedGame, rules.seenBy(state)));
  }

  /** Apply an entry to the draw that is due: a part of a shuffle, or points without a mask. @param {number} at
   * @param {Sealing} entry @param {Dealing} dealing */
  async #takeDrawEntry(at, entry, dealing) {
    const { deck, draw } = dealing;
    const seat = entry.seat - 1;
    if (!((draw ? "cards" : "deck") in entry)) throw new RecordError("cards are to be drawn here");
    dealing.begun = true;
    if (draw) {
      draw.addUnmaskedPoints(seat, entry.cards);
      return draw.nextSeat === null ? this.#finishDraw(draw) : undefined;
    }
    if (deck.addShufflePart(seat, entry.deck)) await this.#learnMask(deck, seat);
    if (deck.nextSeat !== null) return;
    this.owners.set(deck.at, deck.seats);
    this.decks.push(deck);
    dealing.draw = this.#newDraw(at + 1, deck, bagContents(this.loadedGame.rules, this.positions[0], deck.bag));
  }

  /** Remember the mask of a seat for a deck, if its secret number was opened or is known here. Throws RecordError if an
   * opened number does not give the shuffle of the seat. @param {Deck} deck @param {number} seat */
  async #learnMask(deck, seat) {
    const opening = this.#openingEntry(deck.at, seat);
    if (!opening && !this.own.seats.includes(seat)) return;
    const mask = opening
      ? await CardMask.fromSecretNumber(String(opening.number))
      : await ownMask(this.own.secret, deck, seat);
    const same = deck.wasShuffledWith(seat, mask);
    if (opening && !same) throw new RecordError("these cards were not shuffled with this number");
    this.lost ||= !same;
    if (same) deck.masks.set(seat, mask);
    if (opening) deck.told.add(seat);
  }

  /** Finish a draw for which all seats but the keepers have taken off their masks. @param {CardDraw} draw */
  async #finishDraw(draw) {
    const { at, deck, keepers } = draw;
    const { game } = this.loadedGame;
    this.dealing = null;
    this.owners.set(at, keepers);
    const opened = this.log.filter(
      (one, place) => one?.opens === at && keepers.includes(one.seat - 1) && this.#isFirstOpening(place),
    );
    for (const { seat, cards } of opened) draw.removeMaskOf(seat - 1, cards);
    const left = keepers.filter((seat) => !opened.some((one) => one.seat === seat + 1));
    const shut = left.filter((seat) => !deck.told.has(seat));
    if (shut.length) this.covered.push({ at, round: deck.round, seats: shut, roll: false, draw });
    const unseen = keepers.length === game.seats ? shut : shut.filter((seat) => !deck.masks.has(seat));
    if (unseen.length) return this.#stepCovered("throw");
    const points = left.reduce((on, seat) => /** @type {CardMask} */ (deck.masks.get(seat)).unmask(on), draw.points);
    const [state] = this.positions;
    const items = deck.revealItems(points);
    const { throws } = game.bundle.phases[state.phase];
    const values = throws.map((/** @type {any} */ one, /** @type {number} */ place) => [one.name, items[place]]);
    const entry = makeRollEntry(game, state.mover, values);
    this.#stepAll((position) => applyEntry(this.loadedGame, position, entry));
  }

  /** Take the commitment of a seat to its number. @param {number} at @param {Sealing} entry */
  async #takePromise(at, entry) {
    const { rules } = this.loadedGame;
    const sees = rules.seenBy(this.positions[0]);
    const all = allSeats(this.loadedGame);
    const keepers = secretKeeperSeats(this.loadedGame, sees);
    this.roll ??= {
      at,
      round: await rollId(gameKey(this.table), this.log.slice(0, at), null),
      promises: new Map(),
      numbers: new Map(),
      keepers,
    };
    const { promises } = this.roll;
    const seat = entry.seat - 1;
    if (!all.includes(seat) || promises.has(seat) || typeof entry.promise !== "string")
      throw new RecordError("this promise is not asked for");
    promises.set(seat, entry.promise);
    await this.#rollIfComplete();
  }

  /** Take the number that a seat shows. @param {Sealing} entry */
  async #takeNumber(entry) {
    const { roll } = this;
    const seat = entry.seat - 1;
    const all = allSeats(this.loadedGame);
    if (!roll || roll.promises.size < all.length || roll.numbers.has(seat) || roll.keepers.includes(seat))
      throw new RecordError("this number is not asked for");
    await this.#checkNumber(roll, seat, entry.number);
    roll.numbers.set(seat, entry.number);
    await this.#rollIfComplete();
  }

  /** Check a number against its commitment. @param {Roll} roll @param {number} seat @param {any} number */
  async #checkNumber({ round, promises }, seat, number) {
    if (typeof number !== "string" || (await numberCommitment(round, 0, seat, number)) !== promises.get(seat))
      throw new RecordError("this number is not the one that was promised");
  }

  /** Make the roll if all commitments are there, and all numbers but those that the keepers keep back. */
  async #rollIfComplete() {
    const { roll } = this;
    const all = allSeats(this.loadedGame);
    if (!roll || roll.promises.size < all.length || roll.numbers.size < all.length - roll.keepers.length) return;
    this.roll = null;
    const { at, round, keepers } = roll;
    const numbers = new Map(roll.numbers);
    const left = keepers.filter((seat) => !this.#openingEntry(at, seat));
    this.owners.set(at, keepers);
    for (const seat of keepers) {
      const opening = this.#openingEntry(at, seat);
      if (opening) await this.#checkNumber(roll, seat, opening.number);
      const number = opening ? opening.number : await this.#ownNumber(roll, seat);
      if (number !== null) numbers.set(seat, number);
    }
    if (left.length) this.covered.push({ at, round, seats: left, roll: true });
    if (numbers.size < all.length) return this.#stepCovered("throw");
    const bySeat = [...numbers].sort(([one], [other]) => one - other);
    const values = await this.#rollEntry(await seedOfRoll(round, 0, bySeat));
    this.#stepAll((position) => applyEntry(this.loadedGame, position, values));
  }

  /** The number of a seat of this browser, if the seat may see the roll; else null. @param {Roll} roll
   * @param {number} seat @returns {Promise<string | null>} */
  async #ownNumber({ round, promises, keepers }, seat) {
    if (!this.own.seats.includes(seat)) return null;
    const number = await secretNumber(this.own.secret, round, 0, seat);
    const same = (await numberCommitment(round, 0, seat, number)) === promises.get(seat);
    this.lost ||= !same;
    return same && keepers.length < this.loadedGame.game.seats ? number : null;
  }

  /** The result of a roll as an entry. Throws RecordError if the roll depends on what is covered. @param {string} seed
   * @returns {Promise<Entry>} */
  async #rollEntry(seed) {
    const { rules, game } = this.loadedGame;
    const [first, ...others] = this.positions;
    /** @type {string[]} */
    const asked = [];
    const entry = await playWithSeed(seed, async (dice) => {
      asked.length = 0;
      const thrown = rules.rollWith(first, (request) => (asked.push(requestText(request)), dice.rollOrDraw(request)));
      return makeRollEntry(game, first.mover, thrown.values);
    });
    const values = applyEntry(this.loadedGame, first, entry).move.thrown ?? [];
    for (const other of others) {
      const left = values.map(([, value], place) => /** @type {const} */ ([asked[place], value]));
      rules.rollWith(other, (request) => {
        const [text, value] = left.shift() ?? [];
        if (text !== requestText(request)) throw new RecordError("this roll depends on what is covered");
        return value;
      });
    }
    return entry;
  }

  /** Take a choice that is stored as a hash. @param {number} at @param {Sealing} entry */
  async #takeSealedChoice(at, entry) {
    const [state] = this.positions;
    if (!isChoiceHidden(this.loadedGame, state)) throw new RecordError("this choice must be open");
    const seat = state.mover;
    if (entry.seat !== seat + 1) throw new RecordError(`it is the turn of player ${seat + 1}`);
    const round = await rollId(gameKey(this.table), this.log.slice(0, at), null);
    const opening = this.#openingEntry(at, seat);
    this.owners.set(at, [seat]);
    if (!opening) this.covered.push({ at, round, seats: [seat], roll: false });
    if (opening) {
      const choice = { seat: opening.seat, choose: opening.choose, with: opening.with };
      if ((await choiceCommitment(round, seat, String(opening.salt), choice)) !== entry.sealed)
        throw new RecordError("this is not what was chosen");
      return this.#stepAll((position) => applyEntry(this.loadedGame, position, choice));
    }
    const mine = this.own.seats.includes(seat);
    const choice = mine ? await ownChoice(this.loadedGame, state, entry, round, this.own.secret) : null;
    this.lost ||= mine && !choice;
    if (!choice) return this.#stepCovered("choice");
    this.#stepAll((position) => applyEntry(this.loadedGame, position, choice));
  }

  /** Make one step from every position in which it is possible. Throws the error of the first position if it is
   * possible in none.
   * @param {(position: State) => ReturnType<typeof applyEntry>} makeStep */
  #stepAll(makeStep) {
    const { rules } = this.loadedGame;
    /** @type {{after: State, told: string, move: Seen}[]} */
    const found = [];
    let why = null;
    for (const position of this.positions) {
      try {
        const { step: after, move } = makeStep(position);
        const told = move.action
          ? observationTextOf(observationsOfChoice(rules, position, move.action, after), -1)
          : publicObservationText(rules, after);
        found.push({ after: after.state, told, move });
      } catch (error) {
        if (!(error instanceof RecordError)) throw error;
        why ??= error;
      }
    }
    if (why && !found.length) throw why;
    this.#moveTo(found, found[0].move);
  }

  /** Make a step whose result is covered: go on to the positions of all its outcomes. @param {"throw" | "choice"}
   * coveredKind */
  #stepCovered(coveredKind) {
    const { rules } = this.loadedGame;
    const found = [];
    for (const position of this.positions) {
      for (const one of possibleOccurrences(rules, position))
        found.push({ ...one, told: observationTextOf(one.learned, -1) });
      if (found.length > MAX_POSITIONS) throw new RuleFailure("", "more lies covered than can be followed");
    }
    const [before] = this.positions;
    const move = { seat: before.mover, before, thrown: null, action: null, events: [], turnOver: false };
    this.#moveTo(found, { ...move, covered: coveredKind, learned: found[0].learned });
  }

  /** Go on to the positions after a step, unless what all seats see would differ between them.
   * @param {{after: State, told: string}[]} successors @param {Seen} move */
  #moveTo(successors, move) {
    this.moves.push(move);
    if (new Set(successors.map(({ told }) => told)).size > 1) this.stuck = true;
    else {
      this.positions = [...new Map(successors.map(({ after }) => [positionKey(after), after])).values()];
      for (const position of this.positions) checkedActionsAt(this.loadedGame, position);
    }
  }
}

/** A text that identifies a request. @param {import("../rules/rules.mjs").Request} request */
function requestText(request) {
  const what = "items" in request ? request.items : request.dice.map(([count, die]) => [count, die.name]);
  return JSON.stringify([request.name, what]);
}
