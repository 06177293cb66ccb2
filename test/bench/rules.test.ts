/** Each rule for speed is measured: a question of its benchmark has another statement without it. */
import { DuckDBInstance } from '@duckdb/node-api'
import { duckdb } from '@grainline/dialect-duckdb'
import { postgres } from '@grainline/dialect-postgres'
import t from 'tap'
import { RULES } from '../../core/src/compile.js'
import type { Dialect } from '../../core/src/sql/dialect.js'
import { oneIn } from '../support/amount.js'
import { ask, difference } from '../support/answers.js'
import { questions as dsQuestions, tpcds } from '../tpcds/questions.js'
import { questions as hQuestions, tpch } from '../tpch/questions.js'
import { analysts, flights } from './hand-written/duckdb.js'
import { ledgerQuestions, ledgerRollup, ledgerTables, pairsOf, type RuleQuestion } from './rules/questions.js'

const ofBenchmarks: readonly RuleQuestion[] = [
  ...analysts.map(({ name, query }) => ({ name, query, model: flights })),
  ...dsQuestions.map(({ name, query }) => ({ name, query, model: tpcds })),
  // The others ask for a value of the data first.
  ...hQuestions.filter(({ first }) => !first).map(({ name, query }) => ({ name, query, model: tpch })),
]

t.test('each rule changes the statement of a question that the benchmark asks', async (t) => {
  const measured = new Set<string>()
  const ask = (question: RuleQuestion, dialect: Dialect): void => {
    const missing = RULES.filter((rule) => !measured.has(rule))
    if (missing.length === 0) return
    for (const { rule } of pairsOf(question, dialect, missing)) measured.add(rule)
  }
  for (const question of ledgerQuestions) for (const dialect of [duckdb, postgres]) ask(question, dialect)
  for (const question of ofBenchmarks) ask(question, duckdb)
  t.same(
    RULES.filter((rule) => !measured.has(rule)),
    [],
    'write a question of the ledger',
  )
})

t.test('the statements of the ledger have the same answers', async (t) => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  for (const statement of [...ledgerTables(20_000), ledgerRollup(duckdb)]) await connection.run(statement)
  for (const question of oneIn(2, ledgerQuestions))
    for (const { rule, ours, theirs } of pairsOf(question, duckdb)) {
      const answer = await ask(connection, ours)
      t.ok(answer.rows.length > 0, `${question.name}: rows`)
      t.equal(difference(answer, await ask(connection, theirs), false), undefined, `${question.name} without ${rule}`)
    }
  connection.closeSync()
})
