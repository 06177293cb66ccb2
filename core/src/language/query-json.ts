/** A query in its canonical JSON, as far as SQL can express it. */
import type { GivenValue } from '../model/parameter.js'
import type { FilterValue } from '../model/semantic-model.js'
import type { RollupChoice } from '../query/query-object.js'

/** A filter in the canonical JSON of a query. */
export type FilterJson =
  | {
      readonly field: string
      readonly op: string
      readonly value?: FilterValue | readonly FilterValue[]
      readonly or_missing?: true
    }
  | { readonly expression: string }
  | { readonly logic: 'and' | 'or'; readonly filters: readonly FilterJson[]; readonly negated?: true }

/** A dimension of a query: its name, or an expression with its own name. */
export type DimensionJson = string | { readonly expression: string; readonly as: string }

/** A sort key. */
export interface OrderJson {
  readonly field: string
  readonly direction?: 'desc'
  readonly nulls?: 'first'
  /** A dimension that the model orders by another column, by its own values. */
  readonly by?: 'value'
}

/** A query as JSON, with the keys of `docs/reference/query.md`. */
export interface QueryJson {
  /** The view that the statement reads; the service adds it. */
  readonly view?: string
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
  readonly top?: {
    readonly dimension: string
    readonly by: string
    readonly n: number
    readonly order?: 'asc'
    readonly others?: string
  }
  readonly rows_of?: string
  /** Whether rollup tables are read; the service adds what the client's session says. */
  readonly rollups?: RollupChoice
  readonly parameters?: Readonly<Record<string, GivenValue>>
  /** The measures for each row of a data object that a statement names; the service adds them. */
  readonly columns?: readonly { readonly measure: string; readonly per: string; readonly as: string }[]
  readonly grouping?:
    | 'rollup'
    | 'cube'
    | { readonly sets: 'rollup' | 'cube' | readonly (readonly string[])[]; readonly of?: 'all' | 'shown' }
}
