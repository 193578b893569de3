// @ts-check
/** Opens the play section of a game's page when somebody asks for it. Nothing else is loaded before. */

import { readAddress } from "./address.mjs";

/** Make every play section of the document ready to be opened, and open it where the address asks for a position. */
function preparePlaySections() {
  for (const details of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.od-play"))) {
    const root = /** @type {HTMLElement | null} */ (details.querySelector("[data-od-play]"));
    if (!root || root.dataset.odReady) continue;
    root.dataset.odReady = "yes";
    /** @type {Promise<void> | null} */
    let opening = null;
    const start = () => (opening ??= openPlaySection(root));
    details.addEventListener("toggle", () => void start(), { once: true });
    const look = () => (readAddress() || location.hash === "#play") && details.setAttribute("open", "");
    addEventListener("hashchange", look);
    for (const link of document.querySelectorAll('a[href="#play"]'))
      link.addEventListener("click", () => {
        details.setAttribute("open", "");
        void start().then(() => focusTable(root));
      });
    look();
    if (details.open) void start();
  }
}

/** Move the focus to the next control of the table. @param {HTMLElement} root */
function focusTable(root) {
  const all = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-od-here]"));
  all[all.length - 1]?.focus({ preventScroll: true });
}

/** Load the page's scripts and open a play section. @param {HTMLElement} root */
async function openPlaySection(root) {
  root.dataset.odReady = "opening";
  try {
    await (await import("./page.mjs")).openSection(root);
  } catch {
    root.textContent = "The table could not be loaded. Load this page again.";
  }
}

preparePlaySections();
