import type { ColumnAt, DraftColumn, DraftTable } from './draft.js'

/** The columns that identify the rows of a table. */
export interface Key {
  readonly table: DraftTable
  readonly columns: readonly DraftColumn[]
  /** The reason for the guess; `undefined` if the database declares it. */
  readonly evidence: string | undefined
}

export interface Link {
  readonly from: DraftTable
  readonly columnsFrom: readonly DraftColumn[]
  readonly to: DraftTable
  readonly columnsTo: readonly DraftColumn[]
  readonly oneToOne: boolean
  /** The database enforces it, and its rows show that it did. */
  readonly foreignKey?: boolean
  /** The reason for the guess; `undefined` if the database declares it. */
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
  /** Of numbers. */
  readonly min: number | undefined
  readonly max: number | undefined
  /** The least and the greatest text or time, as text. */
  readonly first?: string | undefined
  readonly last?: string | undefined
  /** The length of the longest text. */
  readonly longest?: number | undefined
}

/** The values of one column that is related to those of another: how many rows have both, and how many have the same in both. */
export interface Agreement {
  readonly rows: number
  readonly both: number
  readonly alike: number
}

/** Queries about the data. The result is `undefined` if the database did not answer. */
export interface Probe {
  facts(at: ColumnAt): Promise<ColumnFacts | undefined>
  /** Whether the values are unique and never NULL. */
  unique(
    table: DraftTable,
    columns: readonly DraftColumn[],
  ): Promise<{ readonly rows: number; readonly unique: boolean } | undefined>
  follow(link: Omit<Link, 'evidence'>): Promise<Followed | undefined>
  /** Whether each text is a day that a cast reads. */
  days(at: ColumnAt): Promise<boolean>
  /** The columns of a table of days that have one value in each period, and values that name it. */
  periods(day: ColumnAt, period: string, columns: readonly DraftColumn[]): Promise<readonly DraftColumn[]>
  /** Compares the reference of a row with the reference of the row that another one leads to. */
  agree(direct: Link, first: Link, second: Link): Promise<Agreement | undefined>
}

export interface Followed {
  /** Rows whose reference is not NULL. */
  readonly linked: number
  /** The number of these rows without a match. */
  readonly lost: number
  /** Distinct values without a match. */
  readonly lostLinks: number
}
