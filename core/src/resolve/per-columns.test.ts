/** A measure for each row of an object, as a query names it: what a column of the model with the same measure is. */
import t from 'tap'
import { compileFor, refusalOf } from '../../../test/support/compile.js'
import { shop, shopWith } from '../../../test/support/models.js'

const made = { measure: 'Order Count', per: 'Customers', as: 'Orders Made' }
const declared = shopWith({
  dataObjects: { Customers: { columns: { 'Orders Made': { measure: 'Order Count' } } } },
  dimensions: { 'Orders Made': { dataObject: 'Customers', column: 'Orders Made' } },
})
const sql = (query: object, model = shop) => compileFor(query, model).sql

t.test('it has the statement of a column of the model', async (t) => {
  const by = (dimension: unknown, more: object = {}) => ({
    select: { dimensions: [dimension, 'Region'], measures: ['Customer Count'] },
    ...more,
  })
  t.equal(sql(by(made)), sql(by('Orders Made'), declared))
  const where = [{ field: 'Orders Made', op: '>', value: 2 }]
  t.equal(sql(by(made, { where })), sql(by('Orders Made', { where }), declared), 'a filter names it')
  const top = { dimension: 'Orders Made', by: 'Customer Count', n: 2 }
  t.equal(sql(by(made, { top })), sql(by('Orders Made', { top }), declared))
})

t.test('a filter of the query does not reach inside', async (t) => {
  const where = [{ field: 'Status', op: '=', value: 'paid' }]
  const query = (dimension: unknown) => ({ select: { dimensions: [dimension], measures: ['Order Count'] }, where })
  t.equal(sql(query(made)), sql(query('Orders Made'), declared))
})

t.test('a filter has it without a selected dimension, and parts of a query share it', async (t) => {
  const where = [{ measure: 'Order Count', per: 'Customers', op: '>', value: 2 }]
  const alone = sql({ select: { measures: ['Customer Count'] }, where })
  t.match(alone, /COUNT\(\*\)[\s\S]*> 2/)
  const both = sql({ select: { dimensions: [made], measures: ['Customer Count'] }, where })
  t.equal(both.match(/GROUP BY/g)?.length, 2, 'one block of the values, and the answer')
  t.equal(
    both,
    sql({ select: { dimensions: [made], measures: ['Customer Count'] }, where: [{ field: 'Orders Made', op: '>', value: 2 }] }),
  )
})

t.test('a column of the model with the same values is read', async (t) => {
  const query = { select: { dimensions: [{ ...made, as: 'Orders per Buyer' }, 'Orders Made'], measures: ['Customer Count'] } }
  t.equal(sql(query, declared).match(/AS "value"/g)?.length, 1)
})

t.test('many queries in turn have the same statements', async (t) => {
  const of = (i: number) => sql({ select: { dimensions: [{ ...made, as: `Made ${i}` }], measures: ['Customer Count'] } })
  const first = of(0)
  for (let i = 1; i < 10; i++) of(i)
  t.equal(of(0), first)
})

t.test('it may have the name of a dimension with the same values, and a time has periods', async (t) => {
  const query = (dimension: object) => ({ select: { dimensions: [dimension], measures: ['Customer Count'] } })
  const named = { select: { dimensions: ['Orders Made'], measures: ['Customer Count'] } }
  t.equal(sql(query(made), declared), sql(named, declared))
  const first = shopWith({
    measures: { 'First Day': { aggregation: 'min', columns: [{ dataObject: 'Orders', column: 'Day' }] } },
  })
  t.match(sql(query({ measure: 'First Day', per: 'Customers', as: 'Since', grain: 'month' }), first), /DATE_TRUNC\('month'/i)
})

t.test('what it cannot be is refused', async (t) => {
  const refused = (dimension: object) => {
    const { code, details } = refusalOf({ select: { dimensions: [dimension], measures: ['Customer Count'] } }, shop)
    return `${code} ${details?.path}`
  }
  t.equal(refused({ ...made, measure: 'Order Cuont' }), 'UNKNOWN_MEASURE select.dimensions[0].measure')
  t.equal(refused({ ...made, per: 'Customer' }), 'UNKNOWN_DATA_OBJECT select.dimensions[0].per')
  t.equal(refused({ ...made, measure: 'Sales Last Month' }), 'INVALID_COLUMN select.dimensions[0].measure')
  t.equal(refused({ ...made, grain: 'month' }), 'TIME_GRAIN_ON_NON_TEMPORAL select.dimensions[0].grain')
  t.equal(refused({ ...made, as: 'Region' }), 'DUPLICATE_IDENTIFIER select.dimensions[0]')
  const days = shopWith({ dataObjects: { Dates: { calendar: {} } } })
  t.equal(refusalOf({ select: { dimensions: [{ ...made, per: 'Dates' }] } }, days).code, 'INVALID_COLUMN')
  const keyless = shopWith({ dataObjects: { Apart: { code: 'apart', columns: { Id: { code: 'id', abstractType: 'int' } } } } })
  t.equal(refusalOf({ select: { dimensions: [{ ...made, per: 'Apart' }] } }, keyless).code, 'KEY_REQUIRED')
  const having = {
    select: { measures: ['Customer Count'] },
    having: [{ measure: 'Order Count', per: 'Customers', op: '>', value: 2 }],
  }
  t.equal(refusalOf(having, shop).code, 'UNKNOWN_FILTER_FIELD')
})
