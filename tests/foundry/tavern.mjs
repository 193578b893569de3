// A module of many games on a phone: each game is chosen in the form of a new table and its table is looked at.

import { click, job, page, reload, show, until } from "./driver.mjs";

const tapOn = async (found) => {
  await found.evaluate((one) => one.scrollIntoView({ block: "center" }));
  await found.tap();
};
/** Whether that could be touched: the window may be drawn anew meanwhile. */
const touched = (found) =>
  tapOn(found).then(
    () => true,
    () => false,
  );
const tap = async (selector) => tapOn(await page.waitForSelector(selector));

/** Choose in the form of a new table, which is drawn anew after that. */
const choose = async (selector, value) => {
  await page.evaluate(() => (document.querySelector("#tavern-new form").id = "before"));
  await page.select(`#tavern-new ${selector}`, value);
  await page.waitForSelector(`#tavern-new form:not(#before) ${selector}`);
};

/** What of a window lies outside of the page. */
const outside = (id) =>
  page.evaluate(
    (wanted) =>
      [...document.querySelectorAll(`[id^=${wanted}] :is(button, select, input, p, h2, legend, .od-board)`)]
        .filter((one) => {
          const { left, right, width } = one.getBoundingClientRect();
          return width && !one.closest(".od-scroll") && (left < -1 || right > window.innerWidth + 1);
        })
        .map((one) => one.outerHTML.slice(0, 80)),
    id,
  );

const TOUCHED = 24; // pixels of what a finger can hit, each way
const READ = 12; // pixels of the smallest letters

/** What of a window is too small to touch or to read. */
const small = (id) =>
  page.evaluate(
    (wanted, touched, read) => {
      const inside = (selector) =>
        [...document.querySelectorAll(`[id^=${wanted}] ${selector}`)].filter((one) => one.checkVisibility());
      const cramped = inside(":is(button, summary, select, input, label:has(input))").filter((one) => {
        const { width, height } = (one.closest("label") ?? one).getBoundingClientRect();
        return Math.min(width, height) < touched;
      });
      const tiny = inside("*:not(svg *)").filter(
        (one) =>
          [...one.childNodes].some((each) => each.nodeType === 3 && each.data.trim()) &&
          parseFloat(getComputedStyle(one).fontSize) < read,
      );
      return [...cramped, ...tiny].map((one) => `${one.outerHTML.slice(0, 90)} ${getComputedStyle(one).fontSize}`);
    },
    id,
    TOUCHED,
    READ,
  );

/** The texts of the buttons that have dice in them, and of those whose words and dice are laid side by side. */
const withDice = () => {
  const all = [...document.querySelectorAll("[id^=tavern-table] .od-choices [data-od=choice]")];
  const drawn = all.filter((one) => one.querySelector(".od-die"));
  const apart = drawn.filter((one) => one.childNodes.length > 1 && getComputedStyle(one).display.endsWith("flex"));
  return [drawn, apart].map((some) => some.map(({ textContent }) => textContent));
};

const MOST = 8; // moves of the player at each table
const SEEN = "[id^=tavern-table] .od-window > .od-choices:not([data-unread])"; // what was there long enough to be read
const CHOICES = `${SEEN} [data-od=choice]:not([aria-disabled=true])`;
const DICE = `${SEEN} [data-od^=die]`; // to be touched before there is a choice

// What the game master does in the page of the player.

/** Opens a table of a game for the player, for himself if there is a second seat, and for non-players. */
const laid = async (id) => {
  const { settings } = await (await fetch(`/modules/tavern/games/${id}/play.json`)).json();
  const [{ slug, seats }] = settings;
  const seat = (user) => ({ kind: user ? "user" : "npc", user, actor: null, name: "Guest", skill: 0 });
  const people = Array.from({ length: seats }, (_, at) => seat(["ann", "gm"][at] ?? null));
  await window.keeper.send("create", { game: id, setting: slug, stake: 0, advice: "gm", seats: people });
};
const begun = () => window.keeper.send("start", { table: window.keeper.all().at(-1).id });
/** What the player can touch: how many of it, or that the game is over. He moves himself where it is his turn. */
const due = (controls) => {
  const { keeper } = window;
  for (const one of document.querySelectorAll("[data-unread]")) delete one.dataset.unread; // this player reads at once
  const { id, phase, seats, mover } = keeper.all().at(-1);
  if (phase === "over") return phase;
  if (mover === null) return 0; // it waits for what browsers add by themselves
  if (seats[mover].user === "ann") return document.querySelectorAll(controls).length;
  if (seats[mover].user === "gm" && !window.moving)
    window.moving = keeper
      .position(keeper.get(id))
      .then(({ actions }) => keeper.move(keeper.get(id), actions && actions.length - 1))
      .finally(() => (window.moving = null));
  return 0;
};
/** Closes the table, if the game was too long to be played here. */
const closed = async () => {
  const { id, phase } = window.keeper.all().at(-1);
  if (phase !== "over") await window.keeper.send("close", { table: id });
  return { over: phase === "over", denied: window.probe.world.denied };
};
/** A button of the invitation to the newest table. */
const tapInvitation = async (text) => {
  const named = (wanted) => {
    const { id } = window.keeper.all().at(-1);
    const isIt = ({ flags: { tavern } }) => tavern?.card === "invitation" && tavern.table === id;
    const message = [...window.probe.world.messages.values()].find(isIt);
    const card = document.querySelector(`#chat [data-message-id="${message?.id}"]`);
    const filled = [...document.querySelectorAll("#chat .oddsmith-card")].every((one) => one.childElementCount);
    return filled && [...(card?.querySelectorAll("button") ?? [])].find((one) => one.innerText === wanted);
  };
  await tapOn((await page.waitForFunction(named, {}, text)).asElement());
};

await show({
  async games() {
    await page.evaluate(() => window.probe.module.api.open());
    await page.waitForSelector("#tavern-hall [data-od^=quick]");
    const hall = [...(await outside("tavern-hall")), ...(await small("tavern-hall"))];
    await page.waitForFunction(() => [...document.querySelectorAll("#tavern-hall img")].every((one) => one.complete));
    const icons = await page.evaluate(() =>
      [...document.querySelectorAll("#tavern-hall [data-od^=quick]")].map(
        (one) =>
          one.querySelector("img").naturalWidth > 0 && [
            one.dataset.od,
            ...["strong", ".od-note", ".od-about"].map((part) => one.querySelector(part).innerText),
          ],
      ),
    );
    if (job.shot) await page.screenshot({ path: job.shot.replace(".png", "-hall.png") });
    await page.evaluate(() => document.querySelector("#tavern-hall .header-control").click());
    await page.evaluate(() => window.probe.module.api.newTable());
    await page.waitForSelector("form [data-od=create]");
    const games = await page.evaluate(() =>
      [...document.querySelector("[data-od=game]").options].map(({ value, text }) => [value, text]),
    );
    await page.evaluate(() => document.querySelector("#tavern-new .header-control").click());
    const tables = [];
    for (const [game] of games) {
      await page.evaluate(() => window.probe.module.api.newTable());
      await page.waitForSelector("#tavern-new [data-od=game]");
      await choose("[data-od=game]", game);
      await choose("[data-od='who 0']", "user gm"); // non-players have the other seats
      if (job.shot && !tables.length) await page.screenshot({ path: job.shot.replace(".png", "-new.png") });
      const out = await outside("tavern-new");
      const little = await small("tavern-new");
      await tap("#tavern-new [data-od=create]");
      await page.waitForSelector("[id^=tavern-table]");
      await until(() => document.querySelector("[id^=tavern-table] [data-od=choice], [id^=tavern-table] .od-board"));
      if (!(await page.$("[id^=tavern-table] .od-board"))) await tap(`${SEEN} [data-od=choice]`);
      await page.waitForSelector("[id^=tavern-table] .od-board");
      await page.waitForSelector("[id^=tavern-table] [data-od=choice]:not([aria-disabled=true])");
      if (job.shot) await page.screenshot({ path: job.shot.replace(".png", `-${game}.png`), fullPage: true });
      tables.push({
        out: [...out, ...(await outside("tavern-table"))],
        small: [...little, ...(await small("tavern-table"))],
        ...(await page.evaluate(() => {
          const window_ = document.querySelector("[id^=tavern-table]");
          return {
            title: window_.querySelector(".window-title").innerText.replace(/ · .*| \(.*/, ""),
            board: window_.querySelector(".od-board").innerText.trim().length,
            choices: window_.querySelectorAll("[data-od=choice]").length,
            told: window_.querySelector(".od-board").innerText,
            arrows: window_.querySelectorAll(".od-board .od-arrow").length,
            places: window_.querySelectorAll(".od-board .od-die-place").length,
            boxes: [...window_.querySelectorAll(".od-box")].map(({ innerText }) => innerText.split(/\s+/)),
            letters: getComputedStyle(window_.querySelector("[data-od=choice]")).color,
          };
        })),
      });
      await tap("[id^=tavern-table] summary[data-od=tools]");
      await click("Close the table"); // a world has only so many that are not over
      await until(() => document.querySelector("[id^=tavern-table] .od-turn").innerText.includes("broken off"));
      await page.evaluate(() => document.querySelector("[id^=tavern-table] .header-control").click());
    }
    return { hall, icons, offered: games.map(([, title]) => title), tables };
  },

  /** How many milliseconds the module takes: from the start of the page until it is ready, from a click on its button
   * until all of its list is drawn, and until the form of a new table and a first table are there. The benchmark asks;
   * no test does, because time depends on the machine. */
  async opens() {
    const ready = await page.evaluate(() => performance.getEntriesByName("module ready")[0].startTime);
    const took = async (act, drawn) => {
      const from = await page.evaluate(act);
      return (await (await page.waitForFunction(drawn, { polling: "raf" })).jsonValue()) - from;
    };
    const list = await took(
      () => {
        const [from, controls] = [performance.now(), { tokens: { tools: {} } }];
        window.probe.me.hook("getSceneControlButtons", controls);
        controls.tokens.tools.tavern.onChange();
        return from;
      },
      () => {
        const icons = [...document.querySelectorAll("#tavern-hall [data-od^=quick] img")];
        return icons.length > 0 && icons.every((one) => one.complete) && performance.now();
      },
    );
    const form = await took(
      () => {
        const from = performance.now();
        window.probe.module.api.newTable();
        return from;
      },
      () => document.querySelector("#tavern-new form [data-od=create]") && performance.now(),
    );
    const table = await took(
      () => {
        const from = performance.now();
        document.querySelector("#tavern-hall [data-od^=quick]").click();
        return from;
      },
      () => document.querySelector("[id^=tavern-table] :is(.od-board, [data-od=choice])") && performance.now(),
    );
    return { ready, list, form, table };
  },

  /** A player and a game master play each game, the player with one finger, and loads the page again in the middle. */
  async together() {
    const games = await page.evaluate(async () => (await (await fetch("/modules/tavern/games.json")).json()).games);
    const played = [];
    for (const { id } of games) {
      await page.evaluate(laid, id);
      await tapInvitation("Join");
      await page.waitForSelector("[id^=tavern-table]");
      await page.evaluate(begun);
      let [moves, touches, out] = [0, 0, []];
      const [drawn, apart] = [new Set(), new Set()];
      while (moves < MOST) {
        const next = await page.waitForFunction(due, { timeout: 20_000 }, `${CHOICES}, ${DICE}`);
        if ((await next.jsonValue()) === "over") break;
        out = await outside("tavern-table");
        const [some, others] = await page.evaluate(withDice);
        some.forEach((text) => drawn.add(text));
        others.forEach((text) => apart.add(text));
        const [choices, dice] = [await page.$$(CHOICES), await page.$$(DICE)];
        if (!choices.length) {
          const part = touches + 1; // one after the other, all parts of the dice
          if (dice.length && (await touched(dice[31 - Math.clz32(part & -part)]))) touches = part;
          continue;
        }
        if (!(await touched(choices[moves % choices.length]))) continue;
        [moves, touches] = [moves + 1, 0];
        if (moves !== 1) continue;
        await reload();
        await tapInvitation("Open the table");
        await page.waitForSelector("[id^=tavern-table] .od-board");
      }
      if (job.shot) await page.screenshot({ path: job.shot.replace(".png", `-${id}.png`), fullPage: true });
      played.push({ id, moves, out, drawn: drawn.size, apart: [...apart], ...(await page.evaluate(closed)) });
      await page.evaluate(() => document.querySelector("[id^=tavern-table] .header-control").click());
    }
    return { played };
  },
});
