export const DIFF_SECTIONS = [
  'settings',
  'dataObjects',
  'columns',
  'joins',
  'dimensions',
  'measures',
  'metrics',
  'segments',
  'views',
  'rollups',
  'parameters',
  'calendars',
  'filters',
  'examples',
  'tests',
] as const
export type DiffSection = (typeof DIFF_SECTIONS)[number]

/** One entry of a model that changed. */
export interface Change {
  readonly kind: 'added' | 'removed' | 'changed' | 'renamed'
  readonly section: DiffSection
  /** Columns are `Object.Column`, joins `From → To`. */
  readonly name: string
  /** For a renamed entry: its old name. */
  readonly was?: string
  /** For a changed entry: its keys, with their values as JSON. */
  readonly keys?: readonly { readonly key: string; readonly before: string | null; readonly after: string | null }[]
  /** No number changes: a description, a format, a status. */
  readonly cosmetic: boolean
}

export interface Touched {
  readonly dimensions: readonly string[]
  readonly measures: readonly string[]
  readonly metrics: readonly string[]
  readonly examples: readonly string[]
  readonly tests: readonly string[]
}

export interface ModelDiff {
  readonly before: string
  readonly after: string
  readonly changes: readonly Change[]
  /** Fields, examples and tests of either model whose numbers a change may affect. */
  readonly touched: Touched
}
