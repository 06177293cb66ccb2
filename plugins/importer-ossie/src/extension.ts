/** What only this server says of a model: an extension that contains the document, and tells whether the rest was changed since. */
import { createHash } from 'node:crypto'

type Data = Readonly<Record<string, unknown>>

export const VENDOR = 'GRAINLINE'

/** The extension of a semantic model without it. Its steps are short: a client chooses how long a model is. */
export function* extensionOf(model: Data, document: Data): Generator<void, Data> {
  const digest = yield* digestOf(model)
  return { vendor_name: VENDOR, data: JSON.stringify({ version: 1, digest, document }) }
}

/** The document of an extension; `undefined` if the model was changed since, or the extension is none of ours. */
export function documentIn(model: Data): Data | undefined {
  const data = ownNote(model)
  if (data === undefined) return undefined
  const { version, digest, document } = parsed(data)
  if (version !== 1 || digest !== resultOf(digestOf(model)) || !isMapping(document)) return undefined
  // An imported model names no files.
  return Object.hasOwn(document, 'extends') || Object.hasOwn(document, 'inherits') ? undefined : document
}

/** The text of our extension. */
export function ownNote(model: Data): string | undefined {
  const note = listOf(model).find((each) => isMapping(each) && each['vendor_name'] === VENDOR)
  const data = isMapping(note) ? note['data'] : undefined
  return typeof data === 'string' ? data : undefined
}

/** Equal for models that say the same in every place but our extension. */
function* digestOf(model: Data): Generator<void, string> {
  const { custom_extensions: _, ...rest } = model
  const others = listOf(model).filter((each) => !(isMapping(each) && each['vendor_name'] === VENDOR))
  const hash = createHash('sha256')
  for (const text of jsonOf([rest, others], DEEP)) {
    hash.update(text)
    yield
  }
  return hash.digest('hex')
}

/** A field is one piece: it is below the list of fields, a dataset, the list of datasets, the model, and the pairs of both mappings. */
const DEEP = 7

/** JSON in pieces. A mapping is the list of its pairs, because the order of keys says nothing. */
function* jsonOf(value: unknown, depth: number): Generator<string> {
  const parts = isMapping(value) ? pairsOf(value) : value
  if (depth === 0 || !Array.isArray(parts)) return yield JSON.stringify(sorted(value)) ?? 'null'
  yield '['
  for (const [at, part] of parts.entries()) {
    if (at > 0) yield ','
    yield* jsonOf(part, depth - 1)
  }
  yield ']'
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  return isMapping(value) ? pairsOf(value).map(sorted) : value
}

const pairsOf = (value: Data): readonly (readonly [string, unknown])[] =>
  Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))

function resultOf<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

const listOf = (model: Data): readonly unknown[] => {
  const list = model['custom_extensions']
  return Array.isArray(list) ? list : []
}

function parsed(text: string): Data {
  try {
    const value: unknown = JSON.parse(text)
    return isMapping(value) ? value : {}
  } catch {
    return {}
  }
}

const isMapping = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)
