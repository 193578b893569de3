// The room of room.mjs in headless Chromium: its pages, each in a frame, and what people do there.

import { launch } from "../browser/chromium.mjs";
import { axe, errors, foreign, job, texts, unfold, watch } from "./watched.mjs";

export { axe, errors, foreign, job, unfold };

export const browser = await launch();
export const page = await browser.newPage();
await watch(page, { width: 840, height: 920 }, job.seed ?? 3);

export let frames = [];
export const settle = async () => {
  frames = [];
  for (const element of await page.$$("iframe")) {
    const frame = await element.contentFrame();
    await frame.waitForSelector("#od-table[data-ready]");
    frames.push(frame);
  }
};
export const all = (selector, frame = frames[0]) => texts(frame, selector);
export const text = async (selector, frame = frames[0]) => (await all(selector, frame))[0] ?? "";
export const until = (frame, test, ...given) => frame.waitForFunction(test, { timeout: 15_000 }, ...given);
export const shows = (frame, words) =>
  until(frame, (wanted) => document.querySelector("main").innerText.includes(wanted), words);
export const press = async (frame, name, number = 0) => {
  await until(
    frame,
    (wanted) => [...document.querySelectorAll("button")].some((one) => one.innerText.trim() === wanted),
    name,
  );
  await frame.evaluate(
    (wanted, at) =>
      [...document.querySelectorAll("button")].filter((one) => one.innerText.trim() === wanted)[at].click(),
    name,
    number,
  );
};
export const options = (frame, selector) =>
  frame.evaluate((wanted) => [...document.querySelectorAll(wanted)].map((one) => one.textContent), selector);
export const kept = () => page.evaluate(() => structuredClone(room.metadata["oddsmith/table"]));

/** A table opened by the first, joined by the second, and begun. */
export async function begun(gm, ann) {
  await chosen(gm);
  await press(gm, "Open the table");
  await press(ann, "Sit down");
  await press(gm, "Begin");
  await Promise.all([shows(gm, "turn"), shows(ann, "turn")]);
}

/** The game that the job names, in the form of a new table. */
export async function chosen(gm) {
  await until(gm, () => document.querySelectorAll("main label:nth-of-type(2) option").length > 0);
  if (!job.game) return;
  await gm.evaluate(() => document.querySelector("main label:nth-of-type(2) select").replaceChildren());
  await gm.select("main label:nth-of-type(1) select", job.game);
  await until(gm, () => document.querySelectorAll("main label:nth-of-type(2) option").length > 0);
}

/** One move by the keyboard alone: to a choice by Tab where focus is not there yet, then Enter. */
export async function stepped(frame) {
  await until(frame, () => document.querySelector("[data-od=choice]"));
  const before = (await kept()).rev;
  const there = () => frame.evaluate(() => document.activeElement?.dataset?.od === "choice");
  const holds = () => frame.evaluate(() => document.hasFocus());
  for (let i = 0; i < 80 && !((await holds()) && (await there())); i++) await page.keyboard.press("Tab");
  if (!(await there())) throw new Error("the keyboard does not get to the choices");
  await page.keyboard.press("Enter");
  await after(before);
}

/** Wait until the room keeps something later, and all pages show it. */
export async function after(before) {
  await page.waitForFunction((rev) => room.metadata["oddsmith/table"].rev > rev, { timeout: 15_000 }, before);
  const { rev } = await kept();
  await Promise.all(
    frames.map((one) => until(one, (now) => document.querySelector("#od-table").dataset.rev === String(now), rev)),
  );
}
