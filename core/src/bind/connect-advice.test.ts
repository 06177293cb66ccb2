/** What a model lacks if rows do not reach a field, in words that can be followed. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { joining, manyToOne, shop, shopWith } from '../../../test/support/models.js'
import { hiddenName } from '../hidden-name.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { connectAdvice, reachInWords } from './connect-advice.js'

const key = { code: 'id', abstractType: 'int', primaryKey: true }
const labelled = (more: object = {}, columns: object = {}) => ({
  dataObjects: {
    Labels: { code: 'labels', columns: { Id: key, Name: { code: 'name', abstractType: 'string' } } },
    'Order Labels': {
      code: 'order_labels',
      columns: { Order: { code: 'o', abstractType: 'int' }, Label: { code: 'l', abstractType: 'int' }, ...columns },
      joins: [manyToOne('Orders', 'Order'), manyToOne('Labels', 'Label')],
      ...more,
    },
  },
})
const note = { Note: { code: 'note', abstractType: 'string' } }
const advice = (model: SemanticModel, base = 'Orders', target = 'Labels'): string =>
  connectAdvice(base, target, contextOf(model).graph)
const JOIN = "declare a join from 'Orders', or from an object that it reaches, to 'Labels', or a bridge table that joins both"

t.test('a table that joins both, of which no measure reads a column, may be a bridge', async (t) => {
  const whole = /^'Order Labels' leads to both 'Orders' and 'Labels': .* declare bridge: true on it$/
  t.match(advice(shopWith(labelled())), whole)
  t.match(advice(shopWith(labelled({}, note))), whole, 'also with more columns')
  t.match(advice(shopWith(labelled()), 'Items'), /leads to both 'Orders' and 'Labels'/, 'they meet at what both reach')
  t.match(advice(shopWith({ exposeCounts: true }, labelled())), whole, 'its number of rows is no fact')
})

t.test('nothing but a join helps otherwise', async (t) => {
  t.equal(advice(shopWith(labelled({ bridge: true }))), JOIN, 'it is a bridge')
  t.equal(advice(shopWith(labelled({ joins: [manyToOne('Orders', 'Order')] }))), JOIN, 'it does not join the target')
  t.equal(advice(shopWith(labelled({ joins: [manyToOne('Labels', 'Label')] }))), JOIN, 'it joins nothing that the rows reach')
  const fact = { measures: { Notes: { aggregation: 'max', columns: [{ dataObject: 'Order Labels', column: 'Note' }] } } }
  t.equal(advice(shopWith(labelled({}, note), fact)), JOIN, 'it has facts')
  const secret = { measures: { [hiddenName('0'.repeat(32))]: fact.measures.Notes } }
  t.match(advice(shopWith(labelled({}, note), secret)), /declare bridge: true/, 'nobody sees its facts')
})

t.test('the target itself is no table between', async (t) => {
  t.match(advice(shop, 'Regions', 'Returns'), /^declare a join from 'Regions'/)
  const pair = shopWith(
    joining('Customers', manyToOne('Regions', 'Region Id'), { ...manyToOne('Returns', 'Id'), joinType: 'many-to-many' }),
  )
  t.doesNotThrow(() => advice(pair, 'Regions', 'Returns'), 'the pairs of a many-to-many join are no table')
})

t.test('a table of keys alone is preferred, and then the one to which the others lead', async (t) => {
  const other = (name: string, columns: object, joins: readonly object[]) => ({
    dataObjects: {
      [name]: {
        code: name.toLowerCase(),
        columns: { O: { code: 'o', abstractType: 'int' }, L: { code: 'l', abstractType: 'int' }, ...columns },
        joins,
      },
    },
  })
  const both = [manyToOne('Orders', 'O'), manyToOne('Labels', 'L')]
  t.match(advice(shopWith(labelled({}, note), other('Keys', {}, both))), /^'Keys' leads/)
  t.match(
    advice(shopWith(labelled({}, note), other('Keys', { K: { ...key, code: 'k' } }, both))),
    /^'Keys' leads/,
    'with a primary key',
  )
  t.match(advice(shopWith(labelled({}, note), other('Notes', note, both))), /^'Order Labels' leads/, 'the first of them')
  const beyond = shopWith(
    {
      dataObjects: {
        Behind: {
          code: 'behind',
          columns: { Id: { ...key }, L: { code: 'l', abstractType: 'int' } },
          joins: [manyToOne('Order Labels', 'L')],
        },
      },
    },
    labelled({}, { Id: key }),
  )
  t.match(advice(beyond), /^'Order Labels' leads/)
})

t.test('a table that joins the base itself is named once', async (t) => {
  const model = shopWith(labelled())
  t.match(advice(model, 'Order Labels', 'Labels'), /leads to both 'Labels': /)
})

t.test('the objects that rows reach are listed, five at most', async (t) => {
  const words = (base: string, model = shop): string => reachInWords(base, contextOf(model).graph)
  t.equal(words('Regions'), "'Regions' joins no other object")
  t.equal(words('Customers'), "'Customers' reaches 'Regions'")
  t.equal(words('Items'), "'Items' reaches 'Orders', 'Customers', 'Regions'")
  const chain = (length: number) =>
    shopWith({
      dataObjects: Object.fromEntries(
        Array.from({ length }, (_, i) => [
          `T${i}`,
          { code: 't', columns: { Id: key }, joins: i + 1 < length ? [manyToOne(`T${i + 1}`, 'Id')] : [] },
        ]),
      ),
    })
  t.equal(words('T0', chain(6)), "'T0' reaches 'T1', 'T2', 'T3', 'T4', 'T5'")
  t.equal(words('T0', chain(8)), "'T0' reaches 'T1', 'T2', 'T3', 'T4', 'T5' and 2 more")
})
