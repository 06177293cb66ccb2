import type { From, Query, Select, Statement } from './statement.js'

type Change = (select: Select) => Select

/**
 * The statement with each SELECT changed, except those of conditions: the SELECTs below it first. What does not change is the same object, so that it is not
 * compared afterwards.
 */
export function mapSelects(statement: Statement, change: Change): Statement {
  const ctes = mapped(statement.ctes, (table) => {
    const query = inQuery(table.query, change)
    return query === table.query ? table : { ...table, query }
  })
  const body = inQuery(statement.body, change)
  return ctes === statement.ctes && body === statement.body ? statement : { ...statement, ctes, body }
}

function inQuery(query: Query, change: Change): Query {
  if (query.kind === 'select') return inSelect(query, change)
  const parts = mapped(query.parts, (part) => inSelect(part, change))
  return parts === query.parts ? query : { ...query, parts }
}

function inSelect(select: Select, change: Change): Select {
  const from = inFrom(select.from, change)
  return change(from === select.from ? select : { ...select, from })
}

function inFrom(from: From, change: Change): From {
  if (from.kind === 'join') {
    const [left, right] = [inFrom(from.left, change), inFrom(from.right, change)]
    return left === from.left && right === from.right ? from : { ...from, left, right }
  }
  if (from.kind !== 'subquery') return from
  const query = inQuery(from.query, change)
  return query === from.query ? from : { ...from, query }
}

/** The list itself if no item changes. */
function mapped<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  const changed = items.map(change)
  return changed.every((item, at) => item === items[at]) ? items : changed
}
