/** The models as relations: schemata, tables and columns of `information_schema`, and `grainline.fields`, which says what the columns are. */
import type { DataType, SemanticModel } from '@grainline/core'
import {
  batchFromRows,
  formatDataType,
  INT,
  type ModelScope,
  type NamedModel,
  type RecordBatch,
  type ResultColumn,
  STRING,
  unitOfField,
} from '@grainline/core/language'
import { isLinear } from './additive.js'
import { bodyOf, type Node, type RangeVar, type SelectStmt } from './grammar/node.js'
import { quoted } from './grammar/quoted.js'
import { rewritten } from './grammar/rewrite.js'
import { mainName, relationsOf } from './model-scope.js'
import type { RelationColumns } from './relation-columns.js'

/** The rows of the relations. */
export interface SystemRelation {
  readonly name: string
  readonly batch: RecordBatch
}

const TABLES = [
  'information_schema.schemata',
  'information_schema.tables',
  'information_schema.columns',
  'grainline.fields',
] as const
type SystemTable = (typeof TABLES)[number]

const tableOf = ({ schemaname, relname }: RangeVar): SystemTable | undefined =>
  TABLES.find((table) => table === `${schemaname?.toLowerCase()}.${relname?.toLowerCase()}`)

/** True for the tables that PostgreSQL does not have. */
export const isOfGrainline = ({ schemaname }: RangeVar): boolean => schemaname?.toLowerCase() === 'grainline'

/** The SELECT with each of these tables under a name that no model has; `undefined` if it reads another relation. */
export function overSystem(stmt: SelectStmt, relations: readonly RangeVar[]): SelectStmt | undefined {
  if (relations.some((relation) => tableOf(relation) === undefined)) return undefined
  return rewritten(stmt, (node: Node): Node | undefined => {
    const relation = bodyOf(node, 'RangeVar')
    const table = relation && tableOf(relation)
    if (!table) return undefined
    const { schemaname: _, catalogname: _catalog, ...rest } = relation
    return { RangeVar: { ...rest, relname: table, alias: relation.alias ?? { aliasname: table.split('.')[1] ?? table } } }
  })
}

export const SYSTEM_RELATIONS: ReadonlySet<string> = new Set(TABLES)

type ColumnsOf = (named: NamedModel) => Promise<RelationColumns>

/** A model is a schema, and its relations and views are the tables in it, by names that a statement may use. */
export async function systemRelations(scope: ModelScope, columnsOf: ColumnsOf): Promise<SystemRelation[]> {
  const tables = scope.models.flatMap((model) => {
    const name = ({ names }: NamedModel): string => (isKnownBy(mainName(model), model, scope) ? names[0] : names.at(-1))!
    return relationsOf(model).map((named) => ({ schema: name(model), table: name(named), named }))
  })
  const columns = await Promise.all(
    tables.map(async ({ schema, table, named }) =>
      (await columnsOf(named)).schema.map(({ name, type }, i) => columnRow([CATALOGUE, schema, table, name, i + 1], type)),
    ),
  )
  const fields = await Promise.all(
    tables.map(async ({ schema, table, named }) =>
      (await columnsOf(named)).schema.map((column, i) => fieldRow([schema, table, i + 1], column, named.model)),
    ),
  )
  const schemas = [...new Set(tables.map(({ schema }) => schema))]
  return [
    relation('information_schema.schemata', {
      catalog_name: schemas.map(() => CATALOGUE),
      schema_name: schemas,
      schema_owner: schemas.map(() => CATALOGUE),
    }),
    relation('information_schema.tables', {
      table_catalog: tables.map(() => CATALOGUE),
      table_schema: tables.map(({ schema }) => schema),
      table_name: tables.map(({ table }) => table),
      table_type: tables.map(() => 'BASE TABLE'),
    }),
    ofRows('information_schema.columns', COLUMNS, columns.flat()),
    ofRows('grainline.fields', FIELDS, fields.flat()),
  ]
}

/** Two models of one name get their ids added, except the chosen one. */
const isKnownBy = (name: string, model: NamedModel, { models, chosen }: ModelScope): boolean =>
  model === chosen || models.every((other) => other === model || other.names[0] !== name)

const CATALOGUE = 'grainline'

const text = (name: string): ResultColumn => ({ name, type: STRING, role: 'field' })
const int = (name: string): ResultColumn => ({ name, type: INT, role: 'field' })

const COLUMNS: readonly ResultColumn[] = [
  text('table_catalog'),
  text('table_schema'),
  text('table_name'),
  text('column_name'),
  int('ordinal_position'),
  text('column_default'),
  text('is_nullable'),
  text('data_type'),
  int('character_maximum_length'),
  int('numeric_precision'),
  int('numeric_scale'),
]

type Place = readonly [catalogue: string, schema: string, table: string, column: string, position: number]

function columnRow([catalogue, schema, table, column, position]: Place, type: DataType): readonly unknown[] {
  const [precision, scale] = type.kind === 'decimal' ? [type.precision, type.scale] : [null, null]
  const sizes = [precision, scale].map((size) => (size === null ? null : BigInt(size)))
  return [
    catalogue,
    schema,
    table,
    column,
    BigInt(position),
    null,
    'YES',
    TYPES[type.kind] ?? formatDataType(type),
    null,
    ...sizes,
  ]
}

const FIELDS: readonly ResultColumn[] = [
  text('table_schema'),
  text('table_name'),
  text('field_name'),
  int('ordinal_position'),
  text('role'),
  text('data_type'),
  text('aggregation'),
  text('adds_up'),
  text('expression'),
  text('format'),
  text('description'),
  text('unit'),
]

function fieldRow([schema, table, position]: readonly [string, string, number], column: ResultColumn, model: SemanticModel) {
  const { name, role, type, format = null } = column
  const measure = model.measures.get(name)
  const field = model.dimensions.get(name) ?? measure ?? model.metrics.get(name)
  const aggregation = measure && `${measure.distinct ? 'distinct ' : ''}${measure.aggregation}`
  return [
    schema,
    table,
    name,
    BigInt(position),
    role,
    TYPES[type.kind] ?? formatDataType(type),
    aggregation ?? null,
    role === 'dimension' ? null : isLinear(name, model) ? 'YES' : 'NO',
    role === 'dimension' ? quoted(name) : `MEASURE(${quoted(name)})`,
    format,
    field?.description ?? null,
    unitOfField(model, name) ?? null,
  ]
}

/** Types by the names that the grammar has for them. */
const TYPES: Partial<Record<DataType['kind'], string>> = {
  string: 'text',
  int: 'bigint',
  float: 'double precision',
  decimal: 'numeric',
  time: 'time without time zone',
  timestamp: 'timestamp without time zone',
  timestamp_tz: 'timestamp with time zone',
}

function relation(table: SystemTable, columns: Readonly<Record<string, readonly string[]>>): SystemRelation {
  const rows = (Object.values(columns)[0] ?? []).map((_, row) => Object.values(columns).map((values) => values[row]))
  return ofRows(table, Object.keys(columns).map(text), rows)
}

const ofRows = (table: SystemTable, schema: readonly ResultColumn[], rows: readonly (readonly unknown[])[]): SystemRelation => ({
  name: table,
  batch: batchFromRows(schema, rows),
})
