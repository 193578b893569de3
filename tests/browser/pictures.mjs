// Takes pictures of parts of pages in headless Chromium. tests/browser/pictures.py says of which.
//
// Each line of standard input is a job as JSON:
//   url, width       the page, and the width of the window
//   path, from, to, pad    the picture, as part.mjs has it
//   point            what the mouse points at first, if anything: a selector
// Standard output has a line for each: { path, bytes }.

import { readFileSync } from "node:fs";

import { keepNothing, launch } from "./chromium.mjs";
import { SHARP, part } from "./part.mjs";

async function taken(browser, { url, width, point, ...wanted }) {
  const tab = await browser.newPage();
  await keepNothing(tab);
  await tab.setViewport({ width, height: 844, deviceScaleFactor: SHARP });
  await tab.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: "light" },
    { name: "prefers-reduced-motion", value: "reduce" },
  ]);
  await tab.goto(url, { waitUntil: "load", timeout: 60_000 });
  await tab.waitForNetworkIdle({ idleTime: 150, timeout: 60_000 });
  if (point) {
    await tab.locator(point).hover();
    await tab.waitForNetworkIdle({ idleTime: 150, timeout: 60_000 });
  }
  const found = await part(tab, wanted);
  await tab.close();
  return found;
}

const browser = await launch();
try {
  for (const line of readFileSync(0, "utf8").trim().split("\n"))
    process.stdout.write(JSON.stringify(await taken(browser, JSON.parse(line))) + "\n");
} finally {
  await browser.close();
}
