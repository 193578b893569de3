// A page that is watched in a test: what goes wrong in it, what it asks of others, and the same dice every time.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { seedDice } from "../browser/chromium.mjs";

export const job = JSON.parse(process.argv[2] ?? readFileSync(0, "utf8"));
export const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const errors = [];
export const foreign = [];

/** Watch a page, and give it a viewport and seeded dice. */
export async function watch(page, viewport, seed) {
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on(
    "request",
    (request) =>
      new URL(request.url()).host === new URL(job.base).host ||
      /^(data|blob):/.test(request.url()) ||
      foreign.push(request.url()),
  );
  await page.setViewport(viewport);
  await page.emulateMediaFeatures([
    { name: "prefers-reduced-motion", value: "reduce" },
    { name: "prefers-color-scheme", value: job.scheme ?? "light" },
  ]);
  await seedDice(page, seed);
}

/** The texts of what is to be seen in a page or a frame. */
export const texts = (place, selector) =>
  place.evaluate(
    (wanted) =>
      [...document.querySelectorAll(wanted)].filter((one) => one.checkVisibility()).map((one) => one.innerText.trim()),
    selector,
  );

/** Open a panel by its title, and wait for what stands in it: the browser tells the page of this only later. */
export const unfold = (page, title) =>
  page.waitForFunction(
    (wanted) => {
      const panel = [...document.querySelectorAll("details")].find((one) => one.firstElementChild.innerText === wanted);
      if (panel) panel.open = true;
      return Boolean(panel?.lastElementChild.innerText);
    },
    { timeout: 15_000, polling: 20 },
    title,
  );
