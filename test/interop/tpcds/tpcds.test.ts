/**
 * TPC-DS at scale factor 1: each query has the same answer as DuckDB's text of the query on the same data. TPCDS_SCALE selects another
 * scale. A change asks one of six parts of the queries, another one for another commit.
 */
import t from 'tap'
import { oneIn } from '../../support/amount.js'
import { questions } from '../../tpcds/questions.js'
import { disagreement } from './agree.js'
import { answerOf, unlimitedReference } from './answer.js'
import { openBenchmark } from './benchmark.js'

t.setTimeout(1_200_000)
const benchmark = await openBenchmark(Number(process.env['TPCDS_SCALE'] ?? 1))
if (typeof benchmark === 'string') t.plan(0, benchmark)
else {
  t.teardown(benchmark.close)
  for (const question of process.env['TPCDS_SCALE'] === undefined ? oneIn(6, questions) : questions) {
    t.test(`TPC-DS ${question.name} has the answer of the reference: ${question.question}`, async (t) => {
      const found = await answerOf(benchmark, question)
      const [wanted, limit] = await unlimitedReference(benchmark, question)
      t.equal(found.rows.length, Math.min(wanted.rows.length, limit), 'as many rows')
      t.equal(disagreement(found, wanted, orderPlaces(question.query, question.answer)), undefined)
    })
  }
}

/** The positions of the sort columns in the answer; a sort column that is not selected cannot distinguish rows. */
function orderPlaces(query: unknown, answer: readonly unknown[]): number[] {
  const { order_by = [] } = query as { readonly order_by?: readonly { readonly field: string }[] }
  return order_by.map(({ field }) => answer.indexOf(field)).filter((place) => place >= 0)
}
