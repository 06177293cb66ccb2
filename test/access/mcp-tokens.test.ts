/**
 * MCP as a protected resource of OAuth: the official client learns from a refusal who issues tokens, gets one there for this server, and asks with the rights of its person.
 * A token for another server, an old one and none are refused.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import t, { type Test } from 'tap'
import jwt from '../../plugins/auth-jwt/src/index.js'
import { dialects, executing, startRest } from '../rest/server.js'
import { ISSUER, issuer, writeKeys } from './issuer.js'
import { MODEL, TABLES } from './shop.js'

const ADDRESS = 'https://numbers.example.com'
const ONE = await issuer()
const now = (): number => Math.floor(Date.now() / 1000)
const tokenFor = (aud: string, claims: object = {}) =>
  ONE.token({ aud, iat: now(), exp: now() + 600, sub: 'ann', regions: ['North'], ...claims })

type Server = Awaited<ReturnType<typeof startRest>>

async function served(t: Test, more: object = {}): Promise<Server> {
  const dir = await mkdtemp(join(tmpdir(), 'grainline-mcp-tokens-'))
  t.teardown(() => rm(dir, { recursive: true }))
  await writeKeys(ONE, join(dir, 'keys.json'))
  await writeFile(join(dir, 'shop.yaml'), MODEL)
  const options = { issuer: ISSUER, audience: ['grainline'], keys: join(dir, 'keys.json'), algorithms: ['ES256'], ...more }
  const server = await startRest({
    plugins: [
      ...dialects,
      { use: '@grainline/vendor-duckdb', with: { init: [...TABLES] } },
      '@grainline/mcp',
      { use: jwt, with: { ...options, attributes: { regions: 'regions' } } },
    ],
    settings: {
      ...executing.settings,
      AUTH_MODE: 'jwt',
      MODEL_DIR: dir,
      MODEL_FILES: 'shop.yaml',
      ALLOWED_HOSTS: 'numbers.example.com',
    },
  })
  t.teardown(() => server.close())
  return server
}

/** The requests of a client to the server, and to its issuer. */
function network({ app }: Server, atIssuer: (url: URL, body: URLSearchParams) => Promise<object | undefined>): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(String(input))
    const body = init.body === undefined || init.body === null ? '' : String(init.body)
    if (url.origin === ISSUER) {
      const found = await atIssuer(url, new URLSearchParams(body))
      return found ? Response.json(found) : new Response('', { status: 404 })
    }
    const headers = { ...Object.fromEntries(new Headers(init.headers)), host: url.host }
    const asked = {
      method: (init.method ?? 'GET') as 'GET',
      url: url.pathname + url.search,
      headers,
      ...(body !== '' && { payload: body }),
    }
    const answer = await app.inject(asked)
    const text = [202, 204].includes(answer.statusCode) ? null : answer.payload
    return new Response(text, { status: answer.statusCode, headers: answer.headers as Record<string, string> })
  }
}

/** An issuer with one client, which gives a code to whoever comes, and for it a token to whoever began. */
function authorizationServer() {
  const codes = new Map<string, { readonly challenge: string; readonly resource: string }>()
  return {
    authorize(url: URL): string {
      const code = randomUUID()
      const { code_challenge: challenge = '', resource = '' } = Object.fromEntries(url.searchParams)
      codes.set(code, { challenge, resource })
      return code
    },
    async answer({ pathname }: URL, body: URLSearchParams): Promise<object | undefined> {
      if (pathname === '/.well-known/oauth-authorization-server')
        return {
          ...{ issuer: ISSUER, authorization_endpoint: `${ISSUER}/authorize`, token_endpoint: `${ISSUER}/token` },
          ...{ response_types_supported: ['code'], code_challenge_methods_supported: ['S256'] },
        }
      const found = codes.get(body.get('code') ?? '')
      if (pathname !== '/token' || !found) return undefined
      const proof = createHash('sha256')
        .update(body.get('code_verifier') ?? '')
        .digest('base64url')
      if (proof !== found.challenge) return undefined
      return { access_token: await tokenFor(body.get('resource') ?? found.resource), token_type: 'Bearer', expires_in: 600 }
    },
  }
}

/** A person's client, whose browser comes back at once. */
function person(authorize: (url: URL) => string) {
  const kept: { tokens?: object; verifier: string; code: string; asked?: URL } = { verifier: '', code: '' }
  const provider = {
    redirectUrl: 'http://localhost:1/callback',
    clientMetadata: { redirect_uris: ['http://localhost:1/callback'] },
    clientInformation: () => ({ client_id: 'agent' }),
    tokens: () => kept.tokens,
    saveTokens(tokens: object) {
      kept.tokens = tokens
    },
    redirectToAuthorization(url: URL) {
      kept.asked = url
      kept.code = authorize(url)
    },
    saveCodeVerifier(verifier: string) {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier,
  } as unknown as OAuthClientProvider
  return { provider, kept }
}

t.test(
  'the official client finds the issuer, gets a token for this server, and asks with the rights of its person',
  async (t) => {
    const server = await served(t, { resource: `${ADDRESS}/v1/mcp` })
    const issuing = authorizationServer()
    const { provider, kept } = person(issuing.authorize)
    const fetch = network(server, issuing.answer)
    const transport = () => new StreamableHTTPClientTransport(new URL(`${ADDRESS}/v1/mcp`), { authProvider: provider, fetch })
    const first = transport()
    await t.rejects(new Client({ name: 'agent', version: '1' }).connect(first), UnauthorizedError)
    t.equal(kept.asked?.searchParams.get('resource'), `${ADDRESS}/v1/mcp`)
    await first.finishAuth(kept.code)
    const client = new Client({ name: 'agent', version: '1' })
    await client.connect(transport())
    t.teardown(() => client.close())
    const { content } = await client.callTool({ name: 'query', arguments: { dimensions: ['Region'], measures: ['Revenue'] } })
    t.match(content, [{ text: /^Region\tRevenue\nNorth\t30\nwarning SQL_WITHHELD/ }])
    t.notMatch(content, [{ text: /South|own regions/ }])
  },
)

t.test('a refusal says where to get a token, and a token for another server is none', async (t) => {
  const server = await served(t)
  const ask = async (authorization?: string) => {
    const { statusCode, headers } = await server.app.inject({
      ...{ method: 'POST', url: '/v1/mcp', payload: '{}' },
      headers: { host: 'numbers.example.com', 'content-type': 'application/json', ...(authorization && { authorization }) },
    })
    return [statusCode, headers['www-authenticate']]
  }
  const where = 'resource_metadata="http://numbers.example.com/.well-known/oauth-protected-resource/v1/mcp"'
  t.same(await ask(), [401, `Bearer realm="grainline", ${where}`])
  const wrong = [401, `Bearer realm="grainline", error="invalid_token", ${where}`]
  t.same(await ask(`Bearer ${await tokenFor('https://other.example.com/v1/mcp')}`), wrong)
  t.same(await ask(`Bearer ${await tokenFor(`${ADDRESS}/v1/mcp`)}`), wrong, 'an address that no setting names')
  t.same(await ask(`Bearer ${await tokenFor('grainline', { exp: now() - 1 })}`), wrong)
  t.not((await ask(`Bearer ${await tokenFor('grainline')}`))[0], 401)
  for (const path of ['', '/v1/mcp']) {
    const { body } = await server.get(`/.well-known/oauth-protected-resource${path}`, { host: 'numbers.example.com' })
    t.match(body, {
      resource: 'http://numbers.example.com/v1/mcp',
      authorization_servers: [ISSUER],
      bearer_methods_supported: ['header'],
    })
  }
  t.equal((await server.get('/v1/models')).status, 401)
  t.equal(
    (await server.app.inject({ url: '/v1/models' })).headers['www-authenticate'],
    'Bearer realm="grainline"',
    'REST has no such issuer to name',
  )
})

t.test('with keys there is no issuer, and so no metadata', async (t) => {
  const settings = { ...executing.settings, AUTH_MODE: 'api_key', API_KEYS: 'svc_pat_0123456789abcdef0123456789abcdef' }
  const server = await startRest({ plugins: [...(executing.plugins ?? []), '@grainline/mcp'], settings })
  t.teardown(() => server.close())
  t.equal((await server.get('/.well-known/oauth-protected-resource/v1/mcp')).status, 404)
  const { headers } = await server.app.inject({ method: 'POST', url: '/v1/mcp', payload: '{}' })
  t.equal(headers['www-authenticate'], 'Bearer realm="grainline"')
})
