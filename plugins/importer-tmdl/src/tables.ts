/** Tables → data objects with their columns, and how DAX finds them. */
import { type Draft, type Entry, LeftOut, type Part, tableOf } from '@grainline/importer-dbt/foreign'
import type { Kind } from './dax/kind.js'
import { isOn } from './keys.js'
import { tableIn } from './m-source.js'
import { type ColumnTypes, DAY, keepsValues } from './m-types.js'

/** A column, as expressions read it. */
export interface TmdlColumn {
  readonly table: string
  readonly name: string
  readonly kind: Kind
  readonly isNeverBlank: boolean
}

export interface TmdlTable {
  readonly name: string
  readonly part: Part
  readonly entry: Entry
  readonly columns: Record<string, Entry>
  /** By their names in capitals: DAX ignores case. */
  readonly known: Map<string, TmdlColumn>
}

/** The tables that are in the model, by their names in capitals. */
export class Tables {
  readonly all = new Map<string, TmdlTable>()
  /** The paths of files, by the names of the tables that they become, in capitals. */
  readonly files = new Map<string, string>()

  named(name: string): TmdlTable {
    const table = this.all.get(name.toUpperCase())
    if (!table) throw new LeftOut(`the table '${name}' is not in the model`)
    return table
  }

  column(table: string, name: string): TmdlColumn {
    const owner = this.named(table)
    const column = owner.known.get(name.toUpperCase())
    if (!column) throw new LeftOut(`'${owner.name}'[${name}] is no column of the model`)
    return column
  }

  /** The tables of which a row of a table has at most one, and itself. */
  reachedFrom(name: string): ReadonlySet<string> {
    const reached = new Set([name])
    for (const each of reached)
      for (const { joinTo, joinType, secondary } of joinsFrom(this.named(each)))
        if (typeof joinTo === 'string' && secondary !== true && joinType !== 'many-to-many') reached.add(joinTo)
    return reached
  }
}

export const joinsFrom = ({ entry }: TmdlTable): readonly Entry[] => (entry['joins'] as readonly Entry[] | undefined) ?? []

const TYPES: Readonly<Record<string, { readonly column: Entry; readonly kind: Kind }>> = {
  string: { column: { abstractType: 'string' }, kind: 'text' },
  int64: { column: { abstractType: 'int' }, kind: 'number' },
  double: { column: { abstractType: 'float' }, kind: 'number' },
  decimal: { column: { abstractType: 'float', sqlType: 'DECIMAL(19, 4)' }, kind: 'number' },
  boolean: { column: { abstractType: 'boolean' }, kind: 'boolean' },
  dateTime: { column: { abstractType: 'timestamp' }, kind: 'time' },
}

/** Read as a text, unless a database says another type. */
const UNTYPED: { readonly column: Entry; readonly kind: Kind } = { column: {}, kind: 'text' }

/** A name that expressions of the model can say. */
export function plainName(part: Part): string {
  const name = part.needed('name')
  if (/[[\]{}]/.test(name) || name === '__proto__')
    throw new LeftOut(`'${name}' is no name here`, part.place, 'Rename it without brackets.')
  return name
}

/** Adds the data object of a table, with the columns that its source has. */
export function addTable(part: Part, texts: ReadonlyMap<string, string>, tables: Tables, draft: Draft): void {
  const name = plainName(part)
  const columns: Record<string, Entry> = {}
  const { renamed, types, ...source } = sourceOf(part, name, { texts, files: tables.files }, draft)
  const description = part.text('description')
  const entry: Entry = { ...source, ...(description && { description }), countable: false, columns }
  draft.add('dataObjects', name, entry, part.place)
  const table: TmdlTable = { name, part, entry, columns, known: new Map() }
  tables.all.set(name.toUpperCase(), table)
  for (const column of part.parts('column'))
    if (!column.has('value'))
      draft.attemptNow(`The column '${column.text('name')}' of '${name}'`, column.place, () =>
        addColumn(column, { renamed, types }, table),
      )
}

function addColumn(part: Part, { renamed, types }: Named, table: TmdlTable): void {
  const name = plainName(part)
  if (part.text('type') !== undefined) throw new LeftOut('it is a column of a table that DAX computes', part.at('type'))
  const written = part.text('dataType')
  const type = written === undefined ? UNTYPED : Object.hasOwn(TYPES, written) ? TYPES[written] : undefined
  if (!type) throw new LeftOut(`the type '${written}' has no place in the model`, part.at('dataType'))
  const stored = (part.text('sourceColumn') ?? name).replace(/^\[(.*)\]$/s, '$1')
  const given = types.get(stored)
  const isDay = given === DAY && type.kind === 'time'
  if (given !== undefined && !isDay && !keepsValues(given))
    throw new LeftOut(`its M makes a value of the type '${given}' of it`, part.place, IN_A_VIEW)
  const entry = { code: renamed.get(stored) ?? stored, ...type.column, ...(isDay && { abstractType: 'date' }) }
  addKnown(table, part, name, entry, type.kind)
}

/** Adds a column of the source, or a computed one. */
export function addKnown(table: TmdlTable, part: Part, name: string, entry: Entry, kind: Kind): void {
  if (table.known.has(name.toUpperCase())) throw new LeftOut(`another column has the name '${name}'`)
  const description = part.text('description')
  const isKey = isOn(part, 'isKey')
  const isNeverBlank = isKey || part.text('isNullable')?.toLowerCase() === 'false'
  table.columns[name] = { ...entry, ...(isKey && { primaryKey: true }), ...(description && { description }) }
  if (!isKey && isOn(part, 'isUnique')) addUniqueKey(table, name)
  table.known.set(name.toUpperCase(), { table: table.name, name, kind, isNeverBlank })
}

export function addUniqueKey({ entry, columns }: TmdlTable, column: string): void {
  if (columns[column]?.['primaryKey'] === true) return
  const keys = (entry['uniqueKeys'] as readonly (readonly string[])[] | undefined) ?? []
  if (!keys.some((key) => key.length === 1 && key[0] === column)) entry['uniqueKeys'] = [...keys, [column]]
}

/** The name of the annotation that says which table it is, where the source does not. */
const ANNOTATION = 'GrainlineTable'
const ASK = `Write 'annotation ${ANNOTATION} = schema.table' in the table.`

const IN_A_VIEW = 'Create a view with this value in the database, and read the view.'

/** What steps in M do to columns. */
interface Named {
  /** The stored names of columns. */
  readonly renamed: ReadonlyMap<string, string>
  readonly types: ColumnTypes
}

type Source = Entry & Named

const AS_STORED: Named = { renamed: new Map(), types: new Map() }

/** What the sources of all tables share. */
interface Known {
  /** Parameters of the model. */
  readonly texts: ReadonlyMap<string, string>
  readonly files: Map<string, string>
}

function sourceOf(part: Part, name: string, { texts, files }: Known, draft: Draft): Source {
  const partitions = part.parts('partition')
  for (const each of partitions) for (const key of ['value', 'source', 'name', 'mode']) each.value(key)
  const given = isAnnotated(part) ? part.parts('annotation').find((each) => each.text('name') === ANNOTATION) : undefined
  const text = given?.text('value')
  if (given) for (const each of part.parts('annotation')) for (const key of ['name', 'value']) each.value(key)
  if (given) {
    const found = text === undefined ? undefined : tableOf(text.trim())
    if (!found) throw new LeftOut(`its annotation ${ANNOTATION} is no table`, given.place)
    draft.lose(
      'rewritten',
      `The table of '${name}' is that of its annotation. Columns are called as their sourceColumn.`,
      given.place,
    )
    return { ...found, ...AS_STORED }
  }
  if (part.has('calculationGroup'))
    throw new LeftOut('it is a calculation group, which changes measures by what a reader selects', part.at('calculationGroup'))
  const [partition, other] = partitions
  if (!partition) throw new LeftOut('it has no partition that says where its rows are', part.place, ASK)
  if (other) throw new LeftOut('it has several partitions', other.place, ASK)
  try {
    const { file, ...source } = sourceIn(partition, texts)
    if (file !== undefined) nameAfterFile({ name, code: String(source['code']), file, files }, partition, draft)
    return source
  } catch (error) {
    if (!(error instanceof LeftOut)) throw error
    throw new LeftOut(
      error.message,
      error.place ?? partition.at(partition.has('source') ? 'source' : undefined),
      error.hint ?? ASK,
    )
  }
}

interface OfFile {
  readonly name: string
  readonly code: string
  readonly file: string
  readonly files: Map<string, string>
}

/** Two files with one name would be one table. */
function nameAfterFile({ name, code, file, files }: OfFile, partition: Part, draft: Draft): void {
  const other = files.get(code.toUpperCase())
  if (other !== undefined && other !== file) throw new LeftOut(`the table '${code}' is that of another file, '${other}'`)
  files.set(code.toUpperCase(), file)
  draft.lose(
    'rewritten',
    `The rows of '${name}' are those of the file '${file}': its table is '${code}'. Load the file into it. Columns are called as its first line calls them.`,
    partition.at('source'),
  )
}

/** Annotations that nobody reads are one line of the list. */
const isAnnotated = ({ data }: Part): boolean => JSON.stringify(data['annotation'] ?? []).includes(`"name":"${ANNOTATION}"`)

function sourceIn(partition: Part, texts: ReadonlyMap<string, string>): Source & { readonly file?: string } {
  const kind = partition.text('value') ?? 'm'
  if (kind === 'entity') {
    // Power BI writes them below a source.
    const [below] = typeof partition.data['source'] === 'object' ? partition.parts('source') : []
    const named = below ?? partition
    const schema = named.text('schemaName')
    return { code: named.needed('entityName'), ...(schema !== undefined && { schema }), ...AS_STORED }
  }
  if (kind === 'calculated') throw new LeftOut('DAX computes its rows', undefined, `Create it in the database. ${ASK}`)
  if (kind !== 'm') throw new LeftOut(`a partition '${kind}' has no place in the model`)
  const { schema, database, ...rest } = tableIn(partition.needed('source'), texts)
  return { ...rest, ...(schema !== undefined && { schema }), ...(database !== undefined && { database }) }
}
