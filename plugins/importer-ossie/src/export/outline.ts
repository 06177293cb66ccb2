/** A semantic model of Ossie that is being written. */
import type { Exported } from '@grainline/core'
import type { FreeNames } from '@grainline/importer-dbt/foreign'

/** Items of the model. */
export type Path = Exported['written'][number]

export interface OutField {
  /** What of the model it says: a column, and a dimension that shows it. */
  readonly paths: Path[]
  readonly name: string
  /** Its name in the model. */
  readonly title: string
  readonly sql: string
  readonly type: string
  description: string | undefined
  synonyms: readonly string[]
  isDimension: boolean
}

export interface OutDataset {
  readonly path: Path
  readonly name: string
  readonly title: string
  readonly source: string
  readonly primaryKey: readonly string[]
  readonly uniqueKeys: (readonly string[])[]
  readonly description: string | undefined
  readonly synonyms: readonly string[]
  readonly fields: OutField[]
}

export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A name of letters and digits that no other name has; from then on it is taken. */
export const slugOf = (name: string, taken: FreeNames): string => taken.take(wordOf(name))

/** A name as letters and digits. */
export function wordOf(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^_+|(?<!_)_+$/g, '')
  const word = /^[A-Za-z]/.test(plain) ? plain : `f_${plain || 'ield'}`
  return RESERVED.has(word.toUpperCase()) ? `${word}_` : word
}

/** Names that the specification, or the grammar of SQL, keeps for itself. */
const RESERVED = new Set(
  `all analyse analyze and any array as asc asymmetric authorization between binary both case cast check collate collation column concurrently
  constraint create cross current_date current_role current_time current_timestamp current_user default deferrable desc distinct do else end
  except exists false fetch filter for foreign freeze from full grain grant group having ilike in initially inner intersect into is isnull join
  lateral leading left like limit localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary
  query_filter references returning right row rows select session_user set similar some symmetric table tablesample then to trailing true union
  unique user using values variadic verbose when where window with`
    .toUpperCase()
    .split(/\s+/),
)

const same = (name: string) => (args: readonly string[]) => `${name.toUpperCase()}(${args.join(', ')})`

/** Functions of the model that standard SQL has with the same meaning. */
export const CALLS: Readonly<Record<string, (args: readonly string[]) => string>> = {
  ...Object.fromEntries(
    ['upper', 'lower', 'length', 'replace', 'abs', 'floor', 'ceil', 'coalesce', 'nullif'].map((name) => [name, same(name)]),
  ),
  concat: (args) => `(${args.join(' || ')})`,
  mod: ([a, b]) => `MOD(${a}, NULLIF(${b}, 0))`,
}

export const UNITS: ReadonlySet<string> = new Set(['year', 'quarter', 'month', 'day', 'hour', 'minute', 'second'])
