/** Several measures that count different parts of the rows, distinguished by one column: states, ranges of a number, periods. */
import type { LeafJson, MeasureFilterJson, MeasureJson, ModelJson, QueryJson } from '../model.js'
import type { Kind } from '../world.js'
import { filterLeaf } from './filters.js'
import { objectOf } from './later-counts.js'
import { baseOf } from './later-names.js'
import { reachedFrom } from './later-rows.js'
import { addresses, parentsOf } from './measures.js'
import { DAYS, INTS, PRICES, STRINGS } from './pools.js'
import type { Random } from './random.js'

const PARTED: ReadonlySet<string> = new Set(['sum', 'count', 'count_distinct', 'avg', 'min', 'max', 'median'])

/** The model with such parts of some of its measures; those of one number are selected together. */
export function withPartMeasures(random: Random, model: ModelJson): ModelJson {
  const measures = Object.entries(model.measures ?? {}).filter(([, m]) => isWhole(m) && PARTED.has(m.aggregation))
  const added = [0, 1].flatMap((number) => {
    const [first] = random.some(measures, 1)
    const near = measures.filter(([, m]) => first && baseOf(m) === baseOf(first[1]))
    return partsOf(random, model, random.some(near, random.between(2, 3)), number)
  })
  return { ...model, measures: { ...model.measures, ...Object.fromEntries(added) } }
}

const isWhole = ({ grain, filterContext, total, semiAdditive, allowFanOut }: MeasureJson): boolean =>
  (grain ?? filterContext ?? total ?? semiAdditive ?? allowFanOut) === undefined

function partsOf(
  random: Random,
  model: ModelJson,
  measures: readonly (readonly [string, MeasureJson])[],
  number: number,
): readonly (readonly [string, MeasureJson])[] {
  const base = measures[0] && baseOf(measures[0][1])
  const object = base === undefined ? undefined : model.dataObjects[base]
  if (base === undefined || !object) return []
  const places = [base, ...(random.chance(0.3) ? parentsOf(object) : [])].flatMap((one) => addresses(model.dataObjects, one))
  const told = places.filter(({ kind }) => poolOf(kind).length > 0)
  if (told.length === 0) return []
  const { dataObject, column, kind } = random.pick(told)
  const filters = parts(random, `${dataObject}.${column}`, kind).map((part) => narrowed(random, places, part))
  return measures.flatMap(([name, measure]) =>
    filters.map((filter, i) => [
      `part ${number} ${i} of ${name}`,
      { ...measure, filters: [...(measure.filters ?? []), filter] } satisfies MeasureJson,
    ]),
  )
}

/** Sometimes with a condition on another column. */
function narrowed(random: Random, places: ReturnType<typeof addresses>, part: MeasureFilterJson): MeasureFilterJson {
  if (!random.chance(0.25)) return part
  const { dataObject, column, kind } = random.pick(places)
  const { op, value } = filterLeaf(random, '', kind, true)
  const other = { field: `${dataObject}.${column}`, op, ...(value !== undefined && { value }) }
  return { logic: 'and', filters: random.chance(0.5) ? [part, other] : [other, part], negated: false }
}

/** Mostly disjoint parts. */
function parts(random: Random, field: string, kind: Kind): readonly MeasureFilterJson[] {
  const values = [...new Set(poolOf(kind))]
  const count = random.between(2, 4)
  if (kind === 'string' || random.chance(0.3)) return pointsOf(random, field, values, count)
  const cuts = random.some(values, count + 1).toSorted(byValue)
  const isOff = random.chance(0.15)
  return cuts.slice(1).map((cut, i) => {
    const low = cuts[isOff ? 0 : i]!
    if (random.chance(0.3)) return between(field, low, random.chance(0.2) ? cut : below(cut, low, kind))
    const leaves = [leaf(field, random.chance(0.85) ? 'gte' : 'gt', low), leaf(field, random.chance(0.85) ? 'lt' : 'lte', cut)]
    if (i === 0 && random.chance(0.2)) return leaves[1]!
    if (i === count - 1 && random.chance(0.2)) return leaves[0]!
    return { logic: 'and', filters: leaves, negated: false }
  })
}

function pointsOf(
  random: Random,
  field: string,
  values: readonly (string | number)[],
  count: number,
): readonly MeasureFilterJson[] {
  return Array.from({ length: count }, (_, i) => {
    const from = random.chance(0.1) ? 0 : i * 2
    const own = values.slice(from, from + random.between(1, 2))
    return own.length === 1 && random.chance(0.7) ? leaf(field, 'eq', own[0]!) : { field, op: 'in', value: [...own] }
  })
}

/** A value before a boundary, if one is known. */
function below(cut: string | number, low: string | number, kind: Kind): string | number {
  if (kind === 'int') return Math.max(Number(cut) - 1, Number(low))
  return typeof cut === 'string' ? low : cut - 0.01 < Number(low) ? low : cut - 0.01
}

const leaf = (field: string, op: string, value: string | number): LeafJson => ({ field, op, value })
const between = (field: string, low: string | number, high: string | number): LeafJson => ({
  field,
  op: 'between',
  value: [low, high],
})
const byValue = (a: string | number, b: string | number): number => (a < b ? -1 : 1)

function poolOf(kind: Kind): readonly (string | number)[] {
  switch (kind) {
    case 'string':
      return STRINGS
    case 'int':
      return INTS
    case 'decimal':
      return PRICES.map(Number)
    case 'date':
    case 'timestamp':
      return DAYS
    default:
      return []
  }
}

/**
 * Adds such parts to the query. Some queries select only the parts, and few also the measure that they are parts of. Most dimensions reach
 * the parts.
 */
export function withParts(random: Random, model: ModelJson, query: QueryJson): QueryJson {
  const { dimensions = [], measures = [], fields = [] } = query.select
  const number = random.between(0, 1)
  const found = Object.entries(model.measures ?? {}).filter(([name]) => name.startsWith(`part ${number} `))
  const [first] = found
  const isPlain = (query.grouping ?? query.fill_gaps ?? query.top ?? query.dimensions_exclude) === undefined
  if (!first || measures.length === 0 || fields.length > 0 || !isPlain || !random.chance(0.6)) return query
  const reached = reachedFrom(model, baseOf(first[1]))
  const near = dimensions.filter((d) => typeof d === 'string' && reached.includes(objectOf(model, d)))
  const beside = random.chance(0.35) ? [first[0].replace(/^part \d \d of /, '')] : []
  const { having: _groups, order_by: _order, where, ...rest } = query
  const asked = random.chance(0.8) ? near : dimensions
  return {
    ...rest,
    ...(where && random.chance(0.5) && { where }),
    select: {
      ...query.select,
      dimensions: asked.slice(0, random.between(0, 2)),
      measures: [...found.map(([name]) => name), ...beside],
    },
  }
}
