// Narrows the list of games down to what a form asks for. What is chosen stands in the address, so that it can be
// shared.

/** Show the games that fit, say how many, and show in the form what is asked for. */
function narrow(form, wanted) {
  const games = [...document.querySelectorAll(".od-cards > section")];
  for (const select of form.querySelectorAll("select")) {
    select.value = wanted.get(select.name) ?? "";
    if (select.selectedIndex < 0) select.value = ""; // an address may ask for what there is not
  }
  const asked = [...form.querySelectorAll("select")].filter((select) => select.value);
  for (const game of games)
    game.hidden = !asked.every((select) => (game.dataset[select.name] ?? "").split(" ").includes(select.value));
  // A heading without games would be a riddle.
  for (const cards of document.querySelectorAll("h2 + .od-cards"))
    cards.previousElementSibling.hidden = !cards.querySelector("section:not([hidden])");
  const shown = games.filter((game) => !game.hidden).length;
  form.querySelector("output").textContent = `${shown} of ${games.length} games shown`;
}

const readAddress = () => new URLSearchParams(location.hash.slice(1));

function applyFilter(form, wanted) {
  const text = wanted.toString();
  history.replaceState(history.state, "", text ? `#${text}` : location.pathname + location.search);
  narrow(form, wanted);
}

/** May be called again for a page that it has seen. */
function start() {
  const form = document.querySelector(".od-filters");
  if (!form) return;
  narrow(form, readAddress());
  if (!form.hidden) return;
  form.hidden = false;
  form.addEventListener("change", () =>
    applyFilter(form, new URLSearchParams([...new FormData(form)].filter(([, value]) => value))),
  );
  form.addEventListener("reset", () => applyFilter(form, new URLSearchParams()));
  form.addEventListener("submit", (event) => event.preventDefault());
}

addEventListener("hashchange", start);
// The theme tells of every page that it puts in the place of another; without that there is just this one.
if (globalThis.document$) globalThis.document$.subscribe(start);
else start();
