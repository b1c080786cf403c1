// Starts `ggp lsp` for rule sheets and scripts. The program itself is not part of this extension: the setting `ggp.path`
// names it.

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

/** Starts the language server. */
function start() {
  const command = vscode.workspace.getConfiguration("ggp").get("path", "ggp");
  const server = { command, args: ["lsp"] };
  const documentSelector = [{ language: "gdl" }, { language: "ggp-query" }];
  client = new LanguageClient("ggp", "ggp", server, { documentSelector });
  return client.start().catch((error) => {
    vscode.window.showErrorMessage(`GDL: \`${command} lsp\` does not start: ${error.message}`);
  });
}

/** Begins when the first rule sheet or script is opened. */
async function activate(context) {
  const restart = async () => {
    await client?.stop();
    await start();
  };
  context.subscriptions.push(vscode.commands.registerCommand("ggp.restart", restart));
  await start();
}

/** Ends the server. */
function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
