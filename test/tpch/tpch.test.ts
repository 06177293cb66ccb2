import { readFileSync } from 'node:fs'
import t from 'tap'
import { type Answer, ask, type Cell, difference, exact, openParquet } from '../support/answers.js'
import { compileFor } from '../support/compile.js'
import { filledIn, project, questions, TABLES, tpch } from './questions.js'

const here = (name: string): string => new URL(name, import.meta.url).pathname

const asked = (query: unknown): Promise<Answer> => ask(connection, compileFor(query, tpch).sql)
const connection = await openParquet(Object.fromEntries(TABLES.map((table) => [table, here(`data/${table}.parquet`)])))
t.teardown(() => connection.closeSync())

for (const question of questions) {
  t.test(`TPC-H ${question.name} has the published answer: ${question.question}`, async (t) => {
    const found = project(await asked(await filledIn(question, asked)), question)
    const wanted = { columns: found.columns, rows: published(here(`answers/${question.name}.csv`)) }
    t.ok(wanted.rows.length > 0, 'the published answer has rows')
    t.equal(difference(found, wanted, question.query.order_by !== undefined && !question.folded), undefined)
  })
}

t.test('TPC-H q17, whose published answer is empty at this scale, equals hand-written SQL for every brand', async (t) => {
  const found = await asked({ select: { dimensions: ['Brand'], measures: ['Price of Small Lines'] } })
  const byHand = `
    SELECT p_brand, sum(CASE WHEN l_quantity < 0.2 * usual THEN l_extendedprice END) FROM lineitem JOIN part ON p_partkey = l_partkey
    JOIN (SELECT l_partkey AS key, avg(l_quantity) AS usual FROM lineitem GROUP BY 1) ON key = l_partkey GROUP BY 1`
  const wanted = await ask(connection, byHand)
  t.ok(wanted.rows.filter(([, price]) => price !== null).length > 10, 'small lines there are')
  t.equal(difference(found, { ...wanted, columns: found.columns }, false), undefined)
})

/** The published answers of the benchmark: a heading, then rows of cells between bars; a cell without text is NULL. */
function published(path: string): Cell[][] {
  const [, ...lines] = readFileSync(path, 'utf8').replace(/\n$/, '').split('\n')
  return lines.map((line) => line.split('|').map((cell) => (cell === '' ? null : exact(cell))))
}
