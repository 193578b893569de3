// A game with secrets against a non-player, played with one finger: what lies hidden, what best play does, and the end.

import { job, page, show, textOf, until } from "./driver.mjs";

const CHOICES = "[id^=tavern-table] .od-window > .od-choices [data-od=choice]:not([aria-disabled=true])";
const state = () => {
  const { phase, mover } = window.keeper.all().at(-1);
  return { phase, mover, covered: document.querySelectorAll("[id^=tavern-table] .od-cup").length };
};

/** Ann sits down with a non-player at a table of the game master's. */
async function begun() {
  await page.evaluate(async (game) => {
    const { settings } = await (await fetch(`/modules/tavern/games/${game}/play.json`)).json();
    const seat = (kind, user) => ({ kind, user, actor: null, name: "Innkeeper", skill: 0 });
    const seats = [seat("user", "ann"), seat("npc", null)];
    await window.keeper.send("create", { game, setting: settings[0].slug, stake: 0, advice: "everyone", seats });
  }, job.game);
  await until(() => [...document.querySelectorAll("#chat button")].some((one) => one.innerText === "Join"));
  await page.evaluate(() =>
    [...document.querySelectorAll("#chat button")].find((one) => one.innerText === "Join").click(),
  );
  await page.waitForSelector("[id^=tavern-table]");
  await page.evaluate(() => window.keeper.send("start", { table: window.keeper.all().at(-1).id }));
}

await show({
  /** The game master, whose browser has the secrets of the non-player, is gone when that is to move. */
  async kept() {
    await begun();
    const turn = "[id^=tavern-table] .od-turn";
    for (;;) {
      await page.waitForSelector(CHOICES);
      await page.evaluate((choices) => document.querySelector(choices).click(), CHOICES);
      const mover = () => window.keeper.all().at(-1).mover;
      await until(() => window.keeper.all().at(-1).mover !== null);
      if ((await page.evaluate(mover)) === 1) break;
    }
    await page.evaluate(() => window.keeperIs(false));
    await until((place) => document.querySelector(place).innerText.includes("back"), turn);
    const gone = await textOf(turn);
    const facts = await textOf("[id^=tavern-table] .od-facts");
    if (job.shot) await page.screenshot({ path: job.shot, fullPage: true });
    await page.evaluate(() => window.keeperIs(true));
    await until((place) => !document.querySelector(place).innerText.includes("back"), turn);
    await page.waitForSelector(CHOICES);
    return { gone, facts };
  },

  async played() {
    await begun();
    const seen = [];
    for (;;) {
      await until((choices) => window.keeper.all().at(-1).phase === "over" || document.querySelector(choices), CHOICES);
      const now = await page.evaluate(state);
      if (now.phase === "over") break;
      const advice = await page.$("[id^=tavern-table] .od-advice summary");
      if (advice && !seen.some((one) => one.advice)) {
        await advice.tap();
        await page.waitForSelector("[id^=tavern-table] .od-advice table");
        now.advice = await textOf("[id^=tavern-table] .od-advice");
        if (job.shot) await page.screenshot({ path: job.shot, fullPage: true });
      }
      seen.push(now);
      await page.evaluate((choices) => document.querySelector(choices)?.click(), CHOICES);
    }
    await until(() => document.querySelector("[id^=tavern-table] .od-turn").innerText.includes("wins"));
    return { seen, end: await page.evaluate(state), turn: await textOf("[id^=tavern-table] .od-turn") };
  },
});
