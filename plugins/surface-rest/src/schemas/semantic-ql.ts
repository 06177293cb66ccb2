import { Type } from '@grainline/core'
import { nullable, strict } from './common.js'
import { Compiled, EchoedQuery, Executed } from './queries.js'

const parameter = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])
const statement = {
  sql: Type.String({ minLength: 1, description: 'One statement: a SELECT over models, SHOW TABLES or DESCRIBE.' }),
  language: Type.Optional(
    nullable(
      Type.String({
        description: 'The language of the statement, by its name in a plugin. Default: the first one registered.',
      }),
    ),
  ),
  parameters: Type.Optional(nullable(Type.Array(parameter, { description: 'The values of $1, $2 ….' }))),
  model_parameters: Type.Optional(
    nullable(
      Type.Record(Type.String(), Type.Union([...parameter.anyOf, Type.Array(parameter)]), {
        description: 'The values of parameters of the models, by name; FROM "shop"(currency => \'USD\') gives others.',
      }),
    ),
  ),
  rollups: Type.Optional(
    nullable(
      Type.Union([Type.Literal('allow'), Type.Literal('never'), Type.Literal('require')], {
        description: 'Whether rollup tables are read in place of facts; by default as the server is set.',
      }),
    ),
  ),
  dialect: Type.Optional(
    nullable(Type.String({ description: "Else each model's default, else that of DB_VENDOR, else postgres." })),
  ),
  model_id: Type.Optional(nullable(Type.String({ description: 'The model that a statement without FROM reads.' }))),
}

export const SessionStatement = strict(statement, { title: 'SessionSemanticQlRequest' })
export const ShortcutStatement = strict(
  {
    ...statement,
    session_id: Type.Optional(nullable(Type.String())),
    model: Type.Optional(nullable(Type.String())),
  },
  { title: 'SemanticQlRequest' },
)

const model_queries = Type.Array(
  Type.Object({
    name: Type.String({ description: 'Its name in the outer statement.' }),
    model: Type.String(),
    query: EchoedQuery,
    sql: nullable(Type.String({ description: 'The SQL that runs in the database.' })),
    dialect: Type.String(),
  }),
)
const statementParts = {
  query: nullable(EchoedQuery),
  model_queries,
  outer_sql: nullable(Type.String({ description: 'The statement over the answers of the model queries.' })),
}

export const CompiledStatement = Type.Object(
  { ...Compiled.properties, ...statementParts, columns: Executed.properties.columns },
  { title: 'SemanticQlCompileResponse' },
)
export const ExecutedStatement = Type.Object(
  { ...Executed.properties, ...statementParts },
  { title: 'SemanticQlExecuteResponse' },
)
