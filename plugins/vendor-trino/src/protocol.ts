/** Statements over HTTP: https://trino.io/docs/current/develop/client-protocol.html */
import { setTimeout as wait } from 'node:timers/promises'
import { driverFault } from '@grainline/core/vendor'
import type { Driver } from './driver.js'
import { BUSY, httpFault, isLost } from './errors.js'
import type { TrinoPlan } from './options.js'
import { type Page, readPage } from './page.js'

const CONNECT_MS = 10_000
/** A coordinator answers within seconds, even if a statement has no rows yet. */
const SILENCE_MS = 60_000
/** The delay before a page is requested again; the server keeps a page until the next one is requested. */
const PAUSES = [50, 200, 1000]

export interface Exchange {
  readonly page: Page
  /** The transaction that the statement began. */
  readonly began: string | undefined
}

export interface Client {
  /** `transaction` is one that began before, `NONE` for a statement that begins one. */
  readonly start: (sql: string, transaction: string | undefined) => Promise<Exchange>
  readonly next: (uri: string) => Promise<Exchange>
  /** Ends a statement in the cluster. */
  readonly stop: (uri: string) => Promise<void>
  /** Aborts everything that is in progress. */
  readonly destroy: () => void
  readonly close: () => Promise<void>
}

type Method = 'GET' | 'POST' | 'DELETE'

export function openClient(plan: TrinoPlan, driver: Driver): Client {
  const agent = new driver.Agent({
    connect: { ...plan.tls, timeout: CONNECT_MS },
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
  })
  const headers = headersOf(plan)
  const send = async (method: Method, path: string, more: Readonly<Record<string, string>> = {}, body: string | null = null) => {
    const {
      statusCode,
      headers: answered,
      body: content,
    } = await driver.request(plan.url + path, {
      dispatcher: agent,
      method,
      headers: { ...headers, ...more },
      body,
    })
    const text = await content.text()
    if (statusCode >= 300) throw httpFault(statusCode, text)
    return { text, began: answered['x-trino-started-transaction-id']?.toString() }
  }
  const exchange = async (...request: Parameters<typeof send>): Promise<Exchange> => {
    const { text, began } = await send(...request)
    return { page: readPage(text, driver), began }
  }
  return {
    start: (sql, transaction) =>
      again(isBusy, () =>
        exchange('POST', '/v1/statement', transaction === undefined ? {} : { 'x-trino-transaction-id': transaction }, sql),
      ),
    next: (uri) =>
      again(
        (error) => isBusy(error) || isLost(error),
        () => exchange('GET', pathOf(uri)),
      ),
    async stop(uri) {
      await send('DELETE', pathOf(uri))
    },
    destroy: () => void agent.destroy().catch(() => {}),
    close: () => agent.close(),
  }
}

/** Paths of responses are always requested from the configured host, so that the password reaches no other host. */
function pathOf(uri: string): string {
  const { pathname, search } = new URL(uri)
  return pathname + search
}

const isBusy = (error: unknown): boolean => BUSY.includes(driverFault(error).code)

async function again<T>(isWorthIt: (error: unknown) => boolean, attempt: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await attempt()
    } catch (error) {
      if (!isWorthIt(error)) throw error
      await wait(pause)
    }
  }
  return attempt()
}

function headersOf({ user, catalog, schema, authorization, statementTimeoutMs }: TrinoPlan): Readonly<Record<string, string>> {
  return {
    'user-agent': 'grainline',
    'x-trino-source': 'grainline',
    'x-trino-user': user,
    'x-trino-time-zone': 'UTC',
    // Digits of times as the column has them, not three.
    'x-trino-client-capabilities': 'PARAMETRIC_DATETIME',
    ...(catalog !== undefined && { 'x-trino-catalog': catalog }),
    ...(schema !== undefined && { 'x-trino-schema': schema }),
    ...(authorization !== undefined && { authorization }),
    ...(statementTimeoutMs !== undefined && { 'x-trino-session': `query_max_run_time=${statementTimeoutMs}ms` }),
  }
}
