// @ts-check
/** What a reader takes away: a project for a repository, or a module for Foundry. Python makes both on this device. */

import { make } from "../runtime/words/view.mjs";

/** @typedef {"foundry" | "project"} Kind */

/** @type {Record<Kind, {label: string, told: (name: string) => string}>} */
const KINDS = {
  foundry: {
    label: "Open in Foundry",
    told: (name) =>
      `${name} is a module for Foundry 13 or later: unpack it in Data/modules/${name.replace(/\.zip$/, "")}, and enable it ` +
      `in a world. It has the rules and a table, but no odds: a module from this page is made from the rules alone.`,
  },
  project: {
    label: "Open as a project",
    told: (name) => `${name} has the ruleset, its rules in words, and what builds a site of it. Its README says how.`,
  },
};
const SILENT =
  "Python does not run here, and makes this file. Download the ruleset: oddsmith in a terminal makes the same of it.";

/** A button for each kind. @param {() => string} text the ruleset as it is
 * @param {import("./python.mjs").Python} python @param {(words: string) => void} tell */
export const takings = (text, python, tell) =>
  /** @type {Kind[]} */ (Object.keys(KINDS)).map((kind) =>
    make("button", { type: "button", onclick: () => void take(kind, text(), python, tell) }, KINDS[kind].label),
  );

/** @param {Kind} kind @param {string} text @param {import("./python.mjs").Python} python
 * @param {(words: string) => void} tell */
async function take(kind, text, python, tell) {
  tell("The file is being made.");
  let words = SILENT;
  await python.ask({ pack: [kind, text] }, ({ failed, name, data }) => {
    words = failed ?? KINDS[kind].told(name);
    if (!failed) save(name, data, "application/zip");
  });
  tell(words);
}

/** Let the browser save a file. @param {string} name @param {BlobPart} data @param {string} type */
export function save(name, data, type) {
  const address = URL.createObjectURL(new Blob([data], { type }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
