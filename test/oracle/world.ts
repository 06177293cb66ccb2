/** The rows of a case with types, and the joins between them: the basis of every definition of the oracle. */
import { asOf } from './as-of.js'
import { parseDay, parseMoment, type WeekStart } from './calendar.js'
import { during, type ReadStored } from './during.js'
import { type Existence, foundRows } from './existence.js'
import { evaluateTyped, type Node, parseExpression, type Ref, refsOf } from './expressions.js'
import type { Asked } from './fields.js'
import { groupBy } from './group-by.js'
import { type MeasuredJson, measuredColumn, measuredValue, measuredValues } from './measured.js'
import type {
  AsOfJson,
  Cell,
  ColumnJson,
  DuringJson,
  FilterJson,
  JoinJson,
  ModelJson,
  ObjectJson,
  PlainRow,
  QueryJson,
  Tables,
  WindowedJson,
} from './model.js'
import { everyPath, follow, path, reaches } from './paths.js'
import { refuse } from './refusal.js'
import { staticConditionsOf } from './static-filters.js'
import { type Storage, storageOf } from './storage.js'
import { asLocal } from './time-functions.js'
import { Day, Dec, int, keyOfAll, Moment, parseDec, type Value } from './values.js'
import { windowedValue, windowedValues } from './windowed.js'
import { type Clocks, shownBy, wallOf } from './zones.js'

export interface Row {
  readonly values: Readonly<Record<string, Value>>
  /** What is stored, for joins that read it by clocks of their own. */
  readonly plain?: PlainRow
  /** For a day of a period of coarse data: which one it is, of how many. */
  readonly share?: { readonly day: number; readonly of: number; readonly row: Row }
}

export type Kind = 'string' | 'boolean' | 'int' | 'decimal' | 'float' | 'date' | 'timestamp'

export interface Column {
  readonly kind: Kind
  readonly storage?: Storage | undefined
  /** A timestamp with zone. */
  readonly isInstant: boolean
  readonly expression: Node | undefined
  /** A measure of the rows that belong to a row. */
  readonly measured?: { readonly measure: string; readonly grain?: string; readonly pins: Pins }
  /** Whether a row of an object that meets conditions connects. */
  readonly exists?: Existence
  /** A window function over the rows of the object. */
  readonly windowed?: WindowedJson
}

export interface Thing {
  readonly name: string
  readonly columns: ReadonlyMap<string, Column>
  readonly key: readonly string[]
  readonly rows: readonly Row[]
  /** The two ends of a many-to-many join, if this is its virtual bridge. */
  readonly ends?: readonly [string, string]
}

/** A forward step: every row on the left matches at most one row on the right. */
export interface Edge {
  readonly from: string
  readonly to: string
  readonly required: boolean
  /** False for the reverse of a one-to-one join. */
  readonly declared: boolean
  readonly oneToOne: boolean
  readonly match: (row: Row) => Row | null
}

/** A step in any direction, for `exists`. */
export interface Link {
  readonly from: string
  readonly to: string
  readonly pathName: string | undefined
  readonly secondary: boolean
  readonly match: (row: Row) => readonly Row[]
  /** For a join that finds the row of a time: the side of which one is found. */
  readonly finds?: 'from' | 'to'
}

export interface World {
  readonly model: ModelJson
  readonly weekStart: WeekStart
  readonly calendars: ModelJson['calendars']
  readonly clocks: Clocks
  readonly things: ReadonlyMap<string, Thing>
  /** Forward joins of an object that the query may use. */
  readonly edges: ReadonlyMap<string, readonly Edge[]>
  /** Every join in any direction, secondary ones included. */
  readonly links: readonly Link[]
  /** The fields that the query reads, if they determine the kinds of weighted values. */
  readonly asks?: { readonly dimensions: readonly Asked[]; readonly where: readonly FilterJson[]; readonly now: Date }
  readonly memo: Map<string, unknown>
  /** The same rows for a query with other pins. */
  readonly with: (pins: Pins) => World
}

type Pins = NonNullable<QueryJson['use_path_names']>

let latest: { readonly model: ModelJson; readonly tables: Tables; readonly worlds: Map<string, World> } | undefined

/** The same for every query with these pins, as long as the model and its rows are the same objects. */
export function worldOf(model: ModelJson, tables: Tables, { use_path_names: pins = [], timezone }: QueryJson): World {
  if (latest?.model !== model || latest.tables !== tables) latest = { model, tables, worlds: new Map() }
  const key = JSON.stringify([pins, timezone])
  const world =
    latest.worlds.get(key) ??
    buildWorld(model, tables, pins, {
      clocks: clocksOf(model, timezone),
      again: (others) =>
        worldOf(model, tables, { select: {}, use_path_names: others, ...(timezone !== undefined && { timezone }) }),
    })
  latest.worlds.set(key, world)
  return world
}

/** Timestamps without zone are converted only if a zone is requested and theirs is known and different. */
function clocksOf({ settings = {} }: ModelJson, timezone: string | undefined): Clocks {
  const asked = timezone ?? settings.queryTimezone
  const { defaultTimezone: written } = settings
  return {
    zone: asked ?? 'UTC',
    naive: asked === undefined || asked === written ? undefined : written,
    written,
  }
}

interface Around {
  readonly clocks: Clocks
  readonly again: World['with']
}

function buildWorld(model: ModelJson, tables: Tables, pins: Pins, { clocks, again }: Around): World {
  const columnsOf = (object: ObjectJson): Thing['columns'] =>
    new Map(Object.entries(object.columns).map(([n, c]) => [n, isMeasured(c) ? measuredColumn(() => world, c) : columnFrom(c)]))
  const declared = Object.entries(model.dataObjects).map(([name, object]) =>
    thingOf(name, object, columnsOf(object), { rows: tables[name] ?? [], clocks }),
  )
  const things = new Map(declared.map((t) => [t.name, t]))
  const joins = Object.entries(model.dataObjects).flatMap(([from, o]) => (o.joins ?? []).map((join) => ({ from, join })))
  const inPlay = pinned(joins, pins)
  const edges = new Map<string, Edge[]>()
  const put = (edge: Edge): void => void edges.set(edge.from, [...(edges.get(edge.from) ?? []), edge])
  inPlay.forEach(({ from, join }, i) => {
    if (join.joinType === 'many-to-many') addVirtualBridge({ things, put, clocks }, from, join, i)
    else forwardEdges({ things, clocks, world: () => world }, from, join).forEach(put)
  })
  const links = joins.flatMap(({ from, join }) =>
    linksOf(
      { things, clocks, world: () => world },
      from,
      join,
      inPlay.some((p) => p.from === from && p.join === join),
    ),
  )
  const world: World = {
    model,
    weekStart: model.settings?.weekStart ?? 'monday',
    calendars: model.calendars,
    clocks,
    things,
    edges,
    links,
    memo: new Map(),
    with: again,
  }
  return world
}

interface Declared {
  readonly from: string
  readonly join: JoinJson
}

/** Primary joins, each pinned pair replaced by the named join. */
function pinned(joins: readonly Declared[], pins: Pins): Declared[] {
  const chosen = pins.map((pin) => {
    const found = joins.find((j) => j.from === pin.source && j.join.joinTo === pin.target && j.join.pathName === pin.path_name)
    if (found && pin.source === pin.target) refuse('SELF_JOIN', `${pin.source} joins itself`)
    return found ?? refuse('UNKNOWN_PATH_NAME', `${pin.source} → ${pin.target} has no path ${pin.path_name}`)
  })
  const isPinnedPair = (j: Declared): boolean => chosen.some((c) => c.from === j.from && c.join.joinTo === j.join.joinTo)
  return joins.filter((j) => (isPinnedPair(j) ? chosen.includes(j) : j.join.secondary !== true))
}

interface Joined {
  readonly things: ReadonlyMap<string, Thing>
  readonly clocks: Clocks
}

function forwardEdges({ things, clocks, world }: Joined & { readonly world: () => World }, from: string, join: JoinJson): Edge[] {
  const oneToOne = join.joinType === 'one-to-one'
  const [left, right] = [things.get(from)!, things.get(join.joinTo)!]
  if (isOverTime(join) || isAsOf(join)) {
    const match = matchesOne(join, { left, right, clocks }, world)
    return [{ from, to: join.joinTo, required: join.required === true, declared: true, oneToOne, match }]
  }
  const there: Edge = {
    from,
    to: join.joinTo,
    required: join.required === true,
    declared: true,
    oneToOne,
    match: firstMatch(right, join.columnsTo, join.columnsFrom),
  }
  if (!oneToOne) return [there]
  return [
    there,
    {
      ...there,
      from: join.joinTo,
      to: from,
      required: false,
      declared: false,
      match: firstMatch(left, join.columnsFrom, join.columnsTo),
    },
  ]
}

/** The row of a time. The model's filters on the target, and on what it reaches, choose the rows that may match; those of a query test the row that does. */
function matchesOne(join: JoinJson, { left, right, clocks }: Ends, world: () => World): Edge['match'] {
  const sides = { left, right, world: { clocks }, read: readStored }
  const one = isAsOf(join) ? asOf(join, sides) : isOverTime(join) ? during(join, sides).one : () => null
  const equal = allEqual(right, join.columnsTo, join.columnsFrom)
  return remembered((row) =>
    one(
      row,
      equal(row).filter((target) => isCandidate(world(), join.joinTo, target)),
    ),
  )
}

const isCandidate = (world: World, object: string, row: Row): boolean =>
  staticConditionsOf(world).every(
    ({ on, holds }) =>
      !reaches(world, object, on) || everyPath(world, object, on).every((steps) => holds(follow(row, steps)) === true),
  )

/** Each row finds the same row every time. */
function remembered(match: Edge['match']): Edge['match'] {
  const known = new Map<Row, Row | null>()
  return (row) => {
    const found = known.get(row)
    if (found !== undefined) return found
    const target = match(row)
    known.set(row, target)
    return target
  }
}

function addVirtualBridge(
  { things, put, clocks }: { readonly things: Map<string, Thing>; readonly put: (edge: Edge) => void; readonly clocks: Clocks },
  from: string,
  join: JoinJson,
  index: number,
): void {
  const [a, b] = [things.get(from)!, things.get(join.joinTo)!]
  const pairsOf = matchesOf(join, { left: a, right: b, clocks })
  const ends = new Map<Row, readonly [Row, Row]>()
  for (const left of a.rows) for (const right of pairsOf(left)) ends.set({ values: {} }, [left, right])
  const name = `${from}⋈${join.joinTo}#${index}`
  const key = a.key.length > 0 && b.key.length > 0 ? ['(pair)'] : []
  things.set(name, { name, columns: new Map(), key, rows: [...ends.keys()], ends: [from, join.joinTo] })
  const side = { from: name, required: false, declared: true, oneToOne: false }
  put({ ...side, to: from, match: (row) => ends.get(row)![0] })
  put({ ...side, to: join.joinTo, match: (row) => ends.get(row)![1] })
}

function linksOf(
  { things, clocks, world }: Joined & { readonly world: () => World },
  from: string,
  join: JoinJson,
  inPlay: boolean,
): Link[] {
  const [left, right] = [things.get(from)!, things.get(join.joinTo)!]
  const shared = { pathName: join.pathName, secondary: !inPlay }
  if (isAsOf(join)) return nearestLinks(join, { left, right, clocks }, { ...shared, from, world })
  return [
    { ...shared, from, to: join.joinTo, match: matchesOf(join, { left, right, clocks }) },
    { ...shared, from: join.joinTo, to: from, match: matchesBack(join, { left, right, clocks }) },
  ]
}

/** A row there is linked to the rows here that find it. */
function nearestLinks(
  join: JoinJson,
  ends: Ends,
  { world, ...shared }: Omit<Link, 'to' | 'match'> & { readonly world: () => World },
): Link[] {
  const match = matchesOne(join, ends, world)
  const found = (row: Row): readonly Row[] => {
    const target = match(row)
    return target === null ? [] : [target]
  }
  return [
    { ...shared, to: join.joinTo, match: found, finds: 'to' },
    {
      ...shared,
      from: join.joinTo,
      to: shared.from,
      match: (target) => ends.left.rows.filter((row) => match(row) === target),
      finds: 'from',
    },
  ]
}

const isAsOf = (join: JoinJson): join is JoinJson & { readonly asOf: AsOfJson } => join.asOf !== undefined

const isOverTime = (join: JoinJson): join is JoinJson & { readonly during: DuringJson } => join.during !== undefined

interface Ends {
  readonly left: Thing
  readonly right: Thing
  readonly clocks: Clocks
}

function matchesOf(join: JoinJson, { left, right, clocks }: Ends): Link['match'] {
  if (!isOverTime(join)) return allMatches(right, join.columnsTo, join.columnsFrom)
  const { all } = during(join, { left, right, world: { clocks }, read: readStored })
  const equal = allEqual(right, join.columnsTo, join.columnsFrom)
  return (row) => equal(row).filter((target) => all(row, target))
}

function matchesBack(join: JoinJson, { left, right, clocks }: Ends): Link['match'] {
  if (!isOverTime(join)) return allMatches(left, join.columnsFrom, join.columnsTo)
  const { all } = during(join, { left, right, world: { clocks }, read: readStored })
  const equal = allEqual(left, join.columnsFrom, join.columnsTo)
  return (row) => equal(row).filter((source) => all(source, row))
}

/** With no columns, every row. */
const allEqual = (target: Thing, columns: readonly string[], own: readonly string[]): Link['match'] =>
  columns.length === 0 ? () => target.rows : allMatches(target, columns, own)

function allMatches(
  target: Thing,
  targetColumns: readonly string[],
  ownColumns: readonly string[],
): (row: Row) => readonly Row[] {
  let index: Map<string, Row[]> | undefined
  return (row) => {
    index ??= groupBy(
      target.rows.filter((r) => linkValues(r, targetColumns) !== null),
      (r) => keyOfAll(linkValues(r, targetColumns)!),
    )
    const own = linkValues(row, ownColumns)
    return own === null ? [] : (index.get(keyOfAll(own)) ?? [])
  }
}

function firstMatch(target: Thing, targetColumns: readonly string[], ownColumns: readonly string[]): (row: Row) => Row | null {
  const matches = allMatches(target, targetColumns, ownColumns)
  return (row) => matches(row)[0] ?? null
}

/** Null if any column of the join is NULL: it matches nothing. */
function linkValues(row: Row, columns: readonly string[]): Value[] | null {
  const values = columns.map((c) => row.values[c] as Value)
  return values.includes(null) ? null : values
}

/** The value of a column of `object` in one of its rows; NULL for an absent row, computed columns included. */
export function readColumn(world: World, object: string, row: Row | null, column: string): Value {
  const definition = columnOf(world, object, column)
  if (row === null) return null
  if (definition.measured) return measuredValue(world, object, row, column)
  if (definition.exists) return foundRows(world, object, column)(row)
  if (definition.windowed) return windowedValue(world, object, row, column)
  if (!definition.expression) return row.values[column] as Value
  const typed = evaluateTyped(
    definition.expression,
    (ref) => readRef(world, object, row, ref),
    (ref) => columnOfRef(world, object, ref).kind === 'float',
  )
  if (definition.kind === 'float' && typed instanceof Dec) return Number(typed.unscaled) / 10 ** typed.scale
  return definition.isInstant || definition.expression.kind === 'ref' ? typed : asLocal(typed)
}

/** A reference inside an expression that is evaluated on a row of `object`. */
export function readRef(world: World, object: string, row: Row | null, ref: Ref): Value {
  if (ref.parts.length === 1) return readColumn(world, object, row, ref.parts[0]!)
  const [target, column] = ref.parts as [string, string]
  return readColumn(world, target, row && follow(row, path(world, object, target)), column)
}

/** Refuses, for any rows, an expression on rows of `object` that reads a field by no path or by several. */
export function checkPaths(world: World, object: string, node: Node): void {
  for (const ref of refsOf(node)) {
    const target = ref.parts.length === 1 ? object : ref.parts[0]!
    path(world, object, target)
    const { expression, measured, exists, windowed } = columnOfRef(world, object, ref)
    if (measured) measuredValues(world, target, ref.parts.at(-1)!)
    if (exists) foundRows(world, target, ref.parts.at(-1)!)
    if (windowed) windowedValues(world, target, ref.parts.at(-1)!)
    if (expression) checkPaths(world, target, expression)
  }
}

export function columnOf(world: World, object: string, column: string): Column {
  const thing = world.things.get(object) ?? refuse('UNKNOWN_DATA_OBJECT', object)
  return thing.columns.get(column) ?? refuse('UNKNOWN_COLUMN', `${object}.${column}`)
}

export function columnOfRef(world: World, object: string, ref: Ref): Column {
  return ref.parts.length === 1 ? columnOf(world, object, ref.parts[0]!) : columnOf(world, ref.parts[0]!, ref.parts[1]!)
}

const isMeasured = (column: ColumnJson): column is MeasuredJson => column.measure !== undefined

interface Stored {
  readonly rows: readonly PlainRow[]
  readonly clocks: Clocks
}

function thingOf(name: string, object: ObjectJson, columns: Thing['columns'], { rows, clocks }: Stored): Thing {
  const key = Object.entries(object.columns).flatMap(([n, c]) => (c.primaryKey ? [n] : []))
  const typed = rows.map((r) => typedRow(columns, r, clocks))
  return { name, columns, key, rows: typed.map((row) => withDays(object, columns, row)) }
}

/** With the values of computed columns by which it joins a calendar: the days of times. */
function withDays({ joins = [] }: ObjectJson, columns: Thing['columns'], { values, plain }: Row): Row {
  const computed = joins.flatMap((j) => j.columnsFrom).filter((c) => columns.get(c)?.expression)
  if (computed.length === 0) return { values, plain: plain! }
  const day = (c: string): Value =>
    evaluateTyped(
      columns.get(c)!.expression!,
      (ref) => values[ref.parts[0]!]!,
      () => false,
    )
  return { values: { ...values, ...Object.fromEntries(computed.map((c) => [c, day(c)])) }, plain: plain! }
}

const columnFrom = (c: ColumnJson): Column => ({
  kind: kindOf(c),
  storage: storageOf(c)?.storage,
  isInstant: c.abstractType === 'timestamp_tz',
  expression: c.expression === undefined ? undefined : parseExpression(c.expression),
  ...(c.exists !== undefined && {
    exists: { target: c.exists, pathName: c.pathName, filters: c.filters ?? [] },
  }),
  ...(c.window !== undefined && { windowed: c.window }),
})

export function kindOf(column: { readonly abstractType: string; readonly sqlType?: string }): Kind {
  if (column.abstractType === 'float' && /^(decimal|numeric)/i.test(column.sqlType ?? '')) return 'decimal'
  return column.abstractType === 'timestamp_tz' ? 'timestamp' : (column.abstractType as Kind)
}

function typedRow(columns: ReadonlyMap<string, Column>, plain: PlainRow, clocks: Clocks): Row {
  const stored = [...columns].filter(([, c]) => !c.expression && !c.measured && !c.exists && !c.windowed)
  const read = (name: string, c: Column): Value => shownBy(clocks, readAs(c, (plain[name] ?? null) as Cell, clocks), c.isInstant)
  return { values: Object.fromEntries(stored.map(([name, c]) => [name, read(name, c)])), plain }
}

const readStored: ReadStored = ({ columns }, { plain }, name, clocks) => {
  const column = columns.get(name)!
  return shownBy(clocks, readAs(column, (plain?.[name] ?? null) as Cell, clocks), column.isInstant)
}

/**
 * A timestamp that is declared as a date is its day, an instant in the zone of the query; one that is declared without a zone is a local
 * time.
 */
function readAs({ kind, storage }: Column, plain: Cell, { zone, written = 'UTC' }: Clocks): Value {
  if (plain === null || (storage !== 'moment' && storage !== 'instant')) return typedValue(kind, plain)
  const { micros } = typedValue('timestamp', plain) as Moment
  const shown = storage === 'moment' ? micros : wallOf(micros, kind === 'date' ? zone : written)
  return kind === 'date' ? new Day(Math.floor(shown / 86_400_000_000)) : new Moment(shown)
}

/** A plain value as a value of `kind`; throws if it is not one. */
export function typedValue(kind: Kind, plain: Cell): Value {
  if (plain === null) return null
  const value = TYPED[kind](plain)
  if (value === undefined) throw new Error(`${plain} is no ${kind}`)
  return value
}

const TYPED: Readonly<Record<Kind, (plain: string | number | boolean) => Value | undefined>> = {
  string: String,
  boolean: Boolean,
  int: (plain) => int(Number(plain)),
  decimal: (plain) => parseDec(String(plain)),
  float: Number,
  date: (plain) => parseDay(String(plain)),
  timestamp: (plain) => parseMoment(String(plain)),
}
