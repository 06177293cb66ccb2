/** How dimensions are told apart, and named. */
import t from 'tap'
import { dimensionOf } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'
import { TRUE } from './expressions.js'
import { columnOf, hasDimension, isDimension, isOfTime, nameOfDimension, objectOf, timedParts } from './resolved-query.js'

const [day, month, region] = ['Day', 'Day:month', 'Region'].map((name) => dimensionOf(name, shop)) as [
  ReturnType<typeof dimensionOf>,
  ReturnType<typeof dimensionOf>,
  ReturnType<typeof dimensionOf>,
]

t.test('by the column that contains them', async (t) => {
  t.ok(isDimension(day, { name: 'Day' }))
  t.notOk(isDimension(day, month))
  t.notOk(isDimension(day, undefined))
  t.ok(hasDimension([month, region], { ...region, label: 'other' }))
  t.ok(isOfTime(month, { time: day, siblingGrains: [month] }))
  t.ok(isOfTime(day, { dimension: day, siblingGrains: [] }))
  t.notOk(isOfTime(region, { time: day, siblingGrains: [month] }))
})

t.test('by its name in the model, if it is one field of it', async (t) => {
  t.equal(nameOfDimension(month), 'Day')
  t.equal(nameOfDimension({ ...month, members: [month.members[0], region.members[0]] }), 'Day:month')
  t.equal(nameOfDimension({ ...month, expression: TRUE }), 'Day:month')
})

t.test('things of the model that are known to be there', async (t) => {
  t.equal(objectOf(shop, 'Orders').name, 'Orders')
  t.equal(columnOf(shop, { kind: 'column', object: 'Orders', column: 'Day' }).type.kind, 'date')
  t.throws(() => objectOf(shop, 'Nothing'))
  t.equal(timedParts(undefined).get(TRUE), undefined)
  const condition = { kind: 'up-to', admitted: [] } as const
  t.equal(timedParts([{ expression: { ...TRUE }, condition }]).get(TRUE), condition, 'an equal expression')
})
