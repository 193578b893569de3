// @ts-check
/** Cards in the chat of Roll20. Every text goes in as character codes, so that nothing in it is a command, a roll or
 * markup. */

import { localizedText } from "./words.mjs";

/** @typedef {readonly [text: string, command: string]} Button */
/** @typedef {readonly [head: string, text: string]} Row */

/** Escape a text so that Roll20 shows it as it is. Letters, digits and plain signs stay as they are.
 * @param {string} text */
export function escapeText(text) {
  return [...text]
    .map((one) =>
      /^[\p{L}\p{N} .,:;+-]$/u.test(one) ? one : /^[\p{C}\p{Z}]$/u.test(one) ? " " : `&#${one.codePointAt(0)};`,
    )
    .join("");
}

/** A text as an item of a random table. A game master reads it there unrendered, so only signs that Roll20 could
 * interpret are escaped. @param {string} text */
export function randomTableItemText(text) {
  return [...text].map((one) => (/^[()'!?/]$/.test(one) ? one : escapeText(one))).join("");
}

/** A button that sends one of our commands. @param {Button} button */
function commandButton([text, command]) {
  if (!/^!oddsmith[a-z0-9 -]*$/.test(command)) throw new Error(`${command} is no command`);
  return `[${escapeText(text)}](${command})`;
}

/** A card with a heading, rows of text and a row of buttons. Every row needs a name of its own: a roll template keeps
 * only the last value of each name (https://cybersphere.me/rolltemplate-gotchas/), and "name" is the heading's. So a
 * player's text is never the name of a row. @param {string} title @param {readonly Row[]} rows
 * @param {readonly Button[]} [buttons] */
export function chatCard(title, rows, buttons = []) {
  const all = [["name", escapeText(title)], ...rows.map(([head, text]) => [escapeText(head), escapeText(text)])];
  if (buttons.length) all.push([localizedText("whatToDo"), buttons.map(commandButton).join(" ")]);
  if (new Set(all.map(([head]) => head)).size < all.length)
    throw new Error(`rows of one name: ${all.map(([head]) => head).join(", ")}`);
  return `&{template:default} ${all.map(([head, text]) => `{{${head}=${text}}}`).join(" ")}`;
}

/** A card that only the game master sees. @param {string} cardText */
export function whisperToGameMaster(cardText) {
  return `/w gm ${cardText}`;
}

/** A card that one person sees. If the name cannot stand in a command, everybody sees it; for a game master, game
 * masters alone.
 * @param {string} cardText @param {{name: string, gm: boolean}} person */
export function whisperToPerson(cardText, { name, gm }) {
  if (/^[\p{L}\p{M}\p{N} .,'_-]+$/u.test(name)) return `/w "${name}" ${cardText}`;
  return gm ? whisperToGameMaster(cardText) : cardText;
}

/** A text as HTML for a handout. @param {string} text */
export function handoutHtml(text) {
  return `<pre>${text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)}</pre>`;
}
