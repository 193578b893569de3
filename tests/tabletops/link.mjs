// Uses the table by link as people would: each person has a browser of their own, and the browsers are connected with
// each other and with nothing else.
//
//   node tests/tabletops/link.mjs '{"base": "http://127.0.0.1:8000/", "scene": "played", "game": "piglet"}'
//
// scene: one of those below. shots: a folder for pictures.

import { meeting } from "./meeting.mjs";
import { peekUnderCups } from "./peek.mjs";
import {
  all,
  answered,
  browsers,
  changed,
  ended,
  dice,
  errors,
  foreign,
  forged,
  grave,
  invited,
  job,
  joined,
  kept,
  laid,
  looked,
  master,
  passedOn,
  pasted,
  person,
  picture,
  play,
  possessions,
  scanned,
  shows,
  sits,
  table,
  tapped,
  text,
  touch,
  unfold,
  until,
  value,
} from "./people.mjs";

/** The game master and Ann, who sit at a new table for two. */
async function seatedPair() {
  const gm = await master();
  const ann = await person(5);
  await laid(gm);
  await joined(gm, ann, "Ann");
  await touch(ann, "Sit down");
  await shows(gm, "Every seat is taken.");
  return [gm, ann];
}

/** In the page of a player: all cards of the first deck that appear if masks of this browser are taken off or put on
 * anywhere. */
async function peek({ id, rules, setting, log }, names) {
  const from = (name) => import(`/assets/runtime/${name}.mjs`);
  const [{ cardPoint }, { ownMask }, { rollId }, { unpackLog }] = await Promise.all(
    ["sealed/cards", "sealed/decks", "sealed/numbers", "table/packed"].map(from),
  );
  const { secret } = JSON.parse(localStorage.getItem(Object.keys(localStorage).find((key) => key.endsWith(`/${id}`))));
  const round = await rollId(JSON.stringify([id, rules, setting]), [], null);
  const points = (await unpackLog(log)).flatMap(({ deck = [], cards = [] }) => [...deck, ...cards]);
  const masks = await Promise.all([0, 1].map((seat) => ownMask(secret, { round }, seat)));
  const tried = masks.flatMap((mask) => [
    points,
    mask.unmask(points),
    mask.unmask(mask.unmask(points)),
    mask.maskAndShuffle(points),
  ]);
  const found = [];
  for (const name of names) if (tried.flat().includes(await cardPoint(round, name, 0))) found.push(name);
  return { found, points: points.length };
}

const scenes = {
  ...meeting,

  /** The game master and two guests, one let in by a pasted answer, the other by the link of an answer. */
  async played() {
    const gm = await master({ width: 1100, height: 900 });
    const [ann, ben] = [await person(5), await person(7)];
    await laid(gm);
    const link = await invited(gm);
    const read = [link, await scanned(gm)];
    await picture(gm, "invitation");
    await looked(gm);
    const answer = await answered(ann, link, "Ann");
    read.push(answer, await scanned(ann));
    await picture(ann, "answer");
    await looked(ann);
    await gm.type("#od-people textarea", answer);
    await touch(gm, "Let the player in");
    await shows(ann, "You are at the table of Game master, as Ann.");
    const passed = await passedOn(gm, ben, "Ann");
    await shows(ben, "as Ann (2).");
    await touch(ann, "Sit down");
    await sits(gm, "Ann");
    await until(ben, () => document.querySelectorAll(".od-seats button").length === 1);
    await touch(ben, "Sit down");
    await shows(gm, "Every seat is taken.");
    await picture(ann, "lobby");
    await touch(gm, "Begin");
    await shows(gm, "Your turn");
    await play(gm, [gm, ann, ben], (moves) => moves > 3);
    await picture(gm, "game");
    await picture(ann, "game-guest");
    await looked(gm, ann);
    const back = await gm.evaluate(() => [...document.querySelectorAll("nav a, .od-facts a")].map(({ href }) => href));
    await play(gm, [gm, ann, ben]);
    const told = [await text(gm, "#od-people p:nth-of-type(2)")];
    for (const one of [ann, ben]) told.push(await dice(one));
    return { read, passed, back, told, ...(await ended(gm, [gm, ann, ben])) };
  },

  /** Two play a game with secrets; each tries to look, and one of them loads the page anew in the middle. */
  async secrets() {
    const [gm, ann] = await seatedPair();
    const told = await text(ann, "main");
    await picture(ann, "sealed");
    await touch(gm, "Begin");
    const turn = async (page) => (await text(page, ".od-turn")).startsWith("Your turn");
    const looks = [];
    const act = async (wanted) => {
      for (let tries = 0; tries < 300; tries++) {
        for (const page of [gm, ann])
          if (await turn(page)) {
            const moves = (await all(page, ".od-log li")).length;
            const taps = await page.evaluate((words) => {
              const choices = [...document.querySelectorAll("#od-table [data-od=choice]")];
              return choices.findIndex((one) => one.innerText.startsWith(words));
            }, wanted);
            await tapped(page, (at) => document.querySelectorAll("#od-table [data-od=choice]")[at], Math.max(0, taps));
            await until(page, (before) => document.querySelectorAll(".od-log li").length > before, moves);
            return;
          }
        if ((await text(gm, ".od-turn")).includes("over")) return;
        await new Promise((later) => setTimeout(later, 30));
      }
      throw new Error("nobody can do anything");
    };
    const look = async () => {
      const { rev } = await kept(gm);
      const shown = (now) => Number(document.querySelector("#od-table").dataset.rev) >= now;
      await Promise.all([gm, ann].map((page) => until(page, shown, rev)));
      const seen = await Promise.all([gm, ann].map((page) => all(page, ".od-log li")));
      const cups = await Promise.all(
        [gm, ann].map((page) =>
          page.evaluate(() => {
            const things = [...document.querySelectorAll(".od-thing")];
            const thing = things.find((one) => one.querySelector("dt").innerText === "cup");
            return (
              thing?.querySelector("[role=img]")?.getAttribute("aria-label") ?? thing?.querySelector("dd").innerText
            );
          }),
        ),
      );
      const peeked = [];
      for (const page of [gm, ann]) {
        const { heard, texts } = await possessions(page);
        const given = { scripts: "/assets/runtime", table: await kept(gm), texts, guesses: 500 };
        peeked.push({ heard, ...(await page.evaluate(peekUnderCups, given)) });
      }
      looks.push({ seen, cups, peeked });
    };
    await act("Roll");
    await look();
    await picture(gm, "sealed-own");
    await picture(ann, "sealed-other");
    await act("Announce: 5");
    await look();
    await act("Believe");
    await act("Roll");
    await look();
    await ann.goto("about:blank"); // and comes back with the dice that only her browser knows
    await shows(gm, "Ann is no longer connected.");
    await touch(gm, "Invite again");
    await gm.waitForSelector(".od-card input");
    await pasted(gm, await answered(ann, await value(gm, ".od-card input"), ""));
    await shows(ann, "as Ann.");
    await until(ann, () => document.querySelectorAll(".od-log li").length > 3);
    await look();
    await act("Announce: 6");
    await act("Look");
    await shows(gm, "The game is over.");
    await shows(ann, "The game is over.");
    await look();
    await looked(gm, ann);
    return { told, looks, alert: await text(ann, "#od-people .od-alert"), ...(await ended(gm, [gm, ann])) };
  },

  /** Two play a game with cards that nobody deals. Once both have one, a player looks for that of the game master with
   * all that lies on the table and in the own browser. */
  async cards() {
    const [gm, ann] = await seatedPair();
    await touch(gm, "Begin");
    const told = [];
    let peeked = null;
    const turn = (page) => text(page, ".od-turn");
    for (let tries = 0; tries < 600 && !(await turn(gm)).includes("over"); tries++) {
      const stories = await Promise.all([gm, ann].map((page) => all(page, ".od-log li")));
      if (stories.every((lines) => lines.length === 2) && !peeked) {
        told.push(...stories);
        peeked = await ann.evaluate(peek, await kept(gm), job.cards);
      }
      for (const page of [gm, ann])
        if (await page.evaluate(() => document.querySelector("#od-table [data-od=choice]") !== null)) {
          const before = stories[0].length;
          await tapped(page, () => document.querySelector("#od-table [data-od=choice]"));
          const grown = (lines) => document.querySelectorAll(".od-log li").length > lines;
          const heard = page.waitForFunction(grown, { timeout: 2_000, polling: 20 }, before);
          await heard.catch(() => {}); // the page was drawn anew under the finger: it is tapped again
          break;
        }
      await new Promise((later) => setTimeout(later, 30));
    }
    await shows(ann, "The game is over.");
    await looked(gm, ann);
    return { told, peeked, alert: await text(ann, "#od-people .od-alert"), ...(await ended(gm, [gm, ann])) };
  },

  /** A player goes in mid game, somebody else comes late, and the game master's page is loaded anew. */
  async left() {
    const gm = await master();
    const [ann, ben] = [await person(5), await person(7)];
    await laid(gm);
    await joined(gm, ann, "Ann");
    await touch(ann, "Sit down");
    await sits(gm, "Ann");
    await unfold(gm, "At this table");
    await touch(gm, "Give", 2);
    await touch(gm, "Begin");
    await shows(gm, "Your turn");
    await play(gm, [gm, ann], (moves) => moves > 1);
    await ann.goto("about:blank");
    await shows(gm, "Ann is no longer connected.");
    await picture(gm, "left");
    const seen = await all(gm, "#od-people li");
    await play(gm, [gm], (moves) => moves > 3); // the game master moves for whoever is away
    await joined(gm, ben, "Ben");
    const watches = await all(ben, "#od-table button");
    await unfold(gm, "At this table");
    await touch(gm, "Free the seat");
    await until(ben, () => document.querySelector("[data-od='seat 2']"));
    await touch(ben, "Sit down as Player 3");
    await sits(gm, "Ben");
    const before = await kept(gm);
    await gm.reload();
    await gm.waitForSelector("#od-table[data-ready]");
    await shows(ben, "The connection is gone.");
    await picture(ben, "lost");
    await looked(gm, ben);
    const after = await kept(gm);
    const away = await all(gm, "#od-people li");
    await touch(gm, "Invite again");
    await gm.waitForSelector(".od-card input");
    const answer = await answered(ann, await value(gm, ".od-card input"), "");
    await gm.goto(answer); // the same page, with something behind its #
    await shows(ann, "as Ann.");
    await passedOn(gm, ben, "");
    await play(gm, [gm, ann, ben]);
    return {
      seen,
      watches,
      away,
      same: JSON.stringify(before) === JSON.stringify(after),
      ...(await ended(gm, [gm, ann, ben])),
    };
  },

  /** A game master who names a STUN server, and himself; what a guest is told before joining. */
  async elsewhere() {
    const gm = await master();
    const ann = await person(5);
    await laid(gm);
    await unfold(gm, "Your name, and players in other networks");
    const put = async (number, words) => {
      await gm.$$eval(
        "#od-people details input",
        (fields, at, given) => {
          fields[at].value = given;
          fields[at].dispatchEvent(new Event("change"));
        },
        number,
        words,
      );
    };
    await put(0, "Keeper");
    await shows(gm, "Keeper");
    await put(1, "http://x/");
    const wrong = await gm.evaluate(() => document.querySelectorAll("input:invalid").length);
    await put(1, "stun:stun.example.org:3478");
    const link = await invited(gm);
    await ann.goto(link);
    await ann.waitForSelector("#od-table[data-ready]");
    const told = await text(ann, "#od-people");
    await picture(ann, "join");
    const broken = [];
    for (const code of ["#join=x", `#join=${"A".repeat(5000)}`]) {
      await ann.goto("about:blank");
      await ann.goto(table + code);
      await ann.waitForSelector("#od-table[data-ready]");
      await ann.type("#od-people input", "Ann");
      await touch(ann, "Join");
      broken.push(
        await (
          await until(ann, () => document.querySelector(".od-alert:not([hidden])"))
        ).evaluate((one) => one.innerText),
      );
    }
    await gm.type("#od-people textarea", link);
    await touch(gm, "Let the player in");
    await shows(gm, "This is an invitation.");
    return { link, told, wrong, broken, seats: (await kept(gm)).seats.map(({ name }) => name) };
  },

  /** A guest whose page is her own: what she asks for, and what comes of it. */
  async cheated() {
    const gm = await master();
    const [ann, eve] = [await person(5), await person(7)];
    await laid(gm);
    await joined(gm, ann, "Ann");
    await touch(ann, "Sit down");
    await sits(gm, "Ann");
    const told = [];
    const hello = { t: "hello", key: crypto.randomUUID(), name: "Game master" };
    const asked = async (stage, ...wishes) => {
      await forged(gm, eve, [hello]); // anew each time, so that nobody has said too much
      for (const [act, place, late = 0] of wishes) {
        const before = await kept(gm);
        const why = await eve.evaluate((wish) => window.ask(wish), { t: "act", act, place, rev: before.rev - late });
        if (stage.startsWith("may ")) await changed(gm, before); // a roll comes a little later
        const same = JSON.stringify(await kept(gm)) === JSON.stringify(before);
        told.push({ stage, act, place, late, why, same });
      }
    };
    const others = [
      ["leave", 0],
      ["leave", 1],
      ["join", 0],
      ["join", 1],
      ["join", 9],
      ["join", null],
    ];
    const moves = [
      ["act", null],
      ["act", 0],
      ["goOn", null],
      ["rematch", null],
    ];
    await asked("stands", ...NEVER, ...others, ...moves, ["leave", 2], ["start", null], ["join", 2, 1]);
    await asked("may sit", ["join", 2]);
    await asked("sits", ...NEVER, ...others, ...moves, ["join", 2]);
    await asked("may begin", ["start", null]);
    await asked("another moves", ...NEVER, ...others, ...moves, ["leave", 2], ["start", null]);
    await play(gm, [gm, ann], async () => (await text(gm, ".od-turn")).includes("Game master (2)"));
    await asked("moves", ...NEVER, ...others, ["act", 0], ["leave", 2], ["act", null, 1]);
    await asked("may roll", ["act", null]);
    await asked("chooses", ["act", null], ["act", 7]);
    const before = await kept(gm);
    const parted = [];
    for (const said of job.nonsense) {
      await forged(gm, eve, said);
      await eve.evaluate(() => window.gone);
      parted.push(await all(gm, "#od-people li"));
    }
    const same = JSON.stringify(await kept(gm)) === JSON.stringify(before);
    return { told, parted, same, seats: before.seats.map(({ name }) => name), alert: await text(gm, ".od-alert") };
  },

  /** As the system has it; as the reader chose the opposite on a page of the site; then to follow the system again. */
  async colours() {
    const gm = await master({ width: 390, height: 844 });
    const colour = () => gm.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const found = [await colour()];
    for (const press of job.scheme === "dark" ? [1, 2] : [2, 1]) {
      await gm.goto(`${job.base}games/`);
      for (let pressed = 0; pressed < press; pressed++)
        await gm.evaluate(() =>
          [...document.querySelectorAll("[data-md-component=palette] label")].find((one) => !one.hidden).click(),
        );
      await gm.goto(`${job.base}table/`);
      found.push(await colour());
    }
    return { found };
  },
};

/** What no guest may ever do. */
const NEVER = [
  "open",
  "hand",
  "undo",
  "close",
  "hear",
  "transcript",
  "do",
  "write",
  "constructor",
  "__proto__",
  "",
].map((act) => [act, 0]);

try {
  console.log(JSON.stringify({ ...(await scenes[job.scene]()), errors, foreign, grave }));
} catch (error) {
  const pages = (await Promise.all(browsers.map((browser) => browser.pages()))).flat();
  for (const page of pages) console.error(page.url().slice(0, 60), await page.evaluate(() => document.body.innerText));
  console.error(errors);
  throw error;
} finally {
  await Promise.all(browsers.map((browser) => browser.close()));
}
