import type { From, Query, Select, Statement } from './statement.js'
import { tablesRead } from './tables-read.js'

/**
 * The statement with no more common table expressions than an engine supports. Of those that are read once, the last become derived tables
 * where they are read; those that are read several times remain, so that they are computed once.
 */
export function fewerTables(statement: Statement, most: number): Statement {
  const { ctes, body } = statement
  if (ctes.length <= most) return statement
  const reads = [...ctes.flatMap(({ query }) => tablesRead(query)), ...tablesRead(body)]
  const once = ctes.filter(({ name }) => reads.filter((read) => read === name).length === 1)
  const moved = new Map(once.slice(most - ctes.length).map(({ name, query }) => [name, query]))
  const kept = ctes.filter(({ name }) => !moved.has(name))
  return {
    ...statement,
    ctes: kept.map(({ name, query }) => ({ name, query: inPlace(query, moved) })),
    body: inPlace(body, moved),
  }
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
