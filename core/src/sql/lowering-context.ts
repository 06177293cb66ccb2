import type { DataType } from '../model/data-type.js'
import type { Dialect } from './dialect.js'
import type { SqlExpr } from './statement.js'

/** The parts of a dialect that decide how a statement is lowered. */
export type LoweringDialect = Pick<Dialect, 'semantics' | 'aggregates' | 'productScale' | 'repeatedTimes' | 'nullSafeEqual'>

export interface LoweringContext {
  readonly dialect: LoweringDialect
  readonly typeOf: (expr: SqlExpr) => DataType
  /** Whether an expression of the current SELECT may be NaN or infinite. */
  readonly isSpecial: (expr: SqlExpr) => boolean
}
