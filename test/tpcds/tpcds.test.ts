/** The answers are compared with DuckDB's reference texts in test/interop/tpcds, which needs the extension that generates the data. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { parseModelSync } from '../../core/src/model/load-model.js'
import { oneIn } from '../support/amount.js'
import { compileFor } from '../support/compile.js'
import { questions, tpcds } from './questions.js'

t.test('the model of the 24 tables loads without errors and warnings', async (t) => {
  const { errors, warnings } = parseModelSync({ text: readFileSync(new URL('model.yaml', import.meta.url), 'utf8') })
  t.strictSame([...errors, ...warnings], [])
  t.equal(new Set([...tpcds.dataObjects.values()].map(({ source }) => JSON.stringify(source))).size, 24)
})

const statements = new Map<string, string>()

for (const { name, question, query } of questions) {
  t.test(`TPC-DS ${name} is one question: ${question}`, async (t) => {
    const { sql, warnings } = compileFor(query, tpcds)
    statements.set(name, sql)
    t.match(sql, /^(SELECT|WITH)\b/)
    t.strictSame(
      warnings.filter(({ code }) => code !== 'FILTER_NOT_APPLICABLE'),
      [],
      'a condition may belong to one channel alone; nothing else is warned of',
    )
  })
}

t.test('with the one-to-one join of sales to returns always required, no query is refused or changes', async (t) => {
  const document = structuredClone(tpcds.document) as { dataObjects: Record<string, { joins: Record<string, unknown>[] }> }
  const join = document.dataObjects['Store Sales']!.joins.find((j) => j['joinType'] === 'one-to-one')!
  t.match(join, { joinTo: 'Store Returns', secondary: true }, 'the model walks it where a question pins it')
  delete join['secondary']
  const { model, errors } = parseModelSync({ json: document })
  t.same(errors, [])
  // Q5 filters by the date of sale, which returns then reach.
  const others = oneIn(
    2,
    questions.filter((q) => q.name !== 'q05'),
  )
  t.strictSame(
    others.filter(({ name, query }) => compileFor(query, model!).sql !== statements.get(name)).map(({ name }) => name),
    [],
    `${others.length} queries`,
  )
})

t.test('a fact that several parts of an answer read in the same way is read once', async (t) => {
  const { query } = questions.find(({ name }) => name === 'q97')!
  const { sql } = compileFor(query, tpcds)
  for (const fact of ['store_sales', 'catalog_sales']) t.equal(sql.split(`FROM "${fact}"`).length - 1, 1, fact)
  t.notMatch(sql, /CROSS JOIN/, 'and one row is not put beside itself')
})
