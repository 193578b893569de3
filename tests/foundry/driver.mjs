// A page with the module's windows in headless Chromium, and what people do there. A script of scenes is called with a
// job:
//
//   node tests/foundry/view.mjs '{"base": "http://127.0.0.1:8000/", "scene": "keyboard", "query": "user=gm"}'
//
// scene: one of the script's. page: another one than page.html. width, theme: of the page; themes: those in which it is
// looked at. expected: a part of what the console may say. touched: whether it is a phone's. shot: a file for a picture
// at the end of the scene.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { launch } from "../browser/chromium.mjs";

export const job = JSON.parse(process.argv[2] ?? readFileSync(0, "utf8"));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await launch();
export const page = await browser.newPage();
const errors = [];
page.on("pageerror", (error) => errors.push(String(error)));
page.on("console", (message) => {
  const expected = job.expected && message.text().includes(job.expected);
  if (["error", "warn"].includes(message.type()) && !expected) errors.push(message.text());
});
const touched = Boolean(job.touched);
await page.setViewport({ width: job.width ?? 900, height: 1000, hasTouch: touched, isMobile: touched });
await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
await page.goto(`${job.base}tests/foundry/${job.page ?? "page"}.html?theme=${job.theme ?? "light"}&${job.query ?? ""}`);
await page.waitForSelector("body[data-ready]");

export const tabTo = async (selector) => {
  for (let i = 0; i < 100; i++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
  }
  throw new Error(`the keyboard does not get to ${selector}`);
};
export const textOf = (selector) =>
  page.evaluate((wanted) => document.querySelector(wanted)?.innerText ?? null, selector);
export const textsOf = (selector) =>
  page.evaluate((wanted) => [...document.querySelectorAll(wanted)].map((one) => one.innerText), selector);
export const until = (test, ...given) => page.waitForFunction(test, { timeout: 20_000 }, ...given);
export const click = async (text, within = "main") => {
  const wanted = `${within} button`;
  await until(
    (query, name) =>
      [...document.querySelectorAll(query)].some((one) => one.innerText.trim() === name && one.ariaDisabled !== "true"),
    wanted,
    text,
  );
  await page.evaluate(
    (query, name) => [...document.querySelectorAll(query)].find((one) => one.innerText.trim() === name).click(),
    wanted,
    text,
  );
};
/** What is wrong in the page's theme, or in each theme of the job. */
export const grave = async () => {
  await page.evaluate(axe);
  const found = [];
  for (const theme of job.themes ?? [job.theme ?? "light"]) {
    await page.evaluate((name) => (document.body.className = `theme-${name}`), theme);
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    for (const { id, impact, nodes } of violations)
      if (impact === "serious" || impact === "critical") found.push(`${theme} ${id}: ${nodes[0].html.slice(0, 200)}`);
  }
  return found;
};
/** A table of a game as the first of the dialog's settings with so many seats has it, or else at a size that nobody
 * solved. */
export const created = (game, seats, more = {}) =>
  page.evaluate(
    async (id, places, rest) => {
      const book = await (await fetch(`/modules/tavern/games/${id}/play.json`)).json();
      const settings = book.settings.filter((one) => one.seats === places.length);
      const seat = (user) => ({
        kind: user === "npc" ? "npc" : "user",
        user: user === "npc" || user === "free" ? null : user,
        actor: null,
        name: user === "npc" ? window.probe.hostile : "",
        skill: 0,
      });
      const ask = window.keeper
        ? (details) => window.keeper.send("create", details)
        : (details) => window.probe.module.api.create(details);
      return ask({
        game: id,
        setting: settings[0]?.slug ?? `=${places.length}`,
        stake: 5,
        advice: "everyone",
        seats: places.map(seat),
        ...rest,
      });
    },
    game,
    seats,
    more,
  );
/** Press Enter at whatever has focus, whenever something can be done, until the game is over. */
export const play = async () => {
  for (;;) {
    const next = await until(() => {
      const focus = document.activeElement;
      if (Object.values(window.probe.world.settings.get("tables").tables).some(({ phase }) => phase === "over"))
        return "over";
      return (
        focus.matches(".od-choices:not([data-unread]) [data-od=choice]") && focus.ariaDisabled !== "true" && "move"
      );
    });
    if ((await next.jsonValue()) === "over") break;
    await page.keyboard.press("Enter"); // not later: the next button may be the one for a rematch
  }
  await until(() => [...document.querySelectorAll(".od-choices button")].some((one) => one.innerText === "Rematch"));
};

/** On until there is something to choose. */
export const toDecision = async () => {
  for (let i = 0; i < 400; i++) {
    const now = await choices();
    if (now.length > 1) return;
    if (now.length) await page.evaluate(() => document.querySelector(".od-choices [data-od=choice]").click());
    await new Promise((done) => setTimeout(done, 25));
  }
  throw new Error(`nothing is to be decided: ${await textOf(".od-window")}`);
};
export const choices = () => textsOf(".od-window > .od-choices:not([hidden]) [data-od=choice]");
/** Dice on the screen that roll until `land` is called. */
export const rolls = () =>
  page.evaluate(() => {
    window.probe.world.dice = Infinity;
    window.land = () => window.probe.world.land();
  });
/** The page is loaded again. */
export const reload = async () => {
  await page.reload();
  await page.waitForSelector("body[data-ready]");
};
export const gone = (user, away) =>
  page.evaluate(
    (id, left) => {
      window.probe.clients[id].active = !left;
      window.probe.me.hook("userConnected");
    },
    user,
    away,
  );

export const wide = () =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Play the scene that the job asks for, and say what it shows. @param {Record<string, () => Promise<any>>} scenes */
export async function show(scenes) {
  const found = await scenes[job.scene]();
  const seen = { serious: await grave(), wide: await wide(), document: await page.title() };
  if (job.shot) await page.screenshot({ path: job.shot, fullPage: true });
  const { missing, notes, asked } = await page.evaluate(() => ({
    missing: window.probe.missing,
    notes: window.probe.notes,
    asked: window.probe.DialogV2.asked,
  }));
  console.log(JSON.stringify({ ...found, ...seen, missing, notes, asked, errors }));
  await browser.close();
}
