import { resolve } from 'node:path'
import t from 'tap'
import { main } from '../../core/src/cli/main.js'
import { ask, openParquet } from '../support/answers.js'

const root = resolve(import.meta.dirname, '../..')
const model = resolve(root, 'examples/flights/model.yaml')
const TABLES = ['flights', 'weather', 'hours', 'airports', 'planes', 'airlines']
const truth = await openParquet(
  Object.fromEntries(TABLES.map((table) => [table, resolve(root, `examples/flights/data/${table}.parquet`)])),
)
t.teardown(() => truth.closeSync())

async function verify(...flags: string[]) {
  const written = { out: '', err: '' }
  const stdout = { write: (text: string) => (written.out += text) }
  const stderr = { write: (text: string) => (written.err += text) }
  const defaultConfig = resolve(root, 'config/demo.yaml')
  const code = await main(['verify', model, ...flags], { stdout, stderr, cwd: root, env: {}, defaultConfig })
  return { code, ...written }
}

const numbers = async (sql: string): Promise<number[]> => (await ask(truth, sql)).rows[0]!.map(Number)

const { code, out, err } = await verify('--json')
const report = JSON.parse(out || '{}')
const edge = (from: string, to: string) =>
  report.edges.find((each: { from_object: string; to_object: string }) => each.from_object === from && each.to_object === to)

t.test('the flights pass: their gaps are remarks, so the exit code is 0', async (t) => {
  t.equal(code, 0, err)
  t.match(report, { model: 'flights', status: 'findings' })
  t.equal(report.edges.length, 8)
  t.same(
    report.findings.filter((finding: { severity: string }) => finding.severity === 'error'),
    [],
  )
})

t.test('flights to destinations without an airport are counted as hand-written SQL counts them', async (t) => {
  const [rows, missing] = await numbers(
    'SELECT count(*), count(DISTINCT dest) FROM flights f WHERE NOT EXISTS (SELECT 1 FROM airports a WHERE a.faa = f.dest)',
  )
  t.same([rows, missing], [7602, 4], 'the truth itself is the known one')
  t.match(edge('Flights', 'Destination Airports'), { without_parent: rows, missing_parents: missing, null_links: 0 })
  const wanted = await ask(
    truth,
    'SELECT dest FROM flights f WHERE NOT EXISTS (SELECT 1 FROM airports a WHERE a.faa = f.dest) GROUP BY 1 ORDER BY count(*) DESC',
  )
  t.same(
    edge('Flights', 'Destination Airports').examples,
    wanted.rows.map(([dest]) => dest),
  )
})

t.test('planes that the register lacks are distinguished from flights without a plane', async (t) => {
  const [nulls, rows, missing] = await numbers(
    `SELECT count(*) FILTER (tailnum IS NULL), count(*) FILTER (tailnum IS NOT NULL), count(DISTINCT tailnum)
     FROM flights f WHERE NOT EXISTS (SELECT 1 FROM planes p WHERE p.tailnum = f.tailnum)`,
  )
  t.ok(nulls! > 0 && rows! > 0)
  t.match(edge('Flights', 'Planes'), { null_links: nulls, without_parent: rows, missing_parents: missing })
  t.equal(edge('Flights', 'Planes').examples.length, 5)
})

t.test('hours without weather are found by a join of two columns', async (t) => {
  const [rows, missing] = await numbers(
    `SELECT count(*), count(DISTINCT (origin, time_hour)) FROM flights f
     WHERE NOT EXISTS (SELECT 1 FROM weather w WHERE w.origin = f.origin AND w.time_hour = f.time_hour)`,
  )
  t.ok(rows! > 0)
  t.match(edge('Flights', 'Weather'), { without_parent: rows, missing_parents: missing, path_name: 'at departure' })
  for (const example of edge('Flights', 'Weather').examples) t.match(example, [/^(EWR|JFK|LGA)$/, /^2013-/])
})

t.test('correct joins and keys have no findings, and every row was read', async (t) => {
  for (const [from, to] of [
    ['Flights', 'Airlines'],
    ['Flights', 'Hours'],
    ['Weather', 'Hours'],
    ['Flights', 'Origin Airports'],
  ] as const) {
    t.match(edge(from, to), { without_parent: 0, duplicate_targets: 0, null_links: 0, examples: [], duplicate_examples: [] })
  }
  for (const [name, table] of [
    ['Flights', 'flights'],
    ['Weather', 'weather'],
    ['Planes', 'planes'],
  ] as const) {
    const [rows] = await numbers(`SELECT count(*) FROM ${table}`)
    const found = report.objects.find((object: { name: string }) => object.name === name)
    t.match(found, { rows, duplicate_keys: 0, null_keys: 0, examples: [] })
  }
})

t.test('dimensions and sums are measured', async (t) => {
  const [carriers] = await numbers('SELECT count(DISTINCT name) FROM airlines')
  t.match(
    report.dimensions.find((dimension: { name: string }) => dimension.name === 'Airline'),
    { distinct: carriers },
  )
  const [rows, max, min] = await numbers('SELECT count(dep_delay), max(dep_delay), min(dep_delay) FROM flights')
  t.match(
    report.measures.find((measure: { name: string }) => measure.name === 'Departure Delay Minutes'),
    { rows, min: String(min), max: String(max), bound: String(rows! * Math.max(max!, -min!)) },
  )
})

t.test('findings are readable sentences', async (t) => {
  const plain = await verify()
  t.equal(plain.code, 0)
  t.match(
    plain.out,
    /warning VERIFY_ORPHANS 7602 rows of 'Flights' \(4 values of Destination\) find no row of 'Destination Airports', such as 'SJU', .*\(dataObjects\.Flights\.joins\[1\]\)/,
  )
  t.match(plain.out, /7 keys, 8 joins, /)
})
