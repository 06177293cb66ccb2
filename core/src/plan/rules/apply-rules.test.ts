/** Rules are applied in order, each to the whole plan, and the driver names those that changed it. */
import t from 'tap'
import { canonicalPlan } from '../../../../test/support/compile.js'
import { shop } from '../../../../test/support/models.js'
import { INT } from '../../model/data-type.js'
import { NO_HINTS } from '../planner-hints.js'
import { applyRules } from './apply-rules.js'
import { planRules } from './plan-rules.js'
import { usableRules } from './rule.js'

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

t.test('a rule is used if a dialect gives all of its hints', async (t) => {
  const rules = [
    { name: 'free' },
    { name: 'one', needs: ['hashJoins'] },
    { name: 'two', needs: ['hashJoins', 'keepsTables'] },
  ] as const
  const names = (hints: object, without: readonly string[] = []) =>
    usableRules(rules, { ...NO_HINTS, ...hints }, new Set(without)).map(({ name }) => name)
  t.same(names({}), ['free'])
  t.same(names({ hashJoins: true }), ['free', 'one'])
  t.same(names({ hashJoins: true, keepsTables: true }), ['free', 'one', 'two'])
  t.same(names({ keepsTables: true }), ['free'])
  t.same(names({ hashJoins: true }, ['free']), ['one'])
})

t.test('each rule has one name', async (t) => t.equal(new Set(planRules.map(({ name }) => name)).size, planRules.length))
