/** Expressions over times wherever a model or a query may write one: columns, dimensions, measures, metrics, conditions. */
import type {
  ColumnJson,
  DimensionJson,
  FilterJson,
  HavingJson,
  MeasureJson,
  MetricJson,
  ModelJson,
  ObjectJson,
  QueryJson,
} from '../model.js'
import { kindOf } from '../world.js'
import { ZONES } from './later-zones.js'
import { parentsOf } from './measures.js'
import type { OddTimes } from './pools.js'
import type { Random } from './random.js'

/** The names of the additions. */
const CLOCK = /clock/

interface Written {
  readonly expression: string
  readonly abstractType: string
}

/** The model with expressions over the times of some of its objects. */
export function withClocks(random: Random, model: ModelJson, odd: OddTimes): ModelJson {
  const columns = new Map<string, Record<string, ColumnJson>>()
  const dimensions: Record<string, DimensionJson> = {}
  const measures: Record<string, MeasureJson> = {}
  const metrics: Record<string, MetricJson> = {}
  for (const [name, object] of Object.entries(model.dataObjects)) {
    const time = timeOf(object)
    if (time === undefined || random.chance(0.3)) continue
    const texts = expressionsOver(random, model, name, time, odd)
    const chosen = random.some(Object.entries(texts), random.between(2, 5))
    columns.set(name, Object.fromEntries(chosen))
    for (const [column, { abstractType }] of chosen)
      dimensions[`${name} ${column}`] = { dataObject: name, column, resultType: abstractType, ...grainOf(random, abstractType) }
    for (const [column, { expression, abstractType }] of random.some(Object.entries(texts), 2))
      dimensions[`${name} own ${column}`] = {
        dataObject: name,
        expression,
        resultType: abstractType,
        ...grainOf(random, abstractType),
      }
    Object.assign(
      measures,
      measuresOver(
        random,
        name,
        time,
        texts,
        chosen.map(([column]) => column),
      ),
    )
    Object.assign(metrics, metricsOver(random, name, odd))
  }
  const dataObjects = Object.fromEntries(
    Object.entries(model.dataObjects).map(([name, object]) => [
      name,
      columns.has(name) ? { ...object, columns: { ...object.columns, ...columns.get(name) } } : object,
    ]),
  )
  const filters = random.chance(0.15) ? [...columns].slice(0, 1).flatMap(([name, own]) => staticFilter(name, own)) : []
  return {
    ...model,
    dataObjects,
    dimensions: { ...model.dimensions, ...dimensions },
    measures: { ...model.measures, ...measures },
    metrics: { ...model.metrics, ...metrics },
    ...((model.filters ?? filters.length > 0) && { filters: [...(model.filters ?? []), ...filters] }),
  }
}

/** Engines write years of more or fewer than four digits differently. */
const textOf = (time: string): string =>
  `CASE WHEN extract('year', ${time}) > 999 AND extract('year', ${time}) < 9000 THEN to_char_iso(${time}) END`

/** Not every engine has a year 10000. */
const laterOf = (unit: string, count: number, time: string): string =>
  `CASE WHEN extract('year', ${time}) < 9999 THEN date_add('${unit}', ${count}, ${time}) END`

const timeOf = ({ columns }: ObjectJson): string | undefined =>
  Object.entries(columns).find(([, c]) => c.expression === undefined && c.abstractType.startsWith('timestamp'))?.[0]

function expressionsOver(
  random: Random,
  { dataObjects }: ModelJson,
  name: string,
  time: string,
  { hours, days }: OddTimes,
): Readonly<Record<string, Written>> {
  const t = `{[${name}].[${time}]}`
  const { abstractType } = dataObjects[name]!.columns[time]!
  const day = Object.entries(dataObjects[name]!.columns).find(([, c]) => kindOf(c) === 'date' && c.expression === undefined)
  const parent = parentsOf(dataObjects[name]!).find((p) => p !== name && timeOf(dataObjects[p]!) !== undefined)
  const other = parent === undefined ? undefined : `{[${parent}].[${timeOf(dataObjects[parent]!)}]}`
  const isAlike =
    parent !== undefined && dataObjects[parent]!.columns[timeOf(dataObjects[parent]!)!]!.abstractType === abstractType
  return {
    'clock hour': { expression: `extract('hour', ${t})`, abstractType: 'int' },
    'clock part': { expression: `extract('${random.pick(['month', 'day', 'minute'])}', ${t}) * 2`, abstractType: 'int' },
    'clock day': { expression: `CAST(${t} AS date)`, abstractType: 'date' },
    'clock month': { expression: `date_trunc('${random.pick(['month', 'quarter'])}', ${t})`, abstractType: 'date' },
    'clock last': { expression: `last_day(${t})`, abstractType: 'date' },
    'clock start': { expression: `date_trunc('hour', ${t})`, abstractType: 'timestamp' },
    'clock text': { expression: textOf(t), abstractType: 'string' },
    'clock morning': { expression: `CASE WHEN extract('hour', ${t}) < 4 THEN ${t} END`, abstractType },
    'clock tomorrow': { expression: laterOf('day', 1, t), abstractType: 'timestamp' },
    'clock soon': { expression: laterOf('hour', 3, t), abstractType: 'timestamp' },
    'clock early': { expression: `${t} < TIMESTAMP '${random.pick(hours)}'`, abstractType: 'boolean' },
    'clock before': { expression: `${t} < DATE '${random.pick(days)}'`, abstractType: 'boolean' },
    'clock known': { expression: `CASE WHEN ${t} IS NULL THEN 'no' ELSE 'yes' END`, abstractType: 'string' },
    ...(day && besideDate(random, t, `{[${name}].[${day[0]}]}`)),
    ...(other !== undefined && {
      'clock hours': { expression: `date_diff('hour', ${other}, ${t})`, abstractType: 'int' },
      'clock days': { expression: `date_diff('day', ${other}, ${t})`, abstractType: 'int' },
      'clock later': { expression: `${t} > ${other}`, abstractType: 'boolean' },
      ...(isAlike && { 'clock first': { expression: `coalesce(${t}, ${other})`, abstractType } }),
    }),
  }
}

/** A date beside a timestamp is its midnight. */
const besideDate = (random: Random, time: string, day: string): Readonly<Record<string, Written>> => ({
  'clock beside': { expression: `${time} ${random.pick(['>=', '>', '<=', '<', '=', '<>'])} ${day}`, abstractType: 'boolean' },
  'clock either': {
    expression: `${random.pick(['coalesce', 'greatest', 'least'])}(${day}, ${time}) ${random.pick(['=', '<'])} ${time}`,
    abstractType: 'boolean',
  },
})

const grainOf = (random: Random, abstractType: string): { readonly timeGrain?: string } =>
  /^(date|timestamp)/.test(abstractType) && random.chance(0.4)
    ? { timeGrain: random.pick(abstractType === 'date' ? ['day', 'month'] : ['hour', 'day', 'month']) }
    : {}

function measuresOver(
  random: Random,
  name: string,
  time: string,
  texts: Readonly<Record<string, Written>>,
  columns: readonly string[],
): Record<string, MeasureJson> {
  const column = random.pick(columns)
  const times = ['clock morning', 'clock start', 'clock tomorrow', 'clock day'].map((key) => texts[key]!)
  return {
    [`${name} clock min`]: { aggregation: 'min', columns: [{ dataObject: name, column: time }] },
    [`${name} clock max`]: { aggregation: 'max', columns: [{ dataObject: name, column: time }] },
    [`${name} clock different`]: { aggregation: 'count_distinct', columns: [{ dataObject: name, column }] },
    [`${name} clock hours of`]: { aggregation: random.pick(['sum', 'max']), expression: texts['clock hour']!.expression },
    [`${name} clock latest`]: { aggregation: random.pick(['min', 'max']), expression: random.pick(times).expression },
    [`${name} clock list`]: { aggregation: 'listagg', expression: texts['clock text']!.expression },
    [`${name} clock mornings`]: {
      aggregation: 'sum',
      expression: `CASE WHEN ${texts['clock early']!.expression} THEN 1 ELSE 0 END`,
      ...(columns.includes('clock hour') && { filters: [{ field: `${name}.clock hour`, op: 'gte', value: 1 }] }),
    },
  }
}

function metricsOver(random: Random, name: string, { hours, days }: OddTimes): Record<string, MetricJson> {
  const [min, max] = [`{[${name} clock min]}`, `{[${name} clock max]}`]
  const expression = random.pick([
    `extract('hour', ${max})`,
    `extract('day', ${min}) + 1`,
    `CAST(${min} AS date)`,
    `date_trunc('month', ${max})`,
    `date_trunc('hour', ${max})`,
    `date_diff('hour', ${min}, ${max})`,
    `date_diff('day', ${min}, ${max})`,
    `CASE WHEN ${min} < TIMESTAMP '${random.pick(hours)}' THEN ${max} ELSE ${min} END`,
    `coalesce(${max}, ${min})`,
    `${max} >= DATE '${random.pick(days)}'`,
    textOf(max),
  ])
  return {
    [`${name} clock derived`]: { expression },
    [`${name} clock again`]: { expression: `coalesce({[${name} clock derived]}, {[${name} clock derived]})` },
  }
}

function staticFilter(dataObject: string, own: Readonly<Record<string, ColumnJson>>) {
  const found = Object.keys(own).find((column) => column === 'clock hour')
  return found === undefined ? [] : [{ dataObject, column: found, operator: 'gte', value: 2 }]
}

/** Numbers, which alone have a difference. */
const COUNTED = / clock (different|hours of|mornings)$/

/** The query with such fields, or a query of these alone; mostly in a zone. */
export function askedOfClocks(random: Random, model: ModelJson, query: QueryJson, odd: OddTimes): QueryJson {
  const names = Object.keys(model.dataObjects).filter((name) => model.measures?.[`${name} clock min`])
  if (names.length === 0 || random.chance(0.4)) return query
  const name = random.pick(names)
  const dimensions = Object.keys(model.dimensions ?? {}).filter((d) => d.startsWith(name) && CLOCK.test(d))
  const measures = [...Object.keys(model.measures ?? {}), ...Object.keys(model.metrics ?? {})].filter((m) =>
    m.startsWith(`${name} clock`),
  )
  const zoned: QueryJson =
    query.timezone === undefined && random.chance(0.6)
      ? { ...query, timezone: random.chance(0.6) ? odd.zone : random.pick(ZONES) }
      : query
  const where = random.chance(0.3) ? conditionOn(random, model, name, odd) : []
  const having = random.chance(0.25) ? havingOf(random, name, odd) : []
  if (query.select.fields)
    return {
      ...zoned,
      select: { ...query.select, fields: [...new Set([...query.select.fields, ...fieldsOf(random, model, name)])] },
    }
  if (random.chance(0.5)) {
    const { timezone } = zoned
    const asked = [...random.some(dimensions, random.between(0, 2)), ...random.some([`${name} at:day`, `${name} at:hour`], 1)]
    const known = asked.filter((d) => model.dimensions?.[d.replace(/:\w+$/, '')])
    return {
      select: { dimensions: known, measures: random.some(measures, random.between(1, 3)) },
      ...(where.length > 0 && { where }),
      ...(having.length > 0 && { having }),
      ...(timezone !== undefined && { timezone }),
    }
  }
  const { dimensions: others = [], measures: own = [] } = query.select
  const isPlain = query.grouping === undefined && !query.fill_gaps && query.dimensions_exclude !== true
  const more = others.length < 3 && isPlain ? random.some(dimensions, 1) : []
  const added = own.length > 0 ? random.some(measures, 1) : []
  const select = {
    ...query.select,
    dimensions: [...new Set([...others, ...more])],
    ...(own.length > 0 && { measures: [...new Set([...own, ...added])] }),
  }
  return {
    ...zoned,
    select,
    ...(query.compare && !added.every((one) => COUNTED.test(one)) && { compare: { ...query.compare, show: ['previousValue'] } }),
    ...(where.length > 0 && { where: [...(query.where ?? []), ...where] }),
    ...(having.length > 0 && own.length > 0 && { having: [...(query.having ?? []), ...having] }),
  }
}

const fieldsOf = (random: Random, model: ModelJson, name: string): readonly string[] =>
  random
    .some(
      Object.keys(model.dataObjects[name]!.columns).filter((column) => CLOCK.test(column)),
      2,
    )
    .map((column) => `${name}.${column}`)

function conditionOn(random: Random, model: ModelJson, name: string, { hours, days }: OddTimes): FilterJson[] {
  const own = Object.entries(model.dataObjects[name]!.columns).filter(([column]) => CLOCK.test(column))
  const [column, { abstractType }] = random.pick(own)
  const field = `${name}.${column}`
  const op = random.pick(['eq', 'lt', 'gte', 'neq'])
  if (abstractType === 'int') return [{ field, op, value: random.below(24) }]
  if (abstractType === 'date') return [{ field, op, value: random.pick(days) }]
  if (abstractType.startsWith('timestamp')) return [{ field, op, value: random.pick([...hours, ...days]) }]
  return []
}

function havingOf(random: Random, name: string, { hours, days }: OddTimes): HavingJson[] {
  const [min, max] = [`{[${name} clock min]}`, `{[${name} clock max]}`]
  return [
    {
      expression: random.pick([
        `extract('hour', ${max}) >= ${random.below(20)}`,
        `${min} < TIMESTAMP '${random.pick(hours)}'`,
        `${max} >= DATE '${random.pick(days)}'`,
        `CAST(${min} AS date) = CAST(${max} AS date)`,
        `date_diff('hour', ${min}, ${max}) < 30`,
      ]),
    },
  ]
}
