/** An identity provider for tests: a login page, codes of PKCE, and tokens that it signs. */
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Test } from 'tap'

interface Given {
  readonly person: string
  readonly challenge: string
  readonly redirect: string
}

/** What each person may see. */
type People = Readonly<Record<string, object>>

export async function startProvider(t: Test, people: People, { lifetime = (): number => 3600 } = {}) {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
  const codes = new Map<string, Given>()
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', issuer)
    const json = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const described = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
    }
    if (url.pathname === '/.well-known/openid-configuration') return json(200, described)
    if (url.pathname === '/keys') return json(200, { keys: [jwk] })
    if (url.pathname === '/authorize')
      return response.writeHead(200, { 'content-type': 'text/html' }).end(loginPage(url.searchParams))
    if (url.pathname === '/token') {
      const form = new URLSearchParams(await textOf(request))
      const given = codes.get(form.get('code') ?? '')
      codes.delete(form.get('code') ?? '')
      const proof = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      if (given === undefined || given.challenge !== proof || given.redirect !== form.get('redirect_uri'))
        return json(400, { error: 'invalid_grant' })
      const token = await new SignJWT({ sub: given.person, ...people[given.person] })
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .setIssuer(issuer)
        .setAudience('grainline')
        .setExpirationTime(Math.floor(Date.now() / 1000) + lifetime())
        .sign(privateKey)
      return json(200, { access_token: token, token_type: 'Bearer' })
    }
    return json(404, {})
  }

  /** Links for each person, and for somebody who does not want to. */
  function loginPage(asked: URLSearchParams): string {
    const redirect = asked.get('redirect_uri') ?? ''
    const back = (answered: Record<string, string>) =>
      `${redirect}?${new URLSearchParams({ ...answered, state: asked.get('state') ?? '' })}`.replaceAll('&', '&amp;')
    const links = Object.keys(people).map((person) => {
      const code = randomUUID()
      codes.set(code, { person, challenge: asked.get('code_challenge') ?? '', redirect })
      return `<a href="${back({ code })}">I am ${person}</a>`
    })
    return `<!doctype html><title>Login</title>${links.join(' ')} <a href="${back({ error: 'access_denied' })}">Cancel</a>`
  }
  return { issuer }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}
