/** No statement contains anything unused: checked with the parser of DuckDB, for every query of the tests and the docs. */
import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { compileFor as compileCorpus, modelText, readQuestions } from '../corpus/corpus.js'
import { compileFlights } from '../docs/flights.js'
import { pageExamples } from '../docs/page.js'
import { oneIn } from '../support/amount.js'
import { loadText } from '../support/compile.js'
import { database } from './database.js'
import { shapeOf } from './statement-shape.js'

/** The table that the corpus model defines by SQL, which is left unchanged. */
const OF_THE_MODEL = /^payments\./

const { connection } = await database()
const corpus = loadText(modelText())
const docs = new URL('../../docs/', import.meta.url).pathname
const queries = new URL('../../examples/flights/queries/', import.meta.url).pathname

const statements: readonly (readonly [string, () => string])[] = [
  ...readQuestions().map(({ name, query }) => [`corpus: ${name}`, () => compileCorpus(duckdb, query, corpus).sql] as const),
  ...readdirSync(docs)
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      pageExamples(readFileSync(docs + file, 'utf8'))
        .filter(({ model, refused }) => model === 'flights' && refused === undefined)
        .map(({ name, query }) => [`docs/${file}: ${name}`, () => compileFlights(query).sql] as const),
    ),
  ...readdirSync(queries)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const { query } = JSON.parse(readFileSync(queries + file, 'utf8')) as { readonly query: unknown }
      return [`flights: ${file}`, () => compileFlights(query).sql] as const
    }),
]

t.test('every common table expression and every column of it and of a derived table is read', async (t) => {
  t.ok(statements.length > 150, `${statements.length} statements`)
  for (const [name, sql] of oneIn(2, statements)) {
    const { unusedCtes, unusedColumns } = await shapeOf(connection, sql())
    const ours = unusedColumns.filter((column) => !OF_THE_MODEL.test(column))
    t.same([...unusedCtes, ...ours], [], name)
  }
})

t.test('the checker finds a column that is not read', async (t) => {
  const sql = `WITH a AS (SELECT t.x AS x, COUNT(*) AS n FROM t GROUP BY 1), b AS (SELECT a.n AS n FROM a), c AS (SELECT t.x AS x FROM t)
    SELECT d.p AS p FROM (SELECT b.n AS p, b.n + 1 AS q FROM b UNION ALL SELECT 1, 2) AS d CROSS JOIN (SELECT DISTINCT t.y AS y FROM t) AS e`
  t.same(await shapeOf(connection, sql), { selects: 7, ctes: 3, scans: 3, unusedCtes: ['c'], unusedColumns: ['c.x', 'd.q'] })
})

t.test('a column is read from the innermost table of its name', async (t) => {
  const sql = `SELECT a.x AS x FROM (SELECT t.x AS x, t.k AS k, t.z AS z FROM t) AS a WHERE EXISTS (SELECT 1 FROM (SELECT u.z AS z, u.k AS k FROM u) AS b WHERE b.k = a.k)`
  t.same((await shapeOf(connection, sql)).unusedColumns.toSorted(), ['a.z', 'b.z'])
})
