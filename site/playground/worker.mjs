// @ts-check
/** Python off the page's thread: it starts once, and answers what the page asks about a text, which is data to it. The
 * name of a thread that solves lists the packages that it loads, each checked against the hash in the lock file. */

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
const SOLVING = `
import gc
import oddsmith.graph, oddsmith.report.files, oddsmith.report.lint, oddsmith.report.outline, oddsmith.solve
from oddsmith.playground import Proving

proving = Proving()

def solve(text, settings, say):
    progress = lambda part: say(json.dumps(part), None)
    try:
        for part in proving.solve(text, json.loads(settings), progress):
            proof = part.pop("proof", None)
            say(json.dumps(part), proof)
    except MemoryError:
        proving.known.clear()
        gc.collect()
        progress({"failed": "The game takes more memory than this browser gives. Choose smaller settings."})
`;
const PACKAGES = self.name ? self.name.split(" ") : [];

/** @typedef {{number: number, check?: string, complete?: [string, number, number], solve?: [string, any]}} Asked */

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
  if (PACKAGES.length) await load(python);
  python.runPython(GLUE + (PACKAGES.length ? SOLVING : ""));
  return python.globals;
}

/** Load what solving takes. Pyodide tells what went wrong, and goes on. @param {any} python */
async function load(python) {
  /** @type {string[]} */
  const wrong = [];
  await python.loadPackage(PACKAGES, {
    messageCallback: (/** @type {string} */ loading) => postMessage({ loading }),
    errorCallback: (/** @type {string} */ why) => wrong.push(why),
  });
  if (wrong.length) throw new Error(wrong[0]);
}

/** The last line of what Python says is the reason. @param {unknown} error */
const reason = (error) => String(error).trim().split("\n").pop();

started.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ broken: reason(error) }),
);

onmessage = async ({ data }) => {
  const { number, check, complete, solve } = /** @type {Asked} */ (data);
  const python = await started;
  const say = (/** @type {string} */ part, /** @type {any} */ proof = null) =>
    postMessage({ number, part: { ...JSON.parse(part), ...(proof && { proof: proof.toJs() }) } });
  try {
    if (check !== undefined) python.get("check")(check, say);
    if (complete) say(python.get("complete")(...complete));
    if (solve) python.get("solve")(solve[0], JSON.stringify(solve[1]), say);
    postMessage({ number, done: true });
  } catch (error) {
    postMessage({ number, broken: reason(error) });
  }
};
