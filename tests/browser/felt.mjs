// Draws a drawCoins that pays a purse, twice in the same place, and says what moves and what is heard.
//
//   node tests/browser/felt.mjs '{"base": "http://127.0.0.1:8000/", "motion": "no-preference"}'
//
// motion: what the reader prefers. sounds: whether somebody has switched them on. over: how the game ended for whoever
// looks: true, false, or null where it goes on.

import { readFileSync } from "node:fs";

import { launch } from "./chromium.mjs";

const job = JSON.parse(process.argv[2] ?? readFileSync(0, "utf8"));
const browser = await launch();
const page = await browser.newPage();
const errors = [];
page.on("pageerror", (error) => errors.push(String(error)));
await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: job.motion }]);
await page.evaluateOnNewDocument(() => {
  window.tones = 0;
  const made = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () {
    window.tones++;
    return made.call(this);
  };
});
await page.goto(`${job.base}link/index.html`);
const found = await page.evaluate(async (asked) => {
  const at = (name) => import(`/runtime/felt/${name}.mjs`);
  const [{ animateCoinChanges }, { switchSounds }, { drawCoins }] = await Promise.all(
    ["motion", "sounds", "coins"].map(at),
  );
  if (asked.sounds) switchSounds(true);
  const switched = window.tones;
  const place = document.createElement("div");
  document.body.replaceChildren(place);
  const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const draw = async (pot, purse, won) => {
    const board = document.createElement("div");
    const piles = new Map();
    for (const [name, value] of Object.entries({ pot, purse })) {
      const coins = document.createElement("span");
      coins.append(drawCoins(value, true));
      board.append(coins);
      piles.set(name, { value, place: coins });
    }
    place.replaceChildren(board);
    animateCoinChanges(board, "a game", piles, { over: won !== null, won });
    await frame();
    return document.querySelectorAll(".od-flying").length;
  };
  const first = await draw(9, 0, null);
  const second = await draw(0, 9, asked.over);
  const heard = window.tones - switched;
  while (document.querySelector(".od-flying")) await frame();
  return { first, second, heard, last: await draw(0, 9, asked.over) };
}, job);
console.log(JSON.stringify({ ...found, errors }));
await browser.close();
