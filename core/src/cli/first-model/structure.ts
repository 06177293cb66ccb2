import type { ColumnAt, DraftColumn, DraftTable } from './draft.js'

/** The columns that identify the rows of a table. */
export interface Key {
  readonly table: DraftTable
  readonly columns: readonly DraftColumn[]
  /** Why it is thought to be one; `undefined` for what the database declares. */
  readonly evidence: string | undefined
}

export interface Link {
  readonly from: DraftTable
  readonly columnsFrom: readonly DraftColumn[]
  readonly to: DraftTable
  readonly columnsTo: readonly DraftColumn[]
  readonly oneToOne: boolean
  /** Why it is thought to be one; `undefined` for what the database declares. */
  readonly evidence: string | undefined
}

/** The keys and joins of a database, declared or guessed. */
export interface Structure {
  readonly keys: ReadonlyMap<DraftTable, Key>
  readonly links: readonly Link[]
}

/** What the rows of a table show about one of its columns. */
export interface ColumnFacts {
  readonly rows: number
  readonly present: number
  readonly distinct: number
  readonly min: number | undefined
  readonly max: number | undefined
}

/** What may be asked of the data. `undefined` where the database did not answer. */
export interface Probe {
  facts(at: ColumnAt): Promise<ColumnFacts | undefined>
  /** Whether no two rows have the same values, and none lacks one. */
  unique(
    table: DraftTable,
    columns: readonly DraftColumn[],
  ): Promise<{ readonly rows: number; readonly unique: boolean } | undefined>
  follow(link: Omit<Link, 'evidence'>): Promise<Followed | undefined>
}

export interface Followed {
  /** Rows whose link is not NULL. */
  readonly linked: number
  /** Those of them that find no row. */
  readonly lost: number
  /** Different links that find no row. */
  readonly lostLinks: number
}
