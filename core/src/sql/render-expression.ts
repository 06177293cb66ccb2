import { fail } from '../errors.js'
import { firstOf, itemAt } from '../invariant.js'
import type { DataType } from '../model/data-type.js'
import { type Binary, type InnerNode, isInner, isLiteral, type Parameter } from '../model/expression/ast.js'
import { typeOf } from '../model/expression/type-of.js'
import type { AggregateSpec, FunctionSpec, Spelling } from '../model/functions/function-spec.js'
import { TIME_GRAINS, type TimeGrain } from '../model/grain.js'
import type { ParameterValues } from '../model/parameter.js'
import type { RangeFrame } from '../plan/logical-plan.js'
import { currentPeriod, type TimeContext } from '../resolve/clock.js'
import { dateText } from '../resolve/time.js'
import { spend } from '../work.js'
import type { Dialect, AggregateCall as DialectAggregateCall, LikeRequest } from './dialect.js'
import { heldText } from './held-text.js'
import { literalText, stringText } from './literal-text.js'
import { lowerCase } from './lower-case.js'
import { parameterValue } from './parameter-value.js'
import type { AggregateCall, OrderItem, SqlExpr, SqlLeaf, WindowCall } from './statement.js'
import { ADD, AND, ATOM, atom, COMPARE, MULTIPLY, NEGATE, NOT, nameText, OR, type Text } from './text.js'
import { boundedLength, TextSizes } from './text-growth.js'

export interface RenderContext {
  readonly dialect: Dialect
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
  readonly time: TimeContext
  /** Of one statement. */
  readonly parameters?: ParameterValues | undefined
  /** The values of access rules. */
  readonly held?: ParameterValues | undefined
  /** What stands in the text for a value of access rules, if they are not given. */
  readonly placeOf?: ((value: Parameter) => string) | undefined
  /** How names that the engine refuses are written. */
  readonly names?: ReadonlyMap<string, string>
}

/** Functions of this file that have another text than a call. */
const IN_OTHER_WORDS: ReadonlySet<string> = new Set(
  'date_trunc date_add lower in_zone from_zone same exact_text current_date'.split(' '),
)

/** `x` of `NULLIF(x, 0)`. */
function unlessZero(divisor: SqlExpr): SqlExpr | undefined {
  if (divisor.kind !== 'call' || divisor.name !== 'nullif') return undefined
  const [value, zero] = divisor.args
  return zero && isLiteral(zero) && zero.value === 0 ? value : undefined
}

/** The text of expressions, each rendered once however often it is used. */
export class ExpressionRenderer {
  /** Whether texts are compared by their code points, against the engine's default. */
  readonly collates: boolean
  readonly #sizes = new TextSizes()
  readonly #texts = new Map<SqlExpr, Text>()
  readonly #names = new Map<string, string>()
  readonly #types = new Map<SqlExpr, DataType>()

  constructor(private readonly context: RenderContext) {
    this.collates = context.dialect.collate('x') !== 'x'
  }

  text(expr: SqlExpr): string {
    return this.#render(expr).text
  }

  /** Whether a node is written as the name of its function with its arguments, each once. */
  isPlainCall(node: SqlExpr): boolean {
    return node.kind === 'call' && !IN_OTHER_WORDS.has(node.name) && this.#spelling(node.name) === undefined
  }

  /** In parentheses if it binds less tightly than `least`. */
  operand(expr: SqlExpr, least: number): string {
    const { text, binds } = this.#render(expr)
    return binds < least ? `(${text})` : text
  }

  /** A text that is compared by its code points, with the same order on every engine. */
  collated(expression: SqlExpr): string {
    return this.collates && !isExact(expression)
      ? this.context.dialect.collate(this.operand(expression, ATOM))
      : this.text(expression)
  }

  /** A key of ORDER BY. */
  order(order: OrderItem): string {
    return this.directed(this.#sorted(order), order)
  }

  #sorted({ expression, type }: OrderItem): string {
    return type.kind === 'string' ? this.collated(expression) : this.text(expression)
  }

  /** The same of a value that is text already. */
  directed(value: string, { descending, nullsFirst }: OrderItem): string {
    return this.context.dialect.order(value, descending, nullsFirst)
  }

  #render(expr: SqlExpr): Text {
    // Its names are known as they are quoted.
    if (expr.kind === 'column') return this.#leaf(expr)
    const known = this.#texts.get(expr)
    if (known) return known
    spend()
    const made = isInner<SqlLeaf>(expr) ? this.#inner(expr) : this.#leaf(expr)
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
    if (call.name === 'listagg') this.#sizes.refuseLongList(call)
    const comparing =
      call.name === 'min' || call.name === 'max' || call.name === 'any_value' || call.name === 'mode' || call.name === 'listagg'
    const args = call.args.map((arg) => {
      return comparing && this.#type(arg).kind === 'string' && !isExact(arg) ? dialect.collate(this.text(arg)) : this.text(arg)
    })
    const given: DialectAggregateCall = {
      name: call.name,
      args,
      distinct: call.distinct,
      orderBy: call.orderBy.map((o) => this.order(o)),
      keys: call.orderBy.map((o) => ({ value: this.#sorted(o), descending: o.descending })),
      percentile: call.percentile,
      delimiter: call.delimiter === undefined ? undefined : stringText(call.delimiter, dialect),
      type: call.type,
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

  #window({ function: name, args, partitionBy, orderBy, frame }: WindowCall): string {
    const over = [
      ...(partitionBy.length > 0 ? [`PARTITION BY ${partitionBy.map((e) => this.text(e)).join(', ')}`] : []),
      ...(orderBy.length > 0 ? [`ORDER BY ${orderBy.map((o) => this.order(o)).join(', ')}`] : []),
      ...(frame === 'before' ? ['ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING'] : []),
      ...(frame === 'up-to-row' ? ['ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW'] : []),
      ...(typeof frame === 'object' ? [`RANGE BETWEEN ${intervalOf(frame)} PRECEDING AND CURRENT ROW`] : []),
      // The default frame ends with the current row.
      ...(name === 'first_value' || name === 'last_value' ? ['ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING'] : []),
    ]
    const call = this.context.dialect.windowCall(
      name,
      args.map((arg) => this.text(arg)),
    )
    return `${call} OVER (${over.join(' ')})`
  }

  #inner(node: InnerNode<SqlLeaf>): Text {
    switch (node.kind) {
      case 'literal':
        return literalText(node, this.context.dialect)
      case 'parameter':
        return node.form === undefined
          ? this.#render(parameterValue(node, this.context.parameters))
          : heldText(node, this.context)
      case 'unary':
        return node.operator === 'not' ? this.#not(node.operand) : { text: `-${this.operand(node.operand, ATOM)}`, binds: NEGATE }
      case 'binary':
        return this.#binary(node)
      case 'call':
        return this.#call(node)
      case 'case': {
        const branches = node.branches.map((b) => `WHEN ${this.text(b.when)} THEN ${this.text(b.then)}`)
        const otherwise = node.otherwise ? ` ELSE ${this.text(node.otherwise)}` : ''
        return atom(`CASE ${branches.join(' ')}${otherwise} END`)
      }
      case 'cast':
        return atom(this.#cast(node.operand, node.type))
      case 'in':
        return {
          text: `${this.operand(node.operand, ADD)} IN (${node.list.map((e) => this.text(e)).join(', ')})`,
          binds: COMPARE,
        }
      case 'like':
        return this.#like(node.operand, node.pattern, false)
      case 'is-null':
        return { text: `${this.operand(node.operand, ADD)} IS NULL`, binds: COMPARE }
    }
  }

  /** `NOT (x IS NULL)` and similar conditions are more readable with the NOT inside. */
  #not(node: SqlExpr): Text {
    switch (node.kind) {
      case 'unary':
        if (node.operator === 'not') return this.#render(node.operand)
        break
      case 'is-null':
        return { text: `${this.operand(node.operand, ADD)} IS NOT NULL`, binds: COMPARE }
      case 'in':
        return {
          text: `${this.operand(node.operand, ADD)} NOT IN (${node.list.map((e) => this.text(e)).join(', ')})`,
          binds: COMPARE,
        }
      case 'like':
        return this.#like(node.operand, node.pattern, true)
      case 'binary':
        if (node.operator === '=') return this.#binary({ ...node, operator: '<>' })
    }
    return { text: `NOT ${this.operand(node, ATOM)}`, binds: NOT }
  }

  #cast(operand: SqlExpr, type: DataType): string {
    const { dialect } = this.context
    const mayBeSpecial = operand.kind === 'call' && operand.name === 'finite' ? operand.args[0] : undefined
    if (dialect.finiteDecimal && type.kind === 'decimal' && mayBeSpecial)
      return dialect.finiteDecimal(this.text(mayBeSpecial), type)
    return dialect.cast(this.text(operand), type, this.#type(operand))
  }

  #like(operand: SqlExpr, pattern: SqlExpr, negated: boolean): Text {
    const { dialect } = this.context
    const { like, foldedLike } = dialect
    const [value, mask] = [loweredOf(operand), loweredOf(pattern)]
    const written = { ...writtenPattern(pattern), negated }
    const { literal } = written
    const text =
      value && mask && (foldedLike || literal !== undefined)
        ? this.#foldedLike(value, mask, written)
        : like.call(dialect, { value: this.operand(operand, ADD), pattern: this.operand(pattern, ADD), ...written })
    return { text, binds: COMPARE }
  }

  /** Both sides in any case. */
  #foldedLike(value: SqlExpr, mask: SqlExpr, written: Pick<LikeRequest, 'literal' | 'folded' | 'negated'>): string {
    const { dialect } = this.context
    const { literal } = written
    const pattern = literal === undefined ? this.operand(mask, ATOM) : stringText(literal, dialect)
    if (dialect.foldedLike) return dialect.foldedLike({ value: this.operand(value, ATOM), pattern, ...written })
    return dialect.like({ value: dialect.lowered(this.text(value), literal), pattern, ...written })
  }

  #binary(node: Binary<SqlLeaf>): Text {
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
        return this.#infix(node, operator, ADD, MULTIPLY)
      case '/':
        return this.context.dialect.quotient
          ? this.#quotients(node, this.context.dialect.quotient)
          : this.#infix(node, operator, MULTIPLY, MULTIPLY + 1)
      default: {
        const ordering =
          operator !== '=' &&
          operator !== '<>' &&
          (this.#type(node.left).kind === 'string' || this.#type(node.right).kind === 'string')
        const collates = ordering && this.collates
        const left = collates ? this.collated(node.left) : this.operand(node.left, ADD)
        const right =
          collates && !isLiteral(node.right) && node.right.kind !== 'parameter'
            ? this.collated(node.right)
            : this.operand(node.right, ADD)
        return { text: `${left} ${operator} ${right}`, binds: COMPARE }
      }
    }
  }

  /** A chain of divisions. The dialect writes those whose divisor may be 0. */
  #quotients(node: Binary<SqlLeaf>, quotient: NonNullable<Dialect['quotient']>): Text {
    const divisors: SqlExpr[] = []
    let at: SqlExpr = node
    while (at.kind === 'binary' && at.operator === '/') {
      divisors.push(at.right)
      at = at.left
    }
    return divisors.reverse().reduce<Text>((dividend, divisor) => {
      const guarded = unlessZero(divisor)
      if (guarded) return { text: quotient(dividend.text, this.text(guarded)), binds: ATOM }
      const left = dividend.binds < MULTIPLY ? `(${dividend.text})` : dividend.text
      return { text: `${left} / ${this.operand(divisor, MULTIPLY + 1)}`, binds: MULTIPLY }
    }, this.#render(at))
  }

  #infix(node: Binary<SqlLeaf>, symbol: string, binds: number, right: number): Text {
    // A long chain is left-deep; walking it here in a loop keeps the stack flat.
    const parts: string[] = []
    let at: SqlExpr = node
    while (at.kind === 'binary' && at.operator === node.operator) {
      parts.push(this.operand(at.right, right))
      at = at.left
    }
    parts.push(this.operand(at, binds))
    return { text: parts.reverse().join(` ${symbol} `), binds }
  }

  #call(node: InnerNode<SqlLeaf> & { kind: 'call' }): Text {
    const { dialect, time } = this.context
    const { name, args } = node
    switch (name) {
      case 'date_trunc':
        return atom(
          dialect.truncate(unitOf(firstOf(args)), this.text(itemAt(args, 1)), this.#type(itemAt(args, 1)), time.weekStart),
        )
      case 'date_add':
        return atom(
          dialect.dateAdd(
            unitOf(firstOf(args)),
            this.operand(itemAt(args, 1), ATOM),
            this.operand(itemAt(args, 2), ADD),
            this.#type(itemAt(args, 2)),
          ),
        )
      case 'lower':
        if (dialect.functions.lower === undefined) return atom(dialect.lowered(this.text(firstOf(args)), undefined))
        break
      case 'in_zone':
        return this.#zoned('instantToZone', args)
      case 'from_zone':
        return this.#zoned('zoneToInstant', args)
      case 'same':
        return {
          text: `${this.operand(firstOf(args), ADD)} ${dialect.nullSafeEqual} ${this.operand(itemAt(args, 1), ADD)}`,
          binds: COMPARE,
        }
      case 'exact_text':
        return atom((dialect.byCodePoint ?? dialect.collate)(this.operand(firstOf(args), ATOM)))
      case 'current_date':
        return atom(dialect.literals.date(dateText(currentPeriod(time.clock, 'day'))))
    }
    this.#sizes.refuseGrowth(node)
    const bounded = boundedLength<SqlLeaf>(name, args)
    const rendered = bounded.map((arg) => this.text(arg))
    const spelling = this.#spelling(name)
    if (spelling === null) fail('UNSUPPORTED_FUNCTION', `the function '${name}' cannot be expressed on ${dialect.name}`)
    if (!spelling) return atom(`${node.portable ? name.toUpperCase() : name}(${rendered.join(', ')})`)
    return atom(
      spelling(
        rendered,
        bounded.map((arg) => this.#type(arg)),
      ),
    )
  }

  #zoned(direction: 'instantToZone' | 'zoneToInstant', [value, zone]: readonly SqlExpr[]): Text {
    const { dialect } = this.context
    const name = this.text(zone!)
    const spelled = dialect[direction](this.operand(value!, ATOM), name)
    return atom(spelled ?? fail('UNSUPPORTED_SQL_FEATURE', `the time zone ${name} cannot be expressed on ${dialect.name}`))
  }

  /** `undefined` for a function that is written by its name, `null` for one that the engine lacks. */
  #spelling(name: string): Spelling | undefined {
    const { dialect, functions } = this.context
    const own = dialect.functions[name]
    if (own) return own
    const third = own === undefined ? functions.get(name)?.spellings : undefined
    const spelled = third?.[dialect.name]
    if (spelled) return spelled
    return own === null || third ? null : undefined
  }

  /** Quoted, as the engine takes it. */
  name(name: string): string {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    const text = nameText(name, this.context)
    this.#names.set(name, text)
    return text
  }

  #type(expr: SqlExpr): DataType {
    return typeOf<SqlLeaf>(expr, (leaf) => leaf.type, this.context.functions, this.#types)
  }
}

/** Its collation is applied already. */
export const isExact = (expr: SqlExpr): boolean => expr.kind === 'call' && expr.name === 'exact_text'

function unitOf(expr: SqlExpr): TimeGrain {
  const value = isLiteral(expr) ? expr.value : undefined
  const unit = TIME_GRAINS.find((grain) => grain === String(value).toLowerCase())
  return unit ?? fail('UNKNOWN_TIME_UNIT', `'${String(value)}' is not a time unit; use ${TIME_GRAINS.join(', ')}`)
}

/** The argument of LOWER; `undefined` for any other expression. */
function loweredOf(node: SqlExpr): SqlExpr | undefined {
  return node.kind === 'call' && node.name === 'lower' ? node.args[0] : undefined
}

/** A pattern that is a literal, or one in lower case. */
function writtenPattern(node: SqlExpr): { readonly literal: string | undefined; readonly folded: boolean } {
  if (node.kind === 'call' && node.name === 'lower') {
    const { literal } = writtenPattern(firstOf(node.args))
    return { literal: literal === undefined ? undefined : lowerCase(literal), folded: true }
  }
  return { literal: node.kind === 'literal' ? String(node.value) : undefined, folded: false }
}

/** Not every engine has intervals of weeks and quarters. */
function intervalOf({ unit, back }: RangeFrame): string {
  if (unit === 'week') return `INTERVAL '${back * 7}' DAY`
  return unit === 'quarter' ? `INTERVAL '${back * 3}' MONTH` : `INTERVAL '${back}' ${unit.toUpperCase()}`
}
