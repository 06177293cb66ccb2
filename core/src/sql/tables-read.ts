import type { From, Query, Select } from './statement.js'

const partsOf = (query: Query): readonly Select[] => (query.kind === 'select' ? [query] : query.parts)

/** The names of the common table expressions that a query reads, each as often as it is read. */
export const tablesRead = (query: Query): string[] =>
  partsOf(query).flatMap(({ from, among = [], found = [] }) => [
    ...namesIn(from),
    ...[...among, ...found].flatMap((one) => tablesRead(one.query)),
  ])

function namesIn(from: From): string[] {
  if (from.kind === 'join') return [...namesIn(from.left), ...namesIn(from.right)]
  if (from.kind === 'subquery') return tablesRead(from.query)
  return from.kind === 'cte' ? [from.name] : []
}

/** Whether a common table expression reads itself. */
export const isRecursive = ({ name, query }: { readonly name: string; readonly query: Query }): boolean =>
  query.kind === 'union-all' && tablesRead(query).includes(name)
