/** Window functions that are columns of objects, and what is made of such columns: dimensions, measures, computed columns, static filters. */
import { evaluate } from '../evaluate.js'
import type {
  ColumnJson,
  FilterJson,
  MeasureFilterJson,
  MeasureJson,
  ModelJson,
  StaticFilterJson,
  Tables,
  WindowedJson,
} from '../model.js'
import { windowedColumns } from '../windowed.js'
import { type Kind, kindOf } from '../world.js'
import { filterLeaf } from './filters.js'
import { type Later, withMetrics } from './later.js'
import type { Random } from './random.js'
import { withDimensions } from './with-dimensions.js'

interface Ground {
  readonly model: ModelJson
  readonly data: Tables
}

/** The model with up to three such columns. */
export function withWindowed(random: Random, ground: Ground, kinds: readonly Later[]): ModelJson {
  let { model } = ground
  for (let i = random.between(1, 3); i > 0; i--) model = withColumn(random, { ...ground, model }, `placed ${i}`)
  const measured = random.chance(0.7) ? { ...model, measures: { ...model.measures, ...measuresOn(random, model) } } : model
  const filtered = random.chance(0.3) ? withStaticFilter(random, { model: measured, data: ground.data }) : measured
  return random.chance(0.6) ? withMetrics(random, filtered, kinds, 'placed ') : filtered
}

/** It has an answer: others would not load. */
function withColumn(random: Random, { model, data }: Ground, name: string): ModelJson {
  const objects = Object.entries(model.dataObjects).filter(
    ([, { columns, calendar, nestedIn }]) =>
      calendar === undefined && (nestedIn !== undefined || Object.values(columns).some(({ primaryKey }) => primaryKey)),
  )
  if (objects.length === 0) return model
  for (let tries = 6; tries > 0; tries--) {
    const [object] = random.pick(objects)
    const made = withOne(random, model, object, name)
    if (made && !('refused' in evaluate(made, data, { select: { fields: [`${object}.${name}`] } }))) return made
  }
  return model
}

/** The same value on every engine, so that it can order and divide rows. */
const isPlain = ({ abstractType, expression, measure }: ColumnJson): boolean =>
  abstractType !== 'json' &&
  (expression === undefined || !/\/|half/.test(expression)) &&
  (measure === undefined || / Count$/.test(measure))

const ORDERING = ['row_number', 'row_number', 'rank', 'dense_rank', 'count'] as const
const READING = ['lag', 'lead', 'first_value', 'last_value', 'count', 'sum'] as const
const ADDED: readonly Kind[] = ['int', 'decimal']

function drawn(random: Random, columns: Readonly<Record<string, ColumnJson>>): WindowedJson | undefined {
  const names = Object.keys(columns).filter((one) => isPlain(columns[one]!))
  if (names.length === 0) return undefined
  const partitionBy = random.some(names, random.pick([0, 1, 1, 2]))
  const orderBy = random.some(names, random.pick([0, 1, 1, 2]))
  const filtered = random.pick(names)
  const filters: FilterJson[] = random.chance(0.3) ? [filterLeaf(random, filtered, kindOf(columns[filtered]!), true)] : []
  const rest = {
    ...(partitionBy.length > 0 && { partitionBy }),
    ...(orderBy.length > 0 && { orderBy }),
    ...(orderBy.length > 0 && random.chance(0.5) && { direction: random.pick(['asc', 'desc'] as const) }),
    ...(filters.length > 0 && { filters }),
  }
  if (random.chance(0.5)) {
    const name = random.pick(ORDERING)
    return (name === 'rank' || name === 'dense_rank') && orderBy.length === 0 ? undefined : { function: name, ...rest }
  }
  const column = random.pick(names)
  const name = random.pick(READING)
  if (name === 'sum' && !ADDED.includes(kindOf(columns[column]!))) return undefined
  const moves = name === 'lag' || name === 'lead'
  return { function: name, column, ...rest, ...(moves && random.chance(0.4) && { offset: random.between(1, 3) }) }
}

/** The type that the compiler finds. */
function typed({ function: name, column }: WindowedJson, columns: Readonly<Record<string, ColumnJson>>): ColumnJson {
  const read = column === undefined ? undefined : columns[column]!
  if (!read || name === 'count') return { abstractType: 'int' }
  if (name === 'sum' && read.abstractType === 'float') return { abstractType: 'float', sqlType: 'DECIMAL(38,4)' }
  return { abstractType: read.abstractType, ...(read.sqlType !== undefined && { sqlType: read.sqlType }) }
}

function withOne(random: Random, model: ModelJson, object: string, name: string): ModelJson | undefined {
  const own = model.dataObjects[object]!
  const window = drawn(random, own.columns)
  if (!window) return undefined
  const column: ColumnJson = { ...typed(window, own.columns), window }
  const isNumber = column.abstractType === 'int' && window.function !== 'sum'
  const computed: Record<string, ColumnJson> =
    isNumber && random.chance(0.3)
      ? { [`${name} more`]: { expression: `coalesce({${name}}, 0) * 2 + 1`, abstractType: 'int' } }
      : {}
  return withDimensions(random, model, { object, name, column, computed })
}

/** Measures over these columns, and others of the rows at a place. */
function measuresOn(random: Random, model: ModelJson): Record<string, MeasureJson> {
  const placed = random.some(windowedColumns(model), 2)
  const over = placed.map(({ dataObject, column, definition }, i): [string, MeasureJson] => {
    const isNumber = ADDED.includes(kindOf(definition))
    const aggregation = random.pick(isNumber ? ['sum', 'min', 'max', 'count'] : ['count', 'count_distinct', 'min', 'max'])
    return [`placed over ${i + 1} ${aggregation}`, { aggregation, columns: [{ dataObject, column }] }]
  })
  const at = placed.flatMap(({ dataObject, column, definition }, i): [string, MeasureJson][] => {
    const [key] = Object.entries(model.dataObjects[dataObject]!.columns).find(([, c]) => c.primaryKey) ?? []
    const { op, value } = filterLeaf(random, '', kindOf(definition), true)
    const filter: MeasureFilterJson = { field: `${dataObject}.${column}`, op, ...(value !== undefined && { value }) }
    return key === undefined
      ? []
      : [[`placed at ${i + 1}`, { aggregation: 'count', columns: [{ dataObject, column: key }], filters: [filter] }]]
  })
  return Object.fromEntries([...over, ...at])
}

/** A filter of its object by the column, such as the last version of each row; a column that has no answer then would not load. */
function withStaticFilter(random: Random, { model, data }: Ground): ModelJson {
  const [found] = random.some(
    windowedColumns(model).filter(({ definition }) => definition.abstractType === 'int'),
    1,
  )
  if (!found) return model
  const { dataObject, column } = found
  const filter: StaticFilterJson = {
    dataObject,
    column,
    operator: random.pick(['eq', 'lte', 'gte']),
    value: random.between(1, 2),
  }
  const filtered = { ...model, filters: [...(model.filters ?? []), filter] }
  return 'refused' in evaluate(filtered, data, { select: { fields: [`${dataObject}.${column}`] } }) ? model : filtered
}
