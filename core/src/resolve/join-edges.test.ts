/** The steps that joins allow. */
import t from 'tap'
import type { Join } from '../model/semantic-model.js'
import { addJoin, type Edge, type Pair } from './join-edges.js'

const join = (cardinality: Join['cardinality'], pathName?: string): Join =>
  ({
    from: 'A',
    to: 'B',
    on: [{ kind: 'equal', from: 'x', to: 'y' }],
    cardinality,
    required: true,
    foreignKey: true,
    pathName,
  }) as unknown as Join
function steps(...joins: readonly Join[]) {
  const forward = new Map<string, Edge[]>()
  const pairs = new Map<string, Pair>()
  for (const one of joins) addJoin(one, forward, pairs)
  return { edges: [...forward.values()].flat(), pairs: [...pairs.keys()] }
}

t.test('many to one is a step', async (t) => {
  t.match(steps(join('many-to-one')).edges, [
    { from: 'A', to: 'B', required: true, foreignKey: true, declared: true, oneToOne: false },
  ])
  t.equal(steps(join('many-to-one'), join('many-to-one')).edges.length, 2)
})

t.test('one to one is two, of which the second promises nothing', async (t) => {
  t.match(steps(join('one-to-one')).edges, [
    { from: 'A', to: 'B', on: [{ from: 'x', to: 'y' }], oneToOne: true },
    { from: 'B', to: 'A', on: [{ from: 'y', to: 'x' }], required: false, foreignKey: false, declared: false },
  ])
})

t.test('many to many is its pairs, which lead to both sides', async (t) => {
  const { edges, pairs } = steps(join('many-to-many'), join('many-to-many', 'other'), join('many-to-many'))
  t.same(pairs, ['A ⋈ B', 'A ⋈ B (other)', 'A ⋈ B (2)'])
  t.match(edges.slice(0, 2), [{ from: 'A ⋈ B', to: 'A', kind: 'part', on: [] }, { to: 'B' }])
})
