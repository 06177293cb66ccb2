/** The model queries of a statement, asked of the service like those of any client. */
import { firstOf } from '../invariant.js'
import type { Program, RelationQuery } from '../language/language.js'
import type { QueryJson } from '../language/query-json.js'
import { type GivenValue, valueFromText } from '../model/parameter.js'
import { computedModel, type SemanticModel } from '../model/semantic-model.js'
import { viewModel } from '../model/view-model.js'
import { find } from '../resolve/lookup.js'
import { fieldsWithoutValue } from '../resolve/parameters-of-query.js'
import { viewNamed } from '../resolve/views.js'
import type { AskedModel } from './asked-model.js'
import type { Asks } from './asks.js'
import { compileModelQuery } from './model-query.js'
import type { QueryService } from './semantic-service.js'
import type { CompiledModelQuery, SqlRequest } from './sql-service.js'

export type ModelQueryVerbs = Pick<QueryService, 'compile' | 'execute'>

/** How the queries of one model are asked for a statement. */
export const asksOf = (
  model: AskedModel,
  { asker, dialect, checked, modelParameters, rollups }: SqlRequest,
  { compile, execute }: ModelQueryVerbs,
): Asks => ({
  question: (query) => ({
    asker,
    dialect,
    checked,
    query: askedQuery(query, model, { modelParameters, rollups }),
    target: targetOf(model),
  }),
  emptyFields: (query) => fieldsWithoutValue(withParameters(query, model, modelParameters), namedModel(model)),
  compile,
  execute,
})

const targetOf = ({ handle: { sessionId, modelId } }: AskedModel) => ({ sessionId, modelId })

/** The model with the names that queries use: a kept reading has the view by its name only. */
function namedModel({ handle, model, view }: AskedModel): SemanticModel {
  if (view === undefined) return model
  const computed = computedModel(handle.model)
  return viewModel(viewNamed(view, computed), computed).model
}

/** The query as the service answers it: of the view that the statement reads, with the values of parameters. */
function askedQuery(
  query: QueryJson,
  model: AskedModel,
  { modelParameters, rollups }: Pick<SqlRequest, 'modelParameters' | 'rollups'>,
): QueryJson {
  const { columns } = model
  const asked = columns === undefined ? query : { ...query, columns }
  const given = withParameters(asked, model, modelParameters)
  return {
    ...given,
    ...(model.view !== undefined && { view: model.view }),
    ...(rollups !== undefined && { rollups }),
  }
}

/** The query with the values of the client's session, and those that the statement gives instead. Other models may have other parameters. */
function withParameters(
  query: QueryJson,
  { handle: { model }, parameters: own }: AskedModel,
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
    query: askedQuery(modelQuery.query, modelQuery.model, request),
    compiled: await compileModelQuery(modelQuery, asksOf(modelQuery.model, request, verbs)),
  })
  return Promise.all(modelQueries.map(compile))
}
