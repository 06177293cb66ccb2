import type { Elements } from '../bind/bound-block.js'
import { firstOf } from '../invariant.js'
import { leavesOf } from '../model/expression/ast.js'
import { includesSame } from '../same.js'
import { expressionsOf, operandsOf } from './expressions-of.js'
import { relationsIn } from './relations-in.js'
import type { From, Query, Select, SqlExpr, SqlLeaf, Statement } from './statement.js'
import { isRecursive } from './tables-read.js'

/**
 * The statement without the columns of its derived tables and common table expressions that nothing reads. A row set has columns that
 * metrics may need; unused ones are removed. The rows must not change, so keys remain, and so do the columns that DISTINCT compares.
 */
export function pruneColumns(statement: Statement): Statement {
  if (statement.ctes.length === 0 && !relationsIn(statement.body).some(isDerived)) return statement
  const reading = new Reading()
  const body = reading.query(statement.body, undefined)
  // A common table expression is read by the body and by those after it.
  // One that reads itself keeps its columns: each of its rows is computed from another.
  const ctes = statement.ctes
    .toReversed()
    .map((cte) => ({ name: cte.name, query: reading.query(cte.query, isRecursive(cte) ? undefined : cte.name) }))
  return { ...statement, ctes: ctes.toReversed(), body }
}

/** Whether rows of it have columns that the statement chooses. */
const isDerived = (one: ReturnType<typeof relationsIn>[number]): boolean => one.kind !== 'table' || one.elements !== undefined

/** From the outside in: the columns that a SELECT reads are known before its tables are visited. */
class Reading {
  /** The names of columns, by the alias of their table. */
  readonly #columns = new Map<string, Set<string>>()
  /** The other aliases under which common table expressions are read. */
  readonly #aliases = new Map<string, Set<string>>()

  query(query: Query, alias: string | undefined): Query {
    if (query.kind === 'select') return this.#select(query, this.#kept([query], alias))
    const kept = this.#kept(query.parts, alias)
    return { ...query, parts: query.parts.map((part) => this.#select(part, kept)) }
  }

  /** The positions of the remaining columns; the columns of a union are removed in all of its parts or in none. */
  #kept(parts: readonly Select[], alias: string | undefined): readonly number[] {
    const all = [...(parts[0]?.items.keys() ?? [])]
    if (alias === undefined) return all
    const names = firstOf(parts).items.map((item) => item.alias)
    const kept = all.filter((at) => this.#reads(alias, names[at]!) || parts.some((part) => isOwnNeed(part, at)))
    return kept.length > 0 && parts.every((part) => keepsItsRows(part, kept)) ? kept : all
  }

  #select(select: Select, kept: readonly number[]): Select {
    const narrowed = { ...select, items: kept.map((at) => select.items[at]!) }
    for (const expression of expressionsOf(narrowed)) this.#note(expression)
    this.#conditions(select.from)
    return { ...narrowed, from: this.#from(select.from) }
  }

  #conditions(from: From): void {
    if (from.kind !== 'join') return
    if (from.on) this.#note(from.on)
    this.#conditions(from.left)
    this.#conditions(from.right)
  }

  #from(from: From): From {
    if (from.kind === 'cte' && from.alias !== from.name) put(this.#aliases, from.name, from.alias)
    if (from.kind === 'join') return { ...from, left: this.#from(from.left), right: this.#from(from.right) }
    if (from.kind === 'table' && from.elements)
      return { ...from, elements: narrowed(from.elements, (name) => this.#reads(from.alias, name)) }
    return from.kind === 'subquery' ? { ...from, query: this.query(from.query, from.alias) } : from
  }

  #note(expression: SqlExpr): void {
    for (const leaf of leavesOf<SqlLeaf>(expression)) {
      if (leaf.kind === 'column') this.#add(leaf)
      else if (leaf.kind !== 'output') for (const operand of operandsOf(leaf)) this.#note(operand)
    }
  }

  #add({ table, name }: { readonly table: string; readonly name: string }): void {
    put(this.#columns, table, name)
  }

  #reads(table: string, name: string): boolean {
    return [table, ...(this.#aliases.get(table) ?? [])].some((alias) => this.#columns.get(alias)?.has(name) === true)
  }
}

function put(sets: Map<string, Set<string>>, key: string, value: string): void {
  const known = sets.get(key)
  if (known === undefined) sets.set(key, new Set([value]))
  else known.add(value)
}

/** Rows of which no column is read still count. */
function narrowed({ key, fields, within, ...elements }: Elements, isRead: (name: string) => boolean): Elements {
  const [read, codes] = [fields.filter(({ code }) => isRead(code)), key.filter(({ as }) => isRead(as))]
  const kept = read.length + codes.length > 0 ? codes : key.slice(0, 1)
  const around = new Set([elements.array, ...kept.map(({ code }) => code)])
  return { ...elements, ...(within && { within: narrowed(within, (name) => around.has(name)) }), key: kept, fields: read }
}

/** True for a column that GROUP BY, ORDER BY or DISTINCT of the SELECT itself needs. */
function isOwnNeed({ items, groupBy, orderBy, distinct }: Select, at: number): boolean {
  const { expression, alias } = items[at]!
  if (distinct && leavesOf<SqlLeaf>(expression).length > 0) return true
  return includesSame(groupBy, expression) || orderBy.some(({ expression: by }) => by.kind === 'output' && by.alias === alias)
}

/** Aggregates without keys give one row only if there is at least one of them. */
function keepsItsRows({ items, groupBy, having }: Select, kept: readonly number[]): boolean {
  if (groupBy.length > 0 || having.some(aggregates) || !items.some(({ expression }) => aggregates(expression))) return true
  return kept.some((at) => aggregates(items[at]!.expression))
}

const aggregates = (expression: SqlExpr): boolean =>
  leavesOf<SqlLeaf>(expression).some(
    (leaf) => leaf.kind === 'aggregate' || (leaf.kind === 'window' && operandsOf(leaf).some(aggregates)),
  )
