// @ts-check
/** The colours that the reader chose on the site, else those of the system. */

const FOLLOW = "(prefers-color-scheme)"; // what the theme of the site calls the choice to follow the system
const dark = matchMedia("(prefers-color-scheme: dark)");

/** Set the colour scheme of the page. */
function setColourScheme() {
  document.documentElement.dataset.mdColorScheme = chosenScheme() ?? (dark.matches ? "slate" : "default");
}

/** The scheme that the theme of the site has stored; null if it follows the system. @returns {string | null} */
function chosenScheme() {
  try {
    const kept = localStorage.getItem(`${new URL("..", location.href).pathname}.__palette`);
    const { media, scheme } = JSON.parse(kept ?? "").color;
    return media === FOLLOW ? null : scheme;
  } catch {
    return null;
  }
}

setColourScheme();
dark.addEventListener("change", setColourScheme);
