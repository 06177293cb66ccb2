import { asDecimal, type DataType } from '../model/data-type.js'
import { isLiteral } from '../model/expression/ast.js'
import type { SqlExpr } from './statement.js'

export interface Digits {
  readonly precision: number
  readonly scale: number
}

/** The digits of a number. An integer literal has those of its text, and not those of its type. */
export function digitsOf(expr: SqlExpr, type: DataType): Digits {
  const written = isLiteral(expr) && type.kind === 'int' ? String(expr.value).length : undefined
  return written === undefined ? asDecimal(type) : { precision: written, scale: 0 }
}
