// A small VS Code extension: it starts `grainline lsp` and sends it the YAML documents. The server answers only for models.
const { workspace } = require('vscode')
const { LanguageClient } = require('vscode-languageclient/node')

let client

exports.activate = async () => {
  const [command, ...args] = workspace.getConfiguration('grainline').get('command')
  const cwd = workspace.workspaceFolders?.[0]?.uri.fsPath
  client = new LanguageClient(
    'grainline',
    'Grainline',
    { command, args, options: { cwd, shell: process.platform === 'win32' } },
    { documentSelector: [{ language: 'yaml' }, { scheme: 'file', pattern: '**/model.json' }] },
  )
  await client.start()
}

exports.deactivate = () => client?.stop()
