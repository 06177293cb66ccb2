/** Questions of a finance team, each beside SQL over the raw tables that is written by hand. No SELECT is in the model. */
import { readFileSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import t from 'tap'
import { parse } from 'yaml'
import type { CompiledQuery } from '../../core/src/sql/compiled-query.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { postgres } from '../../plugins/dialect-postgres/src/index.js'
import { catalogImage } from '../../plugins/surface-pgwire/src/catalog/catalog-image.js'
import { database } from '../compile/database.js'
import { translateTables } from '../interop/translate-tables.js'
import { oneIn } from '../support/amount.js'
import { type Answer, ask, type Cell, difference, exact } from '../support/answers.js'
import { compileFor, readModel } from '../support/compile.js'

interface Question {
  readonly question: string
  readonly query: { readonly order_by?: unknown }
  readonly sql: string
  /** The units of its columns, `-` for none. */
  readonly units: string
  /** The codes of its warnings. */
  readonly warns?: readonly string[]
}

const file = (name: string): string => new URL(name, import.meta.url).pathname
const questions = parse(readFileSync(file('questions.yaml'), 'utf8')) as readonly Question[]
const books = readModel(file('books.yaml'))
const { connection } = await database(readFileSync(file('books.sql'), 'utf8'), readFileSync(file('views.sql'), 'utf8'))
// A database that exists already: to make one takes two seconds.
const image = await catalogImage()
const pglite = await PGlite.create(image === undefined ? {} : { loadDataDir: new Blob([new Uint8Array(image)]) })
t.teardown(() => pglite.close())
for (const statement of await translateTables(readFileSync(file('books.sql'), 'utf8'), postgres, JSON.stringify))
  await pglite.exec(statement)
const TODAY = new Date('2026-03-15T12:00:00Z')

for (const { question, query, sql, units, warns = [] } of oneIn(2, questions)) {
  t.test(question, async (t) => {
    const compiled = compileFor(query, books, duckdb, TODAY)
    const found = await ask(connection, compiled.sql)
    const { rows } = await ask(connection, sql)
    const wanted = { columns: found.columns, rows: rows.map((row) => row.map(asDay)) }
    t.not(found.rows.length, 0, 'there is an answer')
    t.equal(difference(found, wanted, query.order_by !== undefined), undefined, question)
    const elsewhere = await askPglite(compileFor(query, books, postgres, TODAY))
    t.equal(difference(elsewhere, wanted, query.order_by !== undefined), undefined, 'the same on PGlite')
    t.equal(compiled.columns.map(({ unit = '-' }) => unit).join(' '), units, 'the units')
    t.same(
      compiled.warnings.map(({ code }) => code).filter((code) => code !== 'PARAMETER_DEFAULT_USED'),
      warns,
      'the warnings',
    )
  })
}

async function askPglite({ sql, columns }: Pick<CompiledQuery, 'sql' | 'columns'>): Promise<Answer> {
  const asText = Object.fromEntries([20, 21, 23, 1082, 1114, 1700].map((type) => [type, (text: string) => text]))
  const { fields, rows } = await pglite.query<Cell[]>(sql, [], { rowMode: 'array', parsers: asText })
  const isFloat = columns.map(({ type }) => type.kind === 'float')
  return {
    columns: fields.map(({ name }) => name),
    rows: rows.map((row) => row.map((cell, i) => (isFloat[i] && cell !== null ? Number(cell) : exact(cell)))),
  }
}

/** DuckDB truncates a date to a timestamp. */
const asDay = (cell: Cell): Cell => (typeof cell === 'string' ? cell.replace(/^(\d{4}-\d\d-\d\d) 00:00:00$/, '$1') : cell)

t.test('each question is asked once', (t) => {
  t.equal(new Set(questions.map(({ question }) => question)).size, questions.length)
  t.end()
})
