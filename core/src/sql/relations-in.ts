import type { From, Query } from './statement.js'

/** What a SELECT reads from: a table, or the rows of a query. */
export type Relation = Exclude<From, { readonly kind: 'join' | 'nothing' }>

/** Every relation that a query reads, at any depth. One list, since a query of a hundred joins is as deep. */
export function relationsIn(query: Query): readonly Relation[] {
  const found: Relation[] = []
  addRelations(query, found)
  return found
}

function addRelations(query: Query, found: Relation[]): void {
  for (const select of query.kind === 'select' ? [query] : query.parts) {
    addBelow(select.from, found)
    for (const one of select.among ?? []) addRelations(one.query, found)
    for (const one of select.found ?? []) addRelations(one.query, found)
  }
}

function addBelow(from: From, found: Relation[]): void {
  if (from.kind === 'nothing') return
  if (from.kind !== 'join') {
    found.push(from)
    if (from.kind === 'subquery') addRelations(from.query, found)
    return
  }
  addBelow(from.left, found)
  addBelow(from.right, found)
  for (const one of from.among ?? []) addRelations(one.query, found)
}
