import type { DataType } from '../model/data-type.js'
import { type InnerNode, isInner } from '../model/expression/ast.js'
import { once } from '../once.js'
import type { From, Query, Select, SqlExpr, SqlLeaf } from './statement.js'

/** Aggregates whose result is a number of rows. */
const COUNTS: ReadonlySet<string> = new Set(['count', 'count_if', 'count_distinct', 'approx_count_distinct'])

/**
 * Which doubles may be NaN or infinite: those of columns of doubles, and values computed from them. A value computed from other numbers is finite, or
 * an overflow. Columns are followed on demand: most statements and dialects never need it.
 */
export class SpecialDoubles {
  readonly #tables = new Map<string, Query>()
  /** The names of such columns, by their query. */
  readonly #queries = new Map<Query, ReadonlySet<string>>()

  constructor(private readonly typeOf: (expr: SqlExpr) => DataType) {}

  declare(name: string, query: Query): void {
    this.#tables.set(name, query)
  }

  /** Whether an expression of a SELECT may be one. */
  within({ from, items }: Pick<Select, 'from' | 'items'>): (expr: SqlExpr) => boolean {
    const sources = once(() => this.#sourcesOf(from))
    const known = new Map<SqlExpr, boolean>()
    const test = (expr: SqlExpr): boolean => {
      const found = known.get(expr)
      if (found !== undefined) return found
      const shown = expr.kind === 'output' ? items.find(({ alias }) => alias === expr.alias) : undefined
      const special = shown ? test(shown.expression) : this.typeOf(expr).kind === 'float' && this.#isSpecial(expr, sources, test)
      known.set(expr, special)
      return special
    }
    return test
  }

  #columnsOf(query: Query): ReadonlySet<string> {
    const known = this.#queries.get(query)
    if (known) return known
    const names = query.kind === 'select' ? this.#ofSelect(query) : query.parts.flatMap((part) => this.#ofSelect(part))
    const made = new Set(names)
    this.#queries.set(query, made)
    return made
  }

  #ofSelect(select: Select): string[] {
    const test = this.within(select)
    return select.items.flatMap(({ expression, alias }) => (test(expression) ? [alias] : []))
  }

  #sourcesOf(from: From): ReadonlyMap<string, Source> {
    const sources = new Map<string, Source>()
    this.#collect(from, sources)
    return sources
  }

  #collect(from: From, sources: Map<string, Source>): void {
    switch (from.kind) {
      case 'table':
        return void sources.set(from.alias, 'table')
      case 'cte': {
        const query = this.#tables.get(from.name)
        return void sources.set(from.alias, query ? this.#columnsOf(query) : 'table')
      }
      case 'subquery':
        return void sources.set(from.alias, this.#columnsOf(from.query))
      case 'join':
        this.#collect(from.left, sources)
        this.#collect(from.right, sources)
    }
  }

  #isSpecial(expr: SqlExpr, sources: () => ReadonlyMap<string, Source>, test: (expr: SqlExpr) => boolean): boolean {
    if (isInner<SqlLeaf>(expr)) return partsOf(expr).some(test)
    switch (expr.kind) {
      case 'column': {
        const source = sources().get(expr.table)
        return source === 'table' || source === undefined || source.has(expr.name)
      }
      case 'output':
        return true
      case 'aggregate':
        return !COUNTS.has(expr.name) && expr.args.some(test)
      case 'window':
        return expr.args.some(test)
    }
  }
}

type Source = 'table' | ReadonlySet<string>

/** The parts that the value is made of. */
function partsOf(node: InnerNode<SqlLeaf>): readonly SqlExpr[] {
  switch (node.kind) {
    case 'unary':
    case 'cast':
      return [node.operand]
    case 'binary':
      return [node.left, node.right]
    case 'call':
      return node.args
    case 'case':
      return [...node.branches.map(({ then }) => then), ...(node.otherwise ? [node.otherwise] : [])]
    default:
      return []
  }
}
