/** Dimensions as columns of the answer. */
import t from 'tap'
import { dimensionOf } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'
import { TIMESTAMP, TIMESTAMP_TZ } from '../model/data-type.js'
import { absentOutput, dimensionOutput, othersOutputs, shownDimension } from './dimension-output.js'

const region = dimensionOf('Region', shop)
const month = dimensionOf('Day:month', shop)
const top = { ...region, top: { others: 'All others' } }

t.test('by its value, with the name of the others', async (t) => {
  t.match(dimensionOutput(region), { name: 'Region', role: 'dimension', expression: { name: 'Region' } })
  t.equal(shownDimension(top).ofNull, 'All others')
  t.equal(shownDimension(region).ofNull, undefined)
  t.notHas(shownDimension({ ...month, top: { others: 'x' } }), { ofNull: 'x' }, 'only of texts')
})

t.test('a period as its first moment', async (t) => {
  const as = (type: typeof TIMESTAMP) => shownDimension({ ...month, shownAs: { type, zone: 'Asia/Tokyo' } })
  t.equal(said(as(TIMESTAMP).expression), 'Day:month::timestamp')
  t.equal(said(as(TIMESTAMP_TZ).expression), "from_zone(Day:month::timestamp, 'Asia/Tokyo')")
  t.equal(absentOutput({ ...month, shownAs: { type: TIMESTAMP_TZ, zone: 'UTC' } }).type, TIMESTAMP_TZ)
})

t.test('a subtotal has NULL, and a mark of the others', async (t) => {
  t.equal(said(absentOutput(region).expression), 'null::string')
  const marks = (absent: (typeof region)[]) =>
    othersOutputs([top, month], absent).map(({ name, expression }) => `${name} = ${said(expression)}`)
  t.same(marks([]), ['Region is others = Region is null'])
  t.same(marks([top]), ['Region is others = false'])
})
