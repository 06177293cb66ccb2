import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { type Answer, ask, type Cell, difference, exact, openParquet } from '../support/answers.js'
import { compileOnDuckdb, readModel } from '../support/compile.js'

interface Question {
  readonly question: string
  readonly query: { readonly order_by?: unknown }
  /** A question asked before, whose only value times `factor` stands for "$first". */
  readonly first?: { readonly query: unknown; readonly factor: number }
  /** The columns of ours that the published answer has, in its order. */
  readonly answer: readonly string[]
  /** Each row once: the published answer does not show a dimension that ours needs. */
  readonly distinct?: boolean
  /** Adds this column up per group of the others shown; rows that `having` left are not aggregated by a question yet. */
  readonly folded?: string
}

const TABLES = ['customer', 'lineitem', 'nation', 'orders', 'part', 'partsupp', 'region', 'supplier']
const here = (name: string): string => new URL(name, import.meta.url).pathname

const model = readModel(here('model.yaml'))
const connection = await openParquet(Object.fromEntries(TABLES.map((table) => [table, here(`data/${table}.parquet`)])))
t.teardown(() => connection.closeSync())

for (const file of readdirSync(here('queries')).toSorted()) {
  const question = JSON.parse(readFileSync(here(`queries/${file}`), 'utf8')) as Question
  t.test(`TPC-H ${file.slice(0, 3)} is answered as published: ${question.question}`, async (t) => {
    const found = project(await answer(question), question)
    const wanted = { columns: found.columns, rows: published(here(`answers/${file.slice(0, 3)}.csv`)) }
    t.ok(wanted.rows.length > 0, 'the published answer has rows')
    t.equal(difference(found, wanted, question.query.order_by !== undefined && !question.folded), undefined)
  })
}

t.test('TPC-H q17, of which the published answer is empty at this scale, is answered in every brand as by hand', async (t) => {
  const asked = { select: { dimensions: ['Brand'], measures: ['Price of Small Lines'] } }
  const found = await ask(connection, compileOnDuckdb(asked, model).sql)
  const byHand = `
    SELECT p_brand, sum(CASE WHEN l_quantity < 0.2 * usual THEN l_extendedprice END) FROM lineitem JOIN part ON p_partkey = l_partkey
    JOIN (SELECT l_partkey AS key, avg(l_quantity) AS usual FROM lineitem GROUP BY 1) ON key = l_partkey GROUP BY 1`
  const wanted = await ask(connection, byHand)
  t.ok(wanted.rows.filter(([, price]) => price !== null).length > 10, 'small lines there are')
  t.equal(difference(found, { ...wanted, columns: found.columns }, false), undefined)
})

async function answer({ query, first }: Question): Promise<Answer> {
  if (!first) return ask(connection, compileOnDuckdb(query, model).sql)
  const [[value = null] = []] = (await ask(connection, compileOnDuckdb(first.query, model).sql)).rows
  const bound = Number(value) * first.factor
  const filled: unknown = JSON.parse(JSON.stringify(query), (_key, v: unknown) => (v === '$first' ? bound : v))
  return ask(connection, compileOnDuckdb(filled, model).sql)
}

function project(found: Answer, { answer, distinct, folded }: Question): Answer {
  const places = answer.map((name) => found.columns.indexOf(name))
  const rows = found.rows.map((row) => places.map((place) => row[place] ?? null))
  if (folded) return { columns: answer, rows: fold(rows, answer.indexOf(folded)) }
  if (!distinct) return { columns: answer, rows }
  return { columns: answer, rows: [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()] }
}

/** One row per group of the other cells, with the sum of whole numbers at `place`. */
function fold(rows: readonly Cell[][], place: number): Cell[][] {
  const sums = new Map<string, number>()
  for (const row of rows) {
    const key = JSON.stringify(row.with(place, null))
    sums.set(key, (sums.get(key) ?? 0) + Number(row[place]))
  }
  return [...sums].map(([key, sum]) => (JSON.parse(key) as Cell[]).with(place, String(sum)))
}

/** The answers that the benchmark publishes: a heading, then rows of cells between bars; a cell without text is NULL. */
function published(path: string): Cell[][] {
  const [, ...lines] = readFileSync(path, 'utf8').replace(/\n$/, '').split('\n')
  return lines.map((line) => line.split('|').map((cell) => (cell === '' ? null : exact(cell))))
}
