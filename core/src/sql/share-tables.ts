import { both, entryOf, zip } from '../invariant.js'
import { leavesOf } from '../model/expression/ast.js'
import { includesSame, isSame } from '../same.js'
import { renamed, renamedIn } from './renamed.js'
import type { From, Query, Select, SelectItem, SqlExpr, SqlLeaf, Statement } from './statement.js'

type Tables = Statement['ctes']

interface Shared {
  /** The remaining tables, with the columns that are read. */
  readonly kept: { name: string; query: Query }[]
  /** For the name of each removed table: the table that has its columns. */
  readonly instead: Map<string, string>
  readonly oneRow: Set<string>
}

/**
 * The statement with one common table expression for all that have the same rows and groups: a fact that several parts of an answer read is
 * read and aggregated once, with the columns that each of them needs.
 */
export function shareTables(statement: Statement): Statement {
  const { ctes, body } = statement
  if (ctes.length === 0) return statement
  const shared: Shared = { kept: [], instead: new Map(), oneRow: new Set() }
  for (const { name, query: given } of ctes) {
    const query = reading(given, shared)
    const into = placeIn(query, shared)
    if (into !== undefined) shared.instead.set(name, into)
    else shared.kept.push({ name, query })
    if (into === undefined && isOneRow(query)) shared.oneRow.add(name)
  }
  const shown = reading(body, shared)
  return { ...statement, ctes: shared.kept as Tables, body: shown }
}

/** The table that now has the columns of a query, if one has its rows. */
function placeIn(query: Query, { kept }: Shared): string | undefined {
  return kept.find((table) => {
    const both = bothOf(table.query, query)
    if (both) table.query = both
    return both !== undefined
  })?.name
}

/** One query with the columns of both, if both have the same rows and neither has another column under a name of the other. */
function bothOf(one: Query, other: Query): Query | undefined {
  if (one.kind === 'select') return other.kind === 'select' ? bothSelects([one], [other])?.[0] : undefined
  const parts = other.kind === 'union-all' ? bothSelects(one.parts, other.parts) : undefined
  return parts && { kind: 'union-all', parts }
}

/** The same of the parts of a union, which have the same columns; one part is a SELECT. */
function bothSelects(one: readonly Select[], other: readonly Select[]): readonly Select[] | undefined {
  const [[first], [second]] = [one, other]
  if (!first || !second || one.length !== other.length) return undefined
  const pairs = zip(one, other).flatMap(([part, theirs]) => {
    const rows = sameRows(part, theirs)
    return rows ? [{ part, rows, items: theirs.items.map((item) => ({ ...item, expression: rows.own(item.expression) })) }] : []
  })
  if (pairs.length < one.length) return undefined
  const [names, more] = both([first, second], ({ items }) => items.map((item) => item.alias))
  const isClash = (name: string, at: number): boolean => {
    const place = names.indexOf(name)
    return place >= 0 && pairs.some(({ part, items }) => !isSame(part.items[place]?.expression, items[at]?.expression))
  }
  if (more.some(isClash)) return undefined
  const isAdded = ({ alias }: SelectItem): boolean => !names.includes(alias)
  // DISTINCT compares all of its columns.
  if (first.distinct && (second.items.some(isAdded) || names.length !== more.length)) return undefined
  const added = new Set([...second.items.keys()].filter((at) => !names.includes(more[at] ?? '')))
  return pairs.map(({ part, rows, items }) => ({
    ...part,
    from: rows.from,
    items: [...part.items, ...items.filter((_, at) => added.has(at))],
  }))
}

type Renaming = (expression: SqlExpr) => SqlExpr

interface SameRows {
  readonly from: From
  /** The expressions of the other SELECT rewritten for this one. */
  readonly own: Renaming
}

/** If both have the same rows and groups. */
function sameRows(one: Select, other: Select): SameRows | undefined {
  const names = new Map<string, string>()
  const own: Renaming = (e) => renamed(e, names)
  const from = sameFrom(one.from, other.from, names)
  const alike =
    from !== undefined &&
    (['where', 'having'] as const).every((part) => isSame(one[part], other[part].map(own))) &&
    sameKeys(one, other, own) &&
    one.distinct === other.distinct &&
    (one.groupBy.length > 0 || aggregates(one) === aggregates(other)) &&
    [one, other].every((s) => s.orderBy.length === 0 && s.limit === undefined && s.offset === undefined)
  return alike ? { from, own } : undefined
}

/** Groups do not depend on the order of their keys, but grouping sets name keys by their positions. */
function sameKeys(one: Select, other: Select, own: Renaming): boolean {
  const theirs = other.groupBy.map(own)
  if (one.sets || other.sets) return isSame([one.groupBy, one.sets], [theirs, other.sets])
  return theirs.every((key) => includesSame(one.groupBy, key)) && one.groupBy.every((key) => includesSame(theirs, key))
}

const isOneRow = (query: Query): boolean => query.kind === 'select' && query.groupBy.length === 0 && aggregates(query)

/** Without keys, aggregates give one row. */
const aggregates = ({ items }: Select): boolean =>
  items.some((item) => leavesOf<SqlLeaf>(item.expression).some((leaf) => leaf.kind === 'aggregate'))

/** The relations of both, with the names of the first. */
function sameFrom(one: From, other: From, names: Map<string, string>): From | undefined {
  if ('alias' in one && 'alias' in other) names.set(other.alias, one.alias)
  switch (one.kind) {
    case 'nothing':
      return other.kind === 'nothing' ? one : undefined
    case 'table':
      return other.kind === 'table' && isSame({ ...other, alias: one.alias }, one) ? one : undefined
    case 'cte':
      return other.kind === 'cte' && other.name === one.name ? one : undefined
    case 'subquery': {
      const query = other.kind === 'subquery' ? bothOf(one.query, other.query) : undefined
      return query && { ...one, query }
    }
    case 'join': {
      if (other.kind !== 'join' || one.type !== other.type) return undefined
      const left = sameFrom(one.left, other.left, names)
      const right = left && sameFrom(one.right, other.right, names)
      return right && isSame(one.on, other.on && renamed(other.on, names)) ? { ...one, left, right } : undefined
    }
  }
}

/** A removed table is replaced by the one that now has its columns, under its own name; one row joined with itself is read once. */
function reading(query: Query, shared: Shared): Query {
  const { kept, instead, oneRow } = shared
  if (kept.length === 0) return query
  const isTwin = ({ name }: From & { kind: 'cte' }): boolean => instead.has(name) && oneRow.has(entryOf(instead, name))
  const part = (select: Select): Select => {
    const twins = new Map<string, string>()
    const from = within(select.from, twins)
    return twins.size === 0 ? { ...select, from } : renamedIn({ ...select, from }, twins)
  }
  const within = (from: From, twins: Map<string, string>): From => {
    switch (from.kind) {
      case 'cte':
        return { ...from, name: instead.get(from.name) ?? from.name }
      case 'subquery':
        return withinSubquery(from, shared)
      case 'join': {
        const left = within(from.left, twins)
        const right = within(from.right, twins)
        const isOne = from.type === 'cross' && from.right.kind === 'cte' && isTwin(from.right)
        const twin = isOne && right.kind === 'cte' ? aliasIn(left, right.name) : undefined
        if (twin === undefined || right.kind !== 'cte') return { ...from, left, right }
        twins.set(right.alias, twin)
        return left
      }
      default:
        return from
    }
  }
  return query.kind === 'select' ? part(query) : { ...query, parts: query.parts.map(part) }
}

/** An inline aggregation is read from a table that aggregates the same rows. */
function withinSubquery(from: From & { kind: 'subquery' }, shared: Shared): From {
  const query = reading(from.query, shared)
  const name = query.kind === 'select' && query.groupBy.length > 0 ? placeIn(query, shared) : undefined
  return name === undefined ? { ...from, query } : { kind: 'cte', name, alias: from.alias }
}

function aliasIn(from: From, name: string): string | undefined {
  if (from.kind === 'join') return aliasIn(from.left, name) ?? aliasIn(from.right, name)
  return from.kind === 'cte' && from.name === name ? from.alias : undefined
}
