/**
 * Values of groups that count only if one measure has rows, together with another measure over all rows: customers who bought this year,
 * and what they ever bought.
 */
import type { MeasureJson, MetricJson, ModelJson, QueryJson } from '../model.js'
import { filterLeaf } from './filters.js'
import { plainKind } from './later-ever.js'
import { baseOf } from './later-names.js'
import { reachedFrom } from './later-rows.js'
import type { Random } from './random.js'

const COUNTS: ReadonlySet<string> = new Set(['count', 'count_distinct', 'count_if'])
const NUMBERS: ReadonlySet<string> = new Set(['sum', 'avg', 'count', 'count_distinct'])

/** The model with such metrics over its measures, each aggregated over the values of a dimension. */
export function withWholeMetrics(random: Random, model: ModelJson): ModelJson {
  const plain = Object.entries(model.measures ?? {}).filter(
    ([, { grain, filterContext, total, semiAdditive }]) => (grain ?? filterContext ?? total ?? semiAdditive) === undefined,
  )
  const counts = plain.filter(([, { aggregation }]) => COUNTS.has(aggregation))
  const numbers = plain.filter(([, { aggregation }]) => NUMBERS.has(aggregation))
  const [count, measure] = [random.some(counts, 1)[0], random.some(numbers, 1)[0]]
  if (!count || !measure) return model
  const near = [count, measure].map(([, m]) => reachedFrom(model, baseOf(m)))
  const keys = Object.entries(model.dimensions ?? {}).filter(
    ([name, { dataObject }]) =>
      ['int', 'string'].includes(plainKind(model, name) ?? '') && near.every((reached) => reached.includes(dataObject)),
  )
  const [per] = random.some(keys, 1)
  return per ? withMetrics(random, model, { count: count[0], of: measure[0], per: per[0] }) : model
}

interface Parts {
  readonly count: string
  readonly of: string
  readonly per: string
}

function withMetrics(random: Random, model: ModelJson, { count, of, per }: Parts): ModelJson {
  const whole: MeasureJson = { ...model.measures![of]!, filterContext: { mode: 'FIXED' } }
  const condition = random.pick([
    `{[${count}]} > 0 AND {[${of} whole]} > 1`,
    `{[${count}]} > 0`,
    `coalesce({[${of} whole]}, 0) >= {[${count}]} AND {[${count}]} <> 0`,
    `{[${count}]} >= 0`,
  ])
  const value = random.pick(['1', `{[${count}]}`, `{[${of} whole]} - {[${count}]}`])
  const otherwise = random.chance(0.15) ? ' ELSE 0' : ''
  const aggregate: MetricJson = {
    type: 'aggregate',
    aggregation: random.pick(['count', 'sum', 'avg', 'max']),
    measure: 'whole if',
    per: [per],
  }
  return {
    ...model,
    measures: { ...model.measures, [`${of} whole`]: whole },
    metrics: {
      ...model.metrics,
      'whole if': { expression: `CASE WHEN ${condition} THEN ${value}${otherwise} END` },
      'whole of all': aggregate,
    },
  }
}

/** The query, sometimes with only such a metric, with a condition, and rarely with a dimension. */
export function withWhole(random: Random, model: ModelJson, query: QueryJson): QueryJson {
  const { dimensions = [], measures = [], fields = [] } = query.select
  const per = model.metrics?.['whole of all']?.per?.[0]
  const isPlain = (query.grouping ?? query.fill_gaps ?? query.top ?? query.dimensions_exclude) === undefined
  if (per === undefined || measures.length === 0 || fields.length > 0 || !isPlain || !random.chance(0.25)) return query
  const { having: _groups, order_by: _order, where = [], ...rest } = query
  const { dataObject } = model.dimensions![per]!
  const near = Object.keys(model.dimensions ?? {}).filter(
    (name) => model.dimensions![name]!.dataObject === dataObject && plainKind(model, name) !== undefined,
  )
  const field = random.pick(near)
  return {
    ...rest,
    where: [...(random.chance(0.3) ? where : []), filterLeaf(random, field, plainKind(model, field)!)],
    select: { dimensions: random.chance(0.2) ? dimensions.slice(0, 1) : [], measures: ['whole of all'] },
  }
}
