import { type Document, isAlias, isCollection, isMap, isPair, isScalar, isSeq, type Node, parseDocument, type Scalar } from 'yaml'

export type Segments = readonly (string | number)[]

/** Offsets into the text: the first is included, the last is not. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A key with its value, or an item of a list. */
export interface Entry {
  readonly path: Segments
  readonly parent: Entry | undefined
  /** The children of a mapping. */
  readonly key: Scalar | undefined
  readonly value: Node | null
}

/** A model as the author has typed it so far, parsed as far as possible. */
export interface ModelText {
  readonly text: string
  readonly document: Document.Parsed
  /** Every key and item, in the order of the text. */
  readonly entries: readonly Entry[]
  /** By its dotted path, as findings name it. */
  readonly byPath: ReadonlyMap<string, Entry>
}

export function readModelText(text: string): ModelText {
  const document = parseDocument(text, { strict: false, uniqueKeys: false, logLevel: 'silent' })
  const root: Entry = { path: [], parent: undefined, key: undefined, value: document.contents }
  const entries = [root]
  collect(root, entries)
  const byPath = new Map<string, Entry>()
  for (const entry of entries) {
    const path = dotted(entry.path)
    if (!byPath.has(path)) byPath.set(path, entry)
  }
  return { text, document, entries, byPath }
}

/** `dimensions.Country.column`, `measures.Revenue.columns[0]`. */
export function dotted(path: Segments): string {
  return path.map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`)).join('')
}

/** The entry at a dotted path, or that of its nearest existing ancestor. */
export function entryAt({ byPath, entries }: ModelText, path: string): { readonly entry: Entry; readonly exact: boolean } {
  for (let cut = path.length; cut > 0; cut = Math.max(path.lastIndexOf('.', cut - 1), path.lastIndexOf('[', cut - 1))) {
    const entry = byPath.get(path.slice(0, cut))
    if (entry) return { entry, exact: cut === path.length }
  }
  return { entry: entries[0]!, exact: path === '' }
}

/** The innermost key or value at an offset. */
export function entryOver(model: ModelText, offset: number): { readonly entry: Entry; readonly on: 'key' | 'value' } | undefined {
  let found: { entry: Entry; on: 'key' | 'value' } | undefined
  for (const entry of model.entries) {
    if (entry.key && touches(spanOfNode(entry.key), offset)) found = { entry, on: 'key' }
    else if (isScalar(entry.value) && touches(spanOfNode(entry.value), offset)) found = { entry, on: 'value' }
  }
  return found
}

const touches = ({ from, to }: Span, offset: number): boolean => from <= offset && offset <= to

/** The node as written, quotes and all. */
export function spanOfNode(node: Node): Span {
  const [from = 0, to = 0] = node.range ?? []
  return { from, to }
}

/** The text of a scalar, without its quotes. */
export function contentOf(node: Scalar): Span {
  const { from, to } = spanOfNode(node)
  return isQuoted(node) ? { from: from + 1, to: Math.max(from + 1, to - 1) } : { from, to }
}

export const isQuoted = (node: Scalar): boolean => node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE'

/** The text of a scalar; `undefined` for anything else. */
export const textOf = (node: unknown): string | undefined => {
  if (!isScalar(node)) return undefined
  return typeof node.value === 'string' ? node.value : node.value === null ? undefined : String(node.source ?? node.value)
}

/** The entry of a key in the mapping of another. */
export const childOf = (model: ModelText, entry: Entry | undefined, key: string): Entry | undefined =>
  entry && model.byPath.get(dotted([...entry.path, key]))

function collect(parent: Entry, entries: Entry[]): void {
  const { value, path } = parent
  const add = (key: Scalar | undefined, name: string | number, child: unknown): void => {
    const entry: Entry = { path: [...path, name], parent, key, value: (child as Node | null) ?? null }
    entries.push(entry)
    if (isCollection(entry.value) && path.length < MAX_DEPTH) collect(entry, entries)
  }
  if (isMap(value)) {
    for (const pair of value.items) {
      if (isPair(pair) && isScalar(pair.key)) add(pair.key, textOf(pair.key) ?? '', isAlias(pair.value) ? null : pair.value)
    }
  } else if (isSeq(value)) for (const [i, item] of value.items.entries()) add(undefined, i, item)
}

const MAX_DEPTH = 100
