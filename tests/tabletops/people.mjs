// People at a table by link, each with a browser of their own, and what they do there.

import { writeFileSync } from "node:fs";

import decodeQR from "qr/decode.js";

import { camera, launch } from "../browser/chromium.mjs";
import { axe, errors, foreign, job, texts as all, unfold, watch } from "./watched.mjs";

export { all, errors, foreign, job, unfold };

delete process.env.ODDSMITH_BROWSER; // several browsers, not several windows of one
export const table = `${job.base}table/`;
export const browsers = [];
export const grave = [];
const PHONE = { width: 390, height: 844, isMobile: true, hasTouch: true };

/** A page of a browser of its own. @param {string} [film] what its camera sees, a file */
export async function person(seed, viewport = PHONE, film = "") {
  const browser = await launch(camera(film));
  browsers.push(browser);
  return opened(browser, seed, viewport);
}

async function opened(browser, seed, viewport) {
  const page = await browser.newPage();
  page.on("dialog", (dialog) => dialog.accept());
  await page.evaluateOnNewDocument(() => {
    window.heard = []; // all that others say to this page
    const data = Object.getOwnPropertyDescriptor(MessageEvent.prototype, "data");
    const get = function () {
      const said = data.get.call(this);
      if (this.target instanceof RTCDataChannel) window.heard.push(said);
      return said;
    };
    Object.defineProperty(MessageEvent.prototype, "data", { ...data, get });
  });
  await watch(page, viewport, seed);
  return page;
}

export const until = (page, test, ...given) => page.waitForFunction(test, { timeout: 15_000, polling: 20 }, ...given);
export const shows = (page, words) =>
  until(page, (wanted) => document.querySelector("main").innerText.includes(wanted), words);
export const text = async (page, selector) => (await all(page, selector))[0] ?? "";
export const value = (page, selector) => page.$eval(selector, (one) => one.value);
export const kept = (page) => page.evaluate(() => JSON.parse(localStorage.getItem("oddsmith/link/table")));

/** All that a page has: what it keeps, what it shows, and what it heard of others. */
export const possessions = (page) =>
  page.evaluate(() => {
    const kept = [localStorage, sessionStorage].flatMap((storage) => Object.entries(storage).flat());
    return { heard: window.heard.length, texts: [...kept, document.documentElement.outerHTML, ...window.heard] };
  });

/** Wait until the table is another. */
export const changed = (gm, before) =>
  until(gm, (text) => localStorage.getItem("oddsmith/link/table") !== text, JSON.stringify(before));

/** Wait until somebody has a seat. */
export const sits = (gm, name) =>
  until(
    gm,
    (who) => JSON.parse(localStorage.getItem("oddsmith/link/table")).seats.some((seat) => seat.name === who),
    name,
  );

/** Touch a button with a text, the first that is to be seen. */
export async function touch(page, name, number = 0) {
  await tapped(
    page,
    (wanted, at) =>
      [...document.querySelectorAll("button")].filter(
        (one) => one.innerText.trim() === wanted && one.checkVisibility(),
      )[at],
    name,
    number,
  );
}

/** Touch the screen where something is, as soon as it is there. */
export async function tapped(page, find, ...given) {
  const handle = await until(page, find, ...given);
  const { x, y } = await handle.evaluate((one) => {
    one.scrollIntoView({ block: "center", behavior: "instant" });
    const box = one.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  });
  await page.touchscreen.tap(x, y);
}

export async function picture(page, name) {
  if (job.shots) await page.screenshot({ path: `${job.shots}/${name}.png`, fullPage: true });
}

/** A game master at a new page, with a table of the job's game or without one. */
export async function master(viewport, film) {
  const page = await person(job.seed ?? 3, viewport, film);
  await page.goto(`${table}#game=${job.game}`);
  await page.waitForSelector("#od-table[data-ready]");
  return page;
}

export async function laid(page) {
  await until(page, () => document.querySelectorAll("#od-table label:nth-of-type(2) option").length > 0);
  if (job.size) await page.select("#od-table label:nth-of-type(2) select", job.size);
  await touch(page, "Open the table");
  await shows(page, "Seats are still free");
}

/** The link of a new invitation. */
export async function invited(page) {
  const before = (await all(page, ".od-card")).length;
  const more = async () => (await all(page, ".od-card")).length > before;
  // Somebody may just be leaving: then the button goes to another place as it is touched.
  for (let tries = 0; tries < 10 && !(await more()); tries++) {
    await touch(page, "Invite players");
    for (let looks = 0; looks < 100 && !(await more()); looks++) await new Promise((later) => setTimeout(later, 20));
  }
  return value(page, ".od-card:last-child input");
}

/** A guest opens an invitation. */
export async function arrived(page, link) {
  await page.goto("about:blank");
  await page.goto(link);
  await page.waitForSelector("#od-table[data-ready]");
}

/** A guest's answer to an invitation, as a link. */
export async function answered(page, link, name, button = "Join") {
  await arrived(page, link);
  if (name) await page.type("#od-people input", name);
  await touch(page, button);
  await page.waitForSelector(".od-card input");
  return value(page, ".od-card input");
}

/** An answer is pasted. */
export async function pasted(gm, answer) {
  await gm.$eval("#od-people textarea", (box, given) => (box.value = given), answer);
  await touch(gm, "Let the player in");
}

/** Invited, answered and let in by pasting. */
export async function joined(gm, guest, name) {
  await pasted(gm, await answered(guest, await invited(gm), name));
  await shows(guest, "You are at the table of");
}

/** Invited, answered and let in by the link of the answer, in another tab of the game master's browser; gives what that
 * tab says. */
export async function passedOn(gm, guest, name) {
  const tab = await opened(gm.browser(), 1, PHONE);
  await gm.bringToFront();
  const answer = await answered(guest, await invited(gm), name);
  await tab.goto(answer);
  await shows(guest, "You are at the table of");
  const said = await text(tab, "#od-people p");
  await tab.close();
  await gm.bringToFront();
  return said;
}

/** What the page's picture holds, for a camera. */
export const scanned = async (page) => decodeQR(await pictured(page, 4));

/** A film of the page's picture, for the camera of another browser. */
export async function filmed(page, film) {
  const [width, height] = [640, 480];
  const { width: side, data } = await pictured(page, 4);
  const [left, top] = [(width - side) >> 1, (height - side) >> 1];
  const seen = Buffer.alloc((width * height * 3) / 2, 128); // grey, and no colour
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) seen[(top + y) * width + left + x] = data[4 * (y * side + x)];
  const frame = Buffer.concat([Buffer.from("FRAME\n"), seen]);
  writeFileSync(film, Buffer.concat([Buffer.from(`YUV4MPEG2 W${width} H${height} F5:1 Ip A1:1 C420\n`), frame, frame]));
}

/** The page's picture, with so many dots for each of its squares. */
async function pictured(page, scale) {
  await page.waitForSelector(".od-picture path");
  const [size, drawn] = await page.$eval(".od-picture svg", (svg) => [
    svg.viewBox.baseVal.width,
    svg.querySelector("path").getAttribute("d"),
  ]);
  const side = size * scale;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (const [, x, y] of drawn.matchAll(/M(\d+) (\d+)/g))
    for (let i = 0; i < scale; i++)
      for (let j = 0; j < scale; j++)
        data.fill(0, ((y * scale + i) * side + x * scale + j) * 4, ((y * scale + i) * side + x * scale + j) * 4 + 3);
  return { width: side, height: side, data };
}

const tappedChoice = (mover) => tapped(mover, () => document.querySelector("[data-od=choice], [data-od^='for ']"));

/** What a player's page says of the dice. */
export const dice = (page) => text(page, "#od-people p.od-note:not([role])");

/** Go by Tab to what has a text, or to the first that a selector finds; press Enter there, after typing if something is
 * to be typed. */
export async function keyed(page, name, typed = "", selector = "input") {
  await page.bringToFront();
  await until(
    page,
    (wanted, query) =>
      [...document.querySelectorAll(wanted ? "button, summary" : query)].some(
        (one) => one.checkVisibility() && (!wanted || one.innerText.trim() === wanted),
      ),
    name,
    selector,
  );
  const there = () =>
    page.evaluate(
      (wanted, query) => {
        const now = document.activeElement;
        return wanted ? now.innerText.trim() === wanted && now !== document.body : now.matches(query);
      },
      name,
      selector,
    );
  for (let i = 0; i < 80 && !(await there()); i++) await page.keyboard.press("Tab");
  if (!(await there())) throw new Error(`the keyboard does not get to ${name || selector}`);
  if (typed) await page.keyboard.type(typed);
  if (!typed || selector === "input") await page.keyboard.press("Enter");
}

/** Play by touch until the game is over or a test says so: whoever has a choice takes the first. */
export async function play(gm, people, enough = () => false, act = tappedChoice) {
  let moves = 0;
  for (; moves < 400; moves++) {
    const { rev } = await kept(gm);
    await Promise.all(
      people.map((one) => until(one, (now) => Number(document.querySelector("#od-table").dataset.rev) >= now, rev)),
    );
    if ((await text(gm, ".od-turn")).includes("over") || (await enough(moves))) break;
    let mover = gm;
    for (const one of people) if ((await text(one, ".od-turn")).startsWith("Your")) mover = one;
    await act(mover);
    await until(gm, (before) => JSON.parse(localStorage.getItem("oddsmith/link/table")).rev > before, rev);
  }
  return moves;
}

export async function ended(gm, people) {
  await unfold(gm, "At this table");
  return {
    turns: await Promise.all(people.map((one) => text(one, ".od-turn"))),
    stories: await Promise.all(people.map((one) => all(one, ".od-log li"))),
    transcript: JSON.parse(await value(gm, "#od-table textarea")),
  };
}

/** What shuts somebody out of pages as they are now, or makes them wider than the screen. */
export async function looked(...pages) {
  for (const page of pages) {
    await page.evaluate(`(() => { ${axe} })()`);
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    const bad = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    grave.push(...bad.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`));
    if (await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth))
      grave.push("the page is wider than the screen");
  }
}

/** Connect a page that says what it likes. */
export async function forged(gm, eve, said) {
  await eve.goto("about:blank");
  await eve.goto(await invited(gm));
  await eve.waitForSelector("#od-table[data-ready]");
  const answer = await eve.evaluate(async (lines) => {
    const { newCertificate, PeerConnection } = await import("/assets/link/wire.mjs");
    const { readFragment, encodeDescriptions, decodeTickets } = await import("/assets/link/code.mjs");
    const heard = [];
    let gone;
    window.gone = new Promise((resolve) => (gone = resolve));
    window.came = new Promise((resolve) => (window.here = resolve));
    window.wire = new PeerConnection("", await newCertificate(), {
      said: (data) => {
        const message = JSON.parse(data);
        if (message.t === "welcome") window.here();
        if (message.t === "done") heard.shift()?.(message.why);
      },
      changed: (state) => {
        if (state === "open")
          for (const line of lines) window.wire.channel.send(typeof line === "string" ? line : JSON.stringify(line));
        if (state === "closed") gone("closed");
      },
    });
    window.ask = (message) => {
      window.wire.sendMessage(message);
      return Promise.race([window.gone, new Promise((resolve) => heard.push(resolve))]);
    };
    const [ticket] = decodeTickets(readFragment(location.hash).join);
    return encodeDescriptions([await window.wire.answerInvitation(ticket)], [ticket.ufrag]);
  }, said);
  await gm.$eval("#od-people textarea", (box, given) => (box.value = given), answer);
  await touch(gm, "Let the player in");
  await eve.evaluate(() => Promise.race([window.came, window.gone]));
}
