/**
 * An identity provider for tests: a login that a cookie remembers, codes of PKCE, tokens that it signs, refresh tokens that are accepted once, and a logout that
 * is started by the client.
 */
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import type { Test } from 'tap'

interface Given {
  readonly session: string
  readonly challenge: string
  readonly redirect: string
}

/** What each person may see. */
type People = Readonly<Record<string, object>>

export async function startProvider(t: Test, people: People, { lifetime = (): number => 3600 } = {}) {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
  const codes = new Map<string, Given>()
  /** Who is logged in, by the cookie of the browser. */
  const sessions = new Map<string, string>()
  /** Refresh tokens with their sessions. One that was used ends the session of whoever uses it again. */
  const refreshes = new Map<string, { readonly session: string; used: boolean }>()
  const revoked: string[] = []
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { pathname, searchParams: asked } = new URL(request.url ?? '/', issuer)
    const json = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const go = (location: string, headers: object = {}) => response.writeHead(302, { ...headers, location }).end()
    const session = /provider=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
    if (pathname === '/.well-known/openid-configuration') return json(200, described)
    if (pathname === '/keys') return json(200, { keys: [jwk] })
    if (pathname === '/authorize') {
      if (sessions.has(session)) return go(back(asked, { code: codeOf(session, asked) }))
      return response.writeHead(200, { 'content-type': 'text/html' }).end(loginPage(asked))
    }
    if (pathname === '/login') {
      const opened = randomUUID()
      sessions.set(opened, asked.get('person') ?? '')
      return go(back(asked, { code: codeOf(opened, asked) }), { 'set-cookie': `provider=${opened}; Path=/; HttpOnly` })
    }
    if (pathname === '/logout') {
      const { payload } = await jwtVerify(asked.get('id_token_hint') ?? '', publicKey, { issuer, audience: 'page' })
      if (payload['sid'] !== session || asked.get('client_id') !== 'page') return json(400, {})
      sessions.delete(session)
      return go(asked.get('post_logout_redirect_uri') ?? '')
    }
    const form = new URLSearchParams(await textOf(request))
    if (pathname === '/revoke') {
      revoked.push(form.get('token') ?? '')
      refreshes.delete(form.get('token') ?? '')
      return json(200, {})
    }
    if (pathname !== '/token') return json(404, {})
    const granted = form.get('grant_type') === 'refresh_token' ? ofRefresh(form) : ofCode(form)
    const person = sessions.get(granted ?? '')
    return granted === undefined || person === undefined
      ? json(400, { error: 'invalid_grant' })
      : json(200, await tokensOf(person, granted))
  }

  const described = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    end_session_endpoint: `${issuer}/logout`,
    revocation_endpoint: `${issuer}/revoke`,
  }

  function ofCode(form: URLSearchParams): string | undefined {
    const given = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    return given?.challenge === proof && given.redirect === form.get('redirect_uri') ? given.session : undefined
  }

  function ofRefresh(form: URLSearchParams): string | undefined {
    const known = refreshes.get(form.get('refresh_token') ?? '')
    if (known?.used) sessions.delete(known.session)
    if (known === undefined || known.used) return undefined
    known.used = true
    return known.session
  }

  async function tokensOf(person: string, session: string) {
    const refresh_token = randomUUID()
    refreshes.set(refresh_token, { session, used: false })
    const signed = (audience: string, claims: object) =>
      new SignJWT({ sub: person, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setExpirationTime(Math.floor(Date.now() / 1000) + lifetime())
        .sign(privateKey)
    return {
      access_token: await signed('grainline', people[person] ?? {}),
      id_token: await signed('page', { sid: session }),
      ...{ refresh_token, token_type: 'Bearer' },
    }
  }

  function codeOf(session: string, asked: URLSearchParams): string {
    const code = randomUUID()
    codes.set(code, { session, challenge: asked.get('code_challenge') ?? '', redirect: asked.get('redirect_uri') ?? '' })
    return code
  }

  const back = (asked: URLSearchParams, answered: Record<string, string>) =>
    `${asked.get('redirect_uri') ?? ''}?${new URLSearchParams({ ...answered, state: asked.get('state') ?? '' })}`

  /** Links for each person, and for somebody who does not want to. */
  function loginPage(asked: URLSearchParams): string {
    const links = Object.keys(people).map((person) => [`/login?${asked}&person=${person}`, `I am ${person}`] as const)
    const all = [...links, [back(asked, { error: 'access_denied' }), 'Cancel'] as const]
    return `<!doctype html><title>Login</title>${all.map(([to, says]) => `<a href="${to.replaceAll('&', '&amp;')}">${says}</a>`).join(' ')}`
  }
  return {
    issuer,
    revoked,
    /** Ends every login. */
    endAll: () => sessions.clear(),
    used: () => [...refreshes.values()].filter(({ used }) => used).length,
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}
