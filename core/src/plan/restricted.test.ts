/** The plan under policies: what they read over other rows is computed before it. */
import t from 'tap'
import { bound, contextOf } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { restrictionsOf } from '../bind/restrictions.js'
import { measuredAt, rootPath } from '../relation/relation.js'
import { planRestricted } from './restricted.js'

t.test(
  'a column over other rows that only a restriction reads is computed before the plan, in the rows that remain',
  async (t) => {
    const plain = shopWith({ dataObjects: { Customers: { columns: { Spent: { measure: 'Sales' } } } } })
    const column = { kind: 'column', object: 'Customers', column: 'Spent' } as const
    const rule = {
      label: '',
      dataObject: 'Customers',
      condition: { kind: 'leaf', column, operator: 'gt', values: [1], path: '' },
    } as const
    // No policy that loads reads it; a static filter of a row that a join over time finds may.
    const restriction = { missing: [], rows: [rule], removesFrom: new Set(['Customers', 'Orders']), withholdsSql: false }
    const model = { ...plain, restriction }
    const query = bound({ select: { measures: ['Order Count'] } }, model)
    t.same(query.measured, [])
    const plan = planRestricted(query, restrictionsOf(contextOf(model), new Date(0)))
    t.match(plan, { kind: 'measured', of: measuredAt(rootPath('Customers'), 'Spent') })
    if (plan.kind === 'measured') t.match(JSON.stringify(plan.values), /"rowsOf":"Orders"/, 'and its rows are restricted')
  },
)
