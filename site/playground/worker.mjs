// @ts-check
/** Python off the page's thread: it starts once, and answers what the page asks about a text, which is data to it. */

const HOME = new URL("../../playground/python/", import.meta.url);
const PLACE = "/lib/oddsmith";
const GLUE = `
import json
from oddsmith.playground import checked, completed, packed
from pyodide.ffi import to_js

def check(text, say):
    for part in checked(text):
        say(json.dumps(part))

def complete(text, line, column):
    return json.dumps(completed(text, line, column))

def pack(kind, text):
    told, data = packed(kind, text)
    return to_js([json.dumps(told), data])
`;

/** @typedef {{number: number, check?: string, complete?: [string, number, number], pack?: [string, string]}} Asked */

/** @type {Promise<void> | null} */
let tabletops = null;
// Where the interpreter cannot begin, Pyodide tells nobody but the console, and waits for ever.
const begin = WebAssembly.instantiateStreaming;
if (begin)
  WebAssembly.instantiateStreaming = (...given) =>
    begin(...given).catch((error) => {
      postMessage({ broken: String(error) });
      throw error;
    });

const started = start();

async function start() {
  const { loadPyodide } = await import(new URL("pyodide.mjs", HOME).href);
  const packed = archive("oddsmith.zip");
  const python = await loadPyodide({ indexURL: HOME.href });
  python.unpackArchive(await packed, "zip", { extractDir: PLACE });
  python.runPython(`import sys; sys.path.insert(0, "${PLACE}")`);
  python.runPython(GLUE);
  return python;
}

/** @param {string} name of an archive of ours */
async function archive(name) {
  const answer = await fetch(new URL(name, HOME));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer.arrayBuffer();
}

/** A file to take away, and what is said of it. What only modules take is loaded for the first of them.
 * @param {any} python @param {[string, string]} asked */
async function taken(python, [kind, text]) {
  if (kind === "foundry") {
    tabletops ??= archive("foundry.zip").then((data) => {
      python.unpackArchive(data, "zip", { extractDir: PLACE });
      python.runPython("import importlib; importlib.invalidate_caches()");
    });
    try {
      await tabletops;
    } catch {
      tabletops = null; // the next time may find a network
      return { failed: "What makes modules could not be loaded. Try again when there is a network." };
    }
  }
  const [told, data] = python.globals.get("pack")(kind, text);
  return { ...JSON.parse(told), data };
}

started.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ broken: String(error) }),
);

onmessage = async ({ data }) => {
  const { number, check, complete, pack } = /** @type {Asked} */ (data);
  const python = await started;
  const say = (/** @type {string} */ part) => postMessage({ number, part: JSON.parse(part) });
  try {
    if (check !== undefined) python.globals.get("check")(check, say);
    if (complete) say(python.globals.get("complete")(...complete));
    if (pack) postMessage({ number, part: await taken(python, pack) });
    postMessage({ number, done: true });
  } catch (error) {
    postMessage({ number, broken: String(error) });
  }
};
