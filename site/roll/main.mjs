// @ts-check
/** The page of any roll. The question is its address, and everything shown follows from the question. */

import { Asking } from "./asking.mjs";
import { Answer } from "./answer.mjs";
import { make } from "./drawn/elements.mjs";
import { NOTATIONS, fromAddress, questionsOf, toAddress } from "./link.mjs";
import { Reading } from "./reading.mjs";
import { seriesOf } from "./series.mjs";

/** @typedef {import("./link.mjs").Asked} Asked */

const FIRST = "4d6 drop lowest"; // what a page shows that was asked nothing
const TYPING = 60; // milliseconds without a key, after which is asked
const WRITING_DELAY = 300; // after which the address is written
const MAX_BOX_HEIGHT = 420; // pixels of the box
const HEARD = 900; // after which a reader of the screen hears the answer

const box = /** @type {HTMLTextAreaElement} */ (document.getElementById("od-q"));
const asking = new Asking(() => draw());
const reading = new Reading(fix, (place, way) => {
  asked.ways = questionsOf(asked.q).map((_, each) => (each === place ? way : (asked.ways[each] ?? 0)));
  change();
});
const answer = new Answer((part) => {
  Object.assign(asked, part);
  change();
}, compare);
const heard = make("p", { className: "od-unseen", role: "status" });

/** @type {Asked} */ let asked = fromAddress(location.hash.slice(1));
let begun = false; // whether this change of the text has its entry in the history already
const timers = { typing: 0, address: 0, heard: 0 };

/** Do something after a while, unless it is asked for again. @param {"typing" | "address" | "heard"} name
 * @param {() => void} what @param {number} after */
function later(name, what, after) {
  clearTimeout(timers[name]);
  timers[name] = window.setTimeout(what, after);
}

/** Show the question of the address. */
function open() {
  asked = fromAddress(location.hash.slice(1));
  begun = false;
  if (!asked.q) asked.q = FIRST;
  box.value = asked.q;
  notation.value = asked.as;
  draw();
}

/** Something other than the text has changed. */
function change() {
  later("address", () => history.replaceState(null, "", `#${toAddress(asked)}`), WRITING_DELAY);
  draw();
}

/** The text has changed. @param {string} text */
function ask(text) {
  const before = questionsOf(asked.q);
  const now = questionsOf(text);
  asked.ways = now.map((each) => asked.ways[before.indexOf(each)] ?? 0);
  asked.q = text.trim();
  const write = () => {
    history[begun ? "replaceState" : "pushState"](null, "", `#${toAddress(asked)}`);
    begun = true;
  };
  later("address", write, WRITING_DELAY);
  later("typing", draw, TYPING);
}

/** Replace the text of the box. @param {string} text */
function fix(text) {
  box.value = text;
  box.focus();
  ask(text);
}

/** Begin another line. */
function compare() {
  box.value = `${box.value.trimEnd()}\n`;
  box.focus();
  box.setSelectionRange(box.value.length, box.value.length);
  grow();
}

/** Make the box as high as its text. */
function grow() {
  box.style.height = "auto";
  box.style.height = `${Math.min(MAX_BOX_HEIGHT, box.scrollHeight)}px`;
}

/** The number of the question in whose line the cursor stands. */
function line() {
  const before = box.value.slice(0, box.selectionStart).split("\n").slice(0, -1);
  return Math.min(questionsOf(before.join("\n")).length, Math.max(0, questionsOf(box.value).length - 1));
}

function draw() {
  grow();
  const questions = questionsOf(asked.q);
  const replies = asking.replies(questions, asked.as);
  const wrong = replies.findIndex((reply) => reply?.wrong);
  const here = document.activeElement === box ? line() : 0;
  const place = replies[here]?.wrong || wrong < 0 ? here : wrong;
  reading.show(box.value, questions, replies, place, asked.ways);
  box.setAttribute("aria-invalid", String(wrong >= 0));
  const waits = replies.some((reply) => !reply);
  const words = answer.show(seriesOf(questions, replies, asked.ways), asked, waits);
  if (!waits) later("heard", () => (heard.textContent = reading.words || words), HEARD);
}

const notation = make(
  "select",
  { id: "od-notation", onchange: () => ((asked.as = notation.value), change()) },
  ...Object.entries(NOTATIONS).map(([value, words]) => make("option", { value }, words)),
);

function begin() {
  const old = new URLSearchParams(location.search).get("q");
  if (old !== null) {
    const from = fromAddress(location.search.slice(1), true);
    history.replaceState(null, "", `${location.pathname}#${toAddress(from)}`);
  }
  document.getElementById("od-read")?.append(reading.element);
  document.getElementById("od-read-as")?.append(make("label", { htmlFor: "od-notation" }, "Read signs "), notation);
  document.getElementById("od-answer")?.replaceChildren(answer.element, heard);
  document.getElementById("od-clear")?.addEventListener("click", () => ((begun = false), fix("")));
  box.form?.addEventListener("submit", (event) => event.preventDefault());
  box.addEventListener("input", () => (grow(), ask(box.value)));
  box.addEventListener("blur", () => (begun = false));
  box.addEventListener("keyup", ({ key }) => /^Arrow/.test(key) && draw());
  box.addEventListener("click", draw);
  addEventListener("hashchange", open);
  addEventListener("popstate", open);
  new ResizeObserver(() => answer.resize()).observe(answer.element);
  open();
}

begin();
