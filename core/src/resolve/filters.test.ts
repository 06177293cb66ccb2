/** Filters of a query as conjuncts over fields. */
import t from 'tap'
import { resolveContext, resolved } from '../../../test/support/bound.js'
import { manyToOne, shop, shopWith } from '../../../test/support/models.js'
import { saidWhere } from '../../../test/support/said.js'
import { parseQuery } from '../query/parse-query.js'
import { relativeUnits, resolveField } from './filters.js'

const where = (filters: readonly object[], dimensions: readonly unknown[] = []) =>
  resolved({ select: { dimensions, measures: ['Sales'] }, where: filters }, shop).where
const paid = { field: 'Status', op: 'equals', value: 'paid' }
const north = { field: 'Region', op: 'equals', value: 'north' }

t.test('top-level conditions are separate, and a disjunction or a negation is one', async (t) => {
  const said = (filters: readonly object[]) => where(filters).map(({ expression }) => saidWhere(expression))
  t.same(said([{ logic: 'and', filters: [paid, { logic: 'and', filters: [north] }] }]), [
    "(Status = 'paid')",
    "(Region = 'north')",
  ])
  t.same(said([{ logic: 'or', filters: [paid, north] }]), ["((Status = 'paid') or (Region = 'north'))"])
  t.equal(said([{ logic: 'and', negated: true, filters: [paid, north] }]).length, 1)
  t.same(said([{ expression: '{[Status]} = {[Region]}' }]), ['(Status = Region)'])
})

t.test('a conjunct has its fields, and its times', async (t) => {
  const [one] = where([{ logic: 'or', filters: [paid, { field: 'Day', op: '>=', value: '2025-01-01' }] }])
  t.same(one?.fields, ['Status', 'Day'])
  t.equal(one?.times?.length, 1)
  const [exists] = where([
    { field: 'Customers', op: 'exists', subquery: { dataObject: 'Returns', filter: [{ field: 'Amount', op: '>', value: 1 }] } },
  ])
  t.match(exists?.leaves, [{ kind: 'where-exists', target: 'Returns', subject: { object: 'Customers' } }])
  const [coalesced] = where([{ field: 'Who', op: 'set' }], [{ coalesce: ['Region', 'Customer'], as: 'Who' }])
  t.match(coalesced?.leaves, [{ members: { length: 2 } }], 'a coalesce dimension of the query')
})

const inner = (filter: readonly object[], dataObject = 'Returns') => ({
  field: 'Customers',
  op: 'exists',
  subquery: { dataObject, filter },
})
const REFUSED: readonly (readonly [string, object, string])[] = [
  ['a measure', { field: 'Sales', op: '>', value: 1 }, 'UNKNOWN_FILTER_FIELD'],
  ['an unknown field', { field: 'Satus', op: 'set' }, 'UNKNOWN_FILTER_FIELD'],
  ['an unknown unit', { field: 'Day', op: 'relative', value: { unit: 'moon', count: 1 } }, 'INVALID_RELATIVE_FILTER'],
  ['an unknown object', inner([], 'Retruns'), 'UNKNOWN_DATA_OBJECT'],
  ['exists within exists', inner([inner([])]), 'INVALID_FILTER_OPERATOR'],
  ['a field that the rows do not reach', inner([paid]), 'NO_JOIN_PATH'],
  ['no subquery', { field: 'Customers', op: 'exists' }, 'INVALID_FILTER_VALUE'],
]
for (const [what, filter, code] of REFUSED) t.test(`${what} is refused`, async (t) => t.throws(() => where([filter]), { code }))

t.test('an expression tests the rows that are looked for', async (t) => {
  const [found] = where([inner([{ expression: '{[Returns].[Amount]} > 1' }])])
  t.match(found?.leaves, [{ kind: 'where-exists', target: 'Returns' }])
})

t.test('a column of a generated calendar that begins its periods is the day at their grain', async (t) => {
  const model = shopWith({
    dataObjects: {
      Dates: { calendar: {} },
      Orders: { joins: [manyToOne('Customers', 'Customer Id'), manyToOne('Dates', 'Day', { columnsTo: ['Date'] })] },
    },
  })
  const grained = [...model.dataObjects.get('Dates')!.columns.values()].find(({ grain }) => grain !== undefined)!
  t.match(resolveField(`Dates.${grained.name}`, resolveContext(model), ''), { grain: grained.grain })
})

t.test('a segment belongs in where', async (t) => {
  const model = shopWith({ segments: { Paid: { filters: [paid] } } })
  t.throws(() => resolved({ select: { measures: ['Sales'] }, having: [{ segment: 'Paid' }] }, model), {
    code: 'UNKNOWN_FILTER_FIELD',
  })
  t.throws(() => resolveField('Paid', resolveContext(model), ''), /is a segment/)
  t.match(resolveField('orders.status', resolveContext(model), ''), { members: [{ object: 'Orders' }] })
})

t.test('the periods of the clock that relative filters read', async (t) => {
  const relative = { field: 'Day', op: 'relative', value: { unit: 'week', count: 1 } }
  const { where } = parseQuery({
    select: { measures: ['Sales'] },
    where: [{ logic: 'or', filters: [relative, paid] }, inner([{ ...relative, value: { unit: 'year', count: 1 } }])],
  })
  t.same(relativeUnits(where, shop), ['week', 'year'])
})
