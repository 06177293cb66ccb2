import { both, firstOf, itemAt, zip } from '../invariant.js'
import { asDecimal, type DataType, decimal, FLOAT, MAX_PRECISION, STRING } from '../model/data-type.js'
import { type Binary, type Call, type InList, type InnerNode, isInner, isLiteral, replaceNodes } from '../model/expression/ast.js'
import { typeOf } from '../model/expression/type-of.js'
import type { FunctionSpec } from '../model/functions/function-spec.js'
import { anyOf, binary, call, integer, isNull, not } from '../resolve/expressions.js'
import { includesSame, ValueMap } from '../same.js'
import { spend } from '../work.js'
import type { Dialect } from './dialect.js'
import { asText, listOrder, opposite, rewriteAggregates } from './lower-aggregates.js'
import { projectHiddenSortKeys } from './lower-hidden-order.js'
import { throughEarlierDates } from './lower-late-dates.js'
import { firstInstant } from './lower-local-times.js'
import { roomForScale } from './lower-narrow-decimals.js'
import { allowNullKeys } from './lower-null-keys.js'
import { emulateNullsOrder } from './lower-null-order.js'
import { sameByHash } from './lower-null-safe.js'
import { orderByOutput } from './lower-shown-order.js'
import { compared, finite, greatest, isStatistic, placed as placeNaN, statistic } from './lower-special-doubles.js'
import { SpecialDoubles } from './special-doubles.js'
import {
  type AggregateCall,
  aggregate,
  type From,
  type OrderItem,
  type Query,
  type Select,
  type SqlExpr,
  type SqlLeaf,
  type Statement,
  type WindowCall,
} from './statement.js'

/**
 * Rewrites what SQL engines read differently into what they all read alike: a division is one of doubles and NULL for a zero
 * divisor, the statistical family computes in double, a rounding cast says how it rounds. What the engine lacks, according to its dialect, is
 * expressed by other means.
 */
export function lower(
  statement: Statement,
  functions: ReadonlyMap<string, FunctionSpec>,
  dialect: Pick<Dialect, 'lacks' | 'aggregates' | 'productScale' | 'repeatedTimes' | 'nullSafeEqual'>,
): Statement {
  const lowering = new Lowering(functions, dialect)
  for (const { name, query } of statement.ctes) lowering.doubles.declare(name, query)
  return {
    ...statement,
    ctes: statement.ctes.map(({ name, query }) => ({ name, query: lowering.query(query) })),
    body: lowering.query(statement.body),
  }
}

/** Aggregates whose arguments are converted to doubles. */
const IN_DOUBLE = new Set(
  'avg median percentile stddev_samp stddev_pop var_samp var_pop corr covar_samp covar_pop regr_slope regr_intercept'.split(' '),
)

/** Nodes that are boolean by themselves. A column is not, because some engines store any number in it. */
const TESTS: ReadonlySet<string> = new Set(['in', 'like', 'is-null'])

/** Aggregates that support DISTINCT on every engine. */
const COUNTS_AND_SUMS = new Set('count count_distinct approx_count_distinct sum avg min max any_value'.split(' '))
const PICKS = new Set(['first', 'last'])
const RANKS = new Set(['row_number', 'rank', 'dense_rank', 'ntile'])
const COUNTS = new Set(['count', 'count_if', 'count_distinct', 'approx_count_distinct'])
const NEIGHBOURS = new Set(['lag', 'lead'])

const COMPARISONS = new Set(['=', '<>', '<', '<=', '>', '>='])
const TRUTHS: ReadonlySet<string> = new Set([...COMPARISONS, 'and', 'or'])
/** Functions whose arguments and result have one type. */
const ONE_TYPE = new Set(['coalesce', 'nullif', 'greatest', 'least'])
/** The sum of ten thousand million such decimals does not overflow. */
const SUMMED_PRECISION = 28
/** The scale and precision that arithmetic keeps on every engine. Each step may have a digit or two more than planned. */
const KEPT_SCALE = 6
const KEPT_PRECISION = 34

class Lowering {
  /** What the current SELECT reads in place of its grouping keys: a text that is equal only to itself, a zero without a sign. */
  #keys = new ValueMap<SqlExpr, SqlExpr>()
  readonly #types = new Map<SqlExpr, DataType>()
  readonly doubles = new SpecialDoubles((e) => this.#type(e))
  /** Whether an expression of the current SELECT may be NaN or infinite. */
  #isSpecial: (expr: SqlExpr) => boolean = () => false
  #isJoinCondition = false
  /** The grouping keys below the current windows. */
  #groupKeys: readonly SqlExpr[] = []

  constructor(
    private readonly functions: ReadonlyMap<string, FunctionSpec>,
    private readonly dialect: Pick<Dialect, 'lacks' | 'aggregates' | 'productScale' | 'repeatedTimes' | 'nullSafeEqual'>,
  ) {}

  query(query: Query): Query {
    return query.kind === 'select' ? this.#select(query) : { ...query, parts: query.parts.map((part) => this.#select(part)) }
  }

  #select(given: Select): Select {
    const { lacks, aggregates } = this.dialect
    const isSpecial = this.doubles.within(given)
    const unsaid = {
      aggregate: ({ name, args, orderBy }: AggregateCall) =>
        aggregates[name === 'last' ? 'first' : name] === 'rewritten' ||
        (name === 'listagg' && lacks.orderedLists) ||
        (lacks.mixedOrders && PICKS.has(name) && !isOneWay(orderBy)) ||
        (this.#failsOnSpecial(name) && args.slice(0, 1).some(isSpecial)),
      distinct: (name: string) =>
        name === 'listagg' ? lacks.distinctLists || lacks.orderedLists : lacks.distinctStatistics && !COUNTS_AND_SUMS.has(name),
    }
    const select = rewriteAggregates(given, unsaid, (e) => this.#type(e))
    const [around, aroundKeys] = [this.#isSpecial, this.#keys]
    this.#isSpecial = this.doubles.within(select)
    this.#keys = new ValueMap()
    for (const key of select.distinct ? select.items.map((item) => item.expression) : select.groupBy) this.#declare(key)
    const from = this.#from(select.from)
    this.#groupKeys = lacks.keysInWindows ? select.groupBy : []
    const lowered = {
      ...select,
      items: select.items.map((item) => ({ ...item, expression: this.#expr(item.expression) })),
      from,
      where: select.where.map((e) => this.#expr(e)),
      groupBy: select.groupBy.map((e) => this.#expr(e)),
      having: select.having.map((e) => this.#expr(lacks.keysInHaving ? this.#ofGroups(e, select) : e)),
      orderBy: select.orderBy.flatMap((o) => this.#order(o, select.distinct)),
    }
    this.#isSpecial = around
    this.#keys = aroundKeys
    const keyed = lacks.nullKeys ? allowNullKeys(lowered) : lowered
    const placed = lacks.nullsOrder ? emulateNullsOrder(keyed) : keyed
    const shown = lacks.hiddenOrder ? projectHiddenSortKeys(placed) : placed
    return lacks.shownOrder ? orderByOutput(shown) : shown
  }

  #from(from: From): From {
    switch (from.kind) {
      case 'subquery':
        return { ...from, query: this.query(from.query) }
      case 'join':
        return {
          ...from,
          left: this.#from(from.left),
          right: this.#from(from.right),
          on: from.on && this.#joinCondition(from.on),
        }
      default:
        return from
    }
  }

  /** For joins by hash, engines compare the bytes of keys, and otherwise the numbers. */
  #joinCondition(on: SqlExpr): SqlExpr {
    this.#isJoinCondition = true
    const lowered = this.#expr(on)
    this.#isJoinCondition = false
    return lowered
  }

  #order(order: OrderItem, distinct = false): OrderItem[] {
    const lowered = { ...order, expression: this.#expr(order.expression) }
    return distinct && this.dialect.lacks.distinctOrder ? [lowered] : this.#placed(order, lowered)
  }

  #placed({ expression }: OrderItem, lowered: OrderItem): OrderItem[] {
    return this.dialect.lacks.orderedNaN && this.#isSpecial(expression) ? placeNaN(lowered) : [lowered]
  }

  #failsOnSpecial(name: string): boolean {
    const { specialModes, specialPercentiles } = this.dialect.lacks
    return name === 'mode' ? specialModes : specialPercentiles && (name === 'median' || name === 'percentile')
  }

  /** -0 as 0. */
  #plain(lowered: SqlExpr, original: SqlExpr): SqlExpr {
    const changes = this.dialect.lacks.plainZero && this.#isSpecial(original) && !this.#keys.get(original)
    return changes ? binary('+', lowered, integer(0)) : lowered
  }

  #declare(key: SqlExpr): void {
    const lowered = this.#expr(key)
    const told = this.#exact(this.#plain(lowered, key), key)
    if (told !== lowered) this.#keys.set(key, told)
  }

  #expr(expr: SqlExpr): SqlExpr {
    if (isLiteral(expr)) return expr
    const known = this.#keys.get(expr)
    if (known) return known
    spend()
    return isInner<SqlLeaf>(expr) ? this.#inner(expr) : this.#leaf(expr)
  }

  #leaf(leaf: SqlLeaf): SqlExpr {
    if (leaf.kind === 'window') return this.#window(leaf)
    if (leaf.kind !== 'aggregate') return leaf
    const compares = leaf.distinct || leaf.name === 'count_distinct' || leaf.name === 'approx_count_distinct'
    const args = leaf.args.map((arg) => (compares ? this.#exact(this.#plain(this.#expr(arg), arg), arg) : this.#expr(arg)))
    const orderBy = leaf.orderBy.flatMap((o) => this.#order(o))
    if (IN_DOUBLE.has(leaf.name)) {
      const read = zip(args, leaf.args).map(([arg, own]) => {
        const type = this.#type(own)
        return leaf.name === 'avg' && this.#averagesExactly(type) ? arg : this.#asDouble(arg, type)
      })
      const made = { ...leaf, args: read, orderBy }
      const differs = this.dialect.lacks.specialStatistics && isStatistic(leaf.name) && leaf.args.some((e) => this.#isSpecial(e))
      return differs ? statistic(made) : made
    }
    const [own] = leaf.args
    const [arg] = args
    if (leaf.name === 'max' && own && arg && this.dialect.lacks.comparedNaN && this.#isSpecial(own))
      return greatest(arg, (name, value, type) => ({ ...leaf, name, args: [value], type }))
    // Engines widen a sum of integers; if its planned type is an integer, it remains one.
    if (leaf.name === 'sum' && leaf.type.kind === 'int')
      return { kind: 'cast', operand: { ...leaf, args, orderBy }, type: leaf.type }
    if (leaf.name === 'sum' && own && arg) {
      const summand = this.#summand(arg, this.#type(own), leaf.type)
      return this.#scaled({ ...leaf, args: [summand], orderBy }, leaf.type)
    }
    if (this.dialect.lacks.signedCounts && COUNTS.has(leaf.name))
      return { kind: 'cast', operand: { ...leaf, args, orderBy }, type: leaf.type }
    if (leaf.name === 'last') return { ...leaf, name: 'first', args, orderBy: orderBy.map(opposite) }
    if (leaf.name === 'listagg') return this.#listagg({ ...leaf, args, orderBy }, leaf)
    return { ...leaf, args, orderBy }
  }

  #window(leaf: WindowCall): SqlExpr {
    const { lacks } = this.dialect
    const over = {
      partitionBy: leaf.partitionBy.map((e) => this.#partition(this.#overGroups(e), e)),
      orderBy: leaf.orderBy.flatMap((o) => this.#placed(o, { ...o, expression: this.#overGroups(o.expression) })),
    }
    const [own] = leaf.args
    const [value, ...rest] = leaf.args.map((e) => this.#overGroups(e))
    const [offset, fallback] = rest
    if ((lacks.signedRanks && RANKS.has(leaf.function)) || (lacks.signedCounts && leaf.function === 'count'))
      return { kind: 'cast', operand: { ...leaf, args: value ? [value] : [], ...over }, type: leaf.type }
    if (lacks.lagNull && own && value && NEIGHBOURS.has(leaf.function)) {
      const known = this.#type(own)
      return { ...leaf, args: [{ kind: 'cast', operand: value, type: known }, ...rest], ...over }
    }
    if (lacks.lagDefault && value && offset && fallback) {
      const absent = isNull<SqlLeaf>({ ...leaf, args: [integer(1), offset], ...over })
      const found: SqlExpr = { ...leaf, args: [value, offset], ...over }
      return { kind: 'case', branches: [{ when: absent, then: fallback }], otherwise: found }
    }
    const made: WindowCall = { ...leaf, args: value ? [value, ...rest] : [], ...over }
    if (leaf.function === 'max' && own && value && lacks.comparedNaN && this.#isSpecial(own))
      return greatest(value, (name, of, type) => ({ ...made, function: name, args: [of], type }))
    if (leaf.function !== 'sum' || !own || !value) return made
    return this.#scaled({ ...made, args: [this.#summand(value, this.#type(own), leaf.type)] }, leaf.type)
  }

  /** The expressions that a window reads. Over groups it supports only columns and aggregates. */
  #overGroups(e: SqlExpr): SqlExpr {
    const computed = includesSame(this.#groupKeys, e) && e.kind !== 'column'
    return computed ? aggregate('max', [this.#expr(e)], this.#type(e)) : this.#expr(e)
  }

  /** A condition on groups reads columns and aggregates: any value of a computed key represents all of them. */
  #ofGroups(condition: SqlExpr, { groupBy }: Select): SqlExpr {
    const computed = groupBy.filter((key) => this.#expr(key).kind !== 'column')
    if (computed.length === 0) return condition
    return replaceNodes<SqlLeaf>(condition, (node) => {
      if (includesSame(computed, node)) return aggregate('max', [node], this.#type(node))
      return isInner<SqlLeaf>(node) ? undefined : node
    })
  }

  /** -0 is the same double as 0, but has another text. */
  #partition(lowered: SqlExpr, original: SqlExpr): SqlExpr {
    const isDouble = this.dialect.lacks.doublePartitions && this.#type(original).kind === 'float'
    if (isDouble) return { kind: 'cast', operand: binary('+', lowered, integer(0)), type: STRING }
    return this.#exact(this.#plain(lowered, original), original)
  }

  #summand(value: SqlExpr, type: DataType, sum: DataType): SqlExpr {
    const widens = this.dialect.lacks.wideSums && type.kind === 'int' && sum.kind === 'decimal'
    return widens ? { kind: 'cast', operand: value, type: sum } : value
  }

  /** Sums, differences and products of decimals, one side of which gets the width of the result. */
  #arithmetic(node: Binary<SqlLeaf>): SqlExpr {
    const sides: Sides<SqlExpr> = [this.#expr(node.left), this.#expr(node.right)]
    const type = this.#type(node)
    if (this.dialect.lacks.overflowGuard && type.kind === 'int' && mayOverflow(node)) {
      const left: SqlExpr = { kind: 'cast', operand: sides[0], type: decimal(MAX_PRECISION, 0) }
      return { kind: 'cast', operand: { ...node, left, right: sides[1] }, type }
    }
    const given: Sides<Digits> = [asDecimal(this.#type(node.left)), asDecimal(this.#type(node.right))]
    const at = isLiteral(node.left) ? 1 : 0
    const widen = (to: DataType): void => {
      sides[at] = { kind: 'cast', operand: sides[at], type: to }
    }
    if (type.kind === 'decimal' && node.operator === '*' && type.scale > this.dialect.productScale)
      widen(decimal(MAX_PRECISION, type.scale))
    else if (this.dialect.lacks.wideDecimals && type.kind === 'decimal' && given.every((g) => g.precision < type.precision))
      widen(decimal(type.precision, given[at].scale))
    else if (
      this.dialect.lacks.longScales &&
      type.kind === 'decimal' &&
      type.scale > KEPT_SCALE &&
      type.precision > KEPT_PRECISION
    )
      return {
        ...node,
        ...narrowed(node, sides, [digitsOf(node.left, this.#type(node.left)), digitsOf(node.right, this.#type(node.right))]),
      }
    return this.#scaled({ ...node, left: sides[0], right: sides[1] }, type)
  }

  /** Doubles that represent the same decimal are equal after rounding to its scale. */
  #scaled(computed: SqlExpr, type: DataType): SqlExpr {
    const plain = !this.dialect.lacks.exactDecimals || type.kind !== 'decimal' || type.scale === 0
    return plain ? computed : { kind: 'cast', operand: computed, type }
  }

  /** A text that may be equal to others becomes one that is equal only to itself. */
  #exact(lowered: SqlExpr, original: SqlExpr): SqlExpr {
    const plain = !this.dialect.lacks.exactText || this.#type(original).kind !== 'string' || isExact(lowered)
    return plain ? lowered : call('exact_text', lowered)
  }

  /** Like `exact`, if one side of a comparison is enough. */
  #exactly(lowered: SqlExpr, original: SqlExpr): SqlExpr {
    return isLiteral(original) ? lowered : this.#exact(lowered, original)
  }

  /** A list is ordered by the requested keys, then by the listed value, so that it is the same list on every run. */
  #listagg(leaf: AggregateCall, original: AggregateCall): SqlExpr {
    const listed = asText(firstOf(leaf.args), this.#type(firstOf(original.args)))
    const ordered = { ...leaf, args: [listed, ...leaf.args.slice(1)] }
    return this.dialect.lacks.orderedLists ? ordered : { ...ordered, orderBy: listOrder(leaf, listed) }
  }

  #inner(node: InnerNode<SqlLeaf>): SqlExpr {
    switch (node.kind) {
      case 'literal':
        return node
      case 'unary':
        return { ...node, operand: this.#expr(node.operand) }
      case 'binary': {
        const plain = truth(node)
        if (plain) return this.#expr(plain)
        if (COMPARISONS.has(node.operator)) {
          const same = this.#toScale([node.left, node.right])
          const joins = this.#isJoinCondition && node.operator === '='
          const [left, right] = both([node.left, node.right], (side) => (joins ? this.#plain(same(side), side) : same(side)))
          const made = { ...node, left: this.#exact(left, node.left), right: this.#exactly(right, node.right) }
          return this.dialect.lacks.comparedNaN ? compared(made, this.#isSpecial(node.left), this.#isSpecial(node.right)) : made
        }
        if (node.operator !== '/') return this.#arithmetic(node)
        const [left, right] = [this.#expr(node.left), this.#expr(node.right)]
        const dividend = this.#type(node.right).kind === 'float' ? left : this.#asDouble(left, this.#type(node.left))
        return binary('/', dividend, isNonZero(node.right) ? right : call('nullif', right, integer(0)))
      }
      case 'call':
        return this.#call(node)
      case 'case': {
        const values = this.#choice([...node.branches.map((b) => b.then), ...(node.otherwise ? [node.otherwise] : [])])
        const branches = zip(node.branches, values.slice(0, node.branches.length)).map(([b, then]) => ({
          when: this.#expr(b.when),
          then,
        }))
        return { ...node, branches, otherwise: node.otherwise && values.at(-1) }
      }
      case 'cast':
        return this.#cast(node.operand, node.type)
      case 'is-null':
        return { ...node, operand: this.#expr(node.operand) }
      case 'in': {
        if (this.dialect.lacks.mixedLists && node.list.some((e) => this.#isMixed(this.#type(node.operand), e)))
          return this.#expr(this.#unmixed(node))
        const same = this.#toScale([node.operand, ...node.list])
        const operand = this.#plain(same(node.operand), node.operand)
        return { ...node, operand: this.#exact(operand, node.operand), list: node.list.map(same) }
      }
      case 'like':
        return { ...node, operand: this.#exact(this.#expr(node.operand), node.operand), pattern: this.#expr(node.pattern) }
    }
  }

  #call(node: Call<SqlLeaf>): SqlExpr {
    if (node.name === 'same') return this.#same(node)
    if (node.name === 'from_zone') return firstInstant(this.#expr(firstOf(node.args)), itemAt(node.args, 1), this.dialect)
    const walked = this.dialect.lacks.laterDates ? throughEarlierDates(node, (start) => this.#expr(start)) : undefined
    return (
      walked ?? { ...node, args: ONE_TYPE.has(node.name) ? this.#choice(node.args) : node.args.map((arg) => this.#expr(arg)) }
    )
  }

  #same(node: Call<SqlLeaf>): SqlExpr {
    const { nullSafeEqual, lacks } = this.dialect
    if (nullSafeEqual === null || (lacks.comparedNaN && node.args.some((e) => this.#isSpecial(e)))) {
      const theirs = itemAt(node.args, 1)
      return this.#expr(sameByHash(firstOf(node.args), theirs, this.#type(theirs)))
    }
    const toScale = this.#toScale(node.args)
    return { ...node, args: node.args.map((arg) => this.#exact(toScale(arg), arg)) }
  }

  /**
   * Decimals of different scale in a comparison or a choice are cast to the finer scale: an engine whose widest decimal is full would cut off digits
   * after the point.
   */
  #toScale(expressions: readonly SqlExpr[]): (one: SqlExpr) => SqlExpr {
    const types = expressions.map((e) => this.#type(e))
    const scale = Math.max(0, ...types.map((t) => (t.kind === 'decimal' ? t.scale : 0)))
    const exact = scale > 0 && types.every((t) => t.kind === 'decimal' || t.kind === 'int')
    if (!exact) return (e) => this.#expr(e)
    const roomy = this.dialect.lacks.wideDecimals ? roomForScale(expressions, (e) => this.#type(e)) : undefined
    return (e) => {
      const type = this.#type(e)
      const lowered = this.#expr(e)
      const narrow = type.kind === 'decimal' && type.scale < scale && type.precision - type.scale + scale > MAX_PRECISION
      if (narrow) return { kind: 'cast', operand: lowered, type: decimal(MAX_PRECISION, scale) }
      return roomy ? roomy(e, lowered) : lowered
    }
  }

  /** Whether a list compared with a number has a decimal of finer scale, or a number with more digits than the type holds. */
  #isMixed(one: DataType, other: SqlExpr): boolean {
    const type = this.#type(other)
    if (one.kind !== 'decimal') return type.kind === 'decimal'
    const { precision, scale } = digitsOf(other, type)
    return (
      (type.kind === 'decimal' && one.scale < type.scale) || (isLiteral(other) && precision - scale > one.precision - one.scale)
    )
  }

  /** The list with its operand as a decimal that holds every value. If there is none, the values are compared one by one. */
  #unmixed(node: InList<SqlLeaf>): SqlExpr {
    const all = [node.operand, ...node.list].map((e) => ({ e, type: this.#type(e) }))
    const digits = all.map(({ e, type }) => digitsOf(e, type))
    const scale = Math.max(...digits.map((one) => one.scale))
    const isHeld = all.every(({ type }) => type.kind === 'decimal' || type.kind === 'int')
    const type = decimal(MAX_PRECISION, scale)
    if (isHeld && digits.every((one) => one.precision - one.scale <= MAX_PRECISION - scale))
      return { ...node, operand: { kind: 'cast', operand: node.operand, type } }
    return anyOf(node.list.map((e) => binary('=', node.operand, e)))
  }

  /** Values of which an expression returns one. */
  #choice(values: readonly SqlExpr[]): SqlExpr[] {
    const same = this.#toScale(values)
    if (!this.dialect.lacks.mixedChoices || !values.some((value) => this.#type(value).kind === 'float')) return values.map(same)
    return values.map((value) => (isLiteral(value) ? same(value) : this.#asDouble(same(value), this.#type(value))))
  }

  #cast(operand: SqlExpr, type: DataType): SqlExpr {
    const from = this.#type(operand)
    const kept = this.#expr(operand)
    const exact = type.kind === 'decimal' || type.kind === 'int'
    const inner = exact && this.dialect.lacks.specialCasts && this.#isSpecial(operand) ? finite(kept) : kept
    const rounds = type.kind === 'int' && (from.kind === 'float' || from.kind === 'decimal')
    return { kind: 'cast', operand: rounds ? call('round', inner) : inner, type }
  }

  #asDouble(expr: SqlExpr, type: DataType): SqlExpr {
    return type.kind === 'float' ? expr : { kind: 'cast', operand: expr, type: FLOAT }
  }

  /** A sum of longer decimals may have more digits than there are, which one of doubles never has. */
  #averagesExactly(type: DataType): boolean {
    return (
      !this.dialect.lacks.exactAverages &&
      (type.kind === 'int' || (type.kind === 'decimal' && type.precision <= SUMMED_PRECISION))
    )
  }

  #type(expr: SqlExpr): DataType {
    return typeOf<SqlLeaf>(expr, (leaf) => leaf.type, this.functions, this.#types)
  }
}

/** The left and right operands of an operator. */
type Sides<T> = [left: T, right: T]

interface Digits {
  readonly precision: number
  readonly scale: number
}

/** The sides of a sum or product of 38 digits, with all planned digits after the point; the shorter whole part is kept first. */
function narrowed(node: Binary<SqlLeaf>, sides: Sides<SqlExpr>, given: Sides<Digits>): Pick<Binary<SqlLeaf>, 'left' | 'right'> {
  const isProduct = node.operator === '*'
  const scales = both(given, ({ scale }) => scale)
  const whole = both(given, ({ precision, scale }) => precision - scale)
  const room = Math.max(0, MAX_PRECISION - 1 - (isProduct ? scales[0] + scales[1] : Math.max(...scales)))
  const less = isProduct ? Math.min(...whole, Math.floor(room / 2)) : 0
  const side = (i: 0 | 1, other: 0 | 1): SqlExpr => {
    const digits = isProduct && whole[i] <= whole[other] ? less : Math.min(whole[i], room - less)
    return { kind: 'cast', operand: sides[i], type: decimal(digits + scales[i], scales[i]) }
  }
  return { left: isLiteral(node.left) ? sides[0] : side(0, 1), right: isLiteral(node.right) ? sides[1] : side(1, 0) }
}

/** A whole number that is written out has the digits that it has. */
function digitsOf(expr: SqlExpr, type: DataType): Digits {
  const written = isLiteral(expr) && type.kind === 'int' ? String(expr.value).length : undefined
  return written === undefined ? asDecimal(type) : { precision: written, scale: 0 }
}

/** A number that is written out moves another by too little to matter. */
const mayOverflow = ({ operator, left, right }: Binary<SqlLeaf>): boolean =>
  operator === '*' || !(isLiteral(left) || isLiteral(right))

const isExact = (expr: SqlExpr): boolean => expr.kind === 'call' && expr.name === 'exact_text'

const isOneWay = (orderBy: readonly OrderItem[]): boolean =>
  orderBy.every(({ descending }) => descending === orderBy[0]?.descending)

const isNonZero = (expr: SqlExpr): boolean => isLiteral(expr) && expr.value !== null && Number(expr.value) !== 0

/** A node that is true or false by itself is not compared with TRUE or FALSE; `undefined` for any other comparison. */
function truth({ operator, left, right }: Binary<SqlLeaf>): SqlExpr | undefined {
  if (operator !== '=' || !isLiteral(right) || typeof right.value !== 'boolean') return undefined
  const isTest = left.kind === 'binary' ? TRUTHS.has(left.operator) : TESTS.has(left.kind)
  if (!isTest) return undefined
  return right.value ? left : not(left)
}
