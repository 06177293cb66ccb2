import type { ArrowIpc, ResultColumn } from '@grainline/core/format'
import { commentOf } from '@grainline/core/language'
import { encapsulated } from '@grainline/flight-sql'
import { sqlMetadata } from '../rows/field-metadata.js'
import type { Relation } from './relations.js'

/** The columns of a relation as an encapsulated Arrow schema, with their descriptions. */
export function tableSchema({ catalog, schema, table, columns, described: model }: Relation, ipc: ArrowIpc): Buffer {
  const fieldMetadata = (column: ResultColumn): Record<string, string> => {
    const remarks = commentOf(model, column.name)
    return {
      'ARROW:FLIGHT:SQL:CATALOG_NAME': catalog,
      'ARROW:FLIGHT:SQL:DB_SCHEMA_NAME': schema,
      'ARROW:FLIGHT:SQL:TABLE_NAME': table,
      ...sqlMetadata(column),
      ...(remarks !== undefined && { 'ARROW:FLIGHT:SQL:REMARKS': remarks }),
    }
  }
  const timezone = model.settings.queryTimezone ?? 'UTC'
  const written = ipc.schemaOf(columns, {
    timezone,
    fieldMetadata,
    ...(model.description !== undefined && { metadata: { description: model.description } }),
  })
  return encapsulated(ipc.schemaMessage(written).header)
}
