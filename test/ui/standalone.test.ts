/** The page as a separate process, in front of a server that requires TLS and keys. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { selfSigned } from '../host/certificate.js'
import { start } from '../host/process.js'
import { holds } from '../specification/holds.js'
import { strippingProxy } from './stripping-proxy.js'

const KEY = 'svc_pat_0123456789abcdef0123456789abcdef01234567'
const OWN = { 'x-grainline-ui': '1' }

t.test('the page runs in front of another server', async (t) => {
  holds(t, 'ui.standalone', 'setting.API_BASE_URL')
  const cwd = t.testdir({})
  const { cert, key } = selfSigned()
  const [certFile, keyFile] = [path.join(cwd, 'cert.pem'), path.join(cwd, 'key.pem')]
  writeFileSync(certFile, cert)
  writeFileSync(keyFile, key)
  const config = new URL('../../config/minimal.yaml', import.meta.url).pathname
  const tls = { API_TLS_CERT: certFile, API_TLS_KEY: keyFile, AUTH_MODE: 'api_key', API_KEYS: KEY, API_SERVER_PORT: '0' }
  const api = start(t, ['serve', '--config', config], { cwd, env: tls })
  const [, port] = await api.shows(/https:\/\/[^\s:]+:(\d+)/)
  const env = { API_BASE_URL: `https://localhost:${port}`, API_CA: certFile, MODEL_FILES: 'not-read.yaml' }

  const withKey = start(t, ['ui', '--port', '0'], { cwd, env: { ...env, SVC_API_KEY: KEY } })
  const without = start(t, ['ui', '--port', '0'], { cwd, env })
  const address = await addressOf(withKey)
  const lost = await addressOf(without)

  t.test('sends its key, which the browser never sees', async (t) => {
    const settings = await fetch(`${address}/ui/api/v1/settings`, { headers: OWN })
    t.equal(settings.status, 200)
    t.match(await settings.json(), { auth_mode: 'api_key' })
    t.equal((await fetch(`${address}/v1/settings`)).status, 404, 'it is no API')
  })

  t.test('reports at the start that the key is missing, with the setting', async (t) => {
    await without.shows(/SVC_API_KEY is not set and the API wants a key \(AUTH_MODE=api_key\)/)
    const refused = await fetch(`${lost}/ui/api/v1/settings`, { headers: OWN })
    t.match(await refused.json(), { code: 'AUTH_REQUIRED' })
    const signedIn = await fetch(`${lost}/ui/api/v1/settings`, { headers: { ...OWN, authorization: `Bearer ${KEY}` } })
    t.equal(signedIn.status, 200, 'people sign in with keys of their own')
  })

  t.test('works behind a proxy that removes a part of the path', async (t) => {
    const proxy = await strippingProxy(t, '/bi', address)
    const page = await fetch(`${proxy}/bi/ui`)
    t.equal(page.url, `${proxy}/bi/ui/`)
    const [, script] = /src="(assets\/[^"]+)"/.exec(await page.text()) ?? []
    t.equal((await fetch(new URL(script!, page.url))).status, 200)
    t.equal((await fetch(new URL('api/v1/dialects', page.url), { headers: OWN })).status, 200)
  })

  t.test('reports that the API does not answer', async (t) => {
    api.signal('SIGKILL')
    await api.ended
    const answer = await fetch(`${address}/ui/api/v1/settings`, { headers: OWN })
    t.equal(answer.status, 502)
    t.match(await answer.json(), { code: 'API_UNREACHABLE', hint: /API_BASE_URL/ })
  })
})

async function addressOf(process: ReturnType<typeof start>): Promise<string> {
  const [address] = await process.shows(/http:\/\/[\w.[\]:]+:\d+/)
  return address
}
