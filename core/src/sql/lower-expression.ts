import { both, firstOf, itemAt, zip } from '../invariant.js'
import { type DataType, decimal, MAX_PRECISION, STRING } from '../model/data-type.js'
import { type Call, type InnerNode, isInner, isLiteral, replaceNodes } from '../model/expression/ast.js'
import { binary, call, integer } from '../resolve/expressions.js'
import { includesSame, type ValueMap } from '../same.js'
import { spend } from '../work.js'
import { aggregateCall } from './lower-aggregate-call.js'
import { arithmetic, asDouble } from './lower-arithmetic.js'
import { beforeLastDates, throughEarlierDates } from './lower-late-dates.js'
import { firstInstant } from './lower-local-times.js'
import { isMixedList, withoutMixedList } from './lower-mixed-lists.js'
import { areMixedTimes, asMidnight } from './lower-mixed-times.js'
import { roomForScale } from './lower-narrow-decimals.js'
import { sameByHash } from './lower-null-safe.js'
import { compared, finite, placed as placeNaN } from './lower-special-doubles.js'
import { alikeSubstring } from './lower-substring.js'
import { COMPARISONS, truth } from './lower-truth.js'
import { windowCall } from './lower-window-call.js'
import type { LoweringContext } from './lowering-context.js'
import { aggregate, type OrderItem, type Select, type SqlExpr, type SqlLeaf, type WindowCall } from './statement.js'

/** What the expressions of a SELECT depend on. */
export interface LoweringScope extends LoweringContext {
  /** What is read in place of grouping keys: a text that is equal only to itself, a zero without a sign. */
  readonly keys: Pick<ValueMap<SqlExpr, SqlExpr>, 'get'>
  /** The grouping keys below the windows. */
  readonly groupKeys: readonly SqlExpr[]
  /** For joins by hash, engines compare the bytes of keys, and otherwise the numbers. */
  readonly isJoinCondition: boolean
}

/** Functions whose arguments and result have one type. */
const ONE_TYPE = new Set(['coalesce', 'nullif', 'greatest', 'least'])

/** The expressions of one SELECT as the engine expresses them. */
export class ExpressionLowering {
  constructor(private readonly scope: LoweringScope) {}

  /** A grouping key, if it is read in another way than other expressions are. */
  keyed(key: SqlExpr): SqlExpr | undefined {
    const lowered = this.lowered(key)
    const keyed = this.#exact(this.#plain(lowered, key), key)
    return keyed === lowered ? undefined : keyed
  }

  order(order: OrderItem, distinct = false): OrderItem[] {
    const lowered = { ...order, expression: this.lowered(order.expression) }
    return distinct && !this.scope.dialect.semantics.distinctOrder ? [lowered] : this.#placed(order, lowered)
  }

  #placed({ expression }: OrderItem, lowered: OrderItem): OrderItem[] {
    return !this.scope.dialect.semantics.orderedNaN && this.scope.isSpecial(expression) ? placeNaN(lowered) : [lowered]
  }

  /** -0 as 0. */
  #plain(lowered: SqlExpr, original: SqlExpr): SqlExpr {
    const changes = !this.scope.dialect.semantics.plainZero && this.scope.isSpecial(original) && !this.scope.keys.get(original)
    return changes ? binary('+', lowered, integer(0)) : lowered
  }

  lowered(expr: SqlExpr): SqlExpr {
    if (isLiteral(expr)) return expr
    const known = this.scope.keys.get(expr)
    if (known) return known
    spend()
    return isInner<SqlLeaf>(expr) ? this.#inner(expr) : this.#leaf(expr)
  }

  #leaf(leaf: SqlLeaf): SqlExpr {
    if (leaf.kind === 'window') return this.#window(leaf)
    if (leaf.kind !== 'aggregate') return leaf
    const compares = leaf.distinct || leaf.name === 'count_distinct' || leaf.name === 'approx_count_distinct'
    const args = leaf.args.map((arg) => (compares ? this.#exact(this.#plain(this.lowered(arg), arg), arg) : this.lowered(arg)))
    return aggregateCall({ ...leaf, args, orderBy: leaf.orderBy.flatMap((o) => this.order(o)) }, leaf, this.scope)
  }

  #window(leaf: WindowCall): SqlExpr {
    const partitionBy = leaf.partitionBy.map((e) => this.#partition(this.#overGroups(e), e))
    const orderBy = leaf.orderBy.flatMap((o) => this.#placed(o, { ...o, expression: this.#overGroups(o.expression) }))
    return windowCall({ ...leaf, args: leaf.args.map((e) => this.#overGroups(e)), partitionBy, orderBy }, leaf, this.scope)
  }

  /** The expressions that a window reads. Over groups it supports only columns and aggregates. */
  #overGroups(e: SqlExpr): SqlExpr {
    const computed = includesSame(this.scope.groupKeys, e) && e.kind !== 'column'
    return computed ? aggregate('max', [this.lowered(e)], this.scope.typeOf(e)) : this.lowered(e)
  }

  /** A condition on groups reads columns and aggregates: any value of a computed key represents all of them. */
  ofGroups(condition: SqlExpr, { groupBy }: Select): SqlExpr {
    return this.#anyOf(
      groupBy.filter((key) => this.lowered(key).kind !== 'column'),
      condition,
    )
  }

  /** A key that became an expression is known only as a whole column: inside another expression, any value represents all of them. */
  besideKeys(expression: SqlExpr, keys: readonly SqlExpr[]): SqlExpr {
    return includesSame(keys, expression) ? expression : this.#anyOf(keys, expression)
  }

  #anyOf(computed: readonly SqlExpr[], condition: SqlExpr): SqlExpr {
    if (computed.length === 0) return condition
    return replaceNodes<SqlLeaf>(condition, (node) => {
      if (includesSame(computed, node)) return aggregate('max', [node], this.scope.typeOf(node))
      return isInner<SqlLeaf>(node) ? undefined : node
    })
  }

  /** -0 is the same double as 0, but has another text. */
  #partition(lowered: SqlExpr, original: SqlExpr): SqlExpr {
    const isDouble = !this.scope.dialect.semantics.doublePartitions && this.scope.typeOf(original).kind === 'float'
    if (isDouble) return { kind: 'cast', operand: binary('+', lowered, integer(0)), type: STRING }
    return this.#exact(this.#plain(lowered, original), original)
  }

  #exact(lowered: SqlExpr, original: SqlExpr): SqlExpr {
    return exactText(lowered, original, this.scope)
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
        return { ...node, operand: this.lowered(node.operand) }
      case 'binary': {
        const plain = truth(node)
        if (plain) return this.lowered(plain)
        if (COMPARISONS.has(node.operator)) {
          const same = this.#alike([node.left, node.right])
          const joins = this.scope.isJoinCondition && node.operator === '='
          const [left, right] = both([node.left, node.right], (side) => (joins ? this.#plain(same(side), side) : same(side)))
          const made = { ...node, left: this.#exact(left, node.left), right: this.#exactly(right, node.right) }
          return this.scope.dialect.semantics.comparedNaN
            ? made
            : compared(made, this.scope.isSpecial(node.left), this.scope.isSpecial(node.right))
        }
        return arithmetic(node, [this.lowered(node.left), this.lowered(node.right)], this.scope)
      }
      case 'call':
        return this.#call(node)
      case 'case': {
        const values = this.#choice([...node.branches.map((b) => b.then), ...(node.otherwise ? [node.otherwise] : [])])
        const branches = zip(node.branches, values.slice(0, node.branches.length)).map(([b, then]) => ({
          when: this.lowered(b.when),
          then,
        }))
        return { ...node, branches, otherwise: node.otherwise && values.at(-1) }
      }
      case 'cast':
        return this.#cast(node.operand, node.type)
      case 'is-null':
        return { ...node, operand: this.lowered(node.operand) }
      case 'in': {
        const { typeOf } = this.scope
        if (!this.scope.dialect.semantics.mixedLists && isMixedList(node, typeOf))
          return this.lowered(withoutMixedList(node, typeOf))
        const same = this.#alike([node.operand, ...node.list])
        const operand = this.#plain(same(node.operand), node.operand)
        return { ...node, operand: this.#exact(operand, node.operand), list: node.list.map(same) }
      }
      case 'like':
        return { ...node, operand: this.#exact(this.lowered(node.operand), node.operand), pattern: this.lowered(node.pattern) }
    }
  }

  #call(node: Call<SqlLeaf>): SqlExpr {
    if (node.name === 'same') return this.#same(node)
    if (node.name === 'from_zone') return firstInstant(this.lowered(firstOf(node.args)), itemAt(node.args, 1), this.scope.dialect)
    if (node.name === 'substring') return { ...node, args: alikeSubstring(node).map((arg) => this.lowered(arg)) }
    if (node.name === 'nullif') return this.#nullIf(node)
    if (node.name === 'before_last_dates') return this.#beforeLastDates(this.lowered(firstOf(node.args)))
    const walked = this.scope.dialect.semantics.laterDates ? undefined : throughEarlierDates(node, (start) => this.lowered(start))
    return (
      walked ?? { ...node, args: ONE_TYPE.has(node.name) ? this.#choice(node.args) : node.args.map((arg) => this.lowered(arg)) }
    )
  }

  #beforeLastDates(date: SqlExpr): SqlExpr {
    return this.scope.dialect.semantics.laterDates ? date : beforeLastDates(date)
  }

  /** The first value keeps its type if it is compared as another one. */
  #nullIf(node: Call<SqlLeaf>): SqlExpr {
    const types = node.args.map((arg) => this.scope.typeOf(arg))
    const chosen: SqlExpr = { ...node, args: this.#choice(node.args) }
    return areMixedTimes(types) && types[0]?.kind === 'date' ? { kind: 'cast', operand: chosen, type: types[0] } : chosen
  }

  #same(node: Call<SqlLeaf>): SqlExpr {
    const { nullSafeEqual, semantics } = this.scope.dialect
    if (nullSafeEqual === null || (!semantics.comparedNaN && node.args.some((e) => this.scope.isSpecial(e)))) {
      const theirs = itemAt(node.args, 1)
      return this.lowered(sameByHash(firstOf(node.args), theirs, this.scope.typeOf(theirs)))
    }
    const alike = this.#alike(node.args)
    return { ...node, args: node.args.map((arg) => this.#exact(alike(arg), arg)) }
  }

  /**
   * Values of one type in a comparison or a choice. A date beside timestamps is cast to one. Decimals of different scale are cast to the finer
   * scale: an engine whose widest decimal is full would cut off digits after the point.
   */
  #alike(expressions: readonly SqlExpr[]): (one: SqlExpr) => SqlExpr {
    const types = expressions.map(this.scope.typeOf)
    if (areMixedTimes(types)) return (e) => asMidnight(this.lowered(e), this.scope.typeOf(e))
    const scale = Math.max(0, ...types.map((t) => (t.kind === 'decimal' ? t.scale : 0)))
    const exact = scale > 0 && types.every((t) => t.kind === 'decimal' || t.kind === 'int')
    if (!exact) return (e) => this.lowered(e)
    const roomy = this.scope.dialect.semantics.wideDecimals ? undefined : roomForScale(expressions, this.scope.typeOf)
    return (e) => {
      const type = this.scope.typeOf(e)
      const lowered = this.lowered(e)
      const narrow = type.kind === 'decimal' && type.scale < scale && type.precision - type.scale + scale > MAX_PRECISION
      if (narrow) return { kind: 'cast', operand: lowered, type: decimal(MAX_PRECISION, scale) }
      return roomy ? roomy(e, lowered) : lowered
    }
  }

  /** Values of which an expression returns one. */
  #choice(values: readonly SqlExpr[]): SqlExpr[] {
    const same = this.#alike(values)
    if (this.scope.dialect.semantics.mixedChoices || !values.some((value) => this.scope.typeOf(value).kind === 'float'))
      return values.map(same)
    return values.map((value) => (isLiteral(value) ? same(value) : asDouble(same(value), this.scope.typeOf(value))))
  }

  #cast(operand: SqlExpr, type: DataType): SqlExpr {
    const from = this.scope.typeOf(operand)
    const kept = this.lowered(operand)
    const exact = type.kind === 'decimal' || type.kind === 'int'
    const inner = exact && !this.scope.dialect.semantics.specialCasts && this.scope.isSpecial(operand) ? finite(kept) : kept
    const rounds = type.kind === 'int' && (from.kind === 'float' || from.kind === 'decimal')
    return { kind: 'cast', operand: rounds ? call('round', inner) : inner, type }
  }
}

/** A text that may be equal to others becomes one that is equal only to itself. */
export function exactText(
  lowered: SqlExpr,
  original: SqlExpr,
  { dialect, typeOf }: Pick<LoweringContext, 'dialect' | 'typeOf'>,
): SqlExpr {
  const plain = dialect.semantics.exactText || typeOf(original).kind !== 'string' || isExact(lowered)
  return plain ? lowered : call('exact_text', lowered)
}

const isExact = (expr: SqlExpr): boolean => expr.kind === 'call' && expr.name === 'exact_text'
