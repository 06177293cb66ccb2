import { both, firstOf, itemAt, zip } from '../invariant.js'
import { type DataType, decimal, MAX_PRECISION, STRING } from '../model/data-type.js'
import { type Call, type InnerNode, isInner, isLiteral, replaceNodes } from '../model/expression/ast.js'
import { typeOf } from '../model/expression/type-of.js'
import type { FunctionSpec } from '../model/functions/function-spec.js'
import { binary, call, integer } from '../resolve/expressions.js'
import { includesSame, ValueMap } from '../same.js'
import { spend } from '../work.js'
import { aggregateCall } from './lower-aggregate-call.js'
import { rewriteAggregates } from './lower-aggregates.js'
import { arithmetic, asDouble } from './lower-arithmetic.js'
import { nullableBesideComputed } from './lower-computed-keys.js'
import { projectHiddenSortKeys } from './lower-hidden-order.js'
import { beforeLastDates, throughEarlierDates } from './lower-late-dates.js'
import { firstInstant } from './lower-local-times.js'
import { isMixedList, withoutMixedList } from './lower-mixed-lists.js'
import { areMixedTimes, asMidnight } from './lower-mixed-times.js'
import { roomForScale } from './lower-narrow-decimals.js'
import { allowNullKeys } from './lower-null-keys.js'
import { emulateNullsOrder } from './lower-null-order.js'
import { sameByHash } from './lower-null-safe.js'
import { infiniteEnds } from './lower-open-ends.js'
import { withEquality } from './lower-range-joins.js'
import { orderByOutput } from './lower-shown-order.js'
import { compared, finite, placed as placeNaN } from './lower-special-doubles.js'
import { alikeSubstring } from './lower-substring.js'
import { COMPARISONS, truth } from './lower-truth.js'
import { windowCall } from './lower-window-call.js'
import type { LoweringContext, LoweringDialect } from './lowering-context.js'
import { SharedTables } from './shared-tables.js'
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
 * divisor, the statistical family computes in double, a rounding cast says how it rounds. What the engine does not do, according to its dialect, is
 * expressed by other means.
 */
export function lower(statement: Statement, functions: ReadonlyMap<string, FunctionSpec>, dialect: LoweringDialect): Statement {
  const lowering = new Lowering(functions, dialect, new SharedTables(statement))
  for (const { name, query } of statement.ctes) lowering.doubles.declare(name, query)
  return {
    ...statement,
    ctes: statement.ctes.map(({ name, query }) => ({ name, query: lowering.query(query) })),
    body: lowering.query(statement.body),
  }
}

/** Aggregates that support DISTINCT on every engine. */
const COUNTS_AND_SUMS = new Set('count count_distinct approx_count_distinct sum avg min max any_value'.split(' '))
const PICKS = new Set(['first', 'last'])

/** Functions whose arguments and result have one type. */
const ONE_TYPE = new Set(['coalesce', 'nullif', 'greatest', 'least'])

class Lowering {
  /** What the current SELECT reads in place of its grouping keys: a text that is equal only to itself, a zero without a sign. */
  #keys = new ValueMap<SqlExpr, SqlExpr>()
  readonly #types = new Map<SqlExpr, DataType>()
  readonly doubles = new SpecialDoubles((e) => this.#type(e))
  /** Whether an expression of the current SELECT may be NaN or infinite. */
  #isSpecial: (expr: SqlExpr) => boolean = () => false
  readonly #context: LoweringContext
  #isJoinCondition = false
  /** The grouping keys below the current windows. */
  #groupKeys: readonly SqlExpr[] = []

  constructor(
    private readonly functions: ReadonlyMap<string, FunctionSpec>,
    private readonly dialect: LoweringDialect,
    private readonly tables: SharedTables,
  ) {
    this.#context = { dialect, typeOf: (e) => this.#type(e), isSpecial: (e) => this.#isSpecial(e) }
  }

  query(query: Query): Query {
    if (query.kind === 'select') return this.#select(query)
    return { ...query, parts: query.parts.map((part) => this.#united(part, this.#select(part))) }
  }

  /** United texts are of one collation, which columns of tables need not have. Those of grouped rows are equal only to themselves already. */
  #united({ items, from, groupBy, distinct }: Select, lowered: Select): Select {
    if (this.dialect.semantics.exactText || distinct || groupBy.length > 0) return lowered
    const exact = zip(lowered.items, items).map(([item, { expression }]) =>
      this.tables.isStored(expression, from) ? { ...item, expression: this.#exact(item.expression, expression) } : item,
    )
    return { ...lowered, items: exact }
  }

  #select(given: Select): Select {
    const { semantics, aggregates } = this.dialect
    const isSpecial = this.doubles.within(given)
    const unsaid = {
      aggregate: ({ name, args, orderBy }: AggregateCall) =>
        aggregates[name === 'last' ? 'first' : name] === 'rewritten' ||
        (name === 'listagg' && !semantics.orderedLists) ||
        (!semantics.mixedOrders && PICKS.has(name) && !isOneWay(orderBy)) ||
        (this.#failsOnSpecial(name) && args.slice(0, 1).some(isSpecial)),
      distinct: (name: string) =>
        name === 'listagg'
          ? !semantics.distinctLists || !semantics.orderedLists
          : !semantics.distinctStatistics && !COUNTS_AND_SUMS.has(name),
    }
    const select = rewriteAggregates(given, unsaid, (e) => this.#type(e))
    const [around, aroundKeys] = [this.#isSpecial, this.#keys]
    this.#isSpecial = this.doubles.within(select)
    this.#keys = new ValueMap()
    const keys = select.distinct ? select.items.map((item) => item.expression) : select.groupBy
    for (const key of keys) this.#declare(key)
    const from = this.#from(select.from)
    const where = select.where.map((e) => this.#expr(e))
    const shared = semantics.sharedKeys ? [] : keys.filter((key) => this.#isShared(key, select.from))
    for (const key of shared) this.#keys.set(key, call('coalesce', this.#expr(key)))
    this.#groupKeys = semantics.keysInWindows ? [] : select.groupBy
    const lowered = {
      ...select,
      items: select.items.map((item) => ({
        ...item,
        expression: this.#expr(this.#besideKeys(item.expression, select.distinct ? [] : shared)),
      })),
      from,
      where,
      groupBy: select.groupBy.map((e) => this.#expr(e)),
      having: select.having.map((e) => this.#expr(semantics.keysInHaving ? e : this.#ofGroups(e, select))),
      orderBy: select.orderBy.flatMap((o) => this.#order(o, select.distinct)),
    }
    this.#isSpecial = around
    this.#keys = aroundKeys
    const keyed = semantics.nullKeys ? lowered : allowNullKeys(lowered)
    const placed = semantics.nullsOrder ? keyed : emulateNullsOrder(keyed)
    const shown = semantics.hiddenOrder ? placed : projectHiddenSortKeys(placed)
    return semantics.shownOrder ? shown : orderByOutput(shown)
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
          on: this.#joinCondition(this.dialect.semantics.rangeJoins ? from.on : withEquality(from)),
        }
      default:
        return from
    }
  }

  /** For joins by hash, engines compare the bytes of keys, and otherwise the numbers. */
  #joinCondition(on: SqlExpr | undefined): SqlExpr | undefined {
    if (on === undefined) return undefined
    this.#isJoinCondition = true
    const { openEnds, computedKeys } = this.dialect.semantics
    const ended = openEnds ? on : infiniteEnds(on, (e) => this.#type(e))
    const lowered = this.#expr(computedKeys ? ended : nullableBesideComputed(ended))
    this.#isJoinCondition = false
    return lowered
  }

  #order(order: OrderItem, distinct = false): OrderItem[] {
    const lowered = { ...order, expression: this.#expr(order.expression) }
    return distinct && !this.dialect.semantics.distinctOrder ? [lowered] : this.#placed(order, lowered)
  }

  #placed({ expression }: OrderItem, lowered: OrderItem): OrderItem[] {
    return !this.dialect.semantics.orderedNaN && this.#isSpecial(expression) ? placeNaN(lowered) : [lowered]
  }

  #failsOnSpecial(name: string): boolean {
    const { specialModes, specialPercentiles } = this.dialect.semantics
    return name === 'mode' ? !specialModes : !specialPercentiles && (name === 'median' || name === 'percentile')
  }

  /** -0 as 0. */
  #plain(lowered: SqlExpr, original: SqlExpr): SqlExpr {
    const changes = !this.dialect.semantics.plainZero && this.#isSpecial(original) && !this.#keys.get(original)
    return changes ? binary('+', lowered, integer(0)) : lowered
  }

  #declare(key: SqlExpr): void {
    const lowered = this.#expr(key)
    const keyed = this.#exact(this.#plain(lowered, key), key)
    if (keyed !== lowered) this.#keys.set(key, keyed)
  }

  /** A column that is a key is read as an expression where rows are grouped, and not where they are found. */
  #isShared(key: SqlExpr, from: From): boolean {
    return !this.#keys.get(key) && this.tables.isColumn(key, from)
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
    return aggregateCall({ ...leaf, args, orderBy: leaf.orderBy.flatMap((o) => this.#order(o)) }, leaf, this.#context)
  }

  #window(leaf: WindowCall): SqlExpr {
    const partitionBy = leaf.partitionBy.map((e) => this.#partition(this.#overGroups(e), e))
    const orderBy = leaf.orderBy.flatMap((o) => this.#placed(o, { ...o, expression: this.#overGroups(o.expression) }))
    return windowCall({ ...leaf, args: leaf.args.map((e) => this.#overGroups(e)), partitionBy, orderBy }, leaf, this.#context)
  }

  /** The expressions that a window reads. Over groups it supports only columns and aggregates. */
  #overGroups(e: SqlExpr): SqlExpr {
    const computed = includesSame(this.#groupKeys, e) && e.kind !== 'column'
    return computed ? aggregate('max', [this.#expr(e)], this.#type(e)) : this.#expr(e)
  }

  /** A condition on groups reads columns and aggregates: any value of a computed key represents all of them. */
  #ofGroups(condition: SqlExpr, { groupBy }: Select): SqlExpr {
    return this.#anyOf(
      groupBy.filter((key) => this.#expr(key).kind !== 'column'),
      condition,
    )
  }

  /** A key that became an expression is known only as a whole column: inside another expression, any value represents all of them. */
  #besideKeys(expression: SqlExpr, keys: readonly SqlExpr[]): SqlExpr {
    return includesSame(keys, expression) ? expression : this.#anyOf(keys, expression)
  }

  #anyOf(computed: readonly SqlExpr[], condition: SqlExpr): SqlExpr {
    if (computed.length === 0) return condition
    return replaceNodes<SqlLeaf>(condition, (node) => {
      if (includesSame(computed, node)) return aggregate('max', [node], this.#type(node))
      return isInner<SqlLeaf>(node) ? undefined : node
    })
  }

  /** -0 is the same double as 0, but has another text. */
  #partition(lowered: SqlExpr, original: SqlExpr): SqlExpr {
    const isDouble = !this.dialect.semantics.doublePartitions && this.#type(original).kind === 'float'
    if (isDouble) return { kind: 'cast', operand: binary('+', lowered, integer(0)), type: STRING }
    return this.#exact(this.#plain(lowered, original), original)
  }

  /** A text that may be equal to others becomes one that is equal only to itself. */
  #exact(lowered: SqlExpr, original: SqlExpr): SqlExpr {
    const plain = this.dialect.semantics.exactText || this.#type(original).kind !== 'string' || isExact(lowered)
    return plain ? lowered : call('exact_text', lowered)
  }

  /** Like `exact`, if one side of a comparison is enough. */
  #exactly(lowered: SqlExpr, original: SqlExpr): SqlExpr {
    return isLiteral(original) || original.kind === 'parameter' ? lowered : this.#exact(lowered, original)
  }

  #inner(node: InnerNode<SqlLeaf>): SqlExpr {
    switch (node.kind) {
      case 'literal':
      case 'parameter':
        return node
      case 'unary':
        return { ...node, operand: this.#expr(node.operand) }
      case 'binary': {
        const plain = truth(node)
        if (plain) return this.#expr(plain)
        if (COMPARISONS.has(node.operator)) {
          const same = this.#alike([node.left, node.right])
          const joins = this.#isJoinCondition && node.operator === '='
          const [left, right] = both([node.left, node.right], (side) => (joins ? this.#plain(same(side), side) : same(side)))
          const made = { ...node, left: this.#exact(left, node.left), right: this.#exactly(right, node.right) }
          return this.dialect.semantics.comparedNaN
            ? made
            : compared(made, this.#isSpecial(node.left), this.#isSpecial(node.right))
        }
        return arithmetic(node, [this.#expr(node.left), this.#expr(node.right)], this.#context)
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
        const { typeOf } = this.#context
        if (!this.dialect.semantics.mixedLists && isMixedList(node, typeOf)) return this.#expr(withoutMixedList(node, typeOf))
        const same = this.#alike([node.operand, ...node.list])
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
    if (node.name === 'substring') return { ...node, args: alikeSubstring(node).map((arg) => this.#expr(arg)) }
    if (node.name === 'nullif') return this.#nullIf(node)
    if (node.name === 'before_last_dates') return this.#beforeLastDates(this.#expr(firstOf(node.args)))
    const walked = this.dialect.semantics.laterDates ? undefined : throughEarlierDates(node, (start) => this.#expr(start))
    return (
      walked ?? { ...node, args: ONE_TYPE.has(node.name) ? this.#choice(node.args) : node.args.map((arg) => this.#expr(arg)) }
    )
  }

  #beforeLastDates(date: SqlExpr): SqlExpr {
    return this.dialect.semantics.laterDates ? date : beforeLastDates(date)
  }

  /** The first value keeps its type if it is compared as another one. */
  #nullIf(node: Call<SqlLeaf>): SqlExpr {
    const types = node.args.map((arg) => this.#type(arg))
    const chosen: SqlExpr = { ...node, args: this.#choice(node.args) }
    return areMixedTimes(types) && types[0]?.kind === 'date' ? { kind: 'cast', operand: chosen, type: types[0] } : chosen
  }

  #same(node: Call<SqlLeaf>): SqlExpr {
    const { nullSafeEqual, semantics } = this.dialect
    if (nullSafeEqual === null || (!semantics.comparedNaN && node.args.some((e) => this.#isSpecial(e)))) {
      const theirs = itemAt(node.args, 1)
      return this.#expr(sameByHash(firstOf(node.args), theirs, this.#type(theirs)))
    }
    const alike = this.#alike(node.args)
    return { ...node, args: node.args.map((arg) => this.#exact(alike(arg), arg)) }
  }

  /**
   * Values of one type in a comparison or a choice. A date beside timestamps is cast to one. Decimals of different scale are cast to the finer
   * scale: an engine whose widest decimal is full would cut off digits after the point.
   */
  #alike(expressions: readonly SqlExpr[]): (one: SqlExpr) => SqlExpr {
    const types = expressions.map((e) => this.#type(e))
    if (areMixedTimes(types)) return (e) => asMidnight(this.#expr(e), this.#type(e))
    const scale = Math.max(0, ...types.map((t) => (t.kind === 'decimal' ? t.scale : 0)))
    const exact = scale > 0 && types.every((t) => t.kind === 'decimal' || t.kind === 'int')
    if (!exact) return (e) => this.#expr(e)
    const roomy = this.dialect.semantics.wideDecimals ? undefined : roomForScale(expressions, (e) => this.#type(e))
    return (e) => {
      const type = this.#type(e)
      const lowered = this.#expr(e)
      const narrow = type.kind === 'decimal' && type.scale < scale && type.precision - type.scale + scale > MAX_PRECISION
      if (narrow) return { kind: 'cast', operand: lowered, type: decimal(MAX_PRECISION, scale) }
      return roomy ? roomy(e, lowered) : lowered
    }
  }

  /** Values of which an expression returns one. */
  #choice(values: readonly SqlExpr[]): SqlExpr[] {
    const same = this.#alike(values)
    if (this.dialect.semantics.mixedChoices || !values.some((value) => this.#type(value).kind === 'float'))
      return values.map(same)
    return values.map((value) => (isLiteral(value) ? same(value) : asDouble(same(value), this.#type(value))))
  }

  #cast(operand: SqlExpr, type: DataType): SqlExpr {
    const from = this.#type(operand)
    const kept = this.#expr(operand)
    const exact = type.kind === 'decimal' || type.kind === 'int'
    const inner = exact && !this.dialect.semantics.specialCasts && this.#isSpecial(operand) ? finite(kept) : kept
    const rounds = type.kind === 'int' && (from.kind === 'float' || from.kind === 'decimal')
    return { kind: 'cast', operand: rounds ? call('round', inner) : inner, type }
  }

  #type(expr: SqlExpr): DataType {
    return typeOf<SqlLeaf>(expr, (leaf) => leaf.type, this.functions, this.#types)
  }
}

const isExact = (expr: SqlExpr): boolean => expr.kind === 'call' && expr.name === 'exact_text'

const isOneWay = (orderBy: readonly OrderItem[]): boolean =>
  orderBy.every(({ descending }) => descending === orderBy[0]?.descending)
