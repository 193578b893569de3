// Uses the module's windows in headless Chromium as people would, on tests/foundry/page.html, and says what they show.
//
//   node tests/foundry/view.mjs '{"base": "http://127.0.0.1:8000/", "scene": "keyboard", "query": "user=gm"}'
//
// scene: one of those below. width, theme: of the page. shot: a file for a picture at the end of the scene.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { launch } from "../browser/chromium.mjs";

const job = JSON.parse(process.argv[2] ?? readFileSync(0, "utf8"));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await launch();
const page = await browser.newPage();
const errors = [];
page.on("pageerror", (error) => errors.push(String(error)));
page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
await page.setViewport({ width: job.width ?? 900, height: 1000 });
await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
await page.goto(`${job.base}tests/foundry/page.html?theme=${job.theme ?? "light"}&${job.query ?? ""}`);
await page.waitForSelector("body[data-ready]");

const tabTo = async (selector) => {
  for (let i = 0; i < 100; i++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
  }
  throw new Error(`the keyboard does not get to ${selector}`);
};
const textOf = (selector) => page.evaluate((wanted) => document.querySelector(wanted)?.innerText ?? null, selector);
const textsOf = (selector) => page.evaluate((wanted) => [...document.querySelectorAll(wanted)].map((one) => one.innerText), selector);
const until = (test, ...given) => page.waitForFunction(test, { timeout: 20_000 }, ...given);
const click = async (text, within = "main") => {
  const wanted = `${within} button`;
  await until((query, name) => [...document.querySelectorAll(query)].some((one) => one.innerText.trim() === name && one.ariaDisabled !== "true"), wanted, text);
  await page.evaluate((query, name) => [...document.querySelectorAll(query)].find((one) => one.innerText.trim() === name).click(), wanted, text);
};
const grave = async () => {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`);
};
/** A table of a game as the first of the dialog's settings has it. */
const created = (game, seats, more = {}) =>
  page.evaluate(async (id, places, rest) => {
    const book = await (await fetch(`/modules/tavern/games/${id}/play.json`)).json();
    const settings = book.settings.filter((one) => one.seats === places.length);
    const seat = (user) => ({ kind: user === "npc" ? "npc" : "user", user: user === "npc" || user === "free" ? null : user, actor: null, name: user === "npc" ? window.probe.hostile : "", skill: 0 });
    const ask = window.keeper ? (details) => window.keeper.send("create", details) : (details) => window.probe.module.api.create(details);
    return ask({ game: id, setting: settings[0].slug, stake: 5, advice: "everyone", seats: places.map(seat), ...rest });
  }, game, seats, more);
/** Press Enter at whatever has focus, whenever something can be done, until the game is over. */
const play = async () => {
  for (;;) {
    const next = await until(() => {
      const focus = document.activeElement;
      if (Object.values(window.probe.world.settings.get("tables").tables).some(({ phase }) => phase === "over")) return "over";
      return focus.matches(".od-choices [data-od=choice]") && focus.ariaDisabled !== "true" && "move";
    });
    if ((await next.jsonValue()) === "over") break;
    await page.keyboard.press("Enter"); // not later: the next button may be the one for a rematch
  }
  await until(() => [...document.querySelectorAll(".od-choices button")].some((one) => one.innerText === "Rematch"));
};

/** On until there is something to choose. */
const toDecision = async () => {
  for (let i = 0; i < 400; i++) {
    const now = await choices();
    if (now.length > 1) return;
    if (now.length) await page.evaluate(() => document.querySelector(".od-choices [data-od=choice]").click());
    await new Promise((done) => setTimeout(done, 25));
  }
  throw new Error(`nothing is to be decided: ${await textOf(".od-window")}`);
};
const choices = () => textsOf(".od-window > .od-choices:not([hidden]) [data-od=choice]");
const gone = (user, away) =>
  page.evaluate((id, left) => {
    window.probe.clients[id].active = !left;
    window.probe.me.hook("userConnected");
  }, user, away);

const SCENES = {
  /** A game master makes a table and plays it to its end without a mouse. */
  async keyboard() {
    await page.evaluate(() => window.probe.module.api.create());
    await page.waitForSelector("form [data-od=create]");
    const dialog = { serious: await grave(), text: await textOf("form"), wide: await wide() };
    if (job.shot) await page.screenshot({ path: job.shot.replace(".png", "-new.png"), fullPage: true });
    await tabTo("[data-od=create]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[id^=tavern-table]");
    await until(() => document.querySelector(".od-turn")?.innerText);
    await tabTo(".od-choices [data-od=choice]");
    await page.keyboard.press("Enter");
    await until(() => document.querySelectorAll(".od-log li").length > 0);
    await play();
    return { dialog, focus: await page.evaluate(() => document.activeElement.innerText), turn: await textOf(".od-turn"), lines: (await textsOf(".od-log li")).length, cards: await textsOf("#chat li") };
  },
  /** What a table shows in the middle of a game, with advice open. */
  async middle() {
    await created(job.game ?? "pig", job.seats ?? ["gm", "npc"], { stake: 0 });
    await toDecision();
    await page.click("summary[data-od=advice]");
    await page.waitForSelector(".od-advice .od-say");
    await page.click("summary[data-od=tools]");
    return { advice: await textOf(".od-advice"), choices: await choices(), tools: await textOf(".od-keeper"), title: await textOf(".window-title") };
  },

  /** Payments that went wrong are told to the game master. */
  async unpaid() {
    await created("pig", ["gm", "npc"], { stake: 0 });
    await toDecision();
    await page.evaluate(() => {
      const world = window.probe.world.settings.get("tables");
      const [record] = Object.values(world.tables);
      const payment = { key: "pay 0 0", seat: 0, user: "gm", actor: null, amount: 9 };
      const states = ["refused", "unsure", "done", "refused", "done"]; // the fourth was made good by the fifth
      record.chips.payments = states.map((state, i) => ({ ...payment, key: `pay 0 ${Math.min(i, 3)}`, state }));
      record.chips.payments.push({ ...payment, key: "stake 9", amount: -9, state: "refused" }); // nobody lost anything
      window.probe.me.hook("userConnected");
    });
    const found = await page.waitForFunction(() => {
      const notes = [...document.querySelectorAll(".od-tools [role=note]")].map((one) => one.textContent);
      return notes.length ? notes : null;
    }, { timeout: 5000 });
    return { unpaid: await found.jsonValue() };
  },

  /** Cards that a player forges stay what he wrote; a game master's tell of a table that is gone. */
  async forged() {
    await page.evaluate(async () => {
      const { ann, gm } = window.probe.clients;
      const flags = (card) => ({ tavern: { card, table: "gone", rev: 1, transcript: { payoffs: { gold: ["9", "1"] }, names: ["Ann", "Keeper"] } } });
      for (const card of ["end", "invitation"]) await ann.globals.ChatMessage.create({ content: "Forged", flags: flags(card) });
      await gm.globals.ChatMessage.create({ content: "Played", flags: flags("end") });
    });
    await until(() => document.querySelector("#chat li:nth-child(3) .oddsmith-card p"));
    return { cards: await textsOf("#chat li") };
  },

  /** What is open already comes forward, about the game that is asked for. */
  async twice() {
    for (const game of ["pig", "hostile"]) {
      await page.evaluate((id) => window.probe.module.api.advise(id), game);
      await page.evaluate(() => window.probe.module.api.open());
      await until((id) => document.querySelector("#tavern-advisor [data-od=game]")?.value === id && document.querySelector("#tavern-hall"), game);
    }
    await page.evaluate(() => document.querySelector("#tavern-hall .header-control").click());
    await page.evaluate(() => window.probe.module.api.open());
    await until(() => document.querySelector("#tavern-hall"));
    return { windows: await page.evaluate(() => [...document.querySelectorAll(".application")].map(({ id }) => id)) };
  },

  /** The game master opens the world once more: this window only looks on. */
  async elsewhere() {
    await created("pig", ["gm", "npc"], { stake: 0 });
    await toDecision();
    await page.evaluate(() => {
      const newer = window.probe.world.client("gm", 4);
      newer.globals.game.socket.emit("module.tavern", { v: 1, t: "newer" }, { recipients: ["gm"] });
    });
    await until(() => !document.querySelector(".od-banner").hidden);
    return { banner: await textOf(".od-banner"), choices: await choices(), tools: await textOf(".od-keeper") };
  },

  /** A player makes a table: the first seat is his, and a non-player has no name of his making. */
  async guest() {
    await page.evaluate(() => window.probe.module.api.create());
    await page.waitForSelector("form [data-od=create]");
    const seats = await page.evaluate(() => [...document.querySelectorAll("[data-od^=who]")].map((one) => one.selectedOptions[0].text));
    await page.select("[data-od='who 1']", "choose");
    await page.waitForSelector("[data-od='how 1']");
    return { seats, names: (await textsOf("form [data-od^=name]")).length };
  },

  /** A player joins by the card in the chat; the game master has the table started. */
  async joins() {
    await created("pig", ["ann", "npc"], { advice: job.advice });
    await click("Join", "#chat");
    await until(() => document.querySelector(".od-seats")?.innerText.includes("sits at the table"));
    const lobby = await textOf(".od-window");
    await page.evaluate(() => window.keeper.send("start", { table: window.keeper.all()[0].id }));
    await until(() => document.querySelector(".od-board"));
    await toDecision();
    return { lobby, choices: await choices(), turn: await textOf(".od-turn"), text: await textOf(".od-window"), forged: await page.evaluate(() => window.probe.world.denied) };
  },

  /** Somebody looks on: the board and the story, and nothing to press. */
  async looksOn() {
    await created("pig", ["npc", "npc"]);
    await click("Open the table", "#chat");
    await until(() => document.querySelectorAll(".od-log li").length > 3);
    await click("Rules and odds");
    const opened = await page.evaluate(() => window.probe.opened);
    return { opened, buttons: await textsOf("[id^=tavern-table] .window-content button"), board: await textOf(".od-board") };
  },

  /** No game master: the table waits, and one can practise meanwhile. */
  async practice() {
    await created("pig", ["ann", "npc"]);
    await click("Open the table", "#chat");
    await gone("gm", true);
    await until(() => !document.querySelector(".od-banner")?.hidden);
    const banner = await textOf(".od-banner");
    const before = await page.evaluate(() => JSON.stringify([...window.probe.world.settings]));
    await click("Practise alone");
    for (let i = 0; i < 300 && (await choices()).length; i++) {
      await page.evaluate(() => document.querySelector(".od-choices [data-od=choice]").click());
      await new Promise((done) => setTimeout(done, 15));
    }
    const result = { banner, running: await textOf(".od-banner"), turn: await textOf(".od-turn"), lines: (await textsOf(".od-log li")).length };
    const same = before === (await page.evaluate(() => JSON.stringify([...window.probe.world.settings])));
    await gone("gm", false);
    await until(() => document.querySelector(".od-banner").hidden);
    return { ...result, same, back: await textOf(".od-window") };
  },

  /** Undo, hand over, transcript, close and rematch, by the game master. */
  async tools() {
    await created("pig", ["gm", "ann"]);
    await page.click("summary[data-od=tools]");
    const lobby = await textOf(".od-seats");
    await page.evaluate(() => document.querySelector("[data-od='hand 1']").click());
    await until(() => document.querySelector(".od-seats")?.innerText.includes("Non-player"));
    await click("Start the game");
    await toDecision();
    const before = (await textsOf(".od-log li")).length;
    await click("Undo the last move");
    await until((lines) => document.querySelectorAll(".od-log li").length < lines, before);
    const after = (await textsOf(".od-log li")).length;
    await click("Save the transcript");
    await until(() => window.probe.saved.length);
    const saved = await page.evaluate(() => window.probe.saved[0]);
    await click("Close the table");
    await until(() => document.querySelector(".od-turn").innerText.includes("broken off"));
    const broken = await textOf(".od-turn");
    await click("Rematch");
    await until(() => document.querySelectorAll("[id^=tavern-table]").length && [...document.querySelectorAll("button")].some((one) => one.innerText === "Go to the rematch"));
    await click("Go to the rematch");
    await until(() => document.querySelectorAll("[id^=tavern-table]").length === 2);
    return { lobby, before, after, saved, broken };
  },

  /** Selected tokens get the seats; the game master plays for a player who is away. */
  async tokens() {
    await page.evaluate(() => window.probe.module.api.create());
    await page.waitForSelector("form [data-od=create]");
    const dialog = await page.evaluate(() => [...document.querySelectorAll("[data-od^=who]")].map((one) => one.selectedOptions[0].text));
    await page.click("[data-od=create]");
    await click("Join", "[id^=tavern-table]");
    await click("Start the game");
    await page.click("summary[data-od=tools]");
    await click("Roll", ".od-tools");
    await until(() => document.querySelectorAll(".od-log li").length > 0);
    const seats = await page.evaluate(() => Object.values(window.probe.world.settings.get("tables").tables)[0].seats);
    return { dialog, seats: seats.map(({ kind, user, actor, name }) => ({ kind, user, actor, name })), own: await choices() };
  },

  /** Every way in opens a window. */
  async doors() {
    const open = async (name, act) => {
      await act();
      await until(() => document.querySelector(".application"));
      const id = await page.evaluate(() => document.querySelector(".application").id);
      await page.evaluate(() => document.querySelector(".application .header-control").click());
      await until(() => !document.querySelector(".application"));
      found.push([name, id]);
    };
    const found = [];
    await open("scene", () => page.evaluate(() => {
      const controls = { tokens: { tools: { select: {} } } };
      window.probe.me.hook("getSceneControlButtons", controls);
      controls.tokens.tools.tavern.onChange(new Event("x"), true);
    }));
    await open("chat", () => page.evaluate(() => window.probe.me.hook("chatMessage", {}, "/oddsmith new", {})));
    await open("key", () => page.evaluate(() => window.probe.bindings.get("open").onDown()));
    await open("menu", () => page.evaluate(() => new (window.probe.menus.get("open").type)().render(true)));
    for (const word of ["open", "new", "advice pig"])
      await open(word, () => page.evaluate(async (mark) => {
        const [{ pattern, enricher }] = window.CONFIG.TextEditor.enrichers;
        const [match] = `See @Oddsmith[${mark}].`.matchAll(pattern);
        const button = await enricher(match, { relativeTo: { pack: "tavern.rules" } });
        const journal = document.createElement("div");
        journal.innerHTML = button.outerHTML; // journals keep the text of a button and not the button itself
        document.body.append(journal);
        journal.firstChild.click();
        journal.remove();
      }, word));
    await open("advise", () => page.evaluate(() => window.probe.module.api.advise("pig")));
    const foreign = await page.evaluate(async () => {
      const [{ pattern, enricher }] = window.CONFIG.TextEditor.enrichers;
      const [match] = "@Oddsmith[open]".matchAll(pattern);
      return enricher(match, { relativeTo: { pack: "another.rules" } });
    });
    const nobody = await page.evaluate(() => window.probe.me.hooks.get("getSceneControlButtons")[0]({}));
    return { found, foreign, nobody: nobody ?? null, unbound: await page.evaluate(() => window.probe.bindings.get("open").editable) };
  },

  /** The advisor for any position, and how a tie is told. */
  async advisor() {
    await page.evaluate(() => window.probe.module.api.advise("pig"));
    await page.waitForSelector(".od-answer .od-say");
    const text = await textOf(".od-answer");
    const tie = await page.evaluate(async () => {
      const { advice } = await import("/modules/tavern/scripts/foundry/advice.mjs");
      const { foundryHost } = await import("/modules/tavern/scripts/foundry/host.mjs");
      const { Library } = await import("/modules/tavern/scripts/foundry/library.mjs");
      const library = new Library(foundryHost("tavern").load);
      const ready = await library.ready("pig", (await library.book("pig")).settings[0].slug);
      let step = ready.rules.start();
      while (ready.rules.kind(step) === "roll" || ready.policy.best(step) === null) {
        const { Random } = await import("/modules/tavern/scripts/runtime/random.mjs");
        const dice = new Random(3);
        step = ready.rules.kind(step) === "roll" ? ready.rules.resolve(step, ready.rules.throw(step, (one) => dice.fall(one))).state : ready.rules.choose(step, ready.rules.actions(step)[0]).state;
      }
      const equal = { places: 5, advise: () => [{ action: 0, value: 50000, loss: 0 }, { action: 1, value: 50000, loss: 0 }] };
      return advice({ ...ready, values: equal }, step).map((one) => one.textContent);
    });
    return { text, tie };
  },

  /** The window does not tell what dice show that still roll. */
  async rolling() {
    await page.evaluate(() => {
      window.game.dice3d = { waitFor3DAnimationByMessageID: () => new Promise((done) => (window.land = done)) };
    });
    await created("pig", ["gm", "npc"]);
    await click("Roll", "[id^=tavern-table]");
    await until(() => window.land && Object.values(window.probe.world.settings.get("tables").tables)[0].log.length > 0);
    await new Promise((done) => setTimeout(done, 200));
    const during = [(await textsOf(".od-log li")).length, (await textsOf("#chat .od-turn-story li")).length];
    await page.evaluate(() => {
      window.game.dice3d = undefined;
      window.land();
    });
    await until(() => document.querySelectorAll(".od-log li").length > 0);
    return { during };
  },

  /** Everything that the module's own tests in Foundry would say. */
  async selfTest() {
    return { checked: await page.evaluate(() => window.probe.module.api.selfTest()) };
  },
};

const wide = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const found = await SCENES[job.scene]();
const seen = { serious: await grave(), wide: await wide(), document: await page.title() };
if (job.shot) await page.screenshot({ path: job.shot, fullPage: true });
const { missing, notes, asked } = await page.evaluate(() => ({ missing: window.probe.missing, notes: window.probe.notes, asked: window.probe.DialogV2.asked }));
console.log(JSON.stringify({ ...found, ...seen, missing, notes, asked, errors }));
await browser.close();
