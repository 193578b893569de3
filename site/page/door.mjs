// @ts-check
/** Opens the play section of a game's page once somebody wants it. Nothing else is loaded before. */

import { asked } from "./address.mjs";

/** Make every play section of the document ready to be opened, and open it where the address asks for a position. */
function begin() {
  for (const details of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.od-play"))) {
    const root = /** @type {HTMLElement | null} */ (details.querySelector("[data-od-play]"));
    if (!root || root.dataset.odReady) continue;
    root.dataset.odReady = "yes";
    details.addEventListener("toggle", () => void open(root), { once: true });
    const look = () => (asked() || location.hash === "#play") && details.setAttribute("open", "");
    addEventListener("hashchange", look);
    for (const link of document.querySelectorAll('a[href="#play"]'))
      link.addEventListener("click", () => details.setAttribute("open", ""));
    look();
    if (details.open) void open(root);
  }
}

/** @param {HTMLElement} root */
async function open(root) {
  if (root.dataset.odReady !== "yes") return;
  root.dataset.odReady = "opening";
  try {
    await (await import("./page.mjs")).open(root);
  } catch {
    root.textContent = "The table could not be loaded. Load this page again.";
  }
}

begin();
