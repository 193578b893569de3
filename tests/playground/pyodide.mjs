// Asks Oddsmith in Pyodide, under Node.
//
//   node tests/playground/pyodide.mjs '{"folder": "...", "texts": [], "places": []}'
//
// folder: Pyodide with oddsmith.zip beside it. Says what is known of each text, and what can stand at each place.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const job = JSON.parse(process.argv[2] ?? readFileSync(0, "utf8"));
const { loadPyodide } = await import(pathToFileURL(join(job.folder, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: job.folder });
python.unpackArchive(new Uint8Array(readFileSync(join(job.folder, "oddsmith.zip"))), "zip", { extractDir: "/lib/app" });
python.globals.set("asked", JSON.stringify(job));
console.log(
  python.runPython(`
import json, sys
sys.path.insert(0, "/lib/app")
from oddsmith.browser import check_messages, completion_message

def told(text):
    found = {}
    for part in check_messages(text):
        found |= part
    return found

job = json.loads(asked)
json.dumps({"told": [told(text) for text in job["texts"]], "completed": [completion_message(*place) for place in job["places"]]})
`),
);
