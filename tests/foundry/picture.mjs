// A table in the middle of a game, for a picture: tests/browser/pictures.py says of which game.

import { SHARP, part } from "../browser/part.mjs";
import { created, job, page, show, textOf, toDecision } from "./driver.mjs";

await show({
  /** Those who sit at the table have the names of the job, the game master the first; then its options are taken. */
  async table() {
    await page.setViewport({ width: job.width, height: 1000, deviceScaleFactor: SHARP });
    const seat = (name, place) => ({
      kind: place ? "npc" : "user",
      user: place ? null : "gm",
      actor: null,
      name,
      skill: 0,
    });
    const kinds = job.names.map((_, place) => (place ? "npc" : "gm"));
    await created(job.game, kinds, { stake: 0, seats: job.names.map(seat) });
    for (const pressed of job.press) {
      await toDecision();
      await page.evaluate((option) => {
        const all = [...document.querySelectorAll(".od-choices [data-od=choice]")];
        all.find((each) => each.innerText.startsWith(option)).click();
      }, pressed);
    }
    await toDecision();
    await page.click("summary[data-od=advice]");
    await page.waitForSelector(".od-advice .od-say");
    return { ...(await part(page, job)), advice: await textOf(".od-advice") };
  },
});
