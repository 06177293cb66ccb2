/**
 * Every command with valid and invalid input: as a local process, as a process over mutual TLS, and over TLS. One table lists the expected
 * results, and each of the three ways must give the same.
 */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { main } from '@grainline/core/cli'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import t, { type Test } from 'tap'
import { readConfig } from '../../core/src/host/config.js'
import { startServer } from '../../core/src/host/server.js'
import { selfSigned } from '../host/certificate.js'
import { processOf, run, start } from '../host/process.js'
import { oneIn } from '../support/amount.js'
import { ownFolderWithin } from '../support/own-folder.js'
import { streamsThatKeep } from '../support/streams-that-keep.js'

const data = path.resolve(import.meta.dirname, '../../examples/flights/data')
const [own, client] = [selfSigned(), selfSigned()]
const KEY = 'svc_pat_0123456789abcdef0123456789abcdef01234567'
const model = `name: airports
dataObjects:
  Airports:
    code: airports
    countLabel: Airport Count
    columns:
      Code: { code: faa, abstractType: string, primaryKey: true }
      Altitude: { code: alt, abstractType: int, numClass: non-additive }
      Zone: { code: tzone, abstractType: string }
dimensions: { Zone: { dataObject: Airports, column: Zone, synonyms: [clock] } }
measures: { Highest: { aggregation: max, columns: [{ dataObject: Airports, column: Altitude }] } }
metrics: { Feet per Airport: { expression: '{[Highest]} / {[Airport Count]}' } }
tests: [{ name: all, query: { select: { measures: [Airport Count] } }, expect: { rows: [[1458]] } }]
`
const cwd = ownFolderWithin(t, {
  'model.yaml': model,
  'changed.yaml': model.replace('aggregation: max', 'aggregation: min'),
  'broken.yaml': 'dataObjects: { A: { code: a } }\ndimensions:\n  D: { dataObject: B, column: Id }\n',
  'failing.yaml': model.replace('1458', '1459'),
  'wrong-key.yaml': model.replace('code: faa', 'code: tzone'),
  'config.yaml': `plugins:
  - '@grainline/dialect-duckdb'
  - '@grainline/dialect-postgres'
  - use: '@grainline/vendor-duckdb'
    with: { tables: { airports: ${data}/airports.parquet } }
  - '@grainline/surface-rest'
settings: { QUERY_EXECUTE: true }
preload: [{ session: airports, model: model.yaml }]
`,
  'cert.pem': own.cert,
  'key.pem': own.key,
  'client.pem': client.cert,
  'client-key.pem': client.key,
})
const file = (name: string) => path.join(cwd, name)
const config = file('config.yaml')

/** A server in this process, with a certificate of its own. */
async function serve(settings: Record<string, string>): Promise<string> {
  const tls = { API_TLS_CERT: file('cert.pem'), API_TLS_KEY: file('key.pem'), ...settings }
  const limits = { SESSION_RATE_LIMIT: '1000', LOG_LEVEL: 'CRITICAL' }
  const env = { PORT: '0', AUTH_MODE: 'api_key', API_KEYS: KEY, ...limits, ...tls }
  const server = await startServer(await readConfig(config, () => undefined), { process: env, dotenv: {} })
  t.teardown(() => server.close())
  return `https://localhost:${new URL(server.address!).port}`
}
const [simple, mutual] = [await serve({}), await serve({ API_TLS_CLIENT_CA: file('client.pem') })]

interface Case {
  readonly args: readonly string[]
  readonly code?: number
  readonly out?: RegExp
  readonly err?: RegExp
  /** No model is added to the arguments, because the command uses none or names it itself. */
  readonly bare?: true
}
const cases: readonly Case[] = [
  { args: ['validate', 'model.yaml'], bare: true, out: /^model\.yaml is valid/ },
  { args: ['validate', 'model.yaml', '--against-database'], bare: true, out: /Airports +Code +faa +string +VARCHAR/ },
  { args: ['validate', 'broken.yaml'], bare: true, code: 1, out: /^broken\.yaml:3:20: error UNKNOWN_DATA_OBJECT / },
  { args: ['validate', 'missing.yaml'], bare: true, code: 1, err: /missing\.yaml/ },
  { args: ['compile', '-m', 'airport_count', '--dialect', 'postgres'], out: /^SELECT/ },
  { args: ['compile', '-m', 'airport_count', '--dialect', 'oracle'], code: 1, err: /^\w*DIALECT\w*: .*oracle/ },
  { args: ['execute', '-m', 'airport_count', '-f', 'csv'], out: /^Airport Count\r\n1458\r\n$/ },
  { args: ['execute', '-m', 'airport_cnt'], code: 2, err: /^'airport_cnt' is not a field .*'Airport Count'.*\n$/ },
  { args: ['execute', '--query', '{"select":'], code: 1, err: /^BAD_REQUEST: .*line 1.*\n$/ },
  { args: ['describe', 'zone'], out: /^Zone \(dimension\)/ },
  { args: ['describe', 'zon'], code: 2, err: /^.*Zone.*\n$/ },
  { args: ['find', 'clock'], out: /\nZone +dimension/ },
  { args: ['find', 'xwvq'], code: 1, err: /^Nothing is like 'xwvq'\n$/ },
  { args: ['explain', 'feet_per_airport'], out: /^Feet per Airport \(metric\)/ },
  { args: ['explain', 'feets'], code: 2, err: /^.*\n$/ },
  { args: ['diagram'], out: /erDiagram/ },
  { args: ['diagram', '--theme'], code: 2, err: /^.*--theme.*\n$/ },
  { args: ['codegen'], out: /export interface Airports \{/ },
  { args: ['codegen', '--nam', 'X'], code: 2, err: /^Unknown option '--nam' .*\n$/ },
  { args: ['verify'], out: /^Checked 1 key/ },
  { args: ['verify', 'wrong-key.yaml'], bare: true, code: 1, out: /error VERIFY_DUPLICATE_KEY / },
  { args: ['test', 'model.yaml'], bare: true, out: /1/ },
  { args: ['test', 'failing.yaml'], bare: true, code: 1, out: /1459/ },
  { args: ['diff', 'model.yaml', 'changed.yaml', '--values'], bare: true, out: /Highest[\s\S]* 9078 / },
  { args: ['diff', 'model.yaml'], bare: true, code: 2, err: /^diff takes two model files .*\n$/ },
  { args: ['dialects'], bare: true, out: /\nduckdb +\d/ },
  { args: ['dialects', 'duckdb'], bare: true, code: 2, err: /^Unexpected argument 'duckdb' .*\n$/ },
  { args: ['settings'], bare: true, out: /\nQUERY_EXECUTE +true/i },
  { args: ['settings', '--jsn'], bare: true, code: 2, err: /^Unknown option '--jsn' .*\n$/ },
  { args: ['doctor'], bare: true, out: /^ok / },
  { args: ['doctor', '--jsn'], bare: true, code: 2, err: /^Unknown option '--jsn' .*\n$/ },
]
/** Commands that only a server can answer. */
const requests: readonly Case[] = [
  { args: ['request', 'GET', '/health'], bare: true, out: /"status":"ok"/ },
  { args: ['request', 'GET', '/v1/nothing'], bare: true, code: 1, err: /NOT_FOUND/ },
]
/** Commands that run locally in any case; `mcp`, `ui` and `lsp` have separate tests. */
const here: readonly Case[] = [
  { args: ['init'], bare: true, out: /\n {2}Airports?:\n[\s\S]*code: airports/ },
  { args: ['init', '--schema', 'nowhere'], bare: true, code: 1, err: /^DATABASE_ERROR: / },
  { args: ['plugins'], bare: true, out: /@grainline\/vendor-duckdb +[\d.]+ +loaded/ },
  { args: ['plugins', '--config', 'missing.yaml'], bare: true, code: 1, err: /^INVALID_CONFIG: .*missing\.yaml/ },
  { args: ['serve', '--config', 'missing.yaml'], bare: true, code: 1, err: /^INVALID_CONFIG: .*missing\.yaml/ },
  { args: ['watch'], bare: true, code: 2, err: /^watch takes one model file .*\n$/ },
  { args: ['completion', 'bash'], bare: true, out: / mcp\) words="--server / },
  { args: ['completion', 'tcsh'], bare: true, code: 2, err: /^completion knows bash, zsh, fish, not 'tcsh' .*\n$/ },
  { args: ['mcp', '--help'], bare: true, out: /^Usage: grainline mcp \[--server URL\]/ },
  { args: ['mcp', '--servr', 'x'], bare: true, code: 2, err: /^grainline-mcp: Unknown option '--servr'.*\n$/ },
  { args: ['ui', 'extra'], bare: true, code: 2, err: /^Unexpected argument 'extra' .*\n$/ },
  { args: ['lsp', '--confg', 'x'], bare: true, code: 2, err: /^Unknown option '--confg' .*\n$/ },
  { args: ['nothing'], bare: true, code: 2, err: /^There is no command 'nothing' .*\n$/ },
]

/** Commands of the distribution, which `main` alone does not have. */
const ADDED = new Set(['mcp', 'ui', 'lsp'])

const ca = ['--ca', 'cert.pem']
const certificate = ['--client-cert', 'client.pem', '--client-key', 'client-key.pem']
const asWanted = ({ code = 0, out = /^/, err = /^/ }: Case) => ({ code, stdout: out, stderr: err })
const named = ({ args }: Case) => args.join(' ')

async function inProcess(args: readonly string[], env: Record<string, string> = { GRAINLINE_API_KEY: KEY }) {
  const { stdout, stderr, written } = streamsThatKeep()
  const stdin = (async function* () {})()
  const code = await main([...args], { stdout, stderr, stdin, cwd, env, defaultConfig: config })
  const { out, err } = written()
  return { code, stdout: out, stderr: err }
}

const good = (of: readonly Case[]) => of.filter(({ code = 0 }) => code === 0)
const bad = (of: readonly Case[]) => of.filter(({ code = 0 }) => code !== 0)
const remote = [...cases, ...requests]
const overMutual = ({ args }: Case) => [...args, '--server', mutual, ...ca, ...certificate]
/** The local form of a call. Commands that do not start from a config have none. */
function locally({ args: [name = '', ...rest], bare }: Case): readonly string[] {
  const alone = ['completion', 'mcp', 'ui', 'lsp', 'nothing'].includes(name) || rest.includes('--config')
  return [name, ...(bare ? [] : ['model.yaml']), ...rest, ...(alone ? [] : ['--config', 'config.yaml'])]
}

t.test('over TLS, and over mutual TLS', async (t) => {
  for (const one of remote) t.match(await inProcess([...one.args, '--server', simple, ...ca]), asWanted(one), named(one))
  for (const one of bad(remote)) t.match(await inProcess(overMutual(one)), asWanted(one), named(one))
  t.match(await inProcess(['describe', '--server', simple]), {
    code: 1,
    stdout: '',
    stderr: /^SERVER_UNREACHABLE: .*certificate/,
  })
  t.match(await inProcess(['describe', '--server', simple, ...ca], {}), { code: 1, stdout: '', stderr: /^AUTH_REQUIRED: / })
})

t.test('invalid input without a server', async (t) => {
  const own = here.filter(({ args: [name = ''] }) => !ADDED.has(name))
  for (const one of bad([...cases, ...own])) t.match(await inProcess(locally(one)), asWanted(one), named(one))
})

/** One call per command is enough to test that it is connected; two run at a time. */
async function asProcesses(t: Test, of: readonly Case[], asked: (one: Case) => readonly string[], env: Record<string, string>) {
  const waiting = [
    ...oneIn(
      4,
      of.filter((one, at) => at === of.findIndex(({ args }) => args[0] === one.args[0])),
    ),
  ]
  const work = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift())
      t.match(await run(t, asked(one), { cwd, env }), asWanted(one), named(one))
  }
  await Promise.all([work(), work()])
}

t.test('as processes, over mutual TLS', async (t) => {
  const env = { GRAINLINE_API_KEY: KEY }
  await asProcesses(t, good(remote), overMutual, env)
  await asProcesses(t, bad(remote).slice(0, 2), overMutual, env)
  const bare = await run(t, ['describe', '--server', mutual, ...ca], { cwd, env })
  t.match(bare, { code: 1, stdout: '', stderr: /^SERVER_UNREACHABLE: / })
})

t.test('agents reach a server over mutual TLS', async (t) => {
  const transport = new StdioClientTransport({
    ...processOf(['mcp', ...overMutual({ args: [] })]),
    cwd,
    env: { PATH: process.env.PATH!, API_KEY: KEY },
  })
  const agent = new Client({ name: 'test', version: '1' })
  await agent.connect(transport)
  t.teardown(() => agent.close())
  const { content } = await agent.callTool({ name: 'query', arguments: { measures: ['Airport Count'] } })
  t.match(content, [{ type: 'text', text: /^Airport Count\n1458$/ }])
})

t.test('as local processes', async (t) => {
  await asProcesses(t, good([...cases, ...here]), locally, { PORT: '0' })
  await asProcesses(t, bad(here.filter(({ args: [name = ''] }) => ADDED.has(name))), locally, {})
})

t.test(
  'watch checks a file again when it changes; a server loads it, and keeps the old model if the new one is invalid',
  async (t) => {
    const file = path.join(cwd, 'watched.yaml')
    await writeFile(file, model)
    const watching = start(t, ['watch', 'watched.yaml', '--serve', '--config', 'config.yaml'], { cwd, env: { PORT: '0' } })
    const [, address] = await watching.shows(/watched\.yaml is valid\n[\s\S]*(http:\/\/[\w.]+:\d+)/)
    const measures = async () => {
      const answer = await fetch(`${address}/v1/models`)
      const { models } = (await answer.json()) as { readonly models: readonly { readonly measures: number }[] }
      return models[0]?.measures
    }
    t.equal(await measures(), 2)
    await writeFile(file, model.replace('column: Zone,', 'column: Zne,'))
    await watching.shows(/watched\.yaml changed\n[\s\S]*error UNKNOWN_COLUMN/)
    t.equal(await measures(), 2)
    const lowest = '{ Lowest: { aggregation: min, columns: [{ dataObject: Airports, column: Altitude }] },'
    await writeFile(file, model.replace('measures: {', `measures: ${lowest}`))
    while ((await measures()) !== 3) await nextTurn()
    watching.signal('SIGINT')
    t.equal(await watching.ended, 0)
  },
)
