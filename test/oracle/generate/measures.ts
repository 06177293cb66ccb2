/** Measures of every aggregation over columns and expressions of one or two objects. */
import type { ColumnAddress, MeasureFilterJson, MeasureJson, ModelJson, ObjectJson, TypedValueJson } from '../model.js'
import { type Kind, kindOf } from '../world.js'
import { filterLeaf } from './filters.js'
import type { Random } from './random.js'

const FOR_ANY = ['count', 'count_distinct', 'min', 'max', 'any_value', 'mode'] as const
const FOR_NUMBERS = [
  'sum',
  'sum',
  'sum',
  'avg',
  'median',
  'stddev',
  'stddev_pop',
  'variance',
  'var_pop',
  'count',
  'min',
  'max',
  'mode',
] as const
const FOR_PAIRS = ['corr', 'covar_pop', 'covar_samp', 'regr_slope', 'regr_intercept'] as const

interface Numeric extends ColumnAddress {
  readonly kind: Kind
}

export function generateMeasures(random: Random, objects: ModelJson['dataObjects']): Record<string, MeasureJson> {
  const measures: Record<string, MeasureJson> = {}
  for (const dataObject of Object.keys(objects)) {
    for (let i = random.between(1, 3); i > 0; i--) {
      const measure = measureOn(random, objects, dataObject)
      measures[`m${Object.keys(measures).length + 1} ${measure.aggregation}`] = decorated(random, objects, dataObject, measure)
    }
  }
  return measures
}

function measureOn(random: Random, objects: ModelJson['dataObjects'], dataObject: string): MeasureJson {
  const own = addresses(objects, dataObject)
  const numbers = own.filter((c) => isNumeric(c.kind))
  const roll = random.below(10)
  if (roll === 0 && numbers.length >= 1)
    return { aggregation: random.pick(FOR_PAIRS), columns: [plain(random.pick(numbers)), plain(random.pick(numbers))] }
  if (roll === 1) return { aggregation: 'count_distinct', columns: random.some(own, 2).map(plain) }
  if (roll === 2 || (roll === 3 && random.chance(0.6))) return listagg(random, own) ?? sumOf(random, objects, dataObject, numbers)
  if (roll <= 5) return sumOf(random, objects, dataObject, numbers)
  const column = random.pick(own)
  return onColumn(random, column)
}

function onColumn(random: Random, column: Numeric): MeasureJson {
  if (isNumeric(column.kind)) {
    const aggregation = random.pick(FOR_NUMBERS)
    return {
      aggregation,
      columns: [plain(column)],
      ...(['sum', 'count', 'avg'].includes(aggregation) && random.chance(0.15) && { distinct: true }),
    }
  }
  return { aggregation: random.pick(column.kind === 'boolean' ? ['count', 'count_distinct'] : FOR_ANY), columns: [plain(column)] }
}

function listagg(random: Random, own: readonly Numeric[]): MeasureJson | undefined {
  const texts = own.filter((c) => c.kind === 'string')
  if (texts.length === 0) return undefined
  const column = plain(random.pick(texts))
  return {
    aggregation: 'listagg',
    columns: [column],
    ...(random.chance(0.4) && { delimiter: random.pick(['; ', "'", '']) }),
    ...(random.chance(0.3) && { distinct: true }),
    ...(random.chance(0.3) && { withinGroup: { column, order: random.pick(['ASC', 'DESC']) } }),
  }
}

/** An expression over numbers of this object, or of this one and another. */
function sumOf(random: Random, objects: ModelJson['dataObjects'], dataObject: string, numbers: readonly Numeric[]): MeasureJson {
  const others = parentsOf(objects[dataObject]!).flatMap((o) => addresses(objects, o))
  const anyOther = random.chance(0.1) ? Object.keys(objects).flatMap((o) => addresses(objects, o)) : others
  const second = anyOther.filter((c) => isNumeric(c.kind))
  const [first] = random.some(numbers, 1)
  if (!first) return { aggregation: 'count', columns: [{ dataObject, column: Object.keys(objects[dataObject]!.columns)[0]! }] }
  const a = reference(first)
  const b = reference(random.chance(0.5) && second.length > 0 ? random.pick(second) : random.pick(numbers))
  const expression = random.pick([
    `${a} * ${b}`,
    `${a} + ${b}`,
    `${a} - ${b} * 2`,
    `${a} / ${b}`,
    `coalesce(${b}, 0) + ${a}`,
    `CASE WHEN ${b} > 1 THEN ${a} ELSE -${a} END`,
  ])
  return { aggregation: random.pick(['sum', 'sum', 'avg', 'max']), expression }
}

function decorated(random: Random, objects: ModelJson['dataObjects'], home: string, measure: MeasureJson): MeasureJson {
  const numeric = !['listagg', 'min', 'max', 'any_value', 'mode'].includes(measure.aggregation)
  return {
    ...measure,
    ...(random.chance(0.22) && { filters: [measureFilter(random, objects, home)] }),
    ...(numeric && random.chance(0.1) && { defaultValue: 0 }),
    ...(numeric && random.chance(0.12) && { dataType: random.pick(['decimal(18, 1)', 'decimal(20, 4)', 'double']) }),
  }
}

function measureFilter(random: Random, objects: ModelJson['dataObjects'], home: string): MeasureFilterJson {
  const { joins = [], nestedIn } = objects[home]!
  const near = [...joins.map((j) => j.joinTo), ...(nestedIn ? [nestedIn.dataObject] : [])]
  const leaf = (): MeasureFilterJson => {
    const dataObject =
      random.chance(0.6) || near.length === 0
        ? random.chance(0.85)
          ? home
          : random.pick(Object.keys(objects))
        : random.pick(near)
    const { kind, column } = random.pick(addresses(objects, dataObject))
    const { op, value } = filterLeaf(random, '', kind, true)
    if (random.chance(0.5)) return { field: `${dataObject}.${column}`, op, ...(value !== undefined && { value }) }
    const values = value === undefined ? [] : Array.isArray(value) ? value : [value]
    return {
      column: { dataObject, column },
      operator: op,
      values: values.map((v) => typed(v as string | number | boolean, kind)),
    }
  }
  const compared = (): MeasureFilterJson => {
    const numbers = [home, ...near].flatMap((o) => addresses(objects, o)).filter((c) => isNumeric(c.kind))
    if (numbers.length === 0) return leaf()
    const [a, b] = [reference(random.pick(numbers)), reference(random.pick(numbers))]
    return {
      expression: random.pick([
        `${a} > ${b}`,
        `${a} <= ${b} + 1`,
        `NOT ${a} = ${b}`,
        `${a} IS NULL OR ${b} > 1`,
        `coalesce(${a}, 0) < ${b} * 2`,
      ]),
    }
  }
  if (random.chance(0.15)) return compared()
  return random.chance(0.2)
    ? { logic: random.pick(['and', 'or']), filters: [leaf(), leaf()], negated: random.chance(0.3) }
    : leaf()
}

function typed(value: string | number | boolean, kind: Kind): TypedValueJson {
  if (typeof value === 'boolean') return { dataType: 'boolean', valueBoolean: value }
  if (typeof value === 'number')
    return Number.isInteger(value) ? { dataType: 'int', valueInt: value } : { dataType: 'float', valueFloat: value }
  return kind === 'date' ? { dataType: 'date', valueDate: value } : { dataType: 'string', valueString: value }
}

/** The objects of which each row of it has one row, by its own joins or as an element. */
export const parentsOf = ({ joins = [], nestedIn }: ObjectJson): string[] => [
  ...joins.flatMap((j) => (j.joinType === 'many-to-many' ? [] : [j.joinTo])),
  ...(nestedIn ? [nestedIn.dataObject] : []),
]

/** Its columns that are not arrays. */
export function addresses(objects: ModelJson['dataObjects'], dataObject: string): Numeric[] {
  const columns = Object.entries(objects[dataObject]!.columns).filter(([, c]) => c.abstractType !== 'json')
  return columns.map(([column, c]) => ({ dataObject, column, kind: kindOf(c) }))
}

const isNumeric = (kind: Kind): boolean => kind === 'int' || kind === 'decimal' || kind === 'float'
const plain = ({ dataObject, column }: ColumnAddress): ColumnAddress => ({ dataObject, column })
const reference = ({ dataObject, column }: ColumnAddress): string => `{[${dataObject}].[${column}]}`
