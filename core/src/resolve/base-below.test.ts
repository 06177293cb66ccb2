/** The object whose rows all measures below a name count. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'
import { baseBelow } from './base-below.js'

const { graph } = contextOf(shop)

for (const [name, base] of [
  ['Sales', 'Orders'],
  ['Running Sales', 'Orders'],
  ['Sales Last Month', 'Orders'],
  ['Returned', 'Returns'],
  ['Net', undefined],
] as const)
  t.test(`${name}: ${base ?? 'none, its measures are of two'}`, async (t) => {
    t.equal(baseBelow(name, graph, ''), base)
  })
