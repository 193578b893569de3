// @ts-check
/** Starts the page by its address: the game master's table, a guest's view of it, or a tab that passes an answer to the
 * table in another tab. */

import { TablePage } from "../room/app.mjs";
import { gameLibraryAt } from "../room/files.mjs";
import { SharedTable } from "../room/shared.mjs";
import { makeElement } from "../runtime/words/view.mjs";
import { isStunServer, readFragment } from "./code.mjs";
import { GuestTable } from "./guest.mjs";
import { HostTable, gameMaster } from "./host.mjs";
import { gameMasterName, passAnswerOn, PeoplePanel } from "./hosting.mjs";
import { JoinPanel } from "./joining.mjs";
import { localizedText } from "./words.mjs";

const root = /** @type {HTMLElement} */ (document.querySelector("#od-table"));
const side = /** @type {HTMLElement} */ (document.querySelector("#od-people"));
const library = gameLibraryAt(new URL("../../table/", import.meta.url));
const fragment = readFragment(location.hash);

/** @param {string} gameId */
const gamePageAddress = (gameId) => `../games/${gameId}/`;

/** Wait until no other tab of this browser has its table. */
function waitForTableLock() {
  return new Promise((resolve) => {
    navigator.locks.request("oddsmith/link", () => {
      resolve(null);
      return new Promise(() => {}); // until the page is left
    });
  });
}

async function startPage() {
  if (!("RTCPeerConnection" in window && isSecureContext)) throw new Error(localizedText("tooOld"));
  if (fragment.answer) {
    root.replaceChildren();
    return passAnswerOn(side, fragment.answer);
  }
  await (fragment.join ? joinTableAsGuest(fragment.join) : hostTable());
  root.dataset.ready = "yes";
}

async function hostTable() {
  const waits = setTimeout(
    () => root.replaceChildren(makeElement("p", { role: "status" }, localizedText("otherTab"))),
    500,
  );
  await waitForTableLock();
  clearTimeout(waits);
  /** @type {HostTable} */
  const table = new HostTable(library, localStorage, gameMaster(gameMasterName()), {
    turn: (act) => app.enqueue(act),
    heard: (kept) => void app.receiveRecord(kept),
    people: (event) => people.draw(event),
  });
  const app = new TablePage(
    root,
    new SharedTable(table, library, table.me),
    await library.games(),
    fragment.game,
    gamePageAddress,
  );
  const people = new PeoplePanel(side, table);
  await app.receiveRecord(table.kept);
}

/** @param {string} code */
async function joinTableAsGuest(code) {
  const stun = isStunServer(fragment.stun) ? fragment.stun : "";
  const guest = new GuestTable(library, localStorage, {
    heard: (kept) => {
      root.hidden = false;
      void app.receiveRecord(kept);
    },
    welcome: (name) => joining.welcome(name),
    changed: () => joining.draw(),
  });
  root.hidden = true;
  root.before(side); // how the connection is stands first, the table below it
  const app = new TablePage(root, guest, await library.games(), "", gamePageAddress);
  addEventListener("hashchange", () => location.reload());
  const joining = new JoinPanel(side, guest, { join: code, stun });
}

startPage().catch((error) =>
  root.replaceChildren(makeElement("p", { role: "alert" }, localizedText("cannotBegin", { why: error.message }))),
);
