/** An instant in an expression of the model is its local time in the zone of the query; a key is read by the clocks of the data. */
import t from 'tap'
import { parseModelSync } from '../../core/src/model/load-model.js'
import { compileFor, loadText } from '../support/compile.js'
import { database } from './database.js'

const db = await database(
  "SET TimeZone = 'UTC'",
  'CREATE TABLE events (id INT, instant TIMESTAMPTZ, wall TIMESTAMP, day DATE)',
  `INSERT INTO events VALUES
    (1, '2024-01-01 02:30:00+00', '2024-01-01 02:30:00', '2024-01-01'),
    (2, '2024-11-03 05:30:00+00', '2024-11-03 05:30:00', '2024-11-03'),
    (3, '2024-11-03 06:30:00+00', '2024-11-03 06:30:00', '2024-11-03'),
    (4, NULL, NULL, NULL)`,
  "CREATE TABLE days AS SELECT CAST(d AS DATE) AS day, strftime(d, '%Y-%m') AS month FROM range(DATE '2023-12-01', DATE '2025-01-01', INTERVAL 1 DAY) r(d)",
)

const HOUR = "extract('hour', {At})"
const NEW_YORK = { timezone: 'America/New_York' }

const document = (settings: Readonly<Record<string, unknown>> = {}, time = 'At', more = {}) => ({
  version: 1,
  settings,
  dataObjects: {
    Events: {
      code: 'events',
      columns: {
        ID: { code: 'id', abstractType: 'int', primaryKey: true },
        At: time === 'At' ? { code: 'instant', abstractType: 'timestamp_tz' } : { code: 'wall', abstractType: 'timestamp' },
        Day: { code: 'day', abstractType: 'date' },
        Hour: { expression: HOUR, abstractType: 'int' },
        'Local Month': { expression: "date_trunc('month', {At})", abstractType: 'date' },
        Start: { expression: "date_trunc('hour', {At})", abstractType: 'timestamp' },
        'Start Hour': { expression: "extract('hour', {Start})", abstractType: 'int' },
        'Before Day': { expression: '{At} < {Day}', abstractType: 'boolean' },
        'Local Day': { expression: 'CAST({At} AS date)', abstractType: 'date' },
        Same: { expression: 'coalesce(NULL, {At})', abstractType: time === 'At' ? 'timestamp_tz' : 'timestamp' },
        ...more,
      },
    },
  },
  dimensions: {
    At: { dataObject: 'Events', column: 'At' },
    Hour: { dataObject: 'Events', column: 'Hour' },
    'Own Hour': { dataObject: 'Events', expression: HOUR },
    'Local Month': { dataObject: 'Events', column: 'Local Month' },
    Start: { dataObject: 'Events', column: 'Start' },
    Same: { dataObject: 'Events', column: 'Same' },
  },
  measures: {
    Count: { aggregation: 'count', columns: [{ dataObject: 'Events', column: 'ID' }] },
    Hours: { aggregation: 'sum', expression: "extract('hour', {[Events].[At]})" },
    First: { aggregation: 'min', columns: [{ dataObject: 'Events', column: 'At' }] },
    Last: { aggregation: 'max', columns: [{ dataObject: 'Events', column: 'At' }] },
    List: { aggregation: 'listagg', columns: [{ dataObject: 'Events', column: 'At' }], delimiter: '; ' },
    'First Day': { aggregation: 'min', columns: [{ dataObject: 'Events', column: 'At' }], dataType: 'date' },
  },
  metrics: {
    'Last Hour': { type: 'derived', expression: "extract('hour', {[Last]})" },
    'First Month': { type: 'derived', expression: "date_trunc('month', {[First]})" },
    'First Or Last': { type: 'derived', expression: 'coalesce({[First]}, {[Last]})' },
    'Hours Between': { type: 'derived', expression: "date_diff('hour', {[First]}, {[Last]})" },
  },
})

const model = loadText(JSON.stringify(document()))
/** The default zone differs from the zone of the query: 02:30 in Berlin is 01:30 in UTC and 20:30 the day before in New York. */
const written = loadText(JSON.stringify(document({ defaultTimezone: 'Europe/Berlin' }, 'wall')))

const answer = async (query: object, of = model) => (await db.rows(compileFor(query, of).sql)).map((row) => row.map(String))
const inRow = (field: string, id = 1) => ({
  select: { fields: [`Events.${field}`] },
  where: [{ field: 'Events.ID', op: 'eq', value: id }],
  ...NEW_YORK,
})

t.test('a computed column reads an instant in the zone of the query', async (t) => {
  t.same(await answer(inRow('Hour')), [['21']])
  t.same(await answer({ ...inRow('Hour'), timezone: 'Asia/Kolkata' }), [['8']])
  t.same(await answer({ ...inRow('Hour'), timezone: undefined }), [['2']], 'UTC without a zone')
  t.same(await answer(inRow('Local Month')), [['2023-12-01']])
  t.same(await answer(inRow('Local Day')), [['2023-12-31']])
  t.same(await answer(inRow('Before Day')), [['true']])
  t.same(await answer(inRow('Start Hour')), [['21']], 'a local time is not converted again')
})

t.test('one of several instants remains the instant, also in an hour that repeats', async (t) => {
  const query = { select: { dimensions: ['Same'], measures: ['Count'] }, order_by: [{ field: 'Same' }], ...NEW_YORK }
  const same = (await answer(query)).map(([at]) => at)
  const plain = (
    await answer({ ...query, select: { dimensions: ['At'], measures: ['Count'] }, order_by: [{ field: 'At' }] })
  ).map(([at]) => at)
  t.same(same, plain)
  t.notMatch(compileFor(query, model).sql, /TIME ZONE/, 'without a conversion')
})

t.test('dimensions, measures, metrics and conditions read an instant alike', async (t) => {
  const one = { where: [{ field: 'Events.ID', op: 'eq', value: 1 }], ...NEW_YORK }
  const select = {
    dimensions: ['Hour', 'Own Hour', 'At:month', 'Local Month'],
    measures: ['Hours', 'Last Hour', 'First Month', 'First Day'],
  }
  t.same(await answer({ select, ...one }), [['21', '21', '2023-12-01', '2023-12-01', '21', '21', '2023-12-01', '2023-12-31']])
  const adHoc = { dimensions: [{ expression: "extract('hour', {[At]})", as: 'X' }], measures: ['Count'] }
  t.same(await answer({ select: adHoc, ...one }), [['21', '1']], 'the same text ad hoc')
  const having = (hour: number) => ({ having: [{ expression: `extract('hour', {[Last]}) = ${hour}` }] })
  t.same(await answer({ select: { measures: ['Count'] }, ...having(21), ...one }), [['1']])
  t.same(await answer({ select: { measures: ['Count'] }, ...having(2), ...one }), [])
  t.same(await answer({ select: { measures: ['List'] }, ...one }), [['2023-12-31 21:30:00']], 'an instant in a list')
})

t.test('hours between two instants pass, whatever the clocks show', async (t) => {
  const query = { select: { measures: ['Hours Between'] }, where: [{ field: 'Events.ID', op: 'in', value: [2, 3] }], ...NEW_YORK }
  t.same(await answer(query), [['1']])
})

t.test('a naive timestamp in an expression is read in the default zone', async (t) => {
  t.same(await answer(inRow('Hour'), written), [['20']])
  t.same(await answer(inRow('Local Month'), written), [['2023-12-01']])
  t.same(await answer(inRow('Start Hour'), written), [['20']], 'once')
  const grouped = { select: { dimensions: ['Start:day'], measures: ['Count'] }, where: inRow('ID').where, ...NEW_YORK }
  t.same(await answer(grouped, written), [['2023-12-31', '1']], 'a period of a local time is not converted again')
  const filtered = {
    select: { measures: ['Count'] },
    where: [{ field: 'Start', op: 'eq', value: '2023-12-31T20:00:00' }],
    ...NEW_YORK,
  }
  t.same(await answer(filtered, written), [['1']], 'nor is its comparison')
  t.same(await answer({ select: { measures: ['Last Hour'] }, where: inRow('ID').where, ...NEW_YORK }, written), [['20']])
})

const joined = (settings = {}) => {
  const { dataObjects, ...rest } = document(settings)
  const { Events } = dataObjects
  const joins = [{ joinType: 'many-to-one', joinTo: 'Days', columnsFrom: ['Local Day'], columnsTo: ['Day'] }]
  const Days = {
    code: 'days',
    columns: { Day: { code: 'day', abstractType: 'date', primaryKey: true }, Month: { code: 'month', abstractType: 'string' } },
  }
  const dimensions = {
    ...rest.dimensions,
    'Month Name': { dataObject: 'Days', column: 'Month' },
    'Local Day': { dataObject: 'Events', column: 'Local Day' },
  }
  return { ...rest, dimensions, dataObjects: { Events: { ...Events, joins }, Days } }
}

t.test('a key that is computed from an instant does not depend on the zone of the query', async (t) => {
  const { model: keyed, warnings } = parseModelSync({ json: joined() })
  const [warning] = warnings.filter(({ code }) => code === 'KEY_OVER_INSTANT')
  t.match(warning?.message, /'Events\.Local Day'.*UTC/)
  const query = { select: { dimensions: ['Month Name', 'Local Day'], measures: ['Count'] }, where: inRow('ID').where }
  for (const timezone of [undefined, 'America/New_York', 'Asia/Tokyo'])
    t.same(await answer({ ...query, timezone }, keyed), [['2024-01', '2024-01-01', '1']], timezone ?? 'no zone')
  const { model: elsewhere } = parseModelSync({ json: joined({ defaultTimezone: 'America/New_York' }) })
  t.same(await answer({ ...query, timezone: 'Asia/Tokyo' }, elsewhere), [['2023-12', '2023-12-31', '1']], 'the default zone')
})
