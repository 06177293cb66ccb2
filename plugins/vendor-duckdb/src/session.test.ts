import { silentLogger } from '@grainline/core'
import t, { type Test } from 'tap'
import { openDatabase } from './database.js'
import { type Driver, loadDuckdb } from './driver.js'
import { planOf } from './options.js'
import { openSession, type Session } from './session.js'

/** The driver, but the statement of this number is interrupted, before or after the engine has done it: DuckDB may do either. */
function interrupted({ bindings, api }: Driver, number: number, when: 'before' | 'after'): Driver {
  let executed = 0
  const execute: typeof bindings.execute_prepared = async (statement) => {
    if (++executed !== number) return bindings.execute_prepared(statement)
    if (when === 'after') await bindings.execute_prepared(statement)
    throw new Error('INTERRUPT Error: Interrupted!')
  }
  // Inherited, as the addon's functions cannot be listed.
  return { api, bindings: Object.create(bindings, { execute_prepared: { value: execute } }) }
}

async function opened(t: Test, number: number, when: 'before' | 'after'): Promise<Session> {
  const driver = await loadDuckdb()
  const database = await openDatabase(planOf({}, { DUCKDB_DATABASE: undefined }), driver, silentLogger)
  const session = await openSession(database, interrupted(driver, number, when))
  t.teardown(() => {
    session.close()
    database.close()
  })
  return session
}

t.test('an interrupt during ROLLBACK leaves no transaction for the next statement', async (t) => {
  const BEGIN_PROBE_ROLLBACK = 3
  const open = await opened(t, BEGIN_PROBE_ROLLBACK, 'before')
  await t.rejects((await open.start('SELECT 1')).finish(), { message: /Interrupted/ })
  await open.settle()
  await (await open.start('SELECT 2')).finish()

  const over = await opened(t, BEGIN_PROBE_ROLLBACK, 'after')
  await t.rejects((await over.start('SELECT 1')).finish(), { message: /Interrupted/ })
  await t.rejects(over.settle(), { message: /no transaction is active/ }, 'a connection of which nothing is known is dropped')
})

t.test('an interrupt during BEGIN leaves no transaction for the next statement', async (t) => {
  const session = await opened(t, 1, 'after')
  await t.rejects(session.start('SELECT 1'), { message: /Interrupted/ })
  await session.settle()
  const { finish } = await session.start('SELECT 2')
  await finish()
})

t.test('a small answer takes one statement, and one more after its first run', async (t) => {
  const { bindings, api } = await loadDuckdb()
  let executed = 0
  const counted = (name: 'execute_prepared' | 'execute_prepared_streaming') => ({
    value: (statement: Parameters<typeof bindings.execute_prepared>[0]) => {
      executed++
      return bindings[name](statement)
    },
  })
  const counting = Object.create(bindings, {
    execute_prepared: counted('execute_prepared'),
    execute_prepared_streaming: counted('execute_prepared_streaming'),
  })
  const driver = { api, bindings: counting } as Driver
  const database = await openDatabase(planOf({}, { DUCKDB_DATABASE: undefined }), driver, silentLogger)
  const session = await openSession(database, driver)
  t.teardown(() => {
    session.close()
    database.close()
  })
  const times: number[] = []
  for (let run = 0; run < 3; run++) {
    executed = 0
    const { result, finish } = await session.answer('SELECT 1 LIMIT 1')
    t.equal(bindings.row_count(result), 1)
    await finish()
    times.push(executed)
  }
  t.same(times, [2, 1, 1])
  await t.rejects(session.answer("SELECT error('no such day') LIMIT 1"), { message: /no such day/ })
  await t.resolves(session.settle(), 'and there is nothing to undo')
  await (await session.start('SELECT 2')).finish()
})
