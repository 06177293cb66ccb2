/** Joins by an interval: its ends, open and closed, and NULLs on both sides. The expected rows are written by hand. */
import t from 'tap'
import type { Term, Within } from '../../core/src/model/join-term.js'
import { compileFor, loadText } from '../support/compile.js'
import { withTerms } from '../support/other-terms.js'
import { database } from './database.js'

const model = loadText(`
version: 1
dataObjects:
  Prices:
    code: prices
    columns:
      Product: { code: product, abstractType: int, primaryKey: true }
      Since: { code: since, abstractType: date, primaryKey: true }
      Until: { code: until, abstractType: date }
      Label: { code: label, abstractType: string }
  Sales:
    code: sales
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Product: { code: product, abstractType: int }
      Day: { code: day, abstractType: date }
    joins: [{ joinType: many-to-one, joinTo: Prices, columnsFrom: [Product, Day], columnsTo: [Product, Since] }]
dimensions:
  Sale: { dataObject: Sales, column: Id }
  Label: { dataObject: Prices, column: Label }
measures:
  Sales: { aggregation: count, columns: [{ dataObject: Sales, column: Id }] }
  Priced Products: { aggregation: count_distinct, columns: [{ dataObject: Prices, column: Label }] }
`)

const { rows } = await database(
  `CREATE TABLE prices AS SELECT * FROM (VALUES
    (1, NULL, DATE '2024-02-01', 'first'), (1, DATE '2024-02-01', DATE '2024-03-01', 'second'), (1, DATE '2024-03-01', NULL, 'third'),
    (2, NULL, NULL, 'always'), (3, DATE '2024-02-01', DATE '2024-02-01', 'empty')) v(product, since, until, label)`,
  `CREATE TABLE sales AS SELECT * FROM (VALUES
    (1, 1, DATE '2024-01-31'), (2, 1, DATE '2024-02-01'), (3, 1, DATE '2024-02-29'), (4, 1, DATE '2024-03-01'), (5, 1, DATE '2030-01-01'),
    (6, 1, NULL), (7, 2, DATE '2024-02-01'), (8, 2, NULL), (9, 3, DATE '2024-02-01'), (10, NULL, DATE '2024-02-01')) v(id, product, day)`,
)

interface Ends {
  readonly isOpen: boolean
  readonly includesEnd: boolean
}

/** The price list at the day of a sale. */
function during({ isOpen, includesEnd }: Ends): readonly Term<string>[] {
  const term: Within<string> = {
    kind: 'within',
    interval: 'to',
    value: 'Day',
    start: { at: 'Since', isIncluded: true, isOpen },
    end: { at: 'Until', isIncluded: includesEnd, isOpen },
  }
  return [{ kind: 'equal', from: 'Product', to: 'Product' }, term]
}

const asked = (ends: Ends, query: object) =>
  rows(
    compileFor(
      query,
      withTerms(model, () => during(ends)),
    ).sql,
  )

t.test('each sale with the label of its day', async (t) => {
  const query = { select: { dimensions: ['Sale', 'Label'], measures: ['Sales'] }, order_by: [{ field: 'Sale' }] }
  const found = await asked({ isOpen: true, includesEnd: false }, query)
  t.same(
    found.map(([sale, label, count]) => [sale, label, count]),
    [
      ['1', 'first', '1'],
      ['2', 'second', '1'],
      ['3', 'second', '1'],
      ['4', 'third', '1'],
      ['5', 'third', '1'],
      ['6', null, '1'],
      ['7', 'always', '1'],
      ['8', null, '1'],
      ['9', null, '1'],
      ['10', null, '1'],
    ],
  )
})

t.test('a NULL at the end of an interval matches nothing if the interval is not open', async (t) => {
  const query = { select: { dimensions: ['Label'], measures: ['Sales'] }, where: [{ field: 'Label', op: 'is_not_null' }] }
  t.same(await asked({ isOpen: false, includesEnd: false }, query), [['second', '2']])
  t.same((await asked({ isOpen: false, includesEnd: true }, query)).toSorted(), [
    ['empty', '1'],
    ['second', '3'],
  ])
})

t.test('rows that an interval matches exist, and are counted once for each fact', async (t) => {
  const ends = { isOpen: true, includesEnd: false }
  const exists = {
    field: 'Sale',
    op: 'exists',
    subquery: { dataObject: 'Prices', filter: [{ field: 'Label', op: '<>', value: 'second' }] },
  }
  t.same(await asked(ends, { select: { measures: ['Sales'] }, where: [exists] }), [['4']])
  const labels = {
    select: { dimensions: ['Sale'], measures: ['Priced Products'] },
    where: [{ field: 'Sale', op: '<=', value: 3 }],
  }
  t.same((await asked(ends, labels)).toSorted(), [
    ['1', '1'],
    ['2', '1'],
    ['3', '1'],
  ])
})
