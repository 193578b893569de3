// @ts-check
/** A chart in another page: the roll of its address, with a link to the whole page. */

import { Answer } from "./answer.mjs";
import { AskedQuestions } from "./asking.mjs";
import { make } from "./drawn/elements.mjs";
import { fromAddress, splitQuestions, toAddress } from "./link.mjs";
import { seriesOf } from "./series.mjs";

const AROUND = 235; // pixels of all but the picture, in the height that the line of HTML gives to a frame

const asked = fromAddress(location.search.slice(1) || location.hash.slice(1));
const dark = matchMedia("(prefers-color-scheme: dark)");
const chosen = new URLSearchParams(location.search).get("theme");
const questions = splitQuestions(asked.q);

/** Set the colours that the address names, else those of the reader's system. */
function setColours() {
  const slate = chosen ? chosen === "dark" : dark.matches;
  document.documentElement.dataset.mdColorScheme = slate ? "slate" : "default";
}

const title = make("h1", {}, questions.join(" · ") || "Any roll");
const whole = make("a", { target: "_blank", rel: "noopener" }, "Exact odds by Oddsmith");
const wrong = make("p", { className: "od-aside" });
const asking = new AskedQuestions(() => draw());
const answer = new Answer(
  (part) => {
    Object.assign(asked, part);
    draw();
  },
  () => {},
  Math.max(120, innerHeight - AROUND),
);

function draw() {
  const replies = asking.replies(questions, asked.as);
  const series = seriesOf(questions, replies, asked.ways);
  if (series.length > 1) title.textContent = series.map(({ letter, label }) => `${letter}: ${label}`).join(" · ");
  answer.show(
    series,
    asked,
    replies.some((reply) => !reply),
  );
  const refused = replies.find((reply) => reply?.wrong)?.wrong;
  const none = questions.length ? "" : "The address of this chart names no roll: write ?q=3d6 behind it.";
  wrong.textContent = refused ? `${refused.message} ${refused.hint}` : none;
  whole.href = `../#${toAddress(asked)}`;
}

setColours();
dark.addEventListener("change", setColours);
document.title = `Odds of ${questions.join("; ")}`;
document
  .getElementById("od-frame")
  ?.replaceChildren(title, wrong, answer.element, make("p", { className: "od-from" }, whole));
new ResizeObserver(() => answer.resize()).observe(answer.element);
draw();
