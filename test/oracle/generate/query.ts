/** Queries over a generated model: every required form, mostly answerable. */
import { GRAINS } from '../calendar.js'
import type { FilterJson, LeafJson, ModelJson, QueryJson } from '../model.js'
import { type Kind, kindOf } from '../world.js'
import { coalesce } from './coalesce.js'
import { filterLeaf } from './filters.js'
import { FRESH, type Later } from './later.js'
import { askedInCalendars } from './later-calendars.js'
import { withSegments } from './later-fields.js'
import { extendQuery } from './later-query.js'
import { askedInZone, isCutByDays } from './later-zones.js'
import { addresses, parentsOf } from './measures.js'
import { isFuzzy, isNumbering, measureKind } from './metrics.js'
import type { OddTimes } from './pools.js'
import { hashOf, type Random, randomFrom } from './random.js'

type Draft = { -readonly [K in keyof QueryJson]: QueryJson[K] }

/** `odd`: the times for conditions, if zones are generated. */
export function generateQuery(random: Random, model: ModelJson, later: readonly Later[] = [], odd?: OddTimes): QueryJson {
  const roll = random.below(100)
  const query: Draft =
    roll < 12 ? rawQuery(random, model) : roll < 26 ? dimensionQuery(random, model) : measureQuery(random, model)
  if (random.chance(0.45)) query.where = conditions(random, model, query)
  if (model.segments && random.chance(0.35)) query.where = withSegments(random, model, query.where ?? [])
  const pins = Object.entries(model.dataObjects).flatMap(([source, o]) =>
    (o.joins ?? []).flatMap((j) => (j.secondary ? [{ source, target: j.joinTo, path_name: j.pathName! }] : [])),
  )
  if (pins.length > 0 && random.chance(0.4)) query.use_path_names = [random.pick(pins)]
  if (random.chance(0.07)) query.strict_filters = true
  const fuller: QueryJson = later.length === 0 ? query : extendQuery(random, model, later, query)
  const dated = later.includes('calendars') ? askedInCalendars(random, model, fuller) : fuller
  const extended: Draft = { ...(odd ? askedInZone(random, model, dated, odd) : dated) }
  order(random, model, extended)
  return extended
}

function rawQuery(random: Random, model: ModelJson): Draft {
  const names = Object.keys(model.dataObjects)
  const home = random.pick(names)
  const near = [home, ...parentsOf(model.dataObjects[home]!)]
  const from = random.chance(0.1) ? names : [...new Set(near)]
  const columns = from.flatMap((o) => addresses(model.dataObjects, o)).map((c) => `${c.dataObject}.${c.column}`)
  return { select: { fields: random.some(columns, random.between(1, 4)), ...(random.chance(0.3) && { distinct: true }) } }
}

function dimensionQuery(random: Random, model: ModelJson): Draft {
  const dimensions = someDimensions(random, model, random.between(1, 3))
  return dimensions.length >= 2 && random.chance(0.35)
    ? { select: { dimensions }, dimensions_exclude: true }
    : { select: { dimensions } }
}

function measureQuery(random: Random, model: ModelJson): Draft {
  const all = measureNames(model)
  const facts = hasBridges(model) && random.chance(0.5) ? all.filter((n) => isOfFacts(model, n)) : all
  const drawn = random.some(facts.length > 0 ? facts : all, random.pick([1, 1, 2, 2, 3]))
  const dimensions = someDimensions(random, model, random.pick([0, 1, 1, 1, 2, 2, 3]))
  const measures = withFreshMetric(randomFrom(hashOf(JSON.stringify([drawn, dimensions, model.metrics]))), model, drawn)
  const query: Draft = { select: { ...(dimensions.length > 0 && { dimensions }), measures } }
  if (random.chance(0.18)) query.having = [havingTree(random, model, random.chance(0.8) ? measures : all)].flatMap((f) => f ?? [])
  return query
}

/** Often a metric that a kind adds: a model has so many other measures that it would hardly be drawn. From a separate random source. */
function withFreshMetric(random: Random, { metrics = {} }: ModelJson, drawn: readonly string[]): string[] {
  const fresh = Object.keys(metrics).filter((name) => FRESH.test(name))
  if (fresh.length === 0 || !random.chance(0.3)) return [...drawn]
  const kind = random.pick([...new Set(fresh.map(kindOfFresh))])
  return [...new Set([random.pick(fresh.filter((name) => kindOfFresh(name) === kind)), ...drawn.slice(1)])]
}

const kindOfFresh = (name: string): string => name.replace(/ .*/, '')

const hasBridges = (model: ModelJson): boolean => Object.values(model.dataObjects).some((o) => o.bridge)

/** On a bridge, or on an object that only a bridge leads to. */
const isFar = (model: ModelJson, dimension: string): boolean => /^(Links|Tags) \d$/.test(model.dimensions![dimension]!.dataObject)

/** A measure to which each row contributes a part, of an object that does not belong to a bridge. */
function isOfFacts(model: ModelJson, name: string): boolean {
  if (/^(Links|Tags) \d/.test(name)) return false
  const { aggregation = 'count', columns = [], expression = '', distinct } = model.measures?.[name] ?? {}
  const read = `${columns.map((c) => c.dataObject)} ${expression}`
  return !/(Links|Tags) \d/.test(read) && ['sum', 'count', 'count_if', 'avg'].includes(aggregation) && !distinct
}

const measureNames = (model: ModelJson): string[] => [
  ...Object.keys(model.measures ?? {}),
  ...Object.keys(model.metrics ?? {}),
  ...Object.keys(model.dataObjects).map((o) => `${o} Count`),
]

type Dimension = NonNullable<QueryJson['select']['dimensions']>[number]

function someDimensions(random: Random, model: ModelJson, count: number): Dimension[] {
  const all = Object.keys(model.dimensions ?? {})
  const far =
    hasBridges(model) && count > 0 && random.chance(0.4)
      ? random.some(
          all.filter((n) => isFar(model, n)),
          1,
        )
      : []
  const chosen: Dimension[] = [...new Set([...far, ...random.some(all, count)])].slice(0, Math.max(count, 1)).map((name) => {
    const kind = kindOf(columnOf(model, name))
    const temporal = kind === 'date' || kind === 'timestamp'
    if (!temporal || random.chance(0.5)) return name
    return `${name}:${random.pick(kind === 'timestamp' ? GRAINS : GRAINS.slice(3))}`
  })
  const coalesced = chosen.length > 0 && random.chance(0.1) ? coalesce(random, model, all) : undefined
  return coalesced ? [coalesced, ...chosen.slice(1)] : chosen
}

function columnOf(model: ModelJson, dimension: string) {
  const { dataObject, column } = model.dimensions![dimension]!
  return model.dataObjects[dataObject]!.columns[column!]!
}

export function conditions(random: Random, model: ModelJson, query: Pick<QueryJson, 'select'>): FilterJson[] {
  const relevant = [...(query.select.dimensions ?? [])].flatMap((d) => (typeof d === 'string' ? [d.replace(/:\w+$/, '')] : []))
  const leaf = (): FilterJson => {
    if (random.chance(0.18)) return exists(random, model)
    const dimensions = Object.keys(model.dimensions ?? {})
    if (dimensions.length === 0 || random.chance(0.2)) {
      const { dataObject, column, kind } = random.pick(
        Object.keys(model.dataObjects).flatMap((o) => addresses(model.dataObjects, o)),
      )
      return filterLeaf(random, `${dataObject}.${column}`, kind)
    }
    const name = relevant.length > 0 && random.chance(0.4) ? random.pick(relevant) : random.pick(dimensions)
    return filterLeaf(random, name, filteredKind(model, name))
  }
  return Array.from({ length: random.between(1, 2) }, () => tree(random, leaf, 2))
}

/** The kind of a dimension's value at its declared grain. */
function filteredKind(model: ModelJson, name: string): Kind {
  const kind = kindOf(columnOf(model, name))
  const { bins } = model.dimensions![name]!
  if (bins?.edges) return 'string'
  return isCutByDays(model, name) ? 'date' : kind
}

function tree(random: Random, leaf: () => FilterJson, depth: number): FilterJson {
  if (depth === 0 || random.chance(0.7)) return leaf()
  const filters = Array.from({ length: random.between(1, 3) }, () => tree(random, leaf, depth - 1))
  return { logic: random.pick(['and', 'or']), filters, ...(random.chance(0.3) && { negated: true }) }
}

/** `inModel`: with values that a model may have. */
export function exists(random: Random, model: ModelJson, inModel = false): LeafJson & Required<Pick<LeafJson, 'subquery'>> {
  const names = Object.keys(model.dataObjects)
  const dataObject = random.pick(names)
  const subject = random.pick(names.filter((n) => n !== dataObject))
  const dimensions = Object.keys(model.dimensions ?? {}).filter((d) => model.dimensions![d]!.dataObject === subject)
  const field = dimensions.length > 0 && random.chance(0.6) ? random.pick(dimensions) : subject
  const inner = random.chance(0.5)
    ? [random.pick(addresses(model.dataObjects, dataObject))].map((c) => filterLeaf(random, c.column, c.kind, inModel))
    : []
  return { field, op: random.pick(['exists', 'nonexists']), subquery: { dataObject, filter: inner } }
}

function havingTree(random: Random, model: ModelJson, names: readonly string[]): FilterJson | undefined {
  const comparable = names.filter((n) => !isFuzzy(model, n) && kindOfName(model, n) !== undefined)
  if (comparable.length === 0) return undefined
  const leaf = (): FilterJson => {
    const field = random.pick(comparable)
    const { op, value } = filterLeaf(random, field, kindOfName(model, field)!, true)
    return { field, op, ...(value !== undefined && { value }) }
  }
  return tree(random, leaf, 1)
}

function kindOfName(model: ModelJson, name: string): Kind | undefined {
  const metric = model.metrics?.[name]
  if (metric) return metric.measure === undefined || isNumbering(metric) ? 'decimal' : kindOfName(model, metric.measure)
  const measure = model.measures?.[name]
  return measure ? measureKind(model.dataObjects, measure) : 'decimal'
}

function order(random: Random, model: ModelJson, query: Draft): void {
  const { dimensions = [], measures = [], fields = [] } = query.select
  const texts = [...dimensions.map((d) => (typeof d === 'string' ? d : d.as)), ...measures, ...fields]
  const sortable = texts.filter((t) => !isFuzzy(model, t))
  const unselected = measures.length > 0 && random.chance(0.1) ? measureNames(model).filter((n) => !isFuzzy(model, n)) : []
  if (random.chance(0.5)) {
    query.order_by = random.some([...sortable, ...random.some(unselected, 1)], random.between(1, 2)).map((text) => ({
      field: texts.includes(text) && random.chance(0.2) ? texts.indexOf(text) + 1 : text,
      ...(random.chance(0.6) && { direction: random.pick(['asc', 'desc'] as const) }),
      ...(random.chance(0.25) && { nulls: random.pick(['first', 'last'] as const) }),
    }))
  }
  if (random.chance(0.25)) query.limit = random.chance(0.05) ? 0 : random.between(1, 5)
  if (random.chance(0.1)) query.offset = random.between(0, 2)
}
