import { fail } from '../errors.js'
import type { QueryObject, QueryOrder } from '../query/query-object.js'
import { isSame } from '../same.js'
import { find, unknownName } from './lookup.js'
import type { Output, ResolvedDimension, ResolvedOrder } from './resolved-query.js'
import type { RowSet } from './row-set.js'

/** The possible sort keys of a query. */
interface Ordered {
  readonly outputs: readonly Output[]
  readonly dimensions: readonly ResolvedDimension[]
  readonly rowSet: RowSet | undefined
}

/** Sort keys: those of the query, then, if there is a limit or offset, every dimension, so that the page is repeatable. */
export function resolveOrder(
  query: QueryObject,
  { outputs, dimensions, rowSet }: Ordered,
  page: { readonly limit: number | undefined; readonly offset: number | undefined },
): ResolvedOrder[] {
  const order = firstOfEach(query.order_by.map((o, i) => orderKey(o, outputs, rowSet, `order_by[${i}]`)))
  if (page.limit === undefined && page.offset === undefined) return order
  const named = new Set(order.map((o) => o.output))
  const ties = outputs.slice(0, dimensions.length).filter((o) => !named.has(o.name))
  return [...order, ...ties.map((o) => outputKey(o, false, false))]
}

/** Keeps the first of equal sort keys: a second one changes nothing. */
function firstOfEach(order: readonly ResolvedOrder[]): ResolvedOrder[] {
  return order.filter((key, i) => order.findIndex((other) => isSameKey(other, key)) === i)
}

/** Outputs are compared by name, because on a subtotal level two dimensions that it aggregates have the same expression. */
const isSameKey = (a: ResolvedOrder, b: ResolvedOrder): boolean =>
  a.output === b.output && (a.output !== undefined || isSame(a.expression, b.expression))

function orderKey(order: QueryOrder, outputs: readonly Output[], rowSet: RowSet | undefined, path: string): ResolvedOrder {
  const descending = order.direction === 'desc'
  const nullsFirst = order.nulls === 'first'
  if (typeof order.field === 'number') return outputKey(atPosition(order.field, outputs, path), descending, nullsFirst)
  const output = find(order.field, new Map(outputs.map((o) => [o.name, o]))) ?? byBareName(order.field, outputs)
  if (output) return outputKey(output, descending, nullsFirst)
  const field = rowSet?.field(order.field, false, `${path}.field`)
  if (field) return { expression: field.expression, type: field.type, descending, nullsFirst, output: undefined }
  // Clients that only support texts write positions as texts; a field of that name has precedence.
  if (/^[1-9]\d{0,5}$/.test(order.field)) return outputKey(atPosition(Number(order.field), outputs, path), descending, nullsFirst)
  return unknownName(
    'UNKNOWN_ORDER_BY_FIELD',
    { name: order.field, what: 'neither selected nor a measure of this model', known: outputs.map((o) => o.name) },
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

const outputKey = (output: Output, descending: boolean, nullsFirst: boolean): ResolvedOrder => ({
  expression: output.expression,
  type: output.type,
  descending,
  nullsFirst,
  sequence: output.sequence,
  output: output.name,
})
