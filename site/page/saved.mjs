// @ts-check
/** Unfinished games, saved in this browser and in addresses. */

import { unpackLog, packLog } from "../runtime/table/packed.mjs";
import { PLAY } from "./address.mjs";

/** @typedef {import("../runtime/table/record.mjs").Entry} Entry */
/** @typedef {{players: number[], log: Entry[]}} Saved by seat, the place of who plays there in the list of players */

const PREFIX = "oddsmith game ";

/** The address that holds a game in progress. @param {string} settingSlug @param {Saved} saved */
export async function savedGameAddress(settingSlug, { players, log }) {
  const words = new URLSearchParams({ game: settingSlug, players: players.join(" "), log: await packLog(log) });
  return new URL(PLAY + words, location.href).href;
}

/** The game that an address holds; null if it holds no valid one.
 * @param {Record<string, string>} addressParameters
 * @returns {Promise<Saved | null>} */
export async function savedGameInAddress(addressParameters) {
  if (!addressParameters.log || !addressParameters.players) return null;
  const log = await unpackLog(addressParameters.log).catch(() => null);
  return savedGameIfValid({ players: addressParameters.players.split(" ").map(Number), log });
}

/** Save a game in this browser, or delete it. @param {string} settingSlug @param {Saved | null} savedGame */
export function saveGame(settingSlug, savedGame) {
  try {
    if (savedGame) localStorage.setItem(PREFIX + location.pathname + settingSlug, JSON.stringify(savedGame));
    else localStorage.removeItem(PREFIX + location.pathname + settingSlug);
  } catch {
    // A browser may forbid it, or be full. The game goes on.
  }
}

/** The game that this browser has saved; null if there is none. @param {string} settingSlug @returns {Saved | null} */
export function loadSavedGame(settingSlug) {
  try {
    return savedGameIfValid(JSON.parse(localStorage.getItem(PREFIX + location.pathname + settingSlug) ?? "null"));
  } catch {
    return null;
  }
}

/** Return a saved game if it has the right shape, else null. @param {any} value @returns {Saved | null} whose log the
 * rules still have to check */
function savedGameIfValid(value) {
  const players = Array.isArray(value?.players) && value.players.every(Number.isInteger);
  return players && Array.isArray(value.log) && value.log.length ? value : null;
}
