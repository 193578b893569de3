// The job that a script is asked to do, as it reads it, and a library with the one game of the job.

import { readFileSync } from "node:fs";

import { GameLibrary } from "../../site/runtime/table/library.mjs";
import { Refused } from "../../site/runtime/table/refused.mjs";

export const job = JSON.parse(readFileSync(0, "utf8"));
const files = {
  "games.json": { games: [{ id: "game", title: "Game", rules: job.rules, book: "play.json" }] },
  "play.json": job.book,
};
export const library = new GameLibrary(
  async (path) => new TextEncoder().encode(JSON.stringify(files[path])).buffer,
  (what) => new Refused(what),
);
