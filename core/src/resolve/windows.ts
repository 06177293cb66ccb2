import { fail } from '../errors.js'
import { type DataType, INT } from '../model/data-type.js'
import { lengthOfGrain, nameOfGrain } from '../model/grain.js'
import type { WindowMetric } from '../model/semantic-model.js'
import { integer } from './expressions.js'
import { defaultLiteral } from './literals.js'
import { type RowExpr, relationColumn } from './relation-column.js'
import { nameOfDimension, type ResolvedDimension, type RowField, type RowOrder, type WindowStep } from './resolved-query.js'

const COUNTING = new Set(['rank', 'dense_rank', 'row_number', 'ntile'])
/** Functions whose answer would depend on the order of ties. */
const BREAKS_TIES = new Set(['row_number', 'ntile', 'lag', 'lead', 'first_value', 'last_value'])

/** A window metric over the rows of the answer. Throws `TIME_DIMENSION_NOT_SELECTED`. */
export function windowOf(
  metric: WindowMetric,
  field: RowField,
  dimensions: readonly ResolvedDimension[],
  path: string,
): Omit<WindowStep, 'name' | 'size' | 'path'> {
  const time = metric.timeDimension === undefined ? undefined : timeDimension(metric.name, metric.timeDimension, dimensions, path)
  const partition = dimensions.filter((d) => metric.partitionBy.includes(nameOfDimension(d)))
  const descending = metric.descending ?? time === undefined
  const first: RowOrder = time
    ? { ...key(time), descending }
    : { expression: field.expression, type: field.type, descending, nullsFirst: false }
  const rest = dimensions.filter((d) => d !== time && !partition.includes(d))
  return {
    kind: 'window',
    function: metric.function,
    type: windowType(metric, field.type),
    args: argsOf(metric, field),
    partitionBy: partition.map((d) => key(d).expression),
    orderBy: BREAKS_TIES.has(metric.function) ? [first, ...rest.map(key)] : [first],
  }
}

/** Ranks are whole numbers; the others are of the measure's type. */
export const windowType = (metric: WindowMetric, type: DataType): DataType => (COUNTING.has(metric.function) ? INT : type)

/** The selected dimension that a metric runs along. Throws `TIME_DIMENSION_NOT_SELECTED`. */
export function timeDimension(
  metric: string,
  name: string,
  dimensions: readonly ResolvedDimension[],
  path: string,
): ResolvedDimension {
  // Selected at several grains, the finest is the row's own period, in whatever order they are written.
  const found = finest(dimensions.filter((d) => nameOfDimension(d) === name))
  if (found) return found
  const other = dimensions.find((d) => d.grain !== undefined)
  const suggestion = other?.grain ? `${name}:${nameOfGrain(other.grain)}` : name
  return fail('TIME_DIMENSION_NOT_SELECTED', `metric '${metric}' runs along '${name}', which the query does not select`, {
    path,
    suggestions: [suggestion],
    ...(other && { hint: `select '${suggestion}' in place of '${other.label}'` }),
  })
}

/** Of the same time at several grains, the finest; one without a grain is finer than any. A month comes before that of a calendar. */
export const finest = (dimensions: readonly ResolvedDimension[]): ResolvedDimension | undefined =>
  dimensions.toSorted((a, b) => fineness(a) - fineness(b) || byText(calendarGrain(a), calendarGrain(b)))[0]

const fineness = ({ grain }: ResolvedDimension): number => (grain ? lengthOfGrain(grain) : -1)
const calendarGrain = ({ grain }: ResolvedDimension): string => (typeof grain === 'object' ? grain.name : '')
const byText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

const key = ({ name, type, sequence }: ResolvedDimension): RowOrder => ({
  expression: relationColumn('', name, type),
  type,
  descending: false,
  nullsFirst: false,
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
