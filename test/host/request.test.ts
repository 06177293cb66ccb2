/** The command line as a client of a server that runs. */
import t from 'tap'
import { holds } from '../specification/holds.js'
import { selfSigned } from './certificate.js'
import { run, start } from './process.js'

const rest = JSON.stringify('@grainline/surface-rest')
const KEY = 'svc_pat_0123456789abcdef0123456789abcdef01234567'

t.test('request sends its certificate and its key, and prints the response of the server', async (t) => {
  holds(t, 'tls.client', 'tls.mutual')
  const [own, client] = [selfSigned(), selfSigned()]
  const files = { 'cert.pem': own.cert, 'key.pem': own.key, 'client.pem': client.cert, 'client-key.pem': client.key }
  const cwd = t.testdir({ 'config.yaml': `plugins: [${rest}]\n`, 'session.json': '{"metadata":{"from":"file"}}', ...files })
  const tls = { API_TLS_CERT: 'cert.pem', API_TLS_KEY: 'key.pem', API_TLS_CLIENT_CA: 'client.pem' }
  const env = { PORT: '0', AUTH_MODE: 'api_key', API_KEYS: KEY, ...tls }
  const server = start(t, ['serve', '--config', 'config.yaml'], { cwd, env })
  const [, port] = await server.shows(/listens? on https:\/\/[^,]*:(\d+), TLS on/)
  const where = ['--server', `https://localhost:${port}`, '--server-ca', 'cert.pem']
  const certificate = ['--client-cert', 'client.pem', '--client-key', 'client-key.pem']
  const ask = (args: string[], key = KEY) => run(t, ['request', ...args], { cwd, env: { SVC_API_KEY: key } })

  const opened = await ask(['post', '/v1/sessions', '--data', '@session.json', ...where, ...certificate])
  t.match(opened, { code: 0, stderr: '' })
  t.match(JSON.parse(opened.stdout), { session_id: String, metadata: { from: 'file' } })
  t.match(await ask(['GET', '/v1/models', ...where, ...certificate], ''), { code: 1, stdout: '', stderr: /AUTH_REQUIRED/ })
  const bare = await ask(['GET', '/health', ...where])
  t.match(bare, { code: 1, stdout: '', stderr: /^SERVER_UNREACHABLE: https:\/\/localhost:\d+ cannot be reached: / })
  t.match(await ask(['GET', '/health', ...where, '--client-cert', 'client.pem']), { code: 2, stderr: /go together/ })
})
