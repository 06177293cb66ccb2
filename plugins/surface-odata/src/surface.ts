import { GrainlineError } from '@grainline/core'
import { principalOf } from '@grainline/core/surface'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { feedAnswers } from './answer/feed-answers.js'
import { contentTypeOf, jsonFormOf } from './answer/media-type.js'
import { answerODataErrors } from './answer/odata-error.js'
import type { ODataContext } from './context.js'
import { type Feed, feedOf } from './feed.js'
import { metadataDocument } from './metadata/metadata-document.js'
import { setNamed } from './names/entity-set.js'
import { readOptions } from './query/options.js'

type OfFeed = { Params: { readonly feed: string } }
type OfSet = { Params: { readonly feed: string; readonly set: string }; Querystring: Readonly<Record<string, unknown>> }
type LongQuery = OfSet & { Body: string }

/** Adds the routes of OData in a scope of their own: the application around them keeps its parsers and its handler of errors. */
export async function odataRoutes(parent: FastifyInstance, context: ODataContext): Promise<void> {
  await parent.register(
    async (app) => {
      answerODataErrors(app)
      app.addHook('onSend', async (_request, reply) => {
        reply.header('odata-version', '4.0')
        // Programs such as Excel send a password only after a server asked for one.
        if (reply.statusCode === 401) reply.header('www-authenticate', CHALLENGES)
      })
      documentRoutes(app, context)
      setRoutes(app, context)
    },
    { prefix: '/odata' },
  )
}

const CHALLENGES = ['Bearer realm="grainline"', 'Basic realm="grainline", charset="UTF-8"']

function documentRoutes(app: FastifyInstance, { service }: ODataContext): void {
  app.get('/', async (request, reply) => {
    const form = jsonFormOf(request)
    const names = service.publishedModels(principalOf(request)).map(({ sessionId }) => sessionId)
    const feeds = names.map((name) => ({ name, url: `${addressOf(request)}/${encodeURIComponent(name)}/` }))
    return reply.type(contentTypeOf(form)).send(JSON.stringify({ value: feeds }))
  })
  const serviceDocument = async (request: FastifyRequest<OfFeed>) => {
    const form = jsonFormOf(request)
    const { sets } = await feedAsked(request, service)
    const context = form.metadata === 'none' ? {} : { '@odata.context': `${rootOf(request)}/$metadata` }
    const value = sets.map(({ name, relation }) => ({ name, title: relation, kind: 'EntitySet', url: name }))
    return { type: contentTypeOf(form), body: JSON.stringify({ ...context, value }) }
  }
  for (const path of ['/:feed', '/:feed/']) {
    app.get<OfFeed>(path, async (request, reply) => {
      const { type, body } = await serviceDocument(request)
      return reply.type(type).send(body)
    })
  }
  app.get<OfFeed>('/:feed/$metadata', async (request, reply) => {
    const { sets } = await feedAsked(request, service)
    return reply.type('application/xml; charset=utf-8').send(metadataDocument(sets))
  })
}

function setRoutes(app: FastifyInstance, context: ODataContext): void {
  const answers = feedAnswers(context)
  app.get<OfSet>('/:feed/:set', async (request, reply) => {
    const asked = await setAsked(request, context)
    return answers.rows({ ...asked, options: readOptions(request.query), url: request.query }, request, reply)
  })
  app.get<OfSet>('/:feed/:set/$count', async (request, reply) => {
    const asked = await setAsked(request, context)
    return answers.count({ ...asked, options: readOptions(request.query), url: request.query }, request, reply)
  })
  // For options that are longer than a URL may be (Part 2, 4.01, 5.1.8).
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('text/plain', { parseAs: 'string', bodyLimit: LONGEST_OPTIONS }, (_request, body, done) =>
    done(null, body),
  )
  app.post<LongQuery>('/:feed/:set/$query', async (request, reply) => {
    const asked = await setAsked(request, context)
    const url = Object.fromEntries(new URLSearchParams(request.body))
    return answers.rows({ ...asked, options: readOptions(url), url }, request, reply)
  })
  // Before the body is read, which may be of any type.
  const onRequest = async (request: FastifyRequest<OfSet>, reply: FastifyReply) => refuseWrite(request, reply)
  app.route<OfSet>({ method: ['POST', 'PUT', 'PATCH', 'DELETE'], url: '/:feed/:set', onRequest, handler: refuseWrite })
}

/** Programs send batches and writes to addresses of sets, and read errors in the form of OData only. */
function refuseWrite({ method, params: { set } }: FastifyRequest<OfSet>, reply: FastifyReply): never {
  reply.header('allow', 'GET, HEAD')
  if (set === '$batch')
    throw new GrainlineError('METHOD_NOT_ALLOWED', 'A feed takes no batches of requests', {
      hint: 'Send each request by itself.',
    })
  const hint = 'Read with GET; options that are too long for an address are sent to SET/$query with POST.'
  throw new GrainlineError('METHOD_NOT_ALLOWED', `Feeds are read-only, so that a set takes no ${method}`, { hint })
}

const LONGEST_OPTIONS = 64 * 1024

async function setAsked(request: FastifyRequest<OfSet>, { service }: ODataContext) {
  const { set } = request.params
  if (set.startsWith('$')) throw new GrainlineError('NOT_FOUND', `${set.slice(0, 40)} is not served here`, { hint: NOT_SERVED })
  if (set.includes('(')) {
    throw new GrainlineError('NOT_FOUND', 'A row has no separate address', {
      hint: 'Use $filter on the properties of the set.',
    })
  }
  const feed = await feedAsked(request, service)
  return { feed, set: setNamed(set, feed.sets), root: rootOf(request) }
}

const NOT_SERVED = 'A feed has its service document, $metadata, its entity sets, and SET/$count and SET/$query.'

const feedAsked = (request: FastifyRequest<OfFeed>, service: ODataContext['service']): Promise<Feed> =>
  feedOf(request.params.feed, principalOf(request), service)

/** The address of the feeds as the client knows it. */
function addressOf({ protocol, host, routeOptions }: FastifyRequest): string {
  const path = routeOptions.url ?? '/odata'
  return `${protocol}://${host}${path.slice(0, path.indexOf('/odata'))}/odata`
}

const rootOf = (request: FastifyRequest<OfFeed>): string => `${addressOf(request)}/${encodeURIComponent(request.params.feed)}`
