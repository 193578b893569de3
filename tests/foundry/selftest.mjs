// @ts-check
// `selftest.mjs FOLDER`: has a module that was written there replay its own checks, with its own scripts. Prints what
// was compared.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const script = (/** @type {string} */ name) => import(pathToFileURL(join(folder, "scripts", "foundry", name)).href);
const [{ moduleGameLibrary }, { replayChecks }] = [await script("world/games.mjs"), await script("selftest.mjs")];
const load = async (/** @type {string} */ path) => {
  const data = await readFile(join(folder, path));
  return data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
};
process.stdout.write(JSON.stringify(await replayChecks(moduleGameLibrary(load))));
