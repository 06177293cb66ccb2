/** Combinations of values that never occur, and the dimensions of every row. */
import t from 'tap'
import { bound } from '../../../test/support/bound.js'
import { manyToOne, shop, shopWith } from '../../../test/support/models.js'
import { joinsIn, nodesIn } from '../../../test/support/plans.js'
import { said, saidTerms } from '../../../test/support/said.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { planExclude } from './dimension-queries.js'

function plan(dimensions: readonly string[], more: object = {}, model: SemanticModel = shop) {
  const { rows } = bound({ select: { dimensions }, dimensions_exclude: true, ...more }, model)
  if (rows.kind !== 'exclude') throw new Error(rows.kind)
  return planExclude(rows)
}

t.test('every combination of the values is looked up among those that occur', async (t) => {
  const made = plan(['Region', 'Status'])
  const joins = joinsIn(made)
  t.same(joins.filter(({ type }) => type === 'cross').length, 1)
  const lookedUp = joins.filter(({ type, label }) => type === 'left' && label.reason.startsWith('looked up'))
  t.match(saidTerms(lookedUp[0]!.on), /Region_values\.Region = occurring\.Region.*Status_values\.Status = occurring\.Status/)
  t.match(
    nodesIn(made, 'filter').map(({ condition }) => said(condition)),
    [/Region is not null/, /Status is not null/, /occurring\.Region is null/],
    'NULL is no value',
  )
  t.equal(nodesIn(made, 'combine').length, 0, 'one object has the tuples')
})

t.test('each dimension is read from its own values', async (t) => {
  const made = plan(['Region', 'Status'], { order_by: [{ field: 'Status' }] })
  t.same(made.kind === 'project' && made.columns.map(({ expression }) => said(expression)), [
    'Region_values.Region',
    'Status_values.Status',
  ])
  t.match(made, { input: { kind: 'sort' } })
  const relations = nodesIn(made, 'project')
    .map(({ alias }) => alias)
    .filter((alias) => alias.includes('_values'))
  t.equal(new Set(relations).size, 2)
  t.match(relations.join(), /"1".*"2"/, 'they are numbered')
})

t.test('values that have an order of their own are looked up', async (t) => {
  const sorted = shopWith({
    dataObjects: { Regions: { columns: { Rank: { code: 'rank', abstractType: 'int' } } } },
    dimensions: { Region: { sortBy: 'Rank' } },
  })
  const made = plan(['Region', 'Status'], { order_by: [{ field: 'Region' }] }, sorted)
  t.equal(nodesIn(made, 'lookup').length, 1)
  t.same(
    made.kind === 'project' && made.columns.map(({ expression }) => said(expression)),
    ['Region', 'Status'],
    'of the rows with their order',
  )
  t.same(nodesIn(plan(['Region', 'Status']), 'lookup'), [])
})

t.test('tuples of several objects are combined', async (t) => {
  const byDay = manyToOne('Dates', 'Day', { columnsTo: ['Date'] })
  const dated = shopWith({
    dataObjects: {
      Dates: { calendar: { grain: 'day' } },
      Orders: { joins: [manyToOne('Customers', 'Customer Id'), byDay] },
      Returns: { joins: [manyToOne('Customers', 'Customer Id'), byDay] },
    },
    dimensions: { Date: { dataObject: 'Dates', column: 'Date' } },
  })
  const combined = nodesIn(plan(['Date:day', 'Date:month'], {}, dated), 'combine')
  t.same(
    combined.at(-1)?.keys.map(({ name }) => name),
    ['Date:day', 'Date:month'],
  )
  t.same(combined.at(-1)?.legs.length, 2)
})
