// Plays a game with secrets on its page by touch, and says what the screen showed at each step.
//
//   node tests/browser/secrets.mjs '{"base": "http://127.0.0.1:8000/", "page": "games/cups/index.html"}'
//
// seats: who plays, by the places of the lists; the page's own if none are given. take: the texts that buttons begin
// with, the first that is there each time; else the first option. hints: whether chances are shown. seed: of the dice.
// train: answer a training afterwards, by one option after the other.
// Each step: the lines of the board, the story, the buttons, and what stands in tables of advice.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { errorsOf, launch, seedDice } from "./chromium.mjs";

const job = JSON.parse(process.argv[2] ?? readFileSync(0, "utf8"));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await launch();
const page = await browser.newPage();
const errors = errorsOf(page);
await seedDice(page, job.seed ?? 3);
await page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
await page.goto(`${job.base}${job.page}#play`);
await page.waitForSelector("[data-od-ready=open] .od-playing");
await page.evaluate(
  ({ seats = [], hints }) => {
    const selects = document.querySelectorAll(".od-playing select");
    seats.forEach((place, seat) => void (selects[seat].selectedIndex = place));
    const box = document.querySelector(".od-playing .od-fields > label > input");
    if (hints) box.click();
  },
  { seats: job.seats, hints: job.hints },
);

/** What the screen shows. */
const seen = () =>
  page.evaluate(() => {
    const texts = (selector) => [...document.querySelectorAll(`.od-playing ${selector}`)].map((one) => one.innerText);
    const things = [...document.querySelectorAll(".od-playing .od-plate, .od-playing .od-middle")].map((place) => ({
      whose: place.querySelector("strong")?.innerText ?? "",
      things: [...place.querySelectorAll(".od-thing")].map((one) => [
        one.querySelector("dt").innerText,
        one.querySelector("[role=img]")?.getAttribute("aria-label") ?? one.querySelector("dd").innerText,
      ]),
    }));
    return {
      things,
      story: [...document.querySelectorAll(".od-playing .od-log li")].map((one) => one.dataset.text),
      buttons: texts("button").map((text) => text.replaceAll("\n", " ").trim()),
      advice: [...document.querySelectorAll(".od-playing .od-table tbody tr")].map((row) =>
        [...row.children].map((each) => each.innerText),
      ),
      said: texts("p"),
    };
  });

/** Touch a button by how its text begins; the first option if there is none. */
async function touch(wanted) {
  const handle = await page.evaluateHandle((texts) => {
    const all = [...document.querySelectorAll(".od-playing button")];
    const found = texts.map((text) => all.find((one) => one.textContent.startsWith(text))).find(Boolean);
    return found ?? document.querySelector(".od-playing .od-choices button");
  }, wanted);
  await handle.asElement().tap();
}

const steps = [];
await touch(["New game"]);
for (let step = 0; step < 40; step++) {
  await page.waitForFunction(() => {
    const texts = [...document.querySelectorAll(".od-playing button")].map((one) => one.textContent);
    return texts.length > 1 && !texts.includes("Skip ahead");
  });
  steps.push(await seen());
  if (steps.at(-1).buttons.includes("Play again")) break;
  await touch([...(job.take ?? [])]);
}
const trained = [];
if (job.train) {
  await page.evaluate(() => document.querySelector(".od-training summary").click());
  for (let asked = 0; asked < 20; asked++) {
    await page.waitForSelector(".od-training .od-choices button, .od-training p[role=status]");
    const done = await page.evaluate(() => !document.querySelector(".od-training .od-choices"));
    if (done) break;
    trained.push(
      await page.evaluate((place) => {
        const body = document.querySelector(".od-training");
        const question = body.innerText;
        const options = [...body.querySelectorAll(".od-choices button")];
        options[place % options.length].click();
        const rows = [...body.querySelectorAll("tbody tr")].map((row) => [...row.children].map((one) => one.innerText));
        const answer = body.querySelector("[role=status]").innerText;
        [...body.querySelectorAll("button")].find((one) => one.textContent === "Next").click();
        return { question, answer, rows };
      }, asked),
    );
  }
  trained.push(await page.evaluate(() => document.querySelector(".od-training p[role=status]").innerText));
}
await page.evaluate(axe);
const problems = await page.evaluate(async () => {
  const { violations } = await window.axe.run(document.querySelector("details.od-play"));
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`));
});
if (job.shot) await page.screenshot({ path: job.shot, fullPage: true });
await browser.close();
console.log(JSON.stringify({ steps, trained, problems, errors }));
