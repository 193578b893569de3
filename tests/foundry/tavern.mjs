// A module of many games on a phone: each game is chosen in the form of a new table and its table is looked at.

import { click, job, page, show, until } from "./driver.mjs";

const tap = async (selector) => {
  const found = await page.waitForSelector(selector);
  await found.evaluate((one) => one.scrollIntoView({ block: "center" }));
  await found.tap();
};

/** Choose in the form of a new table, which is drawn anew after that. */
const choose = async (selector, value) => {
  await page.evaluate(() => (document.querySelector("#tavern-new form").id = "before"));
  await page.select(`#tavern-new ${selector}`, value);
  await page.waitForSelector(`#tavern-new form:not(#before) ${selector}`);
};

/** What of a window lies outside of the page. */
const outside = (id) =>
  page.evaluate(
    (wanted) =>
      [...document.querySelectorAll(`[id^=${wanted}] :is(button, select, input, p, h2, legend, .od-board)`)]
        .filter((one) => {
          const { left, right, width } = one.getBoundingClientRect();
          return width && !one.closest(".od-scroll") && (left < -1 || right > window.innerWidth + 1);
        })
        .map((one) => one.outerHTML.slice(0, 80)),
    id,
  );

await show({
  async games() {
    await page.evaluate(() => window.probe.module.api.newTable());
    await page.waitForSelector("form [data-od=create]");
    const games = await page.evaluate(() =>
      [...document.querySelector("[data-od=game]").options].map(({ value, text }) => [value, text]),
    );
    await page.evaluate(() => document.querySelector("#tavern-new .header-control").click());
    const tables = [];
    for (const [game] of games) {
      await page.evaluate(() => window.probe.module.api.newTable());
      await page.waitForSelector("#tavern-new [data-od=game]");
      await choose("[data-od=game]", game);
      await choose("[data-od='who 0']", "user gm"); // non-players have the other seats
      const out = await outside("tavern-new");
      await tap("#tavern-new [data-od=create]");
      await page.waitForSelector("[id^=tavern-table]");
      await until(() => document.querySelector("[id^=tavern-table] [data-od=choice], [id^=tavern-table] .od-board"));
      if (!(await page.$("[id^=tavern-table] .od-board"))) await tap("[id^=tavern-table] [data-od=choice]");
      await page.waitForSelector("[id^=tavern-table] .od-board");
      await page.waitForSelector("[id^=tavern-table] [data-od=choice]:not([aria-disabled=true])");
      if (job.shot) await page.screenshot({ path: job.shot.replace(".png", `-${game}.png`), fullPage: true });
      tables.push({
        out: [...out, ...(await outside("tavern-table"))],
        ...(await page.evaluate(() => {
          const window_ = document.querySelector("[id^=tavern-table]");
          return {
            title: window_.querySelector(".window-title").innerText.replace(/ · .*| \(.*/, ""),
            board: window_.querySelector(".od-board").innerText.trim().length,
            choices: window_.querySelectorAll("[data-od=choice]").length,
          };
        })),
      });
      await tap("[id^=tavern-table] summary[data-od=tools]");
      await click("Close the table"); // a world has only so many that are not over
      await until(() => document.querySelector("[id^=tavern-table] .od-turn").innerText.includes("broken off"));
      await page.evaluate(() => document.querySelector("[id^=tavern-table] .header-control").click());
    }
    return { offered: games.map(([, title]) => title), tables };
  },
});
