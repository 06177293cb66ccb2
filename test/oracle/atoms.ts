/** One aggregate over the rows of its base object: which rows count, in which groups, and with which result. */
import {
  type Aggregation,
  aggregate,
  aggregateWeighed,
  canonicalAggregation,
  computesInDouble,
  type Inputs,
  isCount,
  isWeighed,
} from './aggregates.js'
import { balanceDimensions, balances } from './balances.js'
import { type Connection, connector, homeRows, locate, type Place, type Weighed, weigher } from './bridges.js'
import { fineness, partOf } from './coarse.js'
import { type Condition, measureCondition, type Reading, whereCondition } from './conditions.js'
import { anchorOf, checkFacts, crossRows } from './cross-fact.js'
import { evaluateTyped, isFloat, kindOfExpression, type Node, parseExpression, type Ref, refsOf } from './expressions.js'
import type { Asked, Field } from './fields.js'
import { groupBy } from './group-by.js'
import { homeOf, realObjects } from './homes.js'
import { type Window, windowCondition } from './levels.js'
import type { ColumnAddress, FilterJson, MeasureJson } from './model.js'
import { follow, type Role } from './paths.js'
import { refuse } from './refusal.js'
import { refuseUnshown } from './shown.js'
import { ofClock } from './time-functions.js'
import { add, type Dec, int, keyOfAll, toDouble, type Value } from './values.js'
import { checkPaths, columnOfRef, type Kind, type Row, readRef, type World } from './world.js'

/** A measure with the properties that do not depend on the query. */
export interface Atom {
  readonly name: string
  readonly home: string
  /** The objects whose columns are summed per row of `home`, if no object reaches all that it reads. */
  readonly facts?: readonly string[]
  readonly aggregation: Aggregation
  readonly inputs: readonly Node[]
  readonly measure: MeasureJson
  /** The type of the value. */
  readonly kind: Kind
}

/** A tuple of dimension values and the aggregate for it. */
export interface Group {
  readonly tuple: readonly Value[]
  readonly value: Value
}

/** The values of an aggregate for the groups of a query. */
export interface Computed {
  readonly groups: ReadonlyMap<string, Group>
  /** Which conjuncts of `where` applied. */
  readonly applied: readonly (readonly Applies[])[]
}

export function atomOf(world: World, name: string): Atom | undefined {
  const counted = rowCounts(world).get(name)
  if (counted !== undefined) return rowCount(world, name, counted)
  const measure = world.model.measures?.[name]
  if (!measure) return undefined
  const read = inputsOf(measure)
  const objects = [...new Set(read.flatMap(refsOf).map((r) => r.parts[0]!))]
  const reaching = homeOf(world, objects, measure.anchor)
  const home =
    reaching ?? anchorOf(world, objects, measure.anchor) ?? refuse('ANCHOR_REQUIRED', `${objects.join(' and ')} share nothing`)
  const facts = reaching === undefined ? objects.filter((o) => o !== home) : undefined
  const inputs = PICKING.includes(measure.aggregation) ? [...read, ...keyOfHome(world, home, measure)] : read
  if (facts) checkFacts(world, home, facts, { inputs })
  else for (const input of inputs) checkPaths(world, home, input)
  const aggregation: Aggregation = {
    name: measure.aggregation,
    distinct: measure.distinct === true,
    delimiter: measure.delimiter ?? ',',
    ...(measure.percentile !== undefined && { fraction: measure.percentile }),
    ...(measure.orderBy && { sortedBy: measure.orderBy.map((o) => isDescending(o.order)) }),
    ...(measure.withinGroup && { orderedBy: { descending: isDescending(measure.withinGroup.order) } }),
  }
  return { name, home, ...(facts && { facts }), aggregation, inputs, measure, kind: kindOfMeasure(world, home, measure, inputs) }
}

function kindOfMeasure(world: World, home: string, measure: MeasureJson, inputs: readonly Node[]): Kind {
  const { aggregation, semiAdditive } = measure
  const name = canonicalAggregation(aggregation)
  if (semiAdditive?.take === 'avg' || weighsInDouble(world, home, measure)) return 'float'
  if (isCount(name)) return 'int'
  if (name === 'listagg') return 'string'
  if (name === 'bool_and' || name === 'bool_or') return 'boolean'
  const [input] = inputs
  if (computesInDouble(name) || input === undefined || isFloat(input, (r) => columnOfRef(world, home, r).kind === 'float'))
    return 'float'
  return kindOfExpression(input, (r) => columnOfRef(world, home, r).kind)
}

function rowCount(world: World, name: string, home: string): Atom {
  const measure: MeasureJson = { aggregation: 'count' }
  const aggregation = { name: 'count', distinct: false, delimiter: ',' }
  return { name, home, aggregation, inputs: [], measure, kind: kindOfMeasure(world, home, measure, []) }
}

/** Whether the query reads a bridge with double weights for a weighted measure. */
function weighsInDouble(
  world: World,
  home: string,
  { aggregation, distinct = false, allowFanOut, filters = [] }: MeasureJson,
): boolean {
  const { asks } = world
  if (!asks || allowFanOut || !isWeighed({ name: aggregation, distinct })) return false
  const reading: Reading = { world, now: asks.now, home, asked: asks.dimensions }
  const read = [
    ...asks.dimensions.map((d) => d.at(home)),
    ...asks.where.map((f) => whereCondition(reading, f)),
    ...filters.map((f) => measureCondition(reading, f)),
  ]
  const places = read.flatMap((r) => {
    const found = r.roles.map((role) => quietly(world, home, role))
    return found.includes(undefined) ? [] : found.flatMap((p, i) => (r.roles[i]!.isSubject ? [] : (p!.bridge ?? [])))
  })
  return places.some((bridge) => {
    const column = world.model.dataObjects[bridge]?.weight
    return column !== undefined && world.things.get(bridge)!.columns.get(column)!.kind === 'float'
  })
}

/** Undefined also if there is no single place; that error is raised elsewhere. */
function quietly(world: World, home: string, role: Role): Place | undefined {
  try {
    return locate(world, home, role)
  } catch {
    return undefined
  }
}

/** Names of row counts and the objects that they count. */
export function rowCounts(world: World): ReadonlyMap<string, string> {
  const { model } = world
  if (model.exposeCounts === false) return new Map()
  const countable = realObjects(world).filter((o) => model.dataObjects[o]!.countable !== false)
  const pattern = model.countLabelPattern ?? '{object} Count'
  return new Map(countable.map((o) => [model.dataObjects[o]!.countLabel ?? pattern.replace('{object}', o), o]))
}

function inputsOf(measure: MeasureJson): readonly Node[] {
  const listed = (measure.columns ?? []).map(refTo)
  const ordered = [...(measure.withinGroup ? [measure.withinGroup] : []), ...(measure.orderBy ?? [])].map((o) => refTo(o.column))
  return [...(measure.expression === undefined ? listed : [parseExpression(measure.expression)]), ...ordered]
}

const PICKING: readonly string[] = ['first', 'last']
const isDescending = (order: string | undefined): boolean => order?.toLowerCase() === 'desc'

/** The last sort key of the rows of `first` and `last`. */
function keyOfHome(world: World, home: string, { orderBy = [] }: MeasureJson): readonly Node[] {
  const { key } = world.things.get(home)!
  if (key.length === 0 && orderBy.length === 0) refuse('INVALID_AGGREGATION_INPUTS', `${home} has no key to order by`)
  return key.map((column) => refTo({ dataObject: home, column }))
}

const refTo = ({ dataObject, column }: ColumnAddress): Node => ({ kind: 'ref', parts: [dataObject, column] })

/** The query that an aggregate answers. */
export interface Asking {
  readonly world: World
  readonly now: Date
  readonly asked: readonly Asked[]
  /** The dimensions of its groups. */
  readonly grouped: readonly Asked[]
  readonly where: readonly FilterJson[]
  readonly within: readonly Window[]
  /** False if the rows only create tuples. */
  readonly counted: boolean
  /** The query sets `allowFanOut` for every aggregate. */
  readonly fanOut?: boolean | undefined
}

/** The aggregate in each group. Refuses unreachable and ambiguous fields before it looks at any row. */
export function computeAtom(asking: Asking, atom: Atom): Computed {
  const { world, grouped } = asking
  const { semiAdditive } = atom.measure
  const inner = semiAdditive ? balanceDimensions(world, semiAdditive) : []
  const all = [...grouped, ...inner]
  const { rows, applied } = atom.facts ? crossRows(asking, atom, all) : atomRows(asking, atom, all)
  const measured = ({ homes, weights }: TupleRows): Value => aggregateOf(world, atom, homes, weights)
  const groups = semiAdditive
    ? balances(semiAdditive, isCounting(atom), grouped.length, [...rows.values()], measured)
    : new Map([...rows].map(([key, group]) => [key, { tuple: group.tuple, value: measured(group) }]))
  return { groups, applied }
}

/** The base rows of an aggregate by the values of `grouped`, with all its filters. */
export function atomRows(asking: Asking, atom: Atom, grouped: readonly Asked[]) {
  const reading: Reading = { world: asking.world, now: asking.now, home: atom.home, asked: asking.asked, grouped }
  const filters = (atom.measure.filters ?? []).map((f) => measureCondition(reading, f))
  const windows = asking.within.map((w) => windowCondition(w, atom.home))
  const own = [...filters, ...windows].map((c) => needed(reading, c))
  const how = { counted: asking.counted, fanOut: asking.fanOut || atom.measure.allowFanOut || false }
  const days = fineness(asking.world, atom.home, { ...asking, isSum: isDivisible(atom) })
  const { rows, applied } = rowsByTuple(reading, asking.where, own, how, days)
  return { rows, applied: [applied] }
}

/** A sum of rows as they are; balances and conversions are none. */
export const isDivisible = ({ aggregation: { name, distinct }, measure }: Atom): boolean =>
  name === 'sum' && !distinct && measure.semiAdditive === undefined

function aggregateOf(world: World, atom: Atom, homes: readonly Row[], weights: readonly Value[] | undefined): Value {
  const inputsOf = inputsAt(world, atom)
  if (!weights || !isWeighed(atom.aggregation)) return aggregate(atom.aggregation, daysAsOne(homes, inputsOf))
  const value = aggregateWeighed(atom.aggregation, homes.map(inputsOf), weights)
  return atom.kind === 'float' && value !== null ? toDouble(value as Dec | number) : value
}

/** Each row, but the days of one row with a double as one: thirty parts of a double add up to nearly that double only. */
const daysAsOne = (homes: readonly Row[], inputsOf: (row: Row) => Inputs): readonly Inputs[] =>
  [...groupBy(homes, (row) => row.share?.row ?? row).values()].flatMap((days) => {
    const { share, ...whole } = days[0]!
    const [value] = share ? inputsOf(whole) : []
    if (!share || typeof value !== 'number') return days.map(inputsOf)
    return [[days.length === share.of ? value : (value * days.length) / share.of]]
  })

function needed(reading: Reading, condition: Condition): Condition {
  const far = condition.roles.find((role) => locate(reading.world, reading.home, role) === undefined)
  return far ? refuse('NO_JOIN_PATH', `a measure filter on ${far.object} from ${reading.home}`) : condition
}

/** True for the rows that a count counts. */
export function isCounted(world: World, atom: Atom): (row: Row) => boolean {
  const inputs = inputsAt(world, atom)
  return (row) => !inputs(row).includes(null)
}

function inputsAt(world: World, atom: Atom): (row: Row) => Inputs {
  const float = (ref: Ref): boolean => columnOfRef(world, atom.home, ref).kind === 'float'
  const read = atom.facts
    ? (row: Row, ref: Ref): Value => row.values[ref.parts.join('.')]!
    : (row: Row, ref: Ref): Value => readRef(world, atom.home, row, ref)
  return (row) =>
    atom.inputs.map((node) =>
      partOf(
        ofClock(
          node,
          evaluateTyped(node, (ref) => read(row, ref), float),
          (ref) => columnOfRef(world, atom.home, ref).isInstant,
        ),
        row.share,
      ),
    )
}

export interface TupleRows {
  readonly tuple: readonly Value[]
  /** Each base row once, or once per connection. */
  readonly homes: readonly Row[]
  /** The weight of each of them, if a weighted bridge is read. */
  readonly weights?: readonly Value[]
}

export interface Counting {
  /** The rows are counted: they need a key if bridges are read. */
  readonly counted: boolean
  /** As in plain SQL: a row counts once per connection, and needs no key. */
  readonly fanOut: boolean
}

/** The base rows of each tuple of the selected dimensions, after every filter that applies. */
export function rowsByTuple(
  reading: Reading,
  where: readonly FilterJson[],
  own: readonly Condition[],
  { counted, fanOut }: Counting = { counted: true, fanOut: false },
  days?: (row: Row) => readonly Row[],
): { readonly rows: ReadonlyMap<string, TupleRows>; readonly applied: readonly Applies[] } {
  const { world, home, asked, grouped = asked } = reading
  const dimensions = grouped.map((a) => placed(reading, a.at(home)) ?? refuse('NO_JOIN_PATH', `${a.text} from ${home}`))
  const conjuncts = where.map((f) => placed(reading, whereCondition(reading, f)))
  if (where.some((f, i) => !('logic' in f) && f.shown && !conjuncts[i])) refuseUnshown(home)
  const conditions = [...conjuncts.filter((c) => c !== undefined), ...own.map((c) => placed(reading, c)!)]
  const bridges = new Set([...dimensions, ...conditions].flatMap((p) => p.places.flatMap((at) => at.bridge ?? [])))
  if (counted && !fanOut && bridges.size > 0 && world.things.get(home)!.key.length === 0) refuse('KEY_REQUIRED', home)
  const connectionsOf = connector(world, home, bridges)
  const weigh = fanOut ? undefined : weigher(world, weighed([...dimensions, ...conditions]))
  const rows = new Map<string, { tuple: readonly Value[]; homes: Row[]; weights?: Value[] }>()
  for (const row of homeRows(world, home, days)) {
    const surviving = connectionsOf(row).filter((c) => conditions.every((p) => p.read.holds(rowsAt(p.places, row, c)) === true))
    const tuples = surviving.map((c) => dimensions.map((d) => d.read.value(rowsAt(d.places, row, c))))
    const keyed = tuples.map((t) => [keyOfAll(t), t] as const)
    for (const [key, tuple] of fanOut ? keyed : new Map(keyed)) {
      const group = rows.get(key) ?? { tuple, homes: [], ...(weigh && { weights: [] }) }
      group.homes.push(row)
      group.weights?.push(weightOf(surviving.filter((_, i) => keyed[i]![0] === key).map(weigh!)))
      rows.set(key, group)
    }
  }
  return {
    rows,
    applied: conjuncts.map((c) => c !== undefined && (c.places.some((at) => isOtherFact(world, at)) ? 'through' : true)),
  }
}

/** Whether a conjunct applied, or applied only through the rows of another fact. */
export type Applies = boolean | 'through'

/** A bridge that is neither declared, nor the pairs of a many-to-many join, nor the elements of an array. */
function isOtherFact({ model }: World, { bridge }: Place): boolean {
  const object = bridge === undefined ? undefined : model.dataObjects[bridge]
  return object !== undefined && object.bridge !== true && object.nestedIn === undefined
}

/** The bridges from which a value is read. */
function weighed(all: readonly Placed<Field | Condition>[]): ReadonlySet<string> {
  return new Set(all.flatMap(({ read, places }) => places.flatMap((p, i) => (read.roles[i]!.isSubject ? [] : (p.bridge ?? [])))))
}

/** The sum of the weights of the connections of one row; connections through the same rows of weighted bridges count once. */
function weightOf(connections: readonly Weighed[]): Value {
  const each: Weighed[] = []
  for (const one of connections) if (!each.some((e) => e.rows.every((r, i) => r === one.rows[i]))) each.push(one)
  const known = each.map((e) => e.weight).filter((w) => w !== null)
  return known.length === 0 ? null : known.reduce<Value>(add, int(0))
}

interface Placed<T> {
  readonly read: T
  readonly places: readonly Place[]
}

/**
 * Undefined if a role is reachable neither directly nor by a bridge. An unreachable role takes precedence over an ambiguous one: a filter that
 * does not apply need not be unambiguous (decision 9).
 */
function locateAll(world: World, home: string, roles: readonly Role[]): readonly (Place | undefined)[] {
  let refusal: unknown
  const places: (Place | undefined)[] = []
  for (const role of roles) {
    try {
      places.push(locate(world, home, role))
    } catch (error) {
      refusal ??= error
    }
  }
  if (refusal !== undefined && !places.includes(undefined)) throw refusal
  return places
}

function placed<T extends Field | Condition>({ world, home }: Reading, read: T): Placed<T> | undefined {
  if ('readable' in read ? !read.readable : read.roles.length === 0) return undefined
  const places = locateAll(world, home, read.roles)
  return places.includes(undefined) ? undefined : { read, places: places as Place[] }
}

const rowsAt = (places: readonly Place[], home: Row, connection: Connection): (Row | null)[] =>
  places.map(({ bridge, steps }) => {
    const start = bridge === undefined ? home : (connection.get(bridge) ?? null)
    return start && follow(start, steps)
  })

const isCounting = (atom: Atom): boolean => isCount(canonicalAggregation(atom.aggregation.name))

/** The value for no rows. */
export const emptyValue = (atom: Atom): Value => (isCounting(atom) ? (atom.kind === 'float' ? 0 : int(0)) : null)
