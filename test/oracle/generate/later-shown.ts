/** Totals of what is shown: subtotals over the rows behind the detail rows that a page, `having` or `top` leave. */
import type { ModelJson, QueryJson } from '../model.js'
import { FRESH } from './later.js'
import type { Random } from './random.js'

/** The query with such totals, if it can have any; nearly always if `mostly`. */
export function askedOfShown(random: Random, model: ModelJson, query: QueryJson, mostly: boolean): QueryJson {
  const { dimensions = [], measures = [] } = query.select
  const fits = dimensions.length > 0 && dimensions.length < 4 && measures.length > 0 && !query.dimensions_exclude
  if (!fits || !random.chance(mostly ? 0.9 : 0.12)) return query
  const written = typeof query.grouping === 'object' ? query.grouping.sets : query.grouping
  const detail = dimensions.map((d) => (typeof d === 'string' ? d : d.as))
  const sets = written ?? random.pick(['rollup', 'rollup', 'cube', [detail, []], [detail, detail.slice(0, 1), []]] as const)
  const field = random.pick([...measures, ...detail])
  const isPaged = query.limit !== undefined || query.offset !== undefined
  const more = isPaged || random.chance(0.25) ? {} : { limit: random.between(1, 6), ...(random.chance(0.2) && { offset: 1 }) }
  const ordered =
    query.order_by || !random.chance(0.7) ? {} : { order_by: [{ field, direction: random.pick(['asc', 'desc'] as const) }] }
  const fresh = Object.keys({ ...model.measures, ...model.metrics }).filter((n) => FRESH.test(n) && !measures.includes(n))
  // A view has other names.
  const added = mostly && query.view === undefined && fresh.length > 0 && random.chance(0.3) ? [random.pick(fresh)] : []
  return {
    ...query,
    ...more,
    ...ordered,
    select: { ...query.select, measures: [...measures, ...added] },
    grouping: { sets, of: 'shown' },
  }
}
