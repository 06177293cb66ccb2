import { createPool } from '@grainline/core/vendor'
import t from 'tap'
import { type Driver, loadDuckdb } from './driver.js'
import type { Running, Session } from './session.js'
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
  return { sessions, pool, deps: { pool, driver, givenUp: new GivenUp(graceMs) } }
}

t.test('a statement that ignores an interrupt frees its place, and is closed when it ends', async (t) => {
  const { sessions, pool, deps } = poolOf(await loadDuckdb(), 0)
  const stop = new AbortController()
  const ask = () => runStatement(deps, (session) => session.start(''), { schema: [] }, stop.signal).next()
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
  const asked = runStatement(deps, (session) => session.start(''), { schema: [] }, stop.signal).next()
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
  const start = async () => ({ result: {}, finish: async () => {} }) as Running
  const answer = runStatement(deps, start, { schema: [] }, new AbortController().signal)
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
