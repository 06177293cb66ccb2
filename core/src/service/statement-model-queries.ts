/** The model queries of a statement, asked of the service like those of any client. */
import { firstOf } from '../invariant.js'
import type { Program, RelationQuery } from '../language/language.js'
import type { AskedModel } from './asked-model.js'
import type { Asks } from './asks.js'
import { compileModelQuery } from './model-query.js'
import type { QueryService } from './semantic-service.js'
import type { CompiledModelQuery, SqlRequest } from './sql-service.js'

export type ModelQueryVerbs = Pick<QueryService, 'compile' | 'execute'>

/** How the queries of one model are asked for a statement. */
export const asksOf = (
  { handle: { sessionId, modelId } }: AskedModel,
  { asker, dialect, checked }: SqlRequest,
  { compile, execute }: ModelQueryVerbs,
): Asks => ({
  question: (query) => ({ asker, dialect, checked, query, target: { sessionId, modelId } }),
  compile,
  execute,
})

export function compileModelQueries(
  { modelQueries }: Program<AskedModel>,
  request: SqlRequest,
  verbs: ModelQueryVerbs,
): Promise<CompiledModelQuery[]> {
  const compile = async (modelQuery: RelationQuery<AskedModel>) => ({
    name: modelQuery.name,
    model: firstOf(modelQuery.model.names),
    query: modelQuery.query,
    compiled: await compileModelQuery(modelQuery, asksOf(modelQuery.model, request, verbs)),
  })
  return Promise.all(modelQueries.map(compile))
}
