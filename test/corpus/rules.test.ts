/** Each question of the corpus has its answer without any rule for speed, and without each one; a rule that no question needs is not known to pay. */
import { DuckDBInstance } from '@duckdb/node-api'
import { duckdb } from '@grainline/dialect-duckdb'
import t from 'tap'
import { RULES } from '../../core/src/compile.js'
import { oneIn } from '../support/amount.js'
import { ask, difference } from '../support/answers.js'
import { loadText } from '../support/compile.js'
import { compileFor, DIALECTS, dataSql, modelText, readQuestions } from './corpus.js'

const model = loadText(modelText())
const connection = await (await DuckDBInstance.create(':memory:')).connect()
await connection.run("SET TimeZone = 'UTC'")
await connection.run(dataSql())
t.teardown(() => connection.closeSync())

const sqlWithout = (query: unknown, without: Iterable<string>): string =>
  compileFor(duckdb, query, model, undefined, new Set(without)).sql

const questions = readQuestions()

for (const { name, query, truth, ordered = false } of oneIn(2, questions)) {
  t.test(name, async (t) => {
    const wanted = await ask(connection, truth)
    const { sql: whole, explain } = compileFor(duckdb, query, model)
    const statements = [RULES, ...explain().rules.map((rule) => [rule])].map((without) => ({
      without,
      sql: sqlWithout(query, without),
    }))
    for (const { without, sql } of statements.filter((one) => one.sql !== whole)) {
      const found = await ask(connection, sql)
      t.equal(difference(found, { ...wanted, columns: found.columns }, ordered), undefined, `without ${without.join(', ')}`)
    }
  })
}

t.test('a rule that the explanation does not name changes no statement', async (t) => {
  for (const { name, query } of oneIn(20, questions)) {
    const { sql: whole, explain } = compileFor(duckdb, query, model)
    const possible = explain().rules
    for (const rule of RULES.filter((one) => !possible.includes(one)))
      t.equal(sqlWithout(query, [rule]), whole, `'${name}' without ${rule}`)
  }
})

/** Facts of one object or that refer to each other, counts of values of groups, periods that touch, conditions on values of compared rows and of keys, running values beside totals of what is shown, and values with a text of a page, which the corpus has not: test/compile, the ledger of test/bench, unit tests and the oracle ask for them. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'rollup-tables',
  'counted-groups',
  'united-facts',
  'referring-facts',
  'touching-periods',
  'sums-of-pairs',
  'leading-rows',
  'orphans-apart',
  'unread-lookups',
  'shown-groups',
  'named-values',
])

t.test('each rule changes a statement of the corpus on an engine', async (t) => {
  const asked = DIALECTS.flatMap((dialect) => questions.flatMap(({ query }) => applied(dialect, query)))
  const changes = (rule: string): boolean =>
    asked.some(({ dialect, query, whole, rules }) => rules.includes(rule) && textWithout(dialect, query, rule) !== whole)
  t.same(
    RULES.filter(changes),
    RULES.filter((rule) => !ELSEWHERE.has(rule)),
  )
})

/** A question as a dialect compiles it, with the rules that changed its plan; nothing, if the dialect lacks a part of it. */
function applied(dialect: (typeof DIALECTS)[number], query: unknown) {
  try {
    const { sql: whole, explain } = compileFor(dialect, query, model)
    return [{ dialect, query, whole, rules: explain().rules }]
  } catch {
    return []
  }
}

/** The SQL, or the error of a dialect that needs the rule. */
function textWithout(dialect: (typeof DIALECTS)[number], query: unknown, rule: string): string {
  try {
    return compileFor(dialect, query, model, undefined, new Set([rule])).sql
  } catch (error) {
    return String(error)
  }
}
