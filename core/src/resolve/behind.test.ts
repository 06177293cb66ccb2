/** The rows behind one cell: the level of the cell, and a condition on each of its values. */
import t from 'tap'
import { bound } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'
import { builtInAggregates } from '../model/functions/aggregates.js'
import { builtInFunctions } from '../model/functions/catalogue.js'
import type { FilterValue } from '../model/semantic-model.js'
import { parseQuery } from '../query/parse-query.js'
import { resolveQuery } from './resolve-query.js'
import type { BehindQuery } from './resolved-query.js'

const options = { functions: builtInFunctions, aggregates: builtInAggregates, now: new Date(0), defaultLimit: undefined }
function behind(cell: Readonly<Record<string, FilterValue>>, more: object = {}): BehindQuery {
  const query = {
    select: { dimensions: ['Region', 'Day:month'], measures: ['Sales'] },
    having: [{ field: 'Sales', op: 'gt', value: 1 }],
    ...more,
  }
  const found = resolveQuery(parseQuery(query), shop, { ...options, behind: { cell, shows: 'rows' } })
  if (found.kind !== 'behind') throw new Error(found.kind)
  return found
}

t.test('a cell has a condition for each dimension, and none on values', async (t) => {
  const { cell, level } = behind({ Region: null, 'Day:month': '2025-03-01' })
  t.same(
    cell.map(({ condition }) => said(condition)),
    ['Region is null', "(Day:month = '2025-03-01')"],
  )
  t.equal(level.having, undefined)
})

t.test('a cell of a subtotal leaves dimensions out', async (t) => {
  const { level } = behind({ Region: 'north' }, { grouping: 'rollup' })
  t.same(
    level.dimensions.map(({ label }) => label),
    ['Region'],
  )
  t.throws(() => behind({ Region: 'north' }), { code: 'INVALID_QUERY', path: 'cell' })
  t.throws(() => behind({ Regions: 'north' }), { code: 'UNKNOWN_DIMENSION', path: 'cell.Regions' })
})

t.test('totals of what is shown count the rows behind it', async (t) => {
  t.ok(behind({}, { grouping: { sets: 'rollup', of: 'shown' } }).shown)
  t.equal(behind({}, { grouping: 'rollup' }).shown, undefined)
  t.equal(bound({ select: { measures: ['Sales'] } }, shop).rows.kind, 'aggregate', 'without a cell it is an answer')
})
