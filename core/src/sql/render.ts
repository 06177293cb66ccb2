import type { Elements } from '../bind/bound-block.js'
import { fail, GrainlineError } from '../errors.js'
import { isSame } from '../same.js'
import { allowedNames } from './allowed-names.js'
import { ExpressionRenderer, isExact, type RenderContext } from './render-expression.js'
import type { Among, From, OrderItem, Query, Select, SelectItem, SqlExpr, Statement } from './statement.js'
import { isRecursive } from './tables-read.js'
import { ADD, AND, data, indent, nameText, sourceText, withDataLines } from './text.js'

/** The text of a statement in a dialect. Throws `UNSUPPORTED_FUNCTION`, `UNSUPPORTED_AGGREGATION`. */
export function renderStatement(statement: Statement, { dialect, ...given }: Omit<RenderContext, 'names'>): string {
  const context = { dialect, names: allowedNames(statement, dialect), ...given }
  const renderer = new QueryRenderer(context)
  const isWithRecursive = statement.ctes.some(isRecursive)
  // An engine may take each of them for one that reads itself, and want to know its columns.
  const head = (name: string, query: Query): string =>
    isWithRecursive ? tableHead(name, query, context) : nameText(name, context)
  const ctes = statement.ctes.map(
    ({ name, query, isKept }) => `${head(name, query)} AS ${isKept ? 'MATERIALIZED ' : ''}(\n${indent(renderer.query(query))}\n)`,
  )
  const body = renderer.query(statement.body)
  const { statementSuffix } = dialect
  const parts = [
    ...(ctes.length > 0 ? [`WITH ${isWithRecursive ? 'RECURSIVE ' : ''}${ctes.join(', ')}`] : []),
    body,
    ...(statementSuffix === null ? [] : [statementSuffix]),
  ]
  return withDataLines(parts.join('\n'))
}

/** The name of a table, as this engine writes it where one of the statement reads itself. */
function tableHead(name: string, query: Query, context: RenderContext): string {
  const { recursiveTable, name: engine } = context.dialect
  const columns = (query.kind === 'select' ? query : query.parts[0])?.items ?? []
  return recursiveTable === null
    ? fail('UNSUPPORTED_SQL_FEATURE', `a closure needs a recursive query, which ${engine} does not have`)
    : recursiveTable(
        nameText(name, context),
        columns.map(({ alias }) => nameText(alias, context)),
      )
}

class QueryRenderer {
  readonly #expressions: ExpressionRenderer

  constructor(private readonly context: RenderContext) {
    this.#expressions = new ExpressionRenderer(context)
  }

  query(query: Query): string {
    return query.kind === 'select' ? this.#select(query) : query.parts.map((part) => this.#select(part)).join('\nUNION ALL\n')
  }

  /** A query of which only values are read needs no column names. */
  #select(select: Select, isNamed = true): string {
    const { distinct, items, from, where, among = [], found = [], groupBy, sets, having, orderBy, limit, offset } = select
    const ordered = new Set(orderBy.map((o) => outputOf(o)))
    const own = this.context.dialect.semantics.columnNames ? namedByUs(from) : NONE
    const list = items.map((item) => {
      if (!isNamed || (isNamedAlready(item, own) && !ordered.has(item.alias))) return this.#named(item.expression, item.alias)
      return this.#item(item, distinct && ordered.has(item.alias))
    })
    const hasLines = list.some((text) => text.includes('\n'))
    const wide = hasLines || list.reduce((sum, text) => sum + text.length + 2, 0) > 100
    const lines = [
      `SELECT${distinct ? ' DISTINCT' : ''}${wide ? `\n  ${(hasLines ? list.map(indented) : list).join(',\n  ')}` : ` ${list.join(', ')}`}`,
      ...(from.kind === 'nothing' ? [] : [`FROM ${this.#from(from)}`]),
    ]
    const conditions = [
      ...this.#conditions(where, where.length + among.length + found.length === 1),
      ...among.map((one) => this.#among(one)),
      ...found.map((one) => this.#found(one)),
    ]
    if (conditions.length > 0) lines.push(`WHERE ${conditions.join('\n  AND ')}`)
    if (sets) lines.push(`GROUP BY ${this.#sets(sets, groupBy)}`)
    else if (groupBy.length > 0) lines.push(`GROUP BY ${this.#groupKeys(groupBy, items).join(', ')}`)
    if (having.length > 0) lines.push(`HAVING ${this.#conditions(having, having.length === 1).join('\n  AND ')}`)
    if (orderBy.length > 0) lines.push(`ORDER BY ${orderBy.map((o) => this.#outputOrder(o, select)).join(', ')}`)
    return [...lines, ...this.context.dialect.page(limit, offset)].join('\n')
  }

  /** Each by its position in the list, which every engine supports; by its expression if the list does not contain it. */
  #groupKeys(keys: readonly SqlExpr[], items: readonly SelectItem[]): string[] {
    const named = new Set<number>()
    return keys.map((key) => {
      // Of two equal keys each has a separate item.
      const isItem = (at: number): boolean => !named.has(at) && isSame(items[at]?.expression, key)
      // Mostly the next one.
      const position = isItem(named.size) ? named.size : items.findIndex((_, at) => isItem(at))
      if (position < 0) return this.#expressions.text(key)
      named.add(position)
      return String(position + 1)
    })
  }

  /** Keys as expressions, because not every engine accepts positions here. */
  #sets(sets: readonly (readonly number[])[], keys: readonly SqlExpr[]): string {
    const listed = (places: readonly number[]): string => `(${places.map((at) => this.#expressions.text(keys[at]!)).join(', ')})`
    const all = keys.map((_, at) => at)
    if (this.context.dialect.semantics.emptyRollup && isSame(sets, rollupOf(all))) return `ROLLUP ${listed(all)}`
    return `GROUPING SETS (${sets.map(listed).join(', ')})`
  }

  #item({ expression, alias, type }: SelectItem, sorted: boolean): string {
    const text = this.#named(expression, alias)
    return `${sorted && type.kind === 'string' ? this.#expressions.collated(expression) : text} AS ${this.#expressions.name(alias)}`
  }

  /**
   * Engines accept the name of an output column in ORDER BY only if it is not part of an expression. A text that needs a collation is
   * therefore ordered by its expression; with DISTINCT, which allows only its own columns, the column itself gets the collation.
   */
  #outputOrder(order: OrderItem, { items, distinct }: Select): string {
    const alias = outputOf(order)
    const item = items.find((i) => i.alias === alias)
    if (!item || order.type.kind !== 'string' || !this.#expressions.collates) return this.#expressions.order(order)
    return this.#expressions.directed(
      distinct || isExact(item.expression) ? this.#expressions.name(item.alias) : this.#expressions.collated(item.expression),
      order,
    )
  }

  /** The error names the column. */
  #named(expression: SqlExpr, column: string): string {
    try {
      return this.#expressions.text(expression)
    } catch (error) {
      if (!(error instanceof GrainlineError) || error.details.context) throw error
      throw new GrainlineError(error.code, error.message, { ...error.details, context: { column } })
    }
  }

  #conditions(conditions: readonly SqlExpr[], isAlone: boolean): string[] {
    return conditions.map((c) => (isAlone ? this.#expressions.text(c) : this.#expressions.operand(c, AND)))
  }

  #among({ key, query }: Among): string {
    return `${this.#expressions.operand(key, ADD)} IN (\n${indent(indent(this.#select(query, false)))}\n  )`
  }

  #found({ negated, query }: NonNullable<Select['found']>[number]): string {
    return `${negated ? 'NOT ' : ''}EXISTS (\n${indent(indent(this.#select(query, false)))}\n  )`
  }

  #from(from: From): string {
    switch (from.kind) {
      case 'nothing':
        return ''
      case 'table':
        if (isTableOfName(from)) return this.#table(from.source)
        return `${from.elements ? this.#elements(from.source, from.elements) : this.#table(from.source)} AS ${this.#expressions.name(from.alias)}`
      case 'cte':
        return from.name === from.alias
          ? this.#expressions.name(from.name)
          : `${this.#expressions.name(from.name)} AS ${this.#expressions.name(from.alias)}`
      case 'subquery':
        return `(\n${indent(this.query(from.query))}\n) AS ${this.#expressions.name(from.alias)}`
      case 'join': {
        const verb = from.nearest ? `ASOF ${JOINS[from.type]}` : JOINS[from.type]
        const { on, among = [] } = from
        const conditions = [...this.#conditions(on ? [on] : [], among.length === 0), ...among.map((one) => this.#among(one))]
        const text = conditions.length > 0 ? ` ON ${conditions.join('\n  AND ')}` : ''
        return `${this.#from(from.left)}\n${verb} ${this.#from(from.right)}${text}`
      }
    }
  }

  #table(source: (From & { kind: 'table' })['source']): string {
    return data(sourceText(source, this.context.dialect))
  }

  /** The elements of an array, as a derived table. */
  #elements(source: (From & { kind: 'table' })['source'], { within, array, sqlType, key, fields }: Elements): string {
    const { quote, elements, name, type, literals } = this.context.dialect
    const inner = elements?.({
      table: within ? this.#elements(source, within) : this.#table(source),
      array: quote(array),
      sqlType,
      key: key.map(({ code, as }) => ({ column: quote(code), alias: this.#expressions.name(as) })),
      fields: fields.map(({ code, type: of }) => ({
        code,
        name: this.#expressions.name(code),
        text: literals.string(code),
        type: of,
        sqlType: type(of),
      })),
    })
    if (inner == null) {
      const what = elements && sqlType !== undefined ? `an array of type '${sqlType}'` : 'an array'
      return fail('UNSUPPORTED_SQL_FEATURE', `the elements of ${what} cannot be read as rows on ${name}`)
    }
    return `(\n${indent(inner)}\n)`
  }
}

/** All, and then fewer and fewer of the first. */
const rollupOf = (all: readonly number[]): number[][] => [...all.map((_, i) => all.slice(0, all.length - i)), []]

/** The text with its lines indented. Lines that are already indented stay. */
const indented = (text: string): string => text.replace(/\n(?! {2})/g, '\n  ')

/** A table is read under its own name if it gets no other. */
const isTableOfName = ({ source, alias, elements }: From & { kind: 'table' }): boolean =>
  source.kind === 'table' && !elements && source.name === alias

/** Relations whose columns have the names that the statement gives them, and not those of a table, which an engine may know in other letters. */
const namedByUs = (from: From): ReadonlySet<string> =>
  from.kind === 'join'
    ? new Set([...namedByUs(from.left), ...namedByUs(from.right)])
    : new Set(from.kind === 'cte' || from.kind === 'subquery' ? [from.alias] : [])

/** A column that keeps its name. */
const isNamedAlready = ({ expression, alias }: SelectItem, own: ReadonlySet<string>): boolean =>
  expression.kind === 'column' && expression.name === alias && own.has(expression.table)

const JOINS = { left: 'LEFT JOIN', inner: 'JOIN', cross: 'CROSS JOIN', full: 'FULL JOIN', anti: 'ANTI JOIN' } as const
const NONE: ReadonlySet<string> = new Set()

/** The output column that a sort key names, if it names one. */
const outputOf = ({ expression }: OrderItem): string | undefined => (expression.kind === 'output' ? expression.alias : undefined)
