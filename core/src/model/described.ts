/** What parts of a model have in common. */
export interface Described {
  readonly description: string | undefined
  readonly owner: string | undefined
  readonly synonyms: readonly string[]
}

/** A value in a filter, as documents and queries write it. */
export type FilterValue = string | number | boolean | null
