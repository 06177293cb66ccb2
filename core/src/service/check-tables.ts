import { type Finding, GrainlineError, warning } from '../errors.js'
import type { VendorConnection } from '../execute/vendor.js'
import { formatDataType } from '../model/data-type.js'
import type { Segments } from '../model/parse/locate.js'
import { type Column, type DataObject, hasTable, type SemanticModel } from '../model/semantic-model.js'
import type { PhysicalColumn } from '../model/stored-column.js'
import { didYouMean, nearest } from '../nearest.js'
import type { Dialect } from '../sql/dialect.js'
import { storageWarnings } from '../sql/storage-warnings.js'
import { storedAs } from '../sql/stored-as.js'
import { sourceText } from '../sql/text.js'
import { columnsOf } from './physical-types.js'
import { placesIn } from './places-in.js'

/** A column of the model with the column of the database that it names. */
export interface ComparedColumn {
  readonly data_object: string
  readonly column: string
  /** Its name in the database. */
  readonly code: string
  /** The type that the model declares. */
  readonly declared: string
  /** The type as the database spells it; absent if there is no such column. */
  readonly stored?: string
  /** Present if `=` on the column treats different texts as equal. */
  readonly collation?: string
}

/** The columns of a model with those of its database, and the differences. */
export interface TableReport {
  readonly dialect: string
  readonly columns: readonly ComparedColumn[]
  readonly findings: readonly Finding[]
}

interface Fault {
  readonly finding: Finding
  readonly segments: Segments
}

/** Compares the tables and columns that a model names with those of its database. `source` is the model's text, for line numbers. */
export async function checkTables(
  { model, source }: { readonly model: SemanticModel; readonly source: string },
  connection: VendorConnection,
  dialect: Dialect,
): Promise<TableReport> {
  const objects = [...model.dataObjects.values()].filter(hasTable)
  const known = await columnsOf(connection, objects, dialect)
  const missing = objects.filter((_, i) => (known[i]?.length ?? 0) === 0)
  const tables = missing.length === 0 ? [] : ((await connection.introspect?.()) ?? []).map(({ name }) => name)
  const faults: Fault[] = missing.map((object) => missingTable(object, tables, dialect))
  const columns: ComparedColumn[] = []
  for (const [i, object] of objects.entries()) {
    const stored = new Map((known[i] ?? []).map((column) => [column.name, column]))
    if (stored.size === 0) continue
    for (const column of object.columns.values()) {
      if (column.source.kind !== 'physical') continue
      const found = stored.get(column.source.code)
      columns.push(compared(object, column, column.source.code, found))
      faults.push(
        ...(found === undefined
          ? [missingColumn(object, column, column.source.code, stored)]
          : typeFaults(object, column, found, dialect)),
      )
    }
  }
  return { dialect: dialect.name, columns, findings: await placed(faults, source) }
}

const compared = ({ name }: DataObject, column: Column, code: string, found: PhysicalColumn | undefined): ComparedColumn => ({
  data_object: name,
  column: column.name,
  code,
  declared: formatDataType(column.type),
  ...(found !== undefined && { stored: found.sqlType }),
  ...(found?.collation !== undefined && { collation: found.collation }),
})

const pathOf = (segments: Segments): string => segments.join('.')

function missingTable({ name, source }: DataObject, tables: readonly string[], dialect: Dialect): Fault {
  const segments = ['dataObjects', name, 'code']
  const what = source.kind === 'table' ? `The table ${sourceText(source, dialect)}` : `The SELECT of '${name}'`
  const suggestions = source.kind === 'table' ? nearest(source.name, tables) : []
  const message = `${what} cannot be read in the database${didYouMean(suggestions)}`
  const hint = 'Correct code, schema or database of the data object, or let the connection read the table.'
  return fault('TABLE_NOT_FOUND', message, segments, { hint, suggestions })
}

function missingColumn(
  { name: object }: DataObject,
  { name }: Column,
  code: string,
  stored: ReadonlyMap<string, unknown>,
): Fault {
  const suggestions = nearest(code, stored.keys())
  const message = `'${object}.${name}' reads the column '${code}', which its table does not have${didYouMean(suggestions)}`
  return fault('COLUMN_NOT_FOUND', message, ['dataObjects', object, 'columns', name], {
    hint: suggestions.length === 0 ? 'Correct the code of the column, or remove it.' : `Write code: ${suggestions[0]}`,
    suggestions,
  })
}

const fault = (
  code: Finding['code'],
  message: string,
  segments: Segments,
  details: Pick<Finding, 'hint' | 'suggestions'>,
): Fault => ({
  finding: { code, message, severity: 'error', path: pathOf(segments), ...details },
  segments,
})

/** A stored type that cannot be converted to the declared one is an error; a conversion that costs time is a remark. */
function typeFaults({ name: object }: DataObject, column: Column, known: PhysicalColumn, dialect: Dialect): Fault[] {
  const segments = ['dataObjects', object, 'columns', column.name]
  try {
    const stored = storedAs(object, column, known, dialect)
    const remarks = stored === undefined ? [] : storageWarnings([stored], dialect)
    return remarks.map(({ code, message, ...details }) => ({
      finding: warning(code, message, { ...details, path: pathOf(segments) }),
      segments,
    }))
  } catch (error) {
    if (!(error instanceof GrainlineError)) throw error
    return [{ finding: { ...error.toFinding(), path: pathOf(segments) }, segments }]
  }
}

async function placed(faults: readonly Fault[], text: string): Promise<readonly Finding[]> {
  if (faults.length === 0) return []
  const places = await placesIn(
    text,
    faults.map(({ segments }) => ({ segments, onKey: true })),
  )
  return faults.map(({ finding }, i) => ({ ...finding, ...places[i] }))
}
