// @ts-check
/** The page of any roll. The question is its address, and everything shown follows from the question. */

import { AskedQuestions } from "./asking.mjs";
import { AnswerView } from "./answer.mjs";
import { makeElement } from "./drawn/elements.mjs";
import { NOTATIONS, questionFromAddress, splitQuestions, addressOfQuestion } from "./link.mjs";
import { ReadingView } from "./reading.mjs";
import { seriesOfAnswers } from "./series.mjs";

/** @typedef {import("./link.mjs").Asked} Asked */

const FIRST = "4d6 drop lowest"; // what a page shows that was asked nothing
const TYPING = 60; // milliseconds without a key, after which is asked
const WRITING_DELAY = 300; // after which the address is written
const MAX_BOX_HEIGHT = 420; // pixels of the box
const HEARD = 900; // after which a reader of the screen hears the answer

const box = /** @type {HTMLTextAreaElement} */ (document.getElementById("od-q"));
const asking = new AskedQuestions(() => drawPage());
const reading = new ReadingView(replaceBoxText, (place, way) => {
  asked.ways = splitQuestions(asked.q).map((_, each) => (each === place ? way : (asked.ways[each] ?? 0)));
  onSettingChanged();
});
const answer = new AnswerView((part) => {
  Object.assign(asked, part);
  onSettingChanged();
}, startNewQuestionLine);
const heard = makeElement("p", { className: "od-unseen", role: "status" });

/** @type {Asked} */ let asked = questionFromAddress(location.hash.slice(1));
let begun = false; // whether this change of the text has its entry in the history already
const timers = { typing: 0, address: 0, heard: 0 };

/** Do something after a while, unless it is asked for again. @param {"typing" | "address" | "heard"} timerName
 * @param {() => void} action @param {number} milliseconds */
function debounce(timerName, action, milliseconds) {
  clearTimeout(timers[timerName]);
  timers[timerName] = window.setTimeout(action, milliseconds);
}

/** Show the question of the address. */
function showQuestionOfAddress() {
  asked = questionFromAddress(location.hash.slice(1));
  begun = false;
  if (!asked.q) asked.q = FIRST;
  box.value = asked.q;
  notation.value = asked.as;
  drawPage();
}

/** Draw anew and update the address, after something other than the text has changed. */
function onSettingChanged() {
  debounce("address", () => history.replaceState(null, "", `#${addressOfQuestion(asked)}`), WRITING_DELAY);
  drawPage();
}

/** Ask what a changed text asks, and update the address after a while. @param {string} text */
function onTextChanged(text) {
  const before = splitQuestions(asked.q);
  const now = splitQuestions(text);
  asked.ways = now.map((each) => asked.ways[before.indexOf(each)] ?? 0);
  asked.q = text.trim();
  const write = () => {
    history[begun ? "replaceState" : "pushState"](null, "", `#${addressOfQuestion(asked)}`);
    begun = true;
  };
  debounce("address", write, WRITING_DELAY);
  debounce("typing", drawPage, TYPING);
}

/** Replace the text of the box. @param {string} text */
function replaceBoxText(text) {
  box.value = text;
  box.focus();
  onTextChanged(text);
}

/** Begin another line in the box, for a question to compare with. */
function startNewQuestionLine() {
  box.value = `${box.value.trimEnd()}\n`;
  box.focus();
  box.setSelectionRange(box.value.length, box.value.length);
  fitBoxHeight();
}

/** Make the box as high as its text. */
function fitBoxHeight() {
  box.style.height = "auto";
  box.style.height = `${Math.min(MAX_BOX_HEIGHT, box.scrollHeight)}px`;
}

/** The index of the question in whose line the cursor stands. */
function questionIndexAtCursor() {
  const before = box.value.slice(0, box.selectionStart).split("\n").slice(0, -1);
  return Math.min(splitQuestions(before.join("\n")).length, Math.max(0, splitQuestions(box.value).length - 1));
}

function drawPage() {
  fitBoxHeight();
  const questions = splitQuestions(asked.q);
  const replies = asking.replies(questions, asked.as);
  const wrong = replies.findIndex((reply) => reply?.wrong);
  const here = document.activeElement === box ? questionIndexAtCursor() : 0;
  const place = replies[here]?.wrong || wrong < 0 ? here : wrong;
  reading.showReading(box.value, questions, replies, place, asked.ways);
  box.setAttribute("aria-invalid", String(wrong >= 0));
  const waits = replies.some((reply) => !reply);
  const words = answer.showAnswers(seriesOfAnswers(questions, replies, asked.ways), asked, waits);
  if (!waits) debounce("heard", () => (heard.textContent = reading.words || words), HEARD);
}

const notation = makeElement(
  "select",
  { id: "od-notation", onchange: () => ((asked.as = notation.value), onSettingChanged()) },
  ...Object.entries(NOTATIONS).map(([value, words]) => makeElement("option", { value }, words)),
);

function startPage() {
  const words = new URLSearchParams(location.search);
  if (words.has("q") || words.has("roll")) {
    const from = questionFromAddress(location.search.slice(1), true);
    history.replaceState(null, "", `${location.pathname}#${addressOfQuestion(from)}`);
  }
  document.getElementById("od-read")?.append(reading.element);
  document
    .getElementById("od-read-as")
    ?.append(makeElement("label", { htmlFor: "od-notation" }, "Read signs "), notation);
  document.getElementById("od-answer")?.replaceChildren(answer.element, heard);
  document.getElementById("od-clear")?.addEventListener("click", () => ((begun = false), replaceBoxText("")));
  box.form?.addEventListener("submit", (event) => event.preventDefault());
  box.addEventListener("input", () => (fitBoxHeight(), onTextChanged(box.value)));
  box.addEventListener("blur", () => (begun = false));
  box.addEventListener("keyup", ({ key }) => /^Arrow/.test(key) && drawPage());
  box.addEventListener("click", drawPage);
  addEventListener("hashchange", showQuestionOfAddress);
  addEventListener("popstate", showQuestionOfAddress);
  new ResizeObserver(() => answer.redrawIfResized()).observe(answer.element);
  showQuestionOfAddress();
}

startPage();
