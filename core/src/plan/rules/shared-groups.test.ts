/** Groups that are read twice are computed once. */
import t from 'tap'
import { aggregate, column, named, rowColumn, scan, shared, sumOf } from '../../../../test/support/plans.js'
import { sharedGroups } from './shared-groups.js'

t.test('groups become a relation with their columns, once', async (t) => {
  const groups = aggregate(scan('Orders'), [named('Key', column('Orders', 'key'))], [sumOf('Sum', column('Orders', 'n'))])
  const made = sharedGroups(groups)
  t.same(made, shared(groups, [rowColumn('Key'), rowColumn('Sum')], 'groups'))
  t.equal(sharedGroups(made), made, 'a relation that is shared already')
})
