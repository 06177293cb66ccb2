import { columnsBelow, columnsOfCondition } from '../model/columns-read.js'
import type { Column, StaticFilter, WindowSource } from '../model/semantic-model.js'
import { integer } from '../resolve/expressions.js'
import { modelCondition } from '../resolve/model-condition.js'
import { type RowExpr, tablesIn } from '../resolve/relation-column.js'
import { ascending, columnOf, objectOf, type SortKey } from '../resolve/resolved-query.js'
import type { BindContext } from './bind-context.js'
import type { Condition, NamedExpr, WindowedRows } from './bound-block.js'
import { boundRows } from './bound-rows.js'
import { readColumn, readExpression } from './read-rows.js'
import { type Rows, rowsOf } from './rows.js'
import { requiredOf, staticConditions } from './rows-conditions.js'

/** A column that is a window function. */
export interface WindowColumn extends Column {
  readonly source: WindowSource
}

/** The rows of an object that a window function sees, with its value: those that the filters of the model leave, but for filters of the object that read it. */
export function windowedRows(context: BindContext, object: string, column: WindowColumn): Omit<WindowedRows, 'alias' | 'kind'> {
  const { model } = context
  const filters = model.filters.filter((filter) => !isOfResult(filter, { object, column: column.name }, context))
  const rows = rowsOf({ ...context, model: { ...model, filters } }, object, { isBase: true })
  const required = requiredOf(rows)
  const where: readonly Condition[] = [
    ...required.conditions.map((expression) => ({ expression, reason: 'a required join drops rows without a match' })),
    ...staticConditions(rows).map((expression) => ({ expression, reason: 'static filter of the model' })),
    ...column.source.filters.map((filter) => ({
      expression: modelCondition(filter, (ref) => readExpression(rows, ref), rows.context),
      reason: 'the filters of the window',
    })),
  ]
  const keys = keysOf(rows, object)
  const call = callOf(rows, column, keys)
  const read = [
    ...required.presences,
    ...where.map(({ expression }) => expression),
    ...keys.map(({ expression }) => expression),
    ...call.args,
    ...call.partitionBy,
    ...call.orderBy.map(({ expression }) => expression),
  ]
  return { rows: boundRows(rows, read.flatMap(tablesIn)), where, keys, call }
}

/** Whether a filter of the object reads the column: then it is applied to what the window makes. */
const isOfResult = (
  { dataObject, condition }: StaticFilter,
  { object, column }: { readonly object: string; readonly column: string },
  { model }: BindContext,
): boolean =>
  dataObject === object &&
  columnsBelow(columnsOfCondition(condition), model).some((ref) => ref.object === object && ref.column === column)

const keysOf = (rows: Rows, object: string): readonly NamedExpr[] =>
  objectOf(rows.context.model, object).key.map((name, i) => ({
    name: `key_${i + 1}`,
    expression: readColumn(rows, rows.root, name),
    type: columnOf(rows.context.model, { kind: 'column', object, column: name }).type,
  }))

/** Where equal rows have one value. */
const RANKS: ReadonlySet<string> = new Set(['rank', 'dense_rank'])
const RUNNING: ReadonlySet<string> = new Set(['sum', 'count'])

function callOf(rows: Rows, { source, type }: WindowColumn, keys: readonly NamedExpr[]): WindowedRows['call'] {
  const { function: name, partitionBy, orderBy, descending } = source
  const value = (one: string): RowExpr => readColumn(rows, rows.root, one)
  const order = orderBy.map(
    (ref): SortKey<RowExpr> => ({
      ...ascending(value(ref.column), columnOf(rows.context.model, ref).type),
      descending,
    }),
  )
  const ties = keys.map((key) => ascending(key.expression, key.type))
  return {
    name: 'value',
    type,
    function: name,
    args: argsOf(source, value),
    partitionBy: partitionBy.map((ref) => value(ref.column)),
    orderBy: RANKS.has(name) ? order : [...order, ...ties],
    running: RUNNING.has(name),
  }
}

function argsOf({ function: name, column, offset }: WindowSource, value: (column: string) => RowExpr): readonly RowExpr[] {
  const own = column ? [value(column.column)] : []
  if (name === 'lag' || name === 'lead') return [...own, integer(offset)]
  return name === 'count' && own.length === 0 ? [integer(1)] : own
}
