/** The reference answer of a semantic query, from rows in memory. */

import { type Applies, rowsByTuple } from './atoms.js'
import { follows } from './calendar-tables.js'
import { withPairs } from './closures.js'
import { withComparedMeasures } from './compared-measures.js'
import { rowsMade, withCompared } from './compared-rows.js'
import { atomNames, componentsOf, kindOfName, metricOf } from './components.js'
import { type Condition, checkInner, group, type Reading, whereCondition } from './conditions.js'
import { determined, isDimensionName } from './determined.js'
import { displayed } from './display.js'
import { evaluateNode, parseExpression, refsOf } from './expressions.js'
import { checkLevels, checkNames } from './faults.js'
import { type Asked, askedDimension, readableDimensions } from './fields.js'
import { timeOfGaps, withGaps } from './gaps.js'
import { materialized, withoutNames } from './generated-calendars.js'
import { flagOf, levelsOf, widened } from './grouping.js'
import { minimal } from './homes.js'
import { type Block, blockOf, type Level, levelOf } from './levels.js'
import type { FilterJson, HavingJson, ModelJson, PlainQueryJson, QueryJson, Tables } from './model.js'
import { unnested } from './nested.js'
import { type Now, testOfFilter } from './operators.js'
import { page, type Sortable } from './order.js'
import { withValues } from './parameters.js'
import { passesVia, reachesRole } from './paths.js'
import { sameTime } from './periods.js'
import { left, type PolicyJson } from './policies.js'
import { rawAnswer } from './raw.js'
import { Refusal, refuse } from './refusal.js'
import { expanded } from './segments.js'
import { type Sheet, sheetOf } from './sheet.js'
import { isOfShown, type Shown, shownConjunct } from './shown.js'
import { checkStartsIn } from './starts.js'
import { withoutOffsetColumns } from './table-grains.js'
import { withToldTimes } from './told-times.js'
import { isKept, othersFlagOf, ranked, shownOf, topDimension, topped } from './top.js'
import { levelUntilNow } from './until-now.js'
import { keyOfAll, type Tri, type Value } from './values.js'
import { withoutView } from './views.js'
import { type Kind, type World, worldOf } from './world.js'

export interface Answer {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Value[])[]
  /** Tied rows may be in any order. */
  readonly ranks: readonly number[]
}

/** If several rules refuse, any of `codes` is correct. */
export type Outcome = Answer | { readonly refused: string; readonly codes: readonly string[]; readonly why: string }

/** Evaluates `query`; a query that must be refused returns its code. Relative filters use `now`. */
export function evaluate(
  model: ModelJson,
  data: Tables,
  query: QueryJson,
  now = new Date('2026-01-15T12:00:00Z'),
  policies: readonly PolicyJson[] = [],
): Outcome {
  try {
    const { query: asked, shown } = withoutView(model, query)
    const settled = withValues(withoutOffsetColumns(model), asked)
    const written = withComparedMeasures(settled.model, settled.query)
    const made = materialized(written.model, data)
    const whole = { query: withoutNames(written.query, made.model, made.tables) }
    const flat = unnested(made.model, made.tables)
    const tables = policies.length > 0 ? left(flat.model, flat.tables, policies) : flat.tables
    const world = worldOf(flat.model, withPairs(flat.model, tables, policies, whole.query), whole.query)
    const told = withToldTimes(world, whole.query, conditionsOf(world.model, whole.query), now)
    const found = told
      ? without(told.hidden, answer({ ...world, model: told.model, calendars: told.calendars, memo: new Map() }, told.query, now))
      : answer(world, whole.query, now)
    return { ...found, columns: found.columns.map(shown) }
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.code, codes: error.codes, why: error.message }
    throw error
  }
}

/** Without columns that the answer does not show. */
function without(hidden: ReadonlySet<string>, { columns, rows, ranks }: Answer): Answer {
  const shown = columns.flatMap((name, at) => (hidden.has(name) ? [] : [at]))
  return { columns: shown.map((at) => columns[at]!), rows: rows.map((row) => shown.map((at) => row[at]!)), ranks }
}

/** Every condition of the query, including those of segments. */
const conditionsOf = (model: ModelJson, { where = [] }: QueryJson): readonly FilterJson[] =>
  where.flatMap((f) => expanded(model, f)).flatMap(conjuncts)

/** Top-level AND is split, also if it is written as a group. */
const conjuncts = (filter: FilterJson): readonly FilterJson[] =>
  'logic' in filter && filter.logic === 'and' && !filter.negated ? filter.filters.flatMap(conjuncts) : [filter]

function answer(world: World, written: QueryJson, now: Date): Answer {
  const { dimensions = [], measures = [], fields = [] } = written.select
  if (fields.length > 0) {
    if (dimensions.length + measures.length > 0) refuse('MIXED_RAW_AND_AGGREGATE_MODE', 'fields beside dimensions or measures')
    if (written.top || written.rows_of) refuse('INVALID_QUERY', 'rows have no groups')
    const where = conditionsOf(world.model, written)
    for (const filter of where) checkStartsIn(world, filter)
    return rawAnswer(world, { ...written, where }, now)
  }
  const plain = withFaultsOf(
    () => dimensions.map((d) => askedDimension(world, d)),
    () => {
      refuseChosenExclusion(written)
      checkOrder(world, written, readableDimensions(world, dimensions))
    },
  )
  if (written.rows_of !== undefined && !world.things.has(written.rows_of)) refuse('UNKNOWN_DATA_OBJECT', written.rows_of)
  // Selected fields are resolved before filters.
  if (written.top) topDimension(written.top, plain)
  const query = { ...written, where: conditionsOf(world.model, written) }
  for (const filter of query.where ?? []) checkStartsIn(world, filter)
  for (const filter of query.where ?? []) checkInner({ world, now, home: '', asked: plain }, filter)
  if (query.dimensions_exclude) {
    refuseChosenExclusion(query)
    checkOrder(world, query, plain)
    return excludedTuples(world, query, now, plain)
  }
  const { asked, applied } = withTop(world, query, now, plain)
  return grouped(world, { ...query, ...ranked(query, asked) }, now, asked, applied)
}

function refuseChosenExclusion({ dimensions_exclude: isExclusion, top }: QueryJson): void {
  if (isExclusion && top) refuse('INVALID_QUERY', 'combinations that never occur have no measure')
}

function grouped(world: World, query: PlainQueryJson, now: Date, asked: readonly Asked[], applied: Applied): Answer {
  checkOrder(world, query, asked)
  const { measures = [] } = query.select
  if (measures.length === 0 && query.grouping === undefined && !namesMeasures(world, query, asked))
    return dimensionOnly(world, query, now, asked, applied)
  return withFaultsOf(
    () => aggregated(asking(world, query, now, asked), query, now, asked, applied),
    () => checkHaving(world, query, now),
  )
}

type Applied = Block['applied']

/** Gaps are along the time of the whole query, and not along one for which columns stand in some of its subtotals. */
const ofWhole = ({ ofLevels = [] }: PlainQueryJson, asked: readonly Asked[]): readonly Asked[] =>
  asked.filter(({ text }) => !ofLevels.includes(text))

/** The dimensions of a query with `top`, and the conjuncts that applied to the choice of the top values. */
function withTop(
  world: World,
  query: PlainQueryJson,
  now: Date,
  plain: readonly Asked[],
): { readonly asked: readonly Asked[]; readonly applied: Applied } {
  const { top, where = [], allow_fan_out: fanOut } = query
  if (!top) return { asked: plain, applied: [] }
  const one = topDimension(top, plain)
  const gaps = query.fill_gaps ? timeOfGaps(world, ofWhole(query, plain)) : undefined
  if (gaps && (sameTime(world, one, gaps) || follows(world, one, gaps)))
    refuse('TIME_DIMENSION_NOT_SELECTED', 'gaps in a group of periods')
  const alone = asking(world, query, now, [one])
  withFaultsOf(
    () => checkNames(alone, [top.by], [one], { where, now }),
    () => {
      const groups = plain.map((a) => (a === one ? topped(a, top, []) : a))
      const names = [...(query.select.measures ?? []), ...havingFields(query.having ?? []), ...orderFields(world, query, groups)]
      checkNames(world, names, groups, { where, now })
      checkLevels(world, names, levelsOf(query.grouping, groups), { where, now, around: groups })
    },
  )
  const level = levelOf({ world: alone, now, asked: [one], dimensions: [one], shown: [one], written: where, where, fanOut })
  const rows = levelRows(level, { select: { measures: [top.by] } }, [top.by], [])
  const measured = rows.map(({ tuple, read }) => ({ value: tuple[0]!, by: read(top.by) }))
  const applied = [...new Set(atomNames(alone, top.by))].flatMap((n) => blockOf(level, n).applied)
  return { asked: plain.map((a) => (a === one ? topped(a, top, measured) : a)), applied }
}

/** If the choice of the top values, or a dimension, is refused, the query itself can be refused first. */
function withFaultsOf<T>(choose: () => T, ask: () => unknown): T {
  try {
    return choose()
  } catch (refused) {
    if (!(refused instanceof Refusal)) throw refused
    try {
      ask()
    } catch (other) {
      if (other instanceof Refusal) throw new Refusal(refused.code, refused.message, [...refused.codes, ...other.codes])
    }
    throw refused
  }
}

/** The world of a query in which weights may be doubles: the fields that are read determine the kind of the values. */
function asking(world: World, { where = [] }: PlainQueryJson, now: Date, dimensions: readonly Asked[]): World {
  const isDouble = [...world.things.values()].some((t) => {
    const weight = world.model.dataObjects[t.name]?.weight
    return weight !== undefined && t.columns.get(weight)!.kind === 'float'
  })
  return isDouble ? { ...world, memo: new Map(), asks: { dimensions, where, now } } : world
}

/** True if having or order_by need an aggregate, though none is selected. */
function namesMeasures(world: World, query: PlainQueryJson, asked: readonly Asked[]): boolean {
  const ordered = orderFields(world, query, asked)
  return (query.having ?? []).length > 0 || ordered.length > 0
}

// ---- measures and metrics -------------------------------------------------------------------------------------------------------

/** A row of a level before paging. */
interface LevelRow {
  readonly tuple: readonly Value[]
  readonly read: (name: string) => Value
}

function aggregated(
  world: World,
  query: PlainQueryJson,
  now: Date,
  asked: readonly Asked[],
  applied: Applied,
  /** The values of its dimensions, as they are. */
  found: (readonly Value[])[] = [],
): Answer {
  const { measures: selected = [] } = query.select
  const names = [...new Set([...selected, ...havingFields(query.having ?? []), ...orderFields(world, query, asked)])]
  const where = query.where ?? []
  withFaultsOf(
    () => checkNames(world, names, asked, { where, now }),
    () => {
      if (query.fill_gaps) timeOfGaps(world, ofWhole(query, asked))
      checkDetail(query, asked)
    },
  )
  const gaps = query.fill_gaps ? { gaps: timeOfGaps(world, ofWhole(query, asked)), toRange: query.fill_gaps === 'range' } : {}
  const levelFor = (dimensions: readonly Asked[]): Level =>
    levelOf({ world, now, asked, dimensions, shown: dimensions, written: where, where, fanOut: query.allow_fan_out, ...gaps })
  const levels = levelsOf(query.grouping, asked)
  checkLevels(world, names, levels, { where, now, around: asked })
  checkDetail(query, asked)
  const tuples = isOfShown(query.grouping) ? shownTuples(world, query, now, asked, applied) : undefined
  // A dimension in no set is used by no level. Conjuncts and dimensions are checked at the level of all others, whether or not it is shown. Values are those of the shown levels.
  const used = asked.filter((one) => levels.some((level) => level.includes(one)))
  const rowsAt = (level: Level): readonly LevelRow[] =>
    levelRows(level, query, names, level.dimensions.length === used.length ? applied : undefined)
  if (!levels.some((l) => l.length === used.length)) unlessFiner(() => rowsAt(levelFor(used)))
  const rows = levels.flatMap((dimensions) => {
    const made = tuples ? rowsOfShown(levelFor(dimensions), names, { asked, tuples }) : rowsAt(levelFor(dimensions))
    return made.map(({ tuple, read }) => ({ ...widened(tuple, dimensions, asked), read }))
  })
  const flagged = query.grouping !== undefined
  const others = othersFlagOf(asked)
  const sortable = rows.map(
    ({ tuple, flags, read }): Sortable & { readonly shown: readonly Value[]; readonly tuple: readonly Value[] } => {
      const shown = tuple.map((v, i) => (flags[i] ? v : shownOf(asked[i]!, v)))
      const isOthers = tuple.some((v, i) => v === null && !flags[i] && asked[i]!.top !== undefined)
      const values = selected.map((name) => displayed(world, name, read(name)))
      return {
        shown: [...shown, ...values, ...(others === undefined ? [] : [isOthers]), ...(flagged ? flags : [])],
        by: (field) => {
          if (typeof field === 'number') return positional(field, asked, tuple, selected, read)
          return field === others ? [isOthers] : named(world, { field, asked, tuple, flags }, read)
        },
        ties: tuple.flatMap((v, i) => [flags[i]!, ...asked[i]!.placesOf(v)]),
        tuple,
      }
    },
  )
  const { limit: _limit, offset: _offset, ...whole } = query
  const { rows: paged, ranks } = page(sortable, tuples ? whole : query)
  // Not as arguments: gaps by the minute are more rows than a call takes.
  for (const { tuple } of paged) found.push(tuple)
  const columns = [
    ...asked.map((a) => a.text),
    ...selected,
    ...(others === undefined ? [] : [others]),
    ...(flagged ? asked.map((a) => flagOf(a)) : []),
  ]
  return { columns, rows: paged.map((r) => r.shown), ranks }
}

/** Totals of what is shown need the detail rows. */
function checkDetail({ grouping }: PlainQueryJson, asked: readonly Asked[]): void {
  const isDetail = (level: readonly Asked[]): boolean => asked.every((one) => one.toldBy !== undefined || level.includes(one))
  const levels = levelsOf(grouping, asked)
  if (isOfShown(grouping) && !levels.some(isDetail)) refuse('INVALID_QUERY', 'the detail rows are not shown')
}

/** Raises what a level refuses, except that its values are finer than the data: nobody sees them. */
function unlessFiner(check: () => unknown): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'FINER_THAN_DATA') throw error
  }
}

/** The detail rows that a query without subtotals would show. */
function shownTuples(
  world: World,
  query: PlainQueryJson,
  now: Date,
  asked: readonly Asked[],
  applied: Applied,
): readonly (readonly Value[])[] {
  const { grouping: _, ...detail } = query
  const shown: (readonly Value[])[] = []
  aggregated(world, { ...detail, ...ranked(detail, asked) }, now, asked, applied, shown)
  return shown
}

/** The rows of a level, which are those of the detail rows, and their values over the rows behind these. */
function rowsOfShown(level: Level, names: readonly string[], shown: Shown): readonly LevelRow[] {
  const { asked, dimensions } = level
  const conjunct = shownConjunct(shown)
  const behind = levelOf({ ...level, written: [...level.written, conjunct], where: [...level.where, conjunct] })
  const at = dimensions.map((d) => asked.indexOf(d))
  const found = shown.tuples.map((tuple) => at.map((i) => tuple[i]!))
  const rows = dimensions.length === 0 ? [[]] : [...new Map(found.map((tuple) => [keyOfAll(tuple), tuple])).values()]
  const sheet = sheetOf(behind, rows)
  evaluateAll(sheet, names)
  return rows.map((tuple, i) => ({ tuple, read: (name) => sheet.column(name)[i]! }))
}

/** The rows of one level that remain after `having`. Conjuncts are checked if it is known where else they applied. */
function levelRows(
  level: Level,
  query: PlainQueryJson,
  names: readonly string[],
  appliedElsewhere: Applied | undefined,
): readonly LevelRow[] {
  const { world, now, dimensions } = level
  const { measures: selected = [] } = query.select
  const atoms = [...new Set(names.flatMap((n) => atomNames(world, n)))].map((n) => blockOf(level, n))
  const { rows_of: rowsOf } = query
  const wholes =
    dimensions.length > 0 && (selected.length === 0 || rowsOf !== undefined)
      ? dimensionTuples({ world, now, asked: dimensions, rowsOf }, level.written)
      : undefined
  const applied = [...atoms.flatMap((b) => b.applied), ...(wholes?.applied ?? [])]
  if (appliedElsewhere) checkApplied(query, [...appliedElsewhere, ...applied])
  const measured = selected.length > 0 ? rowsMade(level, selected) : []
  const every = wholes ? [...new Map([...measured, ...wholes.tuples.values()].map((t) => [keyOfAll(t), t])).values()] : measured
  const isOfTop = (tuple: readonly Value[]): boolean => tuple.every((v, i) => isKept(dimensions[i]!, v))
  // The rest is left out before it shows a time: an answer compares the times that it has (decisions 67 and 218).
  const made = withCompared(level, selected, every.filter(isOfTop)).filter(isOfTop)
  const sheet = sheetOf(level, withGaps(level, made, selected))
  const { tuples, column } = sheet
  evaluateAll(sheet, names)
  const rows = tuples.map((tuple, i) => ({ tuple, read: (name: string) => column(name)[i]! }))
  const kindOf = (name: string): Kind => kindOfName(world, name)
  return rows.filter(({ read }) =>
    (query.having ?? []).every((f) => havingHolds(kindOf, f, read, { now, reckoning: world }) === true),
  )
}

/** Every metric below fields, where it is evaluated: whether a query is refused does not depend on its rows. */
function evaluateAll(sheet: Sheet, names: readonly string[], done = new Set<string>()): void {
  const { level, tuples, column } = sheet
  for (const name of names) {
    const key = `${level.cut?.join()} ${name}`
    if (done.has(key)) continue
    done.add(key)
    column(name)
    const metric = metricOf(level.world, name)
    const cut = metric && levelUntilNow(level, metric)
    if (metric) evaluateAll(cut ? sheetOf(cut, tuples) : sheet, componentsOf(metric), done)
  }
}

function positional(
  field: number,
  asked: readonly Asked[],
  tuple: readonly Value[],
  selected: readonly string[],
  read: (name: string) => Value,
): readonly Value[] {
  if (field >= 1 && field <= tuple.length) return asked[field - 1]!.placesOf(tuple[field - 1]!)
  return [read(selected[field - 1 - tuple.length] ?? refuse('INVALID_ORDER_BY_POSITION', String(field)))]
}

/** The position of a selected dimension, by its text or by the only one of its name. */
function selectedAt(field: string, asked: readonly Asked[]): number {
  const at = asked.findIndex((a) => a.text === field)
  const byName = asked.flatMap((a, i) => (a.text.startsWith(`${field}:`) ? [i] : []))
  return at >= 0 || byName.length !== 1 ? at : byName[0]!
}

/** Refuses an order by a dimension that no selected one determines. */
function checkOrder(world: World, { order_by = [] }: Pick<PlainQueryJson, 'order_by'>, asked: readonly Asked[]): void {
  for (const { field } of order_by)
    if (typeof field === 'string' && selectedAt(field, asked) < 0 && isDimensionName(world, field))
      determined(world, field, asked)
}

interface NamedField {
  readonly field: string
  readonly asked: readonly Asked[]
  readonly tuple: readonly Value[]
  readonly flags: readonly boolean[]
}

function named(world: World, { field, asked, tuple, flags }: NamedField, read: (name: string) => Value): readonly Value[] {
  const at = selectedAt(field, asked)
  if (at >= 0) return asked[at]!.placesOf(tuple[at]!)
  return isDimensionName(world, field) ? determined(world, field, asked)(tuple, flags) : [read(field)]
}

function orderFields(world: World, query: PlainQueryJson, asked: readonly Asked[]): string[] {
  const columns = new Set([...asked.map((a) => a.text), othersFlagOf(asked)])
  return (query.order_by ?? []).flatMap((o) =>
    typeof o.field === 'string' && !columns.has(o.field) && !isDimensionName(world, o.field) ? [o.field] : [],
  )
}

const havingFields = (filters: readonly HavingJson[]): string[] =>
  filters.flatMap((f) => {
    if ('expression' in f) return refsOf(parseExpression(f.expression)).map((ref) => ref.parts[0]!)
    return 'logic' in f ? havingFields(f.filters) : [f.field]
  })

function havingHolds(kindOf: (name: string) => Kind, filter: HavingJson, read: (name: string) => Value, time: Now): Tri {
  if ('expression' in filter) return evaluateNode(parseExpression(filter.expression), (ref) => read(ref.parts[0]!)) as Tri
  if ('logic' in filter) {
    const parts = filter.filters.map(
      (f): Condition => ({ roles: [], readable: true, holds: () => havingHolds(kindOf, f, read, time) }),
    )
    return group(filter, parts).holds([])
  }
  return testOfFilter(filter, kindOf(filter.field), time)(read(filter.field))
}

/** The values of `having` must fit, whatever the rows are. */
function checkHaving(world: World, { having = [] }: PlainQueryJson, now: Date): void {
  const kindOf = (name: string): Kind => kindOfName(world, name)
  for (const filter of having) havingHolds(kindOf, filter, () => null, { now, reckoning: world })
}

/**
 * A conjunct that applied to no aggregate is an error, unless all ignore it on purpose; with `strict_filters`, a conjunct that any
 * aggregate missed, or that reached a measure only through another fact, is one, too.
 */
function checkApplied(query: PlainQueryJson, applied: readonly (readonly (Applies | undefined)[])[]): void {
  ;(query.where ?? []).forEach((filter, i) => {
    const ignored = applied.length > 0 && applied.every((a) => a[i] === undefined)
    if (!ignored && !applied.some((a) => a[i])) refuse('FILTER_APPLIES_TO_NOTHING', JSON.stringify(filter))
    if (query.strict_filters && applied.some((a) => a[i] === false)) refuse('FILTER_NOT_APPLICABLE', JSON.stringify(filter))
    if (query.strict_filters && applied.some((a) => a[i] === 'through')) refuse('FILTER_THROUGH_BRIDGE', JSON.stringify(filter))
  })
}

// ---- dimensions only ------------------------------------------------------------------------------------------------------------

function dimensionOnly(
  world: World,
  query: PlainQueryJson,
  now: Date,
  asked: readonly Asked[],
  appliedElsewhere: Applied,
): Answer {
  const { tuples, applied } = dimensionTuples({ world, now, asked, rowsOf: query.rows_of }, query.where ?? [])
  checkApplied(query, [...appliedElsewhere, ...applied])
  const found = [...tuples.values()].filter((tuple) => tuple.every((v, i) => isKept(asked[i]!, v)))
  const gaps = query.fill_gaps ? timeOfGaps(world, asked) : undefined
  if (!gaps) return tupleAnswer(world, asked, found, query)
  const where = query.where ?? []
  const parts = { world, now, asked, dimensions: asked, shown: asked, written: where, where, gaps }
  return tupleAnswer(world, asked, withGaps(levelOf({ ...parts, toRange: query.fill_gaps === 'range' }), found, []), query)
}

function tupleAnswer(
  world: World,
  asked: readonly Asked[],
  tuples: readonly (readonly Value[])[],
  query: PlainQueryJson,
): Answer {
  const others = othersFlagOf(asked)
  const isOthers = (tuple: readonly Value[]): boolean => tuple.some((v, i) => v === null && asked[i]!.top !== undefined)
  const sortable = tuples.map((tuple): Sortable & { readonly shown: readonly Value[] } => ({
    shown: [...tuple.map((v, i) => shownOf(asked[i]!, v)), ...(others === undefined ? [] : [isOthers(tuple)])],
    by: (field) => {
      if (field === others) return [isOthers(tuple)]
      const at = typeof field === 'number' ? field - 1 : selectedAt(field, asked)
      if (at >= 0) return asked[at]?.placesOf(tuple[at]!) ?? [null]
      return determined(
        world,
        String(field),
        asked,
      )(
        tuple,
        tuple.map(() => false),
      )
    },
    ties: tuple.flatMap((v, i) => asked[i]!.placesOf(v)),
  }))
  for (const { field } of query.order_by ?? [])
    if (typeof field === 'number' && !(field >= 1 && field <= asked.length)) refuse('INVALID_ORDER_BY_POSITION', String(field))
  const { rows, ranks } = page(sortable, query)
  const columns = [...asked.map((a) => a.text), ...(others === undefined ? [] : [others])]
  return { columns, rows: rows.map((r) => r.shown), ranks }
}

interface Tuples {
  readonly tuples: ReadonlyMap<string, readonly Value[]>
  readonly applied: readonly (readonly boolean[])[]
}

/** The dimensions, and the object whose tuples are wanted. */
interface TuplesAsked {
  readonly world: World
  readonly now: Date
  readonly asked: readonly Asked[]
  readonly rowsOf: string | undefined
}

/**
 * The tuples of the selected dimensions: those of one object, or the union over every minimal object that reaches them all. An object behind
 * the `via` of all dimensions has their values; if they differ in their `via`, the ways from it say nothing about which values occur together.
 */
function dimensionTuples(
  { world, now, asked, rowsOf }: TuplesAsked,
  where: readonly FilterJson[],
  applies: (reading: Reading, filter: FilterJson) => boolean = () => true,
): Tuples {
  if (asked.length === 0) return { tuples: new Map(), applied: [] }
  const roles = asked.flatMap((a) => a.members)
  const isOneRole = rowsOf !== undefined || asked.length === 1 || roles.every(({ via }) => via === roles[0]?.via)
  const passed = (a: Asked, o: string): boolean => a.members.some((role) => passesVia(world, o, role))
  const candidates = [...world.things.keys()].filter((o) => asked.every((a) => (isOneRole ? a.reachedBy(o) : passed(a, o))))
  const smallest = (): readonly string[] =>
    minimal(
      world,
      candidates,
      roles.map((m) => m.object),
    )
  const homes = rowsOf === undefined ? smallest() : candidates.filter((o) => o === rowsOf)
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
    applied: parts.map((p) => p.applied.map((applies) => applies !== false)),
  }
}

/** The product of the values of each dimension, minus the tuples that occur together. */
function excludedTuples(world: World, query: PlainQueryJson, now: Date, asked: readonly Asked[]): Answer {
  if ((query.select.measures ?? []).length > 0) refuse('DIMENSIONS_EXCLUDE_WITH_MEASURES', 'measures')
  if (asked.length < 2) refuse('DIMENSIONS_EXCLUDE_INSUFFICIENT', 'fewer than two dimensions')
  const where = query.where ?? []
  const together = dimensionTuples({ world, now, asked, rowsOf: query.rows_of }, where)
  checkApplied(query, together.applied)
  const values = asked.map((a) =>
    [...dimensionTuples({ world, now, asked: [a], rowsOf: query.rows_of }, where, directly).tuples.values()]
      .map(([v]) => v!)
      .filter((v) => v !== null),
  )
  const all = values.reduce<Value[][]>((left, right) => left.flatMap((t) => right.map((v) => [...t, v])), [[]])
  return tupleAnswer(
    world,
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
