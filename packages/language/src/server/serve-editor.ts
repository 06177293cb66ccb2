import { fileURLToPath } from 'node:url'
import {
  CodeActionKind,
  CompletionItemKind,
  type Connection,
  createConnection,
  DiagnosticSeverity,
  type DocumentSymbol,
  type InitializeResult,
  ResponseError,
  SymbolKind,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import {
  type CompletionKind,
  completionsAt,
  type Diagnostic,
  definitionAt,
  diagnosticsOf,
  formatEdits,
  hoverAt,
  type OutlineItem,
  outlineOf,
  readModelText,
  referencesAt,
  renameAt,
  renameSpanAt,
  type Span,
  type TextEdit,
} from '../index.js'
import type { LanguageHost } from './language-host.js'

export interface EditorSession {
  /** Opened once, when the first document needs it. */
  readonly host: () => Promise<LanguageHost>
}

/** Speaks the Language Server Protocol over stdio until the editor sends `exit`; does not resolve before that. */
export function serveEditor({ host: open }: EditorSession): Promise<number> {
  const connection = createConnection(process.stdin, process.stdout)
  const documents = new TextDocuments(TextDocument)
  const held = new Map<string, { readonly version: number; readonly diagnostics: readonly Diagnostic[] }>()
  let opened: Promise<LanguageHost> | undefined
  const host = () => {
    opened ??= open()
    return opened
  }
  connection.onInitialize(() => CAPABILITIES)
  documents.onDidChangeContent(({ document }) => void check(document))
  documents.onDidClose(({ document }) => {
    held.delete(document.uri)
    void connection.sendDiagnostics({ uri: document.uri, diagnostics: [] })
  })
  answer(connection, { documents, host, diagnosticsOf: (uri) => held.get(uri)?.diagnostics ?? [] })
  connection.onShutdown(async () => (await opened)?.close())
  documents.listen(connection)
  connection.listen()
  return new Promise(() => {})

  async function check(document: TextDocument): Promise<void> {
    const { uri, version } = document
    const text = document.getText()
    try {
      const findings = isModel(uri, text) ? await (await host()).check(fileOf(uri), text) : []
      if (documents.get(uri)?.version !== version) return
      const diagnostics = diagnosticsOf(readModelText(text), findings)
      held.set(uri, { version, diagnostics })
      await connection.sendDiagnostics({ uri, version, diagnostics: diagnostics.map((each) => published(each, document)) })
    } catch (error) {
      connection.window.showErrorMessage(`Grainline cannot check this model: ${(error as Error).message}`)
    }
  }
}

const CAPABILITIES: InitializeResult = {
  serverInfo: { name: 'grainline' },
  capabilities: {
    textDocumentSync: TextDocumentSyncKind.Incremental,
    completionProvider: { triggerCharacters: ['{', '[', '.', ' ', "'"] },
    hoverProvider: true,
    definitionProvider: true,
    referencesProvider: true,
    renameProvider: { prepareProvider: true },
    documentSymbolProvider: true,
    documentFormattingProvider: true,
    codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
  },
}

interface Answering {
  readonly documents: TextDocuments<TextDocument>
  readonly host: () => Promise<LanguageHost>
  readonly diagnosticsOf: (uri: string) => readonly Diagnostic[]
}

interface At {
  readonly textDocument: { readonly uri: string }
  readonly position: { readonly line: number; readonly character: number }
}

function answer(connection: Connection, { documents, host, diagnosticsOf }: Answering): void {
  /** The document, if it is a model; all others belong to other servers. */
  const modelOf = (uri: string) => {
    const document = documents.get(uri)
    return document && isModel(uri, document.getText()) ? document : undefined
  }
  const at = ({ textDocument: { uri }, position }: At) => {
    const document = modelOf(uri)
    return document && { document, uri, text: document.getText(), offset: document.offsetAt(position) }
  }
  connection.onCompletion(async (request) => {
    const place = at(request)
    if (!place) return []
    const items = completionsAt(place.text, place.offset, (await host()).language)
    return items.map(({ label, kind, detail, documentation, span, text }) => ({
      label,
      kind: ITEM_KINDS[kind],
      ...(detail !== undefined && { detail }),
      ...(documentation !== undefined && { documentation }),
      filterText: place.text.slice(span.from, span.to) === '' ? label : text,
      textEdit: edit(place.document)({ ...span, text }),
    }))
  })
  connection.onHover(async (request) => {
    const place = at(request)
    const found = place && hoverAt(readModelText(place.text), place.offset, (await host()).language)
    return place && found ? { contents: { kind: 'markdown', value: found.text }, range: rangeOf(found, place.document) } : null
  })
  connection.onDefinition((request) => {
    const place = at(request)
    const found = place && definitionAt(readModelText(place.text), place.offset)
    return place && found ? { uri: place.uri, range: rangeOf(found, place.document) } : null
  })
  connection.onReferences((request) => {
    const place = at(request)
    if (!place) return []
    const all = referencesAt(readModelText(place.text), place.offset)
    return all
      .filter(({ declares }) => request.context.includeDeclaration || !declares)
      .map((span) => ({ uri: place.uri, range: rangeOf(span, place.document) }))
  })
  connection.onPrepareRename((request) => {
    const place = at(request)
    const found = place && renameSpanAt(readModelText(place.text), place.offset)
    return place && found ? { range: rangeOf(found, place.document), placeholder: found.name } : null
  })
  connection.onRenameRequest((request) => {
    const place = at(request)
    if (!place) return null
    const renaming = renameAt(readModelText(place.text), place.offset, request.newName)
    if ('refused' in renaming) return new ResponseError(REQUEST_FAILED, renaming.refused)
    return { changes: { [place.uri]: renaming.edits.map(edit(place.document)) } }
  })
  connection.onDocumentSymbol(({ textDocument: { uri } }) => {
    const document = modelOf(uri)
    return document ? outlineOf(readModelText(document.getText())).map((item) => symbolOf(item, document)) : []
  })
  connection.onDocumentFormatting(({ textDocument: { uri } }) => {
    const document = modelOf(uri)
    return document ? formatEdits(readModelText(document.getText())).map(edit(document)) : []
  })
  connection.onCodeAction(({ textDocument: { uri }, range }) => {
    const document = modelOf(uri)
    if (!document) return []
    const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)]
    const touched = diagnosticsOf(uri).filter((each) => each.from <= to && from <= each.to)
    return touched.flatMap((diagnostic) =>
      diagnostic.fixes.map(({ title, edits }, i) => ({
        title,
        kind: CodeActionKind.QuickFix,
        isPreferred: i === 0,
        diagnostics: [published(diagnostic, document)],
        edit: { changes: { [uri]: edits.map(edit(document)) } },
      })),
    )
  })
}

/** The protocol's code for a valid request that cannot be fulfilled. */
const REQUEST_FAILED = -32803

const rangeOf = ({ from, to }: Span, document: TextDocument) => ({
  start: document.positionAt(from),
  end: document.positionAt(to),
})

const edit = (document: TextDocument) => (change: TextEdit) => ({ range: rangeOf(change, document), newText: change.text })

function published(diagnostic: Diagnostic, document: TextDocument) {
  const { severity, code, message, hint } = diagnostic
  return {
    range: rangeOf(diagnostic, document),
    severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    code,
    source: 'grainline',
    message: hint === undefined ? message : `${message}. ${hint}`,
  }
}

const ITEM_KINDS: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  key: CompletionItemKind.Property,
  value: CompletionItemKind.EnumMember,
  object: CompletionItemKind.Class,
  column: CompletionItemKind.Field,
  field: CompletionItemKind.Variable,
  function: CompletionItemKind.Function,
  segment: CompletionItemKind.Constant,
  calendar: CompletionItemKind.Constant,
  parameter: CompletionItemKind.Variable,
}

const SYMBOL_KINDS: Readonly<Record<string, SymbolKind>> = {
  section: SymbolKind.Namespace,
  dataObjects: SymbolKind.Class,
  columns: SymbolKind.Field,
  dimensions: SymbolKind.Enum,
  measures: SymbolKind.Number,
  metrics: SymbolKind.Function,
  segments: SymbolKind.Constant,
  calendars: SymbolKind.Constant,
  parameters: SymbolKind.Variable,
  examples: SymbolKind.Event,
  tests: SymbolKind.Event,
}

function symbolOf({ name, kind, detail, span, nameSpan, children }: OutlineItem, document: TextDocument): DocumentSymbol {
  return {
    name: name === '' ? '(no name)' : name,
    kind: SYMBOL_KINDS[kind] ?? SymbolKind.Key,
    ...(detail !== undefined && { detail }),
    range: rangeOf(span, document),
    selectionRange: rangeOf(nameSpan, document),
    children: children.map((child) => symbolOf(child, document)),
  }
}

/** A document that was never saved has no folder. */
const fileOf = (uri: string): string => (uri.startsWith('file:') ? fileURLToPath(uri) : `${process.cwd()}/model.yaml`)

/** Whether a document is a model and not another YAML file: by its name, its schema, or its declarations. */
function isModel(uri: string, text: string): boolean {
  if (/(^|[/.])model\.(ya?ml|json)$/i.test(uri)) return true
  return (
    /^\s*#\s*yaml-language-server:.*\$schema=\S*model\.json/m.test(text.slice(0, BEGINNING)) ||
    /^["']?dataObjects["']?\s*:/m.test(text)
  )
}

const BEGINNING = 1_000
