// Makes dice together without a browser: a game master's side, players' sides, and what goes between them, which a
// cheat may change.
//
//   node tests/tabletops/dice.mjs < job.json
//
// book: of a game. rules: their hash. setting: a slug of it. cheat: one of those below, "" for none. at: the roll, from
// 0, with which it begins.

import { createCipheriv } from "node:crypto";

import {
  playWithSeed,
  seedOfRoll,
  WordsExhausted,
  WordStream,
  nullIfWordsExhausted,
} from "../../site/runtime/sealed/numbers.mjs";
import { PATIENCE, JointRolls } from "../../site/link/dice/rounds.mjs";
import { DiceWitness } from "../../site/link/dice/witness.mjs";
import { ENGLISH, seatNames, localizedText } from "../../site/link/words.mjs";
import { SharedTable } from "../../site/room/shared.mjs";
import { Random } from "../../site/runtime/rules/random.mjs";
import { makeChoiceEntry } from "../../site/runtime/table/record.mjs";
import { job, library } from "./shelf.mjs";

const OTHER = "0".repeat(64);
Object.assign(PATIENCE, { hash: 100_000, number: 0 }); // whoever promises nothing is seen to leave instead
const random = new Random(job.seed ?? 1);
crypto.getRandomValues = (bytes) => bytes.map(() => random.below(256));
crypto.randomUUID = () => "one table";

function storage() {
  const kept = new Map();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
}

/** A table: the game master, Ann and Ben, each with a seat, and a non-player. */
class Play {
  constructor() {
    this.rolls = 0;
    this.settles = true;
    this.npc = 3;
    this.kept = null;
    this.storage = storage();
    this.guests = ["ann", "ben"].map((id) => this.guest(id));
    this.rounds = this.begun();
    this.made = Promise.resolve();
    /** The seats of browsers that keep a number back. */
    this.stuck = new Set();
    this.master = new SharedTable(this, library, { id: "gm", name: "Keeper", gm: true });
    this.large = Infinity;
  }

  begun() {
    const links = () => this.guests.map(({ link }) => link).filter(({ gone }) => !gone);
    return new JointRolls(this.storage, links, () => {});
  }

  guest(id) {
    const guest = { id, storage: storage(), queue: Promise.resolve(), mute: "", spoilt: false };
    guest.witness = new DiceWitness(library, guest.storage, () => id);
    const answer = async (message) => {
      guest.link.heard?.(message);
      if (message.t === "room") return void (await guest.witness.checkRecord(message.kept));
      const said = await guest.witness.answerMessage(message);
      if (!["roll", "list"].includes(message.t)) return;
      const keeps = message.t === "list" && (guest.mute === "number" || guest.spoilt || (!said && guest.witness.fault));
      this.stuck[keeps ? "add" : "delete"](this.kept.seats.findIndex(({ user }) => user === id));
      if (!said || said.t === guest.mute) return void this.rounds.onLinkLost(guest.link);
      this.rounds.acceptAnswer(guest.link, guest.spoilt && said.t === "number" ? { ...said, text: OTHER } : said);
    };
    const say = (message) => {
      guest.queue = guest.queue.then(() => answer(this.change(message, id)));
    };
    guest.link = { person: { id }, wire: { sendMessage: say } };
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
    for (const guest of this.guests) guest.queue = guest.queue.then(() => guest.witness.checkRecord(kept));
    this.rounds.onTableChanged(kept);
    await this.quiet();
  }

  async quiet() {
    await Promise.all(this.guests.map(({ queue }) => queue));
  }

  /** As the page of a game master does it, without its turns. */
  async roll(kept, log, place, play, add) {
    if (this.rounds.rolling) return;
    const begun = this.settles ? this.rounds.unfinishedRoll(kept) : null;
    const picked = begun ? begun.place : place;
    const still = await nullIfWordsExhausted((dice) => play(dice, begun?.seats, picked), new WordStream());
    if (still) return add(still.result);
    this.rolls += 1;
    this.made = this.rounds.makeRoll(kept, log, picked, async ({ seed, seats }) => {
      await this.quiet();
      const next = await playWithSeed(seed, (dice) => play(dice, seats, picked));
      await add(job.cheat === "chosen" && this.rolls > job.at ? await chosen(play, next) : next);
    });
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
    if (this.npc < people.length) seats[this.npc] = { kind: "npc", user: null, name: "Nobody", skill: 0 };
    for (let at = people.length; at < seats.length; at++)
      seats[at] = { kind: "npc", user: null, name: "Nobody", skill: 0 };
    await this.write({ ...this.kept, rev: 1 });
    await this.master.receiveRecord(this.kept);
    await this.master.start();
  }

  /** Somebody sits down who has no browser here. */
  async join(place, id) {
    const one = new SharedTable(this, library, { id, name: id, gm: false });
    await one.receiveRecord(this.kept);
    await one.doAct("join", place);
    await this.master.receiveRecord(this.kept);
  }

  /** What is next: a roll, the first choice, or the non-players; until it is done, or waits for somebody.
   * @returns {Promise<string>} the names of those */
  async act(place = 0) {
    const { master } = this;
    await (master.isNonPlayerWaiting
      ? master.doAct("goOn")
      : master.doAct("act", master.position.actions ? place : null));
    let done = false;
    void this.made.then(() => (done = true));
    const waits = ({ missing }) => missing.length && missing.every((seat) => this.stuck.has(seat));
    do await new Promise((later) => setTimeout(later, 1));
    while (!done && !waits(this.rounds));
    return this.rounds.missing.length
      ? localizedText("numberMissing", { names: seatNames(this.kept, this.rounds.missing) })
      : "";
  }

  /** The game master's page is loaded anew. */
  reload() {
    this.rounds = this.begun();
    this.made = Promise.resolve();
  }

  /** A guest's browser is connected anew. */
  async back(guest) {
    this.rounds.onLinkLost(guest.link);
    guest.witness.heardAny = false;
    this.rounds.onLinkOpened(guest.link);
    guest.link.wire.sendMessage({ t: "room", kept: this.kept });
    await this.quiet();
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
    const next = (await nullIfWordsExhausted(play, new WordStream(words)))?.result;
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

async function whole() {
  const play = new Play();
  await play.open();
  let waits = "";
  for (let i = 0; i < 400 && !play.master.isOver && !waits; i++) waits = await play.act();
  await play.quiet();
  return { waits, ...play.told, makers: play.rounds.makers, transcript: play.master.transcript() };
}

/** The first roll is begun and stopped where the job says; then the game master tries it anew. */
async function anew() {
  const play = new Play();
  await play.open();
  const [ann, ben] = play.guests;
  ben.mute = "number";
  const first = await play.act();
  ben.mute = "";
  const steps = {
    /** As if nothing had been promised. */
    forgotten: async () => (play.storage.setItem("oddsmith/link/rounds", "null"), play.reload()),
    /** Ann's page is loaded anew, and the game master's forgets. */
    reloaded: async () => {
      await steps.forgotten();
      ann.witness = new DiceWitness(library, ann.storage, () => "ann");
      await ann.witness.checkRecord(play.kept);
    },
    /** As if Ben's browser were not there any more: it keeps its seat, and the others are asked. */
    dropped: async () => {
      const book = JSON.parse(play.storage.getItem("oddsmith/link/rounds"));
      for (const begun of Object.values(book.rounds)) begun.people[1][1] = "away";
      play.storage.setItem("oddsmith/link/rounds", JSON.stringify(book));
      play.reload();
    },
    /** Ben's seat goes to a non-player: the others roll. */
    given: async () => play.master.doAct("hand", 2, 0),
    /** Ben's browser is back, and the roll goes on by itself. */
    back: async () => (await play.back(ben), await play.made),
    /** The game master's own page is loaded anew. */
    restored: async () => play.reload(),
  };
  await steps[job.then]();
  const second = play.master.log.length ? "" : await play.act();
  await play.quiet();
  return { first, second, ...play.told };
}

/** A non-player's turn waits for Ben's number; meanwhile the seat of that non-player is freed and taken, and the game
 * master has another name. */
async function meanwhile() {
  const play = new Play();
  play.npc = 0;
  const [, ben] = play.guests;
  ben.mute = "number";
  await play.open();
  const first = await play.act();
  const { rev } = play.kept;
  await play.master.doAct("leave", 0);
  await play.join(0, "cid");
  const between = [play.master.log.length, play.kept.rev - rev, Boolean(play.rounds.rolling)];
  ben.mute = "";
  await play.back(ben);
  await play.made;
  await play.quiet();
  const { seats } = play.kept;
  return { first, between, seats: seats.map(({ user }) => user), ...play.told };
}

/** A roll that waits for Ben's number ends, because the table goes another way: nobody sees a number of it. */
async function ended() {
  const play = new Play();
  await play.open();
  const [ann, ben] = play.guests;
  const { master } = play;
  do await play.act();
  while (master.position.actions || master.position.state.mover !== 0);
  const shown = [];
  ann.link.heard = (message) => message.t === "numbers" && shown.push(message);
  ben.mute = "number";
  const { length } = master.log;
  const first = await play.act();
  const steps = {
    undo: () => master.doAct("undo"),
    close: () => master.doAct("close"),
    hand: () => master.doAct("hand", 1, 0), // of Ann, who has shown hers
  };
  await steps[job.then]();
  await play.made;
  const over = [play.rounds.rolling, play.rounds.missing, shown.length, master.log.length - length];
  ben.mute = "";
  if (play.kept) while (master.log.length <= length) await play.act();
  await play.quiet();
  return { first, over, ...play.told };
}

/** Ann's choice rolls at once, and that roll waits for Ben's number; then comes Ann's other choice, which needs no
 * dice. */
async function otherwise() {
  const play = new Play();
  await play.open();
  const [, ben] = play.guests;
  const { master } = play;
  while (!(master.position.state.mover === 1 && master.position.actions?.length > 1)) await play.act();
  const { log } = master;
  ben.mute = "number";
  const first = await play.act(1);
  const ignored = [await play.act(0), master.log.length - log.length];
  play.reload();
  const second = [await play.act(0), master.log.length - log.length];
  play.reload();
  play.settles = false; // and one that cheats
  await play.act(0);
  await play.quiet();
  return { first, ignored, second, added: master.log.length - log.length, ...play.told };
}

/** Ben, whose browser promises nothing, has chosen, and the roll after it waits for Ann's number. Then the page of the
 * game master is loaded anew, and Ben's seat goes to a non-player. */
async function handed() {
  const play = new Play();
  await play.open();
  const [ann, ben] = play.guests;
  const { master } = play;
  ben.mute = "hash";
  while (!(master.position.state.mover === 2 && master.position.actions?.length > 1)) await play.act();
  const { length } = master.log;
  ann.mute = "number";
  const chosen = makeChoiceEntry(master.position.loadedGame.game, 2, master.position.actions[0]);
  const first = await play.act();
  play.reload();
  await master.doAct("hand", 2, 0);
  while (!play.rounds.missing.length) await new Promise((later) => setTimeout(later, 1));
  ann.mute = "";
  await play.back(ann);
  await play.made;
  await play.quiet();
  return { first, chosen, made: master.log[length], kind: play.kept.seats[2].kind, ...play.told };
}

/** A move is taken back and made again: the same dice. */
async function undone() {
  const play = new Play();
  await play.open();
  await play.act();
  const before = JSON.stringify(play.master.log);
  await play.master.doAct("undo");
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
  return { first: await play.act(), ...play.told };
}

/** The dice of words that are known, and of a seed as another program makes its words. */
async function law() {
  const words = (...all) => {
    const view = new DataView(new ArrayBuffer(4 * all.length));
    all.forEach((word, at) => view.setUint32(4 * at, word));
    return view;
  };
  const top = 2 ** 32 - (2 ** 32 % 6);
  const rejected = new WordStream(words(2 ** 32 - 1, top, top - 1, 7));
  const found = [rejected.below(6), rejected.below(6)];
  let spent = false;
  try {
    rejected.below(6);
  } catch (error) {
    spent = error instanceof WordsExhausted;
  }
  const seed = await seedOfRoll("a".repeat(64), 0, [
    [-1, "b".repeat(64)],
    [2, "c".repeat(64)],
  ]);
  const cipher = createCipheriv("aes-256-ctr", Buffer.from(seed, "hex"), Buffer.alloc(16)).update(Buffer.alloc(40_000));
  const many = await playWithSeed(seed, async (dice) => Array.from({ length: 10_000 }, () => dice.randomBits()));
  return { found, spent, seed, same: many.every((word, at) => word === cipher.readUInt32BE(4 * at)) };
}

const scenes = { whole, anew, meanwhile, ended, otherwise, handed, undone, sleeps, spoilt, law };
console.log(JSON.stringify(await scenes[job.scene]()));
