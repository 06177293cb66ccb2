import { GrainlineError } from '../errors.js'
import { isInner, operandsOf } from '../model/expression/ast.js'
import { expressionsOf, operandsOf as operandsOfCall } from './expressions-of.js'
import type { From, Query, Select, SqlExpr, SqlLeaf, Statement } from './statement.js'
import { isText, longest, type Size, TextSizes } from './text-growth.js'

/**
 * The same statement, whose texts do not grow from one relation to the next either: a column of a derived table may be a text that was made, and what
 * is made of it counts as made of its parts. Throws `STATEMENT_TOO_LARGE`. The names of relations must be unique in the statement.
 */
export function withoutGrownTexts(statement: Statement): Statement {
  const growth = new Growth()
  for (const { name, query } of statement.ctes) growth.define(name, query)
  growth.check(statement.body)
  return statement
}

/** The sizes of the columns of a relation. */
type Columns = ReadonlyMap<string, Size>

class Growth {
  readonly #tables = new Map<string, Columns>()
  readonly #relations = new Map<string, Columns>()
  readonly #checked = new Set<SqlExpr>()
  readonly #sizes = new TextSizes(({ table, name }) => this.#sizeOf(table, name))

  define(name: string, query: Query): void {
    this.#tables.set(name, this.#columns(query))
  }

  check(query: Query): void {
    for (const select of query.kind === 'select' ? [query] : query.parts) this.#select(select)
  }

  /** What a relation has is checked first. */
  #columns(query: Query): Columns {
    if (query.kind === 'select') return this.#columnsOf(query)
    const [first, ...others] = query.parts.map((part) => [...this.#columnsOf(part)])
    return new Map(first?.map(([name, size], at) => [name, longest([size, ...others.flatMap((other) => other[at]?.[1] ?? [])])]))
  }

  #columnsOf(select: Select): Columns {
    this.#select(select)
    return new Map(
      select.items.flatMap(({ alias, expression, type }) => (isText(type) ? [[alias, this.#sizes.of(expression)]] : [])),
    )
  }

  #select(select: Select): void {
    const { items, from, among = [], found = [] } = select
    this.#from(from)
    for (const { query } of [...among, ...found]) this.#select(query)
    // What grows within one relation is refused where it is rendered.
    if (this.#relations.size > 0) {
      for (const { expression, alias } of items) this.#item(expression, alias)
      for (const expression of expressionsOf(select)) this.#check(expression)
    }
  }

  #from(from: From): void {
    if (from.kind === 'subquery') this.#read(from.alias, this.#columns(from.query))
    else if (from.kind === 'cte') this.#read(from.alias, this.#tables.get(from.name))
    else if (from.kind === 'join') {
      this.#from(from.left)
      this.#from(from.right)
      for (const { query } of from.among ?? []) this.#select(query)
      if (from.on && this.#relations.size > 0) this.#check(from.on)
    }
  }

  #read(alias: string, columns: Columns | undefined): void {
    if (columns && columns.size > 0) this.#relations.set(alias, columns)
  }

  /** A column without a relation is one of the only relation that is near. */
  #sizeOf(table: string, name: string): Size | undefined {
    if (table !== '') return this.#relations.get(table)?.get(name)
    const sizes = [...this.#relations.values()].flatMap((columns) => columns.get(name) ?? [])
    return sizes.length > 0 ? longest(sizes) : undefined
  }

  /** The error names the column. */
  #item(expression: SqlExpr, column: string): void {
    try {
      this.#check(expression)
    } catch (error) {
      if (!(error instanceof GrainlineError)) throw error
      throw new GrainlineError(error.code, error.message, { ...error.details, context: { column } })
    }
  }

  #check(expression: SqlExpr): void {
    const ahead: SqlExpr[] = [expression]
    for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
      if (this.#checked.has(next)) continue
      this.#checked.add(next)
      if (next.kind === 'call') this.#sizes.refuseGrowth(next)
      if (next.kind === 'aggregate' && next.name === 'listagg') this.#sizes.refuseLongList(next)
      if (next.kind === 'aggregate' || next.kind === 'window') ahead.push(...operandsOfCall(next))
      else if (isInner<SqlLeaf>(next)) ahead.push(...operandsOf<SqlLeaf>(next))
    }
  }
}
