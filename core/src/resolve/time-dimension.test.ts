/** The time that a metric runs along, and other dimensions of the same time. */
import t from 'tap'
import { contextOf, dimensionOf } from '../../../test/support/bound.js'
import { BUDGETS, shopWith } from '../../../test/support/models.js'
import { resolveDimension } from './fields.js'
import {
  columnsUnder,
  decidedBy,
  finest,
  followsFrom,
  identityOf,
  isAstride,
  ofSameTime,
  timeDimension,
  timesNamed,
} from './time-dimension.js'

const model = shopWith(BUDGETS, {
  calendars: { fiscal: { yearStart: '04-06' } },
  dimensions: {
    Far: { dataObject: 'Orders', expression: '{[Orders].[Amount]} + 9007199254740993', resultType: 'int' },
    Ordered: { dataObject: 'Orders', column: 'Day' },
    'Return Day': { dataObject: 'Returns', column: 'Day' },
  },
})
const { graph } = contextOf(model)
const of = (name: string) => dimensionOf(name, model)
const all = (...names: readonly string[]) => names.map(of)
const labels = (found: readonly { readonly label: string }[]) => found.map(({ label }) => label)
const any = resolveDimension({ kind: 'coalesce', members: ['Day', 'Return Day'], as: 'Any' }, model, '')

t.test('a time at any grain and under any name; a coalesce if there is no other', async (t) => {
  t.same(labels(timesNamed('Day', all('Region', 'Day:month', 'Ordered'), graph)), ['Day:month', 'Ordered'])
  t.same(labels(timesNamed('Day', [any], graph)), ['Any'])
  t.same(labels(timesNamed('Day', [any, of('Day')], graph)), ['Day'])
  t.same(timesNamed('Nothing', [any], graph), [])
})

t.test('the finest is the period of a row', async (t) => {
  t.equal(finest(all('Day:year', 'Day:month'))?.label, 'Day:month')
  t.equal(finest(all('Day:month', 'Day'))?.label, 'Day')
  t.equal(finest(all('Day:fiscal_month', 'Day:month'))?.label, 'Day:month')
  t.equal(finest([]), undefined)
  const find = (dimensions: Parameters<typeof timeDimension>[1]) =>
    timeDimension({ metric: 'M', name: 'Day', path: 'p' }, dimensions, graph)
  t.equal(find(all('Day:year', 'Day:month')).label, 'Day:month')
  t.throws(() => find(all('Return Day:month')), {
    code: 'TIME_DIMENSION_NOT_SELECTED',
    path: 'p',
    details: { hint: "select 'Day:month' in place of 'Return Day:month'" },
  })
  t.throws(() => find([{ ...of('Day:month'), top: { others: undefined } }]), /of which top makes one group/)
})

t.test('a row can show a week in two months, and a day without the month of the row that joins it', async (t) => {
  const astride = (time: string, ...others: readonly string[]) => isAstride({ time: of(time), siblingGrains: all(...others) })
  t.notOk(astride('Day:month', 'Day:year', 'Ordered:year'))
  t.ok(astride('Day:week', 'Day:month'))
  t.notOk(astride('Day:week'))
  t.ok(astride('Date:day', 'Day:month'))
  t.notOk(astride('Date:day', 'Month No'), 'a column of the calendar')
  t.ok(isAstride({ time: of('Day:day'), siblingGrains: [{ ...any, grain: 'month' }] }), 'of several times')
  const { members } = of('Day')
  const via = { ...of('Day:year'), members: [{ ...members[0], via: 'Returns' }] as const }
  t.ok(isAstride({ time: of('Day:day'), siblingGrains: [via] }), 'by another way')
})

t.test('other dimensions of the same time', async (t) => {
  const day = of('Day')
  t.same(labels(ofSameTime(day, [day, ...all('Day:year', 'Return Day', 'Ordered:month', 'Region')], graph)), [
    'Day:year',
    'Ordered:month',
  ])
  const years = resolveDimension({ kind: 'coalesce', members: ['Day', 'Return Day'], as: 'Years', grain: 'year' }, model, '')
  t.same(labels(ofSameTime(any, [years, day], graph)), ['Years'])
  t.ok(followsFrom(of('Date:day'), of('Month No'), graph))
  t.ok(followsFrom(of('Date:month'), of('Year No'), graph))
  t.notOk(followsFrom(of('Date:year'), of('Month No'), graph), 'a year has many months')
  t.notOk(followsFrom(of('Date:month'), of('Holiday'), graph))
  t.notOk(followsFrom(of('Date'), of('Date'), graph))
  t.notOk(followsFrom(of('Region'), of('Month No'), graph), 'no time')
  t.equal(columnsUnder(any).size, 2)
  t.equal(identityOf(of('Day').members[0]), identityOf(of('Ordered').members[0]))
  t.match(identityOf(of('Far').members[0]), /"9007199254740993"/, 'a number with more digits than a double has')
})

t.test('a time for which columns stand is decided by a period that decides these', async (t) => {
  const year = { ...of('Date:year'), name: 'standing' }
  const found = (period: string, column: string) =>
    decidedBy(of(period), [{ ...year, periodColumns: [of(column)] }], graph).length
  t.equal(found('Date:month', 'Year No'), 1)
  t.equal(found('Date:year', 'Month No'), 0)
  t.equal(decidedBy(of('Date:month'), [year], graph).length, 1, 'a time that is asked')
})
