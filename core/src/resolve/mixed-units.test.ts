/** What is said about several units in one value. */
import t from 'tap'
import { dimensionOf } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'
import { hiddenName } from '../hidden-name.js'
import { mixedMessage } from './mixed-units.js'

const says = (column: string | undefined, by: readonly string[] = []) =>
  mixedMessage(
    {
      name: 'Sales',
      column: column === undefined ? undefined : { kind: 'column', object: 'Orders', column },
      by: by.map((name) => dimensionOf(name, shop)),
      does: 'adds',
    },
    shop,
  )

t.test('it names the groups, and the dimension that helps', async (t) => {
  t.match(says(undefined), /^'Sales' adds values of different units in the total; add a dimension that has the unit/)
  t.match(
    says('Status', ['Region', 'Day']),
    /whose unit 'Orders.Status' names, and a group by 'Region', 'Day' .* add the dimension 'Status' to the query/,
  )
  t.match(says('Payer Id'), /add a dimension of 'Orders.Payer Id' to the query/)
  t.match(says(hiddenName('0'.repeat(32))), /whose unit a column that you do not see names/)
})
