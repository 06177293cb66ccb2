import type { ArrowIpc } from '@grainline/core/format'
import type { SqlDescription, SqlService } from '@grainline/core/surface'
import { DataType, type Field, Schema, TimeMillisecond, Timestamp, TimeUnit } from 'apache-arrow'
import { sqlMetadata } from '../rows/field-metadata.js'
import { numberPlaceholders, placed } from './placeholders.js'
import type { Statement } from './statement.js'

export interface Described {
  readonly schema: Schema
  readonly parameterSchema: Schema
  readonly description: SqlDescription
}

type Service = Pick<SqlService, 'describeSql'>
type Asker = Parameters<SqlService['describeSql']>[0]['asker']

/** The columns and parameters of a statement, from its plan. */
export async function describeStatement(
  { sql: text, target, parameters }: Statement,
  asker: Asker,
  { service, ipc }: { readonly service: Service; readonly ipc: ArrowIpc },
): Promise<Described> {
  const numbered = numberPlaceholders(text)
  const description = await service
    .describeSql({ sql: numbered.sql, target, parameters, asker })
    .catch((error: unknown) => placed(error, text, numbered))
  const { columns, parameters: types, timezone } = description
  const parameterColumns = types.map((type, i) => ({ name: `$${i + 1}`, type, role: 'field' as const }))
  return {
    description,
    schema: arrowSchemaOf(columns, timezone, ipc),
    parameterSchema: inMilliseconds(arrowSchemaOf(parameterColumns, timezone, ipc)),
  }
}

/**
 * The JDBC driver of Arrow writes milliseconds into parameters whatever unit their type has. Other clients send their own types, in which
 * microseconds stay exact.
 */
const inMilliseconds = ({ fields, metadata }: Schema): Schema =>
  new Schema(
    fields.map((field) => {
      if (DataType.isTimestamp(field.type)) return field.clone({ type: new Timestamp(TimeUnit.MILLISECOND, field.type.timezone) })
      return DataType.isTime(field.type) ? field.clone({ type: new TimeMillisecond() }) : field
    }),
    metadata,
  )

/** The Arrow schema of an answer, which is the same before and after the query runs. */
export const arrowSchemaOf = (
  columns: SqlDescription['columns'],
  timezone: string,
  ipc: ArrowIpc,
): Schema<Record<string, Field['type']>> => ipc.schemaOf(columns, { timezone, fieldMetadata: sqlMetadata })
