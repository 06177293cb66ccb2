/** Converts a query to text and back. Loaded with the editor. */
import { isAlias, isMap, isScalar, isSeq, parseDocument, stringify } from 'yaml'
import { queryOf } from '../query/own-measures.js'
import type { Query } from '../query/query.js'

export type Notation = 'yaml' | 'json'

export function writeQuery(query: Query, notation: Notation): string {
  return notation === 'json' ? `${JSON.stringify(query, null, 2)}\n` : stringify(query, { lineWidth: 100 })
}

/** The query of a text, or its error with the range of characters. */
export type Reading = { readonly query: Query } | { readonly message: string; readonly from: number; readonly to: number }

/** JSON is YAML, too, so one parser finds the positions of both. */
export function readQuery(text: string): Reading {
  const document = parseDocument(text)
  const [fault] = document.errors
  if (fault !== undefined)
    return { message: fault.message.split('\n')[0]!, from: fault.pos[0], to: Math.min(text.length, fault.pos[1]) }
  const value: unknown = document.toJS({ maxAliasCount: 100 })
  const query = queryOf(value)
  if (query) return { query }
  return {
    message: 'A question is an object with select, as select: { dimensions: [], measures: [] }.',
    from: 0,
    to: text.length,
  }
}

/** The position in the text of a finding's path, such as `where[0].field`. */
export function placeOf(text: string, path: string): { readonly from: number; readonly to: number } {
  const steps = path.replace(/^query\.?/, '').match(/[^.[\]]+/g) ?? []
  let node: unknown = parseDocument(text).contents
  let found: readonly [number, number] = [0, text.length]
  for (const step of steps) {
    if (isAlias(node) || isScalar(node)) break
    node = isMap(node) ? node.get(step, true) : isSeq(node) ? node.get(Number(step), true) : undefined
    const range = (node as { readonly range?: readonly [number, number, number] } | undefined)?.range
    if (range === undefined || range === null) break
    found = [range[0], range[1]]
  }
  return { from: found[0], to: found[1] }
}
