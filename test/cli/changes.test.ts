/** `diff`, `verify` and `doctor` on errors that are inserted into the flights model. */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { main } from '@grainline/core/cli'
import t from 'tap'
import { parse, stringify } from 'yaml'
import { ownFolderWithin } from '../support/own-folder.js'
import { streamsThatKeep } from '../support/streams-that-keep.js'

const root = path.resolve(import.meta.dirname, '../..')
const config = path.join(root, 'config/demo.yaml')
const flights = readFileSync(path.join(root, 'examples/flights/model.yaml'), 'utf8')
const cwd = ownFolderWithin(t, { 'a.yaml': flights })

async function runWith(env: Record<string, string>, ...args: string[]) {
  const { stdout, stderr, written } = streamsThatKeep()
  const code = await main(args, { stdout, stderr, cwd, env, defaultConfig: config })
  return { code, ...written() }
}
const run = (...args: string[]) => runWith({}, ...args)

/** The model with one passage replaced, as `b.yaml`; the passage must exist. */
async function mistake(from: string, to: string): Promise<void> {
  if (!flights.includes(from)) throw new Error(`the model has no ${from}`)
  await writeFile(
    path.join(cwd, 'b.yaml'),
    flights.replace(from, () => to),
  )
}
const diff = async (...args: string[]) => JSON.parse((await run('diff', 'a.yaml', 'b.yaml', '--format', 'json', ...args)).out)

t.test('for a changed filter, the affected measures are named, with the difference of each number', async (t) => {
  await mistake(
    'filters: [{ field: Flights.Departure Delay, op: gt, value: 15 }]',
    'filters: [{ field: Flights.Departure Delay, op: gt, value: 60 }]',
  )
  const { changes, touched, moves } = await diff('--by', 'origin_code')
  t.match(changes, [
    {
      kind: 'changed',
      section: 'measures',
      name: 'Late Flights',
      keys: [{ key: 'filters', before: /15/, after: /60/ }],
      cosmetic: false,
    },
  ])
  t.same(changes.length, 1)
  t.same(touched.measures, ['Late Flights'])
  t.match(
    moves.moved.filter(({ name }: { name: string }) => name === 'Late Flights'),
    [
      { before: 70774, after: 26581 },
      { group: 'Origin Code = EWR', before: Number, after: Number },
      { group: 'Origin Code = JFK' },
      { group: 'Origin Code = LGA' },
    ],
  )
  await writeFile(path.join(cwd, 'few.yaml'), withFewMeasures(flights))
  await writeFile(path.join(cwd, 'few-b.yaml'), withFewMeasures(readFileSync(path.join(cwd, 'b.yaml'), 'utf8')))
  const { out } = await run('diff', 'few.yaml', 'few-b.yaml', '--values', '--format', 'md')
  t.match(
    out,
    /### 1 change\n[\s\S]*\| changed \| measure \| Late Flights \|[\s\S]*### Numbers that move\n[\s\S]*\| Late Flights \| {2}\| 70774 \| 26581 \| -44193 \(-62\.4 %\) \|/,
  )
})

t.test('for a renamed column, the measures that no longer compile are named, and validate shows the fix', async (t) => {
  await mistake('code: air_time,', 'code: airtime,')
  const { changes, touched, moves } = await diff('--values')
  t.match(changes, [
    { section: 'columns', name: 'Flights.Air Time', keys: [{ key: 'code', before: '"air_time"', after: '"airtime"' }] },
  ])
  t.ok(touched.measures.includes('Air Minutes') && touched.measures.includes('Distance Flown'))
  t.match(
    moves.moved.find(({ name }: { name: string }) => name === 'Air Minutes'),
    { refused: /^after: (DATABASE_ERROR|SQL_REJECTED)/ },
  )
  t.match(
    (await run('validate', 'b.yaml', '--against-database')).out,
    /error COLUMN_NOT_FOUND 'Flights\.Air Time' .*did you mean 'air_time'/,
  )
})

t.test('for a wrong key, verify names the key', async (t) => {
  await mistake('abstractType: int, numClass: categorical, primaryKey: true }', 'abstractType: int, numClass: categorical }')
  t.match((await diff()).changes, [
    { section: 'columns', name: 'Flights.Flight Number', keys: [{ key: 'primaryKey', before: 'true', after: null }] },
  ])
  const { code, out } = await run('verify', 'b.yaml')
  t.equal(code, 1)
  t.match(out, /error VERIFY_DUPLICATE_KEY .*'Flights'/)
})

/** The flights with three of their measures: how a join changes numbers needs no more, and there are many airports. */
function withFewMeasures(text: string): string {
  const { metrics: _, examples: __, tests: ___, measures, ...rest } = parse(text)
  const few = ['Flight Count', 'Late Flights', 'Air Minutes'].map((name) => [name, measures[name]])
  return stringify({ ...rest, measures: Object.fromEntries(few) })
}

t.test('for a changed join, the measures that use it change, and verify names the cardinality', async (t) => {
  const wrong = flights.replace(
    'joinTo: Airlines, columnsFrom: [Carrier], columnsTo: [Code]',
    'joinTo: Airlines, columnsFrom: [Origin], columnsTo: [Code]',
  )
  t.not(wrong, flights)
  await writeFile(path.join(cwd, 'm.yaml'), withFewMeasures(flights))
  await writeFile(path.join(cwd, 'b.yaml'), withFewMeasures(wrong))
  const { changes, touched, moves } = JSON.parse(
    (await run('diff', 'm.yaml', 'b.yaml', '--format', 'json', '--by', 'airline')).out,
  )
  t.match(changes, [{ section: 'joins', name: 'Flights → Airlines', keys: [{ key: 'columnsFrom' }] }])
  t.ok(touched.measures.includes('Flight Count') && touched.dimensions.includes('Airline'))
  t.match(moves.moved.filter(({ name }: { name: string }) => name === 'Flight Count')[0], { group: /^Airline = / })
  t.match((await run('verify', 'b.yaml')).out, /VERIFY_ORPHANS .*'Airlines'/)
})

/** The flights, the weather of their hour at every airport, and two sums: fast to compare. */
function flightsInRain(edit: (text: string) => string): string {
  const { dataObjects, settings } = parse(edit(flights))
  dataObjects.Conditions = {
    code: 'weather',
    columns: {
      'Observed At': { code: 'time_hour', abstractType: 'timestamp_tz' },
      Rain: { code: 'precip', abstractType: 'float', numClass: 'non-additive' },
    },
  }
  const join = { joinType: 'many-to-many', joinTo: 'Conditions', columnsFrom: ['Scheduled At'], columnsTo: ['Observed At'] }
  dataObjects.Flights.joins.push(join)
  const sum = { aggregation: 'sum', columns: [{ dataObject: 'Flights', column: 'Distance' }] }
  const inRain = { ...sum, filters: [{ field: 'Conditions.Rain', op: 'gt', value: 0 }] }
  return stringify({ name: 'flights', version: 1, settings, dataObjects, measures: { Miles: sum, 'Miles in Rain': inRain } })
}

t.test('for a many-to-many join that is declared many-to-one, the repeated sums change, and verify names the join', async (t) => {
  const right = flightsInRain((text) => text)
  await writeFile(path.join(cwd, 'm.yaml'), right)
  await writeFile(path.join(cwd, 'n.yaml'), right.replace('many-to-many', 'many-to-one'))
  const { changes, touched, moves } = JSON.parse((await run('diff', 'm.yaml', 'n.yaml', '--values', '-f', 'json')).out)
  t.match(changes, [{ section: 'joins', name: 'Flights → Conditions', keys: [{ key: 'joinType', after: '"many-to-one"' }] }])
  t.ok(touched.measures.includes('Miles in Rain'))
  t.match(
    moves.moved.find(({ name }: { name: string }) => name === 'Miles in Rain'),
    { before: 33348682, after: 71595417 },
  )
  const { code, out } = await run('verify', 'n.yaml')
  t.equal(code, 1)
  t.match(out, /error VERIFY_CARDINALITY .*'Conditions'/)
})

t.test('a change of descriptions affects no number, and the same model has no change', async (t) => {
  await mistake('description: Minutes in the air.', 'description: Minutes aloft.')
  t.match(await diff(), { changes: [{ cosmetic: true }], touched: { measures: [], metrics: [], examples: [] } })
  t.equal((await run('diff', 'a.yaml', 'a.yaml')).out, 'The models are the same\n')
  t.match(await run('diff', 'a.yaml'), { code: 2, err: /^diff takes two model files/ })
})

t.test('doctor names each problem of this machine and its fix', async (t) => {
  t.match(await runWith({ PORT: '0' }, 'doctor'), {
    code: 0,
    out: /^ok {4}Node: .*\n[\s\S]*ok {4}database duckdb: answers after \d+ ms, time zone .*, 6 tables\n/,
  })
  const wrong = await runWith({ MAX_SESSIONS: 'many', API_TLS_CERT: 'a.yaml', API_TLS_KEY: 'a.yaml' }, 'doctor')
  t.match(wrong, { code: 1, out: /FAULT API_TLS_CERT: .*\n {6}Name a PEM file[\s\S]*FAULT MAX_SESSIONS: / })
  t.match(await run('doctor', '--server', 'http://127.0.0.1:9'), {
    code: 1,
    out: /^FAULT server: .*ECONNREFUSED.*\n {6}Start the server/,
  })
})
