import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ModelHandle, RestContext, Service } from '../context.js'
import { sendTagged } from '../http/etag.js'
import { askerOf } from '../http/target.js'
import { answers } from '../schemas/common.js'
import { ExampleDetail, ExampleList, TestList } from '../schemas/discovery.js'
import { modelRoute } from './model-route.js'

/** The example queries of a model. */
export function exampleRoutes(app: FastifyInstance, context: RestContext): void {
  const { service } = context
  const tags = ['discovery']
  const list = { summary: 'The example questions', tags, response: answers(200, ExampleList) }
  modelRoute(app, context, { path: '/examples', schema: list }, (handle, request, reply) =>
    sendTagged({ request, reply }, handle, () => listOf(handle.model)),
  )

  const detail = { summary: 'One example question and its SQL', tags, response: answers(200, ExampleDetail) }
  modelRoute(app, context, { path: '/examples/:name', schema: detail }, async (handle, request) => {
    const example = service.findExample(handle.model, request.params.name)
    return {
      ...head(example),
      query: example.query,
      compiled_sql_preview: await previewSql(handle, example.query, request, service),
    }
  })
}

/** The tests of a model as the author wrote them. `grainline test` runs them. */
export function testRoutes(app: FastifyInstance, context: RestContext): void {
  const schema = { summary: 'The tests of the model', tags: ['models'], response: answers(200, TestList) }
  modelRoute(app, context, { path: '/tests', schema }, (handle, request, reply) =>
    sendTagged({ request, reply }, handle, () => ({ name: handle.model.name, tests: handle.model.document.tests ?? [] })),
  )
}

function listOf({ examples }: ModelHandle['model']) {
  const suggestion = 'The model declares no examples; GET …/schema lists the fields that you can query.'
  return { examples: examples.map(head), ...(examples.length === 0 && { suggestion }) }
}

function head({ name, description, intentTags }: ModelHandle['model']['examples'][number]) {
  return { name, description: description ?? null, intent_tags: intentTags }
}

/** The SQL of an example, or `null` if it does not compile. The warnings of the model contain the reason. */
async function previewSql(
  { sessionId, modelId }: ModelHandle,
  query: unknown,
  request: FastifyRequest,
  service: Service,
): Promise<string | null> {
  const compiled = await service.compile({ asker: askerOf(request), target: { sessionId, modelId }, query }).catch(refused)
  return compiled === undefined || compiled.withheld ? null : compiled.sql
}

function refused(error: unknown): undefined {
  if (error instanceof Error && error.name === 'GrainlineError') return undefined
  throw error
}
