/** Rules are applied in order, each to the whole plan, and the driver names those that changed it. */
import t from 'tap'
import { canonicalPlan } from '../../../../test/support/compile.js'
import { shop } from '../../../../test/support/models.js'
import { aggregate, column, factsOf, filter, joinTo, scan, sumOf } from '../../../../test/support/plans.js'
import { INT } from '../../model/data-type.js'
import { isNotNull } from '../../resolve/expressions.js'
import { inputsOf } from '../inputs.js'
import { NO_HINTS } from '../planner-hints.js'
import { applyRules } from './apply-rules.js'
import { planRules } from './plan-rules.js'
import type { Rule } from './rule.js'

const plan = canonicalPlan({ select: { dimensions: ['Customer', 'Region'], measures: ['Sales', 'Sales of Region'] } }, shop)
const every = { ...NO_HINTS, hashJoins: true, keepsTables: true }
const rulesOf = (without: readonly string[] = [], hints = every) =>
  applyRules(plan, { hints, typeOf: () => INT }, { without: new Set(without), isChecked: true })

t.test('the rules that changed a plan, in their order', async (t) => {
  const { rules, fault, plan: after } = rulesOf()
  t.ok(rules.includes('window-totals'))
  t.same(
    rules,
    planRules.map(({ name }) => name).filter((name) => rules.includes(name)),
  )
  t.equal(fault, undefined)
  t.not(after, plan)
})

t.test('a rule that is left out changes nothing', async (t) => {
  const { rules } = rulesOf()
  for (const rule of rules) t.notOk(rulesOf([rule]).rules.includes(rule), rule)
  const none = rulesOf(planRules.map(({ name }) => name))
  t.same(none, { plan, rules: [], fault: undefined })
  t.equal(none.plan, plan, 'the same object')
})

t.test('a rule that knows every node is applied, and one that knows none is not named', async (t) => {
  const renamed: Rule = {
    name: 'renamed',
    rewrite: (node) => (node.kind === 'scan' && node.object !== 'again' ? { ...node, object: 'again' } : undefined),
  }
  const idle: Rule = { name: 'idle', rewrite: () => undefined }
  const { plan: after, rules } = applyRules(scan('Orders'), factsOf(), {
    rules: [idle, renamed],
    without: new Set(),
    isChecked: false,
  })
  t.same(rules, ['renamed'])
  t.match(after, { kind: 'scan', object: 'again' })
})

t.test('the first rule that changes what a value is computed from is a fault, if rules are checked', async (t) => {
  const forgetful = (name: string, kind: 'filter' | 'join'): Rule => ({
    name,
    rewrite: (node) => (node.kind === kind ? inputsOf(node)[0] : undefined),
  })
  const rows = filter(joinTo(scan('Orders'), 'Customers', column('Orders', 'customer')), isNotNull(column('Customers', 'n')))
  const given = { rules: [forgetful('first', 'join'), forgetful('second', 'filter')], without: new Set<string>() }
  const applied = (isChecked: boolean) =>
    applyRules(aggregate(rows, [], [sumOf('Sum', column('Orders', 'n'))]), factsOf(), { ...given, isChecked })
  t.match(applied(true).fault, "the rule 'first' changes what 'Sum' is computed from")
  t.equal(applied(false).fault, undefined)
  t.same(applied(false).rules, ['first', 'second'])
})

t.test('each rule has one name', async (t) => t.equal(new Set(planRules.map(({ name }) => name)).size, planRules.length))
