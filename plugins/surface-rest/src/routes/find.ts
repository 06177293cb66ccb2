import type { FastifyInstance } from 'fastify'
import type { RestContext } from '../context.js'
import { BODY_LIMIT } from '../http/json-body.js'
import { answers } from '../schemas/common.js'
import { FindResponse, find } from '../schemas/find.js'
import { modelPost } from './model-post.js'

type Match = ReturnType<RestContext['service']['findFields']>['results'][number]

/** Clients of other implementations read `type` and `match_field`. */
const describeMatch = ({ matched, ...match }: Match) => ({ ...match, type: match.kind, match_field: matched })

/** The fields that a text may refer to. */
export function findRoutes(app: FastifyInstance, context: RestContext): void {
  const schema = { summary: 'Find fields by what they are called', tags: ['discovery'], response: answers(200, FindResponse) }
  const route = { path: '/find', schema, fields: find, title: 'FindRequest', bodyLimit: BODY_LIMIT }
  modelPost(app, context, route, ({ model }, { query, types }) => {
    const { results, exact_matches, synonym_matches, fuzzy_matches, unmatched } = context.service.findFields(
      model,
      query,
      types ?? undefined,
    )
    const [all, exact, synonyms, fuzzy] = [results, exact_matches, synonym_matches, fuzzy_matches].map((list) =>
      list.map(describeMatch),
    )
    return {
      query,
      results: all,
      exact_matches: exact,
      synonym_matches: synonyms,
      fuzzy_matches: fuzzy,
      unmatched: [...unmatched],
    }
  })
}
