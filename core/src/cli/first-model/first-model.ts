import type { IntrospectedTable } from '../../execute/introspection.js'
import { firstOf } from '../../invariant.js'
import { formatDataType } from '../../model/data-type.js'
import { calendarOf, type FoundCalendar } from './calendars.js'
import { isOfChange } from './column-use.js'
import { type DraftColumn, type DraftTable, draftTables, isRounded } from './draft.js'
import { modelFields } from './fields.js'
import { guessKeys } from './guess-keys.js'
import { guessLinks } from './guess-links.js'
import type { ModelObject, ObjectJoin } from './model-object.js'
import type { Note } from './note.js'
import { modelObjects } from './objects.js'
import type { Key, Probe, Structure } from './structure.js'

/** A model document, and comments on some of its parts. */
export interface FirstModel {
  readonly document: FirstDocument
  readonly notes: readonly Note[]
  /** Measures that neither names nor data decide, as lines of YAML. */
  readonly unsure: readonly string[]
}

export interface FirstDocument {
  readonly version: number
  readonly name: string
  readonly dataObjects: Readonly<Record<string, object>>
  readonly dimensions: Readonly<Record<string, object>>
  readonly measures: Readonly<Record<string, object>>
  readonly examples?: readonly object[]
  readonly decisions?: readonly object[]
}

/**
 * A first model of the tables of a database: keys and joins that it declares, or that names suggest and the data confirm; a first set of
 * dimensions and measures. Each guess has a note with its reason.
 */
export async function firstModel(name: string, tables: readonly IntrospectedTable[], connect: ConnectProbe): Promise<FirstModel> {
  const drafts = draftTables(tables)
  const probe = connect(drafts)
  const keys = await guessKeys(drafts, probe)
  const structure = { keys, links: await guessLinks(drafts, keys, probe) }
  const objects = await modelObjects(drafts, structure, probe)
  const { dimensions, measures, columns, notes, unsure } = await modelFields(objects, structure, probe)
  const calendars = await calendarsOf(drafts, structure, probe)
  const dataObjects = Object.fromEntries(
    objects.map((object) => {
      const key = keys.get(object.table)
      const own = dataObject(object, key, columns.get(object))
      const calendar = calendars.get(object.table)?.calendar
      return [
        object.label,
        {
          ...own,
          ...(calendar && { calendar }),
          ...countOf(object, objects),
          ...(isBridge(object, key, structure) && { bridge: true }),
        },
      ]
    }),
  )
  const document = { version: 1, name, dataObjects, dimensions, measures }
  const leftOut = tables.filter((table) => !drafts.some((draft) => draft.table === table)).map((table) => table.name)
  const ofTables =
    leftOut.length > 0
      ? [{ path: ['dataObjects'], text: `skipped, because no column has a type that a model can read: ${leftOut.join(', ')}` }]
      : []
  const ofObjects = objects.flatMap((object) => [
    ...notesOf(object, keys.get(object.table)),
    ...calendarNote(object, calendars.get(object.table)),
  ])
  return { document, notes: [...ofTables, ...ofObjects, ...notes], unsure }
}

async function calendarsOf(
  tables: readonly DraftTable[],
  structure: Structure,
  probe: Probe,
): Promise<ReadonlyMap<DraftTable, FoundCalendar>> {
  const found = new Map<DraftTable, FoundCalendar>()
  for (const table of tables) {
    const calendar = await calendarOf(table, structure, probe)
    if (calendar) found.set(table, calendar)
  }
  return found
}

const calendarNote = ({ label }: ModelObject, found: FoundCalendar | undefined): readonly Note[] =>
  found ? [{ path: ['dataObjects', label, 'calendar'], text: `guessed calendar: ${found.evidence}` }] : []

export type ConnectProbe = (tables: readonly DraftTable[]) => Probe

/** A data object as the model writes it, without keys and joins, which are not known yet. */
export function dataObject(
  object: { readonly table: DraftTable; readonly joins: readonly ObjectJoin[] },
  key: Key | undefined,
  more: Readonly<Record<string, object>> = {},
): object {
  const { database, schema, name, comment } = object.table.table
  return {
    code: name,
    ...(database !== undefined && { database }),
    ...(schema !== undefined && { schema }),
    ...(comment !== undefined && { description: comment }),
    columns: {
      ...Object.fromEntries(
        object.table.columns.map((column) => [column.label, columnOf(column, key?.columns.includes(column) === true)]),
      ),
      ...more,
    },
    ...(object.joins.length > 0 && { joins: object.joins.map(joinOf) }),
  }
}

/** The rows of a table are counted once, whatever its roles. */
function countOf({ label, table, role }: ModelObject, objects: readonly ModelObject[]): object {
  const [counted] = objects.filter((other) => other.table === table).toSorted((a, b) => a.role.length - b.role.length)
  if (counted?.label !== label) return { countable: false }
  return role.length === 0 ? {} : { countLabel: `${table.label} Count` }
}

/** A table of references alone, apart from the time of a change: each of its rows connects two others. */
function isBridge({ table }: ModelObject, key: Key | undefined, { links }: Structure): boolean {
  const own = links.filter(({ from }) => from === table)
  const referring = own.flatMap(({ columnsFrom }) => columnsFrom)
  const others = table.columns.filter((column) => !referring.includes(column) && !isOfChange(column) && !isPlainKey(column, key))
  const isLed = links.some(({ to }) => to === table)
  return (
    own.length === 2 && new Set(own.map(({ to }) => to)).size === 2 && others.length === 0 && !isLed && table.unread.length === 0
  )
}

/** A number that only identifies the row of the bridge. */
const isPlainKey = (column: DraftColumn, key: Key | undefined): boolean => key?.columns.length === 1 && key.columns[0] === column

function columnOf({ name, type, comment }: DraftColumn, isKey: boolean): object {
  return {
    code: name,
    // A type that the model does not have becomes text.
    abstractType: type === undefined ? 'string' : type.kind === 'decimal' ? 'float' : type.kind,
    ...(type?.kind === 'decimal' && { sqlType: formatDataType(type) }),
    ...(isKey && { primaryKey: true }),
    ...(comment !== undefined && { description: comment }),
  }
}

function joinOf({ link, to, pathName }: ObjectJoin): object {
  return {
    joinType: link.oneToOne ? 'one-to-one' : 'many-to-one',
    joinTo: to.label,
    columnsFrom: link.columnsFrom.map(({ label }) => label),
    columnsTo: link.columnsTo.map(({ label }) => label),
    ...(link.foreignKey === true && { foreignKey: true }),
    ...(pathName !== undefined && { secondary: true, pathName }),
  }
}

function notesOf({ label, table, joins }: ModelObject, key: Key | undefined): readonly Note[] {
  const ofKey =
    key?.evidence === undefined
      ? []
      : [{ path: ['dataObjects', label, 'columns', firstOf(key.columns).label], text: `guessed key: ${key.evidence}` }]
  const ofJoins = joins.flatMap(({ link, why }, i) => {
    const reasons = [link.evidence, why].filter((reason) => reason !== undefined)
    return reasons.length === 0 ? [] : [{ path: ['dataObjects', label, 'joins', i], text: `guessed ${reasons.join('; ')}` }]
  })
  return [...unreadOf(label, table), ...ofKey, ...ofJoins]
}

function unreadOf(label: string, { unread, secret, columns }: DraftTable): readonly Note[] {
  const rounded = columns.filter(isRounded)
  const told = [
    ...(secret.length > 0 ? [`left out, as they are secrets by their names: ${listed(secret)}`] : []),
    ...(unread.length > 0 ? [`skipped, because a model cannot read their types: ${listed(unread)}`] : []),
    ...(rounded.length > 0
      ? [
          `read as doubles, as 38 digits may not hold them: ${listed(rounded)}; for exact sums declare their digits, as in sqlType: decimal(18,2)`,
        ]
      : []),
  ]
  return told.length === 0 ? [] : [{ path: ['dataObjects', label, 'columns'], text: told.join('\n') }]
}

const listed = (columns: readonly { readonly name: string; readonly sqlType: string }[]): string =>
  columns.map(({ name, sqlType }) => `${name} (${sqlType})`).join(', ')
