import type { ModelTypes, Scalar } from './model-types.js'
import type { Query } from './query.js'

/** The row of an answer: exactly the columns that the query selects, each with its own type. */
export type RowOf<M extends ModelTypes, Q extends Query<M>> = Flat<
  { readonly [K in ColumnsOf<Selected<Q, 'dimensions'>>]: ValueOf<M['dimensions'], K, M['times']> } & {
    readonly [K in ColumnsOf<Selected<Q, 'measures'>>]: Of<M['measures'], K> | null
  } & { readonly [K in Selected<Q, 'fields'> & string]: Of<M['columns'], K> | null }
>

type Flat<T> = { readonly [K in keyof T]: T[K] }

type Selected<Q, Part extends string> = Q extends { readonly select: { readonly [K in Part]: readonly (infer E)[] } } ? E : never

/** The name of the column of a selected field. */
type ColumnsOf<D> = D extends string ? D : D extends { readonly as: infer A extends string } ? A : never

type Of<Values, K> = K extends keyof Values ? Values[K] : Scalar

/** A time with a grain is the start of its period, as text. */
type ValueOf<Dimensions, K extends string, Times extends string> = K extends keyof Dimensions
  ? Dimensions[K] | null
  : K extends `${Times}:${string}`
    ? string | null
    : Scalar
