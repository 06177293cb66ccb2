import type { SqlParameter } from '@grainline/core/surface'
import type { EntitySet } from '../names/entity-set.js'
import type { QueryOptions } from '../query/options.js'
import { Parameters } from './parameters.js'
import {
  applied,
  computed,
  filtered,
  limited,
  ordered,
  type Relation,
  relationOf,
  selected,
  shownOf,
  skipped,
  statementOf,
} from './relation.js'

/** A statement of semantic QL with its values. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly SqlParameter[]
}

/** What answers one request: the rows of its page and one more, and the number of all rows if the client asks for it. */
export interface PageStatements {
  readonly rows: Statement
  readonly count: Statement | undefined
  /** The properties of the rows, in the order of the columns. */
  readonly names: readonly string[]
  /** Rows of the page. If there is one more, another page follows. */
  readonly pageRows: number
  /** Rows before this page. */
  readonly before: number
}

/** The statements of `options` over a set. `pageRows` is the length of a page. */
export function pageOf(set: EntitySet, options: QueryOptions, pageRows: number): PageStatements {
  const parameters = new Parameters()
  const found = foundRows(set, options, parameters)
  const asked = whole(found, options, parameters)
  const rest = options.top === undefined ? Number.POSITIVE_INFINITY : Math.max(0, options.top - options.skipToken)
  const page = Math.min(pageRows, rest)
  const part = limited(skipped(asked, options.skip + options.skipToken), page < rest ? page + 1 : page)
  return {
    rows: { sql: statementOf(part), parameters: parameters.values },
    count: options.count ? countOf(set, options) : undefined,
    names: [...shownOf(asked)],
    pageRows: page,
    before: options.skipToken,
  }
}

/** The rows that `$count` counts: `$apply`, `$compute` and `$filter`, not `$top` and `$skip` (Part 1, 11.2.6.5). */
function foundRows(set: EntitySet, { apply, compute, filter }: QueryOptions, parameters: Parameters): Relation {
  const steps = applied(relationOf(set), apply, parameters)
  const added = compute.length === 0 ? steps : computed(steps, compute, { option: '$compute', parameters })
  return filter === undefined ? added : filtered(added, filter, { option: '$filter', parameters })
}

function whole(found: Relation, { order, select }: QueryOptions, parameters: Parameters): Relation {
  return selected(ordered(found, order, { option: '$orderby', parameters }), select)
}

/** The number of the rows, whatever page is asked. */
export function countOf(set: EntitySet, options: QueryOptions): Statement {
  const parameters = new Parameters()
  const found = selected(foundRows(set, options, parameters), options.select)
  const isPlain = found.shown === undefined && found.added.length === 0
  const sql = isPlain ? countOfRows(found) : `SELECT COUNT(*) AS n FROM (${countedRows(found)}) AS counted`
  return { sql, parameters: parameters.values }
}

/** In a sub-select, dimensions without measures are those of every row of the fact; the answer has each combination once. */
function countedRows(found: Relation): string {
  const isOfRows = !found.isGrouped && !found.shown?.some((name) => found.columns.get(name)?.isMeasure)
  return statementOf({ ...found, order: [], isDistinct: isOfRows && found.shown !== undefined })
}

/** The rows of a fact need no sub-select. */
function countOfRows({ from, where }: Relation): string {
  return `SELECT COUNT(*) AS n FROM ${from}${where.length > 0 ? ` WHERE ${where.join(' AND ')}` : ''}`
}
