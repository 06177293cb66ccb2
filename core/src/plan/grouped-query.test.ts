/** Subtotals: each level is a separate query, and all are one answer. */
import t from 'tap'
import { bound } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'
import { nodesIn } from '../../../test/support/plans.js'
import type { BoundGrouped } from '../bind/bound-query.js'
import { planGrouped } from './grouped-query.js'

function grouped(more: object = {}): BoundGrouped {
  const { rows } = bound({ select: { dimensions: ['Region', 'Status'], measures: ['Sales'] }, grouping: 'rollup', ...more }, shop)
  if (rows.kind !== 'grouped') throw new Error(rows.kind)
  return rows
}

t.test('every level is recomputed from rows, and united', async (t) => {
  const plan = planGrouped(grouped())
  const [union] = nodesIn(plan, 'union')
  t.equal(union?.inputs.length, 3)
  t.same(
    nodesIn(plan, 'aggregate').map(({ keys }) => keys.map(({ name }) => name).join()),
    ['Region,Status', 'Region', ''],
  )
  t.same(
    union?.columns.map(({ name }) => name),
    grouped().levels[0]?.outputs.map(({ name }) => name),
  )
})

t.test('a column has the type in which it is displayed', async (t) => {
  const { levels, ...rest } = grouped()
  const shown = levels.map((level) => ({
    ...level,
    outputs: level.outputs.map((o) => ({ ...o, displayAs: { kind: 'string' } as const })),
  }))
  const [union] = nodesIn(planGrouped({ ...rest, levels: shown }), 'union')
  t.same(new Set(union?.columns.map(({ type }) => type.kind)), new Set(['string']))
})

t.test('one level is united with nothing', async (t) => {
  const { levels, ...rest } = grouped()
  t.same(nodesIn(planGrouped({ ...rest, levels: levels.slice(0, 1) }), 'union'), [])
})

t.test('the order is that of all levels together', async (t) => {
  const plan = planGrouped(grouped({ order_by: [{ field: 'Sales' }] }))
  t.match(plan, { kind: 'project', input: { kind: 'sort', input: { kind: 'union' } } })
})
