/**
 * Each number in an answer has source rows. This test reads them for every query. It computes the measure over exactly these rows, and once
 * more by hand from the returned rows. Both results equal the number.
 */
import { DuckDBInstance } from '@duckdb/node-api'
import { builtInAggregates, builtInFunctions, type CompiledQuery, compile, parseQuery } from '@grainline/core'
import type { Measure } from '@grainline/core/unstable'
import t from 'tap'
import { columnsReached } from '../../core/src/resolve/columns-reached.js'
import { cellQuery } from '../../core/src/service/cell-query.js'
import { amount, oneIn } from '../support/amount.js'
import { type Answer, ask, type Cell } from '../support/answers.js'
import { loadText } from '../support/compile.js'
import { DIALECTS, dataSql, modelText, NOW, readQuestions } from './corpus.js'

const model = loadText(modelText())
const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
await connection.run(`SET TimeZone = 'UTC'; ${dataSql()}`)
t.teardown(() => connection.closeSync())

type CellOf = Readonly<Record<string, Cell>>
const context = {
  dialect: DIALECTS[0]!,
  functions: builtInFunctions,
  aggregates: builtInAggregates,
  now: NOW,
  storedTypes: 'declared',
} as const

type View = 'rows' | 'value' | 'count'
const behind = (query: unknown, measure: string, cell: CellOf, shows: View, columns?: readonly string[]): CompiledQuery =>
  compile(cellQuery(parseQuery(query), { cell, shows, measures: [measure] }), model, {
    ...context,
    behind: { cell, shows, ...(columns && { columns }) },
  })

/** The dimensions of a row: those that a subtotal aggregates have no value there, and the group of all but the top values has null. */
function cellOf({ columns }: CompiledQuery, row: readonly Cell[]): CellOf {
  const is = (flag: string): boolean => row[columns.findIndex((c) => c.name === flag)] === true
  return Object.fromEntries(
    columns.flatMap(({ name, role }, i) =>
      role === 'dimension' && !is(`${name} is total`) ? [[name, is(`${name} is others`) ? null : row[i]!]] : [],
    ),
  )
}

/** Computed from the returned rows with plain arithmetic; `undefined` if more than addition is necessary. */
function byHand(measure: Measure, shown: Answer): Cell | undefined {
  const { aggregation, distinct, inputs, defaultValue, dataType, name, withinGroup, orderBy } = measure
  if (defaultValue !== undefined || dataType || withinGroup || orderBy.length > 0) return undefined
  if (shown.columns.includes('weight')) return undefined
  const [input, ...others] = inputs
  if (!input) return aggregation === 'count' ? String(shown.rows.length) : undefined
  const column = 'column' in input ? `${input.object}.${input.column}` : name
  const at = shown.columns.indexOf(column)
  if (at < 0 || others.length > 0) return undefined
  const values = shown.rows.map((row) => row[at]!).filter((value) => value !== null)
  const different = [...new Set(values)]
  const numbers = (distinct ? different : values).map(Number)
  switch (aggregation) {
    case 'count':
      return String((distinct ? different : values).length)
    case 'count_distinct':
      return String(different.length)
    case 'sum':
      return numbers.length === 0 ? null : numbers.reduce((a, b) => a + b, 0)
    case 'avg':
      return numbers.length === 0 ? null : numbers.reduce((a, b) => a + b, 0) / numbers.length
    case 'min':
    case 'max':
      if (numbers.some(Number.isNaN)) return undefined
      return numbers.length === 0 ? null : Math[aggregation](...numbers)
    default:
      return undefined
  }
}

const same = (a: Cell, b: Cell): boolean =>
  a === b || (a !== null && b !== null && Math.abs(Number(a) - Number(b)) <= 1e-9 * Math.max(1, Math.abs(Number(a))))

type Tally = { cells: number; byHand: number; readonly faults: string[] }

/** The first row of an answer, or the last: a subtotal if there are any, or the group without a value. */
async function lookInto(query: unknown, measures: readonly string[], tally: Tally): Promise<void> {
  const compiled = compile(parseQuery(query), model, context)
  const { rows } = await ask(connection, compiled.sql)
  const names = compiled.columns.map((column) => column.name)
  const row = tally.cells % 2 === 0 ? rows[0] : rows.at(-1)
  for (const measure of row ? measures : []) {
    const cell = cellOf(compiled, row!)
    await lookIntoCell({ query, measure, cell, number: row![names.indexOf(measure)]! }, tally)
  }
}

interface AskedCell {
  readonly query: unknown
  readonly measure: string
  readonly cell: CellOf
  readonly number: Cell
}

async function lookIntoCell({ query, measure, cell, number }: AskedCell, tally: Tally): Promise<void> {
  const value = await ask(connection, behind(query, measure, cell, 'value').sql)
  const count = await ask(connection, behind(query, measure, cell, 'count').sql)
  const shown = await ask(connection, behind(query, measure, cell, 'rows').sql)
  const fault = (what: string): void =>
    void tally.faults.push(`${measure} in ${JSON.stringify(cell)} of ${JSON.stringify(query)}: ${what}`)
  tally.cells += 1
  if (count.rows[0]?.[0] !== String(shown.rows.length)) fault(`${count.rows[0]?.[0]} rows, and ${shown.rows.length} are shown`)
  await lookIntoColumns({ query, measure, cell }, shown, fault)
  // A group without rows of this fact exists because of another fact.
  const found = value.rows[0]?.[0] ?? null
  if (shown.rows.length === 0 && (number === null || number === '0')) return
  if (!same(found, number)) fault(`its rows come to ${found}, and it is ${number}`)
  const added = byHand(model.measures.get(measure)!, shown)
  if (added === undefined) return
  tally.byHand += 1
  if (!same(added, number)) fault(`its rows come to ${added} by hand, and it is ${number}`)
}

/** The same rows with chosen columns: some that they show anyway, and one of each object that they join. */
async function lookIntoColumns(
  { query, measure, cell }: Omit<AskedCell, 'number'>,
  shown: Answer,
  fault: (what: string) => void,
): Promise<void> {
  const compiled = behind(query, measure, cell, 'rows')
  const [object = ''] = compiled.resolved.fact_tables
  const own = compiled.columns.flatMap(({ name, type }) => (name.startsWith(`${object}.`) && type.kind !== 'json' ? [name] : []))
  const joined = columnsReached(model, object).filter((name) => !name.startsWith(`${object}.`) && !/json|document/i.test(name))
  const firsts = [...new Map(joined.toReversed().map((name) => [name.split('.')[0], name])).values()]
  const columns = [...new Set([...own.slice(0, 3), ...firsts])]
  if (columns.length === 0) return
  const chosen = await asked(() => behind(query, measure, cell, 'rows', columns))
  if (!chosen) return
  const valuesOf = (answer: Answer) => {
    const at = own.slice(0, 3).map((name) => answer.columns.indexOf(name))
    return answer.rows.map((row) => JSON.stringify(at.map((i) => row[i]))).toSorted()
  }
  const [wanted, found] = [valuesOf(shown), valuesOf(chosen)]
  if (JSON.stringify(wanted) !== JSON.stringify(found)) fault(`with ${columns.join(', ')} it shows other rows`)
}

/** Some objects are reached by several ways, of which a query must name one. */
async function asked(compiled: () => CompiledQuery): Promise<Answer | undefined> {
  try {
    return await ask(connection, compiled().sql)
  } catch (error) {
    if ((error as { code?: string }).code === 'AMBIGUOUS_JOIN') return undefined
    throw error
  }
}

t.test('the rows behind every number of the corpus aggregate to that number', async (t) => {
  const tally: Tally = { cells: 0, byHand: 0, faults: [] }
  for (const { query } of oneIn(3, readQuestions())) {
    const { select, dimensions_exclude } = parseQuery(query)
    const measures = select.measures.filter((each) => model.measures.has(each))
    if (measures.length > 0 && select.fields.length === 0 && !dimensions_exclude) await lookInto(query, measures, tally)
  }
  t.same(tally.faults, [])
  t.ok(tally.cells > amount(30, 130), `${tally.cells} cells`)
  t.ok(tally.byHand > amount(15, 90), `${tally.byHand} of them by hand`)
})
