// @ts-check
/** Begins the page: in a room with its table, elsewhere with a word on where it belongs. */

import { Library } from "../runtime/library.mjs";
import { make } from "../runtime/view.mjs";
import { App } from "./app.mjs";
import { KEY } from "./log.mjs";
import { originIn, Owlbear } from "./obr.mjs";
import { Refused, Shared } from "./shared.mjs";

const root = /** @type {HTMLElement} */ (document.querySelector("#od-table"));
const base = new URL("../../", import.meta.url);

const WHY = {
  game: "this game, or this size of it, is not here",
  rules: "the game is here by other rules than those of the table",
};

/** @param {string} path beside games.json */
async function load(path) {
  const answer = await fetch(new URL(path, base));
  if (!answer.ok) throw new Error(`${path} could not be loaded`);
  return answer.arrayBuffer();
}

/** @param {Owlbear} room */
async function begin(room) {
  await room.ready;
  const library = new Library(load, (what) => new Refused(WHY[what]));
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
  begin(new Owlbear(origin)).catch((error) => root.replaceChildren(make("p", { role: "alert" }, `This could not begin: ${error.message}.`)));
} else {
  const address = new URL("manifest.json", base).href;
  root.replaceChildren(make("p", {}, "This page is a table for Owlbear Rodeo. There, add an extension with this address: ", make("code", {}, address)));
}
