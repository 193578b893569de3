// VS Code, as far as the extension can tell. Its client starts the command that it is given, and speaks with it.
// Jobs are settings, one line of JSON each; so are answers: what the server said of itself, and what VS Code showed.

import { spawn } from "node:child_process";
import { once } from "node:events";
import Module, { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(import.meta.url);
const EXTENSION = new URL("../../site/vscode/extension.js", import.meta.url).pathname;

let settings = {};
let seen = {};
const registered = {};
const listeners = [];

const vscode = {
  workspace: {
    getConfiguration: (room) => ({ get: (name, otherwise) => settings[`${room}.${name}`] ?? otherwise }),
    onDidChangeConfiguration: (listener) => listeners.push(listener),
  },
  window: { showErrorMessage: (text) => (seen.shown = text) },
  commands: { registerCommand: (name, action) => (registered[name] = action) },
};

/** A client with the face of the real one. */
class LanguageClient {
  constructor(id, name, server, options) {
    Object.assign(this, { id, name, server, options });
  }

  async start() {
    this.process = spawn(this.server.command, this.server.args, { stdio: ["pipe", "pipe", "inherit"] });
    await Promise.race([
      once(this.process, "spawn"),
      once(this.process, "error").then(([error]) => Promise.reject(error)),
    ]);
    const capabilities = { textDocument: { codeLens: {} } };
    const { initializationOptions } = this.options;
    const said = await this.ask(1, "initialize", {
      processId: null,
      rootUri: null,
      capabilities,
      initializationOptions,
    });
    this.send({ method: "initialized", params: {} });
    (seen.started ??= []).push({ server: said.serverInfo.name, options: this.options });
  }

  async stop() {
    await this.ask(2, "shutdown", null);
    this.send({ method: "exit" });
    const [code] = await once(this.process, "exit");
    (seen.ended ??= []).push(code);
  }

  send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.process.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.process.stdin.write(body);
  }

  async ask(id, method, params) {
    this.send({ id, method, params });
    let heard = Buffer.alloc(0);
    for (;;) {
      const [part] = await once(this.process.stdout, "data");
      heard = Buffer.concat([heard, part]);
      const head = heard.indexOf("\r\n\r\n");
      const length = Number(/Content-Length: (\d+)/i.exec(heard.toString("latin1"))?.[1]);
      if (head >= 0 && heard.length >= head + 4 + length) {
        return JSON.parse(heard.subarray(head + 4, head + 4 + length).toString()).result;
      }
    }
  }
}

const load = Module._load;
Module._load = (name, ...more) =>
  ({ vscode, "vscode-languageclient/node": { LanguageClient } })[name] ?? load(name, ...more);
const { activate, deactivate } = require(EXTENSION);

for await (const line of createInterface({ input: process.stdin })) {
  seen = {};
  settings = JSON.parse(line);
  const context = { subscriptions: [] };
  await activate(context);
  if (!seen.shown) {
    await registered["oddsmith.restart"]();
  }
  await deactivate();
  console.log(JSON.stringify({ ...seen, commands: Object.keys(registered), listens: listeners.length }));
}
