// Solves games in a Pyodide that has NumPy and SciPy, under Node, and says their answers.
//
//   node tests/wasm/solve.mjs '{"pyodide": "FOLDER", "app": "FOLDER", "program": "..."}'
//
// app: what Python imports from. The program prints lines of JSON.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const job = JSON.parse(process.argv[2] ?? readFileSync(0, "utf8"));
const { loadPyodide } = await import(pathToFileURL(join(job.pyodide, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: `${job.pyodide}/`, packageCacheDir: `${job.pyodide}/` });
await python.loadPackage(["numpy", "scipy", "threadpoolctl"], { messageCallback() {} });
python.FS.mkdirTree("/app");
python.FS.mount(python.FS.filesystems.NODEFS, { root: job.app }, "/app");
python.runPython(`import sys; sys.path.insert(0, "/app")`);
try {
  python.runPython(job.program);
} catch (error) {
  console.error(error.message); // and not the code of Pyodide, which is one long line
  process.exit(1);
}
