// Takes the checker in JavaScript apart, one small change at a time, and asks whether the suite sees it.
//
// The first line of standard input is a job: checker, its path; every: only each N-th change; only: words in the names.
// Then follows the suite, a case on each line: its name and its path. On standard output, for each change: its name and
// the case that sees it, or null.

import { readFileSync } from "node:fs";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

const { default: ts } = isMainThread ? await import("typescript") : { default: null };
const TURNED = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "+": ["-"],
  "-": ["+"],
  "*": ["+"],
  "/": ["*"],
  "%": ["+"],
  "+=": ["-="],
  "&&": ["||"],
  "||": ["&&"],
  "??": ["&&"],
  "||=": ["&&="],
};
const NAMES = { every: "some", some: "every", min: "max", max: "min" };
const TIME = 20_000; // milliseconds for one change; the suite takes less than one second
const ROOM = 1024; // megabytes

/** The changes to a program: what each is called, the text that it leads to, and whether a refusal is taken out. */
function* changes(text) {
  const source = ts.createSourceFile("check.mjs", text, ts.ScriptTarget.Latest, true);
  const lines = text.split("\n");
  const found = [];
  const visit = (node, where) => {
    const at = lines[source.getLineAndCharacterOfPosition(node.getStart(source)).line].trim();
    const put = (what, from, to, by, weaker = false) =>
      found.push({
        name: `${where}: ${what} | ${at}`,
        text: text.slice(0, from.getStart(source)) + by + text.slice(to.end),
        weaker,
      });
    const kids = [];
    ts.forEachChild(node, (child) => void kids.push(child));
    each(node, put, source);
    const named = (ts.isFunctionLike(node) || ts.isClassLike(node) || ts.isVariableDeclaration(node)) && node.name;
    const inside = named && ts.isIdentifier(node.name) && !/^[A-Z]/.test(node.name.text) ? node.name.text : where;
    for (const child of kids)
      if (!skipped(child)) visit(child, ts.isConstructorDeclaration(child) ? "constructor" : inside);
  };
  visit(source, "");
  yield* found;
}

/** Words for people, types of errors, and what only runs as a program. */
function skipped(node) {
  if (ts.isIfStatement(node)) return node.expression.getText().includes("import.meta");
  return ts.isTemplateExpression(node) || ts.isThrowStatement(node) || ts.isStringLiteral(node);
}

function each(node, put, source) {
  const words = (part) => part.getText(source);
  if (ts.isBinaryExpression(node)) {
    const operator = words(node.operatorToken);
    for (const other of TURNED[operator] ?? [])
      put(`${operator} to ${other}`, node.operatorToken, node.operatorToken, other);
    if (["&&", "||", "??"].includes(operator))
      for (const [part, kept] of Object.entries({ left: node.left, right: node.right }))
        put(`${operator} only ${part}`, node, node, `(${words(kept)})`);
  } else if (ts.isPrefixUnaryExpression(node)) {
    put(`without ${ts.tokenToString(node.operator)}`, node, node, `(${words(node.operand)})`);
  } else if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node)) {
    const end = ts.isBigIntLiteral(node) ? "n" : "";
    for (const by of [1n, -1n]) {
      const other = BigInt(words(node).replace(/[n_]/g, "")) + by;
      put(`${words(node)} ${by < 0 ? "- 1" : "+ 1"}`, node, node, `(${other}${end})`);
    }
  } else if ([ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword].includes(node.kind)) {
    put(`${words(node)} turned`, node, node, String(words(node) !== "true"));
  } else if (ts.isConditionalExpression(node)) {
    put("always", node, node, `(${words(node.whenTrue)})`);
    put("never", node, node, `(${words(node.whenFalse)})`);
  } else if (ts.isIfStatement(node)) {
    put("never", node.expression, node.expression, "false");
    put("always", node.expression, node.expression, "true");
  } else if (ts.isExpressionStatement(node)) {
    put("left out", node, node, ";", words(node).startsWith("ensure"));
  } else if (ts.isIdentifier(node) && NAMES[node.text] && ts.isPropertyAccessExpression(node.parent)) {
    put(`${node.text} to ${NAMES[node.text]}`, node, node, NAMES[node.text]);
  }
}

// --- what a program says of the suite

const plain = (proof) =>
  JSON.stringify(proof, (key, value) =>
    key === "header" ? undefined : typeof value === "bigint" ? `${value}` : value,
  );

async function outcome(check, CertificateError, file) {
  try {
    return { refused: "", proves: plain(await check(file)) };
  } catch (error) {
    return error instanceof CertificateError ? { refused: error.message } : { broken: true };
  }
}

/** Whether a changed program says something else. One that refuses less must accept what the checker refuses. */
function differs(before, found, weaker) {
  if (found.broken) return true;
  if (weaker && before.refused) return !found.refused;
  return before.refused !== found.refused || before.proves !== found.proves;
}

const module = (text) => import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`);

if (!isMainThread) {
  const { text, weaker, suite } = workerData;
  const { checkCertificate: check, CertificateError } = await module(text).catch(() => ({}));
  const bytes = (path) => new Uint8Array(readFileSync(path));
  let seen = check ? null : "it cannot be loaded";
  for (const { name, path, said } of check ? suite : [])
    if (differs(said, await outcome(check, CertificateError, bytes(path)), weaker)) {
      seen = name;
      break;
    }
  parentPort.postMessage(seen);
} else {
  const [job, ...cases] = readFileSync(0, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const program = readFileSync(job.checker, "utf8");
  const { checkCertificate: check, CertificateError } = await module(program);
  let suite = [];
  for (const { name, path } of cases)
    suite.push({ name, path, said: await outcome(check, CertificateError, new Uint8Array(readFileSync(path))) });
  const wanted = [...changes(program)].filter(
    ({ name }, number) => name.includes(job.only) && number % job.every === 0,
  );
  for (const { name, text, weaker } of wanted) {
    const seen = await new Promise((go) => {
      const workerData = { text, weaker, suite };
      const worker = new Worker(new URL(import.meta.url), {
        workerData,
        resourceLimits: { maxOldGenerationSizeMb: ROOM },
      });
      const late = setTimeout(() => void worker.terminate().then(() => go("it was stopped")), TIME);
      const end = (what) => (clearTimeout(late), go(what), void worker.terminate());
      worker.once("message", end).once("error", () => end("it broke off"));
    });
    // What saw one change is likely to see the next.
    if (seen) suite = [...suite.filter((one) => one.name === seen), ...suite.filter((one) => one.name !== seen)];
    console.log(JSON.stringify({ name, seen }));
  }
}
