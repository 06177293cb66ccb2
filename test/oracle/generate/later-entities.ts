/** Measures that are columns of objects, and what is made of such columns: dimensions, measures, computed columns, static filters. */
import type { Atom } from '../atoms.js'
import { atomNamed, atomNames, componentsOf, kindOfName, rowMetricOf } from '../components.js'
import { evaluate, type Outcome } from '../evaluate.js'
import { parseExpression, refsOf } from '../expressions.js'
import { materialized } from '../generated-calendars.js'
import type { ColumnJson, MeasureFilterJson, MeasureJson, ModelJson, QueryJson, StaticFilterJson, Tables } from '../model.js'
import { unnested } from '../nested.js'
import { reaches } from '../paths.js'
import { Refusal } from '../refusal.js'
import { type Kind, type World, worldOf } from '../world.js'
import { filterLeaf } from './filters.js'
import { type Later, operands, withMetrics } from './later.js'
import { isFuzzy } from './metrics.js'
import type { Random } from './random.js'
import { withDimensions } from './with-dimensions.js'

interface Ground {
  readonly model: ModelJson
  readonly data: Tables
}

/** The model with up to three such columns. */
export function withEntities(random: Random, ground: Ground, kinds: readonly Later[]): ModelJson {
  let { model } = ground
  for (let i = random.between(1, 3); i > 0; i--) model = withColumn(random, { ...ground, model }, `made ${i}`)
  const measured = random.chance(0.7) ? { ...model, measures: { ...model.measures, ...measuresOn(random, model) } } : model
  const filtered = random.chance(0.12) ? withStaticFilter(random, { model: measured, data: ground.data }) : measured
  // An aggregate of running values is another matter.
  const more = kinds.filter((kind) => kind !== 'aggregate')
  return random.chance(0.6) ? withMetrics(random, filtered, more, 'entity ') : filtered
}

/** It has an answer, but for a few. */
function withColumn(random: Random, { model, data }: Ground, name: string): ModelJson {
  const objects = Object.entries(model.dataObjects).filter(
    ([, { columns, calendar, nestedIn }]) =>
      calendar === undefined && (nestedIn !== undefined || Object.values(columns).some(({ primaryKey }) => primaryKey)),
  )
  if (objects.length === 0) return model
  for (let tries = 6; tries > 0; tries--) {
    const [object] = random.pick(objects)
    const column = drawn(random, { model, data }, object)
    const made = column && withOne(random, model, object, name, column)
    const query: QueryJson = { select: { fields: [`${object}.${name}`] } }
    if (made && (random.chance(0.05) || !('refused' in evaluate(made, data, query)))) return made
  }
  return model
}

const PLAIN: ReadonlySet<string> = new Set(['derived', 'aggregate', 'conversion', 'funnel'])

/** Whether no part of it depends on other rows of an answer, or on a parameter. */
function isOfRow(model: ModelJson, name: string): boolean {
  const { type = 'derived', measure, expression = '' } = model.metrics?.[name] ?? {}
  const read = measure === undefined ? [...expression.matchAll(/\[([^\]]+)\]/g)].map((m) => m[1]!) : [measure]
  return PLAIN.has(type) && read.every((other) => other === name || isOfRow(model, other))
}

function drawn(random: Random, { model, data }: Ground, object: string): ColumnJson | undefined {
  const names = operands(model, random.chance(0.7)).filter((name) => isOfRow(model, name) && !isFuzzy(model, name))
  if (names.length === 0) return undefined
  const measure = random.pick(names)
  const pins = Object.entries(model.dataObjects).flatMap(([source, { joins = [] }]) =>
    joins.flatMap(({ secondary, joinTo, pathName }) => (secondary ? [{ source, target: joinTo, pathName: pathName! }] : [])),
  )
  const kind = kindOfMeasure({ model, data }, measure, object)
  if (kind === undefined) return undefined
  const grain = kind === 'date' || kind === 'timestamp' ? { grain: random.pick(['day', 'month', 'quarter', 'year']) } : {}
  const isCut = grain.grain !== undefined && random.chance(0.5)
  return {
    measure,
    ...typed(isCut ? 'date' : kind),
    ...(isCut && grain),
    ...(pins.length > 0 && random.chance(0.4) && { usePathNames: [random.pick(pins)] }),
  }
}

/**
 * `undefined` if it is refused whatever is asked. By a key that is reached through a bridge with weights, under a filter that is, and of sums of several
 * facts, the type is another one, which is refused.
 */
function kindOfMeasure({ model, data }: Ground, measure: string, object: string): Kind | undefined {
  const made = materialized(model, data)
  const flat = unnested(made.model, made.tables)
  const isWeighted = Object.values(model.dataObjects).some(({ weight }) => weight !== undefined)
  try {
    const world = worldOf(flat.model, flat.tables, { select: {} })
    const atoms = atomsUnder(world, measure)
    const objects = [object, ...groupedBy(flat.model, measure)]
    const isWeighed = ({ home, measure: { filters = [] } }: Atom): boolean =>
      isWeighted &&
      [...objects, ...filters.flatMap(objectsRead)].some((one) => world.things.has(one) && !reaches(world, home, one))
    if (atoms.some((atom) => atom.facts !== undefined || isWeighed(atom))) return undefined
    return kindOfName(world, measure)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** The objects whose columns a filter of a measure reads. */
function objectsRead(filter: MeasureFilterJson): readonly string[] {
  if ('logic' in filter) return filter.filters.flatMap(objectsRead)
  if ('expression' in filter) return refsOf(parseExpression(filter.expression)).map(({ parts }) => parts[0]!)
  return ['column' in filter ? filter.column.dataObject : filter.field.split('.')[0]!]
}

/** The measures below, also below aggregates of aggregates. */
const atomsUnder = (world: World, measure: string): readonly Atom[] =>
  atomNames(world, measure).flatMap((name) => {
    const metric = rowMetricOf(world, name)
    if (!metric) return [atomNamed(world, name)]
    return metric.type === 'aggregate' ? componentsOf(metric).flatMap((one) => atomsUnder(world, one)) : []
  })

/** The objects of the dimensions by which aggregates of aggregates below a measure are grouped. */
function groupedBy(model: ModelJson, measure: string): readonly string[] {
  const metric = model.metrics?.[measure]
  if (!metric) return []
  const own = (metric.per ?? []).flatMap((name) => model.dimensions?.[name.split(':')[0]!]?.dataObject ?? [])
  return [...own, ...componentsOf(metric).flatMap((one) => groupedBy(model, one))]
}

/** What the oracle and the generators read; the compiler finds the type. */
const typed = (kind: Kind): Pick<ColumnJson, 'abstractType' | 'sqlType'> =>
  kind === 'decimal' ? { abstractType: 'float', sqlType: 'DECIMAL(38,4)' } : { abstractType: kind }

function withOne(random: Random, model: ModelJson, object: string, name: string, column: ColumnJson): ModelJson {
  // A sum of whole numbers is wider than one.
  const isWhole =
    column.abstractType === 'int' && / Count$| count/.test(column.measure ?? '') && !/sum/.test(column.measure ?? '')
  const computed: Record<string, ColumnJson> =
    random.chance(0.25) && isWhole
      ? { [`${name} more`]: { expression: `coalesce({${name}}, 7) * 2 + 1`, abstractType: 'int' } }
      : {}
  return withDimensions(random, model, { object, name, column, computed })
}

export const measuredColumns = ({ dataObjects }: ModelJson) =>
  Object.entries(dataObjects).flatMap(([dataObject, { columns }]) =>
    Object.entries(columns).flatMap(([column, c]) => (c.measure === undefined ? [] : [{ dataObject, column, definition: c }])),
  )

const NUMBERS: readonly string[] = ['int', 'float']

function measuresOn(random: Random, model: ModelJson): Record<string, MeasureJson> {
  return Object.fromEntries(
    random.some(measuredColumns(model), 2).map(({ dataObject, column, definition }, i) => {
      const isNumber = NUMBERS.includes(definition.abstractType)
      const aggregation = random.pick(
        isNumber ? ['sum', 'sum', 'min', 'max', 'count', 'count_distinct'] : ['count', 'count_distinct'],
      )
      const reference = `{[${dataObject}].[${column}]}`
      const isFormula = isNumber && aggregation === 'sum' && random.chance(0.3)
      const measure: MeasureJson = isFormula
        ? { aggregation, expression: `coalesce(${reference}, 0) * 2 + 1` }
        : { aggregation, columns: [{ dataObject, column }] }
      return [`over ${i + 1} ${aggregation}`, measure]
    }),
  )
}

/** A filter on rows that join the object of a column, by its value; on rows that the column counts, the model would not load. */
function withStaticFilter(random: Random, { model, data }: Ground): ModelJson {
  const columns = measuredColumns(model).filter(({ definition }) => definition.abstractType === 'int')
  if (columns.length === 0) return model
  const { dataObject, column } = random.pick(columns)
  const { op, value } = filterLeaf(random, '', 'int', true)
  const test = { operator: op, ...(Array.isArray(value) ? { values: value } : value !== undefined && { value }) }
  const [filtered] = random.some([...filteredByMade(model, { dataObject, column }, test)], 1)
  return filtered && !('refused' in rowsFiltered({ model: filtered, data })) ? filtered : model
}

/** The model with a filter on the column, and those with a filter on a column of an object that joins it. */
export function* filteredByMade(
  model: ModelJson,
  { dataObject, column }: { readonly dataObject: string; readonly column: string },
  test: Omit<StaticFilterJson, 'dataObject' | 'column'>,
): Generator<ModelJson> {
  const withFilter = (of: ModelJson, on: string, name: string): ModelJson => ({
    ...of,
    filters: [...(of.filters ?? []), { dataObject: on, column: name, ...test }],
  })
  yield withFilter(model, dataObject, column)
  for (const [name, object] of Object.entries(model.dataObjects)) {
    if (!object.joins?.some(({ joinTo }) => joinTo === dataObject)) continue
    const { abstractType } = model.dataObjects[dataObject]!.columns[column]!
    const beside = { expression: `{[${dataObject}].[${column}]}`, abstractType }
    const joined = { ...object, columns: { ...object.columns, beside } }
    yield withFilter({ ...model, dataObjects: { ...model.dataObjects, [name]: joined } }, name, 'beside')
  }
}

/** The column of the last filter in the rows that the model's filters leave. */
export function rowsFiltered({ model, data }: Ground): Outcome {
  const { dataObject, column } = model.filters!.at(-1)!
  return evaluate(model, data, { select: { fields: [`${dataObject}.${column}`] } })
}
