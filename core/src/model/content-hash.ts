import { createHash } from 'node:crypto'
import type { ModelDocument } from './document.js'
import { isLarge } from './parse/portions.js'
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
        for (const piece of pieces(value[key], `${JSON.stringify(key)}:`)) {
          hash.update(piece)
          yield
        }
        hash.update('\n')
      }
      hash.update('}\n')
    }
    yield
  }
  return hash.digest('hex')
}

/** Characters of a piece. */
const PIECE = 16_384

/** A prefix and then the text of `canonical`; in pieces where it is large, such as a table of thousands of columns. */
function* pieces(value: unknown, before: string): Generator<string> {
  let piece = before
  for (const part of parts(value)) {
    piece += part
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  yield piece
}

function* parts(value: unknown): Generator<string> {
  if (!isRecord(value) || !isLarge(value)) return yield canonical(value)
  let before = '{'
  for (const key of Object.keys(value).sort()) {
    yield `${before}${JSON.stringify(key)}:`
    yield* parts(value[key])
    before = ','
  }
  yield '}'
}

/** JSON with sorted keys. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null'
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`
}
