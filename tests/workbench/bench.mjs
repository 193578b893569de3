// Uses the designer's page in headless Chromium, and says what it shows.
//
//   node tests/workbench/bench.mjs '{"base": "http://127.0.0.1:8700/", "file": "my.yaml", "texts": ["..."]}'
//
// file: what the server follows; texts: what is written into it, one after the other, each when the last was answered.
// moves: for each, a name and a value of a setting that is moved. keep: keep the game to compare with before the moves.
// play: open the play table and begin a game. shot: where a picture goes.

import { readFileSync, writeFileSync } from "node:fs";

import { launch } from "../browser/chromium.mjs";
import { axe, errors, foreign, job, watch } from "../tabletops/watched.mjs";

const browser = await launch();
const page = await browser.newPage();
await watch(page, job.viewport ?? { width: 1200, height: 900 }, 3);
const shown = () =>
  page.evaluate(() => {
    const text = (id) => document.querySelector(id).innerText.trim();
    return {
      title: text("#od-title"),
      status: text("#od-status"),
      problems: text("#od-problems"),
      answer: text("#od-answer"),
      old: document.querySelector("#od-answer").matches(".od-old"),
      beside: text("#od-beside"),
      changes: text("#od-changes"),
      settings: Object.fromEntries(
        [...document.querySelectorAll("#od-choices label")].map((one) => [
          one.dataset.odName,
          one.querySelector("input, select").value,
        ]),
      ),
    };
  });
/** Until everything is told that is known of the last question; it must be another one than the one before. */
const settled = () => page.waitForFunction(() => document.body.dataset.odBusy === "false", { timeout: 60_000 });
const begun = () =>
  page.evaluate(() => {
    document.body.dataset.odBusy = "asked";
  });
const steps = [];
await page.goto(job.base);
await settled();
steps.push(await shown());
for (const text of job.texts ?? []) {
  await begun();
  writeFileSync(job.file, text);
  await settled();
  steps.push(await shown());
}
if (job.keep) {
  await begun();
  await page.evaluate(() => document.querySelector("#od-choices button").click());
  await settled();
}
for (const [name, value] of job.moves ?? []) {
  await begun();
  await page.evaluate(
    (wanted, to) => {
      const control = document.querySelector(`[data-od-name="${wanted}"] :is(input, select)`);
      control.value = to;
      control.dispatchEvent(new Event(control.matches("input") ? "input" : "change", { bubbles: true }));
    },
    name,
    String(value),
  );
  await settled();
  steps.push(await shown());
}
let played = null;
if (job.play) {
  await page.evaluate(() => (document.querySelector("#od-play").open = true));
  const frame = await (await page.waitForSelector("iframe")).contentFrame();
  await frame.waitForSelector(".od-playing button");
  await frame.evaluate(() => document.querySelector(".od-playing button").click());
  await frame.waitForSelector(".od-choices button");
  played = await frame.evaluate(() =>
    [...document.querySelectorAll(".od-choices button")].map((one) => one.textContent),
  );
}
if (job.shot) await page.screenshot({ path: job.shot, fullPage: true });
await page.evaluate(axe);
const found = await page.evaluate(() => window.axe.run());
const serious = found.violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
console.log(
  JSON.stringify({
    steps,
    played,
    errors,
    foreign,
    serious: serious.map(({ id }) => id),
    wide,
    length: readFileSync(job.file, "utf8").length,
  }),
);
await browser.close();
