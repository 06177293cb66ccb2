import type { TableSource } from '../../model/semantic-model.js'

/** The tables that may be read for a question, by the names of their rollups. */
export interface RollupTables {
  /** The first of those that hold an aggregate is read. */
  readonly sources: ReadonlyMap<string, TableSource>
  /** Whether an average of whole numbers of the engine is the quotient of two sums, to the last digit. */
  readonly hasQuotients: boolean
  /** The time zone of the question, if it names one. */
  readonly timezone: string | undefined
}

/** Where the aggregates of a question are read. */
export interface TablesRead {
  /** The names of rollups. */
  readonly rollups: readonly string[]
  /** The measures that are read from facts. */
  readonly facts: readonly string[]
}

export const NO_TABLES: TablesRead = { rollups: [], facts: [] }

export const allTables = (parts: readonly TablesRead[]): TablesRead => ({
  rollups: [...new Set(parts.flatMap(({ rollups }) => rollups))],
  facts: [...new Set(parts.flatMap(({ facts }) => facts))],
})
