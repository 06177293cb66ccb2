/** The comparison that a query asks for all its measures: metrics of a model that only such queries see. */
import { fail } from '../errors.js'
import { isTemporal } from '../model/data-type.js'
import { namesOfPeriods, offsetPeriods } from '../model/offset-periods.js'
import type { Metric, PeriodMetric, SemanticModel } from '../model/semantic-model.js'
import type { Comparison, QueryCompare, QueryObject } from '../query/query-object.js'
import { freeName } from './aliases.js'
import { find, unknownName } from './lookup.js'

interface QueryOnModel {
  readonly query: QueryObject
  readonly model: SemanticModel
}

/** The query with the columns of its comparison after those that it selects, and the model with their metrics. The same ones if it compares nothing. */
export function withComparedMeasures({ query, model }: QueryOnModel): QueryOnModel {
  const { compare, select } = query
  if (!compare) return { query, model }
  if (select.fields.length > 0)
    fail('INVALID_QUERY', 'compare adds columns to measures, and raw rows have none', { path: 'compare' })
  const names = select.measures.map((name) => baseOf(name, model)).filter((name) => name !== undefined)
  if (names.length === 0)
    fail('INVALID_QUERY', 'compare has nothing to compare: select a measure that is no comparison and no window', {
      path: 'compare',
    })
  const made = modelWith(names, compare, model)
  const measures = [...select.measures, ...made.names]
  return { query: { ...query, select: { ...select, measures }, compare: { ...compare, columns: made.names } }, model: made.model }
}

interface Made {
  readonly model: SemanticModel
  readonly names: readonly string[]
}

const latest = new WeakMap<SemanticModel, Map<string, Made>>()
/** What is found about a model is found again for each of these, so only a few are kept. */
const MOST = 8

/** One model for the same comparison, because what is found about a model is kept by it. */
function modelWith(names: readonly string[], compare: QueryCompare, model: SemanticModel): Made {
  const known = latest.get(model) ?? new Map<string, Made>()
  latest.set(model, known)
  const key = JSON.stringify([names, compare])
  const found = known.get(key)
  if (found) return found
  const time = timeOf(compare, model)
  const metrics = new Map(model.metrics)
  const added = names.flatMap((of) =>
    compare.show.map((comparison) => {
      const name = freeName(`${of} ${SUFFIXES[comparison]}`, taken({ ...model, metrics }))
      metrics.set(name, metricOf({ name, of, comparison, time }, compare, model))
      return name
    }),
  )
  const made = { model: { ...model, metrics }, names: added }
  if (known.size >= MOST) known.clear()
  known.set(key, made)
  return made
}

const taken = ({ dimensions, measures, metrics }: SemanticModel): readonly { readonly name: string }[] => [
  ...dimensions.values(),
  ...measures.values(),
  ...metrics.values(),
]

/** What the columns of a comparison are called, after the name of the measure. */
const SUFFIXES: Readonly<Record<Comparison, string>> = {
  previousValue: 'before',
  difference: 'difference',
  ratio: 'ratio',
  percentChange: 'change',
}

const ALONE: ReadonlySet<Metric['type']> = new Set(['period_over_period', 'window'])

/** The name of a measure that is compared. Unknown measures are reported where they are selected, and a comparison is not compared again. */
function baseOf(name: string, { measures, metrics }: SemanticModel): string | undefined {
  const metric = find(name, metrics)
  if (metric && ALONE.has(metric.type)) return undefined
  return (find(name, measures) ?? metric)?.name
}

function timeOf({ time }: QueryCompare, { dimensions }: SemanticModel): string {
  const found =
    find(time, dimensions) ??
    unknownName(
      'UNKNOWN_DIMENSION',
      { name: time, what: 'not a dimension of this model', known: dimensions.keys() },
      'compare.time',
    )
  if (!isTemporal(found.type) || found.type.kind === 'time')
    fail('TIME_GRAIN_ON_NON_TEMPORAL', `'${time}' is ${found.type.kind}; a comparison moves a date or a timestamp`, {
      path: 'compare.time',
    })
  return found.name
}

/** The unit that is no grain: as many days as the query leaves. */
const RANGE = 'range'

interface ComparedMeasure {
  readonly name: string
  readonly of: string
  readonly comparison: Comparison
  readonly time: string
}

function metricOf(
  { name, of, comparison, time }: ComparedMeasure,
  { unit, count, until_now }: QueryCompare,
  model: SemanticModel,
): PeriodMetric {
  const base = model.measures.get(of) ?? model.metrics.get(of)
  const isValue = comparison === 'previousValue' || comparison === 'difference'
  return {
    type: 'period_over_period',
    name,
    expression: { kind: 'field', name: of },
    timeDimension: time,
    grain: undefined,
    offset: -count,
    ...unitOf(unit, time, model),
    offsetToGrain: undefined,
    comparison,
    compare: 'elapsed',
    rows: 'all',
    untilNow: until_now,
    dataType: isValue ? base?.dataType : undefined,
    format: comparison === 'percentChange' ? '0.0%' : isValue ? base?.format : undefined,
    unit: undefined,
    description: undefined,
    owner: undefined,
    synonyms: [],
    status: undefined,
    use: undefined,
    hidden: false,
  }
}

type Unit = Pick<PeriodMetric, 'offsetGrain' | 'offsetPeriods' | 'byRange'>

const NO_UNIT: Unit = { offsetGrain: undefined, offsetPeriods: undefined, byRange: false }

/** What the range moves by: its own length, a grain, or the periods of a table of days. */
function unitOf(name: string, time: string, { grains, dimensions, dataObjects }: SemanticModel): Unit {
  if (name === RANGE) return { ...NO_UNIT, byRange: true }
  const offsetGrain = find(name, grains)
  if (offsetGrain) return { ...NO_UNIT, offsetGrain }
  const objects = [...dataObjects.values()]
  const periods = offsetPeriods(name, dimensions.get(time), objects)
  if (periods) return { ...NO_UNIT, offsetPeriods: periods }
  const known = [...grains.keys(), ...namesOfPeriods(objects)]
  return unknownName('INVALID_QUERY', { name, what: 'not a grain of this model', known }, 'compare.unit')
}
