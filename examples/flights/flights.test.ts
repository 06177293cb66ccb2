import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { ask, difference, openParquet } from '../../test/support/answers.js'
import { compileOnDuckdb, readModel } from '../../test/support/compile.js'

const TABLES = ['flights', 'weather', 'airports', 'planes', 'airlines']
const here = (name: string): string => new URL(name, import.meta.url).pathname

const model = readModel(here('model.yaml'))
const connection = await openParquet(Object.fromEntries(TABLES.map((table) => [table, here(`data/${table}.parquet`)])))
t.teardown(() => connection.closeSync())

for (const file of readdirSync(here('queries')).filter((name) => name.endsWith('.json'))) {
  const { question, query } = JSON.parse(readFileSync(here(`queries/${file}`), 'utf8')) as {
    readonly question: string
    readonly query: { readonly order_by?: unknown }
  }
  t.test(`${question} (${file})`, async (t) => {
    const compiled = compileOnDuckdb(query, model)
    const found = await ask(connection, compiled.sql)
    const wanted = await ask(connection, readFileSync(here(`queries/${file.replace('.json', '.sql')}`), 'utf8'))
    t.ok(wanted.rows.length > 0, 'the hand-written truth has rows')
    t.equal(difference(found, wanted, query.order_by !== undefined), undefined)
    t.same(
      compiled.columns.map((column) => column.name),
      found.columns,
      'the columns announced are the columns delivered',
    )
  })
}

t.test('every example of the model compiles', async (t) => {
  t.ok(model.examples.length > 0)
  for (const example of model.examples) t.ok(compileOnDuckdb(example.query, model).sql.length > 0, example.name)
})
