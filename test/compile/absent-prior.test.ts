/** A prior value is absent if the measure has no rows in the prior period, whatever else the query selects. */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { compileFor } from '../support/compile.js'
import { database } from './database.js'

const id = { columns: [{ dataObject: 'Sales', column: 'Id' }] }
const inShopA = { filters: [{ field: 'Sales.Shop', op: 'equals', value: 'a' }] }
const before = (measure: string) => ({ type: 'period_over_period', measure, periodOverPeriod: { timeDimension: 'Date' } })
const { model, errors } = parseModelSync({
  json: {
    dataObjects: {
      Sales: {
        code: 'sales',
        columns: {
          Id: { code: 'id', abstractType: 'int', primaryKey: true },
          On: { code: 'sold_on', abstractType: 'date' },
          Shop: { code: 'shop', abstractType: 'string' },
        },
      },
      Items: {
        code: 'items',
        columns: { Sale: { code: 'sale', abstractType: 'int' }, Kind: { code: 'kind', abstractType: 'string' } },
        joins: [{ joinType: 'many-to-one', joinTo: 'Sales', columnsFrom: ['Sale'], columnsTo: ['Id'] }],
      },
    },
    dimensions: {
      Date: { dataObject: 'Sales', column: 'On' },
      Kind: { dataObject: 'Items', column: 'Kind' },
      Shop: { dataObject: 'Sales', column: 'Shop' },
    },
    measures: {
      All: { aggregation: 'count', ...id },
      InA: { aggregation: 'count', ...id, ...inShopA },
      'All of All': { aggregation: 'count', ...id, total: true },
      'InA of All': { aggregation: 'count', ...id, ...inShopA, total: true },
      'Least of All': { aggregation: 'min', ...id, total: true },
    },
    metrics: {
      'All Before': before('All'),
      'InA Before': before('InA'),
      'All of All Before': before('All of All'),
      'Again in A': {
        type: 'funnel',
        steps: [
          { measure: 'InA', timeDimension: 'Date' },
          { measure: 'All', timeDimension: 'Date' },
        ],
        entity: 'Shop',
        window: '60d',
        calculation: 'count',
      },
      'Again a Month Before': {
        type: 'period_over_period',
        measure: 'Again in A',
        periodOverPeriod: { timeDimension: 'Date', offset: -1, offsetGrain: 'month' },
      },
      'InA of All Before': before('InA of All'),
      'Least of All Before': before('Least of All'),
    },
  },
})
if (!model) throw new Error(JSON.stringify(errors))

t.test('the prior value of a count in a group without rows is NULL, alone and beside a measure that has rows', async (t) => {
  const { rows } = await database(
    'CREATE TABLE sales (id BIGINT, sold_on DATE, shop VARCHAR)',
    `INSERT INTO sales VALUES (1, DATE '2025-01-10', 'b'), (2, DATE '2025-02-02', 'a')`,
  )
  const ask = (...measures: string[]) =>
    rows(compileFor({ select: { dimensions: ['Date:month'], measures }, order_by: [{ field: 1 }] }, model).sql)
  t.same(await ask('InA Before'), [['2025-02-01', null]])
  t.same(await ask('InA Before', 'All Before'), [
    ['2025-01-01', null, null],
    ['2025-02-01', null, '1'],
  ])
})

t.test('so is the prior value of a total', async (t) => {
  const { rows } = await database(
    'CREATE TABLE sales (id BIGINT, sold_on DATE, shop VARCHAR)',
    `INSERT INTO sales VALUES (1, DATE '2025-01-10', 'b')`,
  )
  const ask = (...measures: string[]) => rows(compileFor({ select: { dimensions: ['Date:month'], measures } }, model).sql)
  t.same(await ask('InA of All Before', 'All of All Before'), [['2025-01-01', null, '1']])
  t.same(await ask('Least of All Before', 'InA of All Before'), [['2025-01-01', '1', null]])
})

t.test('a step of a funnel has no prior value where no event was its first, also of events that count once', async (t) => {
  const { rows } = await database(
    'CREATE TABLE sales (id BIGINT, sold_on DATE, shop VARCHAR)',
    `INSERT INTO sales VALUES (1, DATE '2025-01-10', 'b'), (2, DATE '2025-02-02', 'a'), (3, DATE '2025-02-03', 'a'), (4, DATE '2025-01-11', 'a')`,
    'CREATE TABLE items (sale BIGINT, kind VARCHAR)',
    `INSERT INTO items VALUES (1, 'x'), (2, 'x'), (2, 'x'), (2, 'y'), (4, 'y'), (4, 'y')`,
  )
  const ask = (kind: string) => {
    const where = [
      { field: 'Date', op: 'between', value: ['2025-02-01', '2025-02-28'] },
      { field: 'Kind', op: '=', value: kind },
    ]
    return rows(compileFor({ select: { measures: ['Again in A', 'Again a Month Before'] }, where }, model).sql)
  }
  t.same(await ask('x'), [['1', null]], 'in January a sale of another shop')
  t.same(await ask('y'), [['1', '1']], 'a sale with two items is one')
})
