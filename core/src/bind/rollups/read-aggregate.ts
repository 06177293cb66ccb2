/** An aggregate over the parts that a rollup table holds of it. */

import { columnsOfCondition } from '../../model/columns-read.js'
import type { ColumnRef } from '../../model/expression/ast.js'
import { valueType } from '../../model/expression/value-type.js'
import type { FunctionSpec } from '../../model/functions/function-spec.js'
import { heldAs } from '../../model/rollup-parts.js'
import type { Measure, ModelCondition } from '../../model/semantic-model.js'
import { columnOf, type ResolvedAggregate } from '../../resolve/resolved-query.js'
import { plainCondition, type RowSetPart } from '../../resolve/rollup-build.js'
import { includesSame, isSame } from '../../same.js'
import { tableColumn } from './held-table.js'
import { isExpressionRead, isRefRead, isSameValue, type TableReading } from './readable.js'
import { type Unread, unread } from './unread.js'

type Functions = ReadonlyMap<string, FunctionSpec>
type Made = Pick<Measure, 'aggregation' | 'inputs' | 'distinct'>

export function readAggregate(
  aggregate: ResolvedAggregate,
  reading: TableReading,
  functions: Functions,
): ResolvedAggregate | Unread {
  const { measure } = aggregate
  const filters = aggregate.filters.map(plainCondition)
  const { base } = reading.table
  const typeAt = (ref: ColumnRef) => columnOf(reading.model, ref).type
  const held = heldAs(measure, base, (input) => valueType(input, typeAt, functions))
  if (held === undefined || aggregate.converts)
    return unread(
      'NOT_ADDITIVE',
      measure.name,
      `cannot hold '${measure.name}' (${measure.aggregation}): it is not computed from values of groups`,
    )
  if (held === 'average' && !reading.hasQuotients)
    return unread(
      'NOT_ADDITIVE',
      measure.name,
      `cannot hold '${measure.name}': averages of this database may differ from the quotient of two sums in the last digit`,
    )
  if (held === 'distinct' && !measure.inputs.every((input) => isExpressionRead(input, reading)))
    return unread('NOT_ADDITIVE', measure.name, `does not hold what '${measure.name}' counts as a dimension`)
  if (held !== 'distinct' && !measure.inputs.every((input) => isSameValue(input, reading)))
    return unread('OTHER_BASE', measure.name, `holds '${measure.name}' by other joins than those that the question pins`)
  const found = rowSetsWithin(filters, reading).flatMap((rows) => {
    const made = overParts(measure, held, rows, reading)
    return made ? [{ rows, made }] : []
  })
  if (found.length === 0) return unread('NOT_ADDITIVE', measure.name, `holds no part of '${measure.name}'`)
  const readable = found.find(({ rows }) => restOf(filters, rows).every((one) => isConditionRead(one, reading)))
  if (!readable) return missingFilter(measure, restOf(filters, found[0]!.rows), reading)
  const { rows, made } = readable
  return {
    ...aggregate,
    measure: { ...measure, ...made, orderBy: [], withinGroup: undefined },
    filters: [...restOf(filters, rows), ...(rows.filters.length > 0 ? [hasRows(rows, base.name)] : [])],
  }
}

/** The sets of rows whose filters are among these, the one with the most filters first. */
const rowSetsWithin = (filters: readonly ModelCondition[], reading: TableReading): readonly RowSetPart[] =>
  reading.table.build.rowSets
    .filter((one) => one.filters.every((filter) => includesSame(filters, filter) && isSameCondition(filter, reading)))
    .toSorted((a, b) => b.filters.length - a.filters.length)

const isSameCondition = (condition: ModelCondition, reading: TableReading): boolean =>
  columnsOfCondition(condition).every((column) => isSameValue(column, reading))

const restOf = (filters: readonly ModelCondition[], rows: RowSetPart): readonly ModelCondition[] =>
  filters.filter((filter) => !includesSame(rows.filters, filter))

/** The same value over the columns of the table; `undefined` if it does not hold them for these rows. */
function overParts(
  measure: Measure,
  held: NonNullable<ReturnType<typeof heldAs>>,
  rows: RowSetPart,
  { table }: TableReading,
): Made | undefined {
  const { aggregation, inputs } = measure
  const column = (code: string): ColumnRef => tableColumn(table.base.name, code)
  const part = (name: string): ColumnRef | undefined => {
    const found = table.build.values.find((one) => one.aggregation === name && isSame(one.inputs, inputs) && isSame(one.of, rows))
    return found && column(found.code)
  }
  switch (held) {
    case 'rows':
      return { aggregation: 'total_count', inputs: [column(rows.code)], distinct: false }
    case 'distinct':
      return { aggregation, inputs, distinct: measure.distinct }
    case 'average': {
      const [sum, count] = [part('sum'), part('count')]
      return sum && count && { aggregation: 'total_avg', inputs: [sum, count], distinct: false }
    }
    case 'value': {
      const value = part(aggregation)
      return value && { aggregation: COUNTS.has(aggregation) ? 'total_count' : aggregation, inputs: [value], distinct: false }
    }
  }
}

const COUNTS: ReadonlySet<string> = new Set(['count', 'count_if'])

const hasRows = ({ code }: RowSetPart, base: string): ModelCondition => ({
  kind: 'leaf',
  column: tableColumn(base, code),
  operator: 'neq',
  values: [0],
  path: '',
})

const isConditionRead = (condition: ModelCondition, reading: TableReading): boolean =>
  columnsOfCondition(condition).every((ref) => isRefRead(ref, reading))

function missingFilter({ name }: Measure, rest: readonly ModelCondition[], reading: TableReading): Unread {
  const refs = rest.flatMap(columnsOfCondition)
  const { object = '', column = '' } = refs.find((ref) => !isRefRead(ref, reading)) ?? {}
  return unread(
    'DIMENSION_MISSING',
    `${object}.${column}`,
    `does not hold '${object}.${column}', which a filter of '${name}' reads`,
  )
}
