// Asks the library that the tabletops share for games and sizes, and says what it gives or throws.
//
//   node tests/tabletops/library.mjs < job.json
//
// files: texts by path beside games.json, or null for one that cannot be loaded the first time. asked: lists of a game,
// the hash of its rules and a slug. sizes: slugs of the first game.

import { readFileSync } from "node:fs";

import { GameLibrary, playableSetting } from "../../site/runtime/table/library.mjs";

const job = JSON.parse(readFileSync(0, "utf8"));
const loaded = [];
const library = new GameLibrary(
  async (path) => {
    loaded.push(path);
    if (loaded.length === 1 && job.late) throw new Error("not now");
    return new TextEncoder().encode(job.files[path]).buffer;
  },
  (what) => new Error(`no ${what}`),
);

const first = await library.games().then(
  () => "",
  ({ message }) => message,
);
const found = [];
for (const [game, rules, setting] of job.asked) {
  const ready = await library.openGameOf({ game, rules, setting }).catch(({ message }) => message);
  found.push(
    typeof ready === "string"
      ? ready
      : [ready.setting.slug, ready.game.seats, { ...ready.game.parameters }, ready.policy],
  );
}
const [{ id }] = await library.games();
const book = await library.playFile(id);
const sizes = job.sizes.map((slug) => playableSetting(book, slug)?.slug ?? null);
const files = [...new Set(loaded)];
let most = 0;
for (let target = 6; target <= 100; target++)
  for (const seats of [1, 2, 3, 4]) {
    await library.openSetting(id, `=${seats} target=${target} target=${target}`).catch(() => null);
    most = Math.max(most, library.held.size);
  }
console.log(JSON.stringify({ first, found, sizes, most, loaded: files }));
