/** Rows are aggregated by the key of an object before its names are joined, if totals of parts are totals of the whole. */
import t from 'tap'
import { compileFor, loadText } from '../../../../test/support/compile.js'

const MODEL = loadText(`
version: 1
name: shop
dataObjects:
  Regions: { code: regions, columns: { Id: { code: id, abstractType: int, primaryKey: true }, Name: { code: name, abstractType: string } } }
  Customers:
    code: customers
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Name: { code: name, abstractType: string }
      City: { code: city, abstractType: string }
      Region Id: { code: region_id, abstractType: int }
    joins: [{ joinType: many-to-one, joinTo: Regions, columnsFrom: [Region Id], columnsTo: [Id] }]
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Day: { code: day, abstractType: date }
      State: { code: state, abstractType: string }
      Customer Id: { code: customer_id, abstractType: int }
      Price: { code: price, abstractType: float, sqlType: 'DECIMAL(9, 2)' }
      Total: { code: total, abstractType: float, sqlType: 'DECIMAL(38, 2)' }
      Weight: { code: weight, abstractType: float }
    joins: [{ joinType: many-to-one, joinTo: Customers, columnsFrom: [Customer Id], columnsTo: [Id] }]
dimensions:
  Name: { dataObject: Customers, column: Name }
  City: { dataObject: Customers, column: City }
  Region: { dataObject: Regions, column: Name }
  State: { dataObject: Orders, column: State }
  Day: { dataObject: Orders, column: Day }
measures:
  Price: { aggregation: sum, columns: [{ dataObject: Orders, column: Price }] }
  Orders: { aggregation: count, columns: [{ dataObject: Orders, column: Id }] }
  Last: { aggregation: max, columns: [{ dataObject: Orders, column: Day }] }
  Total: { aggregation: sum, columns: [{ dataObject: Orders, column: Total }] }
  Weight: { aggregation: sum, columns: [{ dataObject: Orders, column: Weight }] }
  Heaviest: { aggregation: max, columns: [{ dataObject: Orders, column: Weight }] }
  Mean: { aggregation: avg, columns: [{ dataObject: Orders, column: Price }] }
  Days: { aggregation: count, distinct: true, columns: [{ dataObject: Orders, column: Day }] }
  Open: { aggregation: sum, columns: [{ dataObject: Orders, column: Price }], filters: [{ field: State, op: '=', value: open }] }
  Heavy: { aggregation: max, columns: [{ dataObject: Orders, column: Day }], filters: [{ field: Orders.Weight, op: '>', value: 5 }] }
  Northern: { aggregation: sum, expression: "CASE WHEN {[Regions].[Name]} = 'North' THEN {[Orders].[Price]} END" }
`)

const where = (field: string, op: string, value?: unknown): object => ({
  where: [{ field, op, ...(value !== undefined && { value }) }],
})
const NAMES = ['Name', 'City']

const ROWS: readonly (readonly [
  title: string,
  dimensions: readonly string[],
  measures: readonly string[],
  more: object,
  key: string | undefined,
])[] = [
  ['by the key of the object that has the names', NAMES, ['Price'], {}, 'customer_id'],
  ['counts and extremes', NAMES, ['Orders', 'Last'], {}, 'customer_id'],
  ['names of what is joined to the object, too', ['Name', 'Region'], ['Price'], {}, 'customer_id'],
  ['measures with a filter each', NAMES, ['Open', 'Heavy'], {}, 'customer_id'],
  ['a single name', ['Name'], ['Price'], {}, undefined],
  ['more aggregates than names', NAMES, ['Price', 'Orders', 'Last'], {}, undefined],
  ['beside years', [...NAMES, 'Region', 'Day:year'], ['Price'], {}, 'customer_id'],
  ['beside years two names win too little', [...NAMES, 'Day:year'], ['Price'], {}, undefined],
  ['beside days there may be as many keys as rows', [...NAMES, 'Region', 'Day'], ['Price'], {}, undefined],
  ['beside a column of the rows', [...NAMES, 'Region', 'State'], ['Price'], {}, undefined],
  ['a condition on the rows is asked first', NAMES, ['Price'], where('State', '=', 'open'), 'customer_id'],
  ['that a name is known is asked afterwards', NAMES, ['Price'], where('Name', 'is_not_null'), 'customer_id'],
  ['another condition on the names leaves fewer rows', NAMES, ['Price'], where('City', '=', 'Rome'), undefined],
  ['also one on what is joined to the object', NAMES, ['Price'], where('Region', '=', 'North'), undefined],
  ['decimals whose parts may have too many digits', NAMES, ['Total'], {}, undefined],
  ['doubles, which are added in an order', NAMES, ['Weight'], {}, undefined],
  ['extremes of doubles, of which 0 and -0 are equal', NAMES, ['Heaviest'], {}, undefined],
  ['an average of averages', NAMES, ['Mean'], {}, undefined],
  ['a count of different values', NAMES, ['Days'], {}, undefined],
  ['a value that reads the object', NAMES, ['Northern'], {}, undefined],
]

for (const [title, dimensions, measures, more, key] of ROWS)
  t.test(title, (t) => {
    const { sql } = compileFor({ select: { dimensions, measures }, ...more }, MODEL)
    t.equal(/"orders"\."(\w+)" AS "key_1"/.exec(sql)?.[1], key)
    t.end()
  })
