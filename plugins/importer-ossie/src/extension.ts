/** What only this server says of a model: an extension that contains the document, and tells whether the rest was changed since. */
import { createHash } from 'node:crypto'

type Data = Readonly<Record<string, unknown>>

export const VENDOR = 'GRAINLINE'

/** The extension of a semantic model without it. */
export const extensionOf = (model: Data, document: Data): Data => ({
  vendor_name: VENDOR,
  data: JSON.stringify({ version: 1, digest: digestOf(model), document }),
})

/** The document of an extension; `undefined` if the model was changed since, or the extension is none of ours. */
export function documentIn(model: Data): Data | undefined {
  const data = ownNote(model)
  if (data === undefined) return undefined
  const { version, digest, document } = parsed(data)
  if (version !== 1 || digest !== digestOf(model) || !isMapping(document)) return undefined
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
function digestOf(model: Data): string {
  const { custom_extensions: _, ...rest } = model
  const others = listOf(model).filter((each) => !(isMapping(each) && each['vendor_name'] === VENDOR))
  return createHash('sha256')
    .update(JSON.stringify(sorted([rest, others])))
    .digest('hex')
}

/** The order of keys says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isMapping(value)) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => [key, sorted(each)])
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
