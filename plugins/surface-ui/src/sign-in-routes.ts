/**
 * Sign-in with the identity provider: the authorization code flow of OpenID Connect with PKCE. The browser goes to the provider, and this server changes
 * the code for tokens, so that the page sends no request to another host.
 */
import { GrainlineError } from '@grainline/core'
import type { SurfaceContext } from '@grainline/core/surface'
import type { FastifyInstance } from 'fastify'
import { type Form, identityProvider } from './identity-provider.js'
import { record } from './record.js'
import { refuseStrangers } from './refuse-strangers.js'

type SignIn = NonNullable<NonNullable<SurfaceContext['issuedBy']>['signIn']>

export interface SignInOptions {
  readonly issuer: string
  readonly signIn: SignIn
  readonly ask?: typeof fetch
}

const LONGEST = 65_536

/**
 * Adds `GET /ui/sign-in`, which says where people sign in and out; `POST /ui/sign-in`, which takes the code that they bring back, or the refresh token
 * with which they go on; and `POST /ui/sign-out`, which ends a refresh token.
 */
export function signInRoutes(parent: FastifyInstance, { issuer, signIn, ask = fetch }: SignInOptions): void {
  const { client, scopes } = signIn
  const provider = identityProvider({ issuer, client, ask })
  parent.register(async (app) => {
    app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: LONGEST }, (_request, body, done) =>
      done(null, body),
    )
    app.addHook('onRequest', async (request, reply) => {
      refuseStrangers(request)
      reply.header('cache-control', 'no-store')
    })
    app.get('/ui/sign-in', async () => {
      const { authorize, logout } = await provider.endpoints()
      return { authorize, client, scopes, ...(signIn.logout && logout !== undefined && { logout }) }
    })
    app.post('/ui/sign-in', async ({ body }) => {
      const { token, refresh, idToken } = await provider.tokensFor(formOf(record(parsed(body))))
      return { token, ...(signIn.refresh && { refresh }), ...(signIn.logout && { idToken }) }
    })
    app.post('/ui/sign-out', async ({ body }, reply) => {
      const { refresh } = record(parsed(body))
      if (typeof refresh !== 'string') throw new GrainlineError('INVALID_REQUEST', 'A sign-out has a refresh token')
      await provider.revoke(refresh)
      return reply.code(204).send()
    })
  })
}

/**
 * The code, the proof that this browser asked for it, and the address to which it came back; or a refresh token. Nothing else of the body is passed on.
 */
function formOf({ code, verifier, redirect, refresh }: Readonly<Record<string, unknown>>): Form {
  if (typeof refresh === 'string') return { grant_type: 'refresh_token', refresh_token: refresh }
  if (typeof code !== 'string' || typeof verifier !== 'string' || typeof redirect !== 'string')
    throw new GrainlineError('INVALID_REQUEST', 'A sign-in has a code, a verifier and a redirect, or a refresh token')
  return { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirect }
}

function parsed(body: unknown): unknown {
  try {
    return JSON.parse(String(body))
  } catch {
    return undefined
  }
}
