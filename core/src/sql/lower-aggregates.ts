import { both, firstOf } from '../invariant.js'
import { type DataType, FLOAT, INT, STRING } from '../model/data-type.js'
import { isLiteral, leavesOf, replaceNodes } from '../model/expression/ast.js'
import { allOf, binary, call, integer, isNotNull, isNull, literal } from '../resolve/expressions.js'
import { relationColumn } from '../resolve/relation-column.js'
import { ascending } from '../resolve/resolved-query.js'
import { unlike, ValueMap } from '../same.js'
import { encodeForUnion, onlyOne } from './encode-for-union.js'
import { mapOperands, operandsOf } from './expressions-of.js'
import {
  type AggregateCall,
  aggregate,
  type OrderItem,
  type Select,
  type SqlExpr,
  type SqlLeaf,
  select,
  type WindowCall,
} from './statement.js'

/** The parts of a SELECT that an engine cannot express. */
export interface Unsaid {
  /** The aggregate itself. */
  readonly aggregate: (call: AggregateCall) => boolean
  /** DISTINCT inside of it. */
  readonly distinct: (name: string) => boolean
}

/**
 * A grouped SELECT with aggregates that an engine lacks: its rows become a derived table with additional columns, computed by window
 * functions, such as the position of a value in its group or the mean of the group. The group is then aggregated by sums.
 */
export function rewriteAggregates(given: Select, unsaid: Unsaid, typeOf: (e: SqlExpr) => DataType): Select {
  const isLacking = (c: AggregateCall): boolean => unsaid.aggregate(c) || (c.distinct && unsaid.distinct(c.name))
  const found = aggregatesOf(given)
  if (!found.some(isLacking)) return given
  const calls = unlike(found)
  const lacking = calls.filter(isLacking)
  const rows = new StagedRows(given, typeOf)
  const replaced = new ValueMap<SqlExpr, SqlExpr>(given.groupBy.map((key) => [key, rows.key(key)]))
  for (const one of calls) {
    const read = rows.read(one)
    const once = lacking.includes(one) && one.distinct ? rows.once(read) : read
    replaced.set(one, unsaid.aggregate(one) ? FOLDS[one.name]!(once, rows) : once)
  }
  const change = (e: SqlExpr): SqlExpr => replaceIn(e, replaced)
  const sorted = (order: OrderItem): OrderItem => ({ ...order, expression: change(order.expression) })
  return select(
    given.items.map((item) => ({ ...item, expression: change(item.expression) })),
    { kind: 'subquery', query: rows.select(), alias: STAGE },
    {
      distinct: given.distinct,
      groupBy: given.groupBy.map(change),
      having: given.having.map(change),
      orderBy: given.orderBy.map(sorted),
      limit: given.limit,
      offset: given.offset,
    },
  )
}

const STAGE = 'staged'
/** A stage reads the previous ones: values, each value once, windows over them, windows over those. */
const [VALUES, ONCE, WINDOWS, RANKS] = [0, 1, 2, 3] as const
type Level = typeof VALUES | typeof ONCE | typeof WINDOWS | typeof RANKS

class StagedRows {
  readonly #levels: Select['items'][] = [[], [], [], []]
  readonly #columns = new ValueMap<SqlExpr, SqlExpr>()
  #keys: readonly SqlExpr[] = []

  constructor(
    private readonly given: Select,
    private readonly typeOf: (e: SqlExpr) => DataType,
  ) {}

  key(expression: SqlExpr): SqlExpr {
    const column = this.#column(VALUES, expression, 'key')
    this.#keys = [...this.#keys, column]
    return column
  }

  /** The call over columns of the derived table. */
  read(one: AggregateCall): AggregateCall {
    const column = (e: SqlExpr): SqlExpr => (isLiteral(e) ? e : this.#column(VALUES, e, 'value'))
    return {
      ...one,
      args: one.args.map(column),
      orderBy: one.orderBy.map((o) => ({ ...o, expression: column(o.expression) })),
    }
  }

  /** The call over each tuple of its arguments once. */
  once(one: AggregateCall): AggregateCall {
    const number = this.number(
      ONCE,
      one.args.map((arg) => this.ascending(arg)),
      one.args,
    )
    return { ...one, args: one.args.map((arg) => where(isOne(number), arg)), distinct: false }
  }

  /** A window over the rows of each group, as a column for later stages. */
  window(level: Level, call: Pick<WindowCall, 'function' | 'args' | 'type'> & Partial<WindowCall>): SqlExpr {
    const { partitionBy = [], orderBy = [] } = call
    return this.#added(level, { ...call, kind: 'window', partitionBy: [...this.#keys, ...partitionBy], orderBy }, 'window')
  }

  /** The number of each row in its group. */
  number(level: Level, orderBy: readonly OrderItem[], partitionBy: readonly SqlExpr[] = []): SqlExpr {
    return this.window(level, { function: 'row_number', args: [], type: INT, partitionBy, orderBy })
  }

  ascending(expression: SqlExpr): OrderItem {
    return ascending(expression, this.typeOf(expression))
  }

  /** The argument as a column of doubles, NULL where any of `needed` is NULL. */
  double(value: SqlExpr, needed: readonly SqlExpr[]): SqlExpr {
    const double: SqlExpr = { kind: 'cast', operand: value, type: FLOAT }
    const when = allOf(needed.map((e) => isNotNull(e)))
    return when ? where(when, double) : double
  }

  /** Derived tables inside of each other, as many as there are stages with columns. */
  select(): Select {
    const { from, where } = this.given
    const [values, ...later] = this.#levels
    let made = select(values!, from, { where })
    // A group may be queried only for its number of rows.
    if (made.items.length === 0) made = { ...made, items: [{ expression: integer(1), alias: 'row', type: INT }] }
    for (const added of later) {
      if (added.length === 0) continue
      const known = made.items.map((item) => ({ ...item, expression: relationColumn(STAGE, item.alias, item.type) }))
      made = select([...known, ...added], { kind: 'subquery', query: made, alias: STAGE })
    }
    return made
  }

  #column(level: Level, expression: SqlExpr, prefix: string): SqlExpr {
    const known = this.#columns.get(expression)
    if (known) return known
    const column = this.#added(level, expression, prefix)
    this.#columns.set(expression, column)
    return column
  }

  #added(level: Level, expression: SqlExpr, prefix: string): SqlExpr {
    const type = this.typeOf(expression)
    const alias = `${prefix}_${this.#levels.flat().filter((item) => item.alias.startsWith(prefix)).length + 1}`
    this.#levels[level] = [...this.#levels[level]!, { expression, alias, type }]
    return relationColumn(STAGE, alias, type)
  }
}

type Fold = (one: AggregateCall, rows: StagedRows) => SqlExpr

const sum = (e: SqlExpr): SqlExpr => aggregate('sum', [e], FLOAT)
const countOf = (e: SqlExpr): SqlExpr => aggregate('count', [e], INT)
const times = (a: SqlExpr, b: SqlExpr): SqlExpr => binary('*', a, b)
const minus = (a: SqlExpr, b: SqlExpr): SqlExpr => binary('-', a, b)
const over = (a: SqlExpr, b: SqlExpr): SqlExpr => binary('/', a, b)
const isOne = (e: SqlExpr): SqlExpr => binary('=', e, integer(1))
const root = (e: SqlExpr): SqlExpr => call('sqrt', e)
const where = (condition: SqlExpr, value: SqlExpr): SqlExpr => ({
  kind: 'case',
  branches: [{ when: condition, then: value }],
  otherwise: undefined,
})

/** Linear interpolation: of n values in order, those less than one position away from fraction · (n − 1) contribute. */
const percentile =
  (fractionOf: (one: AggregateCall) => number): Fold =>
  (one, rows) => {
    const value = rows.double(firstOf(one.args), [])
    const number = rows.number(WINDOWS, [rows.ascending(value)])
    const count = rows.window(WINDOWS, { function: 'count', args: [value], type: INT })
    const place = times(literal(fractionOf(one), FLOAT), minus(count, integer(1)))
    const away: SqlExpr = call('abs', minus(minus(number, integer(1)), place))
    return sum(where(binary('<', away, integer(1)), times(value, minus(integer(1), away))))
  }

/** The most frequent value; of several, the smallest. */
const mode: Fold = (one, rows) => {
  const value = firstOf(one.args)
  const frequency = rows.window(WINDOWS, { function: 'count', args: [value], type: INT, partitionBy: [value] })
  const rank = rows.number(RANKS, [{ ...rows.ascending(frequency), descending: true }, rows.ascending(value)])
  return ranked(rank, value, one.type)
}

/** The value of the first row in an order; rows without a value come last, so that the first row has one if any has. */
const first: Fold = (one, rows) => {
  const value = firstOf(one.args)
  const missing: SqlExpr = { kind: 'case', branches: [{ when: isNull(value), then: integer(1) }], otherwise: integer(0) }
  return ranked(rows.number(WINDOWS, [rows.ascending(missing), ...one.orderBy]), value, one.type)
}

/** A value as its text in a list. */
export const asText = (value: SqlExpr, type: DataType): SqlExpr =>
  type.kind === 'string' ? value : { kind: 'cast', operand: value, type: STRING }

/** A list is ordered by the requested keys, then by the listed text, so that it is the same list on every run. */
export function listOrder({ distinct, orderBy }: AggregateCall, listed: SqlExpr): OrderItem[] {
  const tie: OrderItem = ascending(listed, STRING)
  return distinct ? [{ ...tie, descending: orderBy[0]?.descending ?? false }] : [...orderBy, tie]
}

/** The values with their positions in the list, by which the dialect orders them. */
const list: Fold = (one, rows) => {
  const value = firstOf(one.args)
  const place = rows.number(WINDOWS, listOrder(one, asText(value, rows.ascending(value).type)))
  return { ...one, args: [value, place], orderBy: [] }
}

/** The last row is the first in the opposite order. */
export const opposite = (order: OrderItem): OrderItem => ({ ...order, descending: !order.descending })

/** The value of the only row of each group that has the first rank. */
const ranked = (rank: SqlExpr, value: SqlExpr, type: DataType): SqlExpr =>
  onlyOne(where(isOne(rank), encodeForUnion(value, type)), type)

interface Deviations {
  /** The sum of products of the deviations of two arguments, by number. */
  readonly products: (a: number, b: number) => SqlExpr
  readonly count: SqlExpr
  readonly mean: (a: number) => SqlExpr
}

/** Deviations from the mean of the group, over the rows in which no argument is NULL. */
const fromDeviations =
  (formula: (m: Deviations) => SqlExpr): Fold =>
  (one, rows) => {
    const values = one.args.map((arg) => rows.double(arg, one.args.length > 1 ? one.args : []))
    const deviations = values.map((value) => minus(value, rows.window(WINDOWS, { function: 'avg', args: [value], type: FLOAT })))
    return formula({
      products: (a, b) => {
        const product = sum(times(deviations[a]!, deviations[b]!))
        if (a !== b) return product
        // The mean of equal values may be wrong in its last digit, so equality is checked separately. NaN and the infinities do not differ
        // by 0.
        const [least, greatest] = both(['min', 'max'], (name): SqlExpr => aggregate(name, [values[a]!], FLOAT))
        const same: SqlExpr = binary('=', minus(greatest, least), literal(0, FLOAT))
        return { kind: 'case', branches: [{ when: same, then: literal(0, FLOAT) }], otherwise: product }
      },
      count: countOf(firstOf(values)),
      mean: (a) => aggregate('avg', [values[a]!], FLOAT),
    })
  }

const slope = (m: Deviations): SqlExpr => over(m.products(0, 1), m.products(1, 1))
const variance = (m: Deviations, less: number): SqlExpr =>
  over(m.products(0, 0), less === 0 ? m.count : minus(m.count, integer(less)))
const covariance = (m: Deviations, less: number): SqlExpr =>
  over(m.products(0, 1), less === 0 ? m.count : minus(m.count, integer(less)))

/** Of two arguments the dependent one is the first. */
const FOLDS: Readonly<Record<string, Fold>> = {
  median: percentile(() => 0.5),
  percentile: percentile((one) => one.percentile ?? 0.5),
  mode,
  first,
  last: (one, rows) => first({ ...one, orderBy: one.orderBy.map(opposite) }, rows),
  var_pop: fromDeviations((m) => variance(m, 0)),
  var_samp: fromDeviations((m) => variance(m, 1)),
  stddev_pop: fromDeviations((m) => root(variance(m, 0))),
  stddev_samp: fromDeviations((m) => root(variance(m, 1))),
  covar_pop: fromDeviations((m) => covariance(m, 0)),
  covar_samp: fromDeviations((m) => covariance(m, 1)),
  corr: fromDeviations((m) => over(m.products(0, 1), root(times(m.products(0, 0), m.products(1, 1))))),
  regr_slope: fromDeviations(slope),
  regr_intercept: fromDeviations((m) => minus(m.mean(0), times(slope(m), m.mean(1)))),
  listagg: list,
}

function aggregatesOf({ items, having, orderBy }: Select): AggregateCall[] {
  const found: AggregateCall[] = []
  const visit = (e: SqlExpr): void => {
    for (const leaf of leavesOf<SqlLeaf>(e)) {
      if (leaf.kind === 'aggregate') found.push(leaf)
      if (leaf.kind === 'window') for (const part of operandsOf(leaf)) visit(part)
    }
  }
  for (const e of [...items.map((i) => i.expression), ...having, ...orderBy.map((o) => o.expression)]) visit(e)
  return found
}

function replaceIn(expression: SqlExpr, replaced: ValueMap<SqlExpr, SqlExpr>): SqlExpr {
  const go = (e: SqlExpr): SqlExpr =>
    replaceNodes<SqlLeaf>(e, (node) => {
      const found = replaced.get(node)
      if (found) return found
      return node.kind === 'window' ? mapOperands(node, go) : undefined
    })
  return go(expression)
}
