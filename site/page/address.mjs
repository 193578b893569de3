// @ts-check
/** What the address of a game's page can ask for. */

/** What the address of a position begins with. */
export const ASK = "#ask?";

/** What the address of a game on its way begins with. */
export const PLAY = "#play?";

/** What the address asks for; null if it asks for nothing. */
export function asked() {
  const start = [ASK, PLAY].find((one) => location.hash.startsWith(one));
  return start ? new URLSearchParams(location.hash.slice(start.length)) : null;
}
