// @ts-check
/** Starts the page: in a room with its table, elsewhere with a hint where it belongs. */

import { TablePage } from "../room/app.mjs";
import { gameLibraryAt } from "../room/files.mjs";
import { SharedTable } from "../room/shared.mjs";
import { makeElement } from "../runtime/words/view.mjs";
import { roomOrigin, OwlbearRoom } from "./obr.mjs";
import { localizedText } from "./words.mjs";

const root = /** @type {HTMLElement} */ (document.querySelector("#od-table"));
const base = new URL(".", location.href);

/** Show the table of the room. @param {OwlbearRoom} room */
async function startTable(room) {
  await room.ready;
  const library = gameLibraryAt(base);
  const setDarkTheme = (/** @type {boolean} */ yes) =>
    void (document.documentElement.dataset.theme = yes ? "dark" : "light");
  const [me, games] = await Promise.all([room.me(), library.games(), room.followTheme(setDarkTheme)]);
  const shared = new SharedTable(room, library, me);
  const app = new TablePage(root, shared, games);
  room.onRecordChange((value) => void app.receiveRecord(value));
  room.onPersonChange((now) => {
    shared.me = now;
    app.drawPage();
  });
  await app.receiveRecord(await room.read());
  root.dataset.ready = "yes";
}

const origin = roomOrigin(location.search);
if (origin) {
  startTable(new OwlbearRoom(origin)).catch((error) =>
    root.replaceChildren(makeElement("p", { role: "alert" }, localizedText("cannotBegin", { why: error.message }))),
  );
} else {
  const address = new URL("manifest.json", base).href;
  root.replaceChildren(makeElement("p", {}, localizedText("elsewhere"), makeElement("code", {}, address)));
}
