/** Expressions over several facts (decision 49). The expected numbers are computed by hand. */
import t from 'tap'
import { compileFor, loadText, refusalOf } from '../support/compile.js'
import { database } from './database.js'

const MODEL = `
version: 1
dataObjects:
  Orders:
    code: orders
    columns:
      ID: { code: id, abstractType: int, primaryKey: true }
      Who: { code: who, abstractType: int }
      On: { code: day, abstractType: date }
      Store: { code: store, abstractType: string }
      Amount: { code: amount, abstractType: int, sqlType: integer }
    joins:
      - { joinType: many-to-one, joinTo: People, columnsFrom: [Who], columnsTo: [ID] }
      - { joinType: many-to-one, joinTo: Days, columnsFrom: [On], columnsTo: [Day] }
  Returns:
    code: returns
    columns:
      ID: { code: id, abstractType: int, primaryKey: true }
      Who: { code: who, abstractType: int }
      On: { code: day, abstractType: date }
      Reason: { code: reason, abstractType: string }
      Refund: { code: refund, abstractType: int, sqlType: integer }
    joins:
      - { joinType: many-to-one, joinTo: People, columnsFrom: [Who], columnsTo: [ID] }
      - { joinType: many-to-one, joinTo: Days, columnsFrom: [On], columnsTo: [Day] }
  People:
    code: people
    columns:
      ID: { code: id, abstractType: int, primaryKey: true }
      City: { code: city, abstractType: string }
      Bonus: { code: bonus, abstractType: int, sqlType: integer }
  Days:
    code: days
    columns:
      Day: { code: day, abstractType: date, primaryKey: true }
dimensions:
  City: { dataObject: People, column: City }
  Store: { dataObject: Orders, column: Store }
  Reason: { dataObject: Returns, column: Reason }
  Date: { dataObject: Days, column: Day }
measures:
  Largest: { aggregation: max, expression: '{[Orders].[Amount]} - coalesce({[Returns].[Refund]}, 0)', anchor: People }
  Kept: { aggregation: sum, expression: 'coalesce({[Orders].[Amount]}, 0) - coalesce({[Returns].[Refund]}, 0) + coalesce({[People].[Bonus]}, 0)', anchor: People }
  People Counted: { aggregation: count, expression: 'coalesce({[Orders].[Amount]}, {[Returns].[Refund]}, 0)', anchor: People }
  Bonn Kept:
    aggregation: sum
    expression: '{[Orders].[Amount]} - coalesce({[Returns].[Refund]}, 0)'
    anchor: People
    filters: [{ field: People.City, op: equals, value: Bonn }, { field: Orders.Store, op: equals, value: x }]
  Unsaid: { aggregation: sum, expression: '{[Orders].[Amount]} - {[Returns].[Refund]}' }
  Text: { aggregation: max, expression: 'length({[Orders].[Store]}) + {[Returns].[Refund]}', anchor: People }
  Amount: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }
metrics:
  So Far: { type: cumulative, measure: Largest, timeDimension: Date }
  Before: { type: period_over_period, measure: Kept, periodOverPeriod: { timeDimension: Date, offset: -1, offsetGrain: month } }
`
const model = loadText(MODEL)
const { rows } = await database(
  `CREATE TABLE people AS SELECT * FROM (VALUES (1, 'Bonn', 5), (2, 'Bonn', NULL), (3, 'Ulm', 1), (4, 'Ulm', NULL)) v(id, city, bonus)`,
  `CREATE TABLE days AS SELECT * FROM (VALUES (DATE '2024-01-05'), (DATE '2024-02-05')) v(day)`,
  `CREATE TABLE orders AS SELECT * FROM (VALUES (1, 1, DATE '2024-01-05', 'x', 10), (2, 1, DATE '2024-02-05', 'y', 30), (3, 2, DATE '2024-01-05', 'x', 6), (4, 9, DATE '2024-01-05', 'x', 100), (5, NULL, DATE '2024-02-05', 'x', 7)) v(id, who, day, store, amount)`,
  `CREATE TABLE returns AS SELECT * FROM (VALUES (1, 1, DATE '2024-01-05', 'late', 4), (2, 1, DATE '2024-01-05', 'torn', 3), (3, 3, DATE '2024-02-05', 'late', 2)) v(id, who, day, reason, refund)`,
)
const compiled = (query: unknown) => compileFor(query, model)
const ask = (dimensions: readonly string[], measures: readonly string[], rest: object = {}) =>
  rows(compiled({ select: { dimensions, measures }, ...rest }).sql)
const by = { order_by: [{ field: 1 }, { field: 2 }] }

t.test('each fact is summed per row of the anchor, and rows without an anchor are in a separate row', async (t) => {
  // person 1: 40 - 7; person 2: 6; person 3: no orders; rows without a person: 107
  t.same(await ask([], ['Largest', 'Kept', 'People Counted']), [['107', String(33 + 5 + 6 + (-2 + 1) + 0 + 107), '5']])
  t.same(await ask(['City'], ['Largest', 'Kept', 'People Counted'], by), [
    ['Bonn', '33', '44', '2'],
    ['Ulm', null, '-1', '2'],
    [null, '107', '107', '1'],
  ])
})

t.test('the values are the same when a measure of one fact is selected, too', async (t) => {
  t.same(await ask(['City'], ['Kept', 'Amount'], by), [
    ['Bonn', '44', '46'],
    ['Ulm', '-1', null],
    [null, '107', '107'],
  ])
})

t.test(
  'a filter that the anchor reaches restricts the rows of the anchor; another filter restricts the facts that reach it',
  async (t) => {
    t.same(await ask([], ['Kept'], { where: [{ field: 'City', op: '=', value: 'Bonn' }] }), [['44']])
    const query = { select: { measures: ['Kept'] }, where: [{ field: 'Store', op: '=', value: 'x' }] }
    const { sql, warnings } = compiled(query)
    t.same(await rows(sql), [[String(10 - 7 + 5 + 6 + (-2 + 1) + 107)]])
    t.match(
      warnings.map((w) => w.message),
      [/'Returns' in 'Kept'/],
    )
    t.same(await ask([], ['Bonn Kept']), [[String(10 - 7 + 6)]])
  },
)

t.test('a dimension that every fact reaches groups the sums', async (t) => {
  t.same(await ask(['Date:month'], ['Largest', 'Kept', 'Before'], by), [
    ['2024-01-01', '100', String(10 - 7 + 5 + 6 + 100), null],
    ['2024-02-01', '30', String(30 + 5 + (-2 + 1) + 7), String(10 - 7 + 5 + 6 + 100)],
  ])
  t.equal(refusalOf({ select: { dimensions: ['Store'], measures: ['Kept'] } }, model).code, 'NO_JOIN_PATH')
})

t.test('over a window the facts are summed in the window', async (t) => {
  t.same(await ask(['Date:month'], ['So Far'], by), [
    ['2024-01-01', '100'],
    ['2024-02-01', '107'],
  ])
  t.same(await ask(['Date:month', 'City'], ['So Far'], by), [
    ['2024-01-01', 'Bonn', '6'],
    ['2024-01-01', null, '100'],
    ['2024-02-01', 'Bonn', '33'],
    ['2024-02-01', 'Ulm', null],
    ['2024-02-01', null, '107'],
  ])
})

t.test('a warning names an anchor that was inferred, and two possible anchors are refused', async (t) => {
  const error = refusalOf({ select: { measures: ['Unsaid'] } }, model)
  t.equal(error.code, 'ANCHOR_REQUIRED')
  t.match(error.message, /'People' or 'Days'/)
  const one = loadText(MODEL.replace(/ {6}- \{ joinType: many-to-one, joinTo: Days.*\n/, ''))
  const { sql, warnings } = compileFor({ select: { measures: ['Unsaid'] } }, one)
  t.same(await rows(sql), [['33']])
  t.match(warnings, [{ code: 'CONFORMED_GRAIN_ASSUMED' }])
})

t.test('a measure that is not a number cannot be summed', async (t) => {
  t.equal(refusalOf({ select: { measures: ['Text'] } }, model).code, 'INVALID_AGGREGATION_INPUTS')
})
