/** What a model must not say of a rollup, where, and that the advice works. */
import t from 'tap'
import { parseModelSync } from '../../core/src/model/load-model.js'
import { SHOP } from '../support/models.js'

const ROLLUP = `
parameters:
  Least: { type: int }
  Most: { type: int, default: 3 }
segments:
  Lately: { filters: [{ field: Day, op: relative, value: { unit: month, count: 1, direction: past } }] }
rollups:
  Daily:
    dataObject: Orders
    dimensions: [{ field: Day, grain: day }, Status]
    measures: [Sales, Paid Orders]
`
const MORE = `measures:
  Middle: { aggregation: median, columns: [{ dataObject: Orders, column: Amount }] }
  Above: { aggregation: sum, expression: 'CASE WHEN {[Orders].[Amount]} > {@Least} THEN {[Orders].[Amount]} END' }
  Below: { aggregation: sum, expression: 'CASE WHEN {[Orders].[Amount]} < {@Most} THEN {[Orders].[Amount]} END' }
  Known: { aggregation: sum, expression: 'is_special({[Orders].[Amount]})' }
  Returners: { aggregation: count, columns: [{ dataObject: Orders, column: Id }], filters: [{ field: Customers.Id, op: exists, subquery: { dataObject: Returns } }] }
`
const text = SHOP.replace('measures:\n', MORE) + ROLLUP

function faultsOf(was: string, is: string): readonly string[] {
  const changed = text.replace(was, is)
  if (changed === text) throw new Error(`nothing is ${was}`)
  return parseModelSync({ text: changed }).errors.map(({ code, path }) => `${code} ${path}`)
}

t.test('the rollup is valid', (t) => {
  const { model, errors } = parseModelSync({ text })
  t.same(errors, [])
  const rollup = model?.rollups.get('Daily')
  t.same(rollup?.table, { database: undefined, schema: undefined, name: 'daily' })
  t.same(
    rollup?.dimensions.map(({ field, grain, code }) => [field, grain, code]),
    [
      ['Day', 'day', 'day_day'],
      ['Status', undefined, 'status'],
    ],
  )
  t.end()
})

const REFUSED: Readonly<Record<string, readonly [was: string, is: string, ...faults: string[]]>> = {
  'a key of a later version': [
    'measures: [Sales, Paid',
    'maxAge: 1h\n    measures: [Sales, Paid',
    'UNKNOWN_PROPERTY rollups.Daily.maxAge',
  ],
  'another key': ['measures: [Sales, Paid', 'measure: x\n    measures: [Sales, Paid', 'UNKNOWN_PROPERTY rollups.Daily.measure'],
  'an unknown data object': [
    'dataObject: Orders\n    dimensions: [{',
    'dataObject: Order\n    dimensions: [{',
    'UNKNOWN_DATA_OBJECT rollups.Daily.dataObject',
  ],
  'an unknown dimension': ['day }, Status]', 'day }, State]', 'UNKNOWN_SELECT_ITEM rollups.Daily.dimensions[1]'],
  'a dimension twice': ['day }, Status]', 'day }, Status, Status]', 'DUPLICATE_IDENTIFIER rollups.Daily.dimensions[2]'],
  'a grain of no time': [
    'day }, Status]',
    'day }, { field: Status, grain: day }]',
    'TIME_GRAIN_ON_NON_TEMPORAL rollups.Daily.dimensions[1]',
  ],
  'a dimension through a bridge': ['day }, Status]', 'day }, Product]', 'INVALID_ROLLUP rollups.Daily.dimensions[1]'],
  'an unknown measure': ['[Sales, Paid Orders]', '[Sale]', 'UNKNOWN_MEASURE_REF rollups.Daily.measures[0]'],
  'a measure of other rows': ['[Sales, Paid Orders]', '[Sales, Returned]', 'INVALID_ROLLUP rollups.Daily.measures[1]'],
  'a measure without parts': ['[Sales, Paid Orders]', '[Middle]', 'INVALID_ROLLUP rollups.Daily.measures[0]'],
  'a filter that looks for rows': ['[Sales, Paid Orders]', '[Returners]', 'INVALID_ROLLUP rollups.Daily.measures[0]'],
  'a parameter without default': ['[Sales, Paid Orders]', '[Above]', 'PARAMETER_WITHOUT_DEFAULT rollups.Daily'],
  'a function of the database': ['[Sales, Paid Orders]', '[Known]', 'VOLATILE_ROLLUP rollups.Daily'],
  'a relative condition': ['[Sales, Paid Orders]', '[Sales]\n    where: [{ segment: Lately }]', 'VOLATILE_ROLLUP rollups.Daily'],
  today: [
    '[Sales, Paid Orders]',
    "[Sales]\n    where: [{ expression: '{[Day]} < current_date()' }]",
    'VOLATILE_ROLLUP rollups.Daily',
  ],
  'two rollups of one table': [
    'rollups:\n',
    'rollups:\n  Other:\n    dataObject: Orders\n    code: daily\n    dimensions: [Status]\n    measures: [Sales]\n',
    'DUPLICATE_IDENTIFIER rollups.Daily',
  ],
  'no dimensions': ['[{ field: Day, grain: day }, Status]', '[]', 'SCHEMA_VALIDATION rollups.Daily.dimensions'],
}
for (const [title, [was, is, ...faults]] of Object.entries(REFUSED))
  t.test(`${title} is refused`, (t) => {
    t.same(faultsOf(was, is), faults)
    t.end()
  })

t.test('a parameter with a default, a metric, and names of any script are accepted', (t) => {
  t.same(faultsOf('[Sales, Paid Orders]', '[Below, Sales Last Month]'), [])
  t.same(faultsOf('  Daily:\n    dataObject', '  売上:\n    code: uriage\n    dataObject'), [])
  t.same(faultsOf('  Daily:\n    dataObject', '  売上:\n    dataObject'), ['INVALID_ROLLUP rollups.売上.code'])
  t.end()
})

/** What is wrong, and the model after the advice was followed. */
const ADVICE: readonly (readonly [code: string, was: string, wrong: string, right: string])[] = [
  ['INVALID_ROLLUP', '[Sales, Paid Orders]', '[Sales, Middle]', '[Sales]'],
  ['VOLATILE_ROLLUP', '[Sales, Paid Orders]', '[Sales]\n    where: [{ segment: Lately }]', '[Sales]'],
  ['PARAMETER_WITHOUT_DEFAULT', '[Sales, Paid Orders]', '[Above]', '[Above]'],
]

t.test('each further way of an advice is a rollup', (t) => {
  const errorsOf = (edits: readonly (readonly [string, string])[]) =>
    parseModelSync({ text: edits.reduce((whole, [was, is]) => whole.replace(was, is), text) }).errors
  const other = '  Back:\n    dataObject: Returns\n    dimensions: [Customer]\n    measures: [Returned]\n'
  t.match(errorsOf([['[Sales, Paid Orders]', '[Sales, Returned]']]), [{ code: 'INVALID_ROLLUP' }])
  t.same(errorsOf([['rollups:\n', `rollups:\n${other}`]]), [], 'a rollup of its own data object')
  t.match(errorsOf([['[Sales, Paid Orders]', '[Sales, Above]']]), [{ code: 'PARAMETER_WITHOUT_DEFAULT' }])
  t.same(errorsOf([['[Sales, Paid Orders]', '[Sales]']]), [], 'or leave out what reads it')
  t.end()
})

t.test('the advice of each error of a rollup works', (t) => {
  for (const [code, was, wrong, right] of ADVICE) {
    t.match(faultsOf(was, wrong), [new RegExp(`^${code} `)])
    const followed = text.replace(was, right).replace('Least: { type: int }', 'Least: { type: int, default: 1 }')
    t.same(parseModelSync({ text: followed }).errors, [], code)
  }
  t.end()
})
