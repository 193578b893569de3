// Games with secrets between two browsers without a browser: what each may know, and what happens to whoever cheats.
// One JSON a line on standard input, one JSON a line on standard output.

import { readFileSync } from "node:fs";

import { cardPoint, CardMask } from "../../site/runtime/sealed/cards.mjs";
import { Deck, DECK, ownMask } from "../../site/runtime/sealed/decks.mjs";
import { numberCommitment, rollId, secretNumber } from "../../site/runtime/sealed/numbers.mjs";
import { SealedGames } from "../../site/runtime/sealed/sealed.mjs";
import { COVERED, keyOfValue } from "../../site/runtime/rules/values.mjs";
import { Random } from "../../site/runtime/rules/random.mjs";
import {
  makeChoiceEntry,
  entriesOf,
  RecordError,
  replayLog,
  makeTranscript,
} from "../../site/runtime/table/record.mjs";
import { packLog } from "../../site/runtime/table/packed.mjs";
import { loadGame, settingOfSlug } from "../../site/runtime/table/settings.mjs";
import { peekUnderCups } from "./peek.mjs";

/** What a browser keeps. */
function shelf() {
  const held = new Map();
  return {
    getItem: (key) => held.get(key) ?? null,
    setItem: (key, text) => void held.set(key, text),
    removeItem: (key) => void held.delete(key),
    texts: () => [...held.entries()].flat(),
  };
}

const PEOPLE = ["master", "ann"];

async function table({ book, setting, rules }) {
  const ready = await loadGame(book, settingOfSlug(book, setting), async () => new ArrayBuffer(0));
  const seats = PEOPLE.map((user) => ({ kind: "user", user, name: user, skill: 0 }));
  const kept = {
    v: 1,
    id: "a table",
    rev: 0,
    game: "",
    rules,
    setting,
    seats,
    started: true,
    advice: "nobody",
    log: "",
  };
  return { ready, kept, hands: PEOPLE.map(() => new SealedGames(shelf())) };
}

/** What a person sees: cells by what they are, and the story. */
const seen = ({ state, moves, busy, waits }) => ({
  phase: state.phase,
  mover: state.mover,
  cells: state.cells.map((value) => (value === COVERED ? "covered" : keyOfValue(value))),
  covered: moves.map(({ covered }) => covered ?? ""),
  busy,
  waits,
});

/** What each sees of a table, one after the other: chance that they take then falls alike in every run. */
async function looks({ ready, kept, hands }, log) {
  const all = [];
  for (const [seat, hand] of hands.entries()) all.push(await hand.position(ready, kept, log, [seat]));
  return all;
}

/** A game, each choosing anything. `each` is told of every log; `until` says whether that is enough. */
async function game(at, seed, each = async () => {}, until = () => false) {
  const { ready, kept, hands } = at;
  const random = new Random(seed);
  const log = [];
  const views = [];
  for (let step = 0; step < 400; step++) {
    const all = await looks(at, log);
    views.push(all.map(seen));
    await each(log, all);
    const duty = all.map((one) => one.duty).find(Boolean);
    const [{ state }] = all;
    if ((!duty && !state.phase) || until(all)) return { log, views, end: all[0] };
    const view = all[state.mover];
    const place = view.actions ? random.below(view.actions.length) : null;
    log.push(duty ?? (await hands[state.mover].entryForAct(ready, kept, log, view, place)));
  }
  throw new Error("the game does not end");
}

/** The secret of ann's browser, the id of the first deck of a table, and ann's mask for it. */
async function marked({ kept, hands }) {
  const round = await rollId(JSON.stringify([kept.id, kept.rules, kept.setting]), [], null);
  const { secret } = JSON.parse(hands[1].storage.getItem(`oddsmith/sealed/${kept.id}`));
  return { round, secret, mask: await ownMask(secret, { round }, 1) };
}

/** The numbers of a cheat, from which the masks are made. */
const NUMBERS = ["1", "2", "3"].map((digit) => digit.repeat(64));

/** The ways to cheat with three cards: who does, what is told of the shuffle, and what of a card that the other draws.
 * `points` are those of the cards, `before` those that are to be shuffled. */
const CHEATS = {
  /** Whoever shuffles last has a card in the deck twice, and so could know what the other draws. */
  twice: {
    seat: 1,
    shuffle: ([mask, other], _points, before) => [
      ...mask.maskAndShuffle(before.slice(1)),
      ...other.maskAndShuffle([before[1]]),
    ],
    give: (masks, token, before) => masks.flatMap((mask) => mask.unmask([token])).find((one) => before.includes(one)),
  },

  /** Whoever shuffles first puts in nothing but copies of one card. */
  stacked: {
    seat: 0,
    shuffle: (masks, points) => masks.flatMap((mask) => mask.maskAndShuffle([points[0]])),
    give: (masks, token) => masks[0].unmask([token])[0],
  },

  /** The other does not get the card on top, but another. */
  misdealt: {
    seat: 1,
    shuffle: ([mask], _points, before) => mask.maskAndShuffle(before),
    give: ([mask], token, before) => before.find((one) => one !== mask.unmask([token])[0]),
  },

  /** The other gets something that is no card. */
  spoilt: {
    seat: 1,
    shuffle: ([mask], _points, before) => mask.maskAndShuffle(before),
    give: (_masks, token) => token,
  },

  /** Nobody cheats, but what is done by hand here is what a browser does. */
  honest: {
    seat: 1,
    shuffle: ([mask], _points, before) => mask.maskAndShuffle(before),
    give: ([mask], token) => mask.unmask([token])[0],
  },
};

/** The next entry of whoever cheats, in a game that deals one of three cards to each. */
async function cheatedEntry({ ready }, { seat, shuffle, give }, points, log, { state, actions }, random) {
  const masks = await Promise.all(NUMBERS.map((number) => CardMask.fromSecretNumber(number)));
  const [first, second] = [1, 2].map((one) => log.find((entry) => "deck" in entry && entry.seat === one)?.deck);
  const before = seat ? first : points;
  if (!(seat ? second : first)) return { seat: seat + 1, deck: shuffle(masks, points, before).sort() };
  if (actions) return makeChoiceEntry(ready.game, seat, actions[random.below(actions.length)]);
  const drawer = state.mover;
  return { seat: seat + 1, cards: drawer === seat ? [] : [give(masks, second[drawer], before)] };
}

const SCRIPTS = new URL("../../site/runtime", import.meta.url).href;
const SMALL = 90;

/** How a game master's browser might keep its number badly: what it promises, and what others hear of it. */
const CARELESS = {
  nothing: async () => ({}),
  short: async () => ({ number: String(SMALL) }),
  padded: async () => ({ number: SMALL.toString(16).padStart(64, "0") }),
  "made of the table": async ({ id }, round) => ({ number: await secretNumber(id, round, 0, 0) }),
  "told in a message": async (_kept, round, own) => ({ told: { t: "number", round, again: 0, text: own } }),
  "told as the secret": async (_kept, _round, _own, secret) => ({ told: { t: "hello", key: secret } }),
  "told in a log": async (_kept, _round, own) => ({
    told: { t: "room", kept: { log: await packLog([{ seat: 1, opens: 0, number: own }]) } },
  }),
};

const SCENES = {
  /** What Ann finds of the game master's first secret roll while it is covered, if his browser is careless. */
  async peeked({ how, ...job }) {
    const at = await table(job);
    const { ready, hands } = at;
    const kept = { ...at.kept, id: "00000000-0000-4000-8000-000000000000" };
    const round = await rollId(JSON.stringify([kept.id, kept.rules, kept.setting]), [], null);
    const ask = async (seat, log) => (await hands[seat].position(ready, kept, log, [seat])).duty;
    const begun = await hands[0].entryForAct(ready, kept, [], await hands[0].position(ready, kept, [], [0]), null);
    const secret = JSON.parse(hands[0].storage.getItem(`oddsmith/sealed/${kept.id}`)).secret;
    const own = await secretNumber(secret, round, 0, 0);
    const { number = own, told = "" } = await CARELESS[how](kept, round, own, secret);
    const log = [{ seat: 1, promise: await numberCommitment(round, 0, 0, number) }];
    for (let entry = 0; entry < 2; entry++) log.push(await ask(1, log));
    const texts = [...hands[1].storage.texts(), JSON.stringify(told)];
    const peeked = await peekUnderCups({ scripts: SCRIPTS, table: { ...kept, log }, texts, guesses: 100 });
    return { ...peeked, number, same: begun.promise === log[0].promise, entries: log.map((one) => Object.keys(one)) };
  },

  /** A game in which somebody cheats with cards, as the other sees it: what is said, of which entry, and of each number
   * that could open the deck at the end. */
  async cheated(job) {
    const at = await table(job);
    const { ready, kept, hands } = at;
    const cheat = CHEATS[job.how];
    const other = 1 - cheat.seat;
    const round = await rollId(JSON.stringify([kept.id, kept.rules, kept.setting]), [], null);
    const points = (await Promise.all(["1", "2", "3"].map((item) => cardPoint(round, item, 0)))).sort();
    const random = new Random(job.seed);
    const log = [];
    const look = (longer) =>
      hands[other].position(ready, kept, longer, [other]).catch((error) => {
        if (!(error instanceof RecordError)) throw error;
        return { said: error.message, at: error.at };
      });
    for (let step = 0; step < 100; step++) {
      const view = await look(log);
      if (view.said) return { said: [view.said], dealt: view.at, over: false };
      const { state, duty, waits, actions } = view;
      if (duty) log.push(duty);
      else if (!state.phase) {
        const ends = await Promise.all(
          NUMBERS.map((number) => look([...log, { seat: cheat.seat + 1, opens: 0, number }])),
        );
        return { said: ends.map(({ said }) => said ?? ""), over: ends.some(({ said, busy }) => !said && !busy) };
      } else if (waits.includes(cheat.seat) || state.mover === cheat.seat)
        log.push(await cheatedEntry(at, cheat, points, log, view, random));
      else {
        const place = actions ? random.below(actions.length) : null;
        log.push(await hands[other].entryForAct(ready, kept, log, view, place));
      }
    }
    throw new Error("the game does not end");
  },

  /** All that ann can read before anything is opened, if her browser takes her mask off, or puts it on, wherever she
   * finds a point; and what she may see. */
  async looked(job) {
    const at = await table(job);
    const { ready } = at;
    const before = [];
    const look = async (log, all) => {
      if (!log.some((entry) => "opens" in entry)) before.push([[...log], all[1]]);
    };
    await game(at, job.seed, look, ([{ moves }]) => moves.length === job.moves);
    const [log, view] = before.at(-1);
    const { round, mask } = await marked(at);
    const cards = new Map();
    for (const [item, copies] of job.cards)
      for (let copy = 0; copy < copies; copy++) cards.set(await cardPoint(round, keyOfValue(item), copy), item);
    const points = log.flatMap(({ deck = [], cards: given = [] }) => [...deck, ...given]);
    const tried = [points, mask.unmask(points), mask.unmask(mask.unmask(points)), mask.maskAndShuffle(points)].flat();
    const read = [...new Set(tried.filter((point) => cards.has(point)))].map((point) => cards.get(point));
    const own = view.moves.flatMap(({ thrown }) => (thrown ?? []).map(([, value]) => value));
    const theirs = view.moves.filter(({ covered }) => covered === "throw").length;
    return { read: read.sort(), own: own.sort(), theirs, points: points.length, seats: ready.game.seats };
  },

  /** How often each pair of first cards is dealt. */
  async pairs(job) {
    const counts = {};
    for (let time = 0; time < job.times; time++) {
      const at = await table(job);
      at.kept.id = `table ${time}`;
      let seen;
      await game(
        at,
        job.seed,
        async (_log, all) => void (seen = all),
        ([{ moves }]) => moves.length === 2,
      );
      const [first, second] = [seen[0].moves[0], seen[1].moves[1]];
      const key = [first, second].map(({ thrown }) => keyOfValue(thrown[0][1])).join();
      counts[key] = (counts[key] ?? 0) + 1;
    }
    return counts;
  },

  /** What somebody sees who has all seats, once three draws were made. */
  async both(job) {
    const at = await table(job);
    const hand = at.hands[0];
    let seen;
    const look = async (log) => void (seen = await hand.position(at.ready, at.kept, log, [0, 1]));
    await game({ ...at, hands: [hand, hand] }, job.seed, look, ([{ moves }]) => moves.length === 3);
    return seen.state.cells.map((value) => (value === COVERED ? "covered" : keyOfValue(value)));
  },

  /** What is said of a point that is read twice, of two cards that are alike. */
  async again() {
    const deck = await Deck.create("deck", 0, "round", [0, 1], [["ace", 2]]);
    const [first, second] = deck.layers[0];
    const read = [...deck.revealItems([first]), ...deck.revealItems([second])];
    try {
      return { read, said: deck.revealItems([first]) };
    } catch (error) {
      return { read, said: error.message };
    }
  },

  /** What is said if ann tells her number of the deck before the game is over. */
  async early(job) {
    const at = await table(job);
    const said = [];
    await game(at, job.seed, async (log, all) => {
      if (all[0].moves.length !== 2 || said.length) return;
      const { round, secret } = await marked(at);
      const number = await secretNumber(secret, round, DECK, 1);
      for (const opens of [0, 1])
        said.push(
          await at.hands[0].position(at.ready, at.kept, [...log, { seat: 2, opens, number }], [0]).then(
            () => "",
            ({ message }) => message,
          ),
        );
    });
    return said;
  },

  /** What both see on the way, and the play as everybody can check it. */
  async played(job) {
    const at = await table(job);
    const { log, views, end } = await game(at, job.seed);
    const plain = entriesOf(at.ready, end.moves);
    const { state } = replayLog(at.ready, plain);
    const written = makeTranscript(at.ready, { rules: job.rules, log: plain });
    const longest = Math.max(...log.map((entry) => JSON.stringify(entry).length));
    return { views, transcript: written, longest, same: keyOfValue(state.cells) === keyOfValue(end.state.cells) };
  },

  /** Every entry of a game changed in each of its parts, and twice: what is said of it to somebody who sees the table
   * for the first time, whether somebody notices who saw the game, and whether the entry is a choice that all see. */
  async forged(job) {
    const at = await table(job);
    const { log } = await game(at, job.seed);
    const found = [];
    const other = (value) => {
      if (typeof value === "number") return value + 1;
      if (Array.isArray(value)) return value.length ? [...value.slice(0, -1), other(value.at(-1))] : ["0".repeat(64)];
      if (typeof value === "string") return /^[0-9a-f]{64}$/.test(value) ? value.slice(1) + "0" : `${value}x`;
      const [key, first] = Object.entries(value)[0] ?? ["x", 0];
      return { ...value, [key]: other(first) };
    };
    const tried = async (what, changed, entry = {}) => {
      const storage = shelf();
      new SealedGames(storage).extendsLastSeen(at.kept, log);
      const noticed = !new SealedGames(storage).extendsLastSeen(at.kept, changed);
      const open = "with" in entry && !("opens" in entry);
      try {
        const { state, busy } = await at.hands[1].position(at.ready, at.kept, changed, [1]);
        return { what, said: "", noticed, open, over: !state.phase && !busy };
      } catch (error) {
        if (!(error instanceof RecordError)) throw error;
        return { what, said: error.message, noticed, open };
      }
    };
    for (const [place, entry] of log.entries()) {
      for (const key of Object.keys(entry)) {
        const changed = log.map((one, at) => (at === place ? { ...entry, [key]: other(entry[key]) } : one));
        if (JSON.stringify(changed) !== JSON.stringify(log)) found.push(await tried(`${place} ${key}`, changed, entry));
      }
      const twice = [...log.slice(0, place + 1), entry, ...log.slice(place + 1)];
      found.push(await tried(`${place} twice`, twice));
    }
    const honest = await tried("nothing", log);
    return { found, honest };
  },

  /** How often each result falls for somebody whose number is always the same, and another that is not. */
  async fair(job) {
    const counts = {};
    for (let time = 0; time < job.times; time++) {
      const at = await table(job);
      at.kept.id = `table ${time}`;
      const log = [];
      for (;;) {
        const all = await looks(at, log);
        const duty = all.map((one) => one.duty).find(Boolean);
        if (duty) log.push(duty);
        else if (all[0].moves.length) {
          const [move] = all[0].moves;
          const key = move.thrown.map(([, value]) => keyOfValue(value)).join();
          counts[key] = (counts[key] ?? 0) + 1;
          break;
        } else log.push(await at.hands[0].entryForAct(at.ready, at.kept, log, all[0], null));
      }
    }
    return counts;
  },

  /** Whether both can still go on at a table after they were at another one, and whether the secrets of the tables
   * differ. */
  async several(job) {
    const at = await table(job);
    const storages = PEOPLE.map(shelf);
    const hands = storages.map((storage) => new SealedGames(storage));
    const logs = { one: [], other: [] };
    const lost = [];
    for (let turn = 0; turn < 3; turn++)
      for (const [id, log] of Object.entries(logs)) {
        const now = { ...at, hands, kept: { ...at.kept, id } };
        const all = await looks(now, log);
        const [{ state }] = all;
        lost.push(...all.map((one) => one.lost));
        const duty = all.map((one) => one.duty).find(Boolean);
        log.push(duty ?? (await hands[state.mover].entryForAct(at.ready, now.kept, log, all[state.mover], null)));
      }
    hands[0].forgetOtherTables((tables) => tables.slice(-1));
    const kept = await Promise.all(
      Object.entries(logs).map(
        async ([id, log]) => (await hands[0].position(at.ready, { ...at.kept, id }, log.slice(0, 3), [0])).lost,
      ),
    );
    return {
      lost,
      differ: logs.one.every((entry, place) => JSON.stringify(entry) !== JSON.stringify(logs.other[place])),
      kept,
    };
  },

  /** What the browser of each seat adds by itself to every part of a game: at its own table, and at one with the same
   * entries that plays something else. */
  async switched(job) {
    const at = await table(job);
    const logs = [];
    await game(at, job.seed, async (log) => logs.push([...log]));
    const found = { own: [], rules: [], setting: [] };
    for (const log of logs)
      for (const [what, change] of [
        ["own", {}],
        ["rules", { rules: "others" }],
        ["setting", { setting: "another" }],
      ])
        for (const [seat, hand] of at.hands.entries()) {
          const { duty } = await hand.position(at.ready, { ...at.kept, ...change }, log, [seat]).catch(() => ({}));
          if (duty) found[what].push(Object.keys(duty).sort().join());
        }
    return found;
  },

  /** A log that loses what it had, or has it otherwise, is noticed, also after the page was loaded anew. */
  async grows(job) {
    const at = await table(job);
    const { log } = await game(at, job.seed);
    const storage = shelf();
    const told = [log.slice(0, 3), log.slice(0, 5), log.slice(0, 4), log.slice(0, 6)].map((some) =>
      new SealedGames(storage).extendsLastSeen(at.kept, some),
    );
    const changed = log.map((entry, place) => (place === 2 ? { ...entry, seat: 7 } : entry));
    return [
      ...told,
      new SealedGames(storage).extendsLastSeen(at.kept, changed),
      new SealedGames(storage).extendsLastSeen(at.kept, log),
    ];
  },
};

for (const line of readFileSync(0, "utf-8").split("\n").filter(Boolean)) {
  const job = JSON.parse(line);
  console.log(JSON.stringify(await SCENES[job.scene](job)));
}
