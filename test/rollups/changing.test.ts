/** Facts that change between builds and questions: whatever is asked, the answer is that of the facts of now, as long as each load is reported. */
import t from 'tap'
import { hashOf, type Random, randomFrom } from '../oracle/generate/random.js'
import { filesOf, shopWith, World } from './world.js'

const seed = Number(process.env['ORACLE_SEED'] ?? 20261129)

const QUESTIONS = [
  { dimensions: ['Day:month', 'Status'], measures: ['Sales', 'Order Count'] },
  { dimensions: ['Status'], measures: ['Paid Sales', 'Paid Orders'] },
  { dimensions: ['Day:year'], measures: ['Sales', 'Sales of All'] },
  { dimensions: [], measures: ['Sales'] },
]

const CHANGES: readonly ((random: Random) => string)[] = [
  (random) =>
    `INSERT INTO orders VALUES (${random.between(100, 900)}, 1, 1, '2024-0${random.between(1, 9)}-05', 'paid', ${random.between(1, 99)})`,
  (random) => `UPDATE orders SET amount = coalesce(amount, 0) + ${random.between(1, 9)} WHERE id = ${random.between(1, 6)}`,
  (random) => `UPDATE orders SET status = 'open' WHERE id = ${random.between(1, 6)}`,
  (random) => `DELETE FROM orders WHERE id = ${random.between(1, 6)}`,
  () => "UPDATE orders SET day = '2024-03-09' WHERE day IS NULL",
]

t.test(`changes are reported, and no old number is answered (ORACLE_SEED=${seed})`, async (t) => {
  const world = new World(t.testdir(filesOf(shopWith('{ mode: heartbeat }'))))
  await world.load()
  const random = randomFrom(hashOf(`changing ${seed}`))
  let [read, stale] = [0, 0]
  for (let round = 0; round < 2; round++) {
    t.equal((await world.rollup('build', 'shop.yaml')).code, 0)
    for (const isChanged of [false, true]) {
      if (isChanged) await world.write(random.pick(CHANGES)(random))
      const server = await world.serve()
      // It listened before the build.
      server.pass(3600)
      if (isChanged) await server.post('/v1/heartbeat', { table: 'orders' }, { authorization: 'Bearer beat-beat-beat-beat' })
      for (const select of QUESTIONS) {
        const rows = async (rollups: string) => {
          const { body, text, status } = await server.post('/v1/query/execute', { query: { select, rollups } })
          if (status !== 200) throw new Error(text)
          return { rows: body.rows.map((row: unknown) => JSON.stringify(row)).sort(), sql: String(body.sql) }
        }
        const [own, facts] = [await rows('allow'), await rows('never')]
        t.same(own.rows, facts.rows, `${JSON.stringify(select)} in round ${round}`)
        if (own.sql === facts.sql) stale++
        else read++
        t.equal(own.sql === facts.sql, isChanged, 'read from a table exactly while nothing changed')
      }
      await server.close()
    }
  }
  t.same({ read, stale }, { read: 8, stale: 8 })
})
