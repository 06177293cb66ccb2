import { type ArrivedColumn, GrainlineError, type Portion, type ResultSchema, type RowSession } from '@grainline/core'
import { batchOf, textsOf } from './columns.js'
import type { Driver } from './driver.js'
import { engineMessage, isLost } from './errors.js'
import { type FlightClient, openFlight } from './flight-client.js'
import { openReader } from './ipc.js'
import type { DremioPlan } from './options.js'

/** A connection of its own. Throws `VENDOR_UNAVAILABLE` where the engine refuses. */
export async function openSession(plan: DremioPlan, driver: Driver): Promise<RowSession> {
  const client = await connected(plan, driver)
  let usable = true
  let stop = new AbortController()
  let planned: Buffer | undefined

  async function* rows(
    sql: string,
    announce: (columns: readonly ArrivedColumn[]) => void,
    schema?: ResultSchema,
  ): AsyncGenerator<Portion, void> {
    stop = new AbortController()
    const { signal } = stop
    let ended = false
    try {
      const { bytes, info } = await client.info(sql, signal)
      planned = bytes
      let announced = false
      for (const { ticket = {} } of info.endpoint ?? []) {
        const reader = await openReader(client.get(ticket, signal), driver)
        if (!announced) announce(reader.schema.fields.map(({ name, type }) => ({ name, type: String(type) })))
        announced = true
        for await (const batch of reader.batches)
          if (batch.numRows > 0) yield schema === undefined ? textsOf(batch) : batchOf(batch, schema)
      }
      ended = true
    } catch (error) {
      if (isLost(error)) usable = false
      throw error
    } finally {
      if (!ended) await cancel()
      planned = undefined
    }
  }

  /** The engine is told, and the call is ended, which an engine that knows no such action takes for the same. */
  async function cancel(): Promise<void> {
    const told = planned === undefined || !usable ? undefined : client.cancelInfo(planned).catch(() => {})
    stop.abort()
    await told
  }

  return {
    rows,
    cancel,
    get usable() {
      return usable
    },
    destroy() {
      usable = false
      stop.abort()
      client.close()
    },
    async close() {
      usable = false
      stop.abort()
      client.close()
    },
  }
}

async function connected(plan: DremioPlan, driver: Driver): Promise<FlightClient> {
  try {
    return await openFlight(plan, driver)
  } catch (cause) {
    if (isLost(cause)) throw cause
    const message = `The database '${plan.name}' cannot be connected to: ${engineMessage(cause)}`
    throw new GrainlineError('VENDOR_UNAVAILABLE', message, { cause })
  }
}
