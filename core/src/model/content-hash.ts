import { sha256 } from '../sha256.js'
import type { ModelDocument } from './document.js'
import { isLarge } from './parse/portions.js'
import { isRecord } from './shape.js'

/** SHA-256 of the canonical form: keys in code point order, no white space. Yields between pieces, so that a caller may pause. */
export function* contentHash(document: ModelDocument): Generator<undefined, string> {
  const hash = sha256()
  let piece = ''
  for (const part of sections(document)) {
    piece += part
    if (piece.length < PIECE) continue
    hash.update(piece)
    piece = ''
    yield
  }
  hash.update(piece)
  return hash.hex()
}

/** The number of characters of a piece. */
const PIECE = 16_384

/** A line for each entry of a section. */
function* sections(document: ModelDocument): Generator<string> {
  for (const section of sortedKeys(document)) {
    const value = (document as Readonly<Record<string, unknown>>)[section]
    if (!isRecord(value)) yield `${JSON.stringify(section)}:${canonical(value)}\n`
    else {
      yield `${JSON.stringify(section)}:{\n`
      for (const key of sortedKeys(value)) {
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
  for (const key of sortedKeys(value)) {
    yield `${before}${JSON.stringify(key)}:`
    yield* parts(value[key])
    before = ','
  }
  yield '}'
}

/** Most values have a few keys, and sorting a list takes as long as hashing them. */
function sortedKeys(value: object): readonly string[] {
  const keys = Object.keys(value)
  if (keys.length > FEW_KEYS) return keys.sort()
  for (let i = 1; i < keys.length; i++) {
    for (let at = i; at > 0 && keys[at]! < keys[at - 1]!; at--) [keys[at - 1], keys[at]] = [keys[at]!, keys[at - 1]!]
  }
  return keys
}

const FEW_KEYS = 8

/** JSON with sorted keys. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null'
  let text = '{'
  for (const key of sortedKeys(value)) text += `${text === '{' ? '' : ','}${JSON.stringify(key)}:${canonical(value[key])}`
  return `${text}}`
}
