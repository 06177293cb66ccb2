/** What BI tools import, from a model file and from a server: each name and expression is one that a statement may use. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { main } from '@grainline/core/cli'
import t from 'tap'
import { parse } from 'yaml'
import { d3Of } from '../../core/src/cli/connect/superset.js'
import { zipped } from '../../core/src/cli/connect/zip.js'
import { start } from '../host/process.js'
import { flightsHost } from '../semantic-ql/ask.js'
import { ownFolderWithin } from '../support/own-folder.js'
import { streamsThatKeep } from '../support/streams-that-keep.js'

const root = path.resolve(import.meta.dirname, '../..')
const model = path.join(root, 'examples/flights/model.yaml')
const config = path.join(root, 'config/demo.yaml')
const cwd = ownFolderWithin(t)
for (const name of ['server', 'file']) mkdirSync(path.join(cwd, name))
const server = start(t, ['serve', '--config', config], { cwd, env: { API_SERVER_PORT: '0' } })
const [url] = await server.shows(/http:\/\/[\w.]+:\d+/)
const flights = await flightsHost()
t.teardown(() => flights.close())

async function run(args: readonly string[], env: Record<string, string> = {}) {
  const { stdout, stderr, written } = streamsThatKeep()
  const code = await main(['connect', ...args], { stdout, stderr, cwd, env, defaultConfig: config })
  const { out, err } = written()
  return { code, out, err }
}

/** Runs the command against the server and with the file, whose files must be the same. */
async function filesOf(tool: string): Promise<ReadonlyMap<string, Buffer>> {
  const place = ['--host', 'bi.example', '--port', '5433']
  const ofServer = await run([tool, '--server', url!, '--output', 'server', ...place])
  t.match(ofServer, { code: 0, err: '' })
  t.match(await run([tool, model, '--output', 'file', ...place]), { code: 0, err: '' })
  const names = ofServer.out
    .trim()
    .split('\n')
    .map((line) => path.basename(line))
  return new Map(
    names.map((name) => {
      const content = readFileSync(path.join(cwd, 'server', name))
      t.ok(content.equals(readFileSync(path.join(cwd, 'file', name))), `${name} is the same from the file of the model`)
      return [name, content] as const
    }),
  )
}

interface Dataset {
  readonly table_name: string
  readonly main_dttm_col: string
  readonly database_uuid: string
  readonly metrics: readonly { readonly metric_name: string; readonly expression: string; readonly d3format: string | null }[]
  readonly columns: readonly { readonly column_name: string; readonly groupby: boolean }[]
}

t.test('superset: an archive of datasets, whose metrics are answered', async (t) => {
  const [[name, content]] = [...(await filesOf('superset'))] as [[string, Buffer]]
  writeFileSync(path.join(cwd, name), content)
  const unpack = 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip()); z.extractall(sys.argv[2])'
  t.equal(
    execFileSync('python3', ['-c', unpack, path.join(cwd, name), path.join(cwd, 'archive')], { encoding: 'utf8' }),
    'None\n',
  )
  const folder = path.join(cwd, 'archive', 'grainline_flights')
  t.same(readdirSync(folder).toSorted(), ['databases', 'datasets', 'metadata.yaml'])
  const read = (file: string) => parse(readFileSync(path.join(folder, file), 'utf8'))
  const database = read('databases/flights.yaml')
  t.equal(database.sqlalchemy_uri, 'postgresql+psycopg2://grainline:XXXXXXXXXX@bi.example:5433/flights')
  const files = readdirSync(path.join(folder, 'datasets/flights'))
  t.same(files.toSorted(), ['flights.yaml', 'flights__Hours.yaml', 'flights__Planes.yaml', 'flights__Weather.yaml'])
  for (const file of files) {
    const dataset: Dataset = read(`datasets/flights/${file}`)
    t.equal(dataset.database_uuid, database.uuid)
    const keys = dataset.columns.filter(({ groupby }) => groupby).map(({ column_name }) => `"${column_name}"`)
    t.ok(keys.length > 0 && dataset.metrics.length > 0)
    const of = `"flights"."${dataset.table_name}"`
    const all = [...keys, ...dataset.metrics.map(({ expression }) => expression)]
    t.equal((await flights.ask(`SELECT ${all.join(', ')} FROM ${of} WHERE 1 = 0`)).columns.length, all.length, of)
  }
  const { metrics, main_dttm_col }: Dataset = read('datasets/flights/flights.yaml')
  t.match(
    metrics.find(({ metric_name }) => metric_name === 'Late Rate'),
    { expression: 'MEASURE("Late Rate")', d3format: '.1%' },
  )
  t.type(main_dttm_col, 'string')
})

t.test('tableau: each column has its role, and a measure that does not add up is computed by the server', async (t) => {
  const files = await filesOf('tableau')
  const text = files.get('flights.tds')!.toString()
  const check =
    'import sys, xml.dom.minidom; print(len(xml.dom.minidom.parseString(sys.stdin.buffer.read()).getElementsByTagName("column")))'
  t.ok(Number(execFileSync('python3', ['-c', check], { input: text, encoding: 'utf8' })) >= 75, 'it is XML')
  t.match(text, /<column caption='Airline' datatype='string' name='\[Airline\]' role='dimension' type='nominal'>/)
  t.match(text, /<column aggregation='Sum' caption='Flight Count' datatype='integer'[^>]* name='\[Flight Count\]' role='measure'/)
  t.match(text, /RAWSQLAGG_REAL\(&quot;MEASURE\(%1\)&quot;, \[Late Rate\]\)/)
  t.match(text, /dbname='flights' server='bi\.example' port='5433'/)
  const sql = `SELECT "flights"."Origin Code" AS "Origin Code", (MEASURE("flights"."Late Rate")) AS "usr:Calculation:ok" FROM "flights"."flights" "flights" GROUP BY 1`
  t.equal((await flights.ask(sql)).rows.length, 3, 'Tableau writes the formula so')
})

t.test('power-bi, excel and dbeaver', async (t) => {
  const bi = JSON.parse((await filesOf('power-bi')).get('flights.pbids')!.toString())
  t.match(bi.connections[0], {
    mode: 'DirectQuery',
    details: { protocol: 'postgresql', address: { server: 'bi.example:5433', database: 'flights' } },
  })
  const odc = (await filesOf('excel')).get('flights__Weather.odc')!.toString()
  t.match(odc, /Driver=\{PostgreSQL Unicode\(x64\)\};Server=bi\.example;Port=5433;Database=flights;/)
  const [, command = ''] = /<odc:CommandText>(.*)<\/odc:CommandText>/.exec(odc) ?? []
  t.equal((await flights.ask(command.replaceAll('&quot;', '"'))).rows.length, 1000, 'its statement is answered')
  const { connections } = JSON.parse((await filesOf('dbeaver')).get('data-sources.json')!.toString())
  t.match(Object.values(connections)[0], { provider: 'postgresql', configuration: { port: '5433', database: 'flights' } })
})

t.test('metabase: the database is added once, and each field gets its kind', async (t) => {
  const asked: { readonly method: string; readonly path: string; readonly body: Record<string, unknown> }[] = []
  const { rows } = await flights.ask("SELECT table_name, field_name FROM grainline.fields WHERE table_schema = 'flights'")
  const tables = [...new Set(rows.map(([table]) => String(table)))].map((name) => ({
    name,
    fields: rows.flatMap(([table, field], id) => (table === name ? [{ id, name: field }] : [])),
  }))
  let known: { readonly id: number; readonly name: unknown }[] = []
  const fake = createServer((request, response) => {
    let text = ''
    request
      .on('data', (part) => (text += part))
      .on('end', () => {
        const body = text === '' ? {} : JSON.parse(text)
        asked.push({ method: request.method!, path: request.url!, body })
        if (request.headers['x-api-key'] !== 'mb_key') return void response.writeHead(401).end('Unauthenticated')
        if (request.url === '/api/database' && request.method === 'POST') known = [{ id: 7, name: body.name }]
        const answers: Record<string, unknown> = {
          'GET /api/database': { data: known },
          'POST /api/database': known[0],
          'GET /api/database/7/metadata': { tables },
        }
        response.writeHead(200).end(JSON.stringify(answers[`${request.method} ${request.url}`] ?? {}))
      })
  })
  await new Promise<void>((done) => void fake.listen(0, '127.0.0.1', done))
  t.teardown(() => void fake.close())
  const address = `http://127.0.0.1:${(fake.address() as AddressInfo).port}`
  const keys = { METABASE_API_KEY: 'mb_key', GRAINLINE_API_KEY: 'secret' }
  const first = await run(['metabase', '--server', url!, '--url', address, '--host', 'bi.example'], keys)
  t.match(first, { code: 0, out: `flights: database 7 of Metabase, ${tables.length} tables, ${rows.length} fields\n` })
  const created = asked.find(({ method, path }) => method === 'POST' && path === '/api/database')
  t.match(created?.body, { engine: 'postgres', details: { host: 'bi.example', dbname: 'flights', password: 'secret' } })
  const place = rows.findIndex(([table, field]) => table === 'flights' && field === 'Late Rate')
  t.match(asked.find(({ path }) => path === `/api/field/${place}`)?.body, { semantic_type: 'type/Quantity' })
  await run(['metabase', '--server', url!, '--url', address], keys)
  t.equal(asked.filter(({ method, path }) => method === 'POST' && path === '/api/database').length, 1, 'a second run adds none')
  const refused = await run(['metabase', '--server', url!, '--url', address], { METABASE_API_KEY: 'other' })
  t.match(refused, { code: 1, err: /401: Unauthenticated/ })
  t.match(await run(['metabase', '--server', url!]), { code: 2, err: /--url/ })
})

t.test('an unknown tool, port or model is refused with the choices', async (t) => {
  t.match(await run(['qlik', model]), { code: 2, err: /superset, tableau, power-bi, excel, dbeaver, metabase/ })
  t.match(await run(['excel', model, '--port', 'x']), { code: 2, err: /65535/ })
  t.match(await run(['excel']), { code: 2, err: /takes one model file, or --server URL/ })
})

t.test('patterns as d3 writes them', async (t) => {
  const pairs = { '0.0%': '.1%', '#,##0': ',.0f', '#,##0.00': ',.2f', '0': '.0f', '$#,##0': null, 'yyyy-mm-dd': null }
  for (const [pattern, d3] of Object.entries(pairs)) t.equal(d3Of(pattern), d3, pattern)
  t.equal(Buffer.from(zipped([])).readUInt32LE(0), 0x06054b50, 'an archive of no files')
})
