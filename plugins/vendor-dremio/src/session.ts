import { GrainlineError } from '@grainline/core'
import type { ArrivedColumn, Portion, ResultSchema, RowSession } from '@grainline/core/vendor'
import { type Answer, connectFlightSql, type FlightSqlClient } from '@grainline/flight-sql'
import { batchOf, textsOf } from './columns.js'
import { engineMessage, isLost } from './errors.js'
import type { DremioPlan } from './options.js'

/** A separate connection. Throws `VENDOR_UNAVAILABLE` if the engine refuses it. */
export async function openSession(plan: DremioPlan): Promise<RowSession> {
  const client = await connected(plan)
  let usable = true
  let stop = new AbortController()
  let answer: Answer | undefined

  async function* rows(
    sql: string,
    announce: (columns: readonly ArrivedColumn[]) => void,
    schema?: ResultSchema,
  ): AsyncGenerator<Portion, void> {
    stop = new AbortController()
    try {
      answer = await client.query(sql, { signal: stop.signal })
      announce(answer.schema.fields.map(({ name, type }) => ({ name, type: String(type) })))
      for await (const batch of answer)
        if (batch.numRows > 0) yield schema === undefined ? textsOf(batch) : batchOf(batch, schema)
    } catch (error) {
      if (isLost(error)) usable = false
      throw error
    } finally {
      answer = undefined
    }
  }

  return {
    rows,
    /** Sends the cancel action and ends the call; an engine without that action treats the end of the call as a cancel. */
    async cancel() {
      const told = usable ? answer?.cancel() : undefined
      stop.abort()
      await told
    },
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

async function connected({
  name,
  host,
  port,
  tls,
  credentials,
  headers,
  statementTimeoutMs,
}: DremioPlan): Promise<FlightSqlClient> {
  try {
    return await connectFlightSql({ host, port, tls, credentials, headers, callTimeoutMs: statementTimeoutMs })
  } catch (cause) {
    if (isLost(cause)) throw cause
    const message = `The database '${name}' cannot be connected to: ${engineMessage(cause)}`
    throw new GrainlineError('VENDOR_UNAVAILABLE', message, { cause })
  }
}
