/** Builds tables of rollups in a copy of a database file, which then takes its place: other processes may have the file open. */
import { constants } from 'node:fs'
import { chmod, copyFile, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type * as Bindings from '@duckdb/node-bindings'
import { fail, type Logger } from '@grainline/core'
import type { RollupWriter } from '@grainline/core/vendor'
import { openDatabase } from './database.js'
import { loadDuckdb } from './driver.js'
import { databaseError } from './errors.js'
import type { DuckDBPlan } from './options.js'

export const CLOCK = 'epoch_us(now())'

interface Context {
  readonly logger: Logger
  /** The name under which the server attaches the file; `undefined` for its main file. */
  readonly database: string | undefined
}

/** Owned by one builder at a time: another one that copies the same file would lose what this one writes. */
export async function openWriter(plan: DuckDBPlan, address: string, { logger, database }: Context): Promise<RollupWriter> {
  const file = path.resolve(address)
  const copy = `${file}.building`
  const isMain = plan.database === file
  if (!isMain && database === undefined)
    fail(
      'INVALID_CONFIG',
      `The file '${path.basename(file)}' is not the database of the server, so a rollup must name it: database`,
      {
        path: 'ROLLUP_DUCKDB_URL',
      },
    )
  const driver = await loadDuckdb()
  const { bindings } = driver
  const release = await lock(`${file}.lock`)
  let opened: { readonly connection: Bindings.Connection; readonly close: () => void } | undefined

  async function connection(): Promise<Bindings.Connection> {
    if (opened) return opened.connection
    await rm(copy, { force: true })
    await copyFile(file, copy, constants.COPYFILE_FICLONE).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' || isMain) throw error
    })
    const own = isMain
      ? { ...plan, database: copy, readOnly: false }
      : {
          ...plan,
          init: [
            ...plan.init,
            `DETACH DATABASE IF EXISTS ${quoted(database!)}`,
            `ATTACH ${textOf(copy)} AS ${quoted(database!)}`,
          ],
        }
    const base = await openDatabase(own, driver, logger)
    // All rows are read by everybody who reads the file.
    await chmod(copy, 0o600)
    opened = { connection: await base.connect(), close: base.close }
    return opened.connection
  }

  function closed(): void {
    if (!opened) return
    bindings.disconnect_sync(opened.connection)
    opened.close()
    opened = undefined
  }

  return {
    async run(sql, signal) {
      const own = await connection()
      signal?.throwIfAborted()
      const interrupt = () => bindings.interrupt(own)
      signal?.addEventListener('abort', interrupt, { once: true })
      try {
        await bindings.query(own, sql)
      } catch (error) {
        signal?.throwIfAborted()
        throw databaseError(error)
      } finally {
        signal?.removeEventListener('abort', interrupt)
      }
    },
    clock: async () => Date.now() * 1000,
    async publish() {
      if (!opened) return
      await bindings.query(opened.connection, `CHECKPOINT${isMain ? '' : ` ${quoted(database!)}`}`)
      closed()
      await flushed(copy)
      await rename(copy, file)
    },
    async close() {
      closed()
      await rm(copy, { force: true })
      await rm(`${copy}.wal`, { force: true })
      await release()
    },
  }
}

const quoted = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`
const textOf = (text: string): string => `'${text.replaceAll("'", "''")}'`

async function flushed(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.sync().finally(() => handle.close())
}

/** A lock file names the process that owns it; that of a process that has ended is taken over. */
async function lock(file: string): Promise<() => Promise<void>> {
  for (const isLast of [false, true]) {
    try {
      const handle = await open(file, 'wx', 0o600)
      await handle.writeFile(String(process.pid)).finally(() => handle.close())
      return () => rm(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      if (isLast || (await isOwned(file)))
        fail('CONFLICT', `Another build writes to '${path.basename(file, '.lock')}'; its lock is ${path.basename(file)}`)
      await rm(file, { force: true })
    }
  }
  return fail('INTERNAL_ERROR', 'no lock')
}

async function isOwned(file: string): Promise<boolean> {
  const handle = await open(file, 'r')
  const pid = Number(await handle.readFile('utf8').finally(() => handle.close()))
  try {
    return Number.isInteger(pid) && pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
