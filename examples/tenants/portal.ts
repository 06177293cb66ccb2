/** The existing application: its own users, its own login, and pages with numbers of the tenant of the user. */
import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'

export interface User {
  readonly name: string
  readonly password: string
  readonly tenant: string
  readonly isOwner: boolean
}

/** The key of the application, which keys.yaml lists. It never leaves the server. */
const KEY = 'portal_pat_0123456789abcdef0123456789abcdef'

export async function portal(app: FastifyInstance, { users }: { readonly users: readonly User[] }): Promise<void> {
  const loggedIn = new Map<string, User>()

  app.post<{ Body: { name: string; password: string } }>('/login', async (request, reply) => {
    const user = users.find(({ name, password }) => name === request.body.name && password === request.body.password)
    if (!user) return reply.code(401).send({ error: 'unknown user or wrong password' })
    const token = randomUUID()
    loggedIn.set(token, user)
    return { token }
  })

  /** Passes a question of a page on, with the rights of the user. The browser sends a question and never says who asks. */
  app.post('/numbers', async (request, reply) => {
    const user = loggedIn.get(String(request.headers['x-portal-token']))
    if (!user) return reply.code(401).send({ error: 'log in first' })
    const answer = await app.inject({
      method: 'POST',
      url: '/semantic/v1/query/execute',
      headers: { 'x-api-key': KEY, 'x-on-behalf-of': rightsOf(user) },
      payload: { query: (request as FastifyRequest<{ Body: object }>).body },
    })
    return reply.code(answer.statusCode).type(String(answer.headers['content-type'])).send(answer.payload)
  })
}

/** What the access rules of the model read of a user. */
function rightsOf({ name, tenant, isOwner }: User): string {
  const principal = { name, roles: isOwner ? ['owner'] : [], attributes: { tenant } }
  return Buffer.from(JSON.stringify(principal)).toString('base64')
}
