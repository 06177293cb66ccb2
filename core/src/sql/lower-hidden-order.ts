import { numberedName } from '../resolve/aliases.js'
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
  const added: SelectItem[] = []
  for (const { expression, type } of hidden) {
    const beside = [...items, ...added].map((item) => ({ name: item.alias }))
    added.push({ expression, alias: numberedName('order', beside), type })
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
