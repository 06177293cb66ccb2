import type { Logger } from '@grainline/core'
import { GrainlineError } from '@grainline/core'
import type { ArrivedColumn, RowSession, TextRow } from '@grainline/core/vendor'
import type { CustomTypesConfig, QueryResult } from 'pg'
import { clientOptions, type Driver } from './driver.js'
import { engineMessage, isLost } from './errors.js'
import type { PostgresPlan } from './options.js'
import { preparation } from './preparation.js'

/** Rows fetched at once: enough to keep the wire busy, few enough to be forgotten soon. */
const CHUNK = 2000
const CONNECT_MS = 10_000

/** Every value as the text of the server: no number and no date is converted to a JavaScript value. */
const TEXTS: CustomTypesConfig = { getTypeParser: () => (text: string) => text } as unknown as CustomTypesConfig

/** Rolling back undoes settings and temporary tables; locks of the session and prepared names outlive it. */
const RESTORE: Readonly<Record<PostgresPlan['dialect'], string>> = {
  postgres: 'ROLLBACK; SELECT pg_advisory_unlock_all(); DEALLOCATE ALL; DISCARD TEMP; DISCARD SEQUENCES',
  redshift: 'ROLLBACK',
}

/** A read-only connection in UTC. Throws `VENDOR_UNAVAILABLE` if the database cannot be reached or refuses it. */
export async function openSession(plan: PostgresPlan, driver: Driver, logger: Logger): Promise<RowSession> {
  const { client, pid } = await connected(plan, driver)
  let usable = true
  const gone = new Promise<void>((resolve) => client.once('end', resolve))
  const lost = (error?: Error): void => {
    if (usable && error !== undefined) logger.warn({ error: engineMessage(error) }, 'a connection was lost')
    usable = false
  }
  client.on('error', lost)
  client.on('end', () => lost())

  async function* rows(
    sql: string,
    announce: (columns: readonly ArrivedColumn[]) => void,
  ): AsyncGenerator<readonly TextRow[], void> {
    const cursor = client.query(new driver.Cursor(sql, [], { rowMode: 'array', types: TEXTS } as never))
    const read = () =>
      new Promise<{ readonly found: TextRow[]; readonly result: QueryResult }>((resolve, reject) => {
        cursor.read(CHUNK, (error: Error | null | undefined, found, result) =>
          error ? reject(error) : resolve({ found: found as never, result: result as never }),
        )
      })
    try {
      const first = await read()
      announce(first.result.fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })))
      for (let { found } = first; found.length > 0; { found } = found.length < CHUNK ? { found: [] } : await read()) yield found
    } catch (error) {
      if (isLost(error)) usable = false
      throw error
    } finally {
      // A lost connection cannot close anything.
      if (usable) await Promise.race([cursor.close().catch(lost), gone])
    }
  }

  return {
    rows,
    /** From another connection, so that it works with TLS and for a user who can stop only own statements. */
    async cancel() {
      const other = await connected(plan, driver)
      try {
        await other.client.query('SELECT pg_cancel_backend($1)', [pid])
      } catch (error) {
        // It may have been sent and still arrive: it would stop the next statement of the connection.
        if (isLost(error)) usable = false
        throw error
      } finally {
        await other.client.end()
      }
    },
    async restore() {
      await client.query(RESTORE[plan.dialect])
    },
    get usable() {
      return usable
    },
    destroy() {
      usable = false
      ;(client as unknown as { readonly connection: { readonly stream: { destroy(): void } } }).connection.stream.destroy()
    },
    close: () => client.end().catch(() => {}),
  }
}

async function connected(plan: PostgresPlan, driver: Driver) {
  const client = new driver.Client({ connectionTimeoutMillis: CONNECT_MS, ...clientOptions(plan, driver) })
  // Until the session listens itself; an error without a listener ends the process.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(preparation(plan))
    const { rows } = await client.query<{ readonly pid: number }>('SELECT pg_backend_pid() AS pid')
    return { client, pid: rows[0]!.pid }
  } catch (cause) {
    await client.end().catch(() => {})
    if (isLost(cause)) throw cause
    throw new GrainlineError(
      'VENDOR_UNAVAILABLE',
      `The database '${plan.name}' cannot be connected to: ${engineMessage(cause)}`,
      { cause },
    )
  }
}
