import { fail } from '../errors.js'
import type { QueryObject, QueryOrder } from '../query/query-object.js'
import { isSame } from '../same.js'
import { determinedDimension } from './determined.js'
import { othersName } from './dimension-output.js'
import { typedNull } from './expressions.js'
import { find, unknownName } from './lookup.js'
import { type RowExpr, relationColumn } from './relation-column.js'
import type { Output, ResolvedAggregate, ResolvedDimension, ResolvedOrder } from './resolved-query.js'
import type { RowSet } from './row-set.js'
import { type SortContext, sortColumnOf, sortColumnsOf } from './sort-columns.js'

/** The possible sort keys of a query. */
interface Ordered {
  readonly outputs: readonly Output[]
  readonly dimensions: readonly ResolvedDimension[]
  /** Dimensions of the query that a subtotal is not grouped by. */
  readonly absent: readonly ResolvedDimension[]
  readonly rowSet: RowSet | undefined
  /** Absent for raw rows, which have no dimensions. */
  readonly context: SortContext | undefined
}

interface Direction {
  readonly descending: boolean
  readonly nullsFirst: boolean
}

const ASCENDING: Direction = { descending: false, nullsFirst: false }

/** Sort keys, and the values that are looked up for them. */
export interface Order {
  readonly order: readonly ResolvedOrder[]
  readonly sorts: readonly ResolvedAggregate[]
}

/** Sort keys: those of the query, then, if there is a limit or offset, every dimension, so that the page is repeatable. */
export function resolveOrder(
  query: QueryObject,
  ordered: Ordered,
  page: { readonly limit: number | undefined; readonly offset: number | undefined },
): Order {
  const { outputs, dimensions, context } = ordered
  const found = query.order_by.map((o, i) => orderKeys(o, ordered, `order_by[${i}]`))
  const order = firstOfEach(found.flatMap((keys) => keys.order))
  const sorts = [...(context ? sortColumnsOf(dimensions, context) : []), ...found.flatMap((keys) => keys.sorts)]
  if (page.limit === undefined && page.offset === undefined) return { order, sorts }
  const named = new Set(order.map((o) => o.output))
  const ties = outputs.slice(0, dimensions.length).filter((o) => !named.has(o.name))
  return { order: [...order, ...ties.flatMap((o) => outputKeys(o, ASCENDING, ordered))], sorts }
}

/** Keeps the first of equal sort keys: a second one changes nothing. */
function firstOfEach(order: readonly ResolvedOrder[]): ResolvedOrder[] {
  return order.filter((key, i) => order.findIndex((other) => isSameKey(other, key)) === i)
}

/** Outputs are compared by name, because on a subtotal level two dimensions that it aggregates have the same expression. */
const isSameKey = (a: ResolvedOrder, b: ResolvedOrder): boolean =>
  a.output === b.output && a.of === b.of && ((a.output ?? a.of) !== undefined || isSame(a.expression, b.expression))

function orderKeys(order: QueryOrder, ordered: Ordered, path: string): Order {
  const { outputs, rowSet } = ordered
  const direction = { descending: order.direction === 'desc', nullsFirst: order.nulls === 'first' }
  const keys = (output: Output): Order => ({
    order: order.by === 'value' ? [outputKey(output, direction)] : outputKeys(output, direction, ordered),
    sorts: [],
  })
  if (typeof order.field === 'number') return keys(atPosition(order.field, outputs, path))
  const output = find(order.field, new Map(outputs.map((o) => [o.name, o]))) ?? byBareName(order.field, outputs)
  if (output) return keys(output)
  const field = rowSet?.field(order.field, false, `${path}.field`)
  if (field) return { order: [{ expression: field.expression, type: field.type, ...direction, output: undefined }], sorts: [] }
  // Clients that only support texts write positions as texts; a field of that name has precedence.
  if (/^[1-9]\d{0,5}$/.test(order.field)) return keys(atPosition(Number(order.field), outputs, path))
  const { dimensions, absent, context } = ordered
  const determined = context && determinedDimension(order.field, { dimensions, absent, path: `${path}.field` }, context)
  if (determined) {
    const read = order.by === 'value' ? determined.keys.slice(-1) : determined.keys
    return {
      order: read.map((key, i) => ({ ...key, ...direction, output: undefined, of: `${order.field} ${read.length - i}` })),
      sorts: determined.sorts,
    }
  }
  return unknownName(
    'UNKNOWN_ORDER_BY_FIELD',
    { name: order.field, what: 'neither selected nor a field of this model', known: outputs.map((o) => o.name) },
    `${path}.field`,
  )
}

function atPosition(position: number, outputs: readonly Output[], path: string): Output {
  const message = `position ${position} is outside the ${outputs.length} selected columns`
  return outputs[position - 1] ?? fail('INVALID_ORDER_BY_POSITION', message, { path: `${path}.field` })
}

/** `Order Date` names the selected `Order Date:month` if that is unambiguous. */
function byBareName(field: string, outputs: readonly Output[]): Output | undefined {
  const found = outputs.filter((o) => o.role === 'dimension' && o.name.toLowerCase().startsWith(`${field.toLowerCase()}:`))
  return found.length === 1 ? found[0] : undefined
}

/** The column that orders the values of a dimension, if there is one, then its values. */
function outputKeys(output: Output, direction: Direction, ordered: Ordered): readonly ResolvedOrder[] {
  const own = outputKey(output, direction)
  const key = sortKeyOf(output, ordered)
  return key ? [{ ...key, ...direction, output: undefined, of: `order of ${output.name}` }, own] : [own]
}

function sortKeyOf(
  { name, role }: Output,
  { dimensions, absent, context }: Ordered,
): { readonly expression: RowExpr; readonly type: ResolvedOrder['type'] } | undefined {
  const dimension = role === 'dimension' ? dimensions.find((d) => d.label === name) : undefined
  const column = dimension && context && sortColumnOf(dimension, context)
  if (!dimension || !column) return undefined
  const { type } = column
  if (absent.includes(dimension)) return { expression: typedNull(type), type }
  return { expression: relationColumn('', column.name, type), type }
}

const outputKey = (output: Output, { descending, nullsFirst }: Direction): ResolvedOrder => ({
  expression: output.expression,
  type: output.type,
  descending,
  nullsFirst,
  sequence: output.sequence,
  output: output.name,
})

/** A list of the top values without an order is sorted by their rank. The group of the others comes last. */
export function inRankOrder(query: QueryObject, dimensions: readonly ResolvedDimension[]): QueryObject {
  const { top, order_by, grouping, select } = query
  const [dimension, ...more] = dimensions
  if (!top || !dimension || more.length > 0 || order_by.length > 0 || grouping || select.measures.length === 0) return query
  const others = top.others === undefined ? [] : [{ field: othersName(dimension), direction: 'asc' as const }]
  const ties = { field: 1, direction: 'asc' as const }
  return { ...query, order_by: [...others, { field: top.by, direction: top.order }, ties] }
}
