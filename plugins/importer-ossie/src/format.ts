/** How a semantic model of Ossie is read. */
import type { ColumnType, ViewFormat, ViewKeys } from '@grainline/importer-dbt/foreign'

const unquoted = (written: string): string => /^"((?:[^"]|"")+)"$/.exec(written)?.[1]?.replaceAll('""', '"') ?? written

export const FORMAT: ViewFormat = {
  product: 'Ossie',
  // The grammar writes names without quotes in small letters; the text says how the column is written.
  spelled: (word, sql) => new RegExp(`(?<![\\w$])${word.replace(/[^\w]/g, '\\$&')}(?![\\w$])`, 'i').exec(sql)?.[0] ?? word,
  // Case does not matter.
  key: (name) => name.toUpperCase(),
  stored: unquoted,
  type: (written) => (written !== undefined && Object.hasOwn(TYPES, written) ? TYPES[written] : undefined),
  call: () => undefined,
  typeHint: 'Add a field with this column and its datatype.',
  readsManyTables: true,
  takesFirstJoin: false,
}

const TYPES: Readonly<Record<string, ColumnType>> = {
  String: { abstractType: 'string' },
  Integer: { abstractType: 'int' },
  Decimal: { abstractType: 'float' },
  Float: { abstractType: 'float' },
  Boolean: { abstractType: 'boolean' },
  Date: { abstractType: 'date' },
  Time: { abstractType: 'time' },
  DateTime: { abstractType: 'timestamp' },
  DateTimeTz: { abstractType: 'timestamp_tz' },
}

/** `Opaque` is a type that a vendor knows. */
export const DATATYPES: ReadonlySet<string> = new Set([...Object.keys(TYPES), 'Opaque'])

/** What an item says besides numbers. */
export const KEYS: ViewKeys = {
  whole: 'the semantic model',
  outside: new Set(['ai_context', 'instructions', 'examples', 'label', 'datatype']),
  security: /^$/,
}
