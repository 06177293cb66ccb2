/** Requests that a server refuses until somebody signs in. The server is a function in place of `fetch`. */
import t, { type Test } from 'tap'
import { ApiError, request } from '../api/request.js'
import { credential, login, signInWith } from './identity.js'
import { askedToSignIn, endSignIn, onSignIn } from './sign-in.js'
import { wordsFor } from './sign-in-words.js'
import { authModeOf, cleaned, trySignIn } from './try-sign-in.js'

interface Sent {
  readonly url: string
  readonly key: string | undefined
}

/** A server that accepts these keys; `said` are headers of its refusals. */
function serve(t: Test, keys: Set<string>, said: Record<string, string> = { 'x-grainline-sign-in': '1' }): Sent[] {
  const sent: Sent[] = []
  const before = globalThis.fetch
  globalThis.fetch = async (url, { headers, signal } = {}) => {
    signal?.throwIfAborted()
    const key = new Headers(headers).get('authorization')?.replace('Bearer ', '')
    sent.push({ url: String(url), key })
    if (url === 'api/health') return Response.json({ auth_mode: 'api_key' })
    if (key !== undefined && keys.has(key)) return Response.json({ principal: { id: 'ann', roles: [] } })
    const problem = { code: key === undefined ? 'AUTH_REQUIRED' : 'AUTH_INVALID', status: 401, detail: 'The key is not valid' }
    return Response.json(problem, { status: 401, headers: said })
  }
  t.teardown(() => {
    globalThis.fetch = before
  })
  return sent
}

const isAsked = () =>
  new Promise<void>((resolve) => {
    if (askedToSignIn()) return resolve()
    const stop = onSignIn(() => {
      stop()
      resolve()
    })
  })

t.test('a server with a key of its own asks nobody', async (t) => {
  serve(t, new Set(), {})
  const refused = await request('v1/models').catch((error: unknown) => error)
  t.match(refused, { problem: { code: 'AUTH_REQUIRED', hint: /Set SVC_API_KEY/ } })
  t.equal(askedToSignIn(), undefined)
})

t.test('a request that is cancelled does not wait any longer', async (t) => {
  serve(t, new Set())
  const controller = new AbortController()
  const asked = request('v1/models', { signal: controller.signal })
  await isAsked()
  controller.abort()
  await t.rejects(asked, { name: 'AbortError' })
  endSignIn(false)
})

t.test('who does not want to sign in gets the refusal', async (t) => {
  serve(t, new Set())
  const asked = request('v1/models')
  await isAsked()
  endSignIn(false)
  await t.rejects(asked, new ApiError({ code: 'AUTH_REQUIRED', status: 401, detail: 'The key is not valid' }))
})

t.test('requests wait until somebody has signed in, and are sent again with the key', async (t) => {
  const keys = new Set(['first'])
  const sent = serve(t, keys)
  const both = Promise.all([request('v1/models'), request('v1/dialects')])
  await isAsked()
  t.match(askedToSignIn(), { again: false, problem: { code: 'AUTH_REQUIRED' } })
  t.match(await trySignIn('wrong'), { status: 401, detail: 'The key is not valid' })
  t.match(await trySignIn('two words'), { detail: /no spaces/ })
  t.match(await trySignIn('schlüssel'), { detail: /no accented letters/ })
  t.equal(credential(), undefined, 'what is refused is not kept')
  t.equal(await trySignIn(' Bearer first\n'), undefined)
  t.strictSame(
    (await both).map(({ status }) => status),
    [200, 200],
  )
  t.equal(askedToSignIn(), undefined)
  t.notMatch(sent.map(({ url }) => url).join(), 'first', 'no address contains a key')

  // The key ends in the middle of the work.
  keys.delete('first')
  keys.add('second')
  const later = request('v1/query', { body: { question: 'kept' } })
  await isAsked()
  t.match(askedToSignIn(), { again: true, problem: { code: 'AUTH_INVALID' } })
  t.equal(await trySignIn('second'), undefined)
  t.equal((await later).status, 200)
  t.strictSame(sent.at(-1), { url: 'api/v1/query', key: 'second' })
})

/** A server that accepts one token, and a provider that changes refresh tokens: `next` answers each of them. */
function serveProvider(t: Test, next: (refresh: string) => Response): { accept: (token: string) => void; sent: string[] } {
  let accepted = 'none'
  const sent: string[] = []
  const before = globalThis.fetch
  globalThis.fetch = async (url, { headers, body } = {}) => {
    const key = new Headers(headers).get('authorization')?.replace('Bearer ', '')
    sent.push(`${url} ${key ?? body}`)
    if (url === 'sign-in') return next(JSON.parse(String(body)).refresh)
    if (key === accepted) return Response.json({ principal: { id: 'ann', roles: [] } })
    const problem = { code: 'AUTH_INVALID', status: 401, detail: 'The token has expired' }
    return Response.json(problem, { status: 401, headers: { 'x-grainline-sign-in': '1' } })
  }
  t.teardown(() => {
    globalThis.fetch = before
  })
  return { accept: (token) => (accepted = token), sent }
}

t.test('a session goes on with the refresh token, as long as the provider allows', async (t) => {
  const answers: Record<string, () => Response> = {
    r1: () => Response.json({ token: 't2', refresh: 'r2' }),
    r2: () => Response.json({ token: 't3' }),
  }
  const refused = () => Response.json({ code: 'AUTH_INVALID', status: 401, detail: 'The login has ended' }, { status: 401 })
  let down = false
  const { accept, sent } = serveProvider(t, (refresh) =>
    down
      ? Response.json({ code: 'AUTH_UNAVAILABLE', status: 503, detail: 'Down' }, { status: 503 })
      : (answers[refresh] ?? refused)(),
  )
  signInWith('t1', { refresh: 'r1', idToken: 'i1' })
  accept('t2')
  await Promise.all([request('v1/models'), request('v1/dialects')])
  t.strictSame(
    sent.filter((each) => each.startsWith('sign-in')),
    ['sign-in {"refresh":"r1"}'],
    'once for all requests that wait',
  )
  t.strictSame([credential(), login()], ['t2', { refresh: 'r2', idToken: 'i1' }], 'the next refresh token is kept')
  t.equal(askedToSignIn(), undefined)

  accept('t3')
  down = true
  await t.rejects(request('v1/models'), new ApiError({ code: 'AUTH_UNAVAILABLE', status: 503, detail: 'Down' }))
  t.equal(askedToSignIn(), undefined, 'a provider that does not answer has ended nothing')
  down = false
  await request('v1/models')
  t.strictSame(login(), { refresh: 'r2', idToken: 'i1' }, 'a provider that gives no other one accepts it again')

  accept('t4')
  answers['r2'] = refused
  const later = Promise.allSettled([request('v1/models'), request('v1/dialects')])
  await isAsked()
  t.match(askedToSignIn(), { again: true, problem: { detail: 'The login has ended' } })
  t.equal(login(), undefined)
  t.equal(await trySignIn('t4'), undefined)
  t.strictSame(
    (await later).map(({ status }) => status),
    ['fulfilled', 'fulfilled'],
  )
})

t.test('a new token that the server does not accept ends the session', async (t) => {
  serveProvider(t, () => Response.json({ token: 'other audience', refresh: 'r2' }))
  signInWith('t1', { refresh: 'r1' })
  const asked = request('v1/models')
  await isAsked()
  t.match(askedToSignIn(), { again: true, problem: { detail: 'The token has expired' } })
  endSignIn(false)
  await t.rejects(asked)
})

t.test('the words follow the mode of the server', async (t) => {
  serve(t, new Set())
  t.equal(wordsFor(await authModeOf()).label, 'Key')
  t.equal(wordsFor('jwt').label, 'Token')
  t.equal(wordsFor('of a plugin').label, 'Key or token')
  t.equal(cleaned('bearer  abc '), 'abc')
})
