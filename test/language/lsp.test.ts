/** `grainline lsp` as an editor starts it, driven by the protocol library of VS Code. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import t from 'tap'
import {
  CodeActionRequest,
  CompletionRequest,
  createProtocolConnection,
  DefinitionRequest,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DocumentFormattingRequest,
  DocumentSymbolRequest,
  ExitNotification,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  PrepareRenameRequest,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  ReferencesRequest,
  RenameRequest,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node'
import { commerce, edited } from '../support/model-faults.js'

const bin = fileURLToPath(new URL('../../config/bin.mjs', import.meta.url))
const folder = await mkdtemp(path.join(os.tmpdir(), 'grainline-lsp-'))
const args = ['--conditions=@grainline/source', '--import', new URL('../bundled.mjs', import.meta.url).href, bin, 'lsp']
const server = spawn(process.execPath, args, { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
const ended = once(server, 'close')
const client = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin))
const said: PublishDiagnosticsParams[] = []
let heard = () => {}
client.onNotification(PublishDiagnosticsNotification.type, (params) => {
  said.push(params)
  heard()
})
client.listen()

/** The diagnostics of the server for a version of a document. */
async function diagnostics(uri: string, version: number): Promise<PublishDiagnosticsParams> {
  for (;;) {
    const found = said.find((each) => each.uri === uri && each.version === version)
    if (found) return found
    await new Promise<void>((resolve) => {
      heard = resolve
    })
  }
}

const uriOf = (name: string): string => pathToFileURL(path.join(folder, name)).href
const uri = uriOf('shop.yaml')
const textDocument = { uri }
const spoiled = edited('joinTo: Customers', 'joinTo: Customer')

/** The position of some words, plus one character. */
function at(text: string, words: string): { line: number; character: number } {
  const before = text.slice(0, text.indexOf(words) + 1).split('\n')
  return { line: before.length - 1, character: before.at(-1)!.length }
}

t.test('the server starts and announces its capabilities', async (t) => {
  const { capabilities } = await client.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
  })
  t.match(capabilities, { hoverProvider: true, documentFormattingProvider: true, renameProvider: { prepareProvider: true } })
  await client.sendNotification(InitializedNotification.type, {})
})

t.test('a model is checked when it is opened and when it changes', async (t) => {
  const open = (name: string, text: string) =>
    client.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri: uriOf(name), languageId: 'yaml', version: 1, text },
    })
  await open('shop.yaml', spoiled)
  const { diagnostics: found } = await diagnostics(uri, 1)
  t.equal(found.length, 1)
  const { line, character } = at(spoiled, 'Customer\n')
  t.match(found[0], {
    code: 'UNKNOWN_JOIN_TARGET',
    source: 'grainline',
    severity: 1,
    range: { start: { line, character: character - 1 }, end: { line, character: character + 7 } },
  })

  t.test('the suggested fix is offered as a code action', async (t) => {
    const actions = await client.sendRequest(CodeActionRequest.type, {
      textDocument,
      range: found[0]!.range,
      context: { diagnostics: found },
    })
    t.match(actions, [
      { title: "Replace with 'Customers'", isPreferred: true, edit: { changes: { [uri]: [{ newText: 'Customers' }] } } },
    ])
  })

  t.test('incremental changes are applied, and an example that no longer compiles is marked', async (t) => {
    const text = edited('measures: [Revenue]', 'measures: [Revenu]')
    await client.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text }],
    })
    t.match((await diagnostics(uri, 2)).diagnostics, [{ code: 'INVALID_EXAMPLE', severity: 2 }])
    await client.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version: 3 },
      contentChanges: [{ text: commerce }],
    })
    t.same((await diagnostics(uri, 3)).diagnostics, [])
  })

  t.test('the parent of a model is read from its folder', async (t) => {
    await writeFile(path.join(folder, 'base.yaml'), commerce)
    await open(
      'child.model.yaml',
      'inherits: base.yaml\nmeasures:\n  Most: {aggregation: max, columns: [{dataObject: Orders, column: Amuont}]}\n',
    )
    t.match((await diagnostics(uriOf('child.model.yaml'), 1)).diagnostics, [
      { code: 'UNKNOWN_COLUMN', range: { start: { line: 2 } } },
    ])
  })

  t.test('other YAML files are ignored', async (t) => {
    await open('compose.yaml', 'services:\n  web: {image: x}\n')
    t.same((await diagnostics(uriOf('compose.yaml'), 1)).diagnostics, [])
    t.same(
      await client.sendRequest(CompletionRequest.type, {
        textDocument: { uri: uriOf('compose.yaml') },
        position: { line: 1, character: 3 },
      }),
      [],
    )
  })
})

t.test('requests about a position are answered', async (t) => {
  const place = { textDocument, position: at(commerce, 'Customers\n        columnsFrom') }
  t.match(await client.sendRequest(HoverRequest.type, place), { contents: { value: /\*\*Customers\*\*/ } })
  t.match(await client.sendRequest(DefinitionRequest.type, place), { uri, range: { start: { line: 3, character: 2 } } })
  t.equal((await client.sendRequest(ReferencesRequest.type, { ...place, context: { includeDeclaration: false } }))?.length, 4)
  const items = await client.sendRequest(CompletionRequest.type, place)
  t.ok(Array.isArray(items) && items.some(({ label }) => label === 'Orders'))
  t.match(await client.sendRequest(PrepareRenameRequest.type, place), { placeholder: 'Customers' })
  const renamed = await client.sendRequest(RenameRequest.type, { ...place, newName: 'Clients' })
  t.equal(renamed?.changes?.[uri]?.length, 5)
  await t.rejects(client.sendRequest(RenameRequest.type, { ...place, newName: 'Orders' }), { message: /is there already/ })
})

t.test('requests about a document are answered', async (t) => {
  t.match(await client.sendRequest(DocumentSymbolRequest.type, { textDocument }), [
    { name: 'dataObjects', children: [{ name: 'Customers' }, { name: 'Orders' }] },
  ])
  t.same(
    await client.sendRequest(DocumentFormattingRequest.type, { textDocument, options: { tabSize: 2, insertSpaces: true } }),
    [],
  )
})

t.test('the server ends after the exit message', async (t) => {
  await client.sendRequest(ShutdownRequest.type)
  await client.sendNotification(ExitNotification.type)
  t.same(await ended, [0, null])
  client.dispose()
})
