/** Raw rows: their fields, their key, and what a bridge does to them. */
import t from 'tap'
import { bound } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'

const model = shopWith({ dataObjects: { Orders: { columns: { Key: { code: 'key_1', abstractType: 'int' } } } } })
const keyless = shopWith({ dataObjects: { Orders: { columns: { Id: { primaryKey: false } } } } })
const apples = { where: [{ field: 'Items.Product', op: 'equals', value: 'apple' }] }

function raw(more: object = {}, of = model, distinct = false) {
  const fields = ['Orders.Id', 'Orders.Status', 'Customers.Name']
  const { rows, bases } = bound({ select: { fields, distinct }, ...more }, of)
  if (rows.kind !== 'raw') throw new Error(rows.kind)
  return { ...rows, bases }
}

t.test('a row has its fields, with those of objects that it joins', async (t) => {
  const { fields, bases, where } = raw()
  t.same(
    fields.map(({ expression }) => said(expression)),
    ['Orders.id', 'Orders.status', 'Customers.name'],
  )
  t.same(bases, ['Orders'])
  t.same(where, [])
})

t.test('a row that a bridge multiplies is known by its key', async (t) => {
  t.equal(raw().multiplies, false)
  const { multiplies, key } = raw(apples)
  t.equal(multiplies, true)
  t.same(
    key.map(({ name, expression }) => `${name}: ${said(expression)}`),
    ['key_1: Orders.id'],
  )
})

t.test('without a key only distinct rows can be shown', async (t) => {
  t.throws(() => raw(apples, keyless), {
    code: 'KEY_REQUIRED',
    path: 'where',
    message: /a row of 'Orders' can meet the filter several times/,
  })
  t.doesNotThrow(() => raw(apples, keyless, true))
  t.doesNotThrow(() => raw({}, keyless), 'nothing multiplies them')
})

t.test('rows with a limit or an offset are pages', async (t) => {
  t.equal(raw().paged, false)
  t.equal(raw({ limit: 1 }).paged, true)
  t.equal(raw({ offset: 1 }).paged, true)
})
