import { entryOf } from '../../invariant.js'
import { isZoneName, zoneFault } from '../../time-zones/zone-names.js'
import { refusedSource } from '../author-rights.js'
import { canonical } from '../content-hash.js'
import { isNumeric } from '../data-type.js'
import type { DataObjectDocument, RefreshDocument } from '../document.js'
import type { Segments } from '../parse/locate.js'
import { durationSeconds, readRefresh } from '../refresh.js'
import type { Column, DataObject, Join, TableSource } from '../semantic-model.js'
import { readCalendar } from './calendar-tables.js'
import { readClosure } from './closures.js'
import { type Context, describedOf, entriesOf, knowsColumn } from './context.js'
import { isGenerated } from './generated-columns.js'
import type { NestedParts } from './nested.js'

/** Registers the objects and columns, before anything refers to them. */
export function* declareObjects(context: Context): Generator<undefined> {
  for (const [name, entry] of entriesOf(context.document.dataObjects)) {
    yield
    const columnNames = new Set(Object.keys(entry.columns ?? {}))
    context.objects.set(name, {
      broken: context.isBroken(['dataObjects', name]),
      columnNames,
      columns: new Map(),
      object: undefined,
    })
  }
}

/** Completes every object; columns and joins exist already. */
export function* readObjects(
  joins: ReadonlyMap<string, readonly Join[]>,
  nested: ReadonlyMap<string, NestedParts>,
  context: Context,
): Generator<undefined> {
  const contracts = new Map<string, { readonly object: string; readonly refresh: string }>()
  for (const [name, entry] of entriesOf(context.document.dataObjects)) {
    const segments = ['dataObjects', name]
    const draft = entryOf(context.objects, name)
    if (draft.broken) continue
    if (entry.code === undefined && entry.nestedIn === undefined && entry.closure === undefined && !isGenerated(entry))
      context.faults.error('SCHEMA_VALIDATION', segments, "'code' is missing", { onKey: true })
    if (entry.code !== undefined && STATEMENT.test(entry.code)) {
      const message = "This is a statement, not the name of a table; write it in parentheses: code: '(SELECT …)'"
      context.faults.error('SCHEMA_VALIDATION', [...segments, 'code'], message)
      continue
    }
    const source = readTable(entry)
    checkRights(source, [...segments, 'code'], context)
    checkBridge(name, entry, joins.get(name) ?? [], context)
    for (const [i, columns] of (entry.uniqueKeys ?? []).entries()) {
      for (const [n, column] of columns.entries())
        knowsColumn({ object: name, column }, [...segments, 'uniqueKeys', i, n], context)
    }
    if (entry.refresh) {
      checkRefresh(entry.refresh, [...segments, 'refresh'], context)
      checkContract({ object: name, source, refresh: entry.refresh }, contracts, context)
    }
    draft.object = makeObject({
      name,
      entry,
      source,
      columns: draft.columns,
      joins: joins.get(name) ?? [],
      nested: nested.get(name),
      closure: readClosure(name, entry, context),
      calendar:
        entry.calendar && readCalendar({ object: name, entry: entry.calendar, segments: [...segments, 'calendar'] }, context),
    })
    yield
  }
}

/** A name may begin with these words, too: `select rows` is a table. */
const STATEMENT = /^\s*(?:select\s[\s\S]*\sfrom\s|with\s[\s\S]*\sselect\s)/i

/** What a data object is made of. */
interface ObjectParts {
  readonly name: string
  readonly entry: DataObjectDocument
  readonly source: TableSource
  readonly columns: DataObject['columns']
  readonly joins: readonly Join[]
  readonly nested: NestedParts | undefined
  readonly calendar: DataObject['calendar']
  readonly closure: DataObject['closure']
}

function makeObject({ name, entry, source, columns, joins, nested, calendar, closure }: ObjectParts): DataObject {
  // The declared columns, in order, and after them arrays that are unnested without being declared.
  const names = new Set([...Object.keys(entry.columns ?? {}), ...columns.keys()])
  const ordered = new Map(
    [...names].flatMap((column) => (columns.has(column) ? [[column, entryOf(columns, column)] as const] : [])),
  )
  const key = nested?.key ?? [...ordered.values()].filter((column) => column.primaryKey)
  return {
    name,
    source,
    columns: new Map([...ordered, ...key.map((column) => [column.name, column] as const)]),
    key: key.map((column) => column.name),
    uniqueKeys: [...(entry.uniqueKeys ?? []), ...(calendar && !isKeyOf(calendar.key, key) ? [[calendar.key]] : [])],
    calendar,
    closure,
    joins,
    comment: entry.comment,
    countable: entry.countable ?? true,
    countLabel: entry.countLabel,
    refresh: entry.refresh && readRefresh(entry.refresh),
    bridge: entry.bridge ?? false,
    weight: entry.bridge ? entry.weight : undefined,
    nestedIn: nested && { dataObject: nested.join.to, column: entry.nestedIn!.column },
    ...describedOf(entry),
  }
}

/** A calendar has one row a day, so that its day is one of its keys. */
const isKeyOf = (column: string, key: readonly Column[]): boolean => key.length === 1 && key[0]?.name === column

/** A bridge associates two objects or more, a row with the elements of its array, or a row of a tree with those above it; its weight must be a number among its own columns. */
function checkBridge(name: string, entry: DataObjectDocument, joins: readonly Join[], context: Context): void {
  const segments = ['dataObjects', name]
  const bad = (key: string, message: string): void => context.faults.error('INVALID_BRIDGE', [...segments, key], message)
  if (!entry.bridge) {
    if (entry.weight !== undefined)
      bad('weight', `'${name}' has a weight but is not a bridge; add bridge: true, or remove the weight`)
    return
  }
  const sides = new Set(joins.filter((j) => !j.secondary && j.cardinality === 'many-to-one' && j.to !== name).map((j) => j.to))
  // The elements of an array associate the row that holds them with themselves: with what their own columns say. So do the pairs of a closure.
  const least = entry.nestedIn === undefined && entry.closure === undefined ? 2 : 1
  if (sides.size < least) {
    const found = sides.size === 0 ? 'none' : `one, to '${[...sides][0]}'`
    bad('bridge', `A bridge has many-to-one joins to the objects that it associates, at least two; '${name}' has ${found}`)
  }
  if (entry.weight === undefined || !knowsColumn({ object: name, column: entry.weight }, [...segments, 'weight'], context)) return
  const { type } = entryOf(context.objects, name).columns.get(entry.weight) ?? {}
  if (type && !isNumeric(type)) bad('weight', `'${entry.weight}' is ${type.kind}; a weight is a number`)
}

function readTable(entry: DataObjectDocument): TableSource {
  if (isGenerated(entry)) return { kind: 'days' }
  if (entry.closure) return { kind: 'closure' }
  // The rows of a nested object are elements of a column, so its code is ignored.
  const given = entry.code ?? entry.nestedIn?.column ?? ''
  const code = given.trim()
  if (code.startsWith('(') && code.endsWith(')')) return { kind: 'sql', sql: code.slice(1, -1).trim() }
  return { kind: 'table', database: entry.database, schema: entry.schema, name: given }
}

function checkRights(source: TableSource, segments: Segments, { rights, faults }: Context): void {
  const refused = rights && refusedSource(source, rights)
  if (refused) faults.error('MODEL_SQL_DENIED', segments, refused.message, { hint: refused.hint })
}

function checkRefresh(refresh: RefreshDocument, segments: Segments, context: Context): void {
  const bad = (key: string, message: string): void => context.faults.error('REFRESH_PARSE_ERROR', [...segments, key], message)
  const own: Readonly<Record<string, readonly string[]>> = {
    interval: ['interval', 'anchor', 'timezone'],
    heartbeat: ['maxStaleness'],
    static: [],
  }
  for (const key of Object.keys(refresh)) {
    if (key !== 'mode' && !own[refresh.mode]!.includes(key)) bad(key, `'${key}' does not belong to mode ${refresh.mode}`)
  }
  if (refresh.mode === 'interval' && refresh.interval === undefined) bad('mode', "Mode interval needs 'interval', such as 1h")
  for (const key of ['interval', 'maxStaleness'] as const) {
    const value = refresh[key]
    if (value !== undefined && !durationSeconds(value))
      bad(key, `'${value.slice(0, 40)}' is not a length of time such as 15m, 1h or 1d`)
  }
  if (refresh.anchor !== undefined && !/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(refresh.anchor))
    bad('anchor', `'${refresh.anchor.slice(0, 40)}' is not a time of day HH:MM`)
  if (refresh.timezone !== undefined && !isZoneName(refresh.timezone)) bad('timezone', zoneFault(refresh.timezone))
}

/** How often a table is loaded, as one object says it. */
interface Contract {
  readonly object: string
  readonly source: TableSource
  readonly refresh: RefreshDocument
}

function checkContract(
  { object, source, refresh }: Contract,
  contracts: Map<string, { readonly object: string; readonly refresh: string }>,
  context: Context,
): void {
  if (source.kind !== 'table') return
  const table = [source.database ?? '', source.schema ?? '', source.name].join('.').toLowerCase()
  const known = contracts.get(table)
  if (!known) contracts.set(table, { object, refresh: canonical(refresh) })
  else if (known.refresh !== canonical(refresh)) {
    const message = `'${object}' and '${known.object}' read one table and declare different refresh contracts`
    context.faults.error('SHARED_TABLE_CONTRACT_DISAGREEMENT', ['dataObjects', object, 'refresh'], message)
  }
}
