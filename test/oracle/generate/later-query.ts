/** Queries that use the additions of `later.ts` to a model: with the dimensions that these need, filters that they ignore, and subtotals. */
import { GRAINS } from '../calendar.js'
import { type FilterJson, type ModelJson, type QueryJson, withoutExpressions } from '../model.js'
import { kindOf } from '../world.js'
import { coalesceOf } from './coalesce.js'
import { filterLeaf } from './filters.js'
import { componentsOf, FRESH, type Later } from './later.js'
import { isCutByDays } from './later-zones.js'
import type { Random } from './random.js'

/** `query` with more of the new kinds; the caller chooses its order and its limits. */
export function extendQuery(random: Random, model: ModelJson, kinds: readonly Later[], query: QueryJson): QueryJson {
  const measures = query.select.measures ?? []
  if (measures.length === 0) {
    const { dimensions } = query.select
    if (!dimensions) return query
    const { fill_gaps, again } = timesOf(random, model, kinds, dimensions)
    return {
      ...query,
      select: { ...query.select, dimensions: [...dimensions, ...again] },
      ...(fill_gaps && !query.dimensions_exclude && { fill_gaps: reported(random) }),
    }
  }
  const added = random.chance(0.55)
    ? random.some(
        freshNames(model).filter((n) => !measures.includes(n)),
        random.between(1, 2),
      )
    : []
  const selected = added.length > 0 && random.chance(0.4) ? added : [...measures, ...added]
  const needed = needs(model, [...selected, ...withoutExpressions(query.having).flatMap(fieldsOf)])
  const dimensions = [...(query.select.dimensions ?? [])]
  for (const name of needed.selected) {
    const there = dimensions.some((d) => typeof d === 'string' && plainName(model, d) === name)
    if (!there && random.chance(0.93))
      dimensions.push(kinds.includes('grains') ? timeLike(random, model, dimensions, name) : grainedMostly(random, model, name))
  }
  const { fill_gaps, again } = timesOf(random, model, kinds, dimensions)
  dimensions.push(...again)
  const filtered = [...needed.filtered].filter((n) => model.dimensions?.[n] !== undefined)
  const where = [
    ...(query.where ?? []),
    ...(filtered.length > 0 && random.chance(0.5) ? filtersOn(random, model, random.pick(filtered)) : []),
  ]
  const grouped = kinds.includes('grouping') || kinds.includes('sets')
  const grouping = grouped && dimensions.length > 0 && dimensions.length < 4 && random.chance(0.35)
  return {
    ...query,
    select: { ...query.select, ...(dimensions.length > 0 && { dimensions }), measures: selected },
    ...(where.length > 0 && { where }),
    ...(fill_gaps && { fill_gaps: reported(random) }),
    ...(kinds.includes('fanout') && random.chance(0.02) && { allow_fan_out: true }),
    ...(grouping && { grouping: groupingOf(random, model, kinds, dimensions) }),
  }
}

/** The gaps of the answer, or of the range that the filters leave. */
const reported = (random: Random): true | 'range' => (random.chance(0.5) ? 'range' : true)

/** A filter on a dimension; of a time, often whole periods, beside which other periods are read. */
function filtersOn(random: Random, model: ModelJson, name: string): readonly FilterJson[] {
  if (!isTime(model, name) || random.chance(0.25)) return [leafOn(random, model, name)]
  const [from, to] = random.some(STARTS, 2).toSorted()
  const since = { field: name, op: random.chance(0.9) ? 'gte' : 'gt', value: from! }
  const until = random.chance(0.8) ? { field: name, op: 'lt', value: to! } : { field: name, op: 'lte', value: random.pick(ENDS) }
  return random.chance(0.65) ? [since, until] : [random.pick([since, since, until])]
}

/** Where months begin and end, some of them quarters and years. */
const STARTS = ['2023-12-01', '2024-01-01', '2024-02-01', '2024-03-01', '2024-04-01', '2024-12-01', '2025-01-01', '2025-04-01']
const ENDS = ['2024-02-29', '2024-12-31', '2025-01-31']

const grainedMostly = (random: Random, model: ModelJson, name: string): string =>
  random.chance(0.75) ? grained(random, model, name) : name

/** The dimension; sometimes the same column under another name, or a coalesce with it as a member. */
function timeLike(random: Random, model: ModelJson, dimensions: Dimensions, name: string): Dimensions[number] {
  const roll = random.below(10)
  const twin = `${name} again`
  if (roll === 0 && model.dimensions![twin] && !dimensions.includes(twin)) return twin
  const coalesced = roll === 1 && dimensions.every((d) => typeof d === 'string') && isTime(model, name)
  return (coalesced ? coalesceOf(random, model, name) : undefined) ?? grainedMostly(random, model, name)
}

const isTime = (model: ModelJson, name: string): boolean => ['date', 'timestamp'].includes(kindOf(columnOf(model, name)))

type Dimensions = NonNullable<QueryJson['select']['dimensions']>

const NESTED = ['day', 'month', 'quarter', 'year']

/** The same time at another grain beside the first, and whether gaps in time are filled. */
function timesOf(
  random: Random,
  model: ModelJson,
  kinds: readonly Later[],
  dimensions: NonNullable<QueryJson['select']['dimensions']>,
): { readonly fill_gaps: boolean; readonly again: readonly string[] } {
  const times = dimensions.flatMap((d) => (typeof d === 'string' && grainIn(model, d) !== undefined ? [d] : []))
  const [first] = times
  const isKnown = first !== undefined && [...NESTED, 'week'].includes(grainIn(model, first)!)
  const again =
    isKnown && kinds.includes('grains') && dimensions.length < 4 && random.chance(0.2)
      ? `${plainName(model, first)}:${random.pick(NESTED)}`
      : first
  const fits = times.length === 1 && isKnown
  // No time and several times are refused; grains of calendars with others, and short periods, are not generated.
  const refused = new Set(times.map((d) => plainName(model, d))).size !== 1
  const fill_gaps = kinds.includes('gaps') && (fits ? random.chance(0.45) : refused && random.chance(0.01))
  return { fill_gaps, again: again !== undefined && again !== first && !dimensions.includes(again) ? [again] : [] }
}

/** The grain of the dimension in the query or the model. */
function grainIn(model: ModelJson, text: string): string | undefined {
  if (model.dimensions?.[text]) return model.dimensions[text].timeGrain
  return /:(\w+)$/.exec(text)?.[1]
}

function groupingOf(
  random: Random,
  model: ModelJson,
  kinds: readonly Later[],
  dimensions: NonNullable<QueryJson['select']['dimensions']>,
): NonNullable<QueryJson['grouping']> {
  if (!kinds.includes('sets') || (kinds.includes('grouping') && random.chance(0.6))) return random.pick(['rollup', 'cube'])
  const texts = dimensions.map((d) => (typeof d === 'string' ? d : d.as))
  const name = (text: string): string =>
    random.chance(0.2) && texts.filter((d) => plainName(model, d) === plainName(model, text)).length === 1
      ? plainName(model, text)
      : text
  const sets = Array.from({ length: random.between(1, 4) }, () => random.some(texts, random.between(0, texts.length)).map(name))
  // It is not decided yet whether a dimension that is in no set must be reachable.
  return { sets: [...sets, texts] }
}

const freshNames = (model: ModelJson): string[] =>
  [...Object.keys(model.measures ?? {}), ...Object.keys(model.metrics ?? {})].filter((n) => FRESH.test(n))

const fieldsOf = (filter: FilterJson): string[] => ('logic' in filter ? filter.filters.flatMap(fieldsOf) : [filter.field])

interface Needs {
  /** Dimensions without which the query is refused. */
  readonly selected: ReadonlySet<string>
  /** Dimensions on which a filter has a special meaning. */
  readonly filtered: ReadonlySet<string>
}

function needs(model: ModelJson, names: readonly string[]): Needs {
  const [selected, filtered] = [new Set<string>(), new Set<string>()]
  const visit = (name: string): void => {
    const metric = model.metrics?.[name]
    const measure = model.measures?.[name]
    const time = metric?.periodOverPeriod?.timeDimension ?? metric?.timeDimension ?? measure?.semiAdditive?.timeDimension
    if (time !== undefined) filtered.add(time)
    if (time !== undefined && metric && metric.type !== 'conversion' && metric.type !== 'funnel') selected.add(time)
    for (const n of metric?.per ?? measure?.semiAdditive?.per ?? []) filtered.add(n)
    if (measure?.grain?.mode === 'FIXED') for (const n of measure.grain.include ?? []) selected.add(n)
    const { include = [], exclude = [], keepOnly = [] } = measure?.filterContext ?? {}
    for (const n of [...include, ...exclude, ...keepOnly]) filtered.add(n)
    if (metric) for (const c of componentsOf(metric)) visit(c)
  }
  for (const name of names) visit(name)
  return { selected, filtered }
}

const columnOf = (model: ModelJson, name: string) => {
  const { dataObject, column } = model.dimensions![name]!
  return model.dataObjects[dataObject]!.columns[column!]!
}

const plainName = (model: ModelJson, text: string): string => (model.dimensions?.[text] ? text : text.replace(/:\w+$/, ''))

function grained(random: Random, model: ModelJson, name: string): string {
  const kind = kindOf(columnOf(model, name))
  if (kind !== 'date' && kind !== 'timestamp') return name
  const grains = ['day', 'week', 'month', 'month', 'month', 'quarter', 'year']
  return `${name}:${random.pick(kind === 'timestamp' && random.chance(0.2) ? GRAINS : grains)}`
}

/** On the dimension, or on its column; sometimes together with another one. */
function leafOn(random: Random, model: ModelJson, name: string): FilterJson {
  const { dataObject, column, bins } = model.dimensions![name]!
  const kind = kindOf(columnOf(model, name))
  const leaf = (): FilterJson =>
    random.chance(0.25)
      ? filterLeaf(random, `${dataObject}.${column}`, kind)
      : filterLeaf(random, name, bins?.edges ? 'string' : isCutByDays(model, name) ? 'date' : kind)
  if (random.chance(0.8)) return leaf()
  return { logic: random.pick(['and', 'or']), filters: [leaf(), leaf()], ...(random.chance(0.3) && { negated: true }) }
}
