// @ts-check
/** Starts the page: in a room with its table, elsewhere with a hint where it belongs. */

import { Library } from "../runtime/table/library.mjs";
import { Refused } from "../runtime/table/refused.mjs";
import { make } from "../runtime/words/view.mjs";
import { App } from "./app.mjs";
import { KEY } from "./log.mjs";
import { originIn, Owlbear } from "./obr.mjs";
import { Shared } from "./shared.mjs";
import { say } from "./words.mjs";

const root = /** @type {HTMLElement} */ (document.querySelector("#od-table"));
const base = new URL("../../", import.meta.url);

const WHY = /** @type {const} */ ({ game: "gameMissing", rules: "otherRules" });

/** @param {string} path beside games.json */
async function load(path) {
  const answer = await fetch(new URL(path, base));
  if (!answer.ok) throw new Error(say("fileMissing", { path }));
  return answer.arrayBuffer();
}

/** @param {Owlbear} room */
async function begin(room) {
  await room.ready;
  const library = new Library(load, (what) => new Refused(say(WHY[what])));
  const dark = (/** @type {boolean} */ yes) => void (document.documentElement.dataset.theme = yes ? "dark" : "light");
  const [me, games] = await Promise.all([room.me(), library.games(), room.followTheme(dark)]);
  const shared = new Shared(room, library, me);
  const app = new App(root, shared, games);
  room.onRoom(KEY, (value) => void app.hear(value));
  room.onMe((now) => {
    shared.me = now;
    app.draw();
  });
  await app.hear(await room.read(KEY));
  root.dataset.ready = "yes";
}

const origin = originIn(location.search);
if (origin) {
  begin(new Owlbear(origin)).catch((error) =>
    root.replaceChildren(make("p", { role: "alert" }, say("cannotBegin", { why: error.message }))),
  );
} else {
  const address = new URL("manifest.json", base).href;
  root.replaceChildren(make("p", {}, say("elsewhere"), make("code", {}, address)));
}
