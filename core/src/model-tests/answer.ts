import type { DataType } from '../model/data-type.js'
import type { Value } from '../result/value-at.js'

/** A complete answer as values. */
export interface Answer {
  readonly columns: readonly { readonly name: string; readonly type: DataType }[]
  readonly rows: readonly (readonly Value[])[]
  /** True when rows beyond the default limit were left out. */
  readonly truncated: boolean
}
