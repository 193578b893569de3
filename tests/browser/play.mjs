// Uses the play section of a game's page as a reader would, and says what it shows.
//
//   node tests/browser/play.mjs '{"base": "http://127.0.0.1:8000/", "page": "games/pig/index.html", "asks": ["phase=decide"]}'
//
// asks: what stands behind `#ask?` in the address; for each, what is said to be best and the rows of the table.
// scheme: light or dark. keyboard: open the table, start a game and play it to its end by keyboard alone.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { launch } from "./chromium.mjs";

const job = JSON.parse(process.argv[2] ?? readFileSync(0, "utf8"));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const address = job.base + job.page;
const browser = await launch();
const page = await browser.newPage();
const errors = [];
page.on("pageerror", (error) => errors.push(String(error)));
page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
await page.setViewport({ width: 390, height: 844 });
await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: job.scheme ?? "light" }]);

const asks = [];
for (const ask of job.asks ?? []) {
  await page.goto("about:blank");
  await page.goto(`${address}#ask?${ask}`);
  await page.waitForSelector(".od-answer p");
  asks.push(
    await page.evaluate(() => ({
      best: document.querySelector(".od-answer strong")?.textContent ?? null,
      text: document.querySelector(".od-answer")?.textContent ?? "",
      rows: [...document.querySelectorAll(".od-answer tbody tr")].map((row) => [...row.children].map((cell) => cell.textContent)),
    })),
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
  for (let i = 0; i < 500 && !(await page.$(".od-playing [role=status]")); i++) await page.keyboard.press("Enter");
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
if (job.shot) await page.screenshot({ path: job.shot, fullPage: true });
console.log(JSON.stringify({ asks, played, errors, title: await page.title() }));
await browser.close();
