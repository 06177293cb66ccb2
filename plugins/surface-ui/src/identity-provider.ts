/** What this server asks an identity provider, for a public client: where people sign in and out, tokens, and the end of a refresh token. */
import { GrainlineError } from '@grainline/core'
import { record } from './record.js'

/** What a provider says about itself, as far as it is needed. */
interface Endpoints {
  readonly authorize: string
  readonly token: string
  readonly logout?: string | undefined
  readonly revoke?: string | undefined
}

/** What `tokensFor` sends besides the client. */
export type Form =
  | {
      readonly grant_type: 'authorization_code'
      readonly code: string
      readonly code_verifier: string
      readonly redirect_uri: string
    }
  | { readonly grant_type: 'refresh_token'; readonly refresh_token: string }

interface Tokens {
  readonly token: string
  readonly refresh?: string | undefined
  readonly idToken?: string | undefined
}

interface ProviderOptions {
  readonly issuer: string
  readonly client: string
  readonly ask: typeof fetch
}

export function identityProvider({ issuer, client, ask }: ProviderOptions) {
  const endpoints = onceGood(() => discover(issuer, ask))
  const post = (address: string, form: Readonly<Record<string, string>>): Promise<Response> =>
    asked(ask, address, {
      method: 'POST',
      body: new URLSearchParams({ ...form, client_id: client }),
      headers: { accept: 'application/json' },
    })
  return {
    endpoints,
    async tokensFor(form: Form): Promise<Tokens> {
      const answer = await post((await endpoints()).token, form)
      const said = record(await answer.json().catch(() => undefined))
      if (answer.status >= 500 || answer.status === 429) return unavailable(`its answer is ${answer.status}`)
      if (!answer.ok) return refused(form, said)
      const token = textOf(said['access_token'])
      if (token === undefined) return unavailable('its answer has no access token')
      return { token, refresh: textOf(said['refresh_token']), idToken: textOf(said['id_token']) }
    },
    /** A provider that ends no tokens at request ends them itself. */
    async revoke(refresh: string): Promise<void> {
      const { revoke } = await endpoints()
      if (revoke === undefined) return
      const answer = await post(revoke, { token: refresh, token_type_hint: 'refresh_token' })
      if (!answer.ok) return unavailable(`its answer is ${answer.status}`)
    },
  }
}

function refused({ grant_type }: Form, said: Readonly<Record<string, unknown>>): never {
  if (grant_type === 'refresh_token')
    throw new GrainlineError('AUTH_INVALID', `The identity provider has ended the login${reason(said)}`, {
      hint: 'Sign in again.',
    })
  throw new GrainlineError('AUTH_INVALID', `The identity provider refused the sign-in${reason(said)}`, { hint: AGAIN })
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
  const { end_session_endpoint: logout, revocation_endpoint: revoke } = said
  return {
    authorize: safe(said['authorization_endpoint']),
    token: safe(said['token_endpoint']),
    ...(logout !== undefined && { logout: safe(logout) }),
    ...(revoke !== undefined && { revoke: safe(revoke) }),
  }
}

/** An address to which a token or a person may be sent. */
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

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

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
