/** Hooks of a plugin that fail for every answer: a client gets an ordinary error, without the message of the hook. */
import { definePlugin, GrainlineError } from '@grainline/core'
import { grainline } from '@grainline/core/fastify'
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import { NOBODY } from '../host/support.js'

const SECRET = 'the password is hunter2'
const fails = () => new Error(SECRET)

/** Each adds hooks to the routes of a surface. */
const FAULTS: Readonly<Record<string, (app: FastifyInstance) => void>> = {
  'onSend throws': (app) =>
    void app.addHook('onSend', () => {
      throw fails()
    }),
  'onSend rejects': (app) => void app.addHook('onSend', () => Promise.reject(fails())),
  'onSend gives its callback an error': (app) => void app.addHook('onSend', (_request, _reply, _payload, done) => done(fails())),
  'onSend gives an invalid payload': (app) => void app.addHook('onSend', async () => ({ [SECRET]: 1 })),
  'onSend adds an invalid header': (app) =>
    void app.addHook('onSend', async (_request, reply) => void reply.header('x-note', `a\n${SECRET}`)),
  'preSerialization rejects': (app) => void app.addHook('preSerialization', () => Promise.reject(fails())),
  'onError throws, and so does onSend': (app) => {
    app.addHook('onError', () => {
      throw fails()
    })
    app.addHook('onSend', () => Promise.reject(fails()))
  },
  'its error handler throws, and so does onSend': (app) => {
    app.setErrorHandler(() => {
      throw fails()
    })
    app.addHook('onSend', () => Promise.reject(fails()))
  },
}

const surface = (addHooks: (app: FastifyInstance) => void) =>
  definePlugin({
    name: 'acme',
    host: '*',
    setup: (host) =>
      host.surfaces.register({
        name: 'acme',
        kind: 'http',
        async routes(app) {
          addHooks(app)
          app.get('/acme/text', async () => 'text')
          app.get('/acme/object', async () => ({ an: 'object' }))
          app.get('/acme/fails', async () => {
            throw fails()
          })
          app.get('/acme/refuses', async () => {
            throw new GrainlineError('NOT_FOUND', 'There is no such acme')
          })
        },
      }),
  })

for (const [fault, addHooks] of Object.entries(FAULTS))
  for (const standalone of [true, false])
    t.test(`${fault}: ${standalone ? 'on our server' : 'inside an application'} the message is only in the log`, async (t) => {
      const lines: string[] = []
      const app = Fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } } })
      t.teardown(() => app.close())
      app.register(grainline, { config: { plugins: [surface(addHooks)] }, environment: NOBODY, standalone })
      let failures = 0
      for (const path of ['text', 'object', 'fails', 'refuses']) {
        const answer = await app.inject(`/acme/${path}`)
        t.notMatch(answer.body + JSON.stringify(answer.headers), /hunter2/, path)
        if (answer.statusCode < 500) continue
        failures++
        t.match(answer.json(), { code: 'INTERNAL_ERROR', request_id: answer.headers['x-request-id'] }, path)
        t.match(answer.headers, { 'content-type': /problem\+json/, 'content-length': String(answer.rawPayload.length) })
      }
      t.ok(failures > 0)
      t.match(lines.join(''), /hunter2|FST_ERR_SEND|ERR_INVALID/)
    })
