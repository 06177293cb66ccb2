import { isRecord } from '../shape.js'
import { isLarge } from './portions.js'

/** The text of `JSON.stringify`, in pieces that are each written quickly: one call for a large document would block the event loop. */
export function* jsonPieces(value: unknown): Generator<string> {
  if (!isLarge(value)) return yield JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) {
    let before = '['
    for (const item of value) {
      yield before
      yield* jsonPieces(item)
      before = ','
    }
    return yield ']'
  }
  if (!isRecord(value)) return
  let before = '{'
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue
    yield `${before}${JSON.stringify(key)}:`
    yield* jsonPieces(item)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}
