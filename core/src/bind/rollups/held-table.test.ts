/** The columns of a table, and the model in which its rows are those of the data object. */
import t from 'tap'
import { shopWith } from '../../../../test/support/models.js'
import { TABLES, tableContext, tableOf, tables } from '../../../../test/support/rollups.js'
import { GrainlineError } from '../../errors.js'
import { entryOf } from '../../invariant.js'
import type { TableSource } from '../../model/semantic-model.js'
import { heldTable, modelOfTable, resolvedBuild, tableColumn } from './held-table.js'

const source: TableSource = { kind: 'table', database: undefined, schema: undefined, name: 'daily' }
const held = (name: string, model = tables) => {
  const { build, dimensions, plain, types, where, base } = tableOf(name, model)
  return { build, base: base.name, grains: dimensions.map(({ grain }) => grain), plain: [...plain.keys()], types, where }
}
/** The fault of a build, if the rows of its table are said to be those of another object. */
function codeOfFault(dataObject: string): string {
  const { options } = tableContext()
  const build = tableOf('Daily').build
  try {
    resolvedBuild({ ...build, rollup: { ...build.rollup, dataObject } }, undefined, options)
    return ''
  } catch (error) {
    if (error instanceof GrainlineError) return error.code
    throw error
  }
}

t.test('dimensions in their order, of which some are columns as they are', async (t) => {
  t.match(held('Daily'), { base: 'Orders', grains: ['day', undefined, undefined], plain: ['Customer Id', 'Status'] })
  t.match(held('Monthly'), { grains: ['month', undefined], plain: [] }, 'a region is a column of other rows')
  const { build, types } = held('Daily')
  t.same(
    [...types.keys()],
    build.columns.filter((code) => !build.keys.includes(code)),
    'the type of each other column',
  )
  t.same(
    held('Paid').where.map(({ fields }) => fields),
    [['Status']],
  )
})

t.test('a key is read as it is stored, and a time may be stored as another type', async (t) => {
  const rollup = entryOf(tables.rollups, 'Paid')
  const context = tableContext(shopWith(TABLES))
  const stored = heldTable(rollup, { ...context, storedAs: () => ({ type: 'timestamp' }) as never })
  t.same([...stored.plain.keys()], ['Customer Id', 'Amount'], 'its day is converted')
})

t.test('a table is found once for a model and a time zone', async (t) => {
  const rollup = entryOf(tables.rollups, 'Daily')
  t.equal(heldTable(rollup, tableContext()), heldTable(rollup, tableContext()))
  t.not(heldTable(rollup, tableContext()), heldTable(rollup, { ...tableContext(), timezone: 'Europe/Berlin' }))
})

t.test('its rows become those of the data object', async (t) => {
  const computed = { dataObjects: { Orders: { columns: { Twice: { expression: '{Customer Id} * 2', abstractType: 'int' } } } } }
  const model = modelOfTable(tableOf('Daily', shopWith(TABLES, computed)), shopWith(TABLES, computed), source)
  const { columns, key, source: of } = entryOf(model.dataObjects, 'Orders')
  t.equal(of, source)
  t.same(key, [], 'a group has no key')
  const names = [...columns.keys()]
  t.ok(['Customer Id', 'Status', 'Twice'].every((name) => names.includes(name)))
  t.notOk(
    ['Amount', 'Day', 'Id'].some((name) => names.includes(name)),
    'columns that the table lacks',
  )
  t.match(columns.get('Status'), { source: { kind: 'physical', code: 'status' } })
  t.match(columns.get('\u0000day_day'), { source: { kind: 'physical', code: 'day_day' }, type: { kind: 'date' } })
  t.match(columns.get('\u0000row_count'), { source: { kind: 'physical', code: 'row_count' }, type: { kind: 'int' } })
  t.equal(columns.get('Status')?.primaryKey, false)
  t.same(tableColumn('Orders', 'row_count'), { kind: 'column', object: 'Orders', column: '\u0000row_count' })
  t.equal(model.dataObjects.get('Customers'), model.dataObjects.get('Customers'))
})

t.test('a build whose rows are not those of the data object', async (t) => {
  t.equal(codeOfFault('Orders'), '')
  t.equal(codeOfFault('Customers'), 'INVALID_ROLLUP')
})
