/** Conditions of measures on whether rows exist, and columns that say so, with what is made of them. */
import { evaluate } from '../evaluate.js'
import type { ColumnJson, MeasureFilterJson, MeasureJson, ModelJson, StaticFilterJson, Tables } from '../model.js'
import { type Later, withMetrics } from './later.js'
import { exists } from './query.js'
import type { Random } from './random.js'

interface Ground {
  readonly model: ModelJson
  readonly data: Tables
}

/** The model with such columns and measures. */
export function withExistence(random: Random, { model, data }: Ground, kinds: readonly Later[]): ModelJson {
  let made = model
  for (let i = random.between(0, 2); i > 0; i--) made = withColumn(random, { model: made, data }, `found ${i}`)
  const measured = { ...made, measures: { ...made.measures, ...measuresWithin(random, { model: made, data }) } }
  const filtered = random.chance(0.12) ? withStaticFilter(random, { model: measured, data }) : measured
  return random.chance(0.6) ? withTestedEvents(random, withMetrics(random, filtered, kinds, 'found ')) : filtered
}

/** Copies of measures, and of row counts, of the rows for which other rows exist. */
function measuresWithin(random: Random, { model, data }: Ground): Record<string, MeasureJson> {
  const plain = Object.entries(model.measures ?? {})
  const counts = Object.entries(model.dataObjects).flatMap(([dataObject, { columns, calendar }]): [string, MeasureJson][] => {
    const [key] = Object.entries(columns).find(([, c]) => c.primaryKey) ?? []
    return key === undefined || calendar
      ? []
      : [[`rows of ${dataObject}`, { aggregation: 'count', columns: [{ dataObject, column: key }] }]]
  })
  return Object.fromEntries(
    random.some([...plain, ...counts], random.between(1, 3)).flatMap(([name, measure], i) => {
      for (let tries = 5; tries > 0; tries--) {
        const within = { ...measure, filters: [...(measure.filters ?? []), filterOf(random, model)] }
        const label = `within ${i + 1} ${name}`
        const asked = { ...model, measures: { ...model.measures, [label]: within } }
        if (random.chance(0.05) || !('refused' in evaluate(asked, data, { select: { measures: [label] } })))
          return [[label, within]]
      }
      return []
    }),
  )
}

/** The events of new conversions and funnels that are rows are, in part, rows for which others exist. */
function withTestedEvents(random: Random, model: ModelJson): ModelJson {
  const measures: Record<string, MeasureJson> = {}
  const tested = (name: string): string => {
    const object = name.replace(/ Count$/, '')
    const [key] = Object.entries(model.dataObjects[object]?.columns ?? {}).find(([, c]) => c.primaryKey) ?? []
    if (key === undefined || !random.chance(0.7)) return name
    const event = `within events of ${object}`
    measures[event] ??= {
      aggregation: 'count',
      columns: [{ dataObject: object, column: key }],
      filters: [filterOf(random, model)],
    }
    return event
  }
  const metrics = Object.entries(model.metrics ?? {}).map(([name, metric]) => {
    if (!name.startsWith('found ')) return [name, metric] as const
    const { base, conversion, steps } = metric
    const events = {
      ...(base !== undefined && { base: tested(base) }),
      ...(conversion !== undefined && { conversion: tested(conversion) }),
      ...(steps && { steps: steps.map((step) => ({ ...step, measure: tested(step.measure) })) }),
    }
    return [name, { ...metric, ...events }] as const
  })
  return { ...model, measures: { ...model.measures, ...measures }, metrics: Object.fromEntries(metrics) }
}

/** Alone, or among conditions on columns. */
function filterOf(random: Random, model: ModelJson): MeasureFilterJson {
  const leaf = (): MeasureFilterJson => {
    const others = Object.values(model.measures ?? {}).flatMap(({ filters = [] }) => filters)
    return random.chance(0.6) || others.length === 0 ? exists(random, model, true) : random.pick(others)
  }
  if (random.chance(0.6)) return exists(random, model, true)
  const filters = [exists(random, model, true), ...Array.from({ length: random.between(0, 2) }, leaf)]
  return { logic: random.pick(['and', 'or']), filters, ...(random.chance(0.4) && { negated: true }) }
}

/** It has an answer: others would not load. */
function withColumn(random: Random, { model, data }: Ground, name: string): ModelJson {
  for (let tries = 6; tries > 0; tries--) {
    const object = random.pick(Object.keys(model.dataObjects))
    const own = model.dataObjects[object]!
    const { subquery } = exists(random, model, true)
    if (own.calendar || subquery.dataObject === object) continue
    const names = Object.values(model.dataObjects).flatMap(({ joins = [] }) => joins.flatMap(({ pathName }) => pathName ?? []))
    const column: ColumnJson = {
      exists: subquery.dataObject,
      abstractType: 'boolean',
      ...(subquery.filter && subquery.filter.length > 0 && { filters: subquery.filter }),
      ...(names.length > 0 && random.chance(0.2) && { pathName: random.pick(names) }),
    }
    const computed: Record<string, ColumnJson> = random.chance(0.3)
      ? { [`${name} as 1`]: { expression: `CASE WHEN {${name}} THEN 1 ELSE 0 END`, abstractType: 'int' } }
      : {}
    const columns = { ...own.columns, [name]: column, ...computed }
    const dimensions = [name, ...Object.keys(computed)].map((one) => [
      `${object} ${one}`,
      { dataObject: object, column: one, resultType: columns[one]!.abstractType },
    ])
    const made: ModelJson = {
      ...model,
      dataObjects: { ...model.dataObjects, [object]: { ...own, columns } },
      dimensions: { ...model.dimensions, ...Object.fromEntries(dimensions) },
      measures: { ...model.measures, ...(random.chance(0.5) && countsOf(random, object, name)) },
    }
    if (!('refused' in evaluate(made, data, { select: { fields: [`${object}.${name}`] } }))) return made
  }
  return model
}

const countsOf = (random: Random, dataObject: string, column: string): Record<string, MeasureJson> => ({
  [`count of ${dataObject} ${column}`]: random.pick<MeasureJson>([
    { aggregation: 'count', columns: [{ dataObject, column }] },
    { aggregation: 'bool_or', columns: [{ dataObject, column }] },
    { aggregation: 'count_if', expression: `{[${dataObject}].[${column}]}` },
    { aggregation: 'sum', expression: `CASE WHEN {[${dataObject}].[${column}]} THEN 3 ELSE 1 END` },
  ]),
})

export const foundColumns = ({ dataObjects }: ModelJson) =>
  Object.entries(dataObjects).flatMap(([dataObject, { columns }]) =>
    Object.entries(columns).flatMap(([column, { exists: target }]) =>
      target === undefined ? [] : [{ dataObject, column, target }],
    ),
  )

/** A filter by such a column; on rows by which the column finds rows, the model would not load. */
function withStaticFilter(random: Random, { model, data }: Ground): ModelJson {
  const [found] = random.some(foundColumns(model), 1)
  // The pairs of a closure are those of the rows that the filter leaves.
  if (!found || Object.values(model.dataObjects).some(({ closure }) => closure)) return model
  const { dataObject, column } = found
  const filter: StaticFilterJson = { dataObject, column, operator: random.pick(['eq', 'neq']), value: random.chance(0.7) }
  const filtered = { ...model, filters: [...(model.filters ?? []), filter] }
  return 'refused' in evaluate(filtered, data, { select: { fields: [`${dataObject}.${column}`] } }) ? model : filtered
}
