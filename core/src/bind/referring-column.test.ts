/** Which column of a row has the key of the row that it joins, and when there is always such a row. */
import t from 'tap'
import { manyToOne, shopWith } from '../../../test/support/models.js'
import { type Edge, joinGraph } from '../resolve/join-graph.js'
import { alwaysMatches, referringColumn } from './referring-column.js'

const refers = { foreignKey: true }
const joined = (...on: readonly (readonly [from: string, to: string])[]) => ({
  columnsFrom: on.map(([from]) => from),
  columnsTo: on.map(([, to]) => to),
})
const deliveries = (join: object) =>
  shopWith({
    dataObjects: {
      Deliveries: {
        code: 'deliveries',
        columns: {
          'Order Id': { code: 'order_id', abstractType: 'int', primaryKey: true },
          Line: { code: 'line', abstractType: 'int' },
          Day: { code: 'day', abstractType: 'date' },
        },
        joins: [manyToOne('Items', 'Line', { ...refers, ...join })],
      },
    },
  })

function ask(join: object) {
  const model = deliveries(join)
  const edge: Edge = joinGraph(model, []).edges('Deliveries')[0]!
  return { referring: (name: string) => referringColumn(edge, model, name), always: alwaysMatches(edge, model) }
}

const byOrder = joined(['Order Id', 'Order Id'])
const byBoth = joined(['Order Id', 'Order Id'], ['Line', 'Line'])

t.test('a foreign key has the columns to which it refers', async (t) => {
  const { referring } = ask(byOrder)
  t.equal(referring('Order Id'), 'Order Id')
  t.equal(referring('Line'), undefined, 'it refers to no such column')
  t.equal(ask({ ...byOrder, foreignKey: false }).referring('Order Id'), undefined, 'not promised')
})

t.test('of several columns, those beside it must not be NULL', async (t) => {
  const { referring } = ask(byBoth)
  t.equal(referring('Line'), 'Line', 'the order is part of the key, and so not NULL')
  t.equal(referring('Order Id'), undefined, 'the line may be NULL, and then nothing matches')
})

t.test('every row has a match if no column of its foreign key is NULL', async (t) => {
  t.ok(ask(byOrder).always)
  t.notOk(ask(byBoth).always, 'one of them may be NULL')
  t.notOk(ask({ ...byOrder, foreignKey: false }).always, 'not promised')
})

t.test('a join by a period is no reference', async (t) => {
  const during = { time: 'Day', from: 'Since', to: 'Until' }
  const priced = {
    dataObjects: {
      Items: { columns: { Since: { code: 'since', abstractType: 'date' }, Until: { code: 'until', abstractType: 'date' } } },
    },
  }
  const model = shopWith(priced, {
    dataObjects: {
      Deliveries: {
        code: 'deliveries',
        columns: {
          'Order Id': { code: 'order_id', abstractType: 'int', primaryKey: true },
          Day: { code: 'day', abstractType: 'date' },
        },
        joins: [{ joinType: 'many-to-one', joinTo: 'Items', ...byOrder, during }],
      },
    },
  })
  const edge = { ...joinGraph(model, []).edges('Deliveries')[0]!, foreignKey: true }
  t.equal(referringColumn(edge, model, 'Order Id'), undefined)
  t.notOk(alwaysMatches(edge, model))
})
