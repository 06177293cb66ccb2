/** The model queries of a statement, asked of the service like those of any client. */
import { firstOf } from '../invariant.js'
import type { Program, RelationQuery } from '../language/language.js'
import type { QueryJson } from '../language/query-json.js'
import { type GivenValue, valueFromText } from '../model/parameter.js'
import { find } from '../resolve/lookup.js'
import { fieldsWithoutValue } from '../resolve/parameters-of-query.js'
import type { AskedModel } from './asked-model.js'
import type { Asks } from './asks.js'
import { compileModelQuery } from './model-query.js'
import type { QueryService } from './semantic-service.js'
import type { CompiledModelQuery, SqlRequest } from './sql-service.js'

export type ModelQueryVerbs = Pick<QueryService, 'compile' | 'execute'>

/** How the queries of one model are asked for a statement. */
export const asksOf = (
  model: AskedModel,
  { asker, dialect, checked, modelParameters }: SqlRequest,
  { compile, execute }: ModelQueryVerbs,
): Asks => ({
  question: (query) => ({
    asker,
    dialect,
    checked,
    query: withParameters(query, model, modelParameters),
    target: targetOf(model),
  }),
  emptyFields: (query) => fieldsWithoutValue(withParameters(query, model, modelParameters), model.model),
  compile,
  execute,
})

const targetOf = ({ handle: { sessionId, modelId } }: AskedModel) => ({ sessionId, modelId })

/** The query with the values of the client's session, and those that the statement gives instead. Other models may have other parameters. */
function withParameters(
  query: QueryJson,
  { model, parameters: own }: AskedModel,
  session: SqlRequest['modelParameters'],
): QueryJson {
  if (own === undefined && session === undefined) return query
  const given = new Map<string, GivenValue>()
  for (const [name, value] of Object.entries(session ?? {})) {
    const parameter = find(name, model.parameters)
    if (parameter) given.set(parameter.name, valueFromText(parameter, value))
  }
  for (const [name, value] of Object.entries(own ?? {})) given.set(find(name, model.parameters)?.name ?? name, value)
  return given.size === 0 ? query : { ...query, parameters: Object.fromEntries(given) }
}

export function compileModelQueries(
  { modelQueries }: Program<AskedModel>,
  request: SqlRequest,
  verbs: ModelQueryVerbs,
): Promise<CompiledModelQuery[]> {
  const compile = async (modelQuery: RelationQuery<AskedModel>) => ({
    name: modelQuery.name,
    model: firstOf(modelQuery.model.names),
    query: withParameters(modelQuery.query, modelQuery.model, request.modelParameters),
    compiled: await compileModelQuery(modelQuery, asksOf(modelQuery.model, request, verbs)),
  })
  return Promise.all(modelQueries.map(compile))
}
