import type { From, Query, SqlExpr, Statement } from './statement.js'
import { tablesRead } from './tables-read.js'

/** The common tables of a statement, and which of them are read several times. */
export class SharedTables {
  readonly #queries: ReadonlyMap<string, Query>
  readonly #read = new Map<string, number>()

  constructor({ ctes, body }: Pick<Statement, 'ctes' | 'body'>) {
    this.#queries = new Map(ctes.map(({ name, query }) => [name, query]))
    for (const name of [...this.#queries.values(), body].flatMap(tablesRead))
      this.#read.set(name, (this.#read.get(name) ?? 0) + 1)
  }

  /** Whether an expression is a plain column of a table that is read several times, also through other tables and subqueries. */
  isColumn(expression: SqlExpr, from: From): boolean {
    if (expression.kind !== 'column') return false
    const source = sourceOf(expression.table, from)
    if (source?.kind === 'subquery') return this.#passes(source.query, expression.name)
    if (source?.kind !== 'cte') return false
    if ((this.#read.get(source.name) ?? 0) > 1) return true
    const query = this.#queries.get(source.name)
    return query !== undefined && this.#passes(query, expression.name)
  }

  #passes(query: Query, name: string): boolean {
    const item = query.kind === 'select' ? query.items.find(({ alias }) => alias === name) : undefined
    return query.kind === 'select' && item !== undefined && this.isColumn(item.expression, query.from)
  }

  /** Whether an expression is a column as it is stored, also if rows pass through other tables. Keys of groups and united texts are not. */
  isStored(expression: SqlExpr, from: From): boolean {
    if (expression.kind !== 'column') return false
    const source = sourceOf(expression.table, from)
    if (source?.kind !== 'cte') return true
    const query = this.#queries.get(source.name)
    if (query?.kind !== 'select' || query.distinct || query.groupBy.length > 0) return false
    const item = query.items.find(({ alias }) => alias === expression.name)
    return item !== undefined && this.isStored(item.expression, query.from)
  }
}

function sourceOf(alias: string, from: From): From | undefined {
  if (from.kind === 'join') return sourceOf(alias, from.left) ?? sourceOf(alias, from.right)
  return from.kind !== 'nothing' && from.alias === alias ? from : undefined
}
