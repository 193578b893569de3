// @ts-check
/** The entry point of the module: it registers settings and the ways in, and makes the tables as soon as the world is
 * ready. */

import { setTranslation } from "../runtime/words/words.mjs";
import { replayChecks } from "./selftest.mjs";
import { Tables } from "./tables/tables.mjs";
import { collectCardMessages } from "./windows/cards.mjs";
import { WindowManager } from "./windows/desk.mjs";
import {
  addChatCommand,
  addJournalMarks,
  addKeybinding,
  addSceneButton,
  addSettingsButtons,
  addTokenButton,
} from "./windows/doors.mjs";
import { watchTurns } from "./windows/turns.mjs";
import { moduleGameLibrary } from "./world/games.mjs";
import { foundryHost } from "./world/host.mjs";
import { registerSettings } from "./world/settings.mjs";
import { ID, localizedText, showError } from "./world/words.mjs";

setTranslation((key, data) => localizedText(`ODDSMITH.runtime.${key}`, data));

/** @type {WindowManager | null} */
let desk = null;
const getWindowManager = () => desk;
const hooks = /** @type {any} */ (Hooks); // for those of modules, which no types know
const dressMessages = collectCardMessages();

Hooks.once("init", () => {
  registerSettings(ID, () => desk?.tables.onSettingsChanged());
  addKeybinding(ID, getWindowManager);
  addSettingsButtons(ID, getWindowManager);
  addSceneButton(ID);
  addTokenButton(ID, getWindowManager);
  addJournalMarks(ID, getWindowManager);
});

Hooks.once("ready", async () => {
  const host = foundryHost(ID);
  const library = moduleGameLibrary(host.load);
  const games = await library.games().catch((error) => void showError(error)); // the module was copied in part
  if (!games) return;
  desk = new WindowManager(ID, new Tables(host, library), games);
  addChatCommand(desk);
  const at = game.modules.get(ID);
  if (at) Object.assign(at, { api: desk.api });
  dressMessages(desk);
  watchTurns(desk);
  desk.tables.startListening();
  Hooks.on("userConnected", () => desk?.tables.resumePending());
  hooks.callAll(`${ID}.ready`, desk.api);
});

// A test runner inside Foundry, where one is installed, gets the self-test as a batch.
hooks.on("quenchReady", (/** @type {any} */ quench) => {
  quench.registerBatch(
    `${ID}.checks`,
    (/** @type {any} */ { describe, it, assert }) => {
      describe(ID, () => {
        it(localizedText("ODDSMITH.SelfTest"), async () => {
          const result = desk && (await replayChecks(desk.library));
          assert.deepEqual(result?.faults, []);
        });
      });
    },
    { displayName: ID },
  );
});
