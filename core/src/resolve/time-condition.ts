/** Conditions as they are asked, before they become expressions. */
import type { DataType } from '../model/data-type.js'
import type { Expr } from '../model/expression/ast.js'
import type { Grain } from '../model/grain.js'
import type { Operator } from '../model/operators.js'
import type { FilterValue } from '../model/semantic-model.js'
import type { Ranges } from '../time-zones/ranges.js'

/** What a condition compares: an expression of `type`, seen in buckets of `grain` where one is declared. */
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
  readonly path: string
}

export interface RelativeSpan {
  readonly unit: Grain
  readonly count: number
  readonly direction: 'past' | 'future'
  readonly include_current: boolean
}

/** A comparison of a time; or all up to some end, which is what a comparison becomes for a metric that looks back. */
export type TimeCondition<L> =
  | { readonly kind: 'compared'; readonly subject: Subject<L>; readonly comparison: Comparison }
  | { readonly kind: 'up-to'; readonly admitted: Ranges }
