import { arrayType } from '../bind/scan-elements.js'
import { INT } from '../model/data-type.js'
import type { DataObject } from '../model/semantic-model.js'
import { call, integer, text } from '../resolve/expressions.js'
import type { SqlExpr } from '../sql/statement.js'
import { baseRows } from './base-rows.js'
import type { ArrayReport } from './report.js'
import { numberAt, runStatement } from './run-statement.js'
import { aggregate, item, part, select, sumWhere } from './sql-parts.js'
import type { VerifyContext } from './verify-context.js'

type NestedObject = DataObject & { readonly nestedIn: NonNullable<DataObject['nestedIn']> }

export const isNested = (object: DataObject): object is NestedObject => object.nestedIn !== undefined

/** One statement: the values of a column that should hold arrays, and those that are JSON of another kind. */
export async function verifyArray({ name, nestedIn }: NestedObject, context: VerifyContext): Promise<ArrayReport> {
  const { dataObject, column } = nestedIn
  const wanted = [{ name: 'list', expression: { kind: 'column' as const, object: dataObject, column } }]
  const base = baseRows({ object: dataObject, name: 'object_rows', wanted }, context)
  const other = base.columns.map(
    ({ read }) => call('not_an_array', read, text(arrayType(nestedIn, context.model) ?? '')) as SqlExpr,
  )
  const items = [item('row_total', aggregate('count', [], INT), INT), item('not_arrays', sumWhere(integer(1), other), INT)]
  const [row] = await runStatement(base.ctes, select(items, part(base.name)), context)
  return {
    name,
    data_object: dataObject,
    column,
    rows: numberAt(row, 'row_total'),
    not_arrays: numberAt(row, 'not_arrays'),
  }
}
