/** A connection over a simulated session, for situations that no real database can be brought into. */
import t from 'tap'
import { silentLogger } from '../logger.js'
import { INT } from '../model/data-type.js'
import type { ResultSchema } from '../result/record-batch.js'
import { connectRows, type RowSession } from './row-connection.js'

const SCHEMA: ResultSchema = [{ name: 'n', type: INT, role: 'field' }]
const never = (): Promise<void> => new Promise(() => {})

interface Played extends Partial<Pick<RowSession, 'cancel' | 'restore'>> {
  readonly graceMs?: number
}

/** Sessions that return one row each, and `end` without a row for the statement `long`. */
function played({ cancel = async () => {}, restore = async () => {}, graceMs = 20 }: Played) {
  const told: string[] = []
  let end = (): void => {}
  let opened = 0
  const open = async (): Promise<RowSession> => {
    const name = ++opened
    let usable = true
    return {
      async *rows(sql, announce) {
        announce([{ name: 'n', type: 'int' }])
        told.push(`${name}: ${sql}`)
        if (sql !== 'long') return yield [[String(name)]]
        await new Promise<void>((resolve) => {
          end = resolve
        })
      },
      async cancel() {
        told.push(`${name}: cancel`)
        await cancel()
        told.push(`${name}: cancelled`)
      },
      async restore() {
        told.push(`${name}: restore`)
        await restore()
      },
      get usable() {
        return usable
      },
      destroy() {
        told.push(`${name}: destroyed`)
        usable = false
      },
      close: async () => {},
    }
  }
  const connection = connectRows(
    {
      name: 'played',
      open,
      fits: () => true,
      decode: (text) => BigInt(text),
      isTransient: () => false,
      message: String,
      explain: { prefix: 'EXPLAIN', format: 'text' },
      timezone: 'zone',
      introspect: async () => [],
    },
    { poolSize: 1, waitMs: 10_000, logger: silentLogger, graceMs },
  )
  const ask = async (sql: string, signal?: AbortSignal): Promise<void> => {
    for await (const _ of connection.query(sql, { schema: SCHEMA, ...(signal && { signal }) }));
  }
  return { told, ask, endLong: () => end(), connection }
}

/** A statement that ends before its cancel arrives. */
async function cancelledAtItsEnd({ ask, endLong, told }: ReturnType<typeof played>): Promise<void> {
  const abort = new AbortController()
  const asked = ask('long', abort.signal).catch(() => {})
  while (!told.includes('1: long')) await new Promise(setImmediate)
  abort.abort(new Error('enough'))
  endLong()
  await asked
}

t.test('a connection gets no request before the cancel of its last statement has arrived', async (t) => {
  const one = played({ cancel: () => new Promise((resolve) => setImmediate(resolve)), graceMs: 600_000 })
  await cancelledAtItsEnd(one)
  await one.ask('next')
  t.same(one.told, ['1: long', '1: cancel', '1: cancelled', '1: restore', '1: next', '1: restore'])
  await one.connection.close()
})

t.test('a connection whose cancel may still arrive is dropped, because the cancel would stop the next statement', async (t) => {
  const one = played({ cancel: never })
  await cancelledAtItsEnd(one)
  await one.ask('next')
  t.same(one.told.slice(0, 4), ['1: long', '1: cancel', '1: destroyed', '2: next'])
  await one.connection.close()
})

t.test('a connection that cannot be reset in time is dropped, and its slot is free', async (t) => {
  for (const restore of [never, async () => Promise.reject(new Error('interrupted'))]) {
    const one = played({ restore })
    await one.ask('first')
    await one.ask('next')
    t.same(one.told.slice(0, 4), ['1: first', '1: restore', '1: destroyed', '2: next'])
    await one.connection.close()
  }
})
