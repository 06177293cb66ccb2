/** Periods of a table of days that are hidden: no list has them, no question counts in them, and no advice names them, as if the table did not have them. */
import t, { type Test } from 'tap'
import { oneIn } from '../support/amount.js'
import { everyDoor } from './doors.js'
import { type Served, SHOP_PLUGINS, SHOP_SETTINGS, servedShop } from './served.js'

const column = (code: string, abstractType: string, more: object = {}) => ({ code, abstractType, ...more })
const dimension = (dataObject: string, name: string) => ({ dataObject, column: name })
const OWN = {
  periods: { Term: 'own: 1', 'Term Place': 'own: 1_of_own: 2', 'School Year': 'own: 2' },
  columns: {
    Term: column('term', 'string'),
    'Term Place': column('place', 'int'),
    'School Year': column('school_year', 'string'),
  },
}
const before = (offsetGrain: string) => ({
  ...{ type: 'period_over_period', measure: 'Revenue' },
  periodOverPeriod: { timeDimension: 'Sold', offset: -1, offsetGrain },
})

/** It names a column, which is no name of a field. */
const BY_TERM = { select: { measures: ['Revenue'] }, compare: { time: 'Sold', unit: 'Term' } }

/** With periods that are hidden, or without them. Both hide a column, so that both are views. */
const modelOf = (hasPeriods: boolean) =>
  JSON.stringify({
    ...{ version: 1, name: 'shop', settings: { defaultDialect: 'duckdb' } },
    dataObjects: {
      Days: {
        code: 'days',
        calendar: { key: 'Day', periods: { ...(hasPeriods && OWN.periods), 'Week Year': 'week_year' } },
        columns: {
          Day: column('day', 'date', { primaryKey: true }),
          ...(hasPeriods && OWN.columns),
          'Week Year': column('week_year', 'int'),
          Other: column('other', 'int'),
        },
      },
      Orders: {
        code: 'orders',
        columns: { Id: column('id', 'int', { primaryKey: true }), Sold: column('sold', 'date'), Amount: column('amount', 'int') },
        joins: [{ joinType: 'many-to-one', joinTo: 'Days', columnsFrom: ['Sold'], columnsTo: ['Day'] }],
      },
    },
    dimensions: {
      ...(hasPeriods && {
        Semester: dimension('Days', 'Term'),
        'School Year': dimension('Days', 'School Year'),
      }),
      Sold: dimension('Orders', 'Sold'),
      'Week Year': dimension('Days', 'Week Year'),
    },
    measures: { Revenue: { columns: [{ dataObject: 'Orders', column: 'Amount' }], aggregation: 'sum' } },
    metrics: { ...(hasPeriods && { 'Term Before': before('Term') }), 'Month Before': before('month') },
    ...(hasPeriods && { examples: [{ name: 'since', query: BY_TERM }] }),
    access: {
      fields: [
        {
          hide: ['Days.Other', ...(hasPeriods ? ['Days.Term', 'Days.Term Place', 'Days.School Year'] : [])],
          unless: ['admin'],
        },
      ],
    },
  })

const TABLES = [
  `CREATE TABLE days AS SELECT CAST(day AS DATE) AS day, 'Term ' || month(day) // 4 AS term, month(day) // 4 AS place, 'Year ' || year(day) AS school_year,
     isoyear(day)::int AS week_year, 1 AS other FROM range(DATE '2025-01-01', DATE '2026-01-01', INTERVAL 1 DAY) AS every(day)`,
  "CREATE TABLE orders AS SELECT i AS id, DATE '2025-01-01' + CAST(i AS int) * 9 AS sold, CAST(i AS int) AS amount FROM range(40) AS t(i)",
]

const NAMES = [
  'Term',
  'term',
  'Terms',
  'School Year',
  'Shool Year',
  'Days.Term',
  'own: 1',
  'Term Place',
  'Term Before',
  'Semester',
]
const YEAR = [{ field: 'Sold', op: 'between', value: ['2025-05-01', '2025-08-31'] }]
const QUERIES: readonly object[] = [
  // The month is answered; a change asks a part of what is hidden.
  ...['month', ...oneIn(3, NAMES)].flatMap((name) => [
    { select: { measures: ['Revenue'] }, compare: { time: 'Sold', unit: name }, where: YEAR },
    { select: { measures: [{ as: 'Own', ...before(name) }] }, where: YEAR },
    { select: { measures: [{ as: 'Own', type: 'cumulative', measure: 'Revenue', timeDimension: name }] } },
    { select: { dimensions: [`Sold:${name}`], measures: ['Revenue'] } },
    { select: { dimensions: [name], measures: ['Revenue'] }, fill_gaps: true },
    { select: { measures: ['Revenue'] }, where: [{ field: name, op: '=', value: 'Term 1' }] },
    { select: { measures: [name] } },
    { select: { fields: [`Days.${name}`] } },
  ]),
  { select: { dimensions: ['Sold:month'], measures: ['Revenue', 'Month Before'] }, fill_gaps: 'range', where: YEAR },
  { select: { dimensions: ['Week Year'], measures: ['Month Before'] }, compare: { time: 'Sold', unit: 'year' }, where: YEAR },
]

const served = (t: Test, hasPeriods: boolean): Promise<Served> =>
  servedShop(t, { model: modelOf(hasPeriods), tables: TABLES, plugins: SHOP_PLUGINS, settings: SHOP_SETTINGS })

/** Whoever is bound sees no SQL; what differs between any two servers is left out. */
const plain = (text: string): string =>
  text
    .replace(/"(?:request_id|version|model|read_at|instance)":"[^"]*"/g, '')
    .replace(/"execution_time_ms":[\d.]+/g, '')
    .replace(/etag: \S+/g, '')

t.test('as if the table of days did not have them', async (t) => {
  const [hidden, absent] = [await served(t, true), await served(t, false)]
  let answered = 0
  for (const query of QUERIES)
    for (const url of ['/v1/query/execute?receipt=true', '/v1/composables', '/v1/query/plan']) {
      const [one, other] = [await hidden.post('auditor', url, { query }), await absent.post('auditor', url, { query })]
      t.same(plain(one.text), plain(other.text), `${url} ${JSON.stringify(query)}`)
      if (one.status === 200) answered++
    }
  t.ok(answered > 5, `${answered} are answered`)
  const [one, other] = [await everyDoor(hidden, 'auditor'), await everyDoor(absent, 'auditor')]
  for (const [i, { name, text }] of one.entries()) {
    t.same(plain(text), plain(other[i]?.text ?? ''), name)
    t.notMatch(text, /hidden_[0-9a-f]{6}|School Year/, name)
  }
  const seen = { select: { dimensions: ['Semester'], measures: ['Revenue', 'Term Before'] } }
  t.equal((await hidden.post('ops', '/v1/query/execute', { query: seen })).status, 200, 'an administrator sees them')
})
