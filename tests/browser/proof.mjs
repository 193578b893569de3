// Checks certificates on a game's page as a reader would, and says what the page shows.
//
// A job: base, page; own: paths of files that are given to the page one after the other; opened: the setting whose part
// of the page is opened first; large: start with this file, and stop; narrow: the width of a phone; shot: a picture.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { errorsOf, launch } from "./chromium.mjs";

const job = JSON.parse(readFileSync(0, "utf8"));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await launch();
const page = await browser.newPage();
const errors = errorsOf(page);
const foreign = [];
page.on(
  "request",
  (request) => request.url().startsWith("http") && !request.url().startsWith(job.base) && foreign.push(request.url()),
);
await page.setViewport(job.narrow ? { width: 390, height: 844 } : { width: 1280, height: 900 });
await page.goto(job.base + job.page);
const loads = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
await page.evaluate((opened) => {
  if (opened) document.querySelector(`details[data-od-setting="${opened}"]`).open = true;
  document.querySelector("details.od-proof").closest(".od-theme").open = true;
  document.querySelector("details.od-proof").open = true;
}, job.opened);
await page.waitForSelector("[data-od-proof][data-od-ready=open]");
if (job.opened) {
  await page.evaluate((opened) => {
    const details = document.querySelector(`details[data-od-setting="${opened}"]`);
    details.open = false;
    details.open = true;
  }, job.opened);
  await page.waitForFunction(
    (file) => document.querySelector(".od-proof select").value === file,
    {},
    `${job.opened}.jsonl.gz`,
  );
}

/** What the page says at the end of a check. */
async function told() {
  await page.waitForFunction(() => {
    const said = document.querySelector(".od-proof [role=status]");
    return said.childElementCount > 0 && !said.querySelector("progress");
  });
  return page.evaluate(() => {
    const said = document.querySelector(".od-proof [role=status]");
    return {
      text: said.innerText,
      alert: said.querySelector("[role=alert]")?.innerText ?? null,
      keep: said.querySelector("a")?.href ?? null,
    };
  });
}

const press = (/** @type {string} */ text) =>
  page.evaluate(
    (text) => [...document.querySelectorAll(".od-proof button")].find((one) => one.innerText === text).click(),
    text,
  );

await press("Check this proof here");
const honest = await told();
const violations = async () => {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document.querySelector("details.od-proof")));
  return found.violations.filter(({ impact }) => ["serious", "critical"].includes(impact)).map(({ id }) => id);
};
const broken = await violations();
if (job.shot) await (await page.$("details.od-proof")).screenshot({ path: job.shot });
const own = [];
for (const path of job.own ?? []) {
  await (await page.$(".od-proof input[type=file]")).uploadFile(path);
  own.push(await told());
}
if (own.length) broken.push(...(await violations()));
let stopped = null;
if (job.large) {
  await (await page.$(".od-proof input[type=file]")).uploadFile(job.large);
  await page.waitForFunction(() => document.querySelector(".od-proof progress")?.value > 0);
  await press("Stop");
  stopped = await page.evaluate(() => document.querySelector(".od-proof [role=status]").innerText);
}
const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
console.log(JSON.stringify({ honest, own, stopped, broken, foreign, errors, wide, loads }));
await browser.close();
