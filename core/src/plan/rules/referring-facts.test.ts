/** The rule leaves facts alone that it does not know to be over the same pairs of rows. test/compile/referring-facts.test.ts asks for their answers. */
import t from 'tap'
import { canonicalPlan, loadText } from '../../../../test/support/compile.js'
import { nodesIn } from '../../../../test/support/plans.js'
import { firstOf } from '../../invariant.js'
import { FLOAT, INT } from '../../model/data-type.js'
import { inputsOf } from '../inputs.js'
import type { Combine, Leg, LogicalPlan } from '../logical-plan.js'
import { NO_HINTS } from '../planner-hints.js'
import { referringFacts } from './referring-facts.js'
import type { PlanFacts } from './rule.js'

const MODEL_TEXT = `
version: 1
name: shop
dataObjects:
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      State: { code: state, abstractType: string }
      Amount: { code: amount, abstractType: int }
  Lines:
    code: lines
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Order: { code: order_id, abstractType: int }
      Mode: { code: mode, abstractType: string }
      Size: { code: size, abstractType: int }
    joins: [{ joinType: many-to-one, joinTo: Orders, columnsFrom: [Order], columnsTo: [Id] }]
dimensions:
  State: { dataObject: Orders, column: State }
measures:
  Orders: { aggregation: count, columns: [{ dataObject: Orders, column: Id }] }
  Lines: { aggregation: count, columns: [{ dataObject: Lines, column: Id }] }
`
const MODEL = loadText(MODEL_TEXT)

const where = [{ field: 'Lines.Mode', op: '=', value: 'air' }]
const facts: PlanFacts = { hints: NO_HINTS, typeOf: () => INT }
const plan = combineIn(canonicalPlan({ select: { dimensions: ['State'], measures: ['Orders', 'Lines'] }, where }, MODEL))
const first = firstOf(plan.legs)

function combineIn(node: LogicalPlan): Combine {
  return node.kind === 'combine' ? node : combineIn(firstOf(inputsOf(node)))
}

const shown = (input: LogicalPlan): LogicalPlan => ({ kind: 'project', input, alias: 'answer', columns: [] })
const asked = (measures: readonly string[], more: string) => {
  const model = loadText(
    `${MODEL_TEXT.replace('dimensions:', `${more}dimensions:`)}  Most: { aggregation: max, columns: [{ dataObject: Orders, column: Amount }] }
  Least: { aggregation: min, columns: [{ dataObject: Orders, column: Amount }] }
`,
  )
  const node = referringFacts.rewrite(
    shown(combineIn(canonicalPlan({ select: { dimensions: ['State'], measures }, where }, model))),
    facts,
  )
  return node && nodesIn(node, 'aggregate').map(({ keys }) => keys.map(({ name }) => name))
}

t.test('values of one column are carried once', async (t) => {
  t.same(asked(['Most', 'Least', 'Lines'], ''), [['State', 'key_1', 'value_1'], ['State']])
})

t.test('a filter of the model on the rows that refer is a condition of their join', async (t) => {
  const filters = 'filters: [{ dataObject: Lines, column: Size, operator: gt, value: 3 }]\n'
  t.same(asked(['Orders', 'Lines'], filters), [['State', 'key_1', 'value_1'], ['State']])
})

const withLeg = (leg: Leg): Combine => ({ ...plan, legs: [leg, ...plan.legs.slice(1)] })
const withInput = (change: (input: LogicalPlan) => LogicalPlan): Combine => withLeg({ ...first, input: change(first.input) })

const NODES: readonly (readonly [title: string, node: LogicalPlan, fires: boolean])[] = [
  ['two facts', shown(plan), true],
  ['three facts', shown({ ...plan, legs: [...plan.legs, first] }), false],
  ['a fact whose rows are not rows of the answer', shown(withLeg({ ...first, contributesRows: false })), false],
  ['one row, without groups', shown({ ...plan, keys: [] }), false],
  ['a fact in a node that it does not know', shown(withInput(shown)), false],
  ['a fact of which only some rows are kept', shown(withInput((input) => below(input, 2))), false],
  ['rows that are looked up again', { ...lookupOf(plan) }, false],
]

for (const [title, node, fires] of NODES)
  t.test(`the rule and ${title}`, async (t) => t.equal(referringFacts.rewrite(node, facts) !== undefined, fires))

t.test('totals of doubles depend on their order', async (t) =>
  t.equal(referringFacts.rewrite(shown(withSums(plan)), { ...facts, typeOf: () => FLOAT }), undefined),
)

/** The plan with a limit so many nodes below. */
function below(node: LogicalPlan, depth: number): LogicalPlan {
  if (depth === 0 || node.kind === 'scan') return { kind: 'limit', input: node, limit: 1, offset: undefined }
  return node.kind === 'aggregate' || node.kind === 'distinct' ? { ...node, input: below(node.input, depth - 1) } : node
}

function lookupOf(input: LogicalPlan): LogicalPlan {
  return { kind: 'lookup', alias: 'answer_rows', input, from: first.input, keys: [], values: [], reason: '' }
}

function withSums(node: Combine): Combine {
  return {
    ...node,
    legs: node.legs.map((leg) => {
      const { input } = leg
      if (input.kind !== 'aggregate') return leg
      return { ...leg, input: { ...input, aggregates: input.aggregates.map((one) => ({ ...one, aggregate: 'sum' })) } }
    }),
  }
}
