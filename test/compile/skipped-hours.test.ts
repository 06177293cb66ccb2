/** Hours and days that clocks skipped, dates that mean "never", coalesced times, and errors of metrics over time. */
import t from 'tap'
import { compileFor, loadText, refusalOf } from '../support/compile.js'
import { database } from './database.js'

const db = await database(
  "SET TimeZone = 'UTC'",
  'CREATE TABLE visits (id INT, moment TIMESTAMPTZ, booked DATE, viewed DATE)',
  `INSERT INTO visits VALUES
    (1, '2024-03-10 06:30:00+00', '2024-01-05', NULL), (2, '2024-03-10 08:30:00+00', NULL, '2024-02-07'),
    (3, '2024-11-03 05:30:00+00', '2024-01-20', NULL), (4, '2024-11-03 06:30:00+00', '9999-12-31', NULL),
    (5, '2011-12-30 09:30:00+00', NULL, NULL), (6, '2011-12-30 10:30:00+00', NULL, NULL)`,
)
const dimension = (column: string, timeGrain?: string) => ({ dataObject: 'Visits', column, ...(timeGrain && { timeGrain }) })
const model = loadText(
  JSON.stringify({
    dataObjects: {
      Visits: {
        code: 'visits',
        columns: {
          ID: { code: 'id', abstractType: 'int', primaryKey: true },
          At: { code: 'moment', abstractType: 'timestamp_tz' },
          Booked: { code: 'booked', abstractType: 'date' },
          Viewed: { code: 'viewed', abstractType: 'date' },
        },
      },
    },
    dimensions: {
      Hour: dimension('At', 'hour'),
      Moment: dimension('At'),
      Booked: dimension('Booked'),
      Viewed: dimension('Viewed'),
      'Booked Month': dimension('Booked', 'month'),
    },
    metrics: { 'In Month': { type: 'cumulative', measure: 'Visits Count', timeDimension: 'Booked', grainToDate: 'month' } },
  }),
)
const rowsOf = async (query: Record<string, unknown>) => (await db.rows(compileFor(query, model).sql)).map((row) => row.join(' '))
const counted = (dimensions: readonly unknown[], more: object = {}) => ({
  select: { dimensions, measures: ['Visits Count'] },
  order_by: [{ field: 1 }],
  ...more,
})

t.test('gaps are filled with the hours and days that clocks showed', async (t) => {
  const spring = [{ field: 'Moment', op: 'eq', value: '2024-03-10' }]
  const inNewYork = { where: spring, fill_gaps: true, timezone: 'America/New_York' }
  t.same(await rowsOf(counted(['Hour'], inNewYork)), ['2024-03-10 01:00:00 1', '2024-03-10 03:00:00 0', '2024-03-10 04:00:00 1'])
  const samoa = { where: [{ field: 'Moment', op: 'lt', value: '2012' }], fill_gaps: true, timezone: 'Pacific/Apia' }
  t.same(await rowsOf(counted(['Moment:day'], samoa)), ['2011-12-29 1', '2011-12-31 1'])
})

t.test('an hour that clocks show twice is one hour', async (t) => {
  const at = (op: string, value: string) => ({ where: [{ field: 'Hour', op, value }], timezone: 'America/New_York' })
  t.same(await rowsOf(counted(['Hour'], at('eq', '2024-11-03 01:00:00'))), ['2024-11-03 01:00:00 2'])
  t.same(await rowsOf(counted([], at('neq', '2024-11-03 01:00:00'))), ['4'])
})

t.test('the last possible date is an ordinary value', async (t) => {
  const on = (field: string, op: string, value: unknown) =>
    rowsOf({ select: { measures: ['Visits Count'] }, where: [{ field, op, value }] })
  t.same(await on('Booked', 'between', ['2024-01-01', '9999-12-31']), ['3'])
  t.same(await on('Booked Month', 'lte', '9999-12-31'), ['3'])
  t.same(await on('Moment', 'lte', '9999-12-31'), ['6'])
  t.same(await on('Moment', 'between', ['2024-01-01', '9999-12-31']), ['4'])
  t.same(await on('Booked Month', 'eq', '2024-01'), ['2'])
})

t.test('a coalesced dimension has its own grain', async (t) => {
  const either = { coalesce: ['Booked', 'Viewed'], as: 'First', grain: 'month' }
  t.same(await rowsOf(counted([either], { limit: 2 })), ['2024-01-01 2', '2024-02-01 1'])
  // A filter on it compares days, as declared in the model.
  t.same(await rowsOf(counted([either], { where: [{ field: 'First', op: 'eq', value: '2024-01-05' }] })), ['2024-01-01 1'])
  t.match(refusalOf(counted([{ ...either, as: 'First:month' }]), model), { code: 'COALESCE_ALIAS_COLLISION' })
  t.match(refusalOf(counted([{ ...either, coalesce: ['Booked:month', 'Viewed'] }]), model), {
    code: 'UNKNOWN_DIMENSION',
    message: /write 'Booked'/,
  })
})

t.test(
  'the error of a metric over time names the grain that it needs, and a window that starts within a period is refused',
  async (t) => {
    const asked = (dimension: string) => ({ select: { dimensions: [dimension], measures: ['In Month'] } })
    t.match(refusalOf(asked('Booked:quarter'), model), {
      code: 'INVALID_METRIC',
      message: /each month, which is finer than the query's quarter/,
    })
    // Another name of the same time is that time (decision 42).
    t.match(compileFor(asked('Booked Month'), model).columns, [{ name: 'Booked Month' }, { name: 'In Month' }])
    t.match(refusalOf(asked('Viewed:month'), model).toFinding(), {
      code: 'TIME_RANGE_REQUIRED',
      hint: /^select 'Booked' at a grain, or filter 'Booked' with between$/,
    })
  },
)
