/** Aggregates over the values that a dimension has: what repeated values do not change, and needs no rows of a fact to be meant. */
import { isAbout, type ModelRelation, readsOf } from './model-relation.js'
import { bodyOf, functionName, type Node } from './node.js'
import type { OrderJson, QueryJson } from './query-json.js'
import type { SelectColumns } from './select-columns.js'

/** A query of its own, whose rows are the values for each row of the SELECT's query. */
export interface ValueAggregate {
  readonly node: Node
  /** What of the node is the column. */
  readonly argument: Node
  readonly query: QueryJson
  /** Of the query's answer: first those that the SELECT groups by, under the same names. */
  readonly columns: readonly string[]
  /** The column that is aggregated. */
  readonly column: string
}

const UNREPEATED: ReadonlySet<string> = new Set(['min', 'max', 'bool_and', 'bool_or', 'every', 'approx_count_distinct'])

/** What the aggregate is of; `undefined` where the node is none of a dimension. */
export function aggregatedDimension(node: Node, relation: ModelRelation): Node | undefined {
  const call = bodyOf(node, 'FuncCall')
  if (!call || call.over || call.agg_filter || call.agg_order || call.args?.length !== 1) return undefined
  const name = functionName(call.funcname)
  if (!UNREPEATED.has(name) && !(name === 'count' && call.agg_distinct)) return undefined
  const argument = call.args[0]!
  if (isAbout(argument, relation)) return undefined
  const reads = readsOf(argument, relation)
  return reads.length > 0 && reads.every(({ role }) => role === 'dimension') ? argument : undefined
}

/** The query for the values: what the SELECT groups by, and the dimension. */
export function valueAggregate(node: Node, argument: Node, columns: SelectColumns, where: QueryJson['where']): ValueAggregate {
  const own = columns.ofDimensions()
  const column = own.add(argument, 'dimension')
  const grouped = columns.dimensionLabels.length > 0
  return {
    node,
    argument,
    column,
    columns: own.dimensionLabels,
    query: {
      select: { dimensions: own.dimensions },
      ...(where && { where }),
      ...(!grouped && extreme(functionName(bodyOf(node, 'FuncCall')!.funcname), column)),
    },
  }
}

/** The one value that the smallest or largest is, so that the others are not fetched. */
function extreme(name: string, field: string): { readonly order_by: readonly OrderJson[]; readonly limit: number } | undefined {
  if (name === 'min') return { order_by: [{ field }], limit: 1 }
  return name === 'max' ? { order_by: [{ field, direction: 'desc' }], limit: 1 } : undefined
}
