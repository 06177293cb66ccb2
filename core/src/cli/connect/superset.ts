/** Superset: an archive of datasets, whose measures are metrics. */

import { createHash } from 'node:crypto'
import { stringify } from 'yaml'
import { PROTOCOL } from './protocol.js'
import type { Connection, Relation, RelationField, ToolFile } from './relation.js'
import { zipped } from './zip.js'

/** One archive for Datasets → Import. It asks for the password of the database. */
export function supersetFiles(connection: Connection): readonly ToolFile[] {
  const { relations } = connection
  const { model } = relations[0]
  const root = `grainline_${model}`
  const database = databaseOf(connection)
  const files = [
    {
      name: `${root}/metadata.yaml`,
      content: stringify({ version: VERSION, type: 'SqlaTable', timestamp: '2026-01-01T00:00:00+00:00' }),
    },
    { name: `${root}/databases/${model}.yaml`, content: stringify(database) },
    ...relations.map((relation) => ({
      name: `${root}/datasets/${model}/${relation.table}.yaml`,
      content: stringify(datasetOf(relation, database.uuid), { lineWidth: 0 }),
    })),
  ]
  return [{ name: `superset-${model}.zip`, content: zipped(files) }]
}

const VERSION = '1.0.0'

function databaseOf({ host, port, user, tls, relations }: Connection) {
  const { model } = relations[0]
  const address = `${encodeURIComponent(user)}:XXXXXXXXXX@${host}:${port}/${encodeURIComponent(model)}`
  return {
    database_name: model,
    sqlalchemy_uri: `${PROTOCOL.scheme}+psycopg2://${address}${tls ? '?sslmode=require' : ''}`,
    expose_in_sqllab: true,
    allow_run_async: false,
    allow_ctas: false,
    allow_cvas: false,
    allow_dml: false,
    uuid: uuidOf(`database ${model}`),
    version: VERSION,
  }
}

function datasetOf({ model, table, fields }: Relation, database: string) {
  const times = fields.filter(({ role, type }) => role === 'dimension' && isTime(type))
  return {
    table_name: table,
    main_dttm_col: times[0]?.name ?? null,
    description: null,
    offset: 0,
    schema: model,
    sql: null,
    filter_select_enabled: true,
    uuid: uuidOf(`dataset ${model} ${table}`),
    metrics: fields.filter(({ role }) => role !== 'dimension').map(metricOf),
    columns: fields.map(columnOf),
    version: VERSION,
    database_uuid: database,
  }
}

const metricOf = ({ name, expression, description, format }: RelationField) => ({
  metric_name: name,
  verbose_name: name,
  metric_type: null,
  expression,
  description,
  d3format: format === null ? null : d3Of(format),
})

const columnOf = ({ name, role, type, description }: RelationField) => ({
  column_name: name,
  verbose_name: null,
  is_dttm: role === 'dimension' && isTime(type),
  is_active: true,
  type: type.toUpperCase(),
  // A measure is no key: it is listed, so that a synchronization adds no other.
  groupby: role === 'dimension',
  filterable: role === 'dimension',
  expression: null,
  description,
})

const isTime = (type: string): boolean => type === 'date' || type.startsWith('timestamp')

/** The pattern of a format as d3 writes it; `null` for one that d3 does not have. */
export function d3Of(pattern: string): string | null {
  const [, grouping, decimals = '', percent] = /^(#,##)?0(?:\.(0+))?(%)?$/.exec(pattern) ?? []
  if (!/^(#,##)?0(\.0+)?%?$/.test(pattern)) return null
  return `${grouping ? ',' : ''}.${decimals.length}${percent ? '%' : 'f'}`
}

/** The same for the same model, so that a second import replaces the first. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(`grainline ${text}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
