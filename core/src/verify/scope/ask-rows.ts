import type { ColumnRef, Expr } from '../../model/expression/ast.js'
import type { Value } from '../../result/value-at.js'
import type { SelectItem, SqlExpr } from '../../sql/statement.js'
import { baseRows } from '../base-rows.js'
import { runStatement } from '../run-statement.js'
import { column, item, ordered, part, select } from '../sql-parts.js'
import type { VerifyContext } from '../verify-context.js'

/** The values that are read of each row, by name. */
export type Reads = Readonly<Record<string, SqlExpr>>
export type Row = ReadonlyMap<string, Value>

interface Rows {
  readonly object: string
  readonly wanted: Readonly<Record<string, Expr<ColumnRef>>>
}

/** Totals over the rows of an object, in one statement. */
export async function askTotals(
  { object, wanted }: Rows,
  items: (reads: Reads) => readonly SelectItem[],
  context: VerifyContext,
): Promise<Row> {
  const { base, reads } = rowsOf({ object, wanted }, context)
  const [row = new Map()] = await runStatement(base.ctes, select([...items(reads)], part(ROWS)), context)
  return row
}

/** Totals over the rows of each value of the keys; the most rows first. `items` begins with a count. */
export async function askGroups(
  { object, wanted, keys, limit }: Rows & { readonly keys: readonly string[]; readonly limit: number },
  items: (reads: Reads) => readonly [SelectItem, ...SelectItem[]],
  context: VerifyContext,
): Promise<readonly Row[]> {
  const { base, reads, typed } = rowsOf({ object, wanted }, context)
  const grouped = typed.filter(({ name }) => keys.includes(name)).map(({ name, read, type }) => item(name, read, type))
  const own = items(reads)
  const body = select([...grouped, ...own], part(ROWS), {
    groupBy: grouped.map(({ expression }) => expression),
    orderBy: [ordered(own[0].expression, own[0].type, true)],
    limit,
  })
  return runStatement(base.ctes, body, context)
}

/** Totals over the groups of rows: `inner` of each group, `outer` of what these are. */
export async function askOverGroups(
  { object, wanted, keys }: Rows & { readonly keys: readonly string[] },
  { inner, outer }: Layers,
  context: VerifyContext,
): Promise<Row> {
  const { base, reads, typed } = rowsOf({ object, wanted }, context)
  const grouped = typed.filter(({ name }) => keys.includes(name)).map(({ name, read, type }) => item(name, read, type))
  const items = [...grouped, ...inner(reads)]
  const query = select(items, part(ROWS), { groupBy: grouped.map(({ expression }) => expression) })
  const read = Object.fromEntries(items.map(({ alias, type }) => [alias, column(GROUPS, alias, type)]))
  const [row = new Map()] = await runStatement(
    [...base.ctes, { name: GROUPS, query }],
    select([...outer(read)], part(GROUPS)),
    context,
  )
  return row
}

interface Layers {
  readonly inner: (reads: Reads) => readonly SelectItem[]
  readonly outer: (reads: Reads) => readonly SelectItem[]
}

const ROWS = 'scope_rows'
const GROUPS = 'scope_groups'

function rowsOf({ object, wanted }: Rows, context: VerifyContext) {
  const list = Object.entries(wanted).map(([name, expression]) => ({ name, expression }))
  const base = baseRows({ object, name: ROWS, wanted: list }, context)
  return { base, typed: base.columns, reads: Object.fromEntries(base.columns.map(({ name, read }) => [name, read])) }
}
