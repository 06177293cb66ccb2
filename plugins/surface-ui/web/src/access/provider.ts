/**
 * Sign-in with an identity provider: the authorization code flow with PKCE. A browser comes back with a code, which is of use to nobody without the
 * verifier of this tab.
 */
import type { Problem } from '../api/problem.js'
import { askPage, problemOf, problemOfError } from '../api/send.js'
import { signInWith } from './identity.js'
import { type Answered, loginOf } from './login-of.js'

export interface Provider {
  readonly authorize: string
  readonly client: string
  readonly scopes: readonly string[]
  /** Where a login ends; absent if the provider cannot do that, or this server does not want it. */
  readonly logout?: string
}

interface Leave {
  readonly state: string
  readonly verifier: string
  /** Where the person was. */
  readonly hash: string
}

const LEAVE = 'grainline.leave'
const ROUTE = 'sign-in'

/** Where people sign in. `undefined` if they enter a key or token, a problem if the provider does not answer. */
export async function readProvider(): Promise<Provider | Problem | undefined> {
  const response = await askPage(ROUTE, undefined).catch(() => undefined)
  if (response === undefined || response.status === 404) return undefined
  return response.ok ? response.json() : problemOf(response)
}

/** Leaves for the provider. What this tab shows is in its address, and is shown again afterwards. */
export async function leaveFor({ authorize, client, scopes }: Provider): Promise<void> {
  const [state, verifier] = [random(), random()]
  const leave: Leave = { state, verifier, hash: location.hash }
  sessionStorage.setItem(LEAVE, JSON.stringify(leave))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const url = new URL(authorize)
  const asked = {
    response_type: 'code',
    client_id: client,
    redirect_uri: here(),
    scope: scopes.join(' '),
    state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
  location.assign(url)
}

/** The address at the provider where the login of this person ends. It sends them back to the page, without an answer in the address. */
export function logoutAt(logout: string, client: string, idToken: string | undefined): URL {
  const url = new URL(logout)
  url.searchParams.set('client_id', client)
  url.searchParams.set('post_logout_redirect_uri', here())
  if (idToken !== undefined) url.searchParams.set('id_token_hint', idToken)
  return url
}

/** Why the last return brought no token. The form shows it. */
let refusal: Problem | undefined
export const refusalOfProvider = (): Problem | undefined => refusal

/** Changes the code in the address for a token, and takes it out of the address first. */
export async function returnFromProvider(answer: URLSearchParams): Promise<void> {
  const leave = takeLeave()
  history.replaceState(null, '', location.pathname + (leave?.hash ?? ''))
  refusal = await changeForToken(answer, leave).catch(problemOfError)
}

async function changeForToken(answer: URLSearchParams, leave: Leave | undefined): Promise<Problem | undefined> {
  // Otherwise a link of somebody else could sign a person in as another one.
  if (leave === undefined || answer.get('state') !== leave.state)
    return refused('This tab did not begin the sign-in that has ended here.')
  const code = answer.get('code')
  if (code === null) return refused(said(answer))
  const response = await askPage(ROUTE, { code, verifier: leave.verifier, redirect: here() })
  if (!response.ok) return problemOf(response)
  const answered: Answered = await response.json()
  signInWith(answered.token, loginOf(answered))
  return undefined
}

/** Words of the address are shown only if they have the form of an error code. */
function said(answer: URLSearchParams): string {
  const error = answer.get('error') ?? ''
  if (error === 'access_denied') return 'The identity provider did not let you in, or you cancelled.'
  return `The identity provider refused the sign-in${/^\w{1,60}$/.test(error) ? ` (${error})` : ''}.`
}

const refused = (detail: string): Problem => ({ code: 'AUTH_INVALID', status: 401, detail, hint: 'Try again.' })

/** The address of the page, as it is registered at the provider. */
const here = (): string => location.origin + location.pathname

function takeLeave(): Leave | undefined {
  try {
    const kept = sessionStorage.getItem(LEAVE)
    sessionStorage.removeItem(LEAVE)
    return JSON.parse(kept ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

const random = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)))

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
