import type { RelationColumn, RowExpr } from './relation-column.js'

/** A column whose equal values have one form: texts that are stored as declared, integers of any width. */
export const isKeyColumn = (expression: RowExpr): expression is RelationColumn =>
  expression.kind === 'column' &&
  (expression.type.kind === 'int'
    ? isWholeColumn(expression)
    : expression.type.kind === 'string' && expression.stored === undefined)

/** Whether an integer column is stored as such. */
export const isWholeColumn = ({ stored }: RelationColumn): boolean =>
  stored === undefined || stored.physical === undefined || stored.physical.kind === 'integer'
