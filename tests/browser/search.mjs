// Asks the search of a built site as its pages do, without a browser: its own worker, with its own index.
//
//   node tests/browser/search.mjs '{"site": "build/site", "queries": ["pig"]}'
//
// For each query, the pages that are found, the first first.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { runInThisContext } from "node:vm";

const job = JSON.parse(process.argv[2] ?? readFileSync(0, "utf8"));
const workers = join(job.site, "assets", "javascripts", "workers");
const name = readdirSync(workers).find((file) => /^search\..*\.js$/.test(file));

let hear; // what the worker does with a message
let answer; // what waits for its answer
globalThis.self = globalThis;
globalThis.addEventListener = (kind, listener) => kind === "message" && (hear = listener);
globalThis.postMessage = (message) => answer(message);
const ask = (type, data) =>
  new Promise((told) => {
    answer = told;
    hear({ data: { type, data } });
  });

const [SETUP, QUERY] = [0, 2]; // the words of the theme for these
runInThisContext(readFileSync(join(workers, name), "utf8"));
const index = JSON.parse(readFileSync(join(job.site, "search", "search_index.json"), "utf8"));
await ask(SETUP, { ...index, options: { suggest: true } });
const found = [];
for (const words of job.queries) {
  const { data } = await ask(QUERY, words);
  found.push(data.items.map(([first]) => first.location.split("#")[0]));
}
console.log(JSON.stringify(found));
