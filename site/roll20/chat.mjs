// @ts-check
/** Cards in the chat of Roll20. Every text goes in as character codes, so that nothing in it is a command, a roll or markup. */

/** @typedef {readonly [text: string, command: string]} Button */

/** A text as it is to be read. Letters, digits and plain signs stand for themselves. @param {string} text */
export function plain(text) {
  return [...text].map((one) => (/^[\p{L}\p{N} .,:;+-]$/u.test(one) ? one : /^[\p{C}\p{Z}]$/u.test(one) ? " " : `&#${one.codePointAt(0)};`)).join("");
}

/** A text as an item of a random table, where a game master reads it as it stands: only what Roll20 could take for more than text
 * goes in as codes. @param {string} text */
export function item(text) {
  return [...text].map((one) => (/^[()'!?/]$/.test(one) ? one : plain(one))).join("");
}

/** A button that sends a command of ours. @param {Button} button */
function linked([text, command]) {
  if (!/^!tavern[a-z0-9 -]*$/.test(command)) throw new Error(`${command} is no command`);
  return `[${plain(text)}](${command})`;
}

/** A card with a heading, rows of text and a row of buttons. @param {string} title
 * @param {readonly (readonly [head: string, text: string])[]} rows @param {readonly Button[]} [buttons] */
export function card(title, rows, buttons = []) {
  const parts = [`{{name=${plain(title)}}}`, ...rows.map(([head, text]) => `{{${plain(head)}=${plain(text)}}}`)];
  if (buttons.length) parts.push(`{{=${buttons.map(linked).join(" ")}}}`);
  return `&{template:default} ${parts.join(" ")}`;
}

/** A card for the game master's eyes. @param {string} made */
export function whispered(made) {
  return `/w gm ${made}`;
}

/** A text within the HTML of a handout. @param {string} text */
export function html(text) {
  return `<pre>${text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)}</pre>`;
}
