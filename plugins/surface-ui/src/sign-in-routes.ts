/**
 * Sign-in with the identity provider: the authorization code flow of OpenID Connect with PKCE. The browser goes to the provider, and this server changes
 * the code for a token, so that the page sends no request to another host.
 */
import { GrainlineError } from '@grainline/core'
import type { SurfaceContext } from '@grainline/core/surface'
import type { FastifyInstance } from 'fastify'
import { refuseStrangers } from './refuse-strangers.js'

type SignIn = NonNullable<NonNullable<SurfaceContext['issuedBy']>['signIn']>

/** What a provider says about itself, as far as it is needed. */
interface Endpoints {
  readonly authorize: string
  readonly token: string
}

export interface SignInOptions {
  readonly issuer: string
  readonly signIn: SignIn
  readonly ask?: typeof fetch
}

const LONGEST = 16_384

/** Adds `GET /ui/sign-in`, which says where people sign in, and `POST /ui/sign-in`, which takes the code that they bring back. */
export function signInRoutes(parent: FastifyInstance, { issuer, signIn, ask = fetch }: SignInOptions): void {
  const endpoints = onceGood(() => discover(issuer, ask))
  parent.register(async (app) => {
    app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: LONGEST }, (_request, body, done) =>
      done(null, body),
    )
    app.addHook('onRequest', async (request) => refuseStrangers(request))
    app.get('/ui/sign-in', async (_request, reply) => {
      const { authorize } = await endpoints()
      return reply.header('cache-control', 'no-store').send({ authorize, client: signIn.client, scopes: signIn.scopes })
    })
    app.post('/ui/sign-in', async ({ body }, reply) => {
      const { token } = await endpoints()
      const form = { grant_type: 'authorization_code', client_id: signIn.client, ...answerOf(body) }
      return reply.header('cache-control', 'no-store').send({ token: await exchange(token, form, ask) })
    })
  })
}

/** The code, the proof that this browser asked for it, and the address to which it came back. Nothing else of the body is passed on. */
function answerOf(body: unknown): Record<'code' | 'code_verifier' | 'redirect_uri', string> {
  const given = record(parsed(body))
  const { code, verifier, redirect } = given
  if (typeof code !== 'string' || typeof verifier !== 'string' || typeof redirect !== 'string')
    throw new GrainlineError('INVALID_REQUEST', 'A sign-in has a code, a verifier and a redirect')
  return { code, code_verifier: verifier, redirect_uri: redirect }
}

async function exchange(address: string, form: Record<string, string>, ask: typeof fetch): Promise<string> {
  const answer = await asked(ask, address, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { accept: 'application/json' },
  })
  const said = record(await answer.json().catch(() => undefined))
  if (answer.status >= 500) return unavailable(`its answer is ${answer.status}`)
  if (!answer.ok)
    throw new GrainlineError('AUTH_INVALID', `The identity provider refused the sign-in${reason(said)}`, { hint: AGAIN })
  const { access_token: token } = said
  return typeof token === 'string' && token !== '' ? token : unavailable('its answer has no access token')
}

const AGAIN =
  'Sign in again. If it is refused again, ask the person who runs this server whether the page is registered as a client.'

/** The provider's word for it, such as `invalid_grant`, and no other text. */
const reason = ({ error }: Readonly<Record<string, unknown>>): string =>
  typeof error === 'string' && /^\w{1,60}$/.test(error) ? ` (${error})` : ''

async function discover(issuer: string, ask: typeof fetch): Promise<Endpoints> {
  const answer = await asked(ask, `${issuer.endsWith('/') ? issuer.slice(0, -1) : issuer}/.well-known/openid-configuration`)
  const said = record(await answer.json().catch(() => undefined))
  if (!answer.ok || said['issuer'] !== issuer) return unavailable(`it does not describe '${issuer}'`)
  return { authorize: safe(said['authorization_endpoint']), token: safe(said['token_endpoint']) }
}

/** An address to which a code or a person may be sent. */
function safe(address: unknown): string {
  const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname))) return url.href
  return unavailable('its endpoints are no addresses of https')
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/

const asked = (ask: typeof fetch, address: string, init?: RequestInit): Promise<Response> =>
  ask(address, { ...init, redirect: 'error', signal: AbortSignal.timeout(10_000) }).catch((cause: unknown) =>
    unavailable('it does not answer', cause),
  )

function unavailable(why: string, cause?: unknown): never {
  throw new GrainlineError('AUTH_UNAVAILABLE', `The identity provider cannot be used: ${why}`, { cause })
}

function parsed(body: unknown): unknown {
  try {
    return JSON.parse(String(body))
  } catch {
    return undefined
  }
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/** Remembers the answer; a failure is asked again. */
function onceGood<T>(read: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined
  return () => {
    kept ??= read().catch((error: unknown) => {
      kept = undefined
      throw error
    })
    return kept
  }
}
