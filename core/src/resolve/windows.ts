import { type DataType, INT } from '../model/data-type.js'
import type { WindowMetric } from '../model/semantic-model.js'
import { defaultLiteral, integer } from './expressions.js'
import type { JoinGraph } from './join-graph.js'
import { type RowExpr, relationColumn } from './relation-column.js'
import {
  ascending,
  nameOfDimension,
  type ResolvedDimension,
  type RowField,
  type SortKey,
  type WindowStep,
} from './resolved-query.js'
import { timeDimension } from './time-dimension.js'

const COUNTING = new Set(['rank', 'dense_rank', 'row_number', 'ntile'])
/** Functions whose result would depend on the order of ties. */
const BREAKS_TIES = new Set(['row_number', 'ntile', 'lag', 'lead', 'first_value', 'last_value'])

/** A window metric over the rows of the answer. Throws `TIME_DIMENSION_NOT_SELECTED`. */
export function windowOf(
  metric: WindowMetric,
  field: RowField,
  {
    dimensions,
    graph,
    path,
    keysOf,
  }: {
    readonly dimensions: readonly ResolvedDimension[]
    readonly graph: JoinGraph
    readonly path: string
    /** The sort keys of a dimension. */
    readonly keysOf: (dimension: ResolvedDimension) => readonly SortKey<RowExpr>[]
  },
): Omit<WindowStep, 'name' | 'path' | 'rowsOf' | 'rowsComparedWith' | 'addsRows'> {
  const { name, timeDimension: along } = metric
  const time = along === undefined ? undefined : timeDimension({ metric: name, name: along, path }, dimensions, graph)
  const partition = dimensions.filter((d) => metric.partitionBy.includes(nameOfDimension(d)))
  const descending = metric.descending ?? time === undefined
  const first: SortKey<RowExpr> = time ? { ...key(time), descending } : { ...ascending(field.expression, field.type), descending }
  const rest = dimensions.filter((d) => d !== time && !partition.includes(d))
  return {
    kind: 'window',
    function: metric.function,
    type: windowType(metric, field.type),
    args: argsOf(metric, field),
    partitionBy: partition.map((d) => key(d).expression),
    orderBy: BREAKS_TIES.has(metric.function) ? [first, ...rest.flatMap(keysOf)] : [first],
  }
}

/** Ranks are integers; the other functions have the measure's type. */
export const windowType = (metric: WindowMetric, type: DataType): DataType => (COUNTING.has(metric.function) ? INT : type)

const key = ({ name, type, sequence }: ResolvedDimension): SortKey<RowExpr> => ({
  ...ascending<RowExpr>(relationColumn('', name, type), type),
  sequence,
})

function argsOf(metric: WindowMetric, field: RowField): RowExpr[] {
  switch (metric.function) {
    case 'lag':
    case 'lead':
      return [
        field.expression,
        integer(metric.offset),
        ...(metric.defaultValue === undefined ? [] : [defaultLiteral(metric.defaultValue)]),
      ]
    case 'first_value':
    case 'last_value':
      return [field.expression]
    case 'ntile':
      return [integer(metric.buckets ?? 1)]
    default:
      return []
  }
}
