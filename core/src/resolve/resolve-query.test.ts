/** Queries as a whole: their kinds, and what no kind can answer. */
import t from 'tap'
import { resolved } from '../../../test/support/bound.js'
import { shop, shopWith } from '../../../test/support/models.js'
import { builtInAggregates } from '../model/functions/aggregates.js'
import { builtInFunctions } from '../model/functions/catalogue.js'
import { filterFaults, timeContext } from './resolve-query.js'

const select = { dimensions: ['Region', 'Status'], measures: ['Sales'] }
const two = { dimensions: ['Region', 'Status'] }
const top = { dimension: 'Region', by: 'Sales', n: 2 }

t.test('each kind', async (t) => {
  const kind = (query: object) => resolved(query, shop).kind
  t.equal(kind({ select }), 'aggregate')
  t.equal(kind({ select, grouping: 'rollup' }), 'grouped')
  t.equal(kind({ select: two, dimensions_exclude: true }), 'exclude')
  t.equal(kind({ select: { fields: ['Orders.Id'] } }), 'raw')
  t.match(resolved({ select, rows_of: 'customers', top }, shop), { rowsOf: 'Customers', top: { kind: 'aggregate' } })
})

const REFUSED: readonly (readonly [string, object, string])[] = [
  ['nothing', { select: {} }, 'INVALID_QUERY'],
  ['subtotals without measures', { select: two, grouping: 'rollup' }, 'INVALID_QUERY'],
  ['the same dimension twice', { select: { dimensions: ['Region', 'region'] } }, 'INVALID_QUERY'],
  ['an unknown object', { select, rows_of: 'Custmers' }, 'UNKNOWN_DATA_OBJECT'],
  ['an unknown zone', { select, timezone: 'Europe/Pari' }, 'INVALID_QUERY'],
  ['combinations with measures', { select, dimensions_exclude: true }, 'DIMENSIONS_EXCLUDE_WITH_MEASURES'],
  ['combinations of one', { select: { dimensions: ['Region'] }, dimensions_exclude: true }, 'DIMENSIONS_EXCLUDE_INSUFFICIENT'],
  ['gaps of combinations', { select: two, dimensions_exclude: true, fill_gaps: true }, 'INVALID_QUERY'],
  ['top of combinations', { select: two, dimensions_exclude: true, top }, 'INVALID_QUERY'],
  ['top of rows', { select: { fields: ['Orders.Id'] }, top }, 'INVALID_QUERY'],
  ['combinations of rows', { select: { fields: ['Orders.Id'] }, rows_of: 'Customers' }, 'INVALID_QUERY'],
]
for (const [what, query, code] of REFUSED)
  t.test(`${what} is refused`, async (t) => t.throws(() => resolved(query, shop), { code }))

t.test('the zone is that of the query, or of the model', async (t) => {
  const model = shopWith({ settings: { queryTimezone: 'Asia/Tokyo', weekStart: 'sunday' } })
  t.match(timeContext({}, model, new Date(0)), { zone: 'Asia/Tokyo', weekStart: 'sunday' })
  t.equal(timeContext({ timezone: 'Europe/Paris' }, model, new Date(0)).zone, 'Europe/Paris')
  t.equal(timeContext({}, shop, new Date(0)).zone, 'UTC')
  t.throws(() => timeContext({ timezone: 'Europe/Pariss' }, shop, new Date(0)), { code: 'INVALID_QUERY', path: 'timezone' })
  const sets = { select: { dimensions: ['Region'] }, grouping: { sets: [['Region'], []] } }
  t.throws(() => resolved(sets, shop), /a list of sets adds subtotals of measures/)
})

t.test('faults of segments and views are found before they are used', async (t) => {
  const bad = { field: 'Satus', op: 'equals', value: 'x' }
  const good = { ...bad, field: 'Status' }
  const loaded = shopWith({
    segments: { Bad: { filters: [good] }, Good: { filters: [good] } },
    views: { Worse: { fields: ['Sales'], where: [good] } },
  })
  const [segment, view] = [loaded.segments.get('Bad')!, loaded.views.get('Worse')!]
  const model = {
    ...loaded,
    segments: new Map([...loaded.segments, ['Bad', { ...segment, filters: [bad] }]]),
    views: new Map([['Worse', { ...view, where: [bad] }]]),
  }
  const faults = filterFaults(model, { functions: builtInFunctions, aggregates: builtInAggregates, now: new Date(0) })
  t.same(
    faults.map(({ path }) => path),
    ['segments.Bad', 'views.Worse'],
  )
})
