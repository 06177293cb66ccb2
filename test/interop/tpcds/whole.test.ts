/** The further texts by hand of the benchmark answer what Grainline answers, also where rows have no partner; those of TPC do not. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { ask, difference } from '../../support/answers.js'
import { compileFor, loadText } from '../../support/compile.js'
import { questions as dsQuestions } from '../../tpcds/questions.js'
import { questions as hQuestions, project } from '../../tpch/questions.js'
import { disagreement } from './agree.js'
import { answerOf, spelled, withoutLimit } from './answer.js'
import { openBenchmark } from './benchmark.js'

const SCALE = 0.05
const texts = parse(readFileSync(new URL('../../bench/hand-written/whole.yaml', import.meta.url), 'utf8')) as readonly {
  readonly name: string
  readonly sql: string
}[]
const textOf = (name: string): string | undefined => texts.find((one) => one.name === name)?.sql

/** The model of a benchmark without foreign keys, which rows without a partner would break. */
const withoutForeignKeys = (file: string) =>
  loadText(readFileSync(new URL(file, import.meta.url), 'utf8').replaceAll(', foreignKey: true', ''))
const tpcds = withoutForeignKeys('../../tpcds/model.yaml')
const tpch = withoutForeignKeys('../../tpch/model.yaml')

const benchmark = await openBenchmark(SCALE)
if (typeof benchmark === 'string') t.plan(0, benchmark)
else {
  const { connection } = benchmark
  t.teardown(benchmark.close)

  t.test('texts for TPC-DS', async (t) => {
    await connection.run('DELETE FROM item WHERE i_item_sk % 7 = 0')
    await connection.run('DELETE FROM customer WHERE c_customer_sk % 5 = 0')
    for (const question of dsQuestions) {
      const sql = textOf(`TPC-DS ${question.name}`)
      if (sql === undefined) continue
      const found = await answerOf(benchmark, question, tpcds)
      const { rows } = await ask(connection, withoutLimit(sql))
      t.equal(
        disagreement(found, { columns: found.columns, rows: rows.map((row) => row.map(spelled)) }, []),
        undefined,
        question.name,
      )
    }
  })

  t.test('texts for TPC-H', async (t) => {
    const theirs = await benchmark.tpch(SCALE)
    if (!theirs) return t.plan(0, 'the TPC-H extension is not installed')
    await connection.run('DELETE FROM orders WHERE o_orderkey % 3 = 0')
    for (const question of hQuestions) {
      const sql = textOf(`TPC-H ${question.name}`)
      if (sql === undefined) continue
      const found = project(await ask(connection, compileFor(question.query, tpch).sql), question)
      const differenceFrom = async (text: string) =>
        difference(found, { columns: found.columns, rows: (await ask(connection, text)).rows }, false)
      t.equal(await differenceFrom(sql), undefined, question.name)
      t.not(await differenceFrom(theirs.get(Number(question.name.slice(1))) ?? ''), undefined, `${question.name} of TPC`)
    }
  })
}
