// @ts-check
/** Where Foundry begins: odds of any roll, typed or rolled. */

import { Chat } from "./chat.mjs";
import { registerSettings } from "./sight.mjs";
import { ID } from "./words.mjs";

const chat = new Chat();
chat.begin();

Hooks.once("init", registerSettings);

Hooks.once("ready", () => {
  chat.ready();
  const at = game.modules.get(ID);
  if (at) Object.assign(at, { api: { ask: (/** @type {string} */ question) => chat.ask(String(question)) } });
});
