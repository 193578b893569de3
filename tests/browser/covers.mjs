// Pictures as WebP files. Jobs are lines of JSON on standard input: { svg: the file as text, path: where to write }.
// An answer has width and height of the file. The packaged browser has its own fonts, so all machines draw alike.

import { readFileSync } from "node:fs";

import { launch } from "./chromium.mjs";

const WIDEST = 1000; // pixels
const QUALITY = 80; // of 100: letters have no visible halo, and a cover has 30 kB
const jobs = readFileSync(0, "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line));

const browser = await launch();
const page = await browser.newPage();
for (const job of jobs) {
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${job.svg}`);
  const size = await page.evaluate(() => {
    const { width, height } = document.querySelector("svg").getBoundingClientRect();
    return { width, height };
  });
  const scale = Math.min(1, WIDEST / size.width);
  await page.setViewport({ ...size, deviceScaleFactor: scale });
  await page.screenshot({ path: job.path, type: "webp", quality: QUALITY, omitBackground: true });
  console.log(JSON.stringify([size.width * scale, size.height * scale]));
}
await browser.close();
