/** The input of the service: the model language of a server, and that server's findings about a model. */

/** A finding as the core and `/v1/validate` return it. */
export interface Finding {
  readonly code: string
  readonly message: string
  readonly path: string
  readonly severity: 'error' | 'warning'
  readonly hint?: string
  readonly context?: Readonly<Record<string, unknown>>
  readonly suggestions?: readonly string[]
  /** Counted from 1. */
  readonly line?: number
  readonly column?: number
}

export interface LanguageFunction {
  readonly name: string
  readonly arity: readonly [least: number, most: number | null]
  readonly meaning: string
}

/** The response of `GET /v1/reference/language`. */
export interface Language {
  readonly schema: object
  readonly functions: readonly LanguageFunction[]
  readonly aggregations: readonly LanguageFunction[]
  readonly operators: readonly string[]
  readonly grains: readonly string[]
}
