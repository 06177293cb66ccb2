/** Questions on time as people ask them, each beside SQL that is written by hand. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { database } from '../compile/database.js'
import { compileFlights, openFlights } from '../docs/flights.js'
import { ask, type Cell, difference } from '../support/answers.js'
import { compileFor, readModel } from '../support/compile.js'

interface Question {
  readonly question: string
  readonly of?: 'flights'
  readonly query: { readonly order_by?: unknown }
  readonly sql: string
  /** The codes of its warnings. */
  readonly warns?: readonly string[]
  /** A view that the SQL reads. */
  readonly with?: string
}

const file = (name: string): string => new URL(name, import.meta.url).pathname
const questions = parse(readFileSync(file('questions.yaml'), 'utf8')) as readonly Question[]
const store = readModel(file('store.yaml'))
const { connection } = await database(readFileSync(file('store.sql'), 'utf8'))
const flights = await openFlights()
t.teardown(() => flights.closeSync())
const TODAY = new Date('2026-03-15T12:00:00Z')

for (const { question, of, query, sql, with: view, warns = [] } of questions) {
  t.test(question, async (t) => {
    const [on, compiled] = of ? [flights, compileFlights(query)] : [connection, compileFor(query, store, duckdb, TODAY)]
    const found = await ask(on, compiled.sql)
    if (view) await on.run(view)
    const { rows } = await ask(on, sql)
    const wanted = { columns: found.columns, rows: rows.map((row) => row.map(asDay)) }
    t.not(found.rows.length, 0, 'there is an answer')
    t.equal(difference(found, wanted, query.order_by !== undefined), undefined, question)
    if (!of)
      t.same(
        compiled.warnings.map(({ code }) => code),
        warns,
        'the warnings',
      )
  })
}

/** DuckDB truncates a date to a timestamp. */
const asDay = (cell: Cell): Cell => (typeof cell === 'string' ? cell.replace(/^(\d{4}-\d\d-\d\d) 00:00:00$/, '$1') : cell)

t.test('there are forty questions and more', (t) => {
  t.ok(questions.length >= 40)
  t.equal(new Set(questions.map(({ question }) => question)).size, questions.length)
  t.end()
})
