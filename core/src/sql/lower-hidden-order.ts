import { relationColumn } from '../resolve/relation-column.js'
import { type OrderItem, type Select, type SelectItem, select } from './statement.js'

const GROUPED = 'grouped'

/**
 * The SELECT for an engine that orders a SELECT with HAVING or GROUPING SETS only by selected columns: the groups become a derived table that also has the sort keys.
 */
export function projectHiddenSortKeys(given: Select): Select {
  const { items, having, sets, orderBy, limit, offset, distinct } = given
  const hidden = orderBy.filter((order) => !isOutput(order))
  if ((having.length === 0 && !sets) || hidden.length === 0 || distinct) return given
  const taken = new Set(items.map(({ alias }) => alias.toLowerCase()))
  const added: SelectItem[] = []
  for (const order of hidden) {
    let number = added.length + 1
    while (taken.has(`order_${number}`)) number++
    taken.add(`order_${number}`)
    added.push({ expression: order.expression, alias: `order_${number}`, type: order.type })
  }
  const groups: Select = { ...given, items: [...items, ...added], orderBy: [], limit: undefined, offset: undefined }
  const shown = ({ alias, type }: SelectItem) => relationColumn(GROUPED, alias, type)
  return select(
    items.map((item) => ({ ...item, expression: shown(item) })),
    { kind: 'subquery', query: groups, alias: GROUPED },
    {
      orderBy: orderBy.map((order) => {
        const own = isOutput(order) ? undefined : added[hidden.indexOf(order)]
        return own ? { ...order, expression: shown(own) } : order
      }),
      limit,
      offset,
    },
  )
}

const isOutput = ({ expression }: OrderItem): boolean => expression.kind === 'output'
