// @ts-check
/** The designer's page: it receives what the server knows of the files as they are saved, and asks it for other
 * settings. */

import { settingControls } from "../answer/choosing.mjs";
import { answerElements, estimateElements } from "../answer/elements.mjs";
import { makeElement } from "../runtime/words/view.mjs";
import { differenceElements, problemElements } from "./problems.mjs";

/** @typedef {import("../answer/choosing.mjs").Game} Game */
/** @typedef {import("../answer/choosing.mjs").Settings} Settings */
/** @typedef {import("../answer/elements.mjs").Answer} Answer */

const PAUSE = 120; // milliseconds without a movement after which settings are asked for
const elementById = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** What is known: parts of the answer to the last question, which take the places of older ones as they come.
 * @type {Record<string, any>} */
let known = {};
/** The last whole answer with what belongs to it. @type {Record<string, any>} */
let shown = {};
/** Settings that somebody is moving: the server's must not move them back. @type {Settings | null} */
let moving = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

/** Post a request to the server. @param {Record<string, any>} request */
const postToServer = (request) =>
  fetch("ask", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(request) });

/** Ask for other settings, once nobody has moved them for a moment. @param {Settings} settings */
function requestSettingsLater(settings) {
  moving = settings;
  if (known.game) known.game.settings = settings;
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    moving = null;
    void postToServer({ settings });
  }, PAUSE);
}

/** Note what a message of the server says, and draw it. @param {Record<string, any>} message */
function receiveMessage(message) {
  if (message.begin) known = { ...message.begin };
  else Object.assign(known, message);
  if (message.begin?.answer || message.answer) shown = { answer: known.answer };
  for (const part of ["rules", "measures", "difference", "play"])
    if (known.answer && part in known) shown[part] = known[part];
  if (message.game || message.begin?.game) drawSettingControls();
  if (message.begin || message.play) drawPlaySection(Boolean(message.play));
  drawPage();
}

/** Draw what is known. */
function drawPage() {
  const { game, problems = [], failed, answer, quick, estimate, way, busy } = known;
  if (game) {
    document.title = `${game.title}: Oddsmith`;
    elementById("od-title").textContent = game.title;
  }
  const box = elementById("od-problems");
  const told = [...problemElements(problems), ...(failed ? [makeElement("p", { class: "od-error" }, failed)] : [])];
  box.replaceChildren(...told);
  box.hidden = !told.length;
  elementById("od-status").textContent = statusText();
  const left = elementById("od-answer");
  const old = !answer;
  left.classList.toggle("od-old", old && !quick && !estimate && !way);
  const smaller = quick ? answerElements(`First, for ${playersText(quick)}`, quick, {}) : [];
  if (!answer && estimate) left.replaceChildren(...estimateElements(playersText(estimate), estimate), ...smaller);
  else if (!answer && quick) left.replaceChildren(...smaller);
  else if (!answer && way && busy) left.replaceChildren(makeElement("p", {}, way));
  else if (shown.answer) left.replaceChildren(...answerElements(playersText(shown.answer), shown.answer, shown));
  const difference = shown.difference;
  for (const id of ["od-beside", "od-changes"]) elementById(id).classList.toggle("od-old", old);
  if (difference && !difference.failed) {
    const head = known.chosen ? "Beside it" : "As it was before";
    elementById("od-beside").replaceChildren(...answerElements(head, difference.before, {}));
  } else elementById("od-beside").replaceChildren();
  elementById("od-changes").replaceChildren(...(difference ? differenceElements(difference) : []));
  document.body.dataset.odBusy = String(Boolean(busy));
}

/** The number of players, in words. @param {{seats: number}} answer */
const playersText = ({ seats }) => `${seats} ${seats === 1 ? "player" : "players"}`;

/** A sentence that says how far solving is. */
function statusText() {
  const { busy, answer, progress, problems = [], failed, large, estimate } = known;
  const wrong = failed || problems.some((/** @type {{severity: string}} */ { severity }) => severity === "error");
  if (wrong) return shown.answer ? "Not solved. Below is the last answer." : "Not solved.";
  if (answer) return `Solved in ${answer.seconds} s${busy ? "; more is coming" : ""}.`;
  if (large && !busy) return estimate ? "Too large to be solved, so it was played." : large;
  if (progress) return progressText(progress);
  return busy ? "Solving." : "Waiting for a file.";
}

/** How far work is, in words. While a game is explored, the total is only what was found so far, and grows.
 * @param {[string, number, number]} progress */
function progressText([task, done, total]) {
  const count = done.toLocaleString("en");
  return task === "exploring"
    ? `exploring: ${count} positions so far`
    : `${task}: ${count} of ${total.toLocaleString("en")}`;
}

/** Draw the controls of the settings. */
function drawSettingControls() {
  if (moving) return; // whoever moves a slider must not lose it
  const game = /** @type {Game} */ (known.game);
  const files = known.files.length > 1 ? [fileControl(known.files, known.at)] : [];
  const focus = document.activeElement?.closest("[data-od-name]")?.getAttribute("data-od-name");
  const beside = makeElement(
    "button",
    { onclick: () => void postToServer({ beside: known.chosen ? null : game.settings }) },
    known.chosen ? "Compare with what was before" : "Keep this to compare with",
  );
  elementById("od-choices").replaceChildren(...files, ...settingControls(game, requestSettingsLater), beside);
  const again = focus && elementById("od-choices").querySelector(`[data-od-name="${CSS.escape(focus)}"]`);
  if (again) /** @type {HTMLElement | null} */ (again.querySelector("input, select"))?.focus();
}

/** A list of the files. @param {string[]} fileNames @param {number} chosenIndex */
function fileControl(fileNames, chosenIndex) {
  const select = makeElement("select", { onchange: () => void postToServer({ at: Number(select.value) }) });
  for (const [place, name] of fileNames.entries())
    select.append(makeElement("option", { value: String(place), selected: place === chosenIndex }, name));
  return makeElement("label", { "data-od-name": "file" }, "file", select);
}

/** Prepare the play table for the game that was solved last. It is loaded when somebody opens it.
 * @param {boolean} isSolved */
function drawPlaySection(isSolved) {
  const details = /** @type {HTMLDetailsElement} */ (elementById("od-play"));
  if (!isSolved) return;
  details.hidden = false;
  details.querySelector("iframe")?.remove();
  const load = () => {
    if (details.open && !details.querySelector("iframe"))
      details.append(makeElement("iframe", { src: "play.html", title: "The play table" }));
  };
  details.ontoggle = load;
  load();
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const setColourScheme = () => (document.documentElement.dataset.mdColorScheme = dark.matches ? "slate" : "default");
dark.addEventListener("change", setColourScheme);
setColourScheme();

const events = new EventSource("events");
events.onmessage = (/** @type {MessageEvent} */ { data }) => receiveMessage(JSON.parse(data));
events.onerror = () => (elementById("od-status").textContent = "The server is away. The page goes on when it is back.");
