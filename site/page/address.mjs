// @ts-check
/** What the address of a game's page asks for. */

/** The beginning of the address of a position. */
export const ASK = "#ask?";

/** The beginning of the address of a game in progress. */
export const PLAY = "#play?";

/** Read the parameters of the address; null if it has none. */
export function readAddress() {
  const start = [ASK, PLAY].find((one) => location.hash.startsWith(one));
  return start ? new URLSearchParams(location.hash.slice(start.length)) : null;
}
