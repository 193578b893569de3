// Narrows the list of games down to what a form asks for. What is chosen stands in the address, so that it can be
// shared.

/** Show the games that meet the wanted filters and hide the others. Sets the form to these filters, and says how many
 * games there are. */
function showMatchingGames(filterForm, filters) {
  const games = [...document.querySelectorAll(".od-cards > section")];
  for (const select of filterForm.querySelectorAll("select")) {
    select.value = filters.get(select.name) ?? "";
    if (select.selectedIndex < 0) select.value = ""; // an address may ask for what there is not
  }
  const asked = [...filterForm.querySelectorAll("select")].filter((select) => select.value);
  for (const game of games)
    game.hidden = !asked.every((select) => (game.dataset[select.name] ?? "").split(" ").includes(select.value));
  // A heading without games would be a riddle.
  for (const cards of document.querySelectorAll("h2 + .od-cards"))
    cards.previousElementSibling.hidden = !cards.querySelector("section:not([hidden])");
  const shown = games.filter((game) => !game.hidden).length;
  filterForm.querySelector("output").textContent = `${shown} of ${games.length} games shown`;
}

const filtersInAddress = () => new URLSearchParams(location.hash.slice(1));

/** Put the wanted filters into the address, and show the games that meet them. */
function applyFilter(filterForm, filters) {
  const text = filters.toString();
  history.replaceState(history.state, "", text ? `#${text}` : location.pathname + location.search);
  showMatchingGames(filterForm, filters);
}

/** Prepare the filters of the page, if it has any. It may be called again for the same page. */
function prepareFilters() {
  const form = document.querySelector(".od-filters");
  if (!form) return;
  showMatchingGames(form, filtersInAddress());
  if (!form.hidden) return;
  form.hidden = false;
  form.addEventListener("change", () =>
    applyFilter(form, new URLSearchParams([...new FormData(form)].filter(([, value]) => value))),
  );
  form.addEventListener("reset", () => applyFilter(form, new URLSearchParams()));
  form.addEventListener("submit", (event) => event.preventDefault());
}

addEventListener("hashchange", prepareFilters);
// The theme tells of every page that it puts in the place of another; without that there is just this one.
if (globalThis.document$) globalThis.document$.subscribe(prepareFilters);
else prepareFilters();
