/**
 * Which columns of each table a statement reads: for a compiled statement, from its AST before it is rendered; for a hand-written one, from
 * the plan of DuckDB.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Elements } from '../../core/src/bind/bound-block.js'
import { leavesOf } from '../../core/src/model/expression/ast.js'
import { expressionsOf, operandsOf } from '../../core/src/sql/expressions-of.js'
import type { From, Query, Select, SqlExpr, SqlLeaf, Statement } from '../../core/src/sql/statement.js'

/** One scan of a table. */
export interface ScanRead {
  readonly table: string
  readonly columns: ReadonlySet<string>
}

/** Every scan of a compiled statement. Each relation of a statement has a unique name. */
export function columnsRead(statement: Statement): readonly ScanRead[] {
  const reading = new Reading()
  for (const query of [...statement.ctes.map((cte) => cte.query), statement.body]) reading.query(query)
  return [...reading.scans.values()]
}

class Reading {
  /** Columns by the alias of their table. */
  readonly scans = new Map<string, { readonly table: string; readonly columns: Set<string> }>()

  query(query: Query): void {
    for (const select of query.kind === 'select' ? [query] : query.parts) this.#select(select)
  }

  #select(select: Select): void {
    this.#from(select.from)
    for (const { key, query } of select.among ?? []) this.#found(query, [key])
    for (const { query } of select.found ?? []) this.#found(query)
    for (const expression of expressionsOf(select)) this.#expression(expression)
  }

  #found(query: Select, keys: readonly SqlExpr[] = []): void {
    this.query(query)
    for (const key of keys) this.#expression(key)
  }

  #from(from: From): void {
    if (from.kind === 'subquery') this.query(from.query)
    if (from.kind === 'table') this.#table(from)
    if (from.kind !== 'join') return
    this.#from(from.left)
    this.#from(from.right)
    for (const { key, query } of from.among ?? []) this.#found(query, [key])
    if (from.on) this.#expression(from.on)
  }

  #table({ source, alias, elements }: From & { kind: 'table' }): void {
    if (source.kind !== 'table') return
    if (elements) this.scans.set(`the elements of ${alias}`, { table: source.name, columns: new Set(physical(elements)) })
    else this.scans.set(alias, { table: source.name, columns: new Set() })
  }

  #expression(expression: SqlExpr): void {
    for (const leaf of leavesOf<SqlLeaf>(expression)) {
      if (leaf.kind === 'column') this.scans.get(leaf.table)?.columns.add(leaf.name)
      else if (leaf.kind !== 'output') for (const operand of operandsOf(leaf)) this.#expression(operand)
    }
  }
}

/** The columns that a row of elements reads: its key and the outermost array. */
const physical = ({ within, array, key }: Elements): readonly string[] =>
  within ? physical(within) : [array, ...key.map(({ code }) => code)]

/** The scans that hand-written SQL needs: DuckDB reads no column that the result does not depend on. */
export async function columnsNeeded(connection: DuckDBConnection, sql: string): Promise<readonly ScanRead[]> {
  const [explained] = (await connection.runAndReadAll(`EXPLAIN (FORMAT JSON) ${sql}`)).getRows()
  return (JSON.parse(String(explained?.[1])) as readonly Operator[]).flatMap(scansIn)
}

/** Without pushdown a scan shows every column that it reads, because pushed filters are not among its projections. */
export const SHOW_ALL_COLUMNS = "SET disabled_optimizers = 'filter_pushdown,statistics_propagation'"

interface Operator {
  readonly children: readonly Operator[]
  readonly extra_info: { readonly Table?: string; readonly Projections?: string | readonly string[] }
}

function scansIn({ children, extra_info: { Table, Projections = [] } }: Operator): readonly ScanRead[] {
  if (Table === undefined) return children.flatMap(scansIn)
  const table = Table.slice(Table.lastIndexOf('.') + 1).replaceAll('"', '')
  return [{ table, columns: new Set([Projections].flat()) }]
}

/** Whether one of these scans reads a column of a table. */
export const isRead = (scans: readonly ScanRead[], table: string, column: string): boolean =>
  scans.some((scan) => scan.table === table && scan.columns.has(column))

/** How many columns are read from each table, over all scans. */
export function columnCounts(scans: readonly ScanRead[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { table, columns } of scans) counts.set(table, (counts.get(table) ?? 0) + columns.size)
  return counts
}
