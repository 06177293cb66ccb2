import type { From, Query, Select, Statement } from './statement.js'

/**
 * The statement with no more common table expressions than an engine supports. Of those that are read once, the last become derived tables
 * where they are read; those that are read several times remain, so that they are computed once.
 */
export function fewerTables(statement: Statement, most: number): Statement {
  const { ctes, body } = statement
  if (ctes.length <= most) return statement
  const reads = [...ctes.flatMap(({ query }) => readsOf(query)), ...readsOf(body)]
  const once = ctes.filter(({ name }) => reads.filter((read) => read === name).length === 1)
  const moved = new Map(once.slice(most - ctes.length).map(({ name, query }) => [name, query]))
  const kept = ctes.filter(({ name }) => !moved.has(name))
  return {
    ...statement,
    ctes: kept.map(({ name, query }) => ({ name, query: inPlace(query, moved) })),
    body: inPlace(body, moved),
  }
}

const partsOf = (query: Query): readonly Select[] => (query.kind === 'select' ? [query] : query.parts)

const readsOf = (query: Query): string[] =>
  partsOf(query).flatMap(({ from, among = [], found = [] }) => [
    ...namesIn(from),
    ...[...among, ...found].flatMap((one) => readsOf(one.query)),
  ])

function namesIn(from: From): string[] {
  if (from.kind === 'join') return [...namesIn(from.left), ...namesIn(from.right)]
  if (from.kind === 'subquery') return readsOf(from.query)
  return from.kind === 'cte' ? [from.name] : []
}

function inPlace(query: Query, moved: ReadonlyMap<string, Query>): Query {
  const within = (from: From): From => {
    if (from.kind === 'join') return { ...from, left: within(from.left), right: within(from.right) }
    if (from.kind === 'subquery') return { ...from, query: inPlace(from.query, moved) }
    const own = from.kind === 'cte' ? moved.get(from.name) : undefined
    return own && from.kind === 'cte' ? { kind: 'subquery', query: inPlace(own, moved), alias: from.alias } : from
  }
  const select = (part: Select): Select => ({
    ...part,
    from: within(part.from),
    ...(part.among && { among: part.among.map(({ key, query }) => ({ key, query: select(query) })) }),
    ...(part.found && { found: part.found.map(({ negated, query }) => ({ negated, query: select(query) })) }),
  })
  return query.kind === 'select' ? select(query) : { ...query, parts: query.parts.map(select) }
}
