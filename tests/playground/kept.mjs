// Asks another host for a file from a page whose worker keeps what was asked for: with the network, and without.
//
//   node tests/playground/kept.mjs '{"base": "http://127.0.0.1:8000/", "address": "http://..."}'

import { readFileSync } from "node:fs";

import { launch } from "../browser/chromium.mjs";

const job = JSON.parse(process.argv[2] ?? readFileSync(0, "utf8"));
const browser = await launch();
const page = await browser.newPage();
await page.goto(`${job.base}index.html`);
await page.evaluate(async () => {
  await navigator.serviceWorker.register("offline.js");
  if (navigator.serviceWorker.controller) return;
  await new Promise((kept) => navigator.serviceWorker.addEventListener("controllerchange", kept));
});
const ask = () => page.evaluate((wanted) => fetch(wanted).then((answer) => answer.text(), String), job.address);
const first = await ask();
await page.setOfflineMode(true);
console.log(JSON.stringify([first, await ask()]));
await browser.close();
