import { createHash } from 'node:crypto'
import type { ModelDocument } from './document.js'
import { isRecord } from './shape.js'

/** SHA-256 of the canonical form: keys in code point order, no white space. Yields between entries, so that a caller may pause. */
export function* contentHash(document: ModelDocument): Generator<undefined, string> {
  const hash = createHash('sha256')
  for (const section of Object.keys(document).sort()) {
    const value = (document as Readonly<Record<string, unknown>>)[section]
    if (!isRecord(value)) hash.update(`${JSON.stringify(section)}:${canonical(value)}\n`)
    else {
      hash.update(`${JSON.stringify(section)}:{\n`)
      for (const key of Object.keys(value).sort()) {
        hash.update(`${JSON.stringify(key)}:${canonical(value[key])}\n`)
        yield
      }
      hash.update('}\n')
    }
    yield
  }
  return hash.digest('hex')
}

/** JSON with sorted keys. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null'
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`
}
