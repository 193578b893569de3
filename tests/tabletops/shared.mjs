// Plays at a table of a room without its page, and says what the room keeps and what people are told.
//
//   node tests/tabletops/shared.mjs < job.json
//
// book: of a game. rules: their hash. setting: a slug of it. scene: one of those below.

import { TablePage } from "../../site/room/app.mjs";
import { RIGHTS } from "../../site/room/rights.mjs";
import { SharedTable } from "../../site/room/shared.mjs";
import { ChatTable } from "../../site/roll20/table.mjs";
import { Random } from "../../site/runtime/rules/random.mjs";
import { SealedGames } from "../../site/runtime/sealed/sealed.mjs";
import { packLog } from "../../site/runtime/table/packed.mjs";
import { makeChoiceEntry } from "../../site/runtime/table/record.mjs";
import { endText } from "../../site/runtime/words/sentences.mjs";
import { job, library } from "./shelf.mjs";

let kept = null;
const held = new Map();
const storage = { getItem: (key) => held.get(key) ?? null, setItem: (key, text) => void held.set(key, text) };
const room = {
  large: 4000,
  read: async () => kept,
  write: async (value) => void (kept = value),
  sealed: new SealedGames(storage),
  owner: "gm",
};
const shared = new SharedTable(room, library, { id: "gm", name: "Keeper", gm: true });
const random = new Random(job.seed ?? 1);
shared.dice.randomBits = () => random.randomBits();
shared.dice.below = (bound) => random.below(bound);

/** A list in a list in a list, packed as a log is. */
async function deep() {
  const text = `[${"[".repeat(900_000)}${"]".repeat(900_000)}]`;
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return Buffer.from(await new Response(stream).arrayBuffer()).toString("base64");
}

const why = (act) =>
  act().then(
    () => "",
    ({ message }) => message,
  );
const told = () => endText(shared.position.loadedGame, shared.position.state, shared.position.names);

const scenes = {
  /** Logs that no page can hold, each with good ones after it. */
  async hostile() {
    await shared.open("game", job.setting, "nobody");
    const good = kept;
    const found = [];
    for (const [rev, change] of [
      { log: await deep(), seats: good.seats.slice(1) },
      {},
      { log: await deep() },
      {},
    ].entries()) {
      await shared.receiveRecord({ ...good, ...change, rev });
      found.push(shared.fault);
    }
    return { found };
  },

  /** A page whose drawing fails once, and whose table fails once. */
  async deaf() {
    const element = { addEventListener() {}, setAttribute() {}, append() {}, replaceChildren() {} };
    globalThis.document = { createElement: () => ({ ...element }) };
    const app = new TablePage(element, null, []);
    const found = [];
    let drawings = 0;
    app.drawPage = () => {
      drawings += 1;
      if (drawings === 1) throw new Error("no drawing");
    };
    app.shared = {
      receiveRecord: async (value) => {
        if (value === 2) throw new Error("no hearing");
        found.push(value);
      },
      addOwedEntries: async () => {},
    };
    console.error = () => {};
    for (const value of [1, 2, 3]) await app.receiveRecord(value);
    return { found, drawings, complaint: app.complaint };
  },

  /** What is said of a table's size, small and large. */
  async weighs() {
    await shared.open("game", job.setting, "nobody");
    const found = [shared.sizeWarning];
    const seats = kept.seats.map((seat) => ({ ...seat, name: "x".repeat(2000) }));
    await shared.receiveRecord({ ...kept, seats });
    return { found: [...found, shared.sizeWarning] };
  },

  /** What everybody may do at a table by rights, stage by stage. */
  async rights() {
    const people = {
      master: { id: "gm", name: "Keeper", gm: true },
      friend: { id: "ann", name: "Ann", gm: false },
      guest: { id: "ann", name: "Ann", gm: false, guest: true },
      stranger: { id: "eve", name: "Eve", gm: false, guest: true },
    };
    const found = Object.fromEntries(Object.keys(people).map((who) => [who, {}]));
    const seated = ["join", "leave", "hand"];
    const look = async (stage) => {
      for (const [who, person] of Object.entries(people)) {
        const one = new SharedTable(room, library, person);
        await one.receiveRecord(kept);
        found[who][stage] = [...Object.keys(RIGHTS), "hear", "constructor"].flatMap((act) =>
          seated.includes(act)
            ? [0, 1, 2, 3, 4, null].filter((place) => one.mayDo(act, place)).map((place) => `${act} ${place}`)
            : [act].filter(() => one.mayDo(act)),
        );
      }
    };
    await look("none");
    await shared.open("game", job.setting, "nobody");
    kept.seats[1] = { ...kept.seats[1], user: "ann", name: "Ann" };
    await shared.hand(2, 0);
    await look("lobby");
    await shared.hand(3, 0);
    await look("full");
    await shared.start();
    await look("other");
    while (shared.position.state.mover === 0) await shared.act(shared.position.actions ? 0 : null);
    await look("own");
    kept = { ...kept, broken: true };
    await look("over");
    return found;
  },

  /** Two players who each choose once, and take it back. */
  async straight() {
    await shared.open("game", job.setting, "nobody");
    kept.seats[1] = { ...kept.seats[1], user: "ann", name: "Ann" };
    await shared.start();
    const log = () => shared.log.map((entry) => [entry.seat, "throw" in entry ? "throw" : "choose"]);
    const found = {};
    for (const [name, act] of [
      ["made", () => shared.act(0)],
      ["then", () => shared.act(0)],
      ["back", () => shared.undo()],
      ["none", () => shared.undo()],
    ]) {
      await act();
      found[name] = log();
    }
    return found;
  },

  /** Who asks a chat for a size: whether the game was laid out for it. */
  async granted() {
    const asked = [];
    const content = { game: "game", title: "Game", rules: job.rules, book: job.book, rolls: [], tables: {} };
    const table = new ChatTable(
      { state: () => ({}) },
      { content, playableSlug: (words) => (asked.push(words), null), sizesText: () => "" },
    );
    const found = [];
    for (const gm of [false, true]) {
      const told = await why(() => table.handleCommand(["open", "2"], { id: "", name: "", gm }));
      found.push([told.split(".")[0], asked.length]);
    }
    return { found };
  },

  /** The game master and another, or a non-player, until the rules break; then what nobody can do any more, and the way
   * back. */
  /** Somebody promises another number by hand once the roll is made, and goes on at once. */
  async anew() {
    await shared.open("game", job.setting, "nobody");
    kept.seats[1] = { ...kept.seats[1], user: "gm", name: "Ann" };
    await shared.start();
    await shared.doAct("act", null);
    await shared.addOwedEntries();
    const [mine, ...rest] = shared.log;
    const found = [shared.notice];
    const other = [{ ...mine, promise: "0".repeat(64) }, ...rest];
    const [choice] = shared.position.actions;
    const log = [other, [...other, makeChoiceEntry(shared.position.loadedGame.game, 0, choice)]];
    for (const [more, entries] of log.entries()) {
      await shared.receiveRecord({ ...kept, rev: kept.rev + 1 + more, log: await packLog(entries) });
      found.push(shared.notice || shared.fault);
    }
    return { found };
  },

  /** A game with secrets whose rules break. */
  async covered() {
    await shared.open("game", job.setting, "nobody");
    kept.seats[1] = { ...kept.seats[1], user: "gm", name: "Ann" };
    await shared.start();
    for (let i = 0; i < 40 && !shared.isOver; i++) {
      await shared.addOwedEntries();
      if (!shared.isOver) await shared.doAct("act", shared.position.actions ? 0 : null);
    }
    const { broken, log } = kept;
    const refused = await why(() => shared.doAct("act", shared.position.actions ? 0 : null));
    await shared.addOwedEntries();
    const found = { broken, fault: shared.fault, told: told(), refused, same: kept.log === log };
    await shared.doAct("rematch");
    return { ...found, again: { broken: kept.broken, log: shared.log.length } };
  },

  async broken() {
    await shared.open("game", job.setting, "nobody");
    if (job.npc) await shared.hand(1, shared.position.loadedGame.setting.opponents.length - 1);
    else kept.seats[1] = { ...kept.seats[1], user: "ann", name: "Ann" };
    await shared.start();
    let before = 0;
    for (let i = 0; i < 20 && !shared.isOver; i++) {
      before = shared.log.length;
      await shared.act(shared.position.actions ? 0 : null);
    }
    const { log, broken } = kept;
    const end = {
      broken,
      fault: shared.fault,
      told: told(),
      phase: shared.position.state.phase,
      mover: shared.position.state.mover,
      own: before,
      log: shared.log,
    };
    const can = { acts: shared.canMove, stands: shared.isNonPlayerWaiting, closable: shared.mayDo("close") };
    const refused = [
      await why(() => shared.doAct("act", shared.position.actions ? 0 : null)),
      await why(() => shared.doAct("goOn")),
    ];
    await shared.hand(0, shared.position.loadedGame.setting.opponents.length - 1);
    const same = kept.log === log && kept.broken;
    kept.seats[0] = { kind: "user", user: "gm", name: "Keeper", skill: 0 };
    await shared.undo();
    return {
      end,
      can,
      refused,
      same,
      transcript: shared.transcript(),
      back: { broken: kept.broken, log: shared.log.length, over: shared.isOver },
    };
  },
};

console.log(JSON.stringify(await scenes[job.scene]()));
