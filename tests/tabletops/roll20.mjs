// Runs a Mod script as Roll20's sandbox does, as far as its documentation shows: a context of its own with nothing but
// the language and Roll20's functions, a state that lives on as JSON, senders that Roll20 names. It is a model; Roll20
// itself was not seen.
//
//   node tests/tabletops/roll20.mjs < job.json
//
// script: the text of the script. scene: one of those below. seed: of the dice. names: of the players by id.

import { readFileSync } from "node:fs";
import vm from "node:vm";

import { Random } from "../../site/runtime/rules/random.mjs";

const job = JSON.parse(readFileSync(0, "utf8"));
const names = { gm: "Keeper", ann: "Ann", ben: "Ben", ...job.names };
const chat = [];
const logged = [];
const objects = [];
const dice = new Random(job.seed ?? 1);
let state = {};
let heard = {};

const object = (type, properties) => {
  const held = { ...properties };
  return {
    id: `-${type}-${objects.length}`,
    type,
    held,
    get: (name) => held[name],
    set: (name, value) => void (held[name] = value),
  };
};

/** A fresh sandbox; what was in `state` comes back as JSON. */
function started() {
  heard = { ready: [], "chat:message": [] };
  state = JSON.parse(JSON.stringify(state));
  const context = vm.createContext({
    state,
    on: (event, act) => heard[event].push(act),
    sendChat: (speaker, text, callback, options) => chat.push({ speaker, text, options }),
    createObj: (type, properties) => {
      objects.push(object(type, properties));
      return objects.at(-1);
    },
    findObjs: ({ _type, ...wanted }) =>
      objects.filter(
        ({ type, held }) => type === _type && Object.entries(wanted).every(([name, value]) => held[name] === value),
      ),
    getObj: (type, id) =>
      type === "player" && Object.hasOwn(names, id) ? object("player", { displayname: names[id] }) : undefined,
    playerIsGM: (id) => id === "gm",
    randomInteger: (most) => 1 + dice.below(most),
    log: (text) => logged.push(text),
  });
  vm.runInContext(job.script, context, { filename: "script.js" });
  for (const act of heard.ready) act();
}

/** Say something as a player; the value is what was answered. */
async function say(playerid, content, type = "api") {
  const before = chat.length;
  for (const act of heard["chat:message"]) act({ type, content, playerid, who: "somebody else (GM)" });
  await new Promise((done) => setImmediate(done));
  await new Promise((done) => setImmediate(done));
  return chat.slice(before).map(({ text }) => text);
}

/** What a reader sees of a card: of rows of one name the last alone, for a roll template keeps one value for each; and
 * the buttons of these. */
function read(text) {
  const card = new Map([...text.matchAll(/\{\{([^=]*)=((?:(?!\}\}).)*)\}\}/g)].map(([, head, value]) => [head, value]));
  const buttons = [...card.values()].flatMap((value) =>
    [...value.matchAll(/\[([^\]]*)\]\((![^)]*)\)/g)].map(([, label, command]) => ({ label: seen(label), command })),
  );
  const rows = [...card].map(([head, value]) => [seen(head), seen(value)]);
  return { buttons, rows, to: /^\/w (gm|"[^"]*") /.exec(text)?.[1] ?? null };
}
const seen = (text) => text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
const game = job.game;
const kept = () => state.Oddsmith?.tables?.[game];
const last = () => read(chat.at(-1).text);
const row = (name, card = last()) => card.rows.find(([head]) => head === name)?.[1];
const why = (answers) => answers.map((text) => row("Not done", read(text)) ?? "");

async function open() {
  await say("gm", `!oddsmith ${game} ${job.open ?? "setting 0"}`);
  const seats = kept().seats.length;
  for (let place = 0; place < seats; place++) {
    if (place < 2) await say(["gm", "ann"][place], `!oddsmith ${game} sit ${place}`);
    else await say("gm", `!oddsmith ${game} npc ${place} 0`);
  }
  await say("gm", `!oddsmith ${game} begin`);
}

/** Press one of the moves of the last card, as whoever is to move. */
async function move() {
  const acts = last().buttons.filter(({ command }) => / do \d| on$/.test(command));
  if (!acts.length) return false;
  const turn = row("Turn");
  const called = (name, place) =>
    [name, `${name} (seat ${place + 1})`].map((one) => one.replace(/[\p{C}\p{Z}]/gu, " "));
  const mover = kept().seats.find(({ name }, place) => called(name, place).includes(turn))?.user ?? "gm";
  await say(mover, acts[dice.below(acts.length)].command);
  return true;
}

const transcript = async () => {
  await say("gm", `!oddsmith ${game} transcript`);
  const [{ held }] = objects.filter(({ type }) => type === "handout");
  return JSON.parse(
    held.notes.replace(/^<pre>|<\/pre>$/g, "").replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
  );
};

const scenes = {
  /** To the end, with a restart on the way. */
  async played() {
    await open();
    let moves = 0;
    let reloaded = null;
    for (; moves < 2000 && (await move()); moves++) {
      if (moves !== 2) continue;
      const before = JSON.stringify(kept());
      started();
      await say("ann", "!oddsmith");
      reloaded = before === JSON.stringify(kept());
    }
    const rows = chat.map(({ text }) => read(text).rows);
    return {
      moves,
      reloaded,
      end: last(),
      transcript: await transcript(),
      rows,
      names: kept().seats.map(({ name }) => name),
    };
  },

  /** Nobody but non-players. */
  async watched() {
    await say("gm", `!oddsmith ${game} ${job.open ?? "setting 0"}`);
    const lobby = last();
    await say("gm", `!oddsmith ${game} npc 0`);
    const ways = last();
    for (const place of kept().seats.keys()) await say("gm", `!oddsmith ${game} npc ${place} ${job.skill ?? 0}`);
    await say("gm", `!oddsmith ${game} begin`);
    for (let i = 0; i < 50 && last().buttons.some(({ command }) => command.endsWith(" on")); i++)
      await say("ben", `!oddsmith ${game} on`);
    await say("gm", `!oddsmith ${game} advice`);
    const advice = row("Not done");
    return { lobby, ways, advice, end: read(chat.at(-2).text), transcript: await transcript() };
  },

  /** What is not granted, and does nothing. */
  async refused() {
    const found = Object.create(null);
    const tried = async (name, player, words) => {
      const before = JSON.stringify(state);
      const answers = await say(player, `!oddsmith ${game} ${words}`);
      found[name] = {
        why: why(answers),
        to: answers.map((text) => read(text).to),
        asked: player,
        same: before === JSON.stringify(state),
      };
    };
    await tried("open", "ann", "setting 0");
    await tried("no setting", "gm", "setting 99");
    for (const size of ["", " 0", " 999", " 2 fly=1", " 2 __proto__=1", " 2 =", " x", " 2 2", " 1.5"])
      await tried(`open${size}`, "gm", `open${size}`);
    await tried("no table", "gm", "begin");
    await say("gm", `!oddsmith ${game} setting 0`);
    await tried("npc", "ann", "npc 0 0");
    await tried("begin", "gm", "begin");
    await say("gm", `!oddsmith ${game} sit 0`);
    await tried("taken", "ann", "sit 0");
    await say("ann", `!oddsmith ${game} sit 1`);
    await tried("twice", "ann", "sit 1");
    await tried("not mine", "ann", "leave 0");
    await tried("outsider begins", "ben", "begin");
    await say("ann", `!oddsmith ${game} begin`);
    const { rev } = kept();
    await tried("wrong player", "ann", `do ${rev}`);
    await tried("outsider", "ben", `do ${rev}`);
    await tried("old button", "gm", `do ${rev - 1}`);
    await tried("no such place", "gm", `do ${rev} 999999999`);
    await tried("a choice where dice are due", "gm", `do ${rev} 0`);
    for (const verb of ["undo", "close", "more", "transcript", "tables", "advice"]) await tried(verb, "ann", verb);
    for (const words of [
      "constructor",
      "__proto__",
      "toString",
      "do",
      "do x y",
      "sit -1",
      "sit 1e9",
      "sit 0.5",
      "npc 99999999999 0",
    ])
      await tried(words, "ann", words);
    const silent = [
      ...(await say("ann", "!oddsmith other open 0")),
      ...(await say("ann", `!oddsmith ${game}`, "general")),
      ...(await say("ann", `!oddsmith ${"x".repeat(300)}`)),
      ...(await say("ann", "!oddsmithy")),
    ];
    return { found, silent, rev: kept().rev === rev };
  },

  /** Take back, hand over, advice, close. */
  async kept() {
    await say("gm", `!oddsmith ${game} setting 0`);
    await say("gm", `!oddsmith ${game} npc 1`);
    const ways = last();
    await say("gm", ways.buttons.at(-1).command);
    const given = { ...kept().seats[1] };
    await say("gm", `!oddsmith ${game} leave 1`);
    const freed = { ...kept().seats[1] };
    await say("gm", `!oddsmith ${game} close`);
    await open();
    for (let i = 0; i < 2; i++) await move();
    const before = kept().log.length;
    await say("gm", `!oddsmith ${game} undo`);
    const after = kept().log.length;
    await say("gm", `!oddsmith ${game} more`);
    const more = last();
    await say("gm", `!oddsmith ${game} npc 1`);
    const later = last();
    await say("gm", `!oddsmith ${game}`);
    for (let i = 0; i < 30 && !(last().buttons.filter(({ command }) => command.includes(" do ")).length > 1); i++) {
      if (last().to) await say("gm", `!oddsmith ${game}`);
      else await move();
    }
    const choices = last().buttons.map(({ label }) => label);
    await say("gm", `!oddsmith ${game} advice`);
    const advice = last();
    await say("gm", `!oddsmith ${game} npc 0 0`);
    await say("gm", `!oddsmith ${game} npc 1 0`);
    const end = last();
    await say("gm", `!oddsmith ${game} close`);
    return { ways, given, freed, before, after, more, later, choices, advice, end, left: kept() ?? null, open: last() };
  },

  /** A player who leaves in mid game, and one who comes in. */
  async left() {
    await open();
    for (let i = 0; i < 2; i++) await move();
    const { log } = kept();
    await say("gm", `!oddsmith ${game} npc 1 ${job.skill ?? 0}`);
    const given = kept().seats[1];
    const mine = why(await say("ben", `!oddsmith ${game} leave 1`));
    await say("gm", `!oddsmith ${game} leave 1`);
    const freed = last();
    await say("ben", `!oddsmith ${game} sit 1`);
    const back = kept().seats[1];
    const again = why(await say("ann", `!oddsmith ${game} sit 1`));
    await say("gm", `!oddsmith ${game}`);
    for (let i = 0; i < 2000 && (await move()); i++);
    const same = JSON.stringify(kept().log.slice(0, log.length)) === JSON.stringify(log);
    return { given, mine, freed, back, again, same, end: last(), transcript: await transcript() };
  },

  /** Once more, with the same people; and a new table, at which a button of the last one means nothing. */
  async again() {
    await open();
    const early = why(await say("gm", `!oddsmith ${game} again`));
    await say("gm", `!oddsmith ${game}`);
    const buttons = new Set();
    for (let i = 0; i < 2000; i++) {
      for (const { command } of last().buttons) if (command.includes(" do ")) buttons.add(command);
      if (!(await move())) break;
    }
    const over = last();
    const outsider = why(await say("ben", `!oddsmith ${game} again`));
    const { seats } = kept();
    await say("ann", `!oddsmith ${game} again`);
    const fresh = {
      same: JSON.stringify(kept().seats) === JSON.stringify(seats),
      log: kept().log.length,
      turn: row("Turn"),
    };
    const asked = read((await say("gm", `!oddsmith ${game} close`))[0]);
    const stays = kept() !== undefined;
    await say("gm", asked.buttons[0].command);
    const closed = kept() === undefined;
    await open();
    const { length } = kept().log;
    const old = new Set();
    for (const command of buttons) for (const told of why(await say("gm", command))) old.add(told);
    return { early, over, outsider, fresh, asked, stays, closed, old: [...old], grown: kept().log.length - length };
  },

  /** A table of a script that has other rules by now. */
  async changed() {
    await open();
    state.Oddsmith.tables[game].rules = "others";
    const told = why(await say("ann", `!oddsmith ${game}`));
    await say("gm", told[0].slice(told[0].indexOf("!")));
    return { told, left: kept() ?? null };
  },

  /** A game that grows beyond what a table holds: nothing of what is refused stays. */
  async full() {
    await say("gm", `!oddsmith ${game} setting 0`);
    for (const place of kept().seats.keys()) await say("gm", `!oddsmith ${game} npc ${place} 0`);
    const before = JSON.stringify(kept());
    const told = why(await say("gm", `!oddsmith ${game} begin`));
    return { told, same: before === JSON.stringify(kept()) };
  },

  /** Until the rules break; then what nobody can do any more, and the ways back. */
  async broken() {
    await open();
    for (let i = 0; i < 50 && (await move()); i++);
    const end = last();
    const before = structuredClone(kept());
    const refused = [
      ...why(await say("gm", `!oddsmith ${game} do ${before.rev}`)),
      ...why(await say("ann", `!oddsmith ${game} on`)),
    ];
    await say("gm", `!oddsmith ${game} npc 0 0`);
    const same = JSON.stringify([kept().log, kept().broken]) === JSON.stringify([before.log, true]);
    await say("gm", `!oddsmith ${game} leave 0`);
    await say("gm", `!oddsmith ${game} sit 0`);
    const held = await transcript();
    await say("gm", `!oddsmith ${game} undo`);
    const back = { broken: kept().broken, log: kept().log.length };
    state.Oddsmith.tables[game] = before;
    await say("gm", `!oddsmith ${game} again`);
    const again = { broken: kept().broken, log: kept().log.length };
    state.Oddsmith.tables[game] = before;
    await say("gm", `!oddsmith ${game} close`);
    return { end, kept: before, refused, same, transcript: held, back, again, closed: kept() === undefined };
  },

  /** Random tables, made once. */
  async tables() {
    await say("gm", `!oddsmith ${game} tables`);
    const once = objects.length;
    await say("gm", `!oddsmith ${game} tables`);
    return {
      again: objects.length - once,
      made: objects
        .filter(({ type }) => type === "rollabletable")
        .map(({ id, held }) => ({
          ...held,
          items: objects
            .filter((one) => one.held._rollabletableid === id)
            .map((one) => [one.held.name, one.held.weight]),
        })),
    };
  },
};

started();
const found = await scenes[job.scene]();
const commands = chat
  .flatMap(({ text }) => read(text).buttons.map(({ command }) => command))
  .filter((command) => !/^!oddsmith [a-z0-9 -]+$/.test(command));
// Apart from our own frame, nothing in the chat may mean something to Roll20.
const foreign = chat
  .map(({ text }) =>
    text
      .replace(/^(\/w (gm|"[^"&{}\n]+") )?&\{template:default\}/u, "")
      .replace(/&#\d+;/g, "")
      .replace(/\]\(!oddsmith [a-z0-9 -]+\)/g, "]"),
  )
  .filter((text) => /[<>@%?#`*"'\\/()&$|~\n]|\[\[/.test(text));
console.log(
  JSON.stringify({ ...found, logged, commands, foreign, speakers: [...new Set(chat.map(({ speaker }) => speaker))] }),
);
