// @ts-check
// Foundry's own tool: `extract FOLDER PACK...` unpacks databases, `compile FOLDER PACK...` packs JSON files.
// Prints, for each pack, its documents or its records by key.
import { compilePack, extractPack } from "@foundryvtt/foundryvtt-cli";
import { ClassicLevel } from "classic-level";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const [verb, folder, ...packs] = process.argv.slice(2);
/** @type {Record<string, Record<string, unknown>>} */
const found = {};
for (const pack of packs) {
  const from = join(folder, pack);
  const to = `${from}.made`;
  /** @type {Record<string, unknown>} */
  const each = (found[pack] = {});
  if (verb === "extract") {
    await extractPack(from, to, { log: false });
    for (const name of readdirSync(to)) {
      const document = JSON.parse(readFileSync(join(to, name), "utf8"));
      each[document._key] = document;
    }
  } else {
    await compilePack(from, to, { log: false });
    const opened = new ClassicLevel(to, { valueEncoding: "json" });
    for await (const [key, value] of opened.iterator()) each[key] = value;
    await opened.close();
  }
}
process.stdout.write(JSON.stringify(found));
