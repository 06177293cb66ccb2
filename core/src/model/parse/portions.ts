/**
 * Large documents are sent from one thread to another in portions. A message is deserialized in one step, before any code of ours runs, so
 * a message with tens of thousands of columns would block the event loop.
 */
import { isRecord } from '../shape.js'
import { setOwn } from './yaml.js'

/** Entries of the record at this path, in order. A large record is empty there; its entries follow later. */
export interface Portion {
  readonly path: readonly string[]
  readonly entries: Readonly<Record<string, unknown>>
}

/** Values in one portion; deserializing so many takes a millisecond or two. */
export const MOST_VALUES = 2000
/** Sections, their entries, the columns of a table, and their contents. */
const MOST_LEVELS = 4

/** The document in portions; undefined if it is small enough to be sent in one piece. */
export function* portionsOf(document: Readonly<Record<string, unknown>>): Generator<Portion> {
  if (isLarge(document)) yield* split(document, [])
}

function* split(record: Readonly<Record<string, unknown>>, path: readonly string[]): Generator<Portion> {
  const later: [key: string, record: Readonly<Record<string, unknown>>][] = []
  let entries: Record<string, unknown> = {}
  let values = 0
  for (const [key, value] of Object.entries(record)) {
    if (path.length < MOST_LEVELS && isRecord(value) && isLarge(value)) {
      later.push([key, value])
      setOwn(entries, key, {})
      values++
    } else {
      setOwn(entries, key, value)
      values += valuesIn(value)
    }
    if (values < MOST_VALUES) continue
    yield { path, entries }
    entries = {}
    values = 0
  }
  if (values > 0) yield { path, entries }
  for (const [key, large] of later) yield* split(large, [...path, key])
}

/** Adds a portion to the document that the previous ones created. */
export function addPortion(document: Record<string, unknown>, { path, entries }: Portion): void {
  let record = document
  for (const key of path) {
    const next = record[key]
    if (!isRecord(next)) return
    record = next
  }
  for (const [key, value] of Object.entries(entries)) setOwn(record, key, value)
}

/** More values than one portion has. */
export const isLarge = (value: unknown): boolean => valuesIn(value) > MOST_VALUES

/** The number of values in it, including itself; counted until the limit. */
function valuesIn(root: unknown): number {
  const ahead: unknown[] = [root]
  let count = 0
  while (ahead.length > 0 && count <= MOST_VALUES) {
    const value = ahead.pop()
    count++
    if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) ahead.push(part)
  }
  return count
}
