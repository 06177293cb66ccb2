import path from 'node:path'
import type { Connection } from '@duckdb/node-bindings'
import type { Logger } from '@grainline/core'
import type { Driver } from './driver.js'
import type { OpenedFile } from './opened-file.js'

/** Files that statements of `init` have attached. */
export async function attachedFiles(
  connection: Connection,
  { api }: Driver,
  main: string | undefined,
): Promise<readonly OpenedFile[]> {
  const answer = await new api.DuckDBConnection(connection).runAndReadAll(ATTACHED)
  return answer
    .getRows()
    .map(([file, readOnly]) => ({ database: path.resolve(String(file)), readOnly: readOnly === true }))
    .filter(({ database }) => database !== main)
}

const ATTACHED = 'SELECT DISTINCT path, readonly FROM duckdb_databases() WHERE NOT internal AND path IS NOT NULL ORDER BY path'

/** DuckDB lets one process write to a file, and then no other can open it. No statement of the server writes. */
export function warnOfLocks(files: readonly OpenedFile[], logger: Logger): void {
  for (const { database, readOnly } of files) {
    if (readOnly) continue
    const name = path.basename(database)
    logger.warn(
      { database },
      `init attaches the database file ${name} for writing, so that no other process can open it. Write ATTACH '${name}' … (READ_ONLY) to share it.`,
    )
  }
}
