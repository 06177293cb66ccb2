/** SIGHUP: the running process reloads model files and certificates. */
import { writeFileSync } from 'node:fs'
import https from 'node:https'
import path from 'node:path'
import type { TLSSocket } from 'node:tls'
import t from 'tap'
import { shopModel } from '../rest/shop.js'
import { holds } from '../specification/holds.js'
import { selfSigned } from './certificate.js'
import { start } from './process.js'

const plugin = (name: string) => JSON.stringify(`@grainline/${name}`)
const rest = plugin('surface-rest')
const config = `plugins: [${rest}]\n`
const serve = ['serve', '--config', 'config.yaml']
const LISTENS = /listens? on (http[^,]+), TLS (\w+( \(mutual\))?)/
const model = (description: string) => JSON.stringify({ ...shopModel, description })

t.test('SIGHUP reloads the models of changed files; an invalid file keeps the old model and is reported', async (t) => {
  holds(t, 'curated.reload')
  const files = {
    'config.yaml': config,
    'shop.yaml': model('first'),
    'other.yaml': JSON.stringify({ ...shopModel, name: 'other' }),
  }
  const cwd = t.testdir(files)
  const server = start(t, serve, { cwd, env: { PORT: '0', MODEL_FILES: 'shop.yaml,other.yaml', LOG_FORMAT: 'json' } })
  const [, address] = await server.shows(LISTENS)
  const read = async () => {
    const answer = await fetch(`${address}/v1/sessions/shop/models/shop`)
    return { etag: answer.headers.get('etag'), ...((await answer.json()) as { model_id: string; description: string }) }
  }
  const before = await read()
  t.equal(before.description, 'first')

  writeFileSync(path.join(cwd, 'shop.yaml'), model('second'))
  server.signal('SIGHUP')
  await server.shows(/model shop replaced from its file/)
  await server.shows(/model other already matches its file/)
  const after = await read()
  t.match(after, { description: 'second', model_id: 'shop' })
  t.not(after.etag, before.etag, 'what is remembered of the old model does not count')

  writeFileSync(path.join(cwd, 'shop.yaml'), 'name: shop\ndimensions:\n  A: { dataObject: Nothing, column: B }\n')
  writeFileSync(path.join(cwd, 'other.yaml'), JSON.stringify({ ...shopModel, name: 'renamed', description: 'of the other' }))
  server.signal('SIGHUP')
  await server.shows(/model shop stays as it is: .*Nothing.* \(line 3\)/)
  await server.shows(/model other replaced from its file/)
  t.match(await read(), { description: 'second' })
  const { models } = (await (await fetch(`${address}/v1/models`)).json()) as { models: unknown[] }
  t.match(models, [{ name: 'shop' }, { name: 'other', description: 'of the other' }], 'a session keeps its name')
})

t.test('SIGHUP reloads a model whose own file is the same, and the one that it inherits from is not', async (t) => {
  const cwd = t.testdir({
    'config.yaml': config,
    'base.yaml': model('first'),
    'shop.yaml': 'version: 1\nname: shop\ninherits: base.yaml\n',
  })
  const server = start(t, serve, { cwd, env: { PORT: '0', MODEL_FILES: 'shop.yaml', LOG_FORMAT: 'json' } })
  const [, address] = await server.shows(LISTENS)
  const measures = async () => {
    const answer = await fetch(`${address}/v1/sessions/shop/models/shop`)
    return ((await answer.json()) as { measures: { name: string }[] }).measures.map(({ name }) => name)
  }
  t.notOk((await measures()).includes('Sum of All'))
  const { Revenue } = shopModel.measures
  writeFileSync(
    path.join(cwd, 'base.yaml'),
    JSON.stringify({ ...shopModel, measures: { ...shopModel.measures, 'Sum of All': Revenue } }),
  )
  server.signal('SIGHUP')
  await server.shows(/model shop replaced from its file/)
  t.ok((await measures()).includes('Sum of All'))
})

t.test('the examples of a model file are checked after the start, and examples that do not compile cause warnings', async (t) => {
  const examples = [
    { name: 'good', query: { select: { measures: ['Revenue'] } } },
    { name: 'bad', query: { select: { measures: ['Nothing'] } } },
  ]
  const cwd = t.testdir({
    'config.yaml': `plugins: [${plugin('dialect-postgres')}, ${rest}]\n`,
    'shop.yaml': JSON.stringify({ ...shopModel, examples }),
  })
  const server = start(t, serve, { cwd, env: { PORT: '0', MODEL_FILES: 'shop.yaml', LOG_FORMAT: 'json' } })
  await server.shows(LISTENS)
  const [line] = await server.shows(/.*Example 'bad' does not compile.*/)
  t.match(JSON.parse(line), { code: 'INVALID_EXAMPLE', path: 'examples[1].query.select.measures[0]', file: /shop\.yaml$/ })
  const output = server.stdout() + server.stderr()
  t.ok(output.search(LISTENS) < output.indexOf(line), output)
})

interface Reply {
  readonly fingerprint: string
  readonly status: number
}

function ask(address: string, tls: https.RequestOptions): Promise<Reply> {
  const { port } = new URL(address)
  return new Promise((resolve, reject) => {
    const request = https.get({ host: 'localhost', port, path: '/health', agent: false, ...tls }, (answer) => {
      answer.resume()
      resolve({ fingerprint: (answer.socket as TLSSocket).getPeerCertificate().fingerprint256, status: answer.statusCode! })
    })
    request.on('error', reject)
  })
}

t.test('SIGHUP reloads the certificate; an invalid certificate keeps the old one', async (t) => {
  holds(t, 'tls.reload', 'tls.line', 'tls.rest')
  const [first, second] = [selfSigned(), selfSigned()]
  const cwd = t.testdir({ 'config.yaml': config, 'cert.pem': first.cert, 'key.pem': first.key })
  const env = { PORT: '0', API_TLS_CERT: 'cert.pem', API_TLS_KEY: 'key.pem', LOG_FORMAT: 'json' }
  const server = start(t, serve, { cwd, env })
  const [, address, tls] = await server.shows(LISTENS)
  t.equal(tls, 'on')
  const old = await ask(address!, { ca: first.cert })

  writeFileSync(path.join(cwd, 'cert.pem'), second.cert)
  server.signal('SIGHUP')
  await server.shows(/The certificate stays as it is: API_TLS_CERT and API_TLS_KEY cannot be used/)
  t.same(await ask(address!, { ca: first.cert }), old, 'a certificate without its key')

  writeFileSync(path.join(cwd, 'key.pem'), second.key)
  server.signal('SIGHUP')
  await server.shows(/API_TLS_CERT is read again/)
  t.not((await ask(address!, { ca: second.cert })).fingerprint, old.fingerprint)
  await t.rejects(ask(address!, { ca: first.cert }))
})

t.test('with API_TLS_CLIENT_CA a client needs a certificate of that authority', async (t) => {
  holds(t, 'tls.mutual', 'tls.line')
  const [own, client, stranger] = [selfSigned(), selfSigned(), selfSigned()]
  const cwd = t.testdir({ 'config.yaml': config, 'cert.pem': own.cert, 'key.pem': own.key, 'ca.pem': client.cert })
  const env = { PORT: '0', API_TLS_CERT: 'cert.pem', API_TLS_KEY: 'key.pem', API_TLS_CLIENT_CA: 'ca.pem' }
  const server = start(t, serve, { cwd, env })
  const [, address, tls] = await server.shows(LISTENS)
  t.equal(tls, 'on (mutual)')
  t.equal((await ask(address!, { ca: own.cert, ...client })).status, 200)
  await t.rejects(ask(address!, { ca: own.cert }), 'no certificate')
  await t.rejects(ask(address!, { ca: own.cert, ...stranger }), 'a certificate of somebody else')
})
