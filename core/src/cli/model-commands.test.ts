import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import t from 'tap'
import { streamsThatKeep } from '../../../test/support/streams-that-keep.js'
import { main } from './main.js'

const root = resolve(import.meta.dirname, '../../..')
const model = join(root, 'examples/flights/model.yaml')
const config = join(root, 'config/demo.yaml')
const query = JSON.stringify({
  select: { dimensions: ['Airline'], measures: ['Flight Count'] },
  order_by: [{ field: 'Airline' }],
  limit: 2,
})

const folder = await mkdtemp(join(tmpdir(), 'grainline-cli-'))
t.teardown(() => rm(folder, { recursive: true }))
await writeFile(
  join(folder, 'broken.yaml'),
  'name: x\ndataObjects:\n  A: { code: a, columns: { Id: { code: id } } }\ndimensions:\n  D: { dataObject: B, column: Id }\n',
)
await writeFile(join(folder, 'query.json'), query)

/** Runs a command in the folder, without the environment variables of this machine. */
async function command(...args: string[]) {
  const { stdout, stderr, written } = streamsThatKeep()
  const code = await main(args, { stdout, stderr, cwd: folder, env: {}, defaultConfig: config })
  return { code, ...written() }
}

t.test('validate reports that a model is valid', async (t) => {
  t.match(await command('validate', model), { code: 0, out: /is valid/ })
})

t.test('validate reports each error in a format that editors parse, and fails', async (t) => {
  const { code, out } = await command('validate', 'broken.yaml')
  t.equal(code, 1)
  t.match(out, /^broken\.yaml:5:20: error UNKNOWN_DATA_OBJECT .*'A'.* \(dimensions\.D\.dataObject\)\nbroken\.yaml has 1 error\n$/)
})

t.test('warnings are shown with errors, because they may be the cause', async (t) => {
  await writeFile(
    join(folder, 'both.yaml'),
    'name: x\ncolour: red\ndataObjects:\n  A: { code: a, columns: { Id: { code: id } } }\ndimensions:\n  D: { dataObject: B, column: Id }\n',
  )
  const { code, out } = await command('validate', 'both.yaml')
  t.equal(code, 1)
  t.match(
    out,
    /^both\.yaml:6:20: error UNKNOWN_DATA_OBJECT .*\nboth\.yaml:2:1: warning UNKNOWN_PROPERTY 'colour'.*\nboth\.yaml has 1 error, 1 warning\n$/,
  )
})

t.test('a table shows values in the formats of their fields', async (t) => {
  const asked = JSON.stringify({ select: { measures: ['Flight Count', 'Cancelled Flights', 'Cancellation Rate'] } })
  const { out } = await command('execute', model, '--query', asked)
  t.match(out, /\n +336776 +8,255 +2\.5%\n1 row\n$/)
})

t.test('a query that is not JSON is refused with the position', async (t) => {
  t.match(await command('compile', model, '--query', '{"select": {"measures": ["Flight Count"],}'), {
    code: 1,
    err: /^BAD_REQUEST: The query is not well-formed JSON; the error is at line 1, column 42\n$/,
  })
})

t.test('every unknown name is shown', async (t) => {
  const asked = '{"select":{"dimensions":["Airlin"],"measures":["Flight Cnt"]}}'
  t.match(
    (await command('compile', model, '--query', asked)).err,
    /^UNKNOWN_DIMENSION: 'Airlin' .*\n {2}'Flight Cnt' .*\(select\.measures\[0\]\)\n$/,
  )
})

t.test('validate --json gives the findings as data', async (t) => {
  const { code, out } = await command('validate', 'broken.yaml', '--json')
  t.equal(code, 1)
  t.match(JSON.parse(out), { valid: false, errors: [{ code: 'UNKNOWN_DATA_OBJECT', line: 5, column: 20 }], warnings: [] })
})

t.test('compile writes the SQL of the requested dialect, and its explanation', async (t) => {
  const plain = await command('compile', model, '--query', query, '--dialect', 'postgres')
  t.equal(plain.code, 0)
  t.match(plain.out, /^SELECT/i)
  const explained = await command('compile', model, '--query', '@query.json', '--explain')
  t.match(explained, { code: 0, out: /^(-- .+\n){3,}SELECT/ })
})

t.test('execute answers from the configured database, as a table or as JSON', async (t) => {
  const table = await command('execute', model, '--query', query)
  t.equal(table.code, 0, table.err)
  const [heading, rule, first, second, count] = table.out.split('\n')
  t.match(heading, /^Airline\s+Flight Count$/)
  t.match(rule, /^-+ {2}-+$/)
  t.match(count, '2 rows')
  const { columns, rows, ...rest } = JSON.parse((await command('execute', model, '--query', query, '--format', 'json')).out)
  t.same(
    columns.map(({ name }: { name: string }) => name),
    ['Airline', 'Flight Count'],
  )
  t.match(rest, { row_count: 2, truncated: false, dialect: 'duckdb' })
  for (const [i, text] of [first, second].entries()) t.same(text?.split(/ {2,}/), rows[i].map(String))
})

t.test('execute answers a query for the top values and all others', async (t) => {
  const question = {
    select: { dimensions: ['Airline'], measures: ['Flight Count', 'Planes Flown'] },
    top: { dimension: 'Airline', by: 'Flight Count', n: 2, others: 'Others' },
    order_by: [{ field: 'Airline is others' }, { field: 'Flight Count', direction: 'desc' }],
  }
  const { out, err } = await command('execute', model, '--query', JSON.stringify(question), '--format', 'csv')
  const lines = ['United Air Lines Inc.,58665,620,false', 'JetBlue Airways,54635,193,false', 'Others,223476,3230,true']
  t.same(out.trim().split(/\r?\n/), ['Airline,Flight Count,Planes Flown,Airline is others', ...lines], err)
})

t.test('execute writes the formats of plugins', async (t) => {
  const plugin = `
const counted = { name: 'counted', mediaType: 'text/x-counted', alsoKnownAs: [], async *encode({ batches }) {
  for await (const { rowCount } of batches) yield Buffer.from(rowCount + ' rows\\n')
} }
const setup = async (host) => host.encodings.register(counted)
export default Object.assign(setup, { [Symbol.for('plugin-meta')]: { name: 'counted', host: '*' } })`
  const demo = (await readFile(config, 'utf8')).replaceAll('../examples', join(root, 'examples'))
  await writeFile(join(folder, 'counted.mjs'), plugin)
  await writeFile(join(folder, 'formats.yaml'), demo.replace('plugins:\n', 'plugins:\n  - ./counted.mjs\n'))
  const asked = ['--config', 'formats.yaml', '--query', query, '--format']
  t.match(await command('execute', model, ...asked, 'counted'), { code: 0, out: '2 rows\n', err: '' })
  t.match(await command('execute', model, ...asked, 'xml'), { code: 2, err: /--format is table, md, json, .*counted/ })
})

t.test('a wrong call exits with 2, an error exits with 1 and has a code', async (t) => {
  t.match(await command('compile'), { code: 2, err: /takes one model file/ })
  t.match(await command('compile', model), { code: 2, err: /--query/ })
  t.match(await command('execute', model, '--query', query, '--format', 'xml'), {
    code: 2,
    err: /--format is table, md, .* or parquet, not 'xml'/,
  })
  t.match(await command('compile', model, '--query', '{'), { code: 1, err: /^BAD_REQUEST: / })
  t.match(await command('compile', 'nowhere.yaml', '--query', query), { code: 1, err: /nowhere\.yaml cannot be read/ })
  t.match(await command('compile', model, '--query', '{"select":{"measures":["Flight Cnt"]}}'), { code: 1, err: /'Flight Cnt'/ })
  t.match(await command('compile', 'broken.yaml', '--query', query), { code: 1, err: /^MODEL_INVALID: / })
})
