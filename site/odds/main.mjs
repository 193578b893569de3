// @ts-check
/** Where Foundry begins: odds of any roll, typed or rolled. */

import { OddsChat } from "./chat.mjs";
import { registerOddsSettings } from "./sight.mjs";
import { ID } from "./words.mjs";

const chat = new OddsChat();
chat.startListening();

Hooks.once("init", registerOddsSettings);

Hooks.once("ready", () => {
  chat.onWorldReady();
  const at = game.modules.get(ID);
  if (at) Object.assign(at, { api: { ask: (/** @type {string} */ question) => chat.ask(String(question)) } });
});
