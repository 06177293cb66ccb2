/** Columns of a table of days that no calendar is declared for, beside a metric over the time that joins it. */
import { type ColumnRef, isInner } from '../model/expression/ast.js'
import { equalityOf } from '../model/join-term.js'
import type { Join, SemanticModel } from '../model/semantic-model.js'
import type { FieldSource } from './resolved-query.js'

/** A field, and the table of days with its day. */
export interface Undeclared {
  readonly field: string
  readonly table: string
  readonly day: string
}

/** The first of the fields that a declared calendar would make the time of a metric, or a function of it. */
export function undeclaredCalendar(
  time: FieldSource,
  fields: readonly FieldSource[],
  model: SemanticModel,
): Undeclared | undefined {
  const column = time.expression
  if (isInner<ColumnRef>(column)) return undefined
  for (const join of [...model.dataObjects.values()].flatMap(({ joins }) => joins)) {
    const ends = endsOf(join, model)
    if (!ends || !(isColumn(column, ends.day) || isColumn(column, ends.joining))) continue
    const found = fields.find(
      (field) => !isColumnOf(field, column) && (field.object === join.to || isColumnOf(field, ends.joining)),
    )
    if (found) return { field: found.name, table: join.to, day: ends.day.column }
  }
  return undefined
}

/** The column of days at which a join of one column ends, and the column that joins it. */
function endsOf({ from, to, on, cardinality }: Join, model: SemanticModel) {
  const [equal, ...others] = equalityOf(on) ?? []
  const target = model.dataObjects.get(to)
  if (!equal || others.length > 0 || cardinality !== 'many-to-one' || !target || target.calendar) return undefined
  if (target.columns.get(equal.to)?.type.kind !== 'date') return undefined
  return { day: refOf(to, equal.to), joining: refOf(from, equal.from) }
}

const refOf = (object: string, column: string): ColumnRef => ({ kind: 'column', object, column })
const isColumn = (a: ColumnRef, b: ColumnRef): boolean => a.object === b.object && a.column === b.column
const isColumnOf = ({ expression }: FieldSource, ref: ColumnRef): boolean =>
  !isInner<ColumnRef>(expression) && isColumn(expression, ref)
