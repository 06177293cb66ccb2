import t from 'tap'
import { TIME_GRAINS, type TimeGrain } from '../../core/src/model/grain.js'
import { oneIn } from '../support/amount.js'
import { compileFor, loadText } from '../support/compile.js'
import { database } from './database.js'

/**
 * Timestamps near every boundary of a calendar: the epoch, leap days, ends of weeks, quarters and years, and the last microsecond before
 * midnight.
 */
const MOMENTS = [
  '1969-12-28 00:00:00',
  '1969-12-29 12:00:00',
  '1969-12-31 23:59:59.999999',
  '1970-01-01 00:00:00',
  '1999-12-31 23:30:00',
  '2000-02-29 10:00:00.5',
  '2000-03-01 00:00:00',
  '2023-02-28 23:59:59',
  '2024-02-29 00:00:00.000001',
  '2024-03-01 00:00:00',
  '2024-03-31 23:59:59.999999',
  '2024-04-01 00:00:00',
  '2024-12-30 00:00:00',
  '2025-01-05 23:00:00',
  '2025-01-06 00:00:00',
]

const db = await database(
  "SET TimeZone = 'UTC'",
  'CREATE TABLE events (id INT, wall TIMESTAMP, day DATE, instant TIMESTAMPTZ)',
  `INSERT INTO events SELECT i, v, CAST(v AS DATE), v AT TIME ZONE 'UTC' FROM (VALUES ${MOMENTS.map((m, i) => `(${i}, TIMESTAMP '${m}')`).join(', ')}, (99, NULL)) AS t(i, v)`,
)

const modelWith = (settings: Readonly<Record<string, unknown>>) =>
  loadText(
    JSON.stringify({
      version: 1,
      settings,
      dataObjects: {
        Events: {
          code: 'events',
          columns: {
            ID: { code: 'id', abstractType: 'int', primaryKey: true },
            At: { code: 'wall', abstractType: 'timestamp' },
            Day: { code: 'day', abstractType: 'date' },
            Instant: { code: 'instant', abstractType: 'timestamp_tz' },
          },
        },
      },
      dimensions: Object.fromEntries(
        ['At', 'Day', 'Instant'].flatMap((column) =>
          TIME_GRAINS.filter((grain) => column !== 'Day' || !['second', 'minute', 'hour'].includes(grain)).map((grain) => [
            `${column} ${grain}`,
            { dataObject: 'Events', column, timeGrain: grain },
          ]),
        ),
      ),
    }),
  )

const SYMBOLS = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** The bucket, computed independently of the dialect, in DuckDB. */
function bucketSql(grain: TimeGrain, wall: string, sunday: boolean): string {
  if (grain === 'week' && sunday) return `CAST(CAST(${wall} AS DATE) - CAST(dayofweek(${wall}) AS INT) AS DATE)`
  const cut = `date_trunc('${grain}', CAST(${wall} AS TIMESTAMP))`
  return ['second', 'minute', 'hour'].includes(grain) ? cut : `CAST(${cut} AS DATE)`
}

const ids = async (sql: string) => (await db.rows(sql)).map(([id]) => Number(id)).toSorted((a, b) => a - b)
const filtered = (field: string, op: string, value: unknown, extra = {}) => ({
  select: { fields: ['Events.ID'] },
  where: [{ field, op, value }],
  ...extra,
})

for (const weekStart of ['monday', 'sunday']) {
  const model = modelWith({ weekStart })
  for (const column of ['At', 'Day']) {
    t.test(`a filter on a bucket of ${column} buckets first and then compares, weeks from ${weekStart}`, async (t) => {
      for (const grain of TIME_GRAINS) {
        const small = ['second', 'minute', 'hour'].includes(grain)
        if (column === 'Day' && small) continue
        const bucket = bucketSql(grain, column === 'At' ? 'wall' : 'day', weekStart === 'sunday')
        for (const moment of oneIn(4, [
          '1969-12-29',
          '1970-01-01',
          '2000-02-29',
          '2024-02-26',
          '2024-03-01',
          '2024-04-01',
          '2025-01-05',
          '2025-01-01',
        ])) {
          // The value has a time of day, so that the bucket is compared and not a whole day.
          const value = small ? `${moment}T00:00:00` : moment
          const literal = small ? `TIMESTAMP '${moment} 00:00:00'` : `DATE '${moment}'`
          const [[isStart]] = (await db.rows(`SELECT ${bucketSql(grain, literal, weekStart === 'sunday')} = ${literal}`)) as [
            [boolean],
          ]
          for (const [op, symbol] of Object.entries(SYMBOLS)) {
            if (!isStart && (symbol === '=' || symbol === '<>')) {
              const asked = () => compileFor(filtered(`${column} ${grain}`, op, value), model)
              t.throws(asked, { code: 'INVALID_PERIOD' }, `${grain} ${op} ${value}`)
              continue
            }
            const { sql } = compileFor(filtered(`${column} ${grain}`, op, value), model)
            t.same(
              await ids(sql),
              await ids(`SELECT id FROM events WHERE ${bucket} ${symbol} ${literal}`),
              `${grain} ${op} ${value}`,
            )
            t.notMatch(/WHERE[\s\S]*/.exec(sql)?.[0], /date_trunc/i, 'the condition is on the bare column')
          }
        }
        const { sql } = compileFor(filtered(`${column} ${grain}`, 'between', ['1970-01-01', '2024-03-01']), model)
        t.same(
          await ids(sql),
          await ids(`SELECT id FROM events WHERE CAST(${bucket} AS DATE) BETWEEN DATE '1970-01-01' AND DATE '2024-03-01'`),
          `${grain} between`,
        )
        const not = compileFor(filtered(`${column} ${grain}`, 'not_between', ['1970-01-01', '2024-03-01']), model)
        t.same(
          await ids(not.sql),
          await ids(`SELECT id FROM events WHERE CAST(${bucket} AS DATE) NOT BETWEEN DATE '1970-01-01' AND DATE '2024-03-01'`),
        )
      }
    })
  }
}

t.test('the bucket that is shown is the bucket that is compared, for every grain and zone', async (t) => {
  for (const [column, settings, wall] of [
    ['Instant', { queryTimezone: 'America/New_York' }, `(instant AT TIME ZONE 'America/New_York')`],
    ['Instant', {}, `(instant AT TIME ZONE 'UTC')`],
    [
      'At',
      { queryTimezone: 'America/New_York', defaultTimezone: 'Asia/Tokyo' },
      `((wall AT TIME ZONE 'Asia/Tokyo') AT TIME ZONE 'America/New_York')`,
    ],
    ['At', { queryTimezone: 'America/New_York' }, 'wall'],
    ['At', { defaultTimezone: 'Asia/Tokyo' }, 'wall'],
    ['Day', { queryTimezone: 'America/New_York', defaultTimezone: 'Asia/Tokyo' }, 'day'],
  ] as const) {
    const model = modelWith(settings)
    for (const grain of TIME_GRAINS) {
      if (column === 'Day' && ['second', 'minute', 'hour'].includes(grain)) continue
      const asked = { select: { dimensions: [`${column} ${grain}`], measures: ['Events Count'] }, order_by: [{ field: 1 }] }
      const shown = await db.rows(compileFor(asked, model).sql)
      const wanted = await db.rows(
        `SELECT ${bucketSql(grain, wall, false)} AS b, count(*) FROM events GROUP BY 1 ORDER BY 1 NULLS LAST`,
      )
      t.same(shown, wanted, `${grain} of ${column} with ${JSON.stringify(settings)}`)
      for (const [start, count] of shown) {
        if (start === null) continue
        const { sql } = compileFor(filtered(`${column} ${grain}`, 'eq', String(start)), model)
        t.equal((await ids(sql)).length, Number(count), `${grain} = ${start}`)
      }
    }
  }
})

t.test('a timestamp without a zone is compared in the zone of the query if its own zone is known', async (t) => {
  const model = modelWith({ defaultTimezone: 'Asia/Tokyo' })
  const asked = (value: string, timezone?: string) =>
    ids(compileFor(filtered('Events.At', 'gte', value, { ...(timezone && { timezone }) }), model).sql)
  // 2025-01-06 00:00 in Tokyo is 2025-01-05 10:00 in New York.
  t.same(await asked('2025-01-05T10:00:00', 'America/New_York'), [14])
  t.same(await asked('2025-01-05T10:00:01', 'America/New_York'), [])
  t.same(await asked('2025-01-05T15:00:00Z', 'America/New_York'), [14], 'an instant is an instant')
  t.same(await asked('2025-01-06T00:00:00'), [14], 'without a time zone it is as written')
  t.same(await asked('2025-01-06T00:00:00', 'Asia/Tokyo'), [14], 'its own time zone changes nothing')
  t.same(compileFor(filtered('Events.At', 'gte', '2025-01-05', { timezone: 'America/New_York' }), model).warnings, [])
})

t.test('having compares a timestamp by the same clocks as where, and a period as it is shown', async (t) => {
  const document = {
    settings: { defaultTimezone: 'Asia/Tokyo' },
    dataObjects: {
      Events: {
        code: 'events',
        columns: { ID: { code: 'id', abstractType: 'int', primaryKey: true }, At: { code: 'wall', abstractType: 'timestamp' } },
      },
    },
    dimensions: { At: { dataObject: 'Events', column: 'At' } },
    measures: { Last: { aggregation: 'max', columns: [{ dataObject: 'Events', column: 'At' }] } },
  }
  const model = loadText(JSON.stringify(document))
  const kept = async (field: string, value: string, dimensions: string[] = []) => {
    const having = [{ field, op: 'gte', value }]
    const query = { select: { dimensions, measures: ['Last'] }, having, timezone: 'America/New_York' }
    return (await db.rows(compileFor(query, model).sql)).length
  }
  // The last is 2025-01-06 00:00 in Tokyo, 2025-01-05 10:00 in New York.
  t.equal(await kept('Last', '2025-01-05T10:00:00'), 1)
  t.equal(await kept('Last', '2025-01-05T10:00:01'), 0)
  t.equal(await kept('At', '2025-01-05T10:00:00', ['At']), 1)
  t.equal(await kept('At', '2025-01-05T10:00:01', ['At']), 0)
  t.equal(await kept('At:hour', '2025-01-05T10:00:00', ['At:hour']), 1)
  t.equal(await kept('At:hour', '2025-01-05T10:00:01', ['At:hour']), 0)
  const unknown = loadText(JSON.stringify({ ...document, settings: {} }))
  const query = {
    select: { measures: ['Last'] },
    having: [{ field: 'Last', op: 'gte', value: '2025-01-05' }],
    timezone: 'Asia/Tokyo',
  }
  t.match(compileFor(query, unknown).warnings, [{ code: 'NAIVE_TIMESTAMP', path: 'having[0].field' }])
})

t.test('relative ranges end by the clocks of the query time zone', async (t) => {
  const model = modelWith({})
  const relative = (unit: string, timezone: string, now: string) =>
    ids(compileFor(filtered('Events.Instant', 'relative', { unit, count: 1 }, { timezone }), model, undefined, new Date(now)).sql)
  t.same(await relative('day', 'UTC', '2025-01-05T23:30:00Z'), [13])
  t.same(
    await relative('day', 'Asia/Tokyo', '2025-01-05T23:30:00Z'),
    [13, 14],
    'there it is already Monday, from three in the afternoon in UTC on',
  )
  t.same(await relative('week', 'UTC', '2025-01-05T23:30:00Z'), [12, 13])
  t.same(await relative('year', 'America/New_York', '2025-01-01T04:59:59Z'), [8, 9, 10, 11, 12])
})

t.test(
  'a time without a grain is assigned to a period by the clocks of the zone, in prior periods and running values too',
  async (t) => {
    const { rows } = await database(
      "SET TimeZone = 'UTC'",
      "CREATE TABLE visits AS SELECT * FROM (VALUES (1, TIMESTAMPTZ '2023-12-31 20:00:00+00'), (2, TIMESTAMPTZ '2024-01-01 15:00:00+00'), (3, TIMESTAMPTZ '2024-01-02 03:00:00+00')) AS v(id, \"at\")",
    )
    const model = loadText(
      JSON.stringify({
        settings: { queryTimezone: 'America/New_York' },
        dataObjects: {
          Visits: {
            code: 'visits',
            columns: {
              Id: { code: 'id', abstractType: 'int', primaryKey: true },
              At: { code: 'at', abstractType: 'timestamp_tz' },
            },
          },
        },
        dimensions: { At: { dataObject: 'Visits', column: 'At' } },
        metrics: {
          'Day Before': { type: 'period_over_period', measure: 'Visits Count', periodOverPeriod: { timeDimension: 'At' } },
          'Of the Day': { type: 'cumulative', measure: 'Visits Count', timeDimension: 'At', window: 1, partitionBy: [] },
        },
      }),
    )
    const query = { select: { dimensions: ['At'], measures: ['Day Before', 'Of the Day'] }, order_by: [{ field: 'At' }] }
    const answered = await rows(compileFor(query, model).sql)
    t.same(
      answered.map(([, ...values]) => values),
      [
        [null, '1'],
        ['1', '2'],
        ['1', '2'],
      ],
    )
  },
)

t.test('two instants are compared as instants, whatever clocks showed', async (t) => {
  const trips = await database(
    "SET TimeZone = 'UTC'",
    `CREATE TABLE trips AS SELECT TIMESTAMPTZ '2024-11-03 05:30:00+00' AS started, TIMESTAMPTZ '2024-11-03 06:10:00+00' AS ended,
      TIMESTAMP '2024-11-03 06:10:00' AS logged`,
  )
  const columns = {
    Started: { code: 'started', abstractType: 'timestamp_tz' },
    Ended: { code: 'ended', abstractType: 'timestamp_tz' },
    Logged: { code: 'logged', abstractType: 'timestamp' },
  }
  const model = loadText(
    JSON.stringify({
      version: 1,
      settings: { defaultTimezone: 'Etc/GMT' },
      dataObjects: { Trips: { code: 'trips', columns } },
      dimensions: Object.fromEntries(Object.keys(columns).map((column) => [column, { dataObject: 'Trips', column }])),
    }),
  )
  const count = async (expression: string) => {
    const query = { select: { measures: ['Trips Count'] }, where: [{ expression }], timezone: 'America/New_York' }
    const rows = await trips.rows(compileFor(query, model).sql)
    return Number(rows[0]![0])
  }
  t.equal(await count('{[Ended]} > {[Started]}'), 1)
  t.equal(await count('not ({[Ended]} <= {[Started]})'), 1)
  t.equal(await count('case when {[Started]} < {[Ended]} then 1 else 0 end = 1'), 1)
  t.equal(await count('{[Trips].[Ended]} > {[Trips].[Started]}'), 1)
  t.equal(await count('{[Logged]} > {[Started]} and {[Logged]} = {[Ended]}'), 1, 'also one that is written without its zone')
  t.equal(
    await count("date_trunc('minute', {[Ended]}) > date_trunc('minute', {[Started]})"),
    0,
    'what is cut is what the clock showed',
  )
})
