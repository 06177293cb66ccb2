/** Raw rows: fields of one object and of those that it reaches. */
import t from 'tap'
import { resolved } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'

function raw(fields: readonly string[], more: object = {}) {
  const found = resolved({ select: { fields }, ...more }, shop)
  if (found.kind !== 'raw') throw new Error(found.kind)
  return found
}

t.test('rows of the object that reaches every field', async (t) => {
  t.equal(raw(['Orders.Id', 'Regions.Name']).base, 'Orders')
  t.equal(raw(['Regions.Name']).base, 'Regions')
  t.same(
    raw(['orders.id', 'Customers.Id']).outputs.map(({ name }) => name),
    ['Orders.Id', 'Customers.Id'],
  )
  t.match(raw(['Orders.Id'], { order_by: [{ field: 1, direction: 'desc' }], limit: 3 }), {
    order: [{ descending: true }],
    limit: 3,
  })
})

const REFUSED: readonly (readonly [string, () => unknown, string])[] = [
  ['an unknown column', () => raw(['Orders.Idd']), 'RAW_FIELD_UNKNOWN_COLUMN'],
  ['objects that no row holds', () => raw(['Orders.Id', 'Returns.Id']), 'NO_JOIN_PATH'],
  ['the same field twice', () => raw(['Orders.Id', 'orders.id']), 'INVALID_QUERY'],
  ['values beside rows', () => raw(['Orders.Id'], { having: [{ field: 'Sales', op: 'set' }] }), 'MIXED_RAW_AND_AGGREGATE_MODE'],
  ['gaps', () => raw(['Orders.Id'], { fill_gaps: true }), 'INVALID_QUERY'],
]
for (const [what, ask, code] of REFUSED) t.test(`${what} is refused`, async (t) => t.throws(ask, { code }))
