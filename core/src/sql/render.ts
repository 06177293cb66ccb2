import { createHash } from 'node:crypto'
import { fail, GrainlineError } from '../errors.js'
import type { DataType } from '../model/data-type.js'
import { type InnerNode, isInner, type Literal } from '../model/expression/ast.js'
import { typeOf } from '../model/expression/type-of.js'
import type { AggregateSpec, FunctionSpec, Spelling } from '../model/functions/function-spec.js'
import { TIME_GRAINS, type TimeGrain } from '../model/grain.js'
import type { Elements } from '../plan/logical-plan.js'
import { dateText } from '../resolve/time.js'
import type { TimeContext } from '../resolve/time-context.js'
import type { Dialect, AggregateCall as DialectAggregateCall } from './dialect.js'
import type {
  AggregateCall,
  From,
  OrderItem,
  Query,
  Select,
  SelectItem,
  SqlExpr,
  SqlLeaf,
  Statement,
  WindowCall,
} from './statement.js'

export interface RenderContext {
  readonly dialect: Dialect
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
  readonly time: TimeContext
}

/** The text of a statement in the spelling of a dialect. Throws `UNSUPPORTED_FUNCTION`, `UNSUPPORTED_AGGREGATION`. */
export function renderStatement(statement: Statement, context: RenderContext): string {
  const renderer = new Renderer(context)
  const ctes = statement.ctes.map(({ name, query }) => `${renderer.name(name)} AS (\n${indent(renderer.query(query))}\n)`)
  const body = renderer.query(statement.body)
  const { ending } = context.dialect
  const parts = [...(ctes.length > 0 ? [`WITH ${ctes.join(', ')}`] : []), body, ...(ending === null ? [] : [ending])]
  return parts.join('\n').replaceAll(DATA_LINE, '\n')
}

/** Stands for a line break inside of a name, a text or an author's SQL until all lines are indented; no SQL holds it otherwise. */
const DATA_LINE = '\u0000'
const data = (text: string): string => text.replaceAll('\n', DATA_LINE)
const indent = (text: string): string => `  ${text.replaceAll('\n', '\n  ')}`

/** How tightly a piece of text binds; an operand that binds less is put in parentheses. */
const OR = 1
const AND = 2
const NOT = 3
const COMPARE = 4
const ADD = 5
const MULTIPLY = 6
const NEGATE = 7
const ATOM = 9

interface Text {
  readonly text: string
  readonly binds: number
}

const atom = (text: string): Text => ({ text, binds: ATOM })

class Renderer {
  readonly #texts = new Map<SqlExpr, Text>()

  constructor(private readonly context: RenderContext) {}

  /** An alias, shortened where the engine would cut it off, and without characters that it refuses. */
  name(name: string): string {
    const { quote, maxIdentifierBytes, unnameable } = this.context.dialect
    if (name.includes(DATA_LINE)) fail('INVALID_QUERY', 'a name with the character U+0000 cannot be said in SQL')
    let head = unnameable ? name.replaceAll(unnameable, '_') : name
    if (head === name && Buffer.byteLength(name) <= maxIdentifierBytes) return data(quote(name))
    const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
    while (Buffer.byteLength(head) > maxIdentifierBytes - 9) head = [...head].slice(0, -1).join('')
    return data(quote(`${head}_${hash}`))
  }

  query(query: Query): string {
    return query.kind === 'select' ? this.#select(query) : query.parts.map((part) => this.#select(part)).join('\nUNION ALL\n')
  }

  #select(select: Select): string {
    const { distinct, items, from, where, groupBy, having, orderBy, limit, offset } = select
    const sorted = distinct ? new Set(orderBy.map((o) => outputOf(o))) : NONE
    const list = items.map((item) => this.#item(item, sorted.has(item.alias)))
    const wide = list.reduce((sum, text) => sum + text.length + 2, 0) > 100 || list.some((text) => text.includes('\n'))
    const lines = [
      `SELECT${distinct ? ' DISTINCT' : ''}${wide ? `\n  ${list.join(',\n  ').replace(/\n(?! {2})/g, '\n  ')}` : ` ${list.join(', ')}`}`,
      ...(from.kind === 'nothing' ? [] : [`FROM ${this.#from(from)}`]),
    ]
    if (where.length > 0) lines.push(`WHERE ${this.#all(where)}`)
    if (groupBy.length > 0) lines.push(`GROUP BY ${groupBy.map((key) => this.#groupKey(key, items)).join(', ')}`)
    if (having.length > 0) lines.push(`HAVING ${this.#all(having)}`)
    if (orderBy.length > 0) lines.push(`ORDER BY ${orderBy.map((o) => this.#outputOrder(o, select)).join(', ')}`)
    return [...lines, ...this.context.dialect.page(limit, offset)].join('\n')
  }

  /** By its position in the list, which every engine understands; by itself where the list does not show it. */
  #groupKey(key: SqlExpr, items: readonly SelectItem[]): string {
    const position = items.findIndex((item) => item.expression === key)
    return position < 0 ? this.#text(key) : String(position + 1)
  }

  #item({ expression, alias, type }: SelectItem, sorted: boolean): string {
    const text = this.#named(expression, alias)
    return `${sorted && type.kind === 'string' ? this.#collated(expression) : text} AS ${this.name(alias)}`
  }

  /**
   * Engines take the name of an output column in ORDER BY only where nothing is done to it. A text that must be collated is therefore
   * ordered by its expression; under DISTINCT, which knows only its own columns, the column itself is collated.
   */
  #outputOrder(order: OrderItem, { items, distinct }: Select): string {
    const alias = outputOf(order)
    const item = items.find((i) => i.alias === alias)
    if (!item || order.type.kind !== 'string' || !this.#collates()) return this.#order(order)
    return this.#directed(distinct || isExact(item.expression) ? this.name(item.alias) : this.#collated(item.expression), order)
  }

  #collates(): boolean {
    return this.context.dialect.collate('x') !== 'x'
  }

  #collated(expression: SqlExpr): string {
    return this.#collates() && !isExact(expression)
      ? this.context.dialect.collate(this.#operand(expression, ATOM))
      : this.#text(expression)
  }

  /** A refusal says which column it is about. */
  #named(expression: SqlExpr, column: string): string {
    try {
      return this.#text(expression)
    } catch (error) {
      if (!(error instanceof GrainlineError) || error.details.context) throw error
      throw new GrainlineError(error.code, error.message, { ...error.details, context: { column } })
    }
  }

  #all(conditions: readonly SqlExpr[]): string {
    if (conditions.length === 1) return this.#text(conditions[0]!)
    return conditions.map((c) => this.#operand(c, AND)).join('\n  AND ')
  }

  #order(order: OrderItem): string {
    const { expression, type } = order
    return this.#directed(type.kind === 'string' ? this.#collated(expression) : this.#text(expression), order)
  }

  #directed(value: string, { descending, nullsFirst }: OrderItem): string {
    return this.context.dialect.order(value, descending, nullsFirst)
  }

  #from(from: From): string {
    switch (from.kind) {
      case 'nothing':
        return ''
      case 'table':
        return `${from.elements ? this.#elements(from.source, from.elements) : this.#table(from.source)} AS ${this.name(from.alias)}`
      case 'cte':
        return from.name === from.alias ? this.name(from.name) : `${this.name(from.name)} AS ${this.name(from.alias)}`
      case 'subquery':
        return `(\n${indent(this.query(from.query))}\n) AS ${this.name(from.alias)}`
      case 'join': {
        const verb = from.type === 'left' ? 'LEFT JOIN' : from.type === 'inner' ? 'JOIN' : 'CROSS JOIN'
        const on = from.on ? ` ON ${this.#text(from.on)}` : ''
        return `${this.#from(from.left)}\n${verb} ${this.#from(from.right)}${on}`
      }
    }
  }

  #table(source: (From & { kind: 'table' })['source']): string {
    // A comment at the end would swallow the parenthesis.
    if (source.kind === 'sql') return data(`(${source.sql}${/--.*$/.test(source.sql) ? '\n' : ''})`)
    const { dialect } = this.context
    return data(dialect.tablePath(source).map(dialect.quote).join('.'))
  }

  /** The elements of an array, as a derived table. */
  #elements(source: (From & { kind: 'table' })['source'], { array, sqlType, key, fields }: Elements): string {
    const { quote, elements, name, type, literals } = this.context.dialect
    if (!elements) return fail('UNSUPPORTED_SQL_FEATURE', `the elements of an array cannot be read as rows on ${name}`)
    const inner = elements({
      table: this.#table(source),
      array: quote(array),
      sqlType,
      key: key.map(({ code, as }) => ({ column: quote(code), alias: this.name(as) })),
      fields: fields.map(({ code, type: of }) => ({
        code,
        name: this.name(code),
        text: literals.string(code),
        type: of,
        sqlType: type(of),
      })),
    })
    return `(\n${indent(inner)}\n)`
  }

  #text(expr: SqlExpr): string {
    return this.#render(expr).text
  }

  #operand(expr: SqlExpr, least: number): string {
    const { text, binds } = this.#render(expr)
    return binds < least ? `(${text})` : text
  }

  #render(expr: SqlExpr): Text {
    const known = this.#texts.get(expr)
    if (known) return known
    const made = isInner<SqlLeaf>(expr) ? this.#inner(expr as InnerNode<SqlLeaf>) : this.#leaf(expr as SqlLeaf)
    this.#texts.set(expr, made)
    return made
  }

  #leaf(leaf: SqlLeaf): Text {
    switch (leaf.kind) {
      case 'column':
        return atom(leaf.table === '' ? this.name(leaf.name) : `${this.name(leaf.table)}.${this.name(leaf.name)}`)
      case 'output':
        return atom(this.name(leaf.alias))
      case 'aggregate':
        return atom(this.#aggregate(leaf))
      case 'window':
        return atom(this.#window(leaf))
    }
  }

  #aggregate(call: AggregateCall): string {
    const { dialect, aggregates } = this.context
    const own = dialect.aggregates[call.name]
    const comparing =
      call.name === 'min' || call.name === 'max' || call.name === 'any_value' || call.name === 'mode' || call.name === 'listagg'
    const args = call.args.map((arg) => {
      return comparing && this.#type(arg).kind === 'string' && !isExact(arg) ? dialect.collate(this.#text(arg)) : this.#text(arg)
    })
    const given: DialectAggregateCall = {
      name: call.name,
      args,
      distinct: call.distinct,
      orderBy: call.orderBy.map((o) => this.#order(o)),
      percentile: call.percentile,
      delimiter: call.delimiter === undefined ? undefined : this.#string(call.delimiter),
    }
    if (typeof own === 'function') return own(given)
    const third = own === undefined ? aggregates.get(call.name)?.spellings?.[dialect.name] : undefined
    if (third)
      return third(
        args,
        call.args.map((arg) => this.#type(arg)),
      )
    return fail('UNSUPPORTED_AGGREGATION', `the aggregation '${call.name}' cannot be expressed on ${dialect.name}`)
  }

  #window({ function: name, args, partitionBy, orderBy }: WindowCall): string {
    const over = [
      ...(partitionBy.length > 0 ? [`PARTITION BY ${partitionBy.map((e) => this.#text(e)).join(', ')}`] : []),
      ...(orderBy.length > 0 ? [`ORDER BY ${orderBy.map((o) => this.#order(o)).join(', ')}`] : []),
      // The default frame ends with the current row.
      ...(name === 'first_value' || name === 'last_value' ? ['ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING'] : []),
    ]
    const call = this.context.dialect.windowCall(
      name,
      args.map((arg) => this.#text(arg)),
    )
    return `${call} OVER (${over.join(' ')})`
  }

  #inner(node: InnerNode<SqlLeaf>): Text {
    switch (node.kind) {
      case 'literal':
        return this.#literal(node)
      case 'unary':
        return node.operator === 'not'
          ? this.#not(node.operand)
          : { text: `-${this.#operand(node.operand, ATOM)}`, binds: NEGATE }
      case 'binary':
        return this.#binary(node)
      case 'call':
        return this.#call(node)
      case 'case': {
        const branches = node.branches.map((b) => `WHEN ${this.#text(b.when)} THEN ${this.#text(b.then)}`)
        const otherwise = node.otherwise ? ` ELSE ${this.#text(node.otherwise)}` : ''
        return atom(`CASE ${branches.join(' ')}${otherwise} END`)
      }
      case 'cast':
        return atom(this.context.dialect.cast(this.#text(node.operand), node.type, this.#type(node.operand)))
      case 'in':
        return {
          text: `${this.#operand(node.operand, ADD)} IN (${node.list.map((e) => this.#text(e)).join(', ')})`,
          binds: COMPARE,
        }
      case 'like':
        return this.#like(node.operand, node.pattern, false)
      case 'is-null':
        return { text: `${this.#operand(node.operand, ADD)} IS NULL`, binds: COMPARE }
    }
  }

  /** `NOT (x IS NULL)` and its kin read better with the NOT inside. */
  #not(operand: SqlExpr): Text {
    const node = operand as InnerNode<SqlLeaf>
    switch (node.kind) {
      case 'unary':
        if (node.operator === 'not') return this.#render(node.operand)
        break
      case 'is-null':
        return { text: `${this.#operand(node.operand, ADD)} IS NOT NULL`, binds: COMPARE }
      case 'in':
        return {
          text: `${this.#operand(node.operand, ADD)} NOT IN (${node.list.map((e) => this.#text(e)).join(', ')})`,
          binds: COMPARE,
        }
      case 'like':
        return this.#like(node.operand, node.pattern, true)
      case 'binary':
        if (node.operator === '=') return this.#binary({ ...node, operator: '<>' })
    }
    return { text: `NOT ${this.#operand(operand, ATOM)}`, binds: NOT }
  }

  #like(operand: SqlExpr, pattern: SqlExpr, negated: boolean): Text {
    const text = this.context.dialect.like({
      value: this.#operand(operand, ADD),
      pattern: this.#operand(pattern, ADD),
      ...writtenPattern(pattern),
      negated,
    })
    return { text, binds: COMPARE }
  }

  #binary(node: InnerNode<SqlLeaf> & { kind: 'binary' }): Text {
    const { operator } = node
    switch (operator) {
      case 'and':
        return this.#infix(node, 'AND', AND, AND)
      case 'or':
        return this.#infix(node, 'OR', OR, OR)
      case '+':
      case '*':
        return this.#infix(node, operator, operator === '+' ? ADD : MULTIPLY, operator === '+' ? ADD : MULTIPLY + 1)
      case '-':
      case '/':
        return this.#infix(node, operator, operator === '-' ? ADD : MULTIPLY, operator === '-' ? MULTIPLY : MULTIPLY + 1)
      default: {
        const ordering =
          operator !== '=' &&
          operator !== '<>' &&
          (this.#type(node.left).kind === 'string' || this.#type(node.right).kind === 'string')
        const collates = ordering && this.#collates()
        const left = collates ? this.#collated(node.left) : this.#operand(node.left, ADD)
        const right = collates && !isLiteral(node.right) ? this.#collated(node.right) : this.#operand(node.right, ADD)
        return { text: `${left} ${operator} ${right}`, binds: COMPARE }
      }
    }
  }

  #infix(node: InnerNode<SqlLeaf> & { kind: 'binary' }, symbol: string, binds: number, right: number): Text {
    // A long chain leans to the left; walking it here keeps the stack flat.
    const parts: string[] = []
    let at: SqlExpr = node
    while ((at as InnerNode<SqlLeaf>).kind === 'binary' && (at as typeof node).operator === node.operator) {
      parts.push(this.#operand((at as typeof node).right, right))
      at = (at as typeof node).left
    }
    parts.push(this.#operand(at, binds))
    return { text: parts.reverse().join(` ${symbol} `), binds }
  }

  #call(node: InnerNode<SqlLeaf> & { kind: 'call' }): Text {
    const { dialect, functions, time } = this.context
    const { name, args } = node
    switch (name) {
      case 'date_trunc':
        return atom(dialect.truncate(unitOf(args[0]!), this.#text(args[1]!), this.#type(args[1]!), time.weekStart))
      case 'date_add':
        return atom(
          dialect.dateAdd(unitOf(args[0]!), this.#operand(args[1]!, ATOM), this.#operand(args[2]!, ADD), this.#type(args[2]!)),
        )
      case 'in_zone':
        return this.#zoned('instantToZone', args)
      case 'from_zone':
        return this.#zoned('zoneToInstant', args)
      case 'exact_text':
        return atom(dialect.collate(this.#operand(args[0]!, ATOM)))
      case 'current_date':
        return atom(dialect.literals.date(dateText(time.clock.current('day'))))
    }
    const rendered = args.map((arg) => this.#text(arg))
    const types = args.map((arg) => this.#type(arg))
    return atom(this.#spelling(name, node.portable, functions)(rendered, types))
  }

  #zoned(direction: 'instantToZone' | 'zoneToInstant', [value, zone]: readonly SqlExpr[]): Text {
    const { dialect } = this.context
    const name = this.#text(zone!)
    const spelled = dialect[direction](this.#operand(value!, ATOM), name)
    return atom(spelled ?? fail('UNSUPPORTED_SQL_FEATURE', `the time zone ${name} cannot be expressed on ${dialect.name}`))
  }

  #spelling(name: string, portable: boolean, functions: ReadonlyMap<string, FunctionSpec>): NonNullable<Spelling> {
    const { dialect } = this.context
    const own = dialect.functions[name]
    if (own) return own
    const third = own === undefined ? functions.get(name)?.spellings : undefined
    const spelled = third?.[dialect.name]
    if (spelled) return spelled
    if (own === null || third) fail('UNSUPPORTED_FUNCTION', `the function '${name}' cannot be expressed on ${dialect.name}`)
    return (args) => `${portable ? name.toUpperCase() : name}(${args.join(', ')})`
  }

  #literal({ value, type }: Literal): Text {
    const { literals, type: spell } = this.context.dialect
    if (value === null) return atom('NULL')
    switch (type.kind) {
      case 'boolean':
        return atom(literals.boolean(Boolean(value)))
      case 'int':
      case 'decimal': {
        const digits = String(value)
        const text = type.kind === 'decimal' ? literals.decimal(digits, type) : digits
        return { text, binds: text.startsWith('-') ? NEGATE : ATOM }
      }
      case 'float':
        return atom(`CAST(${this.#string(String(value))} AS ${spell(type)})`)
      case 'date':
        return atom(literals.date(String(value)))
      case 'time':
        return atom(literals.time(String(value)))
      case 'timestamp':
        return atom(literals.timestamp(String(value)))
      case 'timestamp_tz':
        return atom(literals.timestamp_tz(String(value)))
      default:
        return atom(this.#string(String(value)))
    }
  }

  #string(value: string): string {
    if (value.includes('\u0000')) fail('INVALID_FILTER_VALUE', 'a text with the character U+0000 cannot be said in SQL')
    return data(this.context.dialect.literals.string(value))
  }

  #type(expr: SqlExpr): DataType {
    return typeOf<SqlLeaf>(expr, (leaf) => leaf.type, this.context.functions)
  }
}

const isLiteral = (expr: SqlExpr): boolean => (expr as { readonly kind: string }).kind === 'literal'

/** Collated already. */
const isExact = (expr: SqlExpr): boolean => {
  const node = expr as { readonly kind: string; readonly name?: string }
  return node.kind === 'call' && node.name === 'exact_text'
}

const NONE: ReadonlySet<string | undefined> = new Set()

/** The output column that an order names, where it names one. */
const outputOf = ({ expression }: OrderItem): string | undefined => {
  const leaf = expression as SqlLeaf
  return leaf.kind === 'output' ? leaf.alias : undefined
}

function unitOf(expr: SqlExpr): TimeGrain {
  const value = (expr as Literal).value
  const unit = TIME_GRAINS.find((grain) => grain === String(value).toLowerCase())
  return unit ?? fail('UNKNOWN_TIME_UNIT', `'${String(value)}' is not a time unit; use ${TIME_GRAINS.join(', ')}`)
}

/** A pattern that is a literal, or one in lower case. */
function writtenPattern(pattern: SqlExpr): { readonly literal: string | undefined; readonly folded: boolean } {
  const node = pattern as InnerNode<SqlLeaf>
  if (node.kind === 'call' && node.name === 'lower') return { ...writtenPattern(node.args[0]!), folded: true }
  return { literal: node.kind === 'literal' ? String(node.value) : undefined, folded: false }
}
