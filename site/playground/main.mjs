// @ts-check
/** The playground: a ruleset, and beside it what is known of it. Python reads it on this device; nothing is sent
 * anywhere. */

import { copyButton } from "../runtime/words/controls.mjs";
import { make } from "../runtime/words/view.mjs";
import { withoutDoubleStops } from "../runtime/words/words.mjs";
import { Editor } from "./editor.mjs";
import { saveText, savedText } from "./storage.mjs";
import { diffLines } from "./lines.mjs";
import { LINK, decodeLink, LinkError, encodeLink } from "./link.mjs";
import { Python } from "./python.mjs";
import { Solving } from "./solving/solving.mjs";
import { PlayTable } from "./table.mjs";
import { save, DownloadButtons } from "./downloads.mjs";
import { changeElements, isError, problemElements, rulesElements, positionsCheckedText } from "./findings.mjs";

const PAUSE = 120; // milliseconds without a key after which a text is read
const LAST_TEXT_KEY = "last";
const OWN = "own"; // the text of somebody who began on an empty page
const LOOKING = "The text is read. Playing the first positions.";
const ASKING = "What is odd about the game is being asked.";
const BREAKS = "The text is read, but a rule breaks in play, as told below it.";
const at = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** What the text began as. @type {{slot: string, game?: string, original?: string, begun: string}} */
let from = { slot: OWN, begun: "" };
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;
let asking = false;
let stale = false;

const editor = new Editor(onTextChange, (line, column) => void offerCompletions(line, column));
const table = new PlayTable(/** @type {HTMLDetailsElement} */ (at("od-play")));
const solving = new Solving(
  /** @type {HTMLElement} */ (at("od-solve").querySelector("div")),
  () => editor.text,
  (line, column) => editor.goTo(line, column),
  () => takings.draw(),
);
const python = new Python((what, why) => {
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
  if (what === "ready" && isEmpty()) drawEmpty();
});

const takings = new DownloadButtons(
  () => editor.text,
  python,
  solving,
  (words) => showNote(words),
);

/** Show a status. @param {string} text @param {boolean} [again] whether a button starts Python again */
function showStatus(text, again = false) {
  const button = make("button", { type: "button", onclick: () => (python.start(), checkText()) }, "Try again");
  at("od-status").replaceChildren(text, ...(again ? [" ", button] : []));
}

// --- reading

/** Save the text after a change, and read it soon. */
function onTextChange() {
  const { text } = editor;
  drawTemplates();
  const safe = saveText(from.slot, text === from.begun ? null : text) && saveText(LAST_TEXT_KEY, from.slot);
  if (!safe) showNote("This browser keeps nothing, so download your text before you close the page.");
  drawChanges();
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
  if (isEmpty()) return drawEmpty();
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
    if (part.rules) drawRules(known);
  });
  asking = false;
  if (stale) return checkText();
  table.setGame(known.book ?? null);
  solving.setGame(known.game ?? null);
  if (known.problems) showStatus(known.rules ? LOOKING : "There are problems, at the lines below the text.");
  document.body.dataset.odBusy = "false";
  if (known.rules) await exploreFirst(known);
}

/** Explore the first positions of a text that was read, until somebody changes it.
 * @param {Record<string, any>} known */
async function exploreFirst(known) {
  const { text } = editor;
  document.body.dataset.odLooking = "true";
  for (let more = true; more;) {
    more = false;
    await python.ask({ look: true }, (part) => {
      Object.assign(known, part);
      more = part.looked !== undefined;
    });
    if (asking || text !== editor.text) return; // another text is read, or soon will be
  }
  if (python.ready) await lint(known, text); // else why is told already
  if (text === editor.text) document.body.dataset.odLooking = "false";
}

/** Ask what is odd about a text whose first positions are sound. @param {Record<string, any>} known
 * @param {string} text */
async function lint(known, text) {
  drawProblems(known);
  if (known.problems.some(isError)) return showStatus(BREAKS);
  showStatus(`${positionsCheckedText(/** @type {any} */ (known))} ${ASKING}`);
  const found = await solving.lint(text);
  if (!found || asking || text !== editor.text) return;
  Object.assign(known, found);
  drawProblems(known);
  showStatus(known.problems.some(isError) ? BREAKS : positionsCheckedText(/** @type {any} */ (known)));
}

/** Draw the problems of the text. @param {Record<string, any>} known */
function drawProblems(known) {
  const { problems = [], design = [], failed, rules } = known;
  editor.markProblems([...problems, ...design.map((/** @type {any} */ each) => ({ ...each, severity: "odd" }))]);
  at("od-problems").replaceChildren(
    ...problemElements(known, (line, column) => editor.goTo(line, column)),
    ...(failed ? [make("p", { class: "od-error" }, failed)] : []),
  );
  const old = Boolean(failed) || (!rules && problems.some(isError));
  at("od-rules").classList.toggle("od-old", old);
  const summary = at("od-rules").querySelector("summary");
  if (summary) summary.textContent = `The rules, in words${old ? ", as they were before" : ""}`;
}

/** Whether the text is empty. */
const isEmpty = () => !editor.text.trim();

/** Show no problems for an empty text. */
function drawEmpty() {
  at("od-problems").replaceChildren();
  at("od-rules").querySelector("div")?.replaceChildren();
  table.setGame(null);
  solving.setGame(null);
  document.body.dataset.odBusy = document.body.dataset.odLooking = "false";
  if (!python.ready) return; // what is told of Python stays
  showStatus(templates.length ? "Begin with a template, or write your own." : "Write your own game.");
}

/** Draw templates to begin with, as long as the text is empty. */
function drawTemplates() {
  const place = at("od-templates");
  document.body.dataset.odEmpty = String(isEmpty());
  place.hidden = !templates.length || !isEmpty();
  if (place.hidden || place.childElementCount) return;
  place.replaceChildren(
    ...templates.map(({ kind, about, text }) =>
      make("button", { type: "button", onclick: () => useTemplate(text) }, make("strong", {}, kind), about),
    ),
  );
}

/** Begin with a template. @param {string} text of a template */
function useTemplate(text) {
  editor.text = text;
  onTextChange();
  at("od-writing").scrollIntoView();
}

/** Draw the rules in words. @param {Record<string, any>} known */
function drawRules({ game, rules }) {
  document.title = `${game.title}: change a game`;
  at("od-rules")
    .querySelector("div")
    ?.replaceChildren(make("h2", {}, game.title), ...rulesElements(rules));
}

/** Draw the changes of the text. */
function drawChanges() {
  const { original } = from;
  at("od-changes").hidden = original === undefined;
  if (original === undefined) return;
  at("od-changes")
    .querySelector("div")
    ?.replaceChildren(...changeElements(original, diffLines(original, editor.text)));
}

/** Offer completions at a place. @param {number} line @param {number} column */
async function offerCompletions(line, column) {
  await python.ask({ complete: [editor.text, line, column] }, ({ offers }) => editor.showOffers(line, column, offers));
}

// --- what is opened

/** Show a note; an empty one removes it. @param {string} words */
const showNote = (words) => at("od-told").replaceChildren(...(words ? [make("p", {}, words)] : []));

/** Load the text of a ruleset of this site. @param {string} game */
async function loadRuleset(game) {
  const answer = await fetch(new URL(`../games/${game}/${game}.yaml`, location.href));
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.text();
}

/** Show the text that is saved in a slot; if there is none, the text to begin with. @param {string} slot @param
 * {string} begun the text to begin with
 * @param {string} [game]
 * @param {string} [original] */
function showText(slot, begun, game, original) {
  from = { slot, begun, game, original };
  const mine = savedText(slot);
  editor.text = mine ?? begun;
  if (mine !== null && mine !== begun) showNote("You changed this before. Here is your text as you left it.");
  drawChanges();
  drawTemplates();
  drawTools();
  void checkText();
}

/** Open the game of the address: one of the site, or one that the address holds. */
async function openAddress() {
  showNote("");
  const { hash } = location;
  try {
    if (hash.startsWith(LINK)) return await openLink(hash);
    const game =
      new URLSearchParams(hash.slice(1)).get("game") ?? savedText(LAST_TEXT_KEY)?.replace(/^game /, "") ?? "";
    if (/^[a-z0-9-]+$/.test(game) && game !== OWN) {
      const original = await loadRuleset(game);
      return showText(`game ${game}`, original, game, original);
    }
  } catch (error) {
    showNote(error instanceof LinkError ? error.message : "This site has no such game. Choose one, or write your own.");
  }
  showText(OWN, "");
}

/** Open the game that the address holds. @param {string} hash */
async function openLink(hash) {
  const { game, text } = await decodeLink(hash, loadRuleset);
  const original = game ? await loadRuleset(game) : undefined;
  showText(`link ${hash.slice(LINK.length).slice(-40)}`, text, game, original);
  const words = game ? "Below you see what it changes." : "It is a game of its own.";
  showNote(`This game came by a link. ${words} It is only read; the table opens if you open it.`);
  /** @type {HTMLDetailsElement} */ (at("od-changes")).open = true;
}

/** Draw the controls above the text. */
function drawTools() {
  const link = async () => {
    const part = await encodeLink(editor.text, from.game, from.original).catch(
      (error) => (showNote(error.message), "#"),
    );
    return new URL(part, location.href).href;
  };
  const again = make("button", { type: "button", onclick: restart }, "Start again");
  const file = make("button", { type: "button", onclick: download }, "Download");
  const offered = make("select", { onchange: () => (location.hash = `game=${offered.value}`) });
  for (const { id, title } of games) offered.append(make("option", { value: id, selected: id === from.game }, title));
  offered.prepend(make("option", { value: OWN, selected: from.slot === OWN }, "An empty page"));
  if (from.slot.startsWith("link") && !from.game)
    offered.prepend(make("option", { value: "", selected: true, disabled: true }, "Choose a game"));
  const choice = make("label", {}, make("span", {}, "Begin with"), offered);
  at("od-tools").replaceChildren(
    ...(games.length ? [choice] : []),
    copyButton("Copy a link", link),
    file,
    ...takings.buttons,
    again,
  );
}

/** Go back to the text that one began with; the browser can undo it. */
function restart() {
  editor.field.focus();
  editor.field.select();
  editor.insert(from.begun);
}

/** Download the text. */
function download() {
  const name = /^id:\s*([a-z0-9-]+)/m.exec(editor.text)?.[1] ?? "game";
  save(`${name}.yaml`, editor.text, "application/yaml");
}

/** @type {{id: string, title: string}[]} */
let games = [];
/** @type {{kind: string, about: string, text: string}[]} */
let templates = [];
at("od-editor").append(editor.element);
python.start();
fetch(new URL("../table/games.json", location.href))
  .then((answer) => answer.json())
  .then((list) => {
    games = list.games;
    drawTools();
  })
  .catch(() => {});
fetch(new URL("starters.json", location.href))
  .then((answer) => answer.json())
  .then((list) => {
    templates = list;
    drawTemplates();
    if (isEmpty()) drawEmpty();
  })
  .catch(() => {});
addEventListener("hashchange", () => void openAddress());
void openAddress();
