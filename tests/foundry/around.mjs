// What happens around a table: quick games, turns that are told at a screen, tables that are shown, people who leave.

import { choices, click, created, gone, job, page, show, textOf, toDecision, until } from "./driver.mjs";

const seats = () =>
  page.evaluate(() =>
    Object.values(window.probe.world.settings.get("tables").tables)[0].seats.map(({ kind, user, skill }) => [
      kind,
      user,
      skill,
    ]),
  );
const told = () =>
  page.evaluate(() => ({
    notices: window.probe.notes.filter((note) => note.startsWith("info")),
    sounds: window.probe.sounds.length,
    icon: window.probe.controls.tavern?.icon ?? "",
    title: window.probe.controls.tavern?.title ?? "",
  }));

await show({
  /** From the button of the scene to a running game in two clicks. */
  async quick() {
    await page.evaluate(() => {
      const controls = { tokens: { tools: {} } };
      window.probe.me.hook("getSceneControlButtons", controls);
      controls.tokens.tools.tavern.onChange();
    });
    await page.waitForSelector("#tavern-hall [data-od='quick pig']");
    if (job.shot) await page.screenshot({ path: job.shot.replace(".png", "-hall.png"), fullPage: true });
    const twice = (selector) => {
      document.querySelector(selector).click();
      document.querySelector(selector).click();
    };
    await page.evaluate(twice, "#tavern-hall [data-od='quick pig']");
    await page.waitForSelector("[id^=tavern-table] .od-board");
    await until(() => document.querySelector(".od-turn")?.innerText);
    const tables = await page.evaluate(() =>
      Object.values(window.probe.world.settings.get("tables").tables).map(({ phase, stake }) => [phase, stake]),
    );
    return { tables, seats: await seats(), turn: await textOf(".od-turn") };
  },

  /** A file of the module is not there. */
  async lost() {
    return { api: await page.evaluate(() => Boolean(window.probe.module.api)) };
  },

  /** Whoever has no window open hears that it is his turn, as far as he wants to. */
  async turns() {
    await page.evaluate(
      (silent) => Promise.all(silent.map((key) => window.game.settings.set("tavern", key, false))),
      job.silent ?? [],
    );
    await created("pig", ["ann", "npc"]);
    const before = await told();
    await click("Join", "#chat");
    await page.waitForSelector("[id^=tavern-table]");
    if (!job.open) await page.evaluate(() => document.querySelector("[id^=tavern-table] .header-control").click());
    await page.evaluate(() => window.keeper.send("start", { table: window.keeper.all()[0].id }));
    await new Promise((done) => setTimeout(done, 300));
    const during = await told();
    await page.evaluate(() => window.probe.module.api.open());
    await page.evaluate(() => window.keeper.send("close", { table: window.keeper.all()[0].id }));
    await until(() => document.querySelector(".od-turn")?.innerText.includes("broken off"));
    return { before, during, after: await told() };
  },

  /** A player gives up in mid game. */
  async gives() {
    await created("pig", ["ann", "npc"], { advice: "gm" });
    await click("Join", "#chat");
    await until(() => document.querySelector(".od-seats")?.innerText.includes("sits at the table"));
    const before = await textOf(".od-keeper");
    await page.evaluate(() => window.keeper.send("start", { table: window.keeper.all()[0].id }));
    await toDecision();
    if (job.shot) await page.screenshot({ path: job.shot.replace(".png", "-before.png"), fullPage: true });
    await click("Give up");
    await until(() => document.querySelector(".od-board")?.innerText.includes("(gave up)"));
    return { before, tools: await textOf(".od-keeper"), seats: await seats(), choices: await choices() };
  },

  /** It is the turn of somebody who is gone: one click of the game master. */
  async absent() {
    await created("pig", ["ann", "gm"], { stake: 0 });
    const send = (type, more) =>
      page.evaluate(
        (what, body) => {
          const { ann } = window.probe.clients;
          const { id, rev } = Object.values(window.probe.world.settings.get("tables").tables)[0];
          const nonce = `${what}${"0".repeat(16 - what.length)}`;
          const message = { v: 1, t: what, nonce, body: { table: id, ...(what === "join" ? {} : { rev }), ...body } };
          ann.globals.game.socket.emit("module.tavern", message, { recipients: ["gm"] });
        },
        type,
        more,
      );
    await send("join", { seat: 0 });
    await click("Start the game");
    await until(() => document.querySelector(".od-board"));
    await gone("ann", true);
    await until(() => document.querySelector(".od-turn").innerText.includes("not connected"));
    const turn = await textOf(".od-turn");
    if (job.shot) await page.screenshot({ path: job.shot.replace(".png", "-before.png"), fullPage: true });
    await click("Have a non-player move once");
    await until(() => document.querySelectorAll(".od-log li").length === 1);
    return { turn, choices: await choices() };
  },

  /** A table opens where a game master shows it, and where nobody else does. */
  async shown() {
    await created("pig", ["npc", "npc"], { stake: 0 });
    const windows = () => page.evaluate(() => document.querySelectorAll("[id^=tavern-table]").length);
    await page.evaluate(() => {
      const { ann, gm } = window.probe.clients;
      const [table] = Object.keys(window.probe.world.settings.get("tables").tables);
      const from = window.keeper ? gm : ann;
      for (const to of ["ann", "gm"])
        from.globals.game.socket.emit("module.tavern", { v: 1, t: "show", table }, { recipients: [to] });
    });
    await new Promise((done) => setTimeout(done, 300));
    return { windows: await windows() };
  },

  /** The game master chooses whom a table is shown to. */
  async shows() {
    await created("pig", ["npc", "npc"], { stake: 0 });
    await page.evaluate(() => {
      window.heard = [];
      const heard = (message) => message.t === "show" && window.heard.push(message.table);
      window.probe.clients.ann.listeners.push(["module.tavern", heard]);
    });
    await page.click("summary[data-od=tools]");
    const people = await page.evaluate(() =>
      [...document.querySelector("[data-od=show]").previousSibling.options].map(({ text }) => text),
    );
    await page.evaluate(() => document.querySelector("[data-od=show]").click());
    await until(() => window.heard.length === 1);
    return { people };
  },
});
