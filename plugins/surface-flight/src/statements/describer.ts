import type { ArrowIpc, SqlDescription, SqlService } from '@grainline/core/surface'
import type { Field, Schema } from 'apache-arrow'
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
    parameterSchema: arrowSchemaOf(parameterColumns, timezone, ipc),
  }
}

/** The Arrow schema of an answer, which is the same before and after the query runs. */
export const arrowSchemaOf = (
  columns: SqlDescription['columns'],
  timezone: string,
  ipc: ArrowIpc,
): Schema<Record<string, Field['type']>> => ipc.schemaOf(columns, { timezone, fieldMetadata: sqlMetadata })
