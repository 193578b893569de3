// @ts-check
/** Begins the page: in a room with its table, elsewhere with a word on where it belongs. */

import { make } from "../runtime/view.mjs";
import { App } from "./app.mjs";
import { Library } from "./library.mjs";
import { KEY } from "./log.mjs";
import { originIn, Owlbear } from "./obr.mjs";
import { Shared } from "./shared.mjs";

const root = /** @type {HTMLElement} */ (document.querySelector("#od-table"));
const base = new URL("../../", import.meta.url);

/** @param {Owlbear} room */
async function begin(room) {
  await room.ready;
  const library = new Library(base);
  const dark = (/** @type {boolean} */ yes) => void (document.documentElement.dataset.theme = yes ? "dark" : "light");
  const [me] = await Promise.all([room.me(), library.begin(), room.followTheme(dark)]);
  const shared = new Shared(room, library, me);
  const app = new App(root, shared);
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
