import type { IntrospectedTable } from '../../execute/introspection.js'
import { firstOf } from '../../invariant.js'
import { formatDataType } from '../../model/data-type.js'
import { type DraftColumn, type DraftTable, draftTables, isRounded } from './draft.js'
import { modelFields } from './fields.js'
import { guessKeys } from './guess-keys.js'
import { guessLinks } from './guess-links.js'
import { type ModelObject, modelObjects, type ObjectJoin } from './objects.js'
import type { Key, Probe } from './structure.js'

/** A model document, and comments on some of its parts. */
export interface FirstModel {
  readonly document: object
  readonly notes: readonly Note[]
}

export interface Note {
  readonly path: readonly (string | number)[]
  readonly text: string
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
  const objects = modelObjects(drafts, structure)
  const dataObjects = Object.fromEntries(objects.map((object) => [object.label, dataObject(object, keys.get(object.table))]))
  const document = { version: 1, name, dataObjects, ...(await modelFields(objects, structure, probe)) }
  const leftOut = tables.filter((table) => !drafts.some((draft) => draft.table === table)).map((table) => table.name)
  const ofTables =
    leftOut.length > 0
      ? [{ path: ['dataObjects'], text: `left out, as no type of a model reads a column of them: ${leftOut.join(', ')}` }]
      : []
  return { document, notes: [...ofTables, ...objects.flatMap((object) => notesOf(object, keys.get(object.table)))] }
}

export type ConnectProbe = (tables: readonly DraftTable[]) => Probe

/** A data object as the model writes it, without keys and joins, which are not known yet. */
export function dataObject(object: Pick<ModelObject, 'table' | 'joins'>, key: Key | undefined): object {
  const { database, schema, name, comment } = object.table.table
  return {
    code: name,
    ...(database !== undefined && { database }),
    ...(schema !== undefined && { schema }),
    ...(comment !== undefined && { description: comment }),
    columns: Object.fromEntries(
      object.table.columns.map((column) => [column.label, columnOf(column, key?.columns.includes(column) === true)]),
    ),
    ...(object.joins.length > 0 && { joins: object.joins.map(joinOf) }),
  }
}

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
  const ofJoins = joins.flatMap(({ link }, i) =>
    link.evidence === undefined ? [] : [{ path: ['dataObjects', label, 'joins', i], text: `guessed ${link.evidence}` }],
  )
  return [...unreadOf(label, table), ...ofKey, ...ofJoins]
}

function unreadOf(label: string, { unread, columns }: DraftTable): readonly Note[] {
  const rounded = columns.filter(isRounded)
  const told = [
    ...(unread.length > 0 ? [`left out, as no type of a model reads them: ${listed(unread)}`] : []),
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
