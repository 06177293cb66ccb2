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

t.test('an interrupt that meets ROLLBACK leaves no transaction to the next statement', async (t) => {
  const BEGIN_PROBE_ROLLBACK = 3
  const open = await opened(t, BEGIN_PROBE_ROLLBACK, 'before')
  await t.rejects((await open.start('SELECT 1')).finish(), { message: /Interrupted/ })
  await open.settle()
  await (await open.start('SELECT 2')).finish()

  const over = await opened(t, BEGIN_PROBE_ROLLBACK, 'after')
  await t.rejects((await over.start('SELECT 1')).finish(), { message: /Interrupted/ })
  await t.rejects(over.settle(), { message: /no transaction is active/ }, 'a connection of which nothing is known is dropped')
})

t.test('an interrupt that meets BEGIN leaves no transaction to the next statement', async (t) => {
  const session = await opened(t, 1, 'after')
  await t.rejects(session.start('SELECT 1'), { message: /Interrupted/ })
  await session.settle()
  const { finish } = await session.start('SELECT 2')
  await finish()
})
