/** Each relation of a plan has a unique name in the statement, and an expression reads only relations below it. */
import t from 'tap'
import { leavesOf } from '../../core/src/model/expression/ast.js'
import { mapPlans } from '../../core/src/plan/inputs.js'
import type { LogicalPlan, RowExpr } from '../../core/src/plan/logical-plan.js'
import { mapExpressions } from '../../core/src/plan/map-expressions.js'
import { compiledOnce } from './compiled-once.js'
import { DIALECTS, FURTHER_DIALECTS, readQuestions } from './corpus.js'

for (const { name, query } of readQuestions()) {
  t.test(`every name in '${name}' is unique and defined`, async (t) => {
    for (const dialect of [...DIALECTS, ...FURTHER_DIALECTS]) {
      const { plan } = compiledOnce(query, dialect)
      if (plan) t.strictSame(faultsOf(plan), [], dialect.name)
    }
  })
}

t.test('a name of two relations, and an undefined name, are found', async (t) => {
  const scan = (alias: string): LogicalPlan => ({
    kind: 'scan',
    object: 'Orders',
    source: { kind: 'table', name: 'orders', schema: undefined, database: undefined },
    alias,
  })
  const label = { from: '', to: '', columns: [], reason: '' }
  const condition: RowExpr = { kind: 'column', table: 'items', name: 'id', type: { kind: 'int' } }
  const plan: LogicalPlan = {
    kind: 'join',
    type: 'inner',
    left: scan('orders'),
    right: scan('Orders'),
    on: [{ kind: 'holds', condition }],
    label,
  }
  t.strictSame(faultsOf(plan), ["'items' is read and is not there", "'orders' is two relations"])
})

function faultsOf(plan: LogicalPlan): readonly string[] {
  const faults: string[] = []
  const given = new Set<string>()
  const shared = new Set<string>()
  const claim = (alias: string): void => {
    if (given.has(alias.toLowerCase())) faults.push(`'${alias.toLowerCase()}' is two relations`)
    given.add(alias.toLowerCase())
  }
  /** The relations that a reader of the plan can refer to. */
  const walk = (node: LogicalPlan): readonly string[] => {
    if (node.kind === 'shared' && shared.has(node.alias)) return [node.alias]
    const open: string[] = []
    mapPlans(node, (input) => {
      open.push(...walk(input))
      return input
    })
    mapExpressions(node, (expression) => {
      for (const { table } of leavesOf(expression))
        if (table !== '' && !open.includes(table)) faults.push(`'${table}' is read and is not there`)
      return expression
    })
    if (!('alias' in node)) return open
    if (node.kind === 'shared') shared.add(node.alias)
    if (!(node.kind === 'shared' && open.includes(node.alias))) claim(node.alias)
    return [node.alias]
  }
  walk(plan)
  return faults.toSorted()
}
