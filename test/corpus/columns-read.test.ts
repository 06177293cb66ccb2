/** The columns that a query reads: warehouses charge by the scanned column. The reference is hand-written SQL for the same rows. */
import { readFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { parse } from 'yaml'
import { INT } from '../../core/src/model/data-type.js'
import { relationColumn } from '../../core/src/resolve/relation-column.js'
import { select } from '../../core/src/sql/statement.js'
import { oneIn } from '../support/amount.js'
import { columnCounts, columnsNeeded, columnsRead, isRead, SHOW_ALL_COLUMNS } from './columns-read.js'
import { DIALECTS, dataSql, FURTHER_DIALECTS, readQuestions } from './corpus.js'
import { statementFor } from './statement-for.js'

const listed = parse(readFileSync(new URL('columns.yaml', import.meta.url), 'utf8')) as {
  /** Columns by table. */
  readonly beside: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  /** The number of columns of each table that all scans read. */
  readonly again: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** The same for engines that read whole rows. */
  readonly byRow: Readonly<Record<string, Readonly<Record<string, number>>>>
}
const questions = readQuestions()
const connection = await (await DuckDBInstance.create(':memory:')).connect()
await connection.run(dataSql())
await connection.run(SHOW_ALL_COLUMNS)
t.teardown(() => connection.closeSync())

for (const { name, query, truth } of oneIn(3, questions)) {
  t.test(`'${name}' reads no column that it does not need`, async (t) => {
    const needed = await columnsNeeded(connection, truth)
    const beside = listed.beside[name] ?? {}
    const isNeeded = (table: string, column: string): boolean =>
      isRead(needed, table, column) || beside[table]?.includes(column) === true
    for (const dialect of [...DIALECTS, ...FURTHER_DIALECTS]) {
      const statement = statementFor(query, dialect)
      if (!statement) continue
      const scans = columnsRead(statement)
      const unneeded = scans.map(({ table, columns }) => [table, ...[...columns].filter((column) => !isNeeded(table, column))])
      t.strictSame(
        unneeded.filter((one) => one.length > 1),
        [],
        dialect.name,
      )
      const again = (dialect.planner.readsByRow ? listed.byRow[name] : undefined) ?? listed.again[name] ?? {}
      if (dialect.planner.groupingSets && dialect.planner.emptySets && !listed.beside[name])
        t.strictSame(more(columnCounts(scans), columnCounts(needed)), again, `in all scans, ${dialect.name}`)
    }
  })
}

const more = (found: ReadonlyMap<string, number>, needed: ReadonlyMap<string, number>): Readonly<Record<string, number>> =>
  Object.fromEntries([...found].filter(([table, count]) => count > (needed.get(table) ?? 0)))

t.test('every listed question is in the corpus, and needs the listed columns besides its reference SQL', async (t) => {
  const isAsked = (name: string): boolean => questions.some((question) => question.name === name)
  t.strictSame(
    Object.keys({ ...listed.beside, ...listed.again, ...listed.byRow }).filter((name) => !isAsked(name)),
    [],
  )
  for (const { name, query, truth } of questions) {
    const [needed, read] = [await columnsNeeded(connection, truth), columnsRead(statementFor(query, DIALECTS[0]!)!)]
    for (const [table, columns] of Object.entries(listed.beside[name] ?? {}))
      for (const column of columns)
        t.ok(!isRead(needed, table, column) && isRead(read, table, column), `${column} of ${table} for '${name}'`)
  }
})

t.test('columns in join conditions, calls and subqueries are found', async (t) => {
  const source = (name: string) => ({ kind: 'table', name, schema: undefined, database: undefined }) as const
  const column = (table: string, name: string) => relationColumn(table, name, INT)
  const orders = { kind: 'table', source: source('orders'), alias: 'o' } as const
  const customers = { kind: 'table', source: source('customers'), alias: 'c' } as const
  const on = { kind: 'binary', operator: '=', left: column('o', 'customer_id'), right: column('c', 'id') } as const
  const inner = select(
    [{ alias: 'n', type: INT, expression: { kind: 'call', name: 'abs', args: [column('o', 'freight')], portable: true } }],
    {
      kind: 'join',
      type: 'left',
      left: orders,
      right: customers,
      on,
    },
  )
  const body = select([{ alias: 'n', type: INT, expression: column('d', 'n') }], { kind: 'subquery', query: inner, alias: 'd' })
  t.strictSame(columnsRead({ kind: 'statement', ctes: [], body }), [
    { table: 'orders', columns: new Set(['customer_id', 'freight']) },
    { table: 'customers', columns: new Set(['id']) },
  ])
})

t.test('for hand-written SQL only the columns that determine its rows are needed', async (t) => {
  const sql =
    "SELECT n FROM (SELECT c.name AS n, o.freight FROM orders o LEFT JOIN customers c ON o.customer_id = c.id WHERE o.status = 'paid')"
  t.strictSame(await columnsNeeded(connection, sql), [
    { table: 'orders', columns: new Set(['customer_id', 'status']) },
    { table: 'customers', columns: new Set(['id', 'name']) },
  ])
})
