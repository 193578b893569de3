// Starts `oddsmith lsp` and hands it the rulesets that are open. All that is known of rulesets, the server knows.

const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const HELP = "Install it with: pip install 'oddsmith[lsp]'. The setting oddsmith.command names it, if it is elsewhere.";

/** @type {LanguageClient | undefined} */
let client;

/** Start the server, with the settings as they are now. */
async function start() {
  const settings = workspace.getConfiguration("oddsmith");
  const [command = "oddsmith", ...args] = settings.get("command", ["oddsmith", "lsp"]);
  client = new LanguageClient(
    "oddsmith",
    "Oddsmith",
    { command, args },
    {
      documentSelector: [{ language: "oddsmith" }, { language: "yaml" }],
      initializationOptions: { answers: settings.get("answers", "above") },
    },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    window.showErrorMessage(`Oddsmith's language server, ${command}, did not start: ${error}. ${HELP}`);
  }
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

async function restart() {
  await stop();
  await start();
}

/** @param {import("vscode").ExtensionContext} context */
async function activate(context) {
  context.subscriptions.push(
    commands.registerCommand("oddsmith.restart", restart),
    workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("oddsmith") && restart()),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
