/** Facts that are joined with the same objects, and questions of all of them by fields of these objects. */
import type { FilterJson, MeasureJson, ModelJson, ObjectJson, PlainRow, QueryJson, Tables } from '../model.js'
import { filterLeaf } from './filters.js'
import { objectOf } from './later-counts.js'
import { plainKind } from './later-ever.js'
import { baseOf } from './later-names.js'
import { reachedFrom } from './later-rows.js'
import { addresses } from './measures.js'
import type { Random } from './random.js'

const KEY = /^(id|part|to_.*)$/

const SISTERS = ['2', '3', '4'] as const

/** The sisters of an object have its name with a number. */
const sisterOf = (name: string, sister: string): string => `${name} ${sister}`

/**
 * The model with two or three more objects like one of its facts, over other rows. The columns of their joins may have other names, a join may be missing, and
 * static filters of the fact need not apply. Only if no object of the model has several rows of the fact: it would reach the sisters by no path.
 */
export function withSisters(
  random: Random,
  model: ModelJson,
  data: Tables,
): { readonly model: ModelJson; readonly data: Tables } {
  const [fact] = random.some(
    Object.entries(model.dataObjects).filter(([name, object]) => isFact(model, name, object)),
    1,
  )
  if (!fact) return { model, data }
  const [name, object] = fact
  const sisters = SISTERS.slice(0, random.chance(0.8) ? 2 : 3)
  const measures = measuresOf(random, model, name)
  const made = sisters.map((sister) => {
    const filters = (model.filters ?? []).filter(({ dataObject }) => dataObject === name && random.chance(0.7))
    return {
      object: [sisterOf(name, sister), objectLike(random, object, sister)] as const,
      rows: [sisterOf(name, sister), rowsLike(random, object, data[name]!)] as const,
      measures: measures.map(
        ([of, measure]) => [sisterOf(of, sister), withContext(random, renamed(measure, name, sisterOf(name, sister)))] as const,
      ),
      filters: filters.map((filter) => ({ ...filter, dataObject: sisterOf(name, sister) })),
    }
  })
  const extended: ModelJson = {
    ...model,
    dataObjects: { ...model.dataObjects, ...Object.fromEntries(made.map((one) => one.object)) },
    measures: { ...model.measures, ...Object.fromEntries([...measures, ...made.flatMap((one) => one.measures)]) },
    ...(model.filters && { filters: [...model.filters, ...made.flatMap((one) => one.filters)] }),
  }
  return { model: extended, data: { ...data, ...Object.fromEntries(made.map((one) => one.rows)) } }
}

const isFact = ({ dataObjects }: ModelJson, name: string, object: ObjectJson): boolean => {
  const { joins = [], columns, nestedIn, bridge, weight } = object
  const isPlain = (nestedIn ?? bridge ?? weight) === undefined && Object.values(columns).every((c) => c.abstractType !== 'json')
  const isBelow = Object.values(dataObjects).some((other) => (other.joins ?? []).some(({ joinTo }) => joinTo === name))
  return isPlain && !isBelow && joins.some(isForward)
}

const isForward = ({ joinType, secondary }: NonNullable<ObjectJson['joins']>[number]): boolean =>
  joinType === 'many-to-one' && !secondary

/** Measures of the fact alone, two of them mostly exact. */
function measuresOf(random: Random, model: ModelJson, name: string): readonly (readonly [string, MeasureJson])[] {
  const own = Object.entries(model.measures ?? {}).filter(
    ([, m]) => baseOf(m) === name && (m.grain ?? m.filterContext ?? m.semiAdditive ?? m.total) === undefined,
  )
  const columns = addresses(model.dataObjects, name)
  const exact = columns.filter(({ kind }) => ['int', 'decimal', 'date'].includes(kind))
  const added = random.some(random.chance(0.85) ? exact : columns, 2).map(({ column, kind }, at): [string, MeasureJson] => {
    const numbers = ['sum', 'sum', 'avg', 'min'] as const
    const aggregation = random.pick(['int', 'decimal', 'float'].includes(kind) && random.chance(0.6) ? numbers : KINDS_OF_ANY)
    const filter = random.chance(0.2) && filterOf(random, model, name)
    const isDistinct = ['sum', 'avg', 'count'].includes(aggregation) && random.chance(0.2)
    return [
      `sister ${at}`,
      {
        aggregation,
        columns: [{ dataObject: name, column }],
        ...(isDistinct && { distinct: true }),
        ...(filter && { filters: [filter] }),
      },
    ]
  })
  return [...random.some(own, 2), ...added]
}

/** Sometimes without the conditions of the query. */
const withContext = (random: Random, measure: MeasureJson): MeasureJson =>
  random.chance(0.04) ? { ...measure, filterContext: { mode: 'FIXED' } } : measure

const KINDS_OF_ANY = ['count', 'count_distinct', 'min', 'max'] as const

/** On the fact, sometimes on an object that it shares. */
function filterOf(random: Random, model: ModelJson, name: string) {
  const objects = random.chance(0.65) ? [name] : reachedFrom(model, name)
  const { dataObject, column, kind } = random.pick(objects.flatMap((object) => addresses(model.dataObjects, object)))
  const { op, value } = filterLeaf(random, '', kind, true)
  return { field: `${dataObject}.${column}`, op, ...(value !== undefined && { value }) }
}

function objectLike(random: Random, object: ObjectJson, sister: string): ObjectJson {
  const { columns, joins = [], code } = object
  const forward = joins.filter(({ joinType }) => joinType === 'many-to-one')
  const kept =
    forward.length > 1 && random.chance(0.1)
      ? forward.slice(1)
      : forward.map((join) => (random.chance(0.03) ? { ...join, required: !join.required } : join))
  const links = new Set(joins.flatMap(({ columnsFrom }) => columnsFrom))
  const isOwn = random.chance(0.6)
  const named = Object.entries(columns).map(([name, column]) =>
    isOwn && links.has(name) && column.code !== undefined ? [name, { ...column, code: `own ${column.code}` }] : [name, column],
  )
  return { ...object, code: `${code} ${sister}`, columns: Object.fromEntries(named), joins: kept }
}

/** Some of its rows, each with values of several. */
function rowsLike(random: Random, { columns, joins = [] }: ObjectJson, rows: readonly PlainRow[]): readonly PlainRow[] {
  const keys = Object.keys(columns).filter((name) => /^(id|part)$/.test(name))
  const links = joins.map(({ columnsFrom }) => columnsFrom)
  return random.some(rows, random.between(0, rows.length)).map((row) => {
    const apart = Object.keys(row).filter((name) => !keys.includes(name) && !links.flat().includes(name))
    const groups = [...links, ...apart.map((name) => [name])]
    const values = groups.flatMap((names) => {
      const from = random.pick(rows)
      return names.map((name) => [name, from[name] ?? null] as const)
    })
    return { ...row, ...Object.fromEntries(values) }
  })
}

/** The measure with the other object in place of this one, wherever it is named. */
const renamed = (measure: MeasureJson, from: string, to: string): MeasureJson =>
  JSON.parse(JSON.stringify(measure), (_, value: unknown) => {
    if (typeof value !== 'string') return value
    return value === from ? to : value.replace(new RegExp(`^${from}\\.`), `${to}.`).replaceAll(`{[${from}].`, `{[${to}].`)
  })

/** The query, mostly of measures of all sisters by fields of the objects that they share, under a condition on these. */
export function askedOfSisters(random: Random, model: ModelJson, query: QueryJson): QueryJson {
  const names = Object.keys(model.dataObjects)
  const fact = names.find((name) => names.includes(sisterOf(name, SISTERS[0])))
  if (fact === undefined || query.select.fields || query.dimensions_exclude || !random.chance(0.7)) return query
  const facts = [fact, ...SISTERS.map((sister) => sisterOf(fact, sister)).filter((name) => names.includes(name))]
  const above = reachedFrom(model, fact).slice(1)
  // A foreign key is read from the fact.
  const isKey = random.chance(0.8) ? KEY : /^$/
  const isShared = (name: string): boolean =>
    above.includes(objectOf(model, name)) && !isKey.test(model.dimensions?.[name]?.column ?? '')
  const dimensions = random.some(Object.keys(model.dimensions ?? {}).filter(isShared), random.pick([1, 1, 2, 3]))
  if (dimensions.length === 0) return query
  const own = Object.keys(model.measures ?? {}).filter((name) => model.measures?.[sisterOf(name, SISTERS[0])])
  const simple = [...own.filter((name) => name.startsWith('sister ')), 'Count']
  const chosen = random.some(random.chance(0.75) ? simple : [...own, 'Count'], random.pick([1, 1, 2, 2, 3]))
  const of = (measure: string, name: string): string =>
    measure === 'Count' ? `${name} Count` : name === fact ? measure : sisterOf(measure, name.slice(fact.length + 1))
  const asked = facts.map((name) => (random.chance(0.9) ? chosen : random.some(own, 1)).map((measure) => of(measure, name)))
  const measures = [...new Set(asked.flat())]
  const { having: _groups, order_by: _order, top: _top, fill_gaps: _gaps, grouping, where = [], ...rest } = query
  const conditions = random.chance(0.85) ? [conditionOn(random, model, above, isKey)].flatMap((one) => one ?? []) : []
  const having: FilterJson[] = random.chance(0.15)
    ? [{ field: `${random.pick(facts)} Count`, op: 'gte', value: random.between(0, 2) }]
    : []
  return {
    ...rest,
    ...(typeof grouping === 'string' && { grouping }),
    where: [...(random.chance(0.15) ? where : []), ...conditions],
    select: { dimensions, measures: random.chance(0.1) ? measures.slice(0, -1) : measures },
    ...(having.length > 0 && { having }),
    ...(random.chance(0.3) && { order_by: [{ field: random.pick(dimensions) }] }),
  }
}

function conditionOn(random: Random, model: ModelJson, objects: readonly string[], without: RegExp): FilterJson | undefined {
  const fields = objects.flatMap((name) => addresses(model.dataObjects, name)).filter(({ column }) => !without.test(column))
  const leaf = (): FilterJson => {
    const { dataObject, column, kind } = random.pick(fields)
    return filterLeaf(random, `${dataObject}.${column}`, kind)
  }
  const named = Object.entries(model.dimensions ?? {}).filter(
    ([, { dataObject, column = '' }]) => objects.includes(dataObject) && !without.test(column),
  )
  const [field] = random.some(named, 1).map(([name]) => name)
  const kind = field === undefined ? undefined : plainKind(model, field)
  if (fields.length === 0) return undefined
  if (field !== undefined && kind && random.chance(0.4)) return filterLeaf(random, field, kind)
  return random.chance(0.7) ? leaf() : { logic: random.pick(['and', 'or']), filters: [leaf(), leaf()] }
}
