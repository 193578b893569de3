// @ts-check
/** The playground: a ruleset, and beside it what is known of it. Python reads it on this device; nothing is sent
 * anywhere. */

import { copyButton } from "../runtime/words/controls.mjs";
import { makeElement } from "../runtime/words/view.mjs";
import { withoutDoubleStops } from "../runtime/words/words.mjs";
import { Editor } from "./editor.mjs";
import { saveText, savedText } from "./storage.mjs";
import { diffLines } from "./lines.mjs";
import { LINK, decodeGameInAddress, LinkError, encodeGameInAddress } from "./link.mjs";
import { PythonWorker } from "./python.mjs";
import { SolvingPanel } from "./solving/solving.mjs";
import { PlayTableFrame } from "./table.mjs";
import { saveFileInBrowser, DownloadButtons } from "./downloads.mjs";
import { changeElements, isError, problemElements, rulesElements, positionsCheckedText } from "./findings.mjs";

const PAUSE = 120; // milliseconds without a key after which a text is read
const LAST_TEXT_KEY = "last";
const OWN = "own"; // the text of somebody who began on an empty page
const LOOKING = "The text is read. Playing the first positions.";
const ASKING = "What is odd about the game is being asked.";
const BREAKS = "The text is read, but a rule breaks in play, as told below it.";
const elementById = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** What the text began as. @type {{slot: string, game?: string, original?: string, begun: string}} */
let from = { slot: OWN, begun: "" };
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;
let asking = false;
let stale = false;

const editor = new Editor(onTextChange, (line, column) => void offerCompletions(line, column));
const table = new PlayTableFrame(/** @type {HTMLDetailsElement} */ (elementById("od-play")));
const solving = new SolvingPanel(
  /** @type {HTMLElement} */ (elementById("od-solve").querySelector("div")),
  () => editor.text,
  (line, column) => editor.goTo(line, column),
  () => takings.draw(),
);
const python = new PythonWorker((what, why) => {
  document.body.dataset.odPython = what;
  /** Show a status. */
  showStatus(
    {
      starting: "Python is starting; the first time it takes a while. You can write already.",
      loading: "",
      ready: "Reading.",
      broken: withoutDoubleStops(
        `Nothing is checked here: ${why}. Your text is kept, and you can still write, download and share it.`,
      ),
    }[what],
    what === "broken",
  );
  if (what === "ready" && isTextEmpty()) drawNoProblems();
});

const takings = new DownloadButtons(
  () => editor.text,
  python,
  solving,
  (words) => showNote(words),
);

/** Show a status. @param {string} text @param {boolean} [offersRestart] whether a button starts Python again */
function showStatus(text, offersRestart = false) {
  const button = makeElement("button", { type: "button", onclick: () => (python.start(), checkText()) }, "Try again");
  elementById("od-status").replaceChildren(text, ...(offersRestart ? [" ", button] : []));
}

// --- reading

/** Save the text after a change, and read it soon. */
function onTextChange() {
  const { text } = editor;
  drawTemplates();
  const safe = saveText(from.slot, text === from.begun ? null : text) && saveText(LAST_TEXT_KEY, from.slot);
  if (!safe) showNote("This browser keeps nothing, so download your text before you close the page.");
  drawTextChanges();
  solving.onTextChange();
  clearTimeout(waiting);
  waiting = setTimeout(checkText, PAUSE);
}

/** Ask Python to check the text, and draw what it finds. While an earlier question is open, only note that its answer
 * will be out of date. */
async function checkText() {
  clearTimeout(waiting);
  stale = asking;
  if (asking) return;
  if (isTextEmpty()) return drawNoProblems();
  asking = true;
  document.body.dataset.odBusy = "true";
  document.body.dataset.odLooking = "false";
  const began = performance.now();
  /** @type {Record<string, any>} */
  const known = {};
  await python.ask({ check: editor.text }, (part) => {
    Object.assign(known, part);
    if (stale) return;
    if (part.problems || part.failed) drawProblems(known);
    if (part.problems) document.body.dataset.odTold = String(Math.round(performance.now() - began));
    if (part.rules) drawRulesInWords(known);
  });
  asking = false;
  if (stale) return checkText();
  table.setGame(known.book ?? null);
  solving.setGame(known.game ?? null);
  if (known.problems) showStatus(known.rules ? LOOKING : "There are problems, at the lines below the text.");
  document.body.dataset.odBusy = "false";
  if (known.rules) await exploreFirstPositions(known);
}

/** Explore the first positions of a text that was read, until somebody changes it.
 * @param {Record<string, any>} readText */
async function exploreFirstPositions(readText) {
  const { text } = editor;
  document.body.dataset.odLooking = "true";
  for (let more = true; more;) {
    more = false;
    await python.ask({ look: true }, (part) => {
      Object.assign(readText, part);
      more = part.looked !== undefined;
    });
    if (asking || text !== editor.text) return; // another text is read, or soon will be
  }
  if (python.ready) await lintText(readText, text); // else why is told already
  if (text === editor.text) document.body.dataset.odLooking = "false";
}

/** Ask what is odd about a text whose first positions are sound. @param {Record<string, any>} readText
 * @param {string} text */
async function lintText(readText, text) {
  drawProblems(readText);
  if (readText.problems.some(isError)) return showStatus(BREAKS);
  showStatus(`${positionsCheckedText(/** @type {any} */ (readText))} ${ASKING}`);
  const found = await solving.lint(text);
  if (!found || asking || text !== editor.text) return;
  Object.assign(readText, found);
  drawProblems(readText);
  showStatus(readText.problems.some(isError) ? BREAKS : positionsCheckedText(/** @type {any} */ (readText)));
}

/** Draw the problems of the text. @param {Record<string, any>} readText */
function drawProblems(readText) {
  const { problems = [], design = [], failed, rules } = readText;
  editor.markProblems([...problems, ...design.map((/** @type {any} */ each) => ({ ...each, severity: "odd" }))]);
  elementById("od-problems").replaceChildren(
    ...problemElements(readText, (line, column) => editor.goTo(line, column)),
    ...(failed ? [makeElement("p", { class: "od-error" }, failed)] : []),
  );
  const old = Boolean(failed) || (!rules && problems.some(isError));
  elementById("od-rules").classList.toggle("od-old", old);
  const summary = elementById("od-rules").querySelector("summary");
  if (summary) summary.textContent = `The rules, in words${old ? ", as they were before" : ""}`;
}

/** Whether the text is empty. */
const isTextEmpty = () => !editor.text.trim();

/** Show no problems for an empty text. */
function drawNoProblems() {
  elementById("od-problems").replaceChildren();
  elementById("od-rules").querySelector("div")?.replaceChildren();
  table.setGame(null);
  solving.setGame(null);
  document.body.dataset.odBusy = document.body.dataset.odLooking = "false";
  if (!python.ready) return; // what is told of Python stays
  showStatus(templates.length ? "Begin with a template, or write your own." : "Write your own game.");
}

/** Draw templates to begin with, as long as the text is empty. */
function drawTemplates() {
  const place = elementById("od-templates");
  document.body.dataset.odEmpty = String(isTextEmpty());
  place.hidden = !templates.length || !isTextEmpty();
  if (place.hidden || place.childElementCount) return;
  place.replaceChildren(
    ...templates.map(({ kind, about, text }) =>
      makeElement(
        "button",
        { type: "button", onclick: () => useTemplate(text) },
        makeElement("strong", {}, kind),
        about,
      ),
    ),
  );
}

/** Begin with a template. @param {string} text of a template */
function useTemplate(text) {
  editor.text = text;
  onTextChange();
  elementById("od-writing").scrollIntoView();
}

/** Draw the rules in words. @param {Record<string, any>} known */
function drawRulesInWords({ game, rules }) {
  document.title = `${game.title}: change a game`;
  elementById("od-rules")
    .querySelector("div")
    ?.replaceChildren(makeElement("h2", {}, game.title), ...rulesElements(rules));
}

/** Draw the changes of the text. */
function drawTextChanges() {
  const { original } = from;
  elementById("od-changes").hidden = original === undefined;
  if (original === undefined) return;
  elementById("od-changes")
    .querySelector("div")
    ?.replaceChildren(...changeElements(original, diffLines(original, editor.text)));
}

/** Offer completions at a place. @param {number} line @param {number} column */
async function offerCompletions(line, column) {
  await python.ask({ complete: [editor.text, line, column] }, ({ offers }) =>
    editor.showCompletions(line, column, offers),
  );
}

// --- what is opened

/** Show a note; an empty one removes it. @param {string} words */
const showNote = (words) => elementById("od-told").replaceChildren(...(words ? [makeElement("p", {}, words)] : []));

/** Load the text of a ruleset of this site. @param {string} rulesetId */
async function loadRuleset(rulesetId) {
  const answer = await fetch(new URL(`../games/${rulesetId}/${rulesetId}.yaml`, location.href));
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.text();
}

/** Show the text that is saved in a slot; if there is none, the text to begin with. @param {string} storageSlot @param
 * {string} originalText the text to begin with
 * @param {string} [game]
 * @param {string} [original] */
function showSavedOrOriginalText(storageSlot, originalText, game, original) {
  from = { slot: storageSlot, begun: originalText, game, original };
  const mine = savedText(storageSlot);
  editor.text = mine ?? originalText;
  if (mine !== null && mine !== originalText) showNote("You changed this before. Here is your text as you left it.");
  drawTextChanges();
  drawTemplates();
  drawToolControls();
  void checkText();
}

/** Open the game of the address: one of the site, or one that the address holds. */
async function openGameOfAddress() {
  showNote("");
  const { hash } = location;
  try {
    if (hash.startsWith(LINK)) return await openGameInLink(hash);
    const game =
      new URLSearchParams(hash.slice(1)).get("game") ?? savedText(LAST_TEXT_KEY)?.replace(/^game /, "") ?? "";
    if (/^[a-z0-9-]+$/.test(game) && game !== OWN) {
      const original = await loadRuleset(game);
      return showSavedOrOriginalText(`game ${game}`, original, game, original);
    }
  } catch (error) {
    showNote(error instanceof LinkError ? error.message : "This site has no such game. Choose one, or write your own.");
  }
  showSavedOrOriginalText(OWN, "");
}

/** Open the game that the address holds. @param {string} hash */
async function openGameInLink(hash) {
  const { game, text } = await decodeGameInAddress(hash, loadRuleset);
  const original = game ? await loadRuleset(game) : undefined;
  showSavedOrOriginalText(`link ${hash.slice(LINK.length).slice(-40)}`, text, game, original);
  const words = game ? "Below you see what it changes." : "It is a game of its own.";
  showNote(`This game came by a link. ${words} It is only read; the table opens if you open it.`);
  /** @type {HTMLDetailsElement} */ (elementById("od-changes")).open = true;
}

/** Draw the controls above the text. */
function drawToolControls() {
  const link = async () => {
    const part = await encodeGameInAddress(editor.text, from.game, from.original).catch(
      (error) => (showNote(error.message), "#"),
    );
    return new URL(part, location.href).href;
  };
  const again = makeElement("button", { type: "button", onclick: restoreOriginalText }, "Start again");
  const file = makeElement("button", { type: "button", onclick: downloadText }, "Download");
  const offered = makeElement("select", { onchange: () => (location.hash = `game=${offered.value}`) });
  for (const { id, title } of games)
    offered.append(makeElement("option", { value: id, selected: id === from.game }, title));
  offered.prepend(makeElement("option", { value: OWN, selected: from.slot === OWN }, "An empty page"));
  if (from.slot.startsWith("link") && !from.game)
    offered.prepend(makeElement("option", { value: "", selected: true, disabled: true }, "Choose a game"));
  const choice = makeElement("label", {}, makeElement("span", {}, "Begin with"), offered);
  elementById("od-tools").replaceChildren(
    ...(games.length ? [choice] : []),
    copyButton("Copy a link", link),
    makeElement("span", { class: "od-note" }, "The link has the rules, and no settings."),
    file,
    ...takings.buttons,
    again,
  );
}

/** Go back to the text that one began with; the browser can undo it. */
function restoreOriginalText() {
  editor.field.focus();
  editor.field.select();
  editor.insert(from.begun);
}

/** Download the text. */
function downloadText() {
  const name = /^id:\s*([a-z0-9-]+)/m.exec(editor.text)?.[1] ?? "game";
  saveFileInBrowser(`${name}.yaml`, editor.text, "application/yaml");
}

/** @type {{id: string, title: string}[]} */
let games = [];
/** @type {{kind: string, about: string, text: string}[]} */
let templates = [];
elementById("od-editor").append(editor.element);
python.start();
fetch(new URL("../table/games.json", location.href))
  .then((answer) => answer.json())
  .then((list) => {
    games = list.games;
    drawToolControls();
  })
  .catch(() => {});
fetch(new URL("starters.json", location.href))
  .then((answer) => answer.json())
  .then((list) => {
    templates = list;
    drawTemplates();
    if (isTextEmpty()) drawNoProblems();
  })
  .catch(() => {});
addEventListener("hashchange", () => void openGameOfAddress());
void openGameOfAddress();
