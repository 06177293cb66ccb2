/** How often a query reads a table: warehouses charge by the scan. Counted in the AST of the statement before it is rendered. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import type { Dialect } from '../../core/src/sql/dialect.js'
import type { From, Query, Statement } from '../../core/src/sql/statement.js'
import { DIALECTS, FURTHER_DIALECTS, readQuestions } from './corpus.js'
import { statementFor } from './statement-for.js'

type Reads = Readonly<Record<string, number>>
interface Repeated {
  readonly reads: Reads
  readonly why: string
  readonly levels?: Reads
  readonly total?: Reads
  readonly repeatsKey?: boolean
  readonly numbered?: Reads
  /** Where ranges of a table are read in one pass. */
  readonly onePass?: Reads
}

const repeated = parse(readFileSync(new URL('scans.yaml', import.meta.url), 'utf8')) as Readonly<Record<string, Repeated>>
const questions = readQuestions()

for (const { name, query } of questions) {
  t.test(`'${name}' reads no table more often than it needs`, async (t) => {
    const { reads = {}, levels = reads, total = reads, repeatsKey, numbered, onePass } = repeated[name] ?? {}
    const readsOn = ({ planner }: Dialect): Reads => {
      if (numbered && !planner.asOfJoins) return numbered
      if (onePass && planner.readsByRow) return onePass
      return !planner.groupingSets || (!planner.repeatedKeys && repeatsKey) ? levels : planner.emptySets ? reads : total
    }
    for (const dialect of [...DIALECTS, ...FURTHER_DIALECTS]) {
      const statement = statementFor(query, dialect)
      if (statement) t.strictSame(moreThanOnce(statement), readsOn(dialect), dialect.name)
    }
  })
}

t.test('every query that is listed as reading a table again is in the corpus', async (t) => {
  const names = questions.map(({ name }) => name)
  t.strictSame(
    Object.keys(repeated).filter((name) => !names.includes(name)),
    [],
  )
})

t.test('a statement that reads a table twice is found', async (t) => {
  const table: From = {
    kind: 'table',
    source: { kind: 'table', name: 'orders', schema: undefined, database: undefined },
    alias: 'o',
  }
  const body = { kind: 'select', from: { kind: 'join', type: 'cross', left: table, right: table, on: undefined } } as Query
  t.strictSame(moreThanOnce({ kind: 'statement', ctes: [], body }), { orders: 2 })
})

function moreThanOnce({ ctes, body }: Statement): Reads {
  const counts = new Map<string, number>()
  for (const query of [...ctes.map((cte) => cte.query), body])
    for (const table of tablesIn(query)) counts.set(table, (counts.get(table) ?? 0) + 1)
  return Object.fromEntries([...counts].filter(([, count]) => count > 1))
}

function tablesIn(query: Query): string[] {
  return (query.kind === 'select' ? [query] : query.parts).flatMap(({ from, among = [] }) => [
    ...tablesOf(from),
    ...among.flatMap((one) => tablesIn(one.query)),
  ])
}

function tablesOf(from: From): string[] {
  switch (from.kind) {
    case 'table':
      return [from.source.kind === 'table' ? from.source.name : 'SQL of the model']
    case 'join':
      return [...tablesOf(from.left), ...tablesOf(from.right), ...(from.among ?? []).flatMap((one) => tablesIn(one.query))]
    case 'subquery':
      return tablesIn(from.query)
    default:
      return []
  }
}
