import { DuckDBInstance } from '@duckdb/node-api'

export interface BareRead {
  readonly read: () => Promise<void>
  readonly close: () => void
}

/** The driver alone: the chunks of a statement are fetched and not read. `init` creates the tables. */
export async function bareRead(select: string, init: readonly string[]): Promise<BareRead> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  for (const statement of init) await connection.run(statement)
  return {
    async read() {
      const result = await connection.stream(select)
      for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; ) chunk = await result.fetchChunk()
    },
    close: () => connection.closeSync(),
  }
}
