// Uses the site as a place: what a first visit loads, what the search finds, what is there without a network.
//
//   node tests/browser/place.mjs '{"base": "http://127.0.0.1:8000/", "loads": ["index.html"]}'
//
// loads: pages; for each, what its first visit fetches before anybody touches it, and how many screens of a phone it
// fills. touched: the home page in the dark, and what happens when somebody asks for light colours. searches: words;
// for each, what the first page that is found is, and what is told of it; and what was fetched for the search before
// and after somebody went there. offline: two pages; the first is opened, then the network goes, and at the second a
// game is played and a proof is checked. targets: pages; for each, what one can touch that is smaller than 24 pixels.

import { readFileSync } from "node:fs";

import { keepNothing, launch } from "./chromium.mjs";

const STEADY = 8; // tenths of a second for which nothing else is found
const job = JSON.parse(process.argv[2] ?? readFileSync(0, "utf8"));
const browser = await launch();
const errors = [];

/** A page of a reader who has never been here. */
async function visitor(offline) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
  if (!offline) await keepNothing(page);
  const fetched = [];
  page.on(
    "request",
    (request) => request.url().startsWith(job.base) && fetched.push(request.url().slice(job.base.length)),
  );
  return { page, fetched, close: () => context.close() };
}

const loads = [];
for (const name of job.loads ?? []) {
  const { page, fetched, close } = await visitor();
  await page.goto(job.base + name, { waitUntil: "networkidle0" });
  const tall = await page.evaluate(() => document.documentElement.scrollHeight);
  loads.push({ files: [...new Set(fetched)], screens: tall / page.viewport().height });
  await close();
}

let touched = null;
if (job.touched) {
  const { page, fetched, close } = await visitor();
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  await page.goto(job.base, { waitUntil: "networkidle0" });
  const scheme = () => page.evaluate(() => document.body.dataset.mdColorScheme);
  const bundles = () => fetched.filter((name) => name.includes("/javascripts/bundle")).length;
  const toggle = '[data-md-component="palette"] label:not([hidden])';
  touched = { dark: await scheme(), before: bundles() };
  await page.click(toggle);
  await page.waitForFunction(() => document.body.dataset.mdColorScheme === "default");
  Object.assign(touched, { after: bundles(), light: await scheme(), toggles: (await page.$$(toggle)).length });
  await close();
}

const searches = [];
if (job.searches) {
  const { page, fetched, close } = await visitor();
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(job.base, { waitUntil: "networkidle0" });
  const asked = () => fetched.filter((name) => name.endsWith("search_index.json")).length;
  const before = asked();
  for (const words of job.searches) {
    await page.click(".md-search__input");
    await page.evaluate(() => (document.querySelector(".md-search__input").value = ""));
    await page.type(".md-search__input", words);
    await page.waitForFunction(
      (text) => document.querySelector(".md-search-result__meta")?.textContent.match(/\d|No matching/) && text,
      {},
      words,
    );
    // Every key asks the search anew: what is found stands once it stays as it is.
    for (let last = "", same = 0; same < STEADY;) {
      await new Promise((later) => setTimeout(later, 100));
      const now = await page.evaluate(() => document.querySelector(".md-search-result__list")?.textContent ?? "");
      same = now === last ? same + 1 : 0;
      last = now;
    }
    const found = await page.evaluate(() =>
      [...document.querySelectorAll(".md-search-result__item")].slice(0, 3).map((item) => ({
        page: item.querySelector("a").getAttribute("href"),
        text: item.textContent.replace(/\s+/g, " "),
      })),
    );
    searches.push({ words, found, before, after: asked() });
  }
  await close();
}

let offline = null;
if (job.offline) {
  const { page, close } = await visitor(true);
  await page.goto(job.base + job.offline[0]);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.setOfflineMode(true);
  const nowhere = await page.evaluate(() =>
    fetch("no/such/page").then(
      () => "there is a network",
      () => null,
    ),
  );
  await page.goto(job.base + job.offline[1]);
  await page.evaluate(() => document.querySelector("details.od-play > summary").click());
  await page.waitForSelector(".od-playing button");
  await page.evaluate(() => [...document.querySelectorAll(".od-playing button")].at(0).click());
  for (let i = 0; i < 2000 && !(await page.$(".od-playing [role=status]")); i++)
    await page.evaluate(() => {
      const [option] = document.querySelectorAll(".od-choices button");
      (option ?? document.querySelectorAll(".od-playing button")[1]).click();
    });
  await page.evaluate(() => (document.querySelector("details.od-proof").open = true));
  await page.waitForSelector(".od-proof[open] [data-od-ready=open]");
  await page.evaluate(() => document.querySelector(".od-proof button").click());
  await page.waitForFunction(() => document.querySelector(".od-proof [role=status] strong"));
  offline = {
    nowhere,
    proof: await page.evaluate(() => document.querySelector(".od-proof [role=status] strong").textContent),
    title: await page.title(),
    over: await page.evaluate(() => document.querySelector(".od-playing [role=status]")?.textContent ?? null),
    kept: await page.evaluate(async () => {
      const names = await caches.keys();
      return (await (await caches.open(names[0])).keys()).length;
    }),
  };
  await close();
}

const targets = [];
for (const name of job.targets ?? []) {
  const { page, close } = await visitor();
  await page.goto(job.base + name, { waitUntil: "networkidle0" });
  for (const folded of await page.$$("details")) await folded.evaluate((element) => element.setAttribute("open", ""));
  await page.waitForSelector("details.od-play:not([open]), .od-playing button, body:not(:has(details.od-play))");
  const small = await page.evaluate(() => {
    const alone = (element) => {
      // A link within a sentence is as high as its line.
      const around = element.closest("p, li, dd, small, caption");
      return element.tagName !== "A" || !around || around.textContent.trim() === element.textContent.trim();
    };
    return [...document.querySelectorAll("a[href], button, summary, input, select, label:has(input)")]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && alone(element))
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && (box.width < 23.5 || box.height < 23.5) && box.right > 0)
      .filter(({ element }) => !element.matches("label input")) // the whole label can be touched
      .map(({ element, box }) => `${element.outerHTML.slice(0, 120)} ${box.width.toFixed(0)}x${box.height.toFixed(0)}`);
  });
  targets.push({ name, small });
  await close();
}

console.log(JSON.stringify({ targets, loads, touched, searches, offline, errors }));
await browser.close();
