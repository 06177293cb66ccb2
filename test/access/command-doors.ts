/** Every way by which somebody reaches the shop on the command line: each command with `--as`, over the model's file and over a server, and `mcp --as` on stdio. */
import { fileURLToPath } from 'node:url'
import { main } from '@grainline/core/cli'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { everyCommand } from '../../core/src/cli/usage.js'
import { oneIn } from '../support/amount.js'
import { streamsThatKeep } from '../support/streams-that-keep.js'
import { alike, CALLED, furtherOfMcp, QUERIES, type Seen } from './doors.js'
import { KEYS } from './shop.js'

/** A shop on this machine, and the same data behind a server. */
export interface OnMachine {
  /** The folder of `shop.yaml`, `keys.yaml` and `config.yaml`. */
  readonly folder: string
  readonly address: string
}

/** What the key of the north says of itself, in words. */
const NORTH = JSON.stringify({ name: 'north', roles: ['sales'], attributes: { regions: ['North'] } })

const questions = QUERIES.map((query) => ['--query', JSON.stringify(query)])

/** What each command that asks a model is called with; the model's file is put first if there is no server. */
const CALLED_WITH: Readonly<Record<string, readonly (readonly string[])[]>> = {
  compile: [...questions, ['-m', 'Revenue', '--explain']],
  execute: [
    ...questions,
    ...['csv', 'json', 'md', 'ndjson'].map((format) => ['-d', 'Customer', '-m', 'Revenue', '-f', format]),
    ['--sql', 'SELECT Region, Revenue FROM shop'],
    ['--sql', 'SELECT * FROM zq_customers'],
  ],
  explain: [['Revenue'], ['Zip No', '--json'], ['-m', 'Revenue', '-d', 'Customer']],
  rollup: [
    ['why', '-m', 'Revenue'],
    ['why', '-d', 'Region', '-m', 'Kept Rate'],
    ['why', '-m', 'Margin Sum'],
  ],
  describe: [[], ['Revenue', 'Region', 'Zip No'], ['--json'], ['Nope']],
  find: [['customer'], ['zq'], ['revenue', '--json']],
  diagram: [[]],
  verify: [[], ['--format', 'json']],
  test: [[]],
  codegen: [[]],
  access: [[], ['-m', 'Revenue'], ['--json']],
}

/** Commands that ask no model for somebody, and why. */
const OTHERS: Readonly<Record<string, string>> = {
  serve: 'is a server',
  watch: 'is a server',
  init: 'reads a database without a model, as its owner',
  types: 'reads how columns are stored, and no row',
  validate: 'reads the file, which its owner has',
  convert: 'reads the file, which its owner has',
  diff: 'compares two files, each asked as by execute',
  connect: 'writes what describe says, for a tool',
  dialects: 'asks no model',
  plugins: 'asks no model',
  settings: 'asks no model',
  doctor: 'asks no model',
  request: 'sends what it is told; the routes are doors themselves',
  completion: 'asks no model',
}

/** What the north is told by every command. `onFile` starts a server within the process for each call, so that a change asks two of each command. */
export async function everyCommandSays({ folder, address }: OnMachine, onFile: boolean): Promise<readonly Seen[]> {
  const seen: Seen[] = []
  const server = ['--server', address, '--model', 'shop', '--api-key', KEYS.app, '--as', NORTH]
  for (const command of Object.keys(everyCommand)) {
    const calls = CALLED_WITH[command]
    if (calls === undefined && OTHERS[command] === undefined)
      throw new Error(`${command} is a new command: give it arguments in command-doors.ts`)
    const [first = [], ...further] = calls ?? []
    const onFiles = new Set(onFile ? [first, ...oneIn(further.length, further)] : [])
    for (const args of calls ?? []) {
      if (command !== 'access') seen.push(await said(command, [...args, ...server], folder))
      const [action, rest] = command === 'rollup' ? [args.slice(0, 1), args.slice(1)] : [[], args]
      const own = [...action, 'shop.yaml', ...rest, '--as', 'north', '--config', 'config.yaml']
      if (onFiles.has(args)) seen.push(await said(command, own, folder))
    }
  }
  return seen
}

async function said(command: string, args: readonly string[], cwd: string): Promise<Seen> {
  const { stdout, stderr, written } = streamsThatKeep()
  const env = { API_KEYS_FILE: 'keys.yaml', CACHE_BACKEND: 'noop' }
  const code = await main([command, ...args], { stdout, stderr, cwd, env })
  const { out, err } = written()
  const where = args.includes('--server') ? 'server' : 'file'
  const name = `grainline ${command} ${args.filter((arg) => arg !== NORTH && arg !== KEYS.app).join(' ')}`
  const text = alike(`${out}\n${err}`)
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'address')
    .replaceAll(cwd, 'folder')
  return { door: `${command} of a ${where}`, name: name.replace(/http:\S+/, 'address'), status: code === 0 ? 200 : 422, text }
}

/** Sent as it is, so that a foreign client refuses nothing by itself. */
const asked = (client: Client, { method, params }: ReturnType<typeof furtherOfMcp>[number]): Promise<object> =>
  client.request({ method, params })

const bin = fileURLToPath(new URL('../../plugins/surface-mcp/bin.mjs', import.meta.url))
const sources = ['--conditions=@grainline/source', '--import', new URL('../bundled.mjs', import.meta.url).href, bin]

/** What an agent of the north is told over stdio, by every tool and resource. */
export async function everyToolOnStdio({ address }: Pick<OnMachine, 'address'>): Promise<readonly Seen[]> {
  const client = new Client({ name: 'test', version: '1' })
  const env = { PATH: process.env['PATH'] ?? '', API_BASE_URL: address, API_KEY: KEYS.app, MCP_TOOLSETS: 'query,authoring' }
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [...sources, '--as', NORTH], env, stderr: 'ignore' }),
  )
  const seen: Seen[] = []
  const note = async (name: string, asked: Promise<object>) => {
    const answer = await asked.catch((error: Error) => ({ isError: true, message: error.message }))
    const failed = 'isError' in answer && answer.isError === true
    seen.push({
      door: name.split(' ')[0] ?? name,
      name: `mcp --as: ${name}`,
      status: failed ? 422 : 200,
      text: alike(JSON.stringify(answer)),
    })
  }
  for (const { name } of (await client.listTools()).tools) {
    const calls = CALLED[name]
    if (calls === undefined) throw new Error(`${name} is a new tool: give it arguments in doors.ts`)
    for (const given of calls) await note(`${name} ${JSON.stringify(given)}`, client.callTool({ name, arguments: { ...given } }))
  }
  const { resources } = await client.listResources()
  const { resourceTemplates } = await client.listResourceTemplates()
  const { prompts } = await client.listPrompts()
  await note('lists', Promise.resolve({ resources, resourceTemplates, prompts }))
  const params = furtherOfMcp(resources, resourceTemplates, prompts)
  for (const one of params) await note(`${one.method} ${JSON.stringify(one.params)}`, asked(client, one))
  await client.close()
  return seen
}
