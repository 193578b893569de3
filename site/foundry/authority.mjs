// @ts-check
/**
 * The one client that decides: it holds every request against the rules and the rights of who asked, rolls the dice, writes the
 * world's record and posts the cards. The position of a table is always the replay of its log.
 */

import { opponentsOf, pick } from "../runtime/opponents.mjs";
import { actionsAt, chooseEntry, replay, taken, throwEntry, transcript } from "../runtime/record.mjs";
import { pay, payouts, recover, refunds, reversals, stakeOf, stakes, winnings } from "./currency.mjs";
import { isGM, plays, rights } from "./rights.mjs";
import { nothingPlayed, Refused } from "./shapes.mjs";
import { cast } from "./throws.mjs";

/** @typedef {import("./shapes.mjs").Host} Host */
/** @typedef {import("./shapes.mjs").World} World */
/** @typedef {import("./shapes.mjs").Seat} Seat */
/** @typedef {import("./shapes.mjs").TableRecord} TableRecord */
/** @typedef {import("./shapes.mjs").Cast} Cast */
/** @typedef {import("../runtime/book.mjs").Ready} Ready */
/** @typedef {import("../runtime/record.mjs").Entry} Entry */
/** @typedef {import("./currency.mjs").Desk & {record: TableRecord, user: string}} At a request being dealt with */

const KEPT = 10; // finished tables
const MOST = 20; // tables that are not finished
const OWN = 3; // of them opened by one player
const LONGEST = 5000; // entries of a log

/** Refused unless it holds. @param {unknown} granted @param {import("./shapes.mjs").Refusal} [why] @returns {asserts granted} */
function grant(granted, why = "rights") {
  if (!granted) throw new Refused(why);
}

export class Authority {
  /** @param {Host} host @param {import("./library.mjs").Library} library */
  constructor(host, library) {
    this.host = host;
    this.library = library;
    /** Puts a job into the one queue. @type {(job: () => Promise<void>) => Promise<void>} */
    this.run = (job) => job();
  }

  /** Do what somebody asks for; Refused where it is not granted. The shape of the request was checked.
   * @param {string} type @param {any} body @param {string} user as the server says */
  async handle(type, body, user) {
    const desk = this.#desk();
    if (type === "create") return this.#create(desk, body, user);
    const at = { ...desk, user, record: found(desk.world, body.table) };
    grant(!("rev" in body) || body.rev === at.record.rev, "stale");
    grant(Object.hasOwn(this.#acts, type));
    return this.#acts[type](at, body);
  }

  /** @type {Record<string, (at: At, body: any) => Promise<void>>} */
  #acts = {
    join: async (at, { seat }) => {
      grant(at.record.phase === "lobby", "phase");
      grant(seat < at.record.seats.length, "seats");
      grant(at.record.seats[seat].user === null, "full");
      grant(rights(this.host, at.record, at.user).join.includes(seat));
      await this.#sit(at, seat, at.record.seats[seat].held ?? at.user);
      await this.#commit(at);
    },
    leave: async (at, { seat }) => {
      grant(rights(this.host, at.record, at.user).leave.includes(seat));
      await pay(at, at.record, refunds(at.record, [seat]), false);
      at.record.seats[seat].user = null;
      await this.#commit(at);
    },
    start: async (at) => {
      grant(rights(this.host, at.record, at.user).start);
      await this.#start(at);
    },
    act: async (at, { action }) => {
      const { record, user } = at;
      grant(record.phase === "play", "phase");
      grant(rights(this.host, record, user).act, "turn");
      const ready = await this.library.of(record);
      const { state } = replay(ready, record.log);
      const actions = actionsAt(ready, state);
      const seat = record.seats[state.mover];
      if (!actions) {
        grant(action === null, "action");
        return this.#throw(at, ready, seat.user ?? user);
      }
      grant(action !== null && action < actions.length, "action");
      return this.#append(at, ready, chooseEntry(ready.game, state.mover, actions[action]));
    },
    undo: (at) => this.#undo(at),
    rematch: (at) => this.#rematch(at),
    close: async (at) => {
      const { record, world } = at;
      grant(rights(this.host, record, at.user).close);
      if (record.phase === "over") {
        delete world.tables[record.id];
        return at.save();
      }
      await pay(at, record, refunds(record, [...record.seats.keys()]), false);
      this.#finish(at);
      await this.#commit(at);
    },
    hand: async (at, { seat, skill }) => {
      const { record } = at;
      grant(rights(this.host, record, at.user).manage);
      grant(record.phase !== "over", "phase");
      const ready = await this.library.of(record);
      const how = opponentsOf(ready.setting)[skill];
      grant(seat < record.seats.length && how, "seats");
      if (record.phase === "lobby") await pay(at, record, refunds(record, [seat]), false);
      const place = record.seats[seat];
      Object.assign(place, { kind: "npc", user: null, held: null, skill, name: place.name || how.name });
      await this.#commit(at);
    },
  };

  // --- opening a table

  /** @param {import("./currency.mjs").Desk} desk @param {any} body @param {string} user */
  async #create(desk, body, user) {
    const { host } = this;
    const gm = isGM(host, user);
    const open = Object.values(desk.world.tables).filter(({ phase }) => phase !== "over");
    grant(gm || host.get("open") === "everyone");
    grant(open.length < MOST && (gm || open.filter(({ dealer }) => dealer === user).length < OWN), "many");
    const { rules } = await this.library.game(body.game);
    const ready = await this.library.ready(body.game, body.setting);
    grant(body.seats.length === ready.game.seats, "seats");
    grant(body.stake === 0 || stakes(ready), "stake");
    const skills = opponentsOf(ready.setting);
    const seats = body.seats.map((/** @type {any} */ asked) => this.#seat(asked, skills, user));
    const { game, setting, stake, advice } = body;
    const record = this.#record({ game, rules, setting, seats, stake, advice, dealer: user });
    const mine = [...seats.keys()].filter((seat) => seats[seat].held === user);
    await this.#open({ ...desk, user, record }, mine);
  }

  /** @param {Pick<TableRecord, "game" | "rules" | "setting" | "seats" | "stake" | "advice" | "dealer">} given @returns {TableRecord} */
  #record(given) {
    /** @type {TableRecord["chips"]} */
    const chips = { currency: this.host.get("currency"), round: 0, payments: [] };
    return { v: 1, id: this.host.id(), rev: 0, phase: "lobby", log: [], mover: null, draws: [], ended: 0, next: null, ...given, chips };
  }

  /** @param {any} asked @param {import("../runtime/book.mjs").Opponent[]} skills @param {string} user @returns {Seat} */
  #seat({ kind, user: held, actor: uuid, name, skill }, skills, user) {
    const actor = uuid === null ? null : this.host.actor(uuid);
    const person = this.host.users().find(({ id }) => id === held);
    grant(uuid === null || (actor && (isGM(this.host, user) || this.host.owns(user, uuid))));
    grant((held === null || (kind === "user" && person)) && (kind === "user" || skill < skills.length), "seats");
    const called = actor?.name ?? person?.name ?? (kind === "npc" ? name.trim() || skills[skill].name : "");
    return { id: this.host.id(), kind, user: null, held, actor: uuid, name: called, img: actor?.img ?? "", skill };
  }

  /** Put a new table into the world, with those who sit down at once. @param {At} at @param {number[]} seats that the asking
   * user takes */
  async #open(at, seats) {
    const { record, world } = at;
    world.tables[record.id] = record;
    try {
      for (const seat of seats) await this.#sit(at, seat, at.user);
    } catch (error) {
      await pay(at, record, refunds(record, seats), false);
      delete world.tables[record.id];
      await at.save();
      throw error;
    }
    await this.#post("invitation", record, this.host.me(), "", []);
    if (record.seats.every(({ kind, user }) => kind === "npc" || user !== null)) await this.#start(at);
    else await this.#commit(at);
  }

  /** @param {At} at @param {number} seat @param {string} user */
  async #sit(at, seat, user) {
    const { record } = at;
    const place = record.seats[seat];
    const person = this.host.users().find(({ id }) => id === user);
    grant(person, "seats");
    const actor = place.actor ?? person.character;
    if (record.stake) await pay(at, record, [stakeOf(record, seat, user, actor)], true);
    const known = actor === null ? null : this.host.actor(actor);
    Object.assign(place, { user, actor, name: known?.name ?? person.name, img: known?.img ?? "" });
  }

  /** @param {At} at */
  async #start(at) {
    at.record.phase = "play";
    await this.#commit(at);
  }

  /** @param {At} at */
  async #rematch(at) {
    const { host } = this;
    const { record: old, user } = at;
    grant(rights(host, old, user).rematch);
    const { game, rules, setting, stake, advice } = old;
    await this.library.of(old);
    const seats = old.seats.map((seat) => ({ ...seat, id: host.id(), user: null, held: seat.user }));
    const record = this.#record({ game, rules, setting, seats, stake, advice, dealer: user });
    [old.next, old.rev] = [record.id, old.rev + 1];
    const mine = [...seats.keys()].filter((seat) => plays(host, old.seats[seat], user) && old.seats[seat].user === user);
    await this.#open({ ...at, record }, mine);
  }

  // --- playing

  /** Throw what is due for the seat to move. @param {At} at @param {Ready} ready @param {string} author whose throw it is */
  async #throw(at, ready, author) {
    const { record } = at;
    const { state, moves } = replay(ready, record.log);
    const { casts, values } = await cast(ready.rules, state, (formula) => this.host.roll(formula));
    const entry = throwEntry(ready.game, state.mover, values);
    if (casts.length) entry.message = await this.#show(record, moves, casts, author);
    await this.#append(at, ready, entry);
  }

  /** Put throws on the card of this turn, or on a new one. @param {TableRecord} record
   * @param {import("../runtime/record.mjs").Told[]} moves @param {Cast[]} casts @param {string} author */
  async #show(record, moves, casts, author) {
    const rolls = casts.map(({ roll }) => roll);
    const first = moves.findLastIndex(({ turnOver }) => turnOver) + 1;
    const card = record.log.slice(first).findLast(({ message }) => message)?.message;
    const flags = { card: "turn", table: record.id, rev: record.rev + 1 };
    if (card && (await this.host.amend(card, rolls, flags))) return card;
    return this.#post("turn", { ...record, rev: flags.rev }, author, record.seats[record.mover ?? 0].name, rolls);
  }

  /** @param {string} card @param {TableRecord} record @param {string} author @param {string} alias @param {any[]} rolls
   * @param {Record<string, any>} [more] */
  async #post(card, record, author, alias, rolls, more = {}) {
    const text = rolls.length ? "" : (await this.library.game(record.game)).title;
    return this.host.post({ author, alias, rolls, text, flags: { card, table: record.id, rev: record.rev, ...more } });
  }

  /** Write down what was done, and settle when it ends the game. @param {At} at @param {Ready} ready @param {Entry} entry */
  async #append(at, ready, entry) {
    const { record } = at;
    grant(record.log.length < LONGEST, "long");
    const { step } = taken(ready, replay(ready, record.log).state, entry);
    record.log.push(entry);
    if (!step.state.phase) {
      this.#finish(at);
      if (record.stake) await pay(at, record, payouts(record, winnings(ready, step.state, record.stake)), false);
    }
    await this.#commit(at);
    if (!step.state.phase) await this.#post("end", record, this.host.me(), "", [], { transcript: transcript(ready, record) });
  }

  /** @param {At} at */
  #finish({ record, world }) {
    world.ended += 1;
    Object.assign(record, { phase: "over", ended: world.ended, mover: null });
  }

  /** Back to before the last thing that a person did. @param {At} at */
  async #undo(at) {
    const { record } = at;
    grant(rights(this.host, record, at.user).manage);
    grant(record.phase !== "lobby" && record.next === null, "undo");
    const ready = await this.library.of(record);
    grant(record.phase === "play" || !replay(ready, record.log).state.phase, "undo"); // not where it was broken off
    const last = record.log.findLastIndex(({ seat }) => record.seats[seat - 1].kind === "user");
    grant(last >= 0, "undo");
    if (record.phase === "over") {
      await pay(at, record, reversals(record), true);
      record.chips.round += 1;
    }
    const draws = record.draws.filter(({ entry }) => entry < last);
    Object.assign(record, { phase: "play", ended: 0, log: record.log.slice(0, last), draws });
    await this.#commit(at);
  }

  /** A throw that a player made at his own screen, where the game master trusts that: the dice that are due and no others, once,
   * by whose turn it is. Anything else is passed over. @param {import("./shapes.mjs").Heard} message @param {string} creator
   * as the server says */
  async thrown({ id, flags, casts }, creator) {
    const { host } = this;
    if (host.authority() !== host.me() || flags.thrown !== true || host.get("trusting") !== true) return;
    const desk = this.#desk();
    const at = { ...desk, user: creator, record: found(desk.world, flags.table) };
    const { record } = at;
    const seat = record.mover === null ? null : record.seats[record.mover];
    grant(record.phase === "play" && seat?.user === creator && flags.rev === record.rev, "turn");
    grant(!record.log.some(({ message }) => message === id), "stale");
    const ready = await this.library.of(record);
    const { state } = replay(ready, record.log);
    grant(!actionsAt(ready, state), "action");
    const left = [...casts];
    const { values } = await cast(ready.rules, state, async () => {
      const next = left.shift();
      grant(next, "action");
      return next;
    });
    grant(!left.length, "action");
    await this.#append(at, ready, { ...throwEntry(ready.game, state.mover, values), message: id });
  }

  // --- non-players

  /** Take up what waits for the authority: payments that another one left, and non-players to move. */
  async resume() {
    if (this.host.authority() !== this.host.me()) return;
    const desk = this.#desk();
    let changed = false;
    for (const record of Object.values(desk.world.tables)) changed = (await recover(desk, record)) || changed;
    if (changed) await desk.save();
    for (const record of Object.values(desk.world.tables)) this.#wake(record);
  }

  /** Let a non-player move after a pause. @param {TableRecord} record */
  #wake({ id, rev, phase, mover, seats }) {
    if (phase !== "play" || mover === null || seats[mover].kind !== "npc") return;
    this.host.later(this.host.get("pause"), () => void this.run(() => this.#play(id, rev)).catch(this.host.report));
  }

  /** One step of a non-player, unless something else has happened since. @param {string} id @param {number} rev */
  async #play(id, rev) {
    const { host } = this;
    if (host.authority() !== host.me()) return;
    const desk = this.#desk();
    const record = Object.hasOwn(desk.world.tables, id) ? desk.world.tables[id] : null;
    if (!record || record.rev !== rev || record.phase !== "play") return;
    const at = { ...desk, record, user: host.me() };
    const ready = await this.library.of(record);
    const { state } = replay(ready, record.log);
    const actions = actionsAt(ready, state);
    if (!actions) return this.#throw(at, ready, host.me());
    const how = opponentsOf(ready.setting)[record.seats[state.mover].skill];
    const place = await pick(ready, how, state, actions, (bound) => this.#below(record, bound));
    return this.#append(at, ready, chooseEntry(ready.game, state.mover, actions[place]));
  }

  /** Chance for a non-player: a roll that nobody sees, written down. @param {TableRecord} record @param {number} bound */
  async #below(record, bound) {
    const [count, sides] = bound === 2 ** 32 ? [2, 2 ** 16] : [1, bound]; // the tabletop's dice are no larger than that
    const { dice, total, formula } = await this.host.roll(`${count}d${sides}`, true);
    record.draws.push({ entry: record.log.length, formula, total });
    return dice[0].results.reduce((number, one) => number * sides + one - 1, 0);
  }

  // --- the world's record

  /** The record as it stands, to be changed and saved. @returns {import("./currency.mjs").Desk} */
  #desk() {
    const { host } = this;
    const world = structuredClone(host.get("tables") ?? nothingPlayed());
    const save = async () => {
      grant(host.authority() === host.me(), "nobody");
      const over = Object.values(world.tables).filter(({ phase }) => phase === "over").sort((a, b) => a.ended - b.ended);
      for (const { id } of over.slice(0, -KEPT)) delete world.tables[id];
      await host.set("tables", world);
    };
    return { host, world, save };
  }

  /** Save a changed table as its next revision. @param {At} at */
  async #commit(at) {
    const { record } = at;
    record.rev += 1;
    record.mover = null;
    if (record.phase === "play") {
      const ready = await this.library.of(record);
      record.mover = replay(ready, record.log).state.mover;
    }
    await at.save();
    this.#wake(record);
  }
}

/** @param {World} world @param {unknown} id @returns {TableRecord} */
function found({ tables }, id) {
  grant(typeof id === "string" && Object.hasOwn(tables, id), "stale");
  return tables[/** @type {string} */ (id)];
}
