import { rmSync } from 'node:fs'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { silentLogger } from '@grainline/core'
import { INT, valueAt } from '@grainline/core/vendor'
import t from 'tap'
import { planOf } from './options.js'
import { duckdbVendor } from './vendor.js'

async function write(file: string, rows: number, factor: number): Promise<void> {
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  await connection.run(`CREATE TABLE t AS SELECT range * ${factor} AS n FROM range(${rows})`)
  connection.closeSync()
  instance.closeSync()
}

t.test('a statement that runs while its file is reopened ends on the old file, and the next one reads the new', async (t) => {
  const file = path.join(t.testdir({}), 'numbers.duckdb')
  await write(file, 100_000, 1)
  const connection = await duckdbVendor(planOf({ database: file }, { DUCKDB_DATABASE: undefined })).connect({
    logger: silentLogger,
    poolSize: 2,
  })
  t.teardown(() => connection.close())
  const schema = [{ name: 'n', type: INT, role: 'field' as const }]
  async function* numbers() {
    for await (const { columns, rowCount } of connection.query('SELECT n FROM t', { schema }))
      for (let row = 0; row < rowCount; row++) yield Number(valueAt(columns[0]!, row, INT))
  }
  t.equal(await connection.outdated?.(), undefined)
  t.equal(await connection.reopen?.(), false, 'nothing to open')
  const running = numbers()
  let [count, sum] = [1, Number((await running.next()).value)]
  rmSync(file)
  t.match(await connection.outdated?.(), /numbers\.duckdb was deleted/)
  await t.rejects(connection.reopen!(), 'there is nothing to open')
  await write(file, 3, -1)
  t.match(await connection.outdated?.(), /replaced or changed/)
  t.equal(await connection.reopen?.(), true)
  t.equal(await connection.outdated?.(), undefined)
  for await (const n of running) [count, sum] = [count + 1, sum + n]
  t.same([count, sum], [100_000, (100_000 * 99_999) / 2], 'all rows of the old file')
  const after: number[] = []
  for await (const n of numbers()) after.push(n)
  t.same(
    after,
    [-0, -1, -2].map((n) => n + 0),
  )
})
