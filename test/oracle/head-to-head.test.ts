import t from 'tap'
import { evaluate } from './evaluate.js'
import { data, model, questions, totals } from './head-to-head.js'
import { show } from './values.js'

for (const { name, query, columns, rows } of [...questions, totals]) {
  t.test(name, async (t) => {
    const answer = evaluate(model, data, query)
    if ('refused' in answer) return t.fail(answer.why)
    t.same(answer.columns, columns)
    t.same(
      answer.rows.map((r) => r.map(show)),
      rows,
    )
  })
}
