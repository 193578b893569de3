// Uses the filters of a list of games as a reader does, by keyboard alone, and tells what the page then shows.
//
//   node tests/browser/filters.mjs http://127.0.0.1:8000/games/
//
// Standard output is a JSON object with what was seen at each step.

import { keepNothing, launch } from "./chromium.mjs";

const look = () => ({
  hash: location.hash,
  said: document.querySelector(".od-filters output")?.textContent ?? null,
  form: document.querySelector(".od-filters")?.checkVisibility() ?? null,
  games: [...document.querySelectorAll(".od-cards > section")]
    .filter((e) => e.checkVisibility())
    .map((e) => e.dataset.seats),
});

const address = process.argv[2];
const browser = await launch();
const seen = {};
try {
  const tab = await browser.newPage();
  await keepNothing(tab);
  await tab.goto(address, { waitUntil: "load" });
  seen.first = await tab.evaluate(look);
  await tab.focus("body");
  for (let pressed = 0; pressed < 100; pressed += 1) {
    await tab.keyboard.press("Tab");
    if (await tab.evaluate(() => document.activeElement?.getAttribute("name") === "seats")) break;
  }
  await tab.keyboard.press("ArrowDown");
  seen.chosen = await tab.evaluate(look);
  seen.value = await tab.evaluate(() => document.querySelector("select[name=seats]").value);
  const linked = await tab.evaluate(() => location.href);
  for (let pressed = 0; pressed < 10; pressed += 1) {
    await tab.keyboard.press("Tab");
    if (await tab.evaluate(() => document.activeElement?.type === "reset")) break;
  }
  await tab.keyboard.press("Enter");
  seen.reset = await tab.evaluate(look);

  const other = await browser.newPage();
  await keepNothing(other);
  await other.goto(linked, { waitUntil: "load" });
  seen.linked = await other.evaluate(look);
  await other.evaluate(() => (location.hash = "#seats=99&nothing=1"));
  await new Promise((resolve) => setTimeout(resolve, 100));
  seen.nonsense = await other.evaluate(look);

  const plain = await browser.newPage();
  await keepNothing(plain);
  await plain.setJavaScriptEnabled(false);
  await plain.goto(linked, { waitUntil: "load" });
  seen.plain = await plain.evaluate(look);
} finally {
  await browser.close();
}
process.stdout.write(JSON.stringify(seen) + "\n");
