import type { Expression } from './expression.js'

/** A step of `$apply` (OData Extension for Data Aggregation 4.0). Each reads the rows of the step before it. */
export type Transformation =
  | { readonly kind: 'filter'; readonly condition: Expression }
  | { readonly kind: 'compute'; readonly columns: readonly Computed[] }
  | { readonly kind: 'group'; readonly by: readonly string[]; readonly aggregates: readonly Aggregate[] }
  | { readonly kind: 'order'; readonly order: readonly Ordered[] }
  | { readonly kind: 'skip' | 'top'; readonly rows: number }

export interface Computed {
  readonly expression: Expression
  readonly as: string
}

/** `with` is absent for a custom aggregate: a measure aggregates as its model says. */
export type Aggregate =
  | { readonly kind: 'count'; readonly as: string }
  | { readonly kind: 'of'; readonly expression: Expression; readonly with?: Method; readonly as: string }

export type Method = (typeof METHODS)[number]
export const METHODS = ['sum', 'min', 'max', 'average', 'countdistinct'] as const

export interface Ordered {
  readonly expression: Expression
  readonly isDescending: boolean
}
