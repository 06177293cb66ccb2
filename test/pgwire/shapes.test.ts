/** SQL that tools generate is answered with the rows that it means, or refused with a hint that works. */
import { DuckDBInstance } from '@duckdb/node-api'
import type { HostPlugin } from '@grainline/core'
import evaluator from '@grainline/evaluator-duckdb'
import t, { type Test } from 'tap'
import { ask, connectReady, errorOf, rowsOf, typesOf } from './raw-client.js'
import { duckdb, startPgwire } from './server.js'
import { metabase } from './shapes/metabase.js'
import { others } from './shapes/others.js'
import { superset } from './shapes/superset.js'

const server = await startPgwire({
  plugins: [...(duckdb ?? []), evaluator as HostPlugin],
  settings: { PGWIRE_CATALOG: 'off', QUERY_DEFAULT_LIMIT: 10_000 },
})
const client = await connectReady(server.port, { database: 'flights' })
const tables = await (await DuckDBInstance.create()).connect()
const folder = new URL('../../examples/flights/data/', import.meta.url).pathname
for (const name of ['flights', 'airlines', 'planes'])
  await tables.run(`CREATE VIEW ${name} AS SELECT * FROM read_parquet('${folder}${name}.parquet')`)
t.teardown(async () => {
  client.end()
  tables.closeSync()
  await server.close()
})

const meant = async (sql: string) => (await tables.runAndReadAll(sql)).getRowsJson().map((row) => row.map(canonical))

/** Numbers in a canonical form, timestamps at midnight as dates, because engines return the same number with other types. */
function canonical(value: unknown): unknown {
  if (value === null) return null
  if (value === true || value === 't') return 't'
  const text = String(value).replace(/ 00:00:00$/, '')
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(Number(text).toPrecision(12)) : text
}

async function answered(t: Test, sql: string, means: string): Promise<void> {
  const answer = await ask(client, sql)
  const failed = answer.some(({ type }) => type === 'E')
  t.notOk(failed, failed ? `${sql} → ${errorOf(answer).M}` : sql)
  t.match(typesOf(answer), /^T/, 'columns are described')
  t.same(
    rowsOf(answer).map((row) => row.map(canonical)),
    await meant(means),
    sql,
  )
}

for (const { tool, source, shapes } of [superset, metabase, ...others]) {
  t.test(`${tool} (${source})`, async (t) => {
    for (const { says, sql, means, refused, instead } of shapes) {
      await t.test(says, async (t) => {
        if (means !== undefined) return answered(t, sql, means)
        const error = errorOf(await ask(client, sql))
        t.equal(error.C, refused!.code)
        t.match(error.H, refused!.hint)
        t.ok(Number(error.P) > 0, 'with its place')
        await answered(t, instead!.sql, instead!.means)
      })
    }
  })
}
