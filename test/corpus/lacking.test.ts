/**
 * DuckDB with every feature disabled that can be rewritten: the rows of every query of the corpus are the same. The exception is
 * `shownOrder`: within an expression of ORDER BY, DuckDB reads a name as a column of the tables.
 */
import { DuckDBInstance } from '@duckdb/node-api'
import { defineDialect } from '@grainline/core/dialect'
import { duckdb } from '@grainline/dialect-duckdb'
import t from 'tap'
import { oneIn } from '../support/amount.js'
import { ask, difference } from '../support/answers.js'
import { loadText } from '../support/compile.js'
import { compileFor, dataSql, modelText, readQuestions } from './corpus.js'

const MISSING =
  'median percentile mode first stddev_samp stddev_pop var_samp var_pop corr covar_samp covar_pop regr_slope regr_intercept'.split(
    ' ',
  )

const poor = defineDialect(duckdb, {
  name: 'poor',
  maxCtes: 2,
  semantics: {
    exactText: false,
    nullsOrder: false,
    hiddenOrder: false,
    lagDefault: false,
    signedRanks: false,
    distinctStatistics: false,
    distinctLists: false,
    orderedLists: false,
    mixedLists: false,
    mixedChoices: false,
    typedDoubles: false,
    lagNull: false,
    signedCounts: false,
    keysInWindows: false,
    keysInHaving: false,
    doublePartitions: false,
    wideSums: false,
    wideDecimals: false,
    longScales: false,
    overflowGuard: false,
    specialCasts: false,
    specialStatistics: false,
    specialModes: false,
    specialPercentiles: false,
    comparedNaN: false,
    orderedNaN: false,
    plainZero: false,
    exactDecimals: false,
    laterDates: false,
    correlated: false,
  },
  functions: { is_nan: ([x]) => `ISNAN(${x})` },
  aggregates: {
    ...Object.fromEntries(MISSING.map((name) => [name, 'rewritten' as const])),
    listagg: ({ args, delimiter }) => `STRING_AGG(${args[0]}, ${delimiter ?? "','"} ORDER BY ${args[1]})`,
  },
  order: (value, descending) => `${value}${descending ? ' DESC NULLS LAST' : ' NULLS FIRST'}`,
  collate: (value) => `CAST(${value} AS VARCHAR)`,
})

const model = loadText(modelText())
const connection = await (await DuckDBInstance.create(':memory:')).connect()
await connection.run(`SET TimeZone = 'UTC'; ${dataSql()}`)
t.teardown(() => connection.closeSync())

for (const { name, query, truth, ordered = false } of oneIn(4, readQuestions())) {
  t.test(name, async (t) => {
    const found = await ask(connection, compileFor(poor, query, model).sql)
    const wanted = await ask(connection, truth)
    t.equal(difference(found, { ...wanted, columns: found.columns }, ordered), undefined)
  })
}

t.test('no removed feature is used', async (t) => {
  const all = readQuestions().map(({ query }) => compileFor(poor, query, model).sql)
  t.notMatch(all.join('\n'), /\b(MEDIAN|QUANTILE_CONT|MODE|STDDEV_\w+|VAR_\w+|CORR|COVAR_\w+|REGR_\w+)\(/)
  t.match(all.join('\n'), /ROW_NUMBER\(\) OVER \(PARTITION BY "staged"/)
})

t.test('of many common table expressions, those that are read once are written where they are read', async (t) => {
  const few = defineDialect(duckdb, { name: 'few', maxCtes: 2 })
  const headers = (sql: string): number => [...sql.matchAll(/"\w+" AS \($/gm)].length
  const counts = readQuestions().map(({ query }) => [
    headers(compileFor(duckdb, query, model).sql),
    headers(compileFor(few, query, model).sql),
  ])
  t.ok(counts.some(([before, after]) => before! > 3 && after === 2))
  for (const [before, after] of counts) t.ok(after! <= before! && (before! > 2 || after === before), `${before}, then ${after}`)
})
