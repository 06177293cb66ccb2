/** Every command about a model, with a local file and with a server: the same arguments, the same answers. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Interrupted, main } from '@grainline/core/cli'
import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { parse } from 'yaml'
import { start } from '../host/process.js'
import { ownFolderWithin } from '../support/own-folder.js'
import { streamsThatKeep } from '../support/streams-that-keep.js'

const root = path.resolve(import.meta.dirname, '../..')
const model = path.join(root, 'examples/flights/model.yaml')
const config = path.join(root, 'config/demo.yaml')
const cwd = ownFolderWithin(t, {
  'broken.yaml': 'dataObjects: { A: { code: a } }\ndimensions:\n  D: { dataObject: B, column: Id }\n',
})

const server = start(t, ['serve', '--config', config], { cwd, env: { API_SERVER_PORT: '0', SESSION_RATE_LIMIT: '1000' } })
const [url] = await server.shows(/http:\/\/[\w.]+:\d+/)

interface Workflow {
  readonly jobs: { readonly model: { readonly steps: readonly { readonly run?: string }[] } }
}

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
  readonly bytes: Buffer
}

/** Runs a command without the environment variables of this machine. */
async function run(
  args: readonly string[],
  stdin = '',
  env: Record<string, string> = {},
  interrupted?: () => AbortSignal,
): Promise<Ran> {
  const { stdout, stderr, written } = streamsThatKeep()
  const input = (async function* () {
    yield Buffer.from(stdin)
  })()
  const io = {
    stdout,
    stderr,
    stdin: input,
    cwd,
    env,
    defaultConfig: config,
    ...(interrupted && { interrupted }),
  }
  const code = await main([...args], io)
  return { code, ...written() }
}

const places = [
  ['of this machine', [model]],
  ['of a server', ['--server', url]],
] as const

for (const [place, where] of places) {
  t.test(`a model ${place}`, async (t) => {
    const ask = (command: string, ...args: string[]) => run([command, ...where, ...args])
    const fields = ['-d', 'airline', '-m', 'flight_count', '-o', 'flight-count:desc', '-n', '2']

    const table = await ask('execute', ...fields)
    t.match(table, {
      code: 0,
      out: /^Airline +Flight Count\n-+ +-+\nUnited Air Lines Inc\. +58665\nJetBlue Airways +54635\n2 rows\n$/,
    })
    const markdown = await ask('execute', ...fields, '--format', 'md')
    t.match(markdown.out, /^\| Airline \| Flight Count \|\n\| --- \| ---: \|\n\| United Air Lines Inc\. \| 58665 \|\n/)
    t.equal(
      (await ask('execute', ...fields, '-f', 'csv')).out,
      'Airline,Flight Count\r\nUnited Air Lines Inc.,58665\r\nJetBlue Airways,54635\r\n',
    )
    const lines = await ask('execute', '--sql', 'SELECT "Airline" FROM flights ORDER BY 1 LIMIT 1', '-f', 'ndjson')
    t.equal(lines.out, '{"Airline":"AirTran Airways Corporation"}\n')
    const filtered = await ask(
      'execute',
      '-m',
      'Flight Count',
      '-w',
      'origin_code in JFK, LGA',
      '-w',
      'Date between 2013-01-01,2013-01-31',
      '-f',
      'json',
    )
    t.match(JSON.parse(filtered.out), { rows: [[17111]], row_count: 1 }, filtered.err)

    t.match(await ask('compile', ...fields, '--dialect', 'postgres'), { code: 0, out: /^SELECT[\s\S]*LIMIT 2\n$/ })
    t.match(await ask('explain', 'cancellation_rate'), {
      code: 0,
      out: /^Cancellation Rate \(metric\)\n {2}measure Cancelled Flights/,
    })
    t.match(await ask('explain', ...fields), { code: 0, out: /^single-fact: .*\n[\s\S]*scan Airlines/ })
    t.match(await ask('describe'), { code: 0, out: /\nAirline +dimension +string +Airlines\n/ })
    t.match(await ask('describe', 'late_flights'), { code: 0, out: /^Late Flights \(measure\)\n[\s\S]*only where +\[/ })
    t.match(await ask('find', 'carrier'), { code: 0, out: /\nAirline +dimension +its synonym 'carrier'\n/ })
    t.match(await ask('find', 'zyxw'), { code: 1, out: '', err: "Nothing is like 'zyxw'\n" })
    t.match(await ask('diagram', '--no-columns'), { code: 0, out: /erDiagram/ })
    const types = await ask('codegen')
    t.match(types.out, /export interface Flights \{\n[\s\S]*"Airline": string\n[\s\S]*times: .*"Date"/)
  })
}

t.test('a model file is loaded into a session of the server, which ends with the command', async (t) => {
  const asked = await run(['execute', model, '--server', url, '-m', 'Flight Count', '-f', 'json'])
  t.match(JSON.parse(asked.out), { rows: [[336776]] })
  t.match(
    (await run(['request', 'GET', '/v1/sessions', '--server', url])).out,
    /^\{"sessions":\[\{"session_id":"flights"[^{}]*\{\}[^{}]*\}\]\}\n$/,
  )
})

t.test('codegen generates types that match the values of answers', async (t) => {
  const { out: types } = await run(['codegen', model])
  const names = [
    'Flight Count',
    'Distance Flown',
    'Average Departure Delay',
    'First Destination',
    'Cancellation Rate',
    'Rank by Flights',
    'Worst Airline of a Day',
    'Flights to Date',
  ]
  const asked = await run([
    'execute',
    model,
    '-d',
    'Year Built,Miles,Date,Scheduled At',
    ...names.flatMap((name) => ['-m', name]),
    '-n',
    '5',
    '-f',
    'json',
  ])
  t.match(types, /"Cancellation Rate": number\n/, 'a metric without a declared type has that of its plan')
  t.match(types, /"Flight Growth": number\n/, 'one that needs a time beside it, too')
  const { columns, rows } = JSON.parse(asked.out) as {
    readonly columns: readonly { readonly name: string; readonly encoding?: string }[]
    readonly rows: readonly (readonly unknown[])[]
  }
  t.equal(columns.length, 4 + names.length)
  for (const [at, { name, encoding }] of columns.entries()) {
    const declared = new RegExp(`^    "${name}": (.*)$`, 'm').exec(types)?.[1]?.split(' | ') ?? []
    for (const row of rows)
      if (row[at] !== null) t.ok(declared.includes(typeof row[at]), `${name}: ${declared} holds ${typeof row[at]}`)
    if (encoding !== undefined) t.ok(declared.includes('string'), `${name}: ${declared} holds text`)
    if (encoding === 'number-or-string') t.ok(declared.includes('number'), `${name}: ${declared} holds numbers`)
  }
})

t.test('each error is one line, with and without a server', async (t) => {
  for (const [place, where] of places) {
    const says = async (...args: string[]) => {
      const { code, err } = await run([args[0]!, ...where, ...args.slice(1)])
      return [code, err] as const
    }
    t.match(
      await says('execute', '-m', 'flight_cnt'),
      [2, /^'flight_cnt' is not a field of this model; did you mean 'Flight Count'\? \(.*\)\n$/],
      place,
    )
    t.match(await says('execute', '--query', '{"select":{"measures":["Flight Cnt"]}}'), [
      1,
      /^UNKNOWN_MEASURE: 'Flight Cnt' .*\n/,
    ])
    t.match(await says('execute'), [2, /^execute needs a question: .*\n$/])
    t.match(await says('execute', '-m', 'Flight Count', '--sql', 'SELECT 1'), [2, /^Give the question in one form only: .*\n$/])
    t.match(await says('execute', '-m', 'Flight Count', '-n', 'ten'), [2, /^--limit is a whole number, not 'ten' \(.*\)\n$/])
  }
  t.match(await run(['describe']), { code: 2, err: /^describe takes one model file, or --server URL \(.*\)\n$/ })
  t.match(await run(['describe', '--server', 'flights']), { code: 2, err: /^--server is an http or https URL, not 'flights' / })
  t.match(await run(['describe', model, '--api-key', 'x']), { code: 2, err: /^--api-key needs --server URL / })
  t.match(await run(['describe', '--server', 'http://127.0.0.1:9']), {
    code: 1,
    err: /^SERVER_UNREACHABLE: http:\/\/127\.0\.0\.1:9 does not answer: .*ECONNREFUSED/,
  })
  t.match(await run(['describe', '--server', url, '--model', 'sales']), { code: 1, err: /^MODEL_NOT_FOUND: / })
})

t.test('the address of the server and the key may come from the environment', async (t) => {
  t.match(await run(['describe', 'Airline'], '', { GRAINLINE_SERVER: url }), { code: 0, out: /^Airline \(dimension\)/ })
})

t.test('binary formats are written unchanged', async (t) => {
  const asked = [model, '-d', 'Origin Code', '-m', 'Flight Count']
  const arrow = await run(['execute', ...asked, '-f', 'arrow'])
  t.equal(tableFromIPC(arrow.bytes).numRows, 3)
  const parquet = await run(['execute', ...asked, '-f', 'parquet', '--server', url])
  t.equal(parquet.bytes.subarray(0, 4).toString('latin1'), 'PAR1')
})

t.test('the argument - reads the standard input once', async (t) => {
  const text = readFileSync(model, 'utf8')
  t.match(await run(['validate', '-'], text), { code: 0, out: '- is valid\n' })
  t.match(await run(['describe', '-', 'Airline'], text), { code: 0, out: /^Airline/ })
  t.match(await run(['compile', model, '--query', '-'], '{"select":{"measures":["Flight Count"]}}'), { code: 0, out: /^SELECT/ })
  t.match(await run(['compile', '-', '--query', '-'], text), { code: 2, err: /^'-' can be used once/ })
})

t.test('validate with and without a server, as text, JSON and SARIF', async (t) => {
  for (const where of [[], ['--server', url]]) {
    t.match(await run(['validate', 'broken.yaml', ...where]), {
      code: 1,
      out: /^broken\.yaml:3:20: error UNKNOWN_DATA_OBJECT .*\n[\s\S]*broken\.yaml has \d+ errors?/,
    })
    t.match(JSON.parse((await run(['validate', 'broken.yaml', '--json', ...where])).out), { valid: false })
    const sarif = JSON.parse((await run(['validate', 'broken.yaml', '-f', 'sarif', ...where])).out)
    t.match(
      sarif.runs[0].results.find((result: { ruleId: string }) => result.ruleId === 'UNKNOWN_DATA_OBJECT'),
      {
        level: 'error',
        locations: [
          { physicalLocation: { artifactLocation: { uri: 'broken.yaml' }, region: { startLine: 3, startColumn: 20 } } },
        ],
      },
    )
  }
})

t.test('validate --against-database names missing tables and columns, each with its line, and shows the types', async (t) => {
  const text = readFileSync(model, 'utf8')
    .replace('code: dep_delay', 'code: dep_dely')
    .replace('code: weather\n', 'code: wether\n')
  const wrong = text.replace('Model: { code: model, abstractType: string }', 'Model: { code: model, abstractType: date }')
  const lineOf = (part: string) => wrong.slice(0, wrong.indexOf(part)).split('\n').length
  const { code, out } = await run(['validate', '-', '--against-database'], wrong)
  t.equal(code, 1)
  t.match(
    out,
    new RegExp(
      `^-:${lineOf('code: dep_dely')}:7: error COLUMN_NOT_FOUND 'Flights\\.Departure Delay' .*did you mean 'dep_delay'\\?.* Write code: dep_delay \\(`,
      'm',
    ),
  )
  t.match(out, new RegExp(`^-:${lineOf('code: wether')}:5: error TABLE_NOT_FOUND .*wether.*did you mean 'weather'`, 'm'))
  t.match(out, /error TYPE_MISMATCH 'Planes\.Model' is declared date, and the database stores it as /)
  t.match(out, /\nFlights +Carrier +carrier +string +VARCHAR\n/)
  t.match(await run(['validate', model, '--against-database', '--server', url]), { code: 0, out: /is valid/ })
})

t.test('settings, dialects and completion need no model', async (t) => {
  for (const where of [[], ['--server', url]]) {
    t.match(await run(['settings', ...where]), { code: 0, out: /\nQUERY_EXECUTE +true\n/i })
    t.match(await run(['dialects', ...where]), { code: 0, out: /\nduckdb +\d+ +\d+\n/ })
  }
  for (const shell of ['bash', 'zsh', 'fish']) t.match(await run(['completion', shell]), { code: 0, out: /against-database/ })
  t.match(await run(['completion', 'tcsh']), { code: 2, err: /^completion knows bash, zsh, fish, not 'tcsh' / })
  t.match(await run(['execute', '--help']), { code: 0, out: /^Usage: grainline execute \[MODEL\] QUESTION/ })
})

t.test('each command of the documented workflow returns what the next step needs', async (t) => {
  const page = readFileSync(path.join(root, 'docs/command-line.md'), 'utf8')
  const workflow = parse(/```yaml\n(name: model\n[\s\S]*?)```/.exec(page)![1]!) as Workflow
  const text = readFileSync(model, 'utf8')
  writeFileSync(path.join(cwd, 'model.yaml'), text)
  writeFileSync(
    path.join(cwd, 'before.yaml'),
    text.replace('field: Flights.Departure Delay, op: gt, value: 15', 'field: Flights.Departure Delay, op: gt, value: 60'),
  )
  const outputs: Record<string, string> = {}
  for (const { run: line = '' } of workflow.jobs.model.steps) {
    const [, args, into = ''] = /^npx grainline (.*?)(?: >>? (\S+))?$/.exec(line) ?? []
    if (args === undefined) continue
    const { code, out, err } = await run(args.split(' '))
    t.match({ code, err }, { code: 0, err: '' }, line)
    outputs[into] = out
  }
  t.match(JSON.parse(outputs['model.sarif']!), { version: '2.1.0', runs: [{ tool: { driver: { name: 'grainline' } } }] })
  t.match(readFileSync(path.join(cwd, 'tests.xml'), 'utf8'), /^<\?xml[\s\S]*<testsuite /)
  t.match(outputs['"$GITHUB_STEP_SUMMARY"'], /Late Flights[^\n]*26581[^\n]*70774/)
})

t.test('Ctrl-C cancels a query at any time', async (t) => {
  const rows = '(SELECT a.range AS id FROM range(10000000) a, range(1000000) b)'
  const long = `dataObjects: { Rows: { code: '${rows}', columns: { Id: { code: id, abstractType: int } } } }\nmeasures: { Sum: { aggregation: sum, columns: [{ dataObject: Rows, column: Id }] } }\n`
  const controller = new AbortController()
  setTimeout(() => controller.abort(new Interrupted()), 300)
  const ran = await run(['execute', '-', '-m', 'Sum'], long, {}, () => controller.signal)
  t.match(ran, { code: 130, out: '', err: 'Interrupted\n' })
})

t.test('compile leaves out rules for speed by name', async (t) => {
  const asked = [
    model,
    '--query',
    '{"select": {"measures": ["Flight Count"]}, "where": [{"field": "Planes.Seats", "op": "gt", "value": 100}]}',
  ]
  const sqlWithout = async (...rules: string[]) =>
    (await run(['compile', ...asked, ...rules.flatMap((rule) => ['--without', rule])])).out
  t.notMatch(await sqlWithout(), /LEFT JOIN/)
  t.match(await sqlWithout('inner-joins'), /LEFT JOIN/)
  t.match((await run(['compile', ...asked, '--explain'])).out, /-- rules: .*inner-joins/)
  t.match(await run(['compile', ...asked, '--without', 'inner-join']), {
    code: 2,
    err: /'inner-join' is not a rule; write one of: .*inner-joins/,
  })
})

t.test('compile shows each stage of a query on a local model', async (t) => {
  const asked = [model, '-d', 'airline', '-m', 'flight_count', '--dialect', 'postgres']
  const at = async (stage: string) => JSON.parse((await run(['compile', ...asked, '--stage', stage])).out)
  t.match(await at('resolved'), { kind: 'aggregate', dimensions: [{ name: 'Airline' }], aggregates: [{ base: 'Flights' }] })
  t.match(await at('bound'), { rows: { kind: 'aggregate', legs: [{ block: { base: 'Flights' } }] }, bases: ['Flights'] })
  t.match(await at('plan'), { kind: String })
  t.match(await at('statement'), { ctes: [], body: { kind: 'select', items: [{ alias: 'Airline' }, { alias: 'Flight Count' }] } })
  t.match(await at('lowered'), { ctes: [], body: { kind: 'select' } })
  t.match(await run(['compile', ...asked, '--stage', 'bind']), {
    code: 2,
    err: /'bind' is not a stage; write one of: resolved, bound, plan, statement, lowered/,
  })
  t.match(await run(['compile', '--server', url, '-m', 'flight_count', '--stage', 'plan']), {
    code: 2,
    err: /takes a model file/,
  })
  t.match(await run(['compile', model, '--sql', 'SELECT 1', '--stage', 'plan']), { code: 2, err: /ask with --query/ })
})
