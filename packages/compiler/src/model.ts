/** An error or a warning about a model or a query. `path` is dotted, `''` at the root; lines and columns count from 1. */
export interface Finding {
  readonly code: string
  readonly message: string
  readonly path: string
  readonly severity: 'error' | 'warning'
  readonly hint?: string
  readonly suggestions?: readonly string[]
  readonly line?: number
  readonly column?: number
}

export interface Field {
  readonly name: string
  readonly kind: 'dimension' | 'measure' | 'metric'
  /** The type of a dimension, or the declared one of a number. */
  readonly type: string | undefined
  readonly description: string | undefined
}

/** A valid model. `compile` takes it. */
export interface Model {
  readonly name: string | undefined
  /** The same content has the same hash everywhere. */
  readonly contentHash: string
  readonly fields: readonly Field[]
}
