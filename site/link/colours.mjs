// @ts-check
/** The colours that a reader chose on the site, else those of the system. */

const FOLLOW = "(prefers-color-scheme)"; // what the theme of the site calls the choice to follow the system
const dark = matchMedia("(prefers-color-scheme: dark)");

function dress() {
  document.documentElement.dataset.mdColorScheme = chosen() ?? (dark.matches ? "slate" : "default");
}

/** What the theme of the site has kept. @returns {string | null} */
function chosen() {
  try {
    const kept = localStorage.getItem(`${new URL("..", location.href).pathname}.__palette`);
    const { media, scheme } = JSON.parse(kept ?? "").color;
    return media === FOLLOW ? null : scheme;
  } catch {
    return null;
  }
}

dress();
dark.addEventListener("change", dress);
