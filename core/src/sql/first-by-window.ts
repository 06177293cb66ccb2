import { INT } from '../model/data-type.js'
import { leavesOf, mapLeaves } from '../model/expression/ast.js'
import { binary, integer, isNull } from '../resolve/expressions.js'
import { type RelationColumn, relationColumn } from '../resolve/relation-column.js'
import {
  type AggregateCall,
  type OrderItem,
  type Select,
  type SelectItem,
  type SqlExpr,
  type SqlLeaf,
  select,
} from './statement.js'
import { onlyOne, travelling } from './travelling.js'

/**
 * For engines that cannot pick a value by an order inside an aggregate: the rows of each group are numbered in that order, and the
 * value of the first is the only one that is aggregated.
 */
export function firstByWindow(given: Select): Select {
  const read = [...given.items.map((i) => i.expression), ...given.having, ...given.orderBy.map((o) => o.expression)]
  const calls = new Set(read.flatMap((e) => leavesOf<SqlLeaf>(e)).filter(isFirst))
  return calls.size === 0 ? given : new Ranking(given, calls).select()
}

const isFirst = (leaf: SqlLeaf): leaf is AggregateCall => leaf.kind === 'aggregate' && leaf.name === 'first'

const ALIAS = 'ranked'

class Ranking {
  readonly #columns = new Map<string, SelectItem>()
  readonly #ranks = new Map<SqlLeaf, SelectItem>()
  readonly #moved = new Map<SqlExpr, SqlExpr>()

  constructor(
    private readonly given: Select,
    calls: ReadonlySet<AggregateCall>,
  ) {
    for (const call of calls) this.#ranks.set(call, this.#rank(call, `rank_${this.#ranks.size + 1}`))
  }

  select(): Select {
    const { given } = this
    const items = given.items.map((item) => ({ ...item, expression: this.#move(item.expression) }))
    const outer: Partial<Select> = {
      ...given,
      where: [],
      groupBy: given.groupBy.map((key) => this.#move(key)),
      having: given.having.map((condition) => this.#move(condition)),
      orderBy: given.orderBy.map((order) => this.#moveOrder(order)),
    }
    const inner = select([...this.#columns.values(), ...this.#ranks.values()], given.from, { where: given.where })
    return { ...select(items, given.from), ...outer, items, from: { kind: 'subquery', query: inner, alias: ALIAS } }
  }

  /** Rows without a value come last, so that the first row has one if any has. */
  #rank({ args, orderBy }: AggregateCall, alias: string): SelectItem {
    const branches = [{ when: isNull<SqlLeaf>(args[0]!), then: integer(1) }]
    const missing: SqlExpr = { kind: 'case', branches, otherwise: integer(0) }
    const order: OrderItem[] = [{ expression: missing, type: INT, descending: false, nullsFirst: false }, ...orderBy]
    const { groupBy } = this.given
    const call: SqlLeaf = { kind: 'window', function: 'row_number', args: [], partitionBy: groupBy, orderBy: order, type: INT }
    return { alias, type: INT, expression: call }
  }

  /** The same expression over the numbered rows; by identity, because keys and the items that show them are one object. */
  #move(expression: SqlExpr): SqlExpr {
    const known = this.#moved.get(expression)
    if (known) return known
    const made = mapLeaves<SqlLeaf, SqlLeaf>(expression, (leaf) => this.#moveLeaf(leaf))
    this.#moved.set(expression, made)
    return made
  }

  #moveOrder = (order: OrderItem): OrderItem => ({ ...order, expression: this.#move(order.expression) })

  #moveLeaf(leaf: SqlLeaf): SqlExpr {
    if (leaf.kind === 'column') return this.#exposed(leaf)
    if (leaf.kind === 'output') return leaf
    const args = leaf.args.map((arg) => this.#move(arg))
    const orderBy = leaf.orderBy.map((order) => this.#moveOrder(order))
    if (leaf.kind === 'window') return { ...leaf, args, orderBy, partitionBy: leaf.partitionBy.map((e) => this.#move(e)) }
    const rank = this.#ranks.get(leaf)
    if (!rank) return { ...leaf, args, orderBy }
    const when = binary<SqlLeaf>('=', relationColumn(ALIAS, rank.alias, INT), integer(1))
    const value: SqlExpr = { kind: 'case', branches: [{ when, then: travelling(args[0]!, leaf.type) }], otherwise: undefined }
    return onlyOne(value, leaf.type)
  }

  #exposed(column: RelationColumn): RelationColumn {
    const key = JSON.stringify([column.table, column.name])
    const item = this.#columns.get(key) ?? { alias: `c${this.#columns.size + 1}`, type: column.type, expression: column }
    this.#columns.set(key, item)
    return relationColumn(ALIAS, item.alias, item.type)
  }
}
