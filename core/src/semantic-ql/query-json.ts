/** A query in its canonical JSON, as far as SQL can say one. */
import type { FilterJson } from './conditions.js'

export type DimensionJson = string | { readonly expression: string; readonly as: string }

export interface OrderJson {
  readonly field: string
  readonly direction?: 'desc'
  readonly nulls?: 'first'
}

export interface QueryJson {
  readonly select: {
    readonly dimensions?: readonly DimensionJson[]
    readonly measures?: readonly string[]
    readonly fields?: readonly string[]
    readonly distinct?: true
  }
  readonly where?: readonly FilterJson[]
  readonly having?: readonly FilterJson[]
  readonly order_by?: readonly OrderJson[]
  readonly limit?: number
  readonly offset?: number
  readonly grouping?: 'rollup' | 'cube' | { readonly sets: readonly (readonly string[])[] }
}
