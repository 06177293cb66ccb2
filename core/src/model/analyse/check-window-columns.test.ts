/** Window functions as columns: what the model must say. */
import t from 'tap'
import { commerce } from '../../../../test/support/model-faults.js'
import { parseModelSync } from '../load-model.js'

const PLACE = 'dataObjects.Orders.columns.Place'

/** The errors of the model with a column of orders, and other edits. */
function errorsOf(column: string, ...edits: readonly (readonly [string, string])[]): readonly string[] {
  const text = edits.reduce((of, [was, is]) => of.replace(was, is), commerce)
  const { errors } = parseModelSync({ text: text.replace('      Total:\n', `      Place: ${column}\n      Total:\n`) })
  return errors.map(({ code, path }) => `${code} ${path}`)
}

const windowOf = (inside: string): string => `{window: {${inside}}}`
const NUMBER = windowOf('function: row_number, partitionBy: [Qty], orderBy: [Amount]')

t.test('a window function over columns of the object', async (t) => {
  t.same(errorsOf(NUMBER), [])
  t.same(errorsOf(windowOf('function: count')), [])
  t.same(errorsOf(windowOf('function: lag, column: Amount, orderBy: [Total], direction: desc, offset: 2')), [])
  t.same(errorsOf(windowOf('function: row_numbr')), [`SCHEMA_VALIDATION ${PLACE}.window.function`])
  t.same(errorsOf(windowOf('function: row_number, partitionBy: [Qtyy]')), [`UNKNOWN_COLUMN ${PLACE}.window.partitionBy[0]`])
  t.same(errorsOf(windowOf('function: row_number, orderBy: [Qtyy]')), [`UNKNOWN_COLUMN ${PLACE}.window.orderBy[0]`])
  t.same(errorsOf(windowOf('function: lag, column: Qtyy')), [`UNKNOWN_COLUMN ${PLACE}.window.column`])
})

t.test('a function has what it needs, and no key that means nothing to it', async (t) => {
  t.same(errorsOf(windowOf('function: lag')), [`INVALID_COLUMN ${PLACE}.window`])
  t.same(errorsOf(windowOf('function: sum')), [`INVALID_COLUMN ${PLACE}.window`])
  t.same(errorsOf(windowOf('function: rank')), [`INVALID_COLUMN ${PLACE}.window`])
  t.same(errorsOf(windowOf('function: row_number, column: Qty')), [`INVALID_COLUMN ${PLACE}.window.column`])
  t.same(errorsOf(windowOf('function: row_number, offset: 2')), [`INVALID_COLUMN ${PLACE}.window.offset`])
  t.same(errorsOf(windowOf('function: row_number, direction: desc')), [`INVALID_COLUMN ${PLACE}.window.direction`])
  t.same(errorsOf(windowOf('function: lag, column: Qty, offset: 0')), [`SCHEMA_VALIDATION ${PLACE}.window.offset`])
})

t.test('its type is that of what it reads', async (t) => {
  const typed = (inside: string, type: string) => errorsOf(`{abstractType: ${type}, window: {${inside}}}`)
  t.same(typed('function: row_number', 'int'), [])
  t.same(typed('function: row_number', 'string'), [`INVALID_COLUMN ${PLACE}.abstractType`])
  t.same(
    errorsOf(windowOf('function: sum, column: Text'), [
      '      Total:\n',
      '      Text: {code: x, abstractType: string}\n      Total:\n',
    ]),
    [`INVALID_COLUMN ${PLACE}.window.column`],
  )
  const doc = ['      Total:\n', '      Doc: {code: d, abstractType: json}\n      Total:\n'] as const
  t.same(errorsOf(windowOf('function: row_number, partitionBy: [Doc]'), doc), [`INVALID_COLUMN ${PLACE}.window.partitionBy[0]`])
  t.same(errorsOf(windowOf('function: row_number, orderBy: [Qty, Doc]'), doc), [`INVALID_COLUMN ${PLACE}.window.orderBy[1]`])
})

t.test('filters are on the object and what it reaches', async (t) => {
  const filtered = (filter: string): string => windowOf(`function: row_number, filters: [${filter}]`)
  t.same(errorsOf(filtered("{field: Qty, op: '>', value: 1}")), [])
  t.same(errorsOf(filtered("{expression: '{Qty} < {[Customers].[Id]}'}")), [])
  t.same(errorsOf(filtered("{field: Qtyy, op: '>', value: 1}")), [`INCOMPLETE_COLUMN_REF ${PLACE}.window.filters[0].field`])
  t.same(errorsOf(filtered('{field: Customers, op: exists, subquery: {dataObject: Customers}}')), [
    `INVALID_FILTER_OPERATOR ${PLACE}.window.filters[0].op`,
  ])
})

t.test('rows have a key, and columns do not use each other', async (t) => {
  const unkeyed = commerce.replace('Id: {code: id, abstractType: int, primaryKey: true}', 'Id: {code: id, abstractType: int}')
  const text = unkeyed.replace('      Doc: {code', '      Place: {window: {function: row_number}}\n      Doc: {code')
  t.same(
    parseModelSync({ text }).errors.map(({ code, path }) => `${code} ${path}`),
    ['KEY_REQUIRED dataObjects.Customers.columns.Place'],
  )
  const other = ['      Total:\n', '      Before: {window: {function: lag, column: Place}}\n      Total:\n'] as const
  t.same(errorsOf(windowOf('function: lag, column: Before'), other), [
    'CYCLIC_COMPUTED_COLUMN dataObjects.Orders.columns.Before.window',
  ])
  t.same(errorsOf(windowOf("function: row_number, filters: [{field: Place, op: '=', value: 1}]")), [
    `CYCLIC_COMPUTED_COLUMN ${PLACE}.window`,
  ])
  t.same(errorsOf('{primaryKey: true, window: {function: row_number, orderBy: [Qty]}}'), [`INVALID_COLUMN ${PLACE}`])
})

t.test('a static filter of its object is applied to its result; a policy reads none', async (t) => {
  const filteredBy = (...filters: readonly string[]): readonly [string, string] => [
    '\nfilters:\n',
    `\nfilters:\n${filters.map((one) => `  - ${one}\n`).join('')}`,
  ]
  const first = (column: string): string => `{dataObject: Orders, column: ${column}, operator: eq, value: 1}`
  t.same(errorsOf(NUMBER, filteredBy(first('Place'))), [])
  const more = ['      Total:\n', "      Twice: {expression: '{Place} * 2', abstractType: int}\n      Total:\n"] as const
  t.same(errorsOf(NUMBER, more, filteredBy(first('Twice'))), [])
  const other = ['      Total:\n', '      Other: {window: {function: row_number}}\n      Total:\n'] as const
  t.same(errorsOf(NUMBER, other, filteredBy(first('Place'), first('Other'))), [
    'CYCLIC_FILTER filters[0]',
    'CYCLIC_FILTER filters[1]',
  ])
  const counted = [
    '      Doc: {code',
    "      Seen: {exists: Orders, filters: [{field: Place, op: '=', value: 1}]}\n      Doc: {code",
  ] as const
  t.same(errorsOf(NUMBER, counted, filteredBy('{dataObject: Customers, column: Seen, operator: eq, value: true}')), [
    'CYCLIC_FILTER filters[0]',
  ])
  const policy = [
    'dataObjects:\n',
    "access: {rows: [{name: first, dataObject: Orders, where: {field: Orders.Place, op: '=', value: 1}}]}\ndataObjects:\n",
  ] as const
  t.same(errorsOf(NUMBER, policy), ['CYCLIC_FILTER access.rows[0].where'])
})
