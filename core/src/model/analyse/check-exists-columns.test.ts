/** Columns that say whether rows exist, and tests for rows in filters of measures: what the model must say. */
import t from 'tap'
import { commerce } from '../../../../test/support/model-faults.js'
import { parseModelSync } from '../load-model.js'

const ORDERED = 'dataObjects.Customers.columns.Ordered'

/** The errors of the model with a column of customers, and other edits. */
function errorsOf(column: string, ...edits: readonly (readonly [string, string])[]): readonly string[] {
  const text = edits.reduce((of, [was, is]) => of.replace(was, is), commerce)
  const { errors } = parseModelSync({ text: text.replace('      Doc: {code', `      Ordered: ${column}\n      Doc: {code`) })
  return errors.map(({ code, path }) => `${code} ${path}`)
}

t.test('a column is true or false, by the way of the joins', async (t) => {
  t.same(errorsOf('{exists: Orders}'), [])
  t.same(errorsOf('{exists: Orders, abstractType: boolean}'), [])
  t.same(errorsOf('{exists: Orders, abstractType: int}'), [`INVALID_COLUMN ${ORDERED}.abstractType`])
  t.same(errorsOf('{exists: Order}'), [`UNKNOWN_DATA_OBJECT ${ORDERED}.exists`])
  t.same(errorsOf('{exists: Customers}'), [`INVALID_COLUMN ${ORDERED}.exists`])
  t.same(errorsOf('{exists: Orders, pathName: x}'), [`UNKNOWN_PATH_NAME ${ORDERED}.pathName`])
  const apart = [
    'dataObjects:\n',
    'dataObjects:\n  Apart: {code: apart, columns: {Id: {code: id, abstractType: int}}}\n',
  ] as const
  t.same(errorsOf('{exists: Apart}', apart), [`NO_JOIN_PATH ${ORDERED}.exists`])
  const payer = [
    '      - joinType: many-to-one\n        joinTo: Customers\n',
    '      - {joinType: many-to-one, joinTo: Customers, columnsFrom: [Qty], columnsTo: [Id], secondary: true, pathName: payer}\n      - joinType: many-to-one\n        joinTo: Customers\n',
  ] as const
  t.same(errorsOf('{exists: Orders, pathName: payer}', payer), [])
})

t.test('a static filter may not decide which rows a time finds on the way to others', async (t) => {
  const errorsWith = (asOf: string): readonly string[] => {
    const { errors } = parseModelSync({
      text: `version: 1.0
dataObjects:
  Prices:
    code: prices
    columns: {Id: {code: i, abstractType: int, primaryKey: true}, Since: {code: s, abstractType: date}, Tagged: {exists: Tags}}
  Tags: {code: tags, columns: {Id: {code: i, abstractType: int, primaryKey: true}}}
  Sales:
    code: sales
    columns: {Price: {code: p, abstractType: int}, Tag: {code: g, abstractType: int}, Day: {code: d, abstractType: date}}
    joins:
      - {joinType: many-to-one, joinTo: Prices, columnsFrom: [Price], columnsTo: [Id]${asOf}}
      - {joinType: many-to-one, joinTo: Tags, columnsFrom: [Tag], columnsTo: [Id]}
filters:
  - {dataObject: Prices, column: Tagged, operator: eq, value: true}
`,
    })
    return errors.map(({ code, path }) => `${code} ${path}`)
  }
  t.same(errorsWith(''), [], 'tags reach no price')
  t.same(errorsWith(', asOf: {time: Day, to: Since}'), ['CYCLIC_FILTER filters[0]'])
})

t.test('a key belongs to columns of its kind', async (t) => {
  t.same(errorsOf('{exists: Orders, code: x}'), [`SCHEMA_VALIDATION ${ORDERED}`])
  t.same(errorsOf('{code: x, pathName: p}'), [`SCHEMA_VALIDATION ${ORDERED}.pathName`])
  t.same(errorsOf("{measure: Revenue, filters: [{field: Orders.Qty, op: '>', value: 1}]}"), [
    `SCHEMA_VALIDATION ${ORDERED}.filters`,
  ])
  t.same(errorsOf('{exists: Orders, grain: month}'), [`SCHEMA_VALIDATION ${ORDERED}.grain`])
})

t.test('filters are on the rows that are looked for, and what they reach', async (t) => {
  t.same(errorsOf("{exists: Orders, filters: [{field: Qty, op: '>', value: 1}, {expression: '{Qty} < {[Customers].[Id]}'}]}"), [])
  t.same(errorsOf("{exists: Orders, filters: [{field: Qtyy, op: '>', value: 1}]}"), [
    `INCOMPLETE_COLUMN_REF ${ORDERED}.filters[0].field`,
  ])
  t.same(errorsOf('{exists: Orders, filters: [{field: Qty, op: exists, subquery: {dataObject: Customers}}]}'), [
    `INVALID_FILTER_OPERATOR ${ORDERED}.filters[0].op`,
  ])
  const deeper = [
    'dataObjects:\n',
    'dataObjects:\n  Parts: {code: parts, columns: {Id: {code: id, abstractType: int, primaryKey: true}, Order: {code: o, abstractType: int}}, joins: [{joinType: many-to-one, joinTo: Orders, columnsFrom: [Order], columnsTo: [Id]}]}\n',
  ] as const
  t.same(errorsOf("{exists: Orders, filters: [{field: Parts.Id, op: '>', value: 1}]}", deeper), [
    `NO_JOIN_PATH ${ORDERED}.filters[0]`,
  ])
})

t.test('nothing that says which rows belong together depends on rows that exist', async (t) => {
  t.same(errorsOf('{exists: Orders, primaryKey: true}'), [`INVALID_COLUMN ${ORDERED}`])
  t.same(errorsOf("{exists: Orders, filters: [{field: Customers.Ordered, op: '=', value: true}]}"), [
    `CYCLIC_COMPUTED_COLUMN ${ORDERED}.exists`,
  ])
})

t.test('a static filter may read it unless the rows that are found reach what the filter leaves; a policy may not', async (t) => {
  const filteredBy = (filter: string): readonly [string, string] => ['\nfilters:\n', `\nfilters:\n  - ${filter}\n`]
  t.same(errorsOf('{exists: Orders}', filteredBy('{dataObject: Customers, column: Ordered, operator: eq, value: true}')), [
    'CYCLIC_FILTER filters[0]',
  ])
  const here = ['      Total:\n', '      Has Customer: {exists: Customers}\n      Total:\n'] as const
  t.same(errorsOf('{code: x}', here, filteredBy('{dataObject: Orders, column: Has Customer, operator: eq, value: true}')), [])
  const policy = [
    'dataObjects:\n',
    "access: {rows: [{name: buyers, dataObject: Customers, where: {field: Customers.Ordered, op: '=', value: true}}]}\ndataObjects:\n",
  ] as const
  t.same(errorsOf('{exists: Orders}', policy), ['CYCLIC_FILTER access.rows[0].where'])
})

t.test('a measure looks for rows in its own filters', async (t) => {
  const measure = (filter: string): readonly [string, string] => [
    'measures:\n',
    `measures:\n  Kept: {aggregation: count, columns: [{dataObject: Orders, column: Id}], filters: [${filter}]}\n`,
  ]
  const errors = (filter: string) => errorsOf('{code: x, abstractType: int}', measure(filter))
  t.same(errors('{field: Customers, op: exists, subquery: {dataObject: Orders}}'), [])
  t.same(
    errors(
      "{field: Orders.Id, op: nonexists, subquery: {dataObject: Customers, filter: [{field: Country, op: '=', value: NO}]}}",
    ),
    [],
  )
  t.same(errors('{column: {dataObject: Orders, column: Id}, operator: exists, subquery: {dataObject: Customers}}'), [])
  t.same(errors('{field: Customers, op: exists}'), ['INVALID_FILTER_VALUE measures.Kept.filters[0]'])
  t.same(errors('{field: Customers, op: exists, value: 3, subquery: {dataObject: Orders}}'), [
    'INVALID_FILTER_VALUE measures.Kept.filters[0]',
  ])
  t.same(errors("{field: Orders.Id, op: '=', value: 3, subquery: {dataObject: Orders}}"), [
    'INVALID_FILTER_VALUE measures.Kept.filters[0].subquery',
  ])
  t.same(errors('{field: Customers, op: exists, orMissing: true, subquery: {dataObject: Orders}}'), [
    'INVALID_FILTER_VALUE measures.Kept.filters[0].orMissing',
  ])
  t.same(errors('{field: Customers, op: exists, subquery: {dataObject: Order}}'), [
    'UNKNOWN_DATA_OBJECT measures.Kept.filters[0].subquery.dataObject',
  ])
  t.same(errors('{field: Customers, op: exists, subquery: {dataObject: Orders, pathName: x}}'), [
    'UNKNOWN_PATH_NAME measures.Kept.filters[0].subquery.pathName',
  ])
})
