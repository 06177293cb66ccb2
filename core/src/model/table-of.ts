import type { DataObject } from './semantic-model.js'

/** The table of an object, by which two objects are compared; undefined if it has none of its own. An element of an array is in the table of its row. */
export const tableOf = ({ source, nestedIn }: Pick<DataObject, 'source' | 'nestedIn'>): string | undefined =>
  source.kind === 'table' && nestedIn === undefined
    ? [source.database, source.schema, source.name].map((part) => (part ?? '').toLowerCase()).join('\0')
    : undefined
