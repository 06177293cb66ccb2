/** The connection of a builder of rollup tables: each statement is shown to readers when it has ended. */
import { GrainlineError } from '@grainline/core'
import type { RollupWriter } from '@grainline/core/vendor'
import { clientOptions, loadPostgres } from './driver.js'
import { engineMessage } from './errors.js'
import type { PostgresPlan } from './options.js'

export const CLOCK = 'CAST(EXTRACT(EPOCH FROM now()) * 1000000 AS bigint)'

export async function openWriter(plan: PostgresPlan): Promise<RollupWriter> {
  const driver = await loadPostgres()
  const client = new driver.Client(
    clientOptions({ ...plan, client: { ...plan.client, application_name: 'grainline rollup' } }, driver),
  )
  client.on('error', () => {})
  const saidBy = (cause: unknown): GrainlineError => new GrainlineError('DATABASE_ERROR', engineMessage(cause), { cause })
  await client.connect().catch((cause: unknown) => {
    throw new GrainlineError(
      'VENDOR_UNAVAILABLE',
      `The database for rollup tables cannot be connected to: ${engineMessage(cause)}`,
      { cause },
    )
  })
  // Literals of the statements mean what they mean to the server.
  await client.query("SET TIME ZONE 'UTC'; SET DateStyle = 'ISO, YMD'; SET extra_float_digits = 1")
  const { rows } = await client.query<{ readonly pid: number }>('SELECT pg_backend_pid() AS pid')

  /** From another connection. */
  async function cancel(): Promise<void> {
    const other = new driver.Client(clientOptions(plan, driver))
    other.on('error', () => {})
    await other.connect()
    await other.query('SELECT pg_cancel_backend($1)', [rows[0]?.pid]).finally(() => other.end())
  }

  return {
    async run(sql, signal) {
      signal?.throwIfAborted()
      const abort = () => void cancel().catch(() => {})
      signal?.addEventListener('abort', abort, { once: true })
      try {
        await client.query(sql)
      } catch (error) {
        signal?.throwIfAborted()
        throw saidBy(error)
      } finally {
        signal?.removeEventListener('abort', abort)
      }
    },
    async clock() {
      const found = await client.query<{ readonly at: string }>(`SELECT ${CLOCK} AS at`)
      return Number(found.rows[0]?.at)
    },
    async publish() {},
    close: () => client.end().catch(() => {}),
  }
}
