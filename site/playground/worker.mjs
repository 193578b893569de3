// @ts-check
/** Python off the page's thread: it starts once, and answers what the page asks about a text, which is data to it. The
 * name of a thread that solves lists the packages that it loads, each checked against the hash in the lock file. */

const HOME = new URL("../../playground/python/", import.meta.url);
const PLACE = "/lib/oddsmith";
const GLUE = `
import json
from oddsmith.browser import check_messages, completion_message, ruleset_archive
from pyodide.ffi import to_js

def check(text, say):
    global parts
    parts = check_messages(text)
    for part in parts:
        say(json.dumps(part))
        if "book" in part:
            break

def look():
    return json.dumps(next(parts, {}))

def complete(text, line, column):
    return json.dumps(completion_message(text, line, column))

def pack(kind, text):
    told, data = ruleset_archive(kind, text)
    return to_js([json.dumps(told), data])
`;
const SOLVING = `
import gc
import oddsmith.graph, oddsmith.report.export, oddsmith.report.lint, oddsmith.report.policy, oddsmith.solve
from oddsmith.browser import BrowserSolver, lint_text
from pyodide.ffi import to_js

solver = BrowserSolver()

def solve(text, settings, say):
    progress = lambda part: say(json.dumps(part), None)
    try:
        for part in solver.solve(text, json.loads(settings), progress):
            proof = part.pop("proof", None)
            say(json.dumps(part), proof)
    except MemoryError:
        progress(full())

def lint(text):
    try:
        return json.dumps(lint_text(text))
    except MemoryError:
        return json.dumps({"design": [], "unasked": [full()["failed"]]})

def module(text, settings, say):
    progress = lambda part: say(json.dumps(part), None)
    try:
        told, data = solver.foundry_module(text, json.loads(settings), progress)
    except MemoryError:
        told, data = full(), b""
    return to_js([json.dumps(told), data])

def full():
    solver.known.clear()
    gc.collect()
    return {"failed": "The game takes more memory than this browser gives. Choose smaller settings."}
`;
const PACKAGES = self.name ? self.name.split(" ") : [];

/** A look goes on with what was checked last, a part at a time, so that nothing else waits for long.
 * @typedef {{number: number, check?: string, look?: true, complete?: [string, number, number], pack?: [string, string],
 *   lint?: string, solve?: [string, any], module?: [string, any]}} Asked */

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

const started = startPython();

async function startPython() {
  const { loadPyodide } = await import(new URL("pyodide.mjs", HOME).href);
  const packed = loadArchive("oddsmith.zip");
  const python = await loadPyodide({ indexURL: HOME.href });
  python.unpackArchive(await packed, "zip", { extractDir: PLACE });
  python.runPython(`import sys; sys.path.insert(0, "${PLACE}")`);
  if (PACKAGES.length) await loadSolverPackages(python);
  python.runPython(GLUE + (PACKAGES.length ? SOLVING : ""));
  return python;
}

/** Load an archive. @param {string} name of an archive of ours */
async function loadArchive(name) {
  const answer = await fetch(new URL(name, HOME));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer.arrayBuffer();
}

/** A file to take away, and what is said of it. What only modules take is loaded for the first of them.
 * @param {any} python @param {string} fileKind @param {() => any} makeFile */
async function makeDownload(python, fileKind, makeFile) {
  if (fileKind === "foundry") {
    tabletops ??= loadArchive("foundry.zip").then((data) => {
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
  const [told, data] = makeFile();
  return { ...JSON.parse(told), data };
}

/** Load what solving takes. Pyodide tells what went wrong, and goes on. @param {any} python */
async function loadSolverPackages(python) {
  let whole = true;
  await python.loadPackage(PACKAGES, {
    messageCallback: (/** @type {string} */ loading) => postMessage({ loading }),
    errorCallback: () => (whole = false),
  });
  if (!whole) throw new Error("what solving takes could not be loaded from the network");
}

/** The last line of what Python says is the reason. @param {unknown} error */
const lastErrorLine = (error) =>
  String(error)
    .trim()
    .split("\n")
    .pop()
    ?.replace(/^Error: /, "");

started.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ broken: lastErrorLine(error) }),
);

onmessage = async ({ data }) => {
  const { number, check, look, complete, pack, lint, solve, module } = /** @type {Asked} */ (data);
  const python = await started.catch(() => null);
  if (!python) return; // why is told already
  const take = (/** @type {string} */ name) => python.globals.get(name);
  const say = (/** @type {string} */ part, /** @type {any} */ proof = null) =>
    postMessage({ number, part: { ...JSON.parse(part), ...(proof && { proof: proof.toJs() }) } });
  try {
    if (check !== undefined) take("check")(check, say);
    if (look) say(take("look")());
    if (complete) say(take("complete")(...complete));
    if (pack) postMessage({ number, part: await makeDownload(python, pack[0], () => take("pack")(...pack)) });
    if (lint !== undefined) say(take("lint")(lint));
    if (solve) take("solve")(solve[0], JSON.stringify(solve[1]), say);
    if (module) {
      const make = () => take("module")(module[0], JSON.stringify(module[1]), say);
      postMessage({ number, part: await makeDownload(python, "foundry", make) });
    }
    postMessage({ number, done: true });
  } catch (error) {
    postMessage({ number, broken: lastErrorLine(error) });
  }
};
