import { createHash } from 'node:crypto'
import type { ModelDocument } from './document.js'
import { isLarge } from './parse/portions.js'
import { isRecord } from './shape.js'

/** SHA-256 of the canonical form: keys in code point order, no white space. Yields between pieces, so that a caller may pause. */
export function* contentHash(document: ModelDocument): Generator<undefined, string> {
  const hash = createHash('sha256')
  let piece = ''
  for (const part of sections(document)) {
    piece += part
    if (piece.length < PIECE) continue
    hash.update(piece)
    piece = ''
    yield
  }
  return hash.update(piece).digest('hex')
}

/** The number of characters of a piece. */
const PIECE = 16_384

/** A line for each entry of a section. */
function* sections(document: ModelDocument): Generator<string> {
  for (const section of Object.keys(document).sort()) {
    const value = (document as Readonly<Record<string, unknown>>)[section]
    if (!isRecord(value)) yield `${JSON.stringify(section)}:${canonical(value)}\n`
    else {
      yield `${JSON.stringify(section)}:{\n`
      for (const key of Object.keys(value).sort()) {
        yield `${JSON.stringify(key)}:`
        yield* parts(value[key])
        yield '\n'
      }
      yield '}\n'
    }
  }
}

/** The text of `canonical`; in parts if it is large, such as a table of thousands of columns. */
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
  let text = '{'
  for (const key of Object.keys(value).sort()) text += `${text === '{' ? '' : ','}${JSON.stringify(key)}:${canonical(value[key])}`
  return `${text}}`
}
