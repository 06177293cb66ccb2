import { Type } from '@grainline/core'
import { nullable, StructuredWarning, strict } from './common.js'
import { Query } from './queries.js'

const text = Type.Optional(nullable(Type.String()))
const flag = (otherwise: boolean, description: string) => Type.Optional(Type.Boolean({ default: otherwise, description }))

export const BatchRequest = strict(
  {
    session_id: text,
    model_id: text,
    model_yaml: Type.Optional(nullable(Type.String({ description: 'A model for this batch only.' }))),
    queries: Type.Array(strict({ id: text, query: Query, execute: Type.Optional(nullable(Type.Boolean())), dialect: text }), {
      description: 'At most ONESHOT_BATCH_MAX_QUERIES; ids default to q0, q1, …',
    }),
    dialect: text,
    execute: flag(false, 'Runs queries that have no setting of their own; otherwise they are only compiled.'),
    max_parallelism: Type.Optional(nullable(Type.Integer({ minimum: 1 }))),
    fail_fast: flag(false, 'Cancels the rest after the first failure.'),
    persist_model: flag(false, 'Keeps the model that comes with the batch.'),
    dedup: flag(true, 'Asks queries that are alike once, and uses a model that the session holds already.'),
  },
  { title: 'BatchRequest' },
)

export const BatchResponse = Type.Object(
  {
    session_id: nullable(Type.String()),
    model_id: nullable(Type.String()),
    model_persisted: Type.Boolean(),
    model_load: Type.String({ description: 'fresh, reused or referenced.' }),
    results: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          status: Type.String({ description: 'ok, error or cancelled.' }),
          executed: Type.Boolean(),
          error: Type.Optional(StructuredWarning),
        },
        { description: 'If the status is ok, it has the fields of a CompileResponse or an ExecuteResponse.' },
      ),
    ),
    batch_warnings: Type.Array(StructuredWarning),
  },
  { title: 'BatchResponse' },
)
