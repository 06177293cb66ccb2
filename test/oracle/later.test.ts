/** The oracle's answers for grains, prior periods, running values and subtotals, compared with its answers for basic queries. */
import t from 'tap'
import { amount } from '../support/amount.js'
import { evaluate } from './evaluate.js'
import { generateCase } from './generate/case.js'
import { LATER, laterKinds, temporalDimensions } from './generate/later.js'
import { isFuzzy } from './generate/metrics.js'
import type { MetricJson, ModelJson, QueryJson, Tables } from './model.js'
import { keyOfAll, type Value } from './values.js'
import { withoutView } from './views.js'

const seed = Number(process.env['ORACLE_SEED'] ?? 20260115)
const CASES = amount(75, 300)

/** The part of a test that a check needs. */
interface TestContext {
  readonly fail: (message: string) => boolean
}

type Rows = readonly (readonly Value[])[]

/** Undefined if the query is refused. */
function rowsOf(model: ModelJson, data: Tables, query: QueryJson): Rows | undefined {
  const outcome = evaluate(model, data, query)
  return 'refused' in outcome ? undefined : outcome.rows
}
const bag = (rows: Rows): string[] => rows.map(keyOfAll).toSorted()

interface Straight {
  readonly model: ModelJson
  readonly data: Tables
  readonly dimensions: readonly string[]
  /** A sum or count without filters. */
  readonly measure: string
  readonly where: NonNullable<QueryJson['where']>
}

/** `check` on generated queries over an additive measure; it returns whether it could compare anything. */
function held(name: string, check: (t: TestContext, one: Straight) => boolean): void {
  t.test(`${name} (ORACLE_SEED=${seed})`, async (t) => {
    let compared = 0
    for (let index = 0; index < CASES && t.passing(); index++) {
      const { model, data, query } = generateCase(seed, index, [])
      const dimensions = (query.select.dimensions ?? []).flatMap((d) => (typeof d === 'string' ? [d] : []))
      const measure = [...(query.select.measures ?? []), ...Object.keys(model.measures ?? {})].find((m) => isAdditive(model, m))
      if (measure !== undefined && check(t, { model, data, dimensions, measure, where: query.where ?? [] })) compared++
    }
    t.ok(compared > CASES / 15, `${compared} questions compared`)
  })
}

const isAdditive = (model: ModelJson, name: string): boolean =>
  ['sum', 'count'].includes(model.measures?.[name]?.aggregation ?? '') &&
  !model.measures![name]!.distinct &&
  !isFuzzy(model, name)

const withMetrics = (model: ModelJson, metrics: Record<string, MetricJson>): ModelJson => ({
  ...model,
  metrics: { ...model.metrics, ...metrics },
})

held(
  'a measure that excludes a dimension has the value of the query without it',
  (t, { model, data, dimensions, measure, where }) => {
    const [first, ...rest] = dimensions
    if (first === undefined) return false
    const name = first.replace(/:\w+$/, '')
    const coarse = {
      ...model.measures![measure]!,
      grain: { mode: 'RELATIVE' as const, exclude: [model.dimensions?.[first] ? first : name] },
    }
    const extended: ModelJson = { ...model, measures: { ...model.measures, coarse } }
    const fine = rowsOf(extended, data, { select: { dimensions, measures: [measure, 'coarse'] }, where })
    const without = rowsOf(model, data, { select: { dimensions: rest, measures: [measure] }, where })
    if (!fine || !without) return false
    const values = new Map(without.map((r) => [keyOfAll(r.slice(0, rest.length)), r.at(-1)!]))
    for (const row of fine) {
      const value = values.get(keyOfAll(row.slice(1, dimensions.length)))
      if (keyOfAll([row.at(-1)!]) !== keyOfAll([value!])) t.fail(`${first} left out: ${keyOfAll(row)}`)
    }
    return fine.length > 0
  },
)

held('each level of a cube is the query with its dimensions', (t, { model, data, dimensions, measure, where }) => {
  if (dimensions.length === 0) return false
  const cube = rowsOf(model, data, { select: { dimensions, measures: [measure] }, where, grouping: 'cube' })
  if (!cube) return false
  const flagsOf = (row: readonly Value[]): string => keyOfAll(row.slice(dimensions.length + 1))
  for (let set = 0; set < 2 ** dimensions.length; set++) {
    const kept = dimensions.map((_, i) => (set & (1 << i)) !== 0)
    const level = rowsOf(model, data, {
      select: { dimensions: dimensions.filter((_, i) => kept[i]), measures: [measure] },
      where,
    })
    const of = cube.filter((r) => flagsOf(r) === keyOfAll(kept.map((k) => !k)))
    const narrowed = of.map((r) => [...r.slice(0, dimensions.length).filter((_, i) => kept[i]), r[dimensions.length]!])
    if (!level || bag(level).join('\n') !== bag(narrowed).join('\n')) t.fail(`level ${kept}`)
  }
  return cube.length > 1
})

/** A time dimension that the rows of the measure have themselves, and only one. */
function ownTime(model: ModelJson, measure: string): string | undefined {
  const home = model.measures![measure]!.columns?.[0]?.dataObject
  return temporalDimensions(model).find(
    (d) => model.dimensions![d]!.dataObject === home && model.dimensions![d]!.via === undefined,
  )
}

held('the running value of an additive measure is the sum of its periods, and of its own rows', (t, { model, data, measure }) => {
  const time = ownTime(model, measure)
  if (time === undefined) return false
  const running = { type: 'cumulative', measure, timeDimension: time } as const
  const extended = withMetrics(model, { rows: running, periods: { ...running, cumulativeType: 'sum' } })
  const rows = rowsOf(extended, data, { select: { dimensions: [`${time}:month`], measures: ['rows', 'periods'] } })
  for (const [, left, right] of rows ?? []) if (keyOfAll([left!]) !== keyOfAll([right!])) t.fail(`${keyOfAll([left!, right!])}`)
  return (rows ?? []).length > 1
})

held('the prior value is the value of the row of that period', (t, { model, data, measure }) => {
  const time = ownTime(model, measure)
  if (time === undefined || model.measures![measure]!.defaultValue !== undefined) return false
  const prior: MetricJson = { type: 'period_over_period', measure, periodOverPeriod: { timeDimension: time } }
  const lag: MetricJson = { type: 'window', windowFunction: 'lag', measure, timeDimension: time }
  const query = { select: { dimensions: [`${time}:year`], measures: ['prior', 'lag'] } }
  const years = rowsOf(withMetrics(model, { prior, lag }), data, query)
  // The years of the pool are consecutive, so that the previous row is the previous year.
  for (const [year, before, row] of years ?? []) {
    if (year !== null && before !== null && keyOfAll([before!]) !== keyOfAll([row!]))
      t.fail(`${keyOfAll([year!, before!, row!])}`)
  }
  return (years ?? []).length > 1
})

t.test('ORACLE_LATER selects kinds by name', async (t) => {
  t.same(laterKinds(''), [])
  t.same(laterKinds('pop, grain'), ['pop', 'grain'])
  t.same(laterKinds('all'), LATER)
  t.throws(() => laterKinds('popular'), /knows grain/)
})

t.test('every kind is generated, alone and with others, and mostly answered', async (t) => {
  const cases = Array.from({ length: amount(450, 900) }, (_, i) => generateCase(seed, i, laterKinds('all')))
  t.strictSame(cases.flatMap(doubleKeys), [], 'declared keys are keys of the rows')
  const text = cases.filter((c) => !('refused' in c.expected)).map((c) => JSON.stringify(withoutView(c.model, c.query).query))
  t.ok(text.length > cases.length * 0.6, `${text.length} answered`)
  for (const kind of [' coarse"', '"window ', '"pop ', '"cumulative ', '"mix ', '"rollup"', '"cube"'])
    t.ok(text.filter((q) => q.includes(kind) || (kind === '"pop ' && q.includes('"period '))).length > amount(2, 4), kind)
})

/** The values of unique keys that several rows have. */
const doubleKeys = ({ model, data }: Pick<ReturnType<typeof generateCase>, 'model' | 'data'>): readonly string[] =>
  Object.entries(model.dataObjects).flatMap(([object, { uniqueKeys = [] }]) =>
    uniqueKeys.flatMap((key) => {
      const rows = (data[object] ?? []).map((row) => key.map((column) => row[column] ?? null)).filter((of) => !of.includes(null))
      return new Set(rows.map((of) => JSON.stringify(of))).size === rows.length ? [] : [`${object}.${key}`]
    }),
  )
