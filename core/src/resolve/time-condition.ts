/** Conditions of a query, before they become expressions. */
import type { DataType } from '../model/data-type.js'
import type { Expr } from '../model/expression/ast.js'
import type { Grain } from '../model/grain.js'
import type { Operator } from '../model/operators.js'
import type { FilterValue } from '../model/semantic-model.js'
import type { Ranges } from '../time-zones/ranges.js'

/** The left side of a condition: an expression of `type`, in buckets of `grain` if one is declared. */
export interface Subject<L> {
  readonly expression: Expr<L>
  readonly type: DataType
  readonly grain: Grain | undefined
  /** For messages. */
  readonly name: string
}

export interface Comparison {
  readonly operator: Operator
  readonly values: readonly FilterValue[]
  readonly relative?: RelativeSpan
  /** Whether rows without a value are kept. */
  readonly orMissing?: boolean | undefined
  readonly path: string
}

export interface RelativeSpan {
  readonly unit: Grain
  readonly count: number
  readonly direction: 'past' | 'future'
  readonly include_current: boolean
}

/** A comparison of a time; or all times up to a bound, which is the form of a comparison for a metric that reads earlier periods. */
export type TimeCondition<L> =
  | { readonly kind: 'compared'; readonly subject: Subject<L>; readonly comparison: Comparison }
  | { readonly kind: 'up-to'; readonly admitted: Ranges }
