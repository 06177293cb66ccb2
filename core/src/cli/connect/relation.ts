/** The relations of a model, as `grainline.fields` describes them. */
import path from 'node:path'
import type { Client } from '@grainline/client'
import { grouped } from '../../grouped.js'
import { firstOf } from '../../invariant.js'
import { UsageError } from '../command.js'

/** A column of a relation. */
export interface RelationField {
  readonly name: string
  readonly role: 'dimension' | 'measure' | 'metric'
  /** The type as `information_schema` names it. */
  readonly type: string
  readonly aggregation: string | null
  /** How a statement selects it. */
  readonly expression: string
  readonly format: string | null
  readonly description: string | null
}

export interface Relation {
  /** The name of the published model, which is the name of the database and of the schema. */
  readonly model: string
  readonly table: string
  readonly fields: readonly RelationField[]
}

/** How a tool reaches the server, and what it finds there. */
export interface Connection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly tls: boolean
  /** The main fact first. */
  readonly relations: readonly [Relation, ...Relation[]]
}

export interface ToolFile {
  readonly name: string
  readonly content: string | Uint8Array
}

interface Asked {
  readonly client: Client
  readonly target: Readonly<Record<string, string | undefined>>
  /** The file of the model, or the server. */
  readonly name: string
  /** The name under which the model is published. */
  readonly wanted: string | undefined
  readonly signal: AbortSignal | undefined
}

const SQL = `SELECT table_schema, table_name, field_name, role, data_type, aggregation, expression, format, description
FROM grainline.fields ORDER BY table_schema, table_name, ordinal_position`

type Row = readonly [string, string, string, RelationField['role'], string, string | null, string, string | null, string | null]

/** The relations of the model; a local file is known by its name, as if it were published. */
export async function readRelations({ client, target, name, wanted, signal }: Asked): Promise<Connection['relations']> {
  const body = { sql: `${SQL} LIMIT 100000`, ...target }
  const response = await client.send({ method: 'POST', path: '/v1/query/semantic-ql', body }, { signal })
  const { rows } = (await response.json()) as { readonly rows: readonly Row[] }
  const schemas = grouped(rows, ([schema]) => schema)
  const isOfFile = /\.(ya?ml|json)$/i.test(name)
  const [only, ...more] = schemas.keys()
  const schema = !isOfFile && wanted !== undefined && schemas.has(wanted) ? wanted : only
  if (schema === undefined) throw new UsageError('the server has no model')
  if (schema !== wanted && more.length > 0) throw new UsageError(`choose a model with --model: ${[...schemas.keys()].join(', ')}`)
  const model = wanted ?? (isOfFile ? nameOfFile(name) : schema)
  const relations = [...grouped(schemas.get(schema) ?? [], ([, table]) => table)].map(([table, fields]): Relation => {
    const suffix = table.startsWith(`${schema}__`) ? table.slice(schema.length) : ''
    return { model, table: `${model}${suffix}`, fields: fields.map(fieldOf) }
  })
  const [first, ...others] = relations.toSorted((a, b) => a.table.length - b.table.length)
  return [first ?? firstOf(relations), ...others]
}

const fieldOf = ([, , name, role, type, aggregation, expression, format, description]: Row): RelationField => ({
  name,
  role,
  type,
  aggregation,
  expression,
  format,
  description,
})

/** A model in `model.yaml` is published under the name of its folder. */
function nameOfFile(file: string): string {
  const base = path.basename(file).replace(/\.[^.]+$/, '')
  return base === 'model' ? path.basename(path.dirname(path.resolve(file))) : base
}
