/** A session over a driver that is played, where no server can be made to show it. */
import t from 'tap'
import type { Driver } from './driver.js'
import { plansOf } from './options.js'
import { openSession } from './session.js'

const [plan] = plansOf(
  { host: 'h', path: '/p', token: 'dapi-1', catalog: 'main', schema: 'shop', statementTimeoutMs: 1500 },
  { DATABRICKS_URL: undefined },
)

/** Answers `DESCRIBE` with one column, and all else with portions of one row without end; `hangs` never answers. */
function played({ hangs = false } = {}) {
  const told: string[] = []
  class DBSQLClient {
    async connect(options: object) {
      told.push(JSON.stringify(options))
      return this
    }
    async openSession(options: object) {
      told.push(JSON.stringify(options))
      return {
        async executeStatement(sql: string) {
          told.push(sql)
          const isSetting = sql.startsWith('SET')
          const isDescription = sql.startsWith('DESCRIBE')
          return {
            fetchChunk: () =>
              hangs && isDescription
                ? new Promise(() => {})
                : Promise.resolve(isSetting ? [] : [isDescription ? { a: 'n', b: 'bigint', c: null } : { c0: '7' }]),
            hasMoreRows: async () => !isSetting && !isDescription,
            cancel: async () => void told.push('cancelled'),
            close: async () => void told.push('closed'),
          }
        },
        close: async () => {},
      }
    }
    async close() {}
  }
  return { told, driver: { DBSQLClient } as unknown as Driver }
}

t.test(
  'a session is opened at the configured address, in UTC and in ANSI mode, within its time limit, and contacts no other address',
  async (t) => {
    const { told, driver } = played()
    await openSession(plan!, driver)
    t.match(JSON.parse(told[0]!), {
      host: 'h',
      port: 443,
      path: '/p',
      token: 'dapi-1',
      userAgentEntry: 'grainline',
      telemetryEnabled: false,
    })
    t.same(JSON.parse(told[1]!), { initialCatalog: 'main', initialSchema: 'shop' })
    t.same(
      told.slice(2).filter((line) => line !== 'closed'),
      ["SET TIME ZONE 'UTC'", 'SET ANSI_MODE = true', 'SET STATEMENT_TIMEOUT = 2'],
    )
  },
)

t.test('an abandoned answer is cancelled, then closed', async (t) => {
  const { told, driver } = played()
  const session = await openSession(plan!, driver)
  for await (const rows of session.rows('SELECT 7 AS n', () => {})) {
    t.same(rows, [['7']])
    break
  }
  t.same(told.slice(-2), ['cancelled', 'closed'])
  t.ok(session.usable)
})

t.test('a released connection does not wait for an answer', async (t) => {
  const { driver } = played({ hangs: true })
  const session = await openSession(plan!, driver)
  const asked = session.rows('SELECT 7 AS n', () => {}).next()
  setImmediate(() => session.destroy())
  await t.rejects(asked, { message: 'The connection was given up' })
  t.notOk(session.usable)
})
