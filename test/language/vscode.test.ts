/** The extension of VS Code as VS Code loads it, and the server that it starts. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import {
  createProtocolConnection,
  ExitNotification,
  InitializeRequest,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node'

const root = path.resolve(import.meta.dirname, '../..')
const extension = path.join(root, 'examples/editors/vscode')
const manifest = JSON.parse(readFileSync(path.join(extension, 'package.json'), 'utf8')) as {
  readonly main: string
  readonly contributes: {
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly default: string[] }>> }
  }
}
const command = manifest.contributes.configuration.properties['grainline.command']!.default

/** The calls that the extension makes to the editor and to its language client, one line each. */
const EDITOR = `
  const Module = require('node:module')
  const [, main, command, cwd] = process.argv
  const say = (what) => console.log(JSON.stringify(what))
  const modules = {
    vscode: {
      workspace: { getConfiguration: () => ({ get: () => JSON.parse(command) }), workspaceFolders: [{ uri: { fsPath: cwd } }] },
    },
    'vscode-languageclient/node': {
      LanguageClient: class {
        constructor(id, name, server, client) { say({ id, server, client }) }
        async start() { say('started') }
        async stop() { say('stopped') }
      },
    },
  }
  const load = Module._load
  Module._load = (name, ...rest) => modules[name] ?? load(name, ...rest)
  const extension = require(main)
  extension.activate().then(() => extension.deactivate())
`

t.test('the extension starts the configured command in the open folder, for YAML, and stops it', async (t) => {
  const main = path.join(extension, manifest.main)
  const out = execFileSync(process.execPath, ['-e', EDITOR, main, JSON.stringify(command), root], { encoding: 'utf8' })
  const [client, ...then] = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  t.match(client, {
    server: { command: command[0], args: command.slice(1), options: { cwd: root } },
    client: { documentSelector: [{ language: 'yaml' }, { pattern: '**/model.json' }] },
  })
  t.same(then, ['started', 'stopped'])
})

t.test('that command is a language server in a folder that has Grainline installed', async (t) => {
  const [file = '', ...args] = command
  const server = spawn(file, args, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(server, 'close')
  const connection = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin))
  connection.listen()
  const { capabilities } = await connection.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
  })
  t.match(capabilities, { hoverProvider: true, renameProvider: Object })
  await connection.sendRequest(ShutdownRequest.type)
  await connection.sendNotification(ExitNotification.type)
  t.same(await ended, [0, null])
})
