import type { DataObject } from './semantic-model.js'

/** The table of an object. Two objects with the same text read the same table. It is undefined for SQL text, and for elements, which are in the table of their row. */
export const tableOf = ({ source, nestedIn }: Pick<DataObject, 'source' | 'nestedIn'>): string | undefined =>
  source.kind === 'table' && nestedIn === undefined
    ? [source.database, source.schema, source.name].map((part) => (part ?? '').toLowerCase()).join('\0')
    : undefined
