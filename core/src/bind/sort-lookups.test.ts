/** The values that sort rows: which are read, and the block that provides them. */
import t from 'tap'
import { aggregateQuery, contextOf } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { own } from '../../../test/support/plans.js'
import { said } from '../../../test/support/said.js'
import { INT } from '../model/data-type.js'
import { ascending } from '../resolve/resolved-query.js'
import { readSorts, sortLookups } from './sort-lookups.js'

const model = shopWith({
  dataObjects: {
    Regions: { columns: { Rank: { code: 'rank', abstractType: 'int' } } },
    Customers: { columns: { Rank: { code: 'rank', abstractType: 'int' } } },
  },
  dimensions: { Region: { sortBy: 'Rank' }, Customer: { sortBy: 'Rank' } },
  metrics: { 'Previous Sales': { type: 'window', windowFunction: 'lag', measure: 'Sales' } },
})
const ask = (dimensions: readonly string[], more: object = {}, measures = ['Sales']) =>
  aggregateQuery({ select: { dimensions, measures }, ...more }, model)
const ordered = { order_by: [{ field: 'Region' }] }

t.test('a sort that an order reads is looked up', async (t) => {
  t.equal(readSorts(ask(['Region'], ordered)).length, 1)
  t.same(readSorts(ask(['Status'], { order_by: [{ field: 'Status' }] })), [])
  t.equal(readSorts(ask(['Region', 'Customer'], { order_by: [{ field: 'Region' }, { field: 'Region' }] })).length, 1, 'once')
})

t.test('another one is not', async (t) => {
  const { sorts } = ask(['Region', 'Customer'], { order_by: [{ field: 'Region' }, { field: 'Customer' }] })
  const [region] = sorts
  const order = [{ ...ascending(own(region!.name), INT), name: 'x' }] as never
  t.same(
    readSorts({ sorts, order }).map(({ name }) => name),
    [region?.name],
  )
  t.same(readSorts({ sorts, order: [] }), [])
  t.same(readSorts({ sorts: [...sorts, ...sorts], order }).length, 1)
})

t.test('a window and an output read it, too', async (t) => {
  const { sorts, steps } = ask(['Region'], {}, ['Previous Sales'])
  t.equal(readSorts({ sorts, order: [], steps }).length, 1, 'among ties')
  t.same(readSorts({ sorts, order: [], steps: [] }), [])
  const { sorts: of } = ask(['Region'], ordered)
  t.equal(readSorts({ sorts: of, order: [], outputs: [{ expression: own(of[0]!.name) }] as never }).length, 1)
})

t.test('one block has the values of one object by the same dimensions', async (t) => {
  const { sorts } = ask(['Region', 'Customer'], { order_by: [{ field: 'Region' }, { field: 'Customer' }] })
  const lookups = sortLookups(sorts, contextOf(model))
  t.same(
    lookups.map(({ block }) => block.base),
    ['Regions', 'Customers'],
  )
  const twice = sortLookups([sorts[0]!, { ...sorts[0]!, name: 'other' }], contextOf(model))
  t.same(
    twice.map(({ block }) => block.aggregates.length),
    [2],
  )
  t.match(lookups, [{ shift: undefined, isWhole: false, addsRows: false, ofValues: true }, {}])
  t.same(
    lookups[0]?.block.where.map(({ expression }) => said(expression)),
    ['Regions.name is not null'],
    'a group is a value',
  )
})
