import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Result } from '@duckdb/node-bindings'
import { createPool } from '@grainline/core/vendor'
import t from 'tap'
import { type Driver, loadDuckdb } from './driver.js'
import { MemoryWatch } from './memory-watch.js'
import { Running } from './running.js'
import type { Session } from './session.js'
import { GivenUp, runStatement } from './statement.js'

/** A session whose statement heeds no interrupt until the test lets it end. */
function deaf() {
  const told: string[] = []
  let asked = false
  let busy: Promise<unknown> = Promise.resolve()
  let end: () => void = () => {}
  const runs = new Promise<Running>((_, reject) => {
    end = () => reject(new Error('INTERRUPT Error: Interrupted!'))
  })
  const session: Session = {
    prepare: () => Promise.reject(new Error('not asked for here')),
    start: () => {
      asked = true
      return runs
    },
    answer: () => runs,
    explain: () => runs,
    interrupt: () => void told.push('interrupt'),
    settle: async () => void told.push('settle'),
    closeAfter: (rest) => {
      busy = rest
    },
    close: () => void busy.then(() => told.push('closed')),
  }
  return { session, told, isAsked: () => asked, end: () => end() }
}

function poolOf(driver: Driver, graceMs: number) {
  const sessions: ReturnType<typeof deaf>[] = []
  const open = async () => {
    const made = deaf()
    sessions.push(made)
    return made.session
  }
  const pool = createPool<Session>({ name: 'DuckDB', size: 1, waitMs: 60_000, open, close: (session) => session.close() })
  return {
    sessions,
    pool,
    deps: { pool, driver, givenUp: new GivenUp(graceMs), memory: new MemoryWatch({ most: Number.POSITIVE_INFINITY }) },
  }
}

t.test('a statement that ignores an interrupt frees its place, and is closed when it ends', async (t) => {
  const { sessions, pool, deps } = poolOf(await loadDuckdb(), 0)
  const stop = new AbortController()
  const ask = () => runStatement(deps, (session) => session.start(''), { schema: [], end: () => {} }, stop.signal).next()
  const first = ask()
  while (sessions[0]?.isAsked() !== true) await new Promise((resolve) => setImmediate(resolve))
  stop.abort(new Error('enough'))
  await t.rejects(first, { message: 'enough' })
  t.same(pool.stats, { open: 0, idle: 0, waiting: 0 }, 'its place is free')
  t.equal(deps.givenUp.count, 1)
  t.notOk(sessions[0]?.told.includes('closed'))
  const other = await pool.acquire()
  await pool.release(other)
  t.equal(sessions.length, 2)
  sessions[0]?.end()
  while (deps.givenUp.count > 0) await new Promise((resolve) => setImmediate(resolve))
  t.equal(sessions[0]?.told.at(-1), 'closed')
  await pool.close()
})

t.test('at most two statements are abandoned at one time', async (t) => {
  const { sessions, pool, deps } = poolOf(await loadDuckdb(), 0)
  deps.givenUp.count = 2
  const stop = new AbortController()
  const asked = runStatement(deps, (session) => session.start(''), { schema: [], end: () => {} }, stop.signal).next()
  while (sessions[0]?.isAsked() !== true) await new Promise((resolve) => setImmediate(resolve))
  stop.abort(new Error('enough'))
  await new Promise((resolve) => setTimeout(resolve, 5))
  t.equal(pool.stats.open, 1, 'its place is kept')
  sessions[0]?.end()
  await t.rejects(asked, { message: 'enough' })
  await pool.close()
})

t.test('a reader that leaves in the middle does not wait for a statement that ignores an interrupt', async (t) => {
  let end: () => void = () => {}
  const never = new Promise<null>((resolve) => {
    end = () => resolve(null)
  })
  const chunks: readonly Promise<unknown>[] = [Promise.resolve({ rows: 64 * 2048 }), never]
  let fetched = 0
  const bindings = {
    column_count: () => 0,
    result_is_streaming: () => true,
    fetch_chunk: () => chunks[fetched++],
    data_chunk_get_size: ({ rows }: { readonly rows: number }) => rows,
  }
  const { sessions, pool, deps } = poolOf({ ...(await loadDuckdb()), bindings } as unknown as Driver, 0)
  const start = async () => new Running({} as Result, async () => {})
  const answer = runStatement(deps, start, { schema: [], end: () => {} }, new AbortController().signal)
  t.match(await answer.next(), { value: { rowCount: 64 * 2048 } })
  const left = answer.return()
  for (let turns = 0; turns < 1000 && deps.givenUp.count === 0; turns++) await new Promise((resolve) => setImmediate(resolve))
  t.equal(deps.givenUp.count, 1)
  t.same(pool.stats, { open: 0, idle: 0, waiting: 0 }, 'its place is free')
  end()
  await left
  while (deps.givenUp.count > 0) await new Promise((resolve) => setImmediate(resolve))
  t.ok(sessions[0]?.told.includes('interrupt'))
  await pool.close()
})

t.test('a statement that has ended refers neither to its result nor to a chunk, though its request is kept', async (t) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const seen: WeakRef<object>[] = []
  const noted = <T extends object>(made: T): T => {
    seen.push(new WeakRef(made))
    return made
  }
  for (const streaming of [true, false]) {
    let rows = 3
    const bindings = {
      column_count: () => 0,
      result_is_streaming: () => streaming,
      row_count: () => rows,
      fetch_chunk: async () => (rows > 0 ? noted({ rows: rows-- }) : null),
      data_chunk_get_size: (chunk: { readonly rows: number }) => chunk.rows - chunk.rows + 1,
    }
    const { pool, deps } = poolOf({ ...(await loadDuckdb()), bindings } as unknown as Driver, 0)
    const running = (async () => new Running(noted({} as Result), async () => {}))()
    const answer = runStatement(deps, () => running, { schema: [], end: () => {} }, new AbortController().signal)
    while ((await answer.next()).done !== true);
    await new Promise((turn) => setImmediate(turn))
    collect()
    t.equal(seen.length, 4)
    t.same(
      seen.splice(0).map((one) => one.deref()),
      [undefined, undefined, undefined, undefined],
      streaming ? 'streamed' : 'all there',
    )
    t.equal(answer[Symbol.asyncIterator](), answer)
    const { letGo } = await running
    t.type(letGo, 'function', 'it is kept until here')
    await pool.close()
  }
})
