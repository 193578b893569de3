// Makes dice together without a browser: a game master's side, players' sides, and what goes between them, which a
// cheat may change.
//
//   node tests/tabletops/dice.mjs < job.json
//
// book: of a game. rules: their hash. setting: a slug of it. cheat: one of those below, "" for none. at: the roll, from
// 0, with which it begins.

import { createCipheriv } from "node:crypto";

import { rolled, seedOf, SpentSignal, Stream, unlessSpent } from "../../site/link/dice/numbers.mjs";
import { PATIENCE, Rounds } from "../../site/link/dice/rounds.mjs";
import { Witness } from "../../site/link/dice/witness.mjs";
import { ENGLISH } from "../../site/link/words.mjs";
import { Shared } from "../../site/room/shared.mjs";
import { job, library } from "./shelf.mjs";

const OTHER = "0".repeat(64);
Object.assign(PATIENCE, { hash: 100_000, number: 100_000 }); // whoever says nothing is seen to leave instead

function storage() {
  const kept = new Map();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
}

/** A table: the game master, Ann and Ben, each with a seat, and a non-player. */
class Play {
  constructor() {
    this.rolls = 0;
    this.kept = null;
    this.storage = storage();
    this.guests = ["ann", "ben"].map((id) => this.guest(id));
    this.rounds = this.begun();
    this.master = new Shared(this, library, { id: "gm", name: "Keeper", gm: true });
    this.large = Infinity;
  }

  begun() {
    return new Rounds(this.storage, () => this.guests.map(({ link }) => link).filter(({ gone }) => !gone));
  }

  guest(id) {
    const guest = { id, storage: storage(), queue: Promise.resolve(), mute: "", spoilt: false };
    guest.witness = new Witness(library, guest.storage, () => id);
    const answer = async (message) => {
      const said = await guest.witness.told(message);
      if (!said || said.t === guest.mute) return void this.rounds.left(guest.link);
      this.rounds.heard(guest.link, guest.spoilt && said.t === "number" ? { ...said, text: OTHER } : said);
    };
    const say = (message) => {
      guest.queue = guest.queue.then(() => answer(this.change(message, id)));
    };
    guest.link = { person: { id }, wire: { say } };
    return guest;
  }

  change(message, id) {
    return this.rolls - 1 >= job.at ? CHEATS[job.cheat]?.(message, id, this) || message : message;
  }

  async read() {
    return this.kept;
  }

  async write(kept) {
    this.kept = kept;
    for (const guest of this.guests) guest.queue = guest.queue.then(() => guest.witness.heard(kept));
    await this.quiet();
  }

  async quiet() {
    await Promise.all(this.guests.map(({ queue }) => queue));
  }

  async roll(kept, log, place, play) {
    const still = await unlessSpent(play, new Stream());
    if (still) return still.result;
    this.rolls += 1;
    const seed = await this.rounds.seed(kept, log, place);
    await this.quiet();
    const next = await rolled(seed, play);
    return job.cheat === "chosen" && this.rolls > job.at ? chosen(play, next) : next;
  }

  async open() {
    await this.master.open("game", job.setting, "nobody");
    const { seats } = this.kept;
    const people = [
      ["gm", "Keeper"],
      ["ann", "Ann"],
      ["ben", "Ben"],
    ];
    for (const [at, [user, name]] of people.entries()) seats[at] = { kind: "user", user, name, skill: 0 };
    for (let at = people.length; at < seats.length; at++)
      seats[at] = { kind: "npc", user: null, name: "Nobody", skill: 0 };
    await this.write({ ...this.kept, rev: 1 });
    await this.master.hear(this.kept);
    await this.master.start();
  }

  /** What is next: a roll, the first choice, or the non-players. */
  async act() {
    const { master } = this;
    await (master.stands ? master.do("goOn") : master.do("act", master.position.actions ? 0 : null));
  }

  get told() {
    return {
      faults: this.guests.map(
        ({ witness }) => Object.keys(ENGLISH).find((key) => ENGLISH[key] === witness.fault) ?? "",
      ),
      checked: this.guests.map(({ witness }) => [witness.checked, witness.shared]),
      rolls: this.rolls,
      log: this.master.log,
    };
  }
}

/** The same with other dice: those that a game master would like. */
async function chosen(play, fallen) {
  for (let want = 0; want < 6; want++) {
    const words = new DataView(new ArrayBuffer(4000));
    for (let at = 0; at < 1000; at++) words.setUint32(4 * at, want);
    const next = (await unlessSpent(play, new Stream(words)))?.result;
    if (next && JSON.stringify(next) !== JSON.stringify(fallen)) return next;
  }
  throw new Error("all dice give the same");
}

const replaced = (list, at, text) => list.map(([seat, one]) => [seat, seat === at ? text : one]);

/** What a game master's browser may try; a message that is changed, or the same. */
const CHEATS = {
  "": () => null,
  chosen: () => null,
  /** Another number of the game master, once all others are known. */
  late: (message) => message.t === "numbers" && { ...message, numbers: replaced(message.numbers, -1, OTHER) },
  /** The same list with a number of somebody who sits at the table, and is not asked. */
  forged: (message, id) =>
    message.t === "list" && { ...message, hashes: replaced(message.hashes, id === "ann" ? 1 : 2, OTHER) },
  /** Nobody's number beside the others. */
  nobody: (message) => message.t === "list" && { ...message, hashes: [...message.hashes, [3, OTHER]] },
  /** Without the number of the game master. */
  without: (message) => message.t === "list" && { ...message, hashes: message.hashes.slice(1) },
  /** Rolls, and does not say what fell. */
  silent: (message) => message.t === "numbers" && { t: "roll", place: null, again: 99 },
};

const why = (act) =>
  act.then(
    () => "",
    ({ message }) => message,
  );

async function whole() {
  const play = new Play();
  await play.open();
  let refused = "";
  for (let i = 0; i < 400 && !play.master.over && !refused; i++) refused = await why(play.act());
  await play.quiet();
  return { refused, ...play.told, makers: play.rounds.makers, transcript: play.master.transcript() };
}

/** The first roll is begun and stopped where the job says; then the game master tries it anew. */
async function anew() {
  const play = new Play();
  await play.open();
  const [ann, ben] = play.guests;
  ben.mute = "number";
  const first = await why(play.act());
  const steps = {
    /** As if nothing had been promised. */
    forgotten: async () => (play.storage.setItem("oddsmith/link/rounds", "null"), (ben.mute = "")),
    /** Ann's page is loaded anew, and the game master's forgets. */
    reloaded: async () => {
      play.storage.setItem("oddsmith/link/rounds", "null");
      ben.mute = "";
      ann.witness = new Witness(library, ann.storage, () => "ann");
      await ann.witness.heard(play.kept);
    },
    /** Ben's seat goes to a non-player: the others roll. */
    given: async () => play.master.do("hand", 2, 0),
    /** Ben's browser is back. */
    back: async () => (ben.mute = ""),
    /** The game master's own page is loaded anew. */
    restored: async () => ((play.rounds = play.begun()), (ben.mute = "")),
  };
  await steps[job.then]();
  const second = await why(play.act());
  await play.quiet();
  return { first, second, ...play.told };
}

/** A move is taken back and made again: the same dice. */
async function undone() {
  const play = new Play();
  await play.open();
  await play.act();
  const before = JSON.stringify(play.master.log);
  await play.master.do("undo");
  const between = play.master.log.length;
  await play.act();
  return { between, same: JSON.stringify(play.master.log) === before, ...play.told };
}

/** Ben's browser sleeps: one roll waits for it, later ones do not, until it answers again. */
async function sleeps() {
  const play = new Play();
  await play.open();
  const [, ben] = play.guests;
  const makers = [];
  for (const mute of ["hash", "hash", "", ""]) {
    ben.mute = mute;
    await play.act();
    makers.push([play.rounds.makers, Boolean(ben.link.sleeps)]);
    while (play.master.position.actions) await play.act();
  }
  return { makers, ...play.told };
}

async function spoilt() {
  const play = new Play();
  await play.open();
  play.guests[1].spoilt = true;
  return { first: await why(play.act()), ...play.told };
}

/** The dice of words that are known, and of a seed as another program makes its words. */
async function law() {
  const words = (...all) => {
    const view = new DataView(new ArrayBuffer(4 * all.length));
    all.forEach((word, at) => view.setUint32(4 * at, word));
    return view;
  };
  const top = 2 ** 32 - (2 ** 32 % 6);
  const rejected = new Stream(words(2 ** 32 - 1, top, top - 1, 7));
  const found = [rejected.below(6), rejected.below(6)];
  let spent = false;
  try {
    rejected.below(6);
  } catch (error) {
    spent = error instanceof SpentSignal;
  }
  const seed = await seedOf("a".repeat(64), 0, [
    [-1, "b".repeat(64)],
    [2, "c".repeat(64)],
  ]);
  const cipher = createCipheriv("aes-256-ctr", Buffer.from(seed, "hex"), Buffer.alloc(16)).update(Buffer.alloc(40_000));
  const many = await rolled(seed, async (dice) => Array.from({ length: 10_000 }, () => dice.bits()));
  return { found, spent, seed, same: many.every((word, at) => word === cipher.readUInt32BE(4 * at)) };
}

console.log(JSON.stringify(await { whole, anew, undone, sleeps, spoilt, law }[job.scene]()));
