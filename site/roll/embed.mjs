// @ts-check
/** A chart in another page: the roll of its address, with a link to the whole page. */

import { AnswerView } from "./answer.mjs";
import { AskedQuestions } from "./asking.mjs";
import { makeElement } from "./drawn/elements.mjs";
import { questionFromAddress, splitQuestions, addressOfQuestion } from "./link.mjs";
import { seriesOfAnswers } from "./series.mjs";

const AROUND = 235; // pixels of all but the picture, in the height that the line of HTML gives to a frame

const asked = questionFromAddress(location.search.slice(1) || location.hash.slice(1));
const dark = matchMedia("(prefers-color-scheme: dark)");
const chosen = new URLSearchParams(location.search).get("theme");
const questions = splitQuestions(asked.q);

/** Set the colours that the address names, else those of the reader's system. */
function setColourScheme() {
  const slate = chosen ? chosen === "dark" : dark.matches;
  document.documentElement.dataset.mdColorScheme = slate ? "slate" : "default";
}

const title = makeElement("h1", {}, questions.join(" · ") || "Any roll");
const whole = makeElement("a", { target: "_blank", rel: "noopener" }, "Exact odds by Oddsmith");
const wrong = makeElement("p", { className: "od-aside" });
const asking = new AskedQuestions(() => drawEmbeddedAnswer());
const answer = new AnswerView(
  (part) => {
    Object.assign(asked, part);
    drawEmbeddedAnswer();
  },
  () => {},
  Math.max(120, innerHeight - AROUND),
);

function drawEmbeddedAnswer() {
  const replies = asking.replies(questions, asked.as);
  const series = seriesOfAnswers(questions, replies, asked.ways);
  if (series.length > 1) title.textContent = series.map(({ letter, label }) => `${letter}: ${label}`).join(" · ");
  answer.showAnswers(
    series,
    asked,
    replies.some((reply) => !reply),
  );
  const refused = replies.find((reply) => reply?.wrong)?.wrong;
  const none = questions.length ? "" : "The address of this chart names no roll: write ?q=3d6 behind it.";
  wrong.textContent = refused ? `${refused.message} ${refused.hint}` : none;
  whole.href = `../#${addressOfQuestion(asked)}`;
}

setColourScheme();
dark.addEventListener("change", setColourScheme);
document.title = `Odds of ${questions.join("; ")}`;
document
  .getElementById("od-frame")
  ?.replaceChildren(title, wrong, answer.element, makeElement("p", { className: "od-from" }, whole));
new ResizeObserver(() => answer.redrawIfResized()).observe(answer.element);
drawEmbeddedAnswer();
