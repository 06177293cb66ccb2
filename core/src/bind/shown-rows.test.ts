/** How rows are joined with the detail rows that an answer shows. */
import t from 'tap'
import { bound } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'

const shop = shopWith({
  dataObjects: { Weather: { code: 'weather', columns: { Id: { code: 'id', abstractType: 'int', primaryKey: true } } } },
  measures: { 'Days of Rain': { aggregation: 'count', columns: [{ dataObject: 'Weather', column: 'Id' }], total: true } },
})
const ask = (measures: readonly string[], dimensions: readonly string[]) =>
  bound({ select: { dimensions, measures }, limit: 2, grouping: { sets: 'rollup', of: 'shown' } }, shop)

t.test('each level reads only the rows behind them', async (t) => {
  const { rows } = ask(['Sales'], ['Region', 'Status'])
  if (rows.kind !== 'grouped') return t.fail(rows.kind)
  t.match(rows.shown, { limit: 2 })
  t.same(
    rows.levels.map(({ legs }) => legs[0]?.block.from.shown?.map(({ columns }) => columns.map(({ name }) => name))),
    [[['Region', 'Status']], [['Region', 'Status']], [['Region', 'Status']]],
  )
})

t.test('a measure whose rows cannot be behind them is refused', async (t) => {
  t.throws(() => ask(['Sales', 'Days of Rain'], ['Region']), { code: 'NO_JOIN_PATH', message: /'Days of Rain' by 'Region'/ })
  t.doesNotThrow(() => ask(['Sales', 'Sales of All'], ['Region']))
})
