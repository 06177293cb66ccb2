/** Facts whose data have one value for a period, such as budgets by month. */
import type { ColumnJson, MeasureJson, ModelJson, ObjectJson, QueryJson } from '../model.js'
import type { Random } from './random.js'

const GRAINS = ['week', 'month', 'month', 'month', 'quarter', 'year']

/** The model with coarse data along some dates: sums are mostly divided among the days. */
export function withCoarse(random: Random, model: ModelJson): ModelJson {
  const times = Object.entries(model.dataObjects).flatMap(([object, { columns, nestedIn, calendar }]) =>
    nestedIn || calendar
      ? []
      : Object.entries(columns).flatMap(([column, c]) =>
          isDate(c) && !isRead(model, object, column) ? [{ object, column }] : [],
        ),
  )
  const chosen = random.some(times, random.pick([1, 1, 2]))
  const dataObjects = { ...model.dataObjects }
  for (const { object, column } of chosen) {
    const [coarse, busy] = withBusyDays(random, coarseObject(random, dataObjects[object]!, column, model), column, dataObjects)
    dataObjects[object] = coarse
    if (busy) dataObjects[busy] = { ...dataObjects[busy]!, columns: { ...dataObjects[busy]!.columns, Busy: BUSY } }
  }
  const measures = chosen.flatMap((time) => measuresOf(random, dataObjects[time.object]!, time))
  return { ...model, dataObjects, measures: { ...model.measures, ...Object.fromEntries(measures) } }
}

const NAME = /^coarse (sum|late|largest) /

/** Sums of the numbers of an object, also of the rows of some days alone, and what is not divided beside them. */
function measuresOf(
  random: Random,
  { columns }: ObjectJson,
  { object, column }: Time,
): readonly (readonly [string, MeasureJson])[] {
  const numbers = Object.keys(columns).filter((name) => ['int', 'float'].includes(columns[name]!.abstractType))
  return random.some(numbers, 1).flatMap((name) => {
    const read = { columns: [{ dataObject: object, column: name }] }
    const late = {
      field: `${object}.${column}`,
      op: random.pick(['gte', 'lt']),
      value: random.pick(['2023-06-15', '2024-01-01', '2024-02-10']),
    }
    return [
      [`coarse sum ${object}`, { aggregation: 'sum', ...read }],
      [`coarse late ${object}`, { aggregation: 'sum', ...read, filters: [late] }],
      [`coarse largest ${object}`, { aggregation: 'max', ...read }],
    ] as const
  })
}

interface Time {
  readonly object: string
  readonly column: string
}

/** The query with one of these measures, mostly by the time of its rows at some grain. */
export function askedOfCoarse(
  random: Random,
  { dataObjects, measures = {}, dimensions = {} }: ModelJson,
  query: QueryJson,
): QueryJson {
  const own = Object.keys(measures).filter((name) => NAME.test(name))
  const { select } = query
  if (own.length === 0 || (select.fields ?? []).length > 0 || query.dimensions_exclude || random.chance(0.5)) return query
  const names = random.some(own, random.pick([1, 1, 2]))
  const object = names[0]!.replace(NAME, '')
  const asked = select.dimensions ?? []
  const times = Object.entries(dimensions).flatMap(([name, d]) =>
    d.dataObject === object &&
    d.column !== undefined &&
    d.timeGrain === undefined &&
    dataObjects[object]!.columns[d.column]!.abstractType === 'date'
      ? [name]
      : [],
  )
  const time = random.some(times, 1).map((name) => `${name}:${random.pick(['day', 'week', 'month', 'month', 'quarter'])}`)
  const isOwn = asked.some((d) => typeof d === 'string' && time.some((t) => d.startsWith(t.split(':')[0]!)))
  return {
    ...query,
    select: {
      ...select,
      ...(!isOwn && { dimensions: [...asked.slice(0, 1), ...time] }),
      measures: [...new Set([...(select.measures ?? []), ...names])],
    },
  }
}

function coarseObject(random: Random, object: ObjectJson, column: string, { dataObjects }: ModelJson): ObjectJson {
  const isDivided = random.chance(0.65) && !Object.values(object.columns).some((c) => c.spread)
  const says = { granularity: random.pick(GRAINS), ...(isDivided && { spread: 'even' as const }) }
  const at = (object.joins ?? []).findIndex((j) => dataObjects[j.joinTo]!.calendar && j.columnsFrom.join() === column)
  if (at >= 0 && random.chance(0.5))
    return { ...object, joins: object.joins!.map((join, i) => (i === at ? { ...join, ...says } : join)) }
  return { ...object, columns: { ...object.columns, [column]: { ...object.columns[column]!, ...says } } }
}

/** Sometimes only some days of the calendar that the time joins have a part. */
function withBusyDays(
  random: Random,
  object: ObjectJson,
  column: string,
  dataObjects: ModelJson['dataObjects'],
): readonly [ObjectJson, string?] {
  const join = object.joins?.find((j) => dataObjects[j.joinTo]!.calendar && j.columnsFrom.join() === column && !j.secondary)
  const isTable =
    join &&
    'key' in dataObjects[join.joinTo]!.calendar! &&
    dataObjects[join.joinTo]!.columns[join.columnsTo[0]!]?.abstractType === 'date'
  if (!isTable || !random.chance(0.5)) return [object]
  const over = <T extends { readonly spread?: unknown }>(said: T): T =>
    said.spread ? { ...said, spread: { over: 'Busy' } } : said
  const columns = { ...object.columns, [column]: over(object.columns[column]!) }
  return [{ ...object, columns, joins: object.joins!.map((j) => (j === join ? over(j) : j)) }, join.joinTo]
}

const BUSY: ColumnJson = { expression: "extract('day', {Day}) in (2, 3, 11, 12, 25)", abstractType: 'boolean' }

/** Whether a dimension or another column is computed from the column. */
const isRead = ({ dataObjects, dimensions = {} }: ModelJson, object: string, column: string): boolean =>
  [...Object.values(dimensions), ...Object.values(dataObjects[object]!.columns)].some(
    ({ expression = '' }) => expression.includes(`{${column}}`) || expression.includes(`{[${object}].[${column}]}`),
  )

/** A stored date. */
const isDate = ({ abstractType, code, sqlType }: ColumnJson): boolean =>
  abstractType === 'date' && code !== undefined && sqlType === undefined
