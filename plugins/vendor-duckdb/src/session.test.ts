import { silentLogger } from '@grainline/core'
import t from 'tap'
import { openDatabase } from './database.js'
import { type Driver, loadDuckdb } from './driver.js'
import { planOf } from './options.js'
import { openSession } from './session.js'

/** The driver, but the first statement it executes is interrupted after the engine has done it: DuckDB does that to a BEGIN now and then. */
function interruptedOnce({ bindings, api }: Driver): Driver {
  let first = true
  const execute: typeof bindings.execute_prepared = async (statement) => {
    const result = await bindings.execute_prepared(statement)
    if (!first) return result
    first = false
    throw new Error('INTERRUPT Error: Interrupted!')
  }
  // Inherited, as the addon's functions cannot be listed.
  return { api, bindings: Object.create(bindings, { execute_prepared: { value: execute } }) }
}

t.test('an interrupt that meets BEGIN leaves no transaction to the next statement', async (t) => {
  const driver = await loadDuckdb()
  const database = await openDatabase(planOf({}, { DUCKDB_DATABASE: undefined }), driver, silentLogger)
  const session = await openSession(database, interruptedOnce(driver))
  t.teardown(() => {
    session.close()
    database.close()
  })
  await t.rejects(session.start('SELECT 1'), { message: /Interrupted/ })
  await session.settle()
  const { finish } = await session.start('SELECT 2')
  await finish()
})
