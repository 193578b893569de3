// @ts-check
/** What Foundry gives to every script. Tests put a stand-in in its place. */

/** @typedef {ReturnType<typeof globals>} Globals */

/** Everything of Foundry that the scripts use, as one object. */
export function globals() {
  return {
    game,
    foundry,
    Roll,
    ChatMessage,
    Hooks,
    CONFIG,
    fetch: fetch.bind(globalThis),
    setTimeout: setTimeout.bind(globalThis),
    Worker,
    Blob,
    URL,
    localStorage,
    addEventListener: addEventListener.bind(globalThis),
  };
}

/** Return Foundry's `game` with the type of globals.d.ts. Foundry's published types refuse the names of settings, flags
 * and messages that are the module's own. @param {unknown} world */
export const asFoundryGame = (world) => /** @type {FoundryGame} */ (world);
