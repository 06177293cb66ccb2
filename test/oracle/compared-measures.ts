/** `compare` of a query: a metric over the time for each measure, as a model would declare it. */
import type { MetricJson, ModelJson, QueryJson } from './model.js'
import { refuse } from './refusal.js'

const NAMES = { previousValue: 'before', difference: 'difference', ratio: 'ratio', percentChange: 'change' } as const

interface Asked {
  readonly model: ModelJson
  readonly query: QueryJson
}

export function withComparedMeasures(model: ModelJson, query: QueryJson): Asked {
  const { compare, ...rest } = query
  if (!compare) return { model, query }
  if (rest.select.fields) refuse('INVALID_QUERY', 'rows have no comparison')
  const { time, unit, count = 1, show = ['previousValue', 'percentChange'], until_now } = compare
  const isAlone = (name: string): boolean => ['window', 'period_over_period'].includes(model.metrics?.[name]?.type ?? '')
  const compared = (rest.select.measures ?? []).filter((name) => !isAlone(name))
  if (compared.length === 0) refuse('INVALID_QUERY', 'nothing is compared')
  const metrics = compared.flatMap((measure) =>
    show.map((comparison): [string, MetricJson] => [
      `${measure} ${NAMES[comparison]}`,
      {
        type: 'period_over_period',
        measure,
        periodOverPeriod: {
          timeDimension: time,
          offset: -count,
          offsetGrain: unit,
          comparison,
          ...(until_now !== undefined && { untilNow: until_now }),
        },
      },
    ]),
  )
  const measures = [...(rest.select.measures ?? []), ...metrics.map(([name]) => name)]
  return {
    model: { ...model, metrics: { ...model.metrics, ...Object.fromEntries(metrics) } },
    query: { ...rest, select: { ...rest.select, measures } },
  }
}
