// Uses the extension for Owlbear Rodeo in headless Chromium as people would, in the room of room.mjs, and says what it
// shows.
//
//   node tests/tabletops/owlbear.mjs '{"base": "http://127.0.0.1:8000/", "scene": "played", "query":
// "gm=Keeper&player=Ann"}'
//
// scene: one of those below. shot: a file for a picture at the end. scheme: "light" or "dark", what the reader's system
// says.

import {
  after,
  all,
  axe,
  begun,
  browser,
  chosen,
  errors,
  foreign,
  frames,
  job,
  kept,
  options,
  page,
  press,
  settle,
  shows,
  stepped,
  text,
  unfold,
  until,
} from "./frames.mjs";

/** A button with a text, or the first choice. */
const touchable = (wanted, number) => {
  const all = wanted ? document.querySelectorAll("button") : document.querySelectorAll("[data-od=choice]");
  return [...all].filter((one) => one.checkVisibility() && (!wanted || one.innerText.trim() === wanted))[number];
};

const scenes = {
  /** Two people play to the end by keyboard alone; one loads the page anew in between. */
  async played() {
    const [gm, ann] = frames;
    await begun(gm, ann);
    let rounds = 0;
    let reloaded = null;
    const held = new Set(); // where focus is in the game master's page when somebody else moves
    for (; rounds < 400 && !(await text(".od-turn", gm)).includes("over"); rounds++) {
      const mover = (await text(".od-turn", frames[0])).startsWith("Your") ? 0 : 1;
      await stepped(frames[mover]);
      if (!mover && (await text(".od-turn", gm)).startsWith("It is "))
        held.add(await gm.evaluate(() => document.activeElement.dataset.od));
      if (rounds === 2) {
        const before = await all(".od-log li", frames[1]);
        await page.evaluate(() => room.clients[1].frame.contentWindow.location.reload());
        await page.waitForFunction(() => room.clients[1].loads === 2);
        await settle();
        reloaded = { before, after: await all(".od-log li", frames[1]) };
      }
    }
    await shows(frames[1], "The game is over.");
    for (const frame of frames)
      if (await frame.evaluate(() => document.hasFocus()))
        held.add(await frame.evaluate(() => document.activeElement.dataset.od));
    await unfold(frames[0], "At this table");
    return {
      rounds,
      reloaded,
      held: [...held],
      turns: [await text(".od-turn", frames[0]), await text(".od-turn", frames[1])],
      stories: [await all(".od-log li", frames[0]), await all(".od-log li", frames[1])],
      transcript: JSON.parse(await frames[0].evaluate(() => document.querySelector("textarea").value)),
      link: await frames[0].evaluate(() => document.querySelector("a[download]").download),
    };
  },

  /** Two people play a game with secrets to its end: how many cups each sees before every move, and what each reads. */
  async bluffed() {
    const [gm, ann] = frames;
    await begun(gm, ann);
    const [cups, told] = [[], []];
    const count = (frame) => frame.evaluate(() => document.querySelectorAll(".od-board .od-cup").length);
    const states = () =>
      Promise.all(
        frames.map((frame) =>
          frame.evaluate(() => ({
            rev: Number(document.querySelector("#od-table").dataset.rev),
            due: document.querySelector("[data-od=choice]") !== null,
            over: document.querySelector(".od-turn").innerText.includes("over"),
          })),
        ),
      );
    for (let tries = 0; tries < 500; tries++) {
      const { rev } = await kept();
      const seen = await states();
      if (seen.every((one) => one.over)) break;
      const mover = frames[seen.findIndex((one) => one.due)];
      if (!mover || seen.some((one) => one.rev !== rev)) {
        await new Promise((later) => setTimeout(later, 30)); // dice that nobody sees are still on their way
        continue;
      }
      cups.push(await Promise.all(frames.map(count)));
      told.push(await Promise.all(frames.map((frame) => all(".od-log li", frame))));
      await mover.evaluate(() => document.querySelector("[data-od=choice]").click());
      await page.waitForFunction((before) => room.metadata["oddsmith/table"].rev > before, { timeout: 15_000 }, rev);
    }
    for (const frame of frames) await shows(frame, "The game is over.");
    await unfold(gm, "At this table");
    const transcript = JSON.parse(await gm.evaluate(() => document.querySelector("textarea").value));
    return { cups, told, end: await Promise.all(frames.map(count)), transcript, size: (await kept()).log.length };
  },

  /** An entry that cannot be, written into the room by hand; the game master takes it back. */
  async forged() {
    const [gm, ann] = frames;
    await begun(gm, ann);
    for (let i = 0; i < 3; i++) await stepped((await text(".od-turn", gm)).startsWith("Your") ? gm : ann);
    const before = await kept();
    await page.evaluate(async (entry) => {
      const { packLog, unpackLog } = await import("/ext/scripts/runtime/table/packed.mjs");
      const table = structuredClone(room.metadata["oddsmith/table"]);
      table.log = await packLog([...(await unpackLog(table.log)), entry]);
      table.rev += 1;
      room.put({ "oddsmith/table": table });
    }, job.entry);
    const words = "this move is not possible. Somebody changed the log by hand";
    await Promise.all([shows(gm, words), shows(ann, words)]);
    const found = {
      alerts: [await text(".od-alert", gm), await text(".od-alert", ann)],
      choices: await all(".od-choices button[data-od=choice]", ann),
    };
    if (job.shot) await page.screenshot({ path: job.shot });
    await unfold(gm, "At this table");
    await press(gm, "Take back");
    await until(ann, () => !document.querySelector(".od-alert").checkVisibility());
    return { ...found, same: (await kept()).log === before.log, notice: await text(".od-note[role=status]", ann) };
  },

  /** What somebody put into the room that is no table at all, or too large, or of other rules. */
  async garbage() {
    const [gm, ann] = frames;
    const found = [];
    for (const value of ["text", { v: 1 }, { v: 2, log: [] }, []]) {
      await page.evaluate((one) => room.put({ "oddsmith/table": one }), value);
      await shows(ann, "a table that cannot be read");
      found.push(await text(".od-turn", ann));
      await page.evaluate(() => room.put({ "oddsmith/table": null }));
      await until(ann, () => !document.querySelector(".od-alert").checkVisibility());
    }
    await begun(gm, ann);
    const table = await kept();
    for (const change of [
      { rules: "0".repeat(64) },
      { game: "unknown" },
      { log: "!!!" },
      { seats: table.seats.slice(1) },
    ]) {
      await page.evaluate((one) => room.put({ "oddsmith/table": one }), { ...table, ...change });
      await shows(ann, "The table cannot be opened");
      found.push(await text(".od-alert", ann));
    }
    return { found, choices: await all(".od-choices button", ann) };
  },

  /** Who may do what, as far as the page goes: seats, somebody in between, undo, non-players, a rematch, closing. */
  async rights() {
    const [gm, ann, ben] = frames;
    await press(gm, "Open the table");
    await press(ann, "Sit down");
    await until(ben, () => document.querySelector(".od-turn").innerText === "Every seat is taken.");
    const lobby = await all("button", ben);
    await unfold(gm, "At this table");
    const fresh = await options(gm, ".od-hand option");
    await press(gm, "Begin");
    await shows(ben, "’s turn.");
    const watcher = await all(".od-choices button", ben);
    await stepped(gm);
    await unfold(ann, "At this table");
    const player = await all("button", ann);
    await unfold(gm, "At this table");
    const later = await options(gm, ".od-hand option");
    await press(gm, "Take back");
    await shows(ann, "Moves were taken back.");
    const lines = (await all(".od-log li", ann)).length;
    for (let i = 0; i < 2; i++) {
      // the game master's own seat last: then nobody is left to wait for
      await until(gm, (left) => document.querySelectorAll(".od-hand select").length === left, 2 - i);
      await press(gm, "Give", 1 - i);
    }
    await shows(ann, "The game is over.");
    return { lobby, watcher, player, fresh, later, lines, seats: (await kept()).seats };
  },

  /** A player leaves in mid game; a non-player plays on, and somebody else comes in for it. */
  async left() {
    const [gm, ann, ben] = frames;
    await begun(gm, ann);
    await unfold(gm, "At this table");
    await gm.select("[data-od='skill 1']", "1");
    await stepped((await text(".od-turn", gm)).startsWith("Your") ? gm : ann); // a new drawing leaves what was picked
    await press(gm, "Give", 1);
    await until(gm, () => document.querySelector("[data-od='free 1']"));
    const given = (await kept()).seats[1];
    const before = await all(".od-choices button", ben);
    await press(gm, "Free the seat");
    await shows(ben, "Sit down as Player 2");
    if (job.shot) await page.screenshot({ path: job.shot });
    await press(ben, "Sit down as Player 2");
    await until(gm, () => document.querySelector(".od-board").innerText.includes("Ben"));
    const { seats } = await kept();
    await unfold(gm, "At this table");
    await press(gm, "Give", 1);
    await until(gm, () => document.querySelector("[data-od='free 1']"));
    const watches = await all(".od-choices button", ben);
    await press(gm, "Close the table");
    const open = (await kept()) !== null;
    await press(gm, "Close, and lose the game");
    await shows(ann, "There is no table here yet.");
    return { given, before, seats, open, after: watches };
  },

  /** Two game masters: what one writes while the other does not know of it stays. */
  async raced() {
    const [one, two] = frames;
    await begun(one, two);
    const written = (change) =>
      page.evaluate((given) => {
        const table = { ...structuredClone(room.metadata["oddsmith/table"]), ...given };
        table.rev += 1;
        table.seats[1].name = "Someone";
        room.metadata["oddsmith/table"] = table; // and nobody is told
      }, change);
    const act = async () => {
      const mover = (await text(".od-turn", one)).startsWith("Your") ? one : two;
      await mover.evaluate(() => document.querySelector("[data-od=choice]").click());
      return mover;
    };
    await written({});
    const first = await kept();
    await act();
    await until(one, (rev) => Number(document.querySelector("#od-table").dataset.rev) > rev, first.rev);
    const { log, seats } = await kept();
    const added = [log !== first.log, seats[1].name];
    await written({ id: "another" });
    const before = await kept();
    const mover = await act();
    await shows(mover, "Somebody else was faster.");
    return {
      added,
      same: JSON.stringify(await kept()) === JSON.stringify(before),
      board: await text(".od-board", mover),
      alert: await text(".od-alert", mover),
    };
  },

  /** A table at a size that nobody solved, by the form; a number beyond the limits opens none. */
  async sized() {
    const [gm, ann] = frames;
    await chosen(gm);
    const about = await text(".od-fields .od-note", gm);
    await gm.select("main label:nth-of-type(2) select", "=");
    await until(gm, () => document.querySelectorAll(".od-fields .od-fields input").length > 0);
    const fields = await all(".od-fields .od-fields label > span", gm);
    const enter = async (values) => {
      for (const [place, value] of values.entries())
        await gm.evaluate(
          (at, now) => {
            const input = document.querySelectorAll(".od-fields .od-fields input")[at];
            input.value = now;
            input.dispatchEvent(new Event("change", { bubbles: true }));
          },
          place,
          String(value),
        );
    };
    const wrong = [];
    for (const values of job.tried) {
      await enter(values);
      if (values === job.tried.at(-1)) break;
      await press(gm, "Open the table");
      wrong.push(await gm.evaluate(() => document.querySelectorAll("input:invalid").length));
    }
    const note = await all(".od-fields .od-note[role=status]", gm);
    const seen = (await all("main label select", gm)).length;
    if (job.shot) await page.screenshot({ path: job.shot });
    await press(gm, "Open the table");
    await shows(ann, "Seats are still free");
    const written = await page.evaluate(() => room.log.filter((id) => id === "OBR_ROOM_SET_METADATA").length);
    const facts = await all(".od-facts li", ann);
    const table = await kept();
    await unfold(gm, "At this table");
    const ways = await options(gm, ".od-hand option");
    await press(ann, "Sit down");
    for (let place = 2; place < table.seats.length; place++) {
      const before = (await kept()).rev;
      await press(gm, "Give", (await all(".od-hand select", gm)).length - 1);
      await after(before);
    }
    // Whoever opened it wants everybody to see advice; there is none.
    await page.evaluate(() =>
      room.put({ "oddsmith/table": { ...room.metadata["oddsmith/table"], advice: "everyone" } }),
    );
    await press(gm, "Begin");
    await Promise.all([shows(gm, "turn"), shows(ann, "turn")]);
    const panels = new Set();
    for (let i = 0; i < 600 && !(await text(".od-turn", gm)).includes("over"); i++) {
      const mover = (await text(".od-turn", gm)).startsWith("Your") ? gm : ann;
      for (const one of await all("#od-table summary", mover)) panels.add(one);
      const before = (await kept()).rev;
      await until(mover, () => document.querySelector("[data-od=choice]"));
      await mover.evaluate(() => document.querySelector("[data-od=choice]").click());
      await after(before);
    }
    await unfold(gm, "At this table");
    return {
      about,
      fields,
      wrong,
      written,
      note,
      seen,
      facts,
      setting: table.setting,
      seats: table.seats.length,
      ways,
      panels: [...panels],
      transcript: JSON.parse(await gm.evaluate(() => document.querySelector("textarea").value)),
    };
  },

  /** A game that grows beyond what a room keeps is refused, and told. */
  async outgrown() {
    const [gm, ann] = frames;
    await begun(gm, ann);
    await page.evaluate(() => {
      const table = structuredClone(room.metadata["oddsmith/table"]);
      for (const seat of table.seats) seat.name = "x".repeat(5990);
      room.put({ "oddsmith/table": table });
    });
    await shows(gm, "xxx");
    const rev = (await kept()).rev;
    const mover = (await text(".od-turn", gm)).startsWith("Your") ? gm : ann;
    await mover.evaluate(() => document.querySelector("[data-od=choice]").click());
    await shows(mover, "outgrown");
    return {
      rev,
      after: (await kept()).rev,
      alert: await text(".od-alert", mover),
      notice: await text(".od-note", mover),
    };
  },

  /** Advice and every panel open, to be looked at and checked. */
  async middle() {
    const [gm, ann] = frames;
    await frames[0].select("main label:nth-of-type(3) select", "everyone");
    await begun(gm, ann);
    for (let i = 0; i < 40; i++) {
      const mover = (await text(".od-turn", gm)).startsWith("Your") ? gm : ann;
      if ((await all("[data-od=choice]", mover)).length > 1 && mover === ann) break;
      await stepped(mover);
    }
    await unfold(ann, "What each action is worth");
    await unfold(gm, "At this table");
    await unfold(ann, "Who is trusted with what");
    return {
      advice: (await all("#od-table details", ann)).find((one) => one.startsWith("What each action is worth")),
      choices: await all("[data-od=choice]", ann),
      text: await text("main", ann),
      title: await ann.title(),
    };
  },

  /** One person by touch, and non-players where there are more seats, to the end. */
  async alone() {
    const [gm] = frames;
    const tap = async (name, number = 0) => {
      const found = await until(gm, touchable, name, number);
      await found.tap();
    };
    await chosen(gm);
    await tap("Open the table");
    await unfold(gm, "At this table");
    for (let i = 0; i < 20 && !(await text(".od-turn", gm)).startsWith("Every seat"); i++) {
      const before = (await kept()).rev;
      await tap("Give", 1);
      await after(before);
    }
    await tap("Begin");
    await until(gm, () => /^Your turn|over/.test(document.querySelector(".od-turn").innerText));
    for (let i = 0; i < 600 && !(await text(".od-turn", gm)).includes("over"); i++) {
      const before = (await kept()).rev;
      await tap("");
      await after(before);
    }
    return {
      turn: await text(".od-turn", gm),
      transcript: JSON.parse(await gm.evaluate(() => document.querySelector("textarea").value)),
    };
  },
};

await page.goto(`${job.base}room.html?${job.query ?? "gm=Keeper&player=Ann"}`);
await settle();
try {
  const result = await scenes[job.scene]();
  if (job.shot && !["forged", "left", "sized"].includes(job.scene)) await page.screenshot({ path: job.shot });
  const serious = [];
  const wide = [];
  for (const frame of frames) {
    await frame.evaluate(`(() => { ${axe} })()`).catch(() => null);
    wide.push(await frame.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth));
  }
  for (const frame of frames) {
    if (!(await frame.evaluate(() => "axe" in window))) {
      serious.push("the checker did not load");
      continue;
    }
    const { violations } = await frame.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    serious.push(
      ...violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`),
    );
  }
  const refused = await page.evaluate(() => room.refused);
  console.log(JSON.stringify({ ...result, errors, foreign, serious, wide, refused }));
} finally {
  await browser.close();
}
