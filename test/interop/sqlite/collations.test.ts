/** Columns that SQLite compares without case or trailing spaces are nevertheless compared by code point. */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { compileFor } from '../../corpus/corpus.js'
import { openEngine } from './engine.js'

const text = (code: string, collation: string) => ({ code, abstractType: 'string', sqlType: `TEXT COLLATE ${collation}` })
const { model, errors } = parseModelSync({
  json: {
    dataObjects: {
      People: {
        code: 'people',
        columns: { Name: { ...text('name', 'NOCASE'), primaryKey: true }, City: text('city', 'RTRIM') },
      },
      Orders: {
        code: 'orders',
        columns: { Buyer: text('buyer', 'NOCASE'), Amount: { code: 'amount', abstractType: 'int' } },
        joins: [{ joinTo: 'People', joinType: 'many-to-one', columnsFrom: ['Buyer'], columnsTo: ['Name'] }],
      },
    },
    dimensions: { Name: { dataObject: 'People', column: 'Name' }, City: { dataObject: 'People', column: 'City' } },
    measures: {
      Amount: { aggregation: 'sum', columns: [{ dataObject: 'Orders', column: 'Amount' }] },
      Buyers: { aggregation: 'count_distinct', columns: [{ dataObject: 'Orders', column: 'Buyer' }] },
      Last: { aggregation: 'max', columns: [{ dataObject: 'Orders', column: 'Buyer' }] },
    },
  },
})
if (!model) throw new Error(JSON.stringify(errors))

const engine = await openEngine()
t.teardown(engine.close)
await engine.load(`
  CREATE TABLE people (name TEXT COLLATE NOCASE, city TEXT COLLATE RTRIM);
  INSERT INTO people VALUES ('ann', 'Oslo'), ('Ann', 'Oslo '), ('Bob', 'Rome'), ('bob', 'Rome');
  CREATE TABLE orders (buyer TEXT COLLATE NOCASE, amount BIGINT);
  INSERT INTO orders VALUES ('ann', 1), ('Ann', 2), ('Bob', 4), ('bob', 8), ('BOB', 16)`)
const ask = async (query: object) => {
  const { sql, columns, warnings } = compileFor(engine.dialect, query, model)
  t.same(warnings, [])
  return (await engine.ask(sql, columns)).rows
}

t.test('groups and joins ignore the collation of a column', async (t) => {
  t.same(await ask({ select: { dimensions: ['Name'], measures: ['Amount'] }, order_by: [{ field: 'Name' }] }), [
    ['Ann', '2'],
    ['Bob', '4'],
    ['ann', '1'],
    ['bob', '8'],
    [null, '16'],
  ])
  t.same(await ask({ select: { dimensions: ['City'], measures: ['Amount'] }, order_by: [{ field: 'City' }] }), [
    ['Oslo', '1'],
    ['Oslo ', '2'],
    ['Rome', '12'],
    [null, '16'],
  ])
})

t.test('aggregates ignore the collation of a column', async (t) => {
  t.same(await ask({ select: { measures: ['Buyers', 'Last'] } }), [['5', 'bob']])
})

t.test('conditions ignore the collation of a column', async (t) => {
  const amount = async (op: string, value: unknown) =>
    (await ask({ select: { measures: ['Amount'] }, where: [{ field: 'Name', op, value }] }))[0]![0]
  t.equal(await amount('=', 'bob'), '8')
  t.equal(await amount('in', ['ann', 'Bob']), '5')
  t.equal(await amount('!=', 'bob'), '7')
  t.equal(await amount('<', 'a'), '6')
})
