// Asks for rolls on the page of any roll, as somebody at a phone or a keyboard does.
//
//   node tests/browser/roll.mjs '{"base": "http://127.0.0.1:8000/", "steps": [["open", "roll/"], ["type", "3d6"]]}'
//
// steps, one after the other in one page: open: an address; type: a text into the empty box, key by key; tap: what a
// selector finds, and which of them; press: a key, where the focus is; focus: a selector; back; offline: the page is
// kept, then the network goes; size: width and height; script: what it gives is told. After each step the page is told
// of as it then is, once nothing is being worked out any more.

import { readFileSync } from "node:fs";

import { errorsOf, keepNothing, launch } from "./chromium.mjs";

const job = JSON.parse(process.argv[2] ?? readFileSync(0, "utf8"));
const browser = await launch();
const context = await browser.createBrowserContext();
const page = await context.newPage();
const errors = errorsOf(page);
await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
if (!job.kept) await keepNothing(page);

/** What somebody sees. */
const look = () =>
  page.evaluate(() => {
    const all = (/** @type {string} */ selector) =>
      [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
    const text = (/** @type {string} */ selector) => all(selector).map((each) => each.textContent);
    return {
      box: /** @type {HTMLTextAreaElement | null} */ (document.getElementById("od-q"))?.value,
      address: decodeURIComponent(location.hash),
      read: text(".od-echo")[0] ?? "",
      wrong: { marked: text(".od-wrong mark")[0] ?? "", words: text(".od-why")[0] ?? "", fixes: text(".od-fix") },
      searches: all(".od-reading a").map((each) => each.getAttribute("href")),
      ways: all(".od-way").map((each) => [each.textContent, each.getAttribute("aria-pressed")]),
      say: text(".od-say")[0] ?? "",
      huge: text(".od-huge")[0] ?? "",
      facts: Object.fromEntries(
        all(".od-known > div").map((each) => [each.children[0].textContent, each.children[1].firstChild?.textContent]),
      ),
      table: all(".od-values tbody tr").map((row) => [...row.children].map((cell) => cell.textContent)),
      beside: all(".od-side tbody tr").map((row) => [...row.children].map((cell) => cell.textContent)),
      bars: all(".od-odds .od-on").map((path) => path.getAttribute("fill")),
      dashes: all(".od-odds .od-line-path").map((path) => path.getAttribute("stroke-dasharray")),
      value: document.querySelector(".od-plot")?.getAttribute("aria-valuetext") ?? "",
      heard: document.querySelector("[role=status].od-unseen")?.textContent ?? "",
      line: /** @type {HTMLTextAreaElement | null} */ (document.querySelector(".od-embed textarea"))?.value ?? "",
      sideways: document.documentElement.scrollWidth - innerWidth,
      small: all(".od-roll :is(button, a, select, summary, textarea, [role=slider])")
        .filter((each) => !each.closest("p") && !each.closest(".od-embedded"))
        .map((each) => ({ each, box: each.getBoundingClientRect() }))
        .filter(({ box }) => box.height < 43.5 || box.width < 35)
        .map(({ each, box }) => `${each.outerHTML.slice(0, 80)} ${box.width.toFixed(0)}x${box.height.toFixed(0)}`),
    };
  });

/** Wait until nothing is being worked out, and the address is written. */
async function settle() {
  await page.waitForFunction(
    () => document.querySelector(".od-reading")?.children.length || document.querySelector(".od-embedded h1"),
  );
  await new Promise((later) => setTimeout(later, 400));
  await page.waitForFunction(() => !document.querySelector(".od-sheet.od-waits"), { timeout: 30_000 });
}

const does = {
  open: (address) => page.goto(job.base + address, { waitUntil: "networkidle0" }),
  type: async (text) => {
    await page.evaluate(() => /** @type {HTMLButtonElement} */ (document.getElementById("od-clear")).click());
    await page.type("#od-q", text);
  },
  tap: async (selector, place = 0) => (await page.$$(selector))[place].click(),
  press: (key) => page.keyboard.press(key),
  focus: (selector) => page.focus(selector),
  back: () => page.goBack(),
  size: (width, height) => page.setViewport({ width, height }),
  offline: async () => {
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null, { timeout: 60_000 });
    await page.setOfflineMode(true);
    await page.reload();
  },
  script: (text) => page.evaluate(text),
};

const told = [];
for (const [name, ...args] of job.steps) {
  const gave = await does[name](...args);
  await settle();
  told.push(name === "script" ? gave : await look());
}
console.log(JSON.stringify({ told, errors }));
await context.close();
await browser.close();
