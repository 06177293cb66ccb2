/** How often a question reads a table: warehouses are paid by the scan. Counted in the statement as it is before it is spelled. */
import { readFileSync } from 'node:fs'
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { parse } from 'yaml'
import { compileThrough } from '../../core/src/compile.js'
import { GrainlineError } from '../../core/src/errors.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import type { Dialect } from '../../core/src/sql/dialect.js'
import type { From, Query, Statement } from '../../core/src/sql/statement.js'
import { DIALECTS, FURTHER_DIALECTS, modelText, readQuestions } from './corpus.js'

type Reads = Readonly<Record<string, number>>
interface Repeated {
  readonly reads: Reads
  readonly why: string
  readonly levels?: Reads
}

const { model } = parseModelSync({ text: modelText() })
if (!model) throw new Error('the model of the corpus does not load')
const repeated = parse(readFileSync(new URL('scans.yaml', import.meta.url), 'utf8')) as Readonly<Record<string, Repeated>>
const questions = readQuestions()

for (const { name, query } of questions) {
  t.test(`no table is read more often than '${name}' needs`, async (t) => {
    const { reads = {}, levels = reads } = repeated[name] ?? {}
    for (const dialect of [...DIALECTS, ...FURTHER_DIALECTS]) {
      const statement = statementFor(query, dialect)
      if (statement) t.strictSame(moreThanOnce(statement), dialect.lacks.groupingSets ? levels : reads, dialect.name)
    }
  })
}

t.test('every question that is said to read a table again is one of the corpus', async (t) => {
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

/** The statement of a question; none where the dialect refuses it. */
function statementFor(query: unknown, dialect: Dialect): Statement | undefined {
  let last: unknown
  const context = { dialect, functions: builtInFunctions, aggregates: builtInAggregates, now: new Date('2025-06-15T12:00:00Z') }
  try {
    compileThrough(parseQuery(query), model!, context, (stage, value) => {
      if (stage === 'lowered') last = value
      return value
    })
  } catch (error) {
    if (error instanceof GrainlineError) return undefined
    throw error
  }
  return last as Statement
}

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
