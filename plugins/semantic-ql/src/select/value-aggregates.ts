/** Items of a SELECT with a separate query: aggregates of the values of a dimension, and measures under a condition. */
import type { Finding } from '@grainline/core'
import type { OrderJson, QueryJson } from '@grainline/core/language'
import { bodyOf, functionName, type Node, theBody } from '../grammar/node.js'
import { isAbout, type ModelRelation, readsOf } from '../model-relation.js'
import { filterOf } from './conditions.js'
import { rowsOf } from './rows-of.js'
import type { OwnQuery, SelectColumns } from './select-columns.js'

/** A separate query, whose rows are the values for each row of the query of the SELECT. */
export interface ValueAggregate {
  readonly node: Node
  /** The part of the node that is the column; the node itself if it shows only the column. */
  readonly argument: Node
  readonly query: QueryJson
  /** The columns of the query's answer. */
  readonly columns: readonly string[]
  /** The columns by which the SELECT groups, with the same names. */
  readonly shared: readonly string[]
  /** The column that is aggregated. */
  readonly column: string
  readonly notices: readonly Finding[]
  /** A count is 0 if the query has no row. */
  readonly isCount: boolean
}

const UNREPEATED: ReadonlySet<string> = new Set(['min', 'max', 'bool_and', 'bool_or', 'every', 'approx_count_distinct'])

/** The argument of an aggregate that ignores repeated values; `undefined` if the node is not such an aggregate of a dimension. */
export function aggregatedDimension(node: Node, relation: ModelRelation): { readonly argument: Node } | undefined {
  const call = bodyOf(node, 'FuncCall')
  const [argument, ...more] = call?.args ?? []
  if (!call || !argument || more.length > 0 || call.over || call.agg_order) return undefined
  const name = functionName(call.funcname)
  if (!UNREPEATED.has(name) && !(name === 'count' && call.agg_distinct)) return undefined
  if (isAbout(argument, relation)) return undefined
  const reads = readsOf(argument, relation)
  return reads.length > 0 && reads.every(({ role }) => role === 'dimension') ? { argument } : undefined
}

interface Around {
  readonly where: QueryJson['where']
  readonly grouping: QueryJson['grouping']
  readonly relation: ModelRelation
  /** No row meets the conditions of the SELECT. */
  readonly never: boolean
}

/** The query for the values: the grouping keys of the SELECT, and the dimension or the measure. */
export function valueAggregate(
  own: OwnQuery,
  columns: SelectColumns,
  { where = [], grouping, relation, never }: Around,
): ValueAggregate {
  const { node, filter } = own
  const filters = filter ? [...where, filterOf(filter, relation)] : where
  const filtered = { ...(filters.length > 0 && { where: filters }), ...(never && { limit: 0 }) }
  const grouped = columns.ofDimensions()
  if ('measure' in own) {
    const totals = grouping ? grouped.dimensionLabels.map((label) => `${label} is total`) : []
    const dimensions = grouped.dimensions.length > 0 ? { dimensions: grouped.dimensions } : {}
    const column = own.measure.text
    return {
      node,
      argument: node,
      column,
      columns: [...grouped.dimensionLabels, column, ...totals],
      shared: [...grouped.dimensionLabels, ...totals],
      isCount: own.isCount,
      notices: [],
      query: { select: { ...dimensions, measures: [column] }, ...filtered, ...(grouping && { grouping }) },
    }
  }
  const shared = grouped.dimensionLabels
  const column = grouped.add(own.argument, 'dimension')
  const { rows, notices } = rowsOf(grouped.dimensionsRead, relation.named)
  return {
    node,
    argument: own.argument,
    column,
    columns: grouped.dimensionLabels,
    shared,
    isCount: false,
    notices,
    query: {
      select: { dimensions: grouped.dimensions },
      ...(shared.length === 0 && extreme(functionName(theBody(node, 'FuncCall').funcname), column)),
      ...filtered,
      ...rows,
    },
  }
}

/** Only the smallest or largest value, so that the others are not fetched. */
function extreme(name: string, field: string): { readonly order_by: readonly OrderJson[]; readonly limit: number } | undefined {
  if (name === 'min') return { order_by: [{ field, by: 'value' }], limit: 1 }
  return name === 'max' ? { order_by: [{ field, by: 'value', direction: 'desc' }], limit: 1 } : undefined
}
