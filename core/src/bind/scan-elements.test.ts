/** The elements of an array as rows: where it is, the key of their row, and their fields. */
import t from 'tap'
import { shopWith } from '../../../test/support/models.js'
import { at } from '../../../test/support/relations.js'
import { objectOf } from '../resolve/resolved-query.js'
import { arrayType, scanElements } from './scan-elements.js'

const model = shopWith({
  dataObjects: {
    Orders: {
      columns: { Lines: { code: 'lines', abstractType: 'json', sqlType: 'jsonb' }, Tags: { code: 'tags', abstractType: 'json' } },
    },
    Lines: {
      code: '-',
      nestedIn: { dataObject: 'Orders', column: 'Lines' },
      columns: {
        Place: { code: '#', abstractType: 'int', primaryKey: true },
        Sold: { code: 'sold', abstractType: 'boolean', trueValues: ['y'] },
        Cost: { code: 'cost', abstractType: 'int' },
        Double: { expression: '{Cost} * 2', abstractType: 'int' },
        Parts: { code: 'parts', abstractType: 'json' },
      },
    },
    Parts: {
      code: '-',
      nestedIn: { dataObject: 'Lines', column: 'Parts' },
      columns: { Part: { code: '*', abstractType: 'string' } },
    },
    'Order Tags': {
      code: '-',
      nestedIn: { dataObject: 'Orders', column: 'Tags' },
      columns: { Tag: { code: '*', abstractType: 'string' } },
    },
  },
})

function scan(name: string) {
  const object = objectOf(model, name)
  if (!object.nestedIn) throw new Error(name)
  return { ...scanElements(object, object.nestedIn, at(name), model), sqlType: arrayType(object.nestedIn, model) }
}

t.test('an element has the key of its row, and its own fields, in one order', async (t) => {
  const { source, elements, object } = scan('Lines')
  t.equal(object, 'Lines')
  t.match(source, { name: 'orders' })
  t.equal(elements?.array, 'lines')
  t.equal(elements?.within, undefined)
  t.same(
    elements?.key.map(({ code }) => code),
    ['id'],
  )
  t.same(
    elements?.fields.map(({ code }) => code),
    ['#', 'cost', 'parts', 'sold'],
    'computed ones are not stored',
  )
  t.match(
    elements?.fields.find(({ code }) => code === 'sold'),
    { type: { kind: 'string' } },
    'as it is stored',
  )
  t.match(
    elements?.fields.find(({ code }) => code === 'cost'),
    { type: { kind: 'int' } },
  )
})

t.test('an array within an array is within its elements', async (t) => {
  const { source, elements } = scan('Parts')
  t.match(source, { name: 'orders' })
  t.equal(elements?.array, 'parts')
  t.equal(elements?.within?.array, 'lines')
  t.same(
    elements?.fields.map(({ code }) => code),
    ['#', '*'],
    'with their place, which is the key',
  )
  t.same(elements?.key.length, objectOf(model, 'Lines').key.length)
})

t.test('an array has its own type, or that of the one around it', async (t) => {
  t.equal(scan('Lines').sqlType, 'jsonb')
  t.equal(scan('Parts').sqlType, 'jsonb')
  t.equal(scan('Order Tags').sqlType, undefined)
})
