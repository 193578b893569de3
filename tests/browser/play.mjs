// Uses the play section of a game's page as a reader would, and says what it shows.
//
//   node tests/browser/play.mjs '{"base": "http://127.0.0.1:8000/", "page": "games/pig/index.html", "asks":
// ["phase=decide"]}'
//
// asks: what stands behind `#ask?` in the address; for each, what is said to be best, the rows of the table and what is
// warned of; where on the screen that is, and which address the button beside it copies. advised: play so many
// decisions with advice, always by the first option; for each its buttons: which is best, filled, in focus. first:
// play by the first option; for each decision what the page says of it, and how it ends. game: play a little,
// load the page again and go on, undo, and follow a link. train: answer all decisions of a training. flow: go to the
// table by "Play it here", gamble once by the option `gamble`, and let the opponent move; `skip` that by a "tap" or a
// key. motion: as it is for people who want no less of it. seed: of the dice, 3 if none is given. scheme: light or
// dark. keyboard: open the table, start a game and play it to its end by keyboard alone.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { errorsOf, launch, seedDice } from "./chromium.mjs";

const job = JSON.parse(process.argv[2] ?? readFileSync(0, "utf8"));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const address = job.base + job.page;
const browser = await launch();
const page = await browser.newPage();
const errors = errorsOf(page);
await seedDice(page, job.seed ?? 3);
await page.setViewport({ width: 390, height: 844 });
await page.emulateMediaFeatures([
  { name: "prefers-color-scheme", value: job.scheme ?? "light" },
  { name: "prefers-reduced-motion", value: job.motion ? "no-preference" : "reduce" },
]);

const asks = [];
for (const ask of job.asks ?? []) {
  await page.goto("about:blank");
  await page.goto(`${address}#ask?${ask}`);
  await page.waitForSelector(".od-answer p, details.od-play [role=alert]");
  await page.waitForSelector("[data-od-ready=open]");
  const copied = await page.evaluate(async () => {
    const button = document.querySelector(".od-answer + p:not([hidden]) button");
    let text = null;
    Object.defineProperty(navigator, "clipboard", { value: { writeText: async (given) => void (text = given) } });
    button?.click();
    await new Promise((go) => setTimeout(go));
    return text;
  });
  const refused = await page.evaluate(async () => {
    const button = document.querySelector(".od-answer + p:not([hidden]) button");
    navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
    button?.click();
    await new Promise((go) => setTimeout(go));
    const field = document.querySelector(".od-answer + p input");
    return field && document.activeElement === field ? field.value : null;
  });
  const where = await page.evaluate(() => {
    const box = document.querySelector("details.od-play [role=alert], .od-answer").getBoundingClientRect();
    return { top: box.top, bottom: box.bottom, screen: innerHeight };
  });
  asks.push({
    copied,
    refused,
    where,
    ...(await page.evaluate(() => ({
      best: document.querySelector(".od-answer strong")?.textContent ?? null,
      text: document.querySelector(".od-answer")?.textContent ?? "",
      alert: document.querySelector("details.od-play [role=alert]")?.textContent ?? null,
      rows: [...document.querySelectorAll(".od-answer tbody tr")].map((row) =>
        [...row.children].map((cell) => cell.textContent),
      ),
    }))),
  });
}

const decisions = [];
let ended = [];
if (job.advised) {
  await page.goto("about:blank");
  await page.goto(address);
  await page.click("details.od-play > summary");
  await page.waitForSelector(".od-playing button");
  await page.click(".od-playing input[type=checkbox]");
  const press = (how) => page.evaluate(`[...document.querySelectorAll(".od-playing button")].at(${how}).click()`);
  await press(0);
  for (let i = 0; i < 500 && decisions.length < job.advised; i++) {
    const options = await page.evaluate(() =>
      [...document.querySelectorAll(".od-choices button")].map((button) => {
        const look = getComputedStyle(button);
        const paper = ["transparent", "rgba(0, 0, 0, 0)"];
        return {
          text: button.textContent,
          best: button.matches(".od-best"),
          focus: button === document.activeElement,
          filled: !paper.includes(look.backgroundColor),
          ringed: look.outlineStyle !== "none" && parseFloat(look.outlineWidth) > 0,
        };
      }),
    );
    if (options.length > 1)
      decisions.push({
        options,
        rows: await page.evaluate(() =>
          [...document.querySelectorAll(".od-playing tbody tr")].map((row) =>
            [...row.children].map((cell) => cell.textContent),
          ),
        ),
      });
    if (job.shot && options.length > 1) await (await page.$(".od-playing")).screenshot({ path: job.shot });
    if (await page.$(".od-playing [role=status]")) await press(0);
    else if (options.length && !job.first) await page.keyboard.press("Enter");
    else if (options.length) await page.evaluate(`[...document.querySelectorAll(".od-choices button")].at(0).click()`);
    else await press(1);
    if (options.length > 1)
      decisions.at(-1).word = await page.evaluate(`document.querySelector(".od-cost")?.textContent`);
    if (job.first && (await page.$(".od-playing [role=status]"))) break;
  }
  ended = await page.evaluate(() =>
    [
      ...document.querySelectorAll(
        ".od-playing [role=status], .od-playing [role=status] ~ p, .od-playing p:has(+ [role=status])",
      ),
    ].map((p) => p.textContent),
  );
}

let played = null;
if (job.keyboard) {
  await page.goto("about:blank");
  await page.goto(address);
  const tabTo = async (test) => {
    for (let i = 0; i < 400; i++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(`(${test})(document.activeElement)`)) return;
    }
    throw new Error("the keyboard does not get there");
  };
  await tabTo((at) => at.matches("details.od-play > summary"));
  await page.keyboard.press("Enter");
  await page.waitForSelector(".od-playing button");
  await tabTo((at) => at.matches(".od-playing button"));
  await page.keyboard.press("Enter");
  for (let i = 0; i < 900 && !(await page.$(".od-playing [role=status]")); i++) {
    if (await page.evaluate(() => document.activeElement.matches(".od-playing p[tabindex]")))
      await page.keyboard.press("Tab"); // from the question to the first option
    await page.keyboard.press("Enter");
  }
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document.querySelector("details.od-play")));
  const grave = found.violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  played = {
    over: await page.evaluate(() => document.querySelector(".od-playing [role=status]")?.textContent ?? null),
    lines: await page.evaluate(() => document.querySelectorAll(".od-log li").length),
    wide: await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    scheme: await page.evaluate(() => document.body.getAttribute("data-md-color-scheme")),
    serious: grave.map(({ id, help }) => `${id}: ${help}`),
  };
}
let game = null;
if (job.game) {
  const start = async (hash = "") => {
    await page.goto("about:blank");
    await page.goto(address + hash);
    if (!hash) await page.click("details.od-play > summary");
    await page.waitForSelector(".od-playing button");
  };
  const lines = () => page.evaluate(() => document.querySelectorAll(".od-log li").length);
  const press = async (text) => {
    const found = await page.evaluateHandle(
      (wanted) => [...document.querySelectorAll(".od-playing button")].find((one) => one.textContent === wanted),
      text,
    );
    await found.asElement().click();
  };
  const board = () => page.evaluate(() => document.querySelector(".od-playing .od-board").textContent);
  await start();
  await press("New game");
  for (let i = 0; i < 6; i++) {
    await page.waitForSelector(".od-choices button, .od-playing [role=status]");
    if (await page.$(".od-playing [role=status]")) break;
    const before = await lines();
    await page.click(".od-choices button");
    await page.waitForFunction((n) => document.querySelectorAll(".od-log li").length > n, {}, before);
  }
  await page.waitForSelector(".od-choices button, .od-playing [role=status]");
  const left = await lines();
  await start();
  await press("Go on with your last game");
  const kept = await lines();
  const copied = await board();
  await page.evaluate(() =>
    Object.defineProperty(navigator.clipboard, "writeText", { value: async (text) => void (window.copied = text) }),
  );
  await press("Copy a link to this game");
  await page.waitForFunction(() => window.copied);
  const link = await page.evaluate(() => window.copied);
  await press("Undo");
  const undone = await lines();
  await page.evaluate(() => localStorage.clear());
  await start(new URL(link).hash);
  const linked = await board();
  const words = new URLSearchParams(new URL(link).hash.slice("#play?".length));
  const { packLog: toText } = await import("../../site/runtime/table/packed.mjs");
  words.set("log", await toText([{ seat: 2, choose: "Nothing", with: {} }]));
  await start(`#play?${words}`);
  const junk = await page.evaluate(() => document.querySelector(".od-playing [role=alert]")?.textContent ?? "");
  game = { left, kept, undone, copied, linked, junk };
}

let flow = null;
if (job.flow) {
  await page.goto("about:blank");
  await page.goto(address);
  await page.waitForSelector("[data-od-ready]");
  const here = () => page.evaluate(() => document.activeElement.textContent.trim());
  await page.focus('.od-doors a[href="#play"]');
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.matches(".od-playing button"));
  const opened = await here();
  await page.keyboard.press("Enter");
  await page.waitForSelector(".od-choices button");
  await page.evaluate(() => {
    window.story = [];
    window.tumbled = [];
    const log = document.querySelector(".od-log ol");
    new MutationObserver(() => {
      const lines = [...log.children].map((line) => line.textContent);
      window.story.push(lines);
      const moves = [...document.querySelectorAll(".od-throw .od-die")].some((die) => die.getAnimations().length);
      window.tumbled.push([lines.at(-1), moves]);
    }).observe(log, { childList: true });
  });
  const options = () =>
    page.evaluate(() => [...document.querySelectorAll(".od-choices button")].map(({ textContent }) => textContent));
  const lines = () => page.evaluate(() => document.querySelectorAll(".od-log li").length);
  await page.click(".od-choices button"); // the first roll
  await page.waitForFunction(() => document.querySelectorAll(".od-choices button").length > 1);
  const asked = [await here(), await lines()];
  await page.keyboard.press("Enter");
  asked.push(await lines());
  const offered = await options();
  const gambled = await page.$$(".od-choices button");
  const before = await lines();
  await gambled[offered.indexOf(job.flow.gamble)].click();
  await page.waitForFunction((n) => document.querySelectorAll(".od-log li").length > n, {}, before);
  const gamble = (await page.evaluate(() => window.story)).at(-1).slice(before);
  // Then it is the opponent's turn, at once or after the other option.
  if ((await options()).length) await page.click(".od-choices button");
  await page.waitForFunction(() => document.activeElement.textContent === "Skip ahead");
  const from = await page.evaluate(() => window.story.length);
  if (job.flow.skip === "tap") await page.mouse.click(200, 10);
  else if (job.flow.skip) await page.keyboard.press(job.flow.skip);
  await page.waitForSelector(".od-choices button, .od-playing [role=status]");
  const story = (await page.evaluate(() => window.story)).slice(from - 1);
  // What floats over the page, as people scroll it down and up again.
  for (const by of [400, -200]) {
    await page.evaluate((far) => scrollBy({ top: far, behavior: "instant" }), by);
    await new Promise((go) => setTimeout(go, 400));
  }
  const floats = await page.evaluate(() =>
    [...document.querySelectorAll("body *")]
      .filter((one) => getComputedStyle(one).position === "fixed" && !one.closest(".md-header, .md-search"))
      .filter((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .filter((one) => one.clientHeight && one.getBoundingClientRect().right > 0)
      .map((one) => one.className),
  );
  flow = {
    opened,
    asked,
    gamble,
    grown: story.slice(1).map((one, at) => one.length - story[at].length),
    floats,
    tumbled: await page.evaluate(() => window.tumbled),
    then: await here(),
  };
}

let train = null;
if (job.train) {
  await page.goto(address);
  await page.click("details.od-play > summary");
  await page.waitForSelector(".od-training summary");
  await page.click(".od-training summary");
  await page.waitForSelector(".od-training .od-choices button");
  const answers = [];
  while (await page.$(".od-training .od-choices button")) {
    await page.keyboard.press("Enter"); // focus is at the question, so nothing is answered
    if (await page.$(".od-training .od-cost")) throw new Error("Enter alone has answered");
    await page.click(".od-training .od-choices button");
    answers.push(await page.evaluate(() => document.querySelector(".od-training [role=status]").textContent));
    await page.keyboard.press("Enter"); // Next has the focus
    await page.waitForSelector(".od-training .od-choices button, .od-training div > [role=status]:first-child");
  }
  const end = await page.evaluate(() => document.querySelector(".od-training [role=status]").textContent);
  if (job.shot) await (await page.$(".od-training")).screenshot({ path: job.shot });
  train = { asked: answers.length, answers, end };
}
if (job.shot && !job.advised && !job.train) await page.screenshot({ path: job.shot, fullPage: true });
console.log(JSON.stringify({ asks, decisions, ended, played, game, flow, train, errors, title: await page.title() }));
await browser.close();
