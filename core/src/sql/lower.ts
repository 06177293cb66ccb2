import { zip } from '../invariant.js'
import type { DataType } from '../model/data-type.js'
import { typeOf } from '../model/expression/type-of.js'
import type { FunctionSpec } from '../model/functions/function-spec.js'
import { call } from '../resolve/expressions.js'
import { ValueMap } from '../same.js'
import { rewriteAggregates } from './lower-aggregates.js'
import { nullableBesideComputed } from './lower-computed-keys.js'
import { ExpressionLowering, exactText, type LoweringScope } from './lower-expression.js'
import { projectHiddenSortKeys } from './lower-hidden-order.js'
import { allowNullKeys } from './lower-null-keys.js'
import { emulateNullsOrder } from './lower-null-order.js'
import { infiniteEnds } from './lower-open-ends.js'
import { withEquality } from './lower-range-joins.js'
import { orderByOutput } from './lower-shown-order.js'
import type { LoweringDialect } from './lowering-context.js'
import { SharedTables } from './shared-tables.js'
import { SpecialDoubles } from './special-doubles.js'
import type { AggregateCall, From, OrderItem, Query, Select, SqlExpr, SqlLeaf, Statement } from './statement.js'

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

class Lowering {
  readonly #types = new Map<SqlExpr, DataType>()
  readonly #typeOf = (expr: SqlExpr): DataType => typeOf<SqlLeaf>(expr, (leaf) => leaf.type, this.functions, this.#types)
  readonly doubles = new SpecialDoubles(this.#typeOf)

  constructor(
    private readonly functions: ReadonlyMap<string, FunctionSpec>,
    private readonly dialect: LoweringDialect,
    private readonly tables: SharedTables,
  ) {}

  query(query: Query): Query {
    if (query.kind === 'select') return this.#select(query)
    return { ...query, parts: query.parts.map((part) => this.#united(part, this.#select(part))) }
  }

  /** United texts are of one collation, which columns of tables need not have. Those of grouped rows are equal only to themselves already. */
  #united({ items, from, groupBy, distinct }: Select, lowered: Select): Select {
    if (this.dialect.semantics.exactText || distinct || groupBy.length > 0) return lowered
    const context = { dialect: this.dialect, typeOf: this.#typeOf }
    const exact = zip(lowered.items, items).map(([item, { expression }]) =>
      this.tables.isStored(expression, from) ? { ...item, expression: exactText(item.expression, expression, context) } : item,
    )
    return { ...lowered, items: exact }
  }

  #select(given: Select): Select {
    const { semantics } = this.dialect
    const select = this.#withKnownAggregates(given)
    const keys = select.distinct ? select.items.map((item) => item.expression) : select.groupBy
    const scope = this.#scopeOf(select, keys)
    const rows = new ExpressionLowering(scope)
    const shared = semantics.sharedKeys ? [] : keys.filter((key) => this.#isShared(key, select.from, scope))
    const groups = this.#groupsOf(select, shared, scope)
    const lowered = {
      ...select,
      items: select.items.map((item) => ({
        ...item,
        expression: groups.lowered(groups.besideKeys(item.expression, select.distinct ? [] : shared)),
      })),
      from: this.#from(select.from, scope),
      where: select.where.map((e) => rows.lowered(e)),
      groupBy: select.groupBy.map((e) => groups.lowered(e)),
      having: select.having.map((e) => groups.lowered(semantics.keysInHaving ? e : groups.ofGroups(e, select))),
      orderBy: select.orderBy.flatMap((o) => groups.order(o, select.distinct)),
    }
    const keyed = semantics.nullKeys ? lowered : allowNullKeys(lowered)
    const placed = semantics.nullsOrder ? keyed : emulateNullsOrder(keyed)
    const shown = semantics.hiddenOrder ? placed : projectHiddenSortKeys(placed)
    return semantics.shownOrder ? shown : orderByOutput(shown)
  }

  /** Aggregates that the engine lacks, or computes in another way for some values, as others. */
  #withKnownAggregates(select: Select): Select {
    const { semantics, aggregates } = this.dialect
    const isSpecial = this.doubles.within(select)
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
    return rewriteAggregates(select, unsaid, this.#typeOf)
  }

  /** How rows are read: where they are found, and where they are grouped. */
  #scopeOf(select: Select, groupKeys: readonly SqlExpr[]): LoweringScope {
    const keys = new ValueMap<SqlExpr, SqlExpr>()
    const isSpecial = this.doubles.within(select)
    const scope = { dialect: this.dialect, typeOf: this.#typeOf, isSpecial, keys, groupKeys: [], isJoinCondition: false }
    const rows = new ExpressionLowering(scope)
    for (const key of groupKeys) {
      const keyed = rows.keyed(key)
      if (keyed) keys.set(key, keyed)
    }
    return scope
  }

  /** Expressions over the groups of rows. Keys that are shared are read as expressions there. */
  #groupsOf({ groupBy }: Select, shared: readonly SqlExpr[], scope: LoweringScope): ExpressionLowering {
    const keys = new ValueMap<SqlExpr, SqlExpr>()
    const ofGroups = { get: (key: SqlExpr) => keys.get(key) ?? scope.keys.get(key) }
    const groups = new ExpressionLowering({
      ...scope,
      keys: shared.length === 0 ? scope.keys : ofGroups,
      groupKeys: this.dialect.semantics.keysInWindows ? [] : groupBy,
    })
    for (const key of shared) keys.set(key, call('coalesce', groups.lowered(key)))
    return groups
  }

  #from(from: From, scope: LoweringScope): From {
    switch (from.kind) {
      case 'subquery':
        return { ...from, query: this.query(from.query) }
      case 'join':
        return {
          ...from,
          left: this.#from(from.left, scope),
          right: this.#from(from.right, scope),
          on: this.#joinCondition(this.dialect.semantics.rangeJoins ? from.on : withEquality(from), scope),
        }
      default:
        return from
    }
  }

  #joinCondition(on: SqlExpr | undefined, scope: LoweringScope): SqlExpr | undefined {
    if (on === undefined) return undefined
    const { openEnds, computedKeys } = this.dialect.semantics
    const ended = openEnds ? on : infiniteEnds(on, this.#typeOf)
    return new ExpressionLowering({ ...scope, isJoinCondition: true }).lowered(
      computedKeys ? ended : nullableBesideComputed(ended),
    )
  }

  #failsOnSpecial(name: string): boolean {
    const { specialModes, specialPercentiles } = this.dialect.semantics
    return name === 'mode' ? !specialModes : !specialPercentiles && (name === 'median' || name === 'percentile')
  }

  /** A column that is a key is read as an expression where rows are grouped, and not where they are found. */
  #isShared(key: SqlExpr, from: From, { keys }: LoweringScope): boolean {
    return !keys.get(key) && this.tables.isColumn(key, from)
  }
}

const isOneWay = (orderBy: readonly OrderItem[]): boolean =>
  orderBy.every(({ descending }) => descending === orderBy[0]?.descending)
