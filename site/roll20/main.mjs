// @ts-check
/** Starts the script: it listens for !oddsmith and carries out one command after the other. */

import { Refused } from "../runtime/table/refused.mjs";
import { whisperToPerson, chatCard } from "./chat.mjs";
import { ScriptGame } from "./game.mjs";
import { ChatTable } from "./table.mjs";
import { localizedText } from "./words.mjs";

const SPEAKER = "Tavern";
const LONGEST = 500; // characters of a command

/** Listen to the chat. @param {import("./sandbox.d.ts").Content} content
 * @param {import("./sandbox.d.ts").Sandbox} sandbox */
export function listenToChat(content, sandbox) {
  const table = new ChatTable(sandbox, new ScriptGame(content));
  const post = (/** @type {string} */ text) => sandbox.sendChat(SPEAKER, text, null, { noarchive: true });
  /** @type {Promise<void>} */
  let queue = Promise.resolve();
  sandbox.on("chat:message", ({ type, content: text, playerid }) => {
    if (type !== "api" || text.length > LONGEST) return;
    const [head, game, ...words] = text.trim().split(/\s+/);
    if (head !== "!oddsmith" || (game !== undefined && game !== content.game)) return;
    const name = String(sandbox.getObj("player", playerid)?.get("displayname") ?? "");
    const person = { id: playerid, name, gm: sandbox.playerIsGM(playerid) };
    queue = queue
      .then(async () => post(await table.handleCommand(words, person)))
      .catch((error) => {
        if (!(error instanceof Refused)) sandbox.log(`${content.generator}: ${error.stack ?? error}`);
        const why = error instanceof Refused ? error.message : localizedText("failed");
        post(whisperToPerson(chatCard(content.title, [[localizedText("notDone"), why]]), person));
      });
  });
  sandbox.on("ready", () => sandbox.log(`!oddsmith ${content.game}, by ${content.generator}`));
}
