// Runs a Mod script as Roll20's sandbox does, as far as its documentation shows: a context of its own with nothing but the language
// and Roll20's functions, a state that lives on as JSON, senders that Roll20 names. It is a model; Roll20 itself was not seen.
//
//   node tests/tabletops/roll20.mjs < job.json
//
// script: the text of the script. scene: one of those below. seed: of the dice. names: of the players by id.

import { readFileSync } from "node:fs";
import vm from "node:vm";

import { Random } from "../../site/runtime/random.mjs";

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
  return { id: `-${type}-${objects.length}`, type, held, get: (name) => held[name], set: (name, value) => void (held[name] = value) };
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
    findObjs: ({ _type, ...wanted }) => objects.filter(({ type, held }) => type === _type && Object.entries(wanted).every(([name, value]) => held[name] === value)),
    getObj: (type, id) => (type === "player" && Object.hasOwn(names, id) ? object("player", { displayname: names[id] }) : undefined),
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

/** What a reader sees of a card, and its buttons. */
function read(text) {
  const buttons = [...text.matchAll(/\[([^\]]*)\]\((![^)]*)\)/g)].map(([, label, command]) => ({ label: seen(label), command }));
  const rows = [...text.matchAll(/\{\{([^=]*)=((?:(?!\}\}).)*)\}\}/g)].map(([, head, value]) => [seen(head), seen(value)]);
  return { buttons, rows, whispered: text.startsWith("/w gm ") };
}
const seen = (text) => text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
const game = job.game;
const kept = () => state.Oddsmith?.tables?.[game];
const last = () => read(chat.at(-1).text);
const why = (answers) => answers.map((text) => read(text).rows.find(([head]) => head === "Not done")?.[1] ?? "");

async function open() {
  await say("gm", `!tavern ${game} open ${job.setting ?? 0}`);
  const seats = kept().seats.length;
  for (let place = 0; place < seats; place++) {
    if (place < 2) await say(["gm", "ann"][place], `!tavern ${game} sit ${place}`);
    else await say("gm", `!tavern ${game} npc ${place} 0`);
  }
  await say("gm", `!tavern ${game} begin`);
}

/** Press one of the moves of the last card, as whoever is to move. */
async function move() {
  const acts = last().buttons.filter(({ command }) => / do \d| on$/.test(command));
  if (!acts.length) return false;
  const turn = last().rows.find(([head]) => head === "Turn")[1];
  const mover = kept().seats.find(({ name }) => name.replace(/[\p{C}\p{Z}]/gu, " ") === turn)?.user ?? "gm";
  await say(mover, acts[dice.below(acts.length)].command);
  return true;
}

const transcript = async () => {
  await say("gm", `!tavern ${game} transcript`);
  const [{ held }] = objects.filter(({ type }) => type === "handout");
  return JSON.parse(held.notes.replace(/^<pre>|<\/pre>$/g, "").replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))));
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
      await say("ann", "!tavern");
      reloaded = before === JSON.stringify(kept());
    }
    return { moves, reloaded, end: last(), transcript: await transcript(), story: chat.flatMap(({ text }) => read(text).rows).filter(([head, text]) => head === "" && !text.startsWith("[")).map(([, text]) => text) };
  },

  /** Nobody but non-players. */
  async watched() {
    await say("gm", `!tavern ${game} open ${job.setting ?? 0}`);
    for (const place of kept().seats.keys()) await say("gm", `!tavern ${game} npc ${place} ${job.skill ?? 0}`);
    await say("gm", `!tavern ${game} begin`);
    for (let i = 0; i < 50 && last().buttons.some(({ command }) => command.endsWith(" on")); i++) await say("ben", `!tavern ${game} on`);
    return { end: last(), transcript: await transcript() };
  },

  /** What is not granted, and does nothing. */
  async refused() {
    const found = Object.create(null);
    const tried = async (name, player, words) => {
      const before = JSON.stringify(state);
      found[name] = [...why(await say(player, `!tavern ${game} ${words}`)), before === JSON.stringify(state)];
    };
    await tried("open", "ann", "open 0");
    await tried("no setting", "gm", "open 99");
    await tried("no table", "gm", "begin");
    await say("gm", `!tavern ${game} open 0`);
    await tried("npc", "ann", "npc 0 0");
    await tried("begin", "gm", "begin");
    await say("gm", `!tavern ${game} sit 0`);
    await tried("taken", "ann", "sit 0");
    await say("ann", `!tavern ${game} sit 1`);
    await tried("twice", "ann", "sit 1");
    await tried("not mine", "ann", "leave 0");
    await tried("outsider begins", "ben", "begin");
    await say("ann", `!tavern ${game} begin`);
    const { rev } = kept();
    await tried("wrong player", "ann", `do ${rev}`);
    await tried("outsider", "ben", `do ${rev}`);
    await tried("old button", "gm", `do ${rev - 1}`);
    await tried("no such place", "gm", `do ${rev} 999999999`);
    await tried("a choice where dice are due", "gm", `do ${rev} 0`);
    for (const verb of ["undo", "close", "more", "transcript", "tables", "advice"]) await tried(verb, "ann", verb);
    for (const words of ["constructor", "__proto__", "toString", "do", "do x y", "sit -1", "sit 1e9", "sit 0.5", "npc 99999999999 0"]) await tried(words, "ann", words);
    const silent = [...(await say("ann", "!tavern other open 0")), ...(await say("ann", `!tavern ${game}`, "general")), ...(await say("ann", `!tavern ${"x".repeat(300)}`)), ...(await say("ann", "!tavernkeeper"))];
    return { found, silent, rev: kept().rev === rev };
  },

  /** Take back, hand over, advice, close. */
  async kept() {
    await say("gm", `!tavern ${game} open 0`);
    await say("gm", `!tavern ${game} npc 1`);
    const ways = last();
    await say("gm", ways.buttons.at(-1).command);
    const given = { ...kept().seats[1] };
    await say("gm", `!tavern ${game} leave 1`);
    const freed = { ...kept().seats[1] };
    await say("gm", `!tavern ${game} close`);
    await open();
    for (let i = 0; i < 3; i++) await move();
    const before = kept().log.length;
    await say("gm", `!tavern ${game} undo`);
    const after = kept().log.length;
    await say("gm", `!tavern ${game} more`);
    const more = last();
    for (let i = 0; i < 30 && !(last().buttons.filter(({ command }) => command.includes(" do ")).length > 1); i++) {
      if (last().whispered) await say("gm", `!tavern ${game}`);
      else await move();
    }
    const choices = last().buttons.map(({ label }) => label);
    await say("gm", `!tavern ${game} advice`);
    const advice = last();
    await say("gm", `!tavern ${game} npc 0 0`);
    await say("gm", `!tavern ${game} npc 1 0`);
    const end = last();
    await say("gm", `!tavern ${game} close`);
    return { ways, given, freed, before, after, more, choices, advice, end, left: kept() ?? null, open: last() };
  },

  /** Random tables, made once. */
  async tables() {
    await say("gm", `!tavern ${game} tables`);
    const once = objects.length;
    await say("gm", `!tavern ${game} tables`);
    return { again: objects.length - once, made: objects.filter(({ type }) => type === "rollabletable").map(({ id, held }) => ({ ...held, items: objects.filter((one) => one.held._rollabletableid === id).map((one) => [one.held.name, one.held.weight]) })) };
  },
};

started();
const found = await scenes[job.scene]();
const commands = chat.flatMap(({ text }) => read(text).buttons.map(({ command }) => command)).filter((command) => !/^!tavern [a-z0-9 -]+$/.test(command));
// Apart from our own frame, nothing in the chat may mean something to Roll20.
const foreign = chat.map(({ text }) => text.replace(/^(\/w gm )?&\{template:default\}/, "").replace(/&#\d+;/g, "").replace(/\]\(!tavern [a-z0-9 -]+\)/g, "]"))
  .filter((text) => /[<>@%?#`*"'\\/()&$|~]|\[\[/.test(text));
console.log(JSON.stringify({ ...found, logged, commands, foreign, speakers: [...new Set(chat.map(({ speaker }) => speaker))] }));
