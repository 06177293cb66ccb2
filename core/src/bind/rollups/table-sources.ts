import type { TableSource } from '../../model/semantic-model.js'

/** The tables that may be read for a question, by the names of their rollups. */
export interface RollupTables {
  readonly sources: ReadonlyMap<string, TableSource>
  /** The time zone of the question, if it has one of its own. */
  readonly timezone: string | undefined
}
