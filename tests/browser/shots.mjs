// Opens pages in headless Chromium as a list of looks asks (viewport, colours, scripts on or off, print), and says
// what a reader would have met there. It serves nothing and judges nothing: tests/browser/test_site.py does.
//
//   node tests/browser/shots.mjs '{"base": "http://127.0.0.1:8000/", "pages": ["index.html"]}'
//
// The job comes as the first argument or on standard input. Its fields, all but base and pages optional:
//   base, pages      pages are addresses relative to base
//   viewports        default ["phone", "desktop"], [] for paper alone; schemes: ["light", "dark"]; scripts: [true,
// false]; print: true
//   axe              check accessibility, default true
//   shots            folder for screenshots, default none
//   formats          print only: the sheets to count, such as ["A4", "Letter"], on their side; default none
// Standard output is a JSON array, one record a page and look.

import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import { keepNothing, launch } from "./chromium.mjs";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const VIEWPORTS = {
  phone: { width: 390, height: 844, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
  desktop: { width: 1280, height: 900 },
};

function looksOf(job) {
  const looks = [];
  const schemes = job.schemes ?? ["light", "dark"];
  for (const viewport of job.viewports ?? ["phone", "desktop"])
    for (const scheme of schemes)
      for (const scripts of job.scripts ?? [true, false])
        // Without scripts no law is about colours, so that one scheme says it all.
        if (scripts || scheme === schemes[0]) looks.push({ viewport, scheme, scripts, media: "screen" });
  if (job.print ?? true) looks.push({ viewport: "desktop", scheme: "light", scripts: true, media: "print" });
  return looks;
}

/** Runs in the page. Only the page itself may not scroll sideways; a table in a scroll box of its own may. */
function measure() {
  const main = document.querySelector("main, [role=main], article") ?? document.body;
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const shown = (selector) => [...document.querySelectorAll(selector)].some((e) => e.checkVisibility());
  const culprits =
    wide > 0
      ? [...document.body.querySelectorAll("*")]
          .filter(
            (e) => e.checkVisibility() && e.getBoundingClientRect().right > document.documentElement.clientWidth + 1,
          )
          .slice(0, 5)
          .map((e) => e.outerHTML.slice(0, 120))
      : [];
  return {
    horizontalOverflow: Math.max(0, wide),
    overflowing: culprits,
    textLength: main.innerText.trim().length,
    navigationShown: shown(".md-header, .md-tabs, .md-sidebar, .md-footer"),
    title: document.title,
    ruleBottom: document.querySelector(".od-rule")?.getBoundingClientRect().bottom ?? null,
    viewportHeight: window.innerHeight,
  };
}

async function visit(browser, job, page, look) {
  const context = await browser.createBrowserContext();
  const tab = await context.newPage();
  await keepNothing(tab);
  const record = { page, ...look, consoleErrors: [], failedRequests: [], foreignRequests: [] };
  const home = new URL(job.base).host;
  tab.on("console", (m) => m.type() === "error" && record.consoleErrors.push(m.text()));
  tab.on("pageerror", (e) => record.consoleErrors.push(String(e)));
  tab.on("request", (r) => {
    const address = new URL(r.url());
    if (/^https?:|^wss?:/.test(address.protocol) && address.host !== home) record.foreignRequests.push(r.url());
  });
  tab.on("requestfailed", (r) => record.failedRequests.push(`${r.url()} ${r.failure()?.errorText ?? ""}`));
  tab.on("response", (r) => r.status() >= 400 && record.failedRequests.push(`${r.url()} ${r.status()}`));

  await tab.setViewport(VIEWPORTS[look.viewport]);
  await tab.setJavaScriptEnabled(look.scripts);
  await tab.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: look.scheme },
    { name: "prefers-reduced-motion", value: "reduce" },
  ]);
  await tab.goto(new URL(page, job.base).href, { waitUntil: "load", timeout: 60_000 });
  await tab.waitForNetworkIdle({ idleTime: 150, timeout: 60_000 });
  // After loading, as a reader prints: the process that a page gets on the way may not know what was asked before.
  if (look.media === "print") await tab.emulateMediaType("print");
  if (!(await tab.evaluate((media) => matchMedia(media).matches, look.media))) throw new Error("not on " + look.media);
  Object.assign(record, await tab.evaluate(measure));
  record.axeViolations = await accessibility(tab, job, look);
  if (look.media === "print" && job.formats) Object.assign(record, await sheets(tab, job.formats));
  else if (look.media === "print") record.pdfBytes = (await tab.pdf({ format: "A4", printBackground: false })).length;
  Object.assign(record, await pictures(tab, job, page, look));
  await context.close();
  return record;
}

async function accessibility(tab, job, look) {
  // Axe is itself a script, and paper has no keyboard: it looks at the screen with scripts on.
  if (!(job.axe ?? true) || !look.scripts || look.media === "print") return [];
  await tab.evaluate(axeSource);
  const found = await tab.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return found.violations.map(({ id, impact, help, nodes }) => ({
    id,
    impact,
    help,
    count: nodes.length,
    nodes: nodes.slice(0, 5).map((n) => ({ html: n.html.slice(0, 200), why: n.any[0]?.message ?? n.failureSummary })),
  }));
}

/** How many sheets of each format the page takes on its side, for each size that it offers; and what is cut off. */
async function sheets(tab, formats) {
  const found = Object.fromEntries(formats.map((format) => [format, []]));
  const cut = [];
  const sizes = await tab.$$eval("input[name=size]", (all) => all.map(({ id }) => id));
  for (const size of sizes.length ? sizes : [null]) {
    if (size) await tab.evaluate((id) => (document.getElementById(id).checked = true), size);
    cut.push(...(await tab.evaluate(cutOff)));
    for (const format of formats) {
      const pdf = Buffer.from(await tab.pdf({ format, landscape: true, printBackground: false })).toString("latin1");
      found[format].push(pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0);
    }
  }
  return { sheets: found, cut };
}

/** Runs in the page: what holds more than it shows. */
function cutOff() {
  return [...document.body.querySelectorAll("*")]
    .filter((e) => e instanceof HTMLElement && getComputedStyle(e).overflowY === "hidden" && e.checkVisibility())
    .filter((e) => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1)
    .map((e) => `${e.className}: ${e.textContent.slice(-60)}`);
}

async function pictures(tab, job, page, look) {
  const folder = job.shots;
  if (!folder) return {};
  mkdirSync(folder, { recursive: true });
  const slug =
    page
      .replace(/index\.html$/, "")
      .replace(/[^a-zA-Z0-9]+/g, "-")
      .replace(/^-|-$/g, "") || "home";
  const name = join(folder, [slug, look.viewport, look.scheme, look.scripts ? "js" : "nojs", look.media].join("."));
  // Chromium cannot paint more than 16,384 pixels in one picture, and nobody looks at more.
  const { width, height, deviceScaleFactor = 1 } = VIEWPORTS[look.viewport];
  const tall = Math.min(await tab.evaluate(() => document.documentElement.scrollHeight), 16_000 / deviceScaleFactor);
  const clip = { x: 0, y: 0, width, height: Math.max(height, tall) };
  await tab.screenshot({ path: `${name}.png`, clip, captureBeyondViewport: true });
  if (look.media !== "print") return { screenshot: `${name}.png` };
  await tab.pdf({ path: `${name}.pdf`, format: "A4", printBackground: false });
  return { screenshot: `${name}.png`, pdf: `${name}.pdf` };
}

const job = JSON.parse(process.argv[2] ?? readFileSync(0, "utf8"));
const browser = await launch();
const visits = job.pages.flatMap((page) => looksOf(job).map((look) => ({ page, look })));
const records = visits.map(() => ({}));
const waiting = visits.entries();
/** One after the other. While one such line waits for a page, the other looks at one. */
async function line() {
  for (const [place, { page, look }] of waiting) {
    records[place] = await visit(browser, job, page, look);
    process.stderr.write(`${page} ${Object.values(look).join(" ")}\n`);
  }
}
try {
  await Promise.all([line(), line()]);
} finally {
  await browser.close();
}
process.stdout.write(JSON.stringify(records) + "\n");
