import { firstOf } from '../invariant.js'
import { DATE, type DataType, decimal, FLOAT, INT, JSON_TYPE, STRING, TIMESTAMP, TIMESTAMP_TZ } from '../model/data-type.js'
import {
  type Binary,
  type InList,
  type InnerNode,
  isInner,
  isLiteral,
  type Literal,
  mapOperands,
  type Parameter,
} from '../model/expression/ast.js'
import { typeOf } from '../model/expression/type-of.js'
import type { FunctionSpec } from '../model/functions/function-spec.js'
import type { StoredColumn } from '../model/stored-column.js'
import { binary, call, literal, text } from '../resolve/expressions.js'
import type { RelationColumn } from '../resolve/relation-column.js'
import { betweenInstants } from './between-instants.js'
import type { AggregateCall, From, OrderItem, Query, Select, SqlExpr, SqlLeaf, Statement } from './statement.js'
import { isListed } from './true-values.js'

/** The zone in which instants are truncated to days, and in which an instant becomes a timestamp without zone. */
export interface StorageClocks {
  readonly zone: string
  readonly naive: string
}

/**
 * Columns that are stored otherwise than they are declared are converted where they are scanned (docs/column-types.md). A predicate keeps
 * the bare column wherever the conversion cannot change its outcome, so that indexes and statistics of the column serve.
 */
export function convertStored(
  statement: Statement,
  clocks: StorageClocks,
  functions: ReadonlyMap<string, FunctionSpec>,
): Converted {
  const converter = new Converter(clocks, functions)
  const ctes = statement.ctes.map(({ name, query }) => ({ name, query: converter.query(query) }))
  const body = converter.body(statement.body)
  const columns = [...converter.met.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  return { statement: { ...statement, ctes, body }, columns }
}

export interface Converted {
  readonly statement: Statement
  /** The converted columns that it reads, or those that may need a conversion; by name, each once. */
  readonly columns: readonly StoredColumn[]
}

type StoredLeaf = RelationColumn & { readonly stored: StoredColumn }

const ARITHMETIC: ReadonlySet<string> = new Set(['+', '-', '*'])
const COMPARISONS: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>='])
const FLIPPED: Readonly<Record<string, Binary<SqlLeaf>['operator']>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

class Converter {
  readonly met = new Map<string, StoredColumn>()

  constructor(
    private readonly clocks: StorageClocks,
    private readonly functions: ReadonlyMap<string, FunctionSpec>,
  ) {}

  query(query: Query): Query {
    if (query.kind === 'select') return this.#select(query, (e) => this.#value(e))
    return { ...query, parts: query.parts.map((part) => this.#select(part, (e) => this.#value(e))) }
  }

  /** The outermost SELECT, whose columns are the answer. If GROUPING names its keys, they are converted in both places. */
  body(query: Query): Query {
    return query.kind === 'select' && query.sets === undefined ? this.#select(query, (e) => this.#shown(e)) : this.query(query)
  }

  #select(select: Select, item: (e: SqlExpr) => SqlExpr): Select {
    return {
      ...select,
      items: select.items.map((i) => ({ ...i, expression: item(i.expression) })),
      from: this.#from(select.from),
      where: select.where.map((e) => this.#value(e)),
      groupBy: select.groupBy.map(item),
      having: select.having.map((e) => this.#value(e)),
      orderBy: select.orderBy.map((o) => this.#order(o)),
    }
  }

  #from(from: From): From {
    switch (from.kind) {
      case 'subquery':
        return { ...from, query: this.query(from.query) }
      case 'join':
        return { ...from, left: this.#from(from.left), right: this.#from(from.right), on: from.on && this.#value(from.on) }
      default:
        return from
    }
  }

  #order(order: OrderItem): OrderItem {
    return { ...order, expression: this.#value(order.expression) }
  }

  #value(expr: SqlExpr): SqlExpr {
    return isInner<SqlLeaf>(expr) ? this.#inner(expr) : this.#leaf(expr)
  }

  /** If an integer is only selected, its width does not matter. */
  #shown(expr: SqlExpr): SqlExpr {
    return isPickOfWhole(expr) ? this.#aggregate(expr) : this.#side(expr)
  }

  #leaf(leaf: SqlLeaf): SqlExpr {
    switch (leaf.kind) {
      case 'column':
        return isStored(leaf) ? this.#converted(leaf) : leaf
      case 'aggregate': {
        const call = this.#aggregate(leaf)
        return isPickOfWhole(leaf) ? { kind: 'cast', operand: call, type: leaf.type } : call
      }
      case 'window':
        return {
          ...leaf,
          args: leaf.args.map((e) => this.#value(e)),
          partitionBy: leaf.partitionBy.map((e) => this.#value(e)),
          orderBy: leaf.orderBy.map((o) => this.#order(o)),
        }
      case 'output':
        return leaf
    }
  }

  #aggregate(leaf: AggregateCall): AggregateCall {
    const args = leaf.args.map((e) => this.#argument(leaf, e))
    return { ...leaf, args, orderBy: leaf.orderBy.map((o) => this.#order(o)) }
  }

  /** Counts do not depend on the type. For integers of any width every aggregate is the same, except the list of texts. */
  #argument({ name, distinct }: AggregateCall, arg: SqlExpr): SqlExpr {
    if (!isStored(arg) || name === 'grouping') return this.#value(arg)
    const counts = name === 'count' && !distinct
    return counts || isWhole(arg.stored) ? this.#asStored(arg) : this.#value(arg)
  }

  #inner(node: InnerNode<SqlLeaf>): SqlExpr {
    const tested = node.kind === 'is-null' ? withoutClock(node.operand) : undefined
    if (node.kind === 'is-null' && tested) {
      return { ...node, operand: isStored(tested) ? this.#asStored(tested) : this.#value(tested) }
    }
    if (node.kind === 'call' && this.#isSameInstant(node)) return this.#asStored(node.args[0] as StoredLeaf)
    return betweenInstants(this.#kept(node) ?? mapOperands<SqlLeaf, SqlLeaf>(node, (e) => this.#value(e)))
  }

  /** Expressions that may read the column directly instead of its conversion. */
  #kept(node: InnerNode<SqlLeaf>): SqlExpr | undefined {
    if (node.kind === 'cast') return { ...node, operand: this.#side(node.operand) }
    if (node.kind === 'in') return this.#membership(node)
    if (node.kind !== 'binary') return undefined
    if (COMPARISONS.has(node.operator)) return this.#comparison(node)
    // The quotient is computed in doubles.
    if (node.operator === '/') return { ...node, left: this.#side(node.left), right: this.#side(node.right) }
    return ARITHMETIC.has(node.operator) ? this.#arithmetic(node) : undefined
  }

  /** Together with a number of 64 bits, a decimal or a double, a narrower number is widened by the engine. */
  #arithmetic(node: Binary<SqlLeaf>): SqlExpr | undefined {
    const { left, right } = node
    const mixed = !isWholeType(this.#type(left)) || !isWholeType(this.#type(right))
    // A column on the left has 64 bits at this point.
    const wideLeft = mixed || left.kind === 'column'
    return {
      ...node,
      left: mixed ? this.#side(left) : this.#value(left),
      right: wideLeft ? this.#side(right) : this.#value(right),
    }
  }

  #type(expr: SqlExpr): DataType {
    return typeOf<SqlLeaf>(expr, (leaf) => leaf.type, this.functions)
  }

  /** Converting an instant to a local time and back gives the same instant. */
  #isSameInstant({ name, args: [value, zone] }: InnerNode<SqlLeaf> & { kind: 'call' }): boolean {
    if (name !== 'from_zone' || value === undefined || !isStored(value)) return false
    const isInstant = value.stored.physical?.kind === 'timestamp_tz' && value.stored.declared.kind === 'timestamp'
    return isInstant && zone !== undefined && isLiteral(zone) && zone.value === this.clocks.naive
  }

  /** The comparison on the column itself; `undefined` if the conversion may change its result. */
  #comparison(node: Binary<SqlLeaf>): SqlExpr | undefined {
    const { operator, left, right } = node
    if (!isStored(left)) {
      if (!isStored(right)) return undefined
      return this.#comparison({ ...node, operator: FLIPPED[operator] ?? operator, left: right, right: left })
    }
    const { stored } = left
    if (isWhole(stored)) return { ...node, left: this.#asStored(left), right: this.#side(right) }
    const isEquality = operator === '=' || operator === '<>'
    if (isStored(right)) {
      const alike = isEquality && areAlike(stored, right.stored)
      return alike ? { ...node, left: this.#asStored(left), right: this.#asStored(right) } : undefined
    }
    if (right.kind === 'parameter')
      return isEquality && isAgreed(left.stored, right) ? { ...node, left: this.#asStored(left), right } : undefined
    return isLiteral(right) ? this.#withLiteral(node, left, right, isEquality) : undefined
  }

  #withLiteral(node: Binary<SqlLeaf>, left: StoredLeaf, right: Literal, isEquality: boolean): SqlExpr | undefined {
    const { kind } = left.stored.declared
    if (this.#isClock(left, right)) return { ...node, left: this.#asStored(left), right: call('from_zone', right, text('UTC')) }
    // Texts that are equal as stored may have another order there.
    if (agrees(left.stored, right) && (isEquality || kind !== 'string')) return { ...node, left: this.#asStored(left), right }
    return kind === 'date' ? this.#days({ ...node, left, right }) : undefined
  }

  /** An instant that is read as a local time in UTC, compared with a timestamp in UTC. */
  #isClock({ stored: { declared, physical } }: StoredLeaf, { type }: Literal): boolean {
    const { naive } = this.clocks
    return declared.kind === 'timestamp' && physical?.kind === 'timestamp_tz' && type.kind === 'timestamp' && naive === 'UTC'
  }

  /** An integer as stored, anything else converted. */
  #side(expr: SqlExpr): SqlExpr {
    return isStored(expr) && isWhole(expr.stored) ? this.#asStored(expr) : this.#value(expr)
  }

  #membership(node: InList<SqlLeaf>): SqlExpr | undefined {
    const { operand, list } = node
    if (!isStored(operand)) return undefined
    const { stored } = operand
    const fits = list.every((e) =>
      isLiteral(e) ? isWhole(stored) || agrees(stored, e) : e.kind === 'parameter' && isAgreedOrWhole(stored, e),
    )
    return fits ? { ...node, operand: this.#asStored(operand) } : undefined
  }

  /** Days of timestamps: a half-open range of the column itself. Days of instants depend on a zone, so the range is wider and only helps. */
  #days(node: Binary<SqlLeaf> & { readonly left: StoredLeaf; readonly right: Literal }): SqlExpr | undefined {
    const { left: column, right: value } = node
    const kind = column.stored.physical?.kind
    const day = dayOf(value)
    if (day === undefined || (kind !== 'timestamp' && kind !== 'timestamp_tz')) return undefined
    const x = this.#asStored(column)
    const naive = kind === 'timestamp'
    const at = (days: number): SqlExpr => {
      const moment = literal(`${isoDay(day + days)} 00:00:00`, TIMESTAMP)
      return naive ? moment : call<SqlLeaf>('from_zone', moment, text('UTC'))
    }
    const margin = naive ? 0 : 1
    const from = binary<SqlLeaf>('>=', x, at(-margin))
    const after = binary<SqlLeaf>('>=', x, at(1 - margin))
    const before = binary<SqlLeaf>('<', x, at(margin))
    const until = binary<SqlLeaf>('<', x, at(1 + margin))
    const range = { '=': binary('and', from, until), '<': before, '<=': until, '>': after, '>=': from }[node.operator as string]
    if (range === undefined) return undefined
    return naive ? range : binary('and', range, { ...node, left: this.#value(column), right: value })
  }

  #asStored(leaf: StoredLeaf): SqlExpr {
    const { stored, ...rest } = leaf
    this.met.set(stored.name, stored)
    return { ...rest, type: typeAsStored(stored) }
  }

  #converted(leaf: StoredLeaf): SqlExpr {
    const { declared, physical, collation, daysIn, trueValues } = leaf.stored
    const x = this.#asStored(leaf)
    if (trueValues) return isListed(trueValues, x, leaf.stored)
    if (physical?.kind === 'timestamp_tz') {
      const zone = declared.kind === 'date' ? (daysIn ?? this.clocks.zone) : this.clocks.naive
      const clock = call<SqlLeaf>('in_zone', x, text(zone))
      return declared.kind === 'date' ? call('date_trunc', text('day'), clock) : clock
    }
    const plain = physical?.kind === 'text' ? x : ({ kind: 'cast', operand: x, type: declared } as const)
    return collation === undefined ? plain : call('exact_text', plain)
  }
}

/** A time is NULL exactly if its local time is. */
const withoutClock = (expr: SqlExpr): SqlExpr =>
  expr.kind === 'call' && (expr.name === 'in_zone' || expr.name === 'from_zone') ? withoutClock(firstOf(expr.args)) : expr

const isStored = (expr: SqlExpr): expr is StoredLeaf => expr.kind === 'column' && expr.stored !== undefined

/** An integer of another width: it differs from one of 64 bits only in arithmetic. */
const isWhole = ({ declared, physical }: StoredColumn): boolean =>
  declared.kind === 'int' && (physical === undefined || physical.kind === 'integer' || physical.scale === 0)

const PICKS: ReadonlySet<string> = new Set(['min', 'max', 'any_value', 'mode', 'first', 'last'])

/** One of the values that are aggregated, which is as wide as they are. */
function isPickOfWhole(expr: SqlExpr): expr is AggregateCall {
  if (expr.kind !== 'aggregate' || !PICKS.has(expr.name)) return false
  const [arg] = expr.args
  return arg !== undefined && isStored(arg) && isWhole(arg.stored)
}

const isWholeType = ({ kind }: DataType): boolean => kind === 'int'

/** The type that the engine computes with. */
function typeAsStored({ declared, physical }: StoredColumn): DataType {
  switch (physical?.kind) {
    case 'integer':
      return INT
    case 'real':
    case 'double':
      return FLOAT
    case 'decimal':
      return physical.precision === undefined ? FLOAT : decimal(physical.precision, physical.scale ?? 0)
    case 'date':
      return DATE
    case 'timestamp':
      return TIMESTAMP
    case 'timestamp_tz':
      return TIMESTAMP_TZ
    case 'json':
      return JSON_TYPE
    case undefined:
      return declared
    default:
      return STRING
  }
}

/** Whether equality of the columns is equality of the converted values. */
function areAlike(a: StoredColumn, b: StoredColumn): boolean {
  if (a.collation !== undefined || b.collation !== undefined || a.declared.kind !== b.declared.kind) return false
  const kind = a.physical?.kind
  if (kind !== b.physical?.kind) return false
  if (kind === 'enum') return a.physical?.name === b.physical?.name
  return kind === 'uuid' || kind === 'real'
}

/** Whether the column itself compared with the literal gives the result of the converted one. */
function agrees({ declared, physical, collation }: StoredColumn, { value, type }: Literal): boolean {
  if (collation !== undefined || value === null) return false
  switch (declared.kind) {
    case 'string':
      return typeof value === 'string' && textAgrees(physical, value)
    case 'float':
      return (type.kind === 'int' || type.kind === 'decimal') && numberAgrees(physical, String(value))
    default:
      return false
  }
}

/** The same for every value that a parameter may have. It follows only from what is known of values of access rules. */
function isAgreed({ declared, physical, collation }: StoredColumn, { form }: Parameter): boolean {
  if (collation !== undefined || declared.kind !== 'string') return false
  if (physical?.kind === 'padded') return form === 'uuid' || form === 'trimmed'
  return physical?.kind === 'uuid' && physical.comparesNoText !== true && form === 'uuid'
}

const isAgreedOrWhole = (stored: StoredColumn, parameter: Parameter): boolean =>
  parameter.form !== undefined && (isWhole(stored) || isAgreed(stored, parameter))

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function textAgrees(physical: StoredColumn['physical'], value: string): boolean {
  switch (physical?.kind) {
    case 'uuid':
      return physical.comparesNoText !== true && UUID.test(value)
    case 'enum':
      return physical.labels?.includes(value) === true
    case 'padded':
      return !value.endsWith(' ')
    default:
      return false
  }
}

/** The number of digits that every double keeps. */
const EXACT_DIGITS = 15

function numberAgrees(physical: StoredColumn['physical'], written: string): boolean {
  const digits = written.replace(/[-.]/g, '').length
  switch (physical?.kind) {
    case 'integer':
      return !written.includes('.') && digits <= EXACT_DIGITS
    case 'real':
      return Math.fround(Number(written)) === Number(written)
    case 'decimal':
      return (physical.precision ?? Number.POSITIVE_INFINITY) <= EXACT_DIGITS && digits <= EXACT_DIGITS
    default:
      return false
  }
}

const DAY = 86_400_000

/** The days since 1970 of a date that has a date before and after it. */
function dayOf({ value, type }: Literal): number | undefined {
  if (type.kind !== 'date' || typeof value !== 'string' || value < '0001-01-03' || value > '9999-12-29') return undefined
  return Date.parse(`${value}T00:00:00Z`) / DAY
}

const isoDay = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10)
