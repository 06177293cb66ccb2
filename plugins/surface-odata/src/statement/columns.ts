import { GrainlineError } from '@grainline/core'
import type { DataType } from '@grainline/core/format'
import { nearest } from '@grainline/core/language'

/** What a name of a request means in the statement so far. */
export interface Column {
  readonly sql: string
  /** Absent of computed columns. */
  readonly type?: DataType
  readonly isMeasure?: boolean
}

/** The columns that the next step may read, by their names in OData. */
export type Columns = ReadonlyMap<string, Column>

/** Throws `FIELD_NOT_FOUND` with the nearest names. */
export function columnNamed(name: string, columns: Columns, option: string): Column {
  const found = columns.get(name)
  if (found !== undefined) return found
  const suggestions = nearest(name, [...columns.keys()])
  throw new GrainlineError('FIELD_NOT_FOUND', `${option} names '${name.slice(0, 60)}', which is no property here`, {
    path: option,
    suggestions,
    hint:
      suggestions.length > 0
        ? `Write ${suggestions[0]}. $metadata lists every property.`
        : 'After groupby or aggregate there are only the properties that they name. $metadata lists those of the set.',
  })
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
