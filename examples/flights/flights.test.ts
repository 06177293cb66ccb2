import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { ask, difference, openParquet } from '../../test/support/answers.js'
import { compileFor, readModel } from '../../test/support/compile.js'

const TABLES = ['flights', 'weather', 'hours', 'airports', 'planes', 'airlines']
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
    const compiled = compileFor(query, model)
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
  for (const example of model.examples) t.ok(compileFor(example.query, model).sql.length > 0, example.name)
})

t.test('the first query of the README compiles to hand-written SQL: two lookups, one scan of the flights', async (t) => {
  const [, body] = /-d '(\{.*\})'/.exec(readFileSync(here('../../README.md'), 'utf8'))!
  t.equal(
    compileFor(JSON.parse(body!), model).sql,
    `SELECT
  "origin_airports"."name" AS "Origin Airport",
  CAST(DATE_TRUNC('month', "hours"."date") AS DATE) AS "Month",
  AVG("flights"."dep_delay") AS "Average Departure Delay",
  CAST(COUNT(CASE WHEN "flights"."dep_time" IS NULL THEN 1 END) AS DOUBLE) / NULLIF(COUNT(*), 0) AS "Cancellation Rate"
FROM "flights"
LEFT JOIN "airports" AS "origin_airports" ON "flights"."origin" = "origin_airports"."faa"
LEFT JOIN "hours" ON "flights"."time_hour" = "hours"."time_hour"
GROUP BY 1, 2
ORDER BY "Origin Airport" NULLS LAST, "Month" NULLS LAST`,
  )
})

t.test('every hour of the calendar has its day in New York', async (t) => {
  const { rows } = await ask(
    connection,
    `SELECT count(*), count(*) FILTER (WHERE date = CAST(time_hour AT TIME ZONE 'America/New_York' AS DATE)) FROM hours`,
  )
  t.same(rows, [['8760', '8760']])
})
