/** Metric views that are being written. Expressions are SQL. */
import type { Exported } from '@grainline/core'

/** A dimension or a measure. */
export interface OutItem {
  /** What of the model it says. */
  readonly path: Exported['written'][number]
  readonly name: string
  readonly sql: string
  readonly description: string | undefined
  readonly synonyms: readonly string[]
}

export interface OutWindow {
  /** The name of a dimension. */
  readonly order: string
  readonly range: string
  readonly take: 'first' | 'last'
  readonly offset?: string
}

export interface OutMeasure extends OutItem {
  /** The hidden ones that stand in its expression. */
  readonly inside: readonly OutItem['path'][]
  readonly windows: readonly OutWindow[]
  readonly format: Readonly<Record<string, unknown>> | undefined
}

export interface OutView {
  /** The data object whose rows it has. */
  readonly home: string
  readonly description: string | undefined
  readonly filters: Pick<OutItem, 'path' | 'sql'>[]
  readonly dimensions: OutItem[]
  readonly measures: OutMeasure[]
}
