/** Every command that asks a server: as a process over mutual TLS, and over TLS, on good and on bad input. One table says what each does. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { main } from '@grainline/core/cli'
import t from 'tap'
import { selfSigned } from '../host/certificate.js'
import { run, start } from '../host/process.js'
import { streamsThatKeep } from '../support/streams-that-keep.js'

const root = path.resolve(import.meta.dirname, '../..')
const config = path.join(root, 'config/demo.yaml')
const flights = path.join(root, 'examples/flights/model.yaml')
const changed = readFileSync(flights, 'utf8').replace('op: gt, value: 15 }]', 'op: gt, value: 30 }]')
const [own, client] = [selfSigned(), selfSigned()]
const KEY = 'svc_pat_0123456789abcdef0123456789abcdef01234567'
const cwd = t.testdir({
  'changed.yaml': changed,
  'broken.yaml': 'dataObjects: { A: { code: a } }\ndimensions:\n  D: { dataObject: B, column: Id }\n',
  'cert.pem': own.cert,
  'key.pem': own.key,
  'client.pem': client.cert,
  'client-key.pem': client.key,
})

async function serve(settings: Record<string, string>): Promise<string> {
  const tls = { API_TLS_CERT: 'cert.pem', API_TLS_KEY: 'key.pem', ...settings }
  const env = { PORT: '0', AUTH_MODE: 'api_key', API_KEYS: KEY, SESSION_RATE_LIMIT: '1000', ...tls }
  const [, port] = await start(t, ['serve', '--config', config], { cwd, env }).shows(/listens? on https:\/\/[^,]*:(\d+), TLS on/)
  return `https://localhost:${port}`
}
const [simple, mutual] = await Promise.all([serve({}), serve({ API_TLS_CLIENT_CA: 'client.pem' })])

interface Case {
  readonly args: readonly string[]
  readonly code?: number
  readonly out?: RegExp
  readonly err?: RegExp
}
const cases: readonly Case[] = [
  { args: ['validate', flights], out: /model\.yaml is valid/ },
  { args: ['validate', 'broken.yaml'], code: 1, out: /^broken\.yaml:3:20: error UNKNOWN_DATA_OBJECT / },
  { args: ['validate', 'missing.yaml'], code: 1, err: /missing\.yaml/ },
  { args: ['compile', '-m', 'flight_count', '--dialect', 'postgres'], out: /^SELECT/ },
  { args: ['compile', '-m', 'flight_count', '--dialect', 'oracle'], code: 1, err: /^\w*DIALECT\w*: .*oracle/ },
  { args: ['execute', '-m', 'flight_count', '-f', 'csv'], out: /^Flight Count\r\n336776\r\n$/ },
  { args: ['execute', flights, '-m', 'flight_count', '-f', 'ndjson'], out: /^\{"Flight Count":336776\}\n$/ },
  { args: ['execute', '-m', 'flight_cnt'], code: 2, err: /^'flight_cnt' is not a field .*'Flight Count'/ },
  { args: ['describe', 'airline'], out: /^Airline \(dimension\)/ },
  { args: ['describe', 'airlin'], code: 2, err: /Airline/ },
  { args: ['find', 'carrier'], out: /\nAirline +dimension/ },
  { args: ['find', 'zyxw'], code: 1, err: /^Nothing is like 'zyxw'\n$/ },
  { args: ['explain', 'cancellation_rate'], out: /^Cancellation Rate \(metric\)/ },
  { args: ['diagram'], out: /erDiagram/ },
  { args: ['codegen'], out: /export interface Flights \{/ },
  { args: ['codegen', '--nam', 'X'], code: 2, err: /--nam/ },
  { args: ['verify'], out: /\S/ },
  { args: ['test', flights], out: /6/ },
  { args: ['diff', flights, 'changed.yaml'], out: /Late Flights/ },
  { args: ['dialects'], out: /\nduckdb +\d/ },
  { args: ['settings'], out: /\nQUERY_EXECUTE +true/i },
  { args: ['doctor'], out: /\S/ },
  { args: ['request', 'GET', '/health'], out: /"status":"ok"/ },
  { args: ['request', 'GET', '/v1/nothing'], code: 1, err: /NOT_FOUND/ },
]

const ca = ['--ca', 'cert.pem']
const certificate = ['--client-cert', 'client.pem', '--client-key', 'client-key.pem']
const named = ({ args }: Case) => args.map((argument) => path.basename(argument)).join(' ')

async function inProcess(args: readonly string[], env: Record<string, string> = { GRAINLINE_API_KEY: KEY }) {
  const { stdout, stderr, written } = streamsThatKeep()
  const stdin = (async function* () {})()
  const code = await main([...args], { stdout, stderr, stdin, cwd, env, defaultConfig: config })
  const { out, err } = written()
  return { code, stdout: out, stderr: err }
}

const asWanted = ({ code = 0, out = /^/, err = /^/ }: Case) => ({ code, stdout: out, stderr: err })

t.test('over TLS', async (t) => {
  for (const one of cases) t.match(await inProcess([...one.args, '--server', simple, ...ca]), asWanted(one), named(one))
  t.match(await inProcess(['describe', '--server', simple]), {
    code: 1,
    stdout: '',
    stderr: /^SERVER_UNREACHABLE: .*certificate/,
  })
  t.match(await inProcess(['describe', '--server', simple, ...ca], {}), { code: 1, stdout: '', stderr: /^AUTH_REQUIRED: / })
})

t.test('as processes, over mutual TLS', async (t) => {
  const env = { GRAINLINE_API_KEY: KEY }
  const waiting = cases.filter(({ code = 0 }) => code === 0)
  const work = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift())
      t.match(await run(t, [...one.args, '--server', mutual, ...ca, ...certificate], { cwd, env }), asWanted(one), named(one))
  }
  await Promise.all([work(), work()])
  const bare = await run(t, ['describe', '--server', mutual, ...ca], { cwd, env })
  t.match(bare, { code: 1, stdout: '', stderr: /^SERVER_UNREACHABLE: / })
})
