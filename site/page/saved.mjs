// @ts-check
/** Unfinished games, saved in this browser and in addresses. */

import { unpackLog, packLog } from "../runtime/table/packed.mjs";
import { PLAY } from "./address.mjs";

/** @typedef {import("../runtime/table/record.mjs").Entry} Entry */
/** @typedef {{players: number[], log: Entry[]}} Saved by seat, the place of who plays there in the list of players */

const PREFIX = "oddsmith game ";

/** The address that holds a game in progress. @param {string} slug @param {Saved} saved */
export async function gameAddress(slug, { players, log }) {
  const words = new URLSearchParams({ game: slug, players: players.join(" "), log: await packLog(log) });
  return new URL(PLAY + words, location.href).href;
}

/** The game that an address holds; null if it holds no valid one.
 * @param {Record<string, string>} asked
 * @returns {Promise<Saved | null>} */
export async function gameInAddress(asked) {
  if (!asked.log || !asked.players) return null;
  const log = await unpackLog(asked.log).catch(() => null);
  return savedIfValid({ players: asked.players.split(" ").map(Number), log });
}

/** Save a game in this browser, or delete it. @param {string} slug @param {Saved | null} saved */
export function saveGame(slug, saved) {
  try {
    if (saved) localStorage.setItem(PREFIX + location.pathname + slug, JSON.stringify(saved));
    else localStorage.removeItem(PREFIX + location.pathname + slug);
  } catch {
    // A browser may forbid it, or be full. The game goes on.
  }
}

/** The game that this browser has saved; null if there is none. @param {string} slug @returns {Saved | null} */
export function loadSavedGame(slug) {
  try {
    return savedIfValid(JSON.parse(localStorage.getItem(PREFIX + location.pathname + slug) ?? "null"));
  } catch {
    return null;
  }
}

/** Return a saved game if it has the right shape, else null. @param {any} found @returns {Saved | null} whose log the
 * rules still have to check */
function savedIfValid(found) {
  const players = Array.isArray(found?.players) && found.players.every(Number.isInteger);
  return players && Array.isArray(found.log) && found.log.length ? found : null;
}
