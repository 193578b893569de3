// Uses the extension for Owlbear Rodeo in headless Chromium as people would, in the room of room.mjs, and says what it shows.
//
//   node tests/tabletops/owlbear.mjs '{"base": "http://127.0.0.1:8000/", "scene": "played", "query": "gm=Keeper&player=Ann"}'
//
// scene: one of those below. shot: a file for a picture at the end. scheme: "light" or "dark", what the reader's system says.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { launch } from "../browser/chromium.mjs";

const job = JSON.parse(process.argv[2] ?? readFileSync(0, "utf8"));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await launch();
const page = await browser.newPage();
const errors = [];
const foreign = [];
page.on("pageerror", (error) => errors.push(String(error)));
page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
page.on("request", (request) => new URL(request.url()).host === new URL(job.base).host || /^(data|blob):/.test(request.url()) || foreign.push(request.url()));
await page.setViewport({ width: 840, height: 920 });
await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }, { name: "prefers-color-scheme", value: job.scheme ?? "light" }]);

// The same dice every time.
await page.evaluateOnNewDocument((seed) => {
  let state = seed;
  crypto.getRandomValues = (array) => {
    for (let i = 0; i < array.length; i++) {
      state = (state + 0x6d2b79f5) >>> 0;
      let t = Math.imul(state ^ (state >>> 15), state | 1);
      t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
      array[i] = (t ^ (t >>> 14)) >>> 0;
    }
    return array;
  };
}, job.seed ?? 3);

let frames = [];
const settle = async () => {
  frames = [];
  for (const element of await page.$$("iframe")) {
    const frame = await element.contentFrame();
    await frame.waitForSelector("#od-table[data-ready]");
    frames.push(frame);
  }
};
const all = (selector, frame = frames[0]) => frame.evaluate((wanted) => [...document.querySelectorAll(wanted)].filter((one) => one.checkVisibility()).map((one) => one.innerText.trim()), selector);
const text = async (selector, frame = frames[0]) => (await all(selector, frame))[0] ?? "";
const until = (frame, test, ...given) => frame.waitForFunction(test, { timeout: 15_000 }, ...given);
const shows = (frame, words) => until(frame, (wanted) => document.querySelector("main").innerText.includes(wanted), words);
const press = async (frame, name, number = 0) => {
  await until(frame, (wanted) => [...document.querySelectorAll("button")].some((one) => one.innerText.trim() === wanted), name);
  await frame.evaluate((wanted, at) => [...document.querySelectorAll("button")].filter((one) => one.innerText.trim() === wanted)[at].click(), name, number);
};
const opened = (frame, title) => until(frame, (wanted) => {
  const panel = [...document.querySelectorAll("details")].find((one) => one.firstElementChild.innerText === wanted);
  if (panel) panel.open = true;
  return Boolean(panel);
}, title);
const kept = () => page.evaluate(() => structuredClone(room.metadata["oddsmith/table"]));

const scenes = {
  /** Two people play to the end by keyboard alone; one loads the page anew in between. */
  async played() {
    const [gm, ann] = frames;
    await begun(gm, ann);
    let rounds = 0;
    let reloaded = null;
    for (; rounds < 400 && !(await text(".od-turn", gm)).includes("over"); rounds++) {
      const mover = (await text(".od-turn", frames[0])).startsWith("Your") ? 0 : 1;
      await stepped(frames[mover]);
      if (rounds === 2) {
        const before = await all(".od-log li", frames[1]);
        await page.evaluate(() => room.clients[1].frame.contentWindow.location.reload());
        await page.waitForFunction(() => room.clients[1].loads === 2);
        await settle();
        reloaded = { before, after: await all(".od-log li", frames[1]) };
      }
    }
    await shows(frames[1], "The game is over.");
    await opened(frames[0], "At this table");
    return { rounds, reloaded, turns: [await text(".od-turn", frames[0]), await text(".od-turn", frames[1])],
      stories: [await all(".od-log li", frames[0]), await all(".od-log li", frames[1])],
      transcript: JSON.parse(await frames[0].evaluate(() => document.querySelector("textarea").value)),
      link: await frames[0].evaluate(() => document.querySelector("a[download]").download) };
  },

  /** An entry that cannot be, written into the room by hand; the game master takes it back. */
  async forged() {
    const [gm, ann] = frames;
    await begun(gm, ann);
    for (let i = 0; i < 3; i++) await stepped((await text(".od-turn", gm)).startsWith("Your") ? gm : ann);
    const before = await kept();
    await page.evaluate(async (entry) => {
      const { packed, unpacked } = await import("/ext/scripts/owlbear/log.mjs");
      const table = structuredClone(room.metadata["oddsmith/table"]);
      table.log = await packed([...(await unpacked(table.log)), entry]);
      table.rev += 1;
      room.put({ "oddsmith/table": table });
    }, job.entry);
    const words = "this move is not possible; the log was changed by hand";
    await Promise.all([shows(gm, words), shows(ann, words)]);
    const found = { alerts: [await text(".od-alert", gm), await text(".od-alert", ann)], choices: await all(".od-choices button[data-od=choice]", ann) };
    if (job.shot) await page.screenshot({ path: job.shot });
    await opened(gm, "At this table");
    await press(gm, "Take back");
    await until(ann, () => !document.querySelector(".od-alert").checkVisibility());
    return { ...found, same: (await kept()).log === before.log, notice: await text(".od-note[role=status]", ann) };
  },

  /** What somebody put into the room that is no table at all, or too large, or of other rules. */
  async garbage() {
    const [gm, ann] = frames;
    const found = [];
    for (const value of ["text", { v: 1 }, { v: 2, log: [] }, []]) {
      await page.evaluate((one) => room.put({ "oddsmith/table": one }), value);
      await shows(ann, "no table that can be read");
      found.push(await text(".od-turn", ann));
      await page.evaluate(() => room.put({ "oddsmith/table": null }));
      await until(ann, () => !document.querySelector(".od-alert").checkVisibility());
    }
    await begun(gm, ann);
    const table = await kept();
    for (const change of [{ rules: "0".repeat(64) }, { game: "unknown" }, { log: "!!!" }, { seats: table.seats.slice(1) }]) {
      await page.evaluate((one) => room.put({ "oddsmith/table": one }), { ...table, ...change });
      await shows(ann, "The table cannot be opened");
      found.push(await text(".od-alert", ann));
    }
    return { found, choices: await all(".od-choices button", ann) };
  },

  /** Who may do what, as far as the page goes: seats, somebody in between, undo, non-players, a rematch, closing. */
  async rights() {
    const [gm, ann, ben] = frames;
    await press(gm, "Open the table");
    await press(ann, "Sit down");
    await until(ben, () => document.querySelector(".od-turn").innerText === "Every seat is taken.");
    const lobby = await all("button", ben);
    await press(gm, "Begin");
    await shows(ben, "It is the turn of");
    const watcher = await all(".od-choices button", ben);
    await stepped(gm);
    await opened(ann, "At this table");
    const player = await all("button", ann);
    await opened(gm, "At this table");
    const odds = await gm.evaluate(() => [...document.querySelectorAll(".od-hand option")].map((one) => one.textContent));
    await press(gm, "Take back");
    await shows(ann, "Moves were taken back.");
    const lines = (await all(".od-log li", ann)).length;
    for (let i = 0; i < 2; i++) { // the game master's own seat last: then nobody is left to wait for
      await until(gm, (left) => document.querySelectorAll(".od-hand").length === left, 2 - i);
      await press(gm, "Give", 1 - i);
    }
    await shows(ann, "The game is over.");
    return { lobby, watcher, player, odds, lines, seats: (await kept()).seats };
  },

  /** A game that grows beyond what a room keeps is refused, and told. */
  async outgrown() {
    const [gm, ann] = frames;
    await begun(gm, ann);
    await page.evaluate(() => {
      const table = structuredClone(room.metadata["oddsmith/table"]);
      for (const seat of table.seats) seat.name = "x".repeat(5990);
      room.put({ "oddsmith/table": table });
    });
    await shows(gm, "xxx");
    const rev = (await kept()).rev;
    const mover = (await text(".od-turn", gm)).startsWith("Your") ? gm : ann;
    await mover.evaluate(() => document.querySelector("[data-od=choice]").click());
    await shows(mover, "outgrown");
    return { rev, after: (await kept()).rev, alert: await text(".od-alert", mover) };
  },

  /** Advice and every panel open, to be looked at and checked. */
  async middle() {
    const [gm, ann] = frames;
    await frames[0].select("main label:nth-of-type(3) select", "everyone");
    await begun(gm, ann);
    for (let i = 0; i < 40; i++) {
      const mover = (await text(".od-turn", gm)).startsWith("Your") ? gm : ann;
      if ((await all("[data-od=choice]", mover)).length > 1 && mover === ann) break;
      await stepped(mover);
    }
    await opened(ann, "What the actions are worth");
    await opened(gm, "At this table");
    await opened(ann, "Who is trusted with what");
    return { advice: await text("#od-table details", ann), choices: await all("[data-od=choice]", ann), text: await text("main", ann), title: await ann.title() };
  },

  /** One person, and non-players where there are more seats, to the end. */
  async alone() {
    const [gm] = frames;
    await chosen(gm);
    await press(gm, "Open the table");
    await opened(gm, "At this table");
    for (let i = 0; i < 20 && !(await text(".od-turn", gm)).startsWith("Every seat"); i++) {
      const before = (await kept()).rev;
      await press(gm, "Give", 1);
      await after(before);
    }
    await press(gm, "Begin");
    await until(gm, () => /^Your turn|over/.test(document.querySelector(".od-turn").innerText));
    for (let i = 0; i < 600 && !(await text(".od-turn", gm)).includes("over"); i++) {
      await until(gm, () => document.querySelector("[data-od=choice]"));
      const before = (await kept()).rev;
      await gm.evaluate(() => document.querySelector("[data-od=choice]").click());
      await after(before);
    }
    return { turn: await text(".od-turn", gm), transcript: JSON.parse(await gm.evaluate(() => document.querySelector("textarea").value)) };
  },
};

/** A table opened by the first, joined by the second, and begun. */
async function begun(gm, ann) {
  await chosen(gm);
  await press(gm, "Open the table");
  await press(ann, "Sit down");
  await press(gm, "Begin");
  await Promise.all([shows(gm, "turn"), shows(ann, "turn")]);
}

/** The game that the job names, in the form of a new table. */
async function chosen(gm) {
  await until(gm, () => document.querySelectorAll("main label:nth-of-type(2) option").length > 0);
  if (!job.game) return;
  await gm.evaluate(() => document.querySelector("main label:nth-of-type(2) select").replaceChildren());
  await gm.select("main label:nth-of-type(1) select", job.game);
  await until(gm, () => document.querySelectorAll("main label:nth-of-type(2) option").length > 0);
}

/** One move by the keyboard alone: to a choice by Tab where focus is not there yet, then Enter. */
async function stepped(frame) {
  await until(frame, () => document.querySelector("[data-od=choice]"));
  const before = (await kept()).rev;
  const there = () => frame.evaluate(() => document.activeElement?.dataset?.od === "choice");
  const holds = () => frame.evaluate(() => document.hasFocus());
  for (let i = 0; i < 80 && !((await holds()) && (await there())); i++) await page.keyboard.press("Tab");
  if (!(await there())) throw new Error("the keyboard does not get to the choices");
  await page.keyboard.press("Enter");
  await after(before);
}

/** Wait until the room keeps something later, and all pages show it. */
async function after(before) {
  await page.waitForFunction((rev) => room.metadata["oddsmith/table"].rev > rev, { timeout: 15_000 }, before);
  const { rev } = await kept();
  await Promise.all(frames.map((one) => until(one, (now) => document.querySelector("#od-table").dataset.rev === String(now), rev)));
}

await page.goto(`${job.base}room.html?${job.query ?? "gm=Keeper&player=Ann"}`);
await settle();
try {
  const result = await scenes[job.scene]();
  if (job.shot && job.scene !== "forged") await page.screenshot({ path: job.shot });
  const serious = [];
  const wide = [];
  for (const frame of frames) {
    await frame.evaluate(`(() => { ${axe} })()`).catch(() => null);
    wide.push(await frame.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth));
  }
  for (const frame of frames) {
    if (!(await frame.evaluate(() => "axe" in window))) { serious.push("the checker did not load"); continue; }
    const { violations } = await frame.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    serious.push(...violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`));
  }
  const refused = await page.evaluate(() => room.refused);
  console.log(JSON.stringify({ ...result, errors, foreign, serious, wide, refused }));
} finally {
  await browser.close();
}
