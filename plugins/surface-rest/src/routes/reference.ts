import { GrainlineError, Type } from '@grainline/core'
import { didYouMean, nearest } from '@grainline/core/language'
import type { FastifyInstance } from 'fastify'
import type { RestContext } from '../context.js'
import { answers, problems } from '../schemas/common.js'

const Pages = Type.Object(
  { pages: Type.Array(Type.Object({ name: Type.String(), title: Type.String(), path: Type.String() })) },
  { title: 'ReferencePages' },
)
const JsonSchema = Type.Record(Type.String(), Type.Unknown(), { title: 'JsonSchema' })
const tags = ['reference']

/** The reference of the model and query languages, for people and agents: Markdown pages and JSON Schemas. */
export function referenceRoutes(app: FastifyInstance, { service }: RestContext): void {
  const pages = service.referencePages()
  const schemas = service.jsonSchemas()
  const list = { summary: 'The pages and schemas that describe the languages', tags, response: answers(200, Pages) }
  app.get('/reference', { schema: list }, async () => ({
    pages: [
      ...pages.map(({ name, title }) => ({ name, title, path: `/v1/reference/${name}` })),
      { name: 'schemas/model', title: 'JSON Schema of a model document', path: '/v1/reference/schemas/model' },
      { name: 'language', title: 'What an editor knows of the model language', path: '/v1/reference/language' },
      { name: 'schemas/query', title: 'JSON Schema of a query', path: '/v1/reference/schemas/query' },
    ],
  }))

  const markdown = { 200: { description: 'OK', content: { 'text/markdown': { schema: Type.String() } } }, ...problems }
  const show = {
    summary: 'A page that describes a language',
    tags,
    params: Type.Object({ page: Type.String() }),
    response: markdown,
  }
  app.get<{ Params: { page: string } }>('/reference/:page', { schema: show }, async ({ params }, reply) => {
    const found = pages.find(({ name }) => name === params.page)
    if (found === undefined) return refuse(params.page, pages)
    return reply.type('text/markdown; charset=utf-8').send(found.text())
  })

  const schema = (summary: string) => ({ summary, tags, response: answers(200, JsonSchema) })
  app.get('/reference/schemas/model', { schema: schema('JSON Schema of a model document') }, async () => schemas.model)
  app.get('/reference/language', { schema: schema('What an editor knows of the model language') }, async () =>
    service.modelLanguage(),
  )
  app.get('/reference/schemas/query', { schema: schema('JSON Schema of a query') }, async () => schemas.query)
}

function refuse(name: string, pages: readonly { readonly name: string }[]): never {
  const names = pages.map((page) => page.name)
  const suggestions = nearest(name, names)
  throw new GrainlineError('NOT_FOUND', `There is no page '${name.slice(0, 100)}'${didYouMean(suggestions)}`, {
    suggestions: suggestions.length > 0 ? suggestions : names,
  })
}
