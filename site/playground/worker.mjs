// @ts-check
/** Python off the page's thread: it starts once, and answers what the page asks about a text, which is data to it. */

const HOME = new URL("../../playground/python/", import.meta.url);
const PLACE = "/lib/oddsmith";
const GLUE = `
import json
from oddsmith.playground import checked, completed

def check(text, say):
    for part in checked(text):
        say(json.dumps(part))

def complete(text, line, column):
    return json.dumps(completed(text, line, column))
`;

/** @typedef {{number: number, check?: string, complete?: [string, number, number]}} Asked */

const started = start();

async function start() {
  const { loadPyodide } = await import(new URL("pyodide.mjs", HOME).href);
  const packed = fetch(new URL("oddsmith.zip", HOME)).then((answer) => {
    if (!answer.ok) throw new Error(`oddsmith.zip: ${answer.status}`);
    return answer.arrayBuffer();
  });
  const python = await loadPyodide({ indexURL: HOME.href });
  python.unpackArchive(await packed, "zip", { extractDir: PLACE });
  python.runPython(`import sys; sys.path.insert(0, "${PLACE}")`);
  python.runPython(GLUE);
  return { check: python.globals.get("check"), complete: python.globals.get("complete") };
}

started.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ broken: String(error) }),
);

onmessage = async ({ data }) => {
  const { number, check, complete } = /** @type {Asked} */ (data);
  const python = await started;
  const say = (/** @type {string} */ part) => postMessage({ number, part: JSON.parse(part) });
  try {
    if (check !== undefined) python.check(check, say);
    if (complete) say(python.complete(...complete));
    postMessage({ number, done: true });
  } catch (error) {
    postMessage({ number, broken: String(error) });
  }
};
