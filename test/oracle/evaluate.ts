/** The reference answer of a semantic query, from rows in memory. */
import { rowsByTuple } from './atoms.js'
import { atomNames, kindOfName, metricsBelow } from './components.js'
import { type Condition, checkInner, group, type Reading, whereCondition } from './conditions.js'
import { displayed } from './display.js'
import { checkNames } from './faults.js'
import { type Asked, askedDimension } from './fields.js'
import { timeOfGaps, withGaps } from './gaps.js'
import { flagOf, levelsOf, widened } from './grouping.js'
import { minimal } from './homes.js'
import { blockOf, type Level, levelOf, tuplesOf } from './levels.js'
import type { FilterJson, ModelJson, PlainQueryJson, QueryJson, Tables } from './model.js'
import { unnested } from './nested.js'
import { type Now, testOf } from './operators.js'
import { page, type Sortable } from './order.js'
import { reachesRole } from './paths.js'
import { rawAnswer } from './raw.js'
import { Refusal, refuse } from './refusal.js'
import { expanded } from './segments.js'
import { sheetOf } from './sheet.js'
import { keyOfAll, type Tri, type Value } from './values.js'
import { type Kind, type World, worldOf } from './world.js'

export interface Answer {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Value[])[]
  /** Rows of equal rank may stand in any order among each other. */
  readonly ranks: readonly number[]
}

/** Where several rules refuse, any of `codes` is right. */
export type Outcome = Answer | { readonly refused: string; readonly codes: readonly string[]; readonly why: string }

/** Evaluates `query`; a query that must be refused comes back with its code. `now` is what relative filters resolve against. */
export function evaluate(model: ModelJson, data: Tables, query: QueryJson, now = new Date('2026-01-15T12:00:00Z')): Outcome {
  try {
    const flat = unnested(model, data)
    const world = worldOf(flat.model, flat.tables, query)
    const where = (query.where ?? []).flatMap((f) => expanded(model, f)).flatMap(conjuncts)
    return answer(world, { ...query, where }, now)
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.code, codes: error.codes, why: error.message }
    throw error
  }
}

/** Top-level AND is split, also where it is written as a group. */
const conjuncts = (filter: FilterJson): readonly FilterJson[] =>
  'logic' in filter && filter.logic === 'and' && !filter.negated ? filter.filters.flatMap(conjuncts) : [filter]

function answer(world: World, query: PlainQueryJson, now: Date): Answer {
  const { dimensions = [], measures = [], fields = [] } = query.select
  if (fields.length > 0) {
    if (dimensions.length + measures.length > 0) refuse('MIXED_RAW_AND_AGGREGATE_MODE', 'fields beside dimensions or measures')
    return rawAnswer(world, query, now)
  }
  const asked = dimensions.map((d) => askedDimension(world, d))
  for (const filter of query.where ?? []) checkInner({ world, now, home: '', asked }, filter)
  if (query.dimensions_exclude) return excludedTuples(world, query, now, asked)
  if (measures.length === 0 && query.grouping === undefined && !namesMeasures(query, asked))
    return dimensionOnly(world, query, now, asked)
  return aggregated(asking(world, query, now, asked), query, now, asked)
}

/** The world of a question in which doubles may weigh values: what is read decides of what kind these are. */
function asking(world: World, { where = [] }: PlainQueryJson, now: Date, dimensions: readonly Asked[]): World {
  const isDouble = [...world.things.values()].some((t) => {
    const weight = world.model.dataObjects[t.name]?.weight
    return weight !== undefined && t.columns.get(weight)!.kind === 'float'
  })
  return isDouble ? { ...world, memo: new Map(), asks: { dimensions, where, now } } : world
}

/** True when having or order_by need an aggregate, though none is selected. */
function namesMeasures(query: PlainQueryJson, asked: readonly Asked[]): boolean {
  const ordered = (query.order_by ?? []).filter((o) => typeof o.field === 'string' && !asked.some((a) => a.text === o.field))
  return (query.having ?? []).length > 0 || ordered.length > 0
}

// ---- measures and metrics -------------------------------------------------------------------------------------------------------

/** A row of a level before paging. */
interface LevelRow {
  readonly tuple: readonly Value[]
  readonly read: (name: string) => Value
}

function aggregated(world: World, query: PlainQueryJson, now: Date, asked: readonly Asked[]): Answer {
  const { measures: selected = [] } = query.select
  const names = [...new Set([...selected, ...havingFields(query.having ?? []), ...orderFields(query, asked)])]
  const where = query.where ?? []
  checkNames(world, names, asked, where)
  const gaps = query.fill_gaps ? { gaps: timeOfGaps(world, asked) } : {}
  const levelFor = (dimensions: readonly Asked[]): Level =>
    levelOf({ world, now, asked, dimensions, written: where, where, fanOut: query.allow_fan_out, ...gaps })
  const levels = levelsOf(query.grouping, asked)
  // Conjuncts and dimensions are judged at the level of all dimensions, shown or not.
  if (!levels.some((l) => l.length === asked.length)) levelRows(levelFor(asked), query, names)
  const rows = levels.flatMap((dimensions) => {
    return levelRows(levelFor(dimensions), query, names).map(({ tuple, read }) => ({
      ...widened(tuple, dimensions, asked),
      read,
    }))
  })
  const flagged = query.grouping !== undefined
  const sortable = rows.map(({ tuple, flags, read }): Sortable & { readonly shown: readonly Value[] } => ({
    shown: [...tuple, ...selected.map((name) => displayed(world, name, read(name))), ...(flagged ? flags : [])],
    by: (field) =>
      typeof field === 'number' ? positional(field, asked, tuple, selected, read) : named(field, asked, tuple, read),
    ties: tuple.flatMap((v, i) => [flags[i]!, asked[i]!.placeOf(v)]),
  }))
  const { rows: paged, ranks } = page(sortable, query)
  const columns = [...asked.map((a) => a.text), ...selected, ...(flagged ? asked.map((a) => flagOf(a)) : [])]
  return { columns, rows: paged.map((r) => r.shown), ranks }
}

/** The rows of one level that `having` leaves. */
function levelRows(level: Level, query: PlainQueryJson, names: readonly string[]): readonly LevelRow[] {
  const { world, now, asked, dimensions } = level
  const { measures: selected = [] } = query.select
  const atoms = [...new Set(names.flatMap((n) => atomNames(world, n)))].map((n) => blockOf(level, n))
  const wholes =
    selected.length === 0 && dimensions.length > 0 ? dimensionTuples(world, now, dimensions, level.written) : undefined
  if (dimensions.length === asked.length) checkApplied(query, [...atoms.flatMap((b) => b.applied), ...(wholes?.applied ?? [])])
  const rowMaking = [...new Set(selected.flatMap((name) => atomNames(world, name)))]
  const made = wholes ? [...wholes.tuples.values()] : tuplesOf(level, rowMaking)
  const { tuples, column } = sheetOf(level, withGaps(level, made))
  for (const name of [...names, ...metricsBelow(world, names)]) column(name) // A question is refused whether it has rows or not.
  const rows = tuples.map((tuple, i) => ({ tuple, read: (name: string) => column(name)[i]! }))
  const kindOf = (name: string): Kind => kindOfName(world, name)
  return rows.filter(({ read }) =>
    (query.having ?? []).every((f) => havingHolds(kindOf, f, read, { now, reckoning: world }) === true),
  )
}

function positional(
  field: number,
  asked: readonly Asked[],
  tuple: readonly Value[],
  selected: readonly string[],
  read: (name: string) => Value,
): Value {
  if (field >= 1 && field <= tuple.length) return asked[field - 1]!.placeOf(tuple[field - 1]!)
  return read(selected[field - 1 - tuple.length] ?? refuse('INVALID_ORDER_BY_POSITION', String(field)))
}

function named(field: string, asked: readonly Asked[], tuple: readonly Value[], read: (name: string) => Value): Value {
  const at = asked.findIndex((a) => a.text === field)
  return at >= 0 ? asked[at]!.placeOf(tuple[at]!) : read(field)
}

const orderFields = (query: PlainQueryJson, asked: readonly Asked[]): string[] =>
  (query.order_by ?? []).flatMap((o) => (typeof o.field === 'string' && !asked.some((a) => a.text === o.field) ? [o.field] : []))

const havingFields = (filters: readonly FilterJson[]): string[] =>
  filters.flatMap((f) => ('logic' in f ? havingFields(f.filters) : [f.field]))

function havingHolds(kindOf: (name: string) => Kind, filter: FilterJson, read: (name: string) => Value, time: Now): Tri {
  if ('logic' in filter) {
    const parts = filter.filters.map(
      (f): Condition => ({ roles: [], readable: true, holds: () => havingHolds(kindOf, f, read, time) }),
    )
    return group(filter.logic, filter.negated, parts).holds([])
  }
  return testOf(filter.op, filter.value, kindOf(filter.field), time)(read(filter.field))
}

/** A conjunct that applied to no aggregate is an error, unless all ignore it on purpose; under `strict_filters`, one that missed any. */
function checkApplied(query: PlainQueryJson, applied: readonly (readonly (boolean | undefined)[])[]): void {
  ;(query.where ?? []).forEach((filter, i) => {
    const ignored = applied.length > 0 && applied.every((a) => a[i] === undefined)
    if (!ignored && !applied.some((a) => a[i])) refuse('FILTER_APPLIES_TO_NOTHING', JSON.stringify(filter))
    if (query.strict_filters && applied.some((a) => a[i] === false)) refuse('FILTER_NOT_APPLICABLE', JSON.stringify(filter))
  })
}

// ---- dimensions only ------------------------------------------------------------------------------------------------------------

function dimensionOnly(world: World, query: PlainQueryJson, now: Date, asked: readonly Asked[]): Answer {
  const { tuples, applied } = dimensionTuples(world, now, asked, query.where ?? [])
  checkApplied(query, applied)
  const found = [...tuples.values()]
  const gaps = query.fill_gaps ? timeOfGaps(world, asked) : undefined
  return tupleAnswer(asked, gaps ? withGaps({ world, dimensions: asked, gaps }, found) : found, query)
}

function tupleAnswer(asked: readonly Asked[], tuples: readonly (readonly Value[])[], query: PlainQueryJson): Answer {
  const sortable = tuples.map((tuple): Sortable & { readonly shown: readonly Value[] } => ({
    shown: tuple,
    by: (field) => {
      const at = typeof field === 'number' ? field - 1 : asked.findIndex((a) => a.text === field)
      return asked[at]?.placeOf(tuple[at]!) ?? null
    },
    ties: tuple.map((v, i) => asked[i]!.placeOf(v)),
  }))
  for (const { field } of query.order_by ?? [])
    if (typeof field === 'number' && !(field >= 1 && field <= asked.length)) refuse('INVALID_ORDER_BY_POSITION', String(field))
  const { rows, ranks } = page(sortable, query)
  return { columns: asked.map((a) => a.text), rows: rows.map((r) => r.shown), ranks }
}

interface Tuples {
  readonly tuples: ReadonlyMap<string, readonly Value[]>
  readonly applied: readonly (readonly boolean[])[]
}

/** The tuples of the asked dimensions, united over every minimal object that reaches them all. */
function dimensionTuples(
  world: World,
  now: Date,
  asked: readonly Asked[],
  where: readonly FilterJson[],
  applies: (reading: Reading, filter: FilterJson) => boolean = () => true,
): Tuples {
  if (asked.length === 0) return { tuples: new Map(), applied: [] }
  const candidates = [...world.things.keys()].filter((o) => asked.every((a) => a.reachedBy(o)))
  const homes = minimal(
    world,
    candidates,
    asked.flatMap((a) => a.members.map((m) => m.object)),
  )
  if (homes.length === 0) refuse('NO_JOIN_PATH', `no object reaches ${asked.map((a) => a.text).join(', ')}`)
  const parts = homes.map((home) => {
    const reading: Reading = { world, now, home, asked }
    return rowsByTuple(
      reading,
      where.filter((f) => applies(reading, f)),
      [],
      { counted: false, fanOut: false },
    )
  })
  return {
    tuples: new Map(parts.flatMap((p) => [...p.rows].map(([key, r]) => [key, r.tuple] as const))),
    applied: parts.map((p) => p.applied),
  }
}

/** The product of each dimension's values, minus the tuples that occur together. */
function excludedTuples(world: World, query: PlainQueryJson, now: Date, asked: readonly Asked[]): Answer {
  if ((query.select.measures ?? []).length > 0) refuse('DIMENSIONS_EXCLUDE_WITH_MEASURES', 'measures')
  if (asked.length < 2) refuse('DIMENSIONS_EXCLUDE_INSUFFICIENT', 'fewer than two dimensions')
  const where = query.where ?? []
  const together = dimensionTuples(world, now, asked, where)
  checkApplied(query, together.applied)
  const values = asked.map((a) =>
    [...dimensionTuples(world, now, [a], where, directly).tuples.values()].map(([v]) => v!).filter((v) => v !== null),
  )
  const all = values.reduce<Value[][]>((left, right) => left.flatMap((t) => right.map((v) => [...t, v])), [[]])
  return tupleAnswer(
    asked,
    all.filter((t) => !together.tuples.has(keyOfAll(t))),
    query,
  )
}

/** True when every field of the conjunct is reached directly. */
function directly(reading: Reading, filter: FilterJson): boolean {
  const { roles, readable } = whereCondition(reading, filter)
  return readable && roles.every((role) => reachesRole(reading.world, reading.home, role))
}
